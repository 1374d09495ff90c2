"""What is sampled in time goes on straight lines from sample to sample, and before and behind them stands still."""

import numpy as np

from ..scene import Collider


def between(times: np.ndarray, time: float) -> tuple[int, int, float]:
    """(number of the sample before `time` [s], of the one behind it, how far in [0, 1] from the one to the other), of
    samples at `times` (k,) [s], increasing. Of a single one: (0, 0, 1).
    """
    high = min(int(np.searchsorted(times, time)), len(times) - 1)
    low = max(high - 1, 0)
    span = times[high] - times[low]
    return low, high, min(max(float(time - times[low]) / float(span), 0.0), 1.0) if span > 0.0 else 1.0


def points_at(collider: Collider, time: float) -> np.ndarray:
    """Vertices (V, 3) of a Collider at a time [s], of whose samples two are read at most."""
    low, high, s = between(collider.times, time)
    after = np.asarray(collider.points[high], np.float64)
    if s == 1.0:
        return after
    before = np.asarray(collider.points[low], np.float64)
    return before + s * (after - before)
