"""A balloon on a string. Hollow, and full of helium, it rises until its string is taut, and follows the hand that leads
it; a finger pokes it on the way.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 48
RADIUS, WALL = 0.15, 0.03  # m
LOW, LENGTH = 0.5, 0.55  # m, of the balloon's middle above the hand, and of its string
PRESSURE, HELIUM = 60.0, 0.17  # Pa, kg/m³
HAND = {1: 0.0, 24: 0.0, 36: 0.3, FRAMES: 0.3}  # m at frames
POKE = {18: 0.0, 20: 0.1, 22: 0.0}  # N at frames
MOMENTS = {1: "let go", 14: "its string tightens", 21: "poked", 34: "led aside", FRAMES: "above the hand"}
PICTURE = {"size": (360, 480), "columns": 5}


def build(resolution=10):
    """The scene, ready to bake; returns the balloon. Made as an artist would."""
    scene = studio.empty_scene(FRAMES)
    hand = studio.add("Hand", None)
    studio.steadily(hand, "location", 0, HAND)
    balloon = blown(resolution)
    string = tied(balloon, hand)
    poked(balloon)
    string.select_set(False)
    studio.corner(scene, size=1.0, floor=-0.1)
    studio.camera(scene, target=(0.2, 0.0, 0.35), width=0.9)
    return balloon


def blown(resolution):
    """The balloon: a ball with a wall, full of helium."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=4, radius=RADIUS, location=(0.0, 0.0, LOW))
    balloon = bpy.context.object
    balloon.name = "Balloon"
    balloon.data.polygons.foreach_set("use_smooth", [True] * len(balloon.data.polygons))
    balloon.data.materials.append(looks.material("Latex", (0.65, 0.03, 0.03), 0.15))
    knot, side = balloon.vertex_groups.new(name="Knot"), balloon.vertex_groups.new(name="Side")
    for group, towards in ((knot, (0.0, 0.0, -1.0)), (side, (-1.0, 0.0, 0.2))):
        near = [v.index for v in balloon.data.vertices if np.dot(v.co.normalized(), towards) > 0.97]
        group.add(near, 1.0, "REPLACE")
    wall = balloon.modifiers.new("Wall", "SOLIDIFY")
    wall.thickness = WALL
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="balloon")
    soft = balloon.tendril.soft
    soft.resolution = resolution
    soft.use_pressure, soft.pressure, soft.sealed, soft.gas_density = True, PRESSURE, True, HELIUM
    return balloon


def tied(balloon, hand):
    """Its string, slack between the hand and the knot."""
    top, s = LOW - RADIUS + 0.5 * WALL, np.linspace(0.0, 1.0, 41)
    aside, least, most = 0.0, 0.0, 1.0
    for _ in range(60):
        aside = 0.5 * (least + most)
        way = np.stack([np.zeros_like(s), aside * np.sin(np.pi * s) ** 2, top * s], axis=1)
        longer = np.linalg.norm(np.diff(way, axis=0), axis=1).sum() > LENGTH
        least, most = (least, aside) if longer else (aside, most)
    string = studio.curve("String", way.tolist(), 0.0008)
    string.data.materials.append(looks.material("Cotton", (0.8, 0.75, 0.65), 0.8))
    bpy.ops.object.select_all(action="DESELECT")
    hand.select_set(True)
    string.select_set(True)
    bpy.context.view_layer.objects.active = string
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="cotton_thread")
    string.tendril.rod.points = len(s)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="POSITION")
    hand.select_set(False)
    balloon.select_set(True)
    bpy.context.view_layer.objects.active = balloon
    balloon.vertex_groups.active_index = 0
    bpy.ops.tendril.add_soft_pin(holder="OBJECT")
    return string


def poked(balloon):
    """By a force on its side, along an empty's arrow."""
    finger = studio.add("Finger", None, (-RADIUS, 0.0, LOW))
    finger.rotation_euler = 0.0, 0.5 * np.pi, 0.0
    balloon.vertex_groups.active_index = 1
    bpy.ops.object.select_all(action="DESELECT")
    finger.select_set(True)
    balloon.select_set(True)
    bpy.context.view_layer.objects.active = balloon
    bpy.ops.tendril.add_load()
    load = balloon.tendril.loads[0]
    for frame, force in POKE.items():
        load.force = force
        balloon.keyframe_insert("tendril.loads[0].force", frame=frame)


def check(_balloon):
    """It rises, stays as wide as it is drawn, is pushed aside by the finger, and goes to the hand on a taut string."""
    scene, x = measure.description(), measure.baked()[0]
    string, body = x[:, : len(scene.rods[0].x)], x[:, len(scene.rods[0].x) :]
    middle = body.mean(axis=1)
    wide = np.linalg.norm(body - middle[:, None], axis=2).mean(axis=1)
    reach = np.linalg.norm(string[:, -1] - string[:, 0], axis=1) / LENGTH
    assert np.abs(wide / wide[0] - 1.0).max() < 0.05, wide / wide[0]
    assert reach[0] < 0.7
    assert reach[-4:].min() > 0.97, reach
    assert middle[16, 2] > LOW + 0.1
    assert middle[17:28, 0].max() > 0.05, middle[:, 0]
    assert np.linalg.norm(middle[-1, :2] - [HAND[FRAMES], 0.0]) < 0.6 * LENGTH, middle[-1]
    risen = middle[:, 2].max() - LOW
    kept = wide[-1] / wide[0] - 1.0
    return f"It rises {risen:.2f} m, its string is taut to {reach[-1]:.1%}, and it stays as wide to {kept:+.1%}."


if __name__ == "__main__":
    studio.produce("balloon", build, check, MOMENTS, **PICTURE)
