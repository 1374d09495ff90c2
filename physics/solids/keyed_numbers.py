"""Stiffness and damping of soft bodies that go with time: those at a step's end are laid into the Model's tables before
it is tried, from the body's own and the time alone, as those of rods are (rods/keyed_numbers).

With s and d what stiffness and relaxation time are times the body's own,

    K, G = s K⁰, s G⁰,   ζ, μ = s d ζ⁰, s d μ⁰,   of plates also bending, s times its own, and τ = d τ⁰.
"""

import numpy as np

from .._jit import entry, kernel
from ..model import Solids
from ..rods.keyed_numbers import DAMPING, STRETCHING, number


@kernel
def lay_solids(solids: Solids, time: float) -> None:
    """Into the tables of Solids the numbers at `time` [s]."""
    for q in range(len(solids.keyed.keyed)):
        lay_solid(solids, solids.keyed.keyed[q], time)


def solids_at(solids: Solids, time: float) -> None:
    """What `lay_solids` does; nothing is compiled where there is nothing to do."""
    if len(solids.keyed.keyed):
        lay_solids_now(solids, time)


@entry
def lay_solids_now(solids: Solids, time: float) -> None:
    """Called from Python."""
    lay_solids(solids, time)


@kernel
def lay_solid(solids: Solids, row: np.record, time: float) -> None:
    """Those of a KEYED_SOLID."""
    base = solids.keyed
    s, d = number(base.keys, row, STRETCHING, time), number(base.keys, row, DAMPING, time)
    for k in range(row.tetrahedron[0], row.tetrahedron[1]):
        solids.tetrahedra[k].collapse = s * base.tetrahedra[k].collapse
    for k in range(row.domain[0], row.domain[1]):
        one, own = solids.domains[k], base.domains[k]
        one.bulk, one.shear = s * own.bulk, s * own.shear
        one.dilation, one.viscosity = s * d * own.dilation, s * d * own.viscosity
    for k in range(row.plate[0], row.plate[1]):
        plate, was = solids.plates[k], base.plates[k]
        plate.bulk, plate.shear, plate.relaxation = s * was.bulk, s * was.shear, d * was.relaxation
        for i in range(3):
            for j in range(3):
                plate.bend[i, j] = s * plate.firm / was.firm * was.bend[i, j]
