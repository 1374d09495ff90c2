"""Air drag of soft bodies, by the faces of their surface (Keckeisen, Kimmerle, Thomaszewski & Wacker 2004, *Modelling
Effects of Wind Fields in Cloth Animations*, without lift).

A face of area A and outward normal n that goes through the air with the velocity u meets (A n·u)₊ of air in a second:

    F = −½ ρ C_D (A n·u)₊ u,

a sheet's, which has no inside, |A n·u|.

Over a convex body that goes as a whole this sums up to −½ ρ C_D A |u| u with the area A of its silhouette, as of a
rigid body; of several faces behind each other each counts. The corners of a face share it: each node has the sum k of
thirds of ½ ρ C_D (A n·u)₊, u the mean of the corners', and feels −k u with its own u, which never gives it energy.

It is taken implicitly and before a step's forces, u ← u/(1 + h k/m), which is exact of what goes as a whole. No step is
too long for it: what velocity Verlet conserves of a linear system, ½ vᵀMv + ½ xᵀ(K − h²/4 K M⁻¹K)x, has v in the first
part alone, with a diagonal M, and only loses by it. Leapfrog, by a factor s, stays stable below √((1 + s)/2) of 2/ω.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, vector
from ..model import Model, State
from .drag import slow


@kernel
def through_air(v: np.ndarray, fields: np.ndarray, i: int) -> Vector:
    """u [m/s] of node i."""
    return plus(vector(v[i]), -1.0, vector(fields[i].air))


@kernel
def drag_rates(model: Model, x: np.ndarray, v: np.ndarray, fields: np.ndarray, rate: np.ndarray) -> None:
    """k [kg/s], rate (N,), of all nodes at x and v (N, 3); fields (N,), FIELD_EFFECT."""
    triangles, bodies = model.solids.triangles, model.solids.bodies
    for i in range(len(rate)):
        rate[i] = 0.0
    for f in range(len(triangles)):
        dense = model.world[0].air_density * bodies[triangles[f].solid].drag_coefficient
        if dense == 0.0:
            continue
        a, b, c = triangles[f].corner[0], triangles[f].corner[1], triangles[f].corner[2]
        origin = vector(x[a])
        normal = cross(plus(vector(x[b]), -1.0, origin), plus(vector(x[c]), -1.0, origin))  # 2 A n
        u = plus(plus(through_air(v, fields, a), 1.0, through_air(v, fields, b)), 1.0, through_air(v, fields, c))
        meets = dot(normal, u)
        if meets < 0.0:
            meets = -meets if bodies[triangles[f].solid].open else 0.0
        k = dense / 36.0 * meets  # ⅓ of ½, with A n·u = ⅙ of this
        rate[a] += k
        rate[b] += k
        rate[c] += k


@kernel
def resist(model: Model, state: State, rate: np.ndarray, h: float) -> None:
    """Draw free nodes' v to the air's, and slow it by drag fields, for h [s]; rate (N,) is scratch."""
    v, w, fields = state.v, state.w, state.fields
    drag_rates(model, state.x, v, fields, rate)
    for i in range(len(rate)):
        if w[i] == 0.0:
            continue
        if rate[i] > 0.0:
            k = 1.0 / (1.0 + h * w[i] * rate[i])
            for c in range(3):
                air = fields[i].air[c]
                v[i, c] = air + k * (v[i, c] - air)
        if fields[i].brake[0] > 0.0 or fields[i].brake[1] > 0.0:
            slow(v[i], fields[i].brake, h)


@kernel
def drag_forces(
    model: Model, x: np.ndarray, v: np.ndarray, fields: np.ndarray, rate: np.ndarray, f: np.ndarray
) -> None:
    """Add the air's to f (N, 3) [N], for schemes that adapt their steps to it."""
    drag_rates(model, x, v, fields, rate)
    for i in range(len(rate)):
        u = through_air(v, fields, i)
        for c in range(3):
            f[i, c] -= rate[i] * u[c]
