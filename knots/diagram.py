"""Knots drawn as in a book: the way of each rope in the plane, and where it meets another, whether over or under it.

    [[rope]]
    way = [[-7, -3], [-2.5, -2.2], …]   # squares of SQUARE radii
    passes = "OUO UOU"                  # over or under, at each crossing in turn

A rope with `ring = true` is closed; `ends = "start"` says that only its first end may be made longer, the other is in
the way of something. A knot on a post has one more table, whose middle line is crossed like a rope:

    [post]
    radius = 3.0                        # radii of the rope
    way = [[0, -6], [0, 6]]
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import spline

SQUARE = 2.6  # radii
CROSSING_SPACING = 0.1  # squares between the points at which crossings are looked for


@dataclass(frozen=True)
class Strand:
    """way (k, 2) in squares, or (k, 3) if it is drawn in space; passes: a letter O or U for each crossing in turn;
    leads (2, 3): unit vectors in which its first and its last end may be made longer, 0 where one may not.
    """

    way: np.ndarray
    passes: str
    closed: bool
    leads: np.ndarray


@dataclass(frozen=True)
class Diagram:
    """Ropes; the radius of the post they are tied to, in radii of the rope, 0 for none; its ends (2, 2) in squares."""

    ropes: tuple[Strand, ...]
    post_radius: float
    post_ends: np.ndarray

    def post(self) -> np.ndarray:
        """The ends (2, 3) of the post's middle line [radii of the rope]."""
        return np.column_stack([SQUARE * self.post_ends, np.zeros(2)])


def read(path: Path) -> Diagram:
    """The diagram in a TOML file as above."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    ropes = []
    for rope in table["rope"]:
        ring, ends = rope.get("ring", False), rope.get("ends", "both")
        word = rope.get("passes", "").replace(" ", "")
        way = np.array(rope["way"], float)
        leads = np.zeros((2, 3))
        leads[:, : way.shape[1]] = way[[0, -1]] - way[[1, -2]]
        leads *= np.array([[not ring], [not ring and ends == "both"]]) / np.linalg.norm(leads, axis=1, keepdims=True)
        ropes.append(Strand(way, word, ring, leads))
    post = table.get("post", {"radius": 0.0, "way": [[0, 0], [0, 0]]})
    return Diagram(tuple(ropes), post["radius"], np.array(post["way"], float))


def raised(diagram: Diagram) -> list[np.ndarray]:
    """Points (n, 3) of each rope [radii]: its way, at crossings as far above or below as thicknesses ask.

    Raises ValueError where a word does not fit the crossings.
    """
    ways = [spline.evenly(rope.way, rope.closed, CROSSING_SPACING) for rope in diagram.ropes]
    met = crossings([way[:, :2] for way in ways], [rope.closed for rope in diagram.ropes], diagram.post_ends)
    found = []
    for number, (rope, way, passed) in enumerate(zip(diagram.ropes, ways, met, strict=True)):
        if way.shape[1] == 3:
            found.append(SQUARE * way)
            continue
        if len(passed) != len(rope.passes):
            places = " ".join(f"({x:.1f}, {y:.1f})" for x, y in (way[int(along)] for along, *_ in passed))
            raise ValueError(f"rope {number} has {len(passed)} crossings, {len(rope.passes)} letters: {places}")
        side = [1.0 if letter == "O" else -1.0 for letter in rope.passes]
        reach = [1.0 + diagram.post_radius if other == len(ways) else 1.0 for _, other, _ in passed]
        height = np.array(side) * reach
        found.append(np.column_stack([SQUARE * way, _between(passed, height, len(way), rope.closed)]))
    _check(diagram.ropes, met)
    return found


Crossing = tuple[float, int, int]  # where along this rope, with which other one, which of the crossings of that


def crossings(ways: list[np.ndarray], closed: list[bool], post: np.ndarray) -> list[list[Crossing]]:
    """Of each plane way (n, 2) its crossings in turn, places counted in points; the post (2, 2) is as one rope more."""
    lines = [np.vstack([way, way[:1]]) if ring else way for way, ring in zip(ways, closed, strict=True)] + [post]
    found: list[list[tuple[float, int, float]]] = [[] for _ in lines]
    for one, line in enumerate(lines):
        for other, across in enumerate(lines):
            d, e = np.diff(line, axis=0), np.diff(across, axis=0)
            w = across[None, :-1] - line[:-1, None]
            area = d[:, None, 0] * e[None, :, 1] - d[:, None, 1] * e[None, :, 0]
            with np.errstate(divide="ignore", invalid="ignore"):
                s = (w[..., 0] * e[None, :, 1] - w[..., 1] * e[None, :, 0]) / area
                t = (w[..., 0] * d[:, None, 1] - w[..., 1] * d[:, None, 0]) / area
            cross = (s >= 0.0) & (s < 1.0) & (t >= 0.0) & (t < 1.0)
            i, j = np.nonzero(cross)
            if one == other:  # no edge crosses itself or the next one
                apart = abs(i - j)
                far = (apart > 1) & ((apart < len(d) - 1) | (line[0] != line[-1]).any())
                i, j = i[far], j[far]
            found[one] += [(a + s[a, b], other, b + t[a, b]) for a, b in zip(i, j, strict=True)]
    in_turn = [sorted(passed) for passed in found]
    return [
        [
            (along, other, int(np.argmin([abs(place - there) for place, *_ in in_turn[other]])))
            for along, other, there in passed
        ]
        for passed in in_turn[:-1]
    ]


def _between(passed: list[Crossing], height: np.ndarray, n: int, closed: bool) -> np.ndarray:
    """Heights (n,) that lead from each crossing's smoothly to the next one's; open ends lie in the plane."""
    place = np.array([along for along, *_ in passed])
    if closed:
        place, height = np.append(place, place[0] + n), np.append(height, height[0])
    else:
        place, height = np.concatenate([[0.0], place, [n - 1.0]]), np.concatenate([[0.0], height, [0.0]])
    at = np.arange(n) + (n * (np.arange(n) < place[0]) if closed else 0)
    piece = np.clip(np.searchsorted(place, at, side="right") - 1, 0, len(place) - 2)
    part = np.clip((at - place[piece]) / (place[piece + 1] - place[piece]), 0.0, 1.0)
    return height[piece] + (height[piece + 1] - height[piece]) * 0.5 * (1.0 - np.cos(np.pi * part))


def _check(ropes: tuple[Strand, ...], met: list[list[Crossing]]) -> None:
    """Raises ValueError where both ropes are said to pass over, or both under."""
    for number, (rope, passed) in enumerate(zip(ropes, met, strict=True)):
        for k, (_, other, back) in enumerate(passed):
            if rope.passes and other < len(ropes) and rope.passes[k] == ropes[other].passes[back]:
                what = f"letter {k} of rope {number} and letter {back} of rope {other}"
                raise ValueError(f"{what} are both {rope.passes[k]}")
