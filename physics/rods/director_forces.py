"""Elastic forces of Cosserat rods (Spillmann & Teschner 2007): an orthonormal frame of directors d₁ d₂ d₃ on each edge,
a unit quaternion of its own, which bends and twists against the next one (elements/bending_and_torsion) and is held
along its edge (elements/spinning_segment).

Frames are numbered as those of all rods (see model). A clamp's frame is led: what turns it about its edge is handed on
as a torque, what turns it across as a pull across the edge, ∂E/∂e = e × τ/e², so that whatever holds the edge or the
frame of any rod holds these. Of a ghost edge whose direction alone is held, the frame is where nothing twists it.
"""

from math import cos, sin, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import quaternion, turned
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..elements.bending_and_torsion import bend_and_twist, moments, onto_before, onto_behind, rodrigues
from ..elements.spinning_segment import stretch_and_align
from ..model import Model, State
from .chain import hinges_of
from .edge_torques import on_directors
from .scratch import ElasticScratch

UNTWISTED = 3  # rounds in which what turns a ghost's frame about its edge becomes nothing


@kernel
def segment_of(rod: np.record, f: int) -> int:
    """The segment of frame f of a ROD: of a closed one's first, its last, which is met again."""
    if rod.closed and f == rod.frame:
        return rod.segment + rod.last - rod.first + 1
    return rod.segment + f - rod.frame


@kernel
def edges_of(rod: np.record) -> tuple[int, int]:
    """(first segment of a ROD that has an edge, behind the last)."""
    return rod.segment + 1, rod.segment + 1 + rod.last - rod.first + int(rod.closed)


@kernel
def bends_of(rods: np.ndarray, r: int, ghosts: np.ndarray) -> tuple[int, int]:
    """(first joint, behind the last) that rod r has now."""
    i, j = hinges_of(rods, r, ghosts)
    shift = rods[r].bend - rods[r].first
    return i + shift, j + shift


@entry
def director_forces(model: Model, r: int, state: State, work: ElasticScratch) -> None:
    """Forces on the vertices of rod r, whose edges are in work.e, to work.f, torques on its segments to work.torque,
    pulls on its ghost edges to work.g; what is led is put where it belongs.
    """
    rod, torque = model.rods[r], work.torque
    prescribe(model, r, state, work)
    for i in range(rod.first, rod.last + 1):
        work.f[i, 0] = work.f[i, 1] = work.f[i, 2] = 0.0
    end = rod.segment + rod.last - rod.first + 2
    for s in range(rod.segment, end):
        torque[s, 0] = torque[s, 1] = torque[s, 2] = 0.0
    a, b = edges_of(rod)
    stretch_and_align(state.x, state.q[a:b], model.segments[a:b], work.f, torque[a:b], work.segments[0])
    for s in range(a, b):
        given = on_directors(state.fields[model.segments[s].tail], state.q[s])
        for c in range(3):
            torque[s, c] += given[c]
    i, j = bends_of(model.rods, r, state.ghosts)
    square = bend_and_twist(state.q, model.bends[i:j], torque, work.joints[0])[1]
    for s in range(rod.segment, end):
        if is_led(work, s):
            f = rod.frame + s - rod.segment
            pull = pull_across(work.e[f], state.q[s], torque[s])
            for c in range(3):
                work.g[f, c] = pull[c]
                if a <= s < b:
                    work.f[model.segments[s].tail, c] += pull[c]
                    work.f[model.segments[s].head, c] -= pull[c]
    bent, askew = (1.0 - square) / (1.0 + square), work.segments[0].least
    # of half the largest angle: see spinning_step_limit
    state.rods[r].cos_largest_turn = bent if bent < askew else askew


@kernel
def is_led(work: ElasticScratch, s: int) -> bool:
    """Whether segment s does not turn by itself, as `prescribe` left it."""
    return work.mobility[s, 1] == 0.0


@kernel
def pull_across(e: np.ndarray, q: np.ndarray, torque: np.ndarray) -> Vector:
    """The pull across an edge e (3,) that turns it as a torque (3,) about the axes of q (4,) would: e × τ/e²."""
    return scaled(1.0 / dot(e, e), cross(vector(e), turned(quaternion(q), vector(torque))))


@kernel
def prescribe(model: Model, r: int, state: State, work: ElasticScratch) -> None:
    """Put the frames of rod r that clamps lead where these are, by ghost edges and material axes: its edges are in
    work.e. work.mobility: of all its segments. A ghost that nothing holds goes with the edge beside it, the first frame
    of a closed rod with the last, which it is.
    """
    rod, q, e = model.rods[r], state.q, work.e
    for s in range(rod.segment, rod.segment + rod.last - rod.first + 2):
        work.mobility[s, 0], work.mobility[s, 1] = model.mobility[s, 0], model.mobility[s, 1]
    for k in range(rod.first_clamp, rod.end_clamp):
        f = model.clamps[k].frame
        if state.fixed[f]:
            s = segment_of(rod, f)
            work.mobility[s, 0] = work.mobility[s, 1] = 0.0
            lay_axes(e[f], vector(state.clamp_frame[k]), q[s])
    if rod.closed:
        for c in range(4):
            q[rod.segment, c] = q[segment_of(rod, rod.frame), c]
        return
    for side in range(2):
        s = segment_of(rod, rod.frame if side == 0 else rod.last + r + 1)
        if not state.ghosts[2 * r + side].held:
            for c in range(4):
                q[s, c] = q[s + 1 - 2 * side, c]
    turn_ghosts(model, r, state)


@kernel
def turn_ghosts(model: Model, r: int, state: State) -> None:
    """Ghosts of an open rod r that turn freely about their edges are where nothing twists them."""
    rod, q = model.rods[r], state.q
    for side in range(2):
        f, ghost = rod.frame if side == 0 else rod.last + r + 1, state.ghosts[2 * r + side]
        if ghost.held and not state.fixed[f]:
            s = segment_of(rod, f)
            lay_axes(ghost.edge, turned(quaternion(q[s]), (1.0, 0.0, 0.0)), q[s])
            untwist(model.bends[rod.bend + side * (rod.last - rod.first)], side, q)


@kernel
def untwist(bend: np.record, side: int, q: np.ndarray) -> None:
    """Turn the segment before (side 0) or behind (side 1) a BEND about its d₃ to where the joint does not turn it."""
    s = bend.before if side == 0 else bend.behind
    for _ in range(UNTWISTED):
        turn = rodrigues(quaternion(q[bend.before]), quaternion(q[bend.behind]), bend.sign)
        m = moments(turn, bend.length, bend.rest, bend.stiffness)[1]
        about = onto_before(turn, m)[2] if side == 0 else -onto_behind(turn, m)[2]
        half = 0.5 * about * bend.length / bend.stiffness[2]
        c, n = cos(half), sin(half)
        w, x, y, z = quaternion(q[s])
        q[s, 0], q[s, 1], q[s, 2], q[s, 3] = c * w - n * z, c * x + n * y, c * y - n * x, c * z + n * w


@kernel
def lay_axes(e: np.ndarray, m1: Vector, q: np.ndarray) -> None:
    """q (4,) of the frame whose d₃ is along e (3,) and whose d₁ is as near as can be to m1; of both the nearer one."""
    k = 1.0 / sqrt(dot(e, e))
    t = (k * e[0], k * e[1], k * e[2])
    a = plus(m1, -dot(m1, t), t)
    a = scaled(1.0 / sqrt(dot(a, a)), a)
    w, x, y, z = of_axes(a, cross(t, a), t)
    k = -1.0 if w * q[0] + x * q[1] + y * q[2] + z * q[3] < 0.0 else 1.0
    q[0], q[1], q[2], q[3] = k * w, k * x, k * y, k * z


@kernel
def of_axes(a: Vector, b: Vector, c: Vector) -> tuple[float, float, float, float]:
    """The unit quaternion of right-handed orthonormal axes: by the largest of its parts (Shepperd 1978)."""
    w, x, y, z = a[0] + b[1] + c[2], a[0] - b[1] - c[2], b[1] - a[0] - c[2], c[2] - a[0] - b[1]
    if w >= max(x, y, z):
        k = 0.5 / sqrt(1.0 + w)
        return 0.25 / k, k * (b[2] - c[1]), k * (c[0] - a[2]), k * (a[1] - b[0])
    if x >= max(y, z):
        k = 0.5 / sqrt(1.0 + x)
        return k * (b[2] - c[1]), 0.25 / k, k * (b[0] + a[1]), k * (c[0] + a[2])
    if y >= z:
        k = 0.5 / sqrt(1.0 + y)
        return k * (c[0] - a[2]), k * (b[0] + a[1]), 0.25 / k, k * (c[1] + b[2])
    k = 0.5 / sqrt(1.0 + z)
    return k * (a[1] - b[0]), k * (c[0] + a[2]), k * (c[1] + b[2]), 0.25 / k


@entry
def directors_along(model: Model, r: int, state: State) -> None:
    """Lay the directors of rod r along its material frames state.t, u and theta."""
    rod, q = model.rods[r], state.q
    for f in range(rod.frame + int(rod.closed), rod.last + r + 2):
        s = segment_of(rod, f)
        t, u = vector(state.t[f]), vector(state.u[f])
        v, c, n = cross(t, u), cos(state.theta[f]), sin(state.theta[f])
        a = plus(scaled(c, u), n, v)
        if f > rod.frame + int(rod.closed):  # so that no two neighbours differ in sign
            for k in range(4):
                q[s, k] = q[s - 1, k]
        lay_axes(state.t[f], a, q[s])
