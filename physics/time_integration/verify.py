"""What the end of a step must be like: nothing has moved further than half a radius against what it may touch, no
centre line has passed through another, no overlap has become deep in it, no clamp has turned by much.

What the list of pairs leaves out cannot have met: it holds every pair that twice the largest motion could close.
"""

from .._jit import njit
from ..contact.broad_phase import near_along_rod, reach_of
from ..contact.inequality_constraints import GAP, edge_before
from ..contact.pair_list import contact_margin, spread
from ..contact.passage import relative_motion, sank
from ..model import INFLUENCE
from ..rods.chain import rod_at
from .symplectic_euler import DONE, OVERSTRETCHED, TOO_DEEP, TOO_FAR, fastest_rod

FAR = 0.5  # of the smaller radius
DEEP = 0.05  # of the smaller radius
TURNED = 0.5  # rad, of a clamp: beyond half a turn it could not be told from one the other way
CREEP = 1.0  # radii a second by which what is deep may go deeper


@njit(inline="always")
def verify(model, state, work, clear, moved, count, h):
    """(DONE or what is wrong, the rod it concerns, the other one) of a step attempted from work.x0.

    clear [m]: how far anything may move against the whole; moved [m]: how far it seemed to, before the projection;
    count: of contacts found at work.x0.
    """
    rods, pins, capsules = model.rods, model.pins, model.capsules
    status, rod, other = DONE, 0, 0
    i = turned(
        rods.clamp_edge, pins.node, pins.ghost, pins.hinged, state.x, work.x0, state.clamp_frame, work.clamp_frame0,
        state.fixed, work.fixed0, state.hold, work.hold0,
    )  # fmt: skip
    if i >= 0:
        status, rod = TOO_FAR, rod_at(rods, i)
        other = rod
    if status == DONE and capsules.floor[0] == capsules.floor[0]:
        i = fallen(state.x, work.x0, state.w, rods.radius, capsules.floor[0])
        if i >= 0:
            status, rod = TOO_FAR, rod_at(rods, i)
            other = rod
    if status == DONE and capsules.skin[0] > 0.0:
        status, rod, other = judge_pairs(
            capsules, rods.first, rods.last, state.pairs, work.touching, work.contacts, count, state.x, work.x0, clear,
            moved, h,
        )  # fmt: skip
    return status, rod, other


@njit
def judge_pairs(capsules, first, last, pairs, touching, contacts, count, x, x0, clear, moved, h):
    """What `verify` says of everything that may touch."""
    motion = 2.0 * spread(x, x0)
    thrown = motion > contact_margin(capsules, moved) + DEEP * capsules.thinnest[0]  # by the projection
    if thrown or motion > 2.0 * clear:
        r = fastest_rod(first, last, x, x0)
        return OVERSTRETCHED if thrown else TOO_FAR, r, r
    for q in range(count):
        i, j = pairs[touching[q], 0], pairs[touching[q], 1]
        if contacts[q, GAP] - motion > -DEEP * min(capsules.radius[i], capsules.radius[j]):
            continue  # not even all that has moved would bring them so near
        k, l = edge_before(capsules, first, last, i), edge_before(capsules, first, last, j)
        status = judge(capsules, i, j, x, x0, motion, h, False, False)
        if status == DONE and k >= 0:
            status = judge(capsules, k, j, x, x0, motion, h, True, False)
        if status == DONE and l >= 0:
            status = judge(capsules, i, l, x, x0, motion, h, False, True)
        if status == DONE and k >= 0 and l >= 0:
            status = judge(capsules, k, l, x, x0, motion, h, True, True)
        if status != DONE:
            return status, capsules.rod[i], capsules.rod[j]
    return DONE, 0, 0


@njit
def judge(capsules, i, j, x, x0, motion, h, i_before, j_before):
    """DONE, TOO_FAR or TOO_DEEP: what capsules i and j did from x0 to x, where nothing moved further than `motion` [m]
    against anything. i_before, j_before: they count only where, nearest at their ends, the contact of the next edge
    stands for them.
    """
    a, b, c, d = capsules.tail[i], capsules.head[i], capsules.tail[j], capsules.head[j]
    thin, reach = min(capsules.radius[i], capsules.radius[j]), capsules.radius[i] + capsules.radius[j]
    far = motion > FAR * thin and not (i_before or j_before)
    if far and relative_motion(x, x0, a, b, c, d) > FAR * thin:
        return TOO_FAR
    sunk, s, t = sank(x, x0, a, b, c, d, reach, DEEP * thin, CREEP * thin * h, motion)
    if not sunk:
        return DONE
    stood_for = (s == 1.0 or not i_before) and (t == 1.0 or not j_before)
    if i_before and j_before and capsules.rod[i] != capsules.rod[j]:
        stood_for = s == 1.0 or t == 1.0
    near = reach_of(i, j, x0, capsules.tail, capsules.head, capsules.radius)
    if stood_for and not near_along_rod(i, j, capsules.rod, capsules.arc, capsules.perimeter, near):
        return TOO_DEEP
    return DONE


@njit
def turned(clamp_edge, node, ghost, hinged, x, x0, frame, frame0, fixed, fixed0, hold, hold0):
    """A node of the first clamp that has turned too far while it held, or −1: its frame (K, 3), or its direction."""
    for k in range(len(clamp_edge)):
        e = clamp_edge[k]
        square = 0.0
        for c in range(3):
            square += (frame[k, c] - frame0[k, c]) ** 2
        if square > TURNED**2 and fixed[e] and fixed0[e]:
            return e
    for p in range(len(node)):
        if hinged[p] and hold[p, INFLUENCE] > 0.0 and hold0[p, INFLUENCE] > 0.0:
            i, g = node[p], ghost[p]
            square = turn = 0.0
            for c in range(3):
                square += (x[g, c] - x[i, c]) ** 2
                turn += (x[g, c] - x[i, c] - x0[g, c] + x0[i, c]) ** 2
            if turn > TURNED**2 * square:
                return i
    return -1


@njit
def fallen(x, x0, w, radius, height):
    """The first node that has moved further than half a radius down and into the floor, or −1."""
    for i in range(len(x)):
        if x0[i, 2] - x[i, 2] > FAR * radius[i] and x[i, 2] < height + radius[i] and w[i] > 0.0:
            return i
    return -1
