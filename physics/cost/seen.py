"""What is seen of each rod in a scene at rest: what it is near, what drives it, what it may come to lie on."""

from typing import NamedTuple

import numpy as np

from ..neighbours import Capsules
from ..scene import Rod, Scene
from ..strands import strands
from .motion import Motion, motion
from .pulled import pulls
from .stable_steps import loads, rod_steps

NEAR = 5.0  # radii, or half an edge: what comes into touch
BESIDE = 0.5  # radii: as near is what presses at last, however fine its edges are
PRESSING, MOST = 0.45, 0.5  # pairs that press for each edge that is near others, and for each vertex at most
TIED = 0.6  # of what pulls at it, by which a knot presses on itself,
RESTS = 0.1  # and of its weight, by which a rod does on what it lies on
WOUND = 2.0  # such pairs, in the mean, for each time that a rod is wound up
BENT = 0.5  # of its length from one place to another: as near the two are where a rod is bent to touch itself


class Seen(NamedTuple):
    """What is seen of each rod in a scene at rest."""

    stable: np.ndarray  # (R,) [s] the largest step it allows
    motion: Motion
    radius: np.ndarray  # (R,) [m] where it is thinnest
    touches: np.ndarray  # (R,) bool: whether it touches rods
    pairs: np.ndarray  # (R,) of edges that come to press on each other,
    along: np.ndarray  # (R,) and of those that only are near each other along it
    on_floor: np.ndarray  # (R,) bool: whether it may come to lie there,
    on_mesh: np.ndarray  # (R,) or on a collider
    struck: np.ndarray  # (R,) bool: whether it falls on a rod, or a rod on it
    framed: np.ndarray  # (R, 2) bool: whether frames are solved for, by explicit steps and by implicit ones
    strand: np.ndarray  # (R,) bool: whether implicit steps take it side by side with others
    beside: int  # vertices of all of these


class Near(NamedTuple):
    """Which edges are near each other at the start."""

    rods: np.ndarray  # (k, 2) of each pair of edges
    along: np.ndarray  # (k,) bool: pairs that only are as near along one rod, which is not bent enough to touch itself
    edges: np.ndarray  # (R,) of each rod that are beside a rod, each once for every one
    loop: np.ndarray  # (R,) [m] the longest way along a rod between two places where it touches itself


def seen(scene: Scene, near: np.ndarray, along: np.ndarray, edges: np.ndarray, loop: np.ndarray) -> Seen:
    """What is Seen of the rods; see Near."""
    count = len(scene.rods)
    welded = {weld.rod for weld in scene.welds}
    walls = scene.floor is not None or len(scene.colliders) > 0
    framed = np.zeros((count, 2), dtype=bool)
    for r, rod in enumerate(scene.rods):
        alone = not (walls or rod.closed or r in welded or (scene.contact and rod.touches))
        solved = _framed(rod)
        framed[r] = solved, solved or not alone
    own = strands(scene)
    moves, touches = motion(scene), np.array([scene.contact and rod.touches for rod in scene.rods], dtype=bool)
    most = [MOST * len(rod.x) for rod in scene.rods]
    pairs = np.minimum(PRESSING * edges + WOUND * moves.wound * touches, most)
    hung = loads(scene)
    pulled, weight = pulls(scene, hung, loop), np.array([rod.mass.sum() for rod in scene.rods]) + hung
    presses = np.maximum(TIED * pulled * (loop > 0.0), RESTS * weight * np.linalg.norm(scene.gravity) * (pairs > 0.0))
    return Seen(
        stable=np.array(rod_steps(scene, pulled, presses)), motion=moves, touches=touches,
        radius=np.array([rod.radius.min() for rod in scene.rods], dtype=float),
        pairs=pairs, along=np.bincount(near[along, 0], minlength=count),
        on_floor=np.array([_reaches_floor(scene, rod) for rod in scene.rods], dtype=bool),
        on_mesh=_reach_meshes(scene), struck=_struck(scene, touches & ~moves.held, touches),
        framed=framed, strand=np.isin(np.arange(count), own),
        beside=sum(len(scene.rods[r].x) for r in own),
    )  # fmt: skip


def near_rods(scene: Scene) -> Near:
    """What is Near of the rods."""
    count = len(scene.rods)
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return Near(np.zeros((0, 2), dtype=int), np.zeros(0, dtype=bool), np.zeros(count), np.zeros(count))
    capsules = Capsules(scene)
    margin = np.minimum(NEAR * capsules.radius, 0.5 * capsules.size)
    first, second, gap = capsules.near(np.maximum(margin, BESIDE * capsules.radius))
    rods = np.stack([capsules.rod[first], capsules.rod[second]], axis=1)
    arc = np.abs(capsules.arc[first] - capsules.arc[second])
    arc = np.minimum(arc, capsules.around[first] - arc)
    apart = np.linalg.norm(capsules.middle[first] - capsules.middle[second], axis=1)
    same = rods[:, 0] == rods[:, 1]
    along = same & (apart > BENT * arc)
    loop, meets = np.zeros(count), gap < margin[first] + margin[second]
    np.maximum.at(loop, rods[same & ~along, 0], arc[same & ~along])
    both = np.concatenate([first[~along], second[~along]]), rods[~along][:, ::-1].T.ravel()
    beside = np.unique(both[0] * count + both[1]) // count
    return Near(rods[meets], along[meets], np.bincount(capsules.rod[beside], minlength=count), loop)


def _framed(rod: Rod) -> bool:
    """Whether its material frames are solved for by all steps: it is flat, or curved by nature, or stretches."""
    flat = np.ptp(rod.bend_stiffness, axis=1).max() > 1e-9 * rod.bend_stiffness.max()
    curved = rod.shape_memory > 0.0 and _curved(rod.x if rod.rest_x is None else rod.rest_x)
    return flat or curved or rod.stretchable


def _curved(x: np.ndarray) -> bool:
    away, along = x - x[0], x[-1] - x[0]
    return np.linalg.norm(np.cross(away, along), axis=1).max() > 1e-9 * (along @ along)


def _reach_meshes(scene: Scene) -> np.ndarray:
    """(R,) bool: rods that may come to lie on a collider: where their length reaches to the box of its places."""
    found = np.zeros(len(scene.rods), dtype=bool)
    if not scene.rods:
        return found
    low, high = (np.array([ends(rod.x, axis=0) for rod in scene.rods]) for ends in (np.min, np.max))
    room = np.array([[np.linalg.norm(rod.edges(), axis=1).sum() + rod.radius.max()] for rod in scene.rods])
    for collider in scene.colliders:
        a, b = collider.points.min(axis=(0, 1)), collider.points.max(axis=(0, 1))
        found |= np.all((low - room <= b) & (a <= high + room), axis=1)
    return found


def _struck(scene: Scene, falls: np.ndarray, touches: np.ndarray) -> np.ndarray:
    """(R,) bool: rods above or below others, of which one falls: boxes around their shadows along gravity meet. falls,
    touches (R,) bool: which may strike, and which may be struck.
    """
    gravity, found = float(np.linalg.norm(scene.gravity)), np.zeros(len(scene.rods), dtype=bool)
    if gravity == 0.0 or not falls.any() or len(scene.rods) < 2:
        return found
    across = np.linalg.svd(scene.gravity[None])[2][1:].T  # (3, 2)
    shadows = [rod.x @ across for rod in scene.rods]
    radius = np.array([[rod.radius.max()] for rod in scene.rods])
    low = np.array([shadow.min(axis=0) for shadow in shadows]) - radius
    high = np.array([shadow.max(axis=0) for shadow in shadows]) + radius
    for r in np.flatnonzero(falls):
        met = np.all((low[r] <= high) & (low <= high[r]), axis=1) & touches
        met[r] = False
        found |= met
        found[r] |= met.any()
    return found


def _reaches_floor(scene: Scene, rod: Rod) -> bool:
    """Whether it may come to lie on the floor: where its length reaches down to."""
    if scene.floor is None:
        return False
    return rod.x[:, 2].min() - np.linalg.norm(rod.edges(), axis=1).sum() < scene.floor.height + rod.radius.max()
