"""Contacts of a cable, each a spring and an integral force that only press (Grégoire 2007, §5.1 and 5.3).

A contact's gap g is how far a place of the cable, x = (1 − s) x_i + s x_{i+1}, is from where it touches. With the
integral force f ≥ 0 and the stiffness k,

    E = (p² − f²)/2k,    p = max(0, f − k g),    ∂E/∂X = −p ∇g,    ∂²E/∂X² = k ∇g ∇gᵀ − p ∇²g where p > 0,

which is ½ k g² − f g where it presses, and constant where it does not: the augmented Lagrangian of an inequality
(Rockafellar 1974; Nocedal & Wright, *Numerical Optimization*, §17.4). The thesis has the equality, and lets go of
contacts that pull.

On a plane g = n·x − c, and s stays. On an edge, the line p + t e, or a corner, the point p, g = |z| − h, with z the
shortest way from there to the point of the cable, s = 0, or to the line of the segment u = x_{i+1} − x_i, on which s is
where it is nearest: q = (s, t), as far as they are free, has ∂½z²/∂q = 0. With X = (x_i, x_{i+1}), w = (1 − s, s),
n = z/|z|,

    ∇g = w ⊗ n,    ∇²g = (w wᵀ ⊗ 1 − C A⁻¹ Cᵀ − ∇g ∇gᵀ)/|z|,
    C = ((−1, 1) ⊗ z + w ⊗ u,  −w ⊗ e),    A = [u·u  −u·e; −u·e  e·e].

Of contacts that are listed, those on edges and corners become planes where z turns away from what it was, or short.
"""

from math import sqrt

import numpy as np

from .._jit import entry, kernel

PLANE, POINT, SEGMENT = 0, 1, 2  # what of the cable touches what: a place a plane; a point, or a segment, what is sharp
CONTACT = np.dtype(
    [
        ("segment", np.int64),
        ("share", float),  # s, of the way along the segment
        ("feature", np.int64),  # of surfaces, in their numbers; −1: the floor
        ("kind", np.int64),
        ("n", float, 3),  # from the surface to the cable
        ("offset", float),  # c
        ("point", float, 3),  # p
        ("edge", float, 3),  # e, 0: a corner
        ("reach", float),  # h
        ("force", float),  # f
        ("stiffness", float),  # k
    ],
    align=True,
)
SHORT, TURNED = 0.3, 0.5  # of h that z is at least, and of |z| that is along n, while a contact is no plane
SLANTED = 1e-3  # sine of the angle between segment and edge, squared, from which on they are nearest at one place


@kernel
def meet(y: np.ndarray, row: np.record, stride: int, z: np.ndarray) -> tuple[float, float]:
    """(g, s) of a row; z (3,) becomes the way, or a plane's normal."""
    a, b = stride * row.segment, stride * (row.segment + 1)
    s = row.share
    if row.kind != PLANE:
        uu = ue = ee = uw = ew = 0.0
        for c in range(3):
            u, e, w = y[b + c] - y[a + c], row.edge[c], (1.0 - s) * y[a + c] + s * y[b + c] - row.point[c]
            uu, ue, ee, uw, ew = uu + u * u, ue + u * e, ee + e * e, uw + u * w, ew + e * w
        ds = t = 0.0
        if row.kind == SEGMENT and ee > 0.0:
            area = uu * ee - ue * ue
            if area > SLANTED * uu * ee:
                ds = (ue * ew - ee * uw) / area
                t = (uu * ew - ue * uw) / area
            else:
                t = ew / ee
        elif row.kind == SEGMENT:
            ds = -uw / uu
        elif ee > 0.0:
            t = ew / ee
        size = along = 0.0
        for c in range(3):
            z[c] = (1.0 - s - ds) * y[a + c] + (s + ds) * y[b + c] - row.point[c] - t * row.edge[c]
            size, along = size + z[c] * z[c], along + z[c] * row.n[c]
        size = sqrt(size) if along > 0.0 else -sqrt(size)
        return size - row.reach, s + ds
    g = -row.offset
    for c in range(3):
        z[c] = row.n[c]
        g += row.n[c] * ((1.0 - s) * y[a + c] + s * y[b + c])
    return g, s


@entry
def contact_energy(y: np.ndarray, rows: np.ndarray, stride: int, work: np.ndarray) -> float:
    """Σ E of rows, CONTACT; points are `stride` apart in y; work (3,)."""
    total = 0.0
    for i in range(len(rows)):
        row = rows[i]
        g, _ = meet(y, row, stride, work)
        press = max(0.0, row.force - row.stiffness * g)
        total += (press * press - row.force * row.force) / (2.0 * row.stiffness)
    return total


@entry
def contact_derivatives(
    y: np.ndarray, rows: np.ndarray, rigid: np.ndarray, stride: int, stiffness: float, gradient: np.ndarray,
    band: np.ndarray, work: np.ndarray,
) -> None:  # fmt: skip
    """Adds Σ E's derivatives to the gradient and the Hessian's band; work (4, 6). With rigid (c,) bool, not empty, of
    those rows alone, whether they push or pull, each as stiff as `stiffness`.
    """
    z, slope, along, across = work[0, :3], work[1], work[2], work[3]
    for i in range(len(rows)):
        row = rows[i]
        g, s = meet(y, row, stride, z)
        followed = row.kind != PLANE
        press, k = row.force - row.stiffness * g, row.stiffness
        push = press
        if len(rigid) > 0:
            push, k = row.force - stiffness * g, stiffness
            if not rigid[i]:
                continue
        elif press <= 0.0:
            continue
        a, b = stride * row.segment, stride * (row.segment + 1)
        size = g + row.reach if followed else 1.0
        for c in range(3):
            n = z[c] / size
            slope[c], slope[3 + c] = (1.0 - s) * n, s * n
            gradient[a + c] -= push * slope[c]
            gradient[b + c] -= push * slope[3 + c]
        bend = max(press, 0.0) / size if followed else 0.0
        if followed:
            lines(y, row, (a, b), s, z, along, across)
        for r in range(6):
            p = a + r if r < 3 else b + r - 3
            for c in range(r, 6):
                q = a + c if c < 3 else b + c - 3
                h = k * slope[r] * slope[c]
                if followed:
                    curved = -slope[r] * slope[c] - along[r] * along[c] - across[r] * across[c]
                    if c == r or c == r + 3:
                        curved += (1.0 - s if r < 3 else s) * (1.0 - s if c < 3 else s)
                    h -= bend * curved
                band[p, q - p] += h


@kernel
def lines(
    y: np.ndarray, row: np.record, ends: tuple[int, int], s: float, z: np.ndarray, first: np.ndarray,
    second: np.ndarray,
) -> None:  # fmt: skip
    """C A⁻¹ Cᵀ as the sum of two squares: of `first` and `second` (6,), by Cholesky's A = L Lᵀ."""
    a, b = ends
    uu = ue = ee = 0.0
    for c in range(3):
        u, e = y[b + c] - y[a + c], row.edge[c]
        uu, ue, ee = uu + u * u, ue + u * e, ee + e * e
    free = row.kind == SEGMENT and (ee == 0.0 or uu * ee - ue * ue > SLANTED * uu * ee)
    root = 1.0 / sqrt(uu) if free else 0.0
    lower = -ue * root
    left = 1.0 / sqrt(ee - lower * lower) if ee > 0.0 else 0.0
    for c in range(3):
        u, e = y[b + c] - y[a + c], row.edge[c]
        first[c], first[3 + c] = root * ((1.0 - s) * u - z[c]), root * (s * u + z[c])
        second[c] = left * (-(1.0 - s) * e - lower * first[c])
        second[3 + c] = left * (-s * e - lower * first[3 + c])


@entry
def flatten(y: np.ndarray, rows: np.ndarray, stride: int, work: np.ndarray) -> None:
    """What has turned too far becomes the plane that it was, at the gap that it has; work (3,)."""
    for i in range(len(rows)):
        row = rows[i]
        if row.kind == PLANE:
            continue
        g, _ = meet(y, row, stride, work)
        size = g + row.reach
        along = work[0] * row.n[0] + work[1] * row.n[1] + work[2] * row.n[2]
        if size < SHORT * row.reach or along < TURNED * size:
            row.kind, row.offset = PLANE, 0.0
            row.offset = meet(y, row, stride, work)[0] - g


@entry
def contact_gaps(y: np.ndarray, rows: np.ndarray, stride: int, out: np.ndarray, work: np.ndarray) -> None:
    """g of rows: out (c,)."""
    for i in range(len(rows)):
        out[i], _ = meet(y, rows[i], stride, work)


@entry
def contact_changes(
    y: np.ndarray, p: np.ndarray, rows: np.ndarray, stride: int, out: np.ndarray, work: np.ndarray
) -> None:
    """∇g·p of rows: out (c,)."""
    for i in range(len(rows)):
        row = rows[i]
        a, b = stride * row.segment, stride * (row.segment + 1)
        g, s = meet(y, row, stride, work)
        size, total = g + row.reach if row.kind != PLANE else 1.0, 0.0
        for c in range(3):
            total += work[c] * ((1.0 - s) * p[a + c] + s * p[b + c])
        out[i] = total / size


@entry
def contact_slopes(y: np.ndarray, rows: np.ndarray, stride: int, out: np.ndarray, work: np.ndarray) -> None:
    """∇g of rows by the ends of their segments: out (c, 6)."""
    for i in range(len(rows)):
        row = rows[i]
        g, s = meet(y, row, stride, work)
        size = g + row.reach if row.kind != PLANE else 1.0
        for c in range(3):
            out[i, c], out[i, 3 + c] = (1.0 - s) * work[c] / size, s * work[c] / size


@entry
def contact_forces(
    y: np.ndarray, pushes: np.ndarray, rows: np.ndarray, stride: int, out: np.ndarray, work: np.ndarray
) -> None:
    """What pushes (c,) of rows are at points: out (n, 3)."""
    out[:] = 0.0
    for i in range(len(rows)):
        row = rows[i]
        g, s = meet(y, row, stride, work)
        push = pushes[i] / (g + row.reach if row.kind != PLANE else 1.0)
        for c in range(3):
            out[row.segment, c] += (1.0 - s) * push * work[c]
            out[row.segment + 1, c] += s * push * work[c]
