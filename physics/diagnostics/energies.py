"""Elastic, kinetic and potential energies, from positions and the frames at equilibrium.

Elastic energy is that of frames which nothing turns but what holds them, and torques from outside. Frames have no
inertia, so moments of friction (contact/friction_moments) turn them at once, and what they wind up is gone with them:
nothing did work on it, and nothing gets it back. `wound` tells how much that is.
"""

from typing import NamedTuple

import numpy as np

from ..arithmetic.quaternions import turned_back
from ..implicit.scratch import implicit_scratch
from ..model import Model, State, copied
from ..rods.elastic_forces import WRITTEN, elastic_forces
from ..rods.scratch import elastic_scratch
from ..time_integration.stored_energy import energies_of_rods
from ..validate import SimulationError
from .directors import spin_energy
from .momenta import inertia_of_spin


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
        now.moment[:] = 0.0
    bending, twisting, stretching = _elastic(model, now)
    rods, nodes, gravity = model.rods, model.nodes, model.world["gravity"][0]
    count = len(rods)
    bodies = model.bodies
    spin = np.sum(turned_back(state.bodies["q"], state.bodies["l"]) ** 2 / bodies["inertia"], axis=1)
    moving = 0.5 * bodies["mass"] * np.sum(state.bodies["v"] ** 2, axis=1) + 0.5 * spin
    falling = -bodies["gravity"] * bodies["mass"] * (state.bodies["x"] @ gravity)
    kinetic, potential = np.zeros((2, count))
    spinning = inertia_of_spin(model) * state.spin**2
    for r in range(count):
        own = slice(rods["first"][r], rods["last"][r] + 1)
        kinetic[r] = spin_energy(model, state, r) if rods["cosserat"][r] else 0.0
        kinetic[r] += 0.5 * np.sum(nodes["mass"][own] * np.sum(state.v[own] ** 2, axis=1))
        kinetic[r] += 0.5 * spinning[rods["frame"][r] : rods["last"][r] + r + 2].sum()
        potential[r] = -np.sum(nodes["gravity"][own] * nodes["mass"][own] * (state.x[own] @ gravity))
    return Energies(bending, twisting, stretching, kinetic, potential, moving, falling)


def wound(model: Model, state: State) -> np.ndarray:
    """(R,) [J] by which moments of friction hold rods wound up. Raises SimulationError, as `energies`."""
    found = energies(model, state)
    return np.sum(_elastic(model, copied(state, *WRITTEN)), axis=0) - found.elastic


def _elastic(model: Model, now: State) -> np.ndarray:
    """(bending, twisting, stretching) (3, R) [J], with frames brought to equilibrium."""
    scratch, found = elastic_scratch(model), np.zeros((len(model.rods), 3))
    failed = elastic_forces(model, now, scratch)
    if failed >= 0:
        raise SimulationError(str(failed), f"The twist of rod {failed} found no equilibrium.")
    energies_of_rods(model, now, implicit_scratch(model, 0, 0), scratch.e, found)
    return found.T
