"""Suzanne in a net. Of marshmallow, she falls into a net of ropes that are woven over and under each other, sinks in,
and stays. Nothing joins the ropes where they cross, nor her with them, but contact.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import net
import studio

FRAMES = 96
SIZE, FALL = 0.2, 0.45  # of Suzanne's own, m above the net
DENSITY = 200.0  # kg/m³
MOMENTS = {1: "let go", 10: "caught", 16: "thrown up", FRAMES: "kept"}
PICTURE = {"size": (480, 360), "columns": 2}


def build(points=48, resolution=8):
    """The scene, ready to bake; returns Suzanne."""
    ropes = net.build(points)
    bpy.data.objects.remove(bpy.data.objects["Ball"])
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.quality = FRAMES, "FINE"
    ropes.name = "Net"
    place = (0.02, 0.03, net.HIGH - net.SAG + FALL + SIZE)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.mesh.primitive_monkey_add(size=2.0, location=place, rotation=(-0.6, 0.0, 0.2))
    suzanne = bpy.context.object
    suzanne.name, suzanne.scale = "Suzanne", (SIZE, SIZE, SIZE)
    suzanne.data.polygons.foreach_set("use_smooth", [True] * len(suzanne.data.polygons))
    suzanne.modifiers.new("Smooth", "SUBSURF").render_levels = 2
    suzanne.data.materials.append(looks.material("Marshmallow", (0.80, 0.33, 0.38), 0.6))
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="marshmallow")
    suzanne.tendril.soft.density, suzanne.tendril.soft.resolution = DENSITY, resolution
    bpy.data.objects.remove(scene.camera)
    studio.camera(scene, target=(0.0, 0.0, 1.08), width=2.0, height=0.42)
    return suzanne


def deepest(scene, x):
    """How deep [m] ropes are in Suzanne's tetrahedra at most, by brute force; x (N, 3) of all at a frame."""
    from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
    from tendril.physics.elements.tetrahedra import boundary

    (solid,), first, found = scene.solids, 0, -np.inf
    skin = Solid(x[-len(solid.x) :], boundary(solid.tetrahedra)[0], 0.0)
    for rod in scene.rods:
        k = np.arange(rod.edge_count)
        rope = Solid(x[first : first + len(rod.x)], np.stack([k, k + 1, k + 1], axis=1), net.RADIUS)
        found, first = max(found, deepest_between(rope, skin, net.RADIUS)), first + len(rod.x)
    return found


def check(_suzanne):
    """She is caught, bounces less high than she fell, comes to rest in the net; no rope is in her, nor she in two."""
    scene, x, fps = measure.description(), measure.baked()[0], bpy.context.scene.render.fps
    body = x[:, -len(scene.solids[0].x) :]
    middle = body.mean(axis=1)
    assert np.abs(body[:, :, :2]).max() < net.HALF
    low = int(np.argmin(middle[: 2 * fps, 2]))
    fall, thrown = middle[0, 2] - middle[low, 2], middle[low:, 2].max() - middle[low, 2]
    assert fall > FALL
    assert thrown < 0.5 * fall, (thrown, fall)
    way = np.linalg.norm(np.diff(middle[-fps:], axis=0), axis=1).max() * fps
    assert way < 0.05, way
    deep = max(deepest(scene, x[k]) for k in range(0, len(x), 8)) / net.RADIUS
    assert deep < 0.1, deep
    return (
        f"She falls {fall:.2f} m, is thrown up by {thrown:.2f} m, and is no faster than {1e3 * way:.0f} mm/s in the "
        f"last second. No rope is in her by more than {max(deep, 0.0):.1%} of its radius."
    )


if __name__ == "__main__":
    studio.produce("soft_net", build, check, MOMENTS, **PICTURE)
