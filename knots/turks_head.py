"""Turk's heads: a braid of some strands, *leads*, closed to a wreath with some scallops, *bights*; laid flat here."""

from math import gcd

import numpy as np

from .clearance import GAP, grown

HOLE = 0.7  # its radius at least, in half widths of the wreath
HIGH = 1.2  # what strands are apart at a crossing, over what they have to be at least
POINTS_A_TURN = 60  # points on a turn


def turks_head(leads: int, bights: int) -> tuple[np.ndarray, ...]:
    """Closed curves (n, 3) [radii of the rope], one for each common divisor of leads and bights.

    A strand swings across the wreath as cos u, u growing by 2π from bight to bight. It meets the others at all
    multiples of π/leads but those of π, and passes over and under in turn (ABOK 1303: Ashley 1944).
    """
    rings = gcd(leads, bights)
    pieces = POINTS_A_TURN * max(leads, bights) // rings
    s = 2.0 * np.pi * np.arange(pieces) / pieces
    u = bights // rings * s
    side = np.sin(u) / np.sqrt(np.sin(u) ** 2 + np.sin(np.pi / leads) ** 2)
    height = HIGH * 0.5 * GAP * np.sqrt(2.0) * side * np.cos(leads * u)
    middle = 1.0 + max(bights / leads, HOLE)  # in half widths; so scallops bend alike inside and outside

    def curves(width: float) -> tuple[np.ndarray, ...]:
        reach = width * (middle + np.cos(u))
        turns = [leads // rings * s + 2.0 * np.pi * ring / bights for ring in range(rings)]
        return tuple(np.column_stack([reach * np.cos(turn), reach * np.sin(turn), height]) for turn in turns)

    return grown(curves, bights)
