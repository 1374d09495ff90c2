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
from ..elements.curved_hinge import hinge_energies
from ..elements.hinge import material_curvature
from ..elements.hinge_rows import COUNT, by_edges, lay_angles, lay_frames, rows_of


@kernel
def general_force(
    t: np.ndarray,
    u: np.ndarray,
    inverse_length: np.ndarray,
    chi: np.ndarray,
    theta: np.ndarray,
    rows: np.ndarray,
    scratch: tuple[np.ndarray, np.ndarray],
    g: np.ndarray,
) -> float:
    """Write the energy's gradient g (n + 1, 3) [N] by the edges on both sides of n hinges, which `lay_hinges` has put
    to ROW; the frame arrays are those of `bishop_curvature`, theta (n + 1,) [rad], scratch (n + 1,). Returns the
    largest magnitude of the torque [N m].
    """
    n, torque_max = len(chi), 0.0
    lay_angles(theta, rows, scratch[0], scratch[1])
    lay_frames(t, u, inverse_length, chi, rows)
    px = py = pz = 0.0  # what the edge before a hinge has from the one before
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        by_edges(here)
        for l in range(min(COUNT, n - first)):
            i, before, behind = first + l, here.before, here.behind
            g[i, 0], g[i, 1], g[i, 2] = px + before[0, l], py + before[1, l], pz + before[2, l]
            px, py, pz = behind[0, l], behind[1, l], behind[2, l]
            torque_max = max(torque_max, abs(here.torque[l]))
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
