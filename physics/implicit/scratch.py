"""What the implicit step fills before it reads it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import Model

BLOCK, WIDTH = 5, 12  # unknowns of a vertex, and couplings of each with those behind it, at most
YIELD = 1e-10  # of how an edge's end gives way to a pull in a step: how much the edge itself does, in the matrix alone,
# for where pins hold both ends of a straight rod nothing tells how hard they pull


@by_reference
class ImplicitScratch(NamedTuple):
    matrix: np.ndarray  # (5 n + 12, 13) band of the rod at hand, of n vertices at most, see `band_ldl`
    unknown: np.ndarray  # (5 n + 12,) minus the residual, then the change of the unknowns
    bound: np.ndarray  # (5 n + 12,) bool: unknowns that are given
    inertia: np.ndarray  # (N,) M/s² [N/m]
    drift: np.ndarray  # (N, 3) where a vertex would be without forces [m]
    rest: np.ndarray  # (N, 3) where it would be at no velocity [m]
    force: np.ndarray  # (N, 3) from outside [N]
    drag: np.ndarray  # (N, 2) against the velocity, and how much more along the rod than across it [kg/s]
    along: np.ndarray  # (N, 3) unit vectors along the rods
    pull: np.ndarray  # (N,) tension of each edge [N]
    e: np.ndarray  # (M, 3) edges of the frames [m]
    t: np.ndarray  # (M, 3) their directions
    m1: np.ndarray  # (M, 3) first material axes
    spin: np.ndarray  # (M,) inertia of their turning about their edges, over s² [N m]
    spun: np.ndarray  # (M,) how far they have turned so in this step [rad]
    turn: np.ndarray  # (N,) twist of the hinges [rad]
    strain: np.ndarray  # (5,)
    jacobian: np.ndarray  # (5, 8)
    hessian: np.ndarray  # (8, 8)
    gradient: np.ndarray  # (8,)
    moment: np.ndarray  # (2, 5): and stiffness
    w: np.ndarray  # (3,)
    before: np.ndarray  # (N, 3) gradient of each hinge's turning angle by the edge before it [1/m]
    behind: np.ndarray  # (N, 3)


def implicit_scratch(model: Model) -> ImplicitScratch:
    """Room for the rods of a model."""
    n, m = len(model.nodes), len(model.nodes) + len(model.rods)
    rows = BLOCK * int((model.rods["last"] - model.rods["first"] + 1).max(initial=0)) + WIDTH
    return ImplicitScratch(
        matrix=np.zeros((rows, WIDTH + 1)),
        unknown=np.zeros(rows),
        bound=np.zeros(rows, bool),
        inertia=np.zeros(n),
        drift=np.zeros((n, 3)),
        rest=np.zeros((n, 3)),
        force=np.zeros((n, 3)),
        drag=np.zeros((n, 2)),
        along=np.zeros((n, 3)),
        pull=np.zeros(n),
        e=np.zeros((m, 3)),
        t=np.zeros((m, 3)),
        m1=np.zeros((m, 3)),
        spin=np.zeros(m),
        spun=np.zeros(m),
        turn=np.zeros(n),
        strain=np.zeros(5),
        jacobian=np.zeros((5, 8)),
        hessian=np.zeros((8, 8)),
        gradient=np.zeros(8),
        moment=np.zeros((2, 5)),
        w=np.zeros(3),
        before=np.zeros((n, 3)),
        behind=np.zeros((n, 3)),
    )
