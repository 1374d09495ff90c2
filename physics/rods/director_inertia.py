"""Inertia of directors and how they turn: kinetic energy (Spillmann & Teschner 2007, eqs. 13, 14, 36) and its flow.

Directors are symmetric tops. With the momentum L = I ω in their own axes, their free motion of h is exact in two turns,

    q ← q exp(h L/2I₁) exp(h (1 − I₃/I₁) ω₃ e₃/2),    L₁ + i L₂ ← (L₁ + i L₂) e^{−iφ},  φ = h (1 − I₃/I₁) ω₃,

the first about the momentum, which stays in space, the second about the axis. A kick by the torques before it makes a
step that is symplectic: angular momentum is kept to rounding and energy does not drift.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.cosines_sines import cosines_sines
from ..model import table

COUNT = 16
TURN_LANES = table(  # directors side by side: one instruction of the processor does the same to several
    q=(float, (4, COUNT)),
    turn=(float, (3, COUNT)),  # h L/I₁ [rad]
    spin=(float, (3, COUNT)),
    mobility=(float, (2, COUNT)),
    half=(float, COUNT),  # angle of half that turn,
    cosine=(float, COUNT),
    sine=(float, COUNT),
    about=(float, COUNT),  # and of half the other one, φ/2
    cosine_about=(float, COUNT),
    sine_about=(float, COUNT),
)
LEAST = 1e-300  # rad²: so that an angle of nothing has a sine over it, 1


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
def gather(q: np.ndarray, spin: np.ndarray, mobility: np.ndarray, here: np.record) -> None:
    """Directors (COUNT or less,) to lanes."""
    for l in range(len(q)):
        for c in range(4):
            here.q[c, l] = q[l, c]
        for c in range(3):
            here.spin[c, l] = spin[l, c]
        for c in range(2):
            here.mobility[c, l] = mobility[l, c]


@kernel
def turn_lanes(here: np.record, h: float) -> None:
    """Free motion of h [s] of all lanes. q is a unit quaternion but for rounding: by one step of Newton's method for
    1/|q| it is again.
    """
    for l in range(COUNT):
        ratio = here.mobility[0, l] / here.mobility[1, l] if here.mobility[1, l] > 0.0 else 1.0  # I₃/I₁
        x, y, z = h * here.spin[0, l], h * here.spin[1, l], h * ratio * here.spin[2, l]
        here.turn[0, l], here.turn[1, l], here.turn[2, l] = x, y, z
        here.half[l] = 0.5 * sqrt(x * x + y * y + z * z + LEAST)
        here.about[l] = 0.5 * (h * here.spin[2, l] - z)
    cosines_sines(here.half, 1.0, here.cosine, here.sine)
    cosines_sines(here.about, 1.0, here.cosine_about, here.sine_about)
    for l in range(COUNT):
        w, k = here.cosine[l], 0.5 * here.sine[l] / here.half[l]
        x, y, z = k * here.turn[0, l], k * here.turn[1, l], k * here.turn[2, l]
        c, s = here.cosine_about[l], here.sine_about[l]
        w, x, y, z = c * w - s * z, c * x + s * y, c * y - s * x, c * z + s * w
        p0, p1, p2, p3 = here.q[0, l], here.q[1, l], here.q[2, l], here.q[3, l]
        a = p0 * w - p1 * x - p2 * y - p3 * z
        b = p0 * x + p1 * w + p2 * z - p3 * y
        d = p0 * y - p1 * z + p2 * w + p3 * x
        e = p0 * z + p1 * y - p2 * x + p3 * w
        unit = 1.5 - 0.5 * (a * a + b * b + d * d + e * e)
        here.q[0, l], here.q[1, l], here.q[2, l], here.q[3, l] = unit * a, unit * b, unit * d, unit * e
        c, s = c * c - s * s, 2.0 * s * c
        x, y = here.spin[0, l], here.spin[1, l]
        here.spin[0, l], here.spin[1, l] = c * x + s * y, c * y - s * x


@kernel
def turn_directors(q: np.ndarray, spin: np.ndarray, mobility: np.ndarray, h: float, here: np.record) -> None:
    """Free motion of h [s]: q (Q, 4), which it makes unit again, and spin (Q, 3) [rad/s], in place. Directors that are
    led (mobility 0) turn with their spin. here: TURN_LANES.
    """
    for first in range(0, len(q), COUNT):
        own, spins = q[first : first + COUNT], spin[first : first + COUNT]
        gather(own, spins, mobility[first : first + COUNT], here)
        turn_lanes(here, h)
        for l in range(len(own)):
            for c in range(4):
                own[l, c] = here.q[c, l]
            for c in range(2):
                spins[l, c] = here.spin[c, l]


@kernel
def kinetic_energy(spin: np.ndarray, mobility: np.ndarray) -> float:
    """½ Σ I_k ω_k² [J] of the directors, those that are led left out."""
    energy = 0.0
    for j in range(len(spin)):
        if mobility[j, 1] > 0.0:
            across = spin[j, 0] * spin[j, 0] + spin[j, 1] * spin[j, 1]
            energy += 0.5 * (across / mobility[j, 0] + spin[j, 2] * spin[j, 2] / mobility[j, 1])
    return energy
