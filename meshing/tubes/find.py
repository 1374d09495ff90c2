"""Tubes of a mesh: shells, the branches of each, their centre lines, where these meet, and their radii.

A shell that is as hollow as a hose has an inner wall, whose normals look at its centre line: it is told from the outer
one by that, and what is found of the outer one alone is the tube. A shell that lies in another is its inner wall.
"""

from dataclasses import dataclass

import numpy as np

from ...physics.scenes.linked import linked
from ...physics.validate import SceneError
from .centre_line import Course, course
from .forks import Net, connect, inner_shells
from .geodesics import Ways
from .graph import Arc, arcs
from .levels import Slices
from .line import Line
from .nearest import nearest
from .radius import corner_weights, radii
from .walls import Walls, listed

ROUGH = 60  # slices of a shell at first, to find how thick it is
INWARD = -0.3  # radii: how far from the centre line a face is, along its normal; what is less looks inward
HOLLOW = 0.02  # of a shell's area: if more looks inward, the tube is hollow
PIECE = 0.25  # of a shell's largest piece: what is smaller of its outer wall is none of it
SHORTEST = 4.0  # radii: what is shorter is no tube
RAGGED = 0.2  # of its sections: if more do not go around it is no tube
FULL = 0.5  # of the circle around a section: if that fills less it is no tube; a square fills .64, a bar of 1 : 3 .38
OFF = 0.25  # of the radius: what is so far off a section through it belongs to another branch
REACH = 1.2  # radii: so far from its centre line a vertex is looked for at first, then twice as far, and so on


@dataclass(frozen=True)
class Tubes:
    """Branches as Lines with radius and inner radius (k,) at each of their points, 0: not hollow, and the two nodes
    they go from and to; nodes (j, 3).

    branch (v,) and s (v,): the one that each vertex of the mesh goes with, and how far along that; core (v,): those of
    inner walls.
    """

    lines: list[Line]
    radius: list[np.ndarray]
    inner: list[np.ndarray]
    ends: list[tuple[int, int]]
    nodes: np.ndarray
    branch: np.ndarray
    s: np.ndarray
    core: np.ndarray

    @property
    def forks(self) -> list[int]:
        """The nodes where three branches meet, or more."""
        return [int(node) for node in np.flatnonzero(np.bincount(np.ravel(self.ends), minlength=len(self.nodes)) > 2)]


def find(name: str, x: np.ndarray, corners: np.ndarray, sizes: np.ndarray, whole_mesh: bool = True) -> Tubes:
    """The tubes of mesh `name`: vertices (v, 3), faces by their corners, one after the other in (l,), `sizes` (f,) of
    them each; of the whole mesh, or of what of it is a tube. Raises SceneError: what is no tube, by vertices; a closed
    ring; two that cross.
    """
    whole = Walls.of(name, x, corners, sizes)
    distance, found = _sliced(whole, None)
    outer, core = _outer(whole, found), np.zeros(len(x), dtype=bool)
    walls = whole
    if not outer.all():
        walls = whole.only(outer)
        core[np.unique(whole.triangles)] = True
        core[np.unique(walls.triangles)] = False
        _, found = _sliced(walls, distance)
    net = _net(name, walls, found, whole_mesh)
    _measure(walls, net)
    net.meet()
    inside = inner_shells(net)
    for shell in inside:
        core[walls.shell == shell] = True
    net.drop([b for b, shell in enumerate(net.shell) if shell in inside])
    net.branch[core] = -1
    connect(name, net, whole_mesh)
    return _complete(whole, net, core[whole.vertex])


def _sliced(walls: Walls, known: np.ndarray | None) -> tuple[np.ndarray, Slices]:
    """(distance (V,) of points from one end of their shell, the Slices, as wide as it is thick); known: such a distance
    on a surface that these Walls are a part of.
    """
    ways, shell = Ways.of(walls), walls.shell
    own = np.flatnonzero(shell >= 0)
    if known is None:
        known = np.zeros(len(shell))
        known[own] = -ways.distance(_least(own, shell[own], known[own]))[own]
    distance = ways.distance(_least(own, shell[own], known[own]))
    distance[shell < 0] = 0.0
    most = np.zeros(shell.max() + 1)
    np.maximum.at(most, shell[own], distance[own])
    found = Slices.of(walls, distance, (most / ROUGH)[shell])
    there = found.girth > 0.0
    of, girth = shell[walls.triangles[found.first[there], 0]], found.girth[there]
    order, number = np.lexsort((girth, of)), np.bincount(of, minlength=len(most))
    width = girth[order][np.cumsum(number) - number + number // 2] / (2.0 * np.pi)  # of the median ring
    return distance, Slices.of(walls, distance, width[shell])


def _least(own: np.ndarray, shell: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Of each shell the point with the least value."""
    order = np.lexsort((values, shell))
    return own[order[np.flatnonzero(np.diff(shell[order], prepend=-1))]]


def _outer(walls: Walls, found: Slices) -> np.ndarray:
    """(T,) whether triangles are of outer walls."""
    normal, shell = walls.normals, walls.shell[walls.triangles[:, 0]]
    area = np.linalg.norm(normal, axis=1)
    middle = walls.x[walls.triangles].mean(axis=1)
    count = np.bincount(found.triangle_of, minlength=len(area))
    seen = np.column_stack([found.centre, found.girth / (2.0 * np.pi)])[found.piece_of]
    centre = np.stack([np.bincount(found.triangle_of, values) / count for values in seen.T], axis=1)
    facing = np.sum(normal * (middle - centre[:, :3]), axis=1)
    sign = np.where(np.bincount(shell, facing) < 0.0, -1.0, 1.0)[shell]
    inward = sign * facing < INWARD * area * centre[:, 3]
    hollow = np.bincount(shell, area * inward) > HOLLOW * np.bincount(shell, area)
    outer = ~(inward & hollow[shell])
    if outer.all():
        return outer
    sides = walls.only(outer).sides
    piece = linked(sides[sides[:, 1] >= 0], int(outer.sum()))
    size = np.bincount(piece, area[outer])
    most = np.zeros(shell.max() + 1)
    np.maximum.at(most, shell[outer], size[piece])
    outer[outer] = size[piece] > PIECE * most[shell[outer]]
    return outer


def _net(name: str, walls: Walls, found: Slices, strict: bool) -> Net:
    """The branches of all shells, from their slices. Raises SceneError about mesh `name`."""
    branches = arcs(found)
    degree = np.bincount(np.ravel([arc.ends for arc in branches]), minlength=len(found.level))
    net = Net([], [], [], [], np.full(len(walls.x), -1), np.zeros(len(walls.x)))
    shell = walls.shell[walls.triangles[found.first, 0]]
    twice = np.zeros(len(walls.x), dtype=bool)
    if strict:
        _check_rings(name, walls, found, branches, shell)
    for arc in branches:
        fork = bool(degree[arc.ends[0]] > 2), bool(degree[arc.ends[1]] > 2)
        own = course(walls, found, arc, fork)
        if own is None or not _is_tube(own, fork):
            if not strict and (net.lines or arc is not branches[-1]):
                continue
            if not strict:
                _check_rings(name, walls, found, branches, shell)
            points = np.unique(walls.triangles[found.triangle_of[np.isin(found.piece_of, arc.slices)]])
            cure = "select two vertices to take the part between them, or remove these" if strict else "remove these"
            raise SceneError(
                name, f"'{name}' is no tube at its vertices {listed(points)}: a tube goes on for {SHORTEST / 2:g} "
                f"diameters or more, and all sections across it are nearly round; {cure}.",
            )  # fmt: skip
        number = len(net.lines)
        twice[own.points[net.branch[own.points] >= 0]] = True
        net.branch[own.points], net.s[own.points] = number, own.s
        net.lines.append(own.line)
        net.radius.append(own.radius)
        net.ends.append(arc.ends)
        net.shell.append(int(shell[arc.slices[0]]))
    net.branch[twice] = -1
    return net


def _is_tube(own: Course, fork: tuple[bool, bool]) -> bool:
    shortest = 0.0 if any(fork) else SHORTEST * float(np.median(own.radius))
    return own.line.length > shortest and own.ragged < RAGGED and own.fill > FULL


def _check_rings(name: str, walls: Walls, found: Slices, branches: list[Arc], shell: np.ndarray) -> None:
    """Raises SceneError: branches come back to where they began."""
    root: dict[int, int] = {}

    def top(node: int) -> int:
        while root.setdefault(node, node) != node:
            node = root[node]
        return node

    for arc in branches:
        a, b = (top(end) for end in arc.ends)
        if a == b:
            points = np.unique(walls.triangles[found.first[arc.slices]])
            raise SceneError(
                name, f"'{name}' has a closed ring, at vertices {listed(points)}: a cable has two ends; delete a ring "
                "of its faces.",
            )  # fmt: skip
        root[a] = b


def _measure(walls: Walls, net: Net) -> None:
    """Let the radii of branches be those of their vertices."""
    along, far = _beside(net, walls.x, net.branch, net.s)
    weight = corner_weights(walls, along)
    for b, line in enumerate(net.lines):
        drawn = np.interp(net.s, line.s, net.radius[b])
        own = (net.branch == b) & (net.s >= 0.0) & (net.s <= line.length) & (np.abs(far - drawn) < OFF * drawn)
        net.radius[b] = radii(line, net.s[own], far[own], weight[own]) if own.any() else net.radius[b]


def _beside(net: Net, x: np.ndarray, branch: np.ndarray, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(directions (n, 3) of branches beside points (n, 3), at lengths (n,) of these, how far these are away (n,))."""
    along, far = np.zeros_like(x), np.zeros(len(x))
    for b, line in enumerate(net.lines):
        own = np.flatnonzero(branch == b)
        along[own] = line.tangent(s[own])
        far[own] = np.linalg.norm(x[own] - line.at(s[own]), axis=1)
    return along, far


def _complete(whole: Walls, net: Net, core: np.ndarray) -> Tubes:
    """With each vertex of the mesh on a branch, and inner radii."""
    lost = np.flatnonzero(net.branch < 0)
    reach = REACH * net.thick()
    while len(lost):
        net.branch[lost], net.s[lost], _ = nearest(whole.x[lost], net.lines, reach)
        lost, reach = lost[net.branch[lost] < 0], 2.0 * reach
    branch, s = net.branch[whole.vertex], net.s[whole.vertex]
    along, far = _beside(net, whole.x, branch, s)
    weight, inner = corner_weights(whole, along), []
    for b, line in enumerate(net.lines):
        bore = np.flatnonzero(core & (branch == b))
        inner.append(radii(line, s[bore], far[bore], weight[bore]) if len(bore) else np.zeros(len(line.x)))
    numbers = sorted({end for ends in net.ends for end in ends})
    nodes = np.array([_node(net, number) for number in numbers])
    ends = [(numbers.index(a), numbers.index(b)) for a, b in net.ends]
    return Tubes(net.lines, net.radius, inner, ends, nodes, branch, s, core)


def _node(net: Net, number: int) -> np.ndarray:
    if number in net.node:
        return net.node[number]
    b, side = net.at(number)[0]
    return net.lines[b].x[-1 if side else 0]
