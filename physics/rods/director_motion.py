"""Motion of the directors of Cosserat rods: each is a symmetric top with an angular momentum of its own.

In a step of h its momentum is turned by the torque on it, and it by its momentum (elements/director_inertia), a
symplectic Euler step by which angular momentum is kept to round-off. What friction turns it by about its edge, φ more
than it would turn by itself, came of the momentum I₃ φ/h.
"""

import numpy as np

from .._jit import entry, kernel
from ..elements.director_inertia import kick_directors
from ..elements.director_inertia import turn_directors as turn_freely
from ..elements.spinning_segment import Quaternion, quaternion
from ..model import Model, State
from ..rotations import turned
from .chain import chain_edges, hinges_of
from .director_forces import is_led, prescribe, segment_of
from .elastic_forces import carry_first_frame
from .frames import adapt, signed_angle, transport, unwrap
from .scratch import ElasticScratch


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
    """Turn the directors of rod r at the end of a step of h [s] in which they turn by work.rows[4] about d₃."""
    rod, q = model.rods[r], state.q
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
            work.past[s, c] = q[s, c]
    turn_freely(q[a:b], work.omega[a:b], work.mobility[a:b], h, work.directors[0])
    chain_edges(model.rods, r, state.ghosts, state.x, work.e)
    prescribe(model, r, state, work)
    for s in range(a, b):
        if is_led(work, s):
            measure_rate(quaternion(work.past[s]), q[s], work.omega[s], h)
        for c in range(3):
            state.omega[s, c] = work.omega[s, c]
    for f in range(i + r, j + r + 1):
        state.spin[f] = state.omega[segment_of(rod, f), 2]
    lay_frames_along(model, r, state, work)


@kernel
def measure_rate(before: Quaternion, q: np.ndarray, omega: np.ndarray, h: float) -> None:
    """omega (3,) [rad/s] at which what was at a unit quaternion has come to q (4,) in h [s]: the vector of 2 p̄ q/h."""
    w, x, y, z = before
    k = 2.0 / h
    omega[0] = k * (w * q[1] - x * q[0] - y * q[3] + z * q[2])
    omega[1] = k * (w * q[2] + x * q[3] - y * q[0] - z * q[1])
    omega[2] = k * (w * q[3] - x * q[2] + y * q[1] - z * q[0])


@kernel
def lay_frames_along(model: Model, r: int, state: State, work: ElasticScratch) -> None:
    """Material frames of rod r, state.t, u and theta, along its edges in work.e: each director d₁ is carried from d₃ to
    the edge. So whoever reads frames finds them as those of any rod.
    """
    rod, e, axes = model.rods[r], work.e, work.rate
    i, j = hinges_of(model.rods, r, state.ghosts)
    a = i + r
    for c in range(3):
        work.g[a, c] = state.t[a, c]
    for f in range(a, j + r + 1):
        w, x, y, z = quaternion(state.q[segment_of(rod, f)])
        axes[f, 0], axes[f, 1], axes[f, 2] = turned(w, x, y, z, 1.0, 0.0, 0.0)
        state.t[f, 0], state.t[f, 1], state.t[f, 2] = turned(w, x, y, z, 0.0, 0.0, 1.0)
        carry_first_frame(e[f], state.t[f], axes[f])
        if f == a:
            transport(state.u[f], work.g[f], state.t[f], state.u[f])
            adapt(state.u[f], state.t[f])
        else:
            transport(state.u[f - 1], state.t[f - 1], state.t[f], state.u[f])
        state.theta[f] = unwrap(signed_angle(state.u[f], axes[f], state.t[f]), state.theta[f])
