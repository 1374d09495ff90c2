"""The elements of Cosserat rods: gradients and Hessians by differences, opposite moments, exact free turns."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from tendril.physics.elements.bending_and_torsion import (
    joint_hessian,
    moments,
    onto_before,
    onto_behind,
    rodrigues,
    turn,
)
from tendril.physics.elements.rod_dissipation import joint_damping, strain_rate
from tendril.physics.elements.spinning_segment import segment_gradient, segment_hessian
from tendril.physics.rods.director_inertia import TURN_LANES, kinetic_energy, turn_directors

STEP = 1e-5
LANES = np.zeros(1, TURN_LANES)[0]


def unit(rotation):
    return tuple(np.roll(rotation.as_quat(), 1))


def turned(q, delta):
    """q exp(δ/2)."""
    r = Rotation.from_quat(np.roll(q, -1)) * Rotation.from_rotvec(delta)
    new = np.array(unit(r))
    return tuple(new * np.sign(new @ np.asarray(q)))


def differences(function, count):
    return np.array([(function(d) - function(-d)) / (2.0 * STEP) for d in STEP * np.eye(count)])


def second_differences(function, count):
    """Hessian of a scalar function at 0, by differences of it alone along straight lines of turns."""
    ways, own = 1e-3 * np.eye(count), np.zeros((count, count))
    for a in range(count):
        for b in range(count):
            own[a, b] = sum(
                s * function(i * ways[a] + j * ways[b])
                for i, j, s in ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1))
            ) / (4e-6)
    return own


SEGMENTS = {"along": (1.05, 1e-3), "askew": (1.2, 0.7), "pressed": (0.6, 0.4), "against": (1.1, 2.5)}


class Segment:
    """A random segment: |e|/l and the angle between e and d₃."""

    def __init__(self, kind):
        ratio, askew = SEGMENTS[kind]
        rng = np.random.default_rng(len(kind))
        self.length, self.stretch, self.parallel = 0.3, rng.uniform(5.0, 9.0), rng.uniform(1.0, 3.0)
        frame = Rotation.random(random_state=3)
        self.q = unit(frame)
        self.e = ratio * self.length * (frame * Rotation.from_rotvec([askew * 0.6, -askew * 0.8, 0.0])).apply([0, 0, 1])

    def at(self, e, delta):
        return segment_gradient(tuple(self.e + e), turned(self.q, delta), self.length, self.stretch, self.parallel)


@pytest.mark.parametrize("kind", SEGMENTS)
def test_a_segment_loses_what_its_forces_do(kind):
    segment = Segment(kind)
    _, force, torque = segment.at(np.zeros(3), np.zeros(3))
    scale = np.linalg.norm([*force, *np.divide(torque, segment.length)])
    by_e = differences(lambda d: segment.at(d, np.zeros(3))[0], 3)
    by_turn = differences(lambda d: segment.at(np.zeros(3), d)[0], 3)
    np.testing.assert_allclose(force, -by_e, atol=1e-6 * scale)
    np.testing.assert_allclose(torque, -by_turn, atol=1e-6 * scale)


@pytest.mark.parametrize("kind", SEGMENTS)
def test_a_segments_hessian(kind):
    segment = Segment(kind)
    ee, turning, turns = segment_hessian(tuple(segment.e), segment.q, segment.length, segment.stretch, segment.parallel)
    scale = np.abs(ee).max()
    by_e = -differences(lambda d: np.array(segment.at(d, np.zeros(3))[1]), 3)
    np.testing.assert_allclose(ee, by_e, atol=1e-5 * scale)
    by_turn = -differences(lambda d: np.array(segment.at(np.zeros(3), d)[1]), 3).T
    np.testing.assert_allclose(turning, by_turn, atol=1e-5 * scale)
    own = second_differences(lambda d: segment.at(np.zeros(3), d)[0], 3)
    np.testing.assert_allclose(turns, own, atol=1e-5 * scale)


@pytest.mark.parametrize("kind", SEGMENTS)
def test_a_segment_does_not_turn_itself(kind):
    segment = Segment(kind)
    _, force, torque = segment.at(np.zeros(3), np.zeros(3))
    moment = np.cross(segment.e, force) + Rotation.from_quat(np.roll(segment.q, -1)).apply(torque)
    np.testing.assert_allclose(moment, 0.0, atol=1e-13)


JOINTS = {"little": 0.02, "bent": 0.9, "sharp": 2.4, "more than half a turn": 4.0}


class Joint:
    """A random joint, turned by so many rad."""

    def __init__(self, kind):
        rng = np.random.default_rng(len(kind))
        axis = rng.normal(size=3)
        half = 0.5 * JOINTS[kind] * axis / np.linalg.norm(axis)
        self.a = unit(Rotation.random(random_state=5))
        self.b = turned(turned(self.a, half), half)
        self.length, self.rest = 0.4, tuple(rng.normal(size=3))
        self.stiffness, self.viscosity = tuple(rng.uniform(1.0, 4.0, 3)), tuple(rng.uniform(0.5, 2.0, 3))
        self.sign = 1.0

    def strain(self, d):
        return rodrigues(turned(self.a, d[:3]), turned(self.b, d[3:]), self.sign)

    def energy(self, d):
        return moments(self.strain(d), self.length, self.rest, self.stiffness)[0]

    def torques(self):
        s = self.strain(np.zeros(6))
        m = moments(s, self.length, self.rest, self.stiffness)[1]
        return np.array([*onto_before(s, m), *(-np.array(onto_behind(s, m)))])


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_loses_what_its_torques_do(kind):
    joint = Joint(kind)
    torque = joint.torques()
    np.testing.assert_allclose(torque, -differences(joint.energy, 6), atol=1e-6 * np.abs(torque).max())


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joints_torques_are_equal_and_opposite(kind):
    joint = Joint(kind)
    torque = joint.torques()
    one, other = (Rotation.from_quat(np.roll(q, -1)) for q in (joint.a, joint.b))
    np.testing.assert_allclose(one.apply(torque[:3]), -other.apply(torque[3:]), atol=1e-12 * np.abs(torque).max())


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joints_hessian(kind):
    joint = Joint(kind)
    aa, bb, ab = joint_hessian(joint.strain(np.zeros(6)), joint.length, joint.rest, joint.stiffness)
    own = np.block([[np.array(aa), np.array(ab)], [np.array(ab).T, np.array(bb)]])
    found = second_differences(joint.energy, 6)
    np.testing.assert_allclose(own, found, atol=1e-5 * np.abs(own).max())


@pytest.mark.parametrize("kind", JOINTS)
def test_rates_of_strain_and_friction(kind):
    joint, rng = Joint(kind), np.random.default_rng(1)
    spin = rng.normal(size=6)
    s = joint.strain(np.zeros(6))
    rate = np.array(strain_rate(s, tuple(spin[:3]), tuple(spin[3:]), joint.length))
    moved = [np.array(turn(joint.strain(k * STEP * spin))) for k in (1.0, -1.0)]
    np.testing.assert_allclose(rate, (moved[0] - moved[1]) / joint.length / (2.0 * STEP), rtol=1e-6)
    aa, bb, ab = (np.array(part) for part in joint_damping(s, joint.length, joint.viscosity))
    matrix = np.block([[aa, ab], [ab.T, bb]])
    assert 0.5 * spin @ matrix @ spin == pytest.approx(
        0.5 * joint.length * np.sum(joint.viscosity * rate**2), rel=1e-12
    )


@pytest.mark.parametrize("kind", JOINTS)
def test_friction_leaves_what_turns_as_one(kind):
    joint = Joint(kind)
    way = np.array([0.3, -2.0, 1.1])
    own = [Rotation.from_quat(np.roll(q, -1)).inv().apply(way) for q in (joint.a, joint.b)]
    rate = strain_rate(joint.strain(np.zeros(6)), tuple(own[0]), tuple(own[1]), joint.length)
    np.testing.assert_allclose(rate, 0.0, atol=1e-12 / joint.length)


def test_either_sign_of_a_quaternion_is_the_same_joint():
    joint = Joint("bent")
    other = tuple(-np.array(joint.b))
    np.testing.assert_allclose(rodrigues(joint.a, other, -1.0), rodrigues(joint.a, joint.b, 1.0), atol=1e-15)


@pytest.mark.parametrize("h", [1e-4, 0.3])
def test_a_free_turn_keeps_momentum_and_energy_and_is_that_of_many_short_ones(h):
    q = np.array([unit(Rotation.random(random_state=2))])
    spin, mobility = np.array([[1.0, -2.0, 5.0]]), np.array([[1.0 / 3.0, 1.0 / 0.7]])
    inertia = np.array([3.0, 3.0, 0.7])
    p, other = q.copy(), spin.copy()
    before = Rotation.from_quat(np.roll(q[0], -1)).apply(inertia * spin[0])
    energy = kinetic_energy(spin, mobility)
    turn_directors(q, spin, mobility, h, LANES)
    for _ in range(64):
        turn_directors(p, other, mobility, h / 64.0, LANES)
    np.testing.assert_allclose(q, p, atol=1e-14)
    np.testing.assert_allclose(spin, other, atol=1e-13)
    np.testing.assert_allclose(Rotation.from_quat(np.roll(q[0], -1)).apply(inertia * spin[0]), before, atol=1e-13)
    assert kinetic_energy(spin, mobility) == pytest.approx(energy, rel=1e-14)


def test_a_free_turn_follows_eulers_equations():
    q = np.array([unit(Rotation.random(random_state=2))])
    spin, mobility = np.array([[1.0, -2.0, 5.0]]), np.array([[1.0 / 3.0, 1.0 / 0.7]])
    inertia, start, place = np.array([3.0, 3.0, 0.7]), spin[0].copy(), q[0].copy()
    h = 1e-6
    turn_directors(q, spin, mobility, h, LANES)
    np.testing.assert_allclose((spin[0] - start) / h, -np.cross(start, inertia * start) / inertia, rtol=1e-4, atol=1e-8)
    w, v = place[0], place[1:]
    rate = 0.5 * np.array([-v @ start, *(w * start + np.cross(v, start))])
    np.testing.assert_allclose((q[0] - place) / h, rate, rtol=1e-4, atol=1e-6)
