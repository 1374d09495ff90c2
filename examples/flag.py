"""A flag on its pole. Stiff cloth, 150 g/m², is held by a pole along one side, lifted as wind comes up, and flies in
its gusts.
"""

import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).parent))
import looks
import measure
import studio

FRAMES = 60
LONG, WIDE, POLE = 0.9, 0.6, 1.9  # m: of the flag, of the pole
WIND = 8.0  # m/s
THICK, YOUNG, DENSITY = 0.3, 10.0, 500.0  # mm, MPa, kg/m³
MOMENTS = {1: "let go", 12: "sinks", 18: "lifted", FRAMES: "flies"}
PICTURE = {"size": (400, 300), "columns": 2}


def build(count=6):
    """The scene, ready to bake, the flag divided into so many squares across; returns it."""
    scene = studio.empty_scene(FRAMES)
    steel = looks.material("Steel", (0.5, 0.5, 0.52), 0.3, 1.0)
    pole = studio.add("Pole", looks.prism("Pole", 24, 0.012, POLE, steel), (0.0, 0.0, 0.5 * POLE))
    bpy.ops.mesh.primitive_grid_add(
        x_subdivisions=round(count * LONG / WIDE), y_subdivisions=count, size=1.0,
        location=(0.5 * LONG, 0.0, POLE - 0.02 - 0.5 * WIDE), rotation=(0.5 * np.pi, 0.0, 0.0),
    )  # fmt: skip
    flag = bpy.context.object
    flag.name, flag.scale = "Flag", (LONG, WIDE, 1.0)
    for vertex in flag.data.vertices:  # a plane in its own plane does not know to which side it is to go
        vertex.co.z = 0.02 * np.sin(6.0 * vertex.co.x) * (vertex.co.x + 0.5)
    flag.data.polygons.foreach_set("use_smooth", [True] * len(flag.data.polygons))
    flag.data.materials.append(looks.material("Cloth", (0.70, 0.08, 0.05), 0.7))
    bpy.ops.tendril.add_sheet()
    settings = flag.tendril.soft
    settings.thickness, settings.sheet_young, settings.density = THICK, YOUNG, DENSITY
    hoist = flag.vertex_groups.new(name="Hoist")
    hoist.add([vertex.index for vertex in flag.data.vertices if vertex.co.x < -0.499], 1.0, "REPLACE")
    pole.select_set(True)
    bpy.ops.tendril.add_soft_pin(holder="OBJECT")
    pole.select_set(False)
    bpy.ops.tendril.add_wind(speed=WIND, gusts=0.6)
    flag.modifiers.new("Smooth", "SUBSURF").render_levels = 2
    studio.daylight(scene, size=1.0)
    studio.camera(scene, target=(0.4, 0.0, 1.2), width=2.0, height=0.1)
    return flag


def check(_flag):
    """It stays on its pole, sinks, is lifted by the wind, and keeps its lengths."""
    (sheet,), x, fps = measure.description().solids, measure.baked()[0], bpy.context.scene.render.fps
    hoist, fly = sheet.x[:, 0] < 1e-3, sheet.x[:, 0] > LONG - 1e-3
    assert np.abs(x[:, hoist] - sheet.x[hoist]).max() < 1e-6
    flies, low = x[-fps:, fly], x[:fps, fly, 2].mean(axis=1).min()
    out = flies[:, :, 0].mean(axis=1).min() / LONG
    assert out > 0.9, out
    lifted = flies[:, :, 2].mean(axis=1).min() - low
    assert lifted > 0.1, lifted
    edges = np.unique(np.sort(sheet.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length = np.linalg.norm(x[:, edges[:, 0]] - x[:, edges[:, 1]], axis=2)
    longer = (length / length[0]).max() - 1.0  # between its points it bends, and is shorter
    assert longer < 0.01, longer
    return (
        f"It sinks by {1e2 * (sheet.x[fly, 2].mean() - low):.0f} cm before the wind is there, which lifts it by "
        f"{1e2 * lifted:.0f} cm and keeps its free side {out:.0%} of its length off the pole. No edge is longer by "
        f"more than {longer:.1%}."
    )


if __name__ == "__main__":
    studio.produce("flag", build, check, MOMENTS, **PICTURE)
