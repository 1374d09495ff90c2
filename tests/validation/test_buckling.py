"""Where straight rods and rings stop being stable: the load at which the lowest ω² of their vibrations passes zero."""

from dataclasses import replace

import numpy as np
import pytest
from convergence import orders
from scipy.optimize import brentq
from solvers import go_on, solved_by
from statics import Statics, held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.strains import strains
from tendril.physics.rods.curvature import directions
from tendril.physics.rods.isotropic_force import isotropic_force
from tendril.physics.scene import Rod, Scene

SECOND = 1.95  # what counts as second order


def threshold(lowest, law):
    """Relative distance of the zero of lowest(load) from the law."""
    return brentq(lowest, 0.8 * law, 1.2 * law, xtol=1e-7 * law) / law - 1.0


@pytest.mark.parametrize(
    ("modes", "factor"),
    [(("DIRECTION",), 0.25), (("POSITION", "POSITION"), 1.0), (("DIRECTION", "DIRECTION"), 4.0)],
    ids=["clamped-free", "pinned", "clamped"],
)
def test_euler(modes, factor, solver):
    """Thrust π²B/L², a quarter of it, four times it."""
    bend, length = 0.7, 1.2

    def lowest(thrust, n):
        return Statics(held(straight_rod(n, length, bend), *modes, solver=solver)).squares(np.full(n, thrust))[0]

    law = factor * np.pi**2 * bend / length**2
    errors = np.array([threshold(lambda thrust, n=n: lowest(thrust, n), law) for n in (20, 40, 80)])
    assert abs(errors[2]) < 2e-3
    assert np.all(orders(errors) > SECOND)


def test_greenhill():
    """A pinned straight rod under a torque: M = 2πB/L."""
    bend, length = 0.7, 1.2

    def lowest(torque, n):
        scene = held(straight_rod(n, length, bend), "POSITION", "POSITION")
        coefficients = assemble(scene)[0].hinges["bend"]

        def force(x):
            t, inverse_length, chi, gradient = np.zeros((n, 3)), np.zeros(n), np.zeros(n - 1), np.zeros((n, 3))
            directions(np.diff(x, axis=0), t, inverse_length, chi)
            isotropic_force(t, inverse_length, chi, coefficients[1:-1], torque, np.zeros(n), gradient)
            return np.diff(gradient, axis=0, prepend=0.0, append=0.0)

        return Statics(scene, force=force).squares(np.zeros(n))[0]

    errors = np.array(
        [threshold(lambda torque, n=n: lowest(torque, n), 2.0 * np.pi * bend / length) for n in (20, 40, 80)]
    )
    assert abs(errors[2]) < 1e-3
    assert np.all(orders(errors) > SECOND)


@pytest.mark.parametrize("section", [(0.7, 0.7), (0.7, 0.7 + 1e-7)], ids=["closed form", "Newton"])
def test_twisted_between_clamps(section, solver):
    """Clamped ends turned by θ: M = Cθ/L = 2 · 4.4934 B/L, tan x = x (no shortening)."""
    bend, length, twist = 0.7, 1.2, 0.4

    def lowest(angle, n):
        turns = np.full(n + 1, angle / (n - 1))
        turns[[0, -1]] = 0.0
        rod = replace(straight_rod(n, length, section, twist), twist=turns, shape_memory=0.0)
        return Statics(held(rod, "TWIST", "TWIST", solver=solver)).squares(np.zeros(n))[0]

    law = 2.0 * brentq(lambda x: np.tan(x) - x, 4.3, 4.6) * bend / twist
    errors = np.array([threshold(lambda angle, n=n: lowest(angle, n), law) for n in (20, 40, 80)])
    assert abs(errors[2]) < 2e-3
    assert np.all(orders(errors) > SECOND)


@pytest.mark.parametrize("twist", [0.8, 1.5])
def test_perversion(twist, solver):
    """A naturally circular rod pulled straight, its twist clamped: T = B²κ²/C − 4π²B/L²."""
    turns, length = 3.0, 1.0
    kappa = 2.0 * np.pi * turns / length

    def lowest(tension, n):
        angle = kappa * length / n
        around, r = angle * np.arange(n + 1), 0.5 * (length / n) / np.sin(0.5 * angle)
        rest = np.stack([r * np.sin(around), r * (1.0 - np.cos(around)), 0.0 * around], axis=1)
        rod = straight_rod(n, length, twist=twist, rest_x=rest, rest_m1=np.array([0.0, 0.0, 1.0]))
        return Statics(held(rod, "TWIST", "TWIST", solver=solver)).squares(np.full(n, -tension))[0]

    law = kappa**2 / twist - 4.0 * np.pi**2 / length**2
    errors = np.array([threshold(lambda tension, n=n: lowest(tension, n), law) for n in (50, 100)])
    assert abs(errors[1]) < 5e-3
    assert np.all(orders(errors) > SECOND)


def ring(n, twist, turns, v=None, bend=1.0, uneven=0.0):
    """A round ring of length 2π, straight at rest, whose material frame turns `turns` times on the way round."""
    around = 2.0 * np.pi * np.arange(n) / n
    r = np.pi / n / np.sin(np.pi / n)
    x = r * np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)
    rod = Rod(
        "ring", x, np.full(n, 0.01), np.full(n, 2.0 * np.pi / n), np.tile([bend, bend * (1.0 + uneven)], (n, 1)),
        np.full(n, twist), np.ones(n), closed=True, twist=np.full(n, 2.0 * np.pi * turns / n), shape_memory=0.0, v=v,
    )  # fmt: skip
    return Scene((rod,), 0.04, 1, gravity=np.zeros(3), air_density=0.0, contact=False)


def slowest(n, twist, turns, solver, **options):
    """The lowest ω² of a ring, rigid motions aside."""
    rod = Statics(solved_by(solver, ring(n, twist, turns, **options)))
    return rod.squares(ignore=rod.rigid())[0]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_michell(turns, solver):
    """A ring closed with the twist θ writhes above 2π√3 B/C.

    Its frame has to meet itself, θ = 2π·turns, so C/B is varied, with the threshold √3/turns: three values of it.
    """
    errors = np.array(
        [threshold(lambda c, n=n: slowest(n, c, turns, solver), np.sqrt(3.0) / turns) for n in (25, 50, 100)]
    )
    assert 0.0 < errors[1] < 0.015
    assert 0.0 < errors[2] < 0.005
    assert np.all(orders(errors) > SECOND)


def test_michell_by_newton(solver):
    """Frames found by Newton's method give the same threshold as the closed form of a round section."""
    closed_form, newton = (
        threshold(lambda c, e=e: slowest(50, c, 2, solver, uneven=e), np.sqrt(3.0) / 2) for e in (0.0, 1e-8)
    )
    assert newton == pytest.approx(closed_form, abs=1e-6)


LENGTHS_KEPT = {"EXPLICIT": np.inf, "IMPLICIT": 1e-3}  # s, of a step, to 1e-8: Newton's method stops at 1e-6


def height_of_ring(twist, duration, solver):
    """Out-of-plane motion (rms [m]) over time of a ring given a push of 1e-5 m/s, free to move."""
    push = 1e-5 * np.random.default_rng(5).normal(size=(50, 3))
    scene = solved_by(solver, ring(50, twist, 2, v=push), max_step=LENGTHS_KEPT[solver])
    model, state, work = assemble(scene)
    times, heights = [], []
    while state.clock["time"][0] < duration:
        go_on(scene, model, state, work, 0.05)
        times.append(state.clock["time"][0])
        heights.append(np.sqrt(np.mean((state.x[:50, 2] - state.x[:50, 2].mean()) ** 2)))
    assert np.abs(strains(model, state)).max() < 1e-8
    return np.array(times), np.array(heights)


def test_michell_in_motion(solver):
    """10 % beyond the threshold the push grows at the rate √(−ω²) until it is large; 10 % before, not."""
    critical = np.sqrt(3.0) / 2 * 1.012578  # of 50 edges
    t, heights = height_of_ring(1.1 * critical, 25.0, solver)
    growing = (heights > 1e-4) & (heights < 1e-2)
    rate = np.polyfit(t[growing], np.log(heights[growing]), 1)[0]
    assert rate == pytest.approx(np.sqrt(-slowest(50, 1.1 * critical, 2, solver)), rel=0.02)
    assert heights.max() > 0.1
    _, heights = height_of_ring(0.9 * critical, 25.0, solver)
    assert heights.max() < 1e-3
    assert np.ptp(heights[len(heights) // 2 :]) > 0.2 * heights.max()
