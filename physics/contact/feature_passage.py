"""Whether surfaces have passed through something in a step, or sunk into it: a vertex through a face or a plane, an
edge through an edge; all moves along straight lines, seen in the axes of a rigid body whose surface it is. What is held
passes through what leads it and through what else is held: neither can yield.
"""

from math import inf

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus, vector
from ..model import FEATURES, Model, OldState, State, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import into
from .carriers.led_surface import lay, moment, motion_at
from .contact_features import (
    BODY,
    PLANE,
    ROD,
    SOFT,
    At,
    Parts,
    ends_of,
    first_of,
    first_thing,
    of_one,
    part_of,
    second_of,
    second_thing,
    surface_of,
)
from .continuous_detection import Motion, at, passes_face, passes_segment
from .feature_contact import depth_of, reach_of
from .feature_list import Gaps, closed_by
from .segment_distance import distance_of, distance_to_triangle
from .surface_contact import collider_of
from .surface_pairs import distance

NEW = 0.2  # of what may be overlapped by: with all of that a brick topples .058 of its rounding into another
Pass = tuple[At, At, Gaps]  # before and behind a step, and by how much gaps may have closed since pairs were listed


@kernel
def step_of(model: Model, state: State, old: OldState, h: float) -> Pass:
    """What a step of h [s] from `old` to `state` was, soft bodies' samples being where it began and where it ends."""
    time = state.clock[0].time
    before = old.x, old.bodies, (moment(model.surfaces, time), 0.0)
    behind = state.x, state.bodies, (moment(model.surfaces, time + h), 1.0)
    return before, behind, closed_by(model, state, state.x, state.bodies, 1, time + h)


@kernel
def went_beyond(state: State, gone: Gaps) -> bool:
    """Whether pairs may have met that are not listed, where gaps have closed by that."""
    listing = state.listings[FEATURES]
    return not (listing.closed + gone[0] <= listing.skin and listing.own_closed + gone[1] <= listing.own_skin)


@kernel
def soft_passed(model: Model, state: State, old: OldState, h: float, limits: tuple[float, float]) -> bool:
    """Whether soft bodies have passed through something in a step of h [s], may have without being listed, or have
    sunk into it; limits: see `deepened`.
    """
    lay(model.solids.surface, model.solids.on_node, state.x, 1)
    pairs, went = state.feature_pairs[: max(state.listings[FEATURES].count, 0)], step_of(model, state, old, h)
    if went_beyond(state, went[2]) or passed(model, state, pairs, went) >= 0:
        return True
    return deepened(model, state, pairs, went, limits) >= 0


@kernel
def passed(model: Model, state: State, pairs: np.ndarray, went: Pass) -> int:
    """The first of some pairs that have passed through each other in a step, or −1."""
    before, behind, gone = went
    for p in range(len(pairs)):
        pair = pairs[p]
        if is_near(model, pair, gone) and not both_led(model, state.w, pair) and passes(model, pair, before, behind):
            return p
    return -1


@kernel
def is_near(model: Model, pair: np.record, gone: Gaps) -> bool:
    """Whether a PAIR may have met, where gaps have closed by that."""
    return pair.gap <= max(gone[0], gone[1]) and pair.gap <= gone[of_one(model, pair)]


@kernel
def both_led(model: Model, w: np.ndarray, pair: np.record) -> bool:
    """Whether both of a PAIR go where they are led, at one of their nodes at least: no shorter step keeps them apart.
    w (N,) [1/kg] of nodes, 0 of those that are held.
    """
    (of, k, is_edge), (its, j), own, on_node = (
        first_of(model, pair.i), second_of(model, pair.j), model.solids.surface, model.solids.on_node
    )  # fmt: skip
    if min(of, its) < SOFT:
        return False
    if of == SOFT and is_edge:
        end = own.edges[k].end
        if w[on_node[end[0]]] > 0.0 and w[on_node[end[1]]] > 0.0:
            return False
    elif of == SOFT and w[on_node[k]] > 0.0:
        return False
    if its != SOFT:
        return True
    faces, edges = len(own.faces), len(own.edges)
    if j < faces:
        corner = own.faces[j].corner
        return w[on_node[corner[0]]] == 0.0 or w[on_node[corner[1]]] == 0.0 or w[on_node[corner[2]]] == 0.0
    if j < faces + edges:
        end = own.edges[j - faces].end
        return w[on_node[end[0]]] == 0.0 or w[on_node[end[1]]] == 0.0
    return w[on_node[j - faces - edges]] == 0.0


@kernel
def passes(model: Model, pair: np.record, before: At, behind: At) -> bool:
    """Whether the first of a PAIR has passed through its second."""
    first, (its, j) = first_of(model, pair.i), second_of(model, pair.j)
    of, i, is_edge = first
    if its == PLANE and of != SOFT:
        return False  # how deep it is tells
    surfaces = surface_of(model, its)
    faces, point = len(surfaces.faces), of == ROD or not is_edge
    if its != PLANE and not (point if j < faces else is_edge and j < faces + len(surfaces.edges)):
        return False
    if of == ROD and j >= faces and head_of(model, i) < 0:
        return False
    (a, c), (a1, c1) = ends_of(model, first, before), ends_of(model, first, behind)
    if its == BODY:
        b = collider_of(surfaces, j)
        one, other = before[1][b], behind[1][b]
        a, c, a1, c1 = into(one, a), into(one, c), into(other, a1), into(other, c1)
    own, end = (a, plus(a1, -1.0, a)), (c, plus(c1, -1.0, c))
    if its == PLANE:
        return sinks(model.planes[j], own)
    parts = part_of(its, before[2]), part_of(its, behind[2]) - part_of(its, before[2])
    return through_face(surfaces, j, own, parts) if j < faces else through_edge(surfaces, j - faces, own, end, parts)


@kernel
def through_face(surfaces: Surfaces, f: int, a: Motion, parts: Parts) -> bool:
    """Whether a point passes through face f. It does not where it is further off than it moves against the corners."""
    corner = surfaces.faces[f].corner
    if corner[1] == corner[2]:
        return False
    p, q, r = (
        motion_at(surfaces, corner[0], parts), motion_at(surfaces, corner[1], parts),
        motion_at(surfaces, corner[2], parts),
    )  # fmt: skip
    way = max(distance(a[1], p[1]), distance(a[1], q[1]), distance(a[1], r[1]))
    return distance_to_triangle(a[0], p[0], q[0], r[0]) <= way and passes_face(a, p, q, r)


@kernel
def through_edge(surfaces: Surfaces, k: int, a: Motion, b: Motion, parts: Parts) -> bool:
    """Whether an edge passes through edge k. It does not where it is further off than they move against each other."""
    end = surfaces.edges[k].end
    p, q = motion_at(surfaces, end[0], parts), motion_at(surfaces, end[1], parts)
    way = max(distance(a[1], p[1]), distance(a[1], q[1]), distance(b[1], p[1]), distance(b[1], q[1]))
    return distance_of(a[0], b[0], p[0], q[0]) <= way and passes_segment(a, b, p, q)


@kernel
def sinks(plane: np.record, a: Motion) -> bool:
    """Whether a point goes through a PLANE."""
    before = dot(plus(a[0], -1.0, vector(plane.point)), plane.n)
    return before >= 0.0 and dot(plus(at(a, 1.0), -1.0, vector(plane.point)), plane.n) < 0.0


@kernel
def deepened(model: Model, state: State, pairs: np.ndarray, went: Pass, limits: tuple[float, float]) -> int:
    """The first of some pairs that has come to overlap by more than limits[0] in a step, or did so before and does so
    by limits[1] more, or −1: both over its scale. What did not touch where it touches now was held by nothing there,
    and may come to overlap by so much as is NEW more than it reached in: a shorter step brings that to nothing.
    """
    before, behind, gone = went
    for p in range(len(pairs)):
        pair = pairs[p]
        if not is_near(model, pair, gone) or both_led(model, state.w, pair):
            continue
        depth, scale = depth_of(model, pair, behind)
        if depth > limits[0] * scale and depth < inf:
            earlier, _ = depth_of(model, pair, before)
            more = limits[1] if earlier > limits[0] * scale else 0.0
            if earlier == -inf:
                beside, more = deepest_beside(model, pairs, pair, before), NEW * limits[0]
                earlier = max(beside, reach_of(model, pair, before))
            if depth - earlier > more * scale:
                return p
    return -1


@kernel
def deepest_beside(model: Model, pairs: np.ndarray, pair: np.record, at: At) -> float:
    """How deep [m] the two things of a PAIR were in each other, of a rod only beside it: what slides or rocks comes to
    one feature as deep as it was at another.
    """
    deepest = 0.0
    for p in range(len(pairs)):
        if same_things(model, pair, pairs[p]):
            deepest = max(deepest, depth_of(model, pairs[p], at)[0])
    return deepest


@kernel
def same_things(model: Model, one: np.record, other: np.record) -> bool:
    """Whether two PAIRs are of the same things, of a rod the same edge or neighbours."""
    i, k = one.i, other.i
    a, b, c, d = first_thing(model, i), second_thing(model, one.j), first_thing(model, k), second_thing(model, other.j)
    if a[0] == ROD or c[0] == ROD:
        return a[0] == c[0] and b == d and (i == k or k == head_of(model, i) or i == head_of(model, k))
    return (a == c and b == d) or (a == d and b == c)
