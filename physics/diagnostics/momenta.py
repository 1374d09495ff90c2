"""Linear and angular momentum."""

import numpy as np

from ..model import Model, State
from ..rods.chain import frame_behind


def linear_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m v (3,) [kg m/s] of rods and bodies."""
    return model.nodes["mass"] @ state.v + model.bodies["mass"] @ state.bodies["v"]


def inertia_of_spin(model: Model) -> np.ndarray:
    """I (M,) [kg m²] of all frames' turning about their tangents, of a closed rod's last edge once; 0: it has none."""
    inertia = np.zeros(len(model.nodes) + len(model.rods))
    inertia[frame_behind(model.rods, np.arange(len(model.nodes)))] = model.edges["spin"]
    return inertia


def angular_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m x × v + Σ L (3,) [kg m²/s] about the origin; of rods' own spin, that of those that roll (else frames are
    quasistatic).
    """
    orbits = model.nodes["mass"] @ np.cross(state.x, state.v)
    bodies = model.bodies["mass"] @ np.cross(state.bodies["x"], state.bodies["v"])
    return orbits + bodies + state.bodies["l"].sum(axis=0) + (inertia_of_spin(model) * state.spin) @ state.t
