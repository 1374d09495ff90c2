"""The stripe of a rod at its vertices ↔ its material frame on its edges, each conversion beside its inverse. No bpy.

Blender turns a stripe from point to point; Bergou et al. 2008 let m₁ live on edges and put the twist at vertices.
Vectors are carried from an edge to its end by parallel transport, the shortest rotation from the edge's direction to
the vertex's, which is halfway to the next edge. Shapes may have leading dimensions (frames).
"""

import numpy as np


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sum(a * b, axis=-1, keepdims=True)


def transport(v: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """v (…, 3), across the unit direction `start`, carried to `end` by the shortest rotation between the two."""
    middle = unit(start + end)
    return v - 2.0 * middle * dot(middle, v)


def rotate(v: np.ndarray, axis: np.ndarray, angle: np.ndarray | float) -> np.ndarray:
    """v (…, 3), across the unit axis, turned about it by angle (…) [rad]."""
    angle = np.asarray(angle)[..., None]
    return v * np.cos(angle) + np.cross(axis, v) * np.sin(angle)


def angle_between(a: np.ndarray, b: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Angle (…) in (−π, π] that turns a to b about the unit axis, right-handed."""
    return np.arctan2(dot(np.cross(a, b), axis), dot(a, b))[..., 0]


def nearest_turn(angle: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """The angle plus the multiple of 2π that brings it nearest to `expected`."""
    return angle + 2.0 * np.pi * np.round((expected - angle) / (2.0 * np.pi))


def directions(x: np.ndarray, closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Unit directions of edges (…, m, 3) and vertices (…, n, 3): halfway between the edges that meet there."""
    ahead = np.roll(x, -1, axis=-2) - x
    edge = unit(ahead if closed else ahead[..., :-1, :])
    if closed:
        return edge, unit(edge + np.roll(edge, 1, axis=-2))
    inner = unit(edge[..., 1:, :] + edge[..., :-1, :])
    return edge, np.concatenate([edge[..., :1, :], inner, edge[..., -1:, :]], axis=-2)


def edge_frames(
    x: np.ndarray, stripe: np.ndarray, drawn_twist: np.ndarray, closed: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Material frame of a rod from the stripe at its vertices.

    x (n, 3), stripe (n, 3), both in the same space; drawn_twist (m,) [rad] along each edge, known to half a turn.
    Returns m₁ of the edges (m, 3), and the integrated twist at vertices (n,) [rad], as `physics.scene.Rod` has them.
    """
    edge, vertex = directions(x, closed)
    stripe = unit(stripe - dot(stripe, vertex) * vertex)
    count = len(edge)
    end = np.roll(stripe, -1, axis=0)[:count], np.roll(vertex, -1, axis=0)[:count]
    behind = transport(stripe[:count], vertex[:count], edge)
    ahead = transport(*end, edge)
    along = nearest_turn(angle_between(behind, ahead, edge), drawn_twist)
    m1 = rotate(behind, edge, 0.5 * along)
    if closed:
        return m1, 0.5 * (along + np.roll(along, 1))
    return m1, np.concatenate([[0.0], 0.5 * (along[1:] + along[:-1]), [0.0]])


def vertex_stripe(x: np.ndarray, m1: np.ndarray, drawn_twist: np.ndarray, closed: bool) -> np.ndarray:
    """Stripe at the vertices (…, n, 3) of x (…, n, 3), halfway between the m₁ of the edges that meet there (…, m, 3).

    drawn_twist (n,) [rad] at each vertex, known to half a turn. At a free end the stripe goes on turning as at the
    vertex before, so that the middle of the end edge has its m₁.
    """
    edge, vertex = directions(x, closed)
    if closed:
        return _halfway(np.roll(m1, 1, axis=-2), np.roll(edge, 1, axis=-2), m1, edge, vertex, drawn_twist)[0]
    before, after = (m1[..., :-1, :], edge[..., :-1, :]), (m1[..., 1:, :], edge[..., 1:, :])
    inner, twist = _halfway(*before, *after, vertex[..., 1:-1, :], drawn_twist[1:-1])
    first = rotate(m1[..., :1, :], edge[..., :1, :], -0.5 * twist[..., :1])
    last = rotate(m1[..., -1:, :], edge[..., -1:, :], 0.5 * twist[..., -1:])
    return np.concatenate([first, inner, last], axis=-2)


def _halfway(
    before: np.ndarray,
    edge_before: np.ndarray,
    after: np.ndarray,
    edge_after: np.ndarray,
    vertex: np.ndarray,
    drawn_twist: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    before, after = transport(before, edge_before, vertex), transport(after, edge_after, vertex)
    twist = nearest_turn(angle_between(before, after, vertex), drawn_twist)
    return rotate(before, vertex, 0.5 * twist), twist
