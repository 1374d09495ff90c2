"""Slices of a surface, one after the other, as the tree of its branches: ends, forks, and the slices between these.

What is no longer than half way around itself is no branch: caps and bumps have peaks of their own. Nor is what ends
within half of what is usual around its shell: near the end of a bend distances differ by so much around a tube. Forks
that are so near each other are one.
"""

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from .levels import Slices

STUB = 0.5  # of its girth: a branch that is shorter is none
TIP = 5  # slices at an end, in which its vertices are


@dataclass
class Arc:
    """ends: the numbers of two nodes; slices: from one to the other; caps: others that belong to the first and the last
    TIP of these.
    """

    ends: tuple[int, int]
    slices: list[int]
    caps: tuple[list[int], list[int]] = field(default_factory=lambda: ([], []))


def arcs(found: Slices) -> list[Arc]:
    """The branches of all shells; nodes have the number of one of their slices."""
    count = len(found.level)
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for low, high in found.links.tolist():
        above[low].append(high)
        below[high].append(low)
    plain = [len(above[n]) == 1 and len(below[n]) == 1 for n in range(count)]
    whole = []
    for start in range(count):
        if plain[start]:
            continue
        for onward in above[start]:
            way = [start, onward]
            while plain[way[-1]]:
                way.append(above[way[-1]][0])
            whole.append(Arc((start, way[-1]), way))
    return _simple(whole, found)


def _simple(whole: list[Arc], found: Slices) -> list[Arc]:
    """Without stubs, forks that are near each other made one, and what only goes on made whole."""
    beside: dict[int, list[int]] = {}  # slices of what was no branch, at its node
    while True:
        whole = _made_whole(whole)
        degree = Counter(end for arc in whole for end in arc.ends)
        short = [
            (size, number) for number, arc in enumerate(whole)
            if (size := _size(arc, found, min(ends := [degree[end] for end in arc.ends]) == 1)) < 1.0 and max(ends) > 2
        ]  # fmt: skip
        if not short:
            return [Arc(arc.ends, arc.slices, _caps(arc, beside)) for arc in whole]
        gone = whole.pop(min(short)[1])
        kept, other = sorted(gone.ends, key=lambda end: -degree[end])
        if other != kept:
            beside[kept] = beside.get(kept, []) + beside.pop(other, [])
        beside[kept] = beside.get(kept, []) + gone.slices
        for arc in whole:
            a, b = (kept if end == other else end for end in arc.ends)
            arc.ends = a, b


def _caps(arc: Arc, beside: dict[int, list[int]]) -> tuple[list[int], list[int]]:
    """Those of an Arc, of slices beside nodes."""
    tips = [arc.ends[0], *arc.slices[:TIP]], [*arc.slices[-TIP:], arc.ends[1]]
    first, last = ({n for node in tip for n in beside.get(node, ())} - {*arc.slices} for tip in tips)
    return sorted(first), sorted(last - first)


def _size(arc: Arc, found: Slices, last: bool) -> float:
    """How long an arc is, of what a branch has to be at least; last: whether it has an end."""
    inner = arc.slices[1:-1] or arc.slices
    usual = np.pi * found.width[arc.slices[0]]  # half of what is usual in its shell
    around = max(float(np.median(found.girth[inner])), 2.0 * usual if last else usual)
    return float(np.ptp(found.middle[arc.slices])) / (STUB * around)


def _made_whole(whole: list[Arc]) -> list[Arc]:
    """Pairs of arcs at a node that has no other as one."""
    at: dict[int, list[Arc]] = {}
    for arc in whole:
        for end in arc.ends:
            at.setdefault(end, []).append(arc)
    for node, both in at.items():
        if len(both) != 2 or both[0] is both[1]:
            continue
        one, other = both
        before = one.slices if one.ends[1] == node else one.slices[::-1]
        start = one.ends[0] if one.ends[1] == node else one.ends[1]
        after = other.slices if other.ends[0] == node else other.slices[::-1]
        end = other.ends[1] if other.ends[0] == node else other.ends[0]
        joined = Arc((start, end), before + after[1:] if before[-1] == after[0] else before + after)
        whole = [arc for arc in whole if arc is not one and arc is not other] + [joined]
        for own in (start, end):
            at[own] = [joined if arc is one or arc is other else arc for arc in at[own]]
    return whole
