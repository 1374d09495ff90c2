"""Bodies of any inertia clamped to Cosserat rods with internal friction, which may not throw them about."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld

RUBBER = Material(1e7, 0.5, 1000.0, drag_coefficient=0.0)
ANGLE = np.pi / 2.0


def rods(count, damping, edges=13):
    """In a line along x, each 25 cm long, 1 cm thick."""
    starts = 0.25 * np.arange(count)
    lines = [np.linspace([s, 0.0, 0.0], [s + 0.25, 0.0, 0.0], edges + 1) for s in starts]
    return tuple(
        Rod.from_material(f"rod {k}", x, 0.01, RUBBER, model="cosserat", internal_damping=damping)
        for k, x in enumerate(lines)
    )


def hand(own):
    """That turns the first rod's start about it by a right angle in a second."""
    t = np.linspace(0.0, 1.0, 25)
    half, nothing = 0.5 * ANGLE * t, 0.0 * t
    turn = np.column_stack([np.cos(half), np.sin(half), nothing, nothing])
    return Pin("hand", 0, 0, "TWIST", t, np.repeat(own.x[:1], len(t), axis=0), rotation=turn, max_force=None)


def bead(x, inertia):
    return RigidBody("bead", np.array(x), 1e-3, inertia * np.eye(3))


@pytest.mark.parametrize("mode", ["TWIST", "DIRECTION"])
@pytest.mark.parametrize("damping", [0.05, 0.005])
@pytest.mark.parametrize("inertia", [1e-8, 1e-7, 1e-6, 1e-5])
@pytest.mark.parametrize("where", ["end", "inside", "between"])
def test_all_stays_on_the_line(where, inertia, damping, mode):
    """Where a straight rod is turned about itself, whatever it carries turns with it."""
    if mode == "DIRECTION" and where == "inside":
        pytest.skip("inside a rod a direction alone cannot be held")
    own = rods(2 if where == "between" else 1, damping)
    welds = [Weld("tie", 0, 0, 7 if where == "inside" else 13, mode)]
    if where == "between":
        welds.append(Weld("other", 0, 1, 0, mode))
    body = bead(own[0].x[welds[0].vertex], inertia)
    scene = Scene(
        own, 1.0 / 24.0, 4, gravity=np.zeros(3), contact=False, air_density=0.0, pins=(hand(own[0]),), bodies=(body,),
        welds=tuple(welds), solver="EXPLICIT",
    )  # fmt: skip
    for frame in simulate(scene):
        assert np.abs(frame.x[:, 1:]).max() < 1e-9
        assert np.abs(frame.bodies[:, 1:3]).max() < 1e-9
        assert np.abs(frame.bodies[:, 5:7]).max() < 1e-9  # about the line alone
        about = 2.0 * np.arctan2(frame.bodies[0, 4], frame.bodies[0, 3])
        assert mode == "DIRECTION" or abs(about - ANGLE * frame.index / 24.0) < 0.1


def pendulum(inertia, damping, longest=np.inf, times=1.0):
    """(turns [rad] of a body that swings about a shaft it hangs on, four a period; its ω [rad/s]):
    (ωL/c) tan (ωL/c) = I₃/J of all edges over the body.
    """
    own = replace(rods(1, damping)[0], twist_damping_factor=times)
    spin = float(np.sum(own.mass * own.gyration))
    low, high = 0.0, 0.5 * np.pi
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if middle * np.tan(middle) > spin / inertia else (middle, high)
    omega = low * np.sqrt(own.twist_stiffness[0] / (0.25 * spin))
    body = RigidBody("bob", own.x[13], 1e-3, inertia * np.eye(3), omega=np.array([1e-3 * omega, 0.0, 0.0]))
    scene = Scene(
        (own,), 0.5 * np.pi / omega, 25, gravity=np.zeros(3), contact=False, air_density=0.0, max_step=longest,
        pins=(Pin.fixed(own, 0, "TWIST"),), bodies=(body,), welds=(Weld("tie", 0, 0, 13, "TWIST"),), solver="EXPLICIT",
    )  # fmt: skip
    return np.array([2.0 * frame.bodies[0, 4] for frame in simulate(scene)]), omega


@pytest.mark.parametrize("times", [1.0, 0.4])
def test_friction_calms_a_torsion_pendulum_as_its_law_says(times):
    """Energy goes as e^(−τω²t), τ of twist."""
    damping = 2e-4
    told, omega = pendulum(1e-4, damping / times, times=times)
    peaks = np.abs(told[1::2])
    rate = -np.polyfit(np.pi / omega * np.arange(len(peaks)), np.log(peaks), 1)[0]
    assert rate == pytest.approx(0.5 * damping * omega**2, rel=0.01)


@pytest.mark.parametrize("damping", [2e-4, 2e-5])
@pytest.mark.parametrize("inertia", [1e-5, 1e-6, 1e-7])
def test_friction_at_a_light_body_is_that_of_short_steps(inertia, damping):
    """Lighter than all edges together, 3.9e-6, and than one of them."""
    told, short = pendulum(inertia, damping)[0], pendulum(inertia, damping, 8e-6)[0]
    assert np.abs(told - short).max() < 0.03 * np.abs(short).max()
