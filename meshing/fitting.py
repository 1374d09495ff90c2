"""Tetrahedra fitted to the surface that they fill, where they miss it visibly: a lattice cuts tips off, and what is too
thin for it becomes too thick.

The outer nodes there go where the squares of what is between both surfaces are least: each is drawn to the place of the
surface that is nearest to it, and by places all over the surface, as far as it is a corner of the face that is nearest
to them, more where they stand out. No angle and no height becomes smaller than the least there may be; so neither does
the step of those who simulate them. All other nodes stay where they are.
"""

import numpy as np

from ..physics.elements.tetrahedra import boundary, dihedral_angles, smallest_heights, volumes
from .candidates import Candidates
from .distance import nearest
from .thin import places

FITTING_ROUNDS = 8
VISIBLE = 0.4  # of a cube: where the surfaces are further apart, nodes move
NEAR_SURFACE = 0.75  # of a cube: what is further off draws nothing
DENSE = 0.5  # of a cube: how far apart places are that draw
FINE_TRIANGLE = 0.2  # of a cube: of smaller triangles there need not be more than one so near
OUT = 2.5  # times as much counts what stands out
LEAST_ANGLE = 11.0  # degrees, and 180 less it
HALVINGS = 7  # of ways that would spoil a tetrahedron: then its corners stay


def fitted(nodes: np.ndarray, tetrahedra: np.ndarray, x: np.ndarray, triangles: np.ndarray, size: float) -> np.ndarray:
    """Nodes (n, 3) [m] of tetrahedra (t, 4), those moved where these miss a surface of points x (V, 3) [m] and
    triangles (T, 3); size [m]: of a cube of their lattice.
    """
    all_over = _thinned(places(x, triangles, DENSE * size)[:, None], DENSE * size)[:, 0]
    drawn, x = _thinned(x[triangles], FINE_TRIANGLE * size), nodes
    faces, there = boundary(tetrahedra)[0], Candidates(drawn, size, NEAR_SURFACE * size)
    outer, lowest, free = np.unique(faces), smallest_heights(x[tetrahedra]).min(), None
    for _ in range(FITTING_ROUNDS):
        way, weight = np.zeros_like(x), np.zeros(len(x))
        way[outer], weight[outer] = _nearest_places(x[outer], drawn, there)[0] - x[outer], 1.0
        corners = x[faces]
        place, face = _nearest_places(all_over, corners, Candidates(corners, size, NEAR_SURFACE * size))
        near = face >= 0
        face, place, apart = face[near], place[near], (all_over - place)[near]
        own = faces[face]
        if free is None:
            free = np.linalg.norm(way, axis=1) > VISIBLE * size
            free[own[np.linalg.norm(apart, axis=1) > VISIBLE * size]] = True
            moving = tetrahedra[free[tetrahedra].any(axis=1)]
        out = np.sum(apart * _cross(corners[face]), axis=1) > 0.0
        share = _shares(place, corners[face]) * np.where(out, OUT, 1.0)[:, None]
        np.add.at(way, own, share[:, :, None] * apart[:, None])
        np.add.at(weight, own, share)
        way[free] /= weight[free, None]
        x = moved(x, np.where(free[:, None], way, 0.0), moving, lowest)
    return x


def _thinned(elements: np.ndarray, size: float) -> np.ndarray:
    """Of elements with corners (e, k, 3), one in each cell of a grid, `size` [m] wide, and all that are larger."""
    middle, extent = elements.mean(axis=1), np.ptp(elements, axis=1).max(axis=1)
    _, first = np.unique(np.floor(middle / size), axis=0, return_index=True)
    return elements[np.union1d(first, np.flatnonzero(extent > size))]


def moved(x: np.ndarray, way: np.ndarray, tetrahedra: np.ndarray, lowest: float) -> np.ndarray:
    """x (n, 3) moved by as much of `way` (n, 3) as no tetrahedron is spoilt by; lowest [m]: the least height."""
    least = np.minimum(_quality(x[tetrahedra]), [[LEAST_ANGLE], [lowest]])
    part, check = np.ones((len(x), 1)), np.arange(len(tetrahedra))
    while len(check):
        good = (_quality((x + part * way)[tetrahedra[check]]) >= least[:, check]).all(axis=0)
        spoilt = np.zeros(len(x), bool)
        spoilt[tetrahedra[check[~good]]] = True
        part[spoilt] = np.where(part[spoilt] > 0.5**HALVINGS, 0.5 * part[spoilt], 0.0)
        check = np.flatnonzero(spoilt[tetrahedra].any(axis=1))
    return x + part * way


def _quality(corners: np.ndarray) -> np.ndarray:
    """(2, t) of tetrahedra (t, 4, 3): the angle nearest to 0° or 180°, from there [degrees], and the smallest height
    [m], negative of those that are inside out. Not a number where corners coincide.
    """
    with np.errstate(invalid="ignore"):
        angles, height = dihedral_angles(corners), np.copysign(smallest_heights(corners), volumes(corners))
    return np.stack([np.minimum(angles, 180.0 - angles).min(axis=1), height])


def _nearest_places(points: np.ndarray, corners: np.ndarray, candidates: Candidates) -> tuple[np.ndarray, np.ndarray]:
    """(the places (p, 3) of triangles (f, 3, 3) that are nearest to points (p, 3), number of each one's triangle (p,));
    of a point that none is near, itself and −1.
    """
    found, number = points.copy(), np.full(len(points), -1)
    for point, triangle in candidates.pairs(points):
        place = nearest(points[point], corners[triangle])
        apart = np.sum((place - points[point]) ** 2, axis=1)
        order = np.lexsort((-apart, point))  # the last of each point is its nearest
        last = order[np.flatnonzero(np.diff(point[order], append=-1))]
        found[point[last]], number[point[last]] = place[last], triangle[last]
    return found, number


def _shares(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Barycentric coordinates (p, 3) of points (p, 3) on triangles (p, 3, 3)."""
    normal = _cross(corners)
    share = np.stack([
        np.sum(np.cross(corners[:, k - 2] - points, corners[:, k - 1] - points) * normal, axis=1) for k in range(3)
    ], axis=1)  # fmt: skip
    return np.clip(share / np.sum(normal**2, axis=1)[:, None], 0.0, 1.0)


def _cross(corners: np.ndarray) -> np.ndarray:
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
