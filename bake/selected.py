"""*Bake Selected*: some things are simulated anew, and the others move as they were baked.

The others are surfaces that go where they went, colliders for what is simulated; a rigid body to which something new is
tied leads that. So they act and are touched, and nothing acts on them. What they have in frames is kept with the job,
and goes into the new frames as it is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from ..physics.arithmetic.quaternions import turned
from ..physics.geometry.rounding import elements_of, outside_of, round_of
from ..physics.scene import Collider, Frame, Notice, RigidBody, Rod, Scene, SoftBody
from ..physics.scenes.still_cables import beside

KINDS = ("rods", "bodies", "solids")
ALIKE = 1.1  # thickest over thinnest of the edges that one surface stands for
OFF = 1e-6  # m, and of a turn: how far a body that leads something may begin from where it is drawn
Thing = Rod | RigidBody | SoftBody
Numbers = Mapping[str, Sequence[int]]  # of things of each of KINDS
Rows = dict[tuple[str, str], tuple[np.ndarray, ...]]  # of a thing by kind and name: x and m1, or bodies; (F, n, width)


def rows_of(scene: Scene, frames: Sequence[tuple[np.ndarray, ...]]) -> Rows:
    """What each thing of a scene has in frames, (x, m1, bodies) each."""
    x, m1, bodies = (np.stack(arrays) for arrays in zip(*frames, strict=True))
    found, vertex, edge = Rows(), 0, 0
    for rod in scene.rods:
        found["rods", rod.name] = x[:, vertex : vertex + len(rod.x)], m1[:, edge : edge + rod.edge_count]
        vertex, edge = vertex + len(rod.x), edge + rod.edge_count
    for solid in scene.solids:
        found["solids", solid.name] = (x[:, vertex : vertex + len(solid.x)],)
        vertex += len(solid.x)
    found |= {("bodies", body.name): (bodies[:, b : b + 1],) for b, body in enumerate(scene.bodies)}
    return found


def _like(thing: Thing, was: Thing) -> bool:
    """Whether a thing can be shown as it was baked."""
    if isinstance(thing, RigidBody) and isinstance(was, RigidBody):
        moved_by = [(body.kinematic, body.suspended) for body in (thing, was)]
        return bool(np.allclose(thing.position, was.position, rtol=0.0, atol=OFF)) and moved_by[0] == moved_by[1]
    if isinstance(thing, SoftBody) and isinstance(was, SoftBody):
        return len(thing.x) == len(was.x) and np.array_equal(elements_of(thing), elements_of(was))
    return isinstance(thing, Rod) and isinstance(was, Rod) and (len(thing.x), thing.closed) == (len(was.x), was.closed)


def alike(scene: Scene, before: Scene) -> bool:
    """Whether two scenes have the same things, which can all be shown as they were baked."""
    pairs = [(getattr(scene, kind), getattr(before, kind)) for kind in KINDS]
    if any(len(things) != len(known) for things, known in pairs):
        return False
    return all(a.name == b.name and _like(a, b) for pair in pairs for a, b in zip(*pair, strict=True))


class Choice:
    """What is simulated anew: what is asked for, what is not as it was, and what is tied to it.

    anew: Numbers; notices: what was not asked for, and why it is among them.
    """

    def __init__(self, scene: Scene, before: Scene, baked: Rows, asked: Numbers) -> None:
        self.scene, self.notices = scene, list[Notice]()
        self._anew = {kind: set(asked[kind]) for kind in KINDS}
        for kind in KINDS:
            known = {thing.name: thing for thing in getattr(before, kind)}
            for number, thing in enumerate(getattr(scene, kind)):
                was = known.get(thing.name)
                if was is None or (kind, thing.name) not in baked or not _like(thing, was):
                    self._add(kind, number, "was added, or drawn otherwise, since the bake")
        self._leads = [_leads(body, baked.get(("bodies", body.name))) for body in scene.bodies]
        while self._with_what_is_tied():
            pass
        self.anew: Numbers = {kind: sorted(numbers) for kind, numbers in self._anew.items()}

    def _add(self, kind: str, number: int, why: str) -> bool:
        thing = getattr(self.scene, kind)[number]
        if number in self._anew[kind] or (kind == "bodies" and thing.kinematic):
            return False
        self._anew[kind].add(number)
        if not (isinstance(thing, RigidBody) and thing.mass == 0.0):  # what an artist knows nothing of, as a fork
            self.notices.append(Notice(thing.name, 0, f"'{thing.name}' {why}: it is baked anew too."))
        return True

    def _with_what_is_tied(self) -> bool:
        """Whether something is added to what is baked anew. A body can lead what is tied to it, if it begins as drawn;
        rods and soft bodies cannot.
        """
        found, scene, anew = False, self.scene, self._anew
        pairs = [(("rods", weld.rod), ("bodies", weld.body)) for weld in scene.welds]
        pairs += [(("rods", one.rod), ("bodies", one.body)) for one in scene.pulleys if one.body is not None]
        pairs += [(("solids", tie.solid), ("bodies", tie.body)) for tie in scene.ties if tie.body is not None]
        pairs += [(("solids", tie.solid), ("rods", tie.vertex[0])) for tie in scene.ties if tie.vertex is not None]
        pairs += [(("solids", hold.solid), ("solids", hold.other[0])) for hold in scene.holds if hold.other is not None]
        for (one, i), (other, j) in (ends for pair in pairs for ends in (pair, pair[::-1])):
            if i in anew[one] and not (other == "bodies" and self._leads[j]):
                name = getattr(scene, one)[i].name
                found |= self._add(other, j, f"is tied to '{name}', which is baked anew and acts on it")
        return found


def _leads(body: RigidBody, rows: tuple[np.ndarray, ...] | None) -> bool:
    """Whether a body can lead what is tied to it where it went."""
    if body.kinematic:
        return True
    if rows is None or body.mass == 0.0 or body.suspended:  # what hangs acts on what it hangs on
        return False
    start = np.append(body.position, [1.0, 0.0, 0.0, 0.0])
    return bool(np.allclose(rows[0][0, 0], start, rtol=0.0, atol=OFF))


@dataclass(frozen=True)
class Selected:
    """A scene of which some things are simulated: `anew`; others (F, W) has all others' numbers in each frame."""

    whole: Scene
    anew: Numbers
    others: np.ndarray

    @classmethod
    def of(cls, scene: Scene, anew: Numbers, baked: Rows) -> "Selected":
        """With the others as they were baked."""
        kept = [array.reshape(len(array), -1) for key in _others(scene, anew) for array in baked[key]]
        return cls(scene, anew, np.concatenate(kept, axis=1) if kept else np.zeros((scene.frame_count, 0)))

    @property
    def rows(self) -> Rows:
        """What the others have in frames."""
        things = {(kind, thing.name): thing for kind in KINDS for thing in getattr(self.whole, kind)}
        found, begin = Rows(), 0
        for key in _others(self.whole, self.anew):
            arrays = []
            for count, width in _shapes(things[key]):
                end = begin + count * width
                arrays.append(self.others[:, begin:end].reshape(-1, count, width))
                begin = end
            found[key] = (*arrays,)
        return found

    @property
    def names(self) -> list[str]:
        """Of the others."""
        return [name for _, name in _others(self.whole, self.anew)]

    def reduced(self, scene: Scene) -> Scene:
        """What of the scene, or of one with the same things, is simulated, among colliders in the others' place."""
        rows, times = self.rows, scene.frame_duration * np.arange(len(self.others))
        rods, solids = ({n: k for k, n in enumerate(self.anew[kind])} for kind in ("rods", "solids"))
        welds = [weld for weld in scene.welds if weld.rod in rods]
        ties = [tie for tie in scene.ties if tie.solid in solids]
        pulleys = [pulley for pulley in scene.pulleys if pulley.rod in rods]
        leading = {weld.body for weld in welds} | {tie.body for tie in ties if tie.body is not None}
        leading |= {pulley.body for pulley in pulleys if pulley.body is not None}
        leading |= {b for b, body in enumerate(scene.bodies) if body.kinematic}
        bodies = {b: k for k, b in enumerate(sorted(leading | {*self.anew["bodies"]}))}
        own, group, collision_filter = _apart(scene, [scene.rods[r] for r in rods])
        surfaces, aside = _with_way(_surfaces(scene, self.anew, rows, times, group) * scene.contact, own, scene)
        found = replace(
            scene, rods=(*own,), solids=tuple(scene.solids[s] for s in solids),
            bodies=tuple(
                scene.bodies[b] if b in self.anew["bodies"] or scene.bodies[b].kinematic
                else _led(scene.bodies[b], times, rows["bodies", scene.bodies[b].name][0][:, 0]) for b in bodies
            ),
            pins=tuple(replace(pin, rod=rods[pin.rod]) for pin in scene.pins if pin.rod in rods),
            welds=tuple(replace(weld, rod=rods[weld.rod], body=bodies[weld.body]) for weld in welds),
            pulleys=tuple(
                replace(one, rod=rods[one.rod], body=None if one.body is None else bodies[one.body]) for one in pulleys
            ),
            holds=tuple(
                replace(hold, solid=solids[hold.solid], other=hold.other and (solids[hold.other[0]], hold.other[1]))
                for hold in scene.holds if hold.solid in solids
            ),
            ties=tuple(
                replace(
                    tie, solid=solids[tie.solid], body=None if tie.body is None else bodies[tie.body],
                    vertex=None if tie.vertex is None else (rods[tie.vertex[0]], tie.vertex[1]),
                ) for tie in ties
            ),
            colliders=(*scene.colliders, *surfaces), collision_filter=(*collision_filter, *aside),
        )  # fmt: skip
        stay = self._standing(scene)
        return beside(found, stay, times, [rows["rods", rod.name][0] for rod in stay]) if stay else found

    def _standing(self, scene: Scene) -> list[Rod]:
        """The others' cables, which those that are simulated may meet."""
        names = self.names if scene.contact and any(scene.rods[r].model == "cable" for r in self.anew["rods"]) else []
        return [rod for rod in scene.rods if rod.model == "cable" and rod.touches and rod.name in names]

    def whole_frames(self, items: Iterable[Frame | Notice]) -> Iterator[Frame | Notice]:
        """What the simulation of the reduced scene yields, with the others in each Frame."""
        rows, reduced = self.rows, self.reduced(self.whole)
        own_cables = sum(self.whole.rods[r].model == "cable" for r in self.anew["rods"])
        for item in items:
            if isinstance(item, Notice):
                yield item
                continue
            own = rows_of(reduced, [(item.x, item.m1, item.bodies)])
            at = {key: tuple(array[0] for array in arrays) for key, arrays in own.items()}
            at |= {key: tuple(array[item.index] for array in arrays) for key, arrays in rows.items()}
            x = [at[kind, thing.name][0] for kind in ("rods", "solids") for thing in getattr(self.whole, kind)]
            m1 = [at["rods", rod.name][1] for rod in self.whole.rods]
            bodies = [at["bodies", body.name][0] for body in self.whole.bodies]
            places, axes, poses = (
                np.concatenate([np.zeros((0, width)), *rows]) for width, rows in ((3, x), (3, m1), (7, bodies))
            )
            yield replace(item, x=places, m1=axes, bodies=poses, cables=item.cables[:own_cables])


def _others(scene: Scene, anew: Numbers) -> list[tuple[str, str]]:
    """Keys of Rows of what is not simulated; bodies that an animation leads are."""
    return [
        (kind, thing.name)
        for kind in KINDS
        for number, thing in enumerate(getattr(scene, kind))
        if number not in anew[kind] and not (kind == "bodies" and thing.kinematic)
    ]


def _shapes(thing: Thing) -> list[tuple[int, int]]:
    """(rows, width) of what a thing has in a frame."""
    if isinstance(thing, Rod):
        return [(len(thing.x), 3), (thing.edge_count, 3)]
    return [(1, 7)] if isinstance(thing, RigidBody) else [(len(thing.x), 3)]


def fits(scene: Scene, anew: Numbers, others: np.ndarray) -> bool:
    """Whether others (F, W) has a row for each frame of a scene, with what all but `anew` have, finite."""
    things = {(kind, thing.name): thing for kind in KINDS for thing in getattr(scene, kind)}
    width = sum(count * size for key in _others(scene, anew) for count, size in _shapes(things[key]))
    return others.shape == (scene.frame_count, width) and bool(np.isfinite(others).all())


def _led(body: RigidBody, times: np.ndarray, poses: np.ndarray) -> RigidBody:
    """A body that goes where it went, poses (F, 7)."""
    return replace(body, times=times, track=poses[:, :3], turn=poses[:, 3:], shape=None, v=None, omega=None)


def _apart(scene: Scene, rods: Sequence[Rod]) -> tuple[list[Rod], int, tuple[tuple[int, int], ...]]:
    """(the rods, what is to be added to the group of a surface in another's place, which groups do not touch): those
    that touch no rods or bodies do not touch these surfaces either.
    """
    if all(_meets(rod) for rod in rods):
        return [*rods], 0, scene.collision_filter
    things: tuple[Thing | Collider, ...] = (*scene.rods, *scene.bodies, *scene.colliders, *scene.solids)
    count = 1 + max(thing.group for thing in things)
    kept = [(a + i * count, b + j * count) for a, b in scene.collision_filter for i, j in product(range(3), repeat=2)]
    apart = [(a + count, b + 2 * count) for a, b in product(range(count), repeat=2)]
    mine = [rod if _meets(rod) else replace(rod, group=rod.group + 2 * count) for rod in rods]
    return mine, count, (*kept, *apart)


def _meets(rod: Rod) -> bool:
    """Whether it meets the others' surfaces: a cable meets cables, which stay such."""
    return rod.touches and rod.model != "cable"


def _with_way(
    surfaces: Sequence[Collider], rods: Sequence[Rod], scene: Scene
) -> tuple[list[Collider], list[tuple[int, int]]]:
    """(the surfaces, which let through what cannot give way, the groups that do not touch such a one then)."""
    things: tuple[Thing | Collider, ...] = (*rods, *scene.bodies, *scene.colliders, *scene.solids, *surfaces)
    aside = 1 + max(thing.group for thing in things)
    pairs = [(group, aside) for group in range(aside + 1)] if surfaces else []
    return [replace(surface, aside=aside) for surface in surfaces], pairs


def _surfaces(scene: Scene, anew: Numbers, rows: Rows, times: np.ndarray, group: int) -> list[Collider]:
    """The others' surfaces, where they were."""
    found = []
    for kind, name in _others(scene, anew):
        thing, places = next(one for one in getattr(scene, kind) if one.name == name), rows[kind, name][0]
        for triangles, thickness, points in _meshes(thing, places):
            samples = 1 if np.array_equal(points[1:], points[:-1]) else len(points)
            own = thickness, thing.friction, thing.group + group
            found.append(Collider(name, triangles, times[:samples], points[:samples], *own))
    return found


def _meshes(thing: Thing, places: np.ndarray) -> Iterator[tuple[np.ndarray, float, np.ndarray]]:
    """(triangles (T, 3), radius around them, points (F, V, 3)) of the surfaces of a thing that has `places` (F, n, 3 or
    7) in frames.
    """
    if isinstance(thing, RigidBody):
        if thing.shape is not None:
            arms = thing.shape.points - thing.position
            yield thing.shape.triangles, thing.shape.radius, places[:, :, :3] + turned(places[:, :, 3:], arms[None])
    elif isinstance(thing, SoftBody):
        own, corner = np.unique(outside_of(thing), return_inverse=True)
        corner = corner.reshape(-1, 3)
        yield corner, round_of(thing, thing.x[own], corner), places[:, own]
    elif _meets(thing):
        tail = np.arange(thing.edge_count)
        head = (tail + 1) % len(thing.x)
        radius = 0.5 * (thing.radius[tail] + thing.radius[head])
        of = np.floor(np.log(radius / radius.min()) / np.log(ALIKE) + 1e-9)
        for k in np.unique(of):
            own, corner = np.unique(np.stack([tail, head, head], axis=1)[of == k], return_inverse=True)
            yield corner.reshape(-1, 3), float(radius[of == k].mean()), places[:, own]
