"""Rods, and what hangs on trees, played by files beside the bake: as by shape keys, and taken into the .blend."""

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bridge import mesh_cache, result
from bl_ext.user_default.tendril.bridge.scene import read_scene

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import sapling

LEVELS = (sapling.Level(5, (0.3, 0.95), 1.0, 0.4, 5, 0.1, 0.1),)
FRAMES = 5
MOMENTS = (1, 2, 2.5, FRAMES)


@pytest.fixture
def tree():
    branches = sapling.grow(levels=LEVELS)
    curve = sapling.tree("Oak", branches)
    sapling.leaves("Leaves", curve, branches, spacing=0.2)
    bpy.context.view_layer.objects.active = curve
    curve.select_set(True)
    bpy.ops.tendril.add_tree()
    return curve


def bake(rod, folder, storage):
    """Show a made-up bake in which all leans over, turns and goes aside."""
    rod.tendril.rod.storage = storage
    bpy.context.scene.frame_end = FRAMES
    scene, meta = read_scene(bpy.context)
    frames = []
    for frame in range(FRAMES):
        c, s = np.cos(0.1 * frame), np.sin(0.1 * frame)
        turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        x = np.concatenate([rod.x for rod in scene.rods]) @ turn.T + (0.1 * frame, 0.0, 0.0)
        m1 = np.concatenate([np.repeat([rod.m1], rod.edge_count, axis=0) for rod in scene.rods]) @ turn.T
        frames.append((x, m1, np.zeros((0, 7))))
    cache = SimpleNamespace(frames=range(FRAMES), read=lambda index: frames[index], folder=folder)
    result.show(bpy.context, meta, cache)
    return rod.tendril.result, [item.tendril.result for item in rod.children]


def drawn(item, frame):
    """Evaluated vertices (n, 3) of an object in the world."""
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    co = np.empty(3 * len(evaluated.to_mesh().vertices), dtype=np.float32)
    evaluated.to_mesh().vertices.foreach_get("co", co)
    evaluated.to_mesh_clear()
    matrix = np.array(evaluated.matrix_world)
    return co.reshape(-1, 3).astype(float) @ matrix[:3, :3].T + matrix[:3, 3]


def centres(item, frame):
    """Of the rings of a bevelled curve: (n, 3)."""
    size = 4 + 2 * item.data.bevel_resolution
    around = drawn(item, frame)
    return around[: len(around) // size * size].reshape(-1, size, 3).mean(axis=1)


def test_files_play_what_shape_keys_play(tree, tmp_path):
    tree.data.use_fill_caps = False
    trunk, (leaves,) = bake(tree, tmp_path, "KEYS")
    keyed = [(centres(trunk, moment), drawn(leaves, moment)) for moment in MOMENTS]
    assert np.abs(keyed[0][0] - keyed[-1][0]).max() > 0.3
    assert bake(tree, tmp_path, "FILE") == (trunk, [leaves])
    assert len(list(tmp_path.glob("*.pc2"))) == 2
    for item in (trunk, leaves):
        assert item.data.shape_keys is None
        assert [one.type for one in item.modifiers] == ["MESH_CACHE"]
    for moment, (axis, leaf) in zip(MOMENTS, keyed, strict=True):
        assert np.allclose(centres(trunk, moment), axis, atol=1e-5)
        assert np.allclose(drawn(leaves, moment), leaf, atol=1e-5)
    bake(tree, tmp_path, "KEYS")
    assert not trunk.modifiers
    assert not leaves.modifiers
    assert np.allclose(drawn(leaves, FRAMES), keyed[-1][1], atol=1e-5)


def test_revert_leaves_nothing_of_what_files_played(tree, tmp_path):
    objects, meshes = len(bpy.data.objects), len(bpy.data.meshes)
    for _ in range(2):
        bake(tree, tmp_path, "FILE")
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == (objects + 2, meshes + 1)
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert (len(bpy.data.objects), len(bpy.data.meshes)) == (objects, meshes)


@pytest.mark.parametrize("stretch", [(100, 100), (100, 50)])
def test_what_is_taken_into_the_file_plays_without_the_other(tree, tmp_path, stretch):
    bpy.context.scene.render.frame_map_old, bpy.context.scene.render.frame_map_new = stretch
    trunk, (leaves,) = bake(tree, tmp_path, "FILE")
    before = [(drawn(trunk, moment), drawn(leaves, moment)) for moment in MOMENTS]
    assert bpy.ops.tendril.take_into_file() == {"FINISHED"}
    for file in tmp_path.glob("*.pc2"):
        file.unlink()
    for item in (trunk, leaves):
        assert not item.modifiers
        assert len(item.data.shape_keys.key_blocks) == FRAMES
    for moment, (axis, leaf) in zip(MOMENTS, before, strict=True):
        assert np.allclose(drawn(trunk, moment), axis, atol=1e-5)
        assert np.allclose(drawn(leaves, moment), leaf, atol=1e-5)
    assert not bpy.ops.tendril.take_into_file.poll()


def test_a_file_that_is_gone_or_damaged_changes_nothing_and_is_named(tree, tmp_path):
    trunk, (leaves,) = bake(tree, tmp_path, "FILE")
    (file,) = tmp_path.glob("tendril_Leaves*.pc2")
    content = file.read_bytes()
    for spoiled, reason in ((content[:-1], "is damaged"), (b"x" + content[1:], "is damaged"), (None, "is not there")):
        file.write_bytes(spoiled) if spoiled else file.unlink()
        with pytest.raises(RuntimeError, match=f"{file.name}, which plays a bake, {reason}"):
            bpy.ops.tendril.take_into_file()
        for item in (trunk, leaves):
            assert item.data.shape_keys is None
            assert len(item.modifiers) == 1


def test_keyframes_are_made_of_what_a_file_plays(tree, tmp_path):
    trunk, _ = bake(tree, tmp_path, "FILE")
    before = drawn(trunk, FRAMES)
    assert bpy.ops.tendril.bake_to_keyframes() == {"FINISHED"}
    assert not trunk.modifiers
    assert np.allclose(drawn(trunk, FRAMES), before, atol=1e-5)


def as_saved(shot, other, way):
    """Let `other` play, in one of several ways, what the saved file `shot` does."""
    if way == "save as":
        bpy.ops.wm.save_as_mainfile(filepath=other)
    elif way == "save a copy":
        bpy.ops.wm.save_as_mainfile(filepath=other, copy=True)
    elif way == "copy of the file":
        shutil.copy(shot, other)
    else:
        bpy.ops.wm.read_homefile(use_empty=True)
        with bpy.data.libraries.load(shot, link=way == "link") as (there, here):
            here.objects = [name for name in there.objects if name.endswith("Baked")]
        for item in here.objects:
            bpy.context.scene.collection.objects.link(item)
        bpy.ops.wm.save_as_mainfile(filepath=other)


WAYS = ("save as", "save a copy", "copy of the file", "append", "link")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("elsewhere", [False, True])
def test_what_a_saved_file_plays_stays(tree, tmp_path, way, elsewhere):
    """elsewhere: the later sessions are of another Blender, which knows nothing of this one."""
    shot, other = str(tmp_path / "shot.blend"), str(tmp_path / "other.blend")
    bake(tree, tmp_path, "FILE")
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    as_saved(shot, other, way)
    for _ in range(3):
        if elsewhere:
            mesh_cache._unsaved.clear()
            mesh_cache._left.clear()
        bpy.ops.wm.open_mainfile(filepath=shot)
        bake(bpy.data.objects["Oak"], tmp_path, "FILE")
        bpy.ops.wm.save_mainfile()
    if way != "link":  # which plays what its library does now
        shutil.copy(other, shot)
    bpy.ops.wm.open_mainfile(filepath=other)
    played = mesh_cache._named_now()
    assert len(played) == 2
    assert all(Path(path).exists() for path in played)


def test_what_was_never_saved_goes_when_no_undo_step_plays_it(tree, tmp_path):
    shot = str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=shot)
    bake(tree, tmp_path, "FILE")
    bake(tree, tmp_path, "FILE")
    assert len(list(tmp_path.glob("*.pc2"))) == 4
    assert len(mesh_cache.not_played(tmp_path)) == 2
    bpy.ops.wm.open_mainfile(filepath=shot)
    assert len(list(tmp_path.glob("*.pc2"))) == 4
    bake(bpy.data.objects["Oak"], tmp_path, "FILE")
    assert {str(path) for path in tmp_path.glob("*.pc2")} == mesh_cache._named_now()


def test_what_is_recovered_is_not_what_goes(tree, tmp_path):
    """Blender saves by itself what nobody saved."""
    bake(tree, tmp_path, "FILE")
    files = set(tmp_path.glob("*.pc2"))
    recover = str(tmp_path / "quit.blend")
    handlers = list(bpy.app.handlers.save_post)
    bpy.app.handlers.save_post.clear()
    bpy.ops.wm.save_as_mainfile(filepath=recover, copy=True)
    bpy.app.handlers.save_post.extend(handlers)
    bpy.ops.wm.open_mainfile(filepath=recover)
    bake(bpy.data.objects["Oak"], tmp_path, "FILE")
    assert files < set(tmp_path.glob("*.pc2"))
