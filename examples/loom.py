"""A loom. Somebody modelled the wires behind a panel as one mesh, with its materials; Cable from Tube Mesh makes a
harness of it, which hangs. A plug is drawn out through a hole in the panel, and goes into a socket in front.

The plug is keyed. At first its wire was too short for that: Set Length gave it what a bake told is missing.
"""

import sys
from pathlib import Path

import bpy
import bmesh
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 96
THICK, RADIUS = 0.005, 0.0035  # m, of the mesh's stem and of its branches
FORK = np.array([-0.22, 0.0, 0.10])
BOX = np.array([-0.44, 0.0, 0.12])  # where the stem begins
SOCKETS = np.array([[-0.025, 0.11, 0.15], [-0.025, -0.11, 0.15]])  # in which two branches end, at the panel's back
HOLE, WIDTH = np.array([0.0, 0.0, 0.12]), 0.028  # m, where the hole is, and its diameter
DEEP = 0.003  # m, half the panel's thickness
PLUG, LENGTH = 0.0125, 0.05  # m, the plug's radius and its length: it has 1.5 mm of room
START, END = np.array([-0.07, 0.0, 0.12]), np.array([0.26, 0.0, 0.12])  # where the cable enters the plug
SEAT = END + [LENGTH - 0.01, 0.0, 0.0]  # m, where the plug goes in
COLORS = {
    "Sleeve": (0.02, 0.02, 0.022),
    "Red": (0.6, 0.02, 0.01),
    "Blue": (0.01, 0.08, 0.5),
    "Yellow": (0.7, 0.4, 0.01),
}
DRAWN = -0.0004  # m: so far before the plug the modelled wire ends, which the subdivision makes shorter
SLACK = 0.02  # m more than is missing
MIDDLE, EYE = np.array([-0.06, 0.0, 0.10]), np.array([0.95, -1.45, 0.62])  # m, what the camera sees, and from there
KEYS = {1: START, 20: START, 80: END, 96: END}  # frame: where the plug is
MOMENTS = {1: "modelled", 45: "through the hole", 62: "drawn out", 96: "plugged in"}
PICTURE = {"size": (480, 360), "columns": 2}


def build():
    """The scene, ready to bake, after a first bake that told how much is missing; returns the harness, its mesh, the
    number of the plug's wire, and what was missing of it [m].
    """
    scene = studio.empty_scene(FRAMES)
    panel()
    box()
    plug = connector()
    mesh = modelled()
    studio.chosen(mesh)
    bpy.ops.tendril.cable_from_tube()
    harness = bpy.context.object
    wire = held_at(harness, START, plug)
    for frame, place in KEYS.items():
        plug.location = place
        plug.keyframe_insert("location", frame=frame)
    scene.frame_set(1)  # where the wires are modelled
    studio.corner(scene, size=1.0, floor=-0.35, color=(0.30, 0.31, 0.32))
    eye = studio.camera(scene, target=MIDDLE, width=0.9)
    eye.location = MIDDLE + EYE
    eye.rotation_euler = Vector(EYE).to_track_quat("Z", "Y").to_euler()
    studio.bake(lambda _: None)
    missing = harness.tendril.missing
    bpy.ops.tendril.edit_source()
    lengthened(harness, wire, missing + SLACK)
    return harness, mesh, wire, missing


def held_at(harness, place, item):
    """Let an object hold the wire that ends at a place; returns the number of that wire."""
    pin = min(harness.tendril.pins, key=lambda pin: np.linalg.norm(np.array(pin.target.location) - place))
    empty, pin.target = pin.target, item
    bpy.data.objects.remove(empty)
    return pin.spline


def lengthened(harness, wire, by):
    """Give one wire so much more length [m]."""
    studio.chosen(harness)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.curve.select_all(action="DESELECT")
    points = harness.data.splines[wire].bezier_points
    points[0].select_control_point = points[-1].select_control_point = True
    bpy.ops.tendril.set_length(part="SELECTED", kind="DIFFERENCE", difference=by)
    bpy.ops.object.mode_set(mode="OBJECT")


def curved(start, end, out, way=(0.4, 0.0, 0.0)):
    """Points (24, 3) of a cubic of Hermite from one place to another, with these tangents (3,) [m]."""
    s = np.linspace(0.0, 1.0, 24)[:, None]
    line = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * start + s**2 * (3.0 - 2.0 * s) * end
    return line + s * (1.0 - s) ** 2 * np.array(out) - s**2 * (1.0 - s) * np.array(way)


def modelled():
    """A mesh as somebody models wires: edges with a skin about them, a stem and three branches, of four materials."""
    lines = [
        curved(BOX, FORK, (0.3, 0.0, 0.0), (0.3, 0.0, 0.0)),
        curved(FORK, START, (0.35, 0.0, -0.25)),
        *(curved(FORK, end, (0.25, side, 0.1)) for end, side in zip(SOCKETS, (0.3, -0.3), strict=True)),
    ]
    form, joint = bmesh.new(), None
    skin = form.verts.layers.skin.verify()
    for number, line in enumerate(lines):
        begin = 1 if number else 0
        made = [form.verts.new(place) for place in line[begin:]]
        if not number:
            joint, made[0][skin].use_root = made[-1], True
        for vertex in made:
            vertex[skin].radius = (THICK, THICK) if number == 0 else (RADIUS, RADIUS)
        for one, other in zip([joint, *made] if number else made, made if number else made[1:], strict=False):
            form.edges.new((one, other))
    data = bpy.data.meshes.new("Loom")
    form.to_mesh(data)
    form.free()
    item = studio.add("Loom", data)
    item.modifiers.new("Skin", "SKIN").use_smooth_shade = True
    item.modifiers.new("Fine", "SUBSURF").levels = 1
    studio.chosen(item)
    bpy.ops.object.convert(target="MESH")
    paint(item.data, lines)
    return item


def paint(data, lines):
    """Each part of the mesh in its colour: the sleeve of the stem, and the wires."""
    for name, color in COLORS.items():
        data.materials.append(looks.material(name, color, 0.4))
    for face in data.polygons:
        centre = np.array(face.center)
        face.material_index = int(np.argmin([np.linalg.norm(line - centre, axis=1).min() for line in lines]))


def panel():
    """A board that stands upright, with a round hole."""
    form = bmesh.new()
    angle = 2.0 * np.pi * (np.arange(64) + 0.5) / 64
    inner = 0.5 * WIDTH * np.column_stack([np.cos(angle), np.sin(angle)])
    outer = 0.16 * inner / np.abs(inner).max(axis=1)[:, None]
    rings = [
        [form.verts.new((x, y, HOLE[2] + z)) for y, z in ring] for x, ring in
        ((-DEEP, inner), (-DEEP, outer), (DEEP, outer), (DEEP, inner))
    ]  # fmt: skip
    for one, other in zip(rings, rings[1:] + rings[:1], strict=True):
        for k in range(64):
            form.faces.new((one[k], other[k], other[k - 63], one[k - 63]))
    bmesh.ops.recalc_face_normals(form, faces=form.faces)
    data = bpy.data.meshes.new("Panel")
    form.to_mesh(data)
    form.free()
    data.materials.append(looks.veil("Acrylic", 0.45))
    item = studio.add("Panel", data)
    item.modifiers.new("Collision", "COLLISION")
    item.tendril.collider.thickness = 0.0
    return item


def box():
    """Where the wires come from, and where two of them go."""
    data = looks.crate("Box", (0.08, 0.14, 0.10), looks.material("Box", (0.3, 0.3, 0.3), 0.4))
    studio.add("Box", data, BOX - [0.04, 0.0, 0.0])
    data = looks.crate("Socket", (0.022, 0.03, 0.03), looks.material("Socket", (0.8, 0.8, 0.78), 0.35))
    for place in (*SOCKETS, SEAT):
        studio.add("Socket", data, place + [0.011, 0.0, 0.0])


def connector():
    """The plug, whose origin is where its wire leaves it."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=PLUG, depth=LENGTH, vertices=48, location=START, rotation=(0.0, 0.5 * np.pi, 0.0)
    )
    item = bpy.context.object
    item.name = "Plug"
    item.data.materials.append(looks.brass())
    for vertex in item.data.vertices:
        vertex.co.z += 0.5 * LENGTH
    return item


def check(made):
    """The plug's wire ends where the plug is, is as long as it was made, and comes through the hole without touching
    more than its rim.
    """
    scene, (harness, mesh, wire, missing) = bpy.context.scene, made
    x, plug = studio.shown(harness, wire), bpy.data.objects["Plug"]
    length = np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1)
    assert np.ptp(length) < 1e-4 * length[0], length
    assert harness.tendril.missing == 0.0, harness.tendril.missing
    for frame in MOMENTS:
        scene.frame_set(frame)
        off = x[frame - 1, -1] - np.array(plug.matrix_world.translation)
        assert np.linalg.norm(off - [DRAWN, 0.0, 0.0]) < 1e-4, (frame, off)
    inside = np.abs(x[..., 0]) < DEEP
    out = np.hypot(x[..., 1], x[..., 2] - HOLE[2])[inside]
    assert out.max() < 0.5 * WIDTH - RADIUS + 1e-4, out.max()
    assert [each.name for each in mesh.data.materials] == list(COLORS)
    return f"The wire was {100.0 * missing:.1f} cm too short. It lies on the rim of the hole, and ends in the plug."


if __name__ == "__main__":
    studio.produce("loom", build, check, MOMENTS, **PICTURE)
