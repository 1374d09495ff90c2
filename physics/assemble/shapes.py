"""Bodies' surfaces in their own axes, each with its tree of boxes, and what of rods is rooted in them."""

import numpy as np
from scipy.spatial.transform import Rotation

from ..contact.bounding_volumes import fit
from ..model import SHAPE, Model, Surfaces, changed
from ..rounding import ROUND, rounded
from ..scene import Scene, Shape
from .surfaces import lay_out

NOTHING = Shape(np.zeros((0, 3)), np.zeros((0, 3), np.int64), 1.0)
FLUSH = 1e-6  # sine between faces that are one


def shapes_of(scene: Scene, bodies: np.ndarray) -> tuple[Surfaces, np.ndarray]:
    """(surfaces in bodies' axes, SHAPE (B,)) of a scene without led bodies; bodies: BODY_STATE (B,) at the start."""
    rows = np.zeros(len(scene.bodies), SHAPE)
    parts = []
    for row, body, now in zip(rows, scene.bodies, bodies, strict=True):
        shape = (body.shape if scene.contact else None) or NOTHING
        drawn, radius = rounded(shape)
        points = Rotation.from_quat(np.roll(now["q"], -1)).inv().apply(drawn - now["x"]).reshape(-1, 3)
        part = sharp(lay_out([(points, shape.triangles, radius, body.friction)]))
        if len(part.faces):
            fit(part)
            row["scale"] = 2.0 * ROUND * radius if shape.radius > 0.0 else radius
            row["reach"] = np.linalg.norm(points, axis=1).max() + radius
        row["restitution"], row["rolling"] = body.restitution, body.rolling_resistance
        parts.append(part)
    for name, tables in (
        ("face", [part.faces for part in parts]), ("edge", [part.edges for part in parts]),
        ("vertex", [part.vertices for part in parts]), ("tree", [part.tree for part in parts]),
    ):  # fmt: skip
        end = np.cumsum([0, *map(len, tables)])
        rows[name] = np.stack([end[:-1], end[1:]], axis=1)
    return _one_behind_the_other(parts, rows), rows


def _one_behind_the_other(parts: list[Surfaces], rows: np.ndarray) -> Surfaces:
    """All bodies' surfaces as one, their numbers moved on."""
    if not parts:
        return lay_out([])
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


def rooted(model: Model, x: np.ndarray, bodies: np.ndarray) -> np.ndarray:
    """Sorted keys (K,) of rods' vertices and edges, drawn at x (N, 3), that are in a body, BODY_STATE (B,), to stay
    there, and on along the rod as far as it overlaps the body: see `contact.shape_pairs.key_of`.
    """
    keys = [np.zeros(0, np.int64)]
    head = np.arange(1, len(x) + 1)
    head[model.rods["last"]] = np.where(model.rods["closed"], model.rods["first"], -1)
    tail, ahead = np.flatnonzero(head >= 0), head[head >= 0]
    for b in range(len(model.shapes)):
        inside, near = within(model, x, bodies, b)
        inside[model.slaves["node"][model.slaves["body"] == b]] = True
        while True:
            on = inside.copy()
            on[ahead] |= inside[tail] & near[ahead]
            on[tail] |= inside[ahead] & near[tail]
            if np.array_equal(on, inside):
                break
            inside = on
        of_edge = inside.copy()
        of_edge[tail] |= inside[ahead]
        keys += [2 * (np.flatnonzero(inside) * len(model.shapes) + b)]
        keys += [2 * (np.flatnonzero(of_edge) * len(model.shapes) + b) + 1]
    return np.sort(np.concatenate(keys))


def within(model: Model, x: np.ndarray, bodies: np.ndarray, b: int) -> tuple[np.ndarray, np.ndarray]:
    """(whether vertices at x (N, 3) lie inside the surface of body b, by its solid angle (Van Oosterom & Strackee
    1983), or within its radius; whether their own radius overlaps it), both (N,) bool.
    """
    skins, shape, now = model.skins, model.shapes[b], bodies[b]
    inside, overlaps = np.zeros((2, len(x)), bool)
    near = np.flatnonzero(np.linalg.norm(x - now["x"], axis=1) < shape["reach"] + model.nodes["radius"])
    if shape["face"][0] == shape["face"][1] or not len(near):
        return inside, overlaps
    own = Rotation.from_quat(np.roll(now["q"], -1)).inv().apply(x[near] - now["x"])
    corners = skins.samples[0][skins.faces["corner"][slice(*shape["face"])]]
    reach = skins.colliders["thickness"][b]
    for i, place in zip(near, own, strict=True):
        a, c, d = np.moveaxis(corners - place, 1, 0)
        la, lc, ld = (np.linalg.norm(v, axis=1) for v in (a, c, d))
        volume = np.einsum("ti,ti->t", a, np.cross(c, d))
        bottom = la * lc * ld + np.sum(a * c, 1) * ld + np.sum(c * d, 1) * la + np.sum(d * a, 1) * lc
        angle, distance = 2.0 * np.arctan2(volume, bottom).sum(), _distance(place, corners)
        inside[i] = abs(angle) > 2.0 * np.pi or distance < reach
        overlaps[i] = distance < reach + model.nodes["radius"][i]
    return inside, overlaps


def _distance(point: np.ndarray, corners: np.ndarray) -> float:
    """The least [m] from a point (3,) to edges of triangles (T, 3, 3), or to them straight below it."""
    least = np.inf
    for k in range(3):
        p, along = corners[:, k], corners[:, (k + 1) % 3] - corners[:, k]
        square = np.maximum(np.sum(along * along, 1), 1e-300)
        t = np.clip(np.sum((point - p) * along, 1) / square, 0.0, 1.0)
        least = min(least, np.linalg.norm(point - p - t[:, None] * along, axis=1).min())
    p, e, g = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    n = np.cross(e, g)
    area, d = np.sum(n * n, 1), point - p
    real = area > 0.0
    u = np.sum(np.cross(d, g) * n, 1)[real] / area[real]
    v = np.sum(np.cross(e, d) * n, 1)[real] / area[real]
    over = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
    heights = np.abs(np.sum(d * n, 1)[real][over]) / np.sqrt(area[real][over])
    return float(min(least, heights.min(initial=np.inf)))
