"""Soft bodies that touch floors, colliders, each other and themselves, against closed forms and laws."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from meshes import sheet
from passages import passages, passages_of_itself
from solid_meshes import brick
from solids import wall
from tendril.physics.assemble.room import grown
from tendril.physics.assemble.solids import assemble_solids, node_order
from tendril.physics.contact.contact_features import of_one
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.elements.tetrahedra import boundary
from tendril.physics.geometry.samples import points_at
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Hold, Scene, SoftBody
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL
from tendril.physics.time_integration.velocity_verlet import verlet_steps

FRAME = 1.0 / 24.0
SIDE, DENSITY, GRAVITY = 0.2, 1000.0, 9.81
X, NODE = brick((3, 3, 3), (SIDE,) * 3)
OUTSIDE = boundary(NODE)[0]


def jelly(young=4e5, relaxation=0.01, x=X, node=NODE, **options):
    return SoftBody("jelly", x, node, DENSITY, young, 0.3, mu=relaxation * young / 2.6, **options)


def resting(body, count=25, **options):
    """Where it is (n, 3) at each frame."""
    return [frame.x for frame in simulate(Scene((), FRAME, count, solids=(body,), **options))]


def go_on(model, state, work, duration):
    """The State and Workspace so much later [s]."""
    status, viscous = PAIRS_FULL, bool(model.solids.bodies["viscous"].any())
    while status == PAIRS_FULL:
        status, _, duration = verlet_steps(model, state, work, viscous, duration, 0.7, np.inf)
        if status == PAIRS_FULL:
            state, work = grown(model, state)
    assert status == DONE
    return state, work


def height(x, z):
    """Mean [m] over the triangles that are drawn at the height z."""
    there = OUTSIDE[np.all(np.abs(X[OUTSIDE][:, :, 2] - z) < 1e-9, axis=1)]
    return x[there][:, :, 2].mean()


@pytest.mark.parametrize("relaxation", [0.003, 0.03])
def test_a_cube_is_pressed_together_by_its_own_weight(relaxation):
    """Its mean stress is ρgh/2 whatever its mesh, on a floor without friction: so much shorter it is over E."""
    young = 1.6e6
    frames = resting(jelly(young, relaxation), floor=Floor(0.0, 0.0))
    shorter = SIDE - height(frames[-1], SIDE) + height(frames[-1], 0.0)
    assert shorter == pytest.approx(DENSITY * GRAVITY * SIDE**2 / (2.0 * young), rel=3e-3)
    assert np.abs(frames[-1] - frames[-2]).max() < 1e-8 * SIDE
    assert np.ptp(frames[-1][X[:, 2] == 0.0, 2]) < 1e-6 * SIDE


TWO, ITS = brick((2, 2, 2), (SIDE,) * 3)  # a cube of two cells
SKIN = boundary(ITS)[0]
LITTLE = 0.35 * SIDE  # 20 roundings a second are .13 of a side in five frames, and one at .2 of it falls down
FLUSH = {
    "on each other": [(0, 0, 0), (0, 0, 1)],
    "three high": [(0, 0, 0), (0, 0, 1), (0, 0, 2)],
    "side by side": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)],
    "askew": [(0, 0, 0), (0.35, 1, 0.2), (1, -0.55, 0.2)],
    "inside": [(0, 0, 0), (0.25, 0.25, 1)],
}


def flush(how, deep, **options):
    """Soft cubes in FLUSH places, the last of "inside" half as large, drawn so deep [sides] into each other."""
    places = (1.0 - deep) * np.array(FLUSH[how]) * SIDE
    sizes = [1.0] * (len(places) - 1) + [0.5 if how == "inside" else 1.0]
    return [jelly(x=size * TWO + place, node=ITS, **options) for place, size in zip(places, sizes, strict=True)]


@pytest.mark.parametrize("deep", [0.0, 1e-9, 1e-5, 0.01])
@pytest.mark.parametrize("how", FLUSH)
def test_what_is_drawn_flush_goes_on(how, deep):
    """Or into each other, lying or with one held by its top: none passes another, or is thrown off."""
    cubes = flush(how, deep, elements="AFFINE" if deep == 1e-9 else "SMOOTHED")
    last, top = len(cubes) - 1, cubes[-1].x[:, 2].max() - 1e-6
    for held in ((), tuple(Hold("top", "POINT", last, int(i)) for i in np.flatnonzero(cubes[-1].x[:, 2] > top))):
        frames = list(simulate(Scene((), FRAME, 6, solids=tuple(cubes), floor=Floor(0.0, 0.3), holds=held)))
        x = np.split(frames[-1].x, len(cubes))
        for one, other in combinations(x, 2):
            assert not passages((one, SKIN), (other, SKIN))
        assert max(np.linalg.norm(now - cube.x, axis=1).max() for now, cube in zip(x, cubes, strict=True)) < LITTLE


def test_what_is_held_flush_by_the_tops_of_both_hangs():
    """Next to nodes that are held nothing can give way: it is not hurled there by what its neighbour hardly moves."""
    cubes = flush("side by side", 0.0)
    holds = tuple(Hold("top", "POINT", s, int(i)) for s in range(4) for i in np.flatnonzero(TWO[:, 2] == SIDE))
    frame = list(simulate(Scene((), FRAME, 6, solids=tuple(cubes), holds=holds)))[-1]
    assert np.abs(frame.x - np.concatenate([cube.x for cube in cubes])).max() < LITTLE


@pytest.mark.parametrize("deep", [0.0, 1e-9, 1e-5, 0.01])
@pytest.mark.parametrize("way", [(0, 0, 1), (1, 0, 0), (0.35, 1, 0.2), (0.25, 0.25, 1)])
def test_what_is_drawn_flush_on_a_collider_goes_on(way, deep):
    """A block of the same size, that is, whose rims are its own."""
    cube, block = jelly(x=TWO + (1.0 - deep) * SIDE * np.array(way), node=ITS), wall((TWO, SKIN))
    x = resting(cube, 6, colliders=(block,), floor=Floor(0.0, 0.3))[-1]
    assert not passages((x, SKIN), (TWO, SKIN))
    assert np.linalg.norm(x - cube.x, axis=1).max() < LITTLE


@pytest.mark.parametrize("friction", [0.3, 0.6])
@pytest.mark.parametrize("share", [0.98, 1.02])
@pytest.mark.parametrize("on", ["floor", "mesh"])
def test_it_slides_exactly_where_the_slope_is_steeper_than_friction_allows(on, friction, share):
    """On a mesh its corners slide across edges, and over vertices."""
    ground = {"floor": Floor(0.0, friction)} if on == "floor" else {"colliders": (wall(sheet(7, 3.0), friction),)}
    slope = np.arctan(share * friction)
    down = GRAVITY * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    x, node = brick((3, 3, 2), (SIDE, SIDE, 0.5 * SIDE))
    body = jelly(x=x, node=node, friction=friction)
    way = np.array([x[:, 0].mean() for x in resting(body, 37, gravity=down, **ground)])
    speed = np.diff(way)[[20, 35]] / FRAME
    gain = max(0.0, GRAVITY * (np.sin(slope) - friction * np.cos(slope))) * 15 * FRAME
    assert speed[1] - speed[0] == pytest.approx(gain, rel=0.01, abs=1e-6)
    assert (speed[1] > 0.01) == (share > 1.0)


@pytest.mark.parametrize("relaxation", [0.0, 0.003])
def test_what_strikes_keeps_its_momentum_and_wins_no_energy(relaxation):
    bodies = (
        jelly(1e5, relaxation, x=X - [0.25, 0.03, 0.02], v=np.tile([2.0, 0.0, 0.0], (len(X), 1)), friction=0.5),
        replace(jelly(5e4, relaxation, v=np.tile([-1.0, 0.3, 0.0], (len(X), 1)), friction=0.5), name="custard"),
    )
    model, state, work = assemble_solids(Scene((), FRAME, 2, solids=bodies, gravity=np.zeros(3)))
    mass = model.nodes["mass"][:, None]
    before, energy, pressed = (mass * state.v).sum(axis=0), [soft_energies(model, state).total], 0
    for _ in range(40):
        state, work = go_on(model, state, work, 0.005)
        energy.append(soft_energies(model, state).total)
        pressed = max(pressed, int((state.feature_pairs["force"][:, 0] > 0.0).sum()))
    assert pressed > 9
    assert np.abs((mass * state.v).sum(axis=0) - before).max() < 1e-13 * (mass * np.abs(state.v)).sum()
    assert np.diff(energy).max() < 0.003 * energy[0]  # the scheme's own sway
    assert energy[-1] < 0.95 * energy[0]
    mean = [(mass * state.v)[state.x[:, 0] < 0.0].sum(), (mass * state.v)[state.x[:, 0] > 0.0].sum()]
    assert mean[0] != pytest.approx(mean[1])


def horseshoe():
    """A block with a slot from above, whose two halves swing towards each other."""
    x, node = brick((5, 2, 5), (0.25, 0.1, 0.25))
    middle = x[node].mean(axis=1)
    node = node[(np.abs(middle[:, 0] - 0.125) > 0.025) | (middle[:, 2] < 0.05)]
    used, node = np.unique(node, return_inverse=True)
    x, v = x[used], np.zeros((len(used), 3))
    v[:, 0] = np.where(x[:, 0] < 0.125, 3.0, -3.0) * np.clip((x[:, 2] - 0.05) / 0.2, 0.0, 1.0)
    return SoftBody("horseshoe", x, node.reshape(-1, 4), DENSITY, 3e4, 0.3, v=v, friction=0.3)


def test_a_body_does_not_pass_through_itself():
    body = horseshoe()
    scene = Scene((), FRAME, 2, solids=(body,), gravity=np.zeros(3))
    model, state, work = assemble_solids(scene)
    x, outside, pressed = np.empty_like(body.x), boundary(body.tetrahedra)[0], 0
    for _ in range(20):
        state, work = go_on(model, state, work, 0.005)
        x[node_order(scene)] = state.x
        assert passages_of_itself((x, outside)) == 0
        pressing = state.feature_pairs[state.feature_pairs["force"][:, 0] > 0.0]
        assert all(of_one(model, pair) for pair in pressing)
        pressed = max(pressed, len(pressing))
    assert pressed > 4
    free = [*simulate(replace(scene, contact=False, frame_duration=0.05))]
    assert passages_of_itself((free[-1].x, outside)) > 0  # else it proves nothing


@pytest.mark.parametrize("thickness", [0.0, 0.01])
def test_a_collider_carries_it(thickness):
    """A sheet with waves, which rises and then stands still: the body goes up with it, and lies on it."""
    points, triangles = sheet(6, 0.6, lambda x, y: 0.02 * np.cos(9.0 * x) * np.cos(9.0 * y))
    track = np.stack([points, points + [0.0, 0.0, 0.1]])
    sheet_ = Collider("lift", triangles, np.array([0.0, 0.3]), track, thickness, 0.5)
    body = jelly(5e4, x=X + [-0.1, -0.1, 0.04], friction=0.5)
    scene = Scene((), FRAME, 25, colliders=(sheet_,), solids=(body,))
    for frame in simulate(scene):
        assert passages((frame.x, OUTSIDE), (points_at(sheet_, frame.index * FRAME), triangles)) == 0
    lowest = frame.x[:, 2].min() - track[1][:, 2].max()
    assert -0.04 < lowest < thickness + 0.01
    assert frame.x[:, 2].min() > 0.08


def test_what_is_held_is_led_through_a_collider_and_the_rest_bakes_on():
    """As a belly on a chest: its upper nodes are held, and led through a wall; the lower ones hang beneath that."""
    x, node = brick((3, 3, 6), (SIDE, SIDE, 2.0 * SIDE))
    upper, times = np.flatnonzero(x[:, 2] > 1.2 * SIDE), np.linspace(0.0, 0.5, 13)
    way = np.outer(0.12 * np.sin(3.0 * times), [1.0, 0.0, 0.0])
    holds = tuple(Hold("spine", "POINT", 0, int(i), times=times, track=x[i] + way) for i in upper)
    corners = np.array([[0.1, y, SIDE * z] for y in (-0.1, 0.3) for z in (1.45, 3.0)])
    chest = Collider("chest", np.array([[0, 1, 2], [1, 3, 2]]), np.zeros(1), corners[None], 0.0, 0.5)
    alone, beside = (resting(jelly(x=x, node=node), 13, holds=holds, colliders=own) for own in ((), (chest,)))
    assert beside[-1][upper] == pytest.approx(x[upper] + way[-1], abs=1e-9)
    assert beside[-1] == pytest.approx(alone[-1], abs=0.01 * SIDE)


@pytest.mark.parametrize("begin", [4, 8])
def test_it_goes_on_from_a_checkpoint(begin):
    bodies = jelly(2e4, x=X + [0.0, 0.0, 0.05]), replace(jelly(5e4, x=X + [0.1, 0.05, 0.3]), name="custard")
    scene = Scene((), FRAME, 12, floor=Floor(0.0), solids=bodies)
    frames = [*simulate(scene)]
    for one, other in zip(frames[begin + 1 :], simulate(scene, frames[begin].state), strict=True):
        assert one.x.tobytes() == other.x.tobytes()
        assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)


@pytest.mark.parametrize("scheme", ["VERLET", "FEHLBERG"])
def test_only_even_steps_have_contact(scheme):
    frames = resting(jelly(x=X + [0.0, 0.0, 0.02]), 6, floor=Floor(0.0), scheme=scheme)
    assert (frames[-1][:, 2].min() > 0.0) == (scheme == "VERLET")


@pytest.mark.parametrize("soft", [False, True])
def test_what_lies_on_a_ridge_does_not_sink_in_between_its_rims(soft):
    """A roof of two faces, or a soft one of a few tetrahedra, whose ridge has no vertex under the cube."""
    x, node = brick((5, 5, 5), (0.15, 0.15, 0.15))
    cube = jelly(4e4, x=x - x.mean(0) + [0.0, 0.0, 0.077], node=node, friction=0.8)
    roof = np.array([[0.0, -0.4, 0.0], [0.0, 0.4, 0.0], *([a, b, -0.3] for a in (-0.3, 0.3) for b in (-0.4, 0.4))])
    if soft:
        tetrahedra = np.array([[0, 1, 2, 5], [0, 5, 2, 4], [1, 5, 3, 2]])
        volume = np.linalg.det(roof[tetrahedra[:, 1:]] - roof[tetrahedra[:, :1]])
        tetrahedra = np.where((volume > 0.0)[:, None], tetrahedra, tetrahedra[:, [0, 2, 1, 3]])
        under = SoftBody("roof", roof, tetrahedra, 1000.0, 1e7, 0.3, friction=0.8, thickness=1e-3)
        holds = tuple(Hold(f"corner {k}", "POINT", 1, k) for k in range(len(roof)))
        options = {"solids": (cube, under), "holds": holds}
    else:
        faces = np.array([[0, 1, 2], [1, 3, 2], [0, 4, 1], [4, 5, 1]])
        options = {"solids": (cube,), "colliders": (Collider("roof", faces, np.zeros(1), roof[None], friction=0.8),)}
    triangles, _ = boundary(node)
    edges = np.unique(np.sort(triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)), axis=0)
    for frame in simulate(Scene((), 1 / 24, 12, **options)):
        a, b = frame.x[edges].transpose(1, 0, 2)
        crossing = a[:, 0] * b[:, 0] < 0.0
        a, b = a[crossing], b[crossing]
        share = (a[:, 0] / (a[:, 0] - b[:, 0]))[:, None]
        assert (a + share * (b - a))[:, 2].min() > -1e-4  # 14 mm in where only rims hold it
