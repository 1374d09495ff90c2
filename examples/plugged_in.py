"""Plugged in. A lamp goes around a desk and turns, its cable stays plugged in and lies on the desk. At each frame the
cable is at rest, clamped by plug and lamp, without a swing.

The lamp is keyed, Add Cable and Bake do the rest. Where the cable lies it is its own radius above the desk.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import lamp
import looks
import measure
import studio

FRAMES = 96
LENGTH, RADIUS = 1.35, 0.0035  # m
SOCKET = np.array([-0.62, 0.34, 0.03])  # where the cable leaves its plug, towards +x
WAY = {1: (-0.15, -0.02), 33: (0.32, 0.06), 57: (0.34, -0.22), 80: (-0.02, -0.24), 96: (-0.15, -0.02)}  # frame: (x, y)
TURN = {1: 0.0, 33: 0.5, 57: 0.2, 80: -0.9, 96: 0.0}  # frame: rad about z
REAR, DOWN = 0.075, 0.012  # m from the lamp's axis and above the desk, where the cable leaves it, towards −x
DESK = (1.7, 1.3, 0.03)  # m
MOMENTS = {1: "plugged in", 33: "to the right", 57: "to the front", 80: "and turned"}
PICTURE = {"size": (480, 360), "columns": 2}


def build():
    """The scene, ready to bake; returns the cable."""
    scene = studio.empty_scene(FRAMES)
    desk()
    base, plug = stand(), socket()
    ends = SOCKET, np.array([WAY[1][0] - REAR, WAY[1][1], DOWN])
    cable = studio.curve("Cable", roughly(*ends), RADIUS)
    cable.data.materials.append(looks.material("Cable", (0.75, 0.1, 0.03), 0.4))
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.apply_preset(preset="electrical_cable")
    cable.tendril.rod.points = 160
    for place, holder in (("START", plug), ("END", base)):
        holder.select_set(True)
        bpy.ops.tendril.add_pin(place=place, holder="OBJECT", mode="TWIST")
        holder.select_set(False)
    for index in (0, 1):
        studio.steadily(base, "location", index, {frame: place[index] for frame, place in WAY.items()})
    studio.steadily(base, "rotation_euler", 2, TURN)
    eased(base)
    studio.corner(scene, size=1.0, floor=-0.7, color=(0.09, 0.10, 0.11))
    studio.camera(scene, target=(0.0, 0.0, 0.1), width=1.55, height=0.55)
    return cable


def roughly(start, end):
    """Points (k, 3) of a curve of LENGTH, above the desk, that leaves the plug and comes to the lamp along x: a cubic
    of Hermite and a loop to the front, as wide as it takes.
    """
    s = np.linspace(0.0, 1.0, 200)[:, None]
    along = np.array([[0.5, 0.0, 0.0]])
    line = (1.0 + 2.0 * s) * (1.0 - s) ** 2 * start + s**2 * (3.0 - 2.0 * s) * end
    line = line + s * (1.0 - s) ** 2 * along - s**2 * (1.0 - s) * along
    line[:, 2] += 0.02 * (4.0 * s * (1.0 - s))[:, 0] ** 2
    low, high = 0.0, 2.0
    for _ in range(50):
        width = 0.5 * (low + high)
        looped = line - width * np.sin(np.pi * s) ** 2 * [0.0, 1.0, 0.0]
        long = np.linalg.norm(np.diff(looped, axis=0), axis=1).sum() > LENGTH
        low, high = (low, width) if long else (width, high)
    return looped[[0, 1, *range(4, 197, 4), 198, 199]]


def desk():
    """A board with a bevelled edge, which the cable meets."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.0, -0.5 * DESK[2]), scale=DESK)
    board = bpy.context.object
    board.name = "Desk"
    board.data.materials.append(looks.material("Wood", (0.22, 0.12, 0.05), 0.5))
    board.modifiers.new("Collision", "COLLISION")
    board.tendril.collider.thickness = 0.0  # the cable is to lie right on it
    board.select_set(False)


def socket():
    """A socket on the desk, and the plug in it."""
    look = looks.material("Socket", (0.8, 0.8, 0.78), 0.35)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=SOCKET - [0.055, 0.0, 0.0], scale=(0.05, 0.12, 0.059))
    bpy.context.object.data.materials.append(look)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=0.012, depth=0.034, location=SOCKET - [0.015, 0.0, 0.0], rotation=(0.0, 0.5 * np.pi, 0.0)
    )
    plug = bpy.context.object
    plug.name = "Plug"
    plug.data.materials.append(looks.material("Plug", (0.02, 0.02, 0.02), 0.4))
    plug.select_set(False)
    return plug


def stand():
    """A lamp on a foot; returns the foot, which the rest goes along with."""
    bpy.ops.mesh.primitive_cylinder_add(radius=0.075, depth=0.024, vertices=64, location=(*WAY[1], DOWN))
    foot = bpy.context.object
    foot.name = "Lamp"
    foot.data.materials.append(looks.material("Enamel", (0.02, 0.16, 0.13), 0.18))
    foot.select_set(False)
    bpy.ops.mesh.primitive_cylinder_add(radius=0.006, depth=0.36, location=(0.0, 0.0, 0.18))
    stem = bpy.context.object
    stem.data.materials.append(looks.brass())
    stem.parent = foot
    stem.select_set(False)
    shade = studio.add("Shade", lamp.turned("Shade", lamp.PROFILE), (0.0, 0.0, 0.40), parent=foot)
    shade.scale = (0.62, 0.62, 0.8)
    bulb = studio.add("Bulb", looks.ball("Bulb", 0.03, lamp.glow("Bulb", 30.0)), (0.0, 0.0, 0.30), parent=foot)
    bulb.visible_shadow = False
    light = bpy.data.lights.new("Light", "POINT")
    light.energy, light.color, light.shadow_soft_size = 3.0, (1.0, 0.72, 0.42), 0.03
    studio.add("Light", light, (0.0, 0.0, 0.28), parent=foot)
    return foot


def eased(item):
    """Let what is keyed start and stop gently."""
    action = item.animation_data
    for fcurve in action.action.layers[0].strips[0].channelbag(action.action_slot).fcurves:
        for point in fcurve.keyframe_points:
            point.interpolation = "BEZIER"


def check(cable):
    """It lies on the desk, keeps its length, and its ends stay where plug and lamp have them."""
    scene = bpy.context.scene
    x, _, _ = measure.baked()
    lowest = x[..., 2].min(axis=1)
    assert np.abs(lowest[10:] - RADIUS).max() < 1e-5, (lowest.min(), lowest.max())
    length = np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1)
    assert np.ptp(length) < 1e-6 * LENGTH, np.ptp(length)
    assert np.abs(x[:, 0] - x[0, 0]).max() < 1e-6
    base = bpy.data.objects["Lamp"]
    for frame in MOMENTS:
        scene.frame_set(frame)
        rear = np.array(base.matrix_world @ Vector((-REAR, 0.0, 0.0)))
        assert np.linalg.norm(x[frame - 1, -1] - rear) < 1e-4, (frame, x[frame - 1, -1], rear)
    off, bend = 1e6 * float(np.abs(lowest[10:] - RADIUS).max()), 1e3 * cable.tendril.bend_radius
    lies = f"The cable lies its radius, {1e3 * RADIUS:.1f} mm, above the desk within {off:.1g} µm"
    return f"{lies}; its smallest bending radius is {bend:.0f} mm."


if __name__ == "__main__":
    studio.produce("plugged_in", build, check, MOMENTS, **PICTURE)
