"""A bow that holds, and opens. *Add ▸ Curve ▸ Knot ▸ Bow*, of shoelace, lies on a board. Its standing ends are drawn
apart with 2 N: it tightens, and holds. Then a free end is drawn, its loop slips out, and all comes apart.
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

FRAMES, TIED, DRAWN = 120, 48, 112  # frames: until when standing ends are drawn, and then the free one
RADIUS, ENDS, FORCE = 0.005, 0.14, 2.0  # m, m, N
APART, AWAY = 0.2, 0.62  # m: how far each standing end goes, and the free one
LIES = 0.03  # m above the board, before it falls
MOMENTS = {1: "tied", TIED: "tight, and holds", 76: "a free end is drawn", DRAWN: "open"}
PICTURE = {"size": (480, 240), "columns": 2}
CLIP, CLIP_WIDTH = range(1, DRAWN - 7, 4), 720  # frames, pixels


def build():
    """The scene, ready to bake; returns the laces, two splines of one curve."""
    scene = studio.empty_scene(FRAMES)
    bpy.ops.tendril.add_knot(knot="bow", radius=RADIUS, ends=ENDS, location=(0.0, 0.0, LIES))
    laces = bpy.context.object
    bpy.ops.tendril.apply_preset(preset="shoelace")
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="POSITION")
    for pin in laces.tendril.pins:
        hand, free = pin.target, pin.fraction == 1.0
        outwards, pin.max_force = np.sign(hand.location.x), FORCE
        keys = {TIED: 0.0, DRAWN: AWAY * (pin.spline == 0)} if free else {1: 0.0, TIED - 8: APART}
        start = hand.location.x
        studio.steadily(hand, "location", 0, {frame: start + outwards * way for frame, way in keys.items()})
    colors = ((0.72, 0.05, 0.03), (0.03, 0.16, 0.50))
    for k, color in enumerate(colors):
        laces.data.materials.append(looks.material(f"Lace {k}", color, 0.7))
        laces.data.splines[k].material_index = k
    scene.tendril.use_floor, scene.tendril.floor_friction = True, 0.3
    studio.daylight(scene, size=0.6)
    studio.camera(scene, target=(0.03, -0.01, 0.0), width=0.46, height=1.6)
    return laces


def check(laces):
    """It gives a little, holds what it is drawn by, and is tied until the free end is drawn."""
    x, rods = measure.baked()[0], measure.description().rods
    count, middles = len(rods[0].x), [int(np.argmin(rod.x[:, 1])) for rod in rods]
    told = [knotted(frame[:count], frame[count:], middles) for frame in (x[0], x[TIED - 1], x[-1])]
    assert told[:2] == [9, 9], told
    assert told[2] < 9, told
    apart = np.linalg.norm(x[:, 0] - x[:, count], axis=1) - np.linalg.norm(x[0, 0] - x[0, count])
    assert 0.1 * APART < apart[TIED - 1] < 1.5 * APART, apart
    assert np.ptp(apart[TIED // 2 : TIED]) < RADIUS, apart
    deep = touching.deepest(each=8)
    assert deep < 0.05, deep
    return (
        f"Drawn apart by up to {200.0 * APART:.0f} cm, with {FORCE:.0f} N, the standing ends go by "
        f"{100.0 * apart[TIED - 1]:.0f} cm and no further. Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


def knotted(one, other, middles):
    """The determinant of both laces as far as the middles of their loops, joined above there and at their standing
    ends: 9, that of a square knot, while the bow is tied.
    """
    from tendril.physics.diagnostics.knots import knot_determinant

    up = np.array([0.0, 0.0, 100.0 * RADIUS])
    one, other = one[: middles[0] + 1], other[: middles[1] + 1][::-1]
    way = [one, one[-1:] + up, other[:1] + up, other, other[-1:] + 2.0 * up, one[:1] + 2.0 * up]
    return knot_determinant(np.vstack(way))


if __name__ == "__main__":
    studio.produce("bow", build, check, MOMENTS, **PICTURE)
