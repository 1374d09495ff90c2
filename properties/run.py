"""The running bake, on the window manager: not saved in files and not touched by undo."""

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty


class TendrilWarning(bpy.types.PropertyGroup):
    """Something the solver noticed: `name` is the object, `frame` the scene's."""

    frame: IntProperty()
    text: StringProperty()


class TendrilRun(bpy.types.PropertyGroup):
    """State of the bake and what it last said."""

    running: BoolProperty()
    cancelling: BoolProperty(description="The artist wants the bake to end after the current frame")
    failed: BoolProperty(description="The message tells of an error")
    progress: FloatProperty(min=0.0, max=1.0)
    first_frame: IntProperty(description="Of the bake, as the scene counts")
    frames: IntProperty(description="How many the bake is to have; 0: it is not known")
    there: IntProperty(description="How many of them are there, from `there_from` on")
    there_from: IntProperty(description="The first that is there, counted from 0")
    before: IntProperty(description="How many are there from the first on, before that one")
    message: StringProperty()
    shown: StringProperty(description="The message, where it tells of frames that are animation")
    contact: StringProperty(description="How much touched in the last bake")
    took: StringProperty(description="How long the last bake took")
    warnings: CollectionProperty(type=TendrilWarning)
    estimate: StringProperty(description="How long a bake takes, and why; empty: not asked since a setting changed")
    cache_size: FloatProperty(description="Of the scene's cache when it was last measured [MB]")
    cache_unread: StringProperty(description="Why it is not known what that cache holds; empty: it is")
    cache_place: StringProperty(description="Where that cache is")
    cache_chosen: StringProperty(description="Cache of the scene's settings, when that was measured")
    hint: StringProperty(description="What an artist may not know of the active object; empty: nothing")
    whole: StringProperty(description="Why there is nothing to resume; empty: there may be")
    ahead: StringProperty(description="What is compiled in the background; empty: nothing")
    auto_update: BoolProperty(description="Whether what is changed is baked for the viewport at once")
    auto_message: StringProperty(description="What that says; empty: nothing yet")
    auto_failed: BoolProperty(description="It tells of an error")
    settle_live: BoolProperty(description="Whether cables are settled at once when what holds them is moved")
    pull_length: BoolProperty(
        name="Pull Length",
        description=(
            "While Settle Live is on: what is moved pulls length out of its cables, or lets it back in, as far as it "
            "goes away from where they are held else. They keep what they have then"
        ),
    )
    live_message: StringProperty(description="What that says; empty: nothing is in the way")
    live_failed: BoolProperty(description="It tells of an error")
    scene: IntProperty(description="The session_uid of the scene that all this is about")
    changed: StringProperty(description="What was changed since the bake, in a sentence")


def duration(seconds):
    """4.2 → '4 s', 250 → '4 min 10 s'."""
    return bpy.utils.units.to_string("METRIC", "TIME", max(1, round(seconds)), precision=2, split_unit=True)


classes = (TendrilWarning, TendrilRun)
