"""Short digests of how something is drawn and what moves it, from what Blender stores; nothing is evaluated.

What is keyed or driven has another value in each frame: there the keys count, not the value.
"""

import hashlib

import bmesh
import numpy as np

from ..properties.collider import by_blender, thickness_of
from ..properties.own_motion import may_deform
from ..properties.painted import is_number
from . import rings
from .look import every_setting
from .painted import named
from .renewed import COUNT

PLACE = (
    "location", "rotation_mode", "rotation_euler", "rotation_quaternion", "rotation_axis_angle", "scale",
    "delta_location", "delta_rotation_euler", "delta_rotation_quaternion", "delta_scale",
)  # fmt: skip
DRAWN = ("dimensions", "bevel_depth", "resolution_u", "twist_mode")
SIMPLE = {"BOOLEAN", "INT", "FLOAT", "STRING", "ENUM"}
NUMBERS = {"FLOAT", "INT", "INT8", "BOOLEAN"}  # types of attributes that are read
LATER = {"automatic", "is_automatic", "outer", "cylinder"}  # what bakes of before do not know
OF_THE_PANEL = {COUNT, "name", "active", "is_active", "show_expanded", "show_on_cage", "show_in_editmode"}


def keyed(owner):
    """Data paths of what is keyed or driven on a datablock."""
    return {curve.data_path for curve in _fcurves(owner)}


def settings(struct):
    """(identifier, label, JSON-able value) of the plain settings of anything of Blender's."""
    for prop in struct.bl_rna.properties:
        if prop.type in SIMPLE and not prop.is_readonly and prop.identifier not in OF_THE_PANEL:
            value = getattr(struct, prop.identifier)
            if getattr(prop, "is_array", False):
                value = np.ravel(value).tolist()
            yield prop.identifier, prop.name, sorted(value) if isinstance(value, set) else value


def of_motion(item, known):
    """Of what moves an object as a whole: its place, keys, constraints, and the same of all that it follows.

    known: such digests by session_uid, where this one is kept: many pins may follow one armature.
    """
    number = item.session_uid if item else 0
    if number not in known:
        known[number] = _digest(_motion(item, set()))
    return known[number]


def of_ground(item):
    """Of what deforms the mesh that a pin's target is, '' if it is none; as `of_collider`, without where it is."""
    return _digest(_shape(item, with_keys=False)) if item and item.type == "MESH" and may_deform(item) else ""


def of_field(item, known):
    """Of an object's force field, where it is and goes."""
    return _digest([of_motion(item, known), _plain(item.field, "field.", keyed(item))])


def of_collider(item, known):
    """Of where an object is and goes, how it is drawn and touched; of shape keys the values, not each one's drawing."""
    own = item.tendril.collider
    touch = [own, *(other for other in (item.collision, item.rigid_body) if other)]
    settings = [_plain(one, f"{one.path_from_id()}.", keyed(item), LATER) for one in touch]
    chosen = [] if by_blender(own) or not (own.automatic or item.type == "MESH") else [thickness_of(own)]
    chosen += ["cylinder"] * own.cylinder
    return _digest([of_motion(item, known), settings, *chosen, *_shape(item, with_keys=False)])


def of_instances(instancer, colliders, known):
    """Of where an instancer is and goes, and of the colliders in the collection that it shows."""
    return _digest([of_motion(instancer, known), *(of_collider(item, known) for item in colliders)])


def of_shape(item):
    """Of the control points of a curve or the vertices of a mesh, with shape keys, modifiers and animation."""
    return _digest(_shape(item))


def of_paint(item):
    """Of what is painted on a rod or soft body, as far as it counts: weights of points, attributes, vertex groups."""
    own = item.tendril
    return _digest(_weights(item, own.soft) if own.is_soft else _painted(item, named(own.rod)) if own.is_rod else ())


def _painted(item, names):
    for name in names:
        if item.type == "CURVE":
            yield from (rings.read(rings.points(spline), "weight_softbody") for spline in item.data.splines)
        elif (attribute := item.data.attributes.get(name)) and is_number(attribute):
            yield [name, *(each.value for each in attribute.data)]


def _weights(item, soft):
    varied = ("stiffness", "density", "thickness") if soft.is_sheet else ("stiffness", "density")
    groups = {getattr(soft, f"{name}_group") for name in varied}
    groups |= {one.group for one in (*soft.pins, *item.tendril.loads)}
    numbers = {item.vertex_groups[name].index for name in groups if name in item.vertex_groups}
    if not numbers:
        return
    copy = bmesh.new()  # whose rows of weights are read twice as fast as those of a mesh: 27 for 60 ms of 40 000
    copy.from_mesh(item.data, face_normals=False, vertex_normals=False)
    layer = copy.verts.layers.deform.verify()
    rows = [vertex[layer] for vertex in copy.verts]
    found = [np.array([row.get(number, -1.0) for row in rows], np.float32) for number in sorted(numbers)]
    copy.free()
    yield from found


def _digest(parts):
    digest = hashlib.blake2b(digest_size=8)
    for part in parts:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return digest.hexdigest()


def _plain(struct, path, animated, but=()):
    return [(name, value) for name, _, value in settings(struct) if name not in but and path + name not in animated]


def _motion(item, seen):
    if item is None or item.session_uid in seen:
        return
    seen.add(item.session_uid)
    animated = keyed(item)
    for name in PLACE:
        if name not in animated:
            value = getattr(item, name)
            yield value if isinstance(value, str) else tuple(value)
    yield from _animation(item)
    yield from _constraints(item, "", animated, seen)
    yield from (item.parent_type, item.parent_bone, tuple(map(tuple, item.matrix_parent_inverse)))
    if item.type == "ARMATURE":
        for bone in item.pose.bones:
            path = f'pose.bones["{bone.name}"].'
            yield bone.name
            yield [
                tuple(getattr(bone, name))
                for name in PLACE[:6]
                if name != "rotation_mode" and path + name not in animated
            ]
            yield from _constraints(bone, path, animated, seen)
        yield from (tuple(map(tuple, bone.matrix_local)) for bone in item.data.bones)
    yield from _motion(item.parent, seen)


def _constraints(owner, path, animated, seen):
    for constraint in owner.constraints:
        yield constraint.type
        yield _plain(constraint, f'{path}constraints["{constraint.name}"].', animated)
        yield from _motion(getattr(constraint, "target", None), seen)


def _shape(item, with_keys=True):
    data = item.data
    if data is None:  # of an empty
        return
    yield from _animation(data)
    if item.type == "FONT":
        yield _plain(data, "", keyed(data))
    if item.type in {"CURVE", "SURFACE"}:
        animated = keyed(data)
        yield [getattr(data, name) for name in DRAWN if name not in animated]
        for spline in data.splines:
            yield spline.type, spline.use_cyclic_u, spline.order_u, spline.use_endpoint_u, spline.use_bezier_u
            yield from rings.all_of(spline).values()
    elif item.type == "CURVES":
        yield [curve.points_length for curve in data.curves]
        yield rings.read(data.position_data, "vector", 3)
        for name in ("radius", "cyclic", item.tendril.rod.guides_in):
            if (own := data.attributes.get(name)) and own.data_type in NUMBERS:
                yield [name, *(each.value for each in own.data)]
        yield from _motion(data.surface, set())
        yield of_ground(data.surface)
    elif item.type == "MESH":
        yield len(data.polygons)
        if places := data.attributes.get("position"):
            yield rings.read(places.data, "vector", 3)
    if keys := getattr(data, "shape_keys", None):  # hair has none
        yield from _animation(keys)
        for block in keys.key_blocks:
            yield None if f'key_blocks["{block.name}"].value' in keyed(keys) else block.value
            if with_keys:
                yield rings.read(block.data, "co", 3)
    for modifier in item.modifiers:
        yield modifier.type
        if item.type == "CURVES" and modifier.type == "NODES":
            yield list(every_setting(modifier))
        yield _plain(modifier, f'modifiers["{modifier.name}"].', keyed(item))
        yield from _motion(getattr(modifier, "object", None), set())


def _animation(owner):
    """Of the keys and drivers of a datablock."""
    for curve in _fcurves(owner):
        yield curve.data_path, curve.array_index, curve.mute, curve.extrapolation
        for name, width in (("co", 2), ("handle_left", 2), ("handle_right", 2)):
            yield rings.read(curve.keyframe_points, name, width)
        yield [point.interpolation for point in curve.keyframe_points]
        yield [_plain(modifier, "", ()) for modifier in curve.modifiers]
        if curve.driver:
            yield curve.driver.type, curve.driver.expression
    animation = owner.animation_data
    for track in animation.nla_tracks if animation else ():
        yield track.mute
        yield [_plain(strip, "", ("value", "strip_time")) for strip in track.strips]


def _fcurves(owner):
    """The F-curves that move a datablock: of its action, its drivers and its strips."""
    animation = owner.animation_data
    if not animation:
        return
    yield from animation.drivers
    strips = [strip for track in animation.nla_tracks for strip in track.strips]
    for action, slot in [
        (animation.action, animation.action_slot),
        *((strip.action, strip.action_slot) for strip in strips),
    ]:
        for layer in action.layers if action and slot else ():
            for strip in layer.strips:
                if bag := strip.channelbag(slot):
                    yield from bag.fcurves
