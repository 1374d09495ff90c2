"""Forces of all constraints and inequalities at once, by Newton's method: where a system presses on others, forces that
follow one kind after the other disturb each other, and converge slowly.

A step p from y and its forces f have constraints c and the inequalities that press hold to the first order,

    H p + Cᵀ Δf = −(g + Cᵀ f),    c + C p = 0,

g and H with what springs hold, f + k c, as forces. Springs FIRM times as stiff take the place of the second line in the
same band, and Δf = K (c + C p). Near an equilibrium errors become their own squares. Which inequalities press is found
as static.py has it or, where that goes round and round, by their compliance (see Contacts.bear).

What inequalities there are changes with y. Where steps do not shrink, for what is found at the end of one undoes it,
they become shorter, as under-relaxation of any fixed point.
"""

from typing import Any, Protocol

import numpy as np

from ..linear.border import Bordered
from .inequalities import Inequalities, Solve

FIRM = 2.0**13  # times springs' stiffness: below STIFFEST of static.py, and a power of two, so nothing is rounded
STEPS = 8  # of Newton's method, which square an error of 1e-2 to 1e-256
LAST = 1e-5  # a step, whose square is rounding
SHRINKS = 0.5  # by which steps get smaller at least
TRIES = 3  # in which as many inequalities may turn as before
ROUNDS = 10  # in which they turn
RENEWALS = 16  # of inequalities
SHORTEST = 1.0 / 16.0  # part of a step


class Constraints(Protocol):
    """Of a system, one after the other, c of them."""

    def violations(self, y: np.ndarray) -> np.ndarray:
        """(c,)."""

    def changes(self, y: np.ndarray, p: np.ndarray) -> np.ndarray:
        """(c,) of violations, by a step p from y."""

    def springs(self) -> np.ndarray:
        """(c,) their stiffness."""

    def push(self, more: np.ndarray) -> None:
        """Adds to integral forces (c,)."""


class Contacts(Inequalities, Protocol):
    """Inequalities that can be found together with constraints."""

    turned: int  # how many let go or took hold at the last answer
    near: bool  # whether the last step went no further than can be believed

    def stand_back(self) -> None:
        """Springs are as they were."""

    def bear(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """Finds forces from a step p of Newton's method from y in which springs press, by the Hessian that `solve`
        divides by, and p with them. Returns whether there are any.
        """


Together = tuple[Constraints, Contacts]


class Solver(Protocol):
    """Room for a step of Newton's method: see static.Equilibrium."""

    system: Any
    effort: Any
    gradient: np.ndarray
    step: np.ndarray

    def differentiate(self, y: np.ndarray) -> None:
        """Finds the gradient at y, and the Hessian."""

    def factors_of(self, shift: float) -> Bordered:
        """Of the Hessian, its diagonal shifted."""


class ForcesAtOnce:
    """Of an equilibrium's system."""

    def __init__(self, solver: Solver, together: Together) -> None:
        self.solver, self.system = solver, solver.system
        self.constraints, self.contacts = together

    def settle(self, y: np.ndarray, tolerance: float) -> float:
        """y and forces go to an equilibrium from near one. Returns the largest error of inequalities that is left."""
        part, last, touch, effort = 1.0, np.inf, np.inf, self.solver.effort
        for _ in range(RENEWALS):
            before = y.copy()
            if not self._converge(y):
                break
            way = float(abs(y - before).max())
            part = max(0.5 * part, SHORTEST) if way > SHRINKS * last else 1.0
            last = way
            if part < 1.0:
                shorter = part * (y - before)
                y[:] = before + self.system.longest(before, shorter) * shorter
            touch = self.system.detect_contacts(y)
            effort.updates, effort.touches = effort.updates + 1, (*effort.touches, touch)
            if touch <= tolerance:
                break
        return touch

    def _converge(self, y: np.ndarray) -> bool:
        """With inequalities as they are listed."""
        p, last = self.solver.step, np.inf
        for _ in range(STEPS):
            error, k = self.constraints.violations(y), self.constraints.springs()
            self.system.stiffen(FIRM)
            found = self._take(y, k * error)
            self.solver.effort.steps += 1
            self.system.stiffen(1.0 / FIRM)
            size = float(abs(p).max())
            if not (found and self.contacts.near and size < SHRINKS * last and self.system.longest(y, p) >= 1.0):
                self.contacts.stand_back()
                return last < np.inf
            self.constraints.push(FIRM * k * (error + self.constraints.changes(y, p)))
            y += p
            self.contacts.let_go(True, y)
            last = size
            if size < LAST:
                break
        return True

    def _take(self, y: np.ndarray, held: np.ndarray) -> bool:
        """A step from y, where springs hold so much. Returns whether one was found."""
        contacts, least, tries = self.contacts, np.inf, TRIES
        contacts.stand_firm(y)
        for _ in range(ROUNDS):
            factors = self._step(y, held)
            if factors is None:
                break
            if contacts.answer(y, self.solver.step, factors.solve):
                return True
            tries = TRIES if contacts.turned < least else tries - 1
            least = min(least, contacts.turned)
            if tries == 0:
                break
        contacts.stand_back()
        factors = self._step(y, held)
        return factors is not None and contacts.bear(y, self.solver.step, factors.solve)

    def _step(self, y: np.ndarray, held: np.ndarray) -> Bordered | None:
        """Factors of the Hessian, None: it is not definite; the solver's step becomes that of Newton's method."""
        solver = self.solver
        self.constraints.push((1.0 - FIRM) * held)
        solver.differentiate(y)
        self.constraints.push((FIRM - 1.0) * held)
        factors = solver.factors_of(self.system.softest)
        if factors.negative:
            return None
        solver.differentiate(y)
        np.negative(solver.gradient, out=solver.step)
        factors.solve(solver.step)
        return factors
