"""Goes on over a stretch of time by even steps of any kind: a last step that is a sliver would turn a projection's
residue into velocity. What had to be halved shows how long a step may be, `proven`: the rest is divided by that, and
what is allowed grows again from there, by GROWTH a step.
"""

from collections.abc import Callable
from math import ceil, inf
from typing import Any

from .._jit import kernel
from .symplectic_euler import DONE, TOO_FAR

Kernel = Callable[..., Any]
GROWTH = 1.1
ROUNDING = 1e-9  # of a step: so much more than a whole number of them is no other step
SUNK = 2.0**-12  # of the usual step: what counts as usual falls no lower, so that forces that run away are seen:
HOPELESS = 2**12  # steps shorter than that, which together are no usual one, get nowhere


@kernel
def steps_in(left: float, allowed: float) -> int:
    """Into how many steps, of at most `allowed` [s], what is left [s] is divided."""
    return max(1, ceil(left / allowed * (1.0 - ROUNDING)))


def driver(limit: Kernel, step: Kernel, longer: float, shorter: float, patience: int, growth: float = GROWTH) -> Kernel:
    """The kernel that goes on by steps of a kind, of which `own` tells all. The rest is divided anew where steps are so
    many times as long as is allowed (0: at each), or as short, which is looked at every so many; half as long behind a
    halved one. growth: by which a step may be longer than a halved one before it, inf: as its limit says.

    limit(own, taken, halved, kept) → (the longest step now [s], what the next call is given as `kept`);
    step(own, h, usual) → (status, rod, the other rod, how long it was [s]), of h [s], where `usual` ones would do (see
    halving).
    """
    knows = growth == inf

    @kernel
    def go_on(own: Any, duration: float, first: float, kept: float) -> tuple[int, int, int, int, float]:
        """(status, rod, the other rod, steps taken, time left undone [s]); TOO_FAR, −1 where steps get nowhere."""
        left, taken, count, short, halved = duration, 0, 0, 0, False
        h, proven, usual, sunk = min(first, duration), inf, inf, 0.0
        if first > 0.0:
            status, rod, other, gone = step(own, h, h)
            if status != DONE:
                return status, rod, other, taken, left
            left, taken = left - gone, 1
        while left > 1e-12 * duration:
            longest, kept = limit(own, taken, halved, kept)
            allowed, usual = longest if knows else min(longest, proven), max(min(longest, GROWTH * usual), sunk)
            outgrown = (taken % patience == 0 and h <= shorter * allowed) or (proven < inf and 2.0 * h <= allowed)
            if count == 0 or h > longer * allowed or outgrown:
                count, sunk = steps_in(left, allowed), max(sunk, SUNK * usual)
                h = left / count
            status, rod, other, gone = step(own, h, usual)
            if status != DONE:
                return status, rod, other, taken, left
            taken, short, halved = taken + 1, short + int(gone < sunk), gone < h
            count, left = (0, left - gone) if halved else (count - 1, left - gone if count > 1 else 0.0)
            proven = gone if halved else growth * proven
            if short == HOPELESS:
                return TOO_FAR, -1, -1, taken, left
        return DONE, 0, 0, taken, left

    return go_on
