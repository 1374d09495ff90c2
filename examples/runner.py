"""Rope around a runner's neck. A figure that an armature bends starts to run; the rope that hangs over its shoulders
swings and stays. The figure is a mesh with Blender's own Collision physics, which deforms.
"""

import sys
from itertools import pairwise
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES, START = 84, 26  # frame when it starts
STRIDE, SPEED = 16, 2.4  # frames of two steps; m/s
RADIUS, LENGTH = 0.016, 1.5  # m
JOINTS = {  # place [m], facing x, and radius [m]
    "hips": ((0, 0, 0.95), 0.12), "chest": ((0, 0, 1.3), 0.14), "neck": ((0, 0, 1.5), 0.06),
    "head": ((0.02, 0, 1.62), 0.085), "top": ((0.02, 0, 1.74), 0.09),
}  # fmt: skip
SIDES = {
    "hip": ((0, 0.1, 0.9), 0.1), "knee": ((0.02, 0.1, 0.5), 0.065), "ankle": ((0, 0.1, 0.1), 0.045),
    "toe": ((0.16, 0.1, 0.05), 0.04), "shoulder": ((0, 0.19, 1.42), 0.065), "elbow": ((-0.04, 0.27, 1.17), 0.045),
    "hand": ((0.18, 0.25, 1.12), 0.045),
}  # fmt: skip
TRUNK = ("hips", "chest", "neck", "head", "top")
LIMBS = (("hips", "hip", "knee", "ankle", "toe"), ("chest", "shoulder", "elbow", "hand"))
MOMENTS = {1: "drawn", 24: "it lies around the neck", 46: "off", FRAMES: "on and on"}
PICTURE = {"size": (420, 300), "columns": 2}
CLIP = range(1, FRAMES + 1, 3)  # frames


def build(points=90):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    bones = figure()
    run(bones)
    rope = studio.curve("Rope", around_the_neck(), RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="polyester_rope")
    rod = rope.tendril.rod
    rod.points, rod.shape_memory, rod.friction = points, 0.0, 0.6
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    studio.corner(scene, size=3.0, floor=0.0, centre=(2.2, 0.0, 1.0))
    beside(studio.camera(scene, target=(0.1, 0.0, 1.0), width=2.6, height=0.1), bones)
    return rope


def beside(view, bones):
    """Let the camera go along with the runner, ahead of it."""
    view.location.x += 2.4
    view.rotation_euler = (view.location - Vector((0.1, 0.0, 1.0))).to_track_quat("Z", "Y").to_euler()
    start = view.location.x
    for frame in range(1, FRAMES + 1):
        bpy.context.scene.frame_set(frame)
        view.location.x = start + bones.matrix_world.translation.x
        view.keyframe_insert("location", index=0, frame=frame)


def around_the_neck():
    """A bow (k, 3) [m] behind the head, its ends before the chest."""
    a = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 9)
    bend = np.column_stack([-0.11 * np.cos(a), -0.14 * np.sin(a), np.full(9, 1.66)])
    front = 0.5 * (LENGTH - 0.4)
    return np.vstack([(front, 0.14, 1.66), bend, (front, -0.14, 1.66)])


def figure():
    """The skinned figure and its armature; returns the armature."""
    places, radii, edges = [], [], []

    def joint(place, radius, before=None):
        places.append(place)
        radii.append(radius)
        if before is not None:
            edges.append((before, len(places) - 1))
        return len(places) - 1

    number = {}
    for before, name in zip((None, *TRUNK), TRUNK, strict=False):
        number[name] = joint(*JOINTS[name], number.get(before))
    for side, sign in (("L", 1.0), ("R", -1.0)):
        for first, *limb in LIMBS:
            last = number[first]
            for name in limb:
                (x, y, z), radius = SIDES[name]
                last = number[f"{name}.{side}"] = joint((x, sign * y, z), radius, last)
    mesh = bpy.data.meshes.new("Runner")
    mesh.from_pydata(places, edges, [])
    body = studio.add("Runner", mesh)
    bpy.context.view_layer.objects.active = body
    skin = body.modifiers.new("Skin", "SKIN")
    skin.use_smooth_shade = True
    for vertex, radius in zip(mesh.skin_vertices[0].data, radii, strict=True):
        vertex.radius = (radius, radius)
    body.modifiers.new("Smooth", "SUBSURF").levels = 1
    for name in ("Skin", "Smooth"):
        bpy.ops.object.modifier_apply(modifier=name)
    body.data.materials.append(looks.material("Clay", (0.55, 0.25, 0.14), 0.7))
    bones = armature(number, places)
    bpy.ops.object.select_all(action="DESELECT")
    body.select_set(True)
    bones.select_set(True)
    bpy.context.view_layer.objects.active = bones
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    bpy.ops.object.select_all(action="DESELECT")
    studio.collider(body, 0.001, 20.0)
    return bones


def armature(number, places):
    """A bone along each limb, called after where it begins."""
    bpy.ops.object.armature_add()
    item = bpy.context.object
    item.name = "Bones"
    bpy.ops.object.mode_set(mode="EDIT")
    bones = item.data.edit_bones
    bones.remove(bones[0])

    def bone(name, begin, end, parent):
        made = bones.new(name)
        made.head, made.tail, made.parent = places[number[begin]], places[number[end]], parent
        made.roll = 0.0
        return made

    last, trunk = None, {}
    for begin, end in pairwise(TRUNK):
        last = trunk[begin] = bone(begin, begin, end, last)
    for side in ("L", "R"):
        for first, *limb in LIMBS:
            last = trunk[first]
            for begin, end in pairwise(limb):
                last = bone(f"{begin}.{side}", f"{begin}.{side}", f"{end}.{side}", last)
    bpy.ops.object.mode_set(mode="OBJECT")
    return item


def run(bones):
    """Keys of a run, forwards: legs and arms to and fro, against each other, knees bent while they go forward."""
    fps = bpy.context.scene.render.fps
    for frame in range(1, FRAMES + 1):
        time = max(frame - START, 0) / fps
        effort = min(1.0, time * fps / STRIDE)
        phase = 2.0 * np.pi * (frame - START) / STRIDE
        gone = SPEED * (0.5 * effort * time if effort < 1.0 else time - 0.5 * STRIDE / fps)
        bones.location = (gone, 0.0, 0.04 * effort * abs(np.sin(phase)))
        bones.keyframe_insert("location", frame=frame)
        for side, sign in (("L", 1.0), ("R", -1.0)):
            swing = sign * effort * np.sin(phase)
            turns = {
                f"hip.{side}": 0.75 * swing - 0.1 * effort,
                f"knee.{side}": -effort * (0.6 + 0.6 * np.cos(phase + (0.0 if sign > 0.0 else np.pi))),
                f"shoulder.{side}": -0.6 * swing,
            }
            for name, angle in turns.items():
                turn(bones.pose.bones[name], angle, frame)
        turn(bones.pose.bones["hips"], -0.12 * effort, frame)


def turn(bone, angle, frame):
    """Key a turn of a bone forwards [rad], about the figure's own y."""
    axis = bone.bone.matrix_local.to_3x3().inverted() @ Vector((0.0, -1.0, 0.0))
    bone.rotation_mode = "QUATERNION"
    bone.rotation_quaternion = (np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis))
    bone.keyframe_insert("rotation_quaternion", frame=frame)


def check(_rope):
    """The rope goes along around the neck, and is nowhere in the figure."""
    x = measure.baked()[0]
    way = x[-1].mean(axis=0) - x[0].mean(axis=0)
    assert way[0] > 0.9 * SPEED * (FRAMES - START - STRIDE) / bpy.context.scene.render.fps, way
    assert x[-1, :, 2].max() > 1.4, x[-1, :, 2].max()
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    return f"The rope goes {way[0]:.2f} m with the runner, never deeper in it than {max(deep, 0.0):.1%} of its radius."


if __name__ == "__main__":
    studio.produce("runner", build, check, MOMENTS, **PICTURE)
