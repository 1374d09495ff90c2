"""Where a rod leaves its winch, as it is drawn."""

import numpy as np

from ..scene import Rod


def drawn_at(rod: Rod, end: int, paid_out: float) -> np.ndarray:
    """(3,) [m] the place so far [m] along a rod from the end that is not `end`, 0 or −1."""
    x = rod.x[::-1] if end == 0 else rod.x
    arc = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1)))
    return np.array([np.interp(paid_out, arc, column) for column in x.T])


def start_of(rod: Rod, vertex: int) -> np.ndarray:
    """(3,) [m] where a pin begins that holds a vertex of a rod: there, or where it leaves its winch."""
    keyed = rod.keyed
    if keyed is None or keyed.paid_out is None or vertex != keyed.winch % len(rod.x):
        place: np.ndarray = rod.x[vertex]
        return place
    return drawn_at(rod, keyed.winch, keyed.paid_out[0])
