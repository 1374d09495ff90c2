"""Force of a rod of any section and any rest shape, at quasistatic material frames (Bergou 2008, §7.1, general case).

    E = Σ_i Σ_{j=i−1,i} (ω_i^j − ω̄_i^j)ᵀ B^j (ω_i^j − ω̄_i^j)/2l_i + Σ_i β_i (m_i − m̄_i)²/l_i        (eq. 3, §4.2.2)

At equilibrium of the frames (eq. 4) the sums over holonomies of eqs. (10), (11) and the clamp's term telescope: what
remains of them is −Σ_i τ_i ∂ψ_i, with the torque τ_i = 2β_i (m_i − m̄_i)/l_i and ∂ψ_i/∂e^j = −(κb)_i/2|e^j| (eq. 9).
The gradient of κb is the exact one: for a vector G, ∂(κb·G)/∂e^i = χ (2 G × t^{i−1} − (κb·G)(t^{i−1} + t^i))/|e^i|, χ
= 1/(1 + t^{i−1}·t^i).
"""

from math import cos, sin

from .._jit import kernel


@kernel
def general_force(
    t, u, inverse_length, chi, k, theta, inverse_cell, stiffness, rest_curvature, twist_rate, rest_twist, f
):
    """Write the force f (n, 3) [N]; the frame arrays are those of `bishop_curvature`, theta (n − 1,) [rad].

    inverse_cell 1/l_i (n,) [1/m], stiffness B (n − 1, 2) [N m²], rest_curvature ω̄ (n, 4) as (i−1: ω̄₁, ω̄₂; i: ω̄₁,
    ω̄₂), twist_rate 2β/l (n,) [N m], rest_twist m̄ (n,) [rad]. Returns the largest magnitude of the torque [N m].
    """
    n = len(f)
    ax, ay, az = t[0, 0], t[0, 1], t[0, 2]
    ux, uy, uz = u[0, 0], u[0, 1], u[0, 2]
    vx, vy, vz = ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux
    c0, s0 = cos(theta[0]), sin(theta[0])
    px = py = pz = qx = qy = qz = 0.0
    torque_max = 0.0
    for i in range(1, n - 1):
        bx, by, bz = t[i, 0], t[i, 1], t[i, 2]
        ku, kv, q, r = k[i, 0], k[i, 1], chi[i], inverse_cell[i]
        b1 = r * stiffness[i - 1, 0] * (kv * c0 - ku * s0 - rest_curvature[i, 0])
        b2 = r * stiffness[i - 1, 1] * (-ku * c0 - kv * s0 - rest_curvature[i, 1])
        gu, gv = -b1 * s0 - b2 * c0, b1 * c0 - b2 * s0
        gx, gy, gz = gu * ux + gv * vx, gu * uy + gv * vy, gu * uz + gv * vz
        ux, uy, uz = u[i, 0], u[i, 1], u[i, 2]
        vx, vy, vz = by * uz - bz * uy, bz * ux - bx * uz, bx * uy - by * ux
        c1, s1 = cos(theta[i]), sin(theta[i])
        b1 = r * stiffness[i, 0] * (kv * c1 - ku * s1 - rest_curvature[i, 2])
        b2 = r * stiffness[i, 1] * (-ku * c1 - kv * s1 - rest_curvature[i, 3])
        gu, gv = -b1 * s1 - b2 * c1, b1 * c1 - b2 * s1
        gx, gy, gz = gx + gu * ux + gv * vx, gy + gu * uy + gv * vy, gz + gu * uz + gv * vz
        torque = twist_rate[i] * (theta[i] - theta[i - 1] - rest_twist[i])
        if abs(torque) > torque_max:
            torque_max = abs(torque)
        kx, ky, kz = 2.0 * q * (ay * bz - az * by), 2.0 * q * (az * bx - ax * bz), 2.0 * q * (ax * by - ay * bx)
        s = q * (kx * gx + ky * gy + kz * gz)
        w, q2 = 0.5 * torque, 2.0 * q
        wx, wy, wz = w * kx - s * (ax + bx), w * ky - s * (ay + by), w * kz - s * (az + bz)
        r0, r1 = inverse_length[i - 1], inverse_length[i]
        hx, hy, hz = (
            r0 * (wx + q2 * (by * gz - bz * gy)),
            r0 * (wy + q2 * (bz * gx - bx * gz)),
            r0 * (wz + q2 * (bx * gy - by * gx)),
        )
        gx, gy, gz = (
            r1 * (wx + q2 * (gy * az - gz * ay)),
            r1 * (wy + q2 * (gz * ax - gx * az)),
            r1 * (wz + q2 * (gx * ay - gy * ax)),
        )
        f[i - 1, 0], f[i - 1, 1], f[i - 1, 2] = px + hx, py + hy, pz + hz
        px, py, pz = qx + gx - hx, qy + gy - hy, qz + gz - hz
        qx, qy, qz = -gx, -gy, -gz
        ax, ay, az, c0, s0 = bx, by, bz, c1, s1
    f[n - 2, 0], f[n - 2, 1], f[n - 2, 2] = px, py, pz
    f[n - 1, 0], f[n - 1, 1], f[n - 1, 2] = qx, qy, qz
    return torque_max


@kernel
def general_energy(k, theta, inverse_cell, stiffness, rest_curvature, twist_rate, rest_twist):
    """Bending and twisting energy [J] of the same rod, from the same arrays."""
    energy = 0.0
    for i in range(1, len(k) - 1):
        for side in range(2):
            j = i - 1 + side
            c, s = cos(theta[j]), sin(theta[j])
            w1 = k[i, 1] * c - k[i, 0] * s - rest_curvature[i, 2 * side]
            w2 = -k[i, 0] * c - k[i, 1] * s - rest_curvature[i, 2 * side + 1]
            energy += 0.5 * inverse_cell[i] * (stiffness[j, 0] * w1 * w1 + stiffness[j, 1] * w2 * w2)
        energy += 0.5 * twist_rate[i] * (theta[i] - theta[i - 1] - rest_twist[i]) ** 2
    return energy
