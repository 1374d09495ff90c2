"""Keys of an object's visibility, which go over to the result that a bake shows in its place: the object itself stays
hidden, whatever they say, until it is shown again."""

import numpy as np

from . import animation

PATHS = ("hide_viewport", "hide_render")


def hand_over(source, item):
    """Mute the visibility keys of `source` and give the same to `item`, its result."""
    if item.animation_data and source.animation_data and item.animation_data.action == source.animation_data.action:
        _own_action(item)
    mine = {curve.data_path for curve in _keys(item)}
    for curve in _keys(source):
        if item.tendril.source_muted or not curve.mute:
            if curve.data_path not in mine:
                _copy(curve, animation.channels(item))
            curve.mute = True
            item.tendril.source_muted = True


def give_back(source, item):
    """Let the visibility keys of `source` act again."""
    for curve in _keys(source) if item.tendril.source_muted else ():
        curve.mute = False


def _keys(item):
    owner = item.animation_data
    if owner and owner.action and owner.action_slot:
        for layer in owner.action.layers:
            for strip in layer.strips:
                if bag := strip.channelbag(owner.action_slot):
                    yield from (curve for curve in bag.fcurves if curve.data_path in PATHS)


def _copy(curve, channels):
    points = channels.new(curve.data_path).keyframe_points
    points.add(len(curve.keyframe_points))
    for name, count, kind in (("co", 2, np.float32), ("interpolation", 1, np.int32)):
        values = np.empty(len(points) * count, dtype=kind)
        curve.keyframe_points.foreach_get(name, values)
        points.foreach_set(name, values)


def _own_action(item):
    """Give an object that shares its action with another a copy of it."""
    owner = item.animation_data
    name = owner.action_slot.identifier if owner.action_slot else ""
    owner.action = owner.action.copy()
    owner.action_slot = next((slot for slot in owner.action.slots if slot.identifier == name), None)
