"""Tendril: an animator turns a curve into an elastic rod, presses Bake, and gets keyframes."""


def _rooms():
    """The rooms that put something into Blender, in the order they need each other."""
    from . import operators, properties, ui  # here, so that what lies below imports without bpy

    return properties, operators, ui


def __getattr__(name):
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import tomllib
    from pathlib import Path

    return tomllib.loads(Path(__file__).with_name("blender_manifest.toml").read_text(encoding="utf-8"))["version"]


def register():
    for room in _rooms():
        room.register()


def unregister():
    for room in reversed(_rooms()):
        room.unregister()
