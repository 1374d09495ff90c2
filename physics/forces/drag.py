"""Air drag of a slender cylinder, by area and direction (Hoerner, *Fluid-Dynamic Drag*, ch. III: cross-flow principle).

Per length F = −½ ρ C_D 2r |v_⊥| v_⊥ − ½ ρ C_F 2πr |v_∥| v_∥ with the velocity v relative to the air, split along the
rod. Each factor is taken implicitly, v ← v/(1 + h k |v|/m), so no step is too large for it.
"""

from math import pi, sqrt

from .._jit import njit

SKIN_FRICTION = 0.01  # C_F/C_D: of a smooth cylinder along the flow, against across it


@njit
def drag(x, v, w, area, closed, air_density, h):
    """Slow one rod's v (n, 3) [m/s] in place; area (n,) = C_D · 2r · length [m²] of each vertex."""
    n = len(x)
    for i in range(n):
        k = 0.5 * h * air_density * area[i] * w[i]
        if k == 0.0:
            continue
        a, b = i - 1, i + 1
        if a < 0:
            a = n - 1 if closed else 0
        if b == n:
            b = 0 if closed else n - 1
        tx, ty, tz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
        along = (v[i, 0] * tx + v[i, 1] * ty + v[i, 2] * tz) / (tx * tx + ty * ty + tz * tz + 1e-300)
        px, py, pz = along * tx, along * ty, along * tz
        nx, ny, nz = v[i, 0] - px, v[i, 1] - py, v[i, 2] - pz
        across = 1.0 / (1.0 + k * sqrt(nx * nx + ny * ny + nz * nz))
        along = 1.0 / (1.0 + k * pi * SKIN_FRICTION * sqrt(px * px + py * py + pz * pz))
        v[i, 0] = across * nx + along * px
        v[i, 1] = across * ny + along * py
        v[i, 2] = across * nz + along * pz
