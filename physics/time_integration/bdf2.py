"""Second-order backward differentiation, BDF2 (Curtiss & Hirschfelder 1952), with steps of any length, begun by a
backward Euler step where the past does not count: at the start, after a step that could not be taken, and in the two
steps behind one in which things hit each other, which end where they touch, and where they have stopped.

With the steps h and h₋ = h/ρ, the state now and a step ago,

    y = x̄ + s v̄,  x̄ = ((1 + ρ)² x₀ − ρ² x₋)/(1 + 2ρ),  v̄ alike,  s = h (1 + ρ)/(1 + 2ρ)      (backward Euler: ρ = 0)
    M (x − y)/s² = forces at x,           v = (x − x̄)/s

Second order, stable while ρ < 1 + √2; with even steps L-stable: stiff motion that a step does not resolve dies away,
slow motion loses little energy. It loses 1 − 2ϑ of that where ϑ of the third difference, the next term of backward
differentiation, is added to the derivative (BDF2opt, Vatsa, Carpenter & Lockard 2010, ϑ = .48), which needs three even
steps: h v = (x − x₀) + ½ ∇²x + ⅓ ϑ ∇³x, so that

    x̄ = ((2 + ϑ) x₀ − (½ + ϑ) x₋ + ⅓ ϑ x₋₋)/k,  s = h/k,  k = 3/2 + ⅓ ϑ,

still of second order and L-stable while ϑ ≤ ½. Where an edge turns far in a step, as in a whip, ϑ = 0.
"""

from math import cos, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import subtract
from ..arithmetic.turns import turn_in_space
from ..arithmetic.vectors import dot
from ..constraints.pins import drive, measure_shortfalls, note_pushes, turn_clamps
from ..constraints.reeling import reel
from ..contact.carriers.points import carriers
from ..contact.friction_moments import keep_moments
from ..contact.frozen_normals import come_nearer
from ..contact.kept_forces import keep_forces, pair_of, pressing
from ..contact.rebound import leaving, rebound
from ..contact.scratch import BODY
from ..contact.surprise import margin_left
from ..contact.swept_boxes import widen
from ..implicit.band_walls import divide
from ..implicit.chain import go_plain, is_framed, is_free
from ..implicit.frames import carry, leave_frames, take_frames, turn_first_frame
from ..implicit.internal_damping import keep_bends, lay_damping
from ..implicit.kept_lengths import LENGTHS
from ..implicit.loads import Weights, body_drag, lay_drag, lay_spin, turn_edges
from ..implicit.moves import hold_welds
from ..implicit.newton import FULL, newton, newton_together
from ..implicit.pair_contact import load
from ..implicit.scratch import ImplicitScratch
from ..implicit.spinning_step import begin, end, leave_spinning
from ..implicit.spinning_step import newton as spin
from ..implicit.wall_contact import list_walls
from ..model import FEATURES, YIELDING, Model, OldState, State
from ..rigid_bodies.free_motion import free_turn
from ..rigid_bodies.slaves import put_arms
from ..rods.winch import out_of
from .symplectic_euler import DONE, NOT_FINITE, OVERSTRETCHED, PAIRS_FULL, TOO_FAR, fastest_rod
from .symplectic_euler import find_contacts as listed_contacts
from .workspace import Workspace

FAR = cos(0.7)  # of the angle by which an edge may turn in a step
NEAR = 0.2  # rad
HIT = 0.02  # radii a step: what comes to touch no faster does not count as an impact
STOPPED = 0.5  # by drag, k h
LAG = 0.01  # radii a pin lags by where it yields,
AHEAD = 10.0 * LAG  # and that it draws from at least, where it does so with all its force
LED = 0.5  # rad: frames that turn further in a step begin where they are, for half a turn on all is as good for them
BENT = 1.0  # change of the tangent of half an angle: at that of a right one, `turns_back` goes by it
STRAIGHT = 1e-12  # as near to folded as it is told
SLIDE = 0.05  # radii that vertices at surfaces may end from where they are expected
LONGER = 1.25  # times the last step: beyond that the past does not count, for there a step may add energy
EVEN = 1e-9  # by which even steps may differ
CLOSER = 2  # times at most a step is solved on, with surfaces that count as nearer
LIST_FULL = -1
STRUCK = -1  # states to look back at, behind an impact: it takes two steps, one to touch in and one to stop in


@kernel
def weights(step: float, h: float, past: int, third: float) -> Weights:
    """(of the state now, what is taken away of that a step ago, of that two steps ago, s) for a step of h [s] after
    `past` ones of `step` [s]; third: weight of the third difference.
    """
    if past == 2 and third > 0.0 and abs(h - step) < EVEN * h:
        k = 1.0 / (1.5 + third / 3.0)
        return k * (2.0 + third), k * (0.5 + third), k * third / 3.0, k * h
    ratio = h / step if past > 0 and h <= LONGER * step else 0.0
    k = 1.0 / (1.0 + 2.0 * ratio)
    return k * (1.0 + ratio) ** 2, k * ratio * ratio, 0.0, h * k * (1.0 + ratio)


@kernel
def predict(model: Model, state: State, work: Workspace, of: Weights) -> None:
    """Where vertices would be without forces, and what acts on them."""
    now, ago, earlier, s = of
    nodes, own, x, v = model.nodes, work.implicit, state.x, state.v
    for i in range(len(x)):
        push, share = state.fields[i].acceleration, nodes[i].gravity
        for c in range(3):
            own.rest[i, c] = now * x[i, c] - ago * state.past_x[i, 0, c] + earlier * state.past_x[i, 1, c]
            speed = now * v[i, c] - ago * state.past_v[i, 0, c] + earlier * state.past_v[i, 1, c]
            own.drift[i, c] = own.rest[i, c] + s * speed
            own.force[i, c], own.couple[i, c] = nodes[i].mass * (share * model.world[0].gravity[c] + push[c]), 0.0
        own.inertia[i], own.hooks[i].most = nodes[i].mass / (s * s), 0.0
    for f in range(len(own.frames)):
        own.frames[f].torque = 0.0
    for r in range(len(model.rods)):
        for i in range(model.rods[r].first, model.rods[r].last + 1):
            lay_drag(model, state, own, r, i)


@kernel
def predict_bodies(model: Model, state: State, work: Workspace, of: Weights) -> None:
    """The same for rigid bodies."""
    n, (now, ago, earlier, s) = len(model.nodes), of
    for b in range(len(model.bodies)):
        body, step, here = model.bodies[b], work.implicit.bodies[b], state.fields[n + b]
        pose, before, first = state.bodies[b], state.past_bodies[b, 0], state.past_bodies[b, 1]
        turn, turn_first = turn_in_space(pose.q, before.q), turn_in_space(pose.q, first.q)
        step.inertia, (air, brake) = body.mass / (s * s), body_drag(body, pose.v, here, model.world[0].air_density)
        step.drag = air + brake
        for c in range(3):
            step.rest[c] = now * pose.x[c] - ago * before.x[c] + earlier * first.x[c]
            step.drift[c] = step.rest[c] + s * (now * pose.v[c] - ago * before.v[c] + earlier * first.v[c])
            step.before[c], step.turn[c] = earlier * turn_first[c] - ago * turn[c], 0.0
            step.momentum[c] = pose.l[c] + ago * (pose.l[c] - before.l[c]) - earlier * (pose.l[c] - first.l[c])
            step.momentum[c] += s * here.torque[c]
            weight = body.gravity * model.world[0].gravity[c] + here.acceleration[c]
            step.force[c], step.torque[c] = body.mass * weight + air * here.air[c], 0.0


@kernel
def pull(model: Model, state: State, work: Workspace, h: float, s: float) -> None:
    """Pins at the end of a step of h [s]: one that yields draws its vertex to where it wants it (see constraints/pins),
    or as far towards that as its force could, with that force at most; the vertex is then as heavy as the pin at least
    is. The force's direction is that at the step's end: by that at its beginning a taut vertex, nearer to the hook than
    to the next vertex, would be thrown to and fro.
    """
    own, w, x, x0 = work.implicit, state.w, state.x, work.old.x
    for p in range(len(model.pins)):
        for i in (model.pins[p].node, model.pins[p].second):
            if i >= 0:
                for c in range(3):
                    x[i, c] = x0[i, c] + h * state.v[i, c]
    drive(model, state, x0, work.constraints, work.elastic.rate, h, False)
    turn_clamps(model, state, work.constraints, h)
    for p in range(len(model.pins)):
        pin, hold = model.pins[p], state.holds[p]
        for i in (pin.node, pin.second):
            if i < 0 or w[i] == 0.0 or hold.state != YIELDING:
                continue
            limit, square = hold.influence * pin.max_force, 0.0
            for c in range(3):
                own.hooks[i].place[c], x[i, c] = x[i, c], x0[i, c] + h * state.v[i, c]  # begin where the rod is
                square += (own.hooks[i].place[c] - x[i, c]) ** 2
            own.hooks[i].most = limit
            own.hooks[i].stiffness = max(1.0 / (w[i] * h * h), limit / (LAG * model.nodes[i].radius))
            far, reach = sqrt(square), limit * h * h / pin.mass
            if far > reach:
                own.inertia[i] = pin.mass / (s * s)
                k = min(max(reach, AHEAD * model.nodes[i].radius) / far, 1.0)
                for c in range(3):
                    own.hooks[i].place[c] = x[i, c] + k * (own.hooks[i].place[c] - x[i, c])


@kernel
def turns_far(model: Model, state: State, r: int, h: float) -> bool:
    """Whether an edge of rod r turns far in a step of h [s] as it moves now."""
    v = state.v
    first, last = out_of(model.rods[r])
    for j in range(first, last):
        square = 0.0
        for c in range(3):
            square += (v[j + 1, c] - v[j, c]) ** 2
        if sqrt(square) * h > NEAR * model.edges[j].length:
            return True
    return False


@kernel
def go_on(model: Model, state: State, own: ImplicitScratch, r: int, h: float) -> None:
    """Move rod r to where it gets to at the velocities it has, and as they changed in the last step: own.ahead."""
    first, last, x, v, clock = model.rods[r].first, model.rods[r].last, state.x, state.v, state.clock[0]
    gain = 0.5 * h * h / clock.step if clock.past > 0 and h <= LONGER * clock.step else 0.0
    for i in range(first, last + 1):
        for c in range(3):
            own.ahead[i, c] = x[i, c] + h * v[i, c] + gain * (v[i, c] - state.past_v[i, 0, c])
            x[i, c] = own.ahead[i, c]


@kernel
def go_back(model: Model, state: State, x0: np.ndarray, h: float) -> None:
    """Move what is free of rods whose edges turn far back to where it was, x0 (N, 3): Newton begins there, but of
    Cosserat rods, whose tensions are not those of edges so stretched.
    """
    for r in range(len(model.rods)):
        if not model.rods[r].cosserat and turns_far(model, state, r, h):
            for i in range(model.rods[r].first, model.rods[r].last + 1):
                if state.w[i] > 0.0 and model.nodes[i].slave < 0:
                    for c in range(3):
                        state.x[i, c] = x0[i, c]


@kernel
def go_on_freely(model: Model, state: State, work: Workspace, h: float, s: float) -> None:
    """Begin where bodies would get to without forces, with what they carry."""
    for b in range(len(model.bodies)):
        now, momentum = state.bodies[b], work.welded.spins[b].momentum
        for c in range(3):
            now.x[c] += h * now.v[c]
        free_turn(work.old.bodies[b].q, now.l, model.bodies[b].inertia, h, momentum, now.q)
        turn = work.implicit.bodies[b].turn
        turn[0], turn[1], turn[2] = turn_in_space(work.old.bodies[b].q, now.q)
    hold_welds(model, state, work.implicit, s)


@kernel
def look_back(model: Model, state: State, h: float, third: float, impact: bool) -> Weights:
    """Weights of the past in a step of h [s] of everything. third: of the third difference, up to ½; impact: things hit
    each other, so the past does not count.
    """
    for r in range(len(model.rods)):
        if third > 0.0 and (turns_far(model, state, r, h) or is_folded(model, state.x, r)):
            third = 0.0
    return weights(state.clock[0].step, h, 0 if impact else state.clock[0].past, third)


@entry
def attempt(
    model: Model, state: State, work: Workspace, h: float, of: Weights, resist: bool
) -> tuple[int, int, int, int]:
    """One step of h [s] of everything. resist: frames turn about their edges against their inertia, from rest, so that
    one that has lost its equilibrium does not jump to another one.

    Returns (status, the rod it concerns, iterations, number of contacts).
    """
    rods, own, s = model.rods, work.implicit, of[3]
    reel(model, state, work.old, h)
    predict(model, state, work, of)
    predict_bodies(model, state, work, of)
    for r in range(len(rods)):
        for j in range(rods[r].first, rods[r].last + 1):
            own.pull[j] = -state.tension[j] * model.edges[j].length
        go_on(model, state, own, r, h)
    go_on_freely(model, state, work, h, s)
    pull(model, state, work, h, s)
    count = find_contacts(model, state, work, h, not resist)
    if count < 0:
        return PAIRS_FULL, 0, 0, 0
    go_back(model, state, work.old.x, h)
    prepare(model, state, work, of, h, resist)
    contacts, total = work.contact.contacts[:count], 0
    for k in range(1 + CLOSER):
        status, rod, rounds = solve(model, state, work, contacts, of, h)
        total += rounds
        if status != DONE or k == CLOSER or not come_nearer(model, state, contacts, h, False):
            break
    if status != DONE:
        return status, rod, total, count
    finite = 0.0
    for i in range(len(state.x)):
        for c in range(3):
            state.v[i, c] = (state.x[i, c] - own.rest[i, c]) / s
            finite += state.v[i, c]
    for b in range(len(model.bodies)):
        for c in range(3):
            state.bodies[b].v[c] = (state.bodies[b].x[c] - own.bodies[b].rest[c]) / s
            finite += state.bodies[b].v[c] + state.bodies[b].l[c]
    if not np.isfinite(finite):
        return NOT_FINITE, fastest_rod(rods, state.x, work.old.x), total, count
    return DONE, 0, total, count


@kernel
def find_contacts(model: Model, state: State, work: Workspace, h: float, ahead: bool) -> int:
    """How many contacts there are, or may be in a step of h [s], with the forces of the last one, or LIST_FULL: a list
    of pairs is. ahead: frozen where things are expected, unless the last try failed.
    """
    old, own = work.old, work.implicit
    if model.world[0].skin > 0.0:
        subtract(state.x, old.x, work.contact.foreseen)
    put_arms(model.slaves, old.bodies, work.welded.slaves)
    count = listed_contacts(model, state, work, (margin_left(model.world[0]), h, SLIDE), ahead, h, 1.0)  # forces
    if count < 0:
        return LIST_FULL
    contacts = work.contact.contacts[:count]
    go_plain(model, state, contacts, own)
    others = divide(model, state.x, old.x, contacts, work.contact.spare, own)
    list_walls(model, contacts, others, own)
    for c in range(len(own.together)):
        own.together[c] = model.chain_system.chains[c].panels > 0
    for q in range(others):
        row = contacts[q]
        for k in range(4):
            if row.share[k] != 0.0:
                own.together[model.chain_system.chain[row.node[k]]] = True
        load(own, row, pressing(row))
    return count


@kernel
def prepare(model: Model, state: State, work: Workspace, of: Weights, h: float, resist: bool) -> None:
    """What the equations need besides in a step of h [s]: gradients of damping, frames on predicted edges, those too
    that a clamp has just taken up; whether their inertia resists.
    """
    own = work.implicit
    for r in range(len(model.rods)):
        if is_framed(model, own, r):
            take_frames(model, state, own, r, work.old.x)
            turn_edges(model, state, own, r)
            lay_spin(model, state, own, r, of, resist)
    for j in range(len(own.unknown)):
        own.unknown[j] = 0.0
    for r in range(len(model.rods)):
        if is_framed(model, own, r):
            first, end = model.rods[r].frame, model.rods[r].last + r + 2
            led = h * fastest_spin(state.spin[first:end]) < LED
            for f in range(first, end):
                if model.chain_system.angle[f] >= 0 and not state.fixed[f]:
                    turn = h * state.spin[f] if led else 0.0
                    own.unknown[model.chain_system.angle[f]] = own.frames[f].before if resist else turn
            carry(model, state, own, r, 1.0)
        if model.rods[r].damped and not model.rods[r].cosserat:
            ahead = own.ahead if turns_far(model, state, r, h) else state.x
            lay_damping(model, state, work.old, own, r, of, h, ahead)


@kernel
def fastest_spin(spin: np.ndarray) -> float:
    """Largest [rad/s] of spins (k,), either way."""
    most = 0.0
    for w in spin:
        most = max(most, abs(w))
    return most


@kernel
def solve(
    model: Model, state: State, work: Workspace, contacts: np.ndarray, of: Weights, h: float
) -> tuple[int, int, int]:
    """Solve all equations. Returns (status, the rod it concerns, iterations)."""
    for r in range(len(model.rods)):
        if model.rods[r].cosserat:
            begin(model, state, work.old, work.elastic, work.implicit, r, of, h)
    status, rod, total = solve_begun(model, state, work, contacts, of, h)
    for r in range(len(model.rods)):
        if model.rods[r].cosserat and not end(model, state, work.elastic, work.implicit, r, of[3]) and status == DONE:
            status, rod = TOO_FAR, r
    return status, rod, total


@kernel
def solve_begun(
    model: Model, state: State, work: Workspace, contacts: np.ndarray, of: Weights, h: float
) -> tuple[int, int, int]:
    """The same, from where Cosserat rods begin."""
    own, chains, total, first, times = work.implicit, model.chain_system.chains, 0, -1, (of[3], h)
    for c in range(len(chains)):
        if own.together[c] and first < 0:
            first = c
    if first >= 0 or len(model.bodies) > 0:
        spares = work.contact.spare, work.constraints
        total = newton_together(model, state, work.old, work.welded, own, contacts, spares, times)
        if total == FULL:
            state.clock[0].entries = max(state.clock[0].entries, own.response.asked[0])
        if total < 0:
            return PAIRS_FULL if total == FULL else OVERSTRETCHED, chains[max(first, 0)].rod, 0
    for c in range(len(chains)):
        if not own.together[c]:
            if model.rods[chains[c].rod].cosserat:
                rounds = spin(model, state, own, contacts, work.old.x, c, times)
            else:
                mine = contacts[:0] if own.plain[chains[c].rod] else contacts
                rounds = newton(model, state, own, work.constraints, mine, work.old.x, c, times)
            if rounds < 0:
                return OVERSTRETCHED, chains[c].rod, total
            total += rounds
    for r in range(len(model.rods)):
        status = judge_edges(model, state, r, work.old.x)
        if status != DONE:
            return status, r, total
    return DONE, 0, total


@kernel
def hits(state: State, old: OldState, contacts: np.ndarray, pushes: np.ndarray, h: float, usual: float) -> bool:
    """Whether something that did not touch before has come to touch at a speed, in a step of h [s], of usual ones;
    pushes: BODY_PUSH (B,), inverse inertias.
    """
    for q in range(len(contacts)):
        row = contacts[q]
        if row.normal == 0.0 or pair_of(state, row).force[0] > 0.0:
            continue
        speed = dot(row.n, row.drift) / h
        for k in range(4):
            if row.share[k] != 0.0:
                speed -= row.share[k] * dot(row.n, old.v[row.node[k]])
        if carriers(row) & BODY:
            speed -= leaving(row, old.bodies, old.bodies, pushes)
        if speed * usual > HIT * row.radius:
            return True
    return False


@kernel
def judge_edges(model: Model, state: State, r: int, x0: np.ndarray) -> int:
    """DONE, OVERSTRETCHED where an edge of rod r has lost its length, or TOO_FAR where one has turned further from x0
    (N, 3) than a step may turn it.
    """
    rod, x = model.rods[r], state.x
    for j in range(rod.first, rod.last + int(rod.closed)):
        k = j + 1 if j < rod.last else rod.first
        dot = one = other = 0.0
        for c in range(3):
            d, d0 = x[k, c] - x[j, c], x0[k, c] - x0[j, c]
            dot, one, other = dot + d * d0, one + d * d, other + d0 * d0
        given = rod.stretchable or not is_free(model, state, j, k)
        if not (given or abs(one / model.edges[j].length ** 2 - 1.0) < 2.0 * LENGTHS):
            return OVERSTRETCHED
        if not dot >= FAR * sqrt(one * other):
            return TOO_FAR
    return DONE


@kernel
def bends_far(model: Model, x: np.ndarray, x0: np.ndarray) -> int:
    """A rod that at a vertex has bent so far from x0 (N, 3) to x that its energy, which goes by the tangent of half the
    angle and is a wall where it folds, has grown or gone beyond what a step sees; −1. Cosserat rods have no such wall.
    """
    for r in range(len(model.rods)):
        if model.rods[r].cosserat:
            continue
        first, last = out_of(model.rods[r])
        for j in range(first + 1, last):
            if (turns_back(x, j) or turns_back(x0, j)) and abs(bend(x, j) - bend(x0, j)) > BENT:
                return r
    return -1


@kernel
def is_folded(model: Model, x: np.ndarray, r: int) -> bool:
    """Whether rod r turns back at a vertex: there its energy is far from the square of the angle."""
    first, last = out_of(model.rods[r])
    for j in range(first + 1, last):
        if turns_back(x, j):
            return True
    return False


@kernel
def turns_back(x: np.ndarray, j: int) -> bool:
    """Whether `bend` is more than BENT: a rod turns by more than a right angle at vertex j."""
    dot = 0.0
    for c in range(3):
        dot += (x[j, c] - x[j - 1, c]) * (x[j + 1, c] - x[j, c])
    return not dot >= 0.0


@kernel
def bend(x: np.ndarray, j: int) -> float:
    """tan of half the angle by which a rod turns at vertex j, from an edge to the next, at x (N, 3)."""
    dot = one = other = 0.0
    for c in range(3):
        d, e = x[j, c] - x[j - 1, c], x[j + 1, c] - x[j, c]
        dot, one, other = dot + d * e, one + d * d, other + e * e
    size = sqrt(one * other)
    return sqrt(max(size - dot, 0.0) / max(size + dot, STRAIGHT * size))


@kernel
def note_spin(model: Model, state: State, own: ImplicitScratch, r: int, of: Weights, h: float) -> None:
    """At which the frames of rod r turn at the end of a step of h [s]: those of one that rolls by their inertia."""
    _, ago, earlier, s = of
    for f in range(model.rods[r].frame, model.rods[r].last + r + 2):
        turn, before, past, older = own.frames[f].turn, state.spin[f], state.past_frames[f, 0], state.past_frames[f, 1]
        state.spin[f] = turn / h
        if model.rods[r].rolls:
            if own.frames[f].inertia > 0.0:
                state.spin[f] = (turn - (ago - earlier) * past.turn + earlier * older.turn) / s
            older.turn, older.spin, past.turn, past.spin = past.turn, past.spin, turn, before


@kernel
def accept(
    model: Model, state: State, work: Workspace, contacts: np.ndarray, of: Weights, h: float, share: float, impact: bool
) -> None:
    """Keep what the next step begins with, which does not look back behind an impact, nor does the one after it. share:
    of friction's moments (see contact/friction_moments), that this step's may be.
    """
    for r in range(len(model.rods)):
        if model.rods[r].cosserat:
            impact = leave_spinning(model, state, work.elastic, work.implicit, r, h) or impact
            continue
        if model.rods[r].damped:
            keep_bends(model, state, work.implicit, r)
        if is_framed(model, work.implicit, r):
            leave_frames(model, state, work.implicit, r)
            note_spin(model, state, work.implicit, r, of, h)
        else:
            turn_first_frame(model, state, work.implicit, r)
            for f in range(model.rods[r].frame, model.rods[r].last + r + 2):
                state.spin[f] = 0.0
    measure_shortfalls(model, state, work.constraints, h)
    if state.listings[FEATURES].count > 0 and rebound(
        model, state, work.old, contacts, work.contact.pushes, h, 1.0, of[3]
    ):
        impact = True
    keep_forces(state, contacts, 1.0)
    keep_moments(model, state, contacts, 1.0, share)
    widen(state.x, work.low, work.high)
    drag, clock = work.implicit.drag, state.clock[0]
    past = 2 if clock.past > 0 and abs(h - clock.step) < EVEN * h else 1
    if clock.past == STRUCK:
        past = 0
    if impact:
        past = STRUCK
    for i in range(len(state.x)):
        if model.nodes[i].slave < 0 and h * (drag[i, 0] + max(drag[i, 1], 0.0)) > STOPPED * model.nodes[i].mass:
            past = min(past, 0)
        state.tension[i] = -work.implicit.pull[i] / model.edges[i].length if model.edges[i].length > 0.0 else 0.0
        for c in range(3):
            state.past_x[i, 1, c], state.past_v[i, 1, c] = state.past_x[i, 0, c], state.past_v[i, 0, c]
            state.past_x[i, 0, c], state.past_v[i, 0, c] = work.old.x[i, c], work.old.v[i, c]
    note_pushes(model, state)
    for b in range(len(state.bodies)):
        state.past_bodies[b, 1] = state.past_bodies[b, 0]
        state.past_bodies[b, 0] = work.old.bodies[b]
    clock.time += h
    clock.step = h
    clock.past = past
