"""Compiles what a bake of the scene will need while the artist works: from when Tendril is enabled, and when the first
rod, rigid or soft body, collider or force field is there. One process at a time does so; it ends with Blender, and a
bake takes its place.
"""

import bpy
from bpy.app.handlers import persistent

from ..bake import process
from ..bake.errors import BakeError
from ..bake.process import Worker
from ..properties.body import is_cable
from . import redraw
from .kernel_folder import kernel_folder
from .preset import ADDON

INTERVAL = 1.0  # s, between looks at what it says
FIRST = 3.0  # s after the start: Blender is to be there first
_worker = None  # that compiles,
_asked = frozenset()  # for such kinds of things
_done = frozenset()  # kinds for which all is compiled, or cannot be
_stale = True  # whether the scene may have got more


def wanted(scene):
    """The kinds of things in a scene that Tendril simulates, as `compiling_ahead` names them; rods always."""
    kinds = {"rods"}
    for item in scene.objects:
        own = item.tendril
        kinds |= {
            kind for kind, found in (
                ("cables", own.is_rod and is_cable(item)), ("rigid-bodies", own.is_body), ("soft-bodies", own.is_soft),
                ("colliders", item.collision and item.collision.use),
                ("force-fields", item.field and item.field.type != "NONE"),
            ) if found
        }  # fmt: skip
    return frozenset(kinds)


def start(kinds):
    """Begin to compile for such kinds of things."""
    global _worker, _asked, _done
    _asked = frozenset(kinds)
    try:
        _worker = Worker.compile_ahead(sorted(_asked), bpy.app.python_args, kernel_folder())
    except BakeError:  # the bake says so
        _done |= _asked


def stop():
    """End that; what is compiled stays, and the rest is looked for again."""
    global _worker, _stale
    if _worker:
        _stale = True
        _worker.kill()
        _worker.wait()
    _worker = None
    tell("")


def listen():
    """Take in what the process says."""
    global _worker, _done
    for said in _worker.poll():
        if said["kind"] == "compiling":
            tell(said["text"])
        if said["kind"] == "exit":
            _worker, _done = None, _done | _asked
            tell("")
            return


def tell(text):
    run = bpy.context.window_manager.tendril
    if run.ahead != text:
        run.ahead = text
        redraw.panels(bpy.context.window_manager)


def look():
    """Start, listen to or end the process, as the scene, the bake and the preferences have it."""
    global _stale
    own = bpy.context.preferences.addons.get(ADDON)
    if not (own and own.preferences.compile_ahead):
        if _worker:
            stop()
    elif _worker:
        listen()
    elif _stale and not (bpy.context.window_manager.tendril.running or process.busy()):  # they compile what they need
        _stale = False
        if not (kinds := wanted(bpy.context.scene)) <= _done:
            start(kinds)
    return INTERVAL


@persistent
def changed(*_what):
    global _stale
    _stale = True


def register():
    if not bpy.app.background:
        bpy.app.timers.register(look, first_interval=FIRST, persistent=True)


def unregister():
    if bpy.app.timers.is_registered(look):
        bpy.app.timers.unregister(look)
    stop()
