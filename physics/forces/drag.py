"""Air drag, by area: of a slender cylinder by direction too (Hoerner, *Fluid-Dynamic Drag*, ch. III: cross-flow
principle), of leaves and bodies the same from all sides.

Per length F = −½ ρ C_D 2r |u_⊥| u_⊥ − ½ ρ C_F 2πr |u_∥| u_∥ − ½ ρ C_D A |u| u with the velocity u relative to the air,
split along the rod. Each factor is taken implicitly, u ← u/(1 + h k |u|/m), so no step is too large for it, and
neither is any for Blender's drag fields, a = −(c₁ + c₂|v|) v, with the velocity in the world.
"""

from math import pi, sqrt

from .._jit import njit

SKIN_FRICTION = 0.01  # C_F/C_D: of a smooth cylinder along the flow, against across it


@njit
def slow(v, i, brake, h):
    """Blender's drag field on v[i]."""
    vx, vy, vz = v[i, 0], v[i, 1], v[i, 2]
    k = 1.0 / (1.0 + h * (brake[i, 0] + brake[i, 1] * sqrt(vx * vx + vy * vy + vz * vz)))
    v[i, 0], v[i, 1], v[i, 2] = k * vx, k * vy, k * vz


@njit
def drag(x, v, w, area, leaf_area, air, brake, closed, air_density, h):
    """Draw one rod's v (n, 3) [m/s] in place to the air's, air (n, 3) [m/s], and slow it by drag fields, brake (n, 2).

    area (n,) = C_D · 2r · length and leaf_area (n,) = C_D · A [m²] of each vertex, w (n,) its inverse mass [1/kg].
    """
    n = len(x)
    for i in range(n):
        if w[i] == 0.0:
            continue
        k = 0.5 * h * air_density * area[i] * w[i]
        leaves = 0.5 * h * air_density * leaf_area[i] * w[i]
        if k > 0.0 or leaves > 0.0:
            a, b = i - 1, i + 1
            if a < 0:
                a = n - 1 if closed else 0
            if b == n:
                b = 0 if closed else n - 1
            tx, ty, tz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
            ux, uy, uz = v[i, 0] - air[i, 0], v[i, 1] - air[i, 1], v[i, 2] - air[i, 2]
            along = (ux * tx + uy * ty + uz * tz) / (tx * tx + ty * ty + tz * tz + 1e-300)
            px, py, pz = along * tx, along * ty, along * tz
            nx, ny, nz = ux - px, uy - py, uz - pz
            leaves = 1.0 + leaves * sqrt(ux * ux + uy * uy + uz * uz)
            across = 1.0 / (leaves + k * sqrt(nx * nx + ny * ny + nz * nz))
            along = 1.0 / (leaves + k * pi * SKIN_FRICTION * sqrt(px * px + py * py + pz * pz))
            v[i, 0] = air[i, 0] + across * nx + along * px
            v[i, 1] = air[i, 1] + across * ny + along * py
            v[i, 2] = air[i, 2] + across * nz + along * pz
        slow(v, i, brake, h)


@njit
def body_drag(v, w, area, air, brake, air_density, h):
    """The same for bodies: v (B, 3) [m/s] of their centres of mass, w (B,) inverse masses, area (B,) = C_D · A [m²]."""
    for i in range(len(v)):
        if w[i] == 0.0:
            continue
        ux, uy, uz = v[i, 0] - air[i, 0], v[i, 1] - air[i, 1], v[i, 2] - air[i, 2]
        k = 1.0 / (1.0 + 0.5 * h * air_density * area[i] * w[i] * sqrt(ux * ux + uy * uy + uz * uz))
        v[i, 0], v[i, 1], v[i, 2] = air[i, 0] + k * ux, air[i, 1] + k * uy, air[i, 2] + k * uz
        slow(v, i, brake, h)
