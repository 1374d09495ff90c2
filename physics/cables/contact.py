"""What a cable touches: the contacts of its points and segments with surfaces and a floor, without friction (Grégoire
2007, ch. 5).

Contacts are planes, listed where surfaces are near, and anew where the cable has come to rest: planes as they are
there, with forces as they were. In between those stay that press, whatever lies beside their faces, and others come as
the cable moves on. No point goes further at once than surfaces are looked for, so that none passes through.

Forces are found for all contacts at once, as Newton's method asks for them (§5.2, whose matrix M is never formed: the
band takes contacts as springs so stiff that they do not give, and their forces are what these springs hold). Those that
would pull let go, and those that are gone through take hold, until none does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..assemble.surfaces import lay_out
from ..contact.bounding_volumes import fit
from ..elements.contact_press import (
    CONTACT,
    PLANE,
    contact_changes,
    contact_derivatives,
    contact_energy,
    contact_forces,
    contact_gaps,
    flatten,
)
from ..model import Surfaces
from ..neighbours import nearest
from ..samples import points_at
from ..scene import Collider, Floor
from ..solid_angle import solid_angle
from ..validate.edge_sides import edge_sides
from .contact_list import FLOOR, crossings, list_contacts
from .tables import STRIDE

GIVES = 0.1  # of a radius, by which contacts give to a force of 1 before integral forces take over
RIGID = 1e8  # stiffness that does not give: a force of 1 moves it by 1e-8, and rounding makes 1e-8 of it
FURTHEST = 0.02  # of the cable that a point may go at once, or twice the radius
ROUNDS = 10  # in which contacts let go and take hold
CHANGE = 1e-2  # times what forces change by, when planes turn: counts as a gap, for what bends or hangs resists by 10
SUNK = 0.05  # of the radius, by which what a handle holds is in something: there it touches nothing
NONE = np.zeros(0, bool)
SKIN = 2.0  # radii: gaps that are listed; what goes further at once is stopped by faces, and finds them so
NEARLY = 0.9  # of the way to a face that is in the way
ON = 1e-9  # of a way that begins on a face, which then is not in the way
HALVINGS = 10  # of a step that leads a segment over an edge
WAY_OUT = 2.0  # depths along the cable to where it is outside again


@dataclass(frozen=True)
class Surroundings:
    """What there is to touch, in units of a cable's length: where it was and where it is to be."""

    colliders: tuple[Collider, ...]
    length: float  # [m]
    surfaces: Surfaces
    outward: np.ndarray  # (K,): see contact_list
    floor: float | None
    moves: float  # the longest way of any vertex


def surroundings(
    things: Sequence[Collider | Floor], time: float, length: float, before: Surroundings | None
) -> Surroundings:
    """Colliders at a time [s]; where they were `before`, if these are the same colliders or have the same triangles."""
    colliders = tuple(thing for thing in things if isinstance(thing, Collider))
    height = max((thing.height / length for thing in things if isinstance(thing, Floor)), default=None)
    places = [points_at(c, time) / length for c in colliders]
    if before is not None and before.length == length and _alike(colliders, before.colliders):
        samples = np.stack([before.surfaces.samples[1], np.concatenate([np.zeros((0, 3)), *places])])
        surfaces, outward = before.surfaces, before.outward
        if before.moves == 0.0 and np.array_equal(samples[0], samples[1]):
            return replace(before, colliders=colliders, floor=height)
        surfaces = surfaces._replace(samples=samples, tree=surfaces.tree.copy())
    else:
        thickness = [c.thickness / length for c in colliders]
        surfaces = lay_out([(p, c.triangles, t, 0.0) for p, c, t in zip(places, colliders, thickness, strict=True)])
        outward = np.array([_outward(p, c.triangles) for p, c in zip(places, colliders, strict=True)])
    if len(surfaces.faces):
        fit(surfaces)
    way = surfaces.samples[1] - surfaces.samples[0]
    moves = float(np.linalg.norm(way, axis=1).max(initial=0.0))
    return Surroundings(colliders, length, surfaces, outward.astype(float), height, moves)


def _alike(some: Sequence[Collider], others: Sequence[Collider]) -> bool:
    """Whether colliders have the same triangles and thickness, in the same order."""
    return len(some) == len(others) and all(
        a is b or (a.thickness == b.thickness and np.array_equal(a.triangles, b.triangles))
        for a, b in zip(some, others, strict=True)
    )


def _outward(x: np.ndarray, triangles: np.ndarray) -> float:
    """1 or −1 of a closed surface whose faces look outwards or inwards, 0 of any other."""
    sides, excess = edge_sides(x, triangles)
    if (sides != 2).any() or (excess != 0).any():
        return 0.0
    a, b, c = np.moveaxis(x[triangles] - x.mean(axis=0), 1, 0)
    return float(np.sign(np.einsum("ti,ti->", a, np.cross(b, c))))


class Contacts:
    """Of a cable of points with radius (n,), in units of its length, of which some are `held` (n,) by handles."""

    def __init__(self, around: Surroundings, radius: np.ndarray, length: np.ndarray, held: np.ndarray) -> None:
        self.around, self.radius, self.held = around, radius, held
        self.arc = np.concatenate([[0.0], np.cumsum(length)])
        self.stiffness = 1.0 / (GIVES * radius.min())
        self.furthest = max(FURTHEST, 2.0 * float(radius.max()))
        self.skin = SKIN * float(radius.max())  # surfaces go no further at once, for what comes nearer has to be listed
        self.part = 1.0  # of the way of surfaces
        self.rows = np.zeros(0, CONTACT)
        self.listed: np.ndarray | None = None  # (n, 3) where points were
        self.outside = np.ones(len(radius), bool)  # (n,) whether points are above all that they touch
        self.stopped = False  # whether a face was in the way since contacts were listed
        self.above = np.zeros((len(radius), 3))  # where points were when they were last seen above all surfaces
        self.sunk_in = np.full(len(radius), -1)  # colliders that they were inside there,
        self.out = np.zeros((len(radius), 3))  # and which way leads out
        self._depth = self.furthest
        self.work = np.zeros((4, 6))
        self.pressing: np.ndarray | None = None  # (c,) of rows as stiff as RIGID

    def begin_from(self, before: "Contacts | None", scale: float) -> None:
        """Takes over contacts of before, with forces by that scale."""
        if before is not None and len(before.radius) == len(self.radius) and self._alike(before):
            self.rows, self.listed = before.rows.copy(), before.listed
            self.above, self.sunk_in, self.out = before.above.copy(), before.sunk_in.copy(), before.out.copy()
            self.rows["force"] *= scale
            self.rows["stiffness"] = self.stiffness

    def memory(self) -> tuple[Any, ...]:
        """What `recall` goes back to."""
        return self.listed, self.rows.copy(), self.above.copy(), self.sunk_in.copy(), self.out.copy()

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Contacts as they were."""
        self.listed = memory[0]
        self.rows, self.above, self.sunk_in, self.out = (a.copy() for a in memory[1:])
        self.part = 0.0

    def lead(self, y: np.ndarray, x: np.ndarray, part: float) -> None:
        """Leads surfaces on to a part of their way, and contacts with them; points are at x (n, 3)."""
        if self.listed is None:
            self.part = 0.0
            self.renew(y, x)
        if self.around.moves > 0.0:
            self._carry(part)
            self.part = part
            self.renew(y, x)

    def _carry(self, part: float) -> None:
        """Planes go with what they are of."""
        s, rows = self.around.surfaces, self.rows
        way = (part - self.part) * (s.samples[1] - s.samples[0])
        feature, faces, edges = rows["feature"], len(s.faces), len(s.faces) + len(s.edges)
        of_face, of_edge = (feature >= 0) & (feature < faces), (feature >= faces) & (feature < edges)
        at = s.samples[0] + part * (s.samples[1] - s.samples[0])
        p, q, r = np.moveaxis(at[s.faces["corner"][feature[of_face]]], 1, 0)
        n = np.cross(q - p, r - p)
        n *= (np.sign(np.sum(n * rows["n"][of_face], axis=1)) / np.linalg.norm(n, axis=1))[:, None]
        reach = self._reach(rows)[of_face]
        rows["n"][of_face], rows["offset"][of_face] = n, np.sum(n * p, axis=1) + reach
        moved = np.zeros((len(rows), 3))
        moved[of_edge] = way[s.edges["end"][feature[of_edge] - faces]].mean(axis=1)
        moved[feature >= edges] = way[feature[feature >= edges] - edges]
        rows["offset"] += np.sum(rows["n"] * moved, axis=1)
        point = rows["segment"][of_face] + np.round(rows["share"][of_face]).astype(int)
        self.above[point] += way[s.faces["corner"][feature[of_face]]].mean(axis=1)
        rows["kind"] = PLANE

    def _reach(self, rows: np.ndarray) -> np.ndarray:
        """(c,) how far contacts keep the cable's middle off."""
        share, s = rows["share"], self.around.surfaces
        own = (1.0 - share) * self.radius[rows["segment"]] + share * self.radius[rows["segment"] + 1]
        collider = np.concatenate([s.faces["collider"], s.edges["collider"], s.vertices["collider"], [-1]])
        thickness = np.append(s.colliders["thickness"], 0.0)
        return own + thickness[collider[rows["feature"]]]

    def _alike(self, before: "Contacts") -> bool:
        one, other = self.around, before.around
        return one.surfaces.faces is other.surfaces.faces and (one.floor is None) == (other.floor is None)

    # What the energy, its derivatives and its steps are.

    def energy(self, y: np.ndarray) -> float:
        """Of all contacts."""
        return float(contact_energy(y, self.rows, STRIDE, self.work[0])) if len(self.rows) else 0.0

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """Adds those of the energy."""
        if len(self.rows):
            rigid = NONE if self.pressing is None else self.pressing
            contact_derivatives(y, self.rows, rigid, STRIDE, RIGID, gradient, band, self.work)

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        out = np.empty(len(self.rows))
        contact_gaps(y, self.rows, STRIDE, out, self.work[0])
        return out

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """(c,) with which contacts press."""
        return np.maximum(self.rows["force"] - self.rows["stiffness"] * self.gaps(y), 0.0)

    def at_points(self, y: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """(n, 3) what pushes (c,) of contacts are at points."""
        total = np.zeros((len(self.radius), 3))
        contact_forces(y, pushes, self.rows, STRIDE, total, self.work[0])
        return total

    def longest(self, x: np.ndarray, way: np.ndarray) -> float:
        """The part of a way (n, 3) from x (n, 3) that points may go at once: as far as contacts are listed for; and no
        point through a face, nor a segment over an edge.
        """
        part = self.furthest / max(self.furthest, float(np.linalg.norm(way, axis=1).max()))
        _, where = self._through(x, x + part * way)
        least = float(where[self.outside & (where > ON)].min(initial=np.inf))
        part *= min(1.0, NEARLY * least)
        free = self.outside[1:] & self.outside[:-1] & (self._through(x[:-1], x[1:])[0] < 0)
        for _ in range(HALVINGS):
            there = x + part * way
            if not (self._through(there[:-1], there[1:])[0][free] >= 0).any():
                break
            part, least = 0.5 * part, 0.0
        self.stopped = self.stopped or least < np.inf
        return part

    def _through(self, a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(the first face that the ways from a to b (n, 3) go through (n,), −1: none; which part of it is before)."""
        face, where = np.empty(len(a), np.int64), np.empty(len(a))
        crossings(self.around.surfaces, self._part, a, b, face, where)
        return face, where

    # Which contacts there are.

    def follow(self, y: np.ndarray, x: np.ndarray) -> None:
        """Lists anew where points x (n, 3) have gone far, or were stopped by a face."""
        if self.listed is None or self.stopped or np.linalg.norm(x - self.listed, axis=1).max() > self.furthest:
            self.renew(y, x)
        flatten(y, self.rows, STRIDE, self.work[0])

    def renew(self, y: np.ndarray, x: np.ndarray) -> float:
        """Lists all anew. Returns how far cable and contacts are from an equilibrium: the deepest gap, the widest one
        of what presses, or what forces change by.
        """
        old, before = self.rows, self.at_points(y, self.rows["force"])
        rows = self._listed(x, self._below(x))
        keys, known = self._keys(rows), self._keys(old)
        order = np.argsort(known, kind="stable")
        rows = np.concatenate([rows, self._gone_through(x, old[~np.isin(known, keys)])])
        keys = self._keys(rows)
        at = np.searchsorted(known, keys, sorter=order)
        found = order[np.minimum(at, len(known) - 1)] if len(known) else np.zeros(len(keys), int)
        same = known[found] == keys if len(known) else np.zeros(len(keys), bool)
        rows["force"][same] = old["force"][found[same]]
        self._hand_over(np.setdiff1d(np.flatnonzero(old["force"] > 0.0), found[same]), old, rows)
        self.rows, self.listed, self.stopped = rows, x.copy(), False
        gap = self.gaps(y)
        error = np.where(rows["force"] > 0.0, np.abs(gap), np.maximum(-gap, 0.0)).max(initial=0.0)
        change = np.abs(self.at_points(y, rows["force"]) - before).max(initial=0.0)
        return float(max(error, CHANGE * change))

    def _gone_through(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Of rows those of edges that the cable's middle has gone through, and is still near."""
        s = self.around.surfaces
        faces, edges = len(s.faces), len(s.faces) + len(s.edges)
        rows = rows[(rows["feature"] >= faces) & (rows["feature"] < edges)]
        reach = self._reach(rows)
        height = np.sum(rows["n"] * self._places(x, rows), axis=1) - rows["offset"] + reach
        rows, height, reach = rows[height <= 0.0], height[height <= 0.0], reach[height <= 0.0]
        if not len(rows):
            return rows
        at = self._at()
        ends = at[s.edges["end"][rows["feature"] - faces]]
        _, _, distance = nearest(x[rows["segment"]], x[rows["segment"] + 1], ends[:, 0], ends[:, 1])
        return rows[distance < reach - WAY_OUT * height]

    def _hand_over(self, lost: np.ndarray, old: np.ndarray, rows: np.ndarray) -> None:
        """What pressed on features that it has left presses on those beside them that look the same way most."""
        place, was = rows["segment"] + rows["share"], old["segment"] + old["share"]
        for i in lost:
            beside = np.flatnonzero(np.abs(place - was[i]) < 1.0)
            if len(beside):
                alike = rows["n"][beside] @ old["n"][i] - np.abs(place[beside] - was[i])
                rows["force"][beside[np.argmax(alike)]] += old["force"][i]

    def _keys(self, rows: np.ndarray) -> np.ndarray:
        """(c,) of rows: which vertex or segment, and which feature."""
        faces = len(self.around.surfaces.faces)
        whose = rows["segment"] + np.where(rows["feature"] < faces, rows["share"], 0.0).astype(int)
        return whose * (self._features() + 1) + rows["feature"] + 1

    def _features(self) -> int:
        s = self.around.surfaces
        return len(s.faces) + len(s.edges) + len(s.vertices)

    def _below(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(collider (n,) that points are below, −1: none; where they are to go (n, 3); how far (n,)): those that have
        gone through a face since they were last seen above all, and those that were drawn inside and have not come out.
        """
        s, n = self.around.surfaces, len(x)
        below, side, near = np.full(n, -1), np.zeros_like(x), np.zeros(n)
        if self.listed is None:
            self.above, self.sunk_in, self.out = x.copy(), np.full(n, -1), np.zeros_like(x)
            for i, c, way, depth in self._inside(x, np.arange(n)):
                self.sunk_in[i], self.out[i], near[i] = c, way, depth
            return self.sunk_in.copy(), self.out.copy(), near
        face, _ = self._through(self.above, x)
        through = face >= 0
        came_out = through & (self.sunk_in >= 0)
        self.sunk_in[came_out] = -1
        gone = through & ~came_out
        at = self._at()
        p, q, r = np.moveaxis(at[s.faces["corner"][face[gone]]], 1, 0)
        way = np.cross(q - p, r - p)
        way *= (np.sign(np.sum(way * (self.above[gone] - p), axis=1)) / np.linalg.norm(way, axis=1))[:, None]
        below[gone], side[gone] = s.faces["collider"][face[gone]], way
        inside = self.sunk_in >= 0
        below[inside], side[inside] = self.sunk_in[inside], self.out[inside]
        near[gone | inside] = np.linalg.norm(x - self.above, axis=1)[gone | inside] + self._depth
        self.above[~gone] = x[~gone]
        return below, side, near

    @property
    def _part(self) -> float:
        return self.part if self.around.moves > 0.0 else 0.0

    def _at(self) -> np.ndarray:
        """(V, 3) where surfaces' vertices are."""
        s = self.around.surfaces.samples
        return s[0] + self._part * (s[1] - s[0])

    def _inside(self, x: np.ndarray, points: np.ndarray) -> list[tuple[int, int, np.ndarray, float]]:
        """(point, collider that it is inside, normal of the nearest face, depth) of those points."""
        found, s = [], self.around.surfaces
        at = self._at()
        for c in np.flatnonzero(self.around.outward):
            corners = at[s.faces["corner"][s.faces["collider"] == c]]
            low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
            for i in points[np.all((x[points] > low) & (x[points] < high), axis=1)]:
                if abs(solid_angle(corners, x[i])) > 2.0 * np.pi:
                    n, depth = _nearest_face(x[i], corners)
                    found.append((int(i), int(c), self.around.outward[c] * n, depth))
        return found

    def _listed(self, x: np.ndarray, under: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """Rows of what is near points x (n, 3), without forces."""
        touches = np.ones(len(x), bool)
        rows = self._rows(x, touches, under)
        lost = np.setdiff1d(np.flatnonzero(under[0] >= 0), rows["segment"] + rows["share"].astype(int))
        if len(lost) and self.listed is not None:
            under[0][lost] = self.sunk_in[lost] = -1
            for i, c, n, depth in self._inside(x, lost):
                under[0][i], under[1][i], under[2][i] = c, n, depth
                self.sunk_in[i], self.out[i], self.above[i] = c, n, x[i]
            rows = self._rows(x, touches, under)
        gap = np.sum(rows["n"] * self._places(x, rows), axis=1) - rows["offset"]
        point = rows["segment"] + np.round(rows["share"]).astype(int)
        sunk = self.held[point] & (gap < -SUNK * self.radius[point])
        for i, depth in zip(point[sunk], -gap[sunk], strict=True):
            touches[np.abs(self.arc - self.arc[i]) <= WAY_OUT * depth] = False
        self.outside = touches & (under[0] < 0)
        return rows if touches.all() else self._rows(x, touches, under)

    def _places(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        s = rows["share"][:, None]
        return (1.0 - s) * x[rows["segment"]] + s * x[rows["segment"] + 1]

    def _rows(self, x: np.ndarray, touches: np.ndarray, under: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        around, skin = self.around, self.skin
        rows = np.zeros(4 * len(x), CONTACT)
        while True:
            cable = x, self.radius, touches
            count = list_contacts(around.surfaces, around.outward, self._part, cable, under, skin, rows)
            if count <= len(rows):
                break
            rows = np.zeros(2 * count, CONTACT)
        rows = rows[:count]
        if around.floor is not None:
            near = np.flatnonzero(touches & (x[:, 2] - self.radius - around.floor < skin))
            flat = np.zeros(len(near), CONTACT)
            flat["segment"], flat["feature"], flat["n"] = near, FLOOR, [0.0, 0.0, 1.0]
            flat["reach"] = self.radius[near]
            flat["offset"] = around.floor + self.radius[near]
            rows = np.concatenate([flat, rows])
        last = rows["segment"] == len(x) - 1
        rows["segment"][last], rows["share"][last] = len(x) - 2, 1.0
        rows["stiffness"] = self.stiffness
        return rows

    # Forces of all of them at once.

    def stand_firm(self, y: np.ndarray) -> None:
        """Takes those as RIGID that press."""
        self.pressing = self.pushes(y) > 0.0

    def answer(self, y: np.ndarray, p: np.ndarray) -> bool:
        """What a step p of Newton's method asks of them is their forces. Returns whether none would pull, and none be
        gone through; else these let go, and take hold.
        """
        way = np.linalg.norm(p[: len(p) - len(p) % STRIDE].reshape(-1, STRIDE)[:, :3], axis=1).max()
        self.near = way <= self.radius.min()
        after, change = self.gaps(y), np.empty(len(self.rows))
        contact_changes(y, p, self.rows, STRIDE, change, self.work[0])
        after += change
        force, held = self.rows["force"] - RIGID * after, self.pressing
        assert held is not None
        pressing = np.where(held, force > 0.0, after < -1.0 / RIGID)
        same = bool(np.array_equal(pressing, held))
        self.answered = np.where(pressing & held, force, 0.0)
        self.pressing = pressing
        return same

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """Forces become what was found, or else what springs hold; springs give again."""
        self.pressing = None
        self.rows["force"] = np.maximum(self.answered, 0.0) if found and self.near else self.pushes(y)


def _nearest_face(x: np.ndarray, corners: np.ndarray) -> tuple[np.ndarray, float]:
    """(normal, distance) of the nearest of the faces (T, 3, 3) over whose inside a point x (3,) is."""
    p, e, g = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    n = np.cross(e, g)
    area = np.maximum(np.sum(n * n, axis=1), 1e-300)
    d = x - p
    u, v = np.sum(np.cross(d, g) * n, axis=1) / area, np.sum(np.cross(e, d) * n, axis=1) / area
    height = np.abs(np.sum(d * n, axis=1)) / np.sqrt(area)
    height[(u < 0.0) | (v < 0.0) | (u + v > 1.0)] = np.inf
    best = int(np.argmin(height))
    return n[best] / np.sqrt(area[best]), float(height[best])
