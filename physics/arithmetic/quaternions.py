"""Turns of many things at once: quaternions (..., 4), (w, x, y, z), with sums in one order everywhere (fixed_order).
numpy only; kernels have their own (turns).
"""

import numpy as np


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """p q of quaternions (..., 4): first q's turn, then p's."""
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
    """q a q* (..., 3), of vectors (..., 3) and unit quaternions (..., 4)."""
    across = np.cross(q[..., 1:], a) + q[..., :1] * a
    return a + 2.0 * np.cross(q[..., 1:], across)


def turned_back(q: np.ndarray, a: np.ndarray) -> np.ndarray:
    """q* a q: vectors of the world in the axes of what is turned by q."""
    return turned(conjugate(q), a)


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


def quaternions(axes: np.ndarray) -> np.ndarray:
    """(k, 4) of rotation matrices (k, 3, 3), by the largest component (Shepperd 1978)."""
    m = axes
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    squares = np.stack([1.0 + trace, *(1.0 + 2.0 * m[:, i, i] - trace for i in range(3))], axis=-1)  # 4 q_i²
    x, y, z = m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]
    xy, xz, yz = m[:, 1, 0] + m[:, 0, 1], m[:, 2, 0] + m[:, 0, 2], m[:, 2, 1] + m[:, 1, 2]
    w2, x2, y2, z2 = squares.T
    products = np.array([[w2, x, y, z], [x, x2, xy, xz], [y, xy, y2, yz], [z, xz, yz, z2]])  # 4 q_i q_j
    row = products[np.argmax(squares, axis=1), :, np.arange(len(m))]
    return row / np.linalg.norm(row, axis=1, keepdims=True)


def continuous(q: np.ndarray) -> np.ndarray:
    """The same rotations (k, 4), each quaternion in the hemisphere of the one before: q and −q are one rotation."""
    sign = np.where(np.sum(q[1:] * q[:-1], axis=1) < 0.0, -1.0, 1.0)
    return q * np.concatenate([[1.0], np.cumprod(sign)])[:, None]
