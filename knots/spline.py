"""The cubic spline through points, and points spread evenly along it."""

import numpy as np

SAMPLES_A_PIECE = 32  # samples of each piece by which lengths are measured


def slopes(x: np.ndarray, closed: bool) -> np.ndarray:
    """dx/du (n, 3) of the cubic spline through x (n, 3) with x_k at u = k: twice continuous, free at open ends.

    s_{k−1} + 4 s_k + s_{k+1} = 3 (x_{k+1} − x_{k−1}); at a free end 2 s_0 + s_1 = 3 (x_1 − x_0) (de Boor, *A Practical
    Guide to Splines*, ch. IV).
    """
    n = len(x)
    matrix = 4.0 * np.eye(n) + np.roll(np.eye(n), 1, axis=0) + np.roll(np.eye(n), -1, axis=0)
    right = 3.0 * (np.roll(x, -1, axis=0) - np.roll(x, 1, axis=0))
    if not closed:
        for end, beside in ((0, 1), (n - 1, n - 2)):
            matrix[end] = 0.0
            matrix[end, [end, beside]] = 2.0, 1.0
            right[end] = 3.0 * abs(end - beside) * (x[max(end, beside)] - x[min(end, beside)])
    return np.linalg.solve(matrix, right)


def hermite(x: np.ndarray, slope: np.ndarray, closed: bool, samples: int) -> np.ndarray:
    """Points on the pieces of a spline, `samples` on each and the last end of an open one."""
    after, slope_after = np.roll(x, -1, axis=0), np.roll(slope, -1, axis=0)
    u = (np.arange(samples) / samples)[None, :, None]
    a, b, c, d = (part[:, None] for part in (x, slope, after, slope_after))
    points = a + u * (b + u * (3.0 * (c - a) - 2.0 * b - d + u * (2.0 * (a - c) + b + d)))
    return points.reshape(-1, x.shape[1]) if closed else np.vstack([points[:-1].reshape(-1, x.shape[1]), x[-1:]])


def evenly(x: np.ndarray, closed: bool, spacing: float) -> np.ndarray:
    """Points (m, 3) on the spline through x (n, 3), at equal lengths near `spacing`; both ends of an open one."""
    fine = hermite(x, slopes(x, closed), closed, SAMPLES_A_PIECE)
    if closed:
        fine = np.vstack([fine, fine[:1]])
    along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1)))
    pieces = max(round(along[-1] / spacing), 3)
    wanted = np.linspace(0.0, along[-1], pieces + 1)[: pieces if closed else None]
    return np.column_stack([np.interp(wanted, along, column) for column in fine.T])
