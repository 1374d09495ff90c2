"""Vertices of a rod as Bézier control points: free handles at x ± (x₊ − x₋)/6, exact at the vertices. No bpy.

This is the Catmull–Rom spline (1974), which passes four times closer to a smooth rod than its polygon. A closed rod
becomes an open spline whose first point comes again at its end, with the same handles: the stripe of a cyclic curve in
Blender spreads a closing angle that jumps at half a turn.
"""

import numpy as np


def control_points(x: np.ndarray, closed: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x (…, n, 3) → co, left, right (…, k, 3), k = n, or n + 1 when closed."""
    if closed:
        third = (np.roll(x, -1, axis=-2) - np.roll(x, 1, axis=-2)) / 6.0
        x, third = close(x, axis=-2), close(third, axis=-2)
    else:
        third = np.empty_like(x)
        third[..., 1:-1, :] = (x[..., 2:, :] - x[..., :-2, :]) / 6.0
        # slope at the ends of the parabola through the last three
        third[..., 0, :] = (4.0 * x[..., 1, :] - 3.0 * x[..., 0, :] - x[..., 2, :]) / 6.0
        third[..., -1, :] = (3.0 * x[..., -1, :] + x[..., -3, :] - 4.0 * x[..., -2, :]) / 6.0
    return x, x - third, x + third


def close(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """The values with the first one again at the end."""
    return np.concatenate([values, np.take(values, [0], axis=axis)], axis=axis)
