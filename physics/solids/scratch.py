"""What steps of soft bodies fill before they read it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import Model, table

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
    height: np.ndarray  # (N,) [m] smallest one of the relaxed tetrahedra at each node
    trial: np.ndarray  # (N, 3)
    change: np.ndarray  # (N, 3) solution, or correction, of linear equations
    residual: np.ndarray  # (N, 3)
    search: np.ndarray  # (N, 3)
    answer: np.ndarray  # (N, 3)
    correction: np.ndarray  # (N, 3)
    rows: np.ndarray  # ROW (C,)
    slopes: np.ndarray  # (7, 2, N, 3) velocities and accelerations at the stages of a Runge–Kutta step


def solid_scratch(model: Model) -> SolidScratch:
    """Scratch of a Model's soft bodies."""
    solids = model.solids
    n, t = len(model.nodes) if len(solids.bodies) else 0, len(solids.tetrahedra)
    height = np.full(n, np.inf)
    np.minimum.at(height, solids.tetrahedra["node"], solids.tetrahedra["height"][:, None])
    force, old, weight, trial, change, residual, search, answer, correction = np.zeros((9, n, 3))
    return SolidScratch(
        force=force, old_force=old, jacobian=np.ones(t), old_jacobian=np.ones(t), trial_jacobian=np.ones(t),
        weight=weight, rate=np.zeros(n), height=height,
        trial=trial, change=change, residual=residual, search=search, answer=answer, correction=correction,
        rows=np.zeros(len(solids.constraints), ROW), slopes=np.zeros((STAGES, 2, n, 3)),
    )  # fmt: skip
