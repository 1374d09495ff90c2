"""What Newton's methods of implicit steps have in common: how the matrix gets the inertia it should have, how far one
goes, and when it is over.

Near a solution the matrix has as many negative eigenvalues as there are tensions. Where it has others, as under thrust,
masses count for more in it until it has not, which is as if the step in time were shorter; at the last what spoils it
is left out of it. What is found so moves less than it should, so the end is tried again as it is.
"""

from math import inf

import numpy as np

from .._jit import kernel

SHIFT_MAX = 3.0**7  # times what things weigh, in the matrix alone; with it what spoils the matrix is left out instead
FAR = 0.7  # rad, by which edges turn in one iteration
WOUND = 1.5  # rad, the same of a hinge's twist: by half a turn or more none tells which way it went
DIVERGED = -1


@kernel
def begin(run: np.record, form: int) -> None:
    """A NEWTON begins, with a matrix of this form."""
    run.shift, run.polishing, run.form, run.since = 0.0, False, form, inf


@kernel
def raise_shift(run: np.record) -> bool:
    """Make things heavier; while that only polishes where they shall be, at once as heavy as can be. Returns whether
    they were not.
    """
    if run.shift >= SHIFT_MAX:
        return False
    run.shift = SHIFT_MAX if run.polishing else max(3.0 * run.shift, 3.0)
    return True


@kernel
def lower_shift(run: np.record) -> None:
    """What the next iteration begins with: masses that stay heavy would have it creep."""
    run.shift = run.shift / 9.0 if run.shift > 9.0 else 0.0


@kernel
def is_over(run: np.record) -> bool:
    """Whether things are where they shall be, if they move no more: heavy ones hardly do, so then again without."""
    if run.shift == 0.0 or run.polishing:
        return True
    run.shift, run.polishing, run.since = 0.0, True, inf
    return False


@kernel
def is_whole(run: np.record, part: float) -> bool:
    """Whether things have gone all of a solution, of what they weigh: then the forces that it asks for hold."""
    return part == 1.0 and (run.shift == 0.0 or run.shift == SHIFT_MAX)


@kernel
def part_of(turned: float, wound: float) -> float:
    """So much of a solution, at most, that turns edges by `turned` and by itself twists a hinge by `wound` [rad]."""
    part = FAR / turned if turned > FAR else 1.0
    return WOUND / wound if part * wound > WOUND else part
