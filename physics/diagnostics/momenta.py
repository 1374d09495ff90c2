"""Linear and angular momentum."""

import numpy as np

from ..model import Model, State


def linear_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m v (3,) [kg m/s] of rods and bodies."""
    return model.nodes["mass"] @ state.v + model.bodies["mass"] @ state.bodies["v"]


def angular_momentum(model: Model, state: State) -> np.ndarray:
    """Σ m x × v + Σ L (3,) [kg m²/s] about the origin; the rods' own spin has none (quasistatic frames)."""
    orbits = model.nodes["mass"] @ np.cross(state.x, state.v)
    bodies = model.bodies["mass"] @ np.cross(state.bodies["x"], state.bodies["v"])
    return orbits + bodies + state.bodies["l"].sum(axis=0)
