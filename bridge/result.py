"""The object that shows the bake of a rod: made, replaced, turned into keyframes, and taken away again.

It has one Bézier control point for each vertex, the look of its source, no parent and a place of its own, that of the
source at the first frame; all its motion is in its shape keys, or in a file.
"""

from types import MappingProxyType

import bpy
import numpy as np
from mathutils import Matrix

from ..bake.cache import sound_frames
from ..bake.errors import BakeError
from ..physics.validate import SceneError
from . import animation, body_result, hair_result, look, mesh_cache, renewed, result_object, riders, rings, soft_result
from .bezier import close, control_points
from .hair import is_hair
from .result_object import result_of
from .stripe import vertex_stripe
from .tilt import DRAWN, settle, tilts
from .units import Units

OF_AXES = {"MIRROR", "ARRAY", "NODES"}  # modifiers


def show(context, meta, cache, warn=lambda _index, _sentence: None):
    """Make the frames of a cache native animation: a result object for each source in `meta`, replacing its last.

    Works for the frames there are, up to the first that is damaged, of which `warn` is told. Returns the results, of
    rods, soft bodies and then rigid ones; a source deleted meanwhile gets one too, with a plain look. Raises BakeError:
    no frame is sound.
    """
    frames, trouble = sound_frames(cache, counts(meta))
    if not frames:
        raise BakeError(trouble or "The cache has no frames to show: bake again.")
    if trouble:
        warn(len(frames), trouble)
    x, m1, bodies = (np.stack(arrays) for arrays in zip(*frames, strict=True))
    units, results = Units(**meta["units"]), []
    try:
        for entry, splines in by_source(meta, units, x, m1):
            source = find_source(meta, entry)
            if entry.get("hair"):
                results.append(hair_result.show(context, source, entry, units, splines, bodies, cache))
                continue
            results.append(_show_one(context, source, entry, units, splines, cache))
            if source and source.tendril.is_tree:
                riders.show(context, source, units, [(own, axes) for own, axes, _ in splines], cache)
        results += soft_result.show(context, meta, cache, units, x[:, vertices_of_rods(meta) :])
        return results + body_result.show(context, meta, units, bodies)
    finally:  # what fails on the way has made some anew
        renewed.count()


def by_source(meta, units, x, m1):
    """(entry, splines) of each rod object: of each spline its x (F, n, 3) in Blender units, m1 (F, m, 3) and entry."""
    vertex = edge = 0
    for entry in meta["sources"]:
        splines = []
        for spline in entry["splines"]:
            vertices = len(spline["twist"])
            edges = vertices if spline["closed"] else vertices - 1
            own = units.blender_units(x[:, vertex : vertex + vertices])
            splines.append((own, m1[:, edge : edge + edges], spline))
            vertex, edge = vertex + vertices, edge + edges
        yield entry, splines


def vertices_of_rods(meta):
    return sum(len(spline["twist"]) for entry in meta["sources"] for spline in entry["splines"])


def counts(meta):
    """(vertices, edges, bodies at least) that a frame has."""
    splines = [spline for entry in meta["sources"] for spline in entry["splines"]]
    vertices = vertices_of_rods(meta)
    edges = vertices - sum(not spline["closed"] for spline in splines)
    return vertices + sum(entry["nodes"] for entry in meta["soft"]), edges, len(meta["bodies"])


def find_source(meta, entry):
    """The curve a bake was made of, or None if it is gone or not a rod any more."""
    found = result_object.find(meta, entry)
    kind = "CURVES" if entry.get("hair") else "CURVE"
    return found if found and found.type == kind and found.tendril.is_rod else None


def revert(source):
    """Delete the result of a rod, with its data, and show the rod again as it was."""
    if is_hair(source):
        hair_result.revert(source)
        return
    riders.revert(source)
    _remove(source)


def bake_to_keyframes(source):
    """Turn the shape keys of a rod's result, or its file, into F-curves on its control points. Raises SceneError: there
    are none; BakeError: the file cannot be read.
    """
    item = result_of(source)
    if item is None or not (item.data.shape_keys or mesh_cache.modifier_of(item)):
        text = f"'{source.name}' has no baked shape keys to make keyframes of: bake it first."
        raise SceneError(source.name, text)
    keys, motion = animation.read_motion(item)
    animation.clear(item)
    animation.write_fcurves(item, keys, motion)


def in_files(scene):
    """The results in a scene whose motion is in a file."""
    results = (item for item in scene.objects if (source := item.tendril.source) and source.tendril.result == item)
    led = [hair_result.points_of(item) or item for item in results if not item.library]
    return [item for item in led if mesh_cache.modifier_of(item)]


def _show_one(context, source, entry, units, splines, cache):
    """splines: for each (x (F, n, 3) in world Blender units, m1 (F, m, 3), its entry); cache: beside which a file goes.

    Returns the result object.
    """
    controls = [control_points(x, spline["closed"], spline.get("lengths")) for x, _, spline in splines]
    matrix = np.array(entry["matrix"])
    axes, scale, controls = settle(matrix, controls, goes_by_axes(source))
    item = _item(context, source, entry, axes, scale)
    look.place(item, at(matrix, axes, scale))
    motion = motions(item.data, controls, splines, matrix[:3, 3], axes, scale)
    for spline, own in zip(item.data.splines, motion, strict=True):
        animation.pose(spline, own[0])
    if len(motion[0]) > 1:
        path = mesh_cache.new_path(source, cache, entry["name"])
        animation.move_control_points(item, units, np.concatenate(motion, axis=1).astype(np.float32), path)
    return item


def at(matrix, axes, scale):
    """Where an object with these axes and scale is that shows what is drawn at `matrix`."""
    return Matrix.LocRotScale(matrix[:3, 3], Matrix(axes.tolist()), (scale, scale, scale))


def motions(curve, controls, splines, origin, axes, scale, tilted=True):
    """The motion of each spline of a curve that is at `at(…)`, in its space; controls: of each co, left, right in the
    world; splines: as for `_show_one`; tilted: else without tilt.
    """
    moved = [[_within(place - origin, axes) / scale for place in own] for own in controls]
    if not tilted:
        return [np.dstack([*own, np.zeros(own[0].shape[:2])]) for own in moved]
    poses = []
    for own, (x, m1, spline) in zip(moved, splines, strict=True):
        twist = np.array(spline["twist"])
        stripe = vertex_stripe(x, m1, twist, spline["closed"])
        if spline["closed"]:
            stripe, twist = close(stripe, axis=1), close(twist)
        else:
            twist[[0, -1]] = twist[[1, -2]]  # where the stripe goes on turning too
        poses.append((*own, stripe @ axes, twist))
    tilt = tilts(curve, poses)
    return [np.dstack([co, left, right, turn]) for (co, left, right, _, _), turn in zip(poses, tilt, strict=True)]


def _within(places, axes):
    """Places (…, 3) along axes (3, 3), those that are the same the same: matrix products may round rows differently."""
    return sum(places[..., c, None] * axes[c] for c in range(3))


def goes_by_axes(source):
    """Whether a modifier of the source, or one that its result has got, does something along the axes of its object."""
    items = filter(None, (source, source and result_of(source)))
    return any(modifier.type in OF_AXES for item in items for modifier in item.modifiers)


def _item(context, source, entry, axes, scale):
    """The result object, with splines that are still in one place. What the artist made of an earlier one stays."""
    item = result_object.to_change(context, source, _remove) if source else None
    if item:
        animation.clear(item)
        fresh = dress(result_object.copy(source), source, entry, axes, scale)
        kept = look.follow(item, fresh)
        _add_splines(item.data, entry, scale, kept)
        result_object.remove(fresh)
        result_object.show_result(source)
    elif source:
        item = dress(result_object.make(source), source, entry, axes, scale)
        item.hide_viewport = item.hide_render = False
        result_object.hide(source)
        look.remember(item)
        item.data.name = item.name
    else:
        item = bpy.data.objects.new(f"{entry['name']} Baked", _curve(None, entry, axes, scale))
        context.scene.collection.objects.link(item)
        _add_splines(item.data, entry, scale)
    return item


def _remove(source):
    """Delete the result of a rod, with its data; the rod is shown."""
    if item := result_object.show_again(source):
        animation.clear(item)
        animation.discard(item.data)
        result_object.remove(item)


def dress(item, source, entry, axes, scale):
    """Make a copy of `source` a result that no artist has touched: what moves or bends it is in the bake."""
    result_object.make_plain(item)
    item.data = _curve(source, entry, axes, scale)
    rings.clear_shape_keys(item)
    _add_splines(item.data, entry, scale)
    return item


def _curve(source, entry, axes, scale):
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
    curve.resolution_u, curve.render_resolution_u = DRAWN, 0
    if all(spline["closed"] for spline in entry["splines"]):
        curve.use_fill_caps = False  # they would lie inside, where the ends meet
    if source:
        _fix_texture(curve, source.data, np.array(entry["matrix"]), axes, scale)
    return curve


def _fix_texture(curve, drawn, matrix, axes, scale):
    """Let Generated coordinates be those of the drawn curve, if the result has its axes."""
    stretch = axes.T @ matrix[:3, :3] / scale
    if np.allclose(stretch, np.diag(np.diag(stretch)), atol=1e-4 * np.abs(stretch).max()):
        location, size = (np.diag(stretch) * values for values in (drawn.texspace_location, drawn.texspace_size))
        curve.use_auto_texspace = False
        curve.texspace_location, curve.texspace_size = location, np.abs(size)
    else:
        curve.use_auto_texspace = True


def _add_splines(curve, entry, scale, kept=MappingProxyType({})):
    """Give a curve new splines; kept: what of the look of the last ones stays."""
    curve.splines.clear()
    for number, own in enumerate(entry["splines"]):
        radius = np.array(own["point_radius"]) / scale
        radius = close(radius) if own["closed"] else radius
        spline = curve.splines.new("BEZIER")
        spline.bezier_points.add(len(radius) - 1)
        spline.resolution_u, spline.tilt_interpolation = curve.resolution_u, "LINEAR"
        for name in look.SPLINE:
            setattr(spline, name, kept.get(f"data.splines[{number}].{name}", own[name]))
        rings.free_handles(spline)
        rings.write(spline.bezier_points, "radius", radius)
