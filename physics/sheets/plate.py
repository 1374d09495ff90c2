"""A plate: any mesh of triangles, its rows at rest and what is stored in them."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.cosines_sines import cosine_sine
from ..arithmetic.vectors import Vector, cross, plus, scaled, vector
from ..compiling.on_stack import on_stack
from ..elements.plate import GYRATION, bent, measure, normal_of, place, plate_energy, transported, unit
from ..model import PLATE, PLATE_DIRECTOR, PLATE_EDGE, changed, table
from ..scene import Sheet, SoftBody, at_elements

MEASURED = table(rows=(float, (4, 3)))  # what `measure` finds
# times as stiff as it is, and its directors as heavy, a triangle is whose corners are all held: it clamps what goes on
# from there. At its own stiffness it would give way like a third of a triangle more of the plate: a strip of 16 was
# slower by 7 %; so it is by .5 %, as with directors that are held.
CLAMPED = 100.0


class Plate(NamedTuple):
    """triangles (t,) PLATE, edges (e,) PLATE_EDGE, mass (n,) [kg] of nodes and inertia (e,) [kg m²] of directors."""

    triangles: np.ndarray
    edges: np.ndarray
    mass: np.ndarray
    inertia: np.ndarray


def plate_of(
    x: np.ndarray, triangles: np.ndarray, young: np.ndarray | float, poisson: float, thickness: np.ndarray | float,
    density: np.ndarray | float = 0.0, curvature: np.ndarray | None = None,
) -> Plate:  # fmt: skip
    """Of places at rest x (n, 3) [m] and triangles (t, 3) that go round in one sense, E [Pa], ν, thickness [m] and
    density [kg/m³], of each (t,) or of all; curvature (t, 3, 3) [1/m]: symmetric tensors that are added to what is
    drawn, dN = B dx along the triangle.
    """
    rows = np.zeros(len(triangles), PLATE)
    young, thickness, density = (np.broadcast_to(given, len(triangles)) for given in (young, thickness, density))
    rows["node"] = triangles
    ends = np.stack([np.roll(triangles, -1, axis=1), np.roll(triangles, -2, axis=1)], axis=2)
    pairs, inverse, faces = np.unique(
        np.sort(ends.reshape(-1, 2), axis=1), axis=0, return_inverse=True, return_counts=True
    )
    rows["edge"] = inverse.reshape(-1, 3)
    rows["side"] = np.where(ends[..., 0] < ends[..., 1], 1.0, -1.0)
    edges = np.zeros(len(pairs), PLATE_EDGE)
    edges["node"], edges["faces"] = pairs, faces
    d = x[ends[..., 1]] - x[ends[..., 0]]
    normal = np.cross(d[:, 1], d[:, 2])
    twice = np.linalg.norm(normal, axis=1, keepdims=True)
    normal /= twice
    length = np.linalg.norm(d, axis=2)
    rows["height"] = twice / length
    u = np.cross(normal[:, None], d / length[..., None])
    rigidity = young * thickness**3 / (12.0 * (1.0 - poisson**2))
    cosine = np.einsum("tic,tjc->tij", u, u)
    inverse_height = 1.0 / rows["height"]
    rows["bend"] = 2.0 * (rigidity[:, None] * twice)[..., None] * ((1.0 - poisson) * cosine**2 + poisson)
    rows["bend"] *= inverse_height[:, :, None] * inverse_height[:, None, :]
    angle, arc = np.zeros((2, len(rows), 3))
    drawn(x, directors_of(x, rows, edges), rows, angle, arc, np.zeros((4, 3)))
    rows["arc"] = arc
    rows["bent"] = angle if curvature is None else angle + _angles_of(curvature, d, rows["height"])
    bend(rows["bent"])
    total = arc.sum(axis=1, keepdims=True)
    rows["area"] = 0.25 * np.sqrt(np.sum(arc * (total - 2.0 * arc), axis=1))
    rows["trace"] = (total - 2.0 * arc) / (8.0 * rows["area"][:, None] ** 2)
    volume = rows["area"] * thickness
    rows["mass"] = density * volume / 3.0
    rows["shear"] = volume * young / (2.0 * (1.0 + poisson))
    rows["bulk"] = volume * young * poisson / (1.0 - poisson**2)
    mass, inertia = np.zeros(len(x)), np.zeros(len(edges))
    np.add.at(mass, triangles, rows["mass"][:, None])
    np.add.at(inertia, rows["edge"], rows["mass"][:, None] * GYRATION * rows["height"] ** 2)
    return Plate(rows, edges, mass, inertia)


def _angles_of(curvature: np.ndarray, d: np.ndarray, height: np.ndarray) -> np.ndarray:
    """φ (t, 3) that give b(e, e) = e·B e along edges d (t, 3, 3): c_j + c_k = b_i, c = 2 h φ."""
    b = np.einsum("tic,tcd,tid->ti", d, curvature, d)
    return (0.5 * b.sum(axis=1, keepdims=True) - b) / (2.0 * height)


def directors_of(x: np.ndarray, triangles: np.ndarray, edges: np.ndarray) -> np.ndarray:
    """PLATE_DIRECTOR (e,): means of the normals at both sides of edges."""
    found = np.zeros(len(edges), PLATE_DIRECTOR)
    mean_normals(x, triangles, edges, found)
    return found


@entry
def mean_normals(x: np.ndarray, triangles: np.ndarray, edges: np.ndarray, directors: np.ndarray) -> None:
    """Fills t and r of PLATE_DIRECTOR (e,), which are 0."""
    for row in triangles:
        n, _ = normal_of(x, row.node)
        for i in range(3):
            for c in range(3):
                directors[row.edge[i]].r[c] += n[c]
    for e in range(len(edges)):
        u, _ = unit(plus(place(x, edges[e].node[1]), -1.0, place(x, edges[e].node[0])))
        stand(directors[e], u, unit(vector(directors[e].r))[0])


@kernel
def stand(director: np.record, u: Vector, d: Vector) -> None:
    """A director is d, on an edge along u."""
    for c in range(3):
        director.t[c], director.r[c] = u[c], d[c]


@kernel
def turned(x: np.ndarray, edge: np.record, director: np.record, angle: float) -> tuple[Vector, Vector]:
    """(direction of an edge at x (n, 3), its director there), carried along and turned by an angle [rad] besides."""
    along = plus(place(x, edge.node[1]), -1.0, place(x, edge.node[0]))
    return turned_to(along, vector(director.t), vector(director.r), angle)


@kernel
def turned_to(along: Vector, t: Vector, r: Vector, angle: float) -> tuple[Vector, Vector]:
    """The same of an edge that now is `along`, of the direction t before, and its director r there."""
    u, _ = unit(along)
    d, (cosine, sine) = transported(r, t, u), cosine_sine(angle)
    return u, plus(scaled(cosine, d), sine, cross(u, d))


@entry
def drawn(
    x: np.ndarray, directors: np.ndarray, triangles: np.ndarray, angle: np.ndarray, arc: np.ndarray, out: np.ndarray
) -> None:
    """angle and arc (t, 3): φ and a of triangles as they are; out (4, 3) is scratch."""
    for k in range(len(triangles)):
        measure(x, directors, triangles[k], out)
        for i in range(3):
            angle[k, i], arc[k, i] = out[0, i], out[2, i] + triangles[k].arc[i]


@entry
def bend(angle: np.ndarray) -> None:
    """g of φ (t, 3), in place."""
    for k in range(len(angle)):
        for i in range(3):
            angle[k, i] = bent(angle[k, i])[0]


@kernel
def stored(x: np.ndarray, directors: np.ndarray, triangles: np.ndarray) -> float:
    """[J] in PLATE (t,)."""
    out, total = on_stack(MEASURED).rows, 0.0
    for k in range(len(triangles)):
        measure(x, directors, triangles[k], out)
        total += plate_energy(triangles[k], out)
    return total


def plates_of(
    solids: Sequence[SoftBody], places: Sequence[np.ndarray], count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(PLATE (P,), PLATE_EDGE (E,), mass [kg] of nodes (count,)) of those of soft bodies that are sheets; places: where
    each one's nodes are among all, one behind the other.
    """
    plates, edges = [np.zeros(0, PLATE)], [np.zeros(0, PLATE_EDGE)]
    mass, known = np.zeros(count), 0
    for solid, place_of in zip(solids, places, strict=True):
        if not isinstance(solid, Sheet):
            continue
        first = int(place_of.min())
        order = np.argsort(place_of[solid.triangles].min(axis=1), kind="stable")
        corner, x = np.asarray(solid.triangles)[order], np.asarray(solid.x if solid.rest_x is None else solid.rest_x)
        local = np.empty_like(x, np.float64)
        local[place_of - first] = x
        curvature = None if solid.curvature is None else np.asarray(solid.curvature)[order]
        stiff, thick, heavy = (at_elements(factor, corner) for factor in (solid.stiffness, solid.thicker, solid.weight))
        rows, own, share, inertia = plate_of(
            local, place_of[corner] - first, stiff * solid.young, solid.poisson, thick * solid.plate,
            heavy * solid.density, curvature,
        )  # fmt: skip
        rows["bulk"], rows["shear"] = solid.membrane * rows["bulk"], solid.membrane * rows["shear"]
        rows["relaxation"] = solid.relaxation
        rows["node"], rows["edge"], own["node"] = rows["node"] + first, rows["edge"] + known, own["node"] + first
        own["w"] = 1.0 / inertia
        rows["firm"] = own["firm"] = 1.0
        mass[first : first + len(share)] = share
        plates.append(rows)
        edges.append(own)
        known += len(own)
    return np.concatenate(plates), np.concatenate(edges), mass


def clamped(plates: np.ndarray, edges: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """PLATE (P,) and PLATE_EDGE (E,) as firm as nodes of inverse masses w (N,), 0 of those that are held, make them."""
    held = (w[plates["node"]] == 0.0).all(axis=1)
    firm, firm_edges = np.where(held, CLAMPED, 1.0), np.ones(len(edges))
    firm_edges[plates["edge"][held]] = CLAMPED
    bend = (firm / plates["firm"])[:, None, None] * plates["bend"]
    inverse = edges["w"] * edges["firm"] / firm_edges
    return changed(plates, bend=bend, firm=firm), changed(edges, w=inverse, firm=firm_edges)
