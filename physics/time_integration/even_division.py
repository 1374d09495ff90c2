"""A stretch of time divided evenly into steps: a last step that is a sliver would turn the projection's residue into
velocity.

What had to be halved shows how long a step may be, `proven`: the rest is divided by that, and what is allowed grows
again from there, by GROWTH a step.
"""

from math import ceil

from .._jit import kernel

GROWTH = 1.1
REDIVIDE = 1.15  # times as long as is allowed, or half as long: then the rest is divided anew
ROUNDING = 1e-9  # of a step: so much more than a whole number of them is no other step


@kernel
def steps_in(left: float, allowed: float) -> int:
    """Into how many steps, of at most `allowed` [s], what is left [s] is divided."""
    return max(1, ceil(left / allowed * (1.0 - ROUNDING)))


@kernel
def gone_on(count: int, left: float, h: float, gone: float, proven: float) -> tuple[int, float, float]:
    """(steps to go, time left [s], the longest step that is proven to be allowed [s]) behind one of `count` steps of
    h [s], that was `gone` [s] long: no step to go means that what is left is to be divided anew.
    """
    if gone < h:
        return 0, left - gone, gone
    return count - 1, left - gone if count > 1 else 0.0, GROWTH * proven


@kernel
def is_outgrown(h: float, allowed: float) -> bool:
    """Whether steps of h [s] are to become others."""
    return h > REDIVIDE * allowed or 2.0 * h <= allowed
