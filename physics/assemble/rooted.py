"""Rods' vertices and edges that are drawn into a body to stay there: an end in a lamp, a rope through a bead, an edge
through a corner. They do not touch that body; a rod that only lies on a body, which holds it, does.
"""

import numpy as np

from ..arithmetic.quaternions import turned_back
from ..geometry.near_faces import distance_to_faces, near_faces
from ..geometry.solid_angle import holds
from ..model import Model
from ..rods.chain import edges_of, spread
from ..validate.overlap_with_bodies import SLANT


def rooted(model: Model, x: np.ndarray, bodies: np.ndarray) -> np.ndarray:
    """Sorted keys (K,) of rods' vertices and edges, drawn at x (N, 3), that are in a body, BODY_STATE (B,), to stay
    there, and on along the rod where it leaves the body: see `leaving`, `contact.shape_pairs.key_of`.
    """
    keys, (tail, head) = [np.zeros(0, np.int64)], edges_of(model.rods, len(x))
    for b in range(len(model.shapes)):
        inside, near = within(model, x, bodies, b)
        through = goes_through(model, x, bodies, b)
        inside[model.slaves["node"][model.slaves["body"] == b]] = True
        ends = np.append(tail[through], head[through])
        inside[ends] |= near[ends]
        inside = leaving(inside, near, (tail, head), x, model.skins.colliders["thickness"][b] + model.nodes["radius"])
        of_edge = inside.copy()
        of_edge[tail] |= inside[head] | through
        keys += [2 * (np.flatnonzero(inside) * len(model.shapes) + b)]
        keys += [2 * (np.flatnonzero(of_edge) * len(model.shapes) + b) + 1]
    return np.sort(np.concatenate(keys))


def leaving(
    inside: np.ndarray, near: np.ndarray, edges: tuple[np.ndarray, np.ndarray], x: np.ndarray, reach: np.ndarray
) -> np.ndarray:
    """What is inside a body or held by it, (N,) bool, and on along the rod, drawn at x (N, 3), as far as its radius
    has to overlap the body there, which is near (N,) bool; reach (N,) [m]: both radii; edges: `edges_of`.

    A rod that leaves a surface at an angle α is off it after reach/sin α. One that leaves flatter lies on it: SLANT.
    """
    return spread(inside, near, edges, x, reach / SLANT)


def within(model: Model, x: np.ndarray, bodies: np.ndarray, b: int) -> tuple[np.ndarray, np.ndarray]:
    """(whether vertices at x (N, 3) lie inside the surface of body b, or within its radius; whether their own radius
    overlaps it), both (N,) bool; bodies: BODY_STATE (B,).
    """
    skins, shape, now = model.skins, model.shapes[b], bodies[b]
    inside, overlaps = np.zeros((2, len(x)), bool)
    near = np.flatnonzero(np.linalg.norm(x - now["x"], axis=1) < shape["reach"] + model.nodes["radius"])
    if shape["face"][0] == shape["face"][1] or not len(near):
        return inside, overlaps
    own = turned_back(now["q"], x[near] - now["x"])
    corners = skins.samples[0][skins.faces["corner"][slice(*shape["face"])]]
    reach = skins.colliders["thickness"][b]
    for i, place in zip(near, own, strict=True):
        distance = distance_to(place, corners)
        inside[i] = distance < reach or holds(corners, place)
        overlaps[i] = distance < reach + model.nodes["radius"][i]
    return inside, overlaps


def goes_through(model: Model, x: np.ndarray, bodies: np.ndarray, b: int) -> np.ndarray:
    """Whether edges, vertices being at x (N, 3), go through a face of body b: (E,) bool; bodies: BODY_STATE (B,)."""
    (tail, head), shape, now = edges_of(model.rods, len(x)), model.shapes[b], bodies[b]
    own = turned_back(now["q"], x - now["x"])
    corners = model.skins.samples[0][model.skins.faces["corner"][slice(*shape["face"])]]
    corners = corners[np.any(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) != 0.0, axis=1)]
    found = np.zeros(len(tail), bool)
    if len(corners):
        for i, j in near_faces(own[tail], own[head], np.zeros(len(tail)), corners):
            found[i[distance_to_faces(own[tail[i]], own[head[i]], corners[j])[1]]] = True
    return found


def distance_to(point: np.ndarray, corners: np.ndarray) -> float:
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
