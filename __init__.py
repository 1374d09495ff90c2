"""Tendril: an animator turns a curve into an elastic rod, presses Bake, and gets keyframes."""


def _rooms():
    """The rooms that put something into Blender, in the order they need each other."""
    from . import operators, properties, ui  # here, so that what lies below imports without bpy

    return properties, operators, ui


def register():
    for room in _rooms():
        room.register()


def unregister():
    for room in reversed(_rooms()):
        room.unregister()
