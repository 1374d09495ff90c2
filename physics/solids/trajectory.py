"""Where constraints are led, and how fast: the curves of constraints/trajectory with their derivatives in time."""

import numpy as np

from .._jit import kernel
from ..arithmetic.intervals import sample_before
from ..arithmetic.vectors import Vector

STILL = (0.0, 0.0, 0.0)


@kernel
def led_to(times: np.ndarray, samples: np.ndarray, first: int, last: int, time: float) -> tuple[Vector, Vector, Vector]:
    """(place [m], velocity [m/s], acceleration [m/s²]) at `time` [s] on samples first : last; held beyond the ends."""
    if time < times[first] or last - first == 1:
        return (samples[first, 0], samples[first, 1], samples[first, 2]), STILL, STILL
    if time >= times[last - 1]:
        return (samples[last - 1, 0], samples[last - 1, 1], samples[last - 1, 2]), STILL, STILL
    low = sample_before(times, first, last, time)
    high = low + 1
    before, after = max(low - 1, first), min(high + 1, last - 1)
    span = times[high] - times[low]
    p, q, s = span / (times[high] - times[before]), span / (times[after] - times[low]), (time - times[low]) / span
    place = hermite(
        samples,
        (before, low, high, after),
        p,
        q,
        ((1.0 + 2.0 * s) * (1.0 - s) ** 2, s * (1.0 - s) ** 2, s * s * (s - 1.0)),
    )
    rate = hermite(
        samples, (before, low, high, after), p / span, q / span,
        (6.0 * s * (s - 1.0) / span, (1.0 - s) * (1.0 - 3.0 * s), s * (3.0 * s - 2.0)),
    )  # fmt: skip
    square = span * span
    bend = hermite(
        samples, (before, low, high, after), p / square, q / square,
        ((12.0 * s - 6.0) / square, 6.0 * s - 4.0, 6.0 * s - 2.0),
    )  # fmt: skip
    start = samples[high]
    return (place[0] + start[0], place[1] + start[1], place[2] + start[2]), rate, bend


@kernel
def hermite(samples: np.ndarray, near: tuple[int, int, int, int], p: float, q: float, weights: Vector) -> Vector:
    """Of samples before, at, and behind an interval, weights a, b, d: a (y₀ − y₁) + b p (y₁ − y₋) + d q (y₊ − y₀)."""
    before, low, high, after = samples[near[0]], samples[near[1]], samples[near[2]], samples[near[3]]
    a, b, d = weights[0], weights[1] * p, weights[2] * q
    return (
        a * (low[0] - high[0]) + b * (high[0] - before[0]) + d * (after[0] - low[0]),
        a * (low[1] - high[1]) + b * (high[1] - before[1]) + d * (after[1] - low[1]),
        a * (low[2] - high[2]) + b * (high[2] - before[2]) + d * (after[2] - low[2]),
    )
