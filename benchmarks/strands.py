"""Hair in the wind: what 5000 strands of 20 vertices take, and how memory grows with their number, also of those that
may touch.
"""

import os
import subprocess
import sys
from time import perf_counter

import numpy as np
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import ForceField, Pin, Rod, Scene

from .measure import most_memory, row

HAIR = Material(3.89e9, 0.38, 1320.0, internal_damping=0.002, drag_coefficient=7.0)  # presets/rods/human_hair
POINTS, LENGTH, RADIUS = 20, 0.2, 3.5e-5  # m
HEAD = 0.09  # m
STRANDS, FRAMES, TOUCHING = 5000, 250, 3000
FPS = 24
GOAL = "this project's goal"


def rows():
    bake(4, 3)  # compiles what is not compiled
    seconds, most = _apart(STRANDS, FRAMES, "GOOD")
    preview, _ = _apart(STRANDS, FRAMES, "PREVIEW")
    fewer, none = (_apart(count, 3, "GOOD")[1] for count in (STRANDS // 5, 4))
    touching, few = (_apart(count, 3, "GOOD", True)[1] for count in (TOUCHING, TOUCHING // 10))
    each = 1e6 * (touching - few) / (0.9 * TOUCHING * POINTS)
    case = f"{STRANDS} hairs of {POINTS} vertices in the wind, {FRAMES} frames"
    grown = (most - none) / (fewer - none)
    return [
        row(f"{case}, on two cores", "s", seconds, 60.0, GOAL),
        row(f"{case}, Preview", "s", preview, 60.0, GOAL),
        row("memory of five times as many hairs", "times as much", grown, 5.0, "what is linear"),
        row(f"{TOUCHING} hairs that may touch", "kB a point", each, 4.0, GOAL),
    ]


def hair(count, frames, quality="GOOD", touches=False):
    """Strands that stand on the upper half of a head, evenly, in a wind that swells and veers within seconds."""
    k = np.arange(count) + 0.5
    up, turn = 1.0 - k / count, np.pi * (3.0 - np.sqrt(5.0)) * k  # along Fibonacci's spiral
    away = np.stack([np.sqrt(1.0 - up * up) * np.cos(turn), np.sqrt(1.0 - up * up) * np.sin(turn), up], axis=1)
    along = np.linspace(HEAD, HEAD + LENGTH, POINTS)[:, None]
    rods = tuple(Rod.from_material("hair", along * n, RADIUS, HAIR, touches=touches) for n in away)
    pins = tuple(Pin.fixed(rod, 0, "TWIST", rod=r) for r, rod in enumerate(rods))
    return Scene(
        rods, 1.0 / FPS, frames, pins, fields=(_wind(frames),), contact=touches, solver="IMPLICIT", quality=quality
    )


def _wind(frames):
    """3 m/s along x, more or less by a third, that begins within a second."""
    t = np.arange(frames) / FPS
    swell, gusts, veer = (np.sin(2.0 * np.pi * t / period) for period in (5.0, 1.3, 3.0))
    speed = 3.0 * np.minimum(t, 1.0) * (1.0 + 0.2 * swell + 0.15 * gusts)
    c, s = np.cos(0.15 * veer), np.sin(0.15 * veer)
    z_to_wind = np.sqrt(0.5) * np.stack([c, -s, c, s], axis=1)
    return ForceField("wind", "WIND", t, np.zeros((frames, 3)), z_to_wind, strength=speed)


def bake(count, frames, quality="GOOD", touches=False):
    """Seconds of the frames after the first."""
    for item in simulate(hair(count, frames, quality, touches)):
        if item.index == 0:
            begun = perf_counter()
    return perf_counter() - begun


def _apart(count, frames, quality, touches=False):
    """(seconds, most memory [GB]) of a bake in a process of its own on two cores."""
    command = [sys.executable, "-m", "benchmarks.strands", str(count), str(frames), quality, "touches" * touches]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return tuple(map(float, said))


def main(count, frames, quality, touches):
    """Bake on two cores, where that can be said, and tell."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    print(bake(int(count), int(frames), quality, bool(touches)), most_memory())


if __name__ == "__main__":
    main(*sys.argv[1:])
