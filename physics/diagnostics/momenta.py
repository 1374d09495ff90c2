"""Linear and angular momentum."""

import numpy as np

from ..model import Model, State
from ..rods.chain import frame_behind, rod_of
from .directors import director_momenta


def linear_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m v (3,) [kg m/s] of rods and bodies."""
    return model.nodes["mass"] @ state.v + model.bodies["mass"] @ state.bodies["v"]


def inertia_of_spin(model: Model) -> np.ndarray:
    """I (M,) [kg m²] of all frames' turning about their tangents, of a closed rod's last edge once; 0: it has none, or,
    of Cosserat rods, directors do.
    """
    inertia = np.zeros(len(model.nodes) + len(model.rods))
    node = np.arange(len(model.nodes))
    spin = np.where(model.rods["cosserat"][rod_of(model.rods, node)], 0.0, model.edges["spin"])
    inertia[frame_behind(model.rods, node)] = spin
    return inertia


def angular_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m x × v + Σ L (3,) [kg m²/s] about the origin; of rods' own spin, that of those that roll (else frames are
    quasistatic), and of Cosserat rods that of their directors.
    """
    orbits = model.nodes["mass"] @ np.cross(state.x, state.v) + director_momenta(model, state).sum(axis=0)
    spins = inertia_of_spin(model) * state.spin
    bodies = model.bodies["mass"] @ np.cross(state.bodies["x"], state.bodies["v"])
    return orbits + bodies + state.bodies["l"].sum(axis=0) + spins @ state.t
