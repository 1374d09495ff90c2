"""Skipping rope. Two cranks turn a rope, a Cosserat rod, and come closer to each other, until it swings wide. There is
no air, and no weight: what whirls about an axis hangs, by its inertia, in the curve of a troposkien. With the rate Ω,
the mass per length ρA, the pull H along the axis and the largest radius R,

    √(1 + r'²) = 1 + ρA Ω² (R² − r²)/2H,

whose integrals are the span and the length. Cranks of the radius a feel the tension H + ρA Ω² (R² − a²)/2.
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

FRAMES, RATE = 180, 2.0  # turns a second,
TURNED, FROM, CLOSE = 49, 25, 109  # reached at this frame; frames between which the cranks come closer
LENGTH, SPAN, CRANK, RADIUS, EDGES = 2.4, 1.6, 0.12, 0.01, 60  # m
YOUNG, DENSITY, BEND, DAMPING = 0.05, 1000.0, 0.01, 0.02  # GPa, kg/m³, of a solid bar's stiffness, s
SEEN = 48  # frames, the last ones: four turns
MOMENTS = {1: "taken up", 67: "turned", 86: "closer", 163: "wide"}
PICTURE = {"size": (420, 300), "columns": 2}


def build():
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    scene.gravity, scene.tendril.air_density, scene.tendril.contact = (0.0, 0.0, 0.0), 0.0, False
    line = np.linspace((-0.5 * LENGTH, 0.0, -CRANK), (0.5 * LENGTH, 0.0, -CRANK), EDGES + 1)
    rope = studio.polylines("Rope", [line], RADIUS)
    bpy.ops.tendril.add_rod()
    rod = rope.tendril.rod
    rod.model, rod.young, rod.poisson, rod.density, rod.bend_factor = "COSSERAT", YOUNG, 0.5, DENSITY, BEND
    rod.points, rod.shape_memory, rod.internal_damping = 0, 0.0, DAMPING  # the points as drawn
    rope.data.materials.append(looks.striped_rope("Rope", LENGTH, RADIUS))
    for side, fraction in ((-1.0, 0.0), (1.0, 1.0)):
        grip = crank(side)
        grip.select_set(True)
        bpy.context.view_layer.objects.active = rope
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="OBJECT", mode="POSITION")
        grip.select_set(False)
    studio.corner(scene, size=3.2, floor=-1.2)
    studio.camera(scene, target=(0.0, 0.0, -0.03), width=3.2, height=0.1)
    return rope


def crank(side):
    """A crank at one end, which is turned and comes closer; returns its grip."""
    axle = studio.add("Axle", looks.prism("Axle", 24, 0.03, 0.12, looks.brass()))
    axle.rotation_mode = "ZYX"  # the axle's own z lies along x
    axle.rotation_euler.y = 0.5 * np.pi
    red = looks.material("Grip", (0.75, 0.1, 0.03), 0.4)
    arm = studio.add("Arm", looks.crate("Arm", (CRANK + 0.04, 0.03, 0.02), red), (0.5 * CRANK, 0.0, 0.0), axle)
    grip = studio.add("Grip", looks.ball("Grip", 0.02, red), (0.5 * CRANK, 0.0, 0.0), arm)
    turns = RATE * (TURNED - 1) / (2.0 * bpy.context.scene.render.fps)
    after = turns + RATE * (FRAMES - TURNED) / bpy.context.scene.render.fps
    for frame, angle in {1: 0.0, TURNED: turns, FRAMES: after}.items():
        axle.rotation_euler.x = 2.0 * np.pi * angle
        axle.keyframe_insert("rotation_euler", index=0, frame=frame)
    for frame, apart in {FROM: LENGTH, CLOSE: SPAN}.items():
        axle.location.x = 0.5 * side * apart
        axle.keyframe_insert("location", index=0, frame=frame)
    turning = studio.keyed(axle, "rotation_euler")
    turning[0].interpolation, turning[0].easing = "QUAD", "EASE_IN"  # faster and faster, evenly
    turning[1].interpolation = "LINEAR"
    return grip


def check(_rope):
    """It swings in a troposkien, whose tension the cranks feel."""
    x, rod = measure.baked()[0][-SEEN:], measure.description().rods[0]
    edges = np.linalg.norm(np.diff(x, axis=1), axis=2).mean(axis=0)
    pull = rod.stretch_stiffness * (edges * EDGES / LENGTH - 1.0)
    along, out = np.abs(x[..., 0]).mean(axis=0), np.hypot(x[..., 1], x[..., 2]).mean(axis=0)
    widest, bent = troposkien(edges.sum())
    density, rate = rod.mass.sum() / edges.sum(), 2.0 * np.pi * RATE
    curve = profile(widest, bent)
    off = np.abs(out - np.interp(along, curve[0], curve[1])).max() / widest
    assert off < 0.01, off
    tension = density * rate**2 * (0.5 / bent + 0.5 * (widest**2 - CRANK**2))
    felt = 0.5 * (pull[0] + pull[-1])
    assert abs(felt / tension - 1.0) < 0.02, (felt, tension)
    return (
        f"It swings {out.max():.3f} m wide, {off:.2%} from a troposkien, whose widest radius is {widest:.3f} m. The "
        f"cranks feel {felt:.2f} N; the closed form is {tension:.2f} N."
    )


def troposkien(length):
    """(R [m], ρA Ω²/2H [1/m²]) of so long a rope [m]."""

    def bent(widest):
        return brentq(lambda k: span_and_length(widest, k)[0] - SPAN, 1e-3, 1e3)

    widest = brentq(lambda R: span_and_length(R, bent(R))[1] - length, 1.01 * CRANK, 0.5 * length)
    return widest, bent(widest)


def span_and_length(widest, bent):
    """[m], by midpoints."""
    along, _, part = steps(widest, bent)
    return 2.0 * along.sum(), 2.0 * part.sum()


def profile(widest, bent):
    """Places along the axis, from the middle on, and radii there (k,) [m]."""
    along, out, _ = steps(widest, bent)
    return np.cumsum(along) - 0.5 * along, out


def steps(widest, bent, count=4000):
    """(dx, r, ds) (count,) [m] from the middle to a crank, by even steps of √(R − r): in the middle r' = 0."""
    w = (np.arange(count) + 0.5) / count
    out = widest - (widest - CRANK) * w * w
    secant = 1.0 + bent * (widest**2 - out**2)
    along = 2.0 * (widest - CRANK) * w / np.sqrt(secant**2 - 1.0) / count
    return along, out, along * secant


if __name__ == "__main__":
    studio.produce("skipping_rope", build, check, MOMENTS, **PICTURE)
