"""Where a tube ends: its centre line goes on until it leaves the cap.

That of a flat cap, straight or askew, is where its mean is, so that vertices which are off count for less; that of a
round one is its pole. An open tube ends in the middle of its rim.
"""

import numpy as np

from .levels import crossings
from .sections import across
from .walls import Walls

WIDE = 0.7  # of the radius: a disc that is in the section of a tube with four sides, .707
RAYS, RINGS = 8, 3  # in the middle of rings of the same area
ASKEW = 1.0  # radii: so far below its last section a cap may go on: one of 45°
STEEP = 0.5  # of a rim that leans less steeply outwards than 1 : this, or of a wall, the outermost is the highest
EDGE = 1e-9  # of a triangle: what is so little beside it is on it
FLAT = 0.06  # radii: a cap whose mean is nearer to its middle is flat; on a ball it is .135 below the pole


def reached(
    walls: Walls, tip: np.ndarray, place: np.ndarray, way: np.ndarray, known: tuple[float, float]
) -> tuple[float, float]:
    """(how far from a place (3,), in a unit direction (3,), a line leaves the triangles (t,) of a tube's tip, how far
    that goes all around it); known: the radius, and how far the last section is.
    """
    (side, up), (radius, last) = across(way[None]), known
    least = last - ASKEW * radius
    x = (walls.x[walls.triangles[tip]] - place) @ np.stack([side[0], up[0], way], axis=1)
    x = x[x[..., 2].max(axis=1) > least]
    angle = 2.0 * np.pi * np.arange(RAYS) / RAYS
    turn = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    size = WIDE * radius * np.sqrt((np.arange(RINGS) + 0.5) / RINGS)
    high = _heights(x, np.concatenate([[(0.0, 0.0)], np.multiply.outer(size, turn).reshape(-1, 2)]))
    hit = high > least
    if hit.mean() < 0.5:
        rim = _rim(x, turn, least)
        return max(last, float(rim.mean())), float(rim.min())
    mean = float(high[hit].mean())
    if high[0] - mean > FLAT * radius:
        return float(high[0]), np.inf
    return mean, mean - (mean - float(high[hit].min())) * radius / size[-1]


def _rim(x: np.ndarray, turn: np.ndarray, least: float) -> np.ndarray:
    """(a,) how high triangles with corners (t, 3, 3) reach, of half planes in directions (a, 2)."""
    highest = []
    for cos, sin in turn:
        out, aside = x[..., 0] * cos + x[..., 1] * sin, x[..., 1] * cos - x[..., 0] * sin
        up = aside > 0.0
        own = np.flatnonzero(up.any(axis=1) & ~up.all(axis=1))
        places = crossings(np.stack([x[own][..., 2], out[own], aside[own]], axis=2), aside[own])
        places = places[places[..., 1] > 0.0]
        highest.append(places[(places[:, 1] + STEEP * places[:, 0]).argmax(), 0] if len(places) else least)
    return np.array(highest)


def _heights(x: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(k,) how high triangles with corners (t, 3, 3) are at most over places (k, 2); −∞: there is none."""
    a, b, c = np.moveaxis(x, 1, 0)
    one, other, to = (b - a)[:, :2], (c - a)[:, :2], places[:, None] - a[None, :, :2]
    area = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        u = (to[..., 0] * other[:, 1] - to[..., 1] * other[:, 0]) / area
        v = (one[:, 0] * to[..., 1] - one[:, 1] * to[..., 0]) / area
        high = a[:, 2] + u * (b - a)[:, 2] + v * (c - a)[:, 2]
        inside = (u >= -EDGE) & (v >= -EDGE) & (u + v <= 1.0 + EDGE)
    return np.where(inside, high, -np.inf).max(axis=1, initial=-np.inf)
