"""How far the wind bends a tree: the rods of its branches as slender beams under the drag of the air.

At a vertex with ℓ of rod around it a moment M, of all that is beyond, turns what is beyond by ℓ M/B across the rod and
by ℓ M/C along it; each edge is turned by all turns before it (Gere & Timoshenko, *Mechanics of Materials*, ch. 9). The
wind comes up in steps, each on the shape that the one before has left: a twig that lies in it gives it less hold. The
weight of what has bent, which bends it on, is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..physics.scene import FIELD_KINDS, Rod
from .tree import Tree

SKIN_FRICTION = 0.01  # C_F/C_D, of physics/forces/drag


@dataclass
class _Beyond:
    """What branches that begin at one place carry: force (3,) [N], and moment (3,) [N m] about it."""

    force: np.ndarray
    moment: np.ndarray


STEPS = 16  # of the speed, up to the largest asked for


def sway(
    tree: Tree, direction: np.ndarray, fastest: float, air_density: float, enough: float = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """(speeds (k,) [m/s] from 0 to the fastest, or as far as a way is `enough` [m]; ways (k,) [m] by which each moves
    what it moves most).
    """
    loaded, ways = [rod.x for rod in tree.rods], [0.0]
    speeds = np.linspace(0.0, fastest, STEPS + 1)
    for speed in speeds[1:]:
        for _ in range(2):
            shapes = bent(tree, loaded, speed * direction, air_density)
            loaded = [0.5 * (before + now) for before, now in zip(loaded, shapes, strict=True)]  # else limp ones swing
        gone = (np.linalg.norm(x - rod.x, axis=1).max() for x, rod in zip(loaded, tree.rods, strict=True))
        ways.append(float(max(gone)))
        if ways[-1] >= enough:
            break
    return speeds[: len(ways)], np.array(ways)


def bent(tree: Tree, shapes: Sequence[np.ndarray], wind: np.ndarray, air_density: float) -> list[np.ndarray]:
    """The vertices (n, 3) [m] of each rod, under the loads that air which moves at `wind` (3,) [m/s] lays on `shapes`,
    such vertices.
    """
    carried = _carried(tree)
    order = _from_the_ground(tree, carried)
    turns: dict[int, np.ndarray] = {}
    beyond: dict[int, _Beyond] = {}
    for number in reversed(order):
        rod, x = tree.rods[number], shapes[number]
        force = drag(rod, x, wind, air_density)
        moment = np.zeros_like(force)
        for vertex, children in carried.get(number, ()):
            for child in children:
                force[vertex + 1] += beyond[child].force
                arm = shapes[child][0] - x[vertex + 1]
                moment[vertex + 1] += beyond[child].moment + np.cross(arm, beyond[child].force)
        turns[number], beyond[number] = _turns(rod, x, force, moment)
    begins = {root: (tree.rods[root].x[0], np.zeros(3)) for root in tree.roots}
    found = [rod.x for rod in tree.rods]
    for number in order:
        rod, (begin, turn) = tree.rods[number], begins[number]
        turned = turn + np.cumsum(turns[number], axis=0)  # of each edge
        edges = _turned(rod.edges(), turned)
        found[number] = begin + np.concatenate([np.zeros((1, 3)), np.cumsum(edges, axis=0)])
        for vertex, children in carried.get(number, ()):
            for child in children:
                arm = (tree.rods[child].x[0] - rod.x[vertex])[None]
                begins[child] = found[number][vertex] + _turned(arm, turned[vertex][None])[0], turned[vertex]
    return found


def _turned(vectors: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Vectors (k, 3), turned about turns (k, 3) by their lengths [rad] (Rodrigues)."""
    angle = np.linalg.norm(turns, axis=1)[:, None]
    axis = turns / np.maximum(angle, np.finfo(float).tiny)
    along = np.sum(axis * vectors, axis=1)[:, None] * axis
    return along + np.cos(angle) * (vectors - along) + np.sin(angle) * np.cross(axis, vectors)


def drag(rod: Rod, x: np.ndarray, wind: np.ndarray, air_density: float) -> np.ndarray:
    """Force (n, 3) [N] of air that moves at `wind` (3,) [m/s] on the vertices of a rod that rests at x (n, 3): see
    physics/forces/drag.
    """
    wind = wind * (1.0 if rod.weights is None else rod.weights[1 + FIELD_KINDS.index("WIND")])
    length = np.linalg.norm(rod.edges(), axis=1)
    around = 0.5 * (np.append(length, 0.0) + np.append(0.0, length))
    along = np.gradient(x, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    parallel = (along @ wind)[:, None] * along
    across = wind - parallel
    area = rod.drag_coefficient * 2.0 * rod.radius * around
    leaves = np.zeros(len(rod.x)) if rod.leaf_area is None else rod.leaf_area
    parts = ((area, across), (np.pi * SKIN_FRICTION * area, parallel), (leaves, np.broadcast_to(wind, across.shape)))
    return sum(0.5 * air_density * (each * np.linalg.norm(u, axis=1))[:, None] * u for each, u in parts)


def _carried(tree: Tree) -> dict[int, list[tuple[int, list[int]]]]:
    """{branch: [(edge, the branches that it carries)]}: the first weld of each fork is the parent's."""
    by_fork: dict[int, list[tuple[int, int]]] = {}
    for weld in tree.welds:
        by_fork.setdefault(weld.body, []).append((weld.rod, weld.vertex))
    found: dict[int, list[tuple[int, list[int]]]] = {}
    for (parent, vertex), *children in by_fork.values():
        found.setdefault(parent, []).append((vertex, [child for child, _ in children]))
    return found


def _from_the_ground(tree: Tree, carried: dict[int, list[tuple[int, list[int]]]]) -> list[int]:
    """Numbers of the branches, each behind the one it grows from."""
    order = list(tree.roots)
    for number in order:
        order += [child for _, children in carried.get(number, ()) for child in children]
    return order


def _turns(rod: Rod, x: np.ndarray, force: np.ndarray, moment: np.ndarray) -> tuple[np.ndarray, _Beyond]:
    """(turn (m, 3) of each edge against the one before, the first against what carries it; what the rod carries)."""
    load = np.cumsum(force[::-1], axis=0)[::-1]  # at each vertex, with all beyond
    about = moment.copy()  # of all beyond each vertex, about it
    for vertex in range(len(force) - 2, -1, -1):
        about[vertex] += about[vertex + 1] + np.cross(x[vertex + 1] - x[vertex], load[vertex + 1])
    edges = np.diff(x, axis=0)
    length = np.linalg.norm(edges, axis=1)
    around = np.append(0.5 * length[0], 0.5 * (length[1:] + length[:-1]))  # the first is clamped
    bend = rod.bend_stiffness.mean(axis=1)
    stiffness = np.append(bend[0], 0.5 * (bend[1:] + bend[:-1]))
    tangent = edges / length[:, None]
    twist = np.sum(about[:-1] * tangent, axis=1)[:, None] * tangent
    twisting = np.append(rod.twist_stiffness[1], rod.twist_stiffness[1:-1])
    turn = around[:, None] * ((about[:-1] - twist) / stiffness[:, None] + twist / twisting[:, None])
    return turn, _Beyond(load[0], about[0])
