"""Torques from outside on the edges of rods, which State.fields has with the vertices that edges leave.

An edge e = |e| t turns at ω = t × ė/|e| + φ̇ t, with φ the angle of its material frame about it, against parallel
transport in time. What a torque τ does is

    τ·δω = (τ × e)/e²·δe + τ·t δφ,

so it is a couple of forces ±(τ × e)/e² on the edge's ends and the load τ·t on its frame (see frame_loads). Directors of
a Cosserat rod turn by themselves, and take τ whole.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.turns import conjugate, turned
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector


@kernel
def add_couples(rod: np.record, fields: np.ndarray, x: np.ndarray, f: np.ndarray) -> None:
    """Add those of a ROD at x (N, 3) [m] to f (N, 3) [N]; fields: State.fields."""
    for i in range(rod.first, rod.last + int(rod.closed)):
        k = i + 1 if i < rod.last else rod.first
        e = plus(vector(x[k]), -1.0, vector(x[i]))
        couple = scaled(1.0 / (dot(e, e) + 1e-300), cross(vector(fields[i].torque), e))  # in a winch edges have none
        for c in range(3):
            f[i, c] -= couple[c]
            f[k, c] += couple[c]


@kernel
def on_directors(field: np.record, q: np.ndarray) -> Vector:
    """The torque of a FIELD_EFFECT in the axes of a segment that is turned as q (4,)."""
    return turned(conjugate(q), vector(field.torque))


@kernel
def is_turned(rod: np.record, fields: np.ndarray) -> bool:
    """Whether any torque acts on a ROD; fields: State.fields."""
    for i in range(rod.first, rod.last + int(rod.closed)):
        if dot(fields[i].torque, fields[i].torque) > 0.0:
            return True
    return False
