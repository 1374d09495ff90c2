"""Soft ball on a rope. A ball of soft silicone is let go and swings into a tower of crates: it gives way, pushes them
over, and springs back. What fell so far and turned as it went has v² (1 + ⅖ r²/L²) = 2 g h; the ball is a little
slower, for it is drawn long on its way.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 72
LENGTH, RADIUS, BALL = 1.3, 0.01, 0.17  # m: of the rope, of its section, of the ball
INSIDE = 0.1  # m that the rope goes on in the ball
HANGS, ASIDE = 1.85, np.radians(60.0)  # m, rad from the vertical
YOUNG = 40.0  # kPa
CRATE, CRATES, NEAR = 0.22, 3, 0.16  # m, , m from under the hook
MOMENTS = {1: "let go", 15: "it strikes", 17: "gives way", 20: "pushes them over", 28: "they fall", FRAMES: "swings on"}
PICTURE = {"size": (400, 300), "columns": 3}


def build(points=30, resolution=7):
    """The scene, ready to bake; returns the ball."""
    scene = studio.empty_scene(FRAMES)
    away, up = np.array([-np.sin(ASIDE), 0.0, -np.cos(ASIDE)]), np.array([0.0, 0.0, HANGS])
    hook = studio.add("Hook", looks.ball("Hook", 0.02, looks.brass()), up)
    line = np.linspace(0.0, LENGTH + INSIDE, 5)[:, None] * away + up
    rope = studio.hung(hook, line, LENGTH, RADIUS, points)
    ball = silicone((LENGTH + BALL) * away + up, -away, resolution)
    rope.select_set(True)
    bpy.context.view_layer.objects.active = ball
    bpy.ops.tendril.add_soft_pin()
    rope.select_set(False)
    ball.select_set(False)
    tower()
    scene.tendril.use_floor = True
    studio.corner(scene, size=1.2, floor=0.0, centre=(0.0, 0.0, 0.6))
    studio.camera(scene, target=(0.2, 0.0, 0.9), width=3.6, height=0.12)
    return ball


def silicone(place, up, resolution):
    """A soft ball around a place, which the rope is to hold where it enters."""
    mesh = looks.ball("Ball", BALL, looks.material("Silicone", (0.75, 0.08, 0.10), 0.25))
    ball = studio.add("Ball", mesh, place)
    top = ball.vertex_groups.new(name="Top")
    out = np.array([vertex.co for vertex in mesh.vertices]) @ up
    top.add([int(k) for k in np.flatnonzero(out > 0.75 * BALL)], 1.0, "REPLACE")
    ball.select_set(True)
    bpy.context.view_layer.objects.active = ball
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="silicone")
    ball.tendril.soft.young, ball.tendril.soft.resolution = YOUNG, resolution
    return ball


def tower():
    """Crates on each other."""
    mesh = looks.crate("Crate", (CRATE, CRATE, CRATE), looks.material("Wood", (0.42, 0.24, 0.10), 0.65))
    for row in range(CRATES):
        item = studio.add(f"Crate {row}", mesh, (NEAR + 0.5 * CRATE, 0.0, (row + 0.5) * CRATE))
        studio.rigid_body(item, density=250.0)


def check(_ball):
    """It strikes nearly as fast as a stiff one, gives way, is round again in the end; the crates fall."""
    scene, (x, _, poses), fps = measure.description(), measure.baked(), bpy.context.scene.render.fps
    ball = x[:, len(scene.rods[0].x) :]
    middle, crates = ball.mean(axis=1), poses[:, :, :3]
    strikes = int(np.argmax(np.abs(crates - crates[0]).max(axis=(1, 2)) > 0.002)) - 1  # the last frame before
    speed = np.linalg.norm(middle[strikes] - middle[strikes - 1]) * fps
    fallen = middle[0, 2] - 0.5 * (middle[strikes, 2] + middle[strikes - 1, 2])
    law = np.sqrt(2.0 * 9.81 * fallen / (1.0 + 0.4 * (BALL / (LENGTH + BALL)) ** 2))
    assert 0.95 < speed / law < 1.0, (speed, law)
    wide = np.ptp(ball[:, :, 0], axis=1)
    flat = wide[strikes : strikes + fps // 2].min() / wide[0]
    assert flat < 0.95, flat
    assert abs(wide[-1] / wide[0] - 1.0) < 0.05, wide[-1]
    assert np.linalg.norm(crates[-1] - crates[0], axis=1).max() > CRATE
    over = int((np.linalg.norm(crates[-1] - crates[0], axis=1) > CRATE).sum())
    return (
        f"The ball strikes with {speed:.2f} m/s, a stiff one with {law:.2f}; it is {1.0 - flat:.0%} flatter for "
        f"a moment; {over} crates are pushed over."
    )


if __name__ == "__main__":
    studio.produce("soft_ball", build, check, MOMENTS, **PICTURE)
