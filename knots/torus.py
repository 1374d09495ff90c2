"""Torus knots (p, q): p times around the axis while q times around the tube; for a common divisor, so many rings."""

from math import gcd

import numpy as np

from .clearance import grown

SLENDER = 2.0  # radius of the ring over that of its tube
POINTS_A_TURN = 60  # points on a turn


def torus(p: int, q: int) -> tuple[np.ndarray, ...]:
    """Closed curves (n, 3) [radii of the rope] as near together as they may come; right-handed for p and q positive.

    x = ((R + a cos qs) cos ps, (R + a cos qs) sin ps, −a sin qs), 0 ≤ s < 2π (Rolfsen, *Knots and Links*, ch. 3).
    """
    rings = gcd(p, q)
    s = 2.0 * np.pi * np.arange(POINTS_A_TURN * max(p, abs(q)) // rings) / (POINTS_A_TURN * max(p, abs(q)) // rings)
    around, across = p // rings * s, q // rings * s

    def curves(a: float) -> tuple[np.ndarray, ...]:
        found = []
        for ring in range(rings):
            turn = across + 2.0 * np.pi * ring / p
            reach = a * (SLENDER + np.cos(turn))
            found.append(np.column_stack([reach * np.cos(around), reach * np.sin(around), -a * np.sin(turn)]))
        return tuple(found)

    return grown(curves, abs(q))
