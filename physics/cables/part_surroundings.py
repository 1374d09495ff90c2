"""What parts of a harness may touch, as it is drawn."""

from collections.abc import Sequence

import numpy as np

from ..geometry.samples import points_at
from ..model import PAIR, Surfaces
from ..scene import Collider, Floor, Rod
from ..validate.errors import SceneError
from .contact_list import list_near, times_through
from .handle import Handle
from .harness_system import HarnessSystem
from .part import Part
from .part_contacts import PartContacts
from .surroundings import Surroundings
from .things import Places, Thing, cable, part_of, wall
from .units import Units

Cables = Sequence[tuple[Rod, Sequence[Handle]]]
FLOOR_SIZE = 1e3  # times the length, of the triangle that stands for a floor
# Of what a cable and a part are rounded by, from where it is mounted, on which they do not touch: as of pairs
BESIDE = 2.0


def part_contacts(
    whole: HarnessSystem, cables: Cables, free: Sequence[Part], around: Sequence[Thing], units: Units,
    apart: np.ndarray, y: np.ndarray,
) -> PartContacts | None:  # fmt: skip
    """Contacts of free parts that have shapes, with walls around, and unknowns y where it begins; None: none has.
    apart (G, G): groups that do not touch.
    """
    if not any(part.shape is not None for part in free):
        return None
    things, walls = [*around], len(around)
    for number, part in enumerate(free):
        if part.shape is not None:
            things.append(part_of(part.name, part.shape, number, units.length, part.group))
    parts = len(things)
    ends, start = np.cumsum([0, *(len(rod.x) for rod, _ in cables)]), whole.points_begin()
    for (rod, _), system, own, begin, end in zip(cables, whole.systems, whole.own, ends, ends[1:], strict=False):
        radius = np.asarray(rod.radius, float) / units.length
        things.append(cable(rod.name, system.points(y[own]), radius, start[begin:end], rod.group))
    pairs = [
        (i, j)
        for i in range(walls, parts)
        for j in (*range(walls), *range(i + 1, len(things)))
        if j < parts or cables[j - parts][0].touches
        if not (apart.size and apart[things[i].group, things[j].group])
    ]
    strengths = [part.strength * part.held for part in free if np.isfinite(part.strength)]
    weights = float(np.linalg.norm(whole.parts["weight"], axis=1).sum())
    found = PartContacts(Places(things, len(free)), pairs, sum(strengths) / units.force + weights)
    x = found.places.find(y).copy()
    found.meeting(x, x, 0.0)  # so that surfaces are there
    _skip_mounts(found, whole, x, walls, parts)
    return found


def walls_of(
    colliders: Sequence[Collider | Floor], around: Sequence[Surroundings], time: float, units: Units
) -> list[Thing]:
    """Colliders, from where they were around cables to where they are at a time [s]; a floor is a large triangle."""
    led: dict[int, np.ndarray] = {}
    for own in around:
        ends = own.surfaces.colliders["vertex"]
        led |= {id(c): own.surfaces.samples[:, a:b] for c, (a, b) in zip(own.colliders, ends, strict=True)}
    found = []
    for thing in colliders:
        if isinstance(thing, Collider):
            here = points_at(thing, time) / units.length
            found.append(wall(thing, led.get(id(thing), np.stack([here, here])), units.length))
        else:
            corners = FLOOR_SIZE * np.array([[0.0, -1.0, 0.0], [0.9, 0.5, 0.0], [-0.9, 0.5, 0.0]])
            corners[:, 2] = thing.height / units.length
            plane = Collider("floor", np.array([[0, 1, 2]]), np.zeros(1), corners[None])
            found.append(wall(plane, np.stack([corners, corners]), units.length))
    return found


def _skip_mounts(found: PartContacts, whole: HarnessSystem, x: np.ndarray, walls: int, parts: int) -> None:
    """Where cables are mounted on parts they do not touch these, until they have come out of them, and beyond."""
    things, first = found.places.things, found.places.first
    rows = found.those_at(x, 0.0)
    of = np.searchsorted(first, rows["point"], "right") - 1  # (c, 4)
    number = {things[k].part: k for k in range(walls, parts)}
    for mount in whole.mounts:
        if (own := number.get(mount.part)) is None:
            continue
        k, system = parts + mount.cable, whole.systems[mount.cable]
        row, arc, points = system.handles[mount.handle], system.arc, x[first[k] : first[k + 1]]
        at = (1.0 - row["share"]) * arc[row["segment"]] + row["share"] * arc[row["segment"] + 1]
        both = (of == k).any(axis=1) & (of == own).any(axis=1)
        deep = arc[rows["point"][both][of[both] == k] - first[k]]
        out = np.flatnonzero(_through(things[own].surfaces, points[:-1], points[1:]))
        beyond = BESIDE * float(things[own].radius.max() + things[k].radius.max())
        high = arc[out + 1][arc[out + 1] > at].min(initial=arc[-1]) if (arc[out + 1] > at).any() else at
        low = arc[out][arc[out] < at].max(initial=0.0) if (arc[out] < at).any() else at
        near = deep[(deep >= low - 2.0 * beyond) & (deep <= high + 2.0 * beyond)]
        low, high = near.min(initial=low) - beyond, near.max(initial=high) + beyond
        inside = (arc >= low) & (arc <= high)
        found.skipped[k, own] = found.skipped.get((k, own), np.zeros(len(inside), bool)) | inside


def check_apart(found: PartContacts) -> None:
    """Raises SceneError where one of two things is drawn through the other."""
    x, things = found.places.x.copy(), found.places.things
    for i, j in found.pairs:
        for a, b in ((i, j), (j, i)):
            ends, start = things[a].surfaces.edges["end"], found.places.first[a]
            ends = start + ends[~found.skipped_of(a, b)[ends].any(axis=1)]
            if _through(things[b].surfaces, x[ends[:, 0]], x[ends[:, 1]]).any():
                cure = "draw it beside it, or turn off its Collisions"
                raise SceneError(
                    things[i].name,
                    f"'{things[i].name}' is drawn through '{things[j].name}', which it touches: {cure}.",
                )


def _through(surfaces: Surfaces, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether each way from a to b (n, 3) goes through a surface."""
    if not len(a) or not len(surfaces.faces):
        return np.zeros(len(a), bool)
    half, all_of, none = 0.5 * (b - a), np.ones(len(a), bool), np.zeros(len(a), bool)
    pairs = np.zeros(1024, PAIR)
    while True:
        count = list_near(surfaces, 0.0, a + half, np.zeros(len(a)), np.linalg.norm(half, axis=1), all_of, none, pairs)
        if count <= len(pairs):
            break
        pairs = np.zeros(2 * count, PAIR)
    face, where = np.empty(len(a), np.int64), np.empty(len(a))
    times_through(surfaces, 0.0, a, b, pairs[:count], face, where)
    through: np.ndarray = face >= 0
    return through
