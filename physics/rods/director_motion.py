"""Motion of the directors of Cosserat rods: each is a symmetric top with an angular momentum of its own.

In a step of h its momentum is turned by the torque on it, and it by its momentum (director_inertia), a
symplectic Euler step by which angular momentum is kept to round-off. What friction turns it by about its edge, φ more
than it would turn by itself, came of the momentum I₃ φ/h.

Where directors have turned to is scratch until the step is accepted. Material frames are not kept beside them: they are
laid along the edges where steps end, for whoever reads those of rods, or where a clamp takes hold.
"""

from math import cos, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import Quaternion, quaternion, turned
from ..arithmetic.vectors import Vector, dot, plus, vector
from ..elements.spinning_segment import directors
from ..model import Model, State
from .chain import chain_edges, hinges_of
from .director_forces import edges_of, is_led, prescribe, segment_of
from .director_inertia import kick_directors
from .director_inertia import turn_directors as turn_freely
from .elastic_forces import carry_first_frame
from .frames import signed_angle, transport, unwrap
from .half_turns import turn_the_short_way
from .scratch import ElasticScratch

AGAINST = 1e-9  # 1 + t·d₃ of directors that lie against their edges, up to rounding


@entry
def begin_directors(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """The turns [rad] of rod r's frames about d₃ in a step of h [s] that nothing touches, into work.rows[4], and I₃/h²,
    which carries what friction does to them, into work.rows[1]. work: as the elastic forces left it.
    """
    rod = model.rods[r]
    a, b = rod.segment, rod.segment + rod.last - rod.first + 2
    if not rod.damped:  # else they have been turned and damped already
        for s in range(a, b):
            for c in range(3):
                work.omega[s, c] = state.omega[s, c]
        kick_directors(work.torque[a:b], work.mobility[a:b], h, work.omega[a:b])
    i, j = hinges_of(model.rods, r, state.ghosts)
    for f in range(i + r, j + r + 1):
        s = segment_of(rod, f)
        work.rows[1, f], work.rows[4, f] = 1.0, 0.0
        if not is_led(work, s):
            work.rows[1, f], work.rows[4, f] = 1.0 / (h * h * work.mobility[s, 1]), h * work.omega[s, 2]


@entry
def turn_directors(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> None:
    """Where the directors of rod r are at the end of a step of h [s] in which they turn by work.rows[4] about d₃, but
    those that are led: work.turned, and how they spin then, work.omega. They themselves stay in state.q.
    """
    rod = model.rods[r]
    a, b = rod.segment, rod.segment + rod.last - rod.first + 2
    i, j = hinges_of(model.rods, r, state.ghosts)
    for f in range(i + r, j + r + 1):
        s = segment_of(rod, f)
        if not is_led(work, s):
            work.omega[s, 2] = work.rows[4, f] / h
    for s in range(a, b):
        if is_led(work, s):
            for c in range(3):
                work.omega[s, c] = 0.0  # it stays, and is put where it belongs
        for c in range(4):
            work.turned[s, c] = state.q[s, c]
    turn_freely(work.turned[a:b], work.omega[a:b], work.mobility[a:b], h, work.directors[0])


@kernel
def gone_astray(
    model: Model, r: int, state: State, x0: np.ndarray, work: ElasticScratch, furthest: float, h: float
) -> bool:
    """Whether in a step of h [s], in which vertices came from x0 (N, 3), a director of rod r has turned by more than
    `furthest` [rad] with its edge, or about it against the one before it, or is nowhere, or so much nearer to where it
    would lie against its edge that what keeps it from there, as 1/(1 + t·d₃), has more than doubled; but of those that
    are led.
    """
    least, last = cos(furthest), 0.0
    a, b = edges_of(model.rods[r])
    for s in range(a, b):
        spin = work.omega[s, 2]
        if not is_led(work, s):
            row, d, d0 = (
                model.segments[s],
                directors(quaternion(work.turned[s]))[2],
                directors(quaternion(state.q[s]))[2],
            )
            e = plus(vector(state.x[row.head]), -1.0, vector(state.x[row.tail]))
            e0 = plus(vector(x0[row.head]), -1.0, vector(x0[row.tail]))
            left, had = 1.0 + dot(d, e) / sqrt(dot(e, e)), 1.0 + dot(d0, e0) / sqrt(dot(e0, e0))
            if not (dot(d, d0) >= least and min(left, had) > AGAINST and left >= 0.5 * had):
                return True
            if s > a and not is_led(work, s - 1) and not abs(spin - last) * h <= furthest:
                return True
        last = spin
    return False


@entry
def leave_directors(model: Model, r: int, state: State, work: ElasticScratch, h: float) -> bool:
    """The directors of rod r are where they have turned to in a step of h [s], and those that are led where they
    belong. Returns whether any of its joints has slipped (see half_turns).
    """
    rod, q = model.rods[r], state.q
    a, b = rod.segment, rod.segment + rod.last - rod.first + 2
    i, j = hinges_of(model.rods, r, state.ghosts)
    for s in range(a, b):
        for c in range(4):
            work.past[s, c], q[s, c] = q[s, c], work.turned[s, c]
    chain_edges(model.rods, r, state.ghosts, state.x, work.e)
    prescribe(model, r, state, work)
    for s in range(a, b):
        if is_led(work, s):
            measure_rate(quaternion(work.past[s]), q[s], work.omega[s], h)
        for c in range(3):
            state.omega[s, c] = work.omega[s, c]
    for f in range(i + r, j + r + 1):
        state.spin[f] = state.omega[segment_of(rod, f), 2]
    return turn_the_short_way(model, r, state)


@kernel
def measure_rate(before: Quaternion, q: np.ndarray, omega: np.ndarray, h: float) -> None:
    """omega (3,) [rad/s] at which what was at a unit quaternion has come to q (4,) in h [s]: the vector of 2 p̄ q/h."""
    w, x, y, z = before
    k = 2.0 / h
    omega[0] = k * (w * q[1] - x * q[0] - y * q[3] + z * q[2])
    omega[1] = k * (w * q[2] + x * q[3] - y * q[0] - z * q[1])
    omega[2] = k * (w * q[3] - x * q[2] + y * q[1] - z * q[0])


@kernel
def lay_material_frames(model: Model, state: State, work: ElasticScratch) -> None:
    """Material frames of all Cosserat rods along their edges, state.t, u and theta."""
    for r in range(len(model.rods)):
        if model.rods[r].cosserat:
            lay_frames_along(model, r, state, work)


@entry
def lay_frames_along(model: Model, r: int, state: State, work: ElasticScratch) -> None:
    """Material frames of rod r; its first Bishop vector is its first material axis."""
    e, axes = work.e, work.rate
    chain_edges(model.rods, r, state.ghosts, state.x, e)
    i, j = hinges_of(model.rods, r, state.ghosts)
    a = i + r
    lay_frame(model, r, a, state, e[a])
    for f in range(a + 1, j + r + 1):
        carry_axis(model, r, f, state, e[f], axes[f])
        transport(state.u[f - 1], state.t[f - 1], state.t[f], state.u[f])
        angle = signed_angle(state.u[f], axes[f], state.t[f])
        state.theta[f] = unwrap(angle, state.theta[f - 1])  # they differ by less than half a turn


@kernel
def carry_axis(model: Model, r: int, f: int, state: State, e: Vector | np.ndarray, axis: np.ndarray) -> None:
    """The material axis (3,) of frame f of rod r, whose edge is e (3,): its director d₁, carried from d₃ to the edge;
    and state.t of that frame.
    """
    q = quaternion(state.q[segment_of(model.rods[r], f)])
    axis[0], axis[1], axis[2] = turned(q, (1.0, 0.0, 0.0))
    state.t[f, 0], state.t[f, 1], state.t[f, 2] = turned(q, (0.0, 0.0, 1.0))
    carry_first_frame(e, state.t[f], axis)


@kernel
def lay_frame(model: Model, r: int, f: int, state: State, e: Vector | np.ndarray) -> None:
    """The material frame of frame f of rod r alone, whose edge is e (3,)."""
    carry_axis(model, r, f, state, e, state.u[f])
    state.theta[f] = 0.0
