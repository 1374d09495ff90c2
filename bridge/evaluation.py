"""Evaluating the artist's things at any time without touching them.

A scene of our own, removed at the end, holds copies of the rods and an empty for each pin that copies its target's
transforms; Blender evaluates in it these things, all they depend on, and nothing else. So hidden objects and excluded
collections count, unkeyed edits stay, the current frame does not change, and 250 frames take a fraction of a second.
What this scene does not see is in `foreign_motion`.
"""

from contextlib import contextmanager
from math import floor

import bpy
import numpy as np

_told = []  # who wants to know of each frame


@contextmanager
def telling(tell):
    """tell(frame) of every frame at which anything is evaluated meanwhile."""
    _told.append(tell)
    try:
        yield
    finally:
        _told.remove(tell)


class SideScene:
    """What `side_scene` gives."""

    def __init__(self, scene):
        self.scene = scene
        self._followers = {}

    def copy(self, source):
        """A visible copy of an object, with its parent, constraints, modifiers, animation and data."""
        return self._show(source.copy())

    def follower(self, target, bone=""):
        """An empty that has the world transform of an object or of a bone of an armature."""
        if (target, bone) not in self._followers:
            empty = bpy.data.objects.new(".tendril", None)
            constraint = empty.constraints.new("COPY_TRANSFORMS")
            constraint.target, constraint.subtarget = target, bone
            self._followers[target, bone] = self._show(empty)
        return self._followers[target, bone]

    def drop(self, item):
        """Take a copy away that needs no evaluating any more."""
        bpy.data.objects.remove(item)

    def _show(self, item):
        item.hide_viewport = False
        self.scene.collection.objects.link(item)
        return item

    def go(self, frame):
        """Evaluate everything at a frame, which may lie between two."""
        for tell in _told:
            tell(frame)
        whole = floor(frame)
        with _silence():
            self.scene.frame_set(whole, subframe=frame - whole)

    @property
    def depsgraph(self):
        return self.scene.view_layers[0].depsgraph

    def evaluated(self, item):
        return item.evaluated_get(self.depsgraph)

    def matrix(self, item):
        """World transform (4, 4) at the present frame."""
        return np.array(self.evaluated(item).matrix_world, dtype=np.float64)


@contextmanager
def side_scene(scene):
    """A SideScene with the time of `scene`: its frame rate and its time stretching."""
    aside = bpy.data.scenes.new(".tendril")
    for name in ("fps", "fps_base", "frame_map_old", "frame_map_new"):
        setattr(aside.render, name, getattr(scene.render, name))
    try:
        yield SideScene(aside)
    finally:
        for item in list(aside.collection.objects):
            bpy.data.objects.remove(item)
        bpy.data.scenes.remove(aside)


@contextmanager
def _silence():
    """Frame handlers wait: those of other add-ons would move the artist's things to a frame of ours."""
    handlers = [bpy.app.handlers.frame_change_pre, bpy.app.handlers.frame_change_post]
    waiting = [list(own) for own in handlers]
    for own in handlers:
        own.clear()
    try:
        yield
    finally:
        for own, back in zip(handlers, waiting, strict=True):
            own.extend(back)
