"""One bake, from the scene as it is now to the animation it becomes. The buttons and the command line both run this."""

from dataclasses import replace
from pathlib import Path

import bpy

from ..bake import folder, job, process
from ..bake.cache import Cache
from ..bake.messages import message
from ..bridge import copies, result
from ..bridge.scene import read_scene
from ..physics.validate import SceneError
from ..properties.body import body_of, rod_of
from . import run_state
from .cache_folder import cache_folder


class Baking:
    """What is to be baked. It holds no object: undo replaces them, and `result` finds them again."""

    def __init__(self, context, *, resume=False, settle_only=False):
        """Checks the scene and writes the job. Raises SceneError, BakeError, with nothing changed."""
        description, self.meta = read_scene(context) if resume else copies.read_scene_of_all(context)
        place = cache_folder(context.scene)
        if settle_only:  # beside the bake's cache, which it must not replace
            description = replace(description, settle=True, frame_count=1)
            place = folder.locate(Path(bpy.app.tempdir), f"tendril_settle {context.scene.name}")
        check_held(description, context.scene.name)
        self.resume, self.settle_only, self.began = resume, settle_only, False
        self.job = job.propose(folder.prepare(place), description, self.meta)

    def start(self):
        """The Worker that bakes it. Raises BakeError."""
        return process.Worker.start(self.job.path, **self.options())

    def run(self, context, tell):
        """Bakes, calling tell(message), until it is over."""
        run_state.begin(context.window_manager.tendril)

        def hear(said):
            self.hear(context, said)
            tell(said)

        process.run(self.job.path, hear, **self.options())
        self.end(context)

    def options(self):
        """How the worker is started."""
        return {"resume": self.resume, "python_args": bpy.app.python_args, "kernels": own_folder()}

    def hear(self, context, said):
        self.began = self.began or said["kind"] == "progress"
        run = context.window_manager.tendril
        run_state.hear(run, said, self.meta["units"]["first_frame"])
        if said["kind"] == "verdict" and said["ok"]:
            for notice in self.meta["notices"]:
                run_state.hear(run, message("warning", **notice), self.meta["units"]["first_frame"])
            if not self.settle_only:
                run.estimate = said["estimate"]
        if said["kind"] == "done":
            run.message = "Settled" if self.settle_only else f"Baked {said['frames']} frames"

    def end(self, context):
        """Makes the finished frames animation."""
        run_state.end(context.window_manager.tendril)
        cache = Cache(self.job.folder)
        if self.began and cache.frames:
            self.show(context, cache)
        run_state.measure_cache(context)

    def show(self, context, cache):
        """Makes frames animation, and the result active in place of its source, which is hidden now."""
        objects = context.view_layer.objects  # a command has no context.object
        source = rod_of(objects.active) or body_of(objects.active)
        if source and objects.active.mode != "OBJECT":  # what is edited may be about to be replaced
            bpy.ops.object.mode_set(mode="OBJECT")
        result.show(context, self.meta, cache, warn=lambda *damage: self.warn(context, *damage))
        shown = source and result.result_of(source)
        if shown and shown.visible_get():
            source.select_set(False)
            shown.select_set(True)
            objects.active = shown

    def warn(self, context, frame, text):
        run, first_frame = context.window_manager.tendril, self.meta["units"]["first_frame"]
        run_state.hear(run, message("warning", object="", frame=frame, text=text), first_frame)


def own_folder():
    """Where Blender lets this extension keep files of its own; None: it runs as something else than an extension."""
    try:
        return bpy.utils.extension_path_user(__package__.rpartition(".")[0], path="kernels", create=True)
    except (ValueError, OSError):
        return None


def check_held(description, name):
    """Raises SceneError when rods or bodies are to settle and would fall for ever."""
    if not (description.settle and description.gravity.any()):
        return
    if not (description.pins or description.floor or any(body.led for body in description.bodies)):
        raise SceneError(
            name, f"Nothing holds the rods of '{name}', so they cannot settle: pin one, add a floor or do not settle."
        )
    tied = {weld.body for weld in description.welds}
    for number, body in enumerate(description.bodies):
        if not body.led and number not in tied:
            raise SceneError(
                body.name, f"Nothing holds '{body.name}', so it cannot settle: tie a rod to it or do not settle."
            )
