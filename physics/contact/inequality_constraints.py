"""Capsules that touch: inequality constraints inside the projection, with Coulomb friction in the same sweep.

For a pair with closest points a, b at the old positions, normal n from b to a and gap g₀ = |a − b| − r_a − r_b, all
frozen for the step, the displacement d of a relative to b has to satisfy g₀ + n·d ≥ min(0, RECOVERY g₀) (slower from
deep overlaps). Its
multiplier λ ≥ 0 only pushes. The tangential multiplier opposes d − n (n·d), clipped at μλ: sticking inside the cone,
sliding on it. Multipliers accumulate over the rounds of a step; they start from the last step's force, so that what
rests keeps resting after few rounds.

A sweep alternates with the chains' own solution, which gives back much of a push along a rod: a rope dropped on its
end resists with all its mass. So the push takes the mobility of the chain (`chain_mobility`), its gain over that of
the vertices alone, and less when contacts that share a chain have pushed too much together.
"""

from math import pi, sqrt

from .._jit import njit
from ..constraints.chain_mobility import mobility
from .broad_phase import edge_length
from .segment_distance import closest_parameters

RECOVERY = 0.8  # what a step may leave of an overlap
S, T, NX, NY, NZ, GAP, WEIGHT, FRICTION, NORMAL, TX, TY, TZ, GAIN, LEFT, COLUMNS = range(15)


@njit
def edge_before(capsules, first, last, i):
    """The capsule that ends where capsule i begins, or −1. A contact at that vertex stands for it too."""
    r = capsules.rod[i]
    if i > 0 and capsules.rod[i - 1] == r:
        return i - 1
    return i + last[r] - first[r] if capsules.perimeter[r] > 0.0 else -1


@njit
def beyond_neighbour(capsules, first, last, i, j, t, x):
    """Whether one edge lies between the capsules i and j, and from it to the point t of j more of the rod than half a
    turn of its own radius. That edge is a neighbour of both: no pair of it can stand for what the far end of i touches.
    """
    k = edge_before(capsules, first, last, j)
    if k < 0 or edge_before(capsules, first, last, k) != i:
        return False
    tail, head = capsules.tail, capsules.head
    between = edge_length(x, tail[k], head[k]) + t * edge_length(x, tail[j], head[j])
    return between > 0.5 * pi * (capsules.radius[i] + capsules.radius[j])


@njit
def detect(x, w, capsules, first, last, pairs, pair_count, force, margin, h, touching, contacts):
    """Collect the pairs nearer than `margin` [m]: touching (p,) their numbers, contacts (p, COLUMNS); returns how many.

    force (p, 4) [N]: each pair's normal and tangential force of the last step. Where the nearest point is the far end
    of an edge that goes on, the next edge's pair stands for the approach.
    """
    tail, head, radius = capsules.tail, capsules.head, capsules.radius
    count = 0
    for p in range(pair_count):
        i, j = pairs[p, 0], pairs[p, 1]
        a, b, c, d = tail[i], head[i], tail[j], head[j]
        dx, dy, dz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
        ex, ey, ez = x[d, 0] - x[c, 0], x[d, 1] - x[c, 1], x[d, 2] - x[c, 2]
        px, py, pz = x[a, 0] - x[c, 0], x[a, 1] - x[c, 1], x[a, 2] - x[c, 2]
        s, t = closest_parameters(px, py, pz, dx, dy, dz, ex, ey, ez)
        nx, ny, nz = px + s * dx - t * ex, py + s * dy - t * ey, pz + s * dz - t * ez
        square = nx * nx + ny * ny + nz * nz
        reach = radius[i] + radius[j] + margin
        if square > reach * reach:
            continue
        if s == 1.0 and capsules.successor[i] and not beyond_neighbour(capsules, first, last, i, j, t, x):
            continue
        if t == 1.0 and capsules.successor[j] and not beyond_neighbour(capsules, first, last, j, i, s, x):
            continue
        weight = w[a] * (1.0 - s) ** 2 + w[b] * s * s + w[c] * (1.0 - t) ** 2 + w[d] * t * t
        if weight == 0.0 or square == 0.0:
            continue
        distance = sqrt(square)
        row = contacts[count]
        row[S], row[T] = s, t
        row[NX], row[NY], row[NZ] = nx / distance, ny / distance, nz / distance
        row[GAP] = distance - radius[i] - radius[j]
        row[WEIGHT] = weight
        row[FRICTION] = sqrt(capsules.friction[i] * capsules.friction[j])
        row[NORMAL] = force[p, 0] * h * h
        along = row[NX] * force[p, 1] + row[NY] * force[p, 2] + row[NZ] * force[p, 3]
        row[TX] = (force[p, 1] - along * row[NX]) * h * h
        row[TY] = (force[p, 2] - along * row[NY]) * h * h
        row[TZ] = (force[p, 3] - along * row[NZ]) * h * h
        row[GAIN], row[LEFT] = 1.0, 0.0
        touching[count] = p
        count += 1
    return count


@njit
def gains(w, tail, head, rod, pairs, o, inverse, ratio, first, last, touching, contacts, count):
    """Each contact's gain: the mobility of its vertices alone over that of their chains (see `chain_mobility`)."""
    for q in range(count):
        row = contacts[q]
        i, j = pairs[touching[q], 0], pairs[touching[q], 1]
        nx, ny, nz, r, k = row[NX], row[NY], row[NZ], rod[i], rod[j]
        row[GAIN] = row[WEIGHT] / (
            mobility(tail[i], head[i], row[S], nx, ny, nz, o, w, inverse, ratio, first[r], last[r])
            + mobility(tail[j], head[j], row[T], nx, ny, nz, o, w, inverse, ratio, first[k], last[k])
        )


@njit
def release(force, p):
    """Pair p does not touch."""
    for c in range(4):
        force[p, c] = 0.0


@njit
def push(x, w, a, b, c, d, s, t, fx, fy, fz):
    """Move the four vertices of a pair by an impulse (fx, fy, fz) [kg m] on the first capsule and its reaction."""
    k = w[a] * (1.0 - s)
    x[a, 0] += k * fx
    x[a, 1] += k * fy
    x[a, 2] += k * fz
    k = w[b] * s
    x[b, 0] += k * fx
    x[b, 1] += k * fy
    x[b, 2] += k * fz
    k = -w[c] * (1.0 - t)
    x[c, 0] += k * fx
    x[c, 1] += k * fy
    x[c, 2] += k * fz
    k = -w[d] * t
    x[d, 0] += k * fx
    x[d, 1] += k * fy
    x[d, 2] += k * fz


@njit
def warm_start(x, w, tail, head, pairs, touching, contacts, count):
    """Apply the impulses of the last step."""
    for q in range(count):
        row = contacts[q]
        lam = row[NORMAL]
        if lam > 0.0:
            i, j = pairs[touching[q], 0], pairs[touching[q], 1]
            fx, fy, fz = lam * row[NX] + row[TX], lam * row[NY] + row[TY], lam * row[NZ] + row[TZ]
            push(x, w, tail[i], head[i], tail[j], head[j], row[S], row[T], fx, fy, fz)


@njit
def temper(gain, before, now):
    """The gain of the next push: half when the last one turned what was missing into too much, or too much into
    missing.
    """
    return max(1.0, 0.5 * gain) if before * now < 0.0 else gain


@njit
def allowed_gap(gap, recovery):
    """What a gap [m] may be after the step: an overlap has to shrink by a part of it, at most by `recovery` [m]."""
    return min(0.0, RECOVERY * gap, gap + recovery)


@njit
def sweep(x, x0, w, tail, head, pairs, touching, contacts, count, longest, recovery):
    """One Gauss–Seidel sweep over the contacts, x in place, x0 the old positions.

    No push goes further than `longest` and no recovery of an overlap further than `recovery` [m].

    Returns the largest gap that was missing [m].
    """
    largest = 0.0
    for q in range(count):
        row = contacts[q]
        i, j = pairs[touching[q], 0], pairs[touching[q], 1]
        a, b, c, d = tail[i], head[i], tail[j], head[j]
        s, t = row[S], row[T]
        nx, ny, nz, weight, lam = row[NX], row[NY], row[NZ], row[WEIGHT], row[NORMAL]
        sa, tc = 1.0 - s, 1.0 - t
        rx = sa * (x[a, 0] - x0[a, 0]) + s * (x[b, 0] - x0[b, 0]) - tc * (x[c, 0] - x0[c, 0]) - t * (x[d, 0] - x0[d, 0])
        ry = sa * (x[a, 1] - x0[a, 1]) + s * (x[b, 1] - x0[b, 1]) - tc * (x[c, 1] - x0[c, 1]) - t * (x[d, 1] - x0[d, 1])
        rz = sa * (x[a, 2] - x0[a, 2]) + s * (x[b, 2] - x0[b, 2]) - tc * (x[c, 2] - x0[c, 2]) - t * (x[d, 2] - x0[d, 2])
        normal = nx * rx + ny * ry + nz * rz
        missing = allowed_gap(row[GAP], recovery) - row[GAP] - normal
        row[GAIN] = temper(row[GAIN], row[LEFT], missing)
        row[LEFT] = missing
        new = max(0.0, lam + min(row[GAIN] * missing, longest) / weight)
        change = new - lam
        if new == 0.0 and change == 0.0:
            continue
        if new > 0.0:
            largest = max(largest, abs(missing))
        row[NORMAL] = new
        rx, ry, rz = rx - normal * nx, ry - normal * ny, rz - normal * nz
        tx, ty, tz = row[TX] - rx / weight, row[TY] - ry / weight, row[TZ] - rz / weight
        limit, size = row[FRICTION] * new, sqrt(tx * tx + ty * ty + tz * tz)
        if size > limit:
            k = limit / size
            tx, ty, tz = k * tx, k * ty, k * tz
        fx, fy, fz = change * nx + tx - row[TX], change * ny + ty - row[TY], change * nz + tz - row[TZ]
        row[TX], row[TY], row[TZ] = tx, ty, tz
        push(x, w, a, b, c, d, s, t, fx, fy, fz)
    return largest


@njit
def keep_forces(touching, contacts, count, h, pair_count, force):
    """Remember each touching pair's force (p, 4) [N], normal and tangential, for the next step."""
    k = 1.0 / (h * h)
    for p in range(pair_count):
        release(force, p)
    for q in range(count):
        p = touching[q]
        force[p, 0] = k * contacts[q, NORMAL]
        force[p, 1], force[p, 2], force[p, 3] = k * contacts[q, TX], k * contacts[q, TY], k * contacts[q, TZ]


@njit
def inherit(old_pairs, old_force, old_count, pairs, count, first, following, force):
    """Carry forces (p, 4) over to a new list of pairs: first (capsules,), following (p,) are scratch, a chain per
    capsule.
    """
    for i in range(len(first)):
        first[i] = -1
    for p in range(count):
        i = pairs[p, 0]
        release(force, p)
        following[p] = first[i]
        first[i] = p
    for q in range(old_count):
        if old_force[q, 0] > 0.0:
            p = first[old_pairs[q, 0]]
            while p >= 0 and pairs[p, 1] != old_pairs[q, 1]:
                p = following[p]
            if p >= 0:
                for c in range(4):
                    force[p, c] = old_force[q, c]
