"""A closed rod: a hoop of hose, pressed to an ellipse, is let go in mid-air, springs round and lands on the floor.

Until it lands its centre falls by ½gt².
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 96
RADIUS = 0.012  # m
WIDE, NARROW, TILT, HEIGHT = 0.30, 0.16, 0.5, 0.55  # m, m, rad, m
MOMENTS = {1: "let go", 4: "springing", 7: "falling", 9: "landing", 10: "folding flat", 96: "at rest"}


def build(points=72):
    """The scene, ready to bake; returns the hoop."""
    scene = studio.empty_scene(FRAMES)
    angle = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    across = NARROW * np.sin(angle)
    ellipse = np.stack([WIDE * np.cos(angle), across * np.cos(TILT), HEIGHT + across * np.sin(TILT)], axis=1)
    hoop = studio.curve("Hoop", ellipse, RADIUS, cyclic=True)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="garden_hose")
    rod, world = hoop.tendril.rod, scene.tendril
    rod.shape_memory, rod.points = 0.0, points
    world.use_floor, world.air_density = True, 0.0
    hoop.data.materials.append(looks.striped_rope("Hoop", 1.5, RADIUS))
    studio.corner(scene, size=0.9, floor=0.0)
    studio.camera(scene, target=(0.0, 0.0, 0.3), width=1.1, height=0.3)
    return hoop


def check(hoop):
    """It stays closed, falls as fast as a stone, lies on the floor in the end, and is round by then."""
    x = studio.shown(hoop)
    assert np.abs(x[:, 0] - x[:, -1]).max() < 1e-6
    centre = x[:, :-1].mean(axis=1)
    lowest = x[..., 2].min(axis=1)
    landing = int(np.argmax(lowest < 1.5 * RADIUS))
    times = np.arange(landing) / bpy.context.scene.render.fps
    fall = 0.5 * 9.81 * times**2
    off = np.abs(centre[0, 2] - centre[:landing, 2] - fall).max()
    assert landing > 4, landing
    assert off < 0.003, off
    assert np.abs(x[-1, :, 2] - RADIUS).max() < 0.1 * RADIUS, np.abs(x[-1, :, 2] - RADIUS).max()
    radius = np.linalg.norm(x[-1] - centre[-1], axis=1)
    assert np.ptp(radius) < 0.05 * radius.mean(), np.ptp(radius)
    return f"It fell {1e3 * fall[-1]:.0f} mm like a stone, to {1e3 * off:.1f} mm, and lies on the floor, round."


if __name__ == "__main__":
    studio.produce("ring", build, check, MOMENTS, size=(480, 360), columns=3)
