"""Surfaces of bodies, rounded from within: faces go inwards by a little, which becomes the radius around them. So what
is drawn touching touches, and contact is never without a direction. numpy only.
"""

import numpy as np

from ..arithmetic.fixed_order import principal_axes, product
from ..elements.tetrahedra import boundary
from ..scene import Shape, Sheet, SoftBody

ROUND = 0.015  # of the smallest extent of a body, or, where it is thin inside that,
ROUND_OF_BULK = 0.09  # of its volume over its surface (a cube's: the same),
LEAST_ROUND = 1e-4  # and no less than this part of its extent
LONGEST_WAY = 3.0  # radii that a vertex may go inwards, where faces meet sharply
ROUND_OF_EDGES = 0.03  # of the mean edge of a soft body's surface: the radius around it
FLAT_NORMALS = 0.1  # singular values of normals at a vertex below this part of the largest are one face's


def rounded(shape: Shape) -> tuple[np.ndarray, float]:
    """(points (V, 3) [m], radius around them [m]) of a Shape: its own, where it has a radius."""
    if shape.radius > 0.0:
        return shape.points, shape.radius
    radius = rounding(shape.points, shape.triangles)
    return inwards(shape.points, shape.triangles, radius), radius


def rounding(points: np.ndarray, triangles: np.ndarray) -> float:
    """Radius [m] around a surface of triangles (T, 3) between points (V, 3) that is hardly seen."""
    centred = points - points.mean(axis=0)
    p, q, r = np.moveaxis(centred[triangles], 1, 0)
    cross = np.cross(q - p, r - p)
    area, volume = 0.5 * np.linalg.norm(cross, axis=1).sum(), abs(np.einsum("ti,ti->", p, cross)) / 6.0
    extent = extents(points)
    thin = min(ROUND * extent.min(), ROUND_OF_BULK * volume / area) if area > 0.0 else 0.0
    return float(max(thin, LEAST_ROUND * extent.max()))


def extents(points: np.ndarray) -> np.ndarray:
    """[m] of points (V, 3), along their principal axes."""
    centred = points - points.mean(axis=0)
    return np.ptp(product(centred, principal_axes(product(centred.T, centred))[1]), axis=0)


def elements_of(solid: SoftBody) -> np.ndarray:
    """(e, 3 or 4) nodes of a sheet's triangles, or of a soft body's tetrahedra."""
    return np.asarray(solid.triangles if isinstance(solid, Sheet) else solid.tetrahedra, np.int64)


def outside_of(solid: SoftBody) -> np.ndarray:
    """(F, 3) nodes of a soft body's surface, counterclockwise from outside, or from one side of a sheet."""
    own = elements_of(solid)
    return own if isinstance(solid, Sheet) else boundary(own)[0]


def round_of(solid: SoftBody, points: np.ndarray, triangles: np.ndarray) -> float:
    """Radius [m] around a soft body whose surface is triangles (F, 3) between points (V, 3)."""
    if solid.thickness > 0.0:
        return solid.thickness
    edges = points[triangles] - points[np.roll(triangles, 1, axis=1)]
    least = 0.5 * solid.plate if isinstance(solid, Sheet) else 0.0
    return float(max(least, ROUND_OF_EDGES * np.linalg.norm(edges, axis=2).mean()))


def inwards(points: np.ndarray, triangles: np.ndarray, way: float) -> np.ndarray:
    """Points (V, 3) of a surface whose triangles, which look outwards, all have gone inwards by `way` [m]."""
    p, q, r = np.moveaxis(points[triangles], 1, 0)
    normal = np.cross(q - p, r - p)
    size = np.linalg.norm(normal, axis=1)
    volume = np.einsum("ti,ti->", p - points.mean(axis=0), normal)
    real = np.flatnonzero(size > 0.0)
    unit = normal[real] / (size[real, None] * (1.0 if volume >= 0.0 else -1.0))
    moved = points.copy()
    order = np.argsort(triangles[real].ravel(), kind="stable")
    vertex, first = np.unique(triangles[real].ravel()[order], return_index=True)
    counts = np.diff(first, append=len(order))
    for count in np.unique(counts):  # vertices with as many faces, all at once
        alike = counts == count
        own = unit[order[first[alike, None] + np.arange(count)] // 3]
        step = -way * np.linalg.pinv(own, rcond=FLAT_NORMALS).sum(axis=2)
        size_ = np.linalg.norm(step, axis=1, keepdims=True)
        moved[vertex[alike]] += step * np.minimum(1.0, LONGEST_WAY * way / np.where(size_ > 0.0, size_, np.inf))
    return moved
