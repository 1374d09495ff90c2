"""Ties of soft bodies to rods of effective mass, all solved at once: several on one rod, which answers as a whole,
would undo each other.

With d the ways between what is tied, and S the mobilities of both sides, of the rods Z = A⁻¹ at the tied vertices (see
`effective_mass`), of the soft bodies Σ w s s, impulses J with S J = −d bring all of it together: the Schur complement
of the ties' rows.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, scaled, vector
from ..contact.carriers.body import Held
from ..contact.soft_ties import push_tie, tied_place
from ..linear import dense
from ..model import Model
from .closed_chain import row_of, rows_of, solve
from .scratch import EffectiveMass
from .straight_rod import BLOCK

FIRM = 1e-6  # of a pivot that is added to it: what is tied to what nothing moves is tied twice


@kernel
def find_response(soft: Model, model: Model, w: np.ndarray, own: EffectiveMass, nodes: int) -> None:
    """S = L D Lᵀ of the soft Model's ties own.tie; w: of all nodes, soft bodies' counted on from so many `nodes`."""
    ties, members, s, count = soft.solids.ties, soft.solids.members, own.tied, len(own.tie)
    for e in range(count):
        i = ties[own.tie[e]].vertex
        rod = model.rods[model.nodes[i].rod]
        y = own.unknown[row_of(rod) :]
        for axis in range(3):
            for j in range(rows_of(rod)):
                y[j] = 0.0
            y[BLOCK * (i - rod.first) + axis] = 1.0 / own.square[0] if w[i] > 0.0 else 0.0
            solve(rod, own)
            for f in range(count):
                k = ties[own.tie[f]].vertex
                for d in range(3):
                    on_rod = model.nodes[k].rod == model.nodes[i].rod and w[k] > 0.0
                    s[3 * e + axis, 3 * f + d] = y[BLOCK * (k - rod.first) + d] if on_rod else 0.0
        for f in range(count):
            one, other, shared = ties[own.tie[e]].member, ties[own.tie[f]].member, 0.0
            for m in range(one[0], one[1]):
                for n in range(other[0], other[1]):
                    if members[m].node == members[n].node:
                        shared += w[nodes + members[m].node] * members[m].share * members[n].share
            for d in range(3):
                s[3 * e + d, 3 * f + d] += shared
    for j in range(3 * count):
        s[j, j] *= 1.0 + FIRM
    dense.eliminate(s)


@kernel
def pull_together(
    soft: Model, rows: np.ndarray, x: np.ndarray, w: np.ndarray, held: Held, own: EffectiveMass, nodes: int
) -> float:
    """Impulses on these ties, of rows TIE_ROW (T,); returns the furthest [m] that two were apart."""
    ties, furthest, s, y = soft.solids.ties, 0.0, own.tied, own.apart
    for e in range(len(own.tie)):
        tie = ties[own.tie[e]]
        d = tied_place(soft, tie, x, nodes, scaled(-1.0, vector(x[tie.vertex])))
        furthest = max(furthest, sqrt(dot(d, d)))
        for c in range(3):
            y[3 * e + c] = -d[c]
    dense.solve(s, y)
    for e in range(len(own.tie)):
        row, f = rows[own.tie[e]], vector(y[3 * e : 3 * e + 3])
        push_tie(soft, own.tie[e], row, x, w, held, f, nodes)
    return furthest
