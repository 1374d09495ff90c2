"""The object that shows a bake in place of one of the artist's, which is hidden meanwhile and else left as it is.

`source.tendril.result` and `result.tendril.source` name each other; a duplicate of either is named by nobody. A source
is hidden with *Disable in Viewports*, which holds in all view layers and scenes and which Alt H leaves alone.
"""

import os

import bpy

from ..properties.own_motion import DEFORMING
from . import animation, tube_binding, visibility
from .homes import link_beside


def find(meta, entry):
    """The object of an entry of `meta`, renamed or not, or None if it is gone. Another session knows it by name."""
    if meta["process"] != os.getpid():
        return bpy.data.objects.get((entry["name"], None))
    return next((item for item in bpy.data.objects if item.session_uid == entry["session_uid"]), None)


def result_of(source):
    """The object that shows the bake of another, or None. A duplicate of either has none."""
    item = source.tendril.result
    return item if item and item.tendril.source == source else None


def copy(source):
    """A copy of an object that is nothing to Tendril; of a library override, one that is this file's."""
    item = source.copy()
    if item.override_library:
        item = item.make_local(clear_liboverride=True)
    item.property_unset("tendril")
    return item


def make(source):
    """A copy that stands in for `source`, with all that moves it, in the same collections; `source` hides."""
    item = copy(source)
    item.name = f"{source.name} Baked"
    if other := source.tendril.result:  # a duplicate of a source was hidden as that was
        item.hide_viewport, item.hide_render = other.tendril.source_hide_viewport, other.tendril.source_hide_render
    item.tendril.source_hide_viewport, item.tendril.source_hide_render = item.hide_viewport, item.hide_render
    pair(source, item)
    link_beside(item, source)
    source.hide_viewport = source.hide_render = True
    tube_binding.lead(source, source, item)
    return item


def pair(source, item):
    item.tendril.source, source.tendril.result = source, item


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


def is_deleted(item):
    """Whether the artist deleted a result: it is in no scene, and only its source keeps it in the file."""
    return not any(item.name in scene.objects for scene in bpy.data.scenes)


def to_change(context, source, revert):
    """What shows the bake of a source, with both out of edit mode, or None; revert(source) where the artist deleted it,
    which returns None.
    """
    item = result_of(source)
    if item and is_deleted(item):
        item = revert(source)
    for edited in filter(None, (source, item)):
        leave_edit_mode(context, edited)
    return item


def with_children(source):
    """`source` and what is parented to it, as far as bakes show them and the artist had not hidden it."""
    shown = [item for item in source.children_recursive if result_of(item)]
    return [source, *(item for item in shown if not result_of(item).tendril.source_hide_viewport)]


def show_source(source):
    """Show `source` in viewports in place of its result, to be edited; renders go on showing the result."""
    source.hide_viewport, result_of(source).hide_viewport = False, True


def show_result(source):
    """Hide `source`; if it was shown to be edited, its result takes its place again."""
    if not source.hide_viewport:
        result_of(source).hide_viewport = False
    hide(source)


def make_plain(item):
    """Leave of a copied object only its look: what moves or bends it is in the bake."""
    make_still(item)
    for modifier in list(item.modifiers):
        if modifier.type in DEFORMING:
            item.modifiers.remove(modifier)


def remove(item):
    """Delete an object, and its data if nothing else has it."""
    data = item.data
    if source := item.tendril.source:
        tube_binding.lead(source, item, source)
    bpy.data.objects.remove(item)
    discard(data)


def discard(data):
    if data and data.users == 0:
        bpy.data.batch_remove([data])


def show_again(source):
    """Show `source` as it was before, and duplicates of it too → what stood in for it, to be deleted, or None."""
    item = result_of(source)
    if item is None:
        source.tendril.result = None
        tube_binding.lead(source, source, source)
        return None
    visibility.give_back(source, item)
    for one in [one for one in bpy.data.objects if one.tendril.result == item]:
        one.hide_viewport, one.hide_render = item.tendril.source_hide_viewport, item.tendril.source_hide_render
        one.tendril.result = None
    animation.discard(item)
    return item
