"""The motion of a result as Blender's own animation, which needs no add-on to play or render.

A thing in one piece has F-curves of location and rotation. Control points have absolute shape keys, one a frame, on a
single F-curve: small and fast; or F-curves on each, which an animator can edit. A motion is (F, P, 10) float32: co,
left handle, right handle, tilt of P points at F frames.
"""

import bpy
import numpy as np

from . import rings

CHANNELS = {"co": (0, 3), "handle_left": (3, 3), "handle_right": (6, 3), "tilt": (9, 1)}
LINEAR = 1  # in the enumeration of a keyframe's interpolation


def pose(spline, points):
    """Put the control points of a Bézier spline with free handles where one frame of a motion, (k, 10), has them."""
    for name, (at, width) in CHANNELS.items():
        rings.write(spline.bezier_points, name, points[:, at : at + width])


def write_shape_keys(item, first_frame, motion):
    """Give an object of Bézier splines a shape key for each frame of a motion, and the F-curve that plays them."""
    columns = {name: np.ascontiguousarray(motion[..., at : at + width]) for name, (at, width) in CHANNELS.items()}
    for frame in range(len(motion)):
        block = item.shape_key_add(name=f"Frame {first_frame + frame}", from_mix=False)
        block.interpolation = "KEY_LINEAR"
        for name, values in columns.items():
            block.data.foreach_set(name, values[frame].ravel())  # key_block.points is empty on curves
    play_shape_keys(item, first_frame)


def play_shape_keys(item, first_frame):
    """Play the shape keys of an object one after the other, a frame each."""
    key = item.data.shape_keys
    key.use_relative = False
    key.name = item.name
    times = [block.frame for block in key.key_blocks]  # they are not quite evenly spaced
    write_curves(key, [("eval_time", 0, np.array(times))], first_frame)


def read_shape_keys(item):
    """The inverse of `write_shape_keys`: (first frame, motion)."""
    key = item.data.shape_keys
    motion = np.empty((len(key.key_blocks), len(key.key_blocks[0].data), 10), dtype=np.float32)
    for frame, block in enumerate(key.key_blocks):
        for name, (at, width) in CHANNELS.items():
            motion[frame, :, at : at + width] = rings.read(block.data, name, width).reshape(-1, width)
    return round(_curves(key)[0].keyframe_points[0].co.x), motion


def write_fcurves(item, first_frame, motion):
    """Key co, handles and tilt of every control point of an object of Bézier splines at every frame of a motion."""
    channels, point = [], 0
    for number, spline in enumerate(item.data.splines):
        for own in range(len(spline.bezier_points)):
            for name, (at, width) in CHANNELS.items():
                path = f"splines[{number}].bezier_points[{own}].{name}"
                channels += [(path, index, motion[:, point, at + index]) for index in range(width)]
            point += 1
    write_curves(item.data, channels, first_frame)


def write_poses(item, first_frame, place, turn):
    """Key location (F, 3) and rotation (F, 4), a unit quaternion, of an object at every frame."""
    channels = [("location", axis, place[:, axis]) for axis in range(3)]
    channels += [("rotation_quaternion", axis, turn[:, axis]) for axis in range(4)]
    write_curves(item, channels, first_frame)


def clear(item):
    """Remove the shape keys and the animation of an object's data, with the actions that nothing else uses."""
    for owner in (item.data.shape_keys, item.data):
        if owner:
            discard(owner)
    rings.clear_shape_keys(item)


def discard(owner):
    """Remove the animation of a datablock, with its action if nothing else uses it."""
    if owner.animation_data:
        action = owner.animation_data.action
        owner.animation_data_clear()
        if action and action.users == 0:
            bpy.data.actions.remove(action)


def _curves(owner):
    """The F-curves of a datablock's action."""
    animation = owner.animation_data
    return animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves


def channels(owner):
    """The F-curves of a datablock's action, which is made if there is none."""
    animation = owner.animation_data
    return _curves(owner) if animation and animation.action and animation.action_slot else _new_action(owner)


def _new_action(owner):
    """The F-curves, none yet, of a new action of a datablock."""
    action = bpy.data.actions.new(owner.name)
    slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    strip = action.layers.new("Bake").strips.new(type="KEYFRAME")
    owner.animation_data_create().action = action
    owner.animation_data.action_slot = slot
    return strip.channelbag(slot, ensure=True).fcurves


def write_curves(owner, channels, first_frame):
    """Key (path, index, value at every frame) of a datablock, in a new action. The same code from Blender 4.5 on."""
    fcurves = _new_action(owner)
    for path, index, values in channels:
        points = fcurves.new(path, index=index).keyframe_points
        points.add(len(values))
        frames = np.arange(first_frame, first_frame + len(values))
        points.foreach_set("co", np.column_stack([frames, values]).astype(np.float32).ravel())
        points.foreach_set("interpolation", np.full(len(values), LINEAR, dtype=np.int32))
