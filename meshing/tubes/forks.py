"""Branches that meet: in the forks of one shell, and where an end lies in the tube of another, as parts of a harness do
that were closed each by itself.

A fork is where the branches' ends, carried straight on, come nearest to each other: the least Σ |(I − ttᵀ)(y − p)|².
"""

from dataclasses import dataclass, field

import numpy as np

from ...physics.validate import SceneError
from .line import Line
from .nearest import nearest

WEAK = 1e-2  # of a branch's pull: that of the middle of all ends, where these are all along one line
SPACING = 0.25  # radii between points of a line that goes on to a fork
INSIDE = 0.9  # of a line: so much of it lies in another tube that it is the inner wall of that
ROOM = 1.02  # radii: what lies in a tube reaches so far from its centre line at most


@dataclass
class Net:
    """Lines of branches with radii (k,), numbers of the nodes they go from and to, and of their shells.

    node: {number: place (3,)} of forks. branch (V,), −1: none yet, and s (V,) of points.
    """

    lines: list[Line]
    radius: list[np.ndarray]
    ends: list[tuple[int, int]]
    shell: list[int]
    branch: np.ndarray
    s: np.ndarray
    node: dict[int, np.ndarray] = field(default_factory=dict)

    def thick(self) -> np.ndarray:
        """(b,) the median radius of each."""
        return np.array([np.median(radius) for radius in self.radius])

    def at(self, node: int) -> list[tuple[int, int]]:
        """(branch, side) of those at a node."""
        return [(b, side) for b, ends in enumerate(self.ends) for side in range(2) if ends[side] == node]

    def meet(self) -> None:
        """Let the branches of each fork go on to where they meet."""
        for node in sorted({end for ends in self.ends for end in ends}):
            own = self.at(node)
            if len({b for b, _ in own}) < 2:
                continue
            place = _meeting([self._tip(b, side) for b, side in own])
            for b, side in own:
                self.lead(b, side, place)
            self.node[node] = place

    def _tip(self, b: int, side: int) -> tuple[np.ndarray, np.ndarray]:
        """(the end (3,), the unit direction (3,) in which it goes on)."""
        line, back = self.lines[b], float(np.median(self.radius[b]))
        ends = line.at(np.array([line.length, line.length - back] if side else [0.0, back]))
        return ends[0], (ends[0] - ends[1]) / np.linalg.norm(ends[0] - ends[1])

    def lead(self, b: int, side: int, place: np.ndarray) -> None:
        """Let a branch go straight on to a place (3,)."""
        line, radius = self.lines[b], self.radius[b]
        end = line.x[-1 if side else 0]
        far = float(np.linalg.norm(place - end))
        if far < 1e-6 * line.length:
            return
        count = max(1, round(far / (SPACING * float(np.median(radius)))))
        share = (np.arange(1, count + 1) / count)[:, None]
        more = end + share * (place - end)
        if side:
            self.lines[b] = Line(np.concatenate([line.x, more]))
            self.radius[b] = np.append(radius, [radius[-1]] * count)
        else:
            self.lines[b] = Line(np.concatenate([more[::-1], line.x]))
            self.radius[b] = np.append([radius[0]] * count, radius)
            self.s[self.branch == b] += far

    def cut(self, b: int, s: float, node: int) -> None:
        """Make two of a branch, at a length of it, that meet in a node there."""
        line, radius, ends = self.lines[b], self.radius[b], self.ends[b]
        place, here = line.at(np.array([s])), np.interp(s, line.s, radius)
        low, high = line.s < s - 1e-6 * line.length, line.s > s + 1e-6 * line.length
        self.lines[b], self.radius[b] = Line(np.concatenate([line.x[low], place])), np.append(radius[low], here)
        self.ends[b] = ends[0], node
        self.lines.append(Line(np.concatenate([place, line.x[high]])))
        self.radius.append(np.append(here, radius[high]))
        self.ends.append((node, ends[1]))
        self.shell.append(self.shell[b])
        beyond = (self.branch == b) & (self.s > s)
        self.branch[beyond] = len(self.lines) - 1
        self.s[beyond] -= s
        self.node[node] = place[0]

    def turn(self, b: int) -> None:
        """Let a branch go the other way."""
        line = self.lines[b]
        self.lines[b], self.radius[b], self.ends[b] = Line(line.x[::-1]), self.radius[b][::-1], self.ends[b][::-1]
        own = self.branch == b
        self.s[own] = line.length - self.s[own]

    def append(self, b: int, other: int) -> None:
        """Make one branch of two, the second beginning where the first ends."""
        line, more = self.lines[b], self.lines[other]
        own = self.branch == other
        self.branch[own] = b
        gap = float(np.linalg.norm(more.x[0] - line.x[-1]))
        skip = int(gap < 1e-6 * line.length)
        self.s[own] += line.length + gap
        self.lines[b] = Line(np.concatenate([line.x, more.x[skip:]]))
        self.radius[b] = np.append(self.radius[b], self.radius[other][skip:])
        self.ends[b] = self.ends[b][0], self.ends[other][1]
        self.drop([other])

    def drop(self, gone: list[int]) -> None:
        """Leave out branches; what went with them goes with none."""
        kept = [b for b in range(len(self.lines)) if b not in gone]
        new = np.full(len(self.lines) + 1, -1)
        new[kept] = np.arange(len(kept))
        self.branch = new[self.branch]
        for name in ("lines", "radius", "ends", "shell"):
            setattr(self, name, [getattr(self, name)[b] for b in kept])


def _meeting(tips: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    ends, along = (np.array(each) for each in zip(*tips, strict=True))
    middle = ends.mean(axis=0)
    pull = np.eye(3) - along[:, :, None] * along[:, None, :]
    total = pull.sum(axis=0) + WEAK * np.eye(3)
    place = np.linalg.solve(total, np.einsum("kij,kj->i", pull, ends) + WEAK * middle)
    most = np.linalg.norm(ends - middle, axis=1).max()
    return place if np.linalg.norm(place - middle) <= most else middle


def inner_shells(net: Net) -> set[int]:
    """The shells that lie in the tubes of others."""
    found: set[int] = set()
    thick, shell = net.thick(), np.array(net.shell)
    if len(set(net.shell)) == 1:
        return found
    for own in sorted(set(net.shell)):
        mine, others = np.flatnonzero(shell == own), np.flatnonzero(~np.isin(shell, [own, *found]))
        if not len(others):
            break
        points = np.concatenate([net.lines[b].x for b in mine])
        wide = np.repeat(thick[mine], [len(net.lines[b].x) for b in mine])
        other, _, gap = nearest(points, [net.lines[b] for b in others], ROOM * thick[others])
        near = np.where(other >= 0, others[other], -1)
        within = (near >= 0) & (gap * ROOM * thick[near] + wide < ROOM * thick[near])
        if within.mean() > INSIDE:
            found.add(own)
    return found


def connect(name: str, net: Net, strict: bool) -> None:
    """Join ends that lie in the tubes of other shells to these. Raises SceneError about mesh `name`: two cross, where
    that counts.
    """
    fresh = max(end for ends in net.ends for end in ends) + 1
    loose = [end for ends in net.ends for end in ends if len(net.at(end)) == 1]
    for node in loose:
        if len(tip := net.at(node)) != 1:
            continue
        b, side = tip[0]
        own = net.shell[b]
        place = net.lines[b].x[-1 if side else 0]
        others, thick = [k for k, shell in enumerate(net.shell) if shell != own], net.thick()
        if not others:
            break
        other, along, _ = nearest(place[None], [net.lines[k] for k in others], thick[others])
        if other[0] < 0:
            continue
        there, s = others[int(other[0])], float(along[0])
        line, reach = net.lines[there], 1.5 * thick[there]
        if reach < s < line.length - reach:
            net.cut(there, s, fresh)
            met, fresh = fresh, fresh + 1
        else:
            met = net.ends[there][int(s > 0.5 * line.length)]
        k, end = next((k, end) for k, end in net.at(met) if net.shell[k] != own)
        net.lead(b, side, net.lines[k].x[-1 if end else 0])
        net.ends = [(met if a == node else a, met if z == node else z) for a, z in net.ends]
        joined = net.shell[k]
        net.shell = [joined if shell == own else shell for shell in net.shell]
    _make_whole(net)
    if strict:
        _check_crossing(name, net)


def _make_whole(net: Net) -> None:
    """Of two branches that end in each other's one."""
    for node in sorted({end for ends in net.ends for end in ends}):
        own = net.at(node)
        if len(own) == 2 and own[0][0] != own[1][0]:
            (b, side), (other, other_side) = own
            if side == 0:
                net.turn(b)
            if other_side == 1:
                net.turn(other)
            net.append(b, other)


def _check_crossing(name: str, net: Net) -> None:
    thick, shell = net.thick(), np.array(net.shell)
    if len(set(net.shell)) < 2:
        return
    for own in sorted(set(net.shell)):
        mine, others = np.flatnonzero(shell == own), np.flatnonzero(shell != own)
        points = np.concatenate([net.lines[b].x for b in mine])
        other, _, _ = nearest(points, [net.lines[b] for b in others], thick[others])
        hit = np.flatnonzero(other >= 0)
        if len(hit):
            x, y, z = points[hit[0]]
            raise SceneError(
                name, f"'{name}' has two tubes that cross at ({x:.3g}, {y:.3g}, {z:.3g}), one inside the other there: "
                "move one aside, or join them with Boolean, Union.",
            )  # fmt: skip
