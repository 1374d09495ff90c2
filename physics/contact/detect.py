"""Which of the pairs that may touch do so in a step, and where: rows of contacts, frozen at the old positions."""

from math import sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..model import CAPSULES, FEATURES, SURFACES, Model, OldState, State
from .along_rod import adjoin, edge_after, edge_length, nearest
from .carriers import body, frame, wall
from .carriers.led_surface import moment
from .carriers.points import weigh
from .contact_features import BODY as OF_BODY
from .contact_features import first_thing, of_one, second_thing
from .feature_contact import features_meet
from .feature_list import measure_anew
from .inequality_constraints import GIVE
from .kept_forces import begin, pair_of
from .passage import FAR, closing_along
from .room import has_rows
from .scratch import BODY, LED, PLANES, VERTICES, WORLD, ContactScratch, clear
from .surface_contact import rub, surface_meets

VAIN = 0.125  # of listed pairs: to measure all costs what looking at all does, and spares that for some steps
HELD = 0.025  # of the smaller radius: what is deeper is held wherever it is; half of what a step may end with
ON_EACH_OTHER = 0.01  # of the smaller radius: nearer, lines say little of which way they are apart
LEANING = 0.1  # sine of the angle by which the way between edges may lean along one that lies down along the other
ALONG = 1e-6  # sin² of the angle between edges that go the same way
SPREAD = 0.05  # of the smaller radius: edges that part by less over their overlap touch in its middle
AT_END = 1e-3  # of the smaller radius: what is nearer to the far end of an edge is at it
LONGEST_PUSH = 0.25  # of the shortest edge: beyond that the chains' linear answer is of no use


@kernel
def detect(
    model: Model,
    state: State,
    old: OldState,
    slaves: np.ndarray,
    work: ContactScratch,
    margin: float,
    of_step: tuple[float, float],
    ahead: bool,
) -> int:
    """Collect the pairs of capsules nearer than `margin` [m] at the old positions, or that and what they are expected
    to close by, and the vertices that are, or are about to be, near a wall, as rows of work.contacts; returns how
    many. slaves: with their arms; of_step: (how long it is [s], unit of the contacts' impulses in it [1/N]); ahead:
    those of surfaces are frozen where things are expected. −1: there is no room for them.
    """
    h, unit = of_step
    pairs, contacts, count = state.pairs[: max(state.listings[CAPSULES].count, 0)], work.contacts, 0
    found = meeting_capsules(
        model.capsules, model.rods, pairs, old.x, work.foreseen, margin, state.listings[CAPSULES], contacts
    )
    for q in range(min(found, len(contacts))):
        row = contacts[q]
        if row.rod[0] == row.rod[1] and model.rods[row.rod[0]].stretchable:
            lead_along(model.capsules, model.rods, pairs[row.pair], state.x, row)
    if state.listings[FEATURES].count > 0:
        found = meeting_features(model, state, old, contacts, found, h)
    if len(state.plane_pairs) > 0:
        found = meeting_vertices(model.nodes, model.planes, state.plane_pairs, old.x, state.x, contacts, found)
    if len(model.surfaces.faces) > 0:
        if ahead:
            expect(state, old.x, work.done)
        found = meeting_surfaces(model, state, old.x, work, found, h, ahead)
    if not has_rows(state, len(contacts), found):
        return -1
    if found > 0:
        body.prepare(model.bodies, old.bodies, state.bodies, work.pushes)
    held = model.bodies, model.slaves, slaves, work.pushes
    for q in range(found):
        row = contacts[q]
        if may_press(model, state, old.x, state.w, row, held, work.frames, unit):
            row.give = GIVE if is_led_against_body(model, state, row) else 0.0
            if count < q:
                contacts[count] = contacts[q]
            count += 1
    bear_loads(contacts[:count], model.bodies, work.pushes)
    return count


@kernel
def bear_loads(contacts: np.ndarray, bodies: np.ndarray, pushes: np.ndarray) -> None:
    """What is led gives by a part of what a push would move the heaviest body by, of all that lean on the one that it
    touches: else that would sink in under what it bears. pushes: BODY_PUSH of bodies that nothing has pushed yet.
    """
    changed = False
    for q in range(len(contacts)):
        changed = changed or contacts[q].give > 0.0
    for b in range(len(bodies) if changed else 0):
        pushes[b].moment[0] = bodies[b].w
    while changed:
        changed = False
        for q in range(len(contacts)):
            one, other = contacts[q].body[0], contacts[q].body[1]
            if one >= 0 and other >= 0 and pushes[one].moment[0] != pushes[other].moment[0]:
                least = min(pushes[one].moment[0], pushes[other].moment[0])
                pushes[one].moment[0] = pushes[other].moment[0] = least
                changed = True
    for q in range(len(contacts)):
        if contacts[q].give > 0.0:
            contacts[q].give *= pushes[contacts[q].body[0]].moment[0] / bodies[contacts[q].body[0]].w
    for b in range(len(bodies)):
        pushes[b].moment[0] = 0.0


@kernel
def may_press(
    model: Model, state: State, x0: np.ndarray, w: np.ndarray, row: np.record, held: body.Held, frames: np.ndarray,
    unit: float,
) -> bool:  # fmt: skip
    """Begin a CONTACT with its pair's force and the mobility of what carries its points, vertices of rods being at x0
    (N, 3); whether they can move at all. w: of all nodes; held, frames: see `carriers.points`; unit [1/N]: of impulses.
    """
    begin(row, pair_of(state, row).force, unit)
    weigh(row, model.nodes, w, held)
    for side in range(2):
        if row.rod[side] >= 0:
            row.longest = min(row.longest, LONGEST_PUSH * model.rods[row.rod[side]].shortest)
    frame.take(model, state, x0, row, frames)
    return row.weight > 0.0


@kernel
def is_led_against_body(model: Model, state: State, row: np.record) -> bool:
    """Whether a CONTACT is of a body and a collider that is led, which may have closed on it."""
    if not (row.carrier[0] & BODY and row.carrier[1] & LED):
        return False
    pair = state.feature_pairs[row.pair]
    one, other = first_thing(model, pair.i), second_thing(model, pair.j)
    return model.surfaces.colliders[other[1] if one[0] == OF_BODY else one[1]].led


@kernel
def meeting_capsules(
    capsules: np.ndarray,
    rods: np.ndarray,
    pairs: np.ndarray,
    x: np.ndarray,
    moves: np.ndarray,
    margin: float,
    listing: np.record,
    contacts: np.ndarray,
) -> int:
    """Fill rows with what `capsules_meet` says of all pairs of a LISTING; returns how many meet. Moves (N, 3) [m] do
    not count where pairs are listed whatever those are.
    """
    count, ahead, last = 0, listing.age_at_step_end > 0.0, len(contacts) - 1
    for p in range(len(pairs)):
        row = contacts[min(count, last)]
        if pairs[p].gap <= listing.near + listing.age_at_step_end * pairs[p].closing and capsules_meet(
            capsules, rods, pairs[p], x, moves, ahead, margin, row
        ):
            row.listing, row.pair = CAPSULES, p
            count += 1
    return count


@kernel
def meeting_vertices(
    nodes: np.ndarray,
    planes: np.ndarray,
    pairs: np.ndarray,
    x0: np.ndarray,
    x: np.ndarray,
    contacts: np.ndarray,
    count: int,
) -> int:
    """Fill the rows behind the first `count` with what `vertex_meets` says of all pairs; returns how many there are."""
    for p in range(len(pairs)):
        i, j = pairs[p].i, pairs[p].j
        row = contacts[min(count, len(contacts) - 1)]
        if vertex_meets(nodes[i], planes[j], x0[i], x[i], pairs[p], row):
            row.listing, row.pair = PLANES, p
            count += 1
    return count


@entry
def meeting_surfaces(
    model: Model, state: State, x0: np.ndarray, work: ContactScratch, count: int, h: float, ahead: bool
) -> int:
    """Fill the rows of work.contacts behind the first `count` with what `surface_meets` says of all pairs; returns how
    many in all.
    """
    time, pairs, contacts, near, sliding = state.clock[0].time, state.surface_pairs, work.contacts, work.near, (-1, -1)
    parts = moment(model.surfaces, time), moment(model.surfaces, time + h)
    last, ways, come = -1, (0.0, 0.0), 0.0
    for p in range(state.listings[SURFACES].count):
        pair = pairs[p]
        if pair.i != last:
            last, ways = pair.i, (work.went[pair.i], work.margin[pair.i])
            come = ways[0] + ways[1] if ahead else ways[0]
        far = pair.gap > near[last] or pair.wakes_beside > come or pair.wakes_near > ways[0] + ways[1]
        if far and pair.force[0] == 0.0:
            continue
        row = contacts[min(count, len(contacts) - 1)]
        rubs = rub(model, pair)
        meets = surface_meets(model, pair, (x0, state.x, work.done if rubs else state.x), parts, ways, ahead, row)
        if meets:
            row.listing, row.pair = SURFACES, p
            count += 1
        sliding = slide(pairs, p, meets, sliding)
    return count


@kernel
def expect(state: State, x0: np.ndarray, places: np.ndarray) -> None:
    """Where vertices that rub are taken to be at the step's end, (N, 3) [m], of those from x0 to state.x: so far as
    velocities have changed evenly, 1 − |v − 2 v₋ + v₋₋|/|v|.
    """
    for i in range(len(x0)):
        v, ago, earlier = vector(state.v[i]), vector(state.past_v[i, 0]), vector(state.past_v[i, 1])
        uneven, square, part = plus(plus(v, -2.0, ago), 1.0, earlier), dot(v, v), 0.0
        if state.clock[0].past > 1 and square > 0.0:
            part = max(0.0, 1.0 - sqrt(dot(uneven, uneven) / square))
        for c in range(3):
            places[i, c] = x0[i, c] + part * (state.x[i, c] - x0[i, c])


@entry
def meeting_features(model: Model, state: State, old: OldState, contacts: np.ndarray, count: int, h: float) -> int:
    """Fill the rows behind the first `count` with what `features_meet` says of all pairs; returns how many in all. Gaps
    are measured anew where many are looked at in vain.
    """
    time, pairs, listing = state.clock[0].time, state.feature_pairs, state.listings[FEATURES]
    before = old.x, old.bodies, (moment(model.surfaces, time), 0.0)
    behind = state.x, state.bodies, (moment(model.surfaces, time + h), 1.0)
    low, high, vain = min(listing.near, listing.own_near), max(listing.near, listing.own_near), 0
    for p in range(listing.count):
        gap = pairs[p].gap
        near = gap <= low or (gap <= high and gap <= (listing.own_near if of_one(model, pairs[p]) else listing.near))
        if not near and pairs[p].force[0] == 0.0:
            continue
        row = contacts[min(count, len(contacts) - 1)]
        if features_meet(model, pairs[p], before, behind, row):
            row.listing, row.pair = FEATURES, p
            count += 1
        else:
            vain += 1
    if vain > VAIN * listing.count:
        measure_anew(model, state, old)
    return count


@kernel
def slide(pairs: np.ndarray, p: int, meets: bool, between: tuple[int, int]) -> tuple[int, int]:
    """What slides goes from feature to feature of a surface: where an edge, or the one before it, has left one, its
    force goes on where it has come to. Of all of `pairs`, PAIR, in order, p touches or not; between: one that has been
    left, and one that has been come to, or −1. Returns those that the next pair may go on with.
    """
    left, come = between
    left = left if left >= 0 and pairs[left].i >= pairs[p].i - 1 else -1
    come = come if come >= 0 and pairs[come].i >= pairs[p].i - 1 else -1
    if meets and pairs[p].force[0] == 0.0:
        come = p
    elif not meets and pairs[p].force[0] > 0.0:
        left = p
    if left < 0 or come < 0:
        return left, come
    for c in range(4):
        pairs[come].force[c], pairs[left].force[c] = pairs[left].force[c], 0.0
    return -1, -1


@kernel
def note_drawn(contacts: np.ndarray, rods: np.ndarray) -> None:
    """Write down how deep in each other rods are that touch, in State.rods: they were drawn so."""
    for q in range(len(contacts)):
        if contacts[q].listing == CAPSULES:
            for k in range(2):
                r = contacts[q].rod[k]
                rods[r].drawn_in = max(rods[r].drawn_in, -contacts[q].gap / contacts[q].radius)


@kernel(forceinline=True)
def capsules_meet(
    capsules: np.ndarray,
    rods: np.ndarray,
    pair: np.record,
    x: np.ndarray,
    moves: np.ndarray,
    ahead: bool,
    margin: float,
    row: np.record,
) -> bool:
    """Whether the two capsules of a pair are nearer than `margin` [m], or `ahead` than that and what they close by as
    vertices go by moves (N, 3) [m]: then where, in `row`.

    Where the nearest point is the far end of an edge that goes on, the next edge's pair stands for the approach; unless
    that shares a vertex with the other edge; or it is deep there: a sharp fold that is pushed apart at the next edge's
    own nearest point may close at this one; or edges lie down along each other.
    """
    one, two = capsules[pair.i], capsules[pair.j]
    thin = min(one.radius, two.radius)
    (nx, ny, nz), (s, t), bent = nearest(capsules, rods, pair.i, pair.j, x, SPREAD * thin)
    if bent < 0:
        return False
    square, reach = nx * nx + ny * ny + nz * nz, one.radius + two.radius + margin
    distance = sqrt(square)
    parted = distance > reach
    if parted and ahead:
        parted = distance > reach + closing_along(x, moves, (nx, ny, nz), distance, one, two)
    if parted:
        return False
    s, t = to_end(x, one, s, AT_END * thin), to_end(x, two, t, AT_END * thin)
    elsewhere = s == 1.0 and one.successor and not adjoin(capsules[edge_after(capsules, rods, pair.i)], two)
    elsewhere = elsewhere or (
        t == 1.0 and two.successor and not adjoin(capsules[edge_after(capsules, rods, pair.j)], one)
    )
    if elsewhere and not one.radius + two.radius - distance > HELD * thin:
        if not lies_down(capsules, rods, pair, x, (s, t), (nx, ny, nz)):
            return False
        nx, ny, nz = upright((nx, ny, nz), one, s, x)
        nx, ny, nz = upright((nx, ny, nz), two, t, x)
        distance = sqrt(nx * nx + ny * ny + nz * nz)
    clear(row, one.tail, VERTICES, VERTICES)
    row.node[1], row.node[2], row.node[3] = one.head, two.tail, two.head
    row.share[0], row.share[1], row.share[2], row.share[3] = 1.0 - s, s, t - 1.0, -t
    row.rod[0], row.rod[1] = one.rod, two.rod
    if distance > ON_EACH_OTHER * thin:
        row.n[0], row.n[1], row.n[2] = nx / distance, ny / distance, nz / distance
    else:
        row.n[0], row.n[1], row.n[2] = across(x, (one.tail, one.head), (two.tail, two.head), (nx, ny, nz))
    row.gap, row.radius = distance - one.radius - two.radius, thin
    row.friction = sqrt(one.friction * two.friction)
    return True


@kernel
def lead_along(capsules: np.ndarray, rods: np.ndarray, pair: np.record, x: np.ndarray, row: np.record) -> None:
    """Have a CONTACT of one rod, whose edges stretch, know by how much nearer the places that can touch come to be, as
    vertices go to about x (N, 3), than those that touch now: on what becomes longer they are others (see along_rod).
    """
    way, _, bent = nearest(capsules, rods, pair.i, pair.j, x, 0.0)
    if bent <= 0:
        return
    frozen = 0.0
    for k in range(4):
        frozen += row.share[k] * dot(row.n, x[row.node[k]])
    for c in range(3):
        row.drift[c] = (frozen - sqrt(dot(way, way))) * row.n[c]


@kernel
def to_end(x: np.ndarray, edge: np.record, s: float, near: float) -> float:
    """So far along a CAPSULE, 1 where that is nearer [m] to its far end: else a contact would go from it to the next
    edge and back by rounding alone.
    """
    return 1.0 if (1.0 - s) * edge_length(x, edge.tail, edge.head) < near else s


@kernel
def lies_down(
    capsules: np.ndarray, rods: np.ndarray, pair: np.record, x: np.ndarray, at: tuple[float, float], apart: Vector
) -> bool:
    """Whether two capsules, nearest so far along each, `apart` [m], meet at the far end of an edge as what lies down
    along the other does: across it, and the next edge nearer still, but further on. It closes from there edge by edge,
    in a step more than one, which a contact where they are nearest alone would let sink in.
    """
    thin = min(capsules[pair.i].radius, capsules[pair.j].radius)
    for side in range(2):
        i, j = (pair.i, pair.j) if side == 0 else (pair.j, pair.i)
        if at[side] < 1.0 or not capsules[i].successor:
            continue
        k = edge_after(capsules, rods, i)
        if adjoin(capsules[k], capsules[j]):
            return False
        leans, size = abs(dot(apart, way_along(capsules[i], x))), sqrt(dot(apart, apart))
        if leans >= LEANING * size or leans * edge_length(x, capsules[i].tail, capsules[i].head) < SPREAD * thin * size:
            return False
        (s, _), further = nearest(capsules, rods, k, j, x, SPREAD * thin)[1], capsules[k]
        if s * edge_length(x, further.tail, further.head) < AT_END * thin:
            return False  # the same point
    return True


@kernel
def upright(apart: Vector, capsule: np.record, s: float, x: np.ndarray) -> Vector:
    """What of `apart` is across a capsule, which goes on beyond its end, if s, so far along it, is that: what leans
    would push along the rods.
    """
    if s < 1.0 or not capsule.successor:
        return apart
    e = way_along(capsule, x)
    return plus(apart, -dot(apart, e), e)


@kernel
def way_along(capsule: np.record, x: np.ndarray) -> Vector:
    """Unit vector along a capsule."""
    d = plus(vector(x[capsule.head]), -1.0, vector(x[capsule.tail]))
    return scaled(1.0 / sqrt(dot(d, d)), d)


@kernel
def across(x: np.ndarray, one: tuple[int, int], two: tuple[int, int], apart: Vector) -> Vector:
    """The unit vector across two edges that lie on each other, to the side of the second on which the first is: `apart`
    [m] from it.
    """
    d = plus(vector(x[one[1]]), -1.0, vector(x[one[0]]))
    e = plus(vector(x[two[1]]), -1.0, vector(x[two[0]]))
    n = cross(d, e)
    if dot(n, n) <= ALONG * dot(d, d) * dot(e, e):  # any way is across both
        n = cross(d, (0.0, 0.0, 1.0) if d[2] * d[2] < 0.5 * dot(d, d) else (1.0, 0.0, 0.0))
    return scaled((-1.0 if dot(n, apart) < 0.0 else 1.0) / sqrt(dot(n, n)), n)


@kernel
def vertex_meets(
    node: np.record, plane: np.record, x0: np.ndarray, x: np.ndarray, pair: np.record, row: np.record
) -> bool:
    """Whether a vertex (one row of each table) at x0 (3,) is near a wall, or pressed against it, or will be near it at
    x (3,): then how, in `row`. What ends behind the wall from further away has moved too far for one step.
    """
    gap = wall.height(plane, x0) - node.radius
    if min(gap, wall.height(plane, x) - node.radius) > FAR * node.radius and pair.force[0] == 0.0:
        return False
    clear(row, pair.i, VERTICES, WORLD)
    row.share[0], row.rod[0] = 1.0, node.rod
    row.n[0], row.n[1], row.n[2] = plane.n[0], plane.n[1], plane.n[2]
    row.gap, row.radius, row.friction = gap, node.radius, sqrt(node.friction * plane.friction)
    return True
