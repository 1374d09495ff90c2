"""Pins of ropes that slide: pulleys, on objects that move and on rigid bodies."""

import bpy
import numpy as np
import pytest
from artist import choose, draw_rod, link
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder
from bl_ext.user_default.tendril.physics.validate import SceneError

LAST = 13
CORNERS = [(-0.2, 0.0, 1.0), (-0.2, 0.0, 2.0), (0.2, 0.0, 2.0), (0.2, 0.0, 1.0)]


def way():
    parts = [np.linspace(a, b, n)[:-1] for a, b, n in zip(CORNERS, CORNERS[1:], (21, 9, 21), strict=False)]
    return np.concatenate([*parts, CORNERS[-1:]])


def weight(name, place, mass):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(0.05 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]), [], [
        (0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])  # fmt: skip
    item = link(bpy.data.objects.new(name, mesh))
    item.location = place
    item.tendril.is_body = True
    body = item.tendril.body
    body.use_density, body.mass, body.collide = False, mass, False
    return item


def pin(rod, target, fraction, slides=False):
    own = rod.tendril.pins.add()
    own.name, own.target, own.fraction, own.slides = target.name, target, fraction, slides
    if not slides:
        own.mode = "POSITION"
    return own


@pytest.fixture
def machine(tmp_path):
    """Atwood's: a rope over two empties, a weight on each end."""
    rod = draw_rod("Rope", way(), depth=0.004)
    rod.tendril.rod.shape_memory, rod.tendril.rod.touches = 0.0, False
    for name, place, mass in (("Left", CORNERS[0], 2.0), ("Right", CORNERS[-1], 3.0)):
        item = weight(name, place, mass)
        pin(rod, item, 0.0 if name == "Left" else 1.0)
    for name, place, fraction in (("Block", CORNERS[1], 1.0 / 2.4), ("Wheel", CORNERS[2], 1.4 / 2.4)):
        empty = link(bpy.data.objects.new(name, None))
        empty.location = place
        pin(rod, empty, fraction, slides=True)
    bpy.context.scene.frame_end = LAST
    bpy.context.view_layer.update()
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    return bpy.data.objects["Rope"]


def cached(frame):
    return Cache(cache_folder(bpy.context.scene)).read(frame - 1)[0]


def test_it_is_read_as_a_pulley(machine):
    scene = read_scene(bpy.context)[0]
    assert [one.name for one in scene.pulleys] == ["Block", "Wheel"]
    assert not scene.pins
    assert np.allclose(scene.pulleys[1].position[0], CORNERS[2], atol=1e-6)


def test_weights_fall_over_pulleys_and_the_lighter_one_rises(machine):
    bpy.ops.tendril.bake()
    mass = 5.0 + read_scene(bpy.context)[0].rods[0].mass.sum()
    way = 0.5 * 9.81 / mass * ((LAST - 1) / 24.0) ** 2
    x = cached(LAST)
    assert CORNERS[-1][2] - x[-1, 2] == pytest.approx(way, rel=4e-2)
    assert x[0, 2] - CORNERS[0][2] == pytest.approx(CORNERS[-1][2] - x[-1, 2], rel=1e-3)
    assert np.linalg.norm(np.diff(x, axis=0), axis=1).max() < 0.0501


def test_from_here_selected_and_undone(machine):
    bpy.ops.ed.undo_push(message="drawn")
    bpy.ops.tendril.bake()
    once = [cached(frame).tobytes() for frame in range(1, LAST + 1)]
    bpy.context.scene.frame_set(7)
    bpy.data.objects["Left"].tendril.body.mass = 4.0
    bpy.ops.tendril.bake_from_here()
    assert [cached(frame).tobytes() for frame in range(1, 8)] == once[:7]
    heavier = [cached(frame) for frame in range(1, LAST + 1)]
    assert heavier[-1][0, 2] < np.frombuffer(once[-1]).reshape(-1, 3)[0, 2]
    choose(bpy.data.objects["Rope"].tendril.result)
    bpy.ops.tendril.bake_selected()
    assert np.abs(cached(LAST) - heavier[-1]).max() < 0.02  # its weights go where they went
    bpy.ops.ed.undo_push(message="baked")
    bpy.data.objects["Rope"].tendril.pins[2].slides = False
    bpy.ops.ed.undo_push(message="held")
    bpy.ops.ed.undo()
    assert bpy.data.objects["Rope"].tendril.pins[2].slides


def test_a_pulley_follows_its_object_and_a_rigid_body(machine):
    block = bpy.data.objects["Block"]
    for frame, up in ((1, 0.0), (LAST, 0.2)):
        block.location.z = CORNERS[1][2] + up
        block.keyframe_insert("location", frame=frame)
    scene = read_scene(bpy.context)[0]
    assert scene.pulleys[0].position[-1, 2] == pytest.approx(CORNERS[1][2] + 0.2, abs=1e-3)
    wheel = weight("Free", CORNERS[2], 1.0)
    machine.tendril.pins[3].target = wheel
    scene = read_scene(bpy.context)[0]
    assert {one.name: one.body is None for one in scene.pulleys} == {"Block": True, "Wheel": False}


def test_an_influence_is_refused(machine):
    machine.tendril.pins[2].influence = 0.5
    with pytest.raises(SceneError, match="pin 'Block' slides, and what runs through it is never let go: set its infl"):
        read_scene(bpy.context)


def test_an_end_and_a_rope_with_memory_are_refused(machine):
    machine.tendril.pins[2].fraction = 0.001
    with pytest.raises(SceneError, match=r"'Block'.* 'Rope'"):
        read_scene(bpy.context)
    machine.tendril.pins[2].fraction = 1.0 / 2.4
    machine.tendril.rod.shape_memory = 1.0
    with pytest.raises(SceneError, match="'Rope' cannot run through 'Block': set its Rest Shape to 0"):
        read_scene(bpy.context)
