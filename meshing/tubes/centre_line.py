"""The centre line of one branch: from the middles of level sets, by plane sections across the line, again and again.

Near a fork a section meets other branches too, and near a cap it is cut off: there the line is left where its sections
are no longer like those before.
"""

from dataclasses import dataclass

import numpy as np

from .ends import reached
from .graph import TIP, Arc
from .levels import Slices
from .line import Line
from .sections import Sections, sections
from .walls import Walls

STEPS = 1.0, 0.5, 0.5, 0.125  # radii between sections, round by round: the last cut corners of rings, by .04 % in bends
CLEAR = 1.0, 0.7, 0.4, 0.05  # radii: so far from an end is the last section: at first one is askew and meets the cap
MARGIN = 0.4  # radii: as far beside a section's place, along the line, triangles are looked at that it may meet
TURNED = 0.75  # radii to both sides: over which the direction of a section is taken
END = 0.12  # radii: a rim is the vertices that are so near the last one
FEWEST = 3  # sections of a line
FITTED = 2.5  # radii: so much of a line tells how bent it goes on
BEYOND = 2.0  # radii: so far,
MORE = 4  # points
ZONE = 4.0  # radii from an end: where sections may be unlike those before
ALIKE = 0.05  # radii: so much a section may be wider or narrower than those before let expect, or less even
NOISE = 0.004  # radii: centres that are off a smooth line by more are smoothed, those of a clean mesh are not
LEAST = 1e-3  # radii: a last piece of a line that is shorter is none
WINDOW = 1.5  # radii to both sides: over which a parabola smoothes them


@dataclass(frozen=True)
class Course:
    """The Line of a branch, as far as its sections are its own, with their radius (k,).

    points (n,) of the Walls that go with it, and how far along, s (n,); ragged: the part of its sections that do not go
    around; fill: their area, as a part of the circle's through their corners.
    """

    line: Line
    radius: np.ndarray
    points: np.ndarray
    s: np.ndarray
    ragged: float
    fill: float


def course(walls: Walls, found: Slices, arc: Arc, fork: tuple[bool, bool]) -> Course | None:
    """Of slices of Walls, one after the other; fork: whether the first and the last are forks, where no end is. None:
    there is no line through them.
    """
    chain = arc.slices
    ringed = [k for k in range(int(fork[0]), len(chain) - int(fork[1])) if found.girth[chain[k]] > 0.0]
    if len(ringed) < FEWEST:
        return None
    inner = [chain[k] for k in ringed]
    every = chain + arc.caps[0] + arc.caps[1]
    triangles = _of(found, every)
    points = np.unique(walls.triangles[triangles])
    first = inner[:1] if fork[0] else chain[:TIP] + arc.caps[0]
    last = inner[-1:] if fork[1] else chain[-TIP:] + arc.caps[1]
    tips = [np.isin(points, walls.triangles[_of(found, part)]) for part in (first, last)]
    number = np.zeros(len(walls.x), dtype=int)
    number[points] = np.arange(len(points))
    corners = number[walls.triangles[triangles]]
    x = _smoothed(found.centre[inner])
    if not _is_way(x):
        return None
    line, about = Line(x), float(np.median(found.girth[inner])) / (2.0 * np.pi)
    ends = np.repeat([0.0, line.length], [len(own) for own in arc.caps])
    s = _beside(walls, found, every, np.concatenate([np.interp(range(len(chain)), ringed, line.s), ends]))[points]
    for step, clear in zip(STEPS, CLEAR, strict=True):
        ahead = _longer(line, about)
        s = ahead.project(walls.x[points], s + ahead.s[MORE])
        low = np.median(s[tips[0]]) if fork[0] else clear * about - _rim(-s[tips[0]], about)
        high = np.median(s[tips[1]]) if fork[1] else _rim(s[tips[1]], about) - clear * about
        if not high > low:
            return None
        places = np.linspace(low, high, max(int(np.ceil((high - low) / (step * about))), FEWEST) + 1)
        cut, moved = _cut(walls, ahead, places, (s[corners], triangles), about)
        good = cut.closed & (moved < about)
        if good.sum() < FEWEST:
            return None
        about = float(np.median(cut.radius[good]))
        own = _alike(cut, moved, good, about, float(places[1] - places[0]))
        if len(own) < FEWEST or not _is_way(cut.centre[own]):
            return None
        line = Line(cut.centre[own])
        s = _mapped(s, places[own], line.s)
    line = Line(_calm(cut.centre[own], about, step * about))
    fill = float(np.median(cut.area[own] / (np.pi * cut.radius[own] ** 2)))
    caps = [None if forked else _of(found, part) for part, forked in zip((first, last), fork, strict=True)]
    x, radius, s = _to_ends(walls, points, (line, cut.radius[own], s), caps, about)
    return Course(Line(x), radius, points, s, 1.0 - float(good.mean()), fill)


def _cut(
    walls: Walls, line: Line, places: np.ndarray, near: tuple[np.ndarray, np.ndarray], about: float
) -> tuple[Sections, np.ndarray]:
    """(Sections across a Line at places (k,) along it, how far their centres are from it (k,)); near: how far along
    the corners (t, 3) are of triangles (t,).
    """
    along = line.at(places + TURNED * about) - line.at(places - TURNED * about)
    along /= np.linalg.norm(along, axis=1)[:, None]
    pairs = _pairs(*near, places, MARGIN * about)
    cut = sections(walls, pairs, line.at(places), along, about)
    return cut, np.linalg.norm(cut.centre - line.at(places), axis=1)


def _to_ends(
    walls: Walls,
    points: np.ndarray,
    found: tuple[Line, np.ndarray, np.ndarray],
    tips: list[np.ndarray | None],
    about: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(x (k, 3), radius (k,), s (n,) of points (n,)) of a Line, its radii and about where its points are along it, as
    far as it reaches; tips: the triangles at either end, None: it is a fork.
    """
    line, radius, s = found
    kept = np.ones(len(radius), dtype=bool)
    for again in (True, False):
        ahead = _longer(line, about)
        s = ahead.project(walls.x[points], s + ahead.s[MORE])
        low, high = ahead.s[MORE], ahead.s[-MORE - 1]
        first, last = low, high
        if tips[0] is not None:
            end, whole = _end(walls, tips[0], ahead, s, (low, -1.0), radius[0])
            first, kept = min(end, low), ahead.s[MORE:-MORE] > whole
        if tips[1] is not None:
            end, whole = _end(walls, tips[1], ahead, s, (high, 1.0), radius[-1])
            last, kept = max(end, high), kept & (ahead.s[MORE:-MORE] < whole)
        if kept.all() or kept.sum() < FEWEST or not again:
            break
        s -= ahead.s[MORE:-MORE][kept][0]
        line, radius = Line(line.x[kept]), radius[kept]
        kept = np.ones(len(radius), dtype=bool)
    x = line.x
    if first < low - LEAST * about:
        x, radius = np.concatenate([ahead.at(np.array([first])), x]), np.append(radius[0], radius)
    if last > high + LEAST * about:
        x, radius = np.concatenate([x, ahead.at(np.array([last]))]), np.append(radius, radius[-1])
    return x, radius, s - (first if first < low - LEAST * about else low)


def _end(
    walls: Walls, tip: np.ndarray, ahead: Line, s: np.ndarray, last: tuple[float, float], radius: float
) -> tuple[float, float]:
    """How far along a Line that goes on it leaves a tip of triangles (t,), whose last section is at (s, −1 or 1), and
    how far the tube is whole there; s (n,): of all points.
    """
    at, side = last
    far = np.array([max(side * s)]) * side
    place, way = ahead.at(far)[0], side * ahead.tangent(far)[0]
    high, whole = reached(walls, tip, place, way, (radius, side * (at - far[0])))
    end = float(ahead.project((place + high * way)[None], far)[0])
    return end, end - side * (high - whole)


def _rim(s: np.ndarray, about: float) -> float:
    """Where the tips of a branch begin to end: as deep again below its rim as that is rough, for a section that meets
    the cap there, or an open edge, is askew.
    """
    last = s.max()
    return float(2.0 * s[s > last - END * about].min() - last)


def _of(found: Slices, chain: list[int]) -> np.ndarray:
    """The triangles (t,) that some slices have a piece of."""
    own = np.zeros(len(found.level), dtype=bool)
    own[chain] = True
    return np.unique(found.triangle_of[own[found.piece_of]])


def _beside(walls: Walls, found: Slices, chain: list[int], s: np.ndarray) -> np.ndarray:
    """(V,) of points of Walls the s (c,) of their slices in a chain."""
    place = np.full(len(found.level), -1)
    place[chain] = np.arange(len(chain))
    piece = np.flatnonzero(place[found.piece_of] >= 0)
    corner, of = walls.triangles[found.triangle_of[piece]], found.piece_of[piece]
    there = found.at[corner] == found.level[of][:, None]
    number = np.bincount(corner[there], minlength=len(walls.x))
    total = np.bincount(corner[there], np.broadcast_to(s[place[of]][:, None], there.shape)[there], len(walls.x))
    return total / np.maximum(number, 1)


def _is_way(x: np.ndarray) -> bool:
    """Whether no two points that follow one another are in one place."""
    return bool(np.diff(x, axis=0).any(axis=1).all())


def _smoothed(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:1], 0.25 * x[:-2] + 0.5 * x[1:-1] + 0.25 * x[2:], x[-1:]])


def _mapped(values: np.ndarray, before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Interpolated from `before` to `after`, beyond these as in the mean."""
    slope = (after[-1] - after[0]) / (before[-1] - before[0])
    found = np.interp(values, before, after)
    return found + slope * (np.minimum(values - before[0], 0.0) + np.maximum(values - before[-1], 0.0))


def _pairs(s: np.ndarray, triangles: np.ndarray, places: np.ndarray, margin: float) -> tuple[np.ndarray, np.ndarray]:
    """(places, triangles) of which one is near the other along the line; s (t, 3) of the corners."""
    first = np.searchsorted(places, s.min(axis=1) - margin)
    number = np.searchsorted(places, s.max(axis=1) + margin) - first
    place = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number - first, number)
    return place, np.repeat(triangles, number)


def _longer(line: Line, about: float) -> Line:
    """A Line that goes on at both ends, as bent as it is there in the mean."""
    parts = [line.x]
    for side in range(2):
        own = line.length - line.s if side else line.s
        near = own < FITTED * about
        near[np.argsort(own)[:4]] = True
        power = min(2, near.sum() - 1)
        at = own[near] / about
        fit = np.polyfit(at, line.x[near], power)
        end = line.x[-1 if side else 0]
        t = -np.arange(1, MORE + 1) * BEYOND / MORE
        more = end + (t[:, None] ** np.arange(power, -1, -1)) @ fit - fit[-1]
        parts = [*parts, more] if side else [more[::-1], *parts]
    return Line(np.concatenate(parts))


def _alike(cut: Sections, moved: np.ndarray, good: np.ndarray, about: float, step: float) -> np.ndarray:
    """The numbers (k,) of the good sections between those at either end that are not like the others."""
    own, size = np.flatnonzero(good), np.sqrt(np.maximum(cut.area, 0.0) / np.pi)
    zone = min(int(ZONE * about / step), len(own) // 3)
    even = float(np.median(cut.uneven[own[zone : len(own) - zone]]))
    ends = []
    for at in (own[::-1], own):
        near, before = at[len(at) - zone :], at[max(len(at) - 2 * zone - 1, 0) : len(at) - zone]
        slope, start = np.polyfit(before, size[before], 1) if len(before) > 2 else (0.0, size[before].mean())
        off = np.abs(size[near] - start - slope * near) > ALIKE * about
        off |= moved[near] > 1.5 * moved[before].max() + ALIKE * about
        bad = np.flatnonzero(off | (cut.uneven[near] > 2.0 * even + ALIKE))
        ends.append(len(near) - int(bad[0]) if len(bad) else 0)
    return own[ends[0] : len(own) - ends[1]]


def _calm(x: np.ndarray, about: float, step: float) -> np.ndarray:
    """Points of a line, if they are off a smooth one, by parabolas fitted to their neighbours (Savitzky & Golay
    1964).
    """
    reach = min(round(WINDOW * about / step), (len(x) - 1) // 2)
    if reach < 2:
        return x
    k = np.arange(-reach, reach + 1.0)
    square, fourth, count = np.sum(k**2), np.sum(k**4), len(k)
    weight = (fourth - square * k**2) / (count * fourth - square**2)

    def fitted(x: np.ndarray) -> np.ndarray:
        wide = np.concatenate([2.0 * x[0] - x[reach:0:-1], x, 2.0 * x[-1] - x[-2 : -reach - 2 : -1]])
        return np.stack([np.convolve(wide[:, axis], weight, "valid") for axis in range(3)], axis=1)

    smooth = fitted(x)
    smooth += fitted(x - smooth)
    noise = float(np.median(np.linalg.norm(smooth - x, axis=1)))
    return smooth if noise > NOISE * about and _is_way(smooth) else x
