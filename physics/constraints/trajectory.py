"""Where a pin is led: samples of position, turn and influence joined by cubic Hermite curves (Catmull–Rom slopes), so
that velocity is continuous; quaternions are interpolated alike and made unit again, influence linearly."""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.intervals import sample_before


@kernel
def copy_row(samples: np.ndarray, row: int, out: np.ndarray) -> None:
    """out = samples[row]."""
    for k in range(len(out)):
        out[k] = samples[row, k]


@kernel
def evaluate(times: np.ndarray, samples: np.ndarray, first: int, last: int, time: float, out: np.ndarray) -> None:
    """out (8,) at `time` [s] from the samples first : last, each (position, quaternion w x y z, influence); held
    beyond the ends.
    """
    if time <= times[first] or last - first == 1:
        copy_row(samples, first, out)
        return
    if time >= times[last - 1]:
        copy_row(samples, last - 1, out)
        return
    low = sample_before(times, first, last, time)
    high = low + 1
    span = times[high] - times[low]
    s = (time - times[low]) / span
    before, after = max(low - 1, first), min(high + 1, last - 1)
    p, q = span / (times[high] - times[before]), span / (times[after] - times[low])
    a, b = (1.0 + 2.0 * s) * (1.0 - s) ** 2, s * (1.0 - s) ** 2
    c, d = s * s * (3.0 - 2.0 * s), s * s * (s - 1.0)
    for k in range(7):
        y0, y1 = samples[low, k], samples[high, k]
        out[k] = a * y0 + b * p * (y1 - samples[before, k]) + c * y1 + d * q * (samples[after, k] - y0)
    out[7] = (1.0 - s) * samples[low, 7] + s * samples[high, 7]
    unit = 1.0 / sqrt(out[3] * out[3] + out[4] * out[4] + out[5] * out[5] + out[6] * out[6])
    out[3], out[4], out[5], out[6] = unit * out[3], unit * out[4], unit * out[5], unit * out[6]
