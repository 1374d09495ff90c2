"""Force of a rod of any section and any rest shape, at quasistatic material frames (Bergou 2008, §7.1, general case).

    E = Σ_i Σ_{j=i−1,i} (ω_i^j − ω̄_i^j)ᵀ B^j (ω_i^j − ω̄_i^j)/2l_i + Σ_i β_i (m_i − m̄_i)²/l_i        (eq. 3, §4.2.2)

where the rod is straight at rest, and as in `curved_hinge` where it is not.

At equilibrium of the frames (eq. 4) the sums over holonomies of eqs. (10), (11) and the clamp's term telescope: what
remains are the gradients of the hinges, each with its own frames carried by parallel transport, −Σ_i τ_i ∂ψ_i with the
torque τ_i = 2β_i (m_i − m̄_i)/l_i and ∂ψ_i/∂e^j = −(κb)_i/2|e^j| (eq. 9) among them.
"""

from math import cos, sin

import numpy as np

from .._jit import kernel
from ..cosines_sines import cosines_sines
from ..vectors import cross, dot, vector
from .curvature import material_curvature
from .curved_hinge import hinge_energies, hinge_moments
from .frames import axes_at
from .hinge import bending_moment, moment_gradient


@kernel
def general_force(
    t: np.ndarray,
    u: np.ndarray,
    inverse_length: np.ndarray,
    chi: np.ndarray,
    theta: np.ndarray,
    hinges: np.ndarray,
    rows: tuple[np.ndarray, np.ndarray],
    g: np.ndarray,
) -> float:
    """Write the energy's gradient g (n + 1, 3) [N] by the edges on both sides of n hinges, rows of Model.hinges; the
    frame arrays are those of `bishop_curvature`, theta (n + 1,) [rad], rows (n + 1,) scratch. Returns the largest
    magnitude of the torque [N m].
    """
    n, (cosine, sine) = len(hinges), rows
    cosines_sines(theta, cosine, sine)
    ta = vector(t[0])
    a1, a2 = axes_at(ta, vector(u[0]), cosine[0], sine[0])
    px = py = pz = 0.0  # what the edge before the hinge has from the one before
    torque_max = 0.0
    for i in range(n):
        tb, k = vector(t[i + 1]), 2.0 * chi[i]
        b1, b2 = axes_at(tb, vector(u[i + 1]), cosine[i + 1], sine[i + 1])
        kb = cross(ta, tb)
        kb = (k * kb[0], k * kb[1], k * kb[2])
        omega = dot(kb, a2), -dot(kb, a1), dot(kb, b2), -dot(kb, b1)
        M = hinge_moments(hinges[i], omega, theta[i + 1] - theta[i])
        Ga, Gb, torque = bending_moment(a1, a2, M[0], M[1]), bending_moment(b1, b2, M[2], M[3]), M[4]
        if abs(torque) > torque_max:
            torque_max = abs(torque)
        G = (Ga[0] + Gb[0], Ga[1] + Gb[1], Ga[2] + Gb[2])
        before, behind = moment_gradient(ta, tb, inverse_length[i], inverse_length[i + 1], chi[i], kb, G, torque)
        g[i, 0], g[i, 1], g[i, 2] = px + before[0], py + before[1], pz + before[2]
        px, py, pz = behind
        ta, a1, a2 = tb, b1, b2
    g[n, 0], g[n, 1], g[n, 2] = px, py, pz
    return torque_max


@kernel
def general_energy(k: np.ndarray, theta: np.ndarray, hinges: np.ndarray) -> float:
    """Bending and twisting energy [J] of the same rod, from the curvature k (n, 2) in its Bishop frame."""
    energy = 0.0
    for i in range(len(hinges)):
        a, b = theta[i], theta[i + 1]
        w1, w2 = material_curvature(k[i, 0], k[i, 1], cos(a), sin(a))
        w3, w4 = material_curvature(k[i, 0], k[i, 1], cos(b), sin(b))
        bent, twisted = hinge_energies(hinges[i], (w1, w2, w3, w4), b - a)
        energy += bent + twisted
    return energy
