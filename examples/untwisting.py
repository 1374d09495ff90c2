"""Untwisting. A bar hangs on a rubber cord, a Cosserat rod. A hand winds it up by two turns and lets go; it turns back,
past its rest, and back again. The cord has inertia about itself, a hundred times that of its mass: as much as the bar.
So it is a torsional pendulum with a heavy spring, which turns by ω = k √(C/J), cot kL − tan ka = kI/J, where I is the
bar's inertia, J the cord's per length, L its length down to the bar and a beyond it. A Kirchhoff rod, whose twist has
no inertia, would let it turn by √(C/IL).
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from scipy.optimize import brentq

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, WOUND, RELEASE = 240, 49, 61  # frames
LENGTH, TAIL, RADIUS = 1.0, 0.1, 0.012  # m, from the hook to the bar, and on to the end
DRAWN = 0.01  # m: how far the hand draws the cord, so that it is taut while it is wound
TURNS, SPIN_FACTOR = 2.0, 100.0
MASS, WIDTH = 0.3, 0.36  # kg, m, of the bar
STIFFNESS, DENSITY, DAMPING = 0.002, 1000.0, 0.01  # GPa, kg/m³, s
MOMENTS = {1: "hung", RELEASE: "wound up", 79: "let go", 95: "past its rest"}
PICTURE = {"size": (300, 480), "columns": 4}


def build(points=56):
    """The scene, ready to bake; returns the cord."""
    scene = studio.empty_scene(FRAMES)
    scene.tendril.contact = False
    steel = looks.material("Steel", (0.5, 0.52, 0.55), 0.3, 1.0)
    hook = studio.add("Hook", looks.prism("Hook", 16, 0.035, 0.05, steel), (0.0, 0.0, 0.025))
    line = np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, -LENGTH - TAIL), points)
    cord = studio.polylines("Cord", [line], RADIUS)
    bpy.ops.tendril.add_rod()
    settings = cord.tendril.rod
    settings.model, settings.spin_factor = "COSSERAT", SPIN_FACTOR
    settings.young, settings.poisson, settings.density, settings.bend_factor = STIFFNESS, 0.5, DENSITY, 1.0
    settings.points, settings.shape_memory, settings.internal_damping = 0, 0.0, DAMPING  # the points as drawn
    cord.data.materials.append(looks.striped_rope("Cord", LENGTH + TAIL, RADIUS))
    pin(cord, hook, 0.0)
    wind(pin(cord, hand(), 1.0), bpy.data.objects["Hand"])
    bar(cord)
    studio.corner(scene, size=1.0, floor=-1.6, centre=(0.0, 0.0, -0.6))
    studio.camera(scene, target=(0.0, 0.0, -0.56), width=0.8, height=0.1)
    return cord


def pin(cord, holder, fraction):
    """Clamp the cord's start or end to an object; returns the pin."""
    cord.select_set(True)
    holder.select_set(True)
    bpy.context.view_layer.objects.active = cord
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="OBJECT", mode="TWIST")
    holder.select_set(False)
    return cord.tendril.pins[-1]


def hand():
    """A key below the bar."""
    return studio.add("Hand", looks.prism("Hand", 6, 0.03, 0.12, looks.brass()), (0.0, 0.0, -LENGTH - TAIL - 0.05))


def wind(held, key):
    """Turn the key and draw the cord taut with it; then let go and take it away."""
    place = key.location.z
    ways = {1: (0.0, 0.0), WOUND: (TURNS, DRAWN), RELEASE: (TURNS, DRAWN), RELEASE + 16: (TURNS, 0.4)}
    for frame, (turns, low) in ways.items():
        key.rotation_euler.z, key.location.z = 2.0 * np.pi * turns, place - low
        key.keyframe_insert("rotation_euler", index=2, frame=frame)
        key.keyframe_insert("location", index=2, frame=frame)
    for frame, influence in ((1, 1.0), (RELEASE, 0.0)):
        held.influence = influence
        held.keyframe_insert("influence", frame=frame)
    studio.at_once(held.id_data)


def bar(cord):
    """The bar at the cord's end, tied to it."""
    paint = looks.material("Bar", (0.75, 0.35, 0.03), 0.35)
    item = studio.add("Bar", looks.crate("Bar", (WIDTH, 0.04, 0.03), paint), (0.0, 0.0, -LENGTH))
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_body()
    item.tendril.body.mass, item.tendril.body.collide = MASS, False
    cord.select_set(True)
    bpy.ops.tendril.tie(mode="TWIST")


def check(_cord):
    """The slowest vibration of the cord and the bar has the period of the closed form."""
    scene, (x, m1, _) = measure.description(), measure.baked()
    stiffness, tied = scene.rods[0].twist_stiffness[0], scene.welds[0].vertex
    angle, count = turned(x, m1)[RELEASE:], m1.shape[1]
    piece = (LENGTH + TAIL) / count
    s = piece * (np.arange(count) + 0.5)
    length, tail = s[tied], LENGTH + TAIL - s[tied]  # the bar is tied to an edge
    spin = SPIN_FACTOR * DENSITY * 0.5 * np.pi * RADIUS**4  # kg m²/m
    inertia = scene.bodies[0].inertia[2, 2]
    k = brentq(lambda k: 1.0 / np.tan(k * length) - np.tan(k * tail) - k * inertia / spin, 1e-6, 0.5 * np.pi / length)
    omega = k * np.sqrt(stiffness / spin)
    below = np.sin(k * length) * np.cos(k * (LENGTH + TAIL - s)) / np.cos(k * tail)
    shape, bar = np.where(s < length, np.sin(k * s), below), angle[:, tied]
    slowest = spin * piece * angle @ shape + inertia * bar * shape[tied]  # all others are orthogonal to it
    period, law = between(slowest), 2.0 * np.pi / omega
    step = piece * np.sqrt(DENSITY / (STIFFNESS * 1e9))  # s, the longest at which stretching is stable
    assert abs(period / law - 1.0) < bound(k * piece, omega, step), (period, law)
    without = 2.0 * np.pi * np.sqrt(inertia * length / stiffness)
    return (
        f"Wound up by {TURNS:.0f} turns, the bar swings {-bar.min() / (2.0 * np.pi):.1f} turns beyond its rest. "
        f"Its period is {period:.3f} s; the closed form's {law:.3f} s, and {without:.3f} s on a cord without inertia."
    )


def bound(phase, omega, step):
    """How far a period may be from its closed form: pieces that turn as one, friction, and steps of first order."""
    return phase**2 / 24.0 + (0.5 * DAMPING * omega) ** 2 / 2.0 + omega * step


def turned(x, m1):
    """(F, m) [rad] how far each edge's middle is turned from the hook, positive as the hand turns."""
    steps = -measure.twist(x, m1)  # the cord leads down
    return np.cumsum(np.concatenate([0.5 * steps[:, :1], steps], axis=1), axis=1)  # half a piece from the hook


def between(wave):
    """Period [s] of a wave (F,), from where it crosses zero."""
    before = np.flatnonzero(np.diff(np.sign(wave)) != 0)
    times = before + wave[before] / (wave[before] - wave[before + 1])
    return 2.0 * np.polyfit(np.arange(len(times)), times, 1)[0] / bpy.context.scene.render.fps


if __name__ == "__main__":
    studio.produce("untwisting", build, check, MOMENTS, **PICTURE)
