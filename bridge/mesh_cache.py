"""The motion of a mesh in a file beside the bake, which Blender's Mesh Cache modifier plays, in place of shape keys."""

from pathlib import Path

import bpy

from ..bake import point_cache

MODIFIER = "Tendril Bake"


def play(item, units, path, places):
    """Move the V vertices of an object to places (F, V, 3) in its own space, frame by frame, as they come, by the file
    `path`, which is written. Raises BakeError.
    """
    point_cache.write(path, len(item.data.vertices), len(places), places)
    modifier = item.modifiers.new(MODIFIER, "MESH_CACHE")
    item.modifiers.move(len(item.modifiers) - 1, 0)
    modifier.cache_format, modifier.filepath = "PC2", _way(path)
    modifier.frame_scale, modifier.frame_start = 1.0 / units.pace, units.first_frame


def clear(item):
    """Take the motion from an object, and its file. Raises BakeError."""
    modifier = item.modifiers.get(MODIFIER)
    if modifier is None or modifier.type != "MESH_CACHE":
        return
    path = Path(bpy.path.abspath(modifier.filepath))
    item.modifiers.remove(modifier)
    point_cache.remove(path)


def _way(path):
    """To a file, from the .blend if that is saved on the same drive."""
    if bpy.data.filepath:
        try:
            return bpy.path.relpath(str(path))
        except ValueError:
            return str(path)
    return str(path)
