"""Contact springs, the papers' treatment (Liesenfeld & Stolfi 1997, §7; Spillmann & Teschner 2007): what overlaps is
pushed apart by a spring along n, what sticks is held by one across it that gives way at μ N, and neither ever pulls: a
spring ends where the overlap does.

Its stiffness follows from the mobility w of the two, the step and the force N of the step before, which may take no
more than `ALLOWED` of the radius r:

    k = max(c/(w h²), N/(ALLOWED r)),

and `step_limit` keeps the step short enough for it. They answer to how things have moved, not to where a step would
lead without them: what friction holds would go against it, and creep. The second treatment beside
`inequality_constraints`, and a check of them that shares nothing with them but where things touch.
"""

from math import sqrt

import numpy as np

from .._jit import entry
from ..rods.vectors import dot, plus, scaled, vector
from .carriers.body import Held
from .carriers.chain import rate
from .inequality_constraints import push

STIFFNESS = 0.25  # c; four times that, of all springs at one vertex, would no longer be stable
DAMPING = 0.25  # of the approach that one step could undo
ALLOWED = 0.02  # of the smaller radius
STEEP = 4.0 / ALLOWED  # times N/r: the stiffness for which steps are short enough, of several springs at one vertex


@entry
def press(
    contacts: np.ndarray, x: np.ndarray, v0: np.ndarray, w: np.ndarray, held: Held, frames: np.ndarray, h: float
) -> None:
    """Push all that overlaps at the start of a step of h [s], when it moved at v0 (N, 3) [m/s], on its way to x, in
    place; impulses stay in the rows of CONTACT.
    """
    for q in range(len(contacts)):
        row = contacts[q]
        way = plus(scaled(h, rate(row, v0)), -1.0, vector(row.drift))
        up, before = dot(row.n, way), row.normal
        stiffness = max(STIFFNESS / row.weight, before / (ALLOWED * row.radius))
        spring = -stiffness * row.gap
        row.normal = max(0.0, spring - DAMPING * up / row.weight) if spring > 0.0 else 0.0
        across = plus(way, -up, vector(row.n))
        along = plus(vector(row.along), -STIFFNESS / row.slide, across)
        size, most = sqrt(dot(along, along)), row.friction * row.normal
        along = scaled(most / size if size > most else 1.0, along)
        for c in range(3):
            row.along[c] = along[c]
        if row.normal > 0.0:
            push(row, x, w, held, frames, plus(scaled(row.normal, vector(row.n)), 1.0, along))
