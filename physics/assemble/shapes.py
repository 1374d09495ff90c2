"""Bodies' surfaces in their own axes, each with its tree of boxes."""

import numpy as np

from ..arithmetic.quaternions import turned_back
from ..contact.bounding_volumes import fit
from ..geometry.rounding import ROUND, extents, rounded
from ..model import SHAPE, Surfaces, changed
from ..scene import Scene, Shape
from .surfaces import lay_out, no_surfaces

NOTHING = Shape(np.zeros((0, 3)), np.zeros((0, 3), np.int64), 1.0)
FLUSH = 1e-6  # sine between faces that are one


def shapes_of(scene: Scene, bodies: np.ndarray) -> tuple[Surfaces, np.ndarray]:
    """(surfaces in bodies' axes, SHAPE (B,)) of a scene without kinematic bodies; bodies: BODY_STATE (B,), at first."""
    rows = np.zeros(len(scene.bodies), SHAPE)
    parts = []
    for row, body, now in zip(rows, scene.bodies, bodies, strict=True):
        shape = (body.shape if scene.contact else None) or NOTHING
        drawn, radius = rounded(shape)
        points = turned_back(now["q"], drawn - now["x"])
        part = sharp(lay_out([(points, shape.triangles, radius, body.friction)]))
        if len(part.faces):
            fit(part)
            row["scale"] = 2.0 * ROUND * radius if shape.radius > 0.0 else radius
            row["extent"] = extents(points).min() + 2.0 * radius
            row["reach"] = np.linalg.norm(points, axis=1).max() + radius
        row["restitution"], row["rolling"] = body.restitution, body.rolling_resistance
        parts.append(part)
    for name, tables in (
        ("face", [part.faces for part in parts]), ("edge", [part.edges for part in parts]),
        ("vertex", [part.vertices for part in parts]), ("tree", [part.tree for part in parts]),
    ):  # fmt: skip
        end = np.cumsum([0, *map(len, tables)])
        rows[name] = np.stack([end[:-1], end[1:]], axis=1)
    skins = _one_behind_the_other(parts, rows)
    skins.colliders["group"] = [body.group for body in scene.bodies]
    return skins, rows


def _one_behind_the_other(parts: list[Surfaces], rows: np.ndarray) -> Surfaces:
    """All bodies' surfaces as one, their numbers moved on."""
    if not parts:
        return no_surfaces()
    neighbours = np.cumsum([0, *(len(part.neighbours) for part in parts)])
    faces, edges, vertices, found = [], [], [], []
    for b, (part, row) in enumerate(zip(parts, rows, strict=True)):
        v, e = row["vertex"][0], row["edge"][0]
        own = {name: _moved_on(part.faces[name], by) for name, by in (("corner", v), ("edge", e), ("vertex", v))}
        faces.append(changed(part.faces, collider=b, **own))
        own = {name: _moved_on(part.edges[name], v) for name in ("end", "opposite")}
        edges.append(changed(part.edges, collider=b, **own))
        vertices.append(changed(part.vertices, edge=part.vertices["edge"] + neighbours[b], collider=b))
        found.append(part.neighbours + v)
    return Surfaces(
        colliders=np.concatenate([part.colliders for part in parts]),
        faces=np.concatenate(faces), edges=np.concatenate(edges), vertices=np.concatenate(vertices),
        neighbours=np.concatenate(found),
        span=np.zeros(2),
        samples=np.concatenate([part.samples for part in parts], axis=1),
        order=np.concatenate([part.order + row["face"][0] for part, row in zip(parts, rows, strict=True)]),
        tree=np.concatenate([part.tree for part in parts]),
    )  # fmt: skip


def _moved_on(numbers: np.ndarray, by: int) -> np.ndarray:
    """Numbers counted on; a negative one stays: there is none."""
    return np.where(numbers >= 0, numbers + by, numbers)


def sharp(part: Surfaces) -> Surfaces:
    """The same without edges within a face: nothing is nearest to them alone."""
    points, edges = part.samples[0], part.edges
    p, q = points[edges["end"][:, 0]], points[edges["end"][:, 1]]
    one, other = (points[edges["opposite"][:, k]] - p for k in range(2))
    normal, out = np.cross(q - p, one), np.cross(q - p, other)
    sizes = np.linalg.norm(normal, axis=1) * np.linalg.norm(out, axis=1)
    flat = np.linalg.norm(np.cross(normal, out), axis=1) < FLUSH * sizes
    flat &= np.einsum("ei,ei->e", normal, out) < 0.0
    keep = ~flat | np.any(edges["opposite"] < 0, axis=1)
    number = np.append(np.where(keep, np.cumsum(keep) - 1, -1), -1)  # and of no edge
    return part._replace(edges=edges[keep], faces=changed(part.faces, edge=number[part.faces["edge"]]))
