"""Parts that touch walls, each other and cables (Grégoire 2007, requirements R8, R9).

A contact is an inequality, as those of cables with each other are (pairs.py): a spring and an integral force that only
press, listed anew wherever all has come to rest, with all forces found at once. Its gap is the distance of two features
(feature_gaps.py), by poses of parts and points of cables. A part's pose is in the border of the Hessian, and a segment
in its band, so all that contacts couple has a place there.

On no step do features come nearer to each other than half way to where they are DEEP in each other, whatever their
distance: no part passes through a thing. If they could come to be as near as what they are rounded by, a plug would be
squeezed through a hole that is narrower by less than that, while springs are soft.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..contact.bounding_volumes import fit
from ..schemes.inequalities import Solve
from .active_set import ActiveSet
from .feature_gaps import FEATURES, feature_gaps
from .feature_pairs import Numbers, features_near, part_of_step
from .things import SIDES, Places, form

GIVES_FIRST, GIVES, STIFFER = 0.1, 1e-4, 10.0  # of what things are rounded by: see pairs.py
DEEP = 0.25  # of that, by which they may be in each other, on their way
SKIN = 0.1  # of the smallest extent of a part: gaps that are listed,
ROUND = 4.0  # but no less than so many times what it is rounded by
RELIST = 0.25  # of the skin that anything may have gone by, before contacts are listed anew
Blocks = list[tuple[np.ndarray, np.ndarray]]  # see linear/border


class PartContacts(ActiveSet):
    """Contacts of places of things, of pairs (k, 2) of them that may touch; force: what presses, at most, about.

    skipped: by (thing, other), vertices (v,) of the first that do not touch the second.
    """

    most, beside, foresees = np.inf, 1.0, True
    flat = False  # whether curvature is left out
    press_at_all = False  # whether any pressed where derivatives were found last

    def __init__(self, places: Places, pairs: Sequence[tuple[int, int]], force: float) -> None:
        self.places, self.pairs = places, pairs
        self.skipped: dict[tuple[int, int], np.ndarray] = {}
        own = [t for t in places.things if t.part >= 0]
        rounding = min(float(t.radius.min()) for t in own)
        self.skin = max(SKIN * min(t.extent for t in own), ROUND * max(float(t.radius.max()) for t in own))
        self.within = self.skin
        self.soft, self.stiffest = (max(1.0, force) / (gives * rounding) for gives in (GIVES_FIRST, GIVES))
        self.stiffness = self.soft
        self.rounding = rounding
        self.rows = np.zeros(0, FEATURES)
        self.room = np.zeros(1024, FEATURES)
        counts = np.array(
            [[len(t.surfaces.vertices), len(t.surfaces.edges), len(t.surfaces.faces)] for t in places.things]
        )
        before = (np.cumsum(counts, axis=0) - counts).tolist()
        self.numbers: list[Numbers] = [(vertex, edge, face) for vertex, edge, face in before]
        self.total = int(counts.sum(axis=0).max()) + 1

    # Which contacts there are.

    def meeting(self, x: np.ndarray, there: np.ndarray, margin: float) -> np.ndarray:
        """Rows of features whose boxes, from x to there (V, 3), are no further apart than a margin."""
        first = self.places.first
        for k, thing in enumerate(self.places.things):
            if thing.moves or self.places.drift[first[k] : first[k + 1]].any():
                for sample, at in zip(thing.surfaces.samples, (x, there), strict=True):
                    sample[:] = at[first[k] : first[k + 1]]
                fit(thing.surfaces)
        while True:
            count = 0
            for a, b in self.pairs:
                one, two = self.places.things[a], self.places.things[b]
                no, its = self.skipped_of(a, b), self.skipped_of(b, a)
                mine, theirs = self.numbers[a], self.numbers[b]
                numbers, back = (mine, theirs, self.total), (theirs, mine, self.total)
                reach = margin + float(one.radius.max()), margin + float(two.radius.max())
                both, swapped = (one.surfaces, two.surfaces), (two.surfaces, one.surfaces)
                count = features_near(*both, False, numbers, reach[0], (no, its), self.room, count)
                count = features_near(*swapped, False, back, reach[1], (its, no), self.room, count)
                count = features_near(*both, True, numbers, reach[0], (no, its), self.room, count)
            if count <= len(self.room):
                return self.room[:count].copy()
            self.room = np.zeros(2 * count, FEATURES)

    def skipped_of(self, a: int, b: int) -> np.ndarray:
        found = self.skipped.get((a, b))
        return np.zeros(len(self.places.things[a].radius), bool) if found is None else found

    def those_at(self, x: np.ndarray, skin: float) -> np.ndarray:
        """Rows of features at x (V, 3) that are nearer than a skin, by key, without forces."""
        rows = self.meeting(x, x, skin)
        rows = rows[np.argsort(rows["key"])]
        rows["force"], rows["stiffness"], rows["reach"] = 0.0, self.stiffness, 0.0
        gaps, shares, n = _met(x, rows)
        weight = shares[:, 0]
        rows["reach"] = np.einsum("rk,rk->r", np.abs(weight), self.places.radius[rows["point"]])
        first = np.maximum(weight, 0.0)
        rows["n"], rows["place"] = n, np.einsum("rk,rkc->rc", first, x[rows["point"]])
        return rows[gaps - rows["reach"] < skin]

    def renew(self, y: np.ndarray) -> float:
        """Lists all anew. Returns how far things and contacts are from an equilibrium: see ActiveSet.off."""
        old, before = self.rows, self.at_points(y, self.rows["force"])
        x = self.places.find(y).copy()
        rows = self.those_at(x, self.skin)
        was, place = (r["place"] / self.skin for r in (old, rows))
        self.inherit(old, old["key"], was, rows, rows["key"], place)
        self.rows, self.listed = rows, x
        return self.off(y, before)

    def follow(self, y: np.ndarray) -> None:
        """Lists anew where things have gone far."""
        x = self.places.find(y)
        if self.listed is None or np.linalg.norm(x - self.listed, axis=1).max() > RELIST * self.skin:
            self.renew(y)

    def lead(self, y: np.ndarray, part: float) -> bool:
        """Leads walls on to a part of their way, or as far as parts let them, and with them y of those parts that they
        press on. Returns whether they are there.
        """
        places, gone = self.places, self.places.gone
        way = (part - gone) * places.drift
        if not way.any():
            places.gone = part
            return True
        x = places.find(y).copy()
        if self.listed is None:
            self.renew(y)
        carried = np.zeros((places.parts, 3))
        weights = np.abs(_met(x, self.rows)[1][:, 0])
        for row, weight, push in zip(self.rows, weights, self.pushes(y), strict=True):
            owner, own = places.part[row["point"]], np.einsum("k,kc->c", weight, way[row["point"]])
            if push > 0.0 and own.any():
                carried[owner.max()] = own
        there = way.copy()
        there[places.of_part] += carried[places.part[places.of_part]]
        rows = self.meeting(x, x + there, 0.0)
        share = self._part(x, there, there, rows)
        y[places.poses].reshape(-1, SIDES)[:, :3] += share * carried
        places.lead(gone + share * (part - gone))
        self.renew(y)
        return share == 1.0

    def begin_from(self, before: "PartContacts | None", scale: float) -> None:
        """Takes over contacts of before, with forces by that scale."""
        if before is not None and self.numbers == before.numbers:
            self.known = before.rows["key"].copy(), scale * before.rows["force"]

    def memory(self) -> tuple[Any, ...]:
        """What `recall` goes back to."""
        return self.listed, self.rows.copy(), self.stiffness, self.places.gone

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Contacts as they were."""
        self.listed, rows, self.stiffness, gone = memory
        self.rows = rows.copy()
        self.places.lead(gone)

    # What the energy, its derivatives and its steps are.

    def energy(self, y: np.ndarray) -> float:
        """Of all contacts."""
        force, k, press = self.rows["force"], self.rows["stiffness"], self.pushes(y)
        return float(((press**2 - force**2) / (2.0 * k)).sum())

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        return _met(self.places.find(y), self.rows)[0]

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        _, shares, n = _met(self.places.find(y), self.rows)
        linear = self.places.ways(y, p)[0]
        return np.einsum("rk,rkc,rc->r", shares[:, 0], linear[self.rows["point"]], n)

    def slopes(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        rows = self.rows[which]
        _, shares, n = _met(self.places.find(y), rows)
        slope, columns = self._slopes(y, rows, shares[:, 0], n, len(y))
        out = np.zeros((len(which), len(y) + 1))
        np.add.at(out, (np.arange(len(which))[:, None], columns), slope)
        return out[:, :-1]

    def _slopes(
        self, y: np.ndarray, rows: np.ndarray, weight: np.ndarray, n: np.ndarray, none: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """∇g (c, 28) by unknowns of these numbers (c, 28), of which some are none."""
        point = rows["point"].ravel()
        jacobian = self.places.jacobian(y, point).reshape(-1, 4, 3, SIDES)
        slope = np.einsum("rk,rc,rkcj->rkj", weight, n, jacobian)
        return slope.reshape(len(rows), -1), self.places.columns(point, none).reshape(len(rows), -1)

    def way(self, p: np.ndarray) -> float:
        """See ActiveSet."""
        parts = p[self.places.poses].reshape(-1, SIDES)
        reach = np.linalg.norm(self.places.arm[self.places.of_part], axis=1).max()
        far = np.linalg.norm(parts[:, :3], axis=1) + 2.0 * reach * np.linalg.norm(parts[:, 3:], axis=1)
        return float(far.max(initial=0.0))

    def at_points(self, y: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """(V, 3) what pushes (c,) of contacts are at vertices."""
        total = np.zeros_like(self.places.x)
        _, shares, n = _met(self.places.find(y), self.rows)
        np.add.at(total, self.rows["point"], (pushes[:, None] * shares[:, 0])[:, :, None] * n[:, None])
        return total

    def on_cable(self, y: np.ndarray, k: int) -> tuple[np.ndarray, int]:
        """(n, 3) what contacts are at points of a cable, and how many there are."""
        pushes, places = self.pushes(y), self.places
        own = [t for t, thing in enumerate(places.things) if thing.at is not None][k]
        begin, end = places.first[own], places.first[own + 1]
        count = ((self.rows["point"] >= begin) & (self.rows["point"] < end)).any(axis=1) & (pushes > 0.0)
        return self.at_points(y, pushes)[begin:end], int(np.count_nonzero(count))

    def on_parts(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force and moment (p, 3) of all contacts on parts, about where they are."""
        forces, places = self.at_points(y, self.pushes(y)), self.places
        total, own = np.zeros((2, places.parts, 3)), places.of_part
        arm = places.find(y)[own] - y[places.pose[:, :3]]
        np.add.at(total[0], places.part[own], forces[own])
        np.add.at(total[1], places.part[own], np.cross(arm, forces[own]))
        return total[0], total[1]

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that things may go at once."""
        x = self.places.find(y)
        linear, whole = self.places.ways(y, p)
        margin = 0.25 * float(np.linalg.norm(whole - linear, axis=1).max(initial=0.0))
        rows = self.meeting(x, x + whole, margin)
        return self._part(x, linear, whole, rows)

    def flatten(self, flat: bool) -> bool:
        """See schemes/static."""
        self.flat = flat
        return self.press_at_all

    def _part(self, x: np.ndarray, linear: np.ndarray, whole: np.ndarray, rows: np.ndarray) -> float:
        deep, work = DEEP * self.rounding, np.zeros((3, 4))
        return float(part_of_step(x, (linear, whole), self.places.radius, deep, rows, work))

    def derivatives(
        self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray, blocks: Blocks, bands: Sequence[slice]
    ) -> tuple[Blocks, np.ndarray, np.ndarray]:
        """Adds the gradient (N,), and the Hessian to the band and to blocks of its border. Returns these, and values
        (k,) at places (2, k) of the border with itself.
        """
        self.follow(y)
        banded, none = len(band), len(y)
        rows = self.rows[self.pushes(y) > 0.0]
        self.press_at_all = len(rows) > 0
        if not len(rows):
            return blocks, np.zeros(0), np.zeros((2, 0), np.int64)
        x = self.places.find(y)
        gaps, shares, n = _met(x, rows)
        push = rows["force"] - rows["stiffness"] * gaps
        point = rows["point"].ravel()
        jacobian = self.places.jacobian(y, point).reshape(-1, 12, SIDES)
        columns = self.places.columns(point, none).reshape(-1, 4, SIDES)
        weight = shares[:, 0]
        slope = (weight[:, :, None] * n[:, None]).reshape(-1, 12)
        wide = np.zeros((len(rows), 12, 4, SIDES))
        for k in range(4):
            wide[:, 3 * k : 3 * k + 3, k] = jacobian[:, 3 * k : 3 * k + 3]
        wide = wide.reshape(len(rows), 12, 4 * SIDES)
        own = (slope[:, None] @ wide)[:, 0]
        h = rows["stiffness"][:, None, None] * own[:, :, None] * own[:, None]
        if not self.flat:
            curve = _curvature(x[rows["point"]], shares, n, gaps + rows["reach"])
            h -= push[:, None, None] * (np.swapaxes(wide, 1, 2) @ (curve @ wide))
        for k in () if self.flat else range(4):
            turns = slice(SIDES * k + 3, SIDES * (k + 1))
            is_part = (self.places.part[rows["point"][:, k]] >= 0)[:, None, None]
            h[:, turns, turns] -= (
                is_part * push[:, None, None] * form(weight[:, k, None] * n, self.places.arm[rows["point"][:, k]])
            )
        columns = columns.reshape(len(rows), -1)
        total = np.zeros(none + 1)
        np.add.at(total, columns, -push[:, None] * own)
        gradient += total[:-1]
        i, j = (np.broadcast_to(c, h.shape).ravel() for c in (columns[:, :, None], columns[:, None]))
        keep = (i < none) & (j < none)
        i, j, values = i[keep], j[keep], h.ravel()[keep]
        inside = (i < banded) & (j < banded) & (j >= i)
        np.add.at(band, (i[inside], j[inside] - i[inside]), values[inside])
        corner = (i >= banded) & (j >= banded)
        edge = (i >= banded) & (j < banded)
        if edge.any():
            blocks = _with(blocks, bands, i[edge] - banded, j[edge], values[edge])
        return blocks, values[corner], np.stack([i[corner], j[corner]]) - banded

    # Forces of all of them at once: as of pairs.

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities: none has to be taken as rigid, see `answer`."""

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        return self.bear(y, p, solve)

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities; springs become stiffer, and begin anew where nothing presses."""
        super().let_go(found, y)
        self.stiffness = min(STIFFER * self.stiffness, self.stiffest) if self.press else self.soft
        self.rows["stiffness"] = self.stiffness

    def replaced(self, y: np.ndarray) -> np.ndarray:
        """Integral forces: springs hold what they do besides."""
        return np.where(self.pushes(y) > 0.0, self.rows["force"], 0.0)


def _met(x: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(g (c,), W and D (c, 3, 4), n (c, 3)) of rows, of vertices at x (V, 3)."""
    count = len(rows)
    gaps, shares, normals = np.empty(count), np.empty((count, 3, 4)), np.empty((count, 3))
    feature_gaps(x, rows, gaps, shares, normals)
    return gaps, shares, normals


def _curvature(x: np.ndarray, shares: np.ndarray, n: np.ndarray, size: np.ndarray) -> np.ndarray:
    """∇²g (c, 12, 12) of points x (c, 4, 3): see feature_gaps.py; size (c,): |z|."""
    weight, d, z = shares[:, 0], shares[:, 1:], size[:, None] * n
    u = d @ x
    a = u @ np.swapaxes(u, 1, 2)
    a[:, [0, 1], [0, 1]] += ~d.any(axis=2)
    c = d[..., None] * z[:, None, None] + weight[:, None, :, None] * u[:, :, None]
    c = c.reshape(len(x), 2, 12)
    across = np.eye(3) - n[:, :, None] * n[:, None]
    flat = np.einsum("ri,rj,rcd->ricjd", weight, weight, across).reshape(len(x), 12, 12)
    return (flat - np.swapaxes(c, 1, 2) @ np.linalg.solve(a, c)) / size[:, None, None]


def _with(blocks: Blocks, bands: Sequence[slice], row: np.ndarray, column: np.ndarray, values: np.ndarray) -> Blocks:
    """Blocks of a border with values (k,) at rows and columns (k,) more."""
    found = []
    for (rows, b), band in zip(blocks, bands, strict=True):
        here = (column >= band.start) & (column < band.stop)
        if here.any():
            new = np.setdiff1d(row[here], rows)
            own, more = np.append(rows, new), np.concatenate([b, np.zeros((len(new), b.shape[1]))])
            order = np.argsort(own)
            at = order[np.searchsorted(own, row[here], sorter=order)]
            np.add.at(more, (at, column[here] - band.start), values[here])
            found.append((own, more))
        else:
            found.append((rows, b))
    return found
