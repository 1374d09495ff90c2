"""Vertices of a rod as Bézier control points: free handles at x ± (x₊ − x₋)/6, exact at the vertices. No bpy.

This is the Catmull–Rom spline (1974), which passes four times closer to a smooth rod than its polygon. Beside an edge
less than half as long as its neighbours a handle is half of it, or the curve would turn back on itself. A closed rod
becomes an open spline whose first point comes again at its end, with the same handles: the stripe of a cyclic curve in
Blender spreads a closing angle that jumps at half a turn.

Vertices that a winch has reeled in are a millionth of their edges apart (physics/rods/winch). Between them Blender
would take rounding for directions, so they become one place: pieces without length, nor handles. Of those Blender (4.5,
5.2) drops all but the last point, and the curve begins, or ends, with the direction of the next piece.
"""

import numpy as np
from numpy.typing import ArrayLike

REELED = 1e-3  # of how long edges are against their lengths as drawn: those reeled in 1e-6, others an eighth at least


def control_points(
    x: np.ndarray, closed: bool, lengths: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """x (…, n, 3) → co, left, right (…, k, 3), k = n, or n + 1 when closed; lengths (n − 1,): of the edges of an
    open rod as drawn, by which those are told that a winch has reeled in; None: it has none.
    """
    if closed:
        x = close(x, axis=-2)
        around = np.concatenate([x[..., -2:-1, :], x, x[..., 1:2, :]], axis=-2)
    else:
        around = x = x if lengths is None else _wound(x, np.asarray(lengths))
    third, edge = (around[..., 2:, :] - around[..., :-2, :]) / 6.0, np.diff(around, axis=-2)
    left, right = _within(third, edge[..., :-1, :]), _within(third, edge[..., 1:, :])
    if not closed:  # the first and the last piece are parabolas
        first, last = edge[..., :1, :] / 1.5 - left[..., :1, :], edge[..., -1:, :] / 1.5 - right[..., -1:, :]
        left, right = (np.concatenate([first, own, last], axis=-2) for own in (left, right))
    return x, x - left, x + right


def _wound(x: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """x (…, n, 3), with the vertices that a winch at an end has reeled in at that end; lengths (n − 1,): as drawn."""
    share = np.linalg.norm(np.diff(x, axis=-2), axis=-1) / lengths
    out, x = share >= REELED * share.max(axis=-1, keepdims=True), x.copy()
    for way, drawn in ((x, out), (x[..., ::-1, :], out[..., ::-1])):
        met = np.logical_or.accumulate(drawn, axis=-1)[..., None]
        way[..., 1:, :] = np.where(met, way[..., 1:, :], way[..., :1, :])
    return x


def _within(handles: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """Handles (…, k, 3), shortened to half of their edges."""
    half, size = (np.linalg.norm(own, axis=-1, keepdims=True) for own in (0.5 * edges, handles))
    return handles * np.minimum(1.0, half / np.maximum(size, np.finfo(float).tiny))


def close(values: np.ndarray, axis: int = 0) -> np.ndarray:
    """The values with the first one again at the end."""
    return np.concatenate([values, np.take(values, [0], axis=axis)], axis=axis)
