"""Plates in motion: what is conserved, the order in time, a frequency, and no energy from nowhere."""

import numpy as np
import pytest
from plates import net, places, plate_on, system_of
from tendril.physics.sheets import plate as sheets
from tendril.physics.sheets.motion import SheetMotion

G = np.array([0.0, 0.0, -9.81])


def stored(motion):
    """Elastic and kinetic energy [J]."""
    kinetic = 0.5 * np.sum(motion.mass * motion.v**2)
    return sheets.energy(motion.system.z, motion.system.shape) + kinetic


def momenta(motion):
    x = places(motion.system)
    p = (motion.mass * motion.v)[: x.size].reshape(-1, 3)
    return p.sum(axis=0), np.cross(x, p).sum(axis=0)


def test_free_flight():
    """It tumbles, ripples and falls: momentum follows gravity to round-off, its centre a parabola, angular momentum
    about it to second order in time.
    """
    x, triangles = net(8, 8, 1.0, 1.0, "random")
    plate = plate_on(x, triangles, density=1000.0)
    rng = np.random.default_rng(0)
    errors = []
    for steps in (50, 100, 200):
        motion = SheetMotion(
            system_of(plate, x), np.cross([0.0, 3.0, 2.0], x) + 0.1 * np.sin(9.0 * x[:, [1, 0, 0]]), 0.0 * x
        )
        before, energy = momenta(motion), stored(motion)
        for _ in range(steps):
            assert motion.advance(0.5 / steps)
        after = momenta(motion)
        assert after[0] == pytest.approx(before[0], abs=1e-7 * np.abs(before[0]).max())
        assert 0.9 * energy < stored(motion) < 1.001 * energy
        errors.append(np.abs(after[1] - before[1]).max() / np.abs(before[1]).max())
    assert errors[2] < errors[1] < errors[0] < 1e-2
    heavy = SheetMotion(system_of(plate, x), rng.normal(size=x.shape), plate.mass[:, None] * G)
    at, (p, _) = plate.mass @ x / plate.mass.sum(), momenta(heavy)
    for _ in range(20):
        assert heavy.advance(0.01)
    assert momenta(heavy)[0] == pytest.approx(p + 0.2 * plate.mass.sum() * G, rel=1e-6)
    found = plate.mass @ places(heavy.system) / plate.mass.sum()
    assert found == pytest.approx(at + 0.2 * p / plate.mass.sum() + 0.5 * G * 0.2 * 0.2, abs=2e-3)


def tip(steps, part=1.0, damping=0.0):
    """Of a clamped strip struck in the shape of its first mode, after part of a period [of its amplitude]; τ ω."""
    x, triangles = net(16, 2, 1.0, 0.1)
    plate = plate_on(x, triangles, poisson=0.0, density=1000.0)
    system = system_of(plate, x, x[:, 0] < 1e-9, lambda middle: middle[:, 0] < 1e-9)
    b, s = 1.875104, x[:, 0]
    k = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))
    omega = b * b * np.sqrt(1e7 * 0.01**2 / 12.0 / 1000.0)
    v = 0.0 * x
    v[:, 2] = 0.5e-3 * omega * (np.cosh(b * s) - np.cos(b * s) - k * (np.sinh(b * s) - np.sin(b * s)))
    motion = SheetMotion(system, v, 0.0 * x, damping / omega)
    for _ in range(steps):
        assert motion.advance(2.0 * np.pi * part / omega / steps)
    return places(system)[np.argmax(x[:, 0]), 2] / 1e-3


def test_first_mode_of_a_strip():
    """ω = 3.5160 √(D/ρh)/L², back after a period, within 1 %; of second order in time."""
    found = [tip(steps) for steps in (50, 100, 200, 400)]
    assert abs(found[-1]) < 0.02 * np.pi
    steps = np.abs(np.diff(found))
    assert 3.5 < steps[0] / steps[1] < 6.0
    assert 3.5 < steps[1] / steps[2] < 6.0


def test_internal_damping():
    """exp(−ω²τt/2) of a mode, as rods."""
    assert tip(300, 1.25, 0.1) / tip(300, 1.25) == pytest.approx(np.exp(-0.1 * 2.5 * np.pi / 2.0), rel=0.03)


def test_a_sheet_that_swings_wins_nothing():
    """Rubber held at two corners, let go, as long as it swings and folds: no frame wins 2 % of the most there was."""
    x, triangles = net(10, 10, 1.0, 1.0)
    plate = plate_on(x, triangles, young=5e6, poisson=0.45, thickness=0.005, density=1100.0)
    held = (x[:, 0] < 1e-9) & ((x[:, 1] < 1e-9) | (x[:, 1] > 1.0 - 1e-9))
    motion = SheetMotion(system_of(plate, x, held), 0.0 * x, plate.mass[:, None] * G)
    most = energy = 0.0
    for _ in range(36):
        assert motion.advance(1.0 / 24.0)
        now = stored(motion) - plate.mass @ places(motion.system) @ G
        most = max(most, stored(motion))
        assert now < energy + 0.02 * most
        energy = now
    assert most > 0.2 * 9.81 * plate.mass.sum()


def spun(rate):
    """After a sixth of a second of turning so fast [rad/s], by what is asked for as four steps."""
    x, triangles = net(6, 6, 0.2, 0.2, "random")
    plate = plate_on(x, triangles, density=1000.0)
    motion = SheetMotion(system_of(plate, x), np.cross([0.0, rate, 0.0], x - 0.1), 0.0 * x)
    for _ in range(4):
        assert motion.advance(1.0 / 24.0)
    return motion


def test_fast_turns_are_taken_in_parts():
    """.5 rad in a step is one, .94 more than one: then another shape may be found."""
    assert spun(12.0).steps == 4
    assert 8 <= spun(22.5).steps <= 16


def test_the_same_bytes():
    one, other = spun(10.0), spun(10.0)
    assert one.system.z.tobytes() == other.system.z.tobytes()
    assert one.v.tobytes() == other.v.tobytes()
