"""Lists of what may touch are as long as what is near: however fast things go, they do not outgrow memory."""

import numpy as np
import pytest
from meshes import ball
from solid_meshes import brick
from tendril.physics.assemble import assemble
from tendril.physics.assemble import state as room_begins
from tendril.physics.assemble.room import LEAST, grown, lacking
from tendril.physics.materials import Material
from tendril.physics.model import PAIR, copied
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, RigidBody, Rod, Scene, Shape, SoftBody, Weld
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import PAIRS_FULL
from tendril.physics.time_integration.workspace import workspace

RADIUS, APART, FRAME = 0.1, 0.05, 1.0 / 100.0  # m, m, s


def round_body(name, place, speed):
    """One with some 500 vertices."""
    points, triangles = ball(RADIUS, 16, 30)
    inertia = 0.4 * 4.0 * RADIUS**2 * np.eye(3)
    return RigidBody(
        name, np.array(place), 4.0, inertia, shape=Shape(points + place, triangles), v=np.array([speed, 0.0, 0.0])
    )


@pytest.mark.parametrize("tied", [False, True])
def test_bodies_that_rush_past_each_other_need_no_more_room(tied, solver):
    """Two with millions of pairs of features, which come near each other at 60 m/s and do not touch; alone, and one
    with a rope behind it, by whose steps it goes. Each goes straight on."""
    ways = np.array([[-0.55, 0.0, 0.0], [0.55, 2.0 * RADIUS + APART, 0.0]])
    bodies = tuple(round_body(f"ball {k}", place, 30.0 * (-1) ** k) for k, place in enumerate(ways))
    rods, welds = (), ()
    if tied:
        x = np.linspace(ways[0] - [RADIUS, 0.0, 0.0], ways[0] - [RADIUS + 0.2, 0.0, 0.0], 9)
        material, v = Material(1e6, 0.45, 1000.0), np.tile([30.0, 0.0, 0.0], (9, 1))
        rods = (Rod.from_material("rope", x, 0.004, material, v=v),)
        welds = (Weld("eye", 0, 0, 0, "POSITION"),)
    scene = Scene(rods, FRAME, 5, bodies=bodies, welds=welds, gravity=np.zeros(3), air_density=0.0, solver=solver)
    frames = list(simulate(scene))
    assert max(frame.state["shape_room"].max() for frame in frames) < 4 * LEAST
    for frame in frames:
        gone = np.array([30.0, -30.0]) * frame.index * FRAME
        np.testing.assert_allclose(frame.bodies[:, 0], ways[:, 0] + gone, atol=1e-6)


def test_a_short_list_that_is_full_grows_though_another_is_ample():
    """Two ropes fly at each other, with room for two pairs, beside a body whose list is ample: no step is made shorter
    for it, as one would be if it were ample itself, and it alone grows."""
    lower, upper = np.linspace([-0.1, 0, 0], [0.1, 0, 0], 21), np.linspace([-0.1, 0, 0.03], [0.1, 0, 0.03], 21)
    v, rubber = np.tile([0.0, 0.0, -3.0], (21, 1)), Material(1e6, 0.45, 1000.0)
    ropes = tuple(Rod.from_material(f"rope {k}", x, 0.004, rubber, v=k * v) for k, x in enumerate((lower, upper)))
    ball = round_body("ball", [3.0, 0.0, 0.0], 0.0)
    model, state, _ = assemble(Scene(ropes, FRAME, 3, bodies=(ball,), gravity=np.zeros(3), solver="IMPLICIT"))
    room = 4 * int(model.world["ample"][0])
    state = state._replace(pairs=np.zeros(2, PAIR), shape_pairs=np.zeros(room, PAIR))
    begun = copied(state)
    status, _, _, taken, _ = implicit_steps(model, state, workspace(model, state), FRAME, 0.25 * FRAME)
    assert (status, taken) == (PAIRS_FULL, 0)
    assert lacking(state) == ["pairs"]
    wider, _ = grown(model, begun, lacking(state))
    assert (len(wider.pairs), len(wider.shape_pairs)) == (8, room)


def test_soft_bodies_go_alike_whatever_room_their_lists_had(monkeypatch):
    """Two that fall onto each other and the floor: with room for one pair a vertex, or so many that no list fills."""
    points, node = brick((2, 2, 2), (0.03, 0.03, 0.03))
    places = (np.array([0.0, 0.0, 0.03]), np.array([0.004, 0.002, 0.1]))
    solids = tuple(
        SoftBody(f"jelly {k}", points + place, node, 1000.0, 2e4, 0.3, v=np.tile([0.0, 0.0, -1.0 - k], (27, 1)))
        for k, place in enumerate(places)
    )
    scene, found = Scene((), 1.0 / 24.0, 5, solids=solids, floor=Floor(0.0, 0.5)), []
    for room in (1, 64):
        monkeypatch.setattr(room_begins, "PAIRS_PER_SOFT_VERTEX", room)
        found.append(np.stack([frame.x for frame in simulate(scene)]))
    np.testing.assert_array_equal(*found)
