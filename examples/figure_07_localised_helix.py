"""Figure 7. A straight rod, twisted by 27 turns and shortened by 0.3 m, buckles into a helix that fades on both sides.

The angle φ from its axis obeys (cos φ − cos φ₀)/(1 − cos φ₀) = tanh²(s/s*), φ₀ and s* as theory has them for a rod
without end (van der Heijden & Thompson 2000).
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 240
LENGTH, RADIUS = 9.29, 0.06  # m
BEND, TWIST = 1.345, 0.789  # N m²
TURNS, SHORTENING = 27.0, 0.3  # , m
TURN, SHORTEN = (1, 60), (60, 120)  # frames
PHI, WIDTH = 0.91855, 0.38165  # φ₀ [rad], s* [m]
ERROR = {80: 0.040, 140: 0.020, 180: 0.0115}  # mean distance of the two sides allowed with so many edges
MOMENTS = {60: "twisted", 85: "shortened", FRAMES: "at rest"}
PICTURE = {"size": (720, 180), "columns": 1}


def build(points=80):
    """The scene, ready to bake; returns the rod."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.contact = False, False
    s = np.linspace(-0.5, 0.5, 25)
    rod = studio.curve("Rod", LENGTH * np.stack([s, 0.005 * np.cos(np.pi * s) ** 2, 0.0 * s], axis=1), RADIUS)
    bpy.ops.tendril.add_rod()
    settings, solid = rod.tendril.rod, 0.25 * np.pi * RADIUS**4
    settings.young, settings.poisson, settings.bend_factor = BEND / solid / 1e9, 0.5, 1.0
    settings.twist_factor, settings.density = 1.5 * TWIST / BEND, 60.0
    settings.points, settings.shape_memory, settings.internal_damping = points, 0.0, 0.02
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    for pin, side in zip(rod.tendril.pins, (-1.0, 1.0), strict=True):
        clamp = pin.target
        away = side * 0.5 * LENGTH
        studio.steadily(clamp, "rotation_euler", 0, {TURN[0]: 0.0, TURN[1]: side * TURNS * np.pi})
        studio.steadily(clamp, "location", 0, {SHORTEN[0]: away, SHORTEN[1]: away - side * 0.5 * SHORTENING})
    rod.data.materials.append(looks.striped_rope("Rod", LENGTH, RADIUS))
    studio.corner(scene, size=3.0, floor=-1.2)
    studio.camera(scene, target=(0.0, 0.0, 0.0), width=9.6)
    return rod


def check(rod):
    """The rod at rest has the helix of the theory: mean distance of its two sides over all edges."""
    x = measure.baked()[0][-1]
    edges = len(x) - 1
    s = LENGTH * ((np.arange(edges) + 0.5) / edges - 0.5)
    cosine = measure.tangents(x)[:, 0]
    error = np.mean(np.abs((cosine - np.cos(PHI)) / (1.0 - np.cos(PHI)) - np.tanh(s / WIDTH) ** 2))
    assert error < ERROR[edges], error
    return f"The helix of {edges} edges is {error:.3f} from the smooth rod's, of an envelope between 0 and 1."


if __name__ == "__main__":
    studio.produce("figure_07_localised_helix", build, check, MOMENTS, **PICTURE)
