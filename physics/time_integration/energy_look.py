"""A look at the end of a step for energy that nothing gave it.

An implicit step has won Δ(kinetic + elastic) less what it was given: weight and fields m a·Δx, torques τ·Δψ, wind at
most its drag times the way, led vertices what pulls at them times their way, led surfaces their push times theirs,
contacts what they press apart that overlapped when it began, no faster than it recovers, and edges whose lengths go
with time what they pull times their change. (What else of rods goes with time has done its work, on what they hold,
when a step begins.)
Newton's method finds a root of its equations, of which one may be another than that along the motion: backward Euler
minimises ½|x − y|²_M/s² + V, and there it is higher.

An explicit step keeps energy but for what constraints and contacts do: the impulses m (v₁ − v*), v* the velocity that
forces alone would give, by the mean velocity,

    won = Σ ½ (v₀ + v₁)·m (v₁ − v*),

less what leads, lengthens and recovers. For constraints that do no work it is nought, for what strikes less.

Runge–Kutta's steps, in which nothing touches, weigh the powers of all forces as they weigh the accelerations: what
kinetic and elastic energy rise by besides is won. They swell what they do not resolve a little in each, so it is summed
up.

What wins over GAIN of the most kinetic and elastic energy that there has been in the part, lately, is no step: it is
taken again, without a past, by a quarter. Of 200 random scenes by implicit steps 17 have such: BDF2 loses energy of
what turns too fast for it, as where a rope whips, and wins some of that back, up to .02 at once. In Preview, whose long
steps do so all the time, it is over TOLD: what tumbles by a fifth of a radian a step would lose a half of its energy in
.4 s by steps without a past, where it loses a tenth. It is told where shorter ones win TOLD all the same. Not counted:
twist of frames without inertia that friction's moments load, for nothing has done that as work; and what would move
nothing by QUIET radii in a usual step: a shorter one's part of that is as fast; nor what the projection may do by the
part of lengths that it leaves, which is more than that where a thin hair stands upright.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.arrays import copy
from ..arithmetic.turns import turn_in_space
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..constraints.fast_projection import TOLERANCE
from ..constraints.scratch import ConstraintScratch
from ..contact.carriers.body_surface import gone, turned_in
from ..contact.carriers.points import carriers
from ..contact.inequality_constraints import RECOVERY_SPEED
from ..contact.kept_forces import pressing
from ..contact.scratch import FRAMES
from ..elements.stretching import stress
from ..implicit.chain import is_framed
from ..model import FREE, Model, State
from ..rods.chain import edges_at, is_given
from ..rods.director_forces import segment_of
from ..rods.keyed_numbers import LENGTH, number
from ..rods.spinning import inertia
from ..rods.winch import edge, first_out, vertex
from .stored_energy import elastic_pull, stored
from .workspace import Workspace

GAIN = 1e-3  # in a step,
TOLD = 0.02  # where shorter ones win no less
LASTING = 0.05  # s in which the most that there has been fades: what lies still again is judged by what it is then
QUIET = 1e-3


@kernel
def is_looked_at(model: Model, work: Workspace) -> bool:
    """Whether an implicit step is. One of round straight rods that nothing ties or touches is not: it is a band of
    fours, of which a look would be a fifth.
    """
    for r in range(len(model.rods)):
        if model.rods[r].cosserat or is_framed(model, work.implicit, r):
            return True
    return len(model.bodies) > 0


@kernel
def begin_look(model: Model, state: State, work: Workspace) -> None:
    """Elastic energy where implicit steps begin, and what pulls at pins, frames being those of the State, which
    work.implicit has.
    """
    look, own = work.look[0], work.implicit
    for r in range(len(model.rods)):
        own.plain[r] = False
    look.known = is_looked_at(model, work)
    if not look.known:
        return
    look.elastic, look.twist = stored(model, state, own, state.x, state.q, work.elastic.e)
    for j in range(len(own.pull)):
        own.pull[j] = -state.tension[j] * model.edges[j].length
    for p in range(len(model.pins)):
        find_pull(model, state, work, state.q, p)
        work.pulls[p] = work.pulls_now[p]


@kernel
def catch_up(model: Model, state: State, work: Workspace) -> None:
    """The same at the end of a step that is looked at where the one before was not: rods were round and straight, and
    what twists and pulls them counts as it is now.
    """
    look, own = work.look[0], work.implicit
    look.elastic, _ = stored(model, state, own, work.old.x, work.elastic.turned, work.elastic.e)
    _, look.twist = stored(model, state, own, state.x, work.elastic.turned, work.elastic.e)
    for p in range(len(model.pins)):
        find_pull(model, state, work, work.elastic.turned, p)
        work.pulls[p] = work.pulls_now[p]
    look.known = True


@kernel
def is_led(model: Model, state: State, i: int) -> bool:
    """Whether a pin leads node i."""
    return model.nodes[i].slave < 0 and state.w[i] != model.nodes[i].w


@entry
def wins(
    model: Model, state: State, work: Workspace, contacts: np.ndarray, h: float, usual: float, unit: float
) -> bool:
    """Whether a step of h [s], usually longer, that is about to count has won energy; contacts: CONTACT, unit [N]:
    of their impulses. What it found is in work.look.

    Of what was given two thirds show in a step that looks back, and a third of what showed in the one before, for
    v₁ − v₀ = (v₀ − v₋)/3 + ⅔ h a in even steps (time_integration/bdf2), or as much of it as (v₀ − v₋)/3 does by the
    velocities now.
    """
    look, implicit = work.look[0], len(model.chain_system.chains) > 0
    if implicit:
        measure_energies(model, state, work, h)
    look.closed = look.won
    look.given += led(model, state, work, h, implicit)
    nodes = state.x, work.old.x, state.w
    note_contacts(look, pressed(model, state, nodes, work.old.bodies, contacts, unit, h), implicit)
    look.shown = look.given
    if implicit and state.clock[0].past > 0:
        before = state.clock[0].given
        look.shown = 2.0 / 3.0 * look.given + max(before / 3.0, min(look.past, before))
    look.won -= max(look.given, look.shown)
    look_longer(look, h, usual)
    gain = TOLD if implicit and model.world[0].preview else GAIN
    if not is_gain(look, gain * state.clock[0].most):
        return False
    if not implicit:
        look.held += held_by_rods(model, state, work)
        look.quiet += left_to_lengths(model, work, h)
    return is_gain(look, gain * max(state.clock[0].most, look.held))


@kernel
def led(model: Model, state: State, work: Workspace, h: float, implicit: bool) -> float:
    """What pins and pulleys, and lengths that go with time, do on rods in a step of h [s] [J]."""
    total = 0.0
    for p in range(len(model.pins)):
        total += led_by(model, state, work, p) if implicit else led_along(model, state, work, p, h)
    for q in range(0 if implicit else len(model.pulleys)):
        total += led_by_pulley(model, work.constraints, q, h)
    for q in range(len(model.keyed.keyed)):
        total += lengthened(model, state, work, model.keyed.keyed[q], h, implicit)
    return total


@kernel
def note_contacts(look: np.record, work: tuple[float, float], looks_back: bool) -> None:
    """What contacts have given in a step, and friction taken, as `pressed` has it: of the latter no more than shows in
    a step that looks back (see `wins`).
    """
    given, rubbed = work
    look.given += given
    look.closed += min(rubbed, (2.0 * rubbed + look.rubbed) / 3.0) if looks_back else rubbed
    look.rubbed = rubbed


@kernel
def look_longer(look: np.record, h: float, usual: float) -> None:
    """What a step of h [s] wins is quiet if it moves nothing far in a usual one [s]."""
    look.quiet *= min(h / usual, 1.0) ** 2


@kernel
def is_gain(look: np.record, least: float) -> bool:
    """Whether what a LOOK has found won is more than so much [J], and is seen."""
    return look.won > least and look.won > look.quiet


@kernel
def held_by_rods(model: Model, state: State, work: Workspace) -> float:
    """Elastic energy [J] where an explicit step began, for which it is asked where that may matter alone."""
    elastic, twist = stored(model, state, work.implicit, work.old.x, state.q, work.implicit.e)
    return elastic + twist


@kernel
def left_to_lengths(model: Model, work: Workspace, h: float) -> float:
    """What the projection of an explicit step of h [s] may do by what it leaves of lengths [J]: an edge that it may
    leave too short, and then too long, by TOLERANCE goes that way under its tension, or moves its ends in that time.
    """
    total, multiplier = 0.0, work.constraints.multiplier
    for r in range(len(model.rods)):
        rod = model.rods[r]
        if rod.stretchable or rod.cosserat:
            continue
        for j in range(rod.first, rod.last + rod.closed):
            way = 2.0 * TOLERANCE * model.edges[j].length
            total += abs(multiplier[j]) * model.edges[j].length / (h * h) * way
            total += 0.5 * model.nodes[j].mass * (way / h) ** 2
    return total


@kernel
def note(state: State, work: Workspace, h: float, won: bool, thing: int) -> None:
    """Behind a step of h [s] that counts: the most energy that there has been; won: it has won some all the same, which
    is told where it is much, by what most concerns `thing`, a rod, or a collider, body or soft body counted on from
    there.
    """
    look, clock = work.look[0], state.clock[0]
    clock.given = look.shown
    look.most, look.took = max(look.most, look.closed), look.took + look.rubbed
    fade(state, h)
    clock.most = max(look.held, clock.most)
    look.elastic, look.twist = look.elastic_now, look.twist_now
    copy(work.pulls_now, work.pulls)
    if won and look.won > TOLD * clock.most and look.won > clock.won:
        clock.won, clock.winner = look.won, thing


@kernel
def fade(state: State, h: float) -> None:
    """Of the most energy that there has been so much is past after h [s]."""
    state.clock[0].most *= max(1.0 - h / LASTING, 0.0)


@kernel
def pass_by(state: State, work: Workspace, h: float) -> None:
    """Behind a step of h [s] that counts and is not looked at."""
    work.look[0].known, state.clock[0].given = False, 0.0
    fade(state, h)


@kernel
def measure_energies(model: Model, state: State, work: Workspace, h: float) -> None:
    """Into work.look: what all energy rises by in an implicit step of h [s], what of that is given so far, what it
    began with, and what is too little to be seen.
    """
    look, own, old, nodes = work.look[0], work.implicit, work.old, model.nodes
    gained = before = given = quiet = past = 0.0
    for i in range(len(nodes)):
        if nodes[i].mass == 0.0 or is_led(model, state, i):
            continue
        node, here, m = nodes[i], state.fields[i], nodes[i].mass
        now, was = dot(state.v[i], state.v[i]), dot(old.v[i], old.v[i])
        way = plus(vector(state.x[i]), -1.0, vector(old.x[i]))
        gained, before = gained + 0.5 * m * (now - was), before + 0.5 * m * was
        gone = plus(vector(old.v[i]), -1.0, vector(state.past_v[i, 0]))
        past += m / 6.0 * dot(gone, plus(vector(state.v[i]), 1.0, vector(old.v[i])))
        gained -= m * node.gravity * dot(model.world[0].gravity, way)
        given += m * dot(here.acceleration, way)
        wind = dot(here.air, here.air)
        if wind > 0.0:
            given += (own.drag[i, 0] + max(own.drag[i, 1], 0.0)) * sqrt(wind * dot(way, way))
        quiet += 0.5 * m * (QUIET * node.radius / h) ** 2
    for b in range(len(model.bodies)):
        body, now, was, here = model.bodies[b], state.bodies[b], old.bodies[b], state.fields[len(nodes) + b]
        way, first = plus(vector(now.x), -1.0, vector(was.x)), energy_of(body, was)
        gained, before = gained + energy_of(body, now) - first, before + first
        gained -= body.mass * body.gravity * dot(model.world[0].gravity, way)
        given += body.mass * dot(here.acceleration, way) + dot(here.torque, turn_in_space(was.q, now.q))
        wind = dot(here.air, here.air)
        if wind > 0.0:
            given += own.bodies[b].drag * sqrt(wind * dot(way, way))
        quiet += quiet_of(body, h)
    for r in range(len(model.rods)):
        if model.rods[r].cosserat or model.rods[r].rolls:
            first, last = spin_energies(model, state, work, r, h)
            gained, before = gained + last - first, before + first
    look.elastic_now, look.twist_now = stored(model, state, own, state.x, work.elastic.turned, work.elastic.e)
    rubbed, wound = False, 0.0
    for r in range(len(model.rods)):
        if state.rods[r].loaded:
            rubbed = rubbed or is_rubbed(model.rods[r], r, state)
            turned, spun = done_by_torques(model, state, work, r)
            given, wound = given + turned, wound + spun
    gained += look.elastic_now - look.elastic
    before += look.elastic
    if not rubbed:
        gained, before, given = gained + look.twist_now - look.twist, before + look.twist, given + wound
    look.won, look.given, look.held, look.quiet, look.past = gained, given, before, quiet, past


@kernel
def is_rubbed(rod: np.record, r: int, state: State) -> bool:
    """Whether friction's moments load frames of a ROD."""
    for f in range(rod.frame, rod.last + r + 2):
        if state.moment[f] != 0.0:
            return True
    return False


@kernel
def done_by_torques(model: Model, state: State, work: Workspace, r: int) -> tuple[float, float]:
    """What torques do on rod r in an implicit step [J]: on all but frames without inertia, and on these."""
    rod, turned, spun = model.rods[r], 0.0, 0.0
    for i in range(rod.first, rod.last + int(rod.closed)):
        torque, f = vector(state.fields[i].torque), i + r + 1
        if rod.cosserat:
            k = segment_of(rod, f)
            turned += dot(torque, turn_in_space(state.q[k], work.elastic.turned[k]))
            continue
        e0, e = edge_at(rod, work.old.x, i), edge_at(rod, state.x, i)
        turned += dot(torque, cross(e0, e)) / sqrt(dot(e0, e0) * dot(e, e) + 1e-300)
        spun += state.torque[f] * work.implicit.frames[f].turn
    return (turned + spun, 0.0) if rod.rolls else (turned, spun)


@kernel
def edge_at(rod: np.record, x: np.ndarray, i: int) -> Vector:
    """The edge [m] of a ROD that leaves its vertex i at x (N, 3)."""
    return plus(vector(x[i + 1 if i < rod.last else rod.first]), -1.0, vector(x[i]))


@kernel
def energy_of(body: np.record, pose: np.record) -> float:
    """Kinetic energy [J] of a BODY as BODY_STATE has it."""
    l, total = turned_in(pose, vector(pose.l)), 0.5 * body.mass * dot(pose.v, pose.v)
    for c in range(3):
        total += 0.5 * l[c] * l[c] / body.inertia[c]
    return total


@kernel
def quiet_of(body: np.record, h: float) -> float:
    """What would move a BODY by QUIET of its radius of gyration in a step of h [s] [J]."""
    least = min(body.inertia[0], body.inertia[1], body.inertia[2])
    return 0.5 * least * (QUIET / h) ** 2


@kernel
def spin_energies(model: Model, state: State, work: Workspace, r: int, h: float) -> tuple[float, float]:
    """Kinetic energies [J] of how frames of rod r turn, at both ends of an implicit step of h [s]."""
    rod, first, last = model.rods[r], 0.0, 0.0
    for f in range(rod.frame, rod.last + r + 2):
        if is_given(rod, state.fixed, f):
            continue
        if rod.cosserat:
            k = rod.segment + f - rod.frame
            for c in range(3):
                mobility = model.mobility[k, c // 2]
                if mobility > 0.0:
                    first += 0.5 * state.omega[k, c] ** 2 / mobility
                    last += 0.5 * work.elastic.omega[k, c] ** 2 / mobility
        else:
            own = 0.5 * inertia(model, r, f)
            first, last = first + own * state.spin[f] ** 2, last + own * (work.implicit.frames[f].turn / h) ** 2
    return first, last


@kernel
def led_by(model: Model, state: State, work: Workspace, p: int) -> float:
    """What pin p does in an implicit step [J], at most: against what pulls at its vertices at the end, or did when it
    began, whichever is more, and in between as much more as these differ by; and where it turns.
    """
    pin, total, turned = model.pins[p], 0.0, 0.0
    if state.holds[p].state == FREE:
        work.pulls_now[p].force[:] = 0.0
        work.pulls_now[p].moment = 0.0
        return 0.0
    find_pull(model, state, work, work.elastic.turned, p)
    before, now = work.pulls[p], work.pulls_now[p]
    if pin.clamp >= 0:
        turned += apart(state.clamp_frame[pin.clamp], work.old.clamp_frame[pin.clamp])
    if pin.ghost >= 0:
        ghost = state.ghosts[pin.ghost].edge
        turned += apart(ghost, work.old.ghosts[pin.ghost].edge) / sqrt(dot(ghost, ghost))
    for k in range(2):
        i = pin.second if k else pin.node
        if i >= 0:
            way = plus(vector(state.x[i]), -1.0, vector(work.old.x[i]))
            total -= min(dot(before.force[k], way), dot(now.force[k], way))
            total += apart(before.force[k], now.force[k]) * sqrt(dot(way, way))
    return total + turned * (before.moment + now.moment)


@kernel
def find_pull(model: Model, state: State, work: Workspace, q: np.ndarray, p: int) -> None:
    """Into work.pulls_now: what rods pull at pin p with, their segments at q (S, 4)."""
    pin, now, own = model.pins[p], work.pulls_now[p], work.implicit
    now.moment = 0.0
    for k in range(2):
        i = pin.second if k else pin.node
        if i >= 0:
            force, moment = elastic_pull(model, state, own, q, work.elastic.e, i)
            if not model.rods[pin.rod].cosserat:
                force = plus(force, 1.0, pull_at(model, state, own.pull, i))
            now.force[k, 0], now.force[k, 1], now.force[k, 2] = force
            now.moment += moment


@kernel
def led_by_pulley(model: Model, work: ConstraintScratch, q: int, h: float) -> float:
    """What leads pulley q does on its rod in a step of h [s] [J]; no body carries it."""
    own = work.pulls[q]
    if own.run < 0 or model.pulleys[q].body >= 0:
        return 0.0
    tail = model.length_system.links[model.length_system.runs[own.run].link].tail
    way, total = plus(vector(own.place), -1.0, vector(own.start)), 0.0
    for side in range(2):
        total += dot(way, own.slope[side]) + dot(way, own.turning[side])
    return work.multiplier[tail] / (h * h) * model.edges[tail].length * total


@kernel
def lengthened(model: Model, state: State, work: Workspace, row: np.record, h: float, implicit: bool) -> float:
    """What edges of a KEYED that keep their lengths do in a step of h [s] [J] as these go with time; in an implicit one
    at most, by what they pull with at its begin or its end.
    """
    rod, total, time = model.rods[row.rod], 0.0, state.clock[0].time
    if rod.stretchable or rod.cosserat:
        return 0.0
    if row.reels != 0:
        return reeled(model, state, work, row, h, implicit)
    before, now = number(model.keyed.keys, row, LENGTH, time), number(model.keyed.keys, row, LENGTH, time + h)
    for j in range(rod.first, rod.last + int(rod.closed)):
        length = model.keyed.edges[j].length
        if implicit:
            pushes = state.tension[j] * before * length, -work.implicit.pull[j]
            total += max(pushes[0] * (now - before), pushes[1] * (now - before)) * length
        else:
            total += work.constraints.multiplier[j] / (h * h) * 0.5 * (now * now - before * before) * length * length
    return total


@kernel
def reeled(model: Model, state: State, work: Workspace, row: np.record, h: float, implicit: bool) -> float:
    """The same of the edge at a winch."""
    rod, reels = model.rods[row.rod], row.reels
    f = first_out(rod, reels)
    j, now = edge(rod, reels, f - 1), model.edges[edge(rod, reels, f - 1)].length
    before = apart(work.old.x[vertex(rod, reels, f - 1)], work.old.x[vertex(rod, reels, f)])
    if implicit:
        return max(state.tension[j] * before * (now - before), -work.implicit.pull[j] * (now - before))
    return work.constraints.multiplier[j] / (h * h) * 0.5 * (now * now - before * before)


@kernel
def apart(a: np.ndarray, b: np.ndarray) -> float:
    """|a − b|."""
    d = plus(vector(a), -1.0, vector(b))
    return sqrt(dot(d, d))


@kernel
def pull_at(model: Model, state: State, pull: np.ndarray, i: int) -> Vector:
    """What the edges at vertex i of a Kirchhoff rod pull it with [N], at their ends now; pull (N,) [N]: tensions of
    those that keep their lengths.
    """
    rod, force = model.rods[model.nodes[i].rod], (0.0, 0.0, 0.0)
    before, behind = edges_at(rod, i)
    for k in (before, behind):
        if k < 0:
            continue
        tail = i if k == behind else k
        e = plus(vector(state.x[k]), -1.0, vector(state.x[i]))
        size = sqrt(dot(e, e))
        tension = pull[tail]
        if rod.stretchable:
            tension = model.edges[tail].stretch * stress(size / model.edges[tail].length)[0]
        force = plus(force, tension / size, e)
    return force


@kernel
def pressed(
    model: Model,
    state: State,
    nodes: tuple[np.ndarray, np.ndarray, np.ndarray],
    bodies: np.ndarray,
    contacts: np.ndarray,
    unit: float,
    h: float,
) -> tuple[float, float]:
    """(what led surfaces, and what overlapped, give through contacts in a step of h [s] [J]; what friction takes [J],
    but where frames turn, for it is unknown there how far it slips). Led vertices that touch take from what is given.
    What comes apart faster than overlaps recover is what sweeps have missed: a short step throws it.

    nodes: x and x0 (N, 3) at both ends of the step, w (N,), of the Model's nodes and, counted on from these, those of
    soft bodies; bodies: BODY_STATE (B,) where it began.
    """
    given, rubbed, (x, x0, w), springs = 0.0, 0.0, nodes, model.world[0].springs
    for row in contacts:
        if row.normal <= 0.0:
            continue
        f = scaled(unit, pressing(row))
        way = scaled(-1.0, vector(row.drift))
        for k in range(4):
            if row.share[k] != 0.0:
                i = row.node[k]
                moved = plus(vector(x[i]), -1.0, vector(x0[i]))
                way = plus(way, row.share[k], moved)
                if is_led(model, state, i) if i < len(model.nodes) else w[i] == 0.0:
                    given -= row.share[k] * dot(f, moved)
        for side in range(2):
            b = row.body[side]
            if b >= 0:
                way = plus(way, 1.0 - 2.0 * side, gone(row, side, state.bodies[b], bodies[b]))
        recovered = inf if springs else RECOVERY_SPEED * row.radius * h
        given += dot(f, row.drift) + unit * row.normal * min(max(dot(row.n, way), 0.0), recovered)
        if carriers(row) & FRAMES:  # friction takes from a spin what it gives
            given += unit * max(dot(row.along, way), 0.0)
        else:
            rubbed += unit * max(-dot(row.along, way), 0.0)
    return given, rubbed


@kernel
def measure_work(model: Model, state: State, work: Workspace, h: float) -> None:
    """Into work.look, at the end of an explicit step of h [s] whose velocities are still those that forces alone gave:
    what constraints and contacts have done, kinetic energy where it began, and what is too little to be seen.
    """
    look, nodes, old = work.look[0], model.nodes, work.old
    won = before = quiet = 0.0
    for i in range(len(nodes)):
        if state.w[i] == 0.0 or state.w[i] != nodes[i].w:
            continue
        m, was = nodes[i].mass, vector(old.v[i])
        now = scaled(1.0 / h, plus(vector(state.x[i]), -1.0, vector(old.x[i])))
        won += 0.5 * m * dot(plus(now, -1.0, vector(state.v[i])), plus(now, 1.0, was))
        before += 0.5 * m * dot(was, was)
        quiet += 0.5 * m * (QUIET * nodes[i].radius / h) ** 2
    for b in range(len(model.bodies)):
        body, now, was, free = model.bodies[b], state.bodies[b], old.bodies[b], work.foreseen[b]
        push = plus(vector(now.v), -1.0, vector(free.v))
        won += 0.5 * body.mass * dot(push, plus(vector(now.v), 1.0, vector(was.v)))
        moment = plus(vector(now.l), -1.0, vector(free.l))
        won += 0.5 * (power_of(body, now, moment) + power_of(body, was, moment))
        before += energy_of(body, was)
        quiet += quiet_of(body, h)
    look.won, look.given, look.held, look.quiet = won, 0.0, before, quiet


@kernel
def power_of(body: np.record, pose: np.record, moment: Vector) -> float:
    """ω·moment of a BODY as BODY_STATE has it."""
    l, turn, total = turned_in(pose, vector(pose.l)), turned_in(pose, moment), 0.0
    for c in range(3):
        total += turn[c] * l[c] / body.inertia[c]
    return total


@kernel
def led_along(model: Model, state: State, work: Workspace, p: int, h: float) -> float:
    """What pin p does in an explicit step of h [s] [J] against edges that keep their lengths, as these lay before."""
    pin, total = model.pins[p], 0.0
    rod = model.rods[pin.rod]
    if state.holds[p].state == FREE or rod.stretchable or rod.cosserat:
        return 0.0
    for i in (pin.node, pin.second):
        if i < 0:
            continue
        way = plus(vector(state.x[i]), -1.0, vector(work.old.x[i]))
        if dot(way, way) == 0.0:
            continue
        before, behind = edges_at(rod, i)
        for k in (before, behind):
            if k >= 0:
                tail = i if k == behind else k
                e = plus(vector(work.old.x[k]), -1.0, vector(work.old.x[i]))
                total += work.constraints.multiplier[tail] / (h * h) * dot(e, way)
    return total
