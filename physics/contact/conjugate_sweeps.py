"""Sweeps that begin further on in the way that forces went, as a conjugate gradient does (Silcowitz, Niebe & Erleben
2010, *A nonsmooth nonlinear conjugate gradient method for interactive contact force problems*): with z_k where sweep k
began, and f_k what it changed forces by,

    z_k+1 = z_k + f_k + β (z_k − z_k−1),    β = |f_k|²/|f_k−1|², or 0 where that is not below 1.

What presses passes from brick to brick of a tower so in the root of the sweeps that it takes without. Whoever sweeps
ends where a sweep changed no force by more than moves its points by a given part of the smaller radius.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, dot, plus, scaled, vector
from .carriers.body import Held
from .carriers.points import push
from .kept_forces import pressing


@kernel
def begin_sweeps(contacts: np.ndarray) -> None:
    """The first sweep begins with the forces that there are."""
    for q in range(len(contacts)):
        row = contacts[q]
        for c in range(3):
            row.before[c], row.lead[c] = row.normal * row.n[c] + row.along[c], 0.0


@kernel
def changed_by(contacts: np.ndarray) -> float:
    """|f_k|² over masses."""
    changed = 0.0
    for q in range(len(contacts)):
        row = contacts[q]
        f = plus(pressing(row), -1.0, vector(row.before))
        changed += row.weight * dot(f, f)
    return changed


@kernel
def go_further(row: np.record, part: float) -> Vector:
    """The force of a CONTACT where the next sweep begins, for β = part; returns by how much that is further."""
    further = scaled(part, vector(row.lead))
    f, up = plus(pressing(row), 1.0, further), dot(further, row.n)
    row.normal += up
    for c in range(3):
        row.lead[c], row.before[c] = f[c] - row.before[c], f[c]
        row.along[c] += further[c] - up * row.n[c]
    return further


@kernel
def lead(contacts: np.ndarray, x: np.ndarray, w: np.ndarray, held: Held, frames: np.ndarray, last: float) -> float:
    """From where a sweep ended to where the next one begins: forces, and what they push. last: what this returned
    before, |f_k−1|² over masses; returns |f_k|².
    """
    changed = changed_by(contacts)
    part = changed / last if changed < last else 0.0
    for q in range(len(contacts)):
        further = go_further(contacts[q], part)
        if part > 0.0:
            push(contacts[q], x, w, held, frames, further)
    return changed
