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

from math import sqrt

from .._jit import kernel
from ..constraints.chain_mobility import mobility
from .contact_filter import beyond_neighbour
from .segment_distance import closest_parameters

RECOVERY = 0.8  # what a step may leave of an overlap


@kernel
def detect(capsules, rods, pairs, x, w, margin, h, contacts):
    """Collect the pairs nearer than `margin` [m] at the old positions x (N, 3) as rows of `contacts`; returns how many.

    Where the nearest point is the far end of an edge that goes on, the next edge's pair stands for the approach.
    """
    count = 0
    for p in range(len(pairs)):
        one, two, force = capsules[pairs[p].i], capsules[pairs[p].j], pairs[p].force
        a, b, c, d = one.tail, one.head, two.tail, two.head
        dx, dy, dz = x[b, 0] - x[a, 0], x[b, 1] - x[a, 1], x[b, 2] - x[a, 2]
        ex, ey, ez = x[d, 0] - x[c, 0], x[d, 1] - x[c, 1], x[d, 2] - x[c, 2]
        px, py, pz = x[a, 0] - x[c, 0], x[a, 1] - x[c, 1], x[a, 2] - x[c, 2]
        s, t = closest_parameters(px, py, pz, dx, dy, dz, ex, ey, ez)
        nx, ny, nz = px + s * dx - t * ex, py + s * dy - t * ey, pz + s * dz - t * ez
        square = nx * nx + ny * ny + nz * nz
        i, j, reach = pairs[p].i, pairs[p].j, one.radius + two.radius + margin
        if square > reach * reach:
            continue
        if s == 1.0 and one.successor and not beyond_neighbour(capsules, rods, i, j, t, x):
            continue
        if t == 1.0 and two.successor and not beyond_neighbour(capsules, rods, j, i, s, x):
            continue
        weight = w[a] * (1.0 - s) ** 2 + w[b] * s * s + w[c] * (1.0 - t) ** 2 + w[d] * t * t
        if weight == 0.0 or square == 0.0:
            continue
        distance = sqrt(square)
        nx, ny, nz = nx / distance, ny / distance, nz / distance
        along = nx * force[1] + ny * force[2] + nz * force[3]
        row = contacts[count]
        row.pair, row.s, row.t, row.weight = p, s, t, weight
        row.n[0], row.n[1], row.n[2] = nx, ny, nz
        row.gap = distance - one.radius - two.radius
        row.friction = sqrt(one.friction * two.friction)
        row.normal = force[0] * h * h
        row.along[0] = (force[1] - along * nx) * h * h
        row.along[1] = (force[2] - along * ny) * h * h
        row.along[2] = (force[3] - along * nz) * h * h
        row.gain, row.left = 1.0, 0.0
        count += 1
    return count


@kernel
def gains(rods, capsules, pairs, contacts, w, o, band):
    """Each contact's gain: the mobility of its vertices alone over that of their chains (see `chain_mobility`)."""
    for q in range(len(contacts)):
        row = contacts[q]
        one, two = capsules[pairs[row.pair].i], capsules[pairs[row.pair].j]
        nx, ny, nz = row.n[0], row.n[1], row.n[2]
        i = mobility(rods[one.rod], one.tail, one.head, row.s, (nx, ny, nz), w, o, band)
        j = mobility(rods[two.rod], two.tail, two.head, row.t, (nx, ny, nz), w, o, band)
        row.gain = row.weight / (i + j)


@kernel
def push(x, w, one, two, row, fx, fy, fz):
    """Move the four vertices of a pair by an impulse (fx, fy, fz) [kg m] on the first capsule and its reaction."""
    s, t = row.s, row.t
    a, b, c, d = one.tail, one.head, two.tail, two.head
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


@kernel
def warm_start(capsules, pairs, contacts, x, w):
    """Apply the impulses of the last step."""
    for q in range(len(contacts)):
        row = contacts[q]
        lam, n, along = row.normal, row.n, row.along
        if lam > 0.0:
            one, two = capsules[pairs[row.pair].i], capsules[pairs[row.pair].j]
            fx, fy, fz = lam * n[0] + along[0], lam * n[1] + along[1], lam * n[2] + along[2]
            push(x, w, one, two, row, fx, fy, fz)


@kernel
def temper(gain, before, now):
    """The gain of the next push: half when the last one turned what was missing into too much, or too much into
    missing.
    """
    return max(1.0, 0.5 * gain) if before * now < 0.0 else gain


@kernel
def allowed_gap(gap, recovery):
    """What a gap [m] may be after the step: an overlap has to shrink by a part of it, at most by `recovery` [m]."""
    return min(0.0, RECOVERY * gap, gap + recovery)


@kernel
def sweep(capsules, pairs, contacts, x, x0, w, longest, recovery):
    """One Gauss–Seidel sweep over the contacts, x in place, x0 the old positions.

    No push goes further than `longest` and no recovery of an overlap further than `recovery` [m].

    Returns the largest gap that was missing [m].
    """
    largest = 0.0
    for q in range(len(contacts)):
        row = contacts[q]
        one, two = capsules[pairs[row.pair].i], capsules[pairs[row.pair].j]
        a, b, c, d = one.tail, one.head, two.tail, two.head
        s, t, weight, lam, old = row.s, row.t, row.weight, row.normal, row.along
        nx, ny, nz = row.n[0], row.n[1], row.n[2]
        sa, tc = 1.0 - s, 1.0 - t
        rx = sa * (x[a, 0] - x0[a, 0]) + s * (x[b, 0] - x0[b, 0]) - tc * (x[c, 0] - x0[c, 0]) - t * (x[d, 0] - x0[d, 0])
        ry = sa * (x[a, 1] - x0[a, 1]) + s * (x[b, 1] - x0[b, 1]) - tc * (x[c, 1] - x0[c, 1]) - t * (x[d, 1] - x0[d, 1])
        rz = sa * (x[a, 2] - x0[a, 2]) + s * (x[b, 2] - x0[b, 2]) - tc * (x[c, 2] - x0[c, 2]) - t * (x[d, 2] - x0[d, 2])
        normal = nx * rx + ny * ry + nz * rz
        missing = allowed_gap(row.gap, recovery) - row.gap - normal
        row.gain = temper(row.gain, row.left, missing)
        row.left = missing
        new = max(0.0, lam + min(row.gain * missing, longest) / weight)
        change = new - lam
        if new == 0.0 and change == 0.0:
            continue
        if new > 0.0:
            largest = max(largest, abs(missing))
        row.normal = new
        rx, ry, rz = rx - normal * nx, ry - normal * ny, rz - normal * nz
        tx, ty, tz = old[0] - rx / weight, old[1] - ry / weight, old[2] - rz / weight
        limit, size = row.friction * new, sqrt(tx * tx + ty * ty + tz * tz)
        if size > limit:
            k = limit / size
            tx, ty, tz = k * tx, k * ty, k * tz
        fx, fy, fz = change * nx + tx - old[0], change * ny + ty - old[1], change * nz + tz - old[2]
        old[0], old[1], old[2] = tx, ty, tz
        push(x, w, one, two, row, fx, fy, fz)
    return largest


@kernel
def keep_forces(contacts, h, pairs):
    """Remember each touching pair's force [N], normal and tangential, for the next step."""
    k = 1.0 / (h * h)
    for p in range(len(pairs)):
        release(pairs[p])
    for q in range(len(contacts)):
        force, along = pairs[contacts[q].pair].force, contacts[q].along
        force[0] = k * contacts[q].normal
        force[1], force[2], force[3] = k * along[0], k * along[1], k * along[2]


@kernel
def release(pair):
    """The pair does not touch."""
    for c in range(4):
        pair.force[c] = 0.0


@kernel
def inherit(old, old_count, pairs, count, first, following):
    """Carry forces over to a new list of pairs: first (capsules,), following (p,) are scratch, a chain per capsule."""
    for i in range(len(first)):
        first[i] = -1
    for p in range(count):
        i = pairs[p].i
        release(pairs[p])
        following[p] = first[i]
        first[i] = p
    for q in range(old_count):
        if old[q].force[0] > 0.0:
            p = first[old[q].i]
            while p >= 0 and pairs[p].j != old[q].j:
                p = following[p]
            if p >= 0:
                for c in range(4):
                    pairs[p].force[c] = old[q].force[c]
