"""Contacts between segments of cables: springs and integral forces that only press (see elements/contact_press).

A contact's gap g = |z| − h is the distance of two segments, a–b and c–d, or of one's end from the other,

    z = (1 − s) a + s b − (1 − t) c − t d,

s and t in [0, 1] being where they are nearest, less the sum h of their radii. With X = (a, b, c, d),
W = (1 − s, s, t − 1, −t), u = b − a, e = d − c, n = z/|z|, and q those of (s, t) that are not at an end,

    ∇g = W ⊗ n,    ∇²g = (W Wᵀ ⊗ (1 − n nᵀ) − C A⁻¹ Cᵀ)/|z|,
    C = ((−1, 1, 0, 0) ⊗ z + W ⊗ u,  (0, 0, 1, −1) ⊗ z − W ⊗ e),    A = [u·u  −u·e; −u·e  e·e],

as ∂½z²/∂q = 0 there. It couples places far apart along cables, so the Hessian k ∇g ∇gᵀ − p ∇²g is given by five rows v
with their signs, Σ ± v vᵀ (see linear/border). Where segments are as good as in each other, what parts them is a plane:
s, t and n stay.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..contact.segment_distance import closest_parameters

PAIR_CONTACT = np.dtype(
    [
        ("key", np.int64),  # which end or segment touches which segment
        ("point", np.int64, 4),  # a, b, c, d
        ("start", np.int64, 4),  # where they begin in y
        ("end", bool),  # whether it is an end of the first segment that touches
        ("plane", bool),
        ("share", float, 2),  # s, t where it was listed
        ("low", float),  # the least t, and the most: what is beyond is bent, not touching
        ("high", float),
        ("n", float, 3),  # from the second to the first
        ("reach", float),  # h
        ("force", float),  # f
        ("stiffness", float),  # k
        ("limit", float),  # μN, what friction holds at most,
        ("weight", float, 4),  # of W
        ("across", float, 3),  # and n when that was found,
        ("held", float, 3),  # and d that it held where it began: see friction.py
    ],
    align=True,
)
MOST_ROWS = 5  # of a contact
SHORT = 0.3  # of h that z is at least, while a contact is no plane
SLANTED = 1e-3  # sine of the angle between segments, squared, from which on they are nearest at one place
Met = tuple[float, float, float, Vector]  # g, s, t and z


@kernel
def point_at(y: np.ndarray, first: int) -> Vector:
    """The point that begins there."""
    return y[first], y[first + 1], y[first + 2]


@kernel
def meet(y: np.ndarray, row: np.record) -> Met:
    """(g, s, t, z) of a row; z is a plane's normal."""
    a, c = point_at(y, row.start[0]), point_at(y, row.start[2])
    u, e, p = plus(point_at(y, row.start[1]), -1.0, a), plus(point_at(y, row.start[3]), -1.0, c), plus(a, -1.0, c)
    s, t = row.share[0], row.share[1]
    if row.plane:
        n = vector(row.n)
        return dot(n, plus(plus(p, s, u), -t, e)) - row.reach, s, t, n
    if row.end:
        t = min(max(dot(plus(p, s, u), e) / dot(e, e), row.low), row.high)
    else:
        s, t = closest_parameters(p, u, e, 0.0)
    z = plus(plus(p, s, u), -t, e)
    return sqrt(dot(z, z)) - row.reach, s, t, z


@entry
def pair_gaps(y: np.ndarray, rows: np.ndarray, gaps: np.ndarray, shares: np.ndarray, normals: np.ndarray) -> None:
    """g (c,), s and t (c, 2) and n (c, 3) of rows, PAIR_CONTACT."""
    for i in range(len(rows)):
        row = rows[i]
        gaps[i], shares[i, 0], shares[i, 1], z = meet(y, row)
        size = 1.0 if row.plane else sqrt(dot(z, z))
        for k in range(3):
            normals[i, k] = z[k] / size


@entry
def pair_derivatives(
    y: np.ndarray, rows: np.ndarray, gradient: np.ndarray, coupling: np.ndarray, sign: np.ndarray
) -> int:
    """Adds the energy's gradient, and fills rows of its Hessian: coupling (r, n), zeros before, and their sign (r,).
    Returns how many there are.
    """
    count = 0
    for i in range(len(rows)):
        row = rows[i]
        g, s, t, z = meet(y, row)
        push = row.force - row.stiffness * g
        if push <= 0.0:
            continue
        size = 1.0 if row.plane else sqrt(dot(z, z))
        n, weight = scaled(1.0 / size, z), (1.0 - s, s, t - 1.0, -t)
        for end in range(4):
            for c in range(3):
                gradient[row.start[end] + c] -= push * weight[end] * n[c]
        spread(coupling[count], row, weight, scaled(sqrt(row.stiffness), n))
        sign[count] = 1.0
        count += 1
        if not row.plane:
            count = curve(y, row, (s, t), z, sqrt(push / size), coupling, sign, count)
    return count


@kernel
def spread(out: np.ndarray, row: np.record, weight: tuple[float, float, float, float], v: Vector) -> None:
    """Adds W ⊗ v."""
    for end in range(4):
        for c in range(3):
            out[row.start[end] + c] += weight[end] * v[c]


@kernel
def curve(
    y: np.ndarray, row: np.record, shares: tuple[float, float], z: Vector, root: float, coupling: np.ndarray,
    sign: np.ndarray, count: int,
) -> int:  # fmt: skip
    """Rows of −p ∇²g; root: √(p/|z|). Returns how many there are then."""
    s, t = shares
    weight = (1.0 - s, s, t - 1.0, -t)
    u = plus(point_at(y, row.start[1]), -1.0, point_at(y, row.start[0]))
    e = plus(point_at(y, row.start[3]), -1.0, point_at(y, row.start[2]))
    least = 0 if abs(z[0]) <= abs(z[1]) and abs(z[0]) <= abs(z[2]) else 1 if abs(z[1]) <= abs(z[2]) else 2
    first = cross(z, (1.0 if least == 0 else 0.0, 1.0 if least == 1 else 0.0, 1.0 if least == 2 else 0.0))
    first = scaled(1.0 / sqrt(dot(first, first)), first)
    second = cross(scaled(1.0 / sqrt(dot(z, z)), z), first)
    spread(coupling[count], row, weight, scaled(root, first))
    spread(coupling[count + 1], row, weight, scaled(root, second))
    sign[count] = sign[count + 1] = -1.0
    count += 2
    uu, ee, ue = dot(u, u), dot(e, e), dot(u, e)
    along, across = not row.end and 0.0 < s < 1.0, row.low < t < row.high
    if along and across and uu * ee - ue * ue <= SLANTED * uu * ee:
        along = False
    lower = 0.0
    if along:
        k = root / sqrt(uu)
        spread(coupling[count], row, (-1.0, 1.0, 0.0, 0.0), scaled(k, z))
        spread(coupling[count], row, weight, scaled(k, u))
        lower = -ue / sqrt(uu)
        sign[count] = 1.0
        count += 1
    if across:
        k = 1.0 / sqrt(ee - lower * lower)
        spread(coupling[count], row, (0.0, 0.0, 1.0, -1.0), scaled(root * k, z))
        spread(coupling[count], row, weight, scaled(-root * k, e))
        if along:
            for end in range(4):
                for c in range(3):
                    place = row.start[end] + c
                    coupling[count, place] -= k * lower * coupling[count - 1, place]
        sign[count] = 1.0
        count += 1
    return count
