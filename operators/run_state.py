"""What the window manager knows of the bake: told by the worker's messages, shown by the panels."""

import bpy
from bpy.app.handlers import persistent

from ..bake.cache import Cache
from ..bake.errors import BakeError
from ..properties.run import duration
from .cache_folder import cache_folder


def clear(run):
    run.warnings.clear()
    run.running = run.cancelling = run.failed = False
    run.progress, run.message = 0.0, ""


def begin(run):
    clear(run)
    run.running, run.message = True, "Starting"


def hear(run, said, first_frame):
    """Keep what a message of the worker says; its frames count from 0, an artist's from `first_frame`."""
    match said["kind"]:
        case "compiling":
            run.message = said["text"]
        case "progress":
            run.progress = said["frame"] / said["of"]
            run.message = f"Frame {said['frame']} of {said['of']}, {duration(said['seconds_left'])} left"
        case "warning":
            warning = run.warnings.add()
            warning.name, warning.frame, warning.text = said["object"], said["frame"] + first_frame, said["text"]
        case "cancelled":
            run.message = f"Cancelled: {said['frames']} frames are kept, Resume goes on"
        case "verdict" | "error" | "exit" if said["text"]:
            run.failed, run.message = True, said["text"]


def end(run):
    run.running, run.progress = False, 0.0


def measure_cache(context):
    """Look how large the cache of the current scene is; too slow for every redraw."""
    run = context.window_manager.tendril
    try:
        run.cache_size = Cache(cache_folder(context.scene)).size() / 1e6
    except BakeError:
        run.cache_size = 0.0


@persistent
def forget(_file):
    """Another file was opened: nothing that was said is about it."""
    clear(bpy.context.window_manager.tendril)
    bpy.context.window_manager.tendril.estimate = 0.0
    measure_cache(bpy.context)
