"""Curvature binormal in the Bishop frame (Bergou 2008, eqs. 1 and 2).

(κb)_i = 2 t^{i−1} × t^i/(1 + t^{i−1}·t^i). Parallel transport turns about (κb)_i, so its two components
k_u = κb·u, k_v = κb·v are the same in the frames of both edges; the material curvatures of edge j follow by its angle
θ:

    ω₁ = κb·m₂ = −k_u sin θ + k_v cos θ,    ω₂ = −κb·m₁ = −k_u cos θ − k_v sin θ.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from .frames import adapt


@kernel
def directions(e: np.ndarray, t: np.ndarray, inverse_length: np.ndarray, chi: np.ndarray) -> None:
    """Of the edges e (n + 1, 3) [m] on both sides of n hinges: unit tangents t (n + 1, 3), inverse_length 1/|e| (n +
    1,), and at hinges chi = 1/(1 + c) (n,) of the cosine c of the turning angle.

    Loops of their own, for roots and quotients that do not wait for each other are found several at a time.
    """
    for j in range(len(e)):
        a, b, c = e[j, 0], e[j, 1], e[j, 2]
        k = 1.0 / sqrt(a * a + b * b + c * c)
        t[j, 0], t[j, 1], t[j, 2], inverse_length[j] = k * a, k * b, k * c, k
    for i in range(len(t) - 1):
        chi[i] = 1.0 / (1.0 + t[i, 0] * t[i + 1, 0] + t[i, 1] * t[i + 1, 1] + t[i, 2] * t[i + 1, 2])


@kernel
def carry_along(t: np.ndarray, chi: np.ndarray, u: np.ndarray) -> None:
    """Parallel transport of u[0], made a unit vector across t[0], along the rod: fills u (n + 1, 3). t, chi: see
    `directions`.
    """
    adapt(u[0], t[0])
    ux, uy, uz = u[0, 0], u[0, 1], u[0, 2]
    ax, ay, az = t[0, 0], t[0, 1], t[0, 2]
    for i in range(len(t) - 1):
        bx, by, bz = t[i + 1, 0], t[i + 1, 1], t[i + 1, 2]
        s = chi[i] * (ux * bx + uy * by + uz * bz)
        ux, uy, uz = ux - s * (ax + bx), uy - s * (ay + by), uz - s * (az + bz)
        u[i + 1, 0], u[i + 1, 1], u[i + 1, 2] = ux, uy, uz
        ax, ay, az = bx, by, bz


@kernel
def bishop_curvature(
    e: np.ndarray, u: np.ndarray, t: np.ndarray, inverse_length: np.ndarray, chi: np.ndarray, k: np.ndarray
) -> float:
    """What `directions` and `carry_along` fill, of the edges e (n + 1, 3) [m], and at n hinges k = (k_u, k_v) (n, 2),
    in one pass with the transport.

    Returns the smallest cosine c of all turning angles.
    """
    directions(e, t, inverse_length, chi)
    adapt(u[0], t[0])
    ux, uy, uz = u[0, 0], u[0, 1], u[0, 2]
    ax, ay, az = t[0, 0], t[0, 1], t[0, 2]
    c_min = 1.0
    for i in range(len(t) - 1):
        bx, by, bz, q = t[i + 1, 0], t[i + 1, 1], t[i + 1, 2], chi[i]
        c = ax * bx + ay * by + az * bz
        if c < c_min:
            c_min = c
        kx, ky, kz = 2.0 * q * (ay * bz - az * by), 2.0 * q * (az * bx - ax * bz), 2.0 * q * (ax * by - ay * bx)
        vx, vy, vz = ay * uz - az * uy, az * ux - ax * uz, ax * uy - ay * ux
        k[i, 0] = kx * ux + ky * uy + kz * uz
        k[i, 1] = kx * vx + ky * vy + kz * vz
        s = q * (ux * bx + uy * by + uz * bz)
        ux, uy, uz = ux - s * (ax + bx), uy - s * (ay + by), uz - s * (az + bz)
        u[i + 1, 0], u[i + 1, 1], u[i + 1, 2] = ux, uy, uz
        ax, ay, az = bx, by, bz
    return c_min
