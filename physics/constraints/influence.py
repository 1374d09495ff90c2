"""A number that is sampled in time, the last of each of a Model's samples: how firmly something holds, or presses."""

import numpy as np

from .._jit import kernel
from ..arithmetic.intervals import sample_before

INFLUENCE = 7  # where in a sample that is


@kernel
def number_at(times: np.ndarray, samples: np.ndarray, first: int, last: int, time: float) -> float:
    """That of samples first : last at a time [s], linear between them, held beyond the ends."""
    low = sample_before(times, first, last, time)
    high = min(low + 1, last - 1)
    span = times[high] - times[low]
    s = min(max((time - times[low]) / span, 0.0), 1.0) if span > 0.0 else 0.0
    return (1.0 - s) * samples[low, INFLUENCE] + s * samples[high, INFLUENCE]
