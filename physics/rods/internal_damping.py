"""Internal damping: a Kelvin–Voigt moment η dφ/dt at every vertex against the rate of its turning angle φ.

With d the unit vector along t^i − t^{i−1}, dφ/dt = d·(dt^i/dt − dt^{i−1}/dt), which no rigid motion changes: neither momentum nor
angular momentum is touched. Each vertex is relaxed implicitly, λ = −h η φ'/(1 + h η ∇φ W ∇φᵀ), one after the other, so no step is too large.
A steady whirl (a skipping rope) keeps its angles and is left alone.
"""

from math import sqrt

from .._jit import njit


@njit
def internal_damping(x, v, w, viscosity, h):
    """Damp v (n, 3) [m/s] in place; viscosity η (n,) [N m s] at inner vertices."""
    for i in range(1, len(x) - 1):
        eta = h * viscosity[i]
        if eta == 0.0:
            continue
        ax, ay, az = x[i, 0] - x[i - 1, 0], x[i, 1] - x[i - 1, 1], x[i, 2] - x[i - 1, 2]
        bx, by, bz = x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1], x[i + 1, 2] - x[i, 2]
        p, q = 1.0 / sqrt(ax * ax + ay * ay + az * az), 1.0 / sqrt(bx * bx + by * by + bz * bz)
        ax, ay, az, bx, by, bz = ax * p, ay * p, az * p, bx * q, by * q, bz * q
        dx, dy, dz = bx - ax, by - ay, bz - az
        if dx * dx + dy * dy + dz * dz < 1e-20:  # straight: whichever way it starts to bend
            dx = q * (v[i + 1, 0] - v[i, 0]) - p * (v[i, 0] - v[i - 1, 0])
            dy = q * (v[i + 1, 1] - v[i, 1]) - p * (v[i, 1] - v[i - 1, 1])
            dz = q * (v[i + 1, 2] - v[i, 2]) - p * (v[i, 2] - v[i - 1, 2])
        k = dx * ax + dy * ay + dz * az  # across each edge: ∇φ
        gx, gy, gz = dx - k * ax, dy - k * ay, dz - k * az
        k = dx * bx + dy * by + dz * bz
        hx, hy, hz = dx - k * bx, dy - k * by, dz - k * bz
        g = sqrt(gx * gx + gy * gy + gz * gz)
        k = sqrt(hx * hx + hy * hy + hz * hz)
        if g == 0.0 or k == 0.0:
            continue
        gx, gy, gz, hx, hy, hz = p * gx / g, p * gy / g, p * gz / g, q * hx / k, q * hy / k, q * hz / k
        mx, my, mz = gx + hx, gy + hy, gz + hz
        rate = (
            v[i - 1, 0] * gx + v[i - 1, 1] * gy + v[i - 1, 2] * gz
            - v[i, 0] * mx - v[i, 1] * my - v[i, 2] * mz
            + v[i + 1, 0] * hx + v[i + 1, 1] * hy + v[i + 1, 2] * hz
        )  # fmt: skip
        mobility = w[i - 1] * p * p + w[i] * (mx * mx + my * my + mz * mz) + w[i + 1] * q * q
        k = -eta * rate / (1.0 + eta * mobility)
        v[i - 1, 0] += w[i - 1] * k * gx
        v[i - 1, 1] += w[i - 1] * k * gy
        v[i - 1, 2] += w[i - 1] * k * gz
        v[i, 0] -= w[i] * k * mx
        v[i, 1] -= w[i] * k * my
        v[i, 2] -= w[i] * k * mz
        v[i + 1, 0] += w[i + 1] * k * hx
        v[i + 1, 1] += w[i + 1] * k * hy
        v[i + 1, 2] += w[i + 1] * k * hz
