"""Registering leaves what it should, unregistering leaves nothing."""

import bpy

OWNERS = ("Object", "Scene", "WindowManager", "Curve", "Collection")


def traces():
    """Everything in Blender that is the add-on's."""
    types = {name for name in dir(bpy.types) if name.lower().startswith("tendril")}
    operators = {f"tendril.{name}" for name in dir(bpy.ops.tendril)}
    properties = {
        f"{owner}.{item.identifier}" for owner in OWNERS for item in getattr(bpy.types, owner).bl_rna.properties
        if item.identifier.startswith("tendril")
    }  # fmt: skip
    handlers = {
        f"{name}: {handler}" for name in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, name), list)
        for handler in getattr(bpy.app.handlers, name) if ".tendril" in handler.__module__
    }  # fmt: skip
    menus = {
        f"{name}: {draw}" for name in dir(bpy.types)
        for draw in getattr(getattr(getattr(bpy.types, name), "draw", None), "_draw_funcs", ())
        if ".tendril" in draw.__module__
    }  # fmt: skip
    return types | operators | properties | handlers | menus


def test_unregister_takes_back_all_that_register_did(addon):
    registered = traces()
    assert {"Object.tendril", "Scene.tendril", "WindowManager.tendril"} <= registered
    addon.unregister()
    left = traces()
    addon.register()
    assert left == set()
    assert traces() == registered


def test_the_add_on_survives_a_new_file():
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    assert all(hasattr(item, "tendril") for item in (bpy.context.scene, bpy.context.object, bpy.context.window_manager))
