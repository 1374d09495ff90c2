"""Soft bodies whose tetrahedra are too few to bend right, or too far away for their places.

How many cells a part is thick is told by how far its nodes are from its surface, in edges: in one of one cell all are
on it, in one of two or three none is further than one. Bars of six tetrahedra to a cell, ten times as long as thick,
sag too little under their weight by BEND. The lattice with which a surface is filled has nodes in the middle of each
cell, and none of its tetrahedra has all four on the surface: it bends 4 % too little where it is one cell thick.
"""

from collections.abc import Iterator

import numpy as np

from ..elements.tetrahedra import EDGES, boundary
from ..scene import Notice, SoftBody

BEND = {  # % by Poisson's ratio, of bars one cell thick, and two: at .45 and less those are as good as others
    0: (np.array([0.3, 0.45, 0.49]), np.array([36.0, 62.0, 84.0])),
    1: (np.array([0.3, 0.45, 0.49]), np.array([5.0, 20.0, 48.0])),
}
LOCKS = 0.45  # Poisson's ratio
ACROSS = 6  # edges, in which a node at a corner of what is thick is as near to one that is two deep
LONG = 4.0  # edges: what is shorter has no part that bends
SKINS = 0.01  # of all tetrahedra: if fewer have all nodes on the surface, it is filled by a lattice
EXACT = 1e-8  # of an edge: where places are rounded to more, it is told


def coarse_notices(solid: SoftBody) -> Iterator[Notice]:
    """Of a body that passes `check_solid`."""
    x, node = np.asarray(solid.x, np.float64), np.asarray(solid.tetrahedra)
    ends = np.unique(np.sort(node[:, EDGES].reshape(-1, 2), axis=1), axis=0)
    edge, away = float(np.linalg.norm(np.diff(x[ends], axis=1), axis=2).mean()), float(np.abs(x).max())
    rounding = float(np.spacing(away))
    if rounding > EXACT * edge:
        text = (
            f"'{solid.name}' is {away:.3g} m from the origin, where places are rounded to {rounding:.2g} m, "
            f"{rounding / edge:.1g} of its tetrahedra's edges: it may tremble, so move everything nearer to the origin."
        )
        yield Notice(solid.name, 0, text)
    outside = np.zeros(len(x), bool)
    outside[np.unique(boundary(node)[0])] = True
    if outside[node].all(axis=1).mean() < SKINS:
        return
    near = outside.copy()
    for one, other in ((0, 1), (1, 0)):
        near[ends[outside[ends[:, one]], other]] = True
    deep = _farthest(2 - outside.astype(np.int64) - near, ends)
    for cells in (0, 1):
        thin = deep <= cells
        short = np.ptp(x[thin], axis=0).max(initial=0.0) < LONG * edge if thin.any() else True
        if short or (cells == 1 and not solid.poisson > LOCKS):
            continue
        wrong = float(np.interp(solid.poisson, *BEND[cells]))
        where = ", ".join(f"{value:.3g}" for value in x[np.flatnonzero(thin)[0]] + 0.0)
        thick, least = ("one cell", "two or three cells")[cells], 4 if solid.poisson <= LOCKS else 6
        softer = "" if solid.poisson <= LOCKS else f", or give it a Poisson's ratio of {LOCKS:g} at most"
        text = (
            f"'{solid.name}' is {thick} of tetrahedra thick at ({where}) m, so it bends up to {wrong:.0f} % too little "
            f"there: mesh it with {least} cells or more through its thickness{softer}."
        )
        yield Notice(solid.name, 0, text)
        return


def _farthest(deep: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """(n,) the most that any node within ACROSS edges (e, 2) has of (n,)."""
    for _ in range(ACROSS):
        most = deep.copy()
        np.maximum.at(most, ends[:, 0], deep[ends[:, 1]])
        np.maximum.at(most, ends[:, 1], deep[ends[:, 0]])
        deep = most
    return deep
