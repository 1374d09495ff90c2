"""What is drawn into something: rods into each other, themselves, colliders and rigid bodies, soft bodies and balls
into colliders, all into the floor. The bake will push them apart, or what stays is told. (Rigid and soft bodies in
each other are refused, or moved apart: see bodies_apart, solids_apart and start/push_apart.)
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ..geometry.neighbours import Capsules
from ..geometry.rounding import outside_of, round_of, rounded
from ..scene import Notice, Pin, Scene, Weld
from .overlap_with_bodies import bodies_in_colliders, bodies_into_each_other, overlap_with_bodies
from .overlap_with_colliders import overlap_with_colliders
from .soft_in_colliders import soft_in_colliders

NOTICED = 0.1  # of the smaller radius: overlaps that are less go without being seen
MOST_NOTICES = 5  # notices

Overlap = tuple[float, str, str]  # depth [m], owner, sentence


def overlaps(scene: Scene, owners: Sequence[str] | None = None) -> list[Notice]:
    """Notices, the deepest first and MOST_NOTICES at most, one for each pair of owners (R,), names, by default the
    rods', and for each owner and collider.
    """
    owners = [rod.name for rod in scene.rods] if owners is None else owners
    found = [
        *_folded(scene, owners), *_in_floor(scene, owners), *_bodies_in_floor(scene), *soft_in_colliders(scene),
        *bodies_into_each_other(scene, NOTICED), *bodies_in_colliders(scene, NOTICED),
        *overlap_with_colliders(scene, owners, NOTICED), *overlap_with_bodies(scene, owners, NOTICED),
    ]  # fmt: skip
    more = 0
    if scene.contact and any(rod.touches for rod in scene.rods):
        pairs, more = _into_each_other(scene, owners)
        found += pairs
    found.sort(key=lambda one: -one[0])
    more += max(len(found) - MOST_NOTICES, 0)
    texts = [(name, text) for _, name, text in found[:MOST_NOTICES]]
    if more:
        name, text = texts[-1]
        texts[-1] = (name, f"{text} There are {more} more like this.")
    return [Notice(name, 0, text) for name, text in texts]


def deepest(scene: Scene) -> tuple[float, int]:
    """(how deep two rods that touch are in each other, in parts of the smaller radius, the number of one of them)."""
    if not scene.contact or not any(rod.touches for rod in scene.rods):
        return 0.0, 0
    capsules = Capsules(scene)
    i, j, depth = capsules.overlapping()
    if not len(depth):
        return 0.0, 0
    part = depth / np.minimum(capsules.radius[i], capsules.radius[j])
    worst = int(part.argmax())
    return float(part[worst]), int(capsules.rod[i[worst]])


def _into_each_other(scene: Scene, owners: Sequence[str]) -> tuple[list[Overlap], int]:
    """([(depth, owner, sentence)] of the MOST_NOTICES deepest pairs of owners, how many more there are)."""
    capsules = Capsules(scene)
    i, j, depth = capsules.overlapping(NOTICED)
    number = {name: k for k, name in enumerate(dict.fromkeys(owners))}
    names, of = list(number), np.array([number[name] for name in owners])
    first, second = np.sort(np.stack([of[capsules.rod[i]], of[capsules.rod[j]]]), axis=0)
    pairs, pair = np.unique(first * len(names) + second, return_inverse=True)
    deepest = np.zeros(len(pairs))
    np.maximum.at(deepest, pair, depth)
    sentences = []
    for k in np.argsort(-deepest, kind="stable")[:MOST_NOTICES]:
        one, two = (names[number] for number in divmod(int(pairs[k]), len(names)))
        places = _runs(i[pair == k])
        where = "" if places == 1 else f" at {places} places"
        what, cure = f"'{one}' is drawn into itself", "lead it around itself or make it thinner"
        if one != two:
            what, cure = f"'{one}' and '{two}' are drawn into each other", "move them apart or make them thinner"
        sentences.append((deepest[k], one, f"{what}{where}, {deepest[k]:.3g} m deep: {cure}."))
    return sentences, len(pairs) - len(sentences)


def _runs(edges: np.ndarray) -> int:
    """How many runs of successive numbers there are."""
    return 1 + int((np.diff(np.unique(edges)) > 1).sum())


def _folded(scene: Scene, owners: Sequence[str]) -> Iterable[Overlap]:
    """(depth, owner, sentence) of rods that are thicker than long, and of rings whose hole their thickness fills."""
    found: dict[str, Overlap] = {}
    for rod, owner in zip(scene.rods, owners, strict=True):
        length, thick = float(np.linalg.norm(rod.edges(), axis=1).sum()), 2.0 * float(rod.radius.max())
        if rod.closed and length < (1.0 - NOTICED) * np.pi * thick:
            text = f"is a ring {length / np.pi:.3g} m across, inside its own thickness of {thick:.3g} m"
            found.setdefault(owner, (thick - length / np.pi, owner, f"'{owner}' {text}: make it larger or thinner."))
        elif not rod.closed and length < thick:
            text = f"is {thick:.3g} m thick but only {length:.3g} m long: make it longer or thinner."
            found.setdefault(owner, (thick - length, owner, f"'{owner}' {text}"))
    return found.values()


def _in_floor(scene: Scene, owners: Sequence[str]) -> Iterator[Overlap]:
    """(depth, owner, sentence) of what is drawn below the floor, near nothing that holds it there."""
    if scene.floor is None:
        return
    held: dict[int, list[np.ndarray]] = {}
    holds: tuple[Pin | Weld, ...] = (*scene.pins, *scene.welds)
    for hold in holds:
        held.setdefault(hold.rod, []).append(scene.rods[hold.rod].x[hold.vertex])
    deepest: dict[str, float] = {}
    for number, (rod, owner) in enumerate(zip(scene.rods, owners, strict=True)):
        depth = scene.floor.height + rod.radius - rod.x[:, 2]
        for place in held.get(number, ()):
            depth[np.linalg.norm(rod.x - place, axis=1) <= 2.0 * rod.radius] = 0.0
        worst = int(depth.argmax())
        if depth[worst] > NOTICED * rod.radius[worst]:
            deepest[owner] = max(deepest.get(owner, 0.0), float(depth[worst]))
    for owner, depth in deepest.items():
        yield depth, owner, f"'{owner}' is drawn {depth:.3g} m into the floor: raise it or lower the floor."


def _bodies_in_floor(scene: Scene) -> Iterator[Overlap]:
    """(depth, name, sentence) of rigid and soft bodies that are drawn below the floor, which is to touch them."""
    if scene.floor is None or not scene.contact:
        return
    lowest = []
    for body in scene.bodies:
        if body.shape is not None and not body.kinematic:
            low = body.shape.points[:, 2].min() - body.shape.radius
            lowest.append((body.name, low, rounded(body.shape)[1]))
    for solid in scene.solids if scene.scheme == "VERLET" else ():
        x = np.asarray(solid.x, np.float64)
        around = round_of(solid, x, outside_of(solid))
        lowest.append((solid.name, x[:, 2].min(), around))
    for name, low, around in lowest:
        depth = scene.floor.height - float(low)
        if depth > NOTICED * around:
            yield depth, name, f"'{name}' is drawn {depth:.3g} m into the floor: raise it or lower the floor."
