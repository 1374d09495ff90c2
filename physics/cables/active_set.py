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
RIGID = 1e8  # stiffness that does not give: a force of 1 moves it by 1e-8, and rounding makes 1e-8 of it


class ActiveSet:
    """Contacts, rows (c,) with a force and a stiffness, that press or do not."""

    rows: np.ndarray
    pressing: np.ndarray | None = None  # (c,) of rows as stiff as RIGID
    answered: np.ndarray  # (c,) forces that the last step asked for
    turned = 0  # how many let go or took hold
    near = False  # whether that step went no further than it can be believed
    within: float  # how far that is

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

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """(c,) with which contacts press."""
        return np.maximum(self.rows["force"] - self.rows["stiffness"] * self.gaps(y), 0.0)

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/inequalities: takes those as RIGID that press."""
        self.pressing = self.pushes(y) > 0.0

    def stand_back(self) -> None:
        """See schemes/forces_at_once."""
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

    def bear(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/forces_at_once. Gaps are b + M f of forces f, with their compliance M = N H⁻¹ Nᵀ, N the slopes of
        gaps: those that press are asked first, then with them what is gone through. Springs stay in H, so that it is
        definite where nothing else holds the system, and hold back a step as they do, but do not push.
        """
        gap, found = self.gaps(y), np.zeros(0, int)
        z = n = np.zeros((0, len(p)))
        push = self.pushes(y)
        own = np.flatnonzero(push)
        less = -push[own] @ self.slopes(y, own)
        solve(less)
        p += less
        step, force, more = p, np.zeros(0), own
        for _ in range(ROUNDS):
            if len(found) + len(more) > MOST:
                return False
            rows = self.slopes(y, more)
            answer = rows.copy()
            for row in answer:
                solve(row)
            found = np.concatenate([found, more])
            z, n = np.concatenate([z, answer]), np.concatenate([n, rows])
            answered = complementary(n @ z.T, gap[found] + n @ p, 1.0 / RIGID)
            if answered is None:
                return False
            force = answered
            step = p + force @ z
            after = gap + self.changes(y, step)
            after[found] = 0.0
            more = np.flatnonzero(after < -1.0 / RIGID)
            if not len(more):
                break
        else:
            return False
        p[:] = step
        self.near = self.way(p) <= self.within
        self.answered = np.zeros(len(self.rows))
        self.answered[found] = force
        return True

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """Forces become what was found, or else what springs hold; springs give again."""
        self.pressing = None
        self.rows["force"] = np.maximum(self.answered, 0.0) if found and self.near else self.pushes(y)
