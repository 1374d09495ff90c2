"""Second derivatives of a plate's triangle (elements/plate), which statics takes and no scene does.

As there ρ = dx_i − (1 − s) dx_{i+1} − s dx_{i+2}; besides ε = dx_{i+2} − dx_{i+1}, ⊙ the symmetric product a bᵀ + b aᵀ:

    ∇²φ = (u·ρ) ⊙ (n·ρ)/h² + (t·ρ) ⊙ (n·ε)/l h + ½ (u·ε) ⊙ (n·ε)/l² .

Of the last term's derivative ½ alone is symmetric: the other half is the holonomy of the transport.
"""

import numpy as np
from tendril.physics._jit import kernel
from tendril.physics.arithmetic.vectors import cross, dot, plus
from tendril.physics.elements.plate import bent, metric, normal_of, place, unit

UNKNOWNS = 12  # of a triangle: nine of corners, then the angle of each edge's director


@kernel
def plate_derivatives(
    x: np.ndarray, row: np.record, out: np.ndarray, convex: bool, g: np.ndarray, h: np.ndarray, work: np.ndarray
) -> None:
    """g (12,) and h (12, 12) of what `measure` found; work (12, 12). convex: thrust and moments are left out of h, as
    which it has no negative eigenvalue unless it is stretched far.
    """
    q, more, _ = metric(row, out[2])
    firm = 0.5 * row.shear + 0.25 * row.bulk
    slope = -0.5 * row.shear + firm * more / (1.0 + more)
    curve, twice = firm / (1.0 + more) ** 2, 0.125 * slope / (row.area * row.area)
    turn, stretch, press, moment = work[:3], work[3:6], work[9, :3], work[10, :3]  # ∇φ, ∇a; ∂/∂a, ∂/∂φ
    rate, more_bent = work[9, 3:6], work[10, 3:6]  # g′; g″ times what it bears
    by_arcs, by_angles, share = work[6:9, :3], work[6:9, 3:6], work[11]  # second derivatives; of ρ and ε, by corners
    for k in range(3):
        press[k] = 0.5 * row.shear * row.trace[k] + slope * q[k]
        for l in range(3):
            by_arcs[k, l] = curve * q[k] * q[l] + twice * (-1.0 if k == l else 1.0)
    h[:], turn[:], stretch[:] = 0.0, 0.0, 0.0
    n, _ = normal_of(x, row.node)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        d = plus(place(x, row.node[k]), -1.0, place(x, row.node[j]))
        t, length = unit(d)
        u = cross(n, t)
        apex = plus(place(x, row.node[i]), -1.0, place(x, row.node[j]))
        high, s = dot(u, apex), dot(t, apex) / length
        moment[i] = row.height[i] / 3.0 * (press[j] * out[1, j] + press[k] * out[1, k])
        _, rate[i], curve_of_g = bent(out[0, i])
        couple = dot(row.bend[i], out[3])
        moment[i] += rate[i] * couple
        more_bent[i] = max(curve_of_g * couple, 0.0) if convex else curve_of_g * couple
        share[i], share[j], share[k] = 1.0, s - 1.0, -s
        share[3 + i], share[3 + j], share[3 + k] = 0.0, -1.0, 1.0
        for a in range(3):
            for c in range(3):
                turn[i, 3 * a + c] = -share[a] * n[c] / high
                stretch[i, 3 * a + c] = 2.0 * share[3 + a] * d[c]
        turn[i, 9 + i] = row.side[i]
        turning, pulling = (0.0, max(press[i], 0.0)) if convex else (moment[i], press[i])
        for a in range(3):
            for b in range(3):
                rr = share[a] * share[b] * turning / (high * high)
                re = share[a] * share[3 + b] * turning / (length * high)
                er = share[3 + a] * share[b] * turning / (length * high)
                ee = 0.5 * share[3 + a] * share[3 + b] * turning / (length * length)
                pull = 2.0 * pulling * share[3 + a] * share[3 + b]
                for c in range(3):
                    for e in range(3):
                        h[3 * a + c, 3 * b + e] += (
                            (rr + ee) * (u[c] * n[e] + n[c] * u[e]) + re * t[c] * n[e] + er * n[c] * t[e]
                        )
                    h[3 * a + c, 3 * b + c] += pull
    for c in range(UNKNOWNS):
        g[c] = 0.0
        for i in range(3):
            g[c] += press[i] * stretch[i, c] + moment[i] * turn[i, c]
    if convex:
        for k in range(3):
            press[k] = max(press[k], 0.0)
    for i in range(3):
        for j in range(3):
            others = press[0] + press[1] + press[2] - press[i] - (press[j] if i != j else 0.0)
            by_angles[i, j] = rate[i] * row.bend[i, j] * rate[j] + 2.0 / 3.0 * row.height[i] * row.height[j] * others
            by_angles[i, j] += more_bent[i] if i == j else 0.0
            if i != j:
                for c in range(UNKNOWNS):
                    stretch[i, c] += out[1, i] * row.height[j] / 3.0 * turn[j, c]
    for i in range(3):
        for c in range(UNKNOWNS):
            by_arc, by_angle = 0.0, 0.0
            for j in range(3):
                by_arc += by_arcs[i, j] * stretch[j, c]
                by_angle += by_angles[i, j] * turn[j, c]
            for b in range(UNKNOWNS):
                h[b, c] += by_arc * stretch[i, b] + by_angle * turn[i, b]
