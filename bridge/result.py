"""The object that shows the bake of a rod: made, replaced, turned into keyframes, and taken away again.

It has one Bézier control point for each vertex, the look of its source, no parent and a constant rotation; all its
motion is in its shape keys.
"""

import bpy
import numpy as np
from mathutils import Matrix

from ..physics.validate import SceneError
from . import animation, body_result, riders, rings, stand_in
from .bezier import close, control_points
from .check_curve import DEFORMING
from .stand_in import result_of
from .stripe import vertex_stripe
from .tilt import calm_axes, tilts
from .units import Units

RESOLUTION = 4  # pieces between two vertices; the tilt is true to the stripe at this one


def show(context, meta, cache):
    """Make the frames of a cache native animation: a result object for each source in `meta`, replacing its last.

    Works for the frames there are. Returns the results, of rods before bodies; a source deleted meanwhile gets one too,
    with a plain look.
    """
    frames = [cache.read(index) for index in sorted(cache.frames)]
    x, m1, bodies = (np.stack(arrays) for arrays in zip(*frames, strict=True))
    units, results, vertex, edge = Units(**meta["units"]), [], 0, 0
    for entry in meta["sources"]:
        splines = []
        for spline in entry["splines"]:
            vertices = len(spline["twist"])
            edges = vertices if spline["closed"] else vertices - 1
            own = units.blender_units(x[:, vertex : vertex + vertices])
            splines.append((own, m1[:, edge : edge + edges], spline))
            vertex, edge = vertex + vertices, edge + edges
        source = find_source(meta, entry)
        results.append(_show_one(context, source, entry, units, splines))
        if source and source.tendril.is_tree:
            riders.show(context, source, units.first_frame, [(own, axes) for own, axes, _ in splines])
    return results + body_result.show(context, meta, units, bodies)


def find_source(meta, entry):
    """The curve a bake was made of, or None if it is gone or not a rod any more."""
    found = stand_in.find(meta, entry)
    return found if found and found.type == "CURVE" and found.tendril.is_rod else None


def revert(source):
    """Delete the result of a rod, with its data, and show the rod again as it was."""
    riders.revert(source)
    if item := stand_in.show_again(source):
        animation.clear(item)
        data = item.data
        bpy.data.objects.remove(item)
        _discard(data)


def bake_to_keyframes(source):
    """Turn the shape keys of a rod's result into F-curves on its control points. Raises SceneError: there are none."""
    item = result_of(source)
    if item is None or not item.data.shape_keys:
        text = f"'{source.name}' has no baked shape keys to make keyframes of: bake it first."
        raise SceneError(source.name, text)
    first_frame, motion = animation.read_shape_keys(item)
    animation.clear(item)
    animation.write_fcurves(item, first_frame, motion)


def _show_one(context, source, entry, units, splines):
    """splines: for each (x (F, n, 3) in world Blender units, m1 (F, m, 3), its entry) → the result object."""
    controls = [control_points(x, spline["closed"]) for x, _, spline in splines]
    axes = calm_axes(np.concatenate([right[:, 0] - co[:, 0] for co, _, right in controls]))
    origin, poses = np.array(entry["origin"]), []
    for (co, left, right), (x, m1, spline) in zip(controls, splines, strict=True):
        twist = np.array(spline["twist"])
        stripe = vertex_stripe(x, m1, twist, spline["closed"])
        if spline["closed"]:
            stripe, twist = close(stripe, axis=1), close(twist)
        else:
            twist[[0, -1]] = twist[[1, -2]]  # where the stripe goes on turning too
        poses.append((*((place - origin) @ axes for place in (co, left, right)), stripe @ axes, twist))
    item = _item(context, source, entry)
    item.matrix_world = Matrix.Translation(origin) @ Matrix(axes.tolist()).to_4x4()
    for (co, *_), (_, _, spline) in zip(poses, splines, strict=True):
        _add_spline(item.data, co.shape[1], spline)
    tilt = tilts(item.data, poses)
    motion = [np.dstack([co, left, right, turn]) for (co, left, right, _, _), turn in zip(poses, tilt, strict=True)]
    for spline, own in zip(item.data.splines, motion, strict=True):
        animation.pose(spline, own[0])
    if len(motion[0]) > 1:
        animation.write_shape_keys(item, units.first_frame, np.concatenate(motion, axis=1).astype(np.float32))
    return item


def _item(context, source, entry):
    """The result object, with a curve that looks like the source's and has no splines yet."""
    item = result_of(source) if source else None
    for edited in filter(None, (source, item)):
        stand_in.leave_edit_mode(context, edited)
    if item:
        animation.clear(item)
        old, item.data = item.data, _curve(source, entry)
        _discard(old)
    elif source:
        item = stand_in.make(source)
        item.data = _curve(source, entry)
        _make_plain(item)
        item.hide_viewport = item.hide_render = False
    else:
        item = bpy.data.objects.new(f"{entry['name']} Baked", _curve(None, entry))
    rings.clear_shape_keys(item)
    item.data.splines.clear()
    item.data.name = item.name
    if source:
        stand_in.hide(source)
    if not item.users_scene:
        context.scene.collection.objects.link(item)
    return item


def _make_plain(item):
    """Leave of a copied object only its look: what moves or bends it is in the bake."""
    stand_in.make_still(item)
    for modifier in list(item.modifiers):
        if modifier.type in DEFORMING:
            item.modifiers.remove(modifier)


def _curve(source, entry):
    """A curve with the bevel and materials of the source, set up to show a bake."""
    if source:
        curve = source.data.copy()
        curve.animation_data_clear()
    else:
        curve = bpy.data.curves.new(entry["name"], "CURVE")
        curve.bevel_depth = entry["bevel_depth"]
    if curve.dimensions == "2D":
        curve.dimensions, curve.fill_mode = "3D", "FULL"
    curve.twist_mode, curve.twist_smooth = "MINIMUM", 0.0
    curve.resolution_u, curve.render_resolution_u = RESOLUTION, 0
    if all(spline["closed"] for spline in entry["splines"]):
        curve.use_fill_caps = False  # they would lie inside, where the ends meet
    return curve


def _add_spline(curve, count, entry):
    spline = curve.splines.new("BEZIER")
    spline.bezier_points.add(count - 1)
    spline.resolution_u, spline.tilt_interpolation = RESOLUTION, "LINEAR"
    spline.material_index, spline.use_smooth = entry["material_index"], entry["use_smooth"]
    rings.free_handles(spline)
    radius = np.array(entry["point_radius"])
    rings.write(spline.bezier_points, "radius", close(radius) if entry["closed"] else radius)


def _discard(data):
    if data.users == 0:
        bpy.data.curves.remove(data)
