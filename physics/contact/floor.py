"""A horizontal floor under capsules: each vertex is a sphere that stays above it, with Coulomb friction; as
`inequality_constraints`.
"""

from math import sqrt

from .._jit import kernel
from ..constraints.chain_mobility import mobility
from .inequality_constraints import allowed_gap, temper


@kernel
def floor_warm_start(x, w, force, h, impulse):
    """Begin with the last step's forces (n, 3) [N]; impulse (n, 5): [kg m], gain, what was missing [m]."""
    k = h * h
    for i in range(len(x)):
        impulse[i, 4] = 0.0
        for c in range(3):
            impulse[i, c] = k * force[i, c]
            x[i, c] += w[i] * impulse[i, c]


@kernel
def floor_gains(rod, w, o, band, impulse):
    """Gains of a rod's vertices, impulse[:, 3]: each one's own mobility over that of its chain."""
    for i in range(rod.first, rod.last + 1):
        if w[i] > 0.0:
            impulse[i, 3] = w[i] / mobility(rod, i, i + 1, 0.0, (0.0, 0.0, 1.0), w, o, band)


@kernel
def floor_sweep(world, nodes, x, x0, w, impulse, longest, recovery):
    """One sweep; impulse (n, 5), upwards never negative, accumulates over the step; no push further than `longest`,
    no recovery by more than `recovery` [m].

    Returns the largest gap that was missing [m].
    """
    largest, height = 0.0, world.floor
    for i in range(len(x)):
        if w[i] == 0.0:
            continue
        gap = x0[i, 2] - nodes[i].radius - height
        missing = height + nodes[i].radius + allowed_gap(gap, recovery) - x[i, 2]
        if missing <= 0.0 and impulse[i, 2] == 0.0:
            continue
        impulse[i, 3] = temper(impulse[i, 3], impulse[i, 4], missing)
        impulse[i, 4] = missing
        new = max(0.0, impulse[i, 2] + min(impulse[i, 3] * missing, longest) / w[i])
        change = new - impulse[i, 2]
        if new > 0.0:
            largest = max(largest, abs(missing))
        tx = impulse[i, 0] - (x[i, 0] - x0[i, 0]) / w[i]
        ty = impulse[i, 1] - (x[i, 1] - x0[i, 1]) / w[i]
        limit, size = sqrt(nodes[i].friction * world.floor_friction) * new, sqrt(tx * tx + ty * ty)
        if size > limit:
            tx, ty = tx * limit / size, ty * limit / size
        x[i, 0] += w[i] * (tx - impulse[i, 0])
        x[i, 1] += w[i] * (ty - impulse[i, 1])
        x[i, 2] += w[i] * change
        impulse[i, 0], impulse[i, 1], impulse[i, 2] = tx, ty, new
    return largest


@kernel
def keep_floor_forces(impulse, h, force):
    """Remember the forces (n, 3) [N] for the next step."""
    k = 1.0 / (h * h)
    for i in range(len(force)):
        force[i, 0], force[i, 1], force[i, 2] = k * impulse[i, 0], k * impulse[i, 1], k * impulse[i, 2]


@kernel
def reaches_floor(world, nodes, x, w, force):
    """Whether some vertex of positive inverse mass is about to touch the floor, or did in the last step."""
    for i in range(len(x)):
        if w[i] > 0.0 and (x[i, 2] - nodes[i].radius < world.floor or force[i, 2] > 0.0):
            return True
    return False
