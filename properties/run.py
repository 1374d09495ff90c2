"""The running bake, on the window manager: not saved in files and not touched by undo."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty


class TendrilWarning(bpy.types.PropertyGroup):
    """Something the solver noticed; `name` is the object."""

    frame: IntProperty()
    text: StringProperty()


class TendrilRun(bpy.types.PropertyGroup):
    """State of the bake and what it last said. `estimate` and `seconds_left` are in seconds; 0 is unknown."""

    running: BoolProperty()
    cancelling: BoolProperty()
    progress: FloatProperty(min=0.0, max=1.0)
    message: StringProperty()
    seconds_left: FloatProperty()
    warnings: CollectionProperty(type=TendrilWarning)
    estimate: FloatProperty()


classes = (TendrilWarning, TendrilRun)
