"""Knots. All that *Add ▸ Curve ▸ Knot* offers, as it draws them, each a rod, or two, ready to bake.

Nothing holds the ropes but their friction and inertia: they are let go for a moment, without weight.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import studio

FRAMES = 4
TILE, COLUMNS = (0.62, 0.5), 7  # m
FILLED, THICKEST = 0.86, 0.02  # of a tile; m
DETERMINANTS = {  # the absolute value of Alexander's polynomial at −1, ends joined far away
    "overhand": 3, "double_overhand": 5, "triple_overhand": 7, "figure_eight": 5, "stevedore": 9, "slip_knot": 1,
    "round_turn": 9, "clove_hitch": 1, "trefoil": 3, "figure_eight_closed": 5, "cinquefoil": 5, "endless": 15,
    "torus": 3, "turks_head": 121,
}  # fmt: skip
ALLOWED = 0.05  # of the radius
MOMENTS = {1: ""}
PICTURE = {"size": (1400, 660), "columns": 1}


def build():
    """The scene, ready to bake; returns {name: rope}."""
    from bl_ext.user_default.tendril.knots import catalogue

    scene = studio.empty_scene(FRAMES)
    scene.use_gravity, scene.tendril.air_density = False, 0.0
    colors = ((0.82, 0.70, 0.48), (0.10, 0.28, 0.55), (0.55, 0.10, 0.06))
    ropes = [looks.material(f"Rope {k}", color, roughness=0.7) for k, color in enumerate(colors)]
    wood = looks.material("Wood", (0.20, 0.10, 0.05), roughness=0.6)
    names = [(name, label) for kind in catalogue.KNOTS.values() for name, (label, _) in kind.items()]
    rows = -(-len(names) // COLUMNS)
    found = {}
    for number, (name, label) in enumerate(names):
        row, column = divmod(number, COLUMNS)
        place = np.array([(column - 0.5 * (COLUMNS - 1)) * TILE[0], 0.0, (0.5 * (rows - 1) - row) * TILE[1]])
        found[name] = add(name, place + [0.0, 0.0, 0.03], ropes, wood)
        studio.label(label, place - [0.0, 0.05, 0.45 * TILE[1]], size=0.036)
    studio.corner(scene, size=1.6, floor=-0.5 * rows * TILE[1] - 0.1)
    studio.camera(scene, target=(0.0, 0.0, 0.0), width=COLUMNS * TILE[0], height=0.0)
    return found


def add(name, place, ropes, wood):
    """A knot in its tile, with a colour for each rope."""
    before = set(bpy.context.scene.objects)
    settings = {"knot": name, "rotation": (0.5 * np.pi, 0.0, 0.0), "location": place}
    bpy.ops.tendril.add_knot(radius=0.01, **settings)
    extent = np.max([np.array(item.dimensions) for item in set(bpy.context.scene.objects) - before], axis=0)
    radius = min(0.01 * min(FILLED * TILE[0] / extent[0], 0.8 * FILLED * TILE[1] / extent[1]), THICKEST)
    for item in set(bpy.context.scene.objects) - before:
        bpy.data.objects.remove(item)
    bpy.ops.tendril.add_knot(radius=radius, **settings)
    rope = bpy.context.object
    for item in set(bpy.context.scene.objects) - before - {rope}:
        item.data.materials.append(wood)
    centre(rope, place, set(bpy.context.scene.objects) - before)
    for look in ropes:
        rope.data.materials.append(look)
    for k, spline in enumerate(rope.data.splines):
        spline.material_index = k
    return rope


def centre(rope, place, items):
    """Move a knot so that it lies around the middle of its tile, which need not be its own origin."""
    corners = np.array([corner[:] for item in items for corner in item.bound_box])
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    for item in items:
        item.location = place - np.array([middle[0], 0.0, middle[1]])


def check(ropes):
    """No rope is in another at any frame, and the knots in one rope are those they are named for."""
    from tendril.physics.diagnostics.knots import closing_points, knot_determinant

    deepest = -np.inf
    for name, rope in ropes.items():
        for lines in shown(rope):
            deepest = max(deepest, overlap(rope, lines))
            if name in DETERMINANTS:
                (x,) = lines
                ring = rope.data.splines[0].use_cyclic_u
                determinant = knot_determinant(x if ring else np.vstack([x, closing_points(x)]))
                assert determinant == DETERMINANTS[name], (name, determinant)
    assert deepest < ALLOWED, deepest
    return (
        f"{len(ropes)} knots; their ropes miss each other, or overlap by {max(100.0 * deepest, 0.0):.1f} % of a radius."
    )


def shown(rope):
    """The vertices (n, 3) [m] of each spline of a baked rope, at each frame as Blender plays them."""
    scene, result = bpy.context.scene, rope.tendril.result
    rings = [spline.use_cyclic_u for spline in rope.data.splines]
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        evaluated = result.evaluated_get(bpy.context.evaluated_depsgraph_get())
        curve = evaluated.to_curve(bpy.context.evaluated_depsgraph_get(), apply_modifiers=True)
        lines = [np.array([point.co for point in spline.bezier_points]) for spline in curve.splines]
        evaluated.to_curve_clear()
        yield [line[:-1] if ring else line for line, ring in zip(lines, rings, strict=True)]


def overlap(rope, lines):
    """How deep a rope is in itself or another of its knot, over its radius."""
    from tendril.physics.diagnostics.overlap import deepest_overlap
    from tendril.physics.materials import Material
    from tendril.physics.scene import Rod

    radius, material = rope.data.bevel_depth, Material(1e8, 0.4, 1000.0)
    rods = [
        Rod.from_material(rope.name, line, radius, material, closed=spline.use_cyclic_u)
        for line, spline in zip(lines, rope.data.splines, strict=True)
    ]
    return deepest_overlap(rods, np.vstack(lines)) / radius


if __name__ == "__main__":
    studio.produce("knots", build, check, MOMENTS, **PICTURE)
