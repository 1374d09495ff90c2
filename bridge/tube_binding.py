"""A mesh that follows a cable, with its UVs and materials: each of its vertices has a spline of the cable's curve, a
fraction of its length, and an offset in the curve's own frame there, as attributes. A Geometry Nodes modifier puts them
there, so it follows whatever draws the curve anew, also where this add-on is not.

Object Info gives the curve of an object that has no bevel, and only the surface of one that has: so the cable of a
bound mesh has none, and its thickness by Set Radius and the radius of its points. The modifier's input names what is
followed: a cable or its bake. So a mesh that is duplicated with its cable follows the duplicate, as Blender has it with
all that an object names.

Frames are taken in the cable's own space, and then brought to that of the mesh: Blender seeds them from the z axis of
the space they are asked for in (`tilt`), and it is the cable's own for which it has its tilt.
"""

import bpy
import numpy as np

from ..meshing.tubes.binding import offsets
from ..physics.validate import SceneError
from ..properties.following import CABLE, OURS, followed, input_of, is_ours, modifier_of
from . import rings

SPLINE, FRACTION, OFFSET, BOUND = "cable_spline", "cable_fraction", "cable_offset", "cable_bound"
KINDS = {
    SPLINE: ("INT", "value", np.int32), FRACTION: ("FLOAT", "value", np.float32),
    OFFSET: ("FLOAT_VECTOR", "vector", np.float32), BOUND: ("BOOLEAN", "value", bool),
}  # fmt: skip
FOLLOW = "Follow Cable"  # the modifier and its nodes
BEFORE, SHOWN = "tendril_cable", "Followed Cable"  # of nodes that each mesh had of its own: the property that is its
# cable, and the node that names what shows that
ROUNDS = 3  # by which offsets make good what single precision loses
FLAT = 1e-3  # of a cube of its axes: a frame that holds no more is none


def bind(context, mesh_object, cable, branch, fraction):
    """Let the vertices of a mesh whose branch (v,) is not −1 follow that spline of a cable's curve, each at a fraction
    (v,) of its length, from where they are. Raises SceneError: the curve has no frames there.
    """
    before, name = mesh_object.data, mesh_object.data.name
    mesh_object.data = before.copy()
    bound, count = branch >= 0, len(branch)
    _write(mesh_object.data, SPLINE, np.maximum(branch, 0))
    _write(mesh_object.data, FRACTION, np.clip(fraction, 0.0, 1.0))
    _write(mesh_object.data, BOUND, bound)
    modifier = mesh_object.modifiers.new(FOLLOW, "NODES")
    modifier.node_group = group = _nodes()
    others = [each for each in mesh_object.modifiers if each != modifier and each.show_viewport]
    for each in others:
        each.show_viewport = False
    try:
        mesh_object.modifiers.move(len(mesh_object.modifiers) - 1, 0)
        _follow(mesh_object, modifier, cable)
        mesh_object.tendril.carrier = cable
        x = rings.read(mesh_object.data.vertices, "co", 3).astype(np.float64)
        place = _shown(context, mesh_object, np.zeros((count, 3)))
        ways = [_shown(context, mesh_object, np.tile(axis, (count, 1))) - place for axis in np.eye(3)]
        axes = np.stack(ways, axis=2)
        size = np.linalg.norm(axes, axis=1).prod(axis=1)
        if (np.abs(np.linalg.det(axes)) <= FLAT * size)[bound].any():
            raise SceneError(
                cable.name, f"'{cable.name}' cannot carry '{mesh_object.name}': its curve has no frame there."
            )
        axes[~bound] = np.eye(3)
        offset = offsets(x, place, axes)
        for _ in range(ROUNDS):
            offset += offsets(x, _shown(context, mesh_object, offset), axes)
        _shown(context, mesh_object, offset)
    except Exception:
        mesh_object.modifiers.remove(modifier)
        mesh_object.tendril.property_unset("carrier")
        if not group.users:
            bpy.data.node_groups.remove(group)
        bound_mesh, mesh_object.data = mesh_object.data, before
        bpy.data.meshes.remove(bound_mesh)
        raise
    finally:
        for each in others:
            each.show_viewport = True
    if not before.users:
        bpy.data.meshes.remove(before)
        mesh_object.data.name = name


def lead(cable, before, shown):
    """Let the meshes that follow an object follow another one by which their cable is shown: its bake, or itself. Those
    whose object is gone know their cable.
    """
    for item in bpy.data.objects:
        modifier = None if item.library else modifier_of(item)
        named = followed(item)
        if modifier and (named == before if named else item.tendril.carrier == cable):
            _follow(item, modifier, shown)
            item.tendril.carrier = cable


def opened():
    """Let the meshes of a file whose nodes each name a cable themselves follow by those of today."""
    for item in [each for each in bpy.data.objects if not each.library]:
        for modifier in [each for each in item.modifiers if each.type == "NODES" and each.node_group]:
            group = modifier.node_group
            if BEFORE not in group or SHOWN not in group.nodes:
                continue
            item.tendril.carrier = cable = group[BEFORE]
            modifier.node_group = _nodes()
            _follow(item, modifier, group.nodes[SHOWN].inputs["Object"].default_value or cable)
            if not group.users:
                bpy.data.node_groups.remove(group)


def _follow(mesh_object, modifier, item):
    """Name an object to a modifier."""
    if hasattr(modifier, "properties"):  # Blender 5
        getattr(modifier.properties.inputs, input_of(modifier.node_group)).value = item
    else:
        modifier[input_of(modifier.node_group)] = item
        modifier.node_group = modifier.node_group  # by which Blender learns on what the mesh depends now
    mesh_object.update_tag()


def _write(mesh, name, values):
    """An attribute of all vertices."""
    kind, field, dtype = KINDS[name]
    found = mesh.attributes.get(name)
    if found and (found.data_type, found.domain) != (kind, "POINT"):
        mesh.attributes.remove(found)
        found = None
    found = found or mesh.attributes.new(name, kind, "POINT")
    found.data.foreach_set(field, np.ascontiguousarray(values, dtype=dtype).ravel())


def _shown(context, mesh_object, offset):
    """Where the vertices (v, 3) are seen with such offsets."""
    _write(mesh_object.data, OFFSET, offset)
    mesh_object.data.update()
    mesh_object.update_tag()
    context.view_layer.update()
    evaluated = mesh_object.evaluated_get(context.evaluated_depsgraph_get())
    return rings.read(evaluated.data.vertices, "co", 3).astype(np.float64)


def _nodes():
    """p + a n + b (t × n) + c t of each vertex that is bound: at its fraction of its spline, with its offset. One group
    of nodes in a file does it for all meshes.
    """
    if found := next((each for each in bpy.data.node_groups if is_ours(each) and not each.library), None):
        return found
    group = bpy.data.node_groups.new(FOLLOW, "GeometryNodeTree")
    for name, way, kind in (
        ("Geometry", "INPUT", "Geometry"),
        (CABLE, "INPUT", "Object"),
        ("Geometry", "OUTPUT", "Geometry"),
    ):
        group.interface.new_socket(name, in_out=way, socket_type=f"NodeSocket{kind}")
    group.is_modifier, group[OURS] = True, True
    link = group.links.new

    def node(kind, column, row=0):
        made = group.nodes.new(kind)
        made.location = 200 * column, -180 * row
        return made

    def attribute(name, kind, column, row):
        made = node("GeometryNodeInputNamedAttribute", column, row)
        made.data_type = kind
        made.inputs["Name"].default_value = name
        return made.outputs["Attribute"]

    given = node("NodeGroupInput", -1)
    info = node("GeometryNodeObjectInfo", 0)
    link(given.outputs[CABLE], info.inputs["Object"])
    at = node("GeometryNodeSampleCurve", 1)
    at.mode, at.use_all_curves = "FACTOR", False
    link(info.outputs["Geometry"], at.inputs["Curves"])
    link(attribute(FRACTION, "FLOAT", 0, 2), at.inputs["Factor"])
    link(attribute(SPLINE, "INT", 0, 3), at.inputs["Curve Index"])
    parts = node("ShaderNodeSeparateXYZ", 1, 2)
    link(attribute(OFFSET, "FLOAT_VECTOR", 0, 4), parts.inputs[0])
    aside = node("ShaderNodeVectorMath", 2, 2)
    aside.operation = "CROSS_PRODUCT"
    link(at.outputs["Tangent"], aside.inputs[0])
    link(at.outputs["Normal"], aside.inputs[1])
    place = at.outputs["Position"]
    for number, axis in enumerate((at.outputs["Normal"], aside.outputs[0], at.outputs["Tangent"])):
        add = node("ShaderNodeVectorMath", 3 + number)
        add.operation = "MULTIPLY_ADD"
        for socket, value in zip(add.inputs, (axis, parts.outputs[number], place), strict=False):
            link(value, socket)
        place = add.outputs[0]
    here = node("GeometryNodeObjectInfo", 5, -1)
    here.transform_space = "RELATIVE"
    link(given.outputs[CABLE], here.inputs["Object"])
    brought = node("FunctionNodeTransformPoint", 6)
    link(place, brought.inputs["Vector"])
    link(here.outputs["Transform"], brought.inputs["Transform"])
    place = brought.outputs[0]
    there = node("GeometryNodeAttributeDomainSize", 5, 1)
    there.component = "CURVE"
    link(info.outputs["Geometry"], there.inputs["Geometry"])
    moved = node("FunctionNodeBooleanMath", 6, 2)
    link(attribute(BOUND, "BOOLEAN", 5, 2), moved.inputs[0])
    link(there.outputs["Spline Count"], moved.inputs[1])  # none where the cable is gone: the mesh stays as it was
    move = node("GeometryNodeSetPosition", 7)
    link(given.outputs["Geometry"], move.inputs["Geometry"])
    link(moved.outputs[0], move.inputs["Selection"])
    link(place, move.inputs["Position"])
    link(move.outputs[0], node("NodeGroupOutput", 8).inputs[0])
    return group
