"""The unknowns of an implicit step, and the order of their elimination.

A rod is a chain, a band in the order of its vertices. Where a rigid body holds an edge, frame and all, what is before
it and what is behind it couple through the body alone: there a rod is cut, and both chains have doubles of the edge's
vertices, which go with the body. A ghost edge that a body carries is an edge more, whose far end goes with the body. A
closed rod is cut at one of its edges: its two vertices and its frame are unknowns of the border, and the chain goes
from them once round to their doubles.

What is eliminated hands its couplings with the border on to all that comes behind it. So a chain that is tied near its
beginning alone goes against its rod, from the tip to the fork.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from ..implicit.scratch import ABOUT, BLOCK, PLAIN, SEVEN
from ..linear.elimination import Elimination, eliminate
from ..model import BORDER_PAIR, CHAIN, DIRECTOR, DOUBLE, GROUP, OF_BODY, PANEL, TIE, TURN, ChainSystem, Model, changed
from ..scenes.linked import linked

FRAMED, STRAIGHT = BLOCK, PLAIN  # unknowns of a vertex
REACH = 2  # blocks before it that a row is coupled with
OF_CUT, OF_RING = (
    7,
    6,
)  # unknowns of a closed rod's cut: two vertices and a frame; of a Cosserat one's: a vertex, a turn


class Stretch(NamedTuple):
    """A chain-to-be: vertices begin … end of rod r, −1 and n those of ghost edges; cut: it closes there."""

    rod: int
    begin: int
    end: int
    cut: bool


def chain_system(model: Model) -> ChainSystem:
    """ChainSystem of all rods. What no tie and no contact joins with others shares the rows of the matrix."""
    stretches, group, of_body = _grouped(model)
    bodies = len(model.bodies)
    touching = model.world["skin"][0] > 0.0 or has_walls(model)
    chains = changed(np.zeros(len(stretches), CHAIN), group=group)
    ties: list[dict[str, Any]] = []
    borders = [_panel(6 * b, 6) for b in range(bodies)]
    unknowns, rows, cells = 6 * bodies, 0, 0
    of, place = np.full((2, len(model.nodes)), -1)
    angle = np.full(len(model.nodes) + len(model.rods), -1)
    for c, (chain, stretch) in enumerate(zip(chains, stretches, strict=True)):
        loose = _loose(model, stretch.rod)
        blocks, size = _lay(model, stretch, chain), _size(model, stretch.rod)
        chain["plain"] = size == FRAMED and _is_plain(model, stretch.rod)
        chain["size"], chain["row"] = size, 0 if loose and not touching else rows
        rows = max(rows, chain["row"] + size * blocks)
        own: list[int] = []
        chain["tie"][0] = len(ties)
        cut, ties_of = (OF_RING, _spinning_ties) if size == SEVEN else (OF_CUT, _ties)
        tied = list(ties_of(model, stretch, unknowns))
        where = _rows(stretch, chain, [tie["row"] for tie, _ in tied])
        for tie, unknown in tied:
            if unknown not in own:
                own.extend(_panel(unknown, cut if unknown == unknowns else 6))
            ties.append(tie | {"row": where[tie["row"]] + chain["row"], "panel": own.index(unknown) // PANEL})
        chain["tie"][1] = len(ties)
        unknowns += cut * stretch.cut
        chain["panels"], chain["cell"] = len(own) // PANEL, cells
        cells += chain["panels"] * size * blocks
        borders.append(own)
        i = np.arange(*chain["own"])
        node = _node(model.rods, stretch.rod, stretch.begin + i)
        of[node], place[node] = c, chain["row"] + where[size * i]
        if size == SEVEN:
            angle[node[: chain["edge"][1] - 1] + stretch.rod + 1] = place[node[: chain["edge"][1] - 1]] + ABOUT
        elif size == FRAMED:
            frame, row = _angles(model.rods, stretch)
            angle[frame] = chain["row"] + where[row]
        if where[0] > 0:
            _turn_back(stretch, chain)
    return _eliminated(chains, of_body, _table(ties), (of, place, angle), borders, unknowns, rows)


def _grouped(model: Model) -> tuple[list[Stretch], np.ndarray, np.ndarray]:
    """(all stretches, those with ties first, group by group; the group of each; that of each body)."""
    welded, body = model.nodes["rod"][model.slaves["node"]], len(model.rods) + model.slaves["body"]
    label = linked(np.stack([welded, body], axis=1), len(model.rods) + len(model.bodies))
    order = sorted(range(len(model.rods)), key=lambda r: (_loose(model, r), label[r], r))
    stretches = [stretch for r in order for stretch in _stretches(model, r)]
    joined = np.array([label[stretch.rod] for stretch in stretches])
    number = {int(k): g for g, k in enumerate(dict.fromkeys([*joined, *label[len(model.rods) :]]))}
    group = np.array([number[int(k)] for k in label], dtype=np.int64)
    return stretches, group[[stretch.rod for stretch in stretches]], group[len(model.rods) :]


def no_chains() -> ChainSystem:
    """That of a scene whose steps are explicit."""
    none = np.zeros(0, np.int64)
    chains, groups, ties, pairs = (np.zeros(0, kind) for kind in (CHAIN, GROUP, TIE, BORDER_PAIR))
    return ChainSystem(
        chains, groups, none, none, ties, none, none, none, none, none, pairs, np.zeros(1, np.int64), none
    )


def has_walls(model: Model) -> bool:
    """Whether there is anything that rods could press against and that they do not move."""
    return len(model.planes) > 0 or len(model.surfaces.faces) > 0


def _loose(model: Model, r: int) -> bool:
    """Whether nothing ties rod r to anything."""
    return not (model.rods["welded"][r] or model.rods["closed"][r])


def _size(model: Model, r: int) -> int:
    """Unknowns of a vertex, at most."""
    if model.rods["cosserat"][r]:
        return SEVEN
    alone = not np.any(model.capsules["rod"] == r) and not has_walls(model)
    return STRAIGHT if alone and _is_plain(model, r) else FRAMED


def _is_plain(model: Model, r: int) -> bool:
    """Whether rod r needs no frames while nothing touches it: round and straight at rest, it keeps its lengths, nothing
    twists it, and no body holds it.
    """
    rod = model.rods[r]
    return _loose(model, r) and not (rod["general"] or rod["twisted"] or rod["stretchable"])


def _node(rods: np.ndarray, r: int, vertex: np.ndarray | int) -> Any:
    """Nodes of vertices of rod r, counted on where it closes."""
    first, n = rods["first"][r], rods["last"][r] - rods["first"][r] + 1
    return first + vertex % n


def _stretches(model: Model, r: int) -> list[Stretch]:
    rod, welds = model.rods[r], model.welds[model.welds["rod"] == r]
    n, closed = int(rod["last"] - rod["first"] + 1), bool(rod["closed"])
    if rod["cosserat"]:  # which is not cut where a body holds it
        return [Stretch(r, -int(np.any(welds["ghost"] == 2 * r)), n if closed else n - 1, closed)]
    inside = welds[(welds["ghost"] < 0) & (welds["clamp"] >= 0)]
    cuts = sorted(((inside["frame"] - rod["frame"] - 1) % n).tolist())  # of each such edge, the vertex it leaves
    if closed:
        if not cuts:
            return [Stretch(r, 0, n + 1, True)]
        return [Stretch(r, a, b + 1, False) for a, b in pairwise([*cuts, cuts[0] + n])]
    ends = [0, *cuts, n - 1]
    found = [[a, b + 1] for a, b in pairwise(ends)]
    found[-1][1] = n - 1
    if np.any(welds["ghost"] == 2 * r):
        found[0][0] = -1
    if np.any(welds["ghost"] == 2 * r + 1):
        found[-1][1] = n
    return [Stretch(r, a, b, False) for a, b in found]


def _lay(model: Model, stretch: Stretch, chain: np.ndarray) -> int:
    """Fill in which blocks of a chain are what; returns how many there are."""
    rod, (r, begin, end, cut) = model.rods[stretch.rod], stretch
    n, blocks = int(rod["last"] - rod["first"] + 1), end - begin + 1
    is_open = not rod["closed"]
    starts, ends = is_open and begin <= 0, is_open and end >= n - 1  # with an end of the rod
    chain["rod"], chain["vertex"], chain["step"], chain["blocks"] = r, begin, 1, blocks
    twice = end - n + 1 if cut else 0  # vertices that are met again
    chain["edge"] = 2 if begin < 0 else 1, blocks - (twice == 2 or (is_open and end == n))
    chain["hinge"] = 1 - (starts and begin == 0), blocks - 1 + (ends and end == n - 1)
    chain["own"] = (begin < 0 if starts else not cut), blocks - (end == n if ends else twice or 1)
    return blocks


def _rows(stretch: Stretch, chain: np.ndarray, tied: Sequence[int]) -> np.ndarray:
    """Where its rows are, which are numbered along the rod, some of them tied: in this order, or from the other end, if
    so fewer are behind the first one that is tied.
    """
    size, blocks = chain["size"], chain["blocks"]
    row = np.arange(size * blocks)
    if not tied or size == SEVEN or stretch.cut or min(tied) // size + max(tied) // size >= blocks - 1:
        return row
    angles = (row + 1) // FRAMED  # before it, of a row that is one
    return np.where(
        row % FRAMED < 3,
        FRAMED * (blocks - 1 - row // FRAMED) + row % FRAMED,
        np.maximum(FRAMED * (blocks - angles) - 1, 3),
    )


def _turn_back(stretch: Stretch, chain: np.ndarray) -> None:
    """Number its blocks from the other end."""
    blocks = chain["blocks"]
    chain["vertex"], chain["step"] = stretch.end, -1
    for name, count in (("edge", blocks + 1), ("hinge", blocks), ("own", blocks)):
        chain[name] = count - chain[name][::-1]


def _angles(rods: np.ndarray, stretch: Stretch) -> tuple[np.ndarray, np.ndarray]:
    """(numbers of the frames behind a chain's vertices, and before an open rod's first one; rows of their angles)."""
    rod = rods[stretch.rod]
    frame, n, closed = rod["frame"], rod["last"] - rod["first"] + 1, rod["closed"]
    vertex = np.arange(stretch.begin, stretch.end + (not closed and stretch.end == n - 1))
    vertex = vertex[: n if stretch.cut else None]
    behind, row = frame + np.where(vertex < 0, vertex, vertex % n) + 1, FRAMED * (vertex - stretch.begin) + 4
    if not closed and stretch.begin == 0:
        return np.append(behind, frame), np.append(row, 3)
    if closed and n - 1 in vertex % n:  # the edge that closes is met twice
        return np.append(behind, frame), np.append(row, row[vertex % n == n - 1][-1])
    return behind, row


def _ties(model: Model, stretch: Stretch, unknowns: int) -> Iterator[tuple[dict[str, Any], int]]:
    """(TIE by column, its row counted from where the chain's begin; the first unknown of what it is tied to);
    unknowns: how many there are before those of a cut.
    """
    rods, (r, begin, end, cut) = model.rods, stretch
    first, frame, n = int(rods["first"][r]), int(rods["frame"][r]), int(rods["last"][r] - rods["first"][r] + 1)
    welds = model.welds[(model.welds["rod"] == r) & (model.welds["clamp"] >= 0)]
    turned = {int(weld["frame"]): 6 * int(weld["body"]) for weld in welds}
    if rods["closed"][r] and frame in turned:  # that of the edge which closes, met twice
        turned[frame + n] = turned[frame]
    for i, vertex in enumerate(range(begin, end + 1)):
        row, outside = FRAMED * i, not rods["closed"][r] and not 0 <= vertex < n
        node = first + (min(max(vertex, 0), n - 1) if outside else vertex % n)
        slave = int(model.nodes["slave"][node])
        for axis in range(3):
            if slave >= 0:
                ghost = (2 * r if vertex < 0 else 2 * r + 1) if outside else -1
                turning = 3 + (axis + 1) % 3, 3 + (axis + 2) % 3
                tie = {"row": row + axis, "kind": OF_BODY, "axis": axis, "slave": slave, "ghost": ghost}
                yield tie | {"lane": (axis, *turning), "frame": -1, "node": -1}, 6 * int(model.slaves["body"][slave])
            elif cut and vertex % n < 2:
                tie = {"row": row + axis, "kind": DOUBLE, "axis": axis, "node": node, "frame": -1}
                yield tie | {"lane": _alone(3 * (vertex % n) + axis), "slave": -1, "ghost": -1}, unknowns
        behind = frame + (vertex % n if vertex >= 0 else -1) + 1
        if cut and vertex % n == 0:
            tie = {"row": row + 4, "kind": DOUBLE, "axis": 0, "node": -1, "frame": behind}
            yield tie | {"lane": _alone(6), "slave": -1, "ghost": -1}, unknowns
        elif behind in turned and vertex < end:
            tie = {"row": row + 4, "kind": TURN, "axis": 0, "node": -1, "frame": behind}
            yield tie | {"lane": (3, 4, 5), "slave": -1, "ghost": -1}, turned[behind]


def _spinning_ties(model: Model, stretch: Stretch, unknowns: int) -> Iterator[tuple[dict[str, Any], int]]:
    """The same of a Cosserat rod: what bodies carry, and where it is cut a vertex and the turn behind it."""
    rods, (r, begin, end, cut) = model.rods, stretch
    first, segment, n = int(rods["first"][r]), int(rods["segment"][r]) + 1, int(rods["last"][r] - rods["first"][r] + 1)
    welds = model.welds[(model.welds["rod"] == r) & ((model.welds["clamp"] >= 0) | (model.welds["ghost"] >= 0))]
    borne = {int(weld["frame"] - rods["frame"][r]) - 1: 6 * int(weld["body"]) for weld in welds}  # vertices before
    if rods["closed"][r] and -1 in borne:
        borne[n - 1] = borne[-1]
    none = {"axis": 0, "slave": -1, "ghost": -1, "frame": -1, "node": -1}
    for i, vertex in enumerate(range(begin, end + 1)):
        slave, v = (
            int(model.nodes["slave"][first + vertex % n]) if vertex >= 0 else -1,
            vertex % n if vertex >= 0 else -1,
        )
        for k in range(3):
            tie = none | {"row": SEVEN * i + k, "axis": k}
            if slave >= 0:
                lanes = k, 3 + (k + 1) % 3, 3 + (k + 2) % 3
                yield tie | {"kind": OF_BODY, "slave": slave, "lane": lanes}, 6 * int(model.slaves["body"][slave])
            elif cut and v == 0:
                yield tie | {"kind": DOUBLE, "node": first, "lane": _alone(k)}, unknowns
        for k in range(3):
            tie = none | {"row": SEVEN * i + 4 + k, "axis": k}
            if v in borne:
                yield tie | {"kind": DIRECTOR, "node": segment + v, "lane": (3, 4, 5)}, borne[v]
            elif cut and v == 0:
                yield tie | {"kind": DOUBLE, "frame": int(rods["frame"][r]) + 1, "lane": _alone(3 + k)}, unknowns


def _panel(first: int, count: int) -> list[int]:
    """So many unknowns of the border, from the first one on, filled up with −1."""
    return [*range(first, first + count), *[-1] * (PANEL - count)]


def _alone(lane: int) -> tuple[int, int, int]:
    """Lanes of a tie to one unknown."""
    return lane, 0, 0


def _table(ties: Sequence[dict[str, Any]]) -> np.ndarray:
    """TIE (T,)."""
    rows = np.zeros(len(ties), TIE)
    for name in TIE.names or ():
        rows[name] = np.reshape([tie[name] for tie in ties], rows[name].shape)
    return rows


def _eliminated(
    chains: np.ndarray,
    of_body: np.ndarray,
    ties: np.ndarray,
    place: tuple[np.ndarray, np.ndarray, np.ndarray],
    borders: Sequence[list[int]],
    unknowns: int,
    rows: int,
) -> ChainSystem:
    """The border's order of elimination, and where in it all couplings are; borders: unknowns of all bodies, and of all
    chains, that are coupled.
    """
    two = [(k, q) for own in borders for k in own for q in own if 0 <= k < q]
    found = eliminate(unknowns, np.array(two, np.int64).reshape(-1, 2), {})
    bodies = len(borders) - len(chains)
    start = np.cumsum([0, *(len(own) for own in borders)])[bodies:-1]
    pairs = [_pairs(found, own) for own in borders]
    begin = np.cumsum([0, *(len(own) for own in pairs)])[bodies:]
    chains["border"], chains["pair"] = start, np.column_stack([begin[:-1], begin[1:]])
    tied = np.full(rows, -1)
    tied[ties["row"]] = np.arange(len(ties))
    border = np.array([-1 if k < 0 else found.row[k] for own in borders for k in own], dtype=np.int64)
    groups = np.zeros(max(chains["group"].max(), of_body.max(initial=0)) + 1, GROUP)
    groups["first"] = np.searchsorted(chains["group"], np.arange(len(groups)))
    groups["end"] = [*groups["first"][1:], len(chains)]
    coupled = np.full(sum(len(own) for own in borders) // PANEL, rows)
    for chain in chains:
        tie = ties[chain["tie"][0] : chain["tie"][1]]
        block = (tie["row"] - chain["row"]) // chain["size"]
        np.minimum.at(coupled, chain["border"] // PANEL + tie["panel"], chain["size"] * np.maximum(block - REACH, 0))
    of, row, angle = place
    return ChainSystem(
        chains, groups, of_body, of, ties, tied, coupled, row, angle, border,
        np.concatenate([np.zeros(0, BORDER_PAIR), *pairs]),
        found.column, found.below,
    )  # fmt: skip


def _pairs(found: Elimination, own: Sequence[int]) -> np.ndarray:
    """BORDER_PAIR of the unknowns of the border, in panels, that a body or a chain couples."""
    unknown, (k, q) = np.array(own, np.int64), np.tril_indices(len(own), -1)
    coupled = (unknown[k] >= 0) & (unknown[q] >= 0)
    k, q = k[coupled], q[coupled]
    row = PANEL * (k // PANEL * (len(own) // PANEL) + q // PANEL) + k % PANEL
    return changed(np.zeros(len(k), BORDER_PAIR), row=row, lane=q % PANEL, entry=found.slot(unknown[k], unknown[q]))
