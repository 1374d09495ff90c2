"""Which features of surfaces a cable's points and segments may touch, and the planes they have in common there.

Where they touch is as contact/surface_contact has it: a point over the inside of a face, a segment over an edge or over
a vertex that stands out. Faces near a segment come from the same tree of boxes.

A point that is below a surface, for it has gone through or was drawn so, is led out: of the faces of that surface over
which it is, and which look to the side it is to go to, by the nearest.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..contact.bounding_volumes import LEAF, behind, next_leaf
from ..contact.carriers.led_surface import vertex_at
from ..contact.surface_contact import over_edge, over_face, over_vertex
from ..elements.contact_press import PLANE, POINT, SEGMENT, SLANTED
from ..model import Surfaces

FLOOR = -1  # as a feature
BESIDE, GONE = 10, 20  # added to the kind of a contact beside what it would touch; of what is left out
LEANING = 1.0  # by this part of its height: where a surface is hollow, it comes to the next face as it goes on
FLAT = 1e-6  # of the cable's length, by which it is hollow at least
ROUNDING = 1e-9  # of a face, by which its inside reaches further: no way leads between two
Cable = tuple[np.ndarray, np.ndarray, np.ndarray]  # points x (n, 3), radius (n,), which touch anything (n,) bool
# The collider that each point is below (n,), −1: none; where it is to go (n, 3); how far it may be from there (n,).
Under = tuple[np.ndarray, np.ndarray, np.ndarray]


@entry
def list_contacts(
    surfaces: Surfaces, outward: np.ndarray, part: float, cable: Cable, under: Under, skin: float, rows: np.ndarray
) -> int:
    """Fill rows, CONTACT, with all that is nearer than `skin` where surfaces are when `part` of their way is over.
    Returns how many there are, more than there is room for perhaps.

    outward (K,) of colliders: 1 or −1, whether faces look outwards or inwards; 0: surfaces have two sides, and the
    cable is on either.
    """
    x, radius, touches = cable
    below, side, near = under
    count, tree, faces = 0, surfaces.tree, surfaces.faces
    leaves, last = len(tree) // 2, len(x) - 1
    first = len(faces), len(faces) + len(surfaces.edges)
    for i in range(len(x)):
        if len(tree) == 0:
            break
        j = min(i + 1, last)
        a, b = vector(x[i]), vector(x[j])
        thick = max(radius[i], radius[j])
        reach = thick + skin + max(near[i], near[j])
        box = (
            min(a[0], b[0]) - reach, min(a[1], b[1]) - reach, min(a[2], b[2]) - reach,
            max(a[0], b[0]) + reach, max(a[1], b[1]) + reach, max(a[2], b[2]) + reach,
        )  # fmt: skip
        depth, deepest, out = inf, -1, (0.0, 0.0, 0.0)
        begin = count
        k = next_leaf(tree, box, 1)
        while k > 0:
            for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(faces))):
                f = surfaces.order[m]
                face = faces[f]
                c = face.collider
                n, up = face_side(surfaces, f, a, part, 0.0)
                over = up != 0.0
                if not over and below[i] != c:
                    n, up = face_side(surfaces, f, a, part, LEANING)
                if touches[i] and up != 0.0 and below[i] == c:
                    turn = outward[c] if outward[c] != 0.0 else (1.0 if dot(n, side[i]) > 0.0 else -1.0)
                    if turn * dot(n, side[i]) > 0.0 and abs(up) < depth:
                        depth, deepest, out = abs(up), f, scaled(turn, n)
                elif touches[i] and up != 0.0 and outward[c] * up >= 0.0:
                    n, reach = scaled(1.0 if up > 0.0 else -1.0, n), radius[i] + surfaces.colliders[c].thickness
                    if abs(up) - reach < skin:
                        count = add(surfaces, part, rows, count, (i, 0.0, f), (n, a), (abs(up), reach))
                        if not over and count <= len(rows):
                            rows[count - 1].kind += BESIDE
                if i == last or not touches[i] or not touches[j] or below[i] == c or below[j] == c:
                    continue
                for corner in range(3):
                    if face.edge[corner] >= 0:
                        s, d, _ = over_edge(surfaces, face.edge[corner], a, b, (part, part))
                        what = i, s, first[0] + face.edge[corner], c
                        count = add_sharp(surfaces, part, cable, what, d, skin, rows, count)
                        if s < 0.0:
                            s, d = beside_edge(surfaces, face.edge[corner], a, b, part)
                            known, what = count, (i, s, first[0] + face.edge[corner], c)
                            count = add_sharp(surfaces, part, cable, what, d, skin, rows, count)
                            if known < count <= len(rows):
                                rows[known].kind += BESIDE
                    if face.vertex[corner] >= 0:
                        s, d, _ = over_vertex(surfaces, face.vertex[corner], a, b, (part, part))
                        what = i, s, first[1] + face.vertex[corner], c
                        count = add_sharp(surfaces, part, cable, what, d, skin, rows, count)
            k = behind(k)
            if k > 0:
                k = next_leaf(tree, box, k)
        if count <= len(rows):
            count = hollow(rows, begin, count, len(faces), (a, b))
        if deepest >= 0:
            n, up = face_side(surfaces, deepest, a, part, 0.0)
            height, reach = up if dot(n, out) > 0.0 else -up, radius[i] + surfaces.colliders[below[i]].thickness
            count = add(surfaces, part, rows, count, (i, 0.0, deepest), (out, a), (height, reach))
    return count


@entry
def crossings(
    surfaces: Surfaces, part: float, before: np.ndarray, x: np.ndarray, found: np.ndarray, where: np.ndarray
) -> None:
    """The first face that each point goes through on the straight way from `before` to x (n, 3): found (n,), −1: none;
    where (n,): which part of the way it is there, or ∞. Surfaces are where they are when `part` of their way is over.
    """
    tree, faces = surfaces.tree, surfaces.faces
    leaves = len(tree) // 2
    for i in range(len(x)):
        found[i], where[i] = -1, inf
        a, b = vector(before[i]), vector(x[i])
        if len(tree) == 0 or a == b:
            continue
        box = (
            min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]), max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2])
        )  # fmt: skip
        k = next_leaf(tree, box, 1)
        while k > 0:
            for m in range(LEAF * (k - leaves), min(LEAF * (k - leaves + 1), len(faces))):
                f = surfaces.order[m]
                s = where_through(surfaces, f, a, b, part)
                if s < where[i]:
                    where[i], found[i] = s, f
            k = behind(k)
            if k > 0:
                k = next_leaf(tree, box, k)


@kernel
def where_through(surfaces: Surfaces, f: int, a: Vector, b: Vector, part: float) -> float:
    """Which part of the way from a to b it is to where that goes through face f, ∞: it does not."""
    corner, samples = surfaces.faces[f].corner, surfaces.samples
    p = vertex_at(samples, corner[0], part)
    e = plus(vertex_at(samples, corner[1], part), -1.0, p)
    g = plus(vertex_at(samples, corner[2], part), -1.0, p)
    n, d = cross(e, g), plus(a, -1.0, p)
    above, below = dot(d, n), dot(plus(b, -1.0, p), n)
    if above * below > 0.0 or above == below:
        return inf
    s = above / (above - below)
    d = plus(d, s, plus(b, -1.0, a))
    u, v, area = dot(cross(d, g), n), dot(cross(e, d), n), dot(n, n)
    least = -ROUNDING * area
    return s if u >= least and v >= least and area - u - v >= least else inf


@kernel
def hollow(rows: np.ndarray, begin: int, count: int, faces: int, ends: tuple[Vector, Vector]) -> int:
    """Leave out of rows from `begin` on, of a point and the segment behind it, those that are BESIDE what they touch,
    but where surfaces are hollow: where the foot on the nearest of the others is above their planes. Returns the count.
    """
    kept = begin
    for r in range(begin, count):
        row = rows[r]
        if row.kind >= BESIDE:
            least, above = inf, -inf
            for q in range(begin, count):
                other = rows[q]
                if other.kind < BESIDE and (other.feature < faces) == (row.feature < faces):
                    place = plus(scaled(1.0 - other.share, ends[0]), other.share, ends[1])
                    height = dot(other.n, place) - other.offset + other.reach
                    if height < least:
                        foot = plus(place, -height, vector(other.n))
                        least, above = height, dot(row.n, foot) - row.offset + row.reach
            if above < FLAT:
                rows[r].kind = GONE
    for r in range(begin, count):
        if rows[r].kind != GONE:
            rows[kept] = rows[r]
            if rows[kept].kind >= BESIDE:
                rows[kept].kind -= BESIDE
            kept += 1
    return kept


@kernel
def beside_edge(surfaces: Surfaces, k: int, a: Vector, b: Vector, part: float) -> tuple[float, Vector]:
    """(share, way) of a segment from a to b and edge k as if that went on, by part of their distance; share −1: it has
    not to go on, or would be out of reach even so.
    """
    nowhere = -1.0, (0.0, 0.0, 0.0)
    end = surfaces.edges[k].end
    p, q = vertex_at(surfaces.samples, end[0], part), vertex_at(surfaces.samples, end[1], part)
    u, e, w = plus(b, -1.0, a), plus(q, -1.0, p), plus(a, -1.0, p)
    uu, ee, ue, uw, ew = dot(u, u), dot(e, e), dot(u, e), dot(u, w), dot(e, w)
    area = uu * ee - ue * ue
    if area <= SLANTED * uu * ee:
        return nowhere
    s, t = (ue * ew - ee * uw) / area, (uu * ew - ue * uw) / area
    way = plus(plus(w, s, u), -t, e)
    aside = max(-t, t - 1.0)
    if s < 0.0 or s > 1.0 or aside <= 0.0 or aside * aside * ee > LEANING * LEANING * dot(way, way):
        return nowhere
    share, d, _ = over_edge(surfaces, k, plus(a, 0.5 - t, e), plus(b, 0.5 - t, e), (part, part))
    return share, d


@kernel
def face_side(surfaces: Surfaces, f: int, a: Vector, part: float, leaning: float) -> tuple[Vector, float]:
    """(normal of face f, how far above it a point at a is; 0: it is not over its inside, nor beside it by this part of
    its height).
    """
    corner, samples = surfaces.faces[f].corner, surfaces.samples
    s, d, _ = over_face(surfaces, f, a, (part, part), leaning)
    size = sqrt(dot(d, d))
    if s < 0.0 or size == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    n = scaled(1.0 / size, d)
    e0, e1, e2 = edge_of(samples, corner[0], corner[1], part)
    g0, g1, g2 = edge_of(samples, corner[0], corner[2], part)
    up = n[0] * (e1 * g2 - e2 * g1) + n[1] * (e2 * g0 - e0 * g2) + n[2] * (e0 * g1 - e1 * g0)
    return (n, size) if up > 0.0 else (scaled(-1.0, n), -size)


@kernel
def edge_of(samples: np.ndarray, p: int, q: int, part: float) -> Vector:
    """From vertex p to vertex q."""
    a, b = samples[0], samples[1]
    return (
        a[q, 0] - a[p, 0] + part * (b[q, 0] - b[p, 0] - a[q, 0] + a[p, 0]),
        a[q, 1] - a[p, 1] + part * (b[q, 1] - b[p, 1] - a[q, 1] + a[p, 1]),
        a[q, 2] - a[p, 2] + part * (b[q, 2] - b[p, 2] - a[q, 2] + a[p, 2]),
    )


@kernel
def add_sharp(
    surfaces: Surfaces, part: float, cable: Cable, what: tuple[int, float, int, int], d: Vector, skin: float,
    rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """A row more of a segment and an edge or vertex whose nearest points are d apart, if it is near enough; what:
    (segment, share, feature, collider). At the end of a segment the next one stands for it.
    """
    (x, radius, _), (i, s, feature, collider) = cable, what
    distance = sqrt(dot(d, d))
    if s < 0.0 or distance == 0.0:
        return count
    reach = (1.0 - s) * radius[i] + s * radius[i + 1] + surfaces.colliders[collider].thickness
    if distance - reach >= skin:
        return count
    a, b = vector(x[i]), vector(x[i + 1])
    if s == 1.0 and i + 2 < len(x):
        return count
    place = plus(scaled(1.0 - s, a), s, b)
    return add(surfaces, part, rows, count, (i, s, feature), (scaled(1.0 / distance, d), place), (distance, reach))


@kernel
def add(
    surfaces: Surfaces, part: float, rows: np.ndarray, count: int, what: tuple[int, float, int],
    there: tuple[Vector, Vector], heights: tuple[float, float],
) -> int:  # fmt: skip
    """A row more; what: (segment, share, feature); there: the normal, and the place of the cable; heights: how far that
    is above the surface along the normal, and how far it has to be.
    """
    if count < len(rows):
        row, (n, place), (height, reach) = rows[count], there, heights
        row.segment, row.share, row.feature = what
        row.n[0], row.n[1], row.n[2] = n
        row.reach, row.offset = reach, dot(n, place) - height + reach
        row.force = row.stiffness = 0.0
        sharp(surfaces, row, part)
    return count + 1


@kernel
def sharp(surfaces: Surfaces, row: np.record, part: float) -> None:
    """Says of a row which line or point it is of."""
    faces, edges = len(surfaces.faces), len(surfaces.edges)
    for c in range(3):
        row.point[c] = row.edge[c] = 0.0
    row.kind = PLANE
    if row.feature < faces:
        return
    row.kind = POINT if row.share == 0.0 or row.share == 1.0 else SEGMENT
    if row.feature >= faces + edges:
        p = vertex_at(surfaces.samples, row.feature - faces - edges, part)
        row.point[0], row.point[1], row.point[2] = p
        return
    end = surfaces.edges[row.feature - faces].end
    p, q = vertex_at(surfaces.samples, end[0], part), vertex_at(surfaces.samples, end[1], part)
    length = sqrt((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2 + (q[2] - p[2]) ** 2)
    for c in range(3):
        row.point[c], row.edge[c] = p[c], (q[c] - p[c]) / length
