"""What holds nodes of soft bodies."""

import numpy as np

from ..scene import HOLDS, Hold, Scene
from .errors import SceneError
from .samples import check_samples

TOGETHER = 1e-9  # of their distance from the origin, or m: how far apart nodes that are joined may be drawn


def check_soft_holds(scene: Scene) -> None:
    """Raises SceneError."""
    held: dict[tuple[int, int], str] = {}
    for hold in scene.holds:
        _nodes(scene, hold)
        _geometry(scene, hold)
        name = hold.name
        if not hold.stiffness > 0.0:
            raise SceneError(
                name, f"'{name}': its stiffness is {hold.stiffness:g} N/m: it has to be greater than zero."
            )
        if not hold.release > 0.0:
            raise SceneError(name, f"'{name}': it lets go at {hold.release:g} s: it has to be after the start.")
        whole = hold.influence is None or bool((np.ravel(hold.influence)[:1] >= 1.0).all())  # else a spring at once
        if hold.kind == "POINT" and np.isinf(hold.stiffness) and whole:
            other = held.setdefault((hold.solid, hold.node), name)
            if other is not name:
                raise SceneError(
                    name, f"'{name}' and '{other}' hold the same node {hold.node} exactly: remove one of them."
                )


def _nodes(scene: Scene, hold: Hold) -> None:
    name, pairs = hold.name, hold.kind in ("JOIN", "DISTANCE")
    if hold.kind not in HOLDS:
        raise SceneError(name, f"'{name}': the kind '{hold.kind}' is unknown: choose one of {', '.join(HOLDS)}.")
    if pairs != (hold.other is not None):
        text = f"needs another node to hold to: give one, or hold a {HOLDS[0]}" if pairs else "holds to no other node"
        raise SceneError(name, f"'{name}' is a {hold.kind}, which {text}.")
    if hold.other is not None and len(hold.other) != 2:
        raise SceneError(name, f"'{name}' holds to {len(hold.other)} numbers: give a soft body's and a node's.")
    for solid, node in ((hold.solid, hold.node), *([hold.other] if hold.other else [])):
        if not 0 <= solid < len(scene.solids):
            raise SceneError(name, f"'{name}' holds soft body {solid}, but there are {len(scene.solids)}: correct it.")
        if not 0 <= node < len(scene.solids[solid].x):
            raise SceneError(
                name, f"'{name}' holds node {node} of '{scene.solids[solid].name}', which has "
                f"{len(scene.solids[solid].x)}: correct it.",
            )  # fmt: skip


def _geometry(scene: Scene, hold: Hold) -> None:
    name, place = hold.name, np.asarray(scene.solids[hold.solid].x[hold.node])
    if hold.other is not None:
        gap = float(np.linalg.norm(place - scene.solids[hold.other[0]].x[hold.other[1]]))
        near = TOGETHER * max(1.0, float(np.linalg.norm(place)))
        if hold.kind == "JOIN" and gap > near:
            raise SceneError(name, f"'{name}' joins nodes that are {gap:.3g} m apart: move them together first.")
        if hold.kind == "DISTANCE" and gap <= near:
            raise SceneError(name, f"'{name}' keeps two nodes in one place apart, at no distance: JOIN them.")
    if hold.kind in ("PLANE", "LINE"):
        direction = np.zeros(0) if hold.direction is None else np.asarray(hold.direction, np.float64)
        if direction.shape != (3,) or not np.isfinite(direction).all() or not np.linalg.norm(direction) > 0.0:
            raise SceneError(
                name, f"'{name}' has no direction: a {hold.kind} needs one of three numbers, not all zero."
            )
    if (hold.times is None) != (hold.track is None):
        raise SceneError(name, f"'{name}' has times or a track but not both: give both or neither.")
    if hold.times is not None:
        check_samples(hold, {"track": 3, "influence": 0}, None, "check what it is led by")
    _influence(scene, hold)


def _influence(scene: Scene, hold: Hold) -> None:
    name, influence = hold.name, hold.influence
    if influence is None:
        return
    if hold.times is None:
        raise SceneError(name, f"'{name}' has an influence but no times and no track: give all, or none.")
    if np.min(influence) < 0.0 or np.max(influence) > 1.0:
        raise SceneError(name, f"'{name}': its influence has to be from 0 to 1.")
    if scene.scheme != "VERLET" and np.isinf(hold.stiffness):
        raise SceneError(name, f"'{name}' holds exactly, by {scene.scheme}: its influence counts by VERLET alone.")
