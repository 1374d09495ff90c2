"""Four jellies pushed aside and let go. Their feet stick to the table, their tops are pushed aside and let go: one is
the measure of the others, of which one has four times its shear modulus, one a tenth of its bulk modulus, and one
thirty times its viscosity.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import modes
import studio

FRAMES, FPS = 96, 48
SIDE, APART = 0.1, 0.19  # m
PUSHED, LET_GO = 0.035, 24  # m, frame
CUBES = {  # bulk and shear modulus [kPa], relaxation time [s], colour
    "K, G, μ": (40.0, 1.5, 0.002, (0.55, 0.012, 0.03)),
    "4 G": (40.0, 6.0, 0.0005, (0.10, 0.28, 0.02)),
    "K/10": (4.0, 1.5, 0.002, (0.60, 0.25, 0.01)),
    "30 μ": (40.0, 1.5, 0.06, (0.05, 0.12, 0.45)),
}
MOMENTS = {1: "at rest", LET_GO: "pushed aside", 29: "let go", 34: "on", 40: "and on", 96: "still wobbling"}
PICTURE = {"size": (480, 240), "columns": 2}


def build(resolution=6):
    """The scene, ready to bake; returns the first jelly."""
    scene = studio.empty_scene(FRAMES, FPS)
    table, hand = studio.add("Table", None), studio.add("Hand", None)
    for frame, place in ((1, 0.0), (LET_GO - 8, PUSHED), (LET_GO, PUSHED)):
        hand.location.x = place
        hand.keyframe_insert("location", index=0, frame=frame)
    jellies = [
        jelly(name, APART * (number - 1.5), values, (table, hand), resolution)
        for number, (name, values) in enumerate(CUBES.items())
    ]
    for number, name in enumerate(CUBES):
        studio.label(name, (APART * (number - 1.5), -0.09, 0.018), 0.032, align="CENTER")
    studio.corner(scene, size=0.5, floor=0.0, centre=(0.0, 0.0, 0.05), color=(0.10, 0.09, 0.085))
    studio.camera(scene, target=(0.01, 0.0, 0.055), width=0.82, height=0.3)
    return jellies[0]


def jelly(name, place, values, holders, resolution):
    """A cube of jelly on the table, held at its foot and, for a while, at its top."""
    bulk, shear, relaxation, color = values
    bpy.ops.mesh.primitive_cube_add(size=SIDE, location=(place, 0.0, 0.5 * SIDE))
    cube = bpy.context.object
    cube.name = name
    bevel = cube.modifiers.new("Bevel", "BEVEL")
    bevel.width, bevel.segments, bevel.affect = 0.006, 3, "EDGES"
    cube.data.materials.append(looks.material(name, color, 0.12))
    bpy.ops.tendril.add_soft()
    soft = cube.tendril.soft
    soft.poisson, soft.shear, soft.bulk = 0.4, shear, bulk
    soft.relaxation, soft.density, soft.resolution = relaxation, 1030.0, resolution
    for side, target in zip((-1.0, 1.0), holders, strict=True):
        group = cube.vertex_groups.new(name="Foot" if side < 0.0 else "Top")
        group.add([vertex.index for vertex in cube.data.vertices if side * vertex.co.z > 0.0], 1.0, "REPLACE")
        target.select_set(True)
        bpy.ops.tendril.add_soft_pin()
        target.select_set(False)
    soft.pins[1].use_release, soft.pins[1].release = True, LET_GO
    cube.select_set(False)
    return cube


def check(_jelly):
    """Stiffness in shear sets the pitch: without weight f ~ √G, and weight, which pulls what leans further, calls for
    more of what is soft. Stiffness in bulk sets what gravity takes of the volume, ~ 1/K where the foot could spread.
    Much viscosity ends the wobble at once.
    """
    from tendril.physics.elements.tetrahedra import volumes

    scene, x = measure.description(), measure.baked()[0]
    ends = np.cumsum([len(solid.x) for solid in scene.solids])
    parts = np.split(x, ends[:-1], axis=1)
    sways, shrinks, laws = [], [], []
    for k, (solid, own) in enumerate(zip(scene.solids, parts, strict=True)):
        top = solid.x[:, 2] > 0.99 * SIDE
        sways.append((own[:, top, 0] - solid.x[top, 0]).mean(axis=1))
        drawn = volumes(solid.x[solid.tetrahedra])
        now = np.array([volumes(frame[solid.tetrahedra]) for frame in own])
        shrinks.append(1.0 - now[-FPS // 2 :].sum(axis=1).mean() / drawn.sum())
        least = (now / drawn).min()
        assert least > 0.2, (solid.name, least)
        foot = [hold.node for hold in scene.holds if hold.solid == k and np.isinf(hold.release)]
        laws.append(modes.lowest_frequency(solid, foot, scene.gravity) if k < 2 else np.nan)
    pitches = [pitch(sway[LET_GO + 4 :]) for sway in sways[:2]]
    higher, law = pitches[1] / pitches[0], laws[1] / laws[0]
    assert 3.0 * shrinks[0] < shrinks[2] < 10.0 * shrinks[0], shrinks
    left = [np.abs(sway[-FPS // 2 :]).max() / PUSHED for sway in sways]
    assert abs(higher / law - 1.0) < 0.03, (higher, law)
    assert left[3] < 0.02 < left[0], left
    return (
        f"With four times G the jelly wobbles {higher:.2f} times as fast, with a tenth of K it loses {shrinks[2]:.1%} "
        f"of its volume under its weight in place of {shrinks[0]:.1%}, and with thirty times μ {left[3]:.1%} of the "
        "sway are left after a second."
    )


def pitch(sway):
    """[1/s], from where it goes through its mean."""
    sway = sway - sway.mean()
    turn = np.flatnonzero(np.diff(np.sign(sway)))
    times = (turn + sway[turn] / (sway[turn] - sway[turn + 1])) / FPS
    return 0.5 / np.polyfit(np.arange(len(times)), times, 1)[0]


if __name__ == "__main__":
    studio.produce("jelly_cubes", build, check, MOMENTS, **PICTURE)
