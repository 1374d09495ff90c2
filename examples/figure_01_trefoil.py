"""Figure 1. A loose trefoil knot in a rope, its clamped ends slowly turned: one rope one way, its twin the other way.

Both change smoothly at first and jump at a critical twist; the shapes they jump to differ.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio
from trefoil_knot import grip, loose_knot

FRAMES = 210
RADIUS, APART = 0.011, 0.72  # m
TURN, TURNS = (10, 200), 5.2  # frames, turns of one end against the other
JUMPING, LEAD = 0.5, 10  # m/s, frames from when it begins to lose its balance
MOMENTS = {1: "tied", 80: "twisted by 2 turns", 120: "by 3 turns", FRAMES: "by 5 turns"}
PICTURE = {"size": (480, 200), "columns": 2}


def build(points=80):
    """The scene, ready to bake; returns the ropes, the first turned to the right."""
    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.settle = False, True
    look = looks.striped_rope("Rope", 1.46, RADIUS)
    ropes = [rope(points, place, sign, look) for place, sign in ((0.0, 1.0), (APART, -1.0))]
    studio.corner(scene, size=1.0, floor=-0.7)
    studio.camera(scene, target=(0.5 * APART, 0.0, -0.1), width=1.4, height=0.1)
    return ropes


def rope(points, place, sign, look):
    item = studio.curve("Rope", loose_knot() + (place, 0.0, 0.0), RADIUS)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="garden_hose")
    rod = item.tendril.rod
    rod.shape_memory, rod.points, rod.friction, rod.internal_damping = 0.0, points, 0.05, 0.03
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    for pin, side in zip(item.tendril.pins, (-1.0, 1.0), strict=True):
        clamp = pin.target
        studio.steadily(clamp, "rotation_euler", 0, {TURN[0]: 0.0, TURN[1]: sign * side * TURNS * np.pi})
        grip(clamp, side)
    item.data.materials.append(look)
    item.select_set(False)
    return item


def check(ropes):
    """Both stay trefoils, move slowly, then jump, to shapes of which one winds more than before, the other less."""
    from tendril.physics.diagnostics.knots import closing_points, knot_determinant

    found = []
    for x in np.split(measure.baked()[0], 2, axis=1):
        assert {knot_determinant(np.vstack([now, closing_points(now)])) for now in x[::5]} == {3}
        speed = np.linalg.norm(np.diff(x[TURN[0] :], axis=0), axis=2).max(axis=1) * bpy.context.scene.render.fps
        jump = int(np.argmax(speed > JUMPING))
        assert jump > LEAD, jump
        assert speed[: jump - LEAD].max() < 0.2 * JUMPING, speed
        before, after = (measure.winding(now, now) for now in x[TURN[0] + jump + np.array([-LEAD, LEAD])])
        found.append((TURNS * jump / (TURN[1] - TURN[0]), after - before))
    (right, gained), (left, lost) = found
    assert gained > 0.6, found
    assert lost < -0.6, found
    return (
        f"Turned with the knot it jumps after {right:.1f} turns and its writhe grows by {gained:.2f}; "
        f"against it, after {left:.1f} turns, and it falls by {-lost:.2f}."
    )


if __name__ == "__main__":
    studio.produce("figure_01_trefoil", build, check, MOMENTS, **PICTURE)
