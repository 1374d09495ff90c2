"""Meshes that tests need: (vertices (V, 3) [m], triangles (T, 3))."""

import numpy as np


def sheet(n, size, height=lambda x, y: 0.0 * x):
    """n × n squares of a sheet, on the height [m] over each place."""
    s = np.linspace(-0.5, 0.5, n + 1) * size
    x, y = (a.ravel() for a in np.meshgrid(s, s, indexing="ij"))
    a = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    quads = np.stack([a, a + n + 1, a + n + 2, a + 1], axis=1)
    return np.stack([x, y, height(x, y)], axis=1), halved(quads)


def box(size):
    """A box of edges `size` (3,) about the origin."""
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return corners, halved(np.array(quads))


def tube(radius, length, around, along=1):
    """An open tube about the y axis."""
    a = np.arange(around) * 2.0 * np.pi / around
    y = np.linspace(-0.5, 0.5, along + 1) * length
    ring = radius * np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1)
    i, j = (k.ravel() for k in np.meshgrid(np.arange(along), np.arange(around), indexing="ij"))
    k = (j + 1) % around
    quads = np.stack([i * around + j, (i + 1) * around + j, (i + 1) * around + k, i * around + k], axis=1)
    return np.concatenate([ring + [0.0, at, 0.0] for at in y]), halved(quads)


def ball(radius, rings, around):
    """A ball about the origin, of rings between its poles."""
    t = np.linspace(0.0, np.pi, rings + 1)[1:-1, None]
    a = np.arange(around) * 2.0 * np.pi / around
    middle = np.stack([np.sin(t) * np.cos(a), np.sin(t) * np.sin(a), np.cos(t) + 0.0 * a], axis=2).reshape(-1, 3)
    i, j = (k.ravel() for k in np.meshgrid(np.arange(rings - 2), np.arange(around), indexing="ij"))
    k = (j + 1) % around
    quads = 1 + np.stack([i * around + j, (i + 1) * around + j, (i + 1) * around + k, i * around + k], axis=1)
    j, end = np.arange(around), 1 + len(middle)
    k, last = (j + 1) % around, 1 + (rings - 2) * around
    caps = [np.stack([0 * j, 1 + j, 1 + k], axis=1), np.stack([0 * j + end, last + k, last + j], axis=1)]
    return radius * np.concatenate([[[0, 0, 1]], middle, [[0, 0, -1]]]), np.concatenate([*caps, halved(quads)])


def halved(quads):
    """Two triangles for each quad (Q, 4)."""
    return np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
