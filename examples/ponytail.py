"""A ponytail. 120 guides of Blender's own hair grow from a head that puffs its cheeks and turns, and it is in their
way. Behind the bake a modifier makes 40 hairs of each guide; it knows nothing of the bake.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector
from mathutils.bvhtree import BVHTree

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 72
GUIDES, POINTS = 120, 14
HEAD, LENGTH, ROOTS = 0.1, 0.3, 0.25  # m, m, rad around the nape that they leave
PUFF, TURN = {1: 0.0, 16: 1.0, 32: 0.0}, {8: 0.0, 26: 1.4, 40: -1.4, 56: 0.0}  # at frames
NAPE = np.array([[0.8, 0.0, 0.6], [0.0, 1.0, 0.0], [-0.6, 0.0, 0.8]])  # out of it, and across
MANY, SPREAD = 40, 0.004  # hairs of a guide, m beside it
MOMENTS = {1: "as groomed", 22: "puffed, turning", 40: "flung back", 72: "coming to rest"}
PICTURE = {"size": (480, 440), "columns": 2}


def build():
    """The scene, ready to bake; returns the hair. Made as an artist would."""
    scene = studio.empty_scene(FRAMES)
    head = studio.add("Head", looks.ball("Head", HEAD, looks.material("Skin", (0.6, 0.33, 0.22), 0.5)))
    head.shape_key_add(name="Basis")
    puffed = head.shape_key_add(name="Puffed")
    for point in puffed.data:
        point.co = point.co.x * 1.2, point.co.y * 1.1, point.co.z * 0.95
    for frame, value in PUFF.items():
        puffed.value = value
        puffed.keyframe_insert("value", frame=frame)
    studio.steadily(head, "rotation_euler", 2, TURN)
    hair = groomed(head)
    head.select_set(False)
    bpy.context.view_layer.objects.active = hair
    hair.select_set(True)
    bpy.ops.tendril.add_rod()
    studio.collider(head, 0.002, 0.2)
    thicken(hair)
    studio.corner(scene, size=0.6, floor=-0.42)
    studio.camera(scene, target=(0.05, 0.0, -0.04), width=0.5)
    return hair


def groomed(head):
    """Hair that stands out of the nape and falls in an arch."""
    k = np.arange(GUIDES) + 0.5
    away, turn = ROOTS * np.sqrt(k / GUIDES), np.pi * (3.0 - np.sqrt(5.0)) * k
    around = np.stack([np.cos(away), np.sin(away) * np.cos(turn), np.sin(away) * np.sin(turn)], axis=1)
    normal = around @ NAPE
    s = np.linspace(0.0, LENGTH, POINTS)[None, :, None]
    way = normal[:, None] * (HEAD + 0.12 * np.tanh(s / 0.12)) + [0.0, 0.0, -1.0] * (s - 0.12 * np.tanh(s / 0.12))
    data = bpy.data.hair_curves.new("Ponytail")
    data.add_curves([POINTS] * GUIDES)
    data.position_data.foreach_set("vector", way.astype(np.float32).ravel())
    radius = np.tile(np.linspace(3e-4, 1e-4, POINTS), GUIDES).astype(np.float32)
    data.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", radius)
    data.surface = head
    data.materials.append(looks.material("Hair", (0.75, 0.4, 0.12), 0.4))
    return studio.add("Ponytail", data)


def thicken(hair):
    """MANY hairs beside each guide: a modifier, as an artist's own."""
    group = bpy.data.node_groups.new("Many", "GeometryNodeTree")
    group.is_modifier = True
    for way in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    names = "NodeGroupInput", "GeometryNodeDuplicateElements", "GeometryNodeSetPosition", "NodeGroupOutput"
    begin, many, put, end = (group.nodes.new(name) for name in names)
    strand, beside = group.nodes.new("GeometryNodeCurveOfPoint"), group.nodes.new("FunctionNodeRandomValue")
    many.domain, many.inputs["Amount"].default_value = "SPLINE", MANY
    beside.data_type = "FLOAT_VECTOR"
    beside.inputs["Min"].default_value, beside.inputs["Max"].default_value = [-SPREAD] * 3, [SPREAD] * 3
    number = next(socket for socket in beside.inputs if socket.name == "ID")
    for one, other in (
        (begin.outputs[0], many.inputs[0]), (many.outputs[0], put.inputs["Geometry"]), (put.outputs[0], end.inputs[0]),
        (strand.outputs["Curve Index"], number), (beside.outputs[0], put.inputs["Offset"]),
    ):  # fmt: skip
        group.links.new(one, other)
    hair.modifiers.new("Many", "NODES").node_group = group


def check(hair):
    """Roots stay where they are on the head, guides keep their lengths, and none goes into it; many follow."""
    scene, result, head = bpy.context.scene, hair.tendril.result, bpy.data.objects["Head"]
    many, off, near, place = result.modifiers["Many"], 0.0, np.inf, None
    for frame in range(1, FRAMES + 1, 5):
        scene.frame_set(frame)
        many.show_viewport = False
        depsgraph = bpy.context.evaluated_depsgraph_get()
        x = guides(result, depsgraph)
        assert np.abs(np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1) / lengths(hair) - 1.0).max() < 1e-4
        tree, matrix = BVHTree.FromObject(head, depsgraph), np.array(head.matrix_world)
        own = (x - matrix[:3, 3]) @ matrix[:3, :3]
        feet = [tree.find_nearest(root) for root in own[:, 0]]
        gap = np.array([foot[3] for foot in feet])
        place = gap if place is None else place
        off = max(off, np.abs(gap - place).max())
        for point in map(Vector, own[:, 3:].reshape(-1, 3)):
            foot, normal, _, _ = tree.find_nearest(point)
            near = min(near, (point - foot).dot(normal))
        many.show_viewport = True
    scene.frame_set(FRAMES)
    count = len(result.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.curves)
    assert off < 1e-5, off
    assert near > 0.0, near
    assert count == MANY * GUIDES
    return (
        f"Roots stay within {1e6 * off:.0f} µm of their places on the head, the rest {1e3 * near:.1f} mm off it, and "
        f"{count} hairs follow {GUIDES} guides."
    )


def guides(result, depsgraph):
    """Points (GUIDES, POINTS, 3) of the baked guides in the world."""
    shown = result.evaluated_get(depsgraph)
    x = np.empty(3 * GUIDES * POINTS, dtype=np.float32)
    shown.data.position_data.foreach_get("vector", x)
    matrix = np.array(shown.matrix_world)
    return (x.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]).reshape(GUIDES, POINTS, 3)


def lengths(hair):
    """(GUIDES,) as groomed."""
    x = np.empty(3 * GUIDES * POINTS, dtype=np.float32)
    hair.data.position_data.foreach_get("vector", x)
    return np.linalg.norm(np.diff(x.reshape(GUIDES, POINTS, 3), axis=1), axis=2).sum(axis=1)


if __name__ == "__main__":
    studio.produce("ponytail", build, check, MOMENTS, **PICTURE)
