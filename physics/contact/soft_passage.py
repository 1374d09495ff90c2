"""Whether soft bodies' surfaces have passed through something in a step: a vertex through a face, an edge through an
edge, a vertex through a plane; all points move along straight lines. What is held passes
through what leads it and through what else is held: neither can yield. Of one body, pairs are left out that stay apart
where it moves as a whole, with only what is left of its way straight: that leads to the same places.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus, vector
from ..model import Model, State, Surfaces
from .carriers.led_surface import lay, moment, motion_at
from .continuous_detection import Motion, at, passes_face, passes_segment
from .segment_distance import distance_of, distance_to_triangle
from .soft_pairs import closed_by, firsts, of_one, seconds
from .surface_pairs import distance

WHOLE = (0.0, 1.0)  # of a step, between a soft surface's samples


@kernel
def soft_passed(model: Model, state: State, h: float) -> bool:
    """Whether any of State.soft_pairs have passed through each other in a step of h [s], or may have without being
    listed.
    """
    listing, time = state.soft_listing, state.clock[0].time
    gone = closed_by(model, state, state.x, time + h)
    if not (gone[0] <= listing[0].skin and gone[1] <= listing[1].skin):
        return True
    lay(model.solids.surface, model.solids.on_node, state.x, 1)
    begin = moment(model.surfaces, time)
    parts = begin, moment(model.surfaces, time + h) - begin
    for p in range(listing[0].count):
        pair = state.soft_pairs[p]
        if pair.gap <= gone[of_one(model, pair)] and not led(model, state.w, pair) and passes(model, pair, parts):
            return True
    return False


@kernel
def led(model: Model, w: np.ndarray, pair: np.record) -> bool:
    """Whether both of a PAIR go where they are led, at one of their nodes at least: no shorter step keeps them apart.
    w (N,) [1/kg] of nodes, 0 of those that are held.
    """
    own, on_node, (edge, collider), its = model.solids.surface, model.solids.on_node, firsts(model), seconds(model)[0]
    i, j, faces, edges = pair.i, pair.j, len(model.solids.surface.faces), len(model.solids.surface.edges)
    if i < edge and w[on_node[i]] > 0.0:
        return False
    if edge <= i < collider:
        end = own.edges[i - edge].end
        if w[on_node[end[0]]] > 0.0 and w[on_node[end[1]]] > 0.0:
            return False
    if j >= its:
        return True
    if j < faces:
        corner = own.faces[j].corner
        return w[on_node[corner[0]]] == 0.0 or w[on_node[corner[1]]] == 0.0 or w[on_node[corner[2]]] == 0.0
    if j < faces + edges:
        end = own.edges[j - faces].end
        return w[on_node[end[0]]] == 0.0 or w[on_node[end[1]]] == 0.0
    return w[on_node[j - faces - edges]] == 0.0


@kernel
def passes(model: Model, pair: np.record, parts: tuple[float, float]) -> bool:
    """Whether the first of a PAIR has passed through its second; parts of the frame: over, and that the step takes."""
    own, led, (edge, collider), (its, plane) = model.solids.surface, model.surfaces, firsts(model), seconds(model)
    i = pair.i
    if edge <= i < collider:
        end = own.edges[i - edge].end
        a, b = motion_at(own, end[0], WHOLE), motion_at(own, end[1], WHOLE)
        if pair.j < its:
            return through_edge(own, pair.j - len(own.faces), a, b, WHOLE)
        return through_edge(led, pair.j - its - len(led.faces), a, b, parts)
    a = motion_at(own, i, WHOLE) if i < edge else motion_at(led, i - collider, parts)
    if pair.j >= plane:
        return sinks(model.planes[pair.j - plane], a)
    if pair.j < its:
        return pair.j < len(own.faces) and through_face(own, pair.j, a, WHOLE)
    return pair.j - its < len(led.faces) and through_face(led, pair.j - its, a, parts)


@kernel
def through_face(surfaces: Surfaces, f: int, a: Motion, parts: tuple[float, float]) -> bool:
    """Whether a point passes through face f. It does not where it is further off than it moves against the corners."""
    corner = surfaces.faces[f].corner
    p, q, r = (
        motion_at(surfaces, corner[0], parts), motion_at(surfaces, corner[1], parts),
        motion_at(surfaces, corner[2], parts),
    )  # fmt: skip
    way = max(distance(a[1], p[1]), distance(a[1], q[1]), distance(a[1], r[1]))
    return distance_to_triangle(a[0], p[0], q[0], r[0]) <= way and passes_face(a, p, q, r)


@kernel
def through_edge(surfaces: Surfaces, k: int, a: Motion, b: Motion, parts: tuple[float, float]) -> bool:
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
