"""Elastic, kinetic and potential energies, from positions and the frames at equilibrium.

Elastic energy is that of frames which nothing turns but what holds them. Frames have no inertia, so moments of friction
(contact/friction_moments) turn them at once, and what they wind up is gone with them: nothing did work on it, and
nothing gets it back. `wound` tells how much that is.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from ..model import Model, State, copied
from ..rods.chain import frame_edges, hinges_of
from ..rods.curved_hinge import A, C
from ..rods.elastic_forces import WRITTEN, elastic_forces
from ..rods.isotropic_twist import end_torques
from ..rods.scratch import elastic_scratch
from ..validate import SimulationError
from .directors import joint_energies, spin_energy
from .momenta import inertia_of_spin
from .strains import rod_edges


class Energies(NamedTuple):
    """Of each rod (R,) and each body (B,) [J]; what is welded to a body counts as part of it."""

    bending: np.ndarray
    twisting: np.ndarray
    stretching: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray  # in gravity, 0 at the origin
    body_kinetic: np.ndarray
    body_potential: np.ndarray

    @property
    def elastic(self) -> np.ndarray:
        return self.bending + self.twisting + self.stretching

    @property
    def total(self) -> float:
        """Sum over everything [J]."""
        return float(sum(part.sum() for part in self))


def energies(model: Model, state: State) -> Energies:
    """Energies of the rods, their material frames at equilibrium; SimulationError when a rod's find none."""
    now = copied(state, *WRITTEN)
    if now.rods["loaded"].any():
        now.moment[:], now.torque[:], now.rods["loaded"] = 0.0, 0.0, False
    _bring_to_equilibrium(model, now)
    rods, nodes, gravity = model.rods, model.nodes, model.world["gravity"][0]
    count = len(rods)
    bodies = model.bodies
    spin = np.sum(_turned_back(state.bodies["q"], state.bodies["l"]) ** 2 / bodies["inertia"], axis=1)
    moving = 0.5 * bodies["mass"] * np.sum(state.bodies["v"] ** 2, axis=1) + 0.5 * spin
    falling = -bodies["gravity"] * bodies["mass"] * (state.bodies["x"] @ gravity)
    stretching, kinetic, potential = np.zeros((3, count))
    bending, twisting = _bent_and_twisted(model, now)
    spinning = inertia_of_spin(model) * state.spin**2
    for r in range(count):
        own = slice(rods["first"][r], rods["last"][r] + 1)
        kinetic[r] = spin_energy(model, state, r) if rods["cosserat"][r] else 0.0
        stretching[r] = _stretching(model, now, r) if rods["stretchable"][r] else 0.0
        kinetic[r] += 0.5 * np.sum(nodes["mass"][own] * np.sum(state.v[own] ** 2, axis=1))
        kinetic[r] += 0.5 * spinning[rods["frame"][r] : rods["last"][r] + r + 2].sum()
        potential[r] = -np.sum(nodes["gravity"][own] * nodes["mass"][own] * (state.x[own] @ gravity))
    return Energies(bending, twisting, stretching, kinetic, potential, moving, falling)


def wound(model: Model, state: State) -> np.ndarray:
    """(R,) [J] by which moments of friction hold rods wound up. Raises SimulationError, as `energies`."""
    now = copied(state, *WRITTEN)
    _bring_to_equilibrium(model, now)
    found = energies(model, state)
    return sum(_bent_and_twisted(model, now)) - found.bending - found.twisting


def _bring_to_equilibrium(model: Model, now: State) -> None:
    failed = elastic_forces(model, now, elastic_scratch(model))
    if failed >= 0:
        raise SimulationError(str(failed), f"The twist of rod {failed} found no equilibrium.")


def _bent_and_twisted(model: Model, now: State) -> tuple[np.ndarray, np.ndarray]:
    """(R,) each [J], of frames as they are."""
    bending, twisting = np.zeros((2, len(model.rods)))
    edges = frame_edges(model.rods, now.ghosts, now.x)
    for r in range(len(model.rods)):
        if model.rods["cosserat"][r]:
            bending[r], twisting[r] = joint_energies(model, now, r)
        else:
            bending[r], twisting[r] = _bending(model, now, r, edges), _twisting(model, now, r, edges)
    return bending, twisting


def _turned_back(q: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (B, 3) in the axes of bodies at the unit quaternions q (B, 4)."""
    if not len(q):
        return vectors
    return Rotation.from_quat(np.roll(q, -1, axis=1)).inv().apply(vectors)


def _bending(model: Model, state: State, r: int, edges: np.ndarray) -> float:
    """Σ_i Σ_{j=i−1,i} (ω_i^j − ω̄_i^j)ᵀ B^j (ω_i^j − ω̄_i^j)/2l_i with ω = (κb·m₂, −κb·m₁) (eqs. 2 and 3); of hinges
    that are curved at rest as `curved_hinge` has it.
    """
    i, j = hinges_of(model.rods, r, state.ghosts)
    a, b, hinges = i + r, j + r + 1, model.hinges[i:j]
    t = edges[a:b] / np.linalg.norm(edges[a:b], axis=1)[:, None]
    u = _parallel_transport(t, state.u[a])
    theta = state.theta[a:b, None]
    m1 = np.cos(theta) * u + np.sin(theta) * np.cross(t, u)
    m2 = np.cross(t, m1)
    kb = 2.0 * np.cross(t[:-1], t[1:]) / (1.0 + np.sum(t[:-1] * t[1:], axis=1))[:, None]
    mu, longer = _shares(np.sum(kb**2, axis=1) / 4.0, hinges["bent"])
    at_rest = np.where(hinges["bent"] > 0.0, hinges["rest_share"], 1.0)
    half = np.where(hinges["bent"] > 0.0, 0.5 * (np.diff(state.theta[a:b]) - hinges["rest_twist"]), 0.0)
    energy = 0.0
    for side, own in ((slice(0, 2), slice(0, -1)), (slice(2, 4), slice(1, None))):
        omega = np.stack([np.sum(kb * m2[own], axis=1), -np.sum(kb * m1[own], axis=1)], axis=1)
        angle, rest = half if side.start else -half, hinges["rest_curvature"][:, side]
        c, s = np.cos(angle), np.sin(angle)
        turned = np.stack([c * rest[:, 0] + s * rest[:, 1], c * rest[:, 1] - s * rest[:, 0]], axis=1)
        strain = mu[:, None] * omega - at_rest[:, None] * turned
        energy += 0.5 * np.sum(hinges["bending"][:, side] / longer[:, None] * strain**2)
    return energy


def _shares(g: np.ndarray, bent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """μ and λ of hinges."""
    h = np.divide(2.0 * g * bent, g + bent, out=np.zeros(len(g)), where=bent > 0.0)
    return 1.0 / np.sqrt(1.0 + h), (1.0 + A * h) / (1.0 + C * h)


def _parallel_transport(t: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Bishop vectors (m, 3) along unit tangents t (m, 3), by Rodrigues' rotation about t^{j−1} × t^j."""
    u = np.empty_like(t)
    u[0] = first
    for j in range(1, len(t)):
        axis, c = np.cross(t[j - 1], t[j]), t[j - 1] @ t[j]
        u[j] = c * u[j - 1] + np.cross(axis, u[j - 1]) + axis * (axis @ u[j - 1]) / (1.0 + c)
    return u


def _twisting(model: Model, state: State, r: int, edges: np.ndarray) -> float:
    """Σ_i β_i (m_i − m̄_i)²/l_i, times μ²/λ, or Σ_i τ_i² l_i/4β_i where the torque is known (eq. 5)."""
    i, j = hinges_of(model.rods, r, state.ghosts)
    hinges = model.hinges[i:j]
    if model.rods["general"][r]:
        twist = np.diff(state.theta[i + r : j + r + 1])
        t = edges[i + r : j + r + 1] / np.linalg.norm(edges[i + r : j + r + 1], axis=1)[:, None]
        c = np.sum(t[:-1] * t[1:], axis=1)
        mu, longer = _shares((1.0 - c) / (1.0 + c), hinges["bent"])
        return 0.5 * np.sum(hinges["twist_rate"] * mu**2 / longer * (twist - hinges["rest_twist"]) ** 2)
    torque = end_torques(model, state, r)[0] - np.cumsum(state.torque[i + r : j + r])
    return 0.5 * np.sum(torque**2 / hinges["twist_rate"])


def _stretching(model: Model, state: State, r: int) -> float:
    """Σ_j EA_j l_j (λ − 1)²/2 with λ = |e^j|/l_j; where it is pressed, ln²λ in place of (λ − 1)²."""
    tail, _, size = rod_edges(model.rods, state.x, r)
    rest = model.edges["length"][tail]
    ratio = size / rest
    strain = np.where(ratio < 1.0, np.log(ratio), ratio - 1.0)
    return np.sum(0.5 * model.edges["stretch"][tail] * strain**2 * rest)
