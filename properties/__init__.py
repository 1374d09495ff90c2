"""What an artist can set, as Blender properties on objects, scenes, view layers and the window manager."""


def register():
    """Register the property groups and hang them on Object, Scene, ViewLayer and WindowManager as `.tendril`."""
    import bpy

    from . import body, layer, run, scene

    for module in (body, scene, layer, run):
        for cls in module.classes:
            _let_overrides_change(cls)
            bpy.utils.register_class(cls)
    bpy.types.Object.tendril = bpy.props.PointerProperty(type=body.TendrilObject, override={"LIBRARY_OVERRIDABLE"})
    bpy.types.ID.tendril_bakes = bpy.props.IntProperty(
        description="How many bakes made anew what this points to, so that undo sees it", options={"HIDDEN"},
        override={"LIBRARY_OVERRIDABLE"},
    )  # fmt: skip
    bpy.types.Scene.tendril = bpy.props.PointerProperty(type=scene.TendrilScene)
    bpy.types.ViewLayer.tendril = bpy.props.PointerProperty(type=layer.TendrilViewLayer)
    bpy.types.WindowManager.tendril = bpy.props.PointerProperty(type=run.TendrilRun)


def unregister():
    """Undo `register`, in reverse."""
    import bpy

    from . import body, layer, run, scene

    del bpy.types.WindowManager.tendril
    del bpy.types.ViewLayer.tendril
    del bpy.types.Scene.tendril
    del bpy.types.ID.tendril_bakes
    del bpy.types.Object.tendril
    for module in (run, layer, scene, body):
        for cls in reversed(module.classes):
            bpy.utils.unregister_class(cls)


def _let_overrides_change(cls):
    """A library override keeps what is set on it, and which object shows its bake, when the file is saved."""
    for prop in cls.__annotations__.values():
        many = {"USE_INSERTION"} if prop.function.__name__ == "CollectionProperty" else set()
        prop.keywords.setdefault("override", {"LIBRARY_OVERRIDABLE"} | many)
