"""The object that shows a bake in place of one of the artist's, which is hidden meanwhile and else left as it is.

`source.tendril.result` and `result.tendril.source` name each other; a duplicate of either is named by nobody.
"""

import os

import bpy

from . import animation, visibility


def find(meta, entry):
    """The object of an entry of `meta`, renamed or not, or None if it is gone. Another session knows it by name."""
    if meta["process"] != os.getpid():
        return bpy.data.objects.get((entry["name"], None))
    return next((item for item in bpy.data.objects if item.session_uid == entry["session_uid"]), None)


def result_of(source):
    """The object that shows the bake of another, or None. A duplicate of either has none."""
    item = source.tendril.result
    return item if item and item.tendril.source == source else None


def make(source):
    """A copy that stands in for `source`, with all that moves it, in the same collections; `source` hides."""
    item = source.copy()
    item.property_unset("tendril")
    item.name = f"{source.name} Baked"
    item.tendril.source, source.tendril.result = source, item
    item.tendril.source_hide_viewport, item.tendril.source_hide_render = source.hide_viewport, source.hide_render
    for collection in source.users_collection:
        collection.objects.link(item)
    source.hide_viewport = source.hide_render = True
    return item


def leave_edit_mode(context, item):
    """Blender gives no other data to an object in edit mode, and hides none."""
    if item.mode == "EDIT":
        with context.temp_override(object=item, active_object=item):
            bpy.ops.object.mode_set(mode="OBJECT")


def hide(source):
    if item := result_of(source):
        visibility.hand_over(source, item)
    source.hide_viewport = source.hide_render = True


def make_still(item):
    """Take everything from a copy that moves it as a whole."""
    item.animation_data_clear()
    item.parent = None
    item.constraints.clear()
    item.delta_location, item.delta_rotation_euler, item.delta_scale = (0, 0, 0), (0, 0, 0), (1, 1, 1)
    item.delta_rotation_quaternion = (1, 0, 0, 0)


def show_again(source):
    """Show `source` as it was before → the object that stood in for it, to be deleted, or None."""
    item = result_of(source)
    source.tendril.result = None
    if item:
        visibility.give_back(source, item)
        source.hide_viewport = item.tendril.source_hide_viewport
        source.hide_render = item.tendril.source_hide_render
        animation.discard(item)
    return item
