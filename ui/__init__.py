"""What a user sees: the same sections in the side panel (N, tab Tendril) and in the Physics tab of rods and bodies."""

import bpy

from . import (
    active,
    bake,
    cable,
    colliders,
    fields,
    floor,
    harness,
    instances,
    knot,
    loads,
    pins,
    preferences,
    presets,
    rigid_body,
    rod,
    soft_body,
    tree,
    tube,
    world,
)

MODULES = (
    preferences, presets, active, rod, pins, cable, harness, tree, rigid_body, soft_body, loads, world, colliders,
    fields, bake,
)  # fmt: skip


ENTRIES = (  # in menus and panels of Blender's own
    ("PHYSICS_PT_add", rod.draw_physics_button),
    ("PHYSICS_PT_add", rigid_body.draw_physics_button),
    ("PHYSICS_PT_add", soft_body.draw_physics_button),
    ("PHYSICS_PT_add", colliders.draw_physics_button),
    ("VIEW3D_MT_curve_add", knot.draw_add),
    ("TOPBAR_MT_file_import", soft_body.draw_import),
    ("TOPBAR_MT_file_import", tube.draw_import),
    ("TOPBAR_MT_file_export", tube.draw_export),
    ("VIEW3D_MT_object_convert", tube.draw_convert),
    ("VIEW3D_MT_object_apply", instances.draw_apply),
)


def register():
    for module in MODULES:
        for cls in module.classes:
            bpy.utils.register_class(cls)
    for name, draw in ENTRIES:
        getattr(bpy.types, name).append(draw)
    floor.register()


def unregister():
    floor.unregister()
    for name, draw in ENTRIES:
        getattr(bpy.types, name).remove(draw)
    for module in reversed(MODULES):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)
