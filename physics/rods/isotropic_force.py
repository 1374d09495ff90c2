"""Bending and twisting force of a naturally straight, isotropic rod in one pass (Bergou 2008, §7.1, special case).

    E = Σ_i 4 α_i/l_i · (1 − c_i)/(1 + c_i) + Θ²/(2 Σ_i D_i/β_i),   c_i = t^{i−1}·t^i,  |κb|² = 4 (1 − c)/(1 + c),

with the exact gradient, edge lengths not frozen: ∂c/∂e^i = (t^{i−1} − c t^i)/|e^i|. The twist Θ between prescribed
ends spreads uniformly (eq. 5); its torque τ = Θ/Σ(D/β) pulls on the centreline through the holonomy, ∂ψ_i/∂e^j =
−(κb)_i/2|e^j| (eq. 9).
"""

from math import sqrt

from .._jit import kernel


@kernel
def isotropic_force(x, bend, torque, f):
    """Write the force f (n, 3) [N] at vertices x (n, 3) [m]; bend (n,) = 8 α/l [N m] per vertex; torque τ [N m].

    Returns the smallest cosine c of all turning angles.
    """
    n = len(x)
    ax, ay, az = x[1, 0] - x[0, 0], x[1, 1] - x[0, 1], x[1, 2] - x[0, 2]
    k0 = 1.0 / sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = ax * k0, ay * k0, az * k0
    px = py = pz = 0.0  # what vertex i − 1 has so far, then vertex i
    qx = qy = qz = 0.0
    c_min = 1.0
    for i in range(1, n - 1):
        bx, by, bz = x[i + 1, 0] - x[i, 0], x[i + 1, 1] - x[i, 1], x[i + 1, 2] - x[i, 2]
        k1 = 1.0 / sqrt(bx * bx + by * by + bz * bz)
        bx, by, bz = bx * k1, by * k1, bz * k1
        c = ax * bx + ay * by + az * bz
        if c < c_min:
            c_min = c
        chi = 1.0 / (1.0 + c)
        s = -bend[i] * chi * chi
        w = -torque * chi
        wx, wy, wz = w * (ay * bz - az * by), w * (az * bx - ax * bz), w * (ax * by - ay * bx)
        gx, gy, gz = k0 * (s * (bx - c * ax) - wx), k0 * (s * (by - c * ay) - wy), k0 * (s * (bz - c * az) - wz)
        hx, hy, hz = k1 * (s * (ax - c * bx) - wx), k1 * (s * (ay - c * by) - wy), k1 * (s * (az - c * bz) - wz)
        f[i - 1, 0], f[i - 1, 1], f[i - 1, 2] = px + gx, py + gy, pz + gz
        px, py, pz = qx + hx - gx, qy + hy - gy, qz + hz - gz
        qx, qy, qz = -hx, -hy, -hz
        ax, ay, az, k0 = bx, by, bz, k1
    f[n - 2, 0], f[n - 2, 1], f[n - 2, 2] = px, py, pz
    f[n - 1, 0], f[n - 1, 1], f[n - 1, 2] = qx, qy, qz
    return c_min


@kernel
def isotropic_energy(x, bend):
    """Bending energy [J] of the same rod."""
    energy = 0.0
    for i in range(1, len(x) - 1):
        aa = ab = bb = 0.0
        for k in range(3):
            a, b = x[i, k] - x[i - 1, k], x[i + 1, k] - x[i, k]
            aa, ab, bb = aa + a * a, ab + a * b, bb + b * b
        c = ab / sqrt(aa * bb)
        energy += 0.5 * bend[i] * (1.0 - c) / (1.0 + c)
    return energy
