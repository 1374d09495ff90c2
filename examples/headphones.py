"""Headphones. A player is pushed over a desk, and one of two earpieces after it: three cables meet in a splitter, which
goes where they have it. At each frame all of them are at rest together, on the desk and on each other.

Player and earpieces are keyed. Join Ends lets the splitter hang on the cables, Bake does the rest.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Matrix

sys.path.append(str(Path(__file__).parent))
import looks
import plugged_in
import studio

FRAMES, POINTS, RADIUS = 96, 100, 0.002  # m
PLAYER, EARS = np.array([-0.42, 0.10]), np.array([[0.34, 0.16], [0.36, -0.16]])
SPLIT, HEIGHT = np.array([0.02, 0.03]), 1.5 * RADIUS  # m, at first; above the desk, of all ends
LENGTHS = (0.62, 0.48, 0.48)  # m, from the player to the splitter, from there to the earpieces
WAY = {1: PLAYER, 40: (-0.38, -0.22), 96: (-0.12, -0.30)}  # frame: (x, y)
EAR = {1: EARS[0], 40: EARS[0], 80: (0.16, 0.30), 96: (0.16, 0.30)}
MOMENTS = {1: "put down", 30: "pushed", 64: "and pushed on", 96: "to the front"}
PICTURE = {"size": (480, 360), "columns": 2}


def build():
    """The scene, ready to bake; returns the three cables."""
    scene = studio.empty_scene(FRAMES)
    plugged_in.desk()
    holders = [player(), *(earpiece(place) for place in EARS)]
    places = [PLAYER, *EARS]
    cables = [cable(k, place, LENGTHS[k]) for k, place in enumerate(places)]
    for item, holder in zip(cables, holders, strict=True):
        studio.chosen(item, holder)
        bpy.ops.tendril.add_pin(place="END", holder="OBJECT", mode="POSITION")
    sleeve = splitter()
    studio.chosen(*cables, sleeve)
    bpy.ops.tendril.join_ends()
    sleeve.tendril.body.use_density, sleeve.tendril.body.density = True, 8500.0
    for item, way in ((holders[0], WAY), (holders[1], EAR)):
        for index in (0, 1):
            studio.steadily(item, "location", index, {frame: place[index] for frame, place in way.items()})
        plugged_in.eased(item)
    studio.corner(scene, size=1.0, floor=-0.7, color=(0.09, 0.10, 0.11))
    studio.camera(scene, target=(-0.03, -0.04, 0.0), width=1.0, height=0.75)
    return cables


def cable(number, end, length):
    """A cable on the desk, so long, from the splitter to an end (x, y), a cable of its own beside the others."""
    start, way = SPLIT, end - SPLIT
    share, aside = np.linspace(0.0, 1.0, 80)[:, None], np.array([-way[1], way[0]]) / np.linalg.norm(way)
    low, high, sign = 0.0, 1.0, -1.0 if number == 2 else 1.0
    for _ in range(50):
        width = 0.5 * (low + high)
        line = start + share * way + sign * width * np.sin(np.pi * share) ** 2 * aside
        long = np.linalg.norm(np.diff(line, axis=0), axis=1).sum() > length
        low, high = (low, width) if long else (width, high)
    line = np.hstack([line, np.full((len(line), 1), HEIGHT)])
    item = studio.curve(f"Cable {number}", line, RADIUS)
    item.data.materials.append(looks.material("Cable", (0.75, 0.75, 0.72), 0.4))
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.apply_preset(preset="electrical_cable")
    item.tendril.rod.points = POINTS
    item.select_set(False)
    return item


def player():
    """A flat box, whose origin is where the cable is plugged in."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(*PLAYER, HEIGHT), scale=(0.06, 0.11, 0.012))
    item = bpy.context.object
    item.name = "Player"
    item.data.materials.append(looks.material("Player", (0.02, 0.16, 0.13), 0.2))
    item.data.transform(Matrix.Translation((-0.03, 0.0, 0.0045)))
    return item


def earpiece(place):
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.012, location=(*place, HEIGHT))
    item = bpy.context.object
    item.name = "Earpiece"
    item.data.materials.append(looks.material("Earpiece", (0.02, 0.02, 0.02), 0.3))
    item.data.transform(Matrix.Translation((0.010, 0.0, 0.0095)))
    return item


def splitter():
    """A little sleeve of two grams."""
    bpy.ops.mesh.primitive_cylinder_add(
        radius=1.4 * RADIUS, depth=0.022, location=(*SPLIT, HEIGHT), rotation=(0.0, 0.5 * np.pi, 0.0)
    )
    item = bpy.context.object
    item.name = "Splitter"
    item.data.materials.append(looks.brass())
    return item


def check(cables):
    """They meet in the splitter, keep their lengths, lie on the desk, and end where they are held."""
    scene, x = bpy.context.scene, np.stack([studio.shown(item) for item in cables])
    length = np.linalg.norm(np.diff(x, axis=2), axis=3).sum(axis=2)
    assert np.abs(length / length[:, :1] - 1.0).max() < 1e-5, length
    splitter = bpy.data.objects["Splitter"].tendril.result
    gap = 0.0
    for frame in range(1, FRAMES + 1, 5):
        scene.frame_set(frame)
        middle = np.array(splitter.matrix_world.translation)
        gap = max(gap, np.linalg.norm(x[:, frame - 1, 0] - middle, axis=1).max())
    assert gap < 1e-5, gap
    assert x[..., 2].min() > RADIUS - 1e-5, x[..., 2].min()
    way = np.linalg.norm(np.diff(x[0, :, 0], axis=0), axis=1).sum()
    return f"The splitter goes {100.0 * way:.0f} cm with its cables, which meet in it within {1e6 * gap:.0f} µm."


if __name__ == "__main__":
    studio.produce("headphones", build, check, MOMENTS, **PICTURE)
