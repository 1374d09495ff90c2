"""Air drag, by area: of a slender cylinder by direction too (Hoerner, *Fluid-Dynamic Drag*, ch. III: cross-flow
principle), of leaves and bodies the same from all sides.

Per length F = −½ ρ C_D 2r |u_⊥| u_⊥ − ½ ρ C_F 2πr |u_∥| u_∥ − ½ ρ C_D A |u| u with the velocity u relative to the air,
split along the rod. Each factor is taken implicitly, u ← u/(1 + h k |u|/m), so no step is too large for it, and
neither is any for Blender's drag fields, a = −(c₁ + c₂|v|) v, with the velocity in the world.
"""

from math import pi, sqrt

import numpy as np

from .._jit import kernel

SKIN_FRICTION = 0.01  # C_F/C_D: of a smooth cylinder along the flow, against across it


@kernel
def slow(v: np.ndarray, brake: np.ndarray, h: float) -> None:
    """Blender's drag field, if there is one, on a velocity v (3,)."""
    if brake[0] == 0.0 and brake[1] == 0.0:
        return
    vx, vy, vz = v[0], v[1], v[2]
    k = 1.0 / (1.0 + h * (brake[0] + brake[1] * sqrt(vx * vx + vy * vy + vz * vz)))
    v[0], v[1], v[2] = k * vx, k * vy, k * vz


@kernel
def drag(
    x: np.ndarray,
    v: np.ndarray,
    w: np.ndarray,
    nodes: np.ndarray,
    fields: np.ndarray,
    closed: bool,
    air_density: float,
    h: float,
) -> None:
    """Draw one rod's v (n, 3) [m/s] in place to the air's and slow it by drag fields; nodes, fields (n,): its rows.

    drag_area = C_D · 2r · length and leaf_area = C_D · A [m²] of each vertex, w (n,) its inverse mass [1/kg]: a slave's
    and a pinned one's is not that of its own mass, which alone drag fields brake; a body is braked as a whole.
    """
    n = len(x)
    for i in range(n):
        if w[i] == 0.0:
            continue
        air = fields[i].air
        k = 0.5 * h * air_density * nodes[i].drag_area * w[i]
        leaves = 0.5 * h * air_density * nodes[i].leaf_area * w[i]
        if k > 0.0 or leaves > 0.0:
            a, b = i - 1, i + 1
            if a < 0:
                a = n - 1 if closed else 0
            if b == n:
                b = 0 if closed else n - 1
            tx, ty, tz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
            ux, uy, uz = v[i, 0] - air[0], v[i, 1] - air[1], v[i, 2] - air[2]
            along = (ux * tx + uy * ty + uz * tz) / (tx * tx + ty * ty + tz * tz + 1e-300)
            px, py, pz = along * tx, along * ty, along * tz
            nx, ny, nz = ux - px, uy - py, uz - pz
            slower = 1.0
            if leaves > 0.0:
                slower += leaves * sqrt(ux * ux + uy * uy + uz * uz)
            across = 1.0 / (slower + k * sqrt(nx * nx + ny * ny + nz * nz))
            along = 1.0 / (slower + k * pi * SKIN_FRICTION * sqrt(px * px + py * py + pz * pz))
            v[i, 0] = air[0] + across * nx + along * px
            v[i, 1] = air[1] + across * ny + along * py
            v[i, 2] = air[2] + across * nz + along * pz
        slow(v[i], fields[i].brake, h * w[i] * nodes[i].mass)


@kernel
def body_drag(bodies: np.ndarray, now: np.ndarray, fields: np.ndarray, air_density: float, h: float) -> None:
    """The same for bodies: the velocities of their centres of mass in State.bodies; drag_area = C_D · A [m²]."""
    for b in range(len(bodies)):
        v, air = now[b].v, fields[b].air
        ux, uy, uz = v[0] - air[0], v[1] - air[1], v[2] - air[2]
        speed = sqrt(ux * ux + uy * uy + uz * uz)
        k = 1.0 / (1.0 + 0.5 * h * air_density * bodies[b].drag_area * bodies[b].w * speed)
        v[0], v[1], v[2] = air[0] + k * ux, air[1] + k * uy, air[2] + k * uz
        slow(v, fields[b].brake, h)
