"""Hitch. A heavy crate hangs from a clove hitch around a post, tied loosely as *Add ▸ Curve ▸ Knot* has it. A hand
holds the free end until the crate has pulled it tight, then lets go: the second turn nips it.
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

FRAMES = 144
RADIUS, ENDS, HIGH = 0.01, 0.2, 1.1  # m: of the rope, by which its ends are longer, of the post
SIDE, DENSITY = 0.2, 2500.0  # m, kg/m³
FRICTION = 0.5, 0.5  # of the rope, of the post; at .4 two turns hold e^{4πμ} = 152 times the free end: just the load
LET_GO = 30  # frame, of the free end
MOMENTS = {1: "tied loosely", 6: "it tightens", LET_GO: "tight", FRAMES: "it holds"}
PICTURE = {"size": (400, 400), "columns": 4}
CLIP = range(1, FRAMES + 1, 3)  # frames


def build():
    """The scene, ready to bake; returns the rope."""
    scene = studio.empty_scene(FRAMES)
    bpy.ops.tendril.add_knot(
        knot="clove_hitch", radius=RADIUS, ends=ENDS, location=(0.0, 0.0, HIGH),
        rotation=(0.0, -0.5 * np.pi, 0.5 * np.pi),
    )  # fmt: skip
    rope = bpy.context.object
    for item in bpy.context.selected_objects:
        if item != rope:
            item.data.materials.append(looks.material("Wood", (0.20, 0.10, 0.05), roughness=0.6))
            item.collision.cloth_friction = 10.0 * FRICTION[1]
            item.select_set(False)
    rope.data.materials.append(looks.striped_rope("Rope", 2.2, RADIUS))
    rope.tendril.rod.friction = FRICTION[0]
    bpy.context.view_layer.update()
    end = rope.matrix_world @ rope.data.splines[0].bezier_points[0].co
    crate = studio.add(
        "Crate", looks.crate("Crate", (SIDE, SIDE, SIDE), looks.material("Box", (0.42, 0.24, 0.10), 0.65))
    )
    crate.location = (end.x, end.y, end.z - 0.5 * SIDE + 0.01)
    studio.rigid_body(crate, DENSITY)
    crate.tendril.body.collide = False  # it hangs: nothing is there to meet
    rope.select_set(True)
    bpy.context.view_layer.objects.active = rope
    bpy.ops.tendril.add_pin(place="END", holder="EMPTY", mode="POSITION")
    hand = rope.tendril.pins[0]
    for frame, influence in ((LET_GO, 1.0), (LET_GO + 1, 0.0)):
        hand.influence = influence
        hand.keyframe_insert("influence", frame=frame)
    studio.at_once(rope)
    bpy.ops.object.select_all(action="DESELECT")
    rope.select_set(True)
    crate.select_set(True)
    bpy.context.view_layer.objects.active = crate
    bpy.ops.tendril.tie(mode="POSITION")
    bpy.ops.object.select_all(action="DESELECT")
    studio.corner(scene, size=1.0, floor=-0.1, centre=(0.0, 0.0, 0.6))
    studio.camera(scene, target=(0.0, 0.0, 0.8), width=1.5, height=0.1)
    return rope


def check(_rope):
    """The hitch keeps its turns, and holds."""
    (x, _, poses), scene, fps = measure.baked(), measure.description(), bpy.context.scene.render.fps
    rod, crate, post = scene.rods[0], scene.bodies[0], scene.colliders[0]
    axis = np.asarray(post.points[0]).mean(axis=0)[1:]
    away = x[:, :, 1:] - axis
    reach = np.linalg.norm(np.asarray(post.points[0])[:, 1:] - axis, axis=1).max() + 1.5 * RADIUS
    angle = np.unwrap(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    laid = [np.flatnonzero(at) for at in np.linalg.norm(away, axis=2) < reach]  # nodes on the post, at each frame
    turn = np.array([np.abs(there[on] - there[on[0]]).max() for there, on in zip(angle, laid, strict=True)])
    assert turn[-fps:].min() > 3.0 * np.pi, turn  # its second turn has not come off, wherever the free end swings
    on = laid[-1]
    end = 9.81 * rod.mass[on[-1] + 1 :].sum()
    load = 9.81 * crate.mass
    slip = np.abs(poses[-fps:, 0, 2] - poses[-fps, 0, 2]).max()
    assert slip < 0.5 * RADIUS, slip
    deep = touching.deepest(each=4)
    assert deep < 0.05, deep
    return (
        f"{load:.0f} N hang from {turn[-1] / (2.0 * np.pi):.1f} turns with a free end of {end:.1f} N, and go by "
        f"{1e3 * slip:.1f} mm in the last second. Nothing overlaps by more than {max(deep, 0.0):.1%}."
    )


if __name__ == "__main__":
    studio.produce("hitch", build, check, MOMENTS, **PICTURE)
