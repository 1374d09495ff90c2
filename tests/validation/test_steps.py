"""How large steps may be, seen by what happens: just within the limit nothing grows, some way beyond it everything
does; and how pins brake.
"""

from dataclasses import replace

import numpy as np
import pytest
from jointed import alone, body, pose
from statics import straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import LONGEST_STEPS, Pin, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

LOAD, ARM, INERTIA, EDGE = 2.0, 0.004, 1e-9, 0.05


def spreader():
    """A heavy weight on a taut thread, with a small stick of no great inertia tied into the thread by both its ends."""
    upper, lower = (
        replace(straight_rod(4, 4 * EDGE, 1e-7, 1e-8, line_density=0.2), x=np.linspace(a, b, 5), m1=None, name=name)
        for name, a, b in (
            ("upper", [0.0, 0.0, 0.0], [0.0, 0.0, -4 * EDGE]),
            ("lower", [0.0, 0.0, -4 * EDGE - 2 * ARM], [0.0, 0.0, -8 * EDGE - 2 * ARM]),
        )
    )
    stick = body("stick", [0.0, 0.0, -4 * EDGE - ARM], 0.05, INERTIA * np.eye(3))
    weight = body("weight", lower.x[-1], LOAD, 0.1 * np.eye(3))
    welds = [Weld(f"knot {k}", *place, "POSITION") for k, place in enumerate(((0, 0, 4), (0, 1, 0), (1, 1, 4)))]
    gravity = np.array([0.0, 0.0, -9.81])
    return alone([upper, lower], [stick, weight], welds, [Pin.fixed(upper, 0, rod=0)], gravity=gravity)


def turned_after(share, steps=300):
    """How far [rad] the stick, nudged a little, has turned at most in steps of so much of the largest stable one."""
    model, state, work = assemble(spreader())
    assert take_steps(model, state, work, 1e-5, 20)[0] == DONE  # it shows how hard the weight pulls
    start = pose(state.bodies["q"])[0]
    state.bodies["l"][0] = [2e-9, 1e-9, 0.0]
    h, most = share * stable_step(model, state), 0.0
    for _ in range(steps):
        if take_steps(model, state, work, h, 1)[0] != DONE:
            return np.inf
        most = max(most, (pose(state.bodies["q"])[0] * start.inv()).magnitude())
    return most


def test_a_body_on_a_taut_thread_sets_the_step():
    """Its own swinging, (T p/I)(1 + p/l) from each side, is faster than anything else here."""
    assert turned_after(0.95) < 0.05
    assert turned_after(1.3) > 0.5


@pytest.mark.parametrize("force", [0.5, 5.0])
def test_a_pin_that_fetches_a_rod_brakes_in_time(force, solver):
    """It takes up what is far from its target, and stops there, however weak it is."""
    rod = straight_rod(8, 0.4, 1e-3, 1e-3, line_density=0.1)
    away = np.array([0.0, 0.3, 0.0])
    times, shares = np.array([0.0, 1e-3, 2e-3, 3e-3]), np.array([0.0, 0.0, 1.0, 1.0])
    position = rod.x[4] + np.outer([0.0, 1.0, 1.0, 1.0], away)
    pin = Pin("hand", 0, 4, "POSITION", times, position, None, shares, force)
    scene = replace(alone([rod], (), (), [pin], frame_count=60 if force < 1.0 else 25), max_step=2e-3, solver=solver)
    y = np.array([item.x[4, 1] for item in simulate(scene)])
    assert y[-1] == pytest.approx(0.3, abs=3e-3)
    assert y.max() < 0.3 + 6e-3


def test_hair_drawn_through_each_other_comes_apart():
    """What is drawn so may go deeper where others push it, lest nothing moved at all; it never passes through."""
    rng = np.random.default_rng(1)
    s = np.linspace(0.0, 1.0, 8)[:, None]
    rods = []
    for k in range(30):
        root = 0.003 * np.array([k % 15, k // 15, 0.0])
        x = root + 0.15 * s * [1.0, 0.0, 0.3] + 0.02 * rng.normal(size=3) * s * s
        rods.append(Rod.from_material(f"Hair {k}", x, 0.0004, Material(3e9, 0.4, 1300.0, internal_damping=0.005)))
    pins = tuple(Pin.fixed(rod, 0, "TWIST", rod=r) for r, rod in enumerate(rods))
    frames = [told.x for told in simulate(Scene(tuple(rods), 0.04, 8, pins=pins))]
    deep = [deepest_overlap(rods, x, relative=True) for x in frames]
    assert deep[0] > 1.9
    assert max(deep[4:]) < 0.05


def laid_down(slope, shift):
    """Steps a rope takes to lie down along another one, edge by edge from its beginning or its end, as it slopes."""
    radius, rope = 0.005, Material(5e6, 0.5, 1000.0, friction=0.3, internal_damping=0.002)
    s = np.linspace(-0.3, 0.3, 61)
    high = 2.2 * radius + slope * s + 0.3 * abs(slope)
    lower = Rod.from_material("lower", np.stack([s, 0.0 * s, 0.0 * s], axis=1), radius, rope)
    x = np.stack([s + shift, 0.0 * s + 0.06 * radius, high], axis=1)
    upper = Rod.from_material("upper", x, radius, rope, v=np.tile([0.0, 0.0, -1.0], (61, 1)))
    pins = Pin.fixed(lower, 0, rod=0), Pin.fixed(lower, 60, rod=0)
    scene = Scene((lower, upper), 1.0 / 24.0, 2, pins, gravity=np.zeros(3), air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene, times=64)
    status, _, _, steps, _ = implicit_steps(model, state, work, scene.frame_duration, LONGEST_STEPS["GOOD"])
    assert status == DONE
    return steps


@pytest.mark.parametrize("shift", [0.0, 0.003])
@pytest.mark.parametrize("slope", [0.01, 0.04])
def test_which_way_a_curve_is_drawn_makes_no_odds_where_it_lies_down(slope, shift):
    assert laid_down(-slope, shift) <= 1.2 * laid_down(slope, shift)
