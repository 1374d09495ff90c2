"""What steps of soft bodies fill before they read it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import PLATE_DIRECTOR, Model, Solids, table

STAGES = 7  # of a Runge–Kutta scheme, at most
ROW = table(  # a constraint now
    direction=(float, 3),  # of its force on the first node; the second has the opposite
    error=float,  # how far it is from being met [m], then what the multipliers are to bring about
    rate=float,  # at which it is led [m/s]
    bend=float,  # ψ of eq. (7) [m/s²]
    multiplier=float,
    residual=float,  # of conjugate gradients,
    search=float,  # their direction,
    answer=float,  # what that brings about,
    diagonal=float,  # and what a multiplier does to its own row
)


@by_reference
class SolidScratch(NamedTuple):
    force: np.ndarray  # (N, 3) [N] at the positions now
    old_force: np.ndarray  # (N, 3) where the step began
    jacobian: np.ndarray  # (T,) det F now
    old_jacobian: np.ndarray  # (T,) where the step began
    trial_jacobian: np.ndarray  # (T,)
    weight: np.ndarray  # (N, 3) [m/s²] what gravity and force fields do
    rate: np.ndarray  # (N,) [kg/s] of air drag
    resistance: np.ndarray  # (N,) [kg/s] of viscosity, relaxed, where only this node moves: the mean of all directions
    mobility: np.ndarray  # (N,) [1/kg] the preconditioner of what is viscous
    height: np.ndarray  # (N,) [m] smallest one of the relaxed tetrahedra at each node
    trial: np.ndarray  # (N, 3)
    free: np.ndarray  # (N, 3) [m/s] velocities that forces alone would have led to in a step, as far as it is
    acceleration: np.ndarray  # (N, 3) [m/s²] in the last step, where viscosity is solved for
    change: np.ndarray  # (N, 3) solution, or correction, of linear equations
    residual: np.ndarray  # (N, 3)
    search: np.ndarray  # (N, 3)
    answer: np.ndarray  # (N, 3)
    correction: np.ndarray  # (N, 3)
    directors: np.ndarray  # PLATE_DIRECTOR (E,) of sheets, at trial
    old_directors: np.ndarray  # PLATE_DIRECTOR (E,) where the step began
    turns: np.ndarray  # (2, E) residual and search
    rows: np.ndarray  # ROW (C,)
    power: np.ndarray  # (7,) [W] of what is elastic, and viscous, at the stages of a Runge–Kutta step,
    slopes: np.ndarray  # (7, 2, N, 3) velocities and accelerations at the stages of a Runge–Kutta step


def solid_scratch(model: Model) -> SolidScratch:
    """Scratch of a Model's soft bodies."""
    solids = model.solids
    n, t = len(model.nodes) if len(solids.bodies) else 0, len(solids.tetrahedra)
    e = len(solids.plate_edges)
    height = np.full(n, np.inf)
    np.minimum.at(height, solids.tetrahedra["node"], solids.tetrahedra["height"][:, None])
    np.minimum.at(height, solids.plates["node"], solids.plates["height"].min(axis=1, initial=np.inf)[:, None])
    resistance = np.zeros(n)
    np.add.at(resistance, solids.slopes["node"], resistances(solids))
    force, old, weight, trial, free, acceleration, change, residual, search, answer, correction = np.zeros((11, n, 3))
    return SolidScratch(
        force=force, old_force=old, jacobian=np.ones(t), old_jacobian=np.ones(t), trial_jacobian=np.ones(t),
        weight=weight, rate=np.zeros(n), resistance=resistance, mobility=np.zeros(n), height=height,
        trial=trial, free=free, acceleration=acceleration, change=change, residual=residual, search=search,
        answer=answer, correction=correction,
        directors=np.zeros(e, PLATE_DIRECTOR), old_directors=np.zeros(e, PLATE_DIRECTOR), turns=np.zeros((2, e)),
        rows=np.zeros(len(solids.constraints), ROW), power=np.zeros(STAGES), slopes=np.zeros((STAGES, 2, n, 3)),
    )  # fmt: skip


def resistances(solids: Solids) -> np.ndarray:
    """[kg/s] of each row of SLOPE: V |b|² (ζ/3 + 10μ/9), a third of the trace of what eq. (17) opposes to each node."""
    domains, slopes = solids.domains, solids.slopes
    material = domains["volume"] * (domains["dilation"] / 3.0 + 10.0 / 9.0 * domains["viscosity"])
    return np.repeat(material, domains["end"] - domains["first"]) * np.sum(slopes["slope"] ** 2, axis=1)
