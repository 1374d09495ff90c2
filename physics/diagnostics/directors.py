"""Energies and momenta of Cosserat rods' directors: of what is led, and of ghosts, none."""

import numpy as np

from ..elements.bending_and_torsion import rodrigues, turn
from ..fixed_order import turned
from ..model import Model, State
from ..rods.chain import hinges_of


def director_inertia(model: Model, state: State) -> np.ndarray:
    """(S, 3) [kg m²] of the segments that turn by themselves; else 0."""
    mobility = model.mobility[:, [0, 0, 1]]
    for r in np.flatnonzero(model.rods["cosserat"]):
        for clamp in model.clamps[model.rods["first_clamp"][r] : model.rods["end_clamp"][r]]:
            if state.fixed[clamp["frame"]]:
                mobility[model.rods["segment"][r] + clamp["frame"] - model.rods["frame"][r]] = 0.0
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


def joint_energies(model: Model, state: State, r: int) -> tuple[float, float]:
    """(bending, twisting) [J] of rod r, with the parallel constraint's in the first."""
    rods, q, bending, twisting = model.rods, state.q, 0.0, 0.0
    i, j = (k + rods["bend"][r] - rods["first"][r] for k in hinges_of(rods, r, state.ghosts))
    for bend in model.bends[i:j]:
        one, other = (tuple(q[bend[side]].tolist()) for side in ("before", "behind"))
        strain = np.array(turn(rodrigues(one, other, bend["sign"]))) / bend["length"] - bend["rest"]
        each = 0.5 * bend["length"] * bend["stiffness"] * strain**2
        bending, twisting = bending + each[:2].sum(), twisting + each[2]
    first, count = rods["segment"][r] + 1, rods["last"][r] - rods["first"][r] + rods["closed"][r]
    own = model.segments[first : first + count]
    e = state.x[own["head"]] - state.x[own["tail"]]
    away = e / np.linalg.norm(e, axis=1)[:, None] - turned(q[first : first + count], np.array([0.0, 0.0, 1.0]))
    bending += 0.5 * np.sum(own["length"] * own["parallel"] * np.sum(away**2, axis=1))
    return float(bending), float(twisting)
