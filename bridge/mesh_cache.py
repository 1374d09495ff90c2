"""The motion of points in a file beside the bake, which Blender's Mesh Cache modifier plays, in place of shape keys.

It is that of the vertices of a mesh, or of the control points of Bézier splines, each with its left handle, itself and
its right handle, which the modifier moves with *Apply on Spline*. Tilts are in no such file.

Each bake has a file of its own. An undo step may name an older one, and so may the .blend as it was last saved: a file
is deleted when none of these can, at a bake in a later session, and only beside what that bake writes.
"""

import os
from pathlib import Path

import bpy
import numpy as np

from ..bake import point_cache
from ..bake.errors import BakeError

MODIFIER = "Tendril Bake"
_named = None  # files that were named, or written, since the .blend was opened; None: not known


def opened():
    """A .blend was opened: no undo step goes further back."""
    global _named
    _named = _named_now()


def new_path(owner, cache, name):
    """A new file for the motion of the thing called `name`, in the folder of a cache; None if its bake is to be shape
    keys. owner: the rod or soft body that says so, or None.
    """
    settings = owner and (owner.tendril.soft if owner.tendril.is_soft else owner.tendril.rod)
    return point_cache.new_path(cache.folder, name) if settings and settings.storage == "FILE" else None


def play(item, units, path, places):
    """Move the V points of an object to places (F, V, 3) in its own space, frame by frame, as they come, by the file
    `path`, which is written. Raises BakeError.
    """
    point_cache.write(path, _count(item), len(places), places)
    modifier = item.modifiers.new(MODIFIER, "MESH_CACHE")
    item.modifiers.move(len(item.modifiers) - 1, 0)
    modifier.cache_format, modifier.filepath = "PC2", _way(path)
    modifier.frame_scale, modifier.frame_start = 1.0 / units.pace, units.first_frame
    modifier.use_apply_on_spline = item.type == "CURVE"
    _sweep(path.parent)


def modifier_of(item):
    """The modifier that plays the bake of an object, or None."""
    modifier = item.modifiers.get(MODIFIER)
    return modifier if modifier is not None and modifier.type == "MESH_CACHE" else None


def read(item):
    """(keys (F,), places (F, V, 3)): the frames, as `Units.keys`, and what is played at them. Raises BakeError."""
    modifier = modifier_of(item)
    path = Path(bpy.path.abspath(modifier.filepath, library=item.library))
    places = point_cache.read(path, _count(item))
    if modifier.frame_scale <= 0.0:  # the sample at a frame is its product with the scale, less the start
        raise BakeError(f"The Frame Scale of '{item.name}' is not above 0, so no frame can be told. Set it to 1.")
    return (modifier.frame_start + np.arange(len(places))) / modifier.frame_scale, places


def _count(item):
    if item.type == "CURVE":
        return 3 * sum(len(spline.bezier_points) for spline in item.data.splines)
    return len(item.data.vertices)


def clear(item):
    """Take the motion from an object. Its file stays."""
    if modifier := modifier_of(item):
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
