"""Plane sections of a surface: around each place of a line, where the plane across it meets the triangles there.

A section is a polygon about its place: its centre is that of its area; its radius is that of its *corners*, each
weighed by how much it turns there, so that points on its flat sides, where triangles meet, count for nothing.
"""

from dataclasses import dataclass

import numpy as np

from ...physics.scenes.linked import linked
from .levels import crossed, crossings
from .walls import Walls

SAME = 1e-3  # of the radius: corners that are so near are one


@dataclass(frozen=True)
class Sections:
    """Of k places: centre (k, 3), radius (k,) and how that varies (k,), as a part; area (k,); closed (k,): whether
    there is one that goes all the way around.
    """

    centre: np.ndarray
    radius: np.ndarray
    uneven: np.ndarray
    area: np.ndarray
    closed: np.ndarray


def sections(
    walls: Walls, pairs: tuple[np.ndarray, np.ndarray], place: np.ndarray, along: np.ndarray, about: float
) -> Sections:
    """At places (k, 3), across unit directions (k, 3), with those triangles that pairs name, (place (p,), triangle
    (p,)); about: the radius.
    """
    at, triangle = pairs
    corner, high = walls.triangles[triangle], np.sum(place * along, axis=1)
    above = np.stack([np.einsum("pj,pj->p", walls.x[own], along[at]) for own in corner.T], axis=1) - high[at][:, None]
    up = above > 0.0
    own = np.flatnonzero((up[:, 0] != up[:, 1]) | (up[:, 0] != up[:, 2]))
    at, triangle, corners, above = at[own], triangle[own], walls.x[corner[own]], above[own]
    edge = walls.edges_of[triangle[:, None], crossed(above)]
    keys, of = np.unique(at[:, None] * len(walls.edges) + edge, return_inverse=True)
    of = of.reshape(-1, 2)
    points = np.empty((len(keys), 3))
    points[of] = crossings(corners, above)
    at = keys // len(walls.edges)
    loop = linked(of, len(keys))
    chosen, closed = _nearest(points, at, loop, of, place, about)
    kept = chosen[loop]
    return _measured(points[kept], at[kept], place, along, about, closed)


def _nearest(
    points: np.ndarray, at: np.ndarray, loop: np.ndarray, of: np.ndarray, place: np.ndarray, about: float
) -> tuple[np.ndarray, np.ndarray]:
    """(which loops (l,) are those that go around their places most nearly, which places (k,) have a closed one)."""
    count = int(loop.max(initial=-1)) + 1
    number = np.bincount(loop, minlength=count)
    owner = np.empty(count, dtype=int)
    owner[loop] = at
    mean = np.stack([np.bincount(loop, points[:, axis], count) for axis in range(3)], axis=1) / number[:, None]
    size = np.bincount(loop, np.linalg.norm(points - mean[loop], axis=1), count) / number
    far = np.linalg.norm(mean - place[owner], axis=1) + np.abs(size - about)
    order = np.lexsort((far, owner))
    first = order[np.flatnonzero(np.diff(owner[order], prepend=-1))]
    chosen = np.zeros(count, dtype=bool)
    chosen[first] = True
    open_ends = np.bincount(of.ravel(), minlength=len(points)) != 2
    whole = np.bincount(loop, open_ends, count) == 0
    closed = np.zeros(len(place), dtype=bool)
    closed[owner[first]] = whole[first]
    return chosen, closed


def _measured(
    points: np.ndarray, at: np.ndarray, place: np.ndarray, along: np.ndarray, about: float, closed: np.ndarray
) -> Sections:
    count = len(place)
    side, up = across(along)
    to = points - place[at]
    flat = np.stack([np.sum(to * side[at], axis=1), np.sum(to * up[at], axis=1)], axis=1)
    order = np.lexsort((np.arctan2(flat[:, 1], flat[:, 0]), at))
    flat, at = flat[order], at[order]
    apart = np.linalg.norm(flat - flat[_beside(at, -1)], axis=1)
    single = np.bincount(at, minlength=count)[at] == 1
    kept = (apart > SAME * about) | single
    flat, at = flat[kept], at[kept]
    number = np.bincount(at, minlength=count)
    after = flat[_beside(at, 1)]
    double = flat[:, 0] * after[:, 1] - flat[:, 1] * after[:, 0]
    area = np.bincount(at, double, count)
    there = (number > 2) & (area > 0.1 * about * about)
    safe = np.where(there, area, 1.0)
    middle = np.stack(
        [np.bincount(at, double * (flat + after)[:, axis], count) / (3.0 * safe) for axis in range(2)], axis=1
    )
    middle[~there] = 0.0
    way = after - flat
    before = way[_beside(at, -1)]
    turn = np.arctan2(before[:, 0] * way[:, 1] - before[:, 1] * way[:, 0], np.sum(before * way, axis=1))
    turn = np.clip(turn, 1e-9, 2.0)
    far = np.linalg.norm(flat - middle[at], axis=1)
    total = np.bincount(at, turn, count)
    total = np.where(total > 0.0, total, 1.0)
    radius = np.bincount(at, turn * far, count) / total
    spread = np.sqrt(np.bincount(at, turn * (far - radius[at]) ** 2, count) / total)
    uneven = spread / np.where(radius > 0.0, radius, 1.0)
    centre = place + middle[:, :1] * side + middle[:, 1:] * up
    return Sections(centre, radius, uneven, 0.5 * area, closed & there)


def across(along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit directions (k, 3) across unit ones (k, 3), right-handed with these."""
    axis = np.zeros_like(along)
    axis[np.arange(len(along)), np.abs(along).argmin(axis=1)] = 1.0
    side = np.cross(along, axis)
    side /= np.linalg.norm(side, axis=1)[:, None]
    return side, np.cross(along, side)


def _beside(at: np.ndarray, step: int) -> np.ndarray:
    """The place in (p,), sorted groups, of the next of each in its group, or of the one before; around."""
    number = np.bincount(at)
    first = np.cumsum(number) - number
    own = np.arange(len(at)) - first[at]
    return first[at] + (own + step) % number[at]
