"""Slinky. A hand lifts the top of a stacked spring over to the step below and lets go: the spring draws itself after,
lands on its top, and has swing enough to take the next step alone. Nothing but contact holds its sixty coils apart.
"""

import sys
from pathlib import Path

import bpy
import numpy as np
from mathutils import Euler, Vector

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
import touching

FRAMES, FPS = 130, 48
COILS, ROUND = 60, 12  # points of a coil
WIDE, RADIUS = 0.035, 0.00125  # m: of a coil, of its wire
APART = 2.03 * RADIUS  # from coil to coil, when they rest
STEPS, RISE, TREAD, FIRST = 3, 0.12, 0.14, 0.06  # , m, m, m: where the first step ends
LED, ARCH, ABOVE = 17, 0.1, 0.003  # frames; m: how high the hand goes, how far above the step it lets go
THIN = 0.001  # m
MOMENTS = {1: "stacked", 10: "lifted over", 19: "let go", 34: "all follows", 52: "lands again", 130: "two steps down"}
PICTURE = {"size": (340, 340), "columns": 3}


def build():
    """The scene, ready to bake; returns the spring."""
    scene = studio.empty_scene(FRAMES, FPS)
    turn = np.arange(COILS * ROUND + 1) * 2.0 * np.pi / ROUND
    height = RADIUS + THIN + APART * turn / (2.0 * np.pi)
    spring = studio.polylines("Slinky", [np.column_stack([WIDE * np.cos(turn), WIDE * np.sin(turn), height])], RADIUS)
    bpy.ops.tendril.add_rod()
    rod = spring.tendril.rod
    rod.young, rod.poisson, rod.density, rod.internal_damping, rod.friction = 3.5, 0.4, 1000.0, 2e-4, 0.3
    rod.bend_factor, rod.points = 1.0, len(turn)
    spring.data.materials.append(looks.material("Blue", (0.02, 0.12, 0.6), 0.25))
    hold(spring, lead(height[-1]))
    staircase()
    studio.corner(scene, size=1.0, floor=-STEPS * RISE, centre=(0.15, 0.0, 0.0))
    studio.camera(scene, target=(0.16, 0.0, -0.06), width=0.56, height=0.3)
    return spring


def hold(spring, hand):
    """The hand holds the last coil at every quarter of it, until the spring is over."""
    spring.select_set(True)
    bpy.context.view_layer.objects.active = spring
    for quarter in range(5):
        place = 1.0 - quarter / (4.0 * COILS)
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=place, holder="OBJECT", mode="POSITION")
    hand.select_set(False)
    spring.select_set(False)
    for pin in spring.tendril.pins:
        for frame, influence in ((LED + 1, 1.0), (LED + 2, 0.0)):
            pin.influence = influence
            pin.keyframe_insert("influence", frame=frame)


def lead(top):
    """An empty that turns over from the top of the stack to the step below it."""
    bpy.ops.object.empty_add(location=(0.0, 0.0, top))
    hand = bpy.context.object
    hand.name, hand.empty_display_size = "Hand", 0.02
    start, end = Vector((0.0, 0.0, top)), Vector((TREAD, 0.0, RADIUS + THIN + ABOVE - RISE))
    for frame in range(LED + 1):
        u = frame / LED
        s = u * u * (3.0 - 2.0 * u)
        hand.location = start.lerp(end, s) + Vector((0.0, 0.0, ARCH * np.sin(np.pi * s)))
        hand.rotation_euler = Euler((0.0, np.pi * s, 0.0))
        hand.keyframe_insert("location", frame=1 + frame)
        hand.keyframe_insert("rotation_euler", frame=1 + frame)
    return hand


def staircase():
    """A collider of steps down to the right."""
    edges = np.append(-0.2, FIRST + TREAD * np.arange(STEPS))
    edges[-1] = 0.6
    line = [(x, -k * RISE) for k in range(STEPS) for x in edges[k : k + 2]]
    line += [(x, -STEPS * RISE) for x in edges[[-1, 0]]]
    wood = looks.material("Wood", (0.35, 0.2, 0.1), 0.5)
    item = studio.add("Steps", looks.extruded("Steps", line, 0.24, wood))
    studio.collider(item, THIN)
    return item


def check(_spring):
    """It leaves the first step, then the second, and rests on the lowest, no coil in another."""
    x = measure.baked()[0]
    middle, low = x.mean(axis=1), x[:, :, 2].min(axis=1)
    left = [int((x[:, :, 0].min(axis=1) > edge).argmax()) for edge in (FIRST - WIDE, FIRST + TREAD - WIDE)]
    assert 0 < left[0] < left[1], left
    assert x[-1, :, 0].min() > FIRST + TREAD
    assert np.abs(low[-1] + (STEPS - 1) * RISE - RADIUS - THIN) < 0.1 * RADIUS, low[-1]
    deep = touching.deepest(each=10)
    assert deep < 0.05, deep
    way = np.linalg.norm(middle[-1] - middle[0])
    return (
        f"Led for {LED / FPS:.2f} s, it takes the second step alone and goes {way:.2f} m in all. "
        f"Coils are never deeper in each other or in the steps than {max(deep, 0.0):.1%} of their radius."
    )


if __name__ == "__main__":
    studio.produce("slinky", build, check, MOMENTS, **PICTURE)
