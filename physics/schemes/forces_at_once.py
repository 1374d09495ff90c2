"""Forces of all constraints and inequalities at once, by Newton's method: where a system presses on others, forces that
follow one kind after the other disturb each other, and converge slowly.

A step p from y and its forces f have constraints c and the inequalities that press hold to the first order,

    H p + Cᵀ Δf = −(g + Cᵀ f),    c + C p = 0,

g and H with what springs hold, f + k c, as forces. Springs FIRM times as stiff take the place of the second line in the
same band, and Δf = K (c + C p). Near an equilibrium errors become their own squares. Which inequalities press is found
as static.py has it or, where that goes round and round, by their compliance (see Inequalities.bear).

What inequalities there are changes with y. Where steps do not shrink, for what is found at the end of one undoes it,
they become shorter, as under-relaxation of any fixed point.
"""

from typing import Any, Protocol

import numpy as np

from ..linear.border import Bordered
from .inequalities import Inequalities

FIRM = 2.0**13  # times springs' stiffness: below STIFFEST of static.py, and a power of two, so nothing is rounded
STEPS = 12  # of Newton's method: the first go as far as can be believed, the last square an error of 1e-2 to 1e-256
LAST = 1e-6  # a step, whose square is rounding
SHRINKS = 0.5  # by which steps get smaller at least
TRIES = 3  # in which as many inequalities may turn as before
ROUNDS = 10  # in which they turn
RENEWALS = 16  # of inequalities
SHORTEST = 1.0 / 16.0  # part of a step


class Solver(Protocol):
    """Room for a step of Newton's method: see static.Equilibrium."""

    system: Any
    effort: Any
    gradient: np.ndarray
    step: np.ndarray
    band: np.ndarray
    border: Any
    coupling: Any

    def factors_of(self, shift: float) -> Bordered:
        """Of the Hessian, its diagonal shifted."""


class ForcesAtOnce:
    """Of an equilibrium's system."""

    def __init__(self, solver: Solver) -> None:
        self.solver, self.system = solver, solver.system
        self.contacts: Inequalities | None = solver.system.contacts
        self.gradient, self.band = np.empty_like(solver.gradient), np.empty_like(solver.band)
        self.arrived = False  # whether the last step was as good as none

    def settle(self, y: np.ndarray, tolerance: float) -> float:
        """y and forces go to an equilibrium from near one. Returns the largest error that is left."""
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
        return max(touch, self.system.update_multipliers(y, 0.0)[0])

    def _converge(self, y: np.ndarray) -> bool:
        """With inequalities as they are listed."""
        p, sizes, contacts = self.solver.step, [np.inf, np.inf], self.contacts
        for _ in range(STEPS):
            self.system.stiffen(FIRM)
            found = self._take(y)
            self.solver.effort.steps += 1
            size, part = float(abs(p).max()), 0.0
            if found and size < max(sizes[-2:]):  # the first may turn more than it moves, and the second back
                part = 1.0 if contacts is None else contacts.believed(p)
                part *= self.system.longest(y, part * p)
            if part >= SHORTEST:
                self.system.take_up(y, p)
            self.system.stiffen(1.0 / FIRM)
            if part < SHORTEST:
                if contacts is not None:
                    contacts.stand_back()
                return len(sizes) > 2
            y += part * p
            if contacts is not None:
                contacts.let_go(True, y)
            sizes.append(size)
            self.arrived = size < LAST
            if self.arrived:
                break
        return True

    def _take(self, y: np.ndarray) -> bool:
        """A step from y. Returns whether one was found."""
        contacts, least, tries = self.contacts, np.inf, TRIES
        if contacts is not None:
            contacts.stand_firm(y)
        self._linearise(y)
        if contacts is None:
            return self._step(y) is not None
        for _ in range(ROUNDS):
            factors = self._step(y)
            if factors is None:
                break
            if contacts.answer(y, self.solver.step, factors.solve):
                return True
            tries = TRIES if contacts.turned < least else tries - 1
            least = min(least, contacts.turned)
            if tries == 0:
                break
        contacts.stand_back()
        self._linearise(y)
        factors = self._step(y)
        return factors is not None and contacts.bear(y, self.solver.step, factors.solve)

    def _linearise(self, y: np.ndarray) -> None:
        """Finds gradient and Hessian at y, but for inequalities; in the second springs hold nothing beside forces."""
        solver, system = self.solver, self.system
        system.derivatives(y, self.gradient, self.band)
        forces = system.integral_forces()
        system.update_multipliers(y, -1.0)
        solver.border, solver.coupling = system.derivatives(y, solver.gradient, self.band)
        system.put_back(forces)

    def _step(self, y: np.ndarray) -> Bordered | None:
        """Factors of the Hessian with inequalities as they are, None: it is not definite; the solver's step becomes
        that of Newton's method.
        """
        solver = self.solver
        solver.gradient[:], solver.band[:] = self.gradient, self.band
        self.system.add_contacts(y, solver.gradient, solver.band)
        factors = solver.factors_of(self.system.softest)
        if factors.negative:
            return None
        np.negative(solver.gradient, out=solver.step)
        factors.solve(solver.step)
        return factors
