"""Between which samples a time lies."""

import numpy as np

from .._jit import kernel


@kernel
def sample_before(times: np.ndarray, first: int, last: int, time: float) -> int:
    """The sample of first : last that begins the interval of increasing times in which `time` lies."""
    low, high = first, last - 1
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= time:
            low = middle
        else:
            high = middle
    return low
