"""What a file holds and shows, which previews are in it, and what was baked."""

import bpy
import numpy as np
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

KINDS = ("objects", "curves", "meshes", "scenes", "actions", "shape_keys")


def run():
    return bpy.context.window_manager.tendril


def names():
    return {(kind, item.name) for kind in KINDS for item in getattr(bpy.data, kind)}


def previews():
    return [item for item in bpy.data.objects if item.tendril.is_preview]


def corners(item):
    """Vertices (V, 3) of a mesh, as it is drawn."""
    return np.array([vertex.co for vertex in item.data.vertices])


def in_world(matrix, points):
    matrix = np.array(matrix)
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def places(item, frame):
    """Vertices (V, 3) in the world, as Blender plays them."""
    bpy.context.scene.frame_set(frame)
    shown = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([shown.matrix_world @ vertex.co for vertex in shown.data.vertices])


def frames():
    """x (F, n, 3) of all, in the cache."""
    cache = Cache(cache_folder(bpy.context.scene))
    return np.array([cache.read(frame)[0] for frame in cache.frames])
