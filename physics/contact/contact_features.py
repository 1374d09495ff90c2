"""How what may touch is numbered in pairs, what it is of, and where it is.

Three kinds of things have surfaces: rigid bodies (Model.skins, in their own axes), soft bodies (Solids.surface, whose
samples are where a step begins and where it leads) and colliders (Model.surfaces, in a frame). A pair's first is, one
behind the other: a rod's vertex, or the edge that leaves it; of each of these surfaces a vertex, an edge; of colliders
but a vertex. Its second: of each of them a feature (faces, edges, vertices); a plane.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, vector
from ..model import Model, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import out_of
from .carriers.led_surface import vertex_at
from .surface_contact import collider_of

ROD, BODY, SOFT, LED, PLANE = range(5)
First = tuple[int, int, bool]  # (what it is of, its number there, whether it is an edge)
Second = tuple[int, int]  # (what it is of, its number there)
Parts = tuple[float, float]  # of the frame, and of a soft body's step, that are over
At = tuple[np.ndarray, np.ndarray, Parts]  # positions (N, 3), BODY_STATE (B,) and when


@kernel
def surface_of(model: Model, of: int) -> Surfaces:
    """That of all things of a kind."""
    if of == BODY:
        return model.skins
    return model.solids.surface if of == SOFT else model.surfaces


@kernel
def part_of(of: int, parts: Parts) -> float:
    """How far things of a kind are from one sample of theirs to the other."""
    return parts[0] if of == LED else parts[1] if of == SOFT else 0.0


@kernel
def features(surfaces: Surfaces) -> int:
    """How many there are of all kinds."""
    return len(surfaces.faces) + len(surfaces.edges) + len(surfaces.vertices)


@kernel
def first_vertex(model: Model, of: int) -> int:
    """Number, as a first, of the first vertex of this kind."""
    count = len(model.nodes)
    for kind in range(BODY, of):
        count += len(surface_of(model, kind).vertices) + len(surface_of(model, kind).edges)
    return count


@kernel
def first_edge(model: Model, of: int) -> int:
    """Number, as a first, of the first edge of this kind; of colliders it is how many firsts there are."""
    return first_vertex(model, of) + len(surface_of(model, of).vertices)


@kernel
def first_feature(model: Model, of: int) -> int:
    """Number, as a second, of the first feature of this kind."""
    count = 0
    for kind in range(BODY, of):
        count += features(surface_of(model, kind))
    return count


@kernel
def first_of(model: Model, i: int) -> First:
    """What the first of a pair is."""
    k = i - len(model.nodes)
    if k < 0:
        return ROD, i, True
    for of in range(BODY, LED):
        vertices, edges = len(surface_of(model, of).vertices), len(surface_of(model, of).edges)
        if k < vertices + edges:
            return of, k if k < vertices else k - vertices, k >= vertices
        k -= vertices + edges
    return LED, k, False


@kernel
def second_of(model: Model, j: int) -> Second:
    """What the second of a pair is."""
    for of in range(BODY, PLANE):
        count = features(surface_of(model, of))
        if j < count:
            return of, j
        j -= count
    return PLANE, j


@kernel
def first_thing(model: Model, i: int) -> tuple[int, int]:
    """(kind, number) of the thing that the first of a pair is of."""
    return owner(model, first_of(model, i))


@kernel
def owner(model: Model, first: First) -> tuple[int, int]:
    """The same of a first that is known."""
    of, k, is_edge = first
    if of == ROD:
        return ROD, model.nodes[k].rod
    surfaces = surface_of(model, of)
    return of, surfaces.edges[k].collider if is_edge else surfaces.vertices[k].collider


@kernel
def second_thing(model: Model, j: int) -> tuple[int, int]:
    """(kind, number) of the thing that the second of a pair is of."""
    return its_owner(model, second_of(model, j))


@kernel
def its_owner(model: Model, second: Second) -> tuple[int, int]:
    """The same of a second that is known."""
    of, k = second
    return of, k if of == PLANE else collider_of(surface_of(model, of), k)


@kernel
def of_one(model: Model, pair: np.record) -> int:
    """1 where both of a PAIR are of one soft body, else 0."""
    one = first_thing(model, pair.i)
    return 1 if one[0] == SOFT and one == second_thing(model, pair.j) else 0


@kernel
def vertex_of(model: Model, of: int, k: int, at: At) -> Vector:
    """Where vertex k of things of a kind is [m]."""
    surfaces = surface_of(model, of)
    p = vertex_at(surfaces.samples, k, part_of(of, at[2]))
    return out_of(at[1][surfaces.vertices[k].collider], p) if of == BODY else p


@kernel
def ends_of(model: Model, first: First, at: At) -> tuple[Vector, Vector]:
    """Both ends [m] of the first of a pair: of a vertex, twice that."""
    of, k, is_edge = first
    if of == ROD:
        head = head_of(model, k)
        return vector(at[0][k]), vector(at[0][head if head >= 0 else k])
    if is_edge:
        end = surface_of(model, of).edges[k].end
        return vertex_of(model, of, end[0], at), vertex_of(model, of, end[1], at)
    a = vertex_of(model, of, k, at)
    return a, a
