"""Spin of rods that roll: material frames that are not quasistatic but turn about their tangents against their inertia.

In a step of h the frame of edge j turns by φ^j at the spin ω^j, by backward Euler, while the centre line goes its way:

    I φ/h² − I ω/h + ∂E/∂θ + H φ = T,

with I = m r²/2 and the torque T of friction on its surface. H is E's Hessian by the angles θ, no less than that of
twist: tridiagonal, cyclic for a closed rod. What T gives the whole rod of angular momentum is kept, whatever the step,
and waves of twist that a step does not resolve die away.
"""

from .._jit import kernel
from ..arithmetic.vectors import vector
from ..elements.hinge_rows import lay_hinges
from ..model import Model, State
from .chain import chain_edges, hinges_of
from .director_motion import begin_directors, leave_directors
from .elastic_forces import carry_first_frame
from .frames import adapt, material_axes, signed_angle, transport, unwrap
from .quasistatic_frame import derivatives, newton_step
from .scratch import ElasticScratch


@kernel
def inertia(model: Model, r: int, f: int) -> float:
    """I [kg m²] of frame f of rod r: a ghost edge has none, and a closed rod's last one that of its first."""
    rod = model.rods[r]
    edge = f - r - 1
    if rod.closed:
        return model.edges[rod.last].spin if f == rod.frame else model.edges[edge].spin
    return model.edges[edge].spin if rod.first <= edge < rod.last else 0.0


@kernel
def begin_turn(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """The turns φ [rad] of rod r's frames in a step of h [s] that nothing touches, into work.rows[4]; the matrix stays
    there. work: as the elastic forces at the old positions left it.
    """
    if model.rods[r].cosserat:
        begin_directors(model, r, state, work, h)
        return
    i, j = hinges_of(model.rods, r, state.ghosts)
    a, b = i + r, j + r + 1
    hinges, gradient, diagonal, closed = model.hinges[i:j], work.rows[0, a:b], work.rows[1, a:b], model.rods[r].closed
    beside = work.rows[5, a:b]
    lay_hinges(hinges, work.k[i:j], work.lanes)
    derivatives(state.theta[a:b], work.lanes, state.torque[a:b], gradient, diagonal, beside)
    for f in range(b - a):
        twist = (abs(beside[f - 1]) if f > 0 else 0.0) + (abs(beside[f]) if f < j - i else 0.0)
        diagonal[f] = max(diagonal[f], twist)
    if closed:
        gradient[0] += gradient[j - i]
        diagonal[0] += diagonal[j - i]
    for f in range(b - a):
        own = inertia(model, r, a + f) / (h * h)
        gradient[f] -= own * h * state.spin[a + f]
        diagonal[f] += own
    solve_turn(model, r, state, work)


@kernel
def solve_turn(model: Model, r: int, state: State, work: ElasticScratch) -> None:
    """The turns [rad] of rod r's frames against the gradient in work.rows[0], by the matrix there, into rows[4]."""
    i, j = hinges_of(model.rods, r, state.ghosts)
    rows, fixed = work.rows[:, i + r : j + r + 1], state.fixed[i + r : j + r + 1]
    if model.rods[r].cosserat:  # each turns by itself
        for f in range(rows.shape[1]):
            rows[4, f] = -rows[0, f] / rows[1, f]
        return
    newton_step(rows[0], rows[1], rows[5], fixed, model.rods[r].closed, (rows[2], rows[3]), rows[4])


@kernel
def turn_frames(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """Frames of rod r go with its edges to where these are at the end of a step of h [s], and turn about them by
    work.rows[4]: state.t, u and theta in place. Of Cosserat rods directors have turned already.
    """
    if model.rods[r].cosserat:
        leave_directors(model, r, state, work, h)
        return
    i, j = hinges_of(model.rods, r, state.ghosts)
    a, b, e = i + r, j + r + 1, work.e
    chain_edges(model.rods, r, state.ghosts, state.x, e)
    axes = work.rate
    for f in range(a, b):
        axes[f, 0], axes[f, 1], axes[f, 2] = material_axes(vector(state.t[f]), vector(state.u[f]), state.theta[f])[0]
    for f in range(a, b):
        before = vector(state.t[f])
        for c in range(3):
            work.g[f, c] = before[c]
        carry_first_frame(e[f], state.t[f], axes[f])
        if f == a:
            transport(state.u[f], work.g[f], state.t[f], state.u[f])
            adapt(state.u[f], state.t[f])
        else:
            transport(state.u[f - 1], state.t[f - 1], state.t[f], state.u[f])
        near = state.theta[f] + work.rows[4, f]
        angle = signed_angle(state.u[f], axes[f], state.t[f]) + work.rows[4, f]
        state.theta[f] = unwrap(angle, near)
