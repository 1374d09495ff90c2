"""What is measured on a bake: where everything is, how rods are twisted and wind about each other."""

import bpy
import numpy as np


def baked():
    """(x (F, N, 3) [m], m₁ (F, M, 3), bodies (F, K, 7)) of the scene's bake: all rods one after another, all frames."""
    from bl_ext.user_default.tendril.bake.cache import Cache
    from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

    cache = Cache(cache_folder(bpy.context.scene))
    return tuple(np.stack(arrays) for arrays in zip(*(cache.read(index) for index in cache.frames), strict=True))


def description():
    """The scene as the physics is given it."""
    from tendril.bridge.scene import read_scene

    return read_scene(bpy.context)[0]


def tangents(x):
    """Unit directions (…, m, 3) of the edges of an open rod x (…, m + 1, 3)."""
    edges = np.diff(x, axis=-2)
    return edges / np.linalg.norm(edges, axis=-1, keepdims=True)


def twist(x, m1):
    """Angle (…, m − 1) [rad] that m₁ (…, m, 3) turns from edge to edge beyond parallel transport."""
    t = tangents(x)
    before, after, m = t[..., :-1, :], t[..., 1:, :], m1[..., :-1, :]
    halfway = before + after
    halfway /= np.linalg.norm(halfway, axis=-1, keepdims=True)
    carried = m - 2.0 * halfway * np.sum(m * halfway, axis=-1, keepdims=True)
    sine = np.sum(np.cross(carried, m1[..., 1:, :]) * after, axis=-1)
    return np.arctan2(sine, np.sum(carried * m1[..., 1:, :], axis=-1))


def winding(a, b):
    """Gauss's double integral over 4π, by midpoints, of polylines a (m + 1, 3) and b (n + 1, 3): the linking number of
    two closed ones, the writhe of one with itself.
    """
    middle, edge = [0.5 * (x[1:] + x[:-1]) for x in (a, b)], [np.diff(x, axis=0) for x in (a, b)]
    apart = middle[0][:, None] - middle[1][None]
    distance = np.linalg.norm(apart, axis=2)
    volume = np.einsum("ijk,ijk->ij", apart, np.cross(edge[0][:, None], edge[1][None]))
    near = distance > 1e-12
    return np.sum(volume[near] / distance[near] ** 3) / (4.0 * np.pi)
