"""By how much there is too little room between surfaces of colliders, at the end of a frame, for what is between them.

Each contact k there may be asks of the way u of what it pushes, along the normal n of the surface and at the point of
contact: n·u ≥ −g, where g is the gap that the motion of the surface alone leaves. Where no u satisfies all of them, the
way of least Σ sᵖ violates them by s = max(0, −g − n·u): so far surfaces have to yield, opposite ones nearly alike, of
however many faces each is. What there is room for moves, and s is 0. A rod's vertices go each by itself, but across the
rod alone, for where one has gone along it the next has come; bodies go stiffly, soft ones in columns (`soft_squeezed`);
planes do not yield.

It is found by descent in all directions at once, each divided by what contacts ask of it together, p − 1 times sᵖ⁻²
each, the slope of sᵖ⁻¹ (Cimmino's method, which converges where no solution exists: Censor & Elfving 1982, *Linear
Algebra Appl.* 42). Where a body is short of room, that is shared exactly: the largest s is the least that there can be,
p without end, by a linear programme in six unknowns.
"""

from math import sqrt

import numpy as np
from scipy.optimize import linprog

from .._jit import kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..constraints.pins import is_held
from ..model import Model, State, table
from ..rods.chain import edges_at, head_of
from .carriers.led_surface import way_of_vertex
from .carriers.wall import height
from .contact_features import BODY, LED, PLANE, ends_of, first_of, first_thing, second_of, second_thing
from .feature_contact import friction_of, size_of, touching_place
from .surface_contact import collider_of, place_of

POWER = 12  # p: where two contacts face one, they yield by 6 % less than it, not by half as with squares
FREELY = 0.02  # radii: less is left to what contact itself may lack, .05
MOST = 100.0  # times as much as a body's way counts what lacks most
ROUNDS = 200  # which leave (1 − 1/(p − 1))²⁰⁰ = 5e-9 of what there is room for
SQUEEZE = table(
    part=(np.int64, 2),  # what moves the point of contact: a rod's nodes; a body's way and, behind it, its turn; a
    # soft body's face at which a column begins, and the one it ends at
    n=(float, 3),  # the normal, from the surface to the thing
    slope=(float, (2, 3)),  # how far along it, by each
    gap=float,  # at the end of the frame if only surfaces move [m]
    friction=float,  # of a body's contact: Coulomb's coefficient,
    arm=(float, 3),  # its place, from the body's centre of mass over its reach,
    drift=(float, 3),  # how far the surface goes there in the frame [m]
    radius=float,  # what is short by a small part of it is not seen [m]
    feature=np.int64,  # of colliders' surfaces; −1: of what does not yield
    short=float,  # [m] s
)


@kernel
def rows_of_rods(model: Model, state: State, pairs: np.ndarray, reach: float, rows: np.ndarray) -> int:
    """Fill rows with the contacts of rods, whose gaps from planes are below `reach` [m]; pairs: as `pairs_near` fills
    them, all that may be. Returns how many there are.
    """
    count, nodes = 0, model.nodes
    for p in range(len(pairs)):
        i = pairs[p].i
        s, d, drift = place_of(model, pairs[p], state.x, (0.0, 1.0))
        distance = sqrt(dot(d, d))
        if s < 0.0 or distance == 0.0:
            continue
        head = head_of(model, i) if s > 0.0 else i
        if is_held(model, state, i) or is_held(model, state, head):
            continue
        n = scaled(1.0 / distance, d)
        radius = (1.0 - s) * nodes[i].radius + s * nodes[head].radius
        gap = distance - radius - model.surfaces.colliders[collider_of(model.surfaces, pairs[p].j)].thickness
        gap += (1.0 - s) * nodes[i].padding + s * nodes[head].padding - dot(n, drift)
        slopes = across(model, state.x, i, scaled(1.0 - s, n)), across(model, state.x, head, scaled(s, n))
        fill(rows[count], (i, head), n, slopes, (gap, radius), pairs[p].j)
        count += 1
    for p in range(len(state.plane_pairs)):
        i, plane = state.plane_pairs[p].i, model.planes[state.plane_pairs[p].j]
        gap = height(plane, state.x[i]) - nodes[i].radius
        if gap < reach and not is_held(model, state, i):
            n = vector(plane.n)
            fill(rows[count], (i, i), n, (n, (0.0, 0.0, 0.0)), (gap, nodes[i].radius), -1)
            count += 1
    return count


@kernel
def across(model: Model, x: np.ndarray, i: int, n: Vector) -> Vector:
    """What of n is across the rod at vertex i; at a free end all of it."""
    before, behind = edges_at(model.rods[model.nodes[i].rod], i)
    if before < 0 or behind < 0:
        return n
    along = plus(vector(x[behind]), -1.0, vector(x[before]))
    return plus(n, -dot(n, along) / (dot(along, along) + 1e-300), along)


@kernel
def fill(
    row: np.record,
    parts: tuple[int, int],
    n: Vector,
    slopes: tuple[Vector, Vector],
    gap: tuple[float, float],
    feature: int,
) -> None:
    """A SQUEEZE; gap: (itself, radius) [m]."""
    row.part[0], row.part[1] = parts
    row.gap, row.radius, row.feature, row.short = gap[0], gap[1], feature, 0.0
    for c in range(3):
        row.n[c], row.slope[0, c], row.slope[1, c] = n[c], slopes[0][c], slopes[1][c]


@kernel
def rows_of_bodies(model: Model, state: State, pairs: np.ndarray, rows: np.ndarray) -> int:
    """Fill rows with the contacts of bodies; pairs: as `features_near` fills them. Returns how many there are."""
    count, at = 0, (state.x, state.bodies, (0.0, 0.0))
    for p in range(len(pairs)):
        i, j = pairs[p].i, pairs[p].j
        (of, body), (its, feature) = first_thing(model, i), second_of(model, j)
        if min(of, its) != BODY or max(of, its) == BODY:
            continue
        s, d, drift = touching_place(model, pairs[p], at, (1.0, 0.0))
        one, other, scale = size_of(model, pairs[p], s)
        if s < 0.0 or dot(d, d) == 0.0:
            continue
        a, b = ends_of(model, first_of(model, i), at)
        n, place = scaled(1.0 / sqrt(dot(d, d)), d), plus(scaled(1.0 - s, a), s, b)
        gap = sqrt(dot(d, d)) - one - other
        if its == PLANE:
            n, feature = vector(model.planes[feature].n), -1
            gap = dot(d, n) - one
        if of == LED:  # the surface's is the first
            body, k = second_thing(model, j)[1], first_of(model, i)[1]
            feature = len(model.surfaces.faces) + len(model.surfaces.edges) + k
            n, place, drift = scaled(-1.0, n), plus(place, -1.0, d), way_of_vertex(model.surfaces.samples, k, 1.0)
        arm = scaled(1.0 / model.shapes[body].reach, plus(place, -1.0, vector(state.bodies[body].x)))
        part = len(model.nodes) + 2 * body
        fill(rows[count], (part, part + 1), n, (n, cross(arm, n)), (gap - dot(n, drift), scale), feature)
        rows[count].friction = friction_of(model, pairs[p], s)[0]
        for c in range(3):
            rows[count].arm[c], rows[count].drift[c] = arm[c], drift[c]
        count += 1
    return count


@kernel
def yield_least(rows: np.ndarray, u: np.ndarray, asked: np.ndarray) -> None:
    """Find how short room is in all rows, SQUEEZE.short. u (N + 2 B, 3), zeros: how far nodes go, and bodies, on and
    round times their reach [m]; asked (N + 2 B,): scratch.
    """
    for done in range(ROUNDS):
        most = 0.0
        for i in range(len(u)):
            asked[i] = 0.0
        for k in range(len(rows)):
            rows[k].short = lacking(rows[k], u) if rows[k].feature >= 0 else 0.0
            most = max(most, rows[k].short)
        if most == 0.0 and done > 0:  # at first floors may push what is in them
            break
        for k in range(len(rows)):
            row = rows[k]
            if row.short > 0.0:
                one, other = slope_of(row, 0), slope_of(row, 1)
                both = (POWER - 1) * weight_of(row, most) * (sqrt(dot(one, one)) + sqrt(dot(other, other)))
                asked[row.part[0]] += both * sqrt(dot(one, one))
                asked[row.part[1]] += both * sqrt(dot(other, other))
        for k in range(len(rows)):
            row = rows[k]
            for side in range(2):
                for c in range(3):
                    if asked[row.part[side]] > 0.0:
                        way = weight_of(row, most) * row.short / asked[row.part[side]]
                        u[row.part[side], c] += row.slope[side, c] * way
        for k in range(len(rows)):
            if rows[k].feature < 0:
                lacks = lacking(rows[k], u)
                for c in range(3):
                    u[rows[k].part[0], c] += rows[k].slope[0, c] * lacks
    for k in range(len(rows)):
        rows[k].short = lacking(rows[k], u) if rows[k].feature >= 0 else 0.0


def yield_alike(rows: np.ndarray) -> None:
    """Have what a body's SQUEEZE that lacks most lack as little as it can, and the body move as little as it may beside
    that: by least Σ sᵖ more contacts on one side give it a part of the way, in a deep grip more than it is gripped by.

    Friction holds the body on what closes on it: where that slides it asks for f·u with f at the edges of its cone,
    n ± μ t, so that the body turns where forces in these cones cannot be in balance, and what jams yields. By less than
    contact may lack it turns freely.
    """
    led, unit, count = rows["feature"] >= 0, np.abs(rows["gap"]).max(), len(rows)
    rubs = led & (rows["gap"] < 0.0) & (np.sum(rows["n"] * rows["drift"], axis=1) > 0.0)
    f, gap, which = rows["n"], rows["gap"], np.arange(count)
    for across in _across(rows["n"]):
        for side in (-1.0, 1.0):
            push = (side * rows["friction"])[:, None] * across
            f, which = np.vstack([f, (rows["n"] + push)[rubs]]), np.append(which, np.flatnonzero(rubs))
            gap = np.append(gap, (rows["gap"] - np.sum(push * rows["drift"], axis=1))[rubs])
    asks = np.hstack([f, np.cross(rows["arm"][which], f), rows["slope"][which, 1], np.zeros((len(f), 9))])
    asked = np.hstack([-asks, -1.0 * led[which, None]])  # −f·u − t ≤ g
    one, none = np.eye(9), np.zeros((9, 1))
    asked = np.vstack([asked, np.hstack([one, -one, none]), np.hstack([-one, -one, none])])  # −a ≤ u ≤ a
    freely = FREELY * float(rows["radius"].min()) / unit
    bounds = [(None, None)] * 6 + [(-freely, freely)] * 3 + [(0.0, None)] * 10
    cost = np.array([0.0] * 9 + [1.0] * 9 + [MOST])
    found = linprog(cost, asked, np.concatenate([gap / unit, np.zeros(18)]), bounds=bounds)
    if found.success:
        lacks = -rows["gap"] - unit * asks[:count, :9] @ found.x[:9]
        rows["short"] = np.where(led, np.maximum(lacks, 0.0), 0.0)


def _across(n: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two unit vectors (k, 3) across each of n (k, 3), and across each other."""
    least = np.eye(3)[np.abs(n).argmin(axis=1)]
    one = np.cross(n, least)
    one /= np.linalg.norm(one, axis=1, keepdims=True)
    return one, np.cross(n, one)


@kernel
def weight_of(row: np.record, most: float) -> float:
    """sᵖ⁻² of a SQUEEZE, over that of the one that lacks most [m]."""
    square = (row.short / most) ** 2
    power = 1.0
    for _ in range(POWER // 2 - 1):
        power *= square
    return power


@kernel
def lacking(row: np.record, u: np.ndarray) -> float:
    """How much [m] a SQUEEZE lacks where things go by u."""
    way = dot(slope_of(row, 0), vector(u[row.part[0]])) + dot(slope_of(row, 1), vector(u[row.part[1]]))
    return max(0.0, -row.gap - way)


@kernel
def slope_of(row: np.record, side: int) -> Vector:
    """One of the slopes of a SQUEEZE."""
    return row.slope[side, 0], row.slope[side, 1], row.slope[side, 2]
