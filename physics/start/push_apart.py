"""Rigid and soft bodies that are drawn into each other, into colliders or into the floor are moved apart before the
first frame, as far as they have to and no further.

Nothing is turned or deformed. Of two convex bodies either goes its share of the least translation, by inverse mass, so
that their common centre stays; of what is held, led or a collider the other goes all of it. Pair after pair is taken,
and all over again until nothing overlaps (Gauss–Seidel's sweeps). High stacks, and what is light below what is heavy,
would take for ever, so later on what others lie on stays (shock propagation: Guendelman, Bridson & Fedkiw 2003,
*Nonconvex rigid bodies with stacking*).

What is hollow leaves the faces that it meets, one by
one, if that leads out, else the other's hull, as far as it has to. Out of a collider all go to the side on which they
mostly are. What is welded or tied to each other goes together, and stays where anything holds it. A soft body goes on
by what it is rounded by, as its surface is not rounded from within.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from ..least_translation import Way, deepest_of, least_translation, way_along
from ..rounding import extents, round_of
from ..samples import points_at
from ..scene import Collider, Floor, Notice, RigidBody, Rod, Scene, Shape, SoftBody
from ..solids.tetrahedra import boundary, volumes
from ..strangers import touch
from ..validate import SceneError
from ..validate.bodies_apart import check_bodies_apart
from ..validate.colliders import degenerate
from ..validate.drawn_into_bodies import depths_in, sides_of
from ..validate.pierced import Surface, encloses, pierced
from ..validate.solids_apart import check_solids_apart

SLIGHT = 1e-4  # of the smaller's smallest extent: what is drawn so little into others stays; what goes goes so much on
ROUNDING = 1e-9  # of the same: what has gone overlaps by no more
SWEEPS = 200
SHARED = 40  # sweeps, after which of two what is nearer to what is held or the floor stays
STEPS = 8  # out of hollow things, one face after the other
PARTS = 8  # of a way, of which the first that leads out is taken, and halved as often again
HOLLOW = 1e-3  # of the smallest extent: what is less is convex
DIRECTIONS = 256  # of faces that bound how deep others are
MOST = 5  # notices
NO_ROOM = "Pushing apart found no room."


def pushed_apart(scene: Scene) -> tuple[Scene, list[Notice]]:
    """(a scene that passes `check` with what overlaps moved apart, if it is to be; what was moved). Raises SceneError
    where there is no room, as without.
    """
    if not (scene.push_apart and scene.contact):
        return scene, []
    pushing = Pushing(scene)
    for sweep in range(SWEEPS):
        if not pushing.sweep(sweep < SHARED):
            break
    moved = pushing.tied.moved(scene)
    if _refusal(moved) is None:
        return moved, pushing.notices()
    refusal = _refusal(scene)
    if refusal is not None:
        raise pushing.in_vain(refusal)
    return scene, []


def _refusal(scene: Scene) -> SceneError | None:
    """Why a scene cannot begin as it is."""
    try:
        check_bodies_apart(scene)
        check_solids_apart(scene)
    except SceneError as error:
        return error
    return None


T = TypeVar("T", Rod, SoftBody)


class Tied:
    """Parts of a scene that go together: each rod, body and soft body with what is tied to it.

    rods, bodies, solids: the number of the part of each; size (P,), how many these are, mass (P,) [kg], held (P,) bool
    and way (P, 3) [m] of parts, the last of which is of what never moves.
    """

    def __init__(self, scene: Scene) -> None:
        first_body, first_solid = len(scene.rods), len(scene.rods) + len(scene.bodies)
        count = first_solid + len(scene.solids)
        joined = [(weld.rod, first_body + weld.body) for weld in scene.welds]
        joined += [(first_solid + tie.solid, first_body + tie.body) for tie in scene.ties if tie.body is not None]
        joined += [(first_solid + tie.solid, tie.vertex[0]) for tie in scene.ties if tie.vertex is not None]
        held = {pin.rod for pin in scene.pins} | {first_body + b for b, body in enumerate(scene.bodies) if body.led}
        for hold in scene.holds:
            if hold.other is not None:
                joined.append((first_solid + hold.solid, first_solid + hold.other[0]))
            if hold.other is None or hold.times is not None:
                held.add(first_solid + hold.solid)
        of = np.arange(count)
        for one, other in joined:
            of[of == of[other]] = of[one]
        part = np.unique(of, return_inverse=True)[1]
        self.rods, self.bodies, self.solids = np.split(part, [first_body, first_solid])
        self.size = np.append(np.bincount(part), 1)
        self.held = np.zeros(len(self.size), bool)
        self.held[[*part[sorted(held)], -1]] = True
        masses = [*(rod.mass.sum() for rod in scene.rods), *(body.mass for body in scene.bodies)]
        self.mass = np.append(np.bincount(part, [*masses, *map(_mass, scene.solids)]), np.inf)
        self.way = np.zeros((len(self.size), 3))

    def moved(self, scene: Scene) -> Scene:
        """The scene with each part where it has gone."""
        rods, bodies, solids = (self.way[parts] for parts in (self.rods, self.bodies, self.solids))
        return replace(
            scene,
            rods=tuple(map(_nodes_moved, scene.rods, rods)),
            bodies=tuple(map(_body_moved, scene.bodies, bodies)),
            solids=tuple(map(_nodes_moved, scene.solids, solids)),
        )


@dataclass(frozen=True)
class Thing:
    """What others are to be kept out of: a Shape, as drawn, of one of the scene's; the number of its part; how far off
    [m] others are put.
    """

    item: RigidBody | SoftBody | Collider
    shape: Shape
    part: int
    margin: float = 0.0

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def radius(self) -> float:
        return self.shape.radius + self.margin

    @property
    def shell(self) -> bool:
        """Whether it has no inside: of a collider either side is outside."""
        return isinstance(self.item, Collider)

    @property
    def held_by_others(self) -> bool:
        """Whether something else keeps it where it is, if it stays: it is no collider and follows no animation."""
        return not (self.shell or (isinstance(self.item, RigidBody) and self.item.led))

    @cached_property
    def size(self) -> float:
        """[m] its smallest extent."""
        return np.inf if self.shell else float(extents(self.shape.points).min() + 2.0 * self.shape.radius)

    @cached_property
    def faces(self) -> np.ndarray:
        """(T, 3) those of its triangles that have an area."""
        return self.shape.triangles[~degenerate(self.shape.points, self.shape.triangles)]

    @cached_property
    def normals(self) -> np.ndarray:
        """(N, 3) different ones of its faces."""
        p, q, r = np.moveaxis(self.shape.points[self.faces], 1, 0)
        normals = np.cross(q - p, r - p)
        return np.unique(np.round(normals / np.linalg.norm(normals, axis=1)[:, None], 6), axis=0)

    @cached_property
    def directions(self) -> np.ndarray:
        """(N, 3) some of them, unit vectors."""
        some = self.normals[:: 1 + len(self.normals) // DIRECTIONS]
        return some / np.linalg.norm(some, axis=1)[:, None] if len(some) else some

    @cached_property
    def convex(self) -> bool:
        points, (p, q, r) = self.shape.points, np.moveaxis(self.shape.points[self.faces], 1, 0)
        normals = np.cross(q - p, r - p)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        return not self.shell and all(
            (points @ n).max() <= at + HOLLOW * self.size
            for n, at in zip(normals, np.sum(normals * p, axis=1), strict=True)
        )

    def surface(self, way: np.ndarray) -> Surface:
        """Where it is, moved by a way (3,) [m]."""
        return Surface(self.name, self.shape.points + way, self.shape.triangles, self.shape.radius)


def _things(scene: Scene, tied: Tied) -> Iterator[Thing]:
    """All that bodies may be drawn into, but the floor; only what takes part in contact."""
    for body, part in zip(scene.bodies, tied.bodies, strict=True):
        if body.shape is not None:
            yield Thing(body, body.shape, part)
    for solid, part in zip(scene.solids, tied.solids, strict=True):
        if scene.scheme == "VERLET":
            x, outer = np.asarray(solid.x, np.float64), boundary(np.asarray(solid.tetrahedra))[0]
            nodes, triangles = np.unique(outer, return_inverse=True)
            yield Thing(solid, Shape(x[nodes], triangles.reshape(-1, 3)), part, round_of(solid.thickness, x, outer))
    for collider in scene.colliders:
        yield Thing(collider, Shape(points_at(collider, 0.0), collider.triangles), len(tied.held) - 1)


class Pushing:
    """The things of a scene on their way out of each other.

    out_of: what each thing was moved out of; went: how (3,) [m] one thing went last out of another; clear: its way as
    seen from that, as bytes, where nothing had to be done. rank (P,): of parts, how many others are between them and
    what is held or the floor.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.tied = scene, Tied(scene)
        self.things = list(_things(scene, self.tied))
        self.out_of: dict[int, dict[str, None]] = {}
        self.rank = np.where(self.tied.held, 0.0, np.inf)
        self.went: dict[tuple[int, int], np.ndarray] = {}
        self.clear: dict[tuple[int, int], bytes] = {}

    def sweep(self, by_mass: bool) -> bool:
        """Whether anything had to move: all pairs once, out of each other, and each out of the floor."""
        way, held, any_moved = self.tied.way, self.tied.held, False
        for i, j in self._near():
            one, other = self.things[i], self.things[j]
            here = way[one.part] - way[other.part]
            if self.clear.get((i, j)) == here.tobytes():
                continue
            out = _way_out(one, other, here, bool(way[[one.part, other.part]].any()))
            if not out.any():
                self.clear[i, j] = here.tobytes()
                continue
            if other.shell and self.went.get((i, j), out) @ out < 0.0:  # to and fro between faces
                out = _marched(one, other, here, out)
            self.went[i, j], rank = out, self.rank
            rank[one.part] = min(rank[one.part], rank[other.part] + 1.0)
            rank[other.part] = min(rank[other.part], rank[one.part] + 1.0)
            out, share = _longer(out, SLIGHT * min(one.size, other.size)), self._share(one.part, other.part, by_mass)
            for k, by, part in ((i, j, share), (j, i, share - 1.0)):
                way[self.things[k].part] += part * out
                if part != 0.0:
                    stays = " (held)" if held[self.things[by].part] and self.things[by].held_by_others else ""
                    self.out_of.setdefault(k, {})[f"'{self.things[by].name}'{stays}"] = None
            any_moved = True
        for k, thing in enumerate(self.things):
            depth = _below(thing, way[thing.part], self.scene.floor)
            if not held[thing.part] and depth > _spared(thing.size, thing.margin, bool(way[thing.part].any())):
                way[thing.part, 2] += depth + SLIGHT * thing.size
                self.rank[thing.part] = 1.0
                self.out_of.setdefault(k, {})["the floor"] = None
                any_moved = True
        return any_moved

    def _near(self) -> Iterator[tuple[int, int]]:
        """Pairs (i, j), i < j, of things of different parts, one of which may move, that touch and whose boxes meet."""
        things, held = self.things, self.tied.held
        if not things:
            return
        low, high = (
            np.array([f(one.shape.points, axis=0) + side * one.radius + self.tied.way[one.part] for one in things])
            for f, side in ((np.min, -1.0), (np.max, 1.0))
        )
        part = np.array([one.part for one in things])
        for i, one in enumerate(things):
            meet = np.all((low[i] <= high[i + 1 :]) & (low[i + 1 :] <= high[i]), axis=1)
            meet &= (part[i + 1 :] != one.part) & ~(held[part[i + 1 :]] & held[one.part])
            for j in i + 1 + np.flatnonzero(meet):
                if touch(self.scene, one.item, things[j].item):
                    yield i, int(j)

    def _share(self, one: int, other: int, by_mass: bool) -> float:
        """What part of their way apart the part `one` goes, the `other` the rest."""
        mass, held = self.tied.mass, self.tied.held
        if held[one] or held[other]:
            return float(held[other])
        if by_mass:
            return float(mass[other] / (mass[one] + mass[other]))
        return 0.5 if self.rank[one] == self.rank[other] else float(self.rank[one] > self.rank[other])

    def notices(self) -> list[Notice]:
        """One for each thing that was moved, the farthest first and MOST at most."""
        things, found = self.things, []
        far = {k: float(np.linalg.norm(self.tied.way[things[k].part])) for k in self.out_of}
        order = sorted((k for k in far if far[k] > SLIGHT * things[k].size), key=lambda k: (-far[k], k))
        for k in order[:MOST]:
            name, out_of = things[k].name, list(self.out_of[k])
            out = " and ".join(out_of) if len(out_of) < 3 else f"{out_of[0]}, {out_of[1]} and {len(out_of) - 2} more"
            how_far = f"{1e3 * far[k]:.3g} mm" if far[k] < 1.0 else f"{far[k]:.3g} m"
            along = " with what is tied to it" if self.tied.size[things[k].part] > 1 else ""
            found.append(Notice(name, 0, f"'{name}' is moved by {how_far}{along}, out of {out}."))
        if len(order) > MOST:
            found[-1] = replace(found[-1], text=f"{found[-1].text} There are {len(order) - MOST} more like this.")
        return found

    def in_vain(self, refusal: SceneError) -> SceneError:
        """A refusal of the scene as drawn, with the reason why nothing is done about it; of rods nothing is tried."""
        if refusal.object not in {thing.name for thing in self.things}:
            return refusal
        held = [f"'{thing.name}'" for thing in self.things if thing.held_by_others and self.tied.held[thing.part]]
        held = [name for name in held if name in str(refusal)]
        why = f" Held, and so left where it is: {', '.join(held)}." if held else ""
        return SceneError(refusal.object, f"{refusal} {NO_ROOM}{why}")


def _below(thing: Thing, way: np.ndarray, floor: Floor | None) -> float:
    """How deep [m] a thing, moved by a way (3,), is in the floor; −∞: there is none."""
    height = -np.inf if floor is None else floor.height
    return height - float(thing.shape.points[:, 2].min() + way[2] - thing.radius)


def _spared(size: float, margin: float, went: bool) -> float:
    """How deep [m] things may be in each other, their margins taken together: as drawn they need not keep these."""
    return size * ROUNDING if went else size * SLIGHT + margin


def _way_out(one: Thing, other: Thing, here: np.ndarray, went: bool) -> np.ndarray:
    """The way (3,) [m] of the one, moved by `here`, out of the other; zeros: there is no need. went: whether either has
    moved at all.
    """
    size, margin = min(one.size, other.size), one.margin + other.margin
    least = _spared(size, margin, went)
    if one.convex and other.convex:
        found = _hulls(one, other, here)
        return found.depth * found.along if found.depth > least else np.zeros(3)
    if other.shell and one.convex:
        return _out_of_faces(one, other, here, least)
    least = min(least, size * SLIGHT)
    if not _meet(one, other, here, least):
        return np.zeros(3)
    if other.shell:
        return _longer(_shortened(one, other, here, _out_of_faces(one, other, here, least), least), margin)
    stepwise = np.zeros(3)
    for _ in range(STEPS):
        step = _out_of_faces(one, other, here + stepwise, least)
        if not step.any():
            break
        stepwise += _longer(step, size * SLIGHT)  # what just touches meets by rounding
    found = _hulls(one, other, here)
    whole = _longer(_shortened(one, other, here, found.depth * found.along, least), margin)
    free = stepwise.any() and not _meet(one, other, here + stepwise, least)
    return stepwise if free and stepwise @ stepwise < whole @ whole else whole


def _marched(one: Thing, shell: Thing, here: np.ndarray, out: np.ndarray) -> np.ndarray:
    """The shortest way (3,) [m] straight along an axis that takes the one, moved by `here`, out of a shell; `out`:
    there is none.
    """
    corners, best = shell.shape.points[shell.faces], np.inf
    for along in (*np.eye(3), *-np.eye(3)):
        far, step = 0.0, np.inf
        for _ in range(STEPS):
            points = one.shape.points + here + far * along
            step = way_along(points, one.directions, one.radius, corners, along)
            far += step
            if step == 0.0 or far >= best:
                break
        if step == 0.0 and far < best:
            best, out = far, far * along
    return out


def _longer(way: np.ndarray, by: float) -> np.ndarray:
    """A way (3,) [m] and on."""
    length = float(np.linalg.norm(way))
    return way * (1.0 + by / length) if length > 0.0 else way


def _hulls(one: Thing, other: Thing, here: np.ndarray) -> Way:
    """Of the hull of the one, moved by `here`, out of that of the other."""
    return least_translation(one.shape.points + here, other.shape.points, one.radius + other.radius)


def _out_of_faces(one: Thing, other: Thing, here: np.ndarray, least: float) -> np.ndarray:
    """The longest (3,) [m] of the least translations, more than `least`, of the one, moved by `here`, out of the
    other's faces, or the other way round if that is convex; of a hollow one, each of its faces by itself, but all its
    hull out of a shell.
    """
    radius, corners = one.radius + other.radius, other.shape.points[other.faces]
    if other.convex:
        own = one.shape.points[one.faces] + here
        found = deepest_of(other.shape.points, other.directions, radius, own, least)
        return np.zeros(3) if found is None else -found.depth * found.along
    points = one.shape.points + here
    pieces = [points] if one.convex or other.shell else points[one.faces]
    low, high = other.shape.points.min(axis=0) - radius, other.shape.points.max(axis=0) + radius
    deepest = np.zeros(3)
    for piece in pieces:
        if np.all((piece.min(axis=0) <= high) & (piece.max(axis=0) >= low)):
            directions = one.directions if piece is points else np.zeros((0, 3))
            found = deepest_of(piece, directions, radius, corners, least)
            if found is not None:
                least, deepest = found.depth, found.depth * found.along
    return deepest


def _meet(one: Thing, other: Thing, here: np.ndarray, least: float) -> bool:
    """Whether the surface of the one, moved by `here`, is within the other's by more than `least` [m]."""
    if one.shape.radius > 0.0 or other.shape.radius > 0.0:
        round_, hollow, way = (one, other, here) if one.shape.radius > 0.0 else (other, one, -here)
        tail, head = (round_.shape.points[ends] + way for ends in sides_of(round_.shape).T)
        bare = replace(hollow.shape, radius=max(hollow.shape.radius, 1e-3 * least))
        return bool(depths_in(bare, tail, head, np.full(len(tail), round_.shape.radius))[0].max() > least)
    first, second = one.surface(here), other.surface(np.zeros(3))
    depth = max(pierced(first, second), pierced(second, first))
    enclosed = depth < 0.0 and not other.shell and (encloses(first, second) or encloses(second, first))
    return enclosed or depth > least


def _shortened(one: Thing, other: Thing, here: np.ndarray, way: np.ndarray, least: float) -> np.ndarray:
    """The first part of a way (3,) at whose end nothing meets, the whole where there is none."""
    free = next((k for k in range(1, PARTS) if not _meet(one, other, here + k / PARTS * way, least)), PARTS)
    low, high = (free - 1) / PARTS, free / PARTS
    for _ in range(PARTS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _meet(one, other, here + middle * way, least) else (low, middle)
    return high * way


def _mass(solid: SoftBody) -> float:
    """[kg] about, of a soft body."""
    weight = 1.0 if solid.weight is None else float(np.mean(solid.weight))
    return solid.density * weight * float(volumes(solid.relaxed()).sum())


def _nodes_moved(thing: T, way: np.ndarray) -> T:
    return replace(thing, x=thing.x + way) if way.any() else thing


def _body_moved(body: RigidBody, way: np.ndarray) -> RigidBody:
    if not way.any():
        return body
    shape = replace(body.shape, points=body.shape.points + way) if body.shape is not None else None
    return replace(body, position=body.position + way, shape=shape)
