"""The part of tubes between two of their vertices: along the branches that lead from one to the other."""

from dataclasses import dataclass

import numpy as np

from ...physics.validate import SceneError
from .find import Tubes
from .line import Line

LEAST = 4.0  # radii: a shorter part is none
RING = 0.1  # radii: what is so near its ends goes with it, so that their rings of vertices are whole


@dataclass(frozen=True)
class Part:
    """A Line with radius and inner radius (k,) at its points; taken (v,): vertices of the mesh that go with it, and how
    far along it, s (v,).
    """

    line: Line
    radius: np.ndarray
    inner: np.ndarray
    taken: np.ndarray
    s: np.ndarray


def between(name: str, tubes: Tubes, first: int, last: int) -> Part:
    """Of mesh `name`, from one vertex to the other. Raises SceneError: no branches join them, or they are too near."""
    start, end = (int(tubes.branch[vertex]) for vertex in (first, last))
    way = _way(tubes, start, end)
    if start < 0 or end < 0 or way is None:
        raise SceneError(
            name, f"'{name}': no tube leads from vertex {first} to vertex {last}: select two vertices of one shell."
        )
    lines: list[np.ndarray] = []
    radii: list[np.ndarray] = []
    inner: list[np.ndarray] = []
    taken, s, before = np.zeros(len(tubes.branch), dtype=bool), np.zeros(len(tubes.branch)), 0.0
    for number, (b, entry, leave) in enumerate(way):
        line = tubes.lines[b]
        low = _place(tubes, first) if number == 0 else entry * line.length
        high = _place(tubes, last) if number == len(way) - 1 else leave * line.length
        low, high = (min(max(at, 0.0), line.length) for at in (low, high))
        least, most = min(low, high), max(low, high)
        at = np.unique(np.concatenate([[least], line.s[(line.s > least) & (line.s < most)], [most]]))
        at = at if high >= low else at[::-1]
        beside = RING * float(np.median(tubes.radius[b]))
        on = (tubes.branch == b) & (tubes.s >= least - beside) & (tubes.s <= most + beside)
        taken |= on
        s[on] = before + np.clip(np.abs(tubes.s[on] - low), 0.0, most - least)
        before += most - least
        skip = int(bool(lines))
        lines.append(line.at(at)[skip:])
        for found, values in ((radii, tubes.radius[b]), (inner, tubes.inner[b])):
            found.append(np.interp(at, line.s, values)[skip:])
    radius = np.concatenate(radii)
    if before < LEAST * float(np.median(radius)):
        raise SceneError(
            name, f"'{name}': between vertices {first} and {last} there are {before:.3g} of its tube, "
            f"{LEAST / 2:g} diameters are the least: select vertices farther apart.",
        )  # fmt: skip
    return Part(Line(np.concatenate(lines)), radius, np.concatenate(inner), taken, s)


def _place(tubes: Tubes, vertex: int) -> float:
    """How far along its branch the ring of a vertex is: a vertex alone would be off by as much of the radius as that is
    askew.
    """
    b = tubes.branch[vertex]
    beside = np.abs(tubes.s - tubes.s[vertex]) < RING * float(np.median(tubes.radius[b]))
    return float(tubes.s[beside & (tubes.branch == b) & (tubes.core == tubes.core[vertex])].mean())


def _way(tubes: Tubes, start: int, end: int) -> list[tuple[int, int, int]] | None:
    """[(branch, at which side it is entered, at which left)] from one branch to another."""
    if start == end:
        return [(start, 0, 1)]
    front: list[list[tuple[int, int, int]]] = [[(start, 1 - side, side)] for side in range(2)]
    seen = {start}
    while front:
        ahead = []
        for way in front:
            b, _, left = way[-1]
            node = tubes.ends[b][left]
            for other, ends in enumerate(tubes.ends):
                if node not in ends or other == b or (other in seen and other != end):
                    continue
                side = ends.index(node)
                onward = [*way, (other, side, 1 - side)]
                if other == end:
                    return onward
                seen.add(other)
                ahead.append(onward)
        front = ahead
    return None
