"""Who is to blame when a stretch of time fails whatever the steps, and what to do about it."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import dijkstra

from .constraints.trajectory import evaluate
from .force_balance import rod_of
from .model import INFLUENCE, YIELDS
from .time_integration.symplectic_euler import NOT_FINITE, OVERSTRETCHED, TWIST_LOST

FAST = 1e3  # m/s: nothing that is meant to be seen moves so
TOO_LONG = "its pins ask for more length than it has: move them closer or give them a largest force"
REASONS = {
    OVERSTRETCHED: "its edges could not keep their length: choose a higher quality",
    TWIST_LOST: "its twist found no equilibrium: turn its clamps less or give it more points",
    NOT_FINITE: "it became unstable: choose a higher quality or a softer material",
}


def failure(scene, model, state, status, rod, end):
    """(name of what failed, why and what to do) when the way from `state` to the time `end` [s] failed at a rod."""
    speed = np.linalg.norm(state.body_v, axis=1)
    if speed.max(initial=0.0) > FAST:
        body = scene.bodies[int(np.argmax(speed))].name
        return body, f"it moves at {speed.max():.3g} m/s, which no rod can follow: make it slower"
    driven = _driven(scene, model, state)
    if driven > FAST:
        return scene.rods[rod].name, (
            f"it moves, or is made to within a frame, at {driven:.3g} m/s: lower velocities, gravity or force fields"
        )
    if status in (OVERSTRETCHED, NOT_FINITE):
        exact = np.flatnonzero(
            np.isinf(model.pins.max_force) & (state.hold[:, YIELDS] == 0.0) & (state.hold[:, INFLUENCE] > 0.0)
        )
        apart = _too_far_apart(model, state, exact, end)
        if apart >= 0:
            own = int(rod_of(model.rods, model.pins.node[apart]))
            return scene.rods[own if status == NOT_FINITE else rod].name, TOO_LONG
        if status == OVERSTRETCHED and np.any(_held(scene, model, exact, rod)):
            return scene.rods[rod].name, TOO_LONG
    return scene.rods[rod].name, REASONS[status]


def _driven(scene, model, state):
    """The largest speed [m/s] of a vertex, of the air, or that gravity and fields give one within a frame."""
    size = [np.linalg.norm(vectors, axis=1).max(initial=0.0) for vectors in (state.v, state.air, state.push)]
    return max(size[0], size[1]) + scene.frame_duration * (size[2] + np.linalg.norm(model.gravity))


def _held(scene, model, exact, rod):
    """Whether each of these exact pins holds the rod, or one that is welded to something as it is."""
    own = rod_of(model.rods, model.pins.node[exact])
    return (own == rod) | (model.rods.articulated[own] & model.rods.articulated[rod])


def _too_far_apart(model, state, exact, end):
    """One of the exact pins that is to be farther from another at the time `end` than the way along rods and bodies
    between them; or −1.
    """
    if len(exact) < 2:
        return -1
    pins, target = model.pins, np.zeros((len(exact), 8))
    for row, p in enumerate(exact):
        evaluate(pins.times, pins.samples, pins.track[p], pins.track[p + 1], end, target[row])
    way = dijkstra(_ways(model, state), directed=False, indices=pins.node[exact])[:, pins.node[exact]]
    apart = np.linalg.norm(target[:, None, :3] - target[None, :, :3], axis=2)
    found = np.argwhere(apart > way * (1.0 + 1e-9))
    return int(exact[found[0, 0]]) if len(found) else -1


def _ways(model, state):
    """Sparse lengths [m] of the edges that cannot stretch, and across each body between what is welded to it."""
    rods, bodies, count = model.rods, model.bodies, len(model.rods.mass)
    none = np.zeros(0, dtype=np.int64)
    parts = [(none, none, np.zeros(0))]
    for r in np.flatnonzero(~rods.stretchable):
        tail = np.arange(rods.first[r], rods.last[r] + rods.closed[r])
        parts.append((tail, np.where(tail < rods.last[r], tail + 1, rods.first[r]), rods.length[tail]))
    for b in range(len(bodies.mass)):
        slave = bodies.slave_node[bodies.slave_start[b] : bodies.slave_start[b + 1]]
        i, j = (slave[k] for k in np.triu_indices(len(slave), 1))
        parts.append((i, j, np.linalg.norm(state.x[i] - state.x[j], axis=1)))
    i, j, length = (np.concatenate(part) for part in zip(*parts, strict=True))
    order = np.argsort(length, kind="stable")
    _, first = np.unique((np.minimum(i, j) * count + np.maximum(i, j))[order], return_index=True)
    shortest = order[first]  # where an edge lies inside a body
    return coo_matrix((length[shortest], (i[shortest], j[shortest])), shape=(count, count)).tocsr()
