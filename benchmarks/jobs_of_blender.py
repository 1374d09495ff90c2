"""Writes scenes as Blender's users make them as jobs, GROUP/NAME in the folder after `--`: run by Blender, after
tools/link.py.

examples: all of them; presets: a Suzanne of each soft material, let fall and held; others: scenes that the
estimate was not chosen by, but looked at with.
"""

import importlib
import sys
from pathlib import Path

import bpy
import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))
import looks
import studio

ROOT = Path(__file__).resolve().parents[1]
FRAMES, OTHERS = 72, 192


def examples():
    for path in sorted((ROOT / "examples").glob("*.py")):
        if "\ndef check(" in path.read_text(encoding="utf-8"):
            importlib.import_module(path.stem).build()
            yield path.stem


def presets():
    for path in sorted((ROOT / "presets" / "soft").glob("*.toml")):
        for held in (False, True):
            scene = studio.empty_scene(FRAMES)
            _suzanne(path.stem, held)
            scene.tendril.use_floor = not held
            yield f"{path.stem} {'held' if held else 'dropped'}"


def others():
    for build in (
        _rope_on_cone, _hose_coil, _chimes, _bobbing, _whip, _wound, _knot_pulled, _curtain, _hammock, _chain_hung,
        _boughs, _hoop, _jellies, _soft_stairs, _bar, _soft_on_ropes, _boxes, _row, _bridge, _fur, _twigs,
    ):  # fmt: skip
        scene = studio.empty_scene(OTHERS)
        build(scene)
        yield build.__name__[1:]


def _suzanne(preset, held):
    bpy.ops.mesh.primitive_monkey_add(size=0.3, location=(0.0, 0.0, 0.4))
    item = bpy.context.object
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset=preset)
    if held:
        height = np.array([vertex.co.z for vertex in item.data.vertices])
        _hold(item, np.flatnonzero(height > 0.07))
    return item


def _hold(item, vertices, holder=None):
    """Pins these vertices of a soft body, selected and active, to an empty or what holds it."""
    item.vertex_groups.new(name="Held").add([int(k) for k in vertices], 1.0, "REPLACE")
    holder = holder or studio.add("Holder", None)
    holder.select_set(True)
    bpy.ops.tendril.add_soft_pin()
    holder.select_set(False)


def _rod(name, points, radius, preset, count, **options):
    """A rod along points (k, 3), or along each of several such, selected and active."""
    many = isinstance(points, list)
    item = studio.polylines(name, points, radius) if many else studio.curve(name, points, radius)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset=preset)
    item.tendril.rod.points = count
    for option, value in options.items():
        setattr(item.tendril.rod, option, value)
    return item


def _pin(place, mode="POSITION", holder=None):
    """Pins what is selected and active."""
    holder = holder or studio.add("Holder", None)
    holder.select_set(True)
    bpy.ops.tendril.add_pin(place=place, holder="OBJECT", mode=mode)
    holder.select_set(False)
    return holder


def _ball(name, radius, place, density):
    item = studio.add(name, looks.ball(name, radius, looks.brass()), place)
    studio.rigid_body(item, density=density, shape="SPHERE")
    return item


def _spiral(turns, radius, rise, low, count=80):
    a = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return np.stack([radius * np.cos(a), radius * np.sin(a), low + rise * a / (2.0 * np.pi)], axis=1)


def _rope_on_cone(scene):
    bpy.ops.mesh.primitive_cone_add(radius1=0.4, depth=0.6, vertices=24)
    studio.collider(bpy.context.object, 0.002)
    _rod("Rope", _spiral(2, 0.12, 0.05, 0.4), 0.008, "hemp_rope", 120, shape_memory=0.0)
    scene.tendril.use_floor, scene.tendril.floor_height = True, -0.3


def _hose_coil(scene):
    _rod("Hose", _spiral(4, 0.3, 0.06, 0.4), 0.012, "garden_hose", 160)
    scene.tendril.use_floor = True


def _chimes(_scene):
    lines, balls = [], []
    for k in range(5):
        x = 0.1 * k
        lines.append(np.linspace([x, 0.0, 1.0], [x, 0.0, 0.6], 5))
    threads = _rod("Threads", lines, 0.001, "cotton_thread", 16, shape_memory=0.0)
    _pin("START")
    threads.select_set(False)
    for k in range(5):
        balls.append(_ball(f"Bell {k}", 0.045, (0.1 * k, 0.0, 0.555), 2000.0))
    for ball in balls:
        threads.select_set(True)
        ball.select_set(True)
        bpy.context.view_layer.objects.active = ball
        bpy.ops.tendril.tie(mode="POSITION")
        ball.select_set(False)
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.tendril.add_wind(speed=6.0, gusts=2.0)


def _bobbing(_scene):
    _rod("Cord", np.linspace([0.0, 0.0, 1.0], [0.4, 0.0, 1.0], 6), 0.004, "rubber_cord", 30)
    holder = _pin("START")
    studio.steadily(holder, "location", 2, {1: 0.0, 12: 0.3, 24: 0.0, 36: 0.3, 48: 0.0})


def _whip(_scene):
    _rod("Line", np.linspace([0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 6), 0.002, "fishing_line", 80)
    holder = _pin("START", "DIRECTION")
    studio.steadily(holder, "rotation_euler", 1, {1: 0.0, 8: 1.2, 16: -1.2, 24: 0.0})
    studio.steadily(holder, "location", 0, {1: 0.0, 8: 0.5, 16: -0.5, 24: 0.0})


def _wound(scene):
    scene.frame_end = 120
    _rod("Cable", np.linspace([-0.4, 0.0, 0.0], [0.4, 0.0, 0.0], 6), 0.006, "rubber_cord", 80)
    _pin("START", "TWIST")
    holder = _pin("END", "TWIST")
    studio.steadily(holder, "rotation_euler", 0, {1: 0.0, 100: 12.0 * np.pi})
    studio.steadily(holder, "location", 0, {1: 0.0, 100: -0.2})


def _knot_pulled(_scene):
    bpy.ops.tendril.add_knot(knot="figure_eight", radius=0.01)
    for place, way in (("START", -0.25), ("END", 0.25)):
        holder = _pin(place)
        studio.steadily(holder, "location", 0, {1: 0.0, 60: way})


def _curtain(_scene):
    lines = [np.linspace([0.03 * k, 0.0, 1.0], [0.03 * k, 0.0, 0.0], 9) for k in range(30)]
    _rod("Curtain", lines, 0.002, "cotton_thread", 30)
    _pin("START")
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.tendril.add_wind(speed=3.0, gusts=1.0)


def _hammock(_scene):
    lines = []
    for k in range(6):
        y, s = 0.12 * (k - 2.5), np.linspace(-0.8, 0.8, 17)
        lines.append(np.stack([s, 0.0 * s + y, 0.3 * s * s], axis=1))
    _rod("Hammock", lines, 0.006, "polyester_rope", 40, shape_memory=0.0)
    _pin("ENDS")
    bpy.ops.object.select_all(action="DESELECT")
    for k in range(3):
        _ball(f"Fruit {k}", 0.12, (0.25 * (k - 1), 0.02 * k, 0.35 + 0.3 * k), 300.0)


def _chain_hung(_scene):
    a = 2.0 * np.pi * np.arange(12) / 12
    for k in range(6):
        ring = np.stack([0.05 * np.cos(a), 0.0 * a, 0.04 * np.sin(a)], axis=1)
        ring = ring[:, [0, 2, 1]] if k % 2 else ring
        link = studio.curve(f"Link {k}", ring + [0.08 * k, 0.0, 0.0], 0.006, cyclic=True)
        bpy.ops.tendril.add_rod()
        bpy.ops.tendril.apply_preset(preset="steel_wire")
        link.tendril.rod.points = 24
        if k == 0:
            bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5, holder="EMPTY", mode="POSITION")
        bpy.ops.object.select_all(action="DESELECT")


def _boughs(_scene):
    lines = []
    rng = np.random.default_rng(5)
    for k in range(12):
        s = np.linspace(0.0, 1.0, 9)[:, None]
        lines.append(np.array([0.1 * k, 0.0, 0.0]) + s * [0.1, 0.05, 1.0] + 0.1 * s * s * rng.normal(size=3))
    _rod("Twigs", lines, 0.004, "willow_twig", 24)
    _pin("START", "TWIST")
    bpy.ops.object.select_all(action="DESELECT")
    bpy.ops.tendril.add_wind(speed=10.0, gusts=4.0)


def _hoop(scene):
    a = 2.0 * np.pi * np.arange(16) / 16
    ring = np.stack([0.3 * np.cos(a), 0.05 * np.sin(2.0 * a), 0.5 + 0.3 * np.sin(a)], axis=1)
    item = studio.curve("Hoop", ring, 0.004, cyclic=True)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="spring_steel")
    item.tendril.rod.points = 60
    scene.tendril.use_floor = True


def _soft_ball(name, preset, radius, place, resolution=6):
    item = studio.add(name, looks.ball(name, radius, looks.brass()), place)
    item.select_set(True)
    bpy.context.view_layer.objects.active = item
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset=preset)
    item.tendril.soft.resolution = resolution
    item.select_set(False)
    return item


def _jellies(scene):
    for k in range(4):
        _soft_ball(f"Jelly {k}", "gelatine", 0.06, (0.02 * (k % 2), 0.015 * k, 0.07 + 0.14 * k))
    scene.tendril.use_floor = True


def _soft_stairs(scene):
    for k in range(3):
        bpy.ops.mesh.primitive_cube_add(size=0.4, location=(0.4 * k, 0.0, -0.2 * k - 0.2))
        studio.collider(bpy.context.object, 0.002)
    _soft_ball("Ball", "natural_rubber", 0.12, (0.12, 0.0, 0.5))
    scene.tendril.use_floor, scene.tendril.floor_height = True, -0.8


def _bar(_scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    item = bpy.context.object
    item.scale = (0.6, 0.1, 0.1)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=6)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.tendril.add_soft()
    bpy.ops.tendril.apply_soft_preset(preset="muscle")
    place = np.array([vertex.co.x for vertex in item.data.vertices])
    holder = studio.add("Wall", None)
    studio.steadily(holder, "location", 2, {1: 0.0, 12: 0.1, 24: 0.0})
    _hold(item, np.flatnonzero(place < -0.29), holder)


def _soft_on_ropes(_scene):
    lines = [np.linspace([-0.5, 0.08 * (k - 2), 0.0], [0.5, 0.08 * (k - 2), 0.0], 9) for k in range(5)]
    _rod("Ropes", lines, 0.006, "rubber_cord", 30)
    _pin("ENDS")
    bpy.ops.object.select_all(action="DESELECT")
    _soft_ball("Ball", "silicone", 0.1, (0.0, 0.0, 0.3), 5)


def _boxes(scene):
    rng = np.random.default_rng(2)
    mesh = looks.crate("Crate", (0.2, 0.2, 0.2), looks.brass())
    for k in range(12):
        item = studio.add(f"Crate {k}", mesh, (*(0.15 * rng.normal(size=2)), 0.3 + 0.35 * k))
        studio.rigid_body(item, density=400.0)
    scene.tendril.use_floor = True


def _row(scene):
    mesh = looks.crate("Domino", (0.04, 0.2, 0.4), looks.brass())
    for k in range(10):
        item = studio.add(f"Domino {k}", mesh, (0.15 * k, 0.0, 0.2))
        if k == 0:
            item.location, item.rotation_euler = (0.05, 0.0, 0.21), (0.0, 0.25, 0.0)
        studio.rigid_body(item, density=600.0)
    scene.tendril.use_floor = True


def _bridge(_scene):
    """Planks on two ropes."""
    lines = [np.linspace([-0.8, y, 0.0], [0.8, y, 0.0], 9) for y in (-0.2, 0.2)]
    ropes = _rod("Ropes", lines, 0.01, "hemp_rope", 40)
    _pin("ENDS")
    bpy.ops.object.select_all(action="DESELECT")
    mesh = looks.crate("Plank", (0.1, 0.5, 0.03), looks.brass())
    for k in range(5):
        item = studio.add(f"Plank {k}", mesh, (0.25 * (k - 2), 0.0, -0.03))
        studio.rigid_body(item, density=500.0)
        ropes.select_set(True)
        item.select_set(True)
        bpy.context.view_layer.objects.active = item
        bpy.ops.tendril.tie(mode="POSITION")
        bpy.ops.object.select_all(action="DESELECT")


def _fur(_scene):
    """Strands that touch each other, on a ball that is shaken."""
    k = np.arange(80) + 0.5
    height, turn = 1.0 - 0.8 * k / 80, np.pi * (3.0 - np.sqrt(5.0)) * k
    around = np.sqrt(1.0 - height * height)
    away = np.stack([around * np.cos(turn), around * np.sin(turn), height], axis=1)
    lines = list(away[:, None] * np.linspace(0.1, 0.25, 10)[:, None])
    _rod("Fur", lines, 0.0005, "human_hair", 10)
    holder = _pin("START", "TWIST")
    studio.steadily(holder, "rotation_euler", 2, {1: 0.0, 12: 1.0, 24: -1.0, 36: 0.0})


def _twigs(scene):
    """Sticks let fall on a heap."""
    rng = np.random.default_rng(7)
    lines = []
    for k in range(15):
        way = rng.normal(size=3) * [1.0, 1.0, 0.2]
        way *= 0.2 / np.linalg.norm(way)
        lines.append(np.linspace(-way, way, 6) + [0.0, 0.0, 0.1 + 0.06 * k])
    _rod("Sticks", lines, 0.01, "willow_twig", 8)
    scene.tendril.use_floor = True


GROUPS = {"examples": examples, "presets": presets, "others": others}


def main(folder, *groups):
    from bl_ext.user_default.tendril.bake import job
    from bl_ext.user_default.tendril.bridge.scene import read_scene

    for group in groups:
        for name in GROUPS[group]():
            scene, _meta = read_scene(bpy.context)
            job.write(Path(folder, group, name), scene, {})


main(*sys.argv[sys.argv.index("--") + 1 :])
