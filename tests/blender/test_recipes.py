"""The manual's recipes, followed step by step; each comes out as the page says."""

import sys
from pathlib import Path

import bpy
import numpy as np
import pytest
from artist import choose

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import looks
import studio

pytestmark = pytest.mark.once


@pytest.fixture
def scene(tmp_path):
    """A saved file; what it gets is baked beside it."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    return bpy.context.scene


def rod(name, lines, radius, preset, cyclic=False, **settings):
    """A rod of polylines, as Add Rod and a preset make it."""
    item = studio.polylines(name, lines, radius) if not cyclic else studio.curve(name, lines[0], radius, cyclic=True)
    choose(item)
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset=preset)
    for key, value in settings.items():
        setattr(item.tendril.rod, key, value)
    return item


def bake(scene, frames):
    scene.frame_end = frames
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert not bpy.context.window_manager.tendril.failed


def shown(item, frame):
    """The control points (n, 3) of each spline of a rod's result, as Blender plays them."""
    bpy.context.scene.frame_set(frame)
    depsgraph, result = bpy.context.evaluated_depsgraph_get(), item.tendril.result
    curve = result.evaluated_get(depsgraph).to_curve(depsgraph, apply_modifiers=True)
    return [np.array([result.matrix_world @ point.co for point in own.bezier_points]) for own in curve.splines]


def arc(turns, coil, count, pitch=0.0):
    angle = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return np.stack([coil * np.cos(angle), coil * np.sin(angle), pitch * angle / (2.0 * np.pi)], axis=1)


def straight(start, end, count):
    return np.linspace(start, end, count)


def test_a_hose_that_is_dropped_lies_on_the_floor_in_coils(scene):
    radius = 0.01
    hose = rod("Hose", [arc(2.5, 0.15, 60, 0.04) + (0, 0, 0.1)], radius, "garden_hose", shape_memory=0.0, points=60)
    scene.tendril.use_floor = True
    bake(scene, 36)
    (x,) = shown(hose, 36)
    assert x[:, 2].min() > 0.9 * radius
    assert x[:, 2].max() < 8.0 * radius  # strands lie on each other
    assert np.linalg.norm(x[:, :2], axis=1).max() < 1.0


def test_a_log_rolls_down_a_slope_and_a_rope_slides(scene):
    """2/3 g sin α of a cylinder, where friction holds its surface; without Roll, g (sin α − μ cos α)."""
    slope, mu, end = 0.3, 0.2, 13
    for place, rolls in ((0.0, True), (1.0, False)):
        line = straight([place, 0.0, 0.02], [place + 0.4, 0.0, 0.02], 9)
        rod(f"Log {rolls}", [line], 0.02, "rubber_cord", rolls=rolls, friction=mu, drag_coefficient=0.0)
    scene.tendril.use_floor, scene.tendril.floor_friction = True, mu
    scene.gravity = (0.0, 9.81 * np.sin(slope), -9.81 * np.cos(slope))
    bake(scene, end)
    time = (end - 1) / scene.render.fps
    for rolls, pull in ((True, 2.0 / 3.0 * np.sin(slope)), (False, np.sin(slope) - mu * np.cos(slope))):
        (x,) = shown(bpy.data.objects[f"Log {rolls}"], end)
        assert x[:, 1].mean() == pytest.approx(0.5 * 9.81 * pull * time**2, rel=0.02)


def test_hair_hangs_from_its_roots_which_follow_the_head(scene):
    head = studio.add("Head", None)
    roots = [np.array([0.02 * np.cos(k), 0.02 * np.sin(k), 0.0]) for k in range(12)]
    strands = [straight(root, root + (0.0, 0.0, 0.1), 8) for root in roots]
    hair = rod("Hair", strands, 4e-5, "human_hair", shape_memory=1.0, touches=False)
    choose(head, hair)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="TWIST")
    assert len(hair.tendril.pins) == len(strands)
    studio.steadily(head, "location", 0, {1: 0.0, 10: 0.1})
    bpy.ops.tendril.add_wind(speed=3.0)
    bake(scene, 10)
    before, after = shown(hair, 1), shown(hair, 10)
    for root, first, last in zip(roots, before, after, strict=True):
        assert np.allclose(first[0], root, atol=1e-5)
        assert np.allclose(last[0], root + (0.1, 0.0, 0.0), atol=1e-4)
        assert np.linalg.norm(last[-1] - first[-1] - (0.1, 0.0, 0.0)) > 0.005  # the tips lag and bend


def test_links_of_a_chain_hold_each_other(scene):
    """Every second link is turned by a quarter; each hangs in the one above."""
    links, long, wide, radius = [], 0.05, 0.03, 0.004
    for k in range(3):
        angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
        flat = np.stack([wide * np.cos(angle), 0.0 * angle, long * np.sin(angle)], axis=1)
        turned = flat[:, [1, 0, 2]] if k % 2 else flat
        link = rod(f"Link {k}", [turned - (0, 0, k * 1.55 * long)], radius, "steel_wire", cyclic=True, young=2.0)
        link.tendril.rod.points = 24
        links.append(link)
    hook = studio.add("Hook", None)
    choose(hook, links[0])
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.25, holder="OBJECT", mode="POSITION")
    bake(scene, 24)
    lowest = [min(shown(link, 24)[0][:, 2]) for link in links]
    assert lowest[0] > lowest[1] > lowest[2] > -(long + 3 * 2.0 * long)  # none has fallen out


def test_a_rope_falls_over_a_bar_and_stays_there(scene):
    bar = rod("Bar", [straight((0.0, -0.3, 0.0), (0.0, 0.3, 0.0), 13)], 0.02, "spring_steel", points=12)
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    rope = rod("Rope", [straight((-0.4, 0.0, 0.06), (0.4, 0.0, 0.06), 41)], 0.006, "hemp_rope", points=40)
    bake(scene, 36)
    (x,), (held,) = shown(rope, 36), shown(bar, 36)
    assert abs(held[:, 2]).max() < 1e-3
    middle = np.abs(x[:, 0]).argmin()
    assert x[middle, 2] > 0.02  # on top of the bar
    assert max(x[0, 2], x[-1, 2]) < -0.1  # both ends hang


def test_slow_motion_is_one_curve_stretched(scene):
    rope = rod("Rope", [straight((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), 11)], 0.005, "hemp_rope", points=10)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    bake(scene, 8)
    fast = [shown(rope, frame)[0] for frame in range(1, 9)]
    keys = rope.tendril.result.data.shape_keys
    action = keys.animation_data
    (played,) = action.action.layers[0].strips[0].channelbag(action.action_slot).fcurves
    for point in played.keyframe_points:
        point.co.x = 1 + 2 * (point.co.x - 1)
    for k, x in enumerate(fast):
        assert np.allclose(shown(rope, 1 + 2 * k)[0], x, atol=1e-6)


def test_a_winch_hauls_a_load_by_moving_the_upper_pin(scene):
    rope = rod("Rope", [straight((0.0, 0.0, 0.0), (0.0, 0.0, -1.0), 21)], 0.005, "steel_wire", young=0.5, points=20)
    drum = studio.add("Drum", None)
    choose(drum, rope)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode="POSITION")
    studio.steadily(drum, "location", 2, {1: 0.0, 24: 0.4})
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.0, 0.0, -1.05))
    load = bpy.context.object
    bpy.ops.tendril.add_body()
    choose(rope, load)
    bpy.ops.tendril.tie()
    bake(scene, 24)
    scene.frame_set(24)
    assert load.tendril.result.matrix_world.translation.z == pytest.approx(-1.05 + 0.4, abs=0.01)


@pytest.mark.skipif(not hasattr(bpy.ops.wm, "alembic_export"), reason="this Blender was built without Alembic")
def test_alembic_carries_the_motion_as_a_mesh(scene, tmp_path):
    rope = rod("Rope", [straight((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), 11)], 0.005, "hemp_rope", points=10)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    bake(scene, 6)
    choose(rope.tendril.result)
    file = str(tmp_path / "rope.abc")
    bpy.ops.wm.alembic_export(filepath=file, selected=True, curves_as_mesh=True)
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.wm.alembic_import(filepath=file)
    meshes = [item for item in bpy.data.objects if item.type == "MESH"]  # Blender writes a curve's mesh twice
    assert meshes
    for mesh in meshes:
        assert lowest(mesh, 6) < lowest(mesh, 1) - 0.05


def lowest(mesh, frame):
    """Height of a mesh's lowest vertex at a frame."""
    bpy.context.scene.frame_set(frame)
    evaluated = mesh.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return min((mesh.matrix_world @ vertex.co).z for vertex in evaluated.data.vertices)


def keyed(item, name, keys):
    """A number of a rod, {frame: value}."""
    for frame, value in keys.items():
        setattr(item.tendril.rod, name, value)
        item.tendril.rod.keyframe_insert(name, frame=frame)


def test_a_muscle_that_tightens_lifts_what_hangs_on_it(scene):
    """To where it is as long as its Rest Length says, and by m g/EA of that more."""
    load = studio.add("Load", looks.crate("Load", (0.1, 0.1, 0.1), looks.material("Load", (0.2, 0.2, 0.2))))
    load.location.z = -0.35
    studio.rigid_body(load, 2000.0)
    muscle = rod("Muscle", [straight([0, 0, 0], [0, 0, -0.3], 13)], 0.02, "rubber_cord", stretchable=True)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="TWIST")
    choose(load, muscle)
    bpy.ops.tendril.add_pin(place="END", holder="OBJECT", mode="TWIST")
    keyed(muscle, "rest_length_factor", {4: 1.0, 30: 0.7})
    bake(scene, 60)
    (x,), pull = shown(muscle, 60), 2.0 * 9.81 / (muscle.tendril.rod.young * 1e9 * np.pi * 0.02**2)
    assert -x[-1, 2] == pytest.approx(0.7 * 0.3 * (1.0 + pull), rel=0.02)


def test_a_tendril_curls_up(scene):
    """Straight at the first frame, as its Rest Shape is, it becomes the coil that was drawn."""
    coil = arc(4.0, 0.03, 65, 0.012) * (1, 1, -1)
    drawn = np.linalg.norm(np.diff(coil, axis=0), axis=1).sum()
    tendril = rod("Tendril", [coil], 0.002, "willow_twig", points=64)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY", mode="POSITION")
    keyed(tendril, "shape_memory", {4: 0.0, 50: 1.0})
    scene.tendril.settle = True
    bake(scene, 72)
    (first,), (last,) = shown(tendril, 1), shown(tendril, 72)
    assert np.linalg.norm(first[-1] - first[0]) > 0.95 * drawn
    assert np.linalg.norm(last[-1] - last[0]) < 0.3 * drawn
