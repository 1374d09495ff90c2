"""Rods laid out as chains of hinges, and the rest shape in the frames of their edges."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.rods.rest_shape import bishop, edges_with_ghosts, frame_angles, material_curvatures
from tendril.physics.scene import Pin, Rod, Scene

RUBBER = Material(1e6, 0.45, 1000.0)


def circle(n, angle):
    """n points on a unit circle, from edge to edge turned by `angle` [rad]."""
    around = angle * np.arange(n)
    return np.stack([np.cos(around), np.sin(around), 0.0 * around], axis=1)


def rod(x, **options):
    return Rod.from_material("rod", x, 0.01, RUBBER, **options)


@pytest.mark.parametrize("angle", [0.0, 0.2, 1.0])
def test_ghosts_lie_along_the_tangents(angle):
    """On a circle ghost edges continue the tangents of the circle, one edge long."""
    x = circle(6, angle) if angle else np.outer(np.arange(6), [0.0, 0.6, 0.8])
    edges = edges_with_ghosts(x, False)
    edge = np.linalg.norm(x[1] - x[0])
    first, last = (np.array([0.0, 1.0, 0.0]), x[5] - x[4])
    if angle:
        last = np.array([-np.sin(5 * angle), np.cos(5 * angle), 0.0])
    else:
        first = last
    np.testing.assert_allclose(edges[0], edge * first / np.linalg.norm(first), atol=1e-12)
    np.testing.assert_allclose(edges[-1], edge * last / np.linalg.norm(last), atol=1e-12)
    np.testing.assert_array_equal(edges[1:-1], np.diff(x, axis=0))


def test_a_ring_meets_its_last_edge_twice():
    x = circle(5, 1.2)
    edges = edges_with_ghosts(x, True)
    np.testing.assert_array_equal(edges[1:], np.roll(x, -1, axis=0) - x)
    np.testing.assert_array_equal(edges[0], edges[-1])


@pytest.mark.parametrize("first", [0, 1])
def test_bishop_frame_of_a_given_axis(first):
    """m₁ is what is given on the edge it is given for, made orthogonal; the other edges follow by transport."""
    edges = np.random.default_rng(4).normal(size=(6, 3))
    m1 = np.array([0.3, -0.4, 0.9])
    t, u, _ = bishop(edges, m1, first)
    expected = m1 - (m1 @ t[first]) * t[first]
    np.testing.assert_allclose(u[first], expected / np.linalg.norm(expected), atol=1e-12)
    np.testing.assert_allclose(np.sum(u * t, axis=1), 0.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(u, axis=1), 1.0)


def test_material_curvatures():
    """ω = (κb·m₂, −κb·m₁): a circle that turns to the left about z, with m₁ inwards, bends towards m₁ only."""
    x = circle(8, 0.4)
    _, _, k = bishop(np.diff(x, axis=0), -(x[0] + x[1]), 0)
    omega = material_curvatures(k, np.zeros(7))
    bend = 2.0 * np.tan(0.2)
    np.testing.assert_allclose(omega, np.tile([bend, 0.0, bend, 0.0], (6, 1)), atol=1e-12)
    turned = material_curvatures(k, np.full(7, 0.5 * np.pi))
    np.testing.assert_allclose(turned, np.tile([0.0, bend, 0.0, bend], (6, 1)) * [1, -1, 1, -1], atol=1e-12)


def test_frame_angles():
    """None on the first edge; a plane ring's last edge has the frame it ends with when it is met before the first."""
    t, u, _ = bishop(edges_with_ghosts(circle(5, 0.4 * np.pi), True), np.array([0.0, 0.0, 1.0]))
    twist = np.array([0.5, 0.1, 0.2, 0.3, 0.4])
    expected = np.array([-0.5, 0.0, 0.1, 0.3, 0.6, 1.0])
    np.testing.assert_allclose(frame_angles(twist, t, u, False), expected)
    expected[0] = 1.0
    np.testing.assert_allclose(frame_angles(twist, t, u, True), expected)


def test_a_clamp_takes_the_axis_of_the_first_edge():
    """With and without a clamp, m₁ as given is m₁ of the first edge at the start."""
    x = circle(10, 0.3)
    one = rod(x, m1=np.array([0.2, 0.1, 0.9]), shape_memory=0.0)
    axes = []
    for pins in ((), (Pin.fixed(one, 0, "TWIST", rod=0),), (Pin.fixed(one, 0, "DIRECTION", rod=0),)):
        model, state, _ = assemble(Scene((one,), 0.04, 1, pins=pins))
        axes.append(state.u[model.rods["frame"][0] + 1])
    np.testing.assert_allclose(axes[1], axes[0], atol=1e-12)
    np.testing.assert_allclose(axes[2], axes[0], atol=1e-12)
