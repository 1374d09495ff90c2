"""Your first ten minutes. A curve becomes a rope, its ends are pinned and brought nearer, a ball is tied to it, and one
end is let go: what docs/first_ten_minutes.md tells, button by button. Run by itself it takes that page's six pictures.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES, THERE, LET_GO = 72, 24, 40
LENGTH, HIGH, NEARER = 4.0, 2.4, 1.2  # m
RADIUS, BALL, WOOD = 0.03, 0.2, 600.0  # m, kg/m³
IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = (420, 260)


def build(picture=lambda _number, _frame=1: None):
    """The scene, ready to bake; returns the rope. `picture` is called with the number of each step, and a frame."""
    scene = studio.empty_scene(FRAMES)
    studio.daylight(scene, size=3.0)
    studio.camera(scene, target=(0.0, 0.0, 1.35), width=6.4, height=0.1)
    along = np.linspace(-0.5 * LENGTH, 0.5 * LENGTH, 5)
    rope = studio.curve("Rope", np.column_stack([along, 0.0 * along, 0.0 * along + HIGH]), 0.3 * RADIUS)
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    picture(1)
    rope.data.bevel_depth = RADIUS
    bpy.ops.tendril.add_rod()
    picture(2)
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
    for pin in rope.tendril.pins:
        studio.add("Hand", looks.ball("Hand", 2.5 * RADIUS, looks.brass()), parent=pin.target)
    picture(3)
    end = rope.tendril.pins[1]
    studio.steadily(end.target, "location", 0, {1: 0.5 * LENGTH, THERE: 0.5 * LENGTH - NEARER})
    picture(4, LET_GO)
    look = looks.material("Wood", (0.62, 0.12, 0.05), 0.4)
    ball = studio.add("Ball", looks.ball("Ball", BALL, look), (0.0, 0.0, HIGH - BALL - RADIUS))
    rope.select_set(False)
    studio.rigid_body(ball, density=WOOD, shape="SPHERE")
    rope.select_set(True)
    ball.select_set(True)
    bpy.context.view_layer.objects.active = ball
    bpy.ops.tendril.tie(mode="POSITION")
    ball.select_set(False)
    bpy.context.view_layer.objects.active = rope
    picture(5, LET_GO)
    end = rope.tendril.pins[1]
    for frame, held in ((LET_GO, 1.0), (LET_GO + 1, 0.0)):
        end.influence = held
        rope.keyframe_insert(end.path_from_id("influence"), frame=frame)
    scene.tendril.use_floor = True
    picture(6, LET_GO + 16)
    return rope


def check(_rope):
    """The rope keeps its length, its end is where it was led, until that is let go; then it falls."""
    x = measure.baked()[0]
    longer = np.abs(np.linalg.norm(np.diff(x, axis=1), axis=2).sum(axis=1) / LENGTH - 1.0).max()
    assert longer < 1e-4, longer
    led = np.linalg.norm(x[LET_GO - 1, -1] - [0.5 * LENGTH - NEARER, 0.0, HIGH])
    assert led < 0.01, led
    assert x[-1, -1, 2] < 0.2 * HIGH, x[-1, -1]
    return f"The rope keeps its length within {longer:.0e}, and its end falls when it is let go."


def take(number, frame=1):
    """The picture of a step: docs/images/first_N.jpg. From the fourth on it is baked."""
    import gallery

    scene = bpy.context.scene
    if number > 3:
        studio.bake(studio.Clock())
    scene.frame_set(frame)
    studio.cycles(scene, SIZE, samples=16)
    scene.render.filepath = str(studio.OUT / f"first_{number}.png")
    with studio.quiet():
        bpy.ops.render.render(write_still=True)
    gallery.shrink(Path(scene.render.filepath), IMAGES / f"first_{number}.jpg")


if __name__ == "__main__":
    studio.OUT.mkdir(exist_ok=True)
    build(take)
    print(check(None))
