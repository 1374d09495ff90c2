"""The motion of a result as Blender's own animation, which needs no add-on to play or render.

A thing in one piece has F-curves of location and rotation. Control points have absolute shape keys, one a frame, on a
single F-curve: small and fast; or a file, which has no tilts; or F-curves on each, which an animator can edit. A motion
is (F, P, 10) float32: co, left handle, right handle, tilt of P points at F frames; their keys (F,) are `Units.keys`.
"""

import bpy
import numpy as np

from . import mesh_cache, rings

CHANNELS = {"co": (0, 3), "handle_left": (3, 3), "handle_right": (6, 3), "tilt": (9, 1)}
IN_FILE = np.r_[3:6, 0:3, 6:9]  # the columns of a motion, as a Mesh Cache modifier counts the points of a spline
POSE = "location", "rotation_"
CONSTANT, LINEAR = 0, 1  # in the enumeration of a keyframe's interpolation


def pose(spline, points):
    """Put the control points of a Bézier spline with free handles where one frame of a motion, (k, 10), has them."""
    for name, (at, width) in CHANNELS.items():
        rings.write(spline.bezier_points, name, points[:, at : at + width])


def move_vertices(item, units, places, path=None):
    """Move the V vertices of a mesh to places, F of (V, 3), in its own space: by shape keys, or by a file at `path`."""
    if path:
        rings.write(item.data.attributes["position"].data, "vector", places[0])
        mesh_cache.play(item, units, path, places)
    else:
        _key_vertices(item, units.keys(len(places)), places)


def move_control_points(item, units, motion, path=None):
    """Let an object of Bézier splines go through a motion: by shape keys, or by a file at `path`, without tilts."""
    if path:
        mesh_cache.play(item, units, path, motion[..., IN_FILE].reshape(len(motion), -1, 3))
    else:
        write_shape_keys(item, units.keys(len(motion)), motion)


def take_into_file(items):
    """Let shape keys play what files play, of objects whose motion is in one. Raises BakeError, and changes nothing."""
    found = [(item, read_motion(item) if item.type == "CURVE" else mesh_cache.read(item)) for item in items]
    for item, (keys, motion) in found:
        mesh_cache.clear(item)
        (write_shape_keys if item.type == "CURVE" else _key_vertices)(item, keys, motion)


def add_vertex_keys(item, keys, places):
    """A shape key more of a mesh for each of its places (V, 3); the first of all is its own shape."""
    for key, place in zip(keys, places, strict=True):
        if not item.data.shape_keys:
            rings.write(item.data.attributes["position"].data, "vector", place)
        co = np.ascontiguousarray(place, dtype=np.float32)
        add_shape_key(item, key).points.foreach_set("co", co.ravel())


def _key_vertices(item, keys, places):
    add_vertex_keys(item, keys, places)
    play_shape_keys(item, keys)


def write_shape_keys(item, keys, motion):
    """Give an object of Bézier splines a shape key for each frame of a motion, and the F-curve that plays them."""
    add_shape_keys(item, keys, motion)
    play_shape_keys(item, keys)


def add_shape_keys(item, keys, motion):
    """A shape key more for each frame of a motion."""
    columns = {name: np.ascontiguousarray(motion[..., at : at + width]) for name, (at, width) in CHANNELS.items()}
    for frame, key in enumerate(keys):
        block = add_shape_key(item, key)
        for name, values in columns.items():
            block.data.foreach_set(name, values[frame].ravel())  # key_block.points is empty on curves


def add_shape_key(item, key):
    """One more shape key of an object, for the frame at which the keyframe `key` stands."""
    block = item.shape_key_add(name=f"Frame {key:g}", from_mix=False)
    block.interpolation = "KEY_LINEAR"
    return block


def play_shape_keys(item, keys):
    """Play all shape keys of an object, each where its keyframe stands; also anew, when there are more. From one to the
    next in time it goes by what lies between them in the order of shape keys, so it jumps where that is another one.
    """
    key, order = item.data.shape_keys, np.argsort(keys)
    key.use_relative = False
    key.name = item.name
    times = [block.frame for block in key.key_blocks]  # they are not quite evenly spaced
    jumps = np.append(np.diff(order) != 1, False)
    write_curves(key, [("eval_time", 0, np.array(times)[order])], np.asarray(keys)[order], jumps)


def read_motion(item):
    """The inverse of `move_control_points`: (keys, motion). Raises BakeError: the file that has it cannot be read."""
    if mesh_cache.modifier_of(item):
        keys, places = mesh_cache.read(item)
        motion = np.empty((len(keys), places.shape[1] // 3, 10), dtype=np.float32)
        motion[..., IN_FILE] = places.reshape(len(keys), -1, 9)
        motion[..., 9] = np.concatenate([rings.read(each.bezier_points, "tilt") for each in item.data.splines])
        return keys, motion
    key = item.data.shape_keys
    motion = np.empty((len(key.key_blocks), len(key.key_blocks[0].data), 10), dtype=np.float32)
    for frame, block in enumerate(key.key_blocks):
        for name, (at, width) in CHANNELS.items():
            motion[frame, :, at : at + width] = rings.read(block.data, name, width).reshape(-1, width)
    return rings.read(_curves(key)[0].keyframe_points, "co", 2)[:, 0], motion


def write_fcurves(item, keys, motion):
    """Key co, handles and tilt of every control point of an object of Bézier splines at every frame of a motion."""
    channels, point = [], 0
    for number, spline in enumerate(item.data.splines):
        for own in range(len(spline.bezier_points)):
            for name, (at, width) in CHANNELS.items():
                path = f"splines[{number}].bezier_points[{own}].{name}"
                channels += [(path, index, motion[:, point, at + index]) for index in range(width)]
            point += 1
    write_curves(item.data, channels, keys)


def write_poses(item, keys, place, turn):
    """Key location (F, 3) and rotation (F, 4), a unit quaternion, of an object at every frame."""
    channels = [("location", axis, place[:, axis]) for axis in range(3)]
    channels += [("rotation_quaternion", axis, turn[:, axis]) for axis in range(4)]
    write_curves(item, channels, keys)


def clear(item):
    """Remove the motion of the points of an object: what plays its file, its shape keys, or the keys of its points."""
    mesh_cache.clear(item)
    if item.data.shape_keys:
        discard(item.data.shape_keys)
    rings.clear_shape_keys(item)
    unkey(item.data, "splines[")


def discard(owner):
    """Remove the animation of a datablock, with its action if nothing else uses it."""
    if owner.animation_data:
        action = owner.animation_data.action
        owner.animation_data_clear()
        if action and action.users == 0:
            bpy.data.actions.remove(action)


def unkey(owner, paths):
    """Remove the F-curves of a datablock whose path begins with one of `paths`; the artist's others stay."""
    animation = owner.animation_data
    fcurves = _curves(owner) if animation and animation.action else None
    if fcurves is None:
        return
    for curve in list(fcurves):
        if curve.data_path.startswith(paths):
            fcurves.remove(curve)
    if not fcurves:
        action, animation.action = animation.action, None
        if action.users == 0:
            bpy.data.actions.remove(action)
        if not (animation.drivers or animation.nla_tracks):
            owner.animation_data_clear()


def _curves(owner):
    """The F-curves of a datablock's action, or None if it has none. The same code from Blender 4.5 on."""
    animation = owner.animation_data
    for layer in animation.action.layers:
        for strip in layer.strips:
            if bag := strip.channelbag(animation.action_slot):
                return bag.fcurves
    return None


def channels(owner):
    """The F-curves of a datablock's action, which is made if there is none."""
    animation = owner.animation_data
    return (_curves(owner) if animation and animation.action else None) or _new_action(owner)


def _new_action(owner):
    """The F-curves, none yet, of a new action of a datablock."""
    action = bpy.data.actions.new(owner.name)
    slot = action.slots.new(id_type=owner.id_type, name=owner.name)
    strip = action.layers.new("Bake").strips.new(type="KEYFRAME")
    owner.animation_data_create().action = action
    owner.animation_data.action_slot = slot
    return strip.channelbag(slot, ensure=True).fcurves


def write_curves(owner, curves, keys, jumps=False):
    """Key (path, index, value at every frame) of a datablock, beside what the artist keyed; what was written of fewer
    frames goes on. jumps (F,): where a value is kept to the next key, and not led there.
    """
    how = np.full(len(keys), LINEAR, dtype=np.int32)
    how[jumps] = CONSTANT
    fcurves = channels(owner)
    for path, index, values in curves:
        points = (fcurves.find(path, index=index) or fcurves.new(path, index=index)).keyframe_points
        points.add(len(values) - len(points))
        points.foreach_set("co", np.column_stack([keys, values]).astype(np.float32).ravel())
        points.foreach_set("interpolation", how)
