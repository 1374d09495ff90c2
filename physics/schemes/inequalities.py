"""What schemes ask of inequalities, constraints of which springs and integral forces only press."""

from collections.abc import Callable
from typing import Protocol

import numpy as np

Solve = Callable[[np.ndarray], None]  # a right-hand side (N,) becomes the solution


class Inequalities(Protocol):
    """Of a system of N unknowns y."""

    turned: int  # how many let go or took hold at the last answer

    @property
    def press(self) -> bool:
        """Whether any has a force."""

    def pushes(self, y: np.ndarray) -> np.ndarray:
        """(c,) with which they press."""

    def foresee(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> None:
        """A step p of Newton's method from y, by the Hessian that `solve` divides by, becomes one that springs
        hold back of what it goes into.
        """

    def stand_firm(self, y: np.ndarray) -> None:
        """Takes those that press at y as so stiff that they do not give."""

    def stand_back(self) -> None:
        """Springs are as they were."""

    def answer(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """Finds forces from a step p of Newton's method from y, that becomes what it is with them, by the Hessian that
        `solve` divides by. Returns whether none would pull, and none be violated; else these let go, and take hold.
        """

    def bear(self, y: np.ndarray, p: np.ndarray, solve: Solve) -> bool:
        """Finds forces from a step p of Newton's method from y in which springs press, by the Hessian that `solve`
        divides by, and p with them. Returns whether there are any.
        """

    def believed(self, p: np.ndarray) -> float:
        """The part of a step that can be, which is taken then."""

    def let_go(self, found: bool, y: np.ndarray) -> None:
        """Takes the forces that were found, else those that springs hold at y; springs are as they were."""
