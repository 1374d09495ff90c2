"""Inertia of directors and how they turn: kinetic energy (Spillmann & Teschner 2007, eqs. 13, 14, 36) and its flow.

Only the spin about the edge has an inertia that counts, I₃ = ρ I_p l. Turning across is slaved to the edge by κ, so
neither κ nor I₁ = I₂ need be physical. The segment's penalty acts as a spring in series with bending: κ = 10 K₁/l² adds
its part of a tenth of the error of the edge length, second order like that. I₁ = max(ρ I_p l/2, m l²/4) is the most at
which both limits of the step, of edges and of directors, are alike: less would make it shorter, more would count.

Directors are symmetric tops. With the momentum L = I ω in their own axes, their free motion of h is exact in two turns,

    q ← q exp(h L/2I₁) exp(h (1 − I₃/I₁) ω₃ e₃/2),    L₁ + i L₂ ← (L₁ + i L₂) e^{−iφ},  φ = h (1 − I₃/I₁) ω₃,

the first about the momentum, which stays in space, the second about the axis. A kick by the torques before it makes a
step that is symplectic: angular momentum is kept to rounding and energy does not drift.
"""

from math import cos, sin, sqrt

import numpy as np

from .._jit import kernel
from ..small_turns import LITTLE, cos_sin

PARALLEL = 10.0  # κ l²/K₁: a released cantilever of 50 edges errs by .00 % with it and takes the longest steps


def parallel_stiffness(bend_stiffness: np.ndarray, length: np.ndarray) -> np.ndarray:
    """κ (m,) [N] of edges of these bending stiffnesses (m, 2) [N m²] and lengths (m,) [m]."""
    stiffest: np.ndarray = bend_stiffness.max(axis=1)
    return PARALLEL * stiffest / length**2


def director_inertia(mass: np.ndarray, gyration: np.ndarray, length: np.ndarray) -> np.ndarray:
    """(I₁ = I₂, I₃) (m, 2) [kg m²] of edges of these masses [kg] and lengths [m]; gyration (m,): I_p/A [m²], r²/2 of a
    round section.
    """
    about = mass * gyration
    return np.stack([np.maximum(0.5 * about, 0.25 * mass * length**2), about], axis=1)


@kernel
def half_turn(a: float, b: float, c: float) -> tuple[float, float]:
    """(cos, k) of half the angle of the turn (a, b, c) [rad]: exp((a, b, c)/2) is (cos, k a, k b, k c)."""
    z = 0.25 * (a * a + b * b + c * c)
    if z < LITTLE * LITTLE:
        k = 0.5 * (1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0))))
        return 1.0 - z / 2.0 * (1.0 - z / 12.0 * (1.0 - z / 30.0 * (1.0 - z / 56.0))), k
    half = sqrt(z)
    return cos(half), 0.5 * sin(half) / half


@kernel
def kick_directors(torque: np.ndarray, mobility: np.ndarray, h: float, spin: np.ndarray) -> None:
    """spin (Q, 3) [rad/s] += h/I torque (Q, 3) [N m], all in the directors' axes; mobility (Q, 2): 1/I₁, 1/I₃ [1/(kg
    m²)], 0 of directors that are led.
    """
    for j in range(len(spin)):
        across, about = h * mobility[j, 0], h * mobility[j, 1]
        spin[j, 0] += across * torque[j, 0]
        spin[j, 1] += across * torque[j, 1]
        spin[j, 2] += about * torque[j, 2]


@kernel
def turn_directors(q: np.ndarray, spin: np.ndarray, mobility: np.ndarray, h: float) -> None:
    """Free motion of h [s]: q (Q, 4), which it makes unit again, and spin (Q, 3) [rad/s], in place. Directors that are
    led (mobility 0) turn with their spin.
    """
    for j in range(len(q)):
        ratio = mobility[j, 0] / mobility[j, 1] if mobility[j, 1] > 0.0 else 1.0  # I₃/I₁
        a, b, c = h * spin[j, 0], h * spin[j, 1], ratio * h * spin[j, 2]
        w, k = half_turn(a, b, c)
        x, y, z = k * a, k * b, k * c
        left = (1.0 - ratio) * h * spin[j, 2]
        c, s = cos_sin(0.5 * left)
        w, x, y, z = c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w
        p0, p1, p2, p3 = q[j, 0], q[j, 1], q[j, 2], q[j, 3]
        a = p0 * w - p1 * x - p2 * y - p3 * z
        b = p0 * x + p1 * w + p2 * z - p3 * y
        d = p0 * y - p1 * z + p2 * w + p3 * x
        e = p0 * z + p1 * y - p2 * x + p3 * w
        unit = 1.0 / sqrt(a * a + b * b + d * d + e * e)
        q[j, 0], q[j, 1], q[j, 2], q[j, 3] = unit * a, unit * b, unit * d, unit * e
        c, s = c * c - s * s, 2.0 * s * c
        x, y = spin[j, 0], spin[j, 1]
        spin[j, 0], spin[j, 1] = c * x + s * y, c * y - s * x


@kernel
def kinetic_energy(spin: np.ndarray, mobility: np.ndarray) -> float:
    """½ Σ I_k ω_k² [J] of the directors, those that are led left out."""
    energy = 0.0
    for j in range(len(spin)):
        if mobility[j, 1] > 0.0:
            across = spin[j, 0] * spin[j, 0] + spin[j, 1] * spin[j, 1]
            energy += 0.5 * (across / mobility[j, 0] + spin[j, 2] * spin[j, 2] / mobility[j, 1])
    return energy
