"""What a user can do, one topic per file: check, call, report."""

import bpy
from bpy.app.handlers import persistent

from ..bake import process
from ..bridge import mesh_cache
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


@persistent
def saved(*_what):
    mesh_cache.saved()


def register():
    for module in MODULES:
        for cls in module.classes:
            bpy.utils.register_class(cls)
    run_state.clear(bpy.context.window_manager.tendril)  # as a bake left it that was running when this was disabled
    bpy.app.handlers.load_post.append(run_state.forget)
    bpy.app.handlers.load_post.append(opened)
    bpy.app.handlers.save_post.append(saved)
    watch.register()
    previewing.register()
    auto_update.register()
    settle_live.register()
    compile_ahead.register()
    awaited.register()
    command_line.register()


def unregister():
    command_line.unregister()
    awaited.unregister()
    compile_ahead.unregister()
    process.dismiss()
    settle_live.unregister()
    auto_update.unregister()
    previewing.unregister()
    watch.unregister()
    bpy.app.handlers.save_post.remove(saved)
    bpy.app.handlers.load_post.remove(opened)
    bpy.app.handlers.load_post.remove(run_state.forget)
    for module in reversed(MODULES):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)
