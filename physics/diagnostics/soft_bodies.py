"""Energies of soft bodies, and what viscosity takes, by matrices as eq. (17) is written."""

from typing import NamedTuple

import numpy as np

from ..elements.domains import gradients_at
from ..forces.pressure import pressure_energy
from ..model import Model, Solids, State
from ..sheets.motion import plates_hold
from ..solids import energy
from ..solids.constraints import spring_energy
from ..solids.energy import elastic_energy


class SoftEnergies(NamedTuple):
    """Of all soft bodies together [J]."""

    elastic: float
    springs: float
    kinetic: float
    potential: float  # in gravity, 0 at the origin
    gas: float  # see forces/pressure

    @property
    def total(self) -> float:
        """Their sum [J]."""
        return sum(self)


def energy_densities(solids: Solids, x: np.ndarray) -> np.ndarray:
    """(D,) [J/m³], elastic, per relaxed volume of each DOMAIN at x (N, 3): see solids/elasticity."""
    found = np.empty(len(solids.domains))
    energy.energy_densities(solids, x, found)
    return found


def invariants(D: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Determinant, sum of principal 2 × 2 minors and trace of D (T, 3, 3)."""
    minors = sum(D[:, i, i] * D[:, j, j] - D[:, i, j] * D[:, j, i] for i, j in ((0, 1), (1, 2), (2, 0)))
    return np.linalg.det(D), minors, np.trace(D, axis1=1, axis2=2)


def viscous_losses(solids: Solids, x: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(D,) [W] of eq. (17), times the present volume of each DOMAIN."""
    domains = solids.domains
    F, rate = (gradients_at(domains, solids.slopes, rows) for rows in (x, v))
    _, d1, d2 = invariants(np.swapaxes(rate, 1, 2) @ F + np.swapaxes(F, 1, 2) @ rate)
    density = domains["dilation"] / 4.0 * d2**2 + domains["viscosity"] / 3.0 * (d2**2 - 3.0 * d1)
    return np.linalg.det(F) * domains["volume"] * density


def soft_energies(model: Model, state: State) -> SoftEnergies:
    """Energies of all soft bodies, kinetic with the mass that the model is of."""
    tetrahedra, nodes = model.solids.tetrahedra, model.nodes
    elastic, springs = elastic_energy(model.solids, state.x), spring_energy(model, state.x, state.clock["time"][0])
    elastic += plates_hold(model.solids, state.x, state.directors)
    turning = 0.5 * np.sum(state.directors["rate"] ** 2 / model.solids.plate_edges["w"])
    lumped = 0.5 * nodes["mass"] @ np.sum(state.v**2, axis=1) + turning
    kinetic = kinetic_energy(tetrahedra, state.v) if model.solids.mass.consistent[0] else lumped
    potential = -(nodes["gravity"] * nodes["mass"]) @ (state.x @ model.world["gravity"][0])
    gas = pressure_energy(model, state.x, state.clock["time"][0])
    return SoftEnergies(elastic, springs, float(kinetic), float(potential), gas)


def kinetic_energy(tetrahedra: np.ndarray, v: np.ndarray) -> float:
    """[J] of velocities (N, 3): Σ m/20 (Σ v_i² + Σ_{i>j} v_i·v_j), eq. (25)."""
    corner = v[tetrahedra["node"]]
    squares, total = np.sum(corner**2, axis=(1, 2)), np.sum(np.sum(corner, axis=1) ** 2, axis=1)
    return float(tetrahedra["mass"] @ (0.5 * (squares + total)) / 20.0)
