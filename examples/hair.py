"""Hair. One curve object of 5000 strands with 20 points each, clamped to a knob that turns in the wind. However they
leave it, a hand's breadth further all of them point where the air's drag k v² cos² φ across a strand bears its weight
w sin φ, φ from the vertical: in the direction of a limp string in a stream.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 84
STRANDS, POINTS = 5000, 20
KNOB, LENGTH = 0.06, 0.25  # m
SPREAD = 0.9  # rad, from straight down
THICK = 3.5e-5  # m: radius of a hair, as the physics has it
DRAWN = 2.5e-4  # m: and as it is seen, a strand of many
WIND = 0.7  # m/s
TURN = (24, 48)  # frames: between them the knob turns
MOMENTS = {1: "as drawn", 8: "let go", 30: "in the wind", 84: "at rest in it"}
PICTURE = {"size": (480, 400), "columns": 2}


def build(strands=STRANDS):
    """The scene, ready to bake; returns the hair. Made as an artist would."""
    scene = studio.empty_scene(FRAMES)
    knob = studio.add("Knob", looks.ball("Knob", KNOB, looks.brass()))
    hair = studio.polylines("Hair", list(combed(strands)), DRAWN)
    hair.data.bevel_resolution = 1
    hair.data.materials.append(looks.material("Hair", (0.75, 0.4, 0.12), 0.4))
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="human_hair")
    rod = hair.tendril.rod
    rod.use_radius, rod.radius, rod.touches = True, THICK, False
    scene.tendril.solver = "IMPLICIT"
    knob.select_set(True)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="TWIST")
    studio.steadily(knob, "rotation_euler", 2, {TURN[0]: 0.0, TURN[1]: 0.5 * np.pi})
    bpy.ops.tendril.add_wind(speed=WIND, gusts=0.0)
    studio.corner(scene, size=0.5, floor=-0.35)
    studio.camera(scene, target=(0.06, 0.0, -0.09), width=0.6)
    return hair


def combed(strands):
    """Strands (k, POINTS, 3), straight, that leave the lower part of the knob evenly."""
    k = np.arange(strands) + 0.5
    height, turn = 1.0 - (1.0 - np.cos(SPREAD)) * k / strands, np.pi * (3.0 - np.sqrt(5.0)) * k  # Fibonacci's spiral
    around = np.sqrt(1.0 - height * height)
    away = np.stack([around * np.cos(turn), around * np.sin(turn), -height], axis=1)
    return away[:, None] * np.linspace(KNOB, KNOB + LENGTH, POINTS)[:, None]


def check(_hair):
    """Roots go with the knob, strands keep their lengths, and all tips come to point where a limp string does."""
    scene, (x, _, _) = measure.description(), measure.baked()
    x = x.reshape(len(x), -1, POINTS, 3)
    stretched = np.abs(np.linalg.norm(np.diff(x, axis=2), axis=3) / (LENGTH / (POINTS - 1)) - 1.0).max()
    assert stretched < 1e-4, stretched
    slipped = np.linalg.norm(x[-1, :, 0, :2] - x[0, :, 0, 1::-1] * (-1.0, 1.0), axis=1).max()
    assert slipped < 1e-5, slipped
    tip = x[-1, :, -1] - x[-1, :, -3]
    angle = np.degrees(np.arctan2(tip[:, 0], -tip[:, 2]))
    law = np.degrees(limp(scene))
    assert np.abs(angle - law).max() < 0.5, (angle.min(), angle.max(), law)
    return (
        f"{x.shape[1]} tips point {angle.mean():.1f} ± {angle.std():.1f}° from the vertical; a limp string {law:.1f}°."
    )


def limp(scene):
    """Angle φ [rad] from the vertical of a limp string: k v² cos² φ = w sin φ."""
    rod = scene.rods[0]
    weight = rod.mass.sum() * 9.81 / LENGTH
    drag = 0.5 * scene.air_density * rod.drag_coefficient * 2.0 * THICK * WIND**2
    half = 0.5 * weight / drag
    return np.arcsin(np.sqrt(half * half + 1.0) - half)


if __name__ == "__main__":
    studio.produce("hair", build, check, MOMENTS, **PICTURE)
