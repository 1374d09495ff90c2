"""Bars and springs. All of them are Cosserat rods, after figure 6 of Spillmann & Teschner 2007, *CORDE*, whose wires of
50 pieces these are not: bars of rubber and springs of plastic. Bars, dropped crosswise on each other, stack. Springs,
whose shape is bent and twisted by nature, hang and are let go: each sinks by W/2k under its own weight W, with
k = G d⁴/8D³n of n coils of the diameter D, of a wire of the diameter d.
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

FRAMES, LAYERS, EACH, POINTS = 60, 2, 4, 13
LENGTH, RADIUS, BESIDE, DROP = 0.3, 0.01, 0.07, 0.02  # m: of a bar; from bar to bar of a layer; down to the next layer
WIDE, WIRE, PITCH, ROUND = 0.03, 0.0025, 0.012, 16  # m: a coil's radius, the wire's, one coil's rise; its points
COILS = (5, 10)
YOUNG, POISSON, DENSITY = 4e8, 0.4, 1000.0  # Pa, kg/m³, of the wire
MOMENTS = {1: "let go", 6: "they fall", FRAMES: "at rest"}
PICTURE = {"size": (320, 320), "columns": 3}
CLIP = range(1, 26, 2)  # frames


def build():
    """The scene, ready to bake; returns the bars."""
    scene = studio.empty_scene(FRAMES)
    scene.tendril.use_floor = True
    bars = studio.polylines("Bars", [bar(layer, k) for layer in range(LAYERS) for k in range(EACH)], RADIUS)
    solid(bars, 0.02, 0.35, 0.01)
    bars.tendril.rod.friction = 0.5
    bars.data.materials.append(looks.material("Bars", (0.75, 0.35, 0.03), 0.35))
    bars.select_set(False)
    for k, coils in enumerate(COILS):
        spring = studio.polylines(f"Spring {coils}", [helix(coils, 0.24 + 0.1 * k)], WIRE)
        solid(spring, 1e-9 * YOUNG, POISSON, 0.05)
        bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="TWIST")
        spring.data.materials.append(looks.material("Spring", (0.03, 0.3, 0.4), 0.3))
        spring.select_set(False)
    studio.corner(scene, size=0.7, floor=0.0, centre=(0.1, 0.0, 0.1))
    studio.camera(scene, target=(0.11, 0.0, 0.12), width=0.62, height=0.35)
    return bars


def solid(item, young, poisson, damping):
    """Make an object a Cosserat rod of one solid piece, which keeps its shape; young in GPa, damping in s."""
    bpy.ops.tendril.add_rod()
    rod = item.tendril.rod
    rod.model, rod.young, rod.poisson, rod.density, rod.bend_factor = "COSSERAT", young, poisson, DENSITY, 1.0
    rod.points, rod.shape_memory, rod.internal_damping = 0, 1.0, damping  # the points as drawn


def bar(layer, k):
    """The line (POINTS, 3) [m] of one bar."""
    s, aside = np.linspace(-0.5, 0.5, POINTS) * LENGTH, np.full(POINTS, (k - 0.5 * (EACH - 1)) * BESIDE)
    up = np.full(POINTS, (2 * layer + 1) * RADIUS + (layer + 1) * DROP)
    return np.column_stack([s, aside, up] if layer % 2 else [aside, s, up])


def helix(coils, x):
    """The line (k, 3) [m] of a spring that hangs down from its first point."""
    turn = np.linspace(0.0, 2.0 * np.pi * coils, coils * ROUND + 1)
    down = 0.3 - PITCH * turn / (2.0 * np.pi)
    return np.column_stack([x + WIDE * np.cos(turn), WIDE * np.sin(turn), down])


def check(_bars):
    """Bars lie on each other at rest, as high as they are thick; springs have sunk as the law says."""
    x, rods = measure.baked()[0], measure.description().rods
    parts = np.split(x, np.cumsum([len(rod.x) for rod in rods])[:-1], axis=1)
    bars = [part for part, rod in zip(parts, rods, strict=True) if rod.radius[0] > 2.0 * WIRE]
    springs = [part for part, rod in zip(parts, rods, strict=True) if rod.radius[0] < 2.0 * WIRE]
    high = max(np.abs(bar[-1, :, 2] - (2 * (k // EACH) + 1) * RADIUS).max() for k, bar in enumerate(bars)) / RADIUS
    assert high < 0.05, high
    still = np.linalg.norm(x[-1] - x[-13], axis=1).max() / RADIUS
    assert still < 0.01, still
    deep = touching.deepest(each=6)
    assert deep < 0.05, deep
    sunk = []
    for coils, spring in zip(COILS, sorted(springs, key=lambda part: part.shape[1]), strict=True):
        weight = DENSITY * np.pi * WIRE**2 * 9.81 * coils * np.hypot(2.0 * np.pi * WIDE, PITCH)
        rate = YOUNG / (2.0 + 2.0 * POISSON) * (2.0 * WIRE) ** 4 / (8.0 * (2.0 * WIDE) ** 3 * coils)
        law = weight / (2.0 * rate)
        sunk.append((spring[0, -1, 2] - spring[-1, -1, 2], law))
    assert all(abs(own / law - 1.0) < 0.05 for own, law in sunk), sunk
    said = ", and ".join(f"{1000.0 * own:.1f} mm, where W/2k is {1000.0 * law:.1f} mm" for own, law in sunk)
    return f"{LAYERS * EACH} bars lie still, {high:.1%} of their radius off at most. The springs have sunk by {said}."


if __name__ == "__main__":
    studio.produce("bars", build, check, MOMENTS, **PICTURE)
