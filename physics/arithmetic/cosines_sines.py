"""Cosines and sines of many angles at once. The series of r, what is left of an angle beside the nearest quarter turn,
are right to rounding up to an eighth of a turn, and processors take several angles at a time, for nothing branches.

    cos r = 1 − r²/2 (1 − r²/12 (1 − r²/30 …)),    sin r = r (1 − r²/6 (1 − r²/20 (1 − r²/42 …)))
"""

from math import pi

import numpy as np

from .._jit import kernel


@kernel(forceinline=True)
def cosine_sine(angle: float) -> tuple[float, float]:
    """(cos, sin) of an angle [rad]."""
    quarters = np.floor(angle * (2.0 / pi) + 0.5)
    r = angle - quarters * (0.5 * pi)
    z = r * r
    c = 1.0 - z / 132.0 * (1.0 - z / 182.0 * (1.0 - z / 240.0))
    c = 1.0 - z / 2.0 * (1.0 - z / 12.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0 * (1.0 - z / 90.0 * c))))
    s = 1.0 - z / 110.0 * (1.0 - z / 156.0 * (1.0 - z / 210.0))
    s = r * (1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0 * s))))
    halves = np.floor(0.5 * quarters)
    sign, odd = 1.0 - 2.0 * (halves - 2.0 * np.floor(0.5 * halves)), quarters - 2.0 * halves
    return sign * ((1.0 - odd) * c - odd * s), sign * ((1.0 - odd) * s + odd * c)


@kernel
def cosines_sines(angle: np.ndarray, share: float, cosine: np.ndarray, sine: np.ndarray) -> None:
    """Fill cosine and sine (n,) of that share of the angles (n,) [rad]."""
    for i in range(len(angle)):
        cosine[i], sine[i] = cosine_sine(share * angle[i])
