"""Internal friction of Cosserat rods (elements/rod_dissipation): what it takes of velocities, before forces act. What
it turns led segments by is handed on as what forces turn them by is (see director_forces). Only the directors' own
torques act before that of bending and torsion does, as it has to be (see there).

A segment that a body leads resists with no more than the body's inertia, shared by all that the body holds: its grip,
as slaves have one (rigid_bodies/scatter_gather). However light the body, friction then takes of how it turns against
the rod what there is, and turns it no further. Its own torques act later, with all else that turns it: what it is
turned by at rest would else rub.
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import quaternion
from ..arithmetic.vectors import dot, vector
from ..elements.bending_and_torsion import bow, by_parameters, onto_before, onto_behind, rodrigues
from ..elements.rod_dissipation import damp_bending, damp_joints, damp_stretching, strain_rate
from ..model import Model, State
from .director_forces import bends_of, edges_of, is_led, pull_across, segment_of
from .director_inertia import kick_directors
from .scratch import ElasticScratch

STILL, LIGHT = 1e-24, 1e12  # mobility across and about the edge of what gives way about that alone, of its neighbour's


@entry
def damp_directors(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """Damp the velocities of rod r in a step of h [s]: state.v, and those of segments, kicked by work.torque, as they
    go into work.omega. What led ones take is in work.wall [N m], and across ghost edges in work.rate [N s].
    """
    rod = model.rods[r]
    for s in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        for c in range(3):
            work.omega[s, c], work.wall[s, c] = state.omega[s, c], 0.0
    first, end = rod.segment, rod.segment + rod.last - rod.first + 2
    kick_directors(work.torque[first:end], work.mobility[first:end], h, work.omega[first:end])
    for c in range(3):
        work.rate[rod.frame, c] = work.rate[rod.last + r + 1, c] = 0.0
    a, b = edges_of(rod)
    ago = state.clock[0].step
    damp_stretching(state.x, state.w, model.segments[a:b], rod.closed, h, ago, work.stretched[:, a:b], state.v)
    carry(model, r, state, work, True)
    loosen(model, r, state, work, True)
    i, j = bends_of(model.rods, r, state.ghosts)
    closes = rod.closed and not (is_led(work, model.bends[j - 1].before) or is_led(work, model.bends[j - 1].behind))
    if closes or not rod.closed:
        damp_bending(state.q, work.mobility, model.bends[i:j], rod.closed, h, work.gain, work.omega)
    else:  # what closes it has a clamp on one side, and is left alone
        j -= 1
        damp_joints(state.q, work.mobility, model.bends[i:j], h, work.gain, work.omega)
    loosen(model, r, state, work, False)
    carry(model, r, state, work, False)
    for k in range(i, j):
        if is_led(work, model.bends[k].before) or is_led(work, model.bends[k].behind):
            turn_walls(model.bends[k], state, work)
    for s in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        if is_led(work, s):
            f = rod.frame + s - rod.segment
            pull = pull_across(work.e[f], state.q[s], work.wall[s])
            for c in range(3):
                if a <= s < b:
                    tail, head = model.segments[s].tail, model.segments[s].head
                    state.v[tail, c] += h * state.w[tail] * pull[c]
                    state.v[head, c] -= h * state.w[head] * pull[c]
                else:
                    work.rate[f, c] = -h * pull[c]


@kernel
def carry(model: Model, r: int, state: State, work: ElasticScratch, free: bool) -> None:
    """Let segments of rod r that bodies lead turn as these can, or lead them again."""
    rod = model.rods[r]
    for k in range(rod.first_clamp, rod.end_clamp):
        f, grip = model.clamps[k].frame, model.clamps[k].grip
        if state.fixed[f] and grip > 0.0:
            s = segment_of(rod, f)
            work.mobility[s, 0] = work.mobility[s, 1] = grip if free else 0.0
    for side in range(2):
        f = rod.frame if side == 0 else rod.last + r + 1
        if not rod.closed and state.ghosts[2 * r + side].held and not state.fixed[f]:
            work.mobility[segment_of(rod, f), 0] = rod.grip[side] / dot(work.e[f], work.e[f]) if free else 0.0


@kernel
def loosen(model: Model, r: int, state: State, work: ElasticScratch, loose: bool) -> None:
    """Of ghosts of rod r whose direction alone is held, let the turn about their edges give way as friction wants it,
    so that nothing is lost about these; or lead it again.
    """
    rod = model.rods[r]
    for side in range(2):
        f = rod.frame if side == 0 else rod.last + r + 1
        if not rod.closed and not state.fixed[f]:
            s = segment_of(rod, f)
            beside = s + 1 - 2 * side
            work.mobility[s, 0] = max(work.mobility[s, 0], STILL * model.mobility[beside, 0]) if loose else 0.0
            work.mobility[s, 1] = LIGHT * model.mobility[beside, 1] if loose else 0.0


@kernel
def turn_walls(bend: np.record, state: State, work: ElasticScratch) -> None:
    """Torque [N m] of the friction of a BEND on its segments, as they turn now: work.wall."""
    one, other = bend.before, bend.behind
    s = rodrigues(quaternion(state.q[one]), quaternion(state.q[other]), bend.sign)
    u = strain_rate(s, vector(work.omega[one]), vector(work.omega[other]), bend.length)
    m = by_parameters(bow(dot(s, s)), s, (bend.viscosity[0] * u[0], bend.viscosity[1] * u[1], bend.viscosity[2] * u[2]))
    before, behind = onto_before(s, m), onto_behind(s, m)
    for c in range(3):
        work.wall[one, c] += before[c]
        work.wall[other, c] -= behind[c]
