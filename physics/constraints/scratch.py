"""What the projection and the pins fill before they read it. Edges are numbered by the node they leave."""

from typing import Annotated, NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..compiling.laid_out import laid_out
from ..model import VECTOR, Column, Model, table

BAND = table(inverse=float, ratio=float, pivot=float)  # (A⁻¹)_jj [kg/m²], −r_j, 1/p_j: see chain_mobility
ELIMINATION = table(ratio=float, step=float, column=float)  # of a tridiagonal system


@by_reference
class ConstraintScratch(NamedTuple):
    # directions of the edges' impulses: old edges, present ones when those fail [m]
    o: Annotated[np.ndarray, Column("nodes", VECTOR)]
    multiplier: Annotated[np.ndarray, Column("nodes")]  # of the edges [kg]
    elimination: Annotated[np.ndarray, Column("nodes", ELIMINATION)]
    band: Annotated[np.ndarray, Column("nodes", BAND)]  # of the chains' A⁻¹
    diagonal: Annotated[np.ndarray, Column("unknowns")]  # of the length system, factorised
    entries: Annotated[np.ndarray, Column("entries")]
    unknown: Annotated[np.ndarray, Column("unknowns")]
    before: Annotated[np.ndarray, Column("sample")]  # sample of a pin where the step begins
    target: Annotated[np.ndarray, Column("sample")]  # and where it ends


def constraint_scratch(model: Model) -> ConstraintScratch:
    """Room for the constraints of a model."""
    system = model.length_system
    rows = {"nodes": len(model.nodes), "unknowns": len(system.column) - 1, "entries": len(system.below), "sample": 8}
    return laid_out(ConstraintScratch, rows)
