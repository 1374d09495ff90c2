"""What the end of a step must be like: nothing has moved further than half a radius against what it may touch, no
centre line has passed through another or through a surface, no overlap has become deep in it, no clamp has turned by
much, nor an edge, its directors or a vertex's angle in explicit steps, and directors lie along their edges. Rods in
implicit steps of Preview may move by 1.8 radii against each other: less than the 1.95 that their lines are apart, at
least, so none can pass through another unseen; and in all implicit ones as far as they slide along each other (see
contact/sliding).

What the list of pairs leaves out cannot have met: it holds every pair that twice the largest motion could close; of
implicit steps, which list by how things are expected to go, see contact/surprise. Where edges have grown by more than
it allows for, all pairs are looked at.
"""

from math import inf

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..constraints.pins import is_held
from ..contact.along_rod import adjoin, edge_before, nearest
from ..contact.carriers.chain import moved as way_of
from ..contact.carriers.led_surface import fastest
from ..contact.carriers.wall import height
from ..contact.contact_features import BODY, PLANE, ROD, first_thing, second_thing
from ..contact.feature_passage import deepened as features_deepened
from ..contact.feature_passage import passed as features_passed
from ..contact.feature_passage import step_of, went_beyond
from ..contact.pair_list import contact_margin, pairs_within, reckon, spread, stretched
from ..contact.passage import FAR, relative_motion, sank, separation
from ..contact.scratch import ContactScratch
from ..contact.sliding import slides_truly
from ..contact.surface_contact import collider_of, thickest
from ..contact.surface_pairs import SMALLEST, gaps_closed, list_strayed, ways
from ..contact.surface_passage import deepened, passed
from ..model import CAPSULES, FEATURES, SURFACES, Model, OldState, State
from ..rods.chain import head_of, rod_at
from ..rods.director_motion import gone_astray
from ..rods.in_pulleys import runs_through
from ..rods.winch import out_of
from .symplectic_euler import DONE, OVERSTRETCHED, PAIRS_FULL, TOO_DEEP, TOO_FAR, fastest_rod
from .workspace import Workspace

DEEP = 0.05  # of the smaller radius
TURNED = 0.5  # rad, of an edge, twice what steps are chosen for, and a clamp: half a turn is as one the other way
FOLDED = (
    0.9  # what `folded` measures may become this part of, or the inverse: energy goes by its inverse square. A chain
)
# that snaps straight keeps its energy to 4 % by that; by .75 it doubles it in a few folds
Way = tuple[np.ndarray, np.ndarray]  # from where (N, 3) [m], and how far where steps are implicit: see surprise
CREEP = 1.0  # radii a second by which what is deep may go deeper; what was drawn so may, where others push it


@kernel
def verify(
    model: Model, state: State, work: Workspace, clear: float, moved: float, count: int, h: float
) -> tuple[int, int, int]:
    """(DONE or what is wrong, the rod it concerns, the other one) of a step attempted from work.old.x; counted on from
    rods, they are colliders, from these bodies, and behind them the floor.

    clear [m]: how far anything may move against the whole; moved [m]: how far it seemed to, before the projection;
    count: of contacts found at work.old.x.
    """
    rods, world, x0 = model.rods, model.world[0], work.old.x
    r, ended = turned(model, state, work.old), (DONE, 0, 0)
    if r < 0 and len(model.chain_system.chains) == 0:
        r = folded(model, state, x0)
    for k in range(len(rods)):
        if r < 0 and rods[k].cosserat and gone_astray(model, k, state, x0, work.elastic, TURNED, h):
            r = k
    if r >= 0:
        return TOO_FAR, r, r
    if len(model.planes) > 0:
        status, i = judge_planes(model, state, x0, h)
        if status != DONE:
            return status, rod_at(rods, i), floor_of(model)
    if len(model.surfaces.faces) > 0:
        ended = judge_surfaces(model, state, x0, work.contact, count, h)
    if ended[0] == DONE and state.listings[FEATURES].count >= 0:
        ended = judge_features(model, state, work.old, h)
    if ended[0] != DONE or world.skin <= 0.0:
        return ended
    motion = 2.0 * spread(state.x, x0)
    thrown = motion > contact_margin(world, moved) + DEEP * world.thinnest  # by the projection
    if thrown or motion > 2.0 * clear:
        r = fastest_rod(rods, state.x, x0)
        return OVERSTRETCHED if thrown else TOO_FAR, r, r
    way = x0, work.contact.done
    ended = judge_pairs(model, state, work.contact.contacts[:count], way, motion, h)
    if (
        ended[0] == DONE
        and not stretched(model.capsules, rods, state.x, state.listed) <= state.listings[CAPSULES].longer
    ):
        ended = judge_all_pairs(model, state, way, work.contact, motion, h)
    return ended


@entry
def judge_surfaces(
    model: Model, state: State, x0: np.ndarray, work: ContactScratch, count: int, h: float
) -> tuple[int, int, int]:
    """What `verify` says of everything that touches surfaces."""
    i, reached = pierced(model, state, x0, work, count, h)
    strayed = list_strayed(model, state, x0, h, work) if i < 0 else 0
    if strayed > len(work.found):
        return PAIRS_FULL, 0, 0
    for k in range(2):
        pairs = work.found[:strayed] if k == 0 else state.surface_pairs[: max(state.listings[SURFACES].count, 0)]
        if i < 0 and (k == 0 or reached):
            i = passed(model, state, pairs, x0, h, work.gone)
        if i >= 0:
            rod = rod_at(model.rods, i)
            return TOO_FAR, rod, rod
        p = deepened(model, state, pairs, x0, h, (DEEP, CREEP * h), work)
        if p >= 0:
            return TOO_DEEP, rod_at(model.rods, pairs[p].i), len(model.rods) + collider_of(model.surfaces, pairs[p].j)
    return DONE, 0, 0


@entry
def judge_features(model: Model, state: State, old: OldState, h: float) -> tuple[int, int, int]:
    """What `verify` says of all pairs with bodies."""
    rods, colliders = len(model.rods), len(model.surfaces.colliders)
    pairs, went = state.feature_pairs[: state.listings[FEATURES].count], step_of(model, state, old, h)
    if went_beyond(state, went[2]):
        return TOO_FAR, rods + colliders, rods + colliders
    status, p = TOO_FAR, features_passed(model, state, pairs, went)
    if p < 0:
        status, p = TOO_DEEP, features_deepened(model, state, pairs, went, (DEEP, CREEP * h))
    if p < 0:
        return DONE, 0, 0
    one, other = first_thing(model, pairs[p].i), second_thing(model, pairs[p].j)
    a, b = number_of(model, one), number_of(model, other)
    given = one[0] == ROD or other[0] == PLANE
    return status, a if given else max(a, b), b if given else min(a, b)


@kernel
def number_of(model: Model, thing: tuple[int, int]) -> int:
    """Among rods, colliders, bodies and the floor, of a thing as `contact_features` has it."""
    of, k = thing
    if of == PLANE:
        return floor_of(model)
    return k if of == ROD else len(model.rods) + k + (len(model.surfaces.colliders) if of == BODY else 0)


@entry
def judge_pairs(
    model: Model, state: State, contacts: np.ndarray, way: Way, motion: float, h: float
) -> tuple[int, int, int]:
    """What `verify` says of everything that touches, where nothing moved further than `motion` [m] against anything."""
    rods, capsules, pairs = model.rods, model.capsules, state.pairs
    for q in range(len(contacts)):
        if contacts[q].listing != CAPSULES:
            continue
        i, j = pairs[contacts[q].pair].i, pairs[contacts[q].pair].j
        lengthens = capsules[i].rod == capsules[j].rod and rods[capsules[i].rod].stretchable
        if not lengthens and contacts[q].gap - motion > -DEEP * min(capsules[i].radius, capsules[j].radius):
            continue  # not even all that has moved would bring them so near
        for before in range(4):
            k = edge_before(capsules, rods, i) if before % 2 else i
            l = edge_before(capsules, rods, j) if before // 2 else j
            if k >= 0 and l >= 0:
                status = judge(model, state, k, l, (before % 2 == 1, before // 2 == 1), way, motion, h)
                if status != DONE:
                    return status, capsules[i].rod, capsules[j].rod
    may_slide = len(model.chain_system.chains) > 0 and motion > FAR * model.world[0].thinnest
    return slid_into(model, state, way, motion, h) if may_slide else (DONE, 0, 0)


@kernel
def slid_into(model: Model, state: State, way: Way, motion: float, h: float) -> tuple[int, int, int]:
    """The same of how deep any pair that is listed ends: what may move by more than half a radius slides by more than
    an edge, to where neither its contacts nor those of the next edges were.
    """
    capsules, pairs = model.capsules, state.pairs
    for p in range(max(state.listings[CAPSULES].count, 0)):
        one, two = capsules[pairs[p].i], capsules[pairs[p].j]
        px, py, pz, _, _ = separation(state.x, one.tail, one.head, two.tail, two.head)
        least = one.radius + two.radius - DEEP * min(one.radius, two.radius)
        if px * px + py * py + pz * pz < least * least:
            status = judge(model, state, pairs[p].i, pairs[p].j, (False, False), way, motion, h)
            if status != DONE:
                return status, one.rod, two.rod
    return DONE, 0, 0


@entry
def judge_all_pairs(
    model: Model, state: State, way: Way, work: ContactScratch, motion: float, h: float
) -> tuple[int, int, int]:
    """The same of all pairs that overlap in the end, listed or not."""
    reckon(state.x, work.done, 0.0, work.reckoned)
    count = pairs_within(model, 0.0, 0.0, 0.0, work)
    if count > len(work.found):
        state.listings[CAPSULES].asked = count
        return PAIRS_FULL, 0, 0
    for p in range(count):
        i, j = work.found[p].i, work.found[p].j
        status = judge(model, state, i, j, (False, False), way, motion, h)
        if status != DONE:
            return status, model.capsules[i].rod, model.capsules[j].rod
    return DONE, 0, 0


@kernel
def judge(
    model: Model, state: State, i: int, j: int, before: tuple[bool, bool], way: Way, motion: float, h: float
) -> int:
    """DONE, TOO_FAR or TOO_DEEP: what capsules i and j did on the way to state.x; nothing moved further than `motion`
    [m] against anything. before: of each, whether it counts only where, nearest at their ends, the contact of the next
    edge stands for them.
    """
    capsules, x, (i_before, j_before), (x0, moves) = model.capsules, state.x, before, way
    one, two = capsules[i], capsules[j]
    if adjoin(one, two):
        return DONE
    thin, reach = min(one.radius, two.radius), one.radius + two.radius
    far = motion > model.world[0].reach * thin and not (i_before or j_before)
    far = far and relative_motion(x, x0, one.tail, one.head, two.tail, two.head) > model.world[0].reach * thin
    explicit = len(model.chain_system.chains) == 0
    if far and (explicit or not slides_truly(x0, moves, one, two, 1.0)):
        return TOO_FAR
    apart, (s1, t1), bent = nearest(capsules, model.rods, i, j, x, 0.0)
    if bent < 0 or (dot(apart, apart) > motion * motion and dot(apart, apart) > (reach - DEEP * thin) ** 2):
        return DONE
    drawn = max(state.rods[one.rod].drawn_in, state.rods[two.rod].drawn_in)
    creep = CREEP * thin * h if drawn <= DEEP else inf
    old, (s, t), _ = nearest(capsules, model.rods, i, j, x0, 0.0)
    inside = 0.0 < s1 < 1.0 and 0.0 < t1 < 1.0 and 0.0 < s < 1.0 and 0.0 < t < 1.0
    if not sank(apart, old, inside, reach, DEEP * thin, creep):
        return DONE
    stood_for = (s == 1.0 or not i_before) and (t == 1.0 or not j_before)
    if i_before and j_before and one.rod != two.rod:
        stood_for = s == 1.0 or t == 1.0
    return TOO_DEEP if stood_for else DONE


@kernel
def turned(model: Model, state: State, old: OldState) -> int:
    """The rod of the first clamp that has turned too far while it held, or −1: its frame, or its direction."""
    frame, frame0, ghosts, ghosts0 = state.clamp_frame, old.clamp_frame, state.ghosts, old.ghosts
    for r in range(len(model.rods)):
        for k in range(model.rods[r].first_clamp, model.rods[r].end_clamp):
            e = model.clamps[k].frame
            if state.fixed[e] and old.fixed[e] and further(frame[k], frame0[k], 1.0):
                return r
        for k in range(2 * r, 2 * r + 2):
            edge, held = ghosts[k].edge, ghosts[k].held and ghosts0[k].held
            if held and further(edge, ghosts0[k].edge, dot(edge, edge)):
                return r
    return -1


@kernel
def further(now: np.ndarray, before: np.ndarray, square: float) -> bool:
    """Whether a vector (3,) of this length squared has turned too far."""
    x, y, z = now[0] - before[0], now[1] - before[1], now[2] - before[2]
    return x * x + y * y + z * z > TURNED**2 * square


@kernel
def folded(model: Model, state: State, x0: np.ndarray) -> int:
    """The first rod of which an edge that is in no pulley has turned by more than TURNED from x0 (N, 3), or a vertex
    folded or unfolded at once, or −1.

    Between unit edges t and u the length of t + u is 2 cos of half the angle they turn by. It is nought where they are
    folded, which takes endless energy: a step over that, or close to it, would gain what no step before it had. Not so
    of Cosserat rods, which bend by their directors. At a winch an edge begins and ends with no length.
    """
    rods, edges, x = model.rods, model.edges, state.x
    for r in range(len(rods)):
        a, end = out_of(rods[r])
        n, hinged = end - a + 1, not rods[r].cosserat
        t0 = t1 = (0.0, 0.0, 0.0)
        for k in range(n + 1 if rods[r].closed else n - 1):
            i, j = a + k % n, a + (k + 1) % n
            part, u0, u1 = 1.0 / edges[i].length, t0, t1
            if runs_through(state.pulleys, i):
                t0 = t1 = (0.0, 0.0, 0.0)
                continue
            t0 = scaled(part, plus(vector(x0[j]), -1.0, vector(x0[i])))
            t1 = scaled(part, plus(vector(x[j]), -1.0, vector(x[i])))
            way = plus(t1, -1.0, t0)
            if dot(way, way) > TURNED * TURNED:
                return r
            s0, s1 = plus(t0, 1.0, u0), plus(t1, 1.0, u1)
            before, behind, least = dot(s0, s0), dot(s1, s1), FOLDED * FOLDED
            if k > 0 and hinged and (min(before, behind) < least * max(before, behind) or dot(s0, s1) < 0.0):
                return r
    return -1


@kernel
def judge_planes(model: Model, state: State, x0: np.ndarray, h: float) -> tuple[int, int]:
    """(TOO_FAR, a vertex that in a step of h [s] has moved further than half a radius from x0 (N, 3) towards a wall and
    into it), (TOO_DEEP, one that was not drawn so and has gone deeper than DEEP), or (DONE, −1). What a pin holds goes
    where it is led.
    """
    for p in range(len(state.plane_pairs)):
        pair = state.plane_pairs[p]
        i, wall, radius = pair.i, model.planes[pair.j], model.nodes[pair.i].radius
        gap = height(wall, state.x[i]) - radius
        if gap < 0.0 and not is_held(model, state, i):
            came = height(wall, x0[i]) - radius - gap
            if came > FAR * radius:
                return TOO_FAR, i
            if gap < -DEEP * radius and came > CREEP * radius * h and pair.gap >= -DEEP * radius:
                return TOO_DEEP, i
    return DONE, -1


@kernel
def floor_of(model: Model) -> int:
    """The number of the floor: behind rods, colliders and bodies."""
    return len(model.rods) + len(model.surfaces.colliders) + len(model.bodies)


@kernel
def pierced(model: Model, state: State, x0: np.ndarray, work: ContactScratch, count: int, h: float) -> tuple[int, bool]:
    """(a vertex from x0 (N, 3) that has moved too far into a surface in a step of h [s], or −1; whether centre lines
    may have come to any listed pair). work.gone and went become those of
    the step to its end, work.margin how far edges have moved in it.
    """
    listed, reached = state.surface_listed, False
    for q in range(count):
        row = work.contacts[q]
        if row.listing == SURFACES:
            closer = dot(row.n, row.drift) - dot(row.n, way_of(row, state.x, x0))
            if closer > model.world[0].reach * row.radius and row.gap < closer:
                return row.node[0], True
    led, way = fastest(model.surfaces) * h, work.margin
    ways(model, state.x, x0, way)
    gaps_closed(model, state, x0, h, work.gone)
    for i in range(len(x0)):
        gone = work.gone[i]
        if not gone < inf:
            return i, True
        if not reached and listed[i, SMALLEST] <= gone:
            reached = listed[i, SMALLEST] <= gone - thickest(model, i, head_of(model, i))
        work.went[i] += way[i] + led
    return -1, reached
