"""What a user can do, one topic per file: check, call, report."""

import bpy
from bpy.app.handlers import persistent

from ..bake import process
from ..bridge import mesh_cache, tube_binding
from . import (
    array,
    auto_update,
    awaited,
    bake,
    cable,
    cable_length,
    centre_lines,
    colliders,
    command_line,
    compile_ahead,
    copy,
    estimate,
    fields,
    fit,
    gravity,
    harness,
    instances,
    knot,
    loads,
    manual,
    pins,
    preset,
    previewing,
    result,
    rigid_body,
    rod,
    run_state,
    settle_live,
    soft_body,
    soft_preset,
    tetrahedra,
    tree,
    tube,
    watch,
)

MODULES = (
    rod, cable, cable_length, fit, harness, knot, tree, tube, rigid_body, soft_body, tetrahedra, colliders, pins, loads,
    fields, centre_lines, gravity, preset, soft_preset, copy, array, instances, estimate, auto_update, settle_live,
    bake, result, manual,
)  # fmt: skip


@persistent
def opened(*_what):
    mesh_cache.opened()
    tube_binding.opened()


@persistent
def saved(*_what):
    mesh_cache.saved()


HANDLERS = {  # what Blender calls as long as the add-on is enabled; more listens while a button is on
    "load_pre": (auto_update.switch_off, settle_live.switch_off, awaited.forget),
    "load_post": (
        run_state.forget, opened, previewing.clear, auto_update.switch_off, settle_live.switch_off,
        compile_ahead.changed,
    ),
    "save_post": (saved,),
    "depsgraph_update_post": (watch.changed, compile_ahead.changed),
    **dict.fromkeys(("undo_pre", "redo_pre"), (previewing.clear,)),
    **dict.fromkeys(("undo_post", "redo_post"), (watch.changed, previewing.clear, compile_ahead.changed)),
}  # fmt: skip


def register():
    for module in MODULES:
        for cls in module.classes:
            bpy.utils.register_class(cls)
    run_state.clear(bpy.context.window_manager.tendril)  # as a bake left it that was running when this was disabled
    for name, handlers in HANDLERS.items():
        getattr(bpy.app.handlers, name).extend(handlers)
    compile_ahead.register()
    command_line.register()


def unregister():
    command_line.unregister()
    for name, handlers in HANDLERS.items():
        for handler in handlers:
            getattr(bpy.app.handlers, name).remove(handler)
    awaited.forget()
    compile_ahead.unregister()
    process.dismiss()
    settle_live.switch_off()
    auto_update.switch_off()
    previewing.end()
    watch.unregister()
    for module in reversed(MODULES):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)
