"""One step of any scheme: attempted, verified, and accepted, or taken back and tried again as long as the scheme says.
What wins energy (see energy_look) is tried again QUARTERS times, then it counts all the same unless it runs away; as
long as at first, where shorter ones go wrong otherwise.
"""

from collections.abc import Callable
from typing import Any

from .._jit import kernel
from .symplectic_euler import DONE, GAINS

Kernel = Callable[..., Any]
QUARTERS = 5  # of a quarter …: 1/1024 of a step, by which each case that was met is cured

BRIEF = 2.0**-6  # of a usual step: what asks for more pairs than is ample in one no longer than that is near at once


def halving(begin: Kernel, attempt: Kernel, take_back: Kernel, shorter: Kernel) -> Kernel:
    """The kernel step(own, h, usual) → (status, the rod it concerns, the other one, how long the step was [s]) of a
    scheme, of which `own` tells all: of h [s] or less, where `usual` ones would do. Not DONE: all is as it was.

    begin(own) → (status, rod, what each attempt is given as `begun`), and remembers what an attempt changes;
    attempt(own, h, usual, begun, last) → (status, rod, the other rod), accepted where that is DONE; GAINS where it
    wins energy, if it is the `last` of such only where it runs away;
    take_back(own), to where it began; shorter(own, status, h, usual) → what to try behind a status [s], or 0: nothing.
    """

    @kernel
    def step(own: Any, h: float, usual: float) -> tuple[int, int, int, float]:
        quarters, won_at = 0, 0.0
        status, rod, begun = begin(own)
        if status != DONE:
            return status, rod, rod, 0.0
        while True:
            last = quarters >= QUARTERS or not shorter(own, GAINS, h, usual) > 0.0
            status, rod, other = attempt(own, h, usual, begun, last)
            if status == DONE:
                return DONE, rod, other, h
            take_back(own)
            if status == GAINS and won_at == 0.0:
                won_at = h
            quarters += int(status == GAINS)
            h = shorter(own, status, h, usual)
            if not h > 0.0:
                if last or won_at == 0.0:
                    return status, rod, other, 0.0
                h, quarters = won_at, QUARTERS

    return step
