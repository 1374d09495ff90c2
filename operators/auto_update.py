"""Auto Update: when something is changed that the simulation depends on, a moment later it is baked at *Preview*
quality into a cache of its own, and the viewport shows the frames as they come, from that at the playhead on; until
that has come it shows what it did. The finished bake stays as it is, and is what is rendered and saved. Off in each
file that is opened; nothing listens or looks while it is off.
"""

import time
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from ..bake import folder, job, process, samples
from ..bake.cache import Cache
from ..bake.errors import BakeError
from ..bridge import changes, preview
from ..bridge.scene import read_scene
from ..physics.validate import SceneError
from ..properties.run import duration
from . import compile_ahead, redraw, timeline
from .baking import check_held
from .kernel_folder import kernel_folder
from .obstacles import Obstructed, bake_is_running

CALM = 0.3  # s without a change
INTERVAL = 0.03  # s, between looks at what the worker says
SLICE, LONGEST = 0.02, 0.2  # s of each look: as long as all else takes between two, so that neither waits long
LEFT_ALONE = "tendril.quality"  # for it is Preview
SOON = 3.0  # s: what is foreseen to take longer is no answer to a hand that drags a number
SOONER = ". Fewer points or frames, or a lower Resolution, are there sooner"
UNLED = ". A pin keeps the offset of the first frame: key '{}' to move '{}' by it"
_update = None  # while it is on


class Update:
    """The newest bake, and what it was made of."""

    def __init__(self):
        self.of = None  # (session_uid of the scene, picture) that was baked last, or refused
        self.worker = self.coming = self.preview = self.place = None  # coming: what a preview of that bake will need
        self.hint = self.unled = self.left = ""  # unled: what was moved without a key, which moves no rod
        self.done, self.looked = False, 0.0  # looked: when the last look was over
        self.places = set()  # of all caches: each scene has its own
        self.wanted, self.due = False, 0.0  # due: when a change is looked at; 0: there is none

    def compare(self, context):
        """See whether the scene is another than that."""
        found = changes.picture(context)
        for things in found.values():
            things.pop(LEFT_ALONE, None)
        now = context.scene.session_uid, found
        if now != self.of:
            led = self.of and changes.led_by_no_key(context, self.of[1], found)
            self.unled = UNLED.format(led[1].name, led[0].name) if led else ""
            self.wanted, self.of = True, now

    def go_on(self, context):
        """Do what is to be done now → whether there is more, soon."""
        works = self.worker is not None and not self.worker.over
        if self.wanted and works:
            self.worker.cancel()
        elif self.wanted:
            works = self.begin(context)
        if works:
            self.hear(context)
        if self.preview and self.of[0] == context.scene.session_uid:
            seconds = min(max(time.monotonic() - self.looked, SLICE), LONGEST)
            works = self.preview.show(context, seconds) or works
            if not (self.wanted or context.window_manager.tendril.auto_failed):
                self.tell_seen(context)
        self.looked = time.monotonic()
        return works or self.wanted

    def tell_seen(self, context):
        """Say how many frames of the newest bake are seen, and show which in timelines."""
        run, film = context.window_manager.tendril, self.preview
        before, run.there_from, run.there = (run.there_from, run.there, run.before), film.start, film.ahead - film.start
        run.before = film.before
        if not film.shown:
            here = film.here(context) + 1
            text = f"{min(len(film.cache.frames), here)} of {here} frames to this one{self.left}{self.hint}"
        elif self.done and film.shown == run.frames:
            text = f"{run.frames} Preview frames{self.unled}"
        else:
            text = f"{film.shown} of {run.frames} frames{self.left}{self.hint}"
        if text != run.auto_message:
            tell(context, text)
        if before != (run.there_from, run.there, run.before):
            timeline.show()
            timeline.redraw(context.window_manager)

    def begin(self, context):
        """Bake the scene as it is → whether it is baked; what refuses that is said."""
        self.wanted = False
        self.place = folder.locate(Path(bpy.app.tempdir), f"tendril_auto_update {context.scene.session_uid}")
        self.places.add(self.place)
        try:
            description, meta = read_scene(context, self.place)
            description = replace(description, quality="PREVIEW")
            try:
                check_held(description, context.scene.name)
                meta["temporary"] = True
                proposed = job.propose(folder.prepare(self.place), description, meta)
            except (SceneError, BakeError):
                samples.discard(description)
                raise
            compile_ahead.stop()
            self.worker = process.Worker.start(proposed.path, python_args=bpy.app.python_args, kernels=kernel_folder())
        except (SceneError, BakeError) as error:
            tell(context, str(error), failed=True)
            return False
        self.coming, self.done, self.left = (meta, proposed), False, ""
        self.preview = None  # its cache is that of this bake now; what it has shown stays, until this one has more
        return True

    def hear(self, context):
        """Take in what the worker says."""
        run = context.window_manager.tendril
        for said in self.worker.poll():
            if self.wanted and said["kind"] != "exit":  # it is given up
                continue
            match said["kind"]:
                case "progress" if said["frame"]:
                    if self.coming:
                        self.preview, self.coming = preview.Preview(*self.coming, rendered=False), None
                        tell(context, "")
                    run.first_frame, run.frames = self.preview.units.first_frame, said["of"]
                    self.left = f", {duration(said['seconds_left'])} left" if self.hint else ""
                case "verdict" if said["ok"]:
                    self.hint = SOONER if said["estimate"] > SOON else ""
                case "compiling" | "settling":
                    tell(context, said["text"])
                case "verdict" | "error" | "exit" if said["text"] and not said.get("ok"):
                    tell(context, said["text"], failed=True)
                case "done":
                    self.done = True
            if self.preview and said["kind"] in {"error", "exit", "done", "cancelled"}:
                self.preview.over = True

    def pause(self):
        """Let a bake have the processor and the viewport."""
        if self.worker:
            self.worker.kill()
            self.worker.wait()
        self.worker = self.coming = self.preview = None
        self.wanted = False
        preview.clear()
        timeline.hide()

    def end(self):
        """Leave no process at work, and no file."""
        self.pause()
        for place in self.places:
            with suppress(BakeError):
                Cache(place).free()


def tell(context, text, failed=False):
    run = context.window_manager.tendril
    if (run.auto_message, run.auto_failed) != (text, failed):
        run.auto_message, run.auto_failed = text, failed
        redraw.panels(context.window_manager)


def pause():
    """A bake begins."""
    if _update:
        _update.pause()


def playing():
    """Whether the viewport plays an animation."""
    return bool(bpy.context.screen and bpy.context.screen.is_animation_playing)


@persistent
def played(*_what):
    """A frame is shown. As long as one follows the other Blender does not tell what is changed meanwhile."""
    if playing():
        changed()


@persistent
def changed(*_what):
    """Something may be. It is looked at when nothing more is; where an animation plays, which always changes, soon."""
    if not (playing() and _update.due):
        _update.due = time.monotonic() + CALM
    if not (bpy.app.background or bpy.app.timers.is_registered(look)):
        bpy.app.timers.register(look, first_interval=CALM)


def look():
    """The timer, which ends when there is no more to do."""
    context = bpy.context
    if _update is None or context.scene is None:
        return None
    if context.window_manager.tendril.running or bpy.app.is_job_running("RENDER"):
        return CALM
    if context.mode.startswith("EDIT"):  # the end of which is a change
        edit_what_it_stands_for(context)
        return None
    lead(context)
    if _update.due and time.monotonic() >= _update.due:
        _update.due = 0.0
        _update.compare(context)
    if _update.go_on(context):
        return INTERVAL
    return max(INTERVAL, _update.due - time.monotonic()) if _update.due else None


def lead(context):
    """Let the settings that editors show be those of what is drawn: its preview is replaced, maybe while one is
    dragged. It stays selected.
    """
    objects = context.view_layer.objects
    item = objects.active
    if item and item.tendril.is_preview and (stand := item.tendril.stands_for) and stand.name in objects:
        objects.active = stand


def edit_what_it_stands_for(context):
    """Edit mode is for what is drawn: an artist who gives it to a preview gets it there."""
    item = context.view_layer.objects.active
    if item and preview.waits(item, context.view_layer):
        preview.clear()
    if item is None or not item.tendril.is_preview:
        return
    source = item.tendril.stands_for
    windows = context.window_manager.windows
    with context.temp_override(window=windows[0]) if windows else nullcontext():
        bpy.ops.object.mode_set(mode="OBJECT")
        preview.clear()
        if source and not source.tendril.source:  # else a finished bake, whose source is another button's
            bpy.ops.object.mode_set(mode="EDIT")


HANDLERS = ("depsgraph_update_post", "undo_post", "redo_post", "save_post")


def switch_on(context):
    global _update
    _update = Update()
    context.window_manager.tendril.auto_update = True
    for name in HANDLERS:
        getattr(bpy.app.handlers, name).append(changed)
    bpy.app.handlers.frame_change_post.append(played)
    bpy.app.handlers.save_pre.append(_hide)
    changed()


@persistent
def switch_off(*_what):
    global _update
    run = bpy.context.window_manager.tendril
    run.auto_update, run.auto_message, run.auto_failed = False, "", False
    if _update is None:
        return
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)
    bpy.app.handlers.save_pre.remove(_hide)
    bpy.app.handlers.frame_change_post.remove(played)
    for name in HANDLERS:
        getattr(bpy.app.handlers, name).remove(changed)
    _update.end()
    _update = None
    redraw.panels(bpy.context.window_manager)


@persistent
def _hide(*_what):
    """From what is saved."""
    preview.clear()


class TENDRIL_OT_auto_update(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.auto_update"
    bl_label = "Auto Update"
    bl_description = (
        "Bake at Preview quality as soon as something is changed, and show it in viewports. The finished bake stays, "
        "and is what is rendered and saved"
    )
    bl_options = {"REGISTER"}

    @classmethod
    def obstacle(cls, context):
        return bake_is_running(context)

    def execute(self, context):
        switch_off() if _update else switch_on(context)
        redraw.panels(context.window_manager)
        return {"FINISHED"}


classes = (TENDRIL_OT_auto_update,)
