"""Forces are what the energies lose: central differences on random rods, material frames at equilibrium throughout."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies, wound
from tendril.physics.model import copied
from tendril.physics.rods.chain import frame_edges
from tendril.physics.rods.elastic_forces import WRITTEN, elastic_forces
from tendril.physics.rods.material_axes import material_axes
from tendril.physics.rods.scratch import elastic_scratch
from tendril.physics.scene import Pin, Rod, Scene

STEP = 1e-6  # of an edge
RELATIVE = 1e-6

RODS = [
    {},
    {"closed": True},
    {"straight": True},
    {"straight": True, "isotropic": True},
    {"straight": True, "isotropic": True, "closed": True},
    {"isotropic": True},
    {"isotropic": True, "closed": True},
    {"stretchable": True},
    {"stretchable": True, "closed": True},
    {"straight": True, "isotropic": True, "stretchable": True},
]
CLAMPS = [(), ("DIRECTION",), ("TWIST",), ("TWIST", "TWIST"), ("POSITION", "TWIST")]


def random_rod(rng, n=9, closed=False, straight=False, isotropic=False, stretchable=False):
    """A bent, twisted and tapered rod of uneven edges; naturally curved in another way, unless straight."""
    around = 2.0 * np.pi * np.arange(n) / n + rng.uniform(-0.15, 0.15, n)
    if closed:
        x = np.stack([np.cos(around), 1.3 * np.sin(around), 0.4 * np.sin(2.0 * around)], axis=1)
    else:
        x = np.stack([around, np.sin(around), np.cos(0.7 * around)], axis=1)
    m = n if closed else n - 1
    stiffness = rng.uniform(0.5, 2.0, (m, 2))
    if isotropic:
        stiffness[:, 1] = stiffness[:, 0]
    twist = rng.uniform(-0.5, 0.8, n)
    if not closed:
        twist[[0, -1]] = 0.0
    rest_twist = 0.5 * twist[::-1].copy()
    return Rod(
        "random", x + rng.normal(0.0, 0.1, (n, 3)), rng.uniform(0.01, 0.03, n), rng.uniform(0.1, 1.0, n), stiffness,
        rng.uniform(0.5, 2.0, n), rng.uniform(20.0, 50.0, m), closed=closed, stretchable=stretchable,
        m1=rng.normal(size=3), twist=twist, rest_x=x * rng.uniform(0.9, 1.1, (n, 1)), rest_m1=rng.normal(size=3),
        rest_twist=rest_twist, shape_memory=0.0 if straight else 0.8, rest_length_factor=1.05,
    )  # fmt: skip


def scene_of(rod, modes=()):
    ends = (0, -1)
    pins = tuple(Pin.fixed(rod, ends[k], mode, f"wall {k}", rod=0) for k, mode in enumerate(modes))
    return Scene((rod,), 0.1, 1, pins=pins, gravity=np.zeros(3), contact=False)


def differences(model, state, nodes, delta):
    """−∂E/∂x (n, 3) by central differences."""
    gradient = np.zeros((len(nodes), 3))
    for k, i in enumerate(nodes):
        for c in range(3):
            levels = []
            for side in (1.0, -1.0):
                moved = state._replace(x=state.x.copy())
                moved.x[i, c] += side * delta
                levels.append(energies(model, moved).elastic.sum())
            gradient[k, c] = (levels[1] - levels[0]) / (2.0 * delta)
    return gradient


def check(scene):
    model, state, work = assemble(scene)
    assert elastic_forces(model, state, work.elastic) < 0
    own = np.arange(model.rods["first"][0], model.rods["last"][0] + 1)
    expected = differences(model, state, own, STEP * model.rods["shortest"][0])
    np.testing.assert_allclose(work.elastic.f[own], expected, rtol=0.0, atol=RELATIVE * np.abs(expected).max())
    return work.elastic.f[own], state.x[own]


@pytest.mark.parametrize("options", RODS, ids=lambda o: " ".join(o) or "general")
@pytest.mark.parametrize("seed", [1, 2])
def test_force_is_the_gradient_and_balances(options, seed):
    scene = scene_of(random_rod(np.random.default_rng(seed), **options))
    f, x = check(scene)
    size = np.abs(f).max()
    assert size > 0.1  # something is at work
    np.testing.assert_allclose(f.sum(axis=0), 0.0, atol=1e-13 * size)
    np.testing.assert_allclose(np.cross(x, f).sum(axis=0), 0.0, atol=1e-12 * size)


@pytest.mark.parametrize("options", [o for o in RODS if not o.get("closed")], ids=lambda o: " ".join(o) or "general")
@pytest.mark.parametrize("modes", CLAMPS, ids="-".join)
def test_force_is_the_gradient_with_clamps(options, modes):
    rod = random_rod(np.random.default_rng(3), **options)
    check(scene_of(rod, modes))


@pytest.mark.parametrize("vertex", [0, 4, -1])
@pytest.mark.parametrize("closed", [True, False])
def test_force_is_the_gradient_with_an_inner_clamp(closed, vertex):
    """A clamp along the rod prescribes the frame of the edge behind it; on a closed rod anywhere."""
    rod = random_rod(np.random.default_rng(5), closed=closed)
    scene = Scene((rod,), 0.1, 1, pins=(Pin.fixed(rod, vertex, "TWIST"),), gravity=np.zeros(3), contact=False)
    check(scene)


def material_frames(model, state):
    """(t, m₁, m₂) (m, 3, 3) on the rod's edges at equilibrium."""
    now = copied(state, *WRITTEN)
    assert elastic_forces(model, now, elastic_scratch(model)) < 0
    e = frame_edges(model.rods, state.ghosts, state.x)[1 : len(state.x) + model.rods["closed"][0]]
    t, m1 = e / np.linalg.norm(e, axis=1)[:, None], material_axes(model, now)
    return np.stack([t, m1, np.cross(t, m1)], axis=1)


@pytest.mark.parametrize(
    ("options", "modes"),
    [(o, modes) for o in RODS for modes in CLAMPS if not (modes and o.get("closed"))],
    ids=lambda given: "-".join(given) or "free",
)
def test_force_does_the_work_of_loads_on_frames(options, modes):
    """F·δx = −δE + Σ T t·δφ, φ the turns of the edges' material frames. Where nothing holds a frame, T is without what
    turns all of them about their tangents.
    """
    rng = np.random.default_rng(6)
    model, state, work = assemble(scene_of(random_rod(rng, **options), modes))
    m, n = len(state.x) - 1 + model.rods["closed"][0], len(state.x)
    state.rods["loaded"] = True
    state.moment[1 : m + 1] = rng.normal(0.0, 0.3, m)
    assert elastic_forces(model, state, work.elastic) < 0
    f = work.elastic.f
    assert np.abs(f).max() > 0.1
    frames = material_frames(model, state)
    acts = state.torque[1 : m + 1, None] * frames[:, 0]
    delta, expected = STEP * model.rods["shortest"][0], np.zeros((n, 3))
    for i, c in np.ndindex(n, 3):
        levels, turned = [], []
        for side in (1.0, -1.0):
            moved = state._replace(x=state.x.copy())
            moved.x[i, c] += side * delta
            levels.append(energies(model, moved).elastic.sum() + wound(model, moved).sum())
            turned.append(0.5 * np.cross(frames, material_frames(model, moved)).sum(axis=1))
        expected[i, c] = levels[1] - levels[0] + np.sum(acts * (turned[0] - turned[1]))
    np.testing.assert_allclose(f, expected / (2.0 * delta), rtol=0.0, atol=1e-5 * np.abs(f).max())


def test_force_balances_the_torques_of_prescribed_frames():
    """Σ x × F = Σ (∂E/∂θ) t over the edges whose material frame is prescribed."""
    rod = random_rod(np.random.default_rng(4), straight=True, isotropic=True)
    model, state, work = assemble(scene_of(rod, ("TWIST", "TWIST")))
    elastic_forces(model, state, work.elastic)
    excess = state.theta[-1] - state.theta[0]
    torque = excess / model.rods["twist_compliance"][0]
    assert abs(torque) > 0.1
    walls = np.cross(work.elastic.e[[0, -1]], -work.elastic.g[[0, -1]]).sum(axis=0)
    assert np.linalg.norm(walls) > 0.1
    turned = np.cross(state.x, work.elastic.f).sum(axis=0) + walls
    np.testing.assert_allclose(turned, torque * (state.t[-1] - state.t[0]), atol=1e-12)
