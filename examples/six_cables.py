"""Six cables of a plug. It is drawn out of its row, moved and turned; its cables lie beside each other, and do not go
through each other. At each frame all of them are at rest, clamped by plug and box.

The plug is keyed. New Cable between Selected makes the six, side by side; Bake does the rest.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import plugged_in
import studio

FRAMES, COUNT, GAP, SLACK = 60, 6, 0.011, 0.3  # GAP: m, between two
BOX, PLUG = np.array([-0.35, 0.0, 0.25]), np.array([0.25, 0.0, 0.25])  # m
WAY = {1: PLUG, 30: (0.2, -0.05, 0.36), 60: (0.12, 0.06, 0.36)}  # frame: m
TURN = {1: 0.0, 30: 0.5, 60: 1.4}  # frame: rad about z
COLORS = (0.7, 0.04, 0.02), (0.75, 0.3, 0.02), (0.7, 0.6, 0.04), (0.04, 0.3, 0.06), (0.03, 0.1, 0.45), (0.2, 0.03, 0.3)
MOMENTS = {1: "plugged in", 30: "drawn out", 60: "and turned"}
PICTURE = {"size": (480, 360), "columns": 3}


def build():
    """The scene, ready to bake; returns the cables."""
    scene = studio.empty_scene(FRAMES)
    box, plug = (
        block("Box", BOX, (0.05, 0.2, 0.12), (-0.025, 0.0, 0.0)),
        block("Plug", PLUG, (0.04, 0.12, 0.03), (0.02, 0.0, 0.0)),
    )
    for item in (plug, box):
        item.select_set(True)
    bpy.context.view_layer.objects.active = box
    bpy.ops.tendril.new_cable(
        count=COUNT, arrangement="ROW", gap=GAP, slack=SLACK, mode="TWIST", preset="electrical_cable"
    )
    cables = [item for item in scene.objects if item.tendril.is_rod]
    for number, (cable, color) in enumerate(zip(cables, COLORS, strict=True)):
        cable.data.materials.append(looks.material(f"Cable {number}", color, 0.4))
    for index in range(3):
        studio.steadily(plug, "location", index, {frame: place[index] for frame, place in WAY.items()})
    studio.steadily(plug, "rotation_euler", 2, TURN)
    plugged_in.eased(plug)
    studio.corner(scene, size=0.8, floor=-0.35, color=(0.09, 0.10, 0.11))
    studio.camera(scene, target=(-0.04, 0.0, 0.13), width=0.85, height=0.64)
    return cables


def block(name, place, size, offset):
    """A box whose origin is where its cables leave it."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    item = bpy.context.object
    item.name = name
    points = np.array([vertex.co for vertex in item.data.vertices]) * size + offset
    item.data.vertices.foreach_set("co", points.ravel())
    item.data.materials.append(looks.material(name, (0.04, 0.04, 0.045), 0.35))
    item.select_set(False)
    return item


def check(cables):
    """They keep their lengths, and are a diameter apart at least, but for a hundredth."""
    x = np.stack([studio.shown(item) for item in cables])
    length = np.linalg.norm(np.diff(x, axis=2), axis=3).sum(axis=2)
    assert len(cables) == COUNT
    assert np.abs(length / length[:, :1] - 1.0).max() < 1e-4, length
    diameter = 2.0 * cables[0].data.bevel_depth
    least = min(apart(x[i, frame], x[j, frame]) for frame in range(FRAMES) for i in range(COUNT) for j in range(i))
    assert least > 0.99 * diameter, (least, diameter)
    return (
        f"The plug turns by {np.degrees(TURN[FRAMES]):.0f}°; cables of {1e3 * diameter:.1f} mm come no nearer to each "
        f"other than {1e3 * least:.2f} mm, from middle to middle."
    )


def apart(a, b, fine=8):
    """Least distance [m] of two polylines, looked at in so many places of each edge."""
    share = np.arange(fine)[:, None, None] / fine
    one, other = (((1.0 - share) * x[:-1] + share * x[1:]).reshape(-1, 3) for x in (a, b))
    return np.linalg.norm(one[:, None] - other, axis=2).min()


if __name__ == "__main__":
    studio.produce("six_cables", build, check, MOMENTS, **PICTURE)
