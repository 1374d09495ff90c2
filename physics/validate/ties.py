"""Ties of soft bodies to rods and rigid bodies."""

import numpy as np

from ..geometry.tie_shares import tie_shares
from ..scene import Scene, Tie
from .errors import SceneError

TOGETHER = 1e-6  # of the soft body's extent: how far from the point that is tied a vertex may be drawn,
STEEP = 1.0  # and Σ s² of that point's shares at most: with more it is far outside the nodes


def check_tie(scene: Scene, tie: Tie) -> None:
    """Raises SceneError."""
    name = tie.name
    if not 0 <= tie.solid < len(scene.solids):
        raise SceneError(name, f"'{name}' ties soft body {tie.solid}, but there are {len(scene.solids)}: correct it.")
    solid, nodes = scene.solids[tie.solid], np.asarray(tie.nodes)
    if nodes.ndim != 1 or not len(nodes) or nodes.dtype.kind != "i" or len(np.unique(nodes)) < len(nodes):
        raise SceneError(name, f"'{name}' ties no points of '{solid.name}', or one twice: name each of them once.")
    if nodes.min() < 0 or nodes.max() >= len(solid.x):
        raise SceneError(name, f"'{name}' ties points that '{solid.name}', of {len(solid.x)}, has not: correct it.")
    if scene.scheme != "VERLET":
        raise SceneError(name, f"'{name}': soft bodies that step by {scene.scheme} cannot be tied: choose VERLET.")
    if (tie.body is None) == (tie.vertex is None):
        raise SceneError(name, f"'{name}' ties '{solid.name}' to nothing or to two things: give a body or a vertex.")
    if tie.body is not None and not 0 <= tie.body < len(scene.bodies):
        raise SceneError(name, f"'{name}' is to rigid body {tie.body}, but there are {len(scene.bodies)}: correct it.")
    if tie.vertex is not None:
        _check_vertex(scene, tie, tie.vertex)
    if any(hold.solid == tie.solid and hold.node in nodes and hold.kind == "POINT" for hold in scene.holds):
        raise SceneError(name, f"'{name}' ties points of '{solid.name}' that are held already: leave them out.")
    for other in scene.ties:
        apart = tie.body is not None and other.body not in (None, tie.body)
        if apart and other.solid == tie.solid and np.isin(nodes, other.nodes).any():
            raise SceneError(
                name, f"'{name}' and '{other.name}' tie the same points of '{solid.name}' to two rigid bodies: leave "
                "them out of one of these.",
            )  # fmt: skip


def _check_vertex(scene: Scene, tie: Tie, to: tuple[int, ...]) -> None:
    name, solid = tie.name, scene.solids[tie.solid]
    if len(to) != 2 or not 0 <= to[0] < len(scene.rods) or not 0 <= to[1] < len(scene.rods[to[0]].x):
        raise SceneError(name, f"'{name}' is to a point of a rod that there is not: correct it.")
    points, place = np.asarray(solid.x, np.float64)[tie.nodes], scene.rods[to[0]].x[to[1]]
    shares, gap = tie_shares(points, place)
    if gap > TOGETHER * np.linalg.norm(np.ptp(solid.x, axis=0)) or shares @ shares > STEEP:
        away = np.linalg.norm(points - place, axis=1).min()
        raise SceneError(
            name,
            f"'{name}': '{scene.rods[to[0]].name}' is {away:.3g} m from the nearest of the points of '{solid.name}' "
            "that it is tied to, and not among them: move it there or tie more of them.",
        )
