"""Wrecking ball. An iron ball of 110 kg on a rope is let go and swings into six stacked crates. It strikes them as fast
as a pendulum is that comes down from θ₀ to θ, v² = 2 g L (cos θ − cos θ₀).
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

FRAMES = 96
LENGTH, RADIUS, BALL = 2.2, 0.012, 0.15  # m: of the rope, of its section, of the ball
HANGS, ASIDE = 2.85, np.radians(50.0)  # m, rad from the vertical
SIDE, GAP, NEAR = 0.3, 0.02, 0.2  # m: of a crate, between two, from under the hook to the first
MOMENTS = {1: "let go", 21: "it strikes", 26: "crates fly", 96: "three stand, three lie"}
PICTURE = {"size": (480, 360), "columns": 2}
CLIP = range(1, FRAMES + 1, 3)  # frames


def build(points=40):
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    away = np.array([-np.sin(ASIDE), 0.0, -np.cos(ASIDE)])
    hook = studio.add("Hook", looks.ball("Hook", 0.03, looks.brass()), (0.0, 0.0, HANGS))
    place = (LENGTH + BALL - 0.01) * away + [0.0, 0.0, HANGS]
    ball = studio.add("Ball", looks.ball("Ball", BALL, looks.material("Iron", (0.05, 0.05, 0.055), 0.35, 1.0)), place)
    studio.rigid_body(ball, density=7850.0, shape="SPHERE")
    line = np.linspace(0.0, LENGTH, 5)[:, None] * away + [0.0, 0.0, HANGS]
    rope = studio.hung(hook, line, LENGTH, RADIUS, points)
    rope.select_set(True)
    ball.select_set(True)
    bpy.context.view_layer.objects.active = ball
    bpy.ops.tendril.tie(mode="POSITION")
    ball.select_set(False)
    rope.select_set(False)
    stack()
    scene.tendril.use_floor = True
    studio.corner(scene, size=1.6, floor=0.0, centre=(0.3, 0.0, 0.8))
    studio.camera(scene, target=(0.65, 0.0, 1.35), width=5.4, height=0.12)
    return rope


def stack():
    """Three crates, two on them, one on those."""
    wood = looks.material("Wood", (0.42, 0.24, 0.10), 0.65)
    mesh = looks.crate("Crate", (SIDE, SIDE, SIDE), wood)
    for row in range(3):
        for k in range(3 - row):
            x = NEAR + 0.5 * SIDE + (SIDE + GAP) * (k + 0.5 * row)
            item = studio.add(f"Crate {row} {k}", mesh, (x, 0.0, (row + 0.5) * SIDE))
            studio.rigid_body(item, density=350.0)


def check(_rope):
    """The ball is as fast as a pendulum when it strikes; three crates fall and come to rest; nothing is in anything."""
    poses, fps = measure.baked()[2], bpy.context.scene.render.fps
    names = [body.name for body in measure.description().bodies]
    place, crates = poses[:, names.index("Ball"), :3], np.delete(poses, names.index("Ball"), axis=1)[:, :, :3]
    arm = np.linalg.norm(place[0] - [0.0, 0.0, HANGS])
    cosine = (HANGS - place[:, 2]) / arm
    strikes = int(np.argmax(np.abs(crates - crates[0]).max(axis=(1, 2)) > 0.01)) - 1  # the last frame before
    speed = np.linalg.norm(place[strikes] - place[strikes - 1]) * fps
    law = np.sqrt(2.0 * 9.81 * arm * (0.5 * (cosine[strikes] + cosine[strikes - 1]) - cosine[0]))
    assert abs(speed / law - 1.0) < 0.01, (speed, law)
    fallen = np.linalg.norm(crates[-1] - crates[0], axis=1) > SIDE
    assert fallen.sum() >= 3, fallen
    assert np.linalg.norm(crates[-1] - crates[-fps // 2], axis=1).max() < 1e-4
    deep = touching.deepest()
    assert deep < 0.05, deep
    return (
        f"The ball strikes with {speed:.2f} m/s, a pendulum with {law:.2f}. Nothing overlaps by more than {deep:.1%}."
    )


if __name__ == "__main__":
    studio.produce("wrecking_ball", build, check, MOMENTS, **PICTURE)
