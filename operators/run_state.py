"""What the window manager knows of the bake: told by the worker's messages, shown by the panels."""

import bpy
from bpy.app.handlers import persistent

from ..bake.cache import Cache
from ..bake.errors import BakeError
from ..bridge import changes, coiled
from ..properties.body import rod_of
from ..properties.run import duration
from .cache_folder import cache_folder, on_other_machine
from .obstacles import nothing_to_resume


def clear(run):
    run.warnings.clear()
    run.running = run.cancelling = run.failed = False
    run.progress, run.frames = 0.0, 0
    run.there = run.there_from = run.before = 0
    run.message, run.shown, run.contact, run.took = "", "", "", ""


def begin(run):
    clear(run)
    run.running, run.message, run.changed = True, "Starting", ""


def hear(run, said, first_frame, resumable=True):
    """Keep what a message of the worker says; its frames count from 0, an artist's from `first_frame`. resumable:
    whether Resume goes on with its frames.
    """
    match said["kind"]:
        case "compiling" | "settling":
            run.message = said["text"]
        case "contact":
            run.contact = said["text"]
        case "progress":
            run.progress = said["frame"] / said["of"]
            run.first_frame, run.frames, run.there = first_frame, said["of"], said["frame"]
            part = f"{run.progress:.0%} ({run.there} of {run.frames})".replace("%", " %")
            run.message = f"{part}, {duration(said['seconds_left'])} left"
        case "warning":
            warning = run.warnings.add()
            warning.name, warning.frame, warning.text = said["object"], said["frame"] + first_frame, said["text"]
        case "cancelled":
            run.message = _end("Cancelled", said["frames"], resumable)
        case "verdict" if said["ok"]:
            pass
        case "exit" if said["text"]:
            fail(run, _end(said["text"], run.there, resumable))
        case "verdict" | "error" if said["text"]:
            fail(run, said["text"])


def _end(how, frames, resumable):
    """How a bake ended, after so many frames, and what is left of it."""
    if not resumable:
        return how
    kept = "1 frame is" if frames == 1 else f"{frames} frames are"
    return f"{how}: {kept} kept, Resume goes on" if frames else f"{how} before the first frame"


def fail(run, text):
    run.failed, run.message = True, text


def end(run):
    run.running, run.progress, run.frames = False, 0.0, 0
    run.there = run.there_from = run.before = 0


def measure_cache(context, *, asked=True):
    """Look where the cache of the current scene is and how large; too slow for every redraw.

    asked: by the artist, so that other machines may be looked at too.
    """
    run = context.window_manager.tendril
    run.cache_size, run.cache_place, run.cache_unread = 0.0, "", ""
    run.cache_chosen = context.scene.tendril.cache_folder
    try:
        place = cache_folder(context.scene, asked=asked)
        if asked or not on_other_machine(place):
            cache = Cache(place)
            run.cache_size, run.cache_unread = cache.size() / 1e6, cache.hindrance()
            run.cache_place = str(place) if run.cache_size else ""
        else:
            run.cache_unread = f"The cache is in '{place}', on another machine: Resume looks whether a bake is there."
    except BakeError:  # as the button says that needs the folder
        pass


def compare(context):
    """Say what was changed since the bake, and whether it is whole; nothing is evaluated."""
    run = context.window_manager.tendril
    run.scene, run.changed = context.scene.session_uid, changes.sentence(context)
    run.whole = nothing_to_resume(context)
    active = context.view_layer.objects.active  # a command has no context.object
    rod = rod_of(active) if active else None
    run.hint = coiled.told(rod) if rod else ""
    frames, count, _ = changes.baked(context) or (0, 0, 0)
    now = baked(frames, count) if frames else ""
    if run.message in {"", run.shown, now}:
        run.message = run.shown = now
        if not now:  # it was undone: no bake is shown that these are about
            run.took = run.contact = ""


def baked(frames, count):
    """What is said of a bake of which so many frames, of a count, are animation."""
    of = "" if frames == count else f"of {count} "
    return f"Baked {frames} {of}frame{'s' * (count != 1)}"


def refresh(context):
    """Compare anew; if another scene is in the window, forget what was said of the last; look at another Cache."""
    run = context.window_manager.tendril
    if run.scene != context.scene.session_uid:
        begin_anew(context)
        return
    if run.cache_chosen != context.scene.tendril.cache_folder:
        measure_cache(context, asked=False)
    compare(context)


def begin_anew(context):
    """Nothing that was said is about this scene."""
    clear(context.window_manager.tendril)
    context.window_manager.tendril.estimate = ""
    compare(context)
    measure_cache(context, asked=False)


@persistent
def forget(_file):
    """Another file was opened."""
    begin_anew(bpy.context)
