"""What a cable touches: the contacts of its points and segments with surfaces and a floor (Grégoire 2007, ch. 5).

Contacts are planes, listed where surfaces are near, and anew where the cable has come to rest: planes as they are
there, with forces as they were. In between those stay that press, whatever lies beside their faces, and others come as
the cable moves on. No point goes further at once than surfaces are looked for, so that none passes through.
"""

from copy import copy
from typing import Any

import numpy as np

from ..elements.contact_press import (
    CONTACT,
    PLANE,
    contact_changes,
    contact_derivatives,
    contact_energy,
    contact_forces,
    contact_gaps,
    contact_slopes,
    flatten,
)
from ..geometry.neighbours import nearest
from ..model import PAIR
from .active_set import CHANGE, RIGID, ActiveSet
from .contact_list import FLOOR, list_contacts
from .friction import Friction
from .sides import Sides
from .surroundings import Surroundings, moved
from .tables import STRIDE

GIVES = 0.1  # of a radius, by which contacts give to a force of 1 before integral forces take over
FURTHEST = 0.02  # of the cable that a point may go at once, or twice the radius
SUNK = 0.05  # of the radius, by which what a handle holds is in something: there it touches nothing
NONE = np.zeros(0, bool)
SKIN = 2.0  # radii: gaps that are listed; what goes further at once is stopped by faces, and finds them so
STILL = 1e-3  # of a radius that points may go before another list: δ beside a face makes δ²/2r of a gap, 5e-7 of it
WAY_OUT = 2.0  # depths along the cable to where it is outside again


class Contacts(ActiveSet):
    """Of a cable of points with radius (n,), in units of its length, of which some are `held` (n,) by handles; `firm`
    (n,): where these have them, whatever they touch there. friction: Coulomb's coefficient of the cable.
    """

    def __init__(
        self, around: Surroundings, radius: np.ndarray, length: np.ndarray, held: np.ndarray, firm: np.ndarray,
        friction: float = 0.0,
    ) -> None:  # fmt: skip
        self.around, self.radius, self.held, self.firm = around, radius, held, firm
        self.arc = np.concatenate([[0.0], np.cumsum(length)])
        self.softest = self.stiffness = 1.0 / (GIVES * radius.min())
        self.ahead = 0.0  # how far points may slide on the first step in which all forces are found at once
        self.loose = False  # contacts are springs alone, listed wherever they are asked for
        self.furthest = max(FURTHEST, 2.0 * float(radius.max()))
        self.skin = SKIN * float(radius.max())  # surfaces go no further at once, for what comes nearer has to be listed
        self.within = float(radius.min())
        self.sides = Sides(around, len(radius), self.furthest)
        self.rows = np.zeros(0, CONTACT)
        self.work = np.zeros((4, 6))
        self.coefficient = np.sqrt(friction * around.friction)  # as of all others: the geometric mean
        self.rubs, self.friction = bool(self.coefficient.any()), Friction(self.arc, float(radius.min()))

    def begin_from(self, before: "Contacts | None", scale: float, arc: np.ndarray) -> None:
        """Takes over contacts of before, with forces by that scale, of points at arc lengths (n,)."""
        self.friction.arc, self.friction.run = arc, np.zeros(len(arc))
        if before is not None and len(before.radius) == len(self.radius) and self._alike(before):
            self.take_over(before, scale)
            self.sides.begin_from(before.sides)
            if before.rubs:
                self.friction.begin(before.friction.resting())

    def pressed(self, unit: float) -> np.ndarray:
        """PAIR (k,) of points, or segments behind them, with features that press, with forces in units of `unit`."""
        rows = self.rows[self.rows["force"] > 0.0]
        pairs = np.zeros(len(rows), PAIR)
        pairs["i"], pairs["j"], pairs["force"][:, 0] = self._whose(rows), rows["feature"], unit * rows["force"]
        return pairs

    def resume(self, pairs: np.ndarray, unit: float) -> None:
        """Goes on from what `pressed` returned."""
        self.known = self._key(pairs["i"], pairs["j"]), pairs["force"][:, 0] / unit

    def memory(self) -> tuple[Any, ...]:
        """What `recall` goes back to."""
        return self.listed, self.rows.copy(), self.sides.copied(), copy(self.friction)

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Contacts as they were."""
        self.listed, rows, sides, friction = memory
        self.rows, self.sides, self.friction = rows.copy(), sides.copied(), copy(friction)
        self.sides.stopped = True
        self.relax()

    def lead(self, y: np.ndarray, x: np.ndarray, part: float) -> None:
        """Leads surfaces on to a part of their way, and contacts with them; points are at x (n, 3)."""
        first = self.listed is None
        if first:
            self.sides.part = 0.0
            self.renew(y, x)
        pushes, self.ahead = self.pushes(y), self.within
        if first and not self.friction.begun:  # what is drawn on a surface begins by lying there
            pushes = np.where(self.gaps(y) < SUNK * self.radius.min(), 1.0, pushes)
            self.friction.begin(x, self.at_points(y, pushes).any(axis=1))
        self._rub(y, x, pushes)
        if self.around.moves > 0.0:
            if self.rubs and self.sides.part == 0.0:
                self.friction.drift = self._drift(y, x)
            self._carry(part)
            self.sides.part, self.sides.stopped = part, True
            self.friction.part = part
            self.renew(y, x)

    def _drift(self, y: np.ndarray, x: np.ndarray) -> np.ndarray:
        """(n, 3) by which surfaces will move where points x (n, 3) press on them."""
        drift, pushes = np.zeros_like(x), self.pushes(y)
        rows = self.rows[pushes > 0.0]
        for row, place in zip(rows, self._places(x, rows), strict=True):
            points = row["segment"] + np.array([np.floor(row["share"]), np.ceil(row["share"])], int)
            drift[points] = moved(self.around, int(row["feature"]), self.around.length * place) / self.around.length
        return drift

    def _carry(self, part: float) -> None:
        """Planes go with what they are of."""
        s, rows = self.around.surfaces, self.rows
        way = (part - self.sides.part) * (s.samples[1] - s.samples[0])
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
        self.sides.above[point] += way[s.faces["corner"][feature[of_face]]].mean(axis=1)
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
        press = float(contact_energy(y, self.rows, STRIDE, self.work[0])) if len(self.rows) else 0.0
        return press + self.friction.energy(self._points(y))

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """Adds those of the energy."""
        if len(self.rows):
            rigid = NONE if self.pressing is None else self.pressing
            contact_derivatives(y, self.rows, rigid, STRIDE, RIGID, gradient, band, self.work)

    def rub(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> tuple[np.ndarray, ...]:
        """Adds derivatives of friction. Returns them at points: see Friction.derivatives."""
        ahead = 0.0 if self.pressing is None else self.ahead
        return self.friction.derivatives(self._points(y), gradient, band, ahead)

    def run(self, arc: np.ndarray) -> None:
        """Points are at arc lengths (n,) now."""
        self.friction.run = arc - self.friction.arc

    def _points(self, y: np.ndarray) -> np.ndarray:
        found: np.ndarray = y[STRIDE * np.arange(len(self.radius))[:, None] + np.arange(3)]
        return found

    def _rub(self, y: np.ndarray, x: np.ndarray, pushes: np.ndarray) -> float:
        """Friction is of what presses now. Returns by how much it changes."""
        if not self.rubs:
            return 0.0
        s = self.around.surfaces
        of = np.concatenate([s.faces["collider"], s.edges["collider"], s.vertices["collider"], [-1]])
        most = self.coefficient[of[self.rows["feature"]]] * pushes
        at_points, limit = self.at_points(y, pushes), self.at_points(y, most)
        return self.friction.renew(x, at_points, np.linalg.norm(limit, axis=1))

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities: friction is of the forces that were found."""
        super().let_go(found, y)
        self.ahead = 0.0
        if found:
            self._rub(y, self._points(y), self.rows["force"])

    def rubbing(self, y: np.ndarray) -> np.ndarray:
        """(n, 3) what friction is at points."""
        return self.friction.forces(self._points(y))

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        out = np.empty(len(self.rows))
        contact_gaps(y, self.rows, STRIDE, out, self.work[0])
        return out

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """(c,) of gaps, by a step p from y."""
        out = np.empty(len(self.rows))
        contact_changes(y, p, self.rows, STRIDE, out, self.work[0])
        return out

    def slopes(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """∇g of rows, (k, N)."""
        rows = self.rows[which]
        own, out = np.empty((len(rows), 6)), np.zeros((len(rows), len(y)))
        contact_slopes(y, rows, STRIDE, own, self.work[0])
        at = STRIDE * rows["segment"][:, None] + np.array([0, 1, 2, STRIDE, STRIDE + 1, STRIDE + 2])
        np.put_along_axis(out, at, own, axis=1)
        return out

    def way(self, p: np.ndarray) -> float:
        """The furthest that a step p moves a point."""
        points = p[: len(p) - len(p) % STRIDE].reshape(-1, STRIDE)[:, :3]
        return float(np.linalg.norm(points, axis=1).max())

    def at_points(self, y: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """(n, 3) what pushes (c,) of contacts are at points."""
        total = np.zeros((len(self.radius), 3))
        contact_forces(y, pushes, self.rows, STRIDE, total, self.work[0])
        return total

    def longest(self, x: np.ndarray, way: np.ndarray) -> float:
        """The part of a way (n, 3) from x (n, 3) that points may go at once."""
        return self.sides.longest(x, way)

    # Which contacts there are.

    def loosen(self, stiffness: float) -> None:
        """See schemes/static."""
        self.loose, self.stiffness = True, stiffness * self.softest
        self.rows["force"], self.rows["stiffness"] = 0.0, self.stiffness

    def meet(self, y: np.ndarray, x: np.ndarray) -> None:
        """Lists those of springs alone at points x (n, 3)."""
        if self.listed is None or self.sides.stopped or not np.array_equal(x, self.listed):
            self.rows = self._listed(x, self.sides.below(x))
            self.listed, self.sides.stopped = x.copy(), False
            flatten(y, self.rows, STRIDE, self.work[0])

    def tighten(self, y: np.ndarray) -> None:
        """See schemes/static."""
        self.loose, self.rows["force"] = False, self.pushes(y)

    def relax(self) -> None:
        """See schemes/static."""
        self.loose, self.stiffness, self.rows["stiffness"] = False, self.softest, self.softest

    def follow(self, y: np.ndarray, x: np.ndarray) -> None:
        """Lists anew where points x (n, 3) have gone far, or were stopped by a face."""
        if self.loose:
            self.meet(y, x)
            return
        if self.listed is None or self.sides.stopped or np.linalg.norm(x - self.listed, axis=1).max() > self.furthest:
            self.renew(y, x)
        flatten(y, self.rows, STRIDE, self.work[0])

    def look(self, y: np.ndarray, x: np.ndarray) -> float:
        """Lists all anew, and lets friction be of what presses there. Returns how far all is from an equilibrium."""
        rubs = CHANGE * self._rub(y, x, self.pushes(y))
        return max(rubs, self.renew(y, x))

    def renew(self, y: np.ndarray, x: np.ndarray) -> float:
        """Lists all anew, but where nothing has moved. Returns how far cable and contacts are from an equilibrium: the
        deepest gap, the widest one of what presses, or what forces change by.
        """
        if self.loose:
            self.meet(y, x)
            return float(np.maximum(-self.gaps(y), 0.0).max(initial=0.0))
        old, before = self.rows, self.at_points(y, self.rows["force"])
        if self._still(x):
            return self.off(y, None)
        rows, known = self._listed(x, self.sides.below(x)), self._keys(old)
        rows = np.concatenate([rows, self._gone_through(x, old[~np.isin(known, self._keys(rows))])])
        was, place = ((r["segment"] + r["share"])[:, None] for r in (old, rows))
        self.inherit(old, known, was, rows, self._keys(rows), place)
        self.rows, self.listed, self.sides.stopped = rows, x.copy(), False
        return self.off(y, before)

    def _still(self, x: np.ndarray) -> bool:
        """Whether no point has moved enough for another list, since they were listed."""
        if self.listed is None or self.sides.stopped:
            return False
        return bool(np.linalg.norm(x - self.listed, axis=1).max() <= STILL * self.radius.min())

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
        at = self.sides.vertices()
        ends = at[s.edges["end"][rows["feature"] - faces]]
        _, _, distance = nearest(x[rows["segment"]], x[rows["segment"] + 1], ends[:, 0], ends[:, 1])
        return rows[distance < reach - WAY_OUT * height]

    def _keys(self, rows: np.ndarray) -> np.ndarray:
        """(c,) of rows: which vertex or segment, and which feature."""
        return self._key(self._whose(rows), rows["feature"])

    def _whose(self, rows: np.ndarray) -> np.ndarray:
        faces = len(self.around.surfaces.faces)
        return rows["segment"] + np.where(rows["feature"] < faces, rows["share"], 0.0).astype(int)

    def _key(self, whose: np.ndarray, feature: np.ndarray) -> np.ndarray:
        return whose * (self.around.features + 1) + feature + 1

    def _listed(self, x: np.ndarray, under: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        """Rows of what is near points x (n, 3), without forces."""
        touches = np.ones(len(x), bool)
        rows = self._rows(x, touches, under)
        lost = np.setdiff1d(np.flatnonzero(under[0] >= 0), rows["segment"] + rows["share"].astype(int))
        if len(lost) and self.listed is not None:
            under[0][lost] = self.sides.sunk_in[lost] = -1
            for i, c, n, depth in self.sides.inside(x, lost):
                under[0][i], under[1][i], under[2][i] = c, n, depth
                self.sides.sunk_in[i], self.sides.out[i], self.sides.above[i] = c, n, x[i]
            rows = self._rows(x, touches, under)
        gap = np.sum(rows["n"] * self._places(x, rows), axis=1) - rows["offset"]
        point = rows["segment"] + np.round(rows["share"]).astype(int)
        sunk = self.held[point] & (gap < -SUNK * self.radius[point])
        for i, depth in zip(point[sunk], -gap[sunk], strict=True):
            touches[np.abs(self.arc - self.arc[i]) <= WAY_OUT * depth] = False
        self.sides.outside = touches & (under[0] < 0)
        rows = rows if touches.all() else self._rows(x, touches, under)
        point = rows["segment"] + np.round(rows["share"]).astype(int)
        return rows[~(self.firm[point] & (rows["share"] % 1.0 == 0.0))]

    def _places(self, x: np.ndarray, rows: np.ndarray) -> np.ndarray:
        s = rows["share"][:, None]
        return (1.0 - s) * x[rows["segment"]] + s * x[rows["segment"] + 1]

    def _rows(self, x: np.ndarray, touches: np.ndarray, under: tuple[np.ndarray, np.ndarray, np.ndarray]) -> np.ndarray:
        around, skin, now = self.around, self.skin, self.sides.now
        both = np.append(touches[1:] & touches[:-1], False)
        pairs = self.sides.near(x, self.radius, skin + under[2], touches, both)
        rows = np.zeros(len(pairs), CONTACT)
        rows = rows[: list_contacts(around.surfaces, around.outward, now, (x, self.radius), under, skin, pairs, rows)]
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
