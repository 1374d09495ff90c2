"""When the frames of a bake are shown while it runs, and that nothing of it stays: not in what is saved, nor in what an
undo step or a file, saved by Blender itself meanwhile, brings back.
"""

import time

import bpy
from bpy.app.handlers import persistent

from ..bridge import preview
from . import timeline

SLICE = 0.03  # s of each look at the worker
REST = 3.0  # times what showing took, Blender's own evaluation not counted, are the interface's own


class Previewing:
    """From the first frame of a bake to its end."""

    def __init__(self, context, meta, job):
        self.scene, self.preview, self.rests = context.scene.session_uid, preview.Preview(meta, job), 0.0
        if clear not in bpy.app.handlers.save_pre:
            bpy.app.handlers.save_pre.append(clear)
        timeline.show()

    def go_on(self, context):
        """Show what has come, in the scene that is baked."""
        begun = time.monotonic()
        if context.scene.session_uid == self.scene and begun >= self.rests:
            self.preview.show(context, SLICE)
            timeline.redraw(context.window_manager)
            now = time.monotonic()
            self.rests = now + REST * (now - begun - SLICE)


def end():
    timeline.hide()
    if clear in bpy.app.handlers.save_pre:
        bpy.app.handlers.save_pre.remove(clear)
        preview.clear()


@persistent
def clear(*_what):
    preview.clear()
