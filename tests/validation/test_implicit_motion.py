"""What implicit steps keep of rods with bodies, closed ones, and of what touches: order, momenta, rest, bytes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from jointed import JOINTED, alone, body, dumbbell, pose
from statics import straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.model import copied
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import THIRD_DIFFERENCE, Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE
from tendril.physics.time_integration.workspace import workspace

ROPE = Material(5e6, 0.45, 1100.0, internal_damping=0.02, friction=0.4)
SECOND = 1.9  # order
MODES = (0.0, THIRD_DIFFERENCE)


def implicit(scene, **options):
    return assemble(replace(scene, solver="IMPLICIT", **options))


def after(scene, duration, steps, third):
    model, state, work = implicit(scene)
    assert implicit_steps(model, state, work, duration, duration / steps, third)[0] == DONE
    return model, state


def orders(values):
    """From values at ever half the step."""
    apart = [np.linalg.norm(b - a) for a, b in pairwise(values)]
    return np.log2(np.divide(apart[:-1], apart[1:]))


@pytest.mark.parametrize("third", MODES)
def test_free_rotation_is_of_second_order_in_pose_and_keeps_its_momentum(third):
    spun = body("top", [0.0, 5.0, 0.0], 0.7, np.diag([1.0, 2.0, 2.7]) * 1e-3, omega=np.array([3.0, -5.0, 2.0]))
    scene = alone([straight_rod(3)], [spun], [])
    turns, start = [], implicit(scene)[1].bodies["l"][0]
    for steps in (100, 200, 400, 800):
        _, state = after(scene, 1.0, steps, third)
        np.testing.assert_allclose(state.bodies["l"][0], start, atol=1e-14 * np.linalg.norm(start))
        turns.append(pose(state.bodies["q"][0]).as_matrix())
    assert np.all(orders(turns) > SECOND)


@pytest.mark.parametrize("third", MODES)
def test_a_rod_between_bodies_is_of_second_order(third):
    """Of few soft edges, so that the steps resolve all its motion, once bodies and rod have come to move together; in
    angular momentum too.
    """
    whole = dumbbell()
    soft = Rod.from_material("rod", whole.rods[0].x[::3], 0.006, replace(ROPE, young=2e5, internal_damping=0.0))
    scene = replace(whole, rods=(soft,), welds=(whole.welds[0], replace(whole.welds[1], vertex=5)))
    model, begun, work = implicit(scene)
    assert implicit_steps(model, begun, work, 0.02, 1e-5)[0] == DONE
    states = []
    for steps in (100, 200, 400, 800):
        states.append(copied(begun))
        assert implicit_steps(model, states[-1], workspace(model, states[-1]), 0.2, 0.2 / steps, third)[0] == DONE
    for value in ("x", "q", "v", "l"):
        assert orders([state.bodies[value] for state in states])[-1] > SECOND, value
    assert orders([state.x for state in states])[-1] > SECOND
    off = [np.linalg.norm(angular_momentum(model, state) - angular_momentum(model, begun)) for state in states]
    assert np.log2(off[-2] / off[-1]) > SECOND


@pytest.mark.parametrize("relaxation", [0.0, 0.02])
@pytest.mark.parametrize("kind", JOINTED)
@pytest.mark.parametrize("third", MODES)
def test_momenta_of_bodies_and_rods(kind, relaxation, third):
    """Linear momentum to 1e-10; angular momentum as far as steps resolve the motion; no energy comes from nowhere."""
    scene = JOINTED[kind]()
    scene = replace(scene, rods=tuple(replace(rod, internal_damping=relaxation) for rod in scene.rods))
    model, state, work = implicit(scene)
    p, L, levels = linear_momentum(model, state), angular_momentum(model, state), [energies(model, state).total]
    for _ in range(10):
        assert implicit_steps(model, state, work, 0.02, 1.0 / 1920.0, third)[0] == DONE
        levels.append(energies(model, state).total)
    np.testing.assert_allclose(linear_momentum(model, state), p, rtol=0.0, atol=1e-10 * np.linalg.norm(p))
    np.testing.assert_allclose(angular_momentum(model, state), L, rtol=0.0, atol=1e-3 * np.linalg.norm(L))
    assert np.diff(levels).max() < 1e-3 * levels[0]


def colliding(friction):
    """A rod that lies still, and one across it that is thrown at it."""
    x = np.linspace([-0.2, 0.0, 0.0], [0.2, 0.0, 0.0], 15)
    material = replace(ROPE, friction=friction)
    across = np.stack([0.03 + 0.0 * x[:, 0], x[:, 0] + 0.02, 0.03 + 0.0 * x[:, 0]], axis=1)
    rods = (
        Rod.from_material("still", x, 0.005, material),
        Rod.from_material("thrown", across, 0.005, material, v=np.tile([0.4, 0.0, -2.0], (15, 1))),
    )
    return Scene(rods, 0.04, 2, gravity=np.zeros(3), air_density=0.0)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("third", MODES)
def test_colliding_rods_keep_their_momentum(friction, third):
    model, state, work = implicit(colliding(friction))
    p, hit = linear_momentum(model, state), 0
    for _ in range(100):
        assert implicit_steps(model, state, work, 5e-4, 5e-4, third)[0] == DONE
        hit += state.pairs["force"].max() > 0.0
    assert hit > 2
    assert np.abs(state.v[:15, 2]).max() > 0.05
    np.testing.assert_allclose(linear_momentum(model, state), p, rtol=0.0, atol=1e-10 * np.linalg.norm(p))


@pytest.mark.parametrize("third", MODES)
def test_a_rope_comes_to_rest_on_the_floor(third):
    """Dropped in an arch it lies for 10 s: nothing creeps, nothing rings."""
    a = np.linspace(0.0, np.pi, 25)
    x = 0.2 * np.stack([-np.cos(a), 0.3 * np.sin(2.0 * a), np.sin(a) * 0.2], axis=1) + [0.0, 0.0, 0.02]
    rope = Rod.from_material("rope", x, 0.005, ROPE, shape_memory=0.0)
    model, state, work = implicit(Scene((rope,), 1.0 / 24.0, 2, floor=Floor(0.0, 0.5)))
    assert implicit_steps(model, state, work, 5.0, 1.0 / 240.0, third)[0] == DONE
    lying = state.x.copy()
    for _ in range(10):
        assert implicit_steps(model, state, work, 1.0, 1.0 / 240.0, third)[0] == DONE
        assert np.abs(state.v).max() < 1e-9
    assert np.abs(state.x - lying).max() < 1e-9
    assert state.x[:, 2].min() > 0.005 * (1.0 - 1e-6)


def laden():
    """A ring that falls over a rope with a lamp, onto the floor."""
    s = np.linspace(0.0, 1.0, 13)
    rope = Rod.from_material("rope", np.column_stack([0.5 * s, 0.0 * s, 0.25 - 0.1 * s]), 0.008, ROPE)
    around = np.linspace(0.0, 2.0 * np.pi, 14, endpoint=False)
    x = np.column_stack([0.25 + 0.08 * np.cos(around), 0.08 * np.sin(around), 0.26 + 0.0 * around])
    ring = Rod.from_material("ring", x, 0.006, ROPE, closed=True)
    lamp = RigidBody("lamp", rope.x[-1], 0.3, 1e-4 * np.diag([1.0, 2.0, 2.5]))
    pins = (Pin.fixed(rope, 0, "TWIST", rod=0),)
    return Scene(
        (rope, ring), 1.0 / 24.0, 9, pins, (lamp,), (Weld("ring", 0, 0, 12),), floor=Floor(0.0), solver="IMPLICIT"
    )


def test_a_bake_goes_on_from_every_frame_to_the_same_bytes():
    frames = list(simulate(laden()))
    assert frames[-1].state["pairs.force"].max() > 0.0  # they touch
    for k, begun in enumerate(frames[:-1]):
        again = list(simulate(laden(), begun.state))
        for one, other in zip(frames[k + 1 :], again, strict=True):
            for name, array in one.state.items():
                assert array.tobytes() == other.state[name].tobytes(), (k, name)
