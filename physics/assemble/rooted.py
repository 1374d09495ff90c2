"""Rods' vertices and edges that are drawn into a body to stay there: an end in a lamp, a rope through a bead, an edge
through a corner; and all of a rod that runs through a pulley on it. They do not touch that body; a rod that only lies
on a body, which holds it, does.
"""

import numpy as np

from ..arithmetic.quaternions import turned_back
from ..geometry.near_faces import distances_to_faces
from ..model import Model
from ..rods.chain import edges_of, spread
from ..validate.colliders import degenerate
from ..validate.overlap_with_bodies import SLANT, depths_below


def rooted(model: Model, x: np.ndarray, bodies: np.ndarray) -> np.ndarray:
    """Sorted keys (K,) of rods' vertices and edges, drawn at x (N, 3), that are in a body, BODY_STATE (B,), to stay
    there, and on along the rod where it leaves the body: see `leaving`, `contact.feature_pairs.key_of`.
    """
    keys, (tail, head) = [np.zeros(0, np.int64)], edges_of(model.rods, len(x))
    radius, none = model.nodes["radius"], np.zeros(len(tail))
    for b, (now, shape) in enumerate(zip(bodies, model.shapes, strict=True)):
        own, points = turned_back(now["q"], x - now["x"]), model.skins.samples[0]
        faces, around = model.skins.faces["corner"][slice(*shape["face"])], model.skins.colliders["thickness"][b]
        depth, inside, _ = depths_below(points, faces, around, own, own, radius)
        near, corners = depth > 0.0, points[faces[~degenerate(points, faces)]]
        through = distances_to_faces(own[tail], own[head], none, corners)[1]
        inside[model.slaves["node"][model.slaves["body"] == b]] = True
        ends = np.append(tail[through], head[through])
        inside[ends] |= near[ends]
        inside = leaving(inside, near, (tail, head), x, around + radius)
        for rod in model.rods[model.pulleys["rod"][model.pulleys["body"] == b]]:
            inside[rod["first"] : rod["last"] + 1] = True  # wherever the rod runs through the body's pulley
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
