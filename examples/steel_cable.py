"""Steel cable. A wire rope of 1000 points hangs doubled from a beam; one end is let go. The fold draws at the leg that
falls, so that its end is faster than a stone: v² = g x (2L − x)/(L − x) after a fall by x, for no energy is lost
(Calkin & March 1989, *The dynamics of a falling chain: I*).
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from scipy.integrate import quad

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, FPS = 108, 60
LENGTH, RADIUS, WIRES = 20.0, 0.004, 133  # m, m, in the rope
DRAWN = 0.035  # m: its radius as it is seen
APART = 0.8  # m, between its ends
LET_GO = 3  # frame
G = 9.81  # m/s²
MOMENTS = {1: "doubled", 40: "let go", 70: "faster", 90: "than a", 104: "stone"}
PICTURE = {"size": (190, 560), "columns": 5}


def build(points=1000):
    """The scene, ready to bake; returns the cable."""
    scene = studio.empty_scene(FRAMES, FPS)
    cable = studio.polylines("Cable", [doubled()], DRAWN)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="steel_wire")
    rod = cable.tendril.rod
    rod.use_radius, rod.radius, rod.bend_factor = True, RADIUS, 1.0 / WIRES
    rod.shape_memory, rod.points = 0.0, points
    scene.tendril.settle, scene.tendril.contact = True, False
    scene.tendril.solver, scene.tendril.quality = "IMPLICIT", "FINE"
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
    free = cable.tendril.pins[1]
    for frame, influence in ((LET_GO, 1.0), (LET_GO + 1, 0.0)):
        free.influence = influence
        free.keyframe_insert("influence", frame=frame)
    studio.at_once(cable)
    cable.data.materials.append(looks.material("Steel", (0.75, 0.77, 0.8), 0.5))
    stage(scene)
    return cable


def doubled():
    """Two legs and half a circle between them (k, 3)."""
    leg, r = 0.5 * (LENGTH - 0.5 * np.pi * APART), 0.5 * APART
    turn = np.linspace(0.0, np.pi, 60)
    x = np.concatenate([[-r], -r * np.cos(turn), [r]])
    z = np.concatenate([[0.0], -leg - r * np.sin(turn), [0.0]])
    return np.stack([x, 0.0 * x, z], axis=1)


def stage(scene):
    """A beam, and a stone that falls beside the cable."""
    brass = looks.brass()
    studio.add("Beam", looks.prism("Beam", 4, 0.3, 3.0, brass), (0.0, 0.0, 0.25)).rotation_euler.y = 0.5 * np.pi
    stone = studio.add("Stone", looks.ball("Stone", 0.16, looks.material("Stone", (0.6, 0.1, 0.04))), (1.2, 0.0, 0.0))
    time = np.maximum(np.arange(FRAMES) - LET_GO, 0.0) / FPS
    studio.steadily(stone, "location", 2, {k + 1: -0.5 * G * t * t for k, t in enumerate(time)})
    studio.corner(scene, size=12.0, floor=-22.0, centre=(0.0, 0.0, -10.0))
    studio.camera(scene, target=(0.2, 0.0, -9.9), width=7.2, height=0.02)


def check(_cable):
    """Its end falls as the law says until nine tenths are unrolled, and no edge changes its length."""
    x, _, _ = measure.baked()
    length = np.linalg.norm(np.diff(x, axis=1), axis=2)
    assert np.abs(length / length[0] - 1.0).max() < 1e-5
    fallen = x[LET_GO, -1, 2] - x[LET_GO + 1 :, -1, 2]
    taken = np.arange(1, len(fallen) + 1) / FPS
    law = np.array([falling_time(height) for height in fallen])
    unrolling = np.flatnonzero((fallen > 0.05 * LENGTH) & (fallen < 0.9 * LENGTH))
    late = (taken - law)[unrolling]  # the end slips out of its pin within the first frame
    first, last = unrolling[0], unrolling[-1]
    assert taken[last] - taken[first] > 1.2, taken[[first, last]]
    off = np.ptp(late) / (taken[last] - taken[first])
    assert off < 5e-3, off
    return (
        f"From {fallen[first]:.2f} to {fallen[last]:.2f} m the end falls within {taken[last] - taken[first]:.3f} s; "
        f"the law says {law[last] - law[first]:.3f} s. A stone falls by {0.5 * G * law[last] ** 2:.2f} m meanwhile."
    )


def falling_time(height):
    """Seconds in which the end falls by a height [m], where no energy is lost; of the whole length at most."""
    return quad(lambda x: np.sqrt((LENGTH - x) / (G * x * (2.0 * LENGTH - x))), 0.0, min(height, LENGTH))[0]


if __name__ == "__main__":
    studio.produce("steel_cable", build, check, MOMENTS, **PICTURE)
