"""A chandelier. Its crown is carried aside and tilted; the ring with twelve candles hangs on twelve chains, and goes
where they have it. At each frame all of them are at rest together.

The crown is keyed. New Cable between Selected makes the twelve, around crown and ring; Hang on Cables and Bake do the
rest.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import lamp
import looks
import plugged_in
import studio

FRAMES, COUNT, RADIUS, SLACK = 60, 12, 0.006, 0.04  # RADIUS: m, of a chain
CROWN, RING = (0.14, 0.012), (0.42, 0.016)  # m: radius, and that of what it is bent from
HEIGHT, DENSITY = 0.75, 7800.0  # m from ring to crown; kg/m³, steel
WAY = {1: -0.2, 30: 0.1, 60: 0.2}  # frame: m along x
TILT = {1: 0.0, 30: 0.1, 60: 0.45}  # frame: rad about y
MOMENTS = {1: "hung up", 30: "carried", 60: "and tilted"}
PICTURE = {"size": (400, 400), "columns": 3}


def build():
    """The scene, ready to bake; returns the chains."""
    scene = studio.empty_scene(FRAMES)
    gold = looks.brass()
    crown, ring = circle("Crown", *CROWN, HEIGHT, gold), circle("Ring", *RING, 0.0, gold)
    candles(ring)
    studio.chosen(ring, crown)
    bpy.ops.tendril.new_cable(count=COUNT, arrangement="RING", gap=0.0, slack=SLACK, preset="chain")
    chains = [item for item in bpy.context.scene.objects if item.tendril.is_rod]
    for chain in chains:
        chain.data.bevel_depth = RADIUS
        chain.data.materials.append(looks.material("Chain", (0.75, 0.6, 0.35), 0.35, 1.0))
    studio.chosen(ring)
    bpy.ops.tendril.hang_on_cables()
    ring.tendril.body.use_density, ring.tendril.body.density = True, DENSITY
    studio.steadily(crown, "location", 0, WAY)
    studio.steadily(crown, "rotation_euler", 1, TILT)
    plugged_in.eased(crown)
    studio.corner(scene, size=1.2, floor=-0.7, color=(0.09, 0.10, 0.11))
    studio.camera(scene, target=(0.0, 0.0, 0.36), width=1.05, height=1.05)
    return chains


def circle(name, radius, thickness, height, look):
    bpy.ops.mesh.primitive_torus_add(
        location=(WAY[1], 0.0, height), major_radius=radius, minor_radius=thickness, major_segments=96
    )
    item = bpy.context.object
    item.name = name
    item.data.materials.append(look)
    return item


def candles(ring):
    """A candle above each of the ring's chains, of one mesh with it; each flame lights a little."""
    wax, flame = looks.material("Wax", (0.85, 0.8, 0.65), 0.5), lamp.glow("Flame", 40.0)
    parts = []
    for angle in 2.0 * np.pi * (np.arange(COUNT) + 0.5) / COUNT:
        place = np.array([WAY[1] + RING[0] * np.cos(angle), RING[0] * np.sin(angle), RING[1]])
        bpy.ops.mesh.primitive_cylinder_add(radius=0.011, depth=0.07, location=place + [0.0, 0.0, 0.03])
        bpy.context.object.data.materials.append(wax)
        parts.append(bpy.context.object)
        bpy.ops.mesh.primitive_uv_sphere_add(
            segments=12, ring_count=8, radius=0.007, location=place + [0.0, 0.0, 0.08], scale=(1.0, 1.0, 1.9)
        )
        bpy.context.object.data.materials.append(flame)
        parts.append(bpy.context.object)
    studio.chosen(ring, *parts)
    bpy.ops.object.join()


def check(chains):
    """They keep their lengths, and end where crown and ring have them."""
    scene, x = bpy.context.scene, np.stack([studio.shown(item) for item in chains])
    length = np.linalg.norm(np.diff(x, axis=2), axis=3).sum(axis=2)
    assert len(chains) == COUNT
    assert np.abs(length / length[:, :1] - 1.0).max() < 1e-5, length
    crown, ring = bpy.data.objects["Crown"], bpy.data.objects["Ring"].tendril.result
    ends, gap, lean = {}, 0.0, []
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
        for item, end in ((ring, 0), (crown, -1)):
            matrix = np.array(item.matrix_world)
            own = (x[:, frame - 1, end] - matrix[:3, 3]) @ matrix[:3, :3]
            gap = max(gap, np.abs(own - ends.setdefault(end, own)).max())
        lean.append(np.degrees(np.arccos(np.array(ring.matrix_world)[2, 2])))
    assert gap < 1e-5, gap
    assert lean[0] < 0.1, lean[0]
    return (
        f"The crown tilts by {np.degrees(TILT[FRAMES]):.0f}°, the ring by {lean[-1]:.1f}°; crown, chains and ring stay "
        f"together within {1e6 * gap:.0f} µm."
    )


if __name__ == "__main__":
    studio.produce("chandelier", build, check, MOMENTS, **PICTURE)
