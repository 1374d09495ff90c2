"""A pile of fifty rods. They are dropped into a tray, layer upon layer, slide off each other and come to rest: less
than a millionth is left of the kinetic energy that they fell with.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES = 84
LAYERS, EACH = 10, 5
LENGTH, RADIUS, POINTS = 0.3, 0.01, 7  # m, m
LOW, APART = 0.12, 0.07  # m: of the lowest layer, from one layer to the next
TRAY, WALL, LEAN, THIN = 0.2, 0.1, 0.03, 0.001  # m: half as wide, as high, so much wider at the top, as thick
COLORS = ((0.75, 0.35, 0.03), (0.03, 0.3, 0.4), (0.6, 0.05, 0.05), (0.7, 0.62, 0.45))
MOMENTS = {1: "let go", 6: "they fall", 12: "on each other", FRAMES: "at rest"}
PICTURE = {"size": (420, 320), "columns": 2}
CLIP = range(1, 43, 2)  # frames


def build():
    """The scene, ready to bake; returns the rods."""
    scene = studio.empty_scene(FRAMES)
    pile = studio.polylines("Pile", sticks(), RADIUS)
    bpy.ops.tendril.add_rod()
    rod = pile.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = 0.01, 0.4, 1000.0, 1.0
    rod.friction, rod.internal_damping, rod.points = 0.4, 0.01, POINTS
    for k, color in enumerate(COLORS):
        pile.data.materials.append(looks.material(f"Rod {k}", color, 0.4))
    for k, spline in enumerate(pile.data.splines):
        spline.material_index = k % len(COLORS)
    pile.select_set(False)
    tray()
    studio.corner(scene, size=0.7, floor=-THIN, centre=(0.0, 0.0, 0.15))
    studio.camera(scene, target=(0.0, 0.0, 0.24), width=1.15, height=0.4)
    return pile


def sticks():
    """The lines (POINTS, 3) [m] of fifty straight rods: layers that lie crosswise, each askew."""
    chance, found = np.random.default_rng(1), []
    for layer in range(LAYERS):
        turn = 0.5 * np.pi * layer + chance.uniform(-0.6, 0.6)
        along, aside = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
        for k in range(EACH):
            s = np.linspace(-0.5, 0.5, POINTS) * LENGTH
            up = LOW + APART * layer + chance.uniform(-0.1, 0.1) * s
            flat = (k - 0.5 * (EACH - 1)) * 0.05 * aside + chance.uniform(-0.02, 0.02) * along + np.outer(s, along)
            found.append(np.column_stack([flat, up]))
    return found


def tray():
    """A collider of a bottom and four walls."""
    corners, levels = ((-1, -1), (1, -1), (1, 1), (-1, 1)), ((TRAY, 0.0), (TRAY + LEAN, WALL))
    ring = [(x * r, y * r, z) for r, z in levels for x, y in corners]
    mesh = bpy.data.meshes.new("Tray")
    mesh.from_pydata(ring, [], [(0, 1, 2, 3), *((k, 4 + k, 4 + (k + 1) % 4, (k + 1) % 4) for k in range(4))])
    mesh.materials.append(looks.material("Steel", (0.30, 0.32, 0.34), 0.4, 0.6))
    item = studio.add("Tray", mesh)
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_collider()
    item.collision.thickness_outer = THIN
    item.select_set(False)


def check(_pile):
    """All rods lie in the tray, at rest for a second, none deep in another or in the tray at any frame."""
    x, fps = measure.baked()[0], bpy.context.scene.render.fps
    energy = np.sum((np.diff(x, axis=0) * fps) ** 2, axis=(1, 2))
    left = energy[-fps:].max() / energy.max()
    assert np.abs(x[-1, :, :2]).max() < TRAY + LEAN
    assert left < 1e-6, left
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    high = x[-1, :, 2].max() + RADIUS
    return (
        f"{LAYERS * EACH} rods lie {100.0 * high:.0f} cm high; {left:.0e} of their kinetic energy is left. "
        f"Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


if __name__ == "__main__":
    studio.produce("pile", build, check, MOMENTS, **PICTURE)
