"""Surfaces to touch: faces that are there and keep their points, places that are numbers, a thickness in proportion."""

from collections.abc import Iterator

import numpy as np

from ..scene import Collider, Notice, Scene
from .edge_sides import edge_sides
from .errors import SceneError
from .limits import FARTHEST, FASTEST, check_size

CURE = "check the object and its animation"
THICKEST = 1e3  # m
ROUGHEST = 100.0  # of any friction
FLAT_FACE = 1e-6  # of a triangle's longest edge: a height that coordinates of single precision cannot tell from none


def check_collider(collider: Collider) -> None:
    """Raises SceneError."""
    _shapes(collider)
    _numbers(collider)
    _ways(collider)


def degenerate(x: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Which triangles (T, 3) of points x (V, 3) have no area: (T,) of bool."""
    corner = x[triangles].astype(np.float64)
    edge = np.roll(corner, -1, axis=1) - corner
    twice_area = np.linalg.norm(np.cross(edge[:, 0], edge[:, 1]), axis=1)
    return twice_area <= FLAT_FACE * (edge**2).sum(axis=2).max(axis=1)


def are_bars(triangles: np.ndarray) -> np.ndarray:
    """Which triangles (T, 3) are edges alone: (T,) of bool."""
    found: np.ndarray = triangles[:, 1] == triangles[:, 2]
    return found


def collider_notices(scene: Scene) -> list[Notice]:
    """Notices about colliders that pass `check_collider`: of each kind one, about the first, and how many more."""
    found: dict[str, list[Notice]] = {}
    for kind, name, text in [*_oddities(scene), *_twins(scene)]:
        found.setdefault(kind, []).append(Notice(name, 0, text))
    return [Notice(one.object, 0, _and_more(one.text, len(others))) for one, *others in found.values()]


def _and_more(sentence: str, count: int) -> str:
    return f"{sentence[:-1]} (and {count} more like this)." if count else sentence


def _shapes(collider: Collider) -> None:
    name, triangles, times = collider.name, np.asarray(collider.triangles), np.asarray(collider.times)
    if times.ndim != 1 or not len(times) or np.any(np.diff(times) <= 0.0) or not np.all(np.isfinite(times)):
        raise SceneError(name, f"'{name}': the times of its {times.size} samples have to increase.")
    if np.ndim(collider.points) != 3 or len(collider.points) != len(times) or collider.points.shape[2] != 3:
        shape = np.shape(collider.points)
        raise SceneError(name, f"'{name}': its points have the shape {shape} in place of ({len(times)}, …, 3): {CURE}.")
    if not triangles.size:
        raise SceneError(name, f"'{name}' has no faces to touch: give it some, or turn off its Collision physics.")
    if triangles.ndim != 2 or triangles.shape[1] != 3 or triangles.dtype.kind not in "iu":
        raise SceneError(
            name, f"'{name}': its triangles have the shape {triangles.shape}: give three numbers for each."
        )
    most = collider.points.shape[1]
    if not -1 <= collider.rim < most:
        raise SceneError(name, f"'{name}' turns by point {collider.rim}, but has {most}: choose one of them, or −1.")
    if triangles.min() < 0 or triangles.max() >= most:
        worst = triangles.max() if triangles.max() >= most else triangles.min()
        raise SceneError(name, f"'{name}' has a triangle at point {worst}, but {most} points: choose one of them.")


def _numbers(collider: Collider) -> None:
    name = collider.name
    if not 0.0 <= collider.thickness <= THICKEST:
        text = f"its thickness is {collider.thickness:g} m: keep it between 0 and {THICKEST:g} m."
        raise SceneError(name, f"'{name}': {text}")
    if not 0.0 <= collider.friction <= ROUGHEST:
        raise SceneError(name, f"'{name}': its friction is {collider.friction:g}: keep it between 0 and {ROUGHEST:g}.")


def _ways(collider: Collider) -> None:
    """One sample after the other: together they may be larger than memory."""
    name, before, then = collider.name, collider.points[0], collider.times[0]
    for points, time in zip(collider.points, collider.times, strict=True):
        if not np.all(np.isfinite(points)):
            where = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
            raise SceneError(name, f"'{name}': the place of its point {where} is not a number at {time:.3g} s: {CURE}.")
        check_size(
            name, np.abs(points).max(), FARTHEST, f"'{name}': its distance from the origin", "m", "bring it back"
        )
        if time > then:
            speed = np.abs(points - before).max() / (time - then)
            check_size(name, speed, FASTEST, f"'{name}': its speed at {time:.3g} s", "m/s", "move it more slowly")
        before, then = points, time


def _oddities(scene: Scene) -> Iterator[tuple[str, str, str]]:
    """(kind, name, sentence) of colliders that are not quite what one expects of a surface."""
    for collider in scene.colliders:
        name, x, triangles = collider.name, collider.points[0], collider.triangles
        triangles = triangles[~are_bars(triangles)]
        if not len(triangles):
            continue
        sides, _ = edge_sides(x, triangles)
        rims, forks = int(np.sum(sides == 1)), int(np.sum(sides > 2))
        if rims or forks:
            where = f"is open at {_counted(rims, 'edge')}"
            if not rims:
                where = f"has {_counted(forks, 'edge')} of more than two faces"
            yield "shell", name, f"'{name}' {where}: it works as a thin shell, which is touched from both sides."
        if flat := int(degenerate(x, triangles).sum()):
            text = f"'{name}' has {_counted(flat, 'triangle')} without area at the start, on which nothing can lie: "
            yield "flat", name, text + "merge its points by distance."
        size = float(np.ptp(x, axis=0).max())
        if collider.thickness > size:
            text = f"'{name}' keeps things {collider.thickness:.3g} m away, more than its own size of {size:.3g} m: "
            yield "thick", name, text + "lower its thickness."


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _twins(scene: Scene) -> Iterator[tuple[str, str, str]]:
    """(kind, name, sentence) of colliders that are exactly where another is."""
    known: dict[bytes, Collider] = {}
    for collider in scene.colliders:
        other = known.setdefault(collider.points[0].tobytes(), collider)
        if other is not collider:
            text = f"'{other.name}' and '{collider.name}' are exactly in the same place: move one or remove it."
            yield "twins", collider.name, text
