"""Frames of a rod's segments as unit quaternions (w, x, y, z), whose third axis is the rod's: (m₁, m₂, t)."""

import numpy as np

from ..rods.rest_shape import bishop, edges_with_ghosts, frame_angles


def frames_along(x: np.ndarray, m1: np.ndarray | None, twist: np.ndarray | None) -> np.ndarray:
    """Quaternions (n + 1, 4) along an open rod of vertices x (n, 3), the walls beyond its ends among them, each in the
    same hemisphere as the one before.
    """
    t, u, _ = bishop(edges_with_ghosts(x, closed=False), m1)
    theta = frame_angles(np.zeros(len(x)) if twist is None else twist, t, u, closed=False)[:, None]
    v = np.cross(t, u)
    first, second = np.cos(theta) * u + np.sin(theta) * v, np.cos(theta) * v - np.sin(theta) * u
    return in_a_row(quaternions(np.stack([first, second, t], axis=-1)))


def frame_at(q: np.ndarray, vertex: int) -> np.ndarray:
    """The quaternion (4,) at a vertex, of those along a rod, q (n + 1, 4): the wall's at an end, else half way from the
    segment before to the one behind.
    """
    if vertex == 0:
        return q[0]
    middle = q[vertex + 1] if vertex == len(q) - 2 else q[vertex] + q[vertex + 1]
    return np.asarray(middle / np.linalg.norm(middle))


def quaternions(axes: np.ndarray) -> np.ndarray:
    """(k, 4) of rotation matrices (k, 3, 3), by the largest component (Shepperd 1978)."""
    m = axes
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    squares = np.stack([trace, m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]], axis=-1)
    squares = 1.0 + np.where(np.arange(4) == 0, squares, 2.0 * squares - trace[:, None])  # 4 q_i²
    x, y, z = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    xy, xz, yz = m[:, 1, 0] + m[:, 0, 1], m[:, 2, 0] + m[:, 0, 2], m[:, 2, 1] + m[:, 1, 2]
    w2, x2, y2, z2 = squares.T
    products = np.array([[w2, x, y, z], [x, x2, xy, xz], [y, xy, y2, yz], [z, xz, yz, z2]])  # 4 q_i q_j
    row = products[np.argmax(squares, axis=1), :, np.arange(len(m))]
    return row / np.linalg.norm(row, axis=1, keepdims=True)


def in_a_row(q: np.ndarray) -> np.ndarray:
    """The same rotations (k, 4), each quaternion in the hemisphere of the one before: q and −q are one rotation."""
    sign = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)
    return q * np.concatenate([[1.0], np.cumprod(sign)])[:, None]


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """p q of quaternions (..., 4)."""
    a, b, c, d = (p[..., i] for i in range(4))
    w, x, y, z = (q[..., i] for i in range(4))
    return np.stack(
        [
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ],
        axis=-1,
    )


def conjugate(q: np.ndarray) -> np.ndarray:
    """q̄ (..., 4)."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def turned(q: np.ndarray, a: np.ndarray) -> np.ndarray:
    """Vectors a (..., 3) turned by unit quaternions q (..., 4)."""
    v = q[..., 1:]
    return a + 2.0 * np.cross(v, np.cross(v, a) + q[..., :1] * a)


def logarithm(q: np.ndarray) -> np.ndarray:
    """Rotation vectors (..., 3) [rad], at most half a turn long."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    size = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    angle = 2.0 * np.arctan2(size, q[..., :1])
    return q[..., 1:] * np.divide(angle, size, out=np.full_like(size, 2.0), where=size > 0.0)


def exponential(r: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of rotation vectors (..., 3) [rad]."""
    half = 0.5 * np.linalg.norm(r, axis=-1, keepdims=True)
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * r], axis=-1)


def between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Quaternions (..., 4) of the shortest rotations from unit vectors a to b (..., 3), not opposite."""
    q = np.concatenate([1.0 + np.sum(a * b, axis=-1, keepdims=True), np.cross(a, b)], axis=-1)
    return q / np.linalg.norm(q, axis=-1, keepdims=True)
