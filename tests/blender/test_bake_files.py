"""Damaged frames, refused bakes and a second Blender, as the buttons meet them."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake import job
from bl_ext.user_default.tendril.bake.cache import FRAMES, Cache
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bake.lock import locked
from bl_ext.user_default.tendril.bridge import result
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder
from bl_ext.user_default.tendril.physics.scene import Frame

COUNT = 8


@pytest.fixture
def rope(tmp_path):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.curve.primitive_nurbs_path_add()
    rope = bpy.context.object
    rope.data.bevel_depth = 0.05
    bpy.ops.tendril.add_rod()
    bpy.context.scene.frame_end = bpy.context.scene.frame_start + COUNT - 1
    bpy.context.scene.tendril.cache_folder = str(tmp_path)
    return rope


@pytest.fixture
def baked(rope, tmp_path):
    """(meta, Cache) of a bake in which the rope sinks by a metre in each frame."""
    scene, meta = read_scene(bpy.context)
    cache = Cache(job.write(tmp_path / "shot", scene, meta).folder)
    cache.begin("abc", COUNT)
    (rod,) = scene.rods
    for index in range(COUNT):
        x = rod.x - [0.0, 0.0, index]
        cache.write(Frame(index, x, np.tile([0.0, 0.0, 1.0], (rod.edge_count, 1)), {}))
    return meta, cache


def damage(cache, index, how):
    path = cache.folder / FRAMES / f"{index:06d}.npz"
    if how == "cut short":
        path.write_bytes(path.read_bytes()[:100])
    elif how == "gone":
        path.unlink()
    else:
        np.savez(path, x=np.zeros((3, 3)), m1=np.zeros((2, 3)), bodies=np.zeros((0, 7)))


@pytest.mark.parametrize("how", ["cut short", "gone", "of another shape"])
def test_what_comes_before_a_damaged_frame_is_shown(baked, how):
    meta, cache = baked
    damage(cache, 5, how)
    told = []
    (item,) = result.show(bpy.context, meta, cache, warn=lambda *damage: told.append(damage))
    assert len(item.data.shape_keys.key_blocks) == 5
    ((index, sentence),) = told
    assert index == 5
    assert sentence.startswith("Frame 5 of the cache is missing or damaged")


def test_a_cache_without_a_sound_frame_is_a_sentence_and_changes_nothing(baked):
    meta, cache = baked
    damage(cache, 0, "of another shape")
    objects = list(bpy.data.objects)
    with pytest.raises(BakeError, match="Frame 0 of the cache .* there is nothing to show"):
        result.show(bpy.context, meta, cache)
    assert list(bpy.data.objects) == objects


def contents():
    folder = cache_folder(bpy.context.scene)
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_bake_that_physics_refuses_leaves_the_earlier_one(rope):
    bpy.ops.tendril.bake()
    before, results = contents(), [item.name for item in bpy.data.objects]
    rope.tendril.rod.balanced = True  # without a clamp, which only the solver can tell
    with pytest.raises(RuntimeError, match=r"'NurbsPath'"):
        bpy.ops.tendril.bake()
    assert contents() == before
    assert [item.name for item in bpy.data.objects] == results
    rope.tendril.rod.balanced = False
    assert bpy.ops.tendril.resume() == {"FINISHED"}


def test_a_bake_beside_a_running_one_leaves_its_job(rope):
    bpy.ops.tendril.bake()
    before = contents()
    rope.tendril.rod.density *= 2.0
    with locked(cache_folder(bpy.context.scene)), pytest.raises(RuntimeError, match="Another bake is writing"):
        bpy.ops.tendril.bake()
    assert contents() == before
