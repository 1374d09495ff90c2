"""What the end of a step must be like: nothing has moved further than half a radius against what it may touch, no
centre line has passed through another, and no overlap has become deep in it.

What the list of pairs leaves out cannot have met: it holds every pair that twice the largest motion could close.
"""

from math import sqrt

from .._jit import njit
from ..contact.broad_phase import near_along_rod, reach_of
from ..contact.pair_list import contact_margin, spread
from ..contact.passage import relative_motion, sank
from .symplectic_euler import DONE, TOO_DEEP, TOO_FAR, fastest_rod

FAR = 0.5  # of the smaller radius
DEEP = 0.05  # of the smaller radius
TURNED = 0.5  # rad, of a clamp: beyond half a turn it could not be told from one the other way
CREEP = 1.0  # radii a second by which what is deep may go deeper


@njit
def verify(model, state, work, clear, moved, count, h):
    """(DONE, TOO_FAR or TOO_DEEP, the rod it concerns, the other one) of a step attempted from work.x0.

    clear [m]: how far anything may move against the whole; moved [m]: how far it seemed to, before the projection;
    count: of contacts found at work.x0.
    """
    rods, capsules, x, x0 = model.rods, model.capsules, state.x, work.x0
    r = turned(model, state, work)
    if r >= 0:
        return TOO_FAR, r, r
    if capsules.skin[0] > 0.0:
        motion = 2.0 * spread(x, x0)
        if motion > 2.0 * clear or motion > contact_margin(capsules, moved) + DEEP * capsules.thinnest[0]:
            r = fastest_rod(rods, x, x0)
            return TOO_FAR, r, r
        for q in range(count):
            row, p = work.contacts[q], work.touching[q]
            i, j = state.pairs[p, 0], state.pairs[p, 1]
            status = judge(capsules, i, j, x, x0, motion, h, False, False)
            if status == DONE and motion > 0.5 * DEEP * capsules.thinnest[0]:
                k, l = edge_before(rods, capsules, i), edge_before(rods, capsules, j)
                status = judge(capsules, k, j, x, x0, motion, h, True, False)
                if status == DONE:
                    status = judge(capsules, i, l, x, x0, motion, h, False, True)
                if status == DONE:
                    status = judge(capsules, k, l, x, x0, motion, h, True, True)
            if status != DONE:
                return status, capsules.rod[i], capsules.rod[j]
    if capsules.floor[0] == capsules.floor[0]:
        r = fallen(model, state, x0)
        if r >= 0:
            return TOO_FAR, r, r
    return DONE, 0, 0


@njit
def edge_before(rods, capsules, i):
    """The capsule that ends where capsule i begins, or −1. A contact at that vertex stands for it too."""
    r = capsules.rod[i]
    if i > 0 and capsules.rod[i - 1] == r:
        return i - 1
    return i + rods.last[r] - rods.first[r] if capsules.perimeter[r] > 0.0 else -1


@njit
def judge(capsules, i, j, x, x0, motion, h, i_before, j_before):
    """DONE, TOO_FAR or TOO_DEEP: what capsules i and j, if there are such, did from x0 to x, where nothing moved further
    than `motion` [m] against anything. i_before, j_before: they stand before a contact.
    """
    if i < 0 or j < 0:
        return DONE
    a, b, c, d = capsules.tail[i], capsules.head[i], capsules.tail[j], capsules.head[j]
    thin, reach = min(capsules.radius[i], capsules.radius[j]), capsules.radius[i] + capsules.radius[j]
    far = motion > FAR * thin and not (i_before or j_before)
    if far and relative_motion(x, x0, a, b, c, d) > FAR * thin:
        return TOO_FAR
    if sank(x, x0, a, b, c, d, reach, DEEP * thin, CREEP * thin * h, motion, i_before, j_before):
        near = reach_of(i, j, x0, capsules.tail, capsules.head, capsules.radius)
        if not near_along_rod(i, j, capsules.rod, capsules.arc, capsules.perimeter, near):
            return TOO_DEEP
    return DONE


@njit
def turned(model, state, work):
    """The first rod one of whose clamps has turned too far, or −1."""
    rods, pins, x, x0 = model.rods, model.pins, state.x, work.x0
    for k in range(len(rods.clamp_edge)):
        if difference(state.clamp_frame[k], work.clamp_frame0[k]) > TURNED:
            return rod_of(rods, rods.clamp_edge[k])
    for p in range(len(pins.node)):
        i, g = pins.node[p], pins.ghost[p]
        if pins.hinged[p]:
            dx, dy, dz = x[g, 0] - x[i, 0], x[g, 1] - x[i, 1], x[g, 2] - x[i, 2]
            ex, ey, ez = x0[g, 0] - x0[i, 0], x0[g, 1] - x0[i, 1], x0[g, 2] - x0[i, 2]
            square = (dx - ex) ** 2 + (dy - ey) ** 2 + (dz - ez) ** 2
            if square > TURNED**2 * (dx * dx + dy * dy + dz * dz):
                return rod_of(rods, i)
    return -1


@njit
def difference(a, b):
    """|a − b| of two vectors (3,)."""
    return sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)


@njit
def rod_of(rods, i):
    """The rod of a node, ghosts included."""
    r = 0
    while rods.start[r + 1] <= i:
        r += 1
    return r


@njit
def fallen(model, state, x0):
    """The first rod that has moved further than half a radius down and into the floor, or −1."""
    rods, x, height = model.rods, state.x, model.capsules.floor[0]
    for r in range(len(rods.first)):
        for i in range(rods.first[r], rods.last[r] + 1):
            far = FAR * rods.radius[i]
            if x0[i, 2] - x[i, 2] > far and x[i, 2] < height + rods.radius[i] and state.w[i] > 0.0:
                return r
    return -1
