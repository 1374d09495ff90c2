"""Parallel transport: rotations that keep lengths and angles, and the holonomy they leave on the way round."""

import numpy as np
import pytest
from tendril.physics.rods.curvature import bishop_curvature
from tendril.physics.rods.frames import (
    adapt,
    any_normal,
    bishop,
    material_frame,
    signed_angle,
    tangents,
    transport,
    unwrap,
)

RNG = np.random.default_rng(7)


def unit(v):
    return v / np.linalg.norm(v)


def carried(u, t0, t1):
    out = np.zeros(3)
    transport(u, t0, t1, out)
    return out


def pairs():
    for _ in range(20):
        t0, t1 = unit(RNG.normal(size=3)), unit(RNG.normal(size=3))
        yield unit(np.cross(t0, RNG.normal(size=3))), t0, t1


def test_transport_is_the_rotation_about_both():
    for u, t0, t1 in pairs():
        v = carried(u, t0, t1)
        assert np.linalg.norm(v) == pytest.approx(1.0, abs=1e-12)
        assert v @ t1 == pytest.approx(0.0, abs=1e-12)
        axis = unit(np.cross(t0, t1))
        assert v @ axis == pytest.approx(u @ axis, abs=1e-12)
        np.testing.assert_allclose(carried(v, t1, t0), u, atol=1e-12)


def test_transport_in_place():
    u, t0, t1 = next(pairs())
    expected = carried(u, t0, t1)
    transport(u, t0, t1, u)
    np.testing.assert_array_equal(u, expected)


def test_holonomy_is_the_solid_angle():
    """Once round a right-angled spherical triangle (an eighth of the sphere) turns by its area, π/2."""
    x, y, z = np.eye(3)
    u = y
    for t0, t1 in ((x, y), (y, z), (z, x)):
        u = carried(u, t0, t1)
    assert abs(signed_angle(y, u, x)) == pytest.approx(0.5 * np.pi)


def test_a_plane_curve_has_none():
    around = 2.0 * np.pi * np.arange(31) / 30
    t, u = np.zeros((30, 3)), np.zeros((30, 3))
    x = np.stack([np.cos(around), 2.0 * np.sin(around), 0.0 * around], axis=1)
    tangents(np.diff(x, axis=0), t)
    u[0] = unit(np.cross(t[0], [0.3, 0.2, 1.0]))
    bishop(t, u)
    normal = [0.0, 0.0, 1.0]
    np.testing.assert_allclose(u @ normal, u[0] @ normal, atol=1e-12)
    assert signed_angle(u[0], carried(u[-1], t[-1], t[0]), t[0]) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("angle", [-3.0, -1.0, 0.0, 0.5, 3.1])
def test_signed_angle(angle):
    u, t, _ = next(pairs())
    w = np.cos(angle) * u + np.sin(angle) * np.cross(t, u)
    assert signed_angle(u, w, t) == pytest.approx(angle, abs=1e-12)


@pytest.mark.parametrize(
    ("angle", "near", "expected"), [(0.1, 6.2, 0.1 + 2 * np.pi), (3.0, -3.0, 3.0 - 2 * np.pi), (1.0, 1.5, 1.0)]
)
def test_unwrap(angle, near, expected):
    assert unwrap(angle, near) == pytest.approx(expected)


def test_material_frame():
    t, u = np.zeros((1, 3)), np.zeros((1, 3))
    u[0], t[0], _ = next(pairs())
    m1 = np.zeros((1, 3))
    material_frame(t, u, np.array([0.7]), m1)
    assert signed_angle(u[0], m1[0], t[0]) == pytest.approx(0.7)
    assert m1[0] @ t[0] == pytest.approx(0.0, abs=1e-12)


def test_normals():
    for u, t, _ in pairs():
        normal = any_normal(t)
        assert normal @ t == pytest.approx(0.0, abs=1e-12)
        assert np.linalg.norm(normal) == pytest.approx(1.0)
        skew = u + 0.3 * t
        adapt(skew, t)
        np.testing.assert_allclose(skew, u, atol=1e-12)


def test_curvature_binormal():
    """(κb) = 2 tan(φ/2) along t⁰ × t¹ at every inner vertex, in components along the frames of both edges."""
    x = np.cumsum(RNG.normal(size=(8, 3)), axis=0)
    edges = np.diff(x, axis=0)
    t, u, k = np.zeros((7, 3)), np.zeros((7, 3)), np.zeros((6, 2))
    inverse_length, chi = np.zeros(7), np.zeros(6)
    u[0] = [0.3, -0.2, 0.8]
    smallest = bishop_curvature(edges, u, t, inverse_length, chi, k)
    np.testing.assert_allclose(inverse_length, 1.0 / np.linalg.norm(edges, axis=1))
    turning = np.arccos(np.sum(t[1:] * t[:-1], axis=1))
    assert smallest == pytest.approx(np.cos(turning.max()))
    for i in range(6):
        kb = 2.0 * np.tan(0.5 * turning[i]) * unit(np.cross(edges[i], edges[i + 1]))
        for j in (i, i + 1):
            np.testing.assert_allclose(k[i], [kb @ u[j], kb @ np.cross(t[j], u[j])], atol=1e-12)
