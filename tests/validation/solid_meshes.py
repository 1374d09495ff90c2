"""Tetrahedral meshes that validations share: a brick and the torus of Liesenfeld & Stolfi's §8.1."""

from itertools import permutations

import numpy as np
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
