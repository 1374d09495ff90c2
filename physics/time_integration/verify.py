"""What the end of a step must be like: nothing has moved further than half a radius against what it may touch, no
centre line has passed through another, no overlap has become deep in it, no clamp has turned by much.

What the list of pairs leaves out cannot have met: it holds every pair that twice the largest motion could close.
"""

from .._jit import kernel
from ..contact.carriers.wall import height
from ..contact.contact_filter import edge_before, near_along_rod
from ..contact.pair_list import contact_margin, spread
from ..contact.passage import FAR, relative_motion, sank
from ..rods.chain import rod_at
from .symplectic_euler import DONE, OVERSTRETCHED, TOO_DEEP, TOO_FAR, fastest_rod

DEEP = 0.05  # of the smaller radius
TURNED = 0.5  # rad, of a clamp: beyond half a turn it could not be told from one the other way
CREEP = 1.0  # radii a second by which what is deep may go deeper


@kernel(inline="always")
def verify(model, state, work, clear, moved, count, h):
    """(DONE or what is wrong, the rod it concerns, the other one) of a step attempted from work.x0.

    clear [m]: how far anything may move against the whole; moved [m]: how far it seemed to, before the projection;
    count: of contacts found at work.x0.
    """
    rods, world = model.rods, model.world[0]
    status, rod, other = DONE, 0, 0
    i = turned(model, state, work)
    if i >= 0:
        status, rod = TOO_FAR, rod_at(rods, i)
        other = rod
    if status == DONE and len(model.walls) > 0:
        i = fallen(model, state, work.x0)
        if i >= 0:
            status, rod = TOO_FAR, rod_at(rods, i)
            other = rod
    if status == DONE and world.skin > 0.0:
        motion = 2.0 * spread(state.x, work.x0)
        thrown = motion > contact_margin(world, moved) + DEEP * world.thinnest  # by the projection
        if thrown or motion > 2.0 * clear:
            rod = other = fastest_rod(rods, state.x, work.x0)
            status = OVERSTRETCHED if thrown else TOO_FAR
        else:
            contacts = work.contacts[:count]
            status, rod, other = judge_pairs(model, state.pairs, contacts, state.x, work.x0, motion, h)
    return status, rod, other


@kernel
def judge_pairs(model, pairs, contacts, x, x0, motion, h):
    """What `verify` says of everything that touches, where nothing moved further than `motion` [m] against anything."""
    rods, capsules = model.rods, model.capsules
    for q in range(len(contacts)):
        if contacts[q].wall:
            continue
        i, j = pairs[contacts[q].pair].i, pairs[contacts[q].pair].j
        if contacts[q].gap - motion > -DEEP * min(capsules[i].radius, capsules[j].radius):
            continue  # not even all that has moved would bring them so near
        for before in range(4):
            k = edge_before(capsules, rods, i) if before % 2 else i
            l = edge_before(capsules, rods, j) if before // 2 else j
            if k >= 0 and l >= 0:
                status = judge(model, k, l, (before % 2 == 1, before // 2 == 1), x, x0, motion, h)
                if status != DONE:
                    return status, capsules[i].rod, capsules[j].rod
    return DONE, 0, 0


@kernel
def judge(model, i, j, before, x, x0, motion, h):
    """DONE, TOO_FAR or TOO_DEEP: what capsules i and j did from x0 to x, where nothing moved further than `motion` [m]
    against anything. before: of each, whether it counts only where, nearest at their ends, the contact of the next edge
    stands for them.
    """
    capsules, (i_before, j_before) = model.capsules, before
    a, b, c, d = capsules[i].tail, capsules[i].head, capsules[j].tail, capsules[j].head
    thin, reach = min(capsules[i].radius, capsules[j].radius), capsules[i].radius + capsules[j].radius
    far = motion > FAR * thin and not (i_before or j_before)
    if far and relative_motion(x, x0, a, b, c, d) > FAR * thin:
        return TOO_FAR
    sunk, s, t = sank(x, x0, a, b, c, d, reach, DEEP * thin, CREEP * thin * h, motion)
    if not sunk:
        return DONE
    stood_for = (s == 1.0 or not i_before) and (t == 1.0 or not j_before)
    if i_before and j_before and capsules[i].rod != capsules[j].rod:
        stood_for = s == 1.0 or t == 1.0
    if stood_for and not near_along_rod(i, j, capsules, model.rods, x0):
        return TOO_DEEP
    return DONE


@kernel
def turned(model, state, work):
    """A node of the first clamp that has turned too far while it held, or −1: its frame, or its direction."""
    x, x0, frame, frame0 = state.x, work.x0, state.clamp_frame, work.clamp_frame0
    for k in range(len(model.clamps)):
        e = model.clamps[k].edge
        square = 0.0
        for c in range(3):
            square += (frame[k, c] - frame0[k, c]) ** 2
        if square > TURNED**2 and state.fixed[e] and work.fixed0[e]:
            return e
    for p in range(len(model.pins)):
        if model.pins[p].hinged and state.holds[p].influence > 0.0 and work.holds0[p].influence > 0.0:
            i, g = model.pins[p].node, model.pins[p].ghost
            square = turn = 0.0
            for c in range(3):
                square += (x[g, c] - x[i, c]) ** 2
                turn += (x[g, c] - x[i, c] - x0[g, c] + x0[i, c]) ** 2
            if turn > TURNED**2 * square:
                return i
    return -1


@kernel
def fallen(model, state, x0):
    """The first vertex that has moved further than half a radius from x0 (N, 3) towards a wall and into it, or −1."""
    x, nodes = state.x, model.nodes
    for p in range(len(state.wall_pairs)):
        i, wall = state.wall_pairs[p].i, model.walls[state.wall_pairs[p].j]
        gap = height(wall, x[i]) - nodes[i].radius
        if gap < 0.0 and height(wall, x0[i]) - nodes[i].radius - gap > FAR * nodes[i].radius and state.w[i] > 0.0:
            return i
    return -1
