"""Which features may touch rigid or soft bodies: of two things, what is found with each face of one and with each face
of the other that is near it: vertices and faces, edges, vertices; edges and edges. All in the axes of the second.
"""

from math import sqrt

import numpy as np

from .._jit import kernel
from ..arithmetic.vectors import dot, plus, scaled, vector
from ..model import Model
from .bounding_volumes import LEAF, behind, next_leaf
from .carriers.body_surface import into
from .carriers.led_surface import Face, corners
from .contact_features import (
    BODY,
    LED,
    PLANE,
    SOFT,
    At,
    first_edge,
    first_feature,
    first_vertex,
    part_of,
    surface_of,
    vertex_of,
)
from .contact_filter import contains, pass_through
from .near_features import OTHER, Within, add, add_features, box_around, pairs_of
from .surface_contact import thickest

Thing = tuple[int, int]  # (kind, which rigid body; −1: all soft bodies, or all colliders)
Near = tuple[At, float, float]  # where things are; how far apart what is listed may be, and of one soft body [m]


@kernel
def between(model: Model) -> bool:
    """Whether of soft bodies there is but the surface: what that has with rigid bodies is listed, and nothing else, see
    `coupled_pairs`.
    """
    return len(model.solids.on_node) > 0 and len(model.solids.bodies) == 0


@kernel
def features_near(model: Model, at: At, skins: tuple[float, float], pairs: np.ndarray) -> int:
    """Fill `pairs` with all whose gaps are below skins[0] [m], or skins[1] where both are of one soft body. Returns how
    many there are; where there is no room for all, more than there is for.
    """
    count, near = 0, (at, skins[0], skins[1])
    for b in range(len(model.shapes)):
        if count > max(len(pairs), model.world[0].ample):
            return count  # however many there are
        if model.shapes[b].face[0] < model.shapes[b].face[1]:
            count = near_body(model, b, near, pairs, count)
    if len(model.solids.bodies) == 0:
        return count
    count = things_near(model, (SOFT, -1), (SOFT, -1), near, pairs, count)
    if len(model.surfaces.faces) > 0:
        count = things_near(model, (SOFT, -1), (LED, -1), near, pairs, count)
    return planes_near(model, (SOFT, -1), near, pairs, count)


@kernel
def near_body(model: Model, b: int, near: Near, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of rigid body b with all but those behind it."""
    if between(model):
        return things_near(model, (BODY, b), (SOFT, -1), near, pairs, count)
    (at, skin, _), shapes = near, model.shapes
    for k in range(len(model.capsules)):
        capsule = model.capsules[k]
        count = near_edge(model, at, (capsule.tail, capsule.head, b), skin, pairs, count)
        if not capsule.successor and not model.rods[capsule.rod].closed:
            count = near_edge(model, at, (capsule.head, -1, b), skin, pairs, count)
    for a in range(b):
        if shapes[a].face[0] < shapes[a].face[1]:
            d = plus(vector(at[1][a].x), -1.0, vector(at[1][b].x))
            if dot(d, d) <= (shapes[a].reach + shapes[b].reach + skin) ** 2:
                count = things_near(model, (BODY, a), (BODY, b), near, pairs, count)
    if len(model.surfaces.faces) > 0:
        count = things_near(model, (BODY, b), (LED, -1), near, pairs, count)
    return planes_near(model, (BODY, b), near, pairs, count)


@kernel
def key_of(model: Model, i: int, b: int, edge: bool) -> int:
    """In Model.rooted: vertex i, or the edge that leaves it, does not touch body b."""
    return 2 * (i * len(model.shapes) + b) + int(edge)


@kernel
def near_edge(model: Model, at: At, which: tuple[int, int, int], skin: float, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of a rod's edge from vertex i to `head`, or of vertex i alone, −1, and body b."""
    (i, head, b), (x, bodies, _), radius = which, at, thickest(model, which[0], which[1])
    a, c = vector(x[i]), vector(x[head if head >= 0 else i])
    mid, along, far = plus(scaled(0.5, a), 0.5, c), plus(c, -1.0, a), model.shapes[b].reach + radius + skin
    d = plus(mid, -1.0, vector(bodies[b].x))
    if dot(d, d) > (far + model.skins.colliders[b].thickness + 0.5 * sqrt(dot(along, along))) ** 2:
        return count
    point = not contains(model.rooted, key_of(model, i, b, False))
    edge = head >= 0 and not contains(model.rooted, key_of(model, i, b, True))
    segment = into(bodies[b], a), into(bodies[b], c), i, point, edge, edge, OTHER
    group, near, own = model.rods[model.nodes[i].rod].group, (radius, skin, 0.0), within(model, (BODY, b))
    return pairs_of(model.skins, model.collision_filter, group, segment, near, own, pairs, count)


@kernel
def within(model: Model, thing: Thing) -> Within:
    """Where a thing's features are in its surface."""
    (of, b), surfaces = thing, surface_of(model, thing[0])
    if b < 0:
        return (0, len(surfaces.tree)), (0, len(surfaces.faces)), first_feature(model, of)
    shape = model.shapes[b]
    return (shape.tree[0], shape.tree[1]), (shape.face[0], shape.face[1]), first_feature(model, of)


@kernel
def things_near(model: Model, one: Thing, two: Thing, near: Near, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of two things, or of all soft bodies with each other and themselves. Returns how many there are
    then, more than there is room for perhaps.
    """
    (of, _), (its, b), at, surfaces = one, two, near[0], surface_of(model, one[0])
    begin, end = within(model, one)[1]
    for f in range(begin, end):
        corner = surfaces.faces[f].corner
        p, q = vertex_of(model, of, corner[0], at), vertex_of(model, of, corner[1], at)
        r = vertex_of(model, of, corner[2], at)
        if its == BODY:
            p, q, r = into(at[1][b], p), into(at[1][b], q), into(at[1][b], r)
        count = face_near(model, (of, f), (p, q, r), two, near, pairs, count)
    return count


@kernel
def face_near(
    model: Model, one: tuple[int, int], mine: Face, two: Thing, near: Near, pairs: np.ndarray, count: int
) -> int:
    """Add the pairs of what is found with face f, of some kind, whose corners are there [m], and a thing's features."""
    (of, f), (its, _), (p, q, r), (at, skin, own) = one, two, mine, near
    surfaces, other, ((low, high), (begin, end), _) = surface_of(model, of), surface_of(model, its), within(model, two)
    tree, leaves, itself = other.tree[low:high], (high - low) // 2, of == SOFT and its == SOFT
    c, my = surfaces.faces[f].collider, surfaces.colliders[surfaces.faces[f].collider]
    reach = my.thickness + (own if itself and len(surfaces.colliders) == 1 else max(skin, own))
    box = box_around(p, q, r, reach)
    k = next_leaf(tree, box, 1)
    while k > 0:
        for m in range(begin + LEAF * (k - leaves), min(begin + LEAF * (k - leaves + 1), end)):
            g = other.order[m]
            if itself and g <= f:
                continue
            d, theirs = other.faces[g].collider, corners(other, g, part_of(its, at[2]))
            alone, wide = itself and c == d, own if itself and c == d else skin
            apart = my.thickness + other.colliders[d].thickness + wide
            if boxes_apart(mine, theirs) > apart or (itself and not alone and joined(model, c, d)):
                continue
            if alone or not pass_through(model.collision_filter, my.group, other.colliders[d].group):
                count = faces_near(model, (one, mine), ((its, g), theirs), (apart, wide), pairs, count)
        k = behind(k)
        if k > 0:
            k = next_leaf(tree, box, k)
    return count


@kernel
def joined(model: Model, a: int, b: int) -> bool:
    """Whether holds join two soft bodies."""
    return model.solids.bodies[a].group == model.solids.bodies[b].group


@kernel
def faces_near(
    model: Model,
    one: tuple[tuple[int, int], Face],
    two: tuple[tuple[int, int], Face],
    near: tuple[float, float],
    pairs: np.ndarray,
    count: int,
) -> int:
    """Add the pairs of what is found with two faces, (kind, number) and their corners [m]; near: (reach, skin) [m]."""
    ((of, f), mine), ((its, g), theirs) = one, two
    surfaces, other, base = surface_of(model, of), surface_of(model, its), first_feature(model, its)
    face, its_face, itself = surfaces.faces[f], other.faces[g], of == its and of != BODY
    vertices = not (itself and face.collider == its_face.collider)  # of one body these do not touch each other
    for k in range(3):
        v, u = face.vertex[k], its_face.vertex[k]
        if v >= 0:
            own = (v, v) if itself else OTHER
            segment = mine[k], mine[k], first_vertex(model, of) + v, True, True, vertices, own
            count = add_features(other, segment, g, theirs, near, base, pairs, count)
        if u >= 0:
            own = (u, u) if itself else OTHER
            segment = theirs[k], theirs[k], first_vertex(model, its) + u, True, True, False, own
            count = add_features(surfaces, segment, f, mine, near, first_feature(model, of), pairs, count)
    for k in range(3):
        if face.edge[k] >= 0:
            v, u, n = face.corner[k], face.corner[(k + 1) % 3], first_edge(model, of) + face.edge[k]
            a, c = (mine[0], mine[1]) if k == 0 else (mine[1], mine[2]) if k == 1 else (mine[2], mine[0])
            segment = a, c, n, False, True, False, (v, u) if itself else OTHER
            count = add_features(other, segment, g, theirs, near, base, pairs, count)
    return count


@kernel
def boxes_apart(one: Face, two: Face) -> float:
    """How far [m] the boxes around two faces are apart along some axis."""
    (a, b, c), (p, q, r), most = one, two, -np.inf
    for k in range(3):
        low, high = max(min(a[k], b[k], c[k]), min(p[k], q[k], r[k])), min(max(a[k], b[k], c[k]), max(p[k], q[k], r[k]))
        most = max(most, low - high)
    return most


@kernel
def planes_near(model: Model, thing: Thing, near: Near, pairs: np.ndarray, count: int) -> int:
    """Add the pairs of a thing's vertices and planes."""
    (of, b), (at, skin, _), surfaces = thing, near, surface_of(model, thing[0])
    begin, end = (0, len(surfaces.vertices)) if b < 0 else (model.shapes[b].vertex[0], model.shapes[b].vertex[1])
    vertex, plane = first_vertex(model, of), first_feature(model, PLANE)
    for f in range(len(model.planes)):
        for k in range(begin, end):
            height = dot(plus(vertex_of(model, of, k, at), -1.0, vector(model.planes[f].point)), model.planes[f].n)
            reach = surfaces.colliders[surfaces.vertices[k].collider].thickness + skin
            count = add(pairs, count, (vertex + k, plane + f), height, (reach, skin))
    return count
