"""Bending and twisting force of a naturally straight, isotropic rod in one pass (Bergou 2008, §7.1, special case).

    E = Σ_i 4 α_i/l_i · (1 − c_i)/(1 + c_i) + Θ²/(2 Σ_i D_i/β_i),   c_i = t^{i−1}·t^i,  |κb|² = 4 (1 − c)/(1 + c),

with the exact gradient, edge lengths not frozen: ∂c/∂e^i = (t^{i−1} − c t^i)/|e^i|. The twist Θ between prescribed
ends spreads uniformly (eq. 5) but for loads on frames; its torque, without them τ = Θ/Σ(D/β), pulls on the centreline
through the holonomy, ∂ψ_i/∂e^j = −(κb)_i/2|e^j| (eq. 9).
"""

import numpy as np

from .._jit import kernel


@kernel
def isotropic_force(
    t: np.ndarray,
    inverse_length: np.ndarray,
    chi: np.ndarray,
    bend: np.ndarray,
    torque: float,
    load: np.ndarray,
    g: np.ndarray,
) -> float:
    """Write the energy's gradient g (n + 1, 3) [N] by the edges on both sides of n hinges, whose t, inverse_length and
    chi are those of `directions`; bend (n,) = 8 α/l [N m]; torque τ [N m] before the loads (n + 1,) [N m] on their
    frames.

    Returns the smallest cosine c of all turning angles.
    """
    ax, ay, az, k0 = t[0, 0], t[0, 1], t[0, 2], inverse_length[0]
    px = py = pz = 0.0  # what the edge before the hinge has from the one before
    c_min = 1.0
    for i in range(len(bend)):
        bx, by, bz, k1 = t[i + 1, 0], t[i + 1, 1], t[i + 1, 2], inverse_length[i + 1]
        c = ax * bx + ay * by + az * bz
        if c < c_min:
            c_min = c
        s = -bend[i] * chi[i] * chi[i]
        torque -= load[i]
        w = -torque * chi[i]
        wx, wy, wz = w * (ay * bz - az * by), w * (az * bx - ax * bz), w * (ax * by - ay * bx)
        g[i, 0] = px + k0 * (s * (bx - c * ax) - wx)
        g[i, 1] = py + k0 * (s * (by - c * ay) - wy)
        g[i, 2] = pz + k0 * (s * (bz - c * az) - wz)
        px, py, pz = k1 * (s * (ax - c * bx) - wx), k1 * (s * (ay - c * by) - wy), k1 * (s * (az - c * bz) - wz)
        ax, ay, az, k0 = bx, by, bz, k1
    n = len(bend)
    g[n, 0], g[n, 1], g[n, 2] = px, py, pz
    return c_min
