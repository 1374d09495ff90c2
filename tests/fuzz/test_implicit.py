"""The implicit solver on soft to stiff, thin to thick, coarse to fine rods: let go, whipped, twisted or dropped.
None stops, no energy comes from nowhere, edges keep their lengths.
"""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.materials import Material
from tendril.physics.scene import THIRD_DIFFERENCE, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE

CASES = 256
FRAME, FRAMES, STEP = 1.0 / 24.0, 72, 1.0 / 240.0  # s, , s
WAYS = ("let go", "whipped", "twisted", "dropped")


def bent_rod(rng, way):
    """A metre, part of a circle."""
    young, n = 10.0 ** rng.uniform(4.0, 11.3), int(10.0 ** rng.uniform(1.0, 2.5))
    radius = min(10.0 ** rng.uniform(-4.0, -1.3), 0.6 / n)
    a, turn = np.linspace(0.0, 1.0, n + 1), rng.uniform(0.2, 1.5) * np.pi
    x = np.stack([np.sin(turn * a), 0.0 * a, 1.0 - np.cos(turn * a)], axis=1) / turn
    twist = np.r_[0.0, np.full(n - 1, rng.uniform(0.0, 20.0) / n), 0.0] if way == "twisted" else None
    return Rod.from_material(
        way, x, radius, Material(young, 0.4, 1000.0, internal_damping=float(rng.choice([0.0, 0.01]))), twist=twist,
        aspect=1.0 if rng.random() < 0.5 else rng.uniform(0.2, 0.9), shape_memory=float(rng.random() < 0.5),
        stretchable=bool(rng.random() < 0.15),
    )  # fmt: skip


def pins(rng, rod):
    if rod.name == "dropped":
        return ()
    if rod.name != "whipped":
        return (Pin.fixed(rod, 0, "TWIST", rod=0),)
    times = np.linspace(0.0, 3.0, 301)
    way = rod.x[0] + np.outer(0.3 * np.sin(2.0 * np.pi * rng.uniform(1.0, 6.0) * times), (0.0, 0.6, 0.8))
    return (Pin("hand", 0, 0, "TWIST", times, way, max_force=None if rng.random() < 0.5 else np.inf),)


def wild(case):
    """A Scene for each number."""
    rng = np.random.default_rng(case)
    rod = bent_rod(rng, WAYS[case % len(WAYS)])
    air = 1.2 if rng.random() < 0.5 else 0.0
    return Scene((rod,), FRAME, 2, pins=pins(rng, rod), contact=False, air_density=air, solver="IMPLICIT")


def limp(case):
    """Few edges of what bends easily, undamped: let go, thrown or dropped, they fold at a vertex."""
    rng = np.random.default_rng(CASES + case)
    young, n = 10.0 ** rng.uniform(4.0, 5.5), int(rng.integers(10, 23))
    radius = min(10.0 ** rng.uniform(-3.5, -1.5), 0.6 / n)
    a, turn = np.linspace(0.0, 1.0, n + 1), rng.uniform(0.2, 1.5) * np.pi
    x = np.stack([np.sin(turn * a), 0.0 * a, 1.0 - np.cos(turn * a)], axis=1) / turn
    speed = rng.normal(0.0, 1.0, 3) * rng.uniform(0.0, 6.0) * float(case % 3 > 0)
    rod = Rod.from_material(
        "limp", x, radius, Material(young, 0.4, 1000.0), v=a[:, None] * speed, aspect=1.0 if case % 2 else 0.5,
        shape_memory=float(rng.random() < 0.3),
    )  # fmt: skip
    held = () if case % 3 == 2 else (Pin.fixed(rod, 0, "TWIST", rod=0),)
    return Scene((rod,), FRAME, 2, pins=held, contact=False, air_density=0.0, solver="IMPLICIT")


@pytest.mark.parametrize("third", [0.0, THIRD_DIFFERENCE])
def test_what_folds_gains_no_energy(random_case, third):
    scene = limp(random_case)
    (rod,), (model, state, work) = scene.rods, assemble(scene)
    start = energies(model, state)
    much = start.elastic.sum() + 9.81 * rod.mass.sum()
    for _ in range(FRAMES):
        assert implicit_steps(model, state, work, FRAME, STEP, third)[0] == DONE
        assert energies(model, state).total < start.total + 0.01 * much


@pytest.mark.parametrize("third", [0.0, THIRD_DIFFERENCE])
def test_frames_do_not_wind_on_by_half_turns(third):
    """What was bent flat has as much energy half a turn on: frames that began where their last turn led, or went with
    all of a solution, came to rest there in each step, and wound up what had been let go.
    """
    scene = limp(4)
    (rod,), (model, state, work) = scene.rods, assemble(scene)
    start = energies(model, state)
    much = start.elastic.sum() + 9.81 * rod.mass.sum()
    for _ in range(480):
        assert implicit_steps(model, state, work, STEP, STEP, third)[0] == DONE
        assert energies(model, state).total < start.total + 0.01 * much
        assert np.abs(np.diff(state.theta[1:-1])).max() < 2.0 * np.pi  # but of the ghost edges


@pytest.mark.parametrize("third", [0.0, THIRD_DIFFERENCE])
def test_it_goes_on(random_case, third):
    scene = wild(random_case)
    (rod,), (model, state, work) = scene.rods, assemble(scene)
    start, length = energies(model, state), np.linalg.norm(rod.edges(), axis=1)
    much = start.elastic.sum() + 9.81 * rod.mass.sum()  # bending, and a fall by a metre
    for _ in range(FRAMES):
        assert implicit_steps(model, state, work, FRAME, STEP, third)[0] == DONE
        if not rod.stretchable:
            now = np.linalg.norm(np.diff(state.x, axis=0), axis=1)
            assert np.abs(now / length - 1.0).max() < 1e-6
        if rod.name != "whipped":
            assert energies(model, state).total < start.total + 0.01 * much
