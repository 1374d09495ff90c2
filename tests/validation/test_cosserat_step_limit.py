"""The largest step of Cosserat rods: each of its limits, and that of friction, is where motion stops being stable."""

from dataclasses import replace

import numpy as np
import pytest
from cosserat import ALONG_X, LANES, CosseratRod, along_x, forces, frames_along, round_laws
from scipy.spatial.transform import Rotation
from tendril.physics.rods.spinning_step_limit import vibrations

EDGES = 30
LAWS = round_laws(stretch=0.001)
KAPPA = 10.0 * LAWS.bend * EDGES**2
ACROSS, ABOUT = LAWS.density / (4.0 * EDGES**2), LAWS.density * LAWS.gyration  # a length
LIMITS = {
    "as it serves": {},
    "lateral": {"inertia": (100.0 * ACROSS, 4.0 * ABOUT)},
    "spin by parallel": {"inertia": (0.02 * ACROSS, ABOUT)},
    "spin by bending": {"inertia": (0.02 * ACROSS, ABOUT), "parallel": 0.01 * KAPPA},
    "stretch": {"stretch": 1000.0 * LAWS.stretch, "parallel": 0.1 * KAPPA},
    "twist": {"inertia": (ACROSS, 0.001 * ABOUT)},
    "friction of stretching": {"stretch": 1000.0 * LAWS.stretch, "parallel": 0.1 * KAPPA, "pull": 1e3},
    "a little of it": {"stretch": 1000.0 * LAWS.stretch, "parallel": 0.1 * KAPPA, "pull": 10.0},
}
FRICTION = {
    "of bending": {"viscosity": 1e-2},
    "little": {"viscosity": 1e-4},
    "of torsion": {"inertia": (ACROSS, 0.001 * ABOUT), "viscosity": 1e-4},
    "little of that": {"inertia": (ACROSS, 0.001 * ABOUT), "viscosity": 1e-6},
}
SHAKEN = 1e-9


def rod_of(kind, shape):
    laws = replace(LAWS, **(LIMITS | FRICTION)[kind])
    x = along_x(EDGES)
    if shape == "ring":
        around = 2.0 * np.pi * np.arange(2 * EDGES) / (2 * EDGES)
        x = np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1) / np.pi
    rod = CosseratRod(x, laws, closed=shape == "ring", walls=(ALONG_X if shape == "clamped" else None, None))
    if shape == "clamped":
        rod.hold(0)
    return rod


def stays(kind, shape, part):
    """Whether a rod shaken a little only shakes, in steps of this part of the largest."""
    rod, rng = rod_of(kind, shape), np.random.default_rng(1)
    start = rod.x + rng.normal(0.0, SHAKEN, rod.x.shape) * (rod.w > 0.0)[:, None]
    rod.x[:] = start
    rod.turn(rng.normal(0.0, SHAKEN, rod.spin.shape) * (rod.mobility[:, 1:] > 0.0))
    rod.advance(3000, part * rod.step())
    return np.abs(rod.x - start).max() < 1e4 * SHAKEN and np.abs(rod.spin).max() * rod.step() < 1e5 * SHAKEN


@pytest.mark.parametrize("shape", ["free", "clamped", "ring"])
@pytest.mark.parametrize("kind", LIMITS)
def test_the_largest_step_is_the_largest(kind, shape):
    assert stays(kind, shape, 0.99)
    assert not stays(kind, shape, 1.05)


@pytest.mark.parametrize("shape", ["free", "clamped", "ring"])
@pytest.mark.parametrize("kind", FRICTION)
def test_friction_of_bending_and_torsion_asks_for_no_shorter_step(kind, shape):
    assert stays(kind, shape, 0.99)


@pytest.mark.parametrize("kind", ["as it serves", "lateral", "spin by parallel", "spin by bending", "stretch", "twist"])
def test_each_limit_is_the_formula_it_is_named_for(kind):
    rod, l, k = rod_of(kind, "free"), 1.0 / EDGES, LAWS.bend
    kappa, inertia = rod.segments["parallel"][0], 1.0 / rod.mobility[0] / l
    formula = {
        "lateral": l * np.sqrt(LAWS.density / kappa),
        "spin by parallel": 2.0 / np.sqrt((kappa + 4.0 * k / l**2) / inertia[0]),
        "spin by bending": 2.0 / np.sqrt((kappa + 4.0 * k / l**2) / inertia[0]),
        "stretch": l * np.sqrt(LAWS.density / (1000.0 * LAWS.stretch)),
        "twist": l * np.sqrt(inertia[1] / LAWS.twist),
    }
    if kind in formula:
        assert rod.step() == pytest.approx(formula[kind], rel=0.03)
    else:  # of both together, ω² less than the sum
        lateral, spin = formula["lateral"], formula["spin by bending"]
        assert (lateral**-2 + spin**-2) ** -0.5 <= rod.step() < min(lateral, spin)


def tangled(trial):
    """A bent, twisted, stretched and pressed rod, at rest as it lay before or straight."""
    rng, n = np.random.default_rng(trial), 20
    way = rng.normal(0.0, 1.0, 3) + rng.normal(0.0, rng.choice([0.0, 0.1, 0.4]), (n, 3))
    x = np.cumsum(np.vstack([np.zeros(3), way]), axis=0) * 0.05
    turn = np.cumsum(rng.normal(0.0, rng.choice([0.0, 0.3, 0.8]), n))
    frames = frames_along(x) * Rotation.from_rotvec(np.outer(turn, [0.0, 0.0, 1.0]))
    laws = round_laws(stretch=rng.choice([0.001, 1.0]), inertia=(2e-4, 1.57e-7) if trial % 2 else None)
    rod = CosseratRod(x, laws, frames=frames, straight=bool(trial % 3))
    ratio = rng.uniform(0.7, 1.3, n) if trial % 4 == 3 else np.ones(n)
    rod.x[1:] = x[0] + np.cumsum(np.diff(x, axis=0) * ratio[:, None], axis=0)
    rod.turn(rng.normal(0.0, 0.05, (n, 3)))
    return rod, ratio


@pytest.mark.parametrize("trial", range(24))
def test_nothing_vibrates_faster_than_the_limit_says(trial):
    rod, ratio = tangled(trial)
    root = np.sqrt(rod.inverse_masses())
    fastest = np.linalg.eigvalsh(root[:, None] * rod.hessian() * root)[-1]
    bending, stretch, twist = vibrations(rod.segments, rod.joints, rod.edge_mass, rod.mobility).max(axis=0)
    turning = forces(rod.x, rod.q, rod.segments, rod.joints, rod.f, rod.torque, LANES)[1]
    pressed, pulled = min(ratio.min(), 1.0), max(ratio.max() - 1.0, 0.0)
    t = np.diff(rod.x, axis=0) / np.linalg.norm(np.diff(rod.x, axis=0), axis=1)[:, None]
    along = np.sum(t * rod.directors.apply([0.0, 0.0, 1.0]), axis=1).min()
    turning = max(turning, (1.0 - along) / (1.0 + along))  # σ²
    stiffening = (1.0 + turning) * (1.0 + 3.0 * turning)
    now = max(
        bending * stiffening / pressed**2 + stretch * pulled,
        stretch * (1.0 - np.log(pressed)) / pressed**2,
        twist * stiffening,
    )
    assert fastest <= now * (1.0 + 1e-3)  # askew segments couple stretching, and little, with the rest
