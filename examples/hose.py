"""Through two clips. A hose runs from a tank through two clips to a connector, which is turned by half a turn and
pulled up. The hose slides in the clips, its twist spreads evenly over all of it, and at each frame it is at rest.

The connector is keyed and the clips are pins that *Slide*; Add Cable and Bake do the rest.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Vector

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, POINTS = 96, 160
RADIUS = 0.0137  # m: coolant hose
WAY = ((-0.52, 0.30), (-0.36, 0.27), (-0.20, 0.10), (0.0, 0.0), (0.20, 0.06), (0.38, 0.10), (0.45, 0.22), (0.46, 0.34))
CLIPS = (2, 4)  # of these places (x, z)
TURN = {1: 0.0, 40: np.pi, 72: np.pi, 96: 0.0}  # frame: rad about z
HEIGHT = {1: 0.0, 40: 0.0, 56: 0.11, 72: 0.11, 96: 0.0}  # frame: m
MOMENTS = {1: "plugged in", 40: "turned", 64: "and pulled", 84: "on its way back"}
PICTURE = {"size": (480, 360), "columns": 2}
SMOOTH = 20  # pieces from one place to the next


def build():
    """The scene, ready to bake; returns the hose."""
    scene = studio.empty_scene(FRAMES)
    line = through(np.array([(x, 0.0, z) for x, z in WAY]))
    tank, plug = ends(line)
    clips = [clip(line, number * SMOOTH) for number in CLIPS]
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    hose = studio.polylines("Hose", [line], RADIUS)
    hose.data.materials.append(looks.striped_rope("Hose", length, RADIUS))
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.apply_preset(preset="coolant_hose")
    hose.tendril.rod.points = POINTS
    for place, holder in (("START", tank), ("END", plug)):
        pin(place, holder, "TWIST")
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]) / length
    for number, ring in zip(CLIPS, clips, strict=True):
        pin("FRACTION", ring, "POSITION", fraction=along[number * SMOOTH])
        hose.tendril.pins[-1].slides = True
    studio.steadily(plug, "rotation_euler", 2, TURN)
    studio.steadily(plug, "location", 2, {frame: line[-1, 2] + height for frame, height in HEIGHT.items()})
    board()
    studio.corner(scene, size=0.8, floor=-0.5, color=(0.10, 0.11, 0.12))
    studio.camera(scene, target=(0.0, 0.0, 0.16), width=1.3, height=0.25)
    return hose


def through(places):
    """Points (k, 3) of a curve through places, that leaves the first and comes to the last straight: cubics of Hermite
    whose slopes are those from neighbour to neighbour (Catmull and Rom).
    """
    slope = np.gradient(places, axis=0)
    slope[0], slope[-1] = (0.15, 0.0, 0.0), (0.0, 0.0, 0.15)
    s = np.linspace(0.0, 1.0, SMOOTH, endpoint=False)[:, None]
    parts = [
        (1.0 + 2.0 * s) * (1.0 - s) ** 2 * a
        + s**2 * (3.0 - 2.0 * s) * b
        + s * (1.0 - s) ** 2 * from_a
        - s**2 * (1.0 - s) * to_b
        for a, b, from_a, to_b in zip(places[:-1], places[1:], slope[:-1], slope[1:], strict=True)
    ]
    return np.concatenate([*parts, places[-1:]])


def pin(place, holder, mode, **settings):
    holder.select_set(True)
    bpy.ops.tendril.add_pin(place=place, holder="OBJECT", mode=mode, **settings)
    holder.select_set(False)


def ends(line):
    """A tank with a spout, which holds the hose's start, and a connector with a handle, which holds its end."""
    steel, brass = looks.material("Steel", (0.35, 0.36, 0.38), 0.35, metallic=1.0), looks.brass()
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=line[0] - [0.13, 0.0, 0.05], scale=(0.2, 0.16, 0.3))
    tank = bpy.context.object
    tank.data.materials.append(looks.material("Tank", (0.5, 0.46, 0.36), 0.5))
    tank.select_set(False)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=1.25 * RADIUS, depth=0.05, location=line[0] - [0.01, 0.0, 0.0], rotation=(0.0, 0.5 * np.pi, 0.0)
    )
    spout = bpy.context.object
    spout.data.materials.append(steel)
    spout.select_set(False)
    bpy.ops.mesh.primitive_cylinder_add(radius=1.3 * RADIUS, depth=0.05, location=line[-1])
    plug = bpy.context.object
    plug.name = "Connector"
    plug.data.materials.append(brass)
    plug.select_set(False)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=line[-1] + [0.0, 0.0, 0.035], scale=(0.11, 0.018, 0.02))
    lever = bpy.context.object
    lever.name = "Lever"
    lever.data.materials.append(looks.material("Lever", (0.6, 0.05, 0.03), 0.4))
    lever.parent, lever.matrix_parent_inverse = plug, plug.matrix_world.inverted()
    lever.select_set(False)
    return spout, plug


def clip(line, number):
    """A ring around the hose at a point of its line, on a foot."""
    along = Vector(line[number + 1] - line[number - 1])
    bpy.ops.mesh.primitive_torus_add(
        major_radius=1.3 * RADIUS, minor_radius=0.004, major_segments=48, location=line[number]
    )
    ring = bpy.context.object
    ring.name = "Clip"
    ring.rotation_euler = along.to_track_quat("Z", "Y").to_euler()
    ring.data.materials.append(looks.material("Clip", (0.02, 0.02, 0.02), 0.4))
    ring.select_set(False)
    bpy.ops.mesh.primitive_cylinder_add(
        radius=0.007, depth=0.05, location=line[number] + [0.0, 0.045, 0.0], rotation=(0.5 * np.pi, 0.0, 0.0)
    )
    bpy.context.object.data.materials.append(ring.data.materials[0])
    bpy.context.object.select_set(False)
    return ring


def board():
    """What the clips are screwed to."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.0, 0.08, 0.05), scale=(0.62, 0.02, 0.3))
    bpy.context.object.data.materials.append(looks.material("Board", (0.16, 0.20, 0.24), 0.5))
    bpy.context.object.select_set(False)


def check(hose):
    """It stays in its clips and slides there, keeps its length, and its twist is the same all along."""
    x, m1, _ = measure.baked()
    edges = np.linalg.norm(np.diff(x, axis=1), axis=2)
    length = edges.sum(axis=1)
    assert np.ptp(length) < 1e-6 * length[0], np.ptp(length)
    clips = [pin for pin in hose.tendril.pins if pin.slides]
    at = [round(pin.fraction * POINTS) for pin in clips]
    for vertex, own in zip(at, clips, strict=True):
        assert np.abs(x[:, vertex] - x[0, vertex]).max() < 1e-6, own.name
        assert np.linalg.norm(x[0, vertex] - own.target.location) < length[0] / POINTS
    slid = np.ptp([edges[:, :vertex].sum(axis=1) for vertex in at], axis=1)
    assert slid.min() > 0.008, slid
    rate = measure.twist(x, m1) / (0.5 * (edges[:, 1:] + edges[:, :-1]))
    turned = rate[39].mean() * length[39]
    uneven = np.ptp(rate, axis=1).max() / abs(rate).max()
    assert uneven < 5e-4, uneven
    assert 0.6 * np.pi < abs(turned) < 1.4 * np.pi, turned
    runs = " and ".join(f"{1e3 * one:.0f} mm" for one in slid)
    return f"The hose runs through its clips by {runs}; its twist is the same all along within {100.0 * uneven:.1g} %."


if __name__ == "__main__":
    studio.produce("hose", build, check, MOMENTS, **PICTURE)
