"""A rope of 1 m that hangs in a saved file of 24 frames, for tests that key its numbers: made, keyed, read, baked."""

import bpy
import numpy as np
from artist import draw_rod, link
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

LAST = 24
WAY = np.linspace((0.0, 0.0, 2.0), (0.0, 0.0, 1.0), 21)


def hang(folder, holder, **pin):
    """It, in a folder's shot.blend, its start held by an empty of this name, with such settings of its pin."""
    rod = draw_rod("Rope", WAY)
    item = link(bpy.data.objects.new(holder, None))
    item.location = WAY[0]
    own = rod.tendril.pins.add()
    for name, value in {"name": holder, "target": item, **pin}.items():
        setattr(own, name, value)
    return saved(folder, "Rope")


def saved(folder, name):
    """The object of this name, after the file was saved as a folder's shot.blend, of 24 frames."""
    bpy.context.scene.frame_end = LAST
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    return bpy.data.objects[name]


def key(owner, name, **values):
    """frame_12=0.5 …, of a number of a rod, a soft body or a pin."""
    for frame, value in values.items():
        setattr(owner, name, value)
        owner.keyframe_insert(name, frame=int(frame.removeprefix("frame_")))


def straighten(item):
    """Let what is keyed on an object go straight in between."""
    for curve in item.animation_data.action.layers[0].strips[0].channelbags[0].fcurves:
        for point in curve.keyframe_points:
            point.interpolation = "LINEAR"


def described():
    """The scene as the physics is given it."""
    return read_scene(bpy.context)[0]


def baked(frame):
    """(n, 3) [m] where everything is."""
    return Cache(cache_folder(bpy.context.scene)).read(frame - 1)[0]


def length(frame):
    """[m] of all that was baked, as of one rod."""
    return np.linalg.norm(np.diff(baked(frame), axis=0), axis=1).sum()
