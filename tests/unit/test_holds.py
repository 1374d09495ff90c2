"""What a pin holds follows from its one state: held, yielding or free."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.assemble.holds import in_force
from tendril.physics.materials import Material
from tendril.physics.model import FREE, HELD, YIELDING
from tendril.physics.scene import PIN_MODES, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.symplectic_euler import DONE

CORD = Material(5e6, 0.4, 1200.0)
STEP = 1e-5  # s
TIMES = np.array([0.0, 2.5, 3.5, 6.5, 7.5]) * STEP
OFF, OFF_AND_ON = [1.0, 1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0, 1.0]
ON_AND_OFF = [0.0, 0.0, 0.6, 0.6, 0.0]


def rod(closed=False, **options):
    s = np.linspace(0.0, 4.0, 12)
    x = 0.1 * np.stack([np.sin(s), 1.0 - np.cos(s), 0.3 * s], axis=1)
    return Rod.from_material("rod", x, 0.005, CORD, closed=closed, **options)


def pin(own, vertex, mode, influence, max_force=None):
    still = Pin.fixed(own, vertex, mode, rod=0)
    position, turn = np.tile(own.x[vertex], (len(TIMES), 1)), np.tile([1.0, 0.0, 0.0, 0.0], (len(TIMES), 1))
    return replace(
        still, times=TIMES, position=position, rotation=turn, influence=np.array(influence), max_force=max_force
    )


def expected_weights(model, state):
    """Inverse masses (N,) of pinned nodes by the states of their pins, of all others their own."""
    w, h = model.nodes["w"].copy(), state.clock["step"][0]
    for own, hold in zip(model.pins, state.holds, strict=True):
        for node in (own["node"], own["second"]):
            if node >= 0 and hold["state"] != FREE:
                yielding = 1.0 / max(own["mass"], own["stiffness"] * h**2)
                w[node] = yielding if hold["state"] == YIELDING else 0.0
    return w


@pytest.mark.parametrize("mode", PIN_MODES)
@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("aspect", [1.0, 0.6])
def test_what_is_held_follows_from_the_state_of_holds(mode, closed, aspect):
    """Prescribed frames, ghost edges and inverse masses, which kernels keep as pins let go and take up."""
    own = rod(closed, aspect=aspect)
    pins = (pin(own, 0, mode, OFF_AND_ON), pin(own, 3, mode, OFF, np.inf), pin(own, 6, mode, ON_AND_OFF, 5.0))
    lamp = RigidBody("lamp", own.x[-1], 1.0, np.eye(3))
    model, state, work = assemble(Scene((own,), 0.04, 2, pins, (lamp,), (Weld("knot", 0, 0, 11, mode),)))
    seen = [tuple(state.holds["state"])]
    for _ in range(9):
        assert take_steps(model, state, work, STEP, 1)[0] == DONE
        fixed, held = in_force(model, state.holds)
        np.testing.assert_array_equal(state.fixed, fixed)
        np.testing.assert_array_equal(state.ghosts["held"], held)
        np.testing.assert_array_equal(state.w, expected_weights(model, state))
        np.testing.assert_array_equal(state.holds["state"] == FREE, state.holds["influence"] == 0.0)
        seen.append(tuple(state.holds["state"]))
    assert list(dict.fromkeys(seen)) == [
        (YIELDING, HELD, FREE), (YIELDING, HELD, YIELDING), (FREE, FREE, YIELDING), (YIELDING, FREE, YIELDING),
        (YIELDING, FREE, FREE),
    ]  # fmt: skip
