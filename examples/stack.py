"""A stack of logs. Two lie on two, crosswise, nine times: it stands; one of the lowest is drawn out from under
it, and it leans, held up by what the next layer reaches the ground with.
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

FPS, FRAMES, DRAWN = 24, 84, 36  # by this frame it has stood, from here on one is drawn out
LAYERS, LENGTH, RADIUS, BESIDE, POINTS = 9, 0.6, 0.03, 0.36, 5  # , m, m, m between the two of a layer
WAY, TAKES = 1.2, 18  # m that it is drawn, frames
MOMENTS = {1: "stacked", DRAWN: "it stands", DRAWN + 12: "one is drawn out", FRAMES: "it leans"}
PICTURE = {"size": (420, 340), "columns": 2}
CLIP = range(DRAWN - 11, FRAMES + 1, 2)  # frames


def build():
    """The scene, ready to bake; returns the logs that stay."""
    scene = studio.empty_scene(FRAMES, FPS)
    scene.tendril.use_floor = True
    bark, birch = looks.material("Bark", (0.13, 0.06, 0.025), 0.8), looks.material("Birch", (0.55, 0.5, 0.42), 0.7)
    drawn, *rest = [log(layer, side) for layer in range(LAYERS) for side in (1.0, -1.0)]
    one = timber("Drawn log", [drawn], [bark])
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    hook = one.tendril.pins[0].target
    studio.steadily(hook, "location", 1, {DRAWN: hook.location[1], DRAWN + TAKES: hook.location[1] - WAY})
    one.select_set(False)
    stack = timber("Stack", rest, [bark, birch])
    for k, spline in enumerate(stack.data.splines, start=1):
        spline.material_index = k // 2 % 2
    stack.select_set(False)
    studio.corner(scene, size=1.2, floor=0.0, centre=(0.0, 0.0, 0.3))
    studio.camera(scene, target=(0.0, 0.0, 0.25), width=1.9, height=0.35)
    return stack


def timber(name, lines, woods):
    """Logs along lines (k, 3), one object; selected."""
    item = studio.polylines(name, lines, RADIUS)
    for wood in woods:
        item.data.materials.append(wood)
    bpy.ops.tendril.add_rod()
    rod = item.tendril.rod
    rod.young, rod.poisson, rod.density, rod.bend_factor = 0.2, 0.35, 600.0, 1.0
    rod.friction, rod.internal_damping, rod.points = 0.5, 0.02, POINTS
    return item


def log(layer, side):
    """The line (POINTS, 3) [m] of one log."""
    s = np.linspace(-0.5, 0.5, POINTS) * LENGTH
    aside, up = np.full(POINTS, 0.5 * side * BESIDE), np.full(POINTS, (2 * layer + 1) * RADIUS)
    return np.stack([s, aside, up] if layer % 2 else [aside, s, up], axis=1)


def check(_stack):
    """It stands as it was built; it leans and rests when one is drawn out, and nothing is ever deep in anything."""
    x = measure.baked()[0].reshape(FRAMES, 2 * LAYERS, -1, 3)
    stood = np.linalg.norm(x[: DRAWN - 1] - x[0], axis=3).max()
    assert stood < 1e-3 * RADIUS, stood
    assert np.linalg.norm(x[-1, 0, 0, :2]) > BESIDE + LENGTH  # the one that is drawn
    rests = np.linalg.norm(x[-1] - x[-FPS // 4], axis=2).max() / 0.25
    assert rests < 0.2 * RADIUS, rests
    lean = np.degrees(np.arcsin(np.ptp(x[-1, -2:, :, 2]) / np.linalg.norm(np.ptp(x[-1, -2:, :], axis=(0, 1)))))
    assert 5.0 < lean < 45.0, lean
    deep = touching.deepest(each=4)
    assert deep < 0.05, deep
    return (
        f"{2 * LAYERS} logs stand for {(DRAWN - 2) / FPS:.1f} s and move by {1e3 * stood:.3f} mm at most; then the "
        f"stack leans by {lean:.0f}°. Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


if __name__ == "__main__":
    studio.produce("stack", build, check, MOMENTS, **PICTURE)
