"""Cables that wait for their physics to be compiled, which is once for an installation: Blender stays alive meanwhile,
panel and status bar count, and then each is settled, in one undo step.
"""

import bpy
from bpy.app.handlers import persistent

from ..physics.validate import SceneError
from . import compile_ahead, redraw, run_state

INTERVAL = 0.2  # s, between looks at what the worker says
_worker = None  # that compiles,
_waiting = {}  # and the session_uids of what is to be settled then, together


class CompilingError(Exception):
    """The worker compiles what cables need."""


def is_compiled():
    """Whether nothing is waited for."""
    return _worker is None


def wait(cables, worker=None, settle=None):
    """Has cables settled together, by settle(context, cables), once a worker that compiles is done; else the one there
    is.
    """
    global _worker
    if worker:
        _worker = worker
        if not bpy.app.timers.is_registered(look):
            bpy.app.timers.register(look, first_interval=INTERVAL)
    settle = settle or next(iter(_waiting.values()))
    _waiting.setdefault(tuple(cable.session_uid for cable in cables), settle)  # which perhaps sets lengths


def look():
    """The timer, which ends when all is settled."""
    if _worker is None and not _waiting:
        return None
    if _worker is None:
        if is_free(bpy.context):
            settle_all(bpy.context)
        return INTERVAL
    for said in _worker.poll():
        if said["kind"] == "compiling":
            compile_ahead.tell(said["text"])
            redraw.status(said["text"])
        if said["kind"] == "exit":
            over(bpy.context, said)
    return INTERVAL if _worker or _waiting else None


def is_free(context):
    """Whether a curve may be redrawn: nobody edits, bakes or renders."""
    return context.mode == "OBJECT" and not (context.window_manager.tendril.running or bpy.app.is_job_running("RENDER"))


def over(context, said):
    """The worker is done with what was to be compiled, or has ended."""
    global _worker
    _worker = None
    compile_ahead.tell("")
    redraw.status(None)
    if said["text"]:
        _waiting.clear()
        run_state.fail(context.window_manager.tendril, said["text"])
    elif is_free(context):
        settle_all(context)


def settle_all(context):
    """Settles what waited and is in the scene; what cannot be is said. What waited in another scene waits for that."""
    there, done = {item.session_uid for item in bpy.data.objects}, False
    here = {item.session_uid: item for item in context.scene.objects}
    for uids in list(_waiting):
        if any(uid in here for uid in uids) or there.isdisjoint(uids):
            settle, items = _waiting.pop(uids), [here[uid] for uid in uids if uid in here]
            try:
                done = bool(items and settle(context, items)[1]) or done
            except SceneError as error:
                run_state.fail(context.window_manager.tendril, str(error))
    if done and not bpy.app.background:
        bpy.ops.ed.undo_push(message="Settle")
    redraw.panels(context.window_manager)


@persistent
def forget(*_what):
    """Another file is opened, or the add-on is disabled."""
    global _worker
    if _worker:
        _worker.kill()
        compile_ahead.tell("")
        redraw.status(None)
    _worker = None
    _waiting.clear()
