"""Viscous loss of a domain per present volume (Liesenfeld & Stolfi 1997, eq. 17), and its stress.

With D' = F'ᵀF + FᵀF', F' = dF/dt (§5.4), d₂' = tr D' and d₁' the sum of its principal 2 × 2 minors,

    ω = η₁/2 d₂'² + η₂/3 (d₂'² − 3d₁') = ζ/4 (tr D')² + μ/2 ‖dev D'‖²,    ζ = 2η₁, μ = η₂,

(their (19) and (23) print twice the last term): at the relaxed shape simple shear at the rate γ' loses μ γ'², expansion
at the rate ε' of volume ζ ε'². Forces are −½ ∂W/∂v, W = J V ω (their eq. 26): those of the stress

    P = J F S,    S = ζ/2 tr(D') 1 + μ dev D',    P : F' = J ω.

They are linear in velocities, −C v, with C symmetric, and zero of what moves as if it were rigid.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus
from .deformation_gradient import Columns, cofactors, sum_of
from .domain_lanes import columns, put


@kernel
def viscous_stress(F: Columns, rate: Columns, J: float, dilation: float, viscosity: float) -> Columns:
    """P [Pa] of F and F', at ζ and μ [Pa s]."""
    a, b, c = 2.0 * dot(F[0], rate[0]), 2.0 * dot(F[1], rate[1]), 2.0 * dot(F[2], rate[2])
    d = dot(F[1], rate[2]) + dot(F[2], rate[1])
    e = dot(F[2], rate[0]) + dot(F[0], rate[2])
    f = dot(F[0], rate[1]) + dot(F[1], rate[0])
    viscosity *= J
    mean = (0.5 * J * dilation - viscosity / 3.0) * (a + b + c)
    a, b, c = viscosity * a + mean, viscosity * b + mean, viscosity * c + mean
    d, e, f = viscosity * d, viscosity * e, viscosity * f
    return sum_of(a, F[0], f, F[1], e, F[2]), sum_of(f, F[0], b, F[1], d, F[2]), sum_of(e, F[0], d, F[1], c, F[2])


@kernel
def add_viscous_stresses(here: np.record, count: int) -> None:
    """P of LANES more."""
    for l in range(count):
        F, P = columns(here.F, l), columns(here.P, l)
        J = dot(F[0], cofactors(F)[0])
        Q = viscous_stress(F, columns(here.rate, l), J, here.dilation[l], here.viscosity[l])
        put((plus(P[0], 1.0, Q[0]), plus(P[1], 1.0, Q[1]), plus(P[2], 1.0, Q[2])), here.P, l)
