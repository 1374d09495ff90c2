"""Elastic energy that rods hold [J], by the strains of hinges (elements/hinge, curved_hinge), edges (stretching),
joints and segments (bending_and_torsion, spinning_segment), with frames as they are at hand.

A straight round rod's hinge holds ½ b (1 − c)/(1 + c) = b |κb|²/8, b = 8 α/l (Bergou 2008, eqs. 2 and 3), and, of the
torque τ_i that its ends prescribe, τ_i² l/4β (eq. 5).
"""

from math import cos, sin, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.turns import quaternion
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..elements.bending_and_torsion import moments, rodrigues, turn
from ..elements.curved_hinge import hinge_energies, hinge_moments
from ..elements.hinge import Gradient, Strains, axes_of, between, curvatures, hinge_gradient
from ..elements.hinge_lanes import COUNT, energies, gather_edge, gather_hinge
from ..elements.spinning_segment import segment_gradient
from ..elements.stretching import stretching_energy
from ..implicit.chain import is_framed
from ..implicit.scratch import ImplicitScratch
from ..model import Model, State
from ..rods.chain import chain_edges, edges_at, hinges_of
from ..rods.director_forces import bends_of, edges_of
from ..rods.in_pulleys import bend_over
from ..rods.isotropic_twist import end_torques


@kernel
def stored(
    model: Model, state: State, own: ImplicitScratch, x: np.ndarray, q: np.ndarray, e: np.ndarray
) -> tuple[float, float]:
    """(all but twist, twist of frames that have no inertia) [J] of all rods at the positions x (N, 3), their segments
    at q (S, 4); implicit steps' frames, and edges of what may be curved in them, as `own` has them, else frames as the
    State has. Edges are written to e (M, 3).
    """
    most = twist = 0.0
    for r in range(len(model.rods)):
        framed = len(model.chain_system.chains) > 0 and is_framed(model, own, r)
        bent, twisted, stretched = of_rod(model, state, own, x, q, e, r, framed)
        most, twist = most + bent + stretched, twist + twisted
        if model.rods[r].cosserat or model.rods[r].rolls:
            most, twist = most + twisted, twist - twisted
    return most, twist


@entry
def energies_of_rods(model: Model, state: State, own: ImplicitScratch, e: np.ndarray, found: np.ndarray) -> None:
    """found (R, 3): what bends, twists and stretches [J] of a State whose frames are its own. Edges go to e (M, 3)."""
    for r in range(len(model.rods)):
        found[r, 0], found[r, 1], found[r, 2] = of_rod(model, state, own, state.x, state.q, e, r, False)


@kernel
def of_rod(
    model: Model,
    state: State,
    own: ImplicitScratch,
    x: np.ndarray,
    q: np.ndarray,
    e: np.ndarray,
    r: int,
    framed: bool,
) -> tuple[float, float, float]:
    """(bending, twist, stretching) of rod r."""
    if model.rods[r].cosserat:
        return of_segments(model, state, x, q, r)
    chain_edges(model.rods, r, state.ghosts, x, e)
    if len(model.pulleys) > 0:
        bend_over(model, state, r, e)
    bent, twisted = of_hinges(model, state, own, e, r, framed)
    return bent, twisted, of_edges(model, x, r) if model.rods[r].stretchable else 0.0


@kernel
def of_edges(model: Model, x: np.ndarray, r: int) -> float:
    """Of the edges of rod r, which stretch."""
    rod, total = model.rods[r], 0.0
    for j in range(rod.first, rod.last + int(rod.closed)):
        edge = plus(vector(x[j + 1 if j < rod.last else rod.first]), -1.0, vector(x[j]))
        total += stretching_energy(edge, model.edges[j].length, model.edges[j].stretch)
    return total


@kernel
def of_hinges(
    model: Model, state: State, own: ImplicitScratch, e: np.ndarray, r: int, framed: bool
) -> tuple[float, float]:
    """(bending, twist) of rod r, whose edges are in e (M, 3)."""
    rod, bent, twisted = model.rods[r], 0.0, 0.0
    begin, end = hinges_of(model.rods, r, state.ghosts)
    if rod.general:
        return of_framed(model, own, r, begin, end) if framed else of_general(model, state, e, r, begin, end)
    torque = 0.0 if framed else end_torques(model, state, r)[0]
    for h in range(begin, end):  # |κb| = 2 |a × b|/(|a| |b| + a·b)
        hinge, a, b = model.hinges[h], vector(e[h + r]), vector(e[h + r + 1])
        k, whole = cross(a, b), sqrt(dot(a, a) * dot(b, b)) + dot(a, b)
        bent += 0.5 * hinge.bend * dot(k, k) / (whole * whole)
        torque -= 0.0 if framed else state.torque[h + r]
        twist = hinge.twist_rate * (own.turn[h] - hinge.rest_twist) if framed else torque
        twisted += 0.5 * twist * twist / hinge.twist_rate
    return bent, twisted


@kernel
def of_framed(model: Model, own: ImplicitScratch, r: int, begin: int, end: int) -> tuple[float, float]:
    """The same of the hinges from `begin` to `end` of a rod that may be curved, by directions and frames at hand."""
    here, bent, twisted = own.lanes[0], 0.0, 0.0
    for first in range(begin, end, COUNT):
        count = min(COUNT, end - first)
        for l in range(count + 1):
            f = first + l + r
            gather_edge(own.t[f], own.inverse[f], own.m1[f], own.e[f], True, here, l)
        for l in range(count):
            gather_hinge(model.hinges[first + l], own.turn[first + l], True, 1.0, here, l)
        energies(here)
        for l in range(count):
            bent, twisted = bent + here.energy[0, l], twisted + here.energy[1, l]
    return bent, twisted


@kernel
def of_general(model: Model, state: State, e: np.ndarray, r: int, begin: int, end: int) -> tuple[float, float]:
    """The same by edges e (M, 3) and the State's frames."""
    bent = twisted = 0.0
    for h in range(begin, end):
        f, shape = h + r, between(e[h + r : h + r + 2])
        axes = axes_of(shape, axis(state, shape[0], f), axis(state, shape[1], f + 1))
        turned = state.theta[f + 1] - state.theta[f]
        bending, twist = hinge_energies(model.hinges[h], curvatures(shape[5], axes), turned)
        bent, twisted = bent + bending, twisted + twist
    return bent, twisted


@kernel
def axis(state: State, t: Vector, f: int) -> Vector:
    """The first material axis of the State's frame f, on the unit edge t."""
    u = vector(state.u[f])
    return plus(scaled(cos(state.theta[f]), u), sin(state.theta[f]), cross(t, u))


@kernel
def of_segments(model: Model, state: State, x: np.ndarray, q: np.ndarray, r: int) -> tuple[float, float, float]:
    """(bending, twist, stretching) of a Cosserat rod, with what keeps directors along edges in the first."""
    bent = twisted = stretched = 0.0
    first, end = edges_of(model.rods[r])
    for k in range(first, end):
        one = model.segments[k]
        e = plus(vector(x[one.head]), -1.0, vector(x[one.tail]))
        stretched += stretching_energy(e, one.length, one.stretch)
        bent += segment_gradient(e, quaternion(q[k]), one.length, 0.0, one.parallel)[0]
    first, end = bends_of(model.rods, r, state.ghosts)
    for k in range(first, end):
        bend = model.bends[k]
        turned = turn(rodrigues(quaternion(q[bend.before]), quaternion(q[bend.behind]), bend.sign))
        w = plus(scaled(1.0 / bend.length, turned), -1.0, vector(bend.rest))
        bent += 0.5 * bend.length * (bend.stiffness[0] * w[0] * w[0] + bend.stiffness[1] * w[1] * w[1])
        twisted += 0.5 * bend.length * bend.stiffness[2] * w[2] * w[2]
    return bent, twisted, stretched


@kernel
def elastic_pull(
    model: Model, state: State, own: ImplicitScratch, q: np.ndarray, e: np.ndarray, i: int
) -> tuple[Vector, float]:
    """(elastic force [N] on vertex i of a rod at the end of an implicit step, but for the tension of its edges where
    they keep their lengths; largest moment of what bends or twists there [N m]). e (M, 3): the edges. One that a clamp
    holds beyond an end goes with the vertex: it does not pull at it.
    """
    r = model.nodes[i].rod
    rod, force, moment = model.rods[r], (0.0, 0.0, 0.0), 0.0
    if rod.cosserat:
        return pull_of_segments(model, state, q, i)
    begin, end = hinges_of(model.rods, r, state.ghosts)
    framed, n = is_framed(model, own, r), rod.last - rod.first + 1
    for k in range(-1, 2):
        h = rod.first + (i - rod.first + k) % n if rod.closed else i + k
        if begin <= h < end:
            (a, b, _, _), M = gradient_at(model, own, e, r, h, framed)
            moment = max(moment, sqrt(M[0] ** 2 + M[1] ** 2 + M[2] ** 2 + M[3] ** 2) + abs(M[4]))
            if k < 0 or (k == 0 and (rod.closed or i < rod.last)):
                force = plus(force, 1.0 if k == 0 else -1.0, b)
            if k > 0 or (k == 0 and (rod.closed or i > rod.first)):
                force = plus(force, -1.0 if k == 0 else 1.0, a)
    return force, moment


@kernel
def gradient_at(
    model: Model, own: ImplicitScratch, e: np.ndarray, r: int, h: int, framed: bool
) -> tuple[Gradient, Strains]:
    """(∂E of hinge h of rod r, its moments [N m])."""
    hinge, shape = model.hinges[h], between(e[h + r : h + r + 2])
    if framed:
        axes, turned = axes_of(shape, vector(own.m1[h + r]), vector(own.m1[h + r + 1])), own.turn[h]
    else:  # round and straight: whatever its axes
        axes, turned = axes_of(shape, across(shape[0]), across(shape[1])), hinge.rest_twist
    M = hinge_moments(hinge, curvatures(shape[5], axes), turned)
    return hinge_gradient(shape, axes, M), M


@kernel
def across(t: Vector) -> Vector:
    """A unit vector across a unit vector."""
    u = cross(t, (1.0, 0.0, 0.0) if abs(t[0]) < 0.5 else (0.0, 1.0, 0.0))
    return scaled(1.0 / sqrt(dot(u, u)), u)


@kernel
def pull_of_segments(model: Model, state: State, q: np.ndarray, i: int) -> tuple[Vector, float]:
    """What `elastic_pull` says of a vertex of a Cosserat rod, whose edges stretch."""
    rod, force, moment = model.rods[model.nodes[i].rod], (0.0, 0.0, 0.0), 0.0
    before, behind = edges_at(rod, i)
    for side in range(2):
        tail = i if side else before
        if tail >= 0 and (behind >= 0 or not side):
            k = rod.segment + 1 + tail - rod.first
            one = model.segments[k]
            e = plus(vector(state.x[one.head]), -1.0, vector(state.x[one.tail]))
            _, pull, torque = segment_gradient(e, quaternion(q[k]), one.length, one.stretch, one.parallel)
            force = plus(force, -1.0 if side else 1.0, pull)
            moment += sqrt(dot(torque, torque))
    first, end = bends_of(model.rods, model.nodes[i].rod, state.ghosts)
    for k in range(max(first, rod.bend + i - rod.first - 1), min(end, rod.bend + i - rod.first + 2)):
        bend = model.bends[k]
        s = rodrigues(quaternion(q[bend.before]), quaternion(q[bend.behind]), bend.sign)
        M = moments(s, bend.length, vector(bend.rest), vector(bend.stiffness))[1]
        moment = max(moment, sqrt(dot(M, M)))
    return force, moment
