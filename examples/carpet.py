"""A carpet kicked open. It is drawn as a roll, has a flat relaxed shape, and rolls down the stairs at a push, turn by
turn, until all of it lies on them.
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
TURNS, PER_TURN, CORE, PITCH = 4, 12, 0.05, 0.013  # , points, m inside, m from turn to turn
WIDE, LYING = 0.6, 0.18  # m: of the carpet, of what lies unrolled already
RISE, RUN, STEPS, LANDING = 0.17, 0.28, 4, 0.25  # m, m, , m before the first step
PUSH = 1.5  # m/s
MOMENTS = {1: "pushed", 8: "down the first step", 20: "turn by turn", FRAMES: "open"}
PICTURE = {"size": (400, 300), "columns": 2}


def build(across=5):
    """The scene, ready to bake, the carpet divided into so many faces across; returns it."""
    scene = studio.empty_scene(FRAMES)
    stairs = studio.add("Stairs", flight(looks.material("Stone", (0.35, 0.33, 0.30), 0.8)))
    studio.collider(stairs, 0.0, 0.6)
    way, along = roll()
    carpet = studio.add("Carpet", woven(way, across), (0.0, 0.0, 0.006))
    carpet.shape_key_add(name="Roll")
    flat = carpet.shape_key_add(name="Flat")
    flat.value = 0.0
    for point, s in zip(flat.data, np.tile(along, across + 1), strict=True):
        point.co.x, point.co.z = s, 0.0
    bpy.context.view_layer.objects.active = carpet
    carpet.select_set(True)
    bpy.ops.tendril.add_sheet()
    bpy.ops.tendril.apply_soft_preset(preset="carpet")
    settings = carpet.tendril.soft
    settings.relaxed, settings.friction = "Flat", 0.6
    settings.velocity, settings.spin = (PUSH, 0.0, 0.0), (0.0, PUSH / (CORE + TURNS * PITCH), 0.0)
    end = carpet.vertex_groups.new(name="End")
    end.add([int(k) for k in np.flatnonzero(np.tile(along, across + 1) < -0.5 * LYING)], 1.0, "REPLACE")
    stairs.select_set(True)
    bpy.ops.tendril.add_soft_pin(holder="OBJECT")
    stairs.select_set(False)
    carpet.modifiers.new("Thick", "SOLIDIFY").thickness = 0.008
    carpet.modifiers["Thick"].offset = 0.0
    studio.daylight(scene, size=1.5, floor=-STEPS * RISE - 0.002)
    studio.camera(scene, target=(0.6, 0.0, -0.2), width=2.4, height=0.35)
    return carpet


def roll():
    """(x and z (m, 2) [m] of a spiral on the ground, begun at its outer end; lengths (m,) [m] along it)."""
    angle = 2.0 * np.pi / PER_TURN * np.arange(TURNS * PER_TURN + 1)
    radius = CORE + PITCH * (TURNS - angle / (2.0 * np.pi))
    way = radius[:, None] * np.stack([np.sin(angle), -np.cos(angle)], axis=1) + [0.0, radius[0]]
    chords = np.linalg.norm(np.diff(way, axis=0), axis=1)
    along = np.cumsum([0.0, *chords * (1.0 + (2.0 * np.pi / PER_TURN) ** 2 / 24.0)])  # of arcs
    lying = -LYING * np.array([1.0, 2.0 / 3.0, 1.0 / 3.0])
    return np.concatenate([np.stack([lying, 0.0 * lying], axis=1), way]), np.concatenate([lying, along])


def woven(way, across):
    """A mesh of quads along a way (m, 2)."""
    count, mesh = len(way), bpy.data.meshes.new("Carpet")
    sides = np.linspace(-0.5 * WIDE, 0.5 * WIDE, across + 1)
    first = [row * count + k for row in range(across) for k in range(count - 1)]
    faces = [(k, k + 1, k + 1 + count, k + count) for k in first]
    mesh.from_pydata([(x, y, z) for y in sides for x, z in way], [], faces)
    mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
    mesh.materials.append(looks.material("Wool", (0.45, 0.05, 0.06), 0.9))
    return mesh


def profile():
    """(x, z) [m] of the stairs from above."""
    treads = [(LANDING + RUN * (step + side), -RISE * (step + 1)) for step in range(STEPS - 1) for side in (0, 1)]
    bottom = -STEPS * RISE
    end = LANDING + RUN * (STEPS - 1)
    return [(-0.5, 0.0), (LANDING, 0.0), *treads, (end, bottom), (end + 2.0, bottom)]


def flight(look):
    """A mesh of the stairs."""
    under = -STEPS * RISE - 0.1
    return looks.extruded("Stairs", [*profile(), (profile()[-1][0], under), (-0.5, under)], 1.2, look)


def check(_carpet):
    """It opens as far as it is long, lies still on the stairs and not in them, and keeps its lengths."""
    (sheet,), x, fps = measure.description().solids, measure.baked()[0], bpy.context.scene.render.fps
    along, path = sheet.rest_x[:, 0], np.array(profile())
    free = along > along.max() - 1e-3
    assert x[-1, free, 0].min() > path[-2, 0] + 0.3, x[-1, free, 0]
    ground = np.array([path[path[:, 0] <= place][-1, 1] for place in x[-1, :, 0]])
    rim = np.abs(x[-1, :, 0][:, None] - path[:, 0]).min(axis=1) < 0.01  # above or below which step is not said there
    above = (x[-1, :, 2] - ground)[~rim]
    assert above.min() > 0.0, above.min()
    still = np.linalg.norm(x[-1] - x[-6], axis=1).max() / 5 * fps
    assert still < 0.2, still
    edges = np.unique(np.sort(sheet.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length, rest = (np.linalg.norm(p[edges[:, 0]] - p[edges[:, 1]], axis=1) for p in (x[-1], sheet.rest_x))
    longer = (length / rest).max() - 1.0
    assert longer < 0.02, longer
    return (
        f"{np.ptp(along):.2f} m of carpet open down {STEPS} steps, nowhere less than {1e3 * above.min():.1f} mm above "
        f"them and no faster than {1e3 * still:.0f} mm/s at the end. No edge is longer by more than {longer:.1%}."
    )


if __name__ == "__main__":
    studio.produce("carpet", build, check, MOMENTS, **PICTURE)
