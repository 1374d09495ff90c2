"""Cables that touch each other and themselves.

A contact is an inequality, as those with surfaces are (see contact.py): a spring and an integral force that only press,
listed anew wherever cables have come to rest, with all forces found at once. It couples places far apart, so the band
is left alone and its Hessian is a sum of squares beside it (contact_between, linear/border). Forces on both sides are
the same vector, so they are equal and opposite.

Friction is that of surfaces (friction.py), of each contact in place of each point: what its places have gone along each
other is d = Σ W Δx, Δx what the ends of its segments have moved by since the last rest, and what it held there.

On no step do lines come nearer to each other than half way, whatever their distance: none passes through another, and
knots and links stay what they are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ..assemble.capsules import near_segments
from ..contact.capsule_pairs import runs_of
from ..model import CAPSULE, PAIR, ROD
from ..scene import Rod
from ..schemes.inequalities import Solve
from ..schemes.static import Coupling
from . import friction
from .active_set import CHANGE, ActiveSet
from .contact import SKIN, SUNK
from .contact_between import MOST_ROWS, PAIR_CONTACT, pair_derivatives, pair_gaps
from .handle import Handle
from .pair_list import STRAIGHT, list_pairs, list_places, part_of_way

# Of a radius, by which contacts give to a force of 1 before integral forces take over. Polylines that bend have kinks a
# twentieth of a radius deep, across which a loop slides as good as freely: a contact that gives by more does not feel
# them, and wanders on from one segment to the next.
GIVES = 1e-4
# The same where they begin, and by what they become stiffer each time that forces are taken over. On a step by w across
# what is so far apart as d stiff springs gain ½ k (w²/2d)²: from far away Newton's method crawls along them.
GIVES_FIRST, STIFFER = 1.0, 10.0
RELIST = 0.25  # of the skin that points may have gone by, before contacts are listed anew
BESIDE = 2.0  # radii of both along cables from where handles hold them into each other, on which they do not touch


@dataclass(frozen=True)
class Strand:
    """A cable of points with radius (n,), at arc lengths (n,), drawn at x (n, 3), in units of the system; held: (arc
    length, places (3, 3)) where handles hold it, as it is drawn, and where they are led from and to. group: see
    Scene.collision_filter.
    """

    radius: np.ndarray
    arc: np.ndarray
    x: np.ndarray
    held: tuple[tuple[float, np.ndarray], ...] = ()
    group: int = 0
    friction: float = 0.0


def strand_of(rod: Rod, arc: np.ndarray, led: Iterable[tuple[Handle, Handle]], length: float) -> Strand:
    """A rod of arc lengths (n,), in units of `length` [m], whose handles are led from one place to another."""
    held, x = [], np.asarray(rod.x, float) / length
    for before, now in led:
        if before.position is not None and now.position is not None:
            own = list(now.vertices)
            places = np.array([before.position, now.position], float) / length
            held.append((float(arc[own].mean()), np.concatenate([[x[own].mean(axis=0)], places])))
    return Strand(np.asarray(rod.radius, float) / length, arc, x, tuple(held), rod.group, rod.friction)


class Pairs(ActiveSet):
    """Contacts of strands whose points begin at `start` (n,) in the unknowns, one strand after the other.
    collision_filter (G, G): see Model; None: nothing touches. rubs: whether strands have friction.
    """

    most, beside = np.inf, 1.5

    def __init__(
        self, strands: Sequence[Strand], start: np.ndarray, collision_filter: np.ndarray | None, rubs: bool = False
    ) -> None:
        self.start, self.at = start, start[:, None] + np.arange(3)
        self.ends = np.cumsum([0, *(len(s.radius) for s in strands)])
        capsules, rods = [], np.zeros(len(strands), ROD)
        for k, strand in enumerate(strands):
            own = np.zeros(len(strand.radius) - 1, CAPSULE)
            own["tail"] = self.ends[k] + np.arange(len(own))
            own["head"], own["rod"] = own["tail"] + 1, k
            own["radius"] = 0.5 * (strand.radius[1:] + strand.radius[:-1])
            own["arc"], own["successor"] = 0.5 * (strand.arc[1:] + strand.arc[:-1]), True
            own["successor"][-1] = False
            capsules.append(own)
        rods["first"], rods["last"] = self.ends[:-1], self.ends[1:] - 1
        rods["group"] = [s.group for s in strands]
        self.capsules = np.concatenate(capsules)
        self.touches = collision_filter is not None
        self.tables = (
            self.capsules, rods, _held_together(strands if self.touches else (), self.capsules),
            np.zeros((0, 0), bool) if collision_filter is None else collision_filter,
        )  # fmt: skip
        self.runs = runs_of(self.capsules)
        self.pairs = np.zeros(4 * len(self.capsules), PAIR)
        radius = self.capsules["radius"]
        self.within, self.skin = float(radius.min()), SKIN * float(radius.max())
        self.stiffness, self.stiffest = 1.0 / (GIVES_FIRST * self.within), 1.0 / (GIVES * self.within)
        self.rows = np.zeros(0, PAIR_CONTACT)
        root = np.sqrt([rubs * s.friction for s in strands])
        self.coefficient = root[:, None] * root  # of strands: the geometric mean
        self.lies = np.zeros_like(self.coefficient, bool)  # which pressed on each other at the last rest, and so rub
        self.rubs, self.give = bool(root.any()), friction.GIVES * self.within
        self.began = self.x = np.zeros((len(start), 3))  # where points were at the last rest, and at the last look
        self.known_held = np.zeros((0, 3))  # of known contacts
        self.ahead, self.firm = 0.0, False  # how far they may slide on the first step that finds all forces, and if now

    def begin(self, y: np.ndarray, drawn: bool) -> None:
        """What is drawn so that it touches at y, or pressed there at the last rest, rubs from there on: what has yet to
        come there slides to its first rest.
        """
        self.began = self.x = y[self.at]
        rows = self._places(self.began) if self.listed is None else self.rows
        if drawn:
            touching = self._met(y, rows)[0] < SUNK * self.within
        else:
            touching = np.isin(rows["key"], self.known[0]) if self.listed is None else rows["force"] > 0.0
        first, second = self._strands(rows[touching])
        self.lies[first, second] = self.lies[second, first] = True

    def lead(self) -> np.ndarray:
        """What leads cables goes on. Returns of strands (w,) whether others press on them."""
        self.ahead = self.within
        found: np.ndarray = self.lies.any(axis=1)
        return found

    def hold(self, strands: Sequence[Strand]) -> None:
        """Lets the same strands be held so."""
        capsules, rods, _, collision_filter = self.tables
        self.tables = capsules, rods, _held_together(strands, capsules), collision_filter

    def begin_from(self, before: "Pairs | None", scale: float) -> None:
        """Takes over contacts of before, with forces by that scale."""
        if before is not None and np.array_equal(before.start, self.start):
            self.take_over(before, scale)
            self.rows["held"], self.rows["limit"] = before.holding(), scale * self.rows["limit"]

    def pressed(self, unit: float, number: np.ndarray, total: int) -> np.ndarray:
        """PAIR (k,) of segments, and ends counted on from `total` points, with segments that they press on, by number
        (n,) of points; forces in units of `unit`.
        """
        rows, tail = self.rows[self.rows["force"] > 0.0], self.capsules["tail"]
        (first, second), end = divmod(rows["key"] // 2, len(tail)), rows["end"]
        pairs = np.zeros(len(rows), PAIR)
        pairs["i"] = np.where(end, total + number[first], number[tail[np.minimum(first, len(tail) - 1)]])
        pairs["j"], pairs["force"][:, 0] = number[tail[second]], unit * rows["force"]
        most = self.coefficient[self._strands(rows)] * pairs["force"][:, 0]
        pairs["force"][:, 1:] = -(most / self.give)[:, None] * self.holding()[self.rows["force"] > 0.0]
        return pairs

    def resume(self, pairs: np.ndarray, unit: float, number: np.ndarray, total: int) -> None:
        """Goes on from what `pressed` returned."""
        point, segment, end = np.zeros(total, int), np.zeros(total, int), pairs["i"] >= total
        point[number], segment[number[self.capsules["tail"]]] = np.arange(len(number)), np.arange(len(self.capsules))
        first = np.where(end, point[pairs["i"] - total * end], segment[pairs["i"] - total * end])
        keys = 2 * (first * len(self.capsules) + segment[pairs["j"]]) + end
        self.known = keys, pairs["force"][:, 0] / unit
        tail = self.capsules["tail"]
        own = np.where(end, first, tail[np.where(end, 0, first)])
        mu = self.coefficient[self._strand(own), self._strand(tail[segment[pairs["j"]]])]
        limit = mu * pairs["force"][:, 0]
        self.known_held = -self.give * pairs["force"][:, 1:] / np.maximum(limit, np.finfo(float).tiny)[:, None]

    def meet(self, x: np.ndarray, there: np.ndarray) -> np.ndarray:
        """Pairs (k, 2) of strands that may touch where points go straight from x to `there` (n, 3)."""
        pairs = self._near(np.hstack([x, there - x]), 0.0, _turned(x) + _turned(there))
        return np.stack([self.capsules["rod"][pairs[name]] for name in ("i", "j")], axis=1)

    def memory(self) -> tuple[np.ndarray | None, np.ndarray, float, np.ndarray]:
        """What `recall` goes back to."""
        return self.listed, self.rows.copy(), self.stiffness, self.x

    def recall(self, memory: tuple[np.ndarray | None, np.ndarray, float, np.ndarray]) -> None:
        """Contacts as they were."""
        self.listed, rows, self.stiffness, self.x = memory
        self.rows = rows.copy()

    # What the energy, its derivatives and its steps are.

    def _met(self, y: np.ndarray, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(g (c,), what points of each row share in its gradient (c, 4), n (c, 3))."""
        rows = self.rows if rows is None else rows
        count = len(rows)
        gaps, shares, normals = np.empty(count), np.empty((count, 2)), np.empty((count, 3))
        pair_gaps(y, rows, gaps, shares, normals)
        s, t = shares.T
        return gaps, np.stack([1.0 - s, s, t - 1.0, -t], axis=1), normals

    def energy(self, y: np.ndarray) -> float:
        """Of all contacts."""
        force, k, press = self.rows["force"], self.rows["stiffness"], self.pushes(y)
        pressed = float(((press**2 - force**2) / (2.0 * k)).sum())
        rows = self._rubbing()
        return pressed + friction.energy(self._gone(y[self.at], rows)[1], rows["limit"], self.give)

    def derivatives(self, y: np.ndarray, gradient: np.ndarray) -> Coupling | None:
        """Adds the gradient. Returns the Hessian."""
        if not self.touches:
            return None
        self._follow(y)
        most = MOST_ROWS * int(np.count_nonzero(self.pushes(y)))
        rubs = self._rub(y, gradient)
        if not most + len(rubs):
            return None
        coupling, sign = np.zeros((most, len(gradient))), np.empty(most)
        count = pair_derivatives(y, self.rows, gradient, coupling, sign)
        return np.concatenate([coupling[:count], rubs]), np.append(sign[:count], np.ones(len(rubs)))

    def springs(self, y: np.ndarray, count: int) -> Coupling:
        """k ∇g ∇gᵀ of what presses, in the first `count` unknowns: the Hessian but for what curves."""
        which = np.flatnonzero(self.pushes(y))
        rows = np.sqrt(self.rows["stiffness"][which])[:, None] * self.slopes(y, which)
        rows = np.concatenate([rows[:, :count], self._rub(y, np.zeros(count))])
        return rows, np.ones(len(rows))

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        return self._met(y)[0]

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        _, shares, normals = self._met(y)
        return np.einsum("rk,rkc,rc->r", shares, p[self.at[self.rows["point"]]], normals)

    def slopes(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """See ActiveSet."""
        (_, shares, normals), out = self._met(y), np.zeros((len(which), len(y)))
        place = self.at[self.rows["point"][which]]  # (k, 4, 3)
        out[np.arange(len(which))[:, None, None], place] = shares[which][:, :, None] * normals[which][:, None]
        return out

    def way(self, p: np.ndarray) -> float:
        """See ActiveSet."""
        return float(np.linalg.norm(p[self.at], axis=1).max())

    def at_points(self, y: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """(n, 3) what pushes (c,) of contacts are at points."""
        total = np.zeros((len(self.start), 3))
        _, shares, normals = self._met(y)
        np.add.at(total, self.rows["point"], (pushes[:, None] * shares)[:, :, None] * normals[:, None])
        return total

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that cables may go at once."""
        x = y[self.at]
        if self._straight(x):
            return 1.0
        x = np.ascontiguousarray(np.hstack([x, p[self.at]]))
        pairs = self._near(x, 0.0, _turned(x))
        return float(part_of_way(self.tables, pairs, x)) if len(pairs) else 1.0

    # Friction.

    def _strand(self, point: np.ndarray) -> np.ndarray:
        """Whose these points are."""
        return np.searchsorted(self.ends, point, "right") - 1

    def _strands(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(c,) of rows, which touch."""
        return self._strand(rows["point"][:, 0]), self._strand(rows["point"][:, 2])

    def _rubbing(self) -> np.ndarray:
        """Rows that rub."""
        return self.rows[self.rows["limit"] > 0.0] if self.rubs else self.rows[:0]

    def _gone(self, x: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """d (c, 3) and |d| (c,) of rows, of points x (n, 3)."""
        d = np.einsum("rk,rkc->rc", rows["weight"], (x - self.began)[rows["point"]]) + rows["held"]
        return friction.across(d, rows["across"])

    def _rub(self, y: np.ndarray, gradient: np.ndarray) -> np.ndarray:
        """Adds the gradient of friction (N,). Returns its Hessian, squares (r, N)."""
        rows = self._rubbing()
        slope, curve = friction.derivatives(
            *self._gone(y[self.at], rows), rows["limit"], rows["across"], self.give, self.firm * self.ahead
        )
        place, weight = self.at[rows["point"]], rows["weight"]  # (c, 4, 3)
        np.add.at(gradient, place, weight[:, :, None] * slope[:, None])
        size, axes = np.linalg.eigh(curve)
        roots = np.moveaxis(axes * np.sqrt(np.maximum(size, 0.0))[:, None], 2, 1)  # (c, 3, 3): v vᵀ of each axis
        row, axis = np.nonzero(size > 0.0)
        out = np.zeros((len(row), len(gradient)))
        values = weight[row][:, :, None] * roots[row, axis][:, None]
        np.add.at(out, (np.arange(len(row))[:, None, None], place[row]), values)
        return out

    def _renew_friction(self, y: np.ndarray, pushes: np.ndarray) -> float:
        """Friction is of what presses now, (c,). Returns by how much it changes."""
        self.x = y[self.at]
        if not self.rubs or not len(self.rows):
            return 0.0
        _, weight, normal = self._met(y)
        limit = self._limit(self.rows, pushes)
        change = limit[:, None] * np.abs(weight) - self.rows["limit"][:, None] * np.abs(self.rows["weight"])
        change = float(np.abs(np.bincount(self.rows["point"].ravel(), change.ravel())).max())
        if change < friction.SEEN:
            return 0.0
        self.rows["limit"], self.rows["weight"], self.rows["across"] = limit, weight, normal
        return change

    def _limit(self, rows: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """μN (c,) of rows that press so."""
        own = self._strands(rows)
        found: np.ndarray = self.lies[own] * self.coefficient[own] * pushes
        return found

    def holding(self) -> np.ndarray:
        """(c, 3) of d, what friction holds after a rest."""
        found = np.zeros((len(self.rows), 3))
        rubs = self.rows["limit"] > 0.0
        rows = self.rows[rubs]
        found[rubs] = friction.held(*self._gone(self.x, rows), rows["limit"], self.give)
        return found

    def rubbing(self, y: np.ndarray) -> np.ndarray:
        """(n, 3) what friction is at points."""
        rows, total = self._rubbing(), np.zeros((len(self.start), 3))
        pulls = friction.forces(*self._gone(y[self.at], rows), rows["limit"], self.give)
        np.add.at(total, rows["point"], rows["weight"][:, :, None] * pulls[:, None])
        return total

    # Which contacts there are.

    def look(self, y: np.ndarray) -> float:
        """Lists all anew, and lets friction be of what presses there. Returns how far all is from an equilibrium."""
        rubs = CHANGE * self._renew_friction(y, self.pushes(y))
        return max(rubs, self.renew(y))

    def _straight(self, x: np.ndarray) -> bool:
        """Whether nothing touches, or it is one cable that turns too little to touch itself."""
        return not self.touches or (len(self.ends) == 2 and bool(_turned(x)[-2] < STRAIGHT))

    def _near(self, x: np.ndarray, skin: float, turned: np.ndarray) -> np.ndarray:
        """PAIR of segments nearer than a skin, of points x (n, 6) that move by x[:, 3:]; turned (n,): of list_pairs."""
        while (count := list_pairs(self.tables, x, turned, skin, self.runs, self.pairs)) > len(self.pairs):
            self.pairs = np.zeros(2 * count, PAIR)
        return self.pairs[:count]

    def _follow(self, y: np.ndarray) -> None:
        """Lists anew where points have gone far."""
        x = y[self.at]
        if self.listed is None or np.linalg.norm(x - self.listed, axis=1).max() > RELIST * self.skin:
            self.renew(y)

    def renew(self, y: np.ndarray) -> float:
        """Lists all anew. Returns how far cables and contacts are from an equilibrium: the deepest gap, the widest one
        of what presses, or what forces change by.
        """
        old, before = self.rows, self.at_points(y, self.rows["force"])
        x = y[self.at]
        rows = self._places(x)
        was, place = (r["point"][:, [0, 2]] + r["share"] for r in (old, rows))
        source, first = self.inherit(old, old["key"], was, rows, rows["key"], place), self.listed is None
        self.rows, self.listed = rows, x
        if self.rubs:
            self._take_friction_over(y, old, source, first)
        return self.off(y, before)

    def _take_friction_over(self, y: np.ndarray, old: np.ndarray, source: np.ndarray, first: bool) -> None:
        """From old rows that they are of (c,), or from those known at first; of what has moved on it is found anew."""
        rows, own = self.rows, np.flatnonzero(source >= 0)
        if not len(own):
            return
        source = source[own]
        rows["held"][own] = self.known_held[source] if first else old["held"][source]
        _, rows["weight"], rows["across"] = self._met(y)
        rows["limit"] = self._limit(rows, rows["force"])
        if not first:
            same = old["key"][source] == rows["key"][own]
            for name in ("limit", "weight", "across"):
                rows[name][own[same]] = old[name][source[same]]

    def _places(self, x: np.ndarray) -> np.ndarray:
        """Rows of what is near points x (n, 3), by key, without forces."""
        if self._straight(x):
            return np.zeros(0, PAIR_CONTACT)
        pairs = self._near(np.hstack([x, np.zeros_like(x)]), self.skin, _turned(x))
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
        rows = np.zeros(5 * len(pairs), PAIR_CONTACT)
        if not len(pairs):
            return rows
        rows = rows[: list_places(self.tables, pairs, np.ascontiguousarray(x), arc, self.skin, rows)]
        rows = rows[np.unique(rows["key"], return_index=True)[1]]
        rows["start"], rows["stiffness"] = self.start[rows["point"]], self.stiffness
        return rows

    # Forces of all of them at once.

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities: none has to be taken as rigid, see `answer`."""
        self.firm = True

    def stand_back(self) -> None:
        """See schemes/inequalities."""
        self.firm = False

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        return self.bear(y, p, solve)

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """See schemes/inequalities; springs become stiffer."""
        super().let_go(found, y)
        self.firm, self.ahead = False, 0.0
        if found:
            self._renew_friction(y, self.rows["force"])
        self.stiffness = min(STIFFER * self.stiffness, self.stiffest)
        self.rows["stiffness"] = self.stiffness

    def replaced(self, y: np.ndarray) -> np.ndarray:
        """Integral forces: springs hold what they do besides."""
        return np.where(self.pushes(y) > 0.0, self.rows["force"], 0.0)


def _turned(x: np.ndarray) -> np.ndarray:
    """(n,) [rad] by which polylines through points x (n, 3 or 6), one after the other, turn before each."""
    edge = np.diff(x[:, :3], axis=0)
    edge /= np.maximum(np.sqrt(np.einsum("ij,ij->i", edge, edge)), 1e-300)[:, None]
    off = np.diff(edge, axis=0)
    turned = np.zeros(len(x))
    half = np.minimum(0.5 * np.sqrt(np.einsum("ij,ij->i", off, off)), 1.0)
    turned[1:-1] = np.cumsum(2.0 * np.arcsin(half))
    return turned


def _held_together(strands: Sequence[Strand], capsules: np.ndarray) -> np.ndarray:
    """Sorted keys of capsules near where handles hold cables into each other, and of those that are drawn into each
    other of two that are drawn from one place: see Model.joined.
    """
    holds = [(k, *hold) for k, strand in enumerate(strands) for hold in strand.held]
    keys: set[int] = set()
    if not holds:
        return np.zeros(0, np.int64)
    at, radius = np.array([hold[2] for hold in holds]), np.array([strands[hold[0]].radius.max() for hold in holds])
    away = np.linalg.norm(at[:, None] - at, axis=3)  # as drawn, before and now
    near = away.min(axis=2) < radius[:, None] + radius
    for a, b in np.argwhere(np.tril(near, -1)):
        (k, arc, _), (m, other, _), reach = holds[a], holds[b], float(radius[a] + radius[b])
        first, second = (_around(capsules, *which, BESIDE * reach) for which in ((k, arc), (m, other)))
        pairs = [(i, j) for i in first for j in second]
        if k != m and away[a, b, 0] < reach:
            (i, own), (j, others) = _of(strands, capsules, k), _of(strands, capsules, m)
            found = near_segments(own, others, capsules["radius"][i], capsules["radius"][j])
            pairs += [(int(i[p]), int(j[q])) for p, q in found]
        keys |= {min(pair) * len(capsules) + max(pair) for pair in pairs}
    return np.array(sorted(keys), dtype=np.int64)


def _of(strands: Sequence[Strand], capsules: np.ndarray, k: int) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """(numbers of a strand's capsules, their ends as drawn)."""
    x = strands[k].x
    return np.flatnonzero(capsules["rod"] == k), (x[:-1], x[1:])


def _around(capsules: np.ndarray, rod: int, arc: float, way: float) -> Iterable[int]:
    """Capsules of a rod that are no further along it."""
    own = capsules["rod"] == rod
    half = 0.5 * np.median(np.diff(capsules["arc"][own])) if np.count_nonzero(own) > 1 else np.inf
    return [int(i) for i in np.flatnonzero(own & (np.abs(capsules["arc"] - arc) <= way + half))]
