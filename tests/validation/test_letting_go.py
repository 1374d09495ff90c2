"""A pin that lets go, of place, direction and twist, leaves the rod to the laws of a free one; what it takes up again
it takes up as it finds it.
"""

from dataclasses import replace

import numpy as np
import pytest
from solvers import go_on
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.material_axes import material_axes
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import PIN_MODES, Pin, Rod, Scene
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

CORD = Material(5e6, 0.4, 1200.0, internal_damping=0.01)
IN_OIL = replace(
    CORD, internal_damping=0.05, drag_coefficient=20.0 / 1.2 * CORD.drag_coefficient
)  # which moves none along
Z = np.array([0.0, 0.0, 1.0])
HELD = 0.05  # s
FORCES = {"exact": np.inf, "yielding": None}


def straight(n=14):
    return Rod.from_material("rod", np.linspace([0.0, 0.0, 0.0], [0.3, 0.0, 0.0], n), 0.005, CORD, m1=Z)


def hook(n=14):
    s = np.linspace(0.0, 2.0, n)
    x = 0.15 * np.stack([np.sin(s), 1.0 - np.cos(s), 0.2 * s], axis=1)
    return Rod.from_material("rod", x, 0.005, CORD, aspect=0.6)


def ring(n=18):
    s = 2.0 * np.pi * np.arange(n) / n
    x = 0.08 * np.stack([np.cos(s), np.sin(s), 0.1 * np.sin(2.0 * s)], axis=1)
    return Rod.from_material("rod", x, 0.005, CORD, closed=True)


RODS = {"straight": straight, "hook": hook, "ring": ring}
PLACES = [(kind, vertex) for kind in ("straight", "hook") for vertex in (0, 6, -1)] + [("ring", 0), ("ring", 7)]


def about(axis, angle):
    """Unit quaternions (k, 4) of turns by angle (k,) [rad]."""
    half = 0.5 * np.asarray(angle, dtype=float)
    return np.column_stack([np.cos(half), np.sin(half)[:, None] * np.asarray(axis) / np.linalg.norm(axis)])


def alone(rod, *pins, **options):
    """The rod by itself where nothing pulls at it."""
    options = {"gravity": np.zeros(3), "air_density": 0.0, "contact": False, **options}
    return Scene((rod,), 0.02, options.pop("frame_count", 2), pins=pins, **options)


def swung(rod, vertex, mode, force):
    """A pin that moves and turns a rod, then lets go."""
    s = np.linspace(0.0, 1.0, 6)
    position = rod.x[vertex] + np.outer(s**2, [0.02, -0.03, 0.04])
    times = np.append(HELD * s, 1.0001 * HELD)
    return Pin(
        "hand", 0, vertex % len(rod.x), mode, times, np.vstack([position, position[-1]]),
        about([1.0, 0.5, -0.4], np.append(1.2 * s**2, 1.2)), np.append(np.ones(6), 0.0), FORCES[force],
    )  # fmt: skip


def let_go(rod, *pins):
    """(model, state, work, step) of a rod that its pins have just let go."""
    model, state, work = assemble(alone(rod, *pins))
    h = 0.2 * stable_step(model, state)
    assert take_steps(model, state, work, h, int(np.ceil(HELD * 1.0002 / h)) + 2)[0] == DONE
    return model, state, work, h


def frames_of(model, state, work):
    """First material axes (m, 3) of the rod's edges."""
    assert elastic_forces(model, state, work.elastic) < 0
    return material_axes(model, state)


@pytest.mark.parametrize("force", FORCES)
@pytest.mark.parametrize("mode", PIN_MODES)
@pytest.mark.parametrize(("kind", "vertex"), PLACES)
def test_nothing_moves_or_turns_what_was_let_go(kind, vertex, mode, force):
    """Momentum, and angular momentum about its own centre, stay."""
    rod = RODS[kind]()
    model, state, work, h = let_go(rod, swung(rod, vertex, mode, force))
    mass = model.nodes["mass"].sum()

    def momenta():
        p = linear_momentum(model, state)
        return p, angular_momentum(model, state) - np.cross(model.nodes["mass"] @ state.x / mass, p)

    before = momenta()
    assert np.linalg.norm(before[1]) > 1e-7
    assert take_steps(model, state, work, h, 1000)[0] == DONE
    for now, then in zip(momenta(), before, strict=True):
        np.testing.assert_allclose(now, then, rtol=0.0, atol=1e-9 * np.linalg.norm(then))


@pytest.mark.parametrize("mode", PIN_MODES)
@pytest.mark.parametrize(("kind", "vertex"), PLACES)
def test_a_rod_that_was_let_go_moves_as_one_that_was_never_held(kind, vertex, mode):
    """Its shape and its material frames, step by step."""
    rod = RODS[kind]()
    model, state, work, h = let_go(rod, swung(rod, vertex, mode, "yielding"))
    assert elastic_forces(model, state, work.elastic) < 0
    never, free, room = assemble(alone(rod))
    for name in ("x", "v", "t", "u", "theta", "tension"):
        getattr(free, name)[:] = getattr(state, name)
    x, m1 = state.x.copy(), frames_of(model, state, work)
    before = frames_of(never, free, room)
    assert take_steps(model, state, work, h, 300)[0] == DONE
    assert take_steps(never, free, room, h, 300)[0] == DONE
    moved = np.abs(state.x - x).max()
    assert moved > 2e-3
    np.testing.assert_allclose(state.x, free.x, rtol=0.0, atol=1e-8 * moved)
    turned, expected = (
        np.einsum("ij,ij->i", now, then)
        for now, then in ((frames_of(model, state, work), m1), (frames_of(never, free, room), before))
    )
    np.testing.assert_allclose(turned, expected, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("end", [0, -1])
def test_twist_leaves_where_a_clamp_lets_go(end, solver):
    """Twisted between two clamps, one of which lets go, a rod has no torque left and the frame of the other."""
    rod = straight()
    pins = [
        replace(swung(rod, vertex, "TWIST", "exact"), position=np.tile(rod.x[vertex], (7, 1)),
                rotation=about([1.0, 0.0, 0.0], np.linspace(0.0, angle, 7)), influence=None if angle == 0.0 else
                np.append(np.ones(6), 0.0))
        for vertex, angle in ((end, 2.0), (-1 - end, 0.0))
    ]  # fmt: skip
    scene = alone(rod, *pins, solver=solver)
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, 1.1 * HELD)
    assert elastic_forces(model, state, work.elastic) < 0
    assert state.rods["torque"][0] == 0.0
    np.testing.assert_allclose(frames_of(model, state, work), np.tile(Z, (13, 1)), atol=1e-9)


def grasp(rod, vertex, mode, angle, rise, axis=(0.3, 0.2, 1.0)):
    """A pin that has turned by `angle` [rad] before it takes up the rod, within `rise` [s]."""
    times = np.array([0.0, 0.01, 0.015, 0.02, 0.02 + rise])
    return Pin(
        "hand", 0, vertex % len(rod.x), mode, times, np.tile(rod.x[vertex], (5, 1)),
        about(axis, [0.0, angle, angle, angle, angle]), np.array([0.0, 0.0, 0.0, 0.0, 1.0]), None,
    )  # fmt: skip


@pytest.mark.parametrize("mode", ["DIRECTION", "TWIST"])
@pytest.mark.parametrize("kind", ["straight", "hook"])
@pytest.mark.parametrize("vertex", [0, -1])
def test_a_clamp_takes_up_a_rod_as_it_finds_it(kind, vertex, mode, solver):
    """However the clamp has turned meanwhile, it does no work at first."""
    rod = RODS[kind]()
    scene = alone(rod, grasp(rod, vertex, mode, 1.7, 1e3), solver=solver)
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, 0.03)
    scale = rod.bend_stiffness.max() / np.linalg.norm(rod.edges(), axis=1).min()  # of the energy of a sharp bend
    assert state.clock["time"][0] > 0.025
    assert energies(model, state).total < 1e-9 * scale


@pytest.mark.parametrize("rise", [0.3, 0.0005])
@pytest.mark.parametrize("mode", ["DIRECTION", "TWIST"])
@pytest.mark.parametrize(("kind", "vertex"), PLACES[:6])
def test_a_rod_that_is_taken_up_again_is_turned_to_the_target(kind, vertex, mode, rise, solver):
    """Even where the clamp has turned right round meanwhile, and takes hold at once: without a kink, and without a jerk
    where there is time; in the end the rod is as the target has it.
    """
    small = RODS[kind](8)
    rod = Rod.from_material("rod", small.x / 3.0, 0.005, IN_OIL, m1=small.m1)
    angle, axis = 3.1, np.array([0.3, 0.2, 1.0])
    scene = alone(rod, grasp(rod, vertex, mode, angle, rise, axis), frame_count=60, air_density=1.2, solver=solver)
    frames = list(simulate(scene))
    assert min(item.state["rods.cos_largest_turn"][0] for item in frames) > 0.7  # of the cosine
    fastest = max(np.linalg.norm(item.state["v"], axis=1).max() for item in frames)
    assert fastest < (2.0 if rise > 0.1 else 20.0)
    w, *v = about(axis, [angle])[0]

    def turned(a):
        return a + 2.0 * np.cross(v, np.cross(v, a) + w * a)

    edge = [item.x[min(vertex % 8, 6) + 1] - item.x[min(vertex % 8, 6)] for item in (frames[0], frames[-1])]
    drawn, now = (e / np.linalg.norm(e) for e in edge)
    assert turned(drawn) @ now > 0.85
    assert frames[-1].state["holds.gap"][0, 0] == 1.0
    if mode == "TWIST":
        assert np.min(np.einsum("ij,ij->i", turned(frames[0].m1), frames[-1].m1)) > 0.9


def half(rod, mode):
    return replace(Pin.fixed(rod, 0, mode, "hand", rod=0), influence=np.array([0.5]), max_force=None)


@pytest.mark.parametrize("mode", PIN_MODES)
def test_half_an_influence_holds_with_half_the_force_and_the_whole_direction(mode, solver):
    """It sinks under a weight between the half and the whole of its largest force, its direction stays."""
    x, gravity = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, -0.3], 14), np.array([0.0, 0.0, -9.81])
    rod = Rod.from_material("rod", x, 0.005, CORD)
    for force, sinks in ((1.5, True), (2.5, False)):
        pin = replace(half(rod, mode), max_force=force * 9.81 * rod.mass.sum())
        frames = list(simulate(alone(rod, pin, gravity=gravity, frame_count=12, solver=solver)))
        assert (frames[-1].x[0, 2] < -0.01) == sinks
        assert (frames[-1].x[0, 2] > -0.001) != sinks
    shelf = straight()
    alike = [replace(half(shelf, mode), influence=influence) for influence in (None, np.array([0.5]))]
    held, halved = (
        [item.x for item in simulate(alone(shelf, pin, gravity=gravity, frame_count=6, solver=solver))][-1]
        for pin in alike
    )
    np.testing.assert_allclose(halved, held, rtol=0.0, atol=1e-3 * np.abs(held - shelf.x).max())
