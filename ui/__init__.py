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


def register():
    for module in MODULES:
        for cls in module.classes:
            bpy.utils.register_class(cls)
    bpy.types.PHYSICS_PT_add.append(rod.draw_physics_button)
    bpy.types.PHYSICS_PT_add.append(rigid_body.draw_physics_button)
    bpy.types.PHYSICS_PT_add.append(soft_body.draw_physics_button)
    bpy.types.PHYSICS_PT_add.append(colliders.draw_physics_button)
    bpy.types.VIEW3D_MT_curve_add.append(knot.draw_add)
    bpy.types.TOPBAR_MT_file_import.append(soft_body.draw_import)
    bpy.types.TOPBAR_MT_file_import.append(tube.draw_import)
    bpy.types.TOPBAR_MT_file_export.append(tube.draw_export)
    bpy.types.VIEW3D_MT_object_convert.append(tube.draw_convert)
    bpy.types.VIEW3D_MT_object_apply.append(instances.draw_apply)
    floor.register()


def unregister():
    floor.unregister()
    bpy.types.VIEW3D_MT_object_apply.remove(instances.draw_apply)
    bpy.types.VIEW3D_MT_object_convert.remove(tube.draw_convert)
    bpy.types.TOPBAR_MT_file_export.remove(tube.draw_export)
    bpy.types.TOPBAR_MT_file_import.remove(tube.draw_import)
    bpy.types.TOPBAR_MT_file_import.remove(soft_body.draw_import)
    bpy.types.VIEW3D_MT_curve_add.remove(knot.draw_add)
    bpy.types.PHYSICS_PT_add.remove(colliders.draw_physics_button)
    bpy.types.PHYSICS_PT_add.remove(soft_body.draw_physics_button)
    bpy.types.PHYSICS_PT_add.remove(rigid_body.draw_physics_button)
    bpy.types.PHYSICS_PT_add.remove(rod.draw_physics_button)
    for module in reversed(MODULES):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)
