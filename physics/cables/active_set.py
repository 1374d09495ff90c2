"""Forces of all contacts at once, as Newton's method asks for them (Grégoire 2007, §5.2).

The band takes contacts as springs so stiff that they do not give, and their forces are what these springs hold. Those
that would pull let go, and those that are gone through take hold, until none does (the primal-dual active set:
Hintermüller, Ito & Kunisch 2002, *SIAM J. Optim.* 13). That costs a factorisation for each round, whatever the number
of contacts; but for what bends it may go round and round. Then the thesis's matrix M is made, with a solution for each
contact in question, and the complementarity problem solved that it is of.
"""

import numpy as np

from ..linear.complementarity import complementary
from ..schemes.inequalities import Solve

ROUNDS = 20  # in which more contacts are asked,
MOST = 128  # and so many of them: the matrix takes as long as a step there
COMPLIANCE = 1e-10  # of each contact, besides: two of the same place share their force
SAME = 1e-9  # of the cables' length: what is deeper after a step is gone through
CHANGE = 1e-2  # times what forces change by, when planes turn: counts as a gap, for what bends or hangs resists by 10
RIGID = 1e8  # stiffness that does not give: a force of 1 moves it by 1e-8, and rounding makes 1e-8 of it


class ActiveSet:
    """Contacts, rows (c,) with a force and a stiffness, that press or do not."""

    rows: np.ndarray
    pressing: np.ndarray | None = None  # (c,) of rows as stiff as RIGID
    answered: np.ndarray  # (c,) forces that the last step asked for
    turned = 0  # how many let go or took hold
    near = False  # whether that step went no further than it can be believed
    within: float  # how far that is
    stiffness: float  # of springs
    most: float = MOST
    foresees = False  # whether steps press on what they go into: see `foresee`
    beside = 1.0  # segments of what is left, as far as forces are handed over
    listed: np.ndarray | None = None  # (n, 3) where points were when contacts were listed
    known = np.zeros(0, np.int64), np.zeros(0)  # keys of contacts that pressed where it begins, and their forces

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        raise NotImplementedError

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """(c,) of gaps, by a step p from y."""
        raise NotImplementedError

    def slopes(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """(k, N) of the gaps of those rows (k,)."""
        raise NotImplementedError

    def way(self, p: np.ndarray) -> float:
        """The furthest that a step p moves anything that touches."""
        raise NotImplementedError

    def at_points(self, y: np.ndarray, pushes: np.ndarray) -> np.ndarray:
        """(n, 3) what pushes (c,) of contacts are at points."""
        raise NotImplementedError

    # Contacts that are listed anew.

    def take_over(self, before: "ActiveSet", scale: float) -> None:
        """Contacts of before, with forces by that scale."""
        self.rows, self.listed = before.rows.copy(), before.listed
        self.known = before.known[0], scale * before.known[1]
        self.rows["force"] *= scale
        self.rows["stiffness"] = self.stiffness

    def inherit(
        self, old: np.ndarray, known: np.ndarray, was: np.ndarray, rows: np.ndarray, keys: np.ndarray, place: np.ndarray
    ) -> np.ndarray:
        """Rows (c,) of keys (c,) take forces over from old ones of `known` keys, with which these are the same. What
        pressed where that has left presses on those beside that look the same way most; was, place (c, k): where rows
        are, in segments along cables. Returns numbers (c,) of old ones, or known where it begins, −1: of none.
        """
        source = np.full(len(rows), -1)
        if self.listed is None:  # so there are no old ones
            _, here, there = np.intersect1d(keys, self.known[0], return_indices=True)
            rows["force"][here], source[here] = self.known[1][there], there
            return source
        order = np.argsort(known, kind="stable")
        at = np.searchsorted(known, keys, sorter=order)
        found = order[np.minimum(at, len(known) - 1)] if len(known) else np.zeros(len(keys), int)
        same = known[found] == keys if len(known) else np.zeros(len(keys), bool)
        rows["force"][same], source[same] = old["force"][found[same]], found[same]
        for i in np.setdiff1d(np.flatnonzero(old["force"] > 0.0), found[same]):
            way = np.abs(place - was[i])
            beside = np.flatnonzero((way < self.beside).all(axis=1))
            if len(beside):
                alike = rows["n"][beside] @ old["n"][i] - way[beside].sum(axis=1)
                to = beside[np.argmax(alike)]
                rows["force"][to] += old["force"][i]
                source[to] = i if source[to] < 0 else source[to]
        return source

    def off(self, y: np.ndarray, before: np.ndarray | None) -> float:
        """How far cable and contacts are from an equilibrium: the deepest gap, the widest one of what presses, or what
        forces change by that were before (n, 3) at points.
        """
        gap, force = self.gaps(y), self.rows["force"]
        gap = np.where(force > 0.0, np.abs(gap), np.maximum(-gap, 0.0)).max(initial=0.0)
        change = 0.0 if before is None else np.abs(self.at_points(y, force) - before).max(initial=0.0)
        return float(max(gap, CHANGE * change))

    # Forces of all at once.

    @property
    def press(self) -> bool:
        """See schemes/inequalities."""
        return bool((self.rows["force"] > 0.0).any())

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """(c,) with which contacts press."""
        return np.maximum(self.rows["force"] - self.rows["stiffness"] * self.gaps(y), 0.0)

    def _asked(
        self, y: np.ndarray, more: np.ndarray, solve: Solve, known: tuple[np.ndarray, np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those known, numbers (c,) of rows, slopes n (c, N) of their gaps and z = n H⁻¹, and more of them."""
        found, n, z = known
        rows = self.slopes(y, more)
        answer = rows.copy()
        for row in answer:
            solve(row)
        return np.append(found, more), np.concatenate([n, rows]), np.concatenate([z, answer])

    def foresee(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> None:
        """See schemes/inequalities: the least of the energy's quadratic model with springs that only press, of force f
        and stiffness k each, b + M f + (f − f₀)/k ≥ 0 as in `bear`. It is lower than at y, so p goes downhill.
        """
        if not self.foresees or not len(self.rows):
            return
        gap, p0, force, k = self.gaps(y), p.copy(), self.rows["force"], self.stiffness
        free, found = force <= k * gap, np.zeros(0, int)
        z = n = np.zeros((0, len(p)))
        for _ in range(ROUNDS):
            into = gap + self.changes(y, p) - force / k
            into[found] = 0.0
            more = np.flatnonzero(free & (into < -SAME))
            if not len(more) or len(found) + len(more) > MOST:
                return
            found, n, z = self._asked(y, more, solve, (found, n, z))
            pressed = complementary(n @ z.T, gap[found] + n @ p0 - force[found] / k, 1.0 / k)
            if pressed is None:
                return
            p[:] = p0 + pressed @ z

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities: takes those as RIGID that pressed, or are gone through."""
        self.pressing = (self.rows["force"] > 0.0) | (self.gaps(y) < 0.0)

    def stand_back(self) -> None:
        """See schemes/inequalities."""
        self.pressing = None

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities."""
        self.near = self.way(p) <= self.within
        after = self.gaps(y) + self.changes(y, p)
        force, held = self.rows["force"] - RIGID * after, self.pressing
        assert held is not None
        pressing = np.where(held, force > 0.0, after < -1.0 / RIGID)
        same = bool(np.array_equal(pressing, held))
        self.turned = int(np.count_nonzero(pressing != held))
        self.answered = np.where(pressing & held, force, 0.0)
        self.pressing = pressing
        return same

    def believed(self, p: np.ndarray) -> float:
        """See schemes/inequalities."""
        self.near = True
        return self.within / max(self.within, self.way(p))

    def replaced(self, y: np.ndarray) -> np.ndarray:
        """(c,) what forces found by compliance take the place of: springs stay in H, so that it is definite where
        nothing else holds the system, and hold back a step as they do, but do not push.
        """
        return self.pushes(y)

    def bear(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/inequalities: by their compliance M = N H⁻¹ Nᵀ, H the Hessian that `solve` divides by, N the
        slopes of gaps. After p these are b + M f of forces f in place of what is `replaced`: those that press are asked
        first, then with them what is gone through.
        """
        gap, p0, more, push = self.gaps(y), p.copy(), np.flatnonzero(self.pushes(y)), self.replaced(y)
        z = n = np.zeros((0, len(p)))
        found, self.answered = np.zeros(0, int), np.zeros(len(push))
        for _ in range(ROUNDS):
            if len(more):
                if len(found) + len(more) > self.most:
                    break
                found, n, z = self._asked(y, more, solve, (found, n, z))
                matrix = n @ z.T
                right = gap[found] + n @ p0 - matrix @ push[found] - COMPLIANCE * push[found]
                answered = complementary(matrix, right, COMPLIANCE)
                if answered is None:
                    break
                p[:] = p0 + (answered - push[found]) @ z
                self.answered[found] = answered
            after = gap + self.changes(y, p)
            after[found] = 0.0
            more = np.flatnonzero(after < -SAME)
            if not len(more):
                self.near = self.way(p) <= self.within
                return True
        p[:] = p0
        return False

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """Forces become what was found, or else what springs hold; springs give again."""
        self.pressing = None
        self.rows["force"] = np.maximum(self.answered, 0.0) if found and self.near else self.pushes(y)
