"""What is kept on a view layer, which undo restores as one with what it hides."""

import bpy
from bpy.props import CollectionProperty, PointerProperty


class TendrilWaiting(bpy.types.PropertyGroup):
    """An object that the view layer hides while a preview is shown in its place."""

    item: PointerProperty(type=bpy.types.Object)


class TendrilViewLayer(bpy.types.PropertyGroup):
    """State of the previews in a view layer."""

    waiting: CollectionProperty(type=TendrilWaiting)


classes = (TendrilWaiting, TendrilViewLayer)
