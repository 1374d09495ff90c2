"""Whether surfaces of bodies have passed through something in a step, or sunk into it: a vertex through a face, an edge
through an edge, in the axes of the body whose surface it is, where what comes moves along straight lines.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import plus
from ..model import Model, OldState, State, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import into
from .carriers.led_surface import moment, motion_at
from .continuous_detection import passes_face, passes_segment
from .shape_contact import depth_of, reach_of
from .shape_numbers import At, ends_of, first_thing, firsts, second_thing, seconds
from .shape_pairs import closed_by
from .surface_contact import collider_of

Pass = tuple[
    At, At, float
]  # before and behind a step, and by how much gaps may have closed since pairs were listed [m]


@kernel
def step_of(model: Model, state: State, old: OldState, h: float) -> Pass:
    """What a step of h [s] from `old` to `state` was."""
    time = state.clock[0].time
    before = old.x, old.bodies, moment(model.surfaces, time)
    behind = state.x, state.bodies, moment(model.surfaces, time + h)
    return before, behind, closed_by(model, state, state.x, state.bodies, time + h)


@kernel
def shapes_passed(model: Model, state: State, went: Pass) -> int:
    """The first of State.shape_pairs that have passed through each other in a step, or −1."""
    (led, plane), (before, behind, gone) = seconds(model), went
    for p in range(state.shape_listing[0].count):
        pair = state.shape_pairs[p]
        if pair.j >= plane or pair.gap > gone:
            continue
        if pair.j < led:
            hit = passes(model, model.skins, pair, 0, before, behind)
        else:
            hit = passes(model, model.surfaces, pair, led, before, behind)
        if hit:
            return p
    return -1


@kernel
def passes(model: Model, surfaces: Surfaces, pair: np.record, base: int, before: At, behind: At) -> bool:
    """Whether the first of a PAIR has passed through its second, feature j − base of a surface."""
    (vertex, edge, led), i, j, faces = firsts(model), pair.i, pair.j - base, len(surfaces.faces)
    alone = edge <= i < led
    if (j < faces and alone) or (j >= faces and i >= vertex and not alone) or j >= faces + len(surfaces.edges):
        return False
    if j >= faces and i < vertex and head_of(model, i) < 0:
        return False
    (a, c), (a1, c1) = ends_of(model, i, before), ends_of(model, i, behind)
    if base == 0:
        b = collider_of(surfaces, j)
        one, other = before[1][b], behind[1][b]
        a, c, a1, c1 = into(one, a), into(one, c), into(other, a1), into(other, c1)
    parts = before[2], behind[2] - before[2]
    own, end = (a, plus(a1, -1.0, a)), (c, plus(c1, -1.0, c))
    if j < faces:
        corner = surfaces.faces[j].corner
        if corner[1] == corner[2]:
            return False
        p, q, r = (
            motion_at(surfaces, corner[0], parts),
            motion_at(surfaces, corner[1], parts),
            motion_at(surfaces, corner[2], parts),
        )
        return passes_face(own, p, q, r)
    ends = surfaces.edges[j - faces].end
    return passes_segment(own, end, motion_at(surfaces, ends[0], parts), motion_at(surfaces, ends[1], parts))


@kernel
def shapes_deepened(model: Model, state: State, went: Pass, limits: tuple[float, float]) -> int:
    """The first of State.shape_pairs that overlaps by more than limits[0], and limits[1] more than before a step, or
    −1: both over its scale. What did not touch where it touches now was held by nothing there, and may come to overlap
    by limits[0] more than it reached in: a shorter step brings that to nothing.
    """
    before, behind, gone = went
    for p in range(state.shape_listing[0].count):
        pair, more = state.shape_pairs[p], limits[1]
        if pair.gap > gone:
            continue
        depth, scale = depth_of(model, pair, behind)
        if depth > limits[0] * scale and depth < np.inf:
            earlier, _ = depth_of(model, pair, before)
            if earlier == -np.inf:
                beside, more = deepest_beside(model, state, pair, before), limits[0]
                earlier = max(beside, reach_of(model, pair, before))
            if depth - earlier > more * scale:
                return p
    return -1


@kernel
def deepest_beside(model: Model, state: State, pair: np.record, at: At) -> float:
    """How deep [m] the two things of a PAIR were in each other, of a rod only beside it: what slides or rocks comes to
    one feature as deep as it was at another.
    """
    deepest = 0.0
    for p in range(state.shape_listing[0].count):
        other = state.shape_pairs[p]
        if same_things(model, pair, other):
            deepest = max(deepest, depth_of(model, other, at)[0])
    return deepest


@kernel
def same_things(model: Model, one: np.record, other: np.record) -> bool:
    """Whether two PAIRs are of the same things, of a rod the same edge or neighbours."""
    i, k = one.i, other.i
    a, b, c, d = first_thing(model, i), second_thing(model, one.j), first_thing(model, k), second_thing(model, other.j)
    if a < 0 or c < 0:
        return a == c and b == d and (i == k or k == head_of(model, i) or i == head_of(model, k))
    return (a == c and b == d) or (a == d and b == c)
