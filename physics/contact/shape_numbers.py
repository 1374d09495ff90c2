"""How what may touch bodies is numbered in pairs, and where it is.

A pair's first is, one behind the other: a rod's vertex, or the edge that leaves it; a body's vertex; a body's edge; a
collider's vertex. Its second: a feature of a body's surface (faces, edges, vertices); one of a collider's; a plane.
"""

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import Vector, vector
from ..model import Model, Surfaces
from ..rods.chain import head_of
from .carriers.body_surface import vertex_of_body
from .carriers.led_surface import vertex_at
from .surface_contact import collider_of

At = tuple[np.ndarray, np.ndarray, float]  # positions (N, 3), BODY_STATE (B,) and the part of the frame that is over


@kernel
def firsts(model: Model) -> tuple[int, int, int]:
    """Behind rods' vertices and the edges that leave them: numbers of bodies' first vertex, of their first edge and of
    colliders' first vertex.
    """
    n, skins = len(model.nodes), model.skins
    return n, n + len(skins.vertices), n + len(skins.vertices) + len(skins.edges)


@kernel
def features(surfaces: Surfaces) -> int:
    """How many there are of all kinds."""
    return len(surfaces.faces) + len(surfaces.edges) + len(surfaces.vertices)


@kernel
def seconds(model: Model) -> tuple[int, int]:
    """Behind bodies' features: numbers of colliders' first one and of the first plane."""
    return features(model.skins), features(model.skins) + features(model.surfaces)


@kernel
def first_body(model: Model, i: int) -> int:
    """Which body's vertex or edge the first of a pair is, or −1."""
    vertex, edge, led = firsts(model)
    if i < vertex or i >= led:
        return -1
    return model.skins.vertices[i - vertex].collider if i < edge else model.skins.edges[i - edge].collider


@kernel
def second_body(model: Model, j: int) -> int:
    """Which body's feature the second of a pair is, or −1."""
    return collider_of(model.skins, j) if j < seconds(model)[0] else -1


@kernel
def first_thing(model: Model, i: int) -> int:
    """Which body the first of a pair is of, or, counted on from there, which collider; −1 of a rod."""
    if i < firsts(model)[2]:
        return first_body(model, i)
    return len(model.shapes) + model.surfaces.vertices[i - firsts(model)[2]].collider


@kernel
def second_thing(model: Model, j: int) -> int:
    """Which body the second of a pair is of, or, counted on from there, which collider or plane."""
    led, plane = seconds(model)
    if j < led:
        return second_body(model, j)
    at = collider_of(model.surfaces, j - led) if j < plane else len(model.surfaces.colliders) + j - plane
    return len(model.shapes) + at


@kernel
def ends_of(model: Model, i: int, at: At) -> tuple[Vector, Vector]:
    """Both ends [m] of the first of a pair: of a vertex, twice that."""
    (vertex, edge, led), (x, bodies, part) = firsts(model), at
    if i < vertex:
        head = head_of(model, i)
        return vector(x[i]), vector(x[head if head >= 0 else i])
    if i < edge:
        a = vertex_of_body(model, i - vertex, bodies)
        return a, a
    if i < led:
        end = model.skins.edges[i - edge].end
        return vertex_of_body(model, end[0], bodies), vertex_of_body(model, end[1], bodies)
    a = vertex_at(model.surfaces.samples, i - led, part)
    return a, a
