"""The motion of a mesh in a file beside the bake, which Blender's Mesh Cache modifier plays, in place of shape keys.

Each bake has a file of its own. An undo step may name an older one, and so may the .blend as it was last saved: a file
is deleted when none of these can, at a bake in a later session, and only beside what that bake writes.
"""

import os

import bpy

from ..bake import point_cache

MODIFIER = "Tendril Bake"
_named = None  # files that were named, or written, since the .blend was opened; None: not known


def opened():
    """A .blend was opened: no undo step goes further back."""
    global _named
    _named = _named_now()


def play(item, units, path, places):
    """Move the V vertices of an object to places (F, V, 3) in its own space, frame by frame, as they come, by the file
    `path`, which is written. Raises BakeError.
    """
    point_cache.write(path, len(item.data.vertices), len(places), places)
    modifier = item.modifiers.new(MODIFIER, "MESH_CACHE")
    item.modifiers.move(len(item.modifiers) - 1, 0)
    modifier.cache_format, modifier.filepath = "PC2", _way(path)
    modifier.frame_scale, modifier.frame_start = 1.0 / units.pace, units.first_frame
    _sweep(path.parent)


def clear(item):
    """Take the motion from an object. Its file stays."""
    modifier = item.modifiers.get(MODIFIER)
    if modifier is not None and modifier.type == "MESH_CACHE":
        item.modifiers.remove(modifier)


def _sweep(folder):
    """Delete the motions in a folder that nothing can name any more. Raises BakeError."""
    if _named is None:
        return
    _named.update(_named_now())
    for path in point_cache.motions_in(folder):
        if _same(path) not in _named:
            point_cache.remove(path)


def _named_now():
    """The files that Mesh Cache modifiers play, whosever they are."""
    return {
        _same(bpy.path.abspath(modifier.filepath, library=item.library))
        for item in bpy.data.objects
        for modifier in item.modifiers
        if modifier.type == "MESH_CACHE"
    }


def _same(path):
    """Equal for ways to the same file."""
    return os.path.normcase(os.path.abspath(path))


def _way(path):
    """To a file, from the .blend if that is saved on the same drive."""
    if bpy.data.filepath:
        try:
            return bpy.path.relpath(str(path))
        except ValueError:
            return str(path)
    return str(path)
