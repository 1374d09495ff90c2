"""How far the wind bends a tree: the rods of its branches as slender beams under the drag of the air, at small angles.

At a vertex with ℓ of rod around it a moment M, of all that is beyond, turns what is beyond by ℓ M/B across the rod and
by ℓ M/C along it; a point goes by the sum of turns × ways to it (Gere & Timoshenko, *Mechanics of Materials*, ch. 9).
So the lean grows with the air's speed squared, as its drag does. A tree that has bent gives less hold to the wind, and
its weight bends it on; neither counts here.
"""

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


def lean(tree: Tree, wind: np.ndarray, air_density: float) -> list[np.ndarray]:
    """Of each rod, how far its vertices (n, 3) [m] go in air that moves at `wind` (3,) [m/s]."""
    carried = _carried(tree)
    order = _from_the_ground(tree, carried)
    turns: dict[int, np.ndarray] = {}
    beyond: dict[int, _Beyond] = {}
    for number in reversed(order):
        rod = tree.rods[number]
        force = drag(rod, wind, air_density)
        moment = np.zeros_like(force)
        for vertex, children in carried.get(number, ()):
            for child in children:
                force[vertex + 1] += beyond[child].force
                arm = tree.rods[child].x[0] - rod.x[vertex + 1]
                moment[vertex + 1] += beyond[child].moment + np.cross(arm, beyond[child].force)
        turns[number], beyond[number] = _turns(rod, force, moment)
    ways: dict[int, tuple[np.ndarray, np.ndarray]] = {root: (np.zeros(3), np.zeros(3)) for root in tree.roots}
    found = [np.zeros_like(rod.x) for rod in tree.rods]
    for number in order:
        rod, (way, turn) = tree.rods[number], ways[number]
        turned = turn + np.cumsum(turns[number], axis=0)  # of each edge
        found[number] = way + np.concatenate([np.zeros((1, 3)), np.cumsum(np.cross(turned, rod.edges()), axis=0)])
        for vertex, children in carried.get(number, ()):
            for child in children:
                arm = tree.rods[child].x[0] - rod.x[vertex]
                ways[child] = found[number][vertex] + np.cross(turned[vertex], arm), turned[vertex]
    return found


def drag(rod: Rod, wind: np.ndarray, air_density: float) -> np.ndarray:
    """Force (n, 3) [N] of air that moves at `wind` (3,) [m/s] on the vertices of a rod at rest: physics/forces/drag."""
    wind = wind * (1.0 if rod.weights is None else rod.weights[1 + FIELD_KINDS.index("WIND")])
    length = np.linalg.norm(rod.edges(), axis=1)
    around = 0.5 * (np.append(length, 0.0) + np.append(0.0, length))
    along = np.gradient(rod.x, axis=0)
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


def _turns(rod: Rod, force: np.ndarray, moment: np.ndarray) -> tuple[np.ndarray, _Beyond]:
    """(turn (m, 3) of each edge against the one before, the first against what carries it; what the rod carries)."""
    load = np.cumsum(force[::-1], axis=0)[::-1]  # at each vertex, with all beyond
    about = moment.copy()  # of all beyond each vertex, about it
    for vertex in range(len(force) - 2, -1, -1):
        about[vertex] += about[vertex + 1] + np.cross(rod.x[vertex + 1] - rod.x[vertex], load[vertex + 1])
    edges = rod.edges()
    length = np.linalg.norm(edges, axis=1)
    around = np.append(0.5 * length[0], 0.5 * (length[1:] + length[:-1]))  # the first is clamped
    bend = rod.bend_stiffness.mean(axis=1)
    stiffness = np.append(bend[0], 0.5 * (bend[1:] + bend[:-1]))
    tangent = edges / length[:, None]
    twist = np.sum(about[:-1] * tangent, axis=1)[:, None] * tangent
    twisting = np.append(rod.twist_stiffness[1], rod.twist_stiffness[1:-1])
    turn = around[:, None] * ((about[:-1] - twist) / stiffness[:, None] + twist / twisting[:, None])
    return turn, _Beyond(load[0], about[0])
