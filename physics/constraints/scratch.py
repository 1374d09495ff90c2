"""What the projection and the pins fill before they read it. Edges are numbered by the node they leave."""

from typing import Annotated, NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..compiling.laid_out import laid_out
from ..model import VECTOR, Column, Model, table

BAND = table(inverse=float, ratio=float, pivot=float)  # (A⁻¹)_jj [kg/m²], −r_j, 1/p_j: see chain_mobility
PULL = table(  # at a pulley, in a step; of the two sides, where the rod comes from and where it goes to:
    run=np.int64,  # RUN of the edge in it; −1: none
    joined=(np.int64, 2),  # 1: there is another pulley on the same edge, and no vertex
    next=(np.int64, 2),  # the vertex behind that vertex, if this is close; −1: none, −2 − q: in its place pulley q
    place=VECTOR,  # [m] where the pulley is now,
    start=VECTOR,  # and where the step began
    along=(float, (2, 3)),  # unit vectors to where the rod is, where directions were taken,
    slope=(float, (2, 3)),  # derivatives of the length by the place of the vertex, or the pulley, there,
    turning=(float, (2, 3)),  # and by that of the next vertex;
    arm=(float, (2, 3)),  # from the centre of mass of the pulley's body to the one [m]
    far_arm=(float, (2, 3)),  # and to the other
)
ELIMINATION = table(ratio=float, step=float, column=float)  # of a tridiagonal system


@by_reference
class ConstraintScratch(NamedTuple):
    # directions of the edges' impulses: old edges, present ones when those fail [m]
    o: Annotated[np.ndarray, Column("nodes", VECTOR)]
    multiplier: Annotated[np.ndarray, Column("nodes")]  # of the edges [kg]
    pulls: Annotated[np.ndarray, Column("pulleys", PULL)]
    # of the pulleys in a link the ones next to its tail and to its head, counted from 1; 0: it is in none
    beside: Annotated[np.ndarray, Column("links", (np.int64, 2))]
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
    rows = {"nodes": len(model.nodes), "pulleys": len(model.pulleys), "links": len(system.links), "sample": 8}
    return laid_out(ConstraintScratch, rows | {"unknowns": len(system.column) - 1, "entries": len(system.below)})
