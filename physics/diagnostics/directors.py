"""Energies and momenta of Cosserat rods' directors: of what is led, and of ghosts, none."""

import numpy as np

from ..arithmetic.quaternions import turned
from ..model import Model, State
from ..rods.director_forces import segment_of


def director_inertia(model: Model, state: State) -> np.ndarray:
    """(S, 3) [kg m²] of the segments that turn by themselves; else 0."""
    mobility = model.mobility[:, [0, 0, 1]]
    for rod in model.rods[model.rods["cosserat"]]:
        for clamp in model.clamps[rod["first_clamp"] : rod["end_clamp"]]:
            if state.fixed[clamp["frame"]]:
                mobility[segment_of(rod, clamp["frame"])] = 0.0
    return np.divide(1.0, mobility, out=np.zeros_like(mobility), where=mobility > 0.0)


def director_momenta(model: Model, state: State) -> np.ndarray:
    """(S, 3) [kg m²/s] of segments."""
    if not len(model.segments):
        return np.zeros((0, 3))
    return turned(state.q, director_inertia(model, state) * state.omega)


def spin_energy(model: Model, state: State, r: int) -> float:
    """Kinetic energy [J] of the directors of rod r."""
    own = slice(model.rods["segment"][r], model.rods["segment"][r] + model.rods["last"][r] - model.rods["first"][r] + 2)
    return 0.5 * float(np.sum((director_inertia(model, state) * state.omega**2)[own]))
