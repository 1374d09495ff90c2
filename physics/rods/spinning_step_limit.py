"""The largest step of Cosserat rods: four limits, and what internal friction and bending make of them.

A step is stable to 2/ω of the fastest vibration. Of an edge of length l between nodes with m/2 of its mass m each,
directors of inertia I and joints that hold them by r = Σ 2K/l_j (1K/l_j at a wall, which stands still):

    lateral    4κ/(m l)        the edge against κ, as far as its directors stand: l √(ρA/κ)
    spin       (κ l + r₁)/I₁   the directors against κ and bending: 2/√((κ + 4K₁/l²)/ρI₁)
    stretch    4K_s/(m l)      l √(ρA/K_s)
    twist      r₃/I₃           l √(ρI₃/K₃), l √(ρ/G) of a round section

Lateral and spin act together: their ω² is the larger root of both with the coupling 2κ/√(m I₁) between them. No
vibration of the rod is faster than that of its stiffest edge, for K is a sum over edges when each pair of directors is
given r/2 (x − y)² ≤ r (x² + y²), and M is one; that of a uniform rod, in which all edges move against their
neighbours, is as fast.

Friction of stretching, taken before forces, leaves the part d = 1/(1 + hλ) of velocities, λ = 4γ_t/(m l): v' = d v −
h K x, x' = x + h v' is stable to h² K = 2 (1 + d), as if the inertia were (1 + d)/2 of what it is. That of bending and
torsion, taken behind them, v' = d (v − h K x), is so to h² K = 2 (1 + 1/d): it asks for no shorter step.

A joint at σ = tan(θ/4) n is stiffer, by no more than along its own way, (1 + σ²)(1 + 3σ²) = ∂²(8 tan²(θ/4))/∂θ²; an
edge pressed to the part p of its length is so by 1/p², one pulled by T as if κ were κ + T. Directors askew by α make κ
count no more than (1 + σ²)(1 + 3σ²) times too, with σ = tan(α/2), along its own way, ∂²(2 tan²(α/2))/∂α²; they couple
it with stretching by κ (1 + σ²) tan(α/2) or less.
"""

import numpy as np


def vibrations(segments: np.ndarray, joints: np.ndarray, mass: np.ndarray, mobility: np.ndarray) -> np.ndarray:
    """ω² (m, 3) [1/s²] of all edges: lateral and spin together, stretch, twist.

    segments (m,), joints (k,): tables as stretch_and_align, bend_and_twist and rod_dissipation have them; mass (m,)
    [kg] of the edges, mobility (Q, 2) [1/(kg m²)] of the directors, 0 of those that are led.
    """
    held = _held(joints, mobility)[: len(segments)]
    across, about = mobility[: len(segments)].T
    length, share = segments["length"], 4.0 / mass
    lateral = segments["parallel"] / length * share
    spin = (segments["parallel"] * length + held[:, :2].T) * across
    coupling = segments["parallel"] ** 2 * share * across
    bending = 0.5 * (lateral + spin + np.sqrt((lateral - spin) ** 2 + 4.0 * coupling)).max(axis=0)
    stretch = segments["stretch"] / length * share
    slowed = segments["viscosity"] / length * share * 2.0 / np.sqrt(stretch)  # hλ at the largest step without friction
    return np.stack([bending, stretch * (1.0 + slowed) / (1.0 + 0.5 * slowed), held[:, 2] * about], axis=1)


def _held(joints: np.ndarray, mobility: np.ndarray) -> np.ndarray:
    """r (Q, 3) [N m]: by how much joints hold directors, by row sums."""
    free = mobility[:, 1] > 0.0
    held = np.zeros((len(mobility), 3))
    stiff = joints["stiffness"] / joints["length"][:, None]
    for one, other in (("before", "behind"), ("behind", "before")):
        np.add.at(held, joints[one], stiff * (1.0 + free[joints[other]])[:, None])
    return held
