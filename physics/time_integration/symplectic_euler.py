"""Symplectic Euler with manifold projection: v += h M⁻¹F(x), x* = x + h v, project x* to x,
v = (x − x₀)/h (Bergou 2008, §7.2, §8); rigid bodies alike, with angular momentum in place of v.

First order in time, symplectic on the constraint manifold (SHAKE directions): no drift of energy, momenta to round-off.

The scheme is an `attempt`, which changes positions, velocities and frames alone, and either `accept`, which keeps what
the next step begins with, or `take_back`. (A list of pairs made on the way is one of the old positions: it stays.)
"""

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy, copy_rows, scale_into
from ..arithmetic.vectors import dot, plus, vector
from ..constraints.fast_projection import apply_multipliers, edge_vectors, fast_projection
from ..constraints.length_system import begin_links, go_through_pulleys, has_lengths, project_lengths, worst_edge
from ..constraints.pins import drive, measure_shortfalls, note_pushes, turn_clamps
from ..constraints.pulleys import loosen
from ..constraints.reeling import reel
from ..contact.carriers import frame
from ..contact.detect import detect, note_drawn
from ..contact.drawn_through import leave_out_beside
from ..contact.feature_list import list_features
from ..contact.friction_moments import SHARE, keep_moments
from ..contact.kept_forces import keep_forces
from ..contact.pair_list import contact_margin, list_pairs, spread
from ..contact.rebound import rebound
from ..contact.room import forget
from ..contact.surface_pairs import list_surface_pairs
from ..contact.swept_boxes import widen
from ..contact.touch import touch
from ..forces.drag import body_drag, drag
from ..model import FEATURES, Model, OldState, State
from ..rigid_bodies.loads import accelerate_bodies
from ..rigid_bodies.scatter_gather import gather, scatter
from ..rigid_bodies.slaves import pose, put_arms, turn_welds
from ..rods.chain import rod_at
from ..rods.internal_damping import internal_damping
from ..rods.keyed_numbers import lay_numbers
from .energy_look import measure_work
from .workspace import Workspace

SURPRISE = 0.03  # radii that the projection may move a vertex by
DONE, PAIRS_FULL, OVERSTRETCHED, TWIST_LOST, NOT_FINITE, TOO_FAR, TOO_DEEP, GAINS = range(8)


@kernel
def keep(state: State | OldState, old: State | OldState) -> None:
    """Remember what an attempt changes."""
    copy_rows(state.x, old.x)
    copy_rows(state.v, old.v)
    copy(state.w, old.w)
    copy(state.bodies, old.bodies)
    if len(state.holds) > 0:
        copy(state.holds, old.holds)
        copy(state.fixed, old.fixed)
    copy(state.ghosts, old.ghosts)
    copy_rows(state.clamp_frame, old.clamp_frame)


@kernel
def take_back(state: State, old: OldState) -> None:
    """The state as it was before an attempt.

    The frames that a clamp lays when it lets go or takes up come out the same again.
    """
    keep(old, state)


@kernel
def accelerate(
    v: np.ndarray, f: np.ndarray, w: np.ndarray, nodes: np.ndarray, gravity: np.ndarray, fields: np.ndarray, h: float
) -> None:
    """v += h (W f + g + push), in place; what is pinned has its pin's inverse mass and only its own weight.

    gravity (3,) [m/s²]; push: by force fields (N or more,).
    """
    gx, gy, gz = h * gravity[0], h * gravity[1], h * gravity[2]
    for i in range(len(v)):
        if w[i] > 0.0:
            k, own, push = h * w[i], w[i] * nodes[i].mass, fields[i].acceleration
            g, p = own * nodes[i].gravity, own * h
            v[i, 0] += k * f[i, 0] + g * gx + p * push[0]
            v[i, 1] += k * f[i, 1] + g * gy + p * push[1]
            v[i, 2] += k * f[i, 2] + g * gz + p * push[2]


@kernel
def drift(x: np.ndarray, v: np.ndarray, w: np.ndarray, h: float) -> None:
    """x += h v, in place."""
    for i in range(len(x)):
        if w[i] > 0.0:
            x[i, 0] += h * v[i, 0]
            x[i, 1] += h * v[i, 1]
            x[i, 2] += h * v[i, 2]


@entry
def drift_bodies(model: Model, state: State, work: Workspace, h: float) -> None:
    """Bodies and their slaves go on freely by h."""
    for b in range(len(state.bodies)):
        now = state.bodies[b]
        for c in range(3):
            now.x[c] += h * now.v[c]
    pose(model, state, work.old, work.welded, h)


@kernel
def measure_velocity(x: np.ndarray, x0: np.ndarray, h: float, v: np.ndarray) -> bool:
    """v = (x − x0)/h; returns whether all of it is finite."""
    total, k = 0.0, 1.0 / h
    for i in range(len(x)):
        v[i, 0], v[i, 1], v[i, 2] = k * (x[i, 0] - x0[i, 0]), k * (x[i, 1] - x0[i, 1]), k * (x[i, 2] - x0[i, 2])
        total += v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2]
    return np.isfinite(total)


@kernel
def predict(model: Model, state: State, work: Workspace, h: float) -> None:
    """The dampings, v += h M⁻¹F, x* = x + h v, pins driven.

    Dampings come first: behind the forces they would damp a fall that the constraints have yet to undo, and equilibria
    would depend on the step.
    """
    rods, nodes, bodies, world = model.rods, model.nodes, model.bodies, model.world[0]
    x, v, w, fields = state.x, state.v, state.w, state.fields
    lay_numbers(model, state.clock[0].time + h)
    reel(model, state, work.old, h)
    loosen(model, state, work.constraints, state.clock[0].time)
    put_arms(model.slaves, state.bodies, work.welded.slaves)
    scatter(model, state, work.welded)
    for r in range(len(rods)):
        if rods[r].damped:
            internal_damping(model, r, state, work.elastic, h)
        c, d = rods[r].first, rods[r].last + 1
        drag(x[c:d], v[c:d], w[c:d], nodes[c:d], fields[c:d], rods[r].closed, world.air_density, h)
    gather(model, state, work.welded, work.elastic.rate)
    body_drag(bodies, state.bodies, fields[len(x) :], world.air_density, h)
    accelerate(v, work.elastic.f, w, nodes, world.gravity, fields, h)
    drift(x, v, w, h)
    if len(bodies) > 0:
        accelerate_bodies(model, state, work.elastic, work.welded, h)
        drift_bodies(model, state, work, h)
        copy(state.bodies, work.foreseen)
    drive(model, state, work.old.x, work.constraints, work.elastic.rate, h, True)
    frame.prepare(model, state, work.elastic, work.contact.frames, h)


@kernel
def project(model: Model, state: State, work: Workspace, moved: float, h: float) -> tuple[int, int, int]:
    """Edges to their lengths and bodies apart, together, after things have moved by `moved` [m] against the whole.

    Returns (status, the rod that failed, number of contacts).
    """
    near = contact_margin(model.world[0], moved), 0.0, SURPRISE
    count = find_contacts(model, state, work, near, False, h, h * h)
    if count < 0:
        return PAIRS_FULL, 0, 0
    begin_lengths(model, state, work, h)
    if count > 0:
        carried = work.elastic, work.welded, work.constraints
        touch(model, state, work.old, carried, work.contact, count, h)
    status, r = keep_lengths(model, state, work, h)
    return status, r, count


@kernel
def find_contacts(
    model: Model, state: State, work: Workspace, near: tuple[float, float, float], ahead: bool, h: float, unit: float
) -> int:
    """How many contacts there are, as rows of work.contact, or −1: a list of pairs is full. near: the margin [m] and
    the time foreseen [s] of `list_pairs`, and by how many radii a vertex at a surface may end elsewhere than expected;
    ahead: contacts are frozen where things are expected; unit: of impulses.
    """
    old, (margin, foreseen, surprise) = work.old, near
    forget(state)
    if model.world[0].skin > 0.0 and not list_pairs(model, state, old.x, work.contact, margin, foreseen):
        return -1
    if len(model.surfaces.faces) > 0 and not list_surface_pairs(model, state, old.x, work.contact, h, surprise):
        return -1
    if len(state.feature_pairs) > 0 and not list_features(model, state, old, work.contact, h):
        return -1
    count = detect(model, state, old, work.welded.slaves, work.contact, margin, (h, unit), ahead)
    if state.clock[0].step == 0.0:
        note_drawn(work.contact.contacts[: max(count, 0)], state.rods)
    return -1 if count < 0 else leave_out_beside(model, state, old.x, work.contact.contacts[:count])


@kernel
def begin_lengths(model: Model, state: State, work: Workspace, h: float) -> None:
    """Edges where the step began, and what the last step's tensions do in this one."""
    rods, x, w, old, welded, own = model.rods, state.x, state.w, work.old, work.welded, work.constraints
    for r in range(len(rods)):
        if not (rods[r].stretchable or rods[r].implicit):
            c, d = rods[r].first, rods[r].last + 1
            m = d - c if rods[r].closed else d - c - 1
            edge_vectors(old.x[c:d], rods[r].closed, own.o[c:d])
            if rods[r].welded:
                continue
            scale_into(state.tension[c : c + m], h * h, own.multiplier[c : c + m])
            apply_multipliers(x[c:d], own.o[c : c + m], w[c:d], own.multiplier[c : c + m])
    if has_lengths(model):
        begin_links(model, state, old, welded, own, h)


@kernel
def keep_lengths(model: Model, state: State, work: Workspace, h: float) -> tuple[int, int]:
    """Edges to their lengths, whatever has pushed them: (status, the rod that failed)."""
    rods, edges, x, w, own = model.rods, model.edges, state.x, state.w, work.constraints
    if has_lengths(model) and not project_lengths(model, state, work.old, work.welded, own, h):
        return OVERSTRETCHED, rod_at(rods, worst_edge(model, x, own.beside))
    for r in range(len(rods)):
        if not rods[r].stretchable and not rods[r].welded:
            c, d = rods[r].first, rods[r].last + 1
            e = d if rods[r].closed else d - 1
            if not fast_projection(
                x[c:d], own.o[c:e], w[c:d], edges["length"][c:e], rods[r].closed, own.multiplier[c:e],
                own.elimination[c:e],
            ):  # fmt: skip
                return OVERSTRETCHED, r
    return DONE, 0


@kernel
def keep_tensions(rods: np.ndarray, links: np.ndarray, multiplier: np.ndarray, h: float, tension: np.ndarray) -> None:
    """Remember the multipliers over h² of all edges."""
    k = 1.0 / (h * h)
    for r in range(len(rods)):
        if not rods[r].stretchable and not rods[r].welded:
            c, e = rods[r].first, rods[r].last + 1 if rods[r].closed else rods[r].last
            scale_into(multiplier[c:e], k, tension[c:e])
    for j in range(len(links)):
        tension[links[j].tail] = k * multiplier[links[j].tail]


@entry
def attempt(model: Model, state: State, work: Workspace, h: float, furthest: float) -> tuple[int, int, int, float]:
    """One step of h [s] of everything (Bergou 2008, Algorithm 1), from the elastic forces at the positions that `keep`
    remembers; given up when something seems to move further than `furthest` [m] against the whole.

    Returns (status, the rod it concerns, number of contacts, how far things seemed to move [m]).
    """
    rods, x, x0 = model.rods, state.x, work.old.x
    predict(model, state, work, h)
    moved = spread(x, x0) if model.world[0].skin > 0.0 else 0.0
    if not moved <= furthest:
        status = TOO_FAR if np.isfinite(moved) else NOT_FINITE
        return status, fastest_rod(rods, x, x0), 0, moved
    status, failed, count = project(model, state, work, moved, h)
    if status != DONE:
        return status, failed, count, moved
    status, failed = finish_motion(model, state, work, h)
    return status, failed, count, moved


@kernel
def finish_motion(model: Model, state: State, work: Workspace, h: float) -> tuple[int, int]:
    """Velocities, and what goes with rods' and bodies' places, at the end of a step: (status, the rod it concerns)."""
    rods = model.rods
    measure_work(model, state, work, h)
    for r in range(len(rods)):
        c, d = rods[r].first, rods[r].last + 1
        if not measure_velocity(state.x[c:d], work.old.x[c:d], h, state.v[c:d]):
            return NOT_FINITE, r
    for b in range(len(state.bodies)):
        if not np.isfinite(dot(state.bodies[b].x, state.bodies[b].q[1:])):
            return NOT_FINITE, len(rods) + len(model.surfaces.colliders) + b
    turn_welds(model.welds, state)
    turn_clamps(model, state, work.constraints, h)
    frame.turn(model, state, work.elastic, work.contact.frames, h)
    measure_shortfalls(model, state, work.constraints, h)
    return DONE, 0


@kernel
def fastest_rod(rods: np.ndarray, x: np.ndarray, x0: np.ndarray) -> int:
    """The rod of the vertex that has moved furthest from x0 (N, 3), or is nowhere."""
    fastest, square = 0, 0.0
    for r in range(len(rods)):
        for i in range(rods[r].first, rods[r].last + 1):
            d = (x[i, 0] - x0[i, 0]) ** 2 + (x[i, 1] - x0[i, 1]) ** 2 + (x[i, 2] - x0[i, 2]) ** 2
            if not np.isfinite(d):
                return r
            if d > square:
                fastest, square = r, d
    return fastest


@kernel
def fastest_thing(model: Model, state: State, old: OldState) -> tuple[int, float]:
    """(the rod, or collider, body or soft body counted on from there, of what has moved furthest in a step, the square
    of how far [m²]).
    """
    thing, square = 0, 0.0
    if len(model.rods) > 0:
        thing = fastest_rod(model.rods, state.x, old.x)
        for i in range(model.rods[thing].first, model.rods[thing].last + 1):
            way = plus(vector(state.x[i]), -1.0, vector(old.x[i]))
            square = max(square, dot(way, way))
    for b in range(len(model.bodies)):
        way = plus(vector(state.bodies[b].x), -1.0, vector(old.bodies[b].x))
        if dot(way, way) > square:
            thing, square = len(model.rods) + len(model.surfaces.colliders) + b, dot(way, way)
    s, further = fastest_solid(model.solids.bodies, state.x, old.x)
    if further > square:
        return len(model.rods) + len(model.surfaces.colliders) + len(model.bodies) + s, further
    return thing, square


@kernel
def fastest_solid(solids: np.ndarray, x: np.ndarray, x0: np.ndarray) -> tuple[int, float]:
    """(SOLID of the node that has moved furthest from x0 (N, 3), the square of how far [m²])."""
    fastest, square = 0, 0.0
    for s in range(len(solids)):
        for i in range(solids[s].node[0], solids[s].node[1]):
            way = plus(vector(x[i]), -1.0, vector(x0[i]))
            if dot(way, way) > square:
                fastest, square = s, dot(way, way)
    return fastest, square


@kernel
def accept(model: Model, state: State, work: Workspace, count: int, h: float) -> None:
    """Keep what the next step begins with: what pulls and presses, and the time; and where things have been."""
    keep_tensions(model.rods, model.length_system.links, work.constraints.multiplier, h, state.tension)
    note_pushes(model, state)
    if state.listings[FEATURES].count > 0:
        rebound(model, state, work.old, work.contact.contacts[:count], work.contact.pushes, h, 1.0 / (h * h), h)
    keep_forces(state, work.contact.contacts[:count], 1.0 / (h * h))
    keep_moments(model, state, work.contact.contacts[:count], 1.0 / (h * h), SHARE)
    frame.leave(model, state, work.elastic, work.contact.frames, h)
    if len(model.pulleys) > 0:
        go_through_pulleys(model, state, work.old, work.welded, work.constraints, work.foreseen, h)
    widen(state.x, work.low, work.high)
    state.clock[0].time += h
    if len(model.pulleys) > 0:
        lay_numbers(model, state.clock[0].time)  # what `predict` has loosened is loosened anew, from the rod's own
        loosen(model, state, work.constraints, state.clock[0].time)
    state.clock[0].step = h
