"""Force of a rod of any section and any rest shape, at quasistatic material frames (Bergou 2008, §7.1, general case).

    E = Σ_i Σ_{j=i−1,i} (ω_i^j − ω̄_i^j)ᵀ B^j (ω_i^j − ω̄_i^j)/2l_i + Σ_i β_i (m_i − m̄_i)²/l_i        (eq. 3, §4.2.2)

At equilibrium of the frames (eq. 4) the sums over holonomies of eqs. (10), (11) and the clamp's term telescope: what
remains are the gradients of the hinges, each with its own frames carried by parallel transport, −Σ_i τ_i ∂ψ_i with the
torque τ_i = 2β_i (m_i − m̄_i)/l_i and ∂ψ_i/∂e^j = −(κb)_i/2|e^j| (eq. 9) among them.
"""

from math import cos, sin

from .._jit import kernel
from .curvature import material_curvature
from .frames import material_axes
from .hinge import bending_moment, moment_gradient
from .vectors import cross, dot, vector


@kernel
def general_force(t, u, inverse_length, chi, theta, inverse_cell, stiffness, rest_curvature, twist_rate, rest_twist, f):
    """Write the force f (n, 3) [N]; the frame arrays are those of `bishop_curvature`, theta (n − 1,) [rad].

    inverse_cell 1/l_i (n,) [1/m], stiffness B (n − 1, 2) [N m²], rest_curvature ω̄ (n, 4) as (i−1: ω̄₁, ω̄₂; i: ω̄₁,
    ω̄₂), twist_rate 2β/l (n,) [N m], rest_twist m̄ (n,) [rad]. Returns the largest magnitude of the torque [N m].
    """
    n = len(f)
    ta = vector(t[0])
    a1, a2 = material_axes(ta, vector(u[0]), theta[0])
    px = py = pz = qx = qy = qz = 0.0  # what vertex i − 1 has so far, then vertex i
    torque_max = 0.0
    for i in range(1, n - 1):
        tb, r, k = vector(t[i]), inverse_cell[i], 2.0 * chi[i]
        b1, b2 = material_axes(tb, vector(u[i]), theta[i])
        kb = cross(ta, tb)
        kb = (k * kb[0], k * kb[1], k * kb[2])
        first = r * stiffness[i - 1, 0] * (dot(kb, a2) - rest_curvature[i, 0])
        second = r * stiffness[i - 1, 1] * (-dot(kb, a1) - rest_curvature[i, 1])
        Ga = bending_moment(a1, a2, first, second)
        first = r * stiffness[i, 0] * (dot(kb, b2) - rest_curvature[i, 2])
        second = r * stiffness[i, 1] * (-dot(kb, b1) - rest_curvature[i, 3])
        Gb = bending_moment(b1, b2, first, second)
        torque = twist_rate[i] * (theta[i] - theta[i - 1] - rest_twist[i])
        if abs(torque) > torque_max:
            torque_max = abs(torque)
        G = (Ga[0] + Gb[0], Ga[1] + Gb[1], Ga[2] + Gb[2])
        g, h = moment_gradient(ta, tb, inverse_length[i - 1], inverse_length[i], chi[i], kb, G, torque)
        f[i - 1, 0], f[i - 1, 1], f[i - 1, 2] = px + g[0], py + g[1], pz + g[2]
        px, py, pz = qx + h[0] - g[0], qy + h[1] - g[1], qz + h[2] - g[2]
        qx, qy, qz = -h[0], -h[1], -h[2]
        ta, a1, a2 = tb, b1, b2
    f[n - 2, 0], f[n - 2, 1], f[n - 2, 2] = px, py, pz
    f[n - 1, 0], f[n - 1, 1], f[n - 1, 2] = qx, qy, qz
    return torque_max


@kernel
def general_energy(k, theta, inverse_cell, stiffness, rest_curvature, twist_rate, rest_twist):
    """Bending and twisting energy [J] of the same rod, from the curvature k (n, 2) in its Bishop frame."""
    energy = 0.0
    for i in range(1, len(k) - 1):
        for side in range(2):
            j = i - 1 + side
            w1, w2 = material_curvature(k[i, 0], k[i, 1], cos(theta[j]), sin(theta[j]))
            w1, w2 = w1 - rest_curvature[i, 2 * side], w2 - rest_curvature[i, 2 * side + 1]
            energy += 0.5 * inverse_cell[i] * (stiffness[j, 0] * w1 * w1 + stiffness[j, 1] * w2 * w2)
        energy += 0.5 * twist_rate[i] * (theta[i] - theta[i - 1] - rest_twist[i]) ** 2
    return energy
