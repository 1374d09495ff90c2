"""Paper on a table. A sheet of office paper is let go above a table, aslant. The air lets it sink at its terminal
speed, √(2 m g/ρ C_D A cos α); it strikes with one edge, bends, and lies down.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 44
WIDE, LONG = 0.21, 0.297  # m: A4
TABLE, HIGH = (0.9, 0.6, 0.03), 0.7  # m
ABOVE, SLANT = 0.35, 0.35  # m above the table, rad
MOMENTS = {1: "let go", 7: "sinks", 11: "lands", FRAMES: "lies"}
PICTURE = {"size": (400, 300), "columns": 2}


def build(count=7):
    """The scene, ready to bake, the paper divided into so many squares across; returns it."""
    scene = studio.empty_scene(FRAMES)
    wood = looks.material("Wood", (0.36, 0.20, 0.09), 0.5)
    table = studio.add("Table", looks.crate("Table", TABLE, wood, 0.01), (0.0, 0.0, HIGH - 0.5 * TABLE[2]))
    studio.collider(table, 0.0, 0.5)
    bpy.ops.mesh.primitive_grid_add(
        x_subdivisions=count, y_subdivisions=round(count * LONG / WIDE), size=1.0,
        location=(0.0, 0.0, HIGH + ABOVE), rotation=(SLANT, 0.0, 0.3),
    )  # fmt: skip
    paper = bpy.context.object
    paper.name, paper.scale = "Paper", (WIDE, LONG, 1.0)
    paper.data.polygons.foreach_set("use_smooth", [True] * len(paper.data.polygons))
    paper.data.materials.append(looks.material("Paper", (0.85, 0.84, 0.80), 0.8))
    bpy.ops.tendril.add_sheet()
    bpy.ops.tendril.apply_soft_preset(preset="paper")
    studio.corner(scene, size=0.8, floor=0.0, centre=(0.0, 0.0, 0.8))
    studio.camera(scene, target=(0.0, 0.0, 0.85), width=1.0, height=0.35)
    return paper


def check(_paper):
    """It sinks at its terminal speed, keeps its lengths, lies flat and still in the end."""
    scene, x, fps = measure.description(), measure.baked()[0], bpy.context.scene.render.fps
    (sheet,) = scene.solids
    speed = np.diff(x[:, :, 2].mean(axis=1))[5:7].mean() * -fps
    per_area = sheet.density * sheet.plate
    law = np.sqrt(2.0 * per_area * 9.81 / (scene.air_density * sheet.drag_coefficient * np.cos(SLANT)))
    assert 0.95 < speed / law < 1.01, (speed, law)
    edges = np.unique(np.sort(sheet.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length = np.linalg.norm(x[:, edges[:, 0]] - x[:, edges[:, 1]], axis=2)
    stretched = np.abs(length / length[0] - 1.0).max()
    assert stretched < 0.02, stretched
    still = np.linalg.norm(x[-1] - x[-6], axis=1).max() / 5 * fps
    assert still < 0.01, still
    lies = x[-1, :, 2] - HIGH
    assert 0.0 < lies.min() <= lies.max() < 0.0022, lies
    return (
        f"It sinks at {speed:.2f} m/s, {law:.2f} by the law; it lies {1e3 * lies.max():.1f} mm above the table and is "
        f"no faster than {1e3 * still:.1f} mm/s. No edge is longer or shorter by more than {stretched:.1%}."
    )


if __name__ == "__main__":
    studio.produce("paper", build, check, MOMENTS, **PICTURE)
