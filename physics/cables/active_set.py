"""Forces of all contacts at once, as Newton's method asks for them (Grégoire 2007, §5.2, whose matrix M is never made:
the band takes contacts as springs so stiff that they do not give, and their forces are what these springs hold).

Those that would pull let go, and those that are gone through take hold, until none does (the primal-dual active set:
Hintermüller, Ito & Kunisch 2002, *SIAM J. Optim.* 13).
"""

import numpy as np

from ..schemes.static import Solve

RIGID = 1e8  # stiffness that does not give: a force of 1 moves it by 1e-8, and rounding makes 1e-8 of it


class ActiveSet:
    """Contacts, rows (c,) with a force and a stiffness, that press or do not."""

    rows: np.ndarray
    pressing: np.ndarray | None = None  # (c,) of rows as stiff as RIGID
    answered: np.ndarray  # (c,) forces that the last step asked for
    near = False  # whether that step went no further than it can be believed
    within: float  # how far that is

    def gaps(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""
        raise NotImplementedError

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """(c,) of gaps, by a step p from y."""
        raise NotImplementedError

    def way(self, p: np.ndarray) -> float:
        """The furthest that a step p moves anything that touches."""
        raise NotImplementedError

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """(c,) with which contacts press."""
        return np.maximum(self.rows["force"] - self.rows["stiffness"] * self.gaps(y), 0.0)

    def stand_firm(self, y: np.ndarray) -> None:
        """See schemes/static: takes those as RIGID that press."""
        self.pressing = self.pushes(y) > 0.0

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """See schemes/static."""
        self.near = self.way(p) <= self.within
        after = self.gaps(y) + self.changes(y, p)
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
