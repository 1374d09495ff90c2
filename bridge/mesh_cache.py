"""The motion of points in a file beside the bake, which Blender's Mesh Cache modifier plays, in place of shape keys.

It is that of the vertices of a mesh, or of the control points of Bézier splines, each with its left handle, itself and
its right handle, which the modifier moves with *Apply on Spline*. Tilts are in no such file.

Each bake has a file of its own. Undo steps may name any of this session. A .blend that was saved may have copies, be
appended to another or linked: what it ever named stays for good. So a file is deleted only if this process wrote it, no
.blend was saved while it was named, and no undo step goes back to it: at the next bake after a .blend was opened.
"""

import os
from contextlib import suppress
from pathlib import Path

import bpy
import numpy as np

from ..bake import point_cache
from ..bake.errors import BakeError

MODIFIER = "Tendril Bake"
_unsaved = set()  # files that were written since the .blend was opened, and that none was saved with
_left = set()  # such files of those that were open before


def opened():
    """A .blend was opened: no undo step goes further back."""
    _left.update(_unsaved)
    _left.difference_update(_named_now())  # it is one that Blender saved by itself
    _unsaved.clear()


def saved():
    """A .blend was saved."""
    for files in (_unsaved, _left):
        files.difference_update(_named_now())


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
    _unsaved.add(normal(path))
    modifier = item.modifiers.new(MODIFIER, "MESH_CACHE")
    item.modifiers.move(len(item.modifiers) - 1, 0)
    modifier.cache_format, modifier.filepath = "PC2", _way(path)
    modifier.frame_scale, modifier.frame_start = 1.0 / units.pace, units.first_frame
    modifier.use_apply_on_spline = item.type == "CURVE"
    _sweep()


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


def not_played(folder):
    """The motions in a folder that nothing in this .blend plays now."""
    named = _named_now()
    return [path for path in point_cache.motions_in(folder) if normal(path) not in named]


def _sweep():
    """Delete the motions that nothing can name any more."""
    for path in _left - _named_now():
        with suppress(BakeError):  # it may lie on a disk that is gone
            point_cache.remove(Path(path))
    _left.clear()


def _named_now():
    """The files that Mesh Cache modifiers play, whosever they are."""
    return {
        normal(bpy.path.abspath(modifier.filepath, library=item.library))
        for item in bpy.data.objects
        for modifier in item.modifiers
        if modifier.type == "MESH_CACHE"
    }


def normal(path):
    """Equal for ways to the same file or folder."""
    return os.path.normcase(os.path.abspath(path))


def _way(path):
    """To a file, from the .blend if that is saved on the same drive."""
    if bpy.data.filepath:
        try:
            return bpy.path.relpath(str(path))
        except ValueError:
            return str(path)
    return str(path)
