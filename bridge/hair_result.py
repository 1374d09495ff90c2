"""The object that shows the bake of hair: Curves as they are drawn at the first frame, whose points a node group leads.

The motion is that of the vertices of a mesh without faces, one for each point, by shape keys or a file as that of any
mesh is. It is in no scene: the node group names its object, and reads a place for each point from it. So it plays,
and renders with motion blur, without Tendril. What draws the source is in the bake; modifiers behind that stay.
"""

from dataclasses import dataclass, replace

import bpy
import numpy as np
from mathutils import Matrix

from . import animation, hair, look, mesh_cache, result_object
from .evaluation import side_scene
from .guided_hair import GuidedHair
from .units import to_object

MODIFIER, OWN = "Tendril Bake", "tendril_points"  # OWN: a custom property of node groups that are made here


def show(context, source, entry, units, splines, bodies, cache):
    """The result object of a hair object, with its motion; splines: of each hair (x (F, n, 3) in the world in Blender
    units, …); bodies (F, K, 7): of Frames; cache: beside which a file goes. Raises BakeError: that cannot be written.
    """
    strands = GuidedHair.of(entry, units) if source else None
    item = _item(context, source, entry, units, splines, strands)
    matrix = Matrix.LocRotScale(*Matrix(np.array(entry["matrix"]).tolist()).decompose())
    look.place(item, matrix)
    places = Places(np.array(matrix), splines)
    if strands and len(item.data.curves) == len(strands.counts):
        places = replace(places, strands=strands, roots=strands.roots(entry, units, 0, bodies))
    lead(item, units, places, mesh_cache.new_path(source, cache, entry["name"]))
    return item


@dataclass(frozen=True)
class Places:
    """Points (P, 3) float32, in the space of an object that is at `matrix`, at each frame of `splines`; strands: the
    GuidedHair of which they are the guides, or None; roots (F, C, 3): of that.
    """

    matrix: np.ndarray
    splines: list
    strands: GuidedHair | None = None
    roots: np.ndarray | None = None

    def __len__(self):
        return len(self.splines[0][0])

    def __getitem__(self, frame):
        if not 0 <= frame < len(self):
            raise IndexError(frame)
        x = np.concatenate([own[frame] for own, *_ in self.splines])
        if self.strands:
            m1 = np.concatenate([axes[frame] for _, axes, _ in self.splines])
            x = self.strands.carry(x, m1, None if self.roots is None else self.roots[frame])
        return to_object(self.matrix, x).astype(np.float32)


def lead(item, units, places, path=None):
    """Let the points of a hair object go through Places, by shape keys or by a file at `path`."""
    item.data.position_data.foreach_set("vector", places[0].ravel())
    item.data.update_tag()
    if len(places) > 1:
        animation.move_vertices(points_for(item, places[0]), units, places, path)


def points_for(item, place):
    """A new object of points, at (P, 3), that leads those of a hair object."""
    mesh = bpy.data.meshes.new(f"{item.name} Points")
    mesh.vertices.add(len(place))
    mesh.attributes["position"].data.foreach_set("vector", place.ravel())
    points = bpy.data.objects.new(mesh.name, mesh)
    modifier = item.modifiers.new(MODIFIER, "NODES")
    modifier.node_group = _node_group(points)
    item.modifiers.move(len(item.modifiers) - 1, 0)
    return points


def points_of(item):
    """The object whose vertices lead the points of a hair object, or None."""
    modifier = modifier_of(item)
    if modifier is None:
        return None
    info = next((node for node in modifier.node_group.nodes if node.bl_idname == "GeometryNodeObjectInfo"), None)
    return info.inputs["Object"].default_value if info else None


def modifier_of(item):
    """The modifier that plays the bake of a hair object, however it is called, or None."""
    nodes = (each for each in item.modifiers if each.type == "NODES" and each.node_group)
    return next((each for each in nodes if OWN in each.node_group), None)


def still(item):
    """Take the motion from a hair object; what leads duplicates of it too stays, and a file does."""
    modifier, points = modifier_of(item), points_of(item)
    if modifier is None:
        return
    group = modifier.node_group
    item.modifiers.remove(modifier)
    if group.users:
        return
    bpy.data.node_groups.remove(group)
    if points is None:
        return
    mesh = points.data
    if mesh.shape_keys:
        animation.discard(mesh.shape_keys)
    bpy.data.objects.remove(points)
    bpy.data.meshes.remove(mesh)


def revert(source):
    """Delete the result of a hair object, with its data, and show that again as it was."""
    if item := result_object.show_again(source):
        still(item)
        result_object.remove(item)


def _node_group(points):
    """Each point's place is that of the vertex of `points` that has its number."""
    group = bpy.data.node_groups.new("Tendril Hair", "GeometryNodeTree")
    group.is_modifier, group[OWN] = True, True
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    begin, info, sample, place, number, put, end = (
        group.nodes.new(name)
        for name in (
            "NodeGroupInput", "GeometryNodeObjectInfo", "GeometryNodeSampleIndex", "GeometryNodeInputPosition",
            "GeometryNodeInputIndex", "GeometryNodeSetPosition", "NodeGroupOutput",
        )
    )  # fmt: skip
    for column, node in enumerate((number, place, info, begin, sample, put, end)):
        node.location = 200.0 * column, 0.0
    info.inputs["Object"].default_value = points
    sample.data_type, sample.domain = "FLOAT_VECTOR", "POINT"
    for one, other in (
        (begin.outputs[0], put.inputs["Geometry"]), (info.outputs["Geometry"], sample.inputs["Geometry"]),
        (place.outputs[0], sample.inputs["Value"]), (number.outputs[0], sample.inputs["Index"]),
        (sample.outputs[0], put.inputs["Position"]), (put.outputs[0], end.inputs[0]),
    ):  # fmt: skip
        group.links.new(one, other)
    return group


def _item(context, source, entry, units, splines, strands):
    """The result object, which does not move yet: of all strands, or of guides alone where the source is not as it was.
    What the artist made of an earlier one stays.
    """
    if source is None:
        item = bpy.data.objects.new(f"{entry['name']} Baked", _plain(entry, splines))
        context.scene.collection.objects.link(item)
        return item
    item = result_object.to_change(context, source, revert)
    drawn = drawn_hair(context, source, units)
    if [curve.points_length for curve in drawn.curves] != counts(splines, strands):
        drawn = _as_baked(drawn, entry, splines)  # it was changed while it was baked
    if item is None:
        item = dress(result_object.make(source), drawn)
        result_object.hide(source)
        look.remember(item)
        return item
    still(item)
    before, fresh = item.data, dress(result_object.copy(source), drawn)
    look.follow(item, fresh)
    look.put_materials(drawn, list(before.materials))
    item.data = drawn
    result_object.remove(fresh)
    result_object.discard(before)
    result_object.show_result(source)
    return item


def counts(splines, strands):
    """Of points of each curve that shows splines, the guides of a GuidedHair or all that there are."""
    return strands.counts if strands else [own.shape[1] for own, *_ in splines]


def drawn_hair(context, source, units):
    """New Curves: `source` as what draws it leaves it at the first frame."""
    with side_scene(context.scene) as aside:
        copy = hair.take_finish(aside.copy(source))
        aside.go(units.first_frame)
        drawn = aside.evaluated(copy).data.copy()
    drawn.animation_data_clear()
    return drawn


def dress(item, drawn):
    """Make a copy of a source a result that no artist has touched."""
    hair.take_drawing(item)
    result_object.make_still(item)
    item.data = drawn
    drawn.name = item.name
    return item


def _as_baked(drawn, entry, splines):
    """Curves of as many points as were baked, with the materials of those that are drawn now, which go."""
    curves = _plain(entry, splines)
    look.put_materials(curves, list(drawn.materials))
    curves.surface = drawn.surface
    bpy.data.hair_curves.remove(drawn)
    return curves


def _plain(entry, splines):
    """Curves for a source that is gone."""
    curves = bpy.data.hair_curves.new(entry["name"])
    curves.add_curves([own.shape[1] for own, *_ in splines])
    if any(closed := [spline["closed"] for *_, spline in splines]):
        curves.attributes.new("cyclic", "BOOLEAN", "CURVE").data.foreach_set("value", closed)
    radius = np.concatenate([spline["point_radius"] for *_, spline in splines]).astype(np.float32)
    curves.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", radius)
    return curves
