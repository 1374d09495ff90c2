"""Tetrahedral meshes that validations share: a brick and the torus of Liesenfeld & Stolfi's §8.1."""

from itertools import permutations

import numpy as np
from scipy.spatial import ConvexHull
from tendril.physics.scene import Hold


def brick(cells, size=(1.0, 1.0, 1.0)):
    """(x (n, 3), tetrahedra (t, 4)): six tetrahedra to a cell, as Kuhn divides it."""
    axes = [np.linspace(0.0, length, count + 1) for length, count in zip(size, cells, strict=True)]
    x = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)
    corner = np.stack(np.meshgrid(*map(np.arange, cells), indexing="ij"), axis=-1).reshape(-1, 3)
    found = []
    for order in permutations(range(3)):
        steps = np.vstack([np.zeros(3, int), np.cumsum(np.eye(3, dtype=int)[list(order)], axis=0)])
        node = np.stack([number(corner + step, cells) for step in steps], axis=1)
        found.append(node if np.linalg.det(steps[1:]) > 0.0 else node[:, [0, 2, 1, 3]])
    return x, np.stack(found, axis=1).reshape(-1, 4)


def number(corner, cells):
    """Of corners (k, 3) of cells, that of the node."""
    return (corner[:, 0] * (cells[1] + 1) + corner[:, 1]) * (cells[2] + 1) + corner[:, 2]


def torus(around=20, rim=8, radius=0.25, thickness=0.08):
    """(x (n, 3), tetrahedra (t, 4)), axis y: sections of a middle and a rim, three tetrahedra to each prism between."""
    u, v = 2.0 * np.pi * np.arange(around) / around, 2.0 * np.pi * np.arange(rim) / rim
    out = np.concatenate([[0.0], thickness * np.cos(v)])
    up = np.concatenate([[0.0], thickness * np.sin(v)])
    far = radius + out[None]
    x = np.stack([far * np.cos(u)[:, None], np.broadcast_to(up, (around, rim + 1)), far * np.sin(u)[:, None]], axis=-1)
    tetrahedra = []
    for s in range(around):
        here, there = s * (rim + 1), (s + 1) % around * (rim + 1)
        for k in range(rim):
            prism = [here, here + 1 + k, here + 1 + (k + 1) % rim, there, there + 1 + k, there + 1 + (k + 1) % rim]
            a, b, c = sorted(range(3), key=lambda i: prism[i])
            for path in ([a, b, c, c + 3], [a, b, b + 3, c + 3], [a, a + 3, b + 3, c + 3]):
                tetrahedra.append([prism[i] for i in path])
    node, x = np.array(tetrahedra), x.reshape(-1, 3)
    inverted = np.linalg.det(x[node[:, 1:]] - x[node[:, :1]]) < 0.0
    node[inverted] = node[inverted][:, [0, 2, 1, 3]]
    return x, node


def clamped(x, where, solid=0):
    """Holds that keep the nodes `where` (n,) of a body where they are."""
    return tuple(Hold(f"wall {i}", "POINT", solid, int(i)) for i in np.flatnonzero(where))


def globe(times):
    """(unit vectors (n, 3), triangles (f, 3), counterclockwise from outside): an icosahedron, halved so often."""
    golden = 0.5 * (1.0 + np.sqrt(5.0))
    x = np.array([np.roll([0.0, a, b * golden], k) for k in range(3) for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
    faces = ConvexHull(x).simplices
    for _ in range(times):
        ends, which = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)), axis=0, return_inverse=True)
        (a, b, c), (p, q, r) = faces.T, len(x) + which.reshape(-1, 3).T
        x = np.concatenate([x, x[ends].mean(axis=1)])
        faces = np.concatenate([np.stack(own, axis=1) for own in ((a, p, r), (b, q, p), (c, r, q), (p, q, r))])
    inwards = np.linalg.det(x[faces]) < 0.0
    faces[inwards] = faces[inwards][:, ::-1]
    return x / np.linalg.norm(x, axis=1)[:, None], faces


def hollow_ball(times, inner, outer):
    """(x (n, 3), tetrahedra (t, 4)) between two spheres, three to each prism: the first half of the nodes within."""
    unit, faces = globe(times)
    faces, n = np.sort(faces, axis=1), len(unit)
    paths = ([0, 1, 2, 5], [0, 1, 4, 5], [0, 3, 4, 5])
    node = np.concatenate([np.hstack([faces, faces + n])[:, path] for path in paths])
    x = np.concatenate([inner * unit, outer * unit])
    inverted = np.linalg.det(x[node[:, 1:]] - x[node[:, :1]]) < 0.0
    node[inverted] = node[inverted][:, [0, 2, 1, 3]]
    return x, node
