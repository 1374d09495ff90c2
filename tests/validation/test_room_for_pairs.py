"""Lists of what may touch are as long as what is near: however fast things go, they do not outgrow memory."""

import numpy as np
import pytest
from meshes import ball, sheet
from solid_meshes import brick
from solids import wall
from tendril.physics.assemble import assemble, laid_out
from tendril.physics.assemble import state as room_begins
from tendril.physics.assemble.room import LEAST, asked, grown
from tendril.physics.contact.room import room_for
from tendril.physics.implicit.scratch import BLOCK, ROW
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES, FEATURES, PAIR, copied
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Weld
from tendril.physics.start.settle import stop
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL
from tendril.physics.time_integration.workspace import workspace

RADIUS, APART, FRAME = 0.1, 0.05, 1.0 / 100.0  # m, m, s
STEP = 1.0 / 240.0  # s


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
    assert max(frame.state["listings.count"][FEATURES::3].max() for frame in frames) < LEAST
    for frame in frames:
        gone = np.array([30.0, -30.0]) * frame.index * FRAME
        np.testing.assert_allclose(frame.bodies[:, 0], ways[:, 0] + gone, atol=1e-6)


def test_a_short_list_that_lacks_room_grows_though_another_is_ample():
    """Two ropes fly at each other, with room for two pairs, beside a body whose list is ample: no step is made shorter
    for it, as one would be if it asked for more than is ample, and it alone grows, to what it asked for."""
    lower, upper = np.linspace([-0.1, 0, 0], [0.1, 0, 0], 21), np.linspace([-0.1, 0, 0.03], [0.1, 0, 0.03], 21)
    v, rubber = np.tile([0.0, 0.0, -3.0], (21, 1)), Material(1e6, 0.45, 1000.0)
    ropes = tuple(Rod.from_material(f"rope {k}", x, 0.004, rubber, v=k * v) for k, x in enumerate((lower, upper)))
    ball = round_body("ball", [3.0, 0.0, 0.0], 0.0)
    model, state, _ = assemble(Scene(ropes, FRAME, 3, bodies=(ball,), gravity=np.zeros(3), solver="IMPLICIT"))
    room = 4 * int(model.world["ample"][0])
    state = state._replace(pairs=np.zeros(2, PAIR), feature_pairs=np.zeros(room, PAIR))
    begun = copied(state)
    status, _, _, taken, _ = implicit_steps(model, state, workspace(model, state), FRAME, 0.25 * FRAME)
    assert (status, taken) == (PAIRS_FULL, 0)
    wanted = asked(state)
    assert wanted["pairs"] > 2
    wider, _ = grown(model, begun, wanted)
    assert (len(wider.pairs), len(wider.feature_pairs)) == (room_for(wanted["pairs"]), room)


def test_soft_bodies_go_alike_whatever_room_their_lists_had(monkeypatch):
    """Two that fall onto each other and the floor: with room for one pair, or for so many that no list fills."""
    points, node = brick((2, 2, 2), (0.03, 0.03, 0.03))
    places = (np.array([0.0, 0.0, 0.03]), np.array([0.004, 0.002, 0.1]))
    solids = tuple(
        SoftBody(f"jelly {k}", points + place, node, 1000.0, 2e4, 0.3, v=np.tile([0.0, 0.0, -1.0 - k], (27, 1)))
        for k, place in enumerate(places)
    )
    scene, found = Scene((), 1.0 / 24.0, 5, solids=solids, floor=Floor(0.0, 0.5)), []
    for room in (1, 20000):
        monkeypatch.setattr(room_begins, "room_for", lambda _, room=room: room)
        found.append(np.stack([frame.x for frame in simulate(scene)]))
    np.testing.assert_array_equal(*found)


def hairs(side, apart=2.6, **options):
    """side² parallel ones of 20 points, pinned at their roots, so many radii apart, that swing alike: tips go 24 radii
    a step.
    """
    points, radius, length = 20, 3.5e-5, 0.2
    along = np.linspace(0.0, 1.0, points)[:, None]
    v, hair = 24.0 * radius / STEP * along * [1.0, 0.0, 0.0], Material(3.89e9, 0.38, 1320.0)
    places = apart * radius * np.array([[a, b, 0.0] for a in range(side) for b in range(side)])
    rods = tuple(
        Rod.from_material(f"hair {k}", place - length * along * [0.0, 0.0, 1.0], radius, hair, v=v)
        for k, place in enumerate(places)
    )
    pins = tuple(Pin.fixed(rod, 0, "TWIST", rod=k) for k, rod in enumerate(rods))
    return Scene(rods, 4 * STEP, 2, pins, solver="IMPLICIT", **options)


def size_of(arrays):
    """Bytes of all arrays in a tuple of arrays and of such tuples."""
    return arrays.nbytes if isinstance(arrays, np.ndarray) else sum(map(size_of, arrays))


def stepped(scene):
    """(Model, State, Workspace) after some steps, with the room that these asked for."""
    model, state = laid_out(scene)
    while True:
        begun, work = copied(state), workspace(model, state)
        status = implicit_steps(model, state, work, 4 * STEP, STEP)[0]
        if status != PAIRS_FULL:
            break
        state, _ = grown(model, begun, asked(state))
    assert status == DONE
    return model, state, work


def test_hairs_that_swing_alike_ask_for_room_for_their_neighbours_alone():
    """However fast they are: at most twelve pairs an edge, its own ones and the next ones of the eight hairs that are
    nearer than 5 radii, each with two edges; and few of these touch. So 2 kB a point is what contact takes.
    """
    model, state, work = stepped(hairs(6))
    points, listed = len(state.x), int(state.listings["count"][CAPSULES])
    assert size_of((model, state, work)) < 4600 * points  # measured: 4238
    assert 2 * points < listed <= 12 * points
    assert len(state.pairs) <= room_for(listed)
    assert size_of((state.pairs, state.listed, work.contact, work.implicit.response)) < 2000 * points


def test_hair_that_touches_nothing_asks_for_no_room():
    """Strands that stand apart have rows for nothing, and no list: but for their boxes, what takes steps of all of them
    at once has a band of theirs, and four numbers beside each row.
    """
    (_, state, work), (_, bare, without) = (stepped(hairs(6, 1000.0, contact=contact)) for contact in (True, False))
    assert asked(state) == dict.fromkeys(asked(state), 0)
    band, boxes = BLOCK * (ROW.itemsize + 4 * 8), 320
    assert size_of((state, work)) - size_of((bare, without)) < (band + boxes) * len(state.x)


def test_what_is_stopped_keeps_the_room_that_it_asked_for():
    """Else what is brought to rest asks for the same at each step, and ends as drawn."""
    state = laid_out(hairs(1))[1]
    state.clock["rows"], state.clock["entries"], state.clock["time"] = 7, 9, 1.0
    stop(state)
    assert (state.clock["rows"][0], state.clock["entries"][0], state.clock["time"][0]) == (7, 9, 0.0)


def test_a_coarse_soft_body_lies_on_a_fine_sheet_as_on_a_coarse_one():
    """A cube of eight vertices, each of which is near hundreds of features: a list that is longer than is ample asks
    for room, like any other."""
    x, node = brick((1, 1, 1), (0.2, 0.2, 0.2))
    cube, found = SoftBody("jelly", x + [-0.1, -0.1, 0.02], node, 1000.0, 1e5, 0.3, mu=400.0), []
    for cells in (1, 24):
        scene = Scene((), 1.0 / 24.0, 10, solids=(cube,), colliders=(wall(sheet(cells, 0.5)),))
        found.append(np.stack([frame.x for frame in simulate(scene)]))
    lowest = found[1][:, :, 2].min(axis=1)
    assert lowest[0] > lowest[-1] > 0.0
    assert lowest[-1] == pytest.approx(lowest[-2], abs=1e-3)
    np.testing.assert_allclose(*found, rtol=0.0, atol=1e-9)
