"""Vertices that a rigid body holds: a point at the arm p moves by δ + φ × p, with δ = Σf/m and φ = I⁻¹ Σ p × f of all
that pushes the body, to first order (I at the old pose). Its mobility is 1/m + (p × n)ᵀ I⁻¹ (p × n) along n.

A point between two vertices of one body has the arm between theirs; two points of one body do not move against each
other. Pushes add up, exactly, until the body answers: then it moves, and what is welded to it with it.

In all kernels `held` is Model.bodies, Model.slaves, WeldedScratch.slaves (with the arms) and BODY_PUSH (B,).
"""

import numpy as np

from ..._jit import entry, kernel
from ...arithmetic.vectors import Vector, vector
from ...constraints.length_system import correct
from ...constraints.scratch import ConstraintScratch
from ...model import Model, OldState, State
from ...rigid_bodies.free_motion import angular_velocity
from ...rigid_bodies.scratch import WeldedScratch
from ...rigid_bodies.slaves import pose

Held = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

HELD = 1e-9  # of the mobilities alone: what is left of those of two points of one body


@kernel
def prepare(bodies: np.ndarray, old: np.ndarray, now: np.ndarray, pushes: np.ndarray) -> None:
    """Inverse inertias in the world at the old poses, State.bodies, what bodies have moved by `now`, and no pushes."""
    for b in range(len(bodies)):
        push = pushes[b]
        for c in range(3):
            push.moment[c] = push.shift[c] = push.turn[c] = 0.0
        for c in range(3):  # a unit of angular momentum turns it as fast as I⁻¹ says
            push.moment[c] = 1.0
            angular_velocity(old[b].q, push.moment, bodies[b].inertia, push.inverse[c])
            push.moment[c] = 0.0
        note_way(old[b], now[b], push)


@kernel
def note_way(old: np.record, now: np.record, push: np.record) -> None:
    """How a body has moved from its old pose, in its BODY_PUSH."""
    p, q = old.q, now.q
    w = q[0] * p[0] + q[1] * p[1] + q[2] * p[2] + q[3] * p[3]  # of q p*
    x = q[1] * p[0] - q[0] * p[1] - q[2] * p[3] + q[3] * p[2]
    y = q[2] * p[0] - q[0] * p[2] - q[3] * p[1] + q[1] * p[3]
    z = q[3] * p[0] - q[0] * p[3] - q[1] * p[2] + q[2] * p[1]
    r = push.rotation
    r[0, 0], r[0, 1], r[0, 2] = -2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    r[1, 0], r[1, 1], r[1, 2] = 2.0 * (x * y + w * z), -2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    r[2, 0], r[2, 1], r[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), -2.0 * (x * x + y * y)
    for c in range(3):
        push.gone[c] = now.x[c] - old.x[c]


@kernel
def moved(row: np.record, held: Held) -> Vector:
    """How far [m] the pushes on bodies have moved the first point of a CONTACT against the second."""
    _, slaves, arms, pushes = held
    a = b = c = 0.0
    for k in range(4):
        s, part = row.slave[k], row.share[k]
        if s >= 0:
            p, d, t = arms[s].arm, pushes[slaves[s].body].shift, pushes[slaves[s].body].turn
            a += part * (d[0] + t[1] * p[2] - t[2] * p[1])
            b += part * (d[1] + t[2] * p[0] - t[0] * p[2])
            c += part * (d[2] + t[0] * p[1] - t[1] * p[0])
    return a, b, c


@kernel
def mobility(row: np.record, held: Held) -> tuple[float, float]:
    """How easily [1/kg] bodies let the points of a CONTACT move against each other: (along n, across n at most).

    Across n it is the trace of the turning part, exact for one direction, plus 1/m.
    """
    bodies, slaves, arms, pushes = held
    along, across, n = 0.0, 0.0, vector(row.n)
    for k in range(4):
        if row.slave[k] < 0:
            continue
        b, known = slaves[row.slave[k]].body, False
        part = x = y = z = alone = 0.0
        for m in range(4):
            s = row.slave[m]
            if s >= 0 and slaves[s].body == b:
                p, q = arms[s].arm, row.share[m]
                known, alone = known or m < k, alone + q * q * swing(pushes[b].inverse, bodies[b].w, vector(p), n)
                part, x, y, z = part + q, x + q * p[0], y + q * p[1], z + q * p[2]
        inverse = pushes[b].inverse
        own = swing(inverse, part * part * bodies[b].w, (x, y, z), n)
        if not known and own > HELD * alone:
            trace = (x * x + y * y + z * z) * (inverse[0, 0] + inverse[1, 1] + inverse[2, 2])
            along += own
            across += 2.0 * part * part * bodies[b].w + trace - quadratic(inverse, x, y, z) - own
    return along, across


@kernel
def swing(inverse: np.ndarray, w: float, p: Vector, n: Vector) -> float:
    """w + (p × n)ᵀ I⁻¹ (p × n), of an inverse inertia (3, 3) and an inverse mass w."""
    return w + quadratic(inverse, p[1] * n[2] - p[2] * n[1], p[2] * n[0] - p[0] * n[2], p[0] * n[1] - p[1] * n[0])


@kernel
def quadratic(a: np.ndarray, x: float, y: float, z: float) -> float:
    """(x, y, z)ᵀ a (x, y, z) of a symmetric matrix a (3, 3)."""
    diagonal = a[0, 0] * x * x + a[1, 1] * y * y + a[2, 2] * z * z
    return diagonal + 2.0 * (a[0, 1] * x * y + a[1, 2] * y * z + a[0, 2] * x * z)


@kernel
def push(row: np.record, held: Held, f: Vector) -> None:
    """Push the bodies of a CONTACT by the impulse f = (fx, fy, fz) [kg m] on its first point and its reaction."""
    bodies, slaves, arms, pushes = held
    for k in range(4):
        s = row.slave[k]
        if s >= 0:
            p, b, part = arms[s].arm, slaves[s].body, row.share[k]
            x, y, z = part * f[0], part * f[1], part * f[2]
            moment = p[1] * z - p[2] * y, p[2] * x - p[0] * z, p[0] * y - p[1] * x
            own, w = pushes[b], bodies[b].w
            own.shift[0] += w * x
            own.shift[1] += w * y
            own.shift[2] += w * z
            for c in range(3):
                own.moment[c] += moment[c]
                for d in range(3):
                    own.turn[c] += own.inverse[c, d] * moment[d]


@kernel
def put_effective_masses(held: Held, links: np.ndarray, o: np.ndarray, w: np.ndarray) -> None:
    """w of vertices that bodies hold: effective inverse masses along their edges o, for the chains' A⁻¹."""
    bodies, slaves, arms, pushes = held
    for s in range(len(slaves)):
        b, total, count = slaves[s].body, 0.0, 0.0
        for side in range(2):
            if slaves[s].edge[side] >= 0:
                along = vector(o[links[slaves[s].edge[side]].tail])
                square = along[0] * along[0] + along[1] * along[1] + along[2] * along[2]
                total += swing(pushes[b].inverse, bodies[b].w * square, vector(arms[s].arm), along) / square
                count += 1.0
        if count > 0.0:
            w[slaves[s].node] = total / count


@kernel
def put_effective_masses_along(row: np.record, held: Held, w: np.ndarray) -> None:
    """w of the vertices of one CONTACT that bodies hold: effective inverse masses along n."""
    bodies, slaves, arms, pushes = held
    for k in range(4):
        s = row.slave[k]
        if s >= 0:
            b = slaves[s].body
            w[row.node[k]] = swing(pushes[b].inverse, bodies[b].w, vector(arms[s].arm), vector(row.n))


@kernel
def clear_effective_masses(slaves: np.ndarray, w: np.ndarray) -> None:
    """Slaves are without mass again."""
    for s in range(len(slaves)):
        w[slaves[s].node] = 0.0


@entry
def answer(
    model: Model,
    state: State,
    old: OldState,
    welded: WeldedScratch,
    constraints: ConstraintScratch,
    pushes: np.ndarray,
    h: float,
) -> None:
    """Bodies take what they have been pushed; what is welded together answers as one."""
    for b in range(len(model.bodies)):
        own, now = pushes[b], state.bodies[b]
        for c in range(3):
            now.x[c] += own.shift[c]
            now.v[c] += own.shift[c] / h
            now.l[c] += own.moment[c] / h
            own.moment[c] = own.shift[c] = own.turn[c] = 0.0
    pose(model, state, old, welded, h)
    correct(model, state, old, welded, constraints, h)
    for b in range(len(model.shapes)):
        note_way(old.bodies[b], state.bodies[b], pushes[b])
