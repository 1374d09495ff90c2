"""Which features of surfaces a cable's points and segments may touch, and the planes they have in common there.

Pairs that are near come from the list that rods' do, what passes through what from their test, and where they touch is
as contact/surface_contact has it: a point over the inside of a face, a segment over an edge or over a vertex that
stands out.

A point that is below a surface, for it has gone through or was drawn so, is led out: of the faces of that surface over
which it is, and which look to the side it is to go to, by the nearest; where it is over none, of those that it is
beside.
"""

from math import inf, sqrt

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, scaled, vector
from ..contact.carriers.led_surface import corners, motion_at, vertex_at
from ..contact.continuous_detection import motion_of, time_through_face
from ..contact.near_features import OTHER, pairs_of, whole
from ..contact.surface_contact import collider_of, over_edge, over_face, over_vertex
from ..elements.contact_press import PLANE, POINT, SEGMENT, SLANTED
from ..model import Surfaces

FLOOR = -1  # as a feature
BESIDE, GONE = 10, 20  # added to the kind of a contact beside what it would touch; of what is left out
LEANING = 1.0  # by this part of its height: where a surface is hollow, it comes to the next face as it goes on
STEEP = 10.0  # the same of valleys that a point is below, as steep as 84°: it is beside a face by tan times its depth
ALIKE = 0.9  # cosine from such a face's normal to the way out: where a sheet bends by more, only the face is sure that
# the point went through, and one bent back by 154° is taken for one that goes straight on
FLAT = 1e-6  # of the cable's length, by which it is hollow at least
ROUNDING = 1e-9  # of a face, by which its inside reaches further: no way leads between two
NO_FILTER = np.zeros((0, 0), bool)  # any group touches any
Cable = tuple[np.ndarray, np.ndarray]  # points x (n, 3), radius (n,)
# The collider that each point is below (n,), −1: none; where it is to go (n, 3); how far it may be from there (n,).
Under = tuple[np.ndarray, np.ndarray, np.ndarray]


@entry
def list_near(
    surfaces: Surfaces, part: float, x: np.ndarray, radius: np.ndarray, skin: np.ndarray, points: np.ndarray,
    segments: np.ndarray, pairs: np.ndarray,
) -> int:  # fmt: skip
    """Fill pairs, PAIR, with what is nearer than a skin (n,) to those points x (n, 3), radius (n,), and segments behind
    them, (n,) bool, of the larger skin of both ends; surfaces are where they are when `part` of their way is over.
    Returns how many there are, more than there is room for perhaps.
    """
    count = 0
    for i in range(len(x)):
        if points[i] or segments[i]:
            j = i + 1 if segments[i] else i
            segment = vector(x[i]), vector(x[j]), i, points[i], segments[i], segments[i], OTHER
            near = max(radius[i], radius[j]), max(skin[i], skin[j]), part
            count = pairs_of(surfaces, NO_FILTER, 0, segment, near, whole(surfaces), pairs, count)
    return count


@entry
def list_contacts(
    surfaces: Surfaces, outward: np.ndarray, part: float, cable: Cable, under: Under, skin: float, pairs: np.ndarray,
    rows: np.ndarray,
) -> int:  # fmt: skip
    """Fill rows, CONTACT, as many as pairs at least, with those of pairs that are nearer than `skin` where surfaces are
    when `part` of their way is over. Returns how many there are, no more than pairs.

    outward (K,) of colliders: 1 or −1, whether faces look outwards or inwards; 0: surfaces have two sides, and the
    cable is on either.
    """
    (x, radius), (below, side, _), faces, count, p = cable, under, len(surfaces.faces), 0, 0
    while p < len(pairs):
        i, begin, height, deepest, over, out = pairs[p].i, count, inf, -1, False, (0.0, 0.0, 0.0)
        a, j = vector(x[i]), min(i + 1, len(x) - 1)
        while p < len(pairs) and pairs[p].i == i:
            f, c = pairs[p].j, collider_of(surfaces, pairs[p].j)
            if f < faces and below[i] == c:
                up, way = way_out(surfaces, outward[c], f, a, vector(side[i]), part, 0.0)
                inside = up < inf
                if not inside and not over:  # below an edge, or a valley: beside all faces
                    up, way = way_out(surfaces, outward[c], f, a, vector(side[i]), part, STEEP)
                if abs(up) < abs(height) or (inside and not over):
                    height, deepest, over, out = up, f, inside, way
            elif f < faces:
                count = add_face(surfaces, outward[c], part, cable, (i, f), skin, rows, count)
            elif below[i] != c and below[j] != c:
                count = add_sharp(surfaces, part, cable, (i, f), skin, rows, count)
            p += 1
        count = hollow(rows, begin, count, faces, (a, vector(x[j])))
        if deepest >= 0:
            reach = radius[i] + surfaces.colliders[below[i]].thickness
            count = add(surfaces, part, rows, count, (i, 0.0, deepest), (out, a), (height, reach), False)
    return count


@entry
def times_through(
    surfaces: Surfaces, part: float, before: np.ndarray, x: np.ndarray, pairs: np.ndarray, found: np.ndarray,
    where: np.ndarray,
) -> None:  # fmt: skip
    """The first face that each point goes through on the straight way from `before` to x (n, 3): found (n,), −1: none;
    where (n,): which part of the way it is there, or ∞. pairs: of points and all faces near their ways.
    """
    still = part, 0.0
    for i in range(len(x)):
        found[i], where[i] = -1, inf
    for p in range(len(pairs)):
        i, f = pairs[p].i, pairs[p].j
        corner = surfaces.faces[f].corner
        a, b = motion_at(surfaces, corner[0], still), motion_at(surfaces, corner[1], still)
        time = time_through_face(motion_of(x, before, i), a, b, motion_at(surfaces, corner[2], still), ROUNDING, True)
        if time < where[i]:
            where[i], found[i] = time, f


@kernel
def way_out(
    surfaces: Surfaces, outward: float, f: int, a: Vector, side: Vector, part: float, leaning: float
) -> tuple[float, Vector]:
    """(how far above face f, along the way out, a point at a is that is to go to that side, ∞: it is not the way out;
    the way out). leaning: as `face_side` has it.
    """
    n, up = face_side(surfaces, f, a, part, leaning)
    turn = outward if outward != 0.0 else (1.0 if dot(n, side) > 0.0 else -1.0)
    alike = 0.0 if leaning == 0.0 else ALIKE
    return (turn * up if up != 0.0 and turn * dot(n, side) > alike else inf), scaled(turn, n)


@kernel
def add_face(
    surfaces: Surfaces, outward: float, part: float, cable: Cable, what: tuple[int, int], skin: float,
    rows: np.ndarray, count: int,
) -> int:  # fmt: skip
    """A row more of a point and a face, (point, feature), if it is near enough over that, or BESIDE it."""
    (x, radius), (i, f) = cable, what
    a = vector(x[i])
    n, up = face_side(surfaces, f, a, part, 0.0)
    over = up != 0.0
    if not over:
        n, up = face_side(surfaces, f, a, part, LEANING)
    reach = radius[i] + surfaces.colliders[surfaces.faces[f].collider].thickness
    if up == 0.0 or outward * up < 0.0 or abs(up) - reach >= skin:
        return count
    n = scaled(1.0 if up > 0.0 else -1.0, n)
    return add(surfaces, part, rows, count, (i, 0.0, f), (n, a), (abs(up), reach), not over)


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
    s, d, _ = over_face(surfaces, f, a, (part, part), leaning)
    size = sqrt(dot(d, d))
    if s < 0.0 or size == 0.0:
        return (0.0, 0.0, 0.0), 0.0
    (p, q, r), n = corners(surfaces, f, part), scaled(1.0 / size, d)
    up = dot(n, cross(plus(q, -1.0, p), plus(r, -1.0, p)))
    return (n, size) if up > 0.0 else (scaled(-1.0, n), -size)


@kernel
def add_sharp(
    surfaces: Surfaces, part: float, cable: Cable, what: tuple[int, int], skin: float, rows: np.ndarray, count: int
) -> int:
    """A row more of a segment and an edge or vertex, (segment, feature), if they are near enough, or BESIDE an edge. At
    the end of a segment the next one stands for it.
    """
    (x, radius), (i, f) = cable, what
    a, b, edge = vector(x[i]), vector(x[i + 1]), f - len(surfaces.faces)
    beside = False
    if edge < len(surfaces.edges):
        s, d, _ = over_edge(surfaces, edge, a, b, (part, part))
        if s < 0.0:
            beside = True
            s, d = beside_edge(surfaces, edge, a, b, part)
    else:
        s, d, _ = over_vertex(surfaces, edge - len(surfaces.edges), a, b, (part, part))
    distance = sqrt(dot(d, d))
    if s < 0.0 or distance == 0.0 or (s == 1.0 and i + 2 < len(x)):
        return count
    reach = (1.0 - s) * radius[i] + s * radius[i + 1] + surfaces.colliders[collider_of(surfaces, f)].thickness
    if distance - reach >= skin:
        return count
    place = plus(scaled(1.0 - s, a), s, b)
    return add(surfaces, part, rows, count, (i, s, f), (scaled(1.0 / distance, d), place), (distance, reach), beside)


@kernel
def add(
    surfaces: Surfaces, part: float, rows: np.ndarray, count: int, what: tuple[int, float, int],
    there: tuple[Vector, Vector], heights: tuple[float, float], beside: bool,
) -> int:  # fmt: skip
    """A row more; what: (segment, share, feature); there: the normal, and the place of the cable; heights: how far that
    is above the surface along the normal, and how far it has to be; beside: whether it is BESIDE that.
    """
    row, (n, place), (height, reach) = rows[count], there, heights
    row.segment, row.share, row.feature = what
    row.n[0], row.n[1], row.n[2] = n
    row.reach, row.offset = reach, dot(n, place) - height + reach
    row.force = row.stiffness = 0.0
    sharp(surfaces, row, part)
    if beside:
        row.kind += BESIDE
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
