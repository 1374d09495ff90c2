"""Where a cable may be once its handles have moved: where Newton's method begins.

What handles move and turn by is linear along the cable in between (Grégoire 2007, §6.3.1). Where a straight part is to
become shorter that has it pressed, and stay straight, for it has no side to bow to: there it bows as a circle's arc,

    sin φ / φ = c / l,

2φ its angle, c the chord and l the length, towards its weight or, weightless, the section's first axis.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from ..arithmetic.quaternions import between, exponential, product, turned
from .handle import Handle
from .system import CableSystem

STRAIGHT = 1e-3  # of a length, by which a chord is shorter: a bow as deep as 1/50
ROUNDS = 50  # of bisection: to rounding


def predict(
    system: CableSystem, handles: Sequence[Handle], y: np.ndarray, moves: np.ndarray, turns: np.ndarray
) -> None:
    """Adds to y what handles move by (h, 3), in the system's units, and turn by (h, 3) [rad]."""
    at = system.arc_of_handles(y)
    order = np.argsort(at)
    arc = system.arc_of_points(y)
    before, q = system.points(y), system.quaternions(y)
    placed = [i for i in order if handles[i].position is not None]
    oriented = [i for i in order if handles[i].orientation is not None]
    x = before.copy()
    if placed:
        x += np.stack([np.interp(arc, at[placed], moves[placed, c]) for c in range(3)], axis=1)
    if oriented:
        middle = 0.5 * (arc[1:] + arc[:-1])
        turn = np.stack([np.interp(middle, at[oriented], turns[oriented, c]) for c in range(3)], axis=1)
        q = product(exponential(turn), q)
    for i, j in pairwise(placed):
        a, b = np.searchsorted(arc, [at[i] - 1e-9, at[j] + 1e-9])
        x[a:b], q[a : b - 1] = _bowed(before[a:b], x[a:b], q[a : b - 1], arc[a:b], system.weight)
    y[: system.banded] = system.unknowns(x, q)[: system.banded]


def _bowed(
    before: np.ndarray, x: np.ndarray, q: np.ndarray, arc: np.ndarray, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Points (k, 3) and quaternions (k − 1, 4) of a part that was straight and is now too short."""
    if len(x) < 3:
        return x, q
    length, chord = arc[-1] - arc[0], float(np.linalg.norm(x[-1] - x[0]))
    nearest, furthest = STRAIGHT * length, (1.0 - STRAIGHT) * length
    if np.linalg.norm(before[-1] - before[0]) < furthest or not nearest < chord < furthest:
        return x, q
    along = (x[-1] - x[0]) / chord
    side = weight - (weight @ along) * along
    if np.linalg.norm(side) <= STRAIGHT * np.linalg.norm(weight):
        side = turned(q[len(q) // 2], np.array([1.0, 0.0, 0.0]))
        side -= (side @ along) * along
    side /= np.linalg.norm(side)
    turn = half_angle(chord / length) * (1.0 - 2.0 * (arc - arc[0]) / length)
    ends = 0.5 * length / turn[0]
    bent = x[0] + ends * (
        (np.sin(turn[0]) - np.sin(turn))[:, None] * along + (np.cos(turn) - np.cos(turn[0]))[:, None] * side
    )
    u, v = np.diff(x, axis=0), np.diff(bent, axis=0)
    turn = between(u / np.linalg.norm(u, axis=1, keepdims=True), v / np.linalg.norm(v, axis=1, keepdims=True))
    return bent, product(turn, q)


def half_angle(ratio: float) -> float:
    """φ of sin φ / φ = ratio, from 0 to π."""
    low, high = 0.0, np.pi
    for _ in range(ROUNDS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if np.sinc(middle / np.pi) > ratio else (low, middle)
    return 0.5 * (low + high)
