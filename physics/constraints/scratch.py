"""What the projection and the pins fill before they read it. Edges are numbered by the node they leave."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import Model, table

BAND = table(inverse=float, ratio=float, pivot=float)  # (A⁻¹)_jj [kg/m²], −r_j, 1/p_j: see chain_mobility
ELIMINATION = table(ratio=float, step=float, column=float)  # of a tridiagonal system


@by_reference
class ConstraintScratch(NamedTuple):
    o: np.ndarray  # (N, 3) directions of the edges' impulses: old edges, present ones when those fail [m]
    multiplier: np.ndarray  # (N,) of the edges [kg]
    elimination: np.ndarray  # ELIMINATION (N,)
    band: np.ndarray  # BAND (N,) of the chains' A⁻¹
    diagonal: np.ndarray  # (U,) of the length system, factorised
    entries: np.ndarray  # (Z,)
    unknown: np.ndarray  # (U,)
    before: np.ndarray  # (8,) sample of a pin where the step begins
    target: np.ndarray  # (8,) and where it ends


def constraint_scratch(model: Model) -> ConstraintScratch:
    """Room for the constraints of a model."""
    n, unknowns = len(model.nodes), len(model.length_system.column) - 1
    return ConstraintScratch(
        o=np.zeros((n, 3)),
        multiplier=np.zeros(n),
        elimination=np.zeros(n, ELIMINATION),
        band=np.zeros(n, BAND),
        diagonal=np.zeros(unknowns),
        entries=np.zeros(len(model.length_system.below)),
        unknown=np.zeros(unknowns),
        before=np.zeros(8),
        target=np.zeros(8),
    )
