"""A step is taken back where it goes too far: nothing moves more than half a radius against what it may touch, whatever
drives it, and nothing of the failed attempt is left."""

from math import inf

import numpy as np
import pytest
from as_bound import attempt, step
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.run.checkpoint import columns
from tendril.physics.run.kinematic_bodies import without_kinematic_bodies
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.step_limit import motion_step, stable_step
from tendril.physics.time_integration.symplectic_euler import DONE, OVERSTRETCHED, TOO_DEEP, TOO_FAR, keep
from tendril.physics.time_integration.verify import verify

R = 0.001  # m
SOFT = Material(1e5, 0.45, 1000.0)


def rope(name="rope", n=20, z=0.0, along=(1.0, 0.0, 0.0), **options):
    s = np.linspace(-0.5, 0.5, n + 1)[:, None] * n * 5.0 * R
    return Rod.from_material(name, [0.0, 0.0, z] + s * np.asarray(along), R, SOFT, **options)


def hand(rod, times, path, vertex=0, rotation=None, mode="POSITION", force=np.inf):
    return Pin("hand", 0, vertex, mode, np.asarray(times), rod.x[vertex] + np.asarray(path), rotation, max_force=force)


def pins_that_start():
    rod = rope()
    return Scene((rod,), 0.04, 2, pins=(hand(rod, [0.0, 1.0], [[0.0, 0.0, 0.0], [0.0, 0.0, 10.0]]),))


def pins_that_jump():
    rod = rope()
    path = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.03, 0.03]]
    return Scene((rod,), 0.04, 2, pins=(hand(rod, [0.0, 0.004, 0.0041], path),))


def huge_forces():
    rod, other = rope(), rope("other", z=3.0 * R, along=(0.0, 1.0, 0.0))
    pull = hand(rod, [0.0, 1e-6], [[0.0, 0.0, 0.0], [0.0, 0.0, 0.2]], vertex=10, force=100.0)
    return Scene((rod, other), 0.04, 2, pins=(pull,))


def kinematic_bodies():
    rod = rope()
    angle = np.linspace(0.0, 6.0, 9)
    turn = np.column_stack([np.cos(0.5 * angle), 0.0 * angle, np.sin(0.5 * angle), 0.0 * angle])
    times = np.linspace(0.0, 0.02, 9)
    place = rod.x[0] - [0.05, 0.0, 0.0]
    hub = RigidBody("hub", place, 1.0, np.eye(3), times=times, track=np.tile(place, (9, 1)), turn=turn)
    return without_kinematic_bodies(Scene((rod,), 0.04, 2, bodies=(hub,), welds=(Weld("grip", 0, 0, 0),)))[0]


def pushes():
    """Force fields that push half a rope upwards."""
    return Scene((rope(),), 0.04, 2)


DRIVERS = (pins_that_start, pins_that_jump, huge_forces, kinematic_bodies, pushes)


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.__name__)
def test_nothing_moves_more_than_half_a_radius(driver):
    """In every step, against the whole; where a wide gap is known to be free, a quarter of it.

    What is torn against itself harder than contact can hold is taken back, and says so: a bake then tries again.
    """
    scene = driver()
    model, state, work = assemble(scene)
    if driver is pushes:
        state.fields["acceleration"][:10, 2] = 1e5
    own = np.concatenate([np.arange(a, b + 1) for a, b in zip(model.rods["first"], model.rods["last"], strict=True)])
    furthest, steps, status = 0.0, 0, DONE
    while status == DONE and state.clock["time"][0] < 0.01 and steps < 3000:
        before = state.x[own].copy()
        clear = max(0.5 * R, 0.25 * state.listings["skin"][CAPSULES] if state.listings["count"][CAPSULES] == 0 else 0.0)
        h = min(0.6 * stable_step(model, state), motion_step(model, state), 0.01 - state.clock["time"][0])
        status, _, _, gone = step(model, state, work, h, h)
        assert 0.0 < gone <= h or status == TOO_DEEP
        moved = state.x[own] - before
        furthest = max(furthest, np.linalg.norm(moved - moved.mean(axis=0), axis=1).max() / clear)
        steps += 1
    assert 0.1 < furthest < 1.0 + 1e-9
    assert steps > 5


@pytest.mark.parametrize("driver", [pins_that_start, pins_that_jump, huge_forces], ids=lambda driver: driver.__name__)
def test_a_bake_gets_through(driver):
    frames = list(simulate(driver()))
    assert len(frames) == 2
    assert np.all(np.isfinite(frames[-1].x))


def test_no_clamp_turns_further_than_half_a_radian():
    """Its direction swings 500 times a second; a free rope's own steps would be as long as a turn."""
    rod = rope()
    angle = np.pi * np.linspace(0.0, 20.0, 161)
    turn = np.column_stack([np.cos(0.5 * angle), 0.0 * angle, 0.0 * angle, np.sin(0.5 * angle)])
    pin = hand(rod, np.linspace(0.0, 0.02, 161), np.zeros((161, 3)), rotation=turn, mode="DIRECTION")
    model, state, work = assemble(Scene((rod,), 0.04, 2, pins=(pin,), gravity=np.zeros(3), contact=False))
    ghost = state.ghosts[model.pins["ghost"][0]]
    for _ in range(20):
        before = ghost["edge"].copy()
        assert step(model, state, work, 1e-3, 1e-3)[0] == DONE
        assert np.linalg.norm(ghost["edge"] - before) <= 0.5 * np.linalg.norm(before) * (1.0 + 1e-9)


def test_clamps_never_lose_a_turn():
    """Turned 500 times a second, the twist that a rope holds is the clamp's, to the last turn."""
    rod = rope()
    turns = np.linspace(0.0, 5.0, 41)
    half = np.pi * turns
    turn = np.column_stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half])
    pin = hand(rod, 0.002 * turns, np.zeros((41, 3)), rotation=turn, mode="TWIST")
    scene = Scene((rod,), 0.02, 2, pins=(pin, Pin.fixed(rod, -1, "TWIST")), gravity=np.zeros(3), contact=False)
    model, state, work = assemble(scene)
    start = state.theta[model.rods["frame"][0]]
    status, *_ = advance(model, state, work, 0.0101, 0.8, inf)
    elastic_forces(model, state, work.elastic)
    assert status == DONE
    assert abs(state.theta[model.rods["frame"][0]] - start) == pytest.approx(10.0 * np.pi, abs=0.5)


def test_what_failed_leaves_nothing_behind():
    """A rope that is asked for more than it has: the step fails, and all that the next one depends on is as it was."""
    rod = rope(v=np.tile([0.0, 0.0, -1.0], (21, 1)))
    turn = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
    pins = (
        hand(rod, [0.0, 1e-3], [[0.0, 0.0, 0.0], [-0.05, 0.0, 0.0]], rotation=turn, mode="TWIST"),
        Pin.fixed(rod, -1, "TWIST", rod=0),
    )
    model, state, work = assemble(Scene((rod, rope("under", z=-2.01 * R)), 0.04, 2, pins=pins, floor=Floor(-5.0 * R)))
    elastic_forces(model, state, work.elastic)
    names = [name for name in state._fields if name not in ("pairs", "listings", "listed", "clock")]
    before = {name: column.copy() for name, column in columns(state) if name.partition(".")[0] in names}
    time = state.clock.copy()
    status, rod_number, _, gone = step(model, state, work, 1e-3, 1e-3)
    assert status == OVERSTRETCHED
    assert rod_number == 0
    assert gone == 0.0
    for name, column in columns(state):
        if name in before:
            np.testing.assert_allclose(column, before[name], rtol=0.0, atol=1e-15, err_msg=name)
    np.testing.assert_array_equal(state.clock, time)


def test_what_cannot_be_kept_apart_names_both():
    """Two soft ropes across each other, drawn through one another by forces far beyond what contact holds."""
    upper, lower = rope("upper", z=1.1 * R), rope("lower", z=-1.1 * R, along=(0.0, 1.0, 0.0))
    pins = []
    for number, rod, side in ((0, upper, -1.0), (1, lower, 1.0)):
        for end in (0, 20):
            path = rod.x[end] + np.outer([0.0, side * 0.2], [0.0, 0.0, 1.0])
            pins.append(Pin(f"{number} {end}", number, end, "POSITION", np.array([0.0, 0.01]), path, max_force=1e6))
    model, state, work = assemble(Scene((upper, lower), 0.04, 2, pins=tuple(pins), gravity=np.zeros(3)))
    status, first, second, _, left = advance(model, state, work, 0.02, 0.6, inf)
    assert status == TOO_DEEP
    assert {first, second} <= {0, 1}
    assert left > 0.0


@pytest.mark.parametrize(
    ("drawn", "pinned", "expected"), [(0.0, False, TOO_DEEP), (-0.1, False, DONE), (0.0, True, DONE)]
)
def test_what_ends_deeper_in_the_floor_is_taken_back(drawn, pinned, expected):
    """By a twentieth of the radius, however little of that came in one step; but what was drawn deeper, or is held."""
    rod = rope(z=(1.0 + drawn) * R)
    pins = (Pin.fixed(rod, 7, "POSITION", rod=0),) if pinned else ()
    model, state, work = assemble(Scene((rod,), 0.04, 2, pins=pins, floor=Floor(0.0)))
    elastic_forces(model, state, work.elastic)
    keep(state, work.old)
    status, _, count, moved = attempt(model, state, work, 1e-6, np.inf)
    assert status == DONE
    assert verify(model, state, work, R, moved, count, 1e-6)[0] == DONE
    work.old.x[7, 2], state.x[7, 2] = (0.96 + drawn) * R, (0.94 + drawn) * R
    status, one, other = verify(model, state, work, R, moved, count, 1e-6)
    assert status == expected
    if status == TOO_DEEP:
        assert (one, other) == (0, 1)  # the floor is counted behind the one rod


@pytest.mark.parametrize(("turn", "expected"), [(0.45, DONE), (0.55, TOO_FAR)])
def test_an_edge_that_turned_far_is_taken_back(turn, expected):
    rod = rope()
    model, state, work = assemble(Scene((rod,), 0.04, 2, gravity=np.zeros(3), contact=False))
    keep(state, work.old)
    away = state.x - state.x[0]
    state.x[:, :2] = state.x[0, :2] + away[:, :2] @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    assert verify(model, state, work, 1.0, 1.0, 0, 1e-3)[0] == expected


@pytest.mark.parametrize(
    ("before", "behind", "expected"), [(170.0, 170.5, DONE), (170.0, 171.5, TOO_FAR), (175.0, 185.0, TOO_FAR)]
)
def test_a_vertex_that_folded_at_once_is_taken_back(before, behind, expected):
    """By an angle [degrees]: beyond 180 the other way, over where it is folded."""
    rod = rope(n=2)
    model, state, work = assemble(Scene((rod,), 0.04, 2, gravity=np.zeros(3), contact=False))
    for x, degrees in ((work.old.x, before), (state.x, behind)):
        turn = np.radians(degrees)
        x[:] = rod.x
        x[2] = x[1] + (x[1, 0] - x[0, 0]) * np.array([np.cos(turn), np.sin(turn), 0.0])
    assert verify(model, state, work, 1.0, 1.0, 0, 1e-3)[0] == expected
