"""What a user can do, one topic per file: check, call, report."""

import bpy

from . import bake, command_line, estimate, pins, preset, result, rod

MODULES = (rod, pins, preset, estimate, bake, result)


def register():
    for module in MODULES:
        for cls in module.classes:
            bpy.utils.register_class(cls)
    command_line.register()


def unregister():
    command_line.unregister()
    for module in reversed(MODULES):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)
