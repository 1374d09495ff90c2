"""Whatever happens to the scene, the folder or the worker while a bake runs: it ends with a sentence, the scene is
whole, what is shown is what the cache holds, Revert leaves what there was; and a hundred bakes leave nothing behind."""

import gc
import os
import random
import shutil
import signal
import time
from pathlib import Path

import bpy
import numpy as np
import pytest
from artist import save
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bake.lock import locked
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

CASES = 44
FRAMES = 12
PATIENCE = 60.0  # s
MOST_GROWTH = 1e6  # bytes of memory a bake

pytestmark = [pytest.mark.once, pytest.mark.skipif(os.name == "nt", reason="signals")]


@pytest.fixture
def rod(tmp_path):
    """A rope of 12 points that hangs from an empty, in a saved file."""
    bpy.ops.curve.primitive_nurbs_path_add()
    rope = bpy.context.object
    rope.name = "Rope"
    bpy.ops.tendril.add_rod()
    rope.tendril.rod.points = 11
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    bpy.context.view_layer.objects.active = rope
    save(tmp_path, FRAMES)
    return rope


def run():
    return bpy.context.window_manager.tendril


def the_rod():
    """References die with undo and with another file."""
    return next((item for item in bpy.data.objects if item.tendril.is_rod), None)


# What happens: each gets the Baking.


def killed(baking):
    baking.worker.kill()


def terminated(baking):
    os.kill(baking.worker.pid, signal.SIGTERM)


def cancelled(baking):
    baking.cancel()


def folder_removed(baking):
    shutil.rmtree(baking.job.folder, ignore_errors=True)


def frame_cut(baking):
    for path in (baking.job.folder / "tendril_frames").glob("*.npz"):
        path.write_bytes(path.read_bytes()[:50])
        return


def rod_renamed(_baking):
    the_rod().name = "Line"


def rod_deleted(_baking):
    bpy.data.objects.remove(the_rod())


def rod_duplicated(_baking):
    copy = the_rod().copy()
    bpy.context.collection.objects.link(copy)


def rod_deleted_and_its_name_taken(_baking):
    bpy.data.objects.remove(the_rod())
    bpy.data.objects.new("Rope", bpy.data.curves.new("Rope", "CURVE"))


def no_rod_any_more(_baking):
    bpy.context.view_layer.objects.active = the_rod()
    bpy.ops.tendril.remove_rod()


def points_changed(_baking):
    the_rod().data.splines[0].points.add(3)
    the_rod().data.splines.new("BEZIER")


def target_deleted(_baking):
    bpy.data.objects.remove(the_rod().tendril.pins[0].target)


def edited(_baking):
    bpy.context.view_layer.objects.active = the_rod()
    bpy.ops.object.mode_set(mode="EDIT")


def frames_changed(_baking):
    bpy.context.scene.frame_end, bpy.context.scene.render.fps = 100, 60
    bpy.context.scene.frame_set(7)


def scene_renamed(_baking):
    bpy.context.scene.name = "Finale"


def saved_as(_baking):
    bpy.ops.wm.save_as_mainfile(filepath=bpy.data.filepath.replace("shot", "other"))


def cache_moved_elsewhere(_baking):
    bpy.context.scene.tendril.cache_folder = "//elsewhere"


def collection_left(_baking):
    bpy.context.collection.objects.unlink(the_rod())


def undone(_baking):
    bpy.ops.ed.undo_push(message="before")
    the_rod().location.x += 1.0
    bpy.ops.ed.undo_push(message="after")
    if bpy.ops.ed.undo.poll():
        bpy.ops.ed.undo()


def nothing(_baking):
    pass


HAPPENINGS = (
    killed, terminated, cancelled, folder_removed, frame_cut, rod_renamed, rod_deleted, rod_duplicated,
    rod_deleted_and_its_name_taken, no_rod_any_more, points_changed, target_deleted, edited, frames_changed,
    scene_renamed, saved_as, cache_moved_elsewhere, collection_left, undone, nothing,
)  # fmt: skip


def folder_is_free(folder):
    try:
        with locked(folder):
            return True
    except BakeError:
        return False


def bake(happening, moment, **choices):
    """As the modal operator does it: the artist goes on working between two looks at the worker."""
    baking, heard, deadline = Baking(bpy.context, **choices), 0, time.monotonic() + PATIENCE
    worker = baking.start()
    while True:
        said = worker.next_message(1.0)
        assert time.monotonic() < deadline
        if said is None:
            continue
        baking.hear(bpy.context, said)
        baking.preview(bpy.context)
        if heard == moment:
            happening(baking)
        heard += 1
        if said["kind"] == "exit":
            baking.end(bpy.context)
            return baking


def names():
    return {
        (kind, item.name)
        for kind in ("objects", "curves", "scenes", "actions", "shape_keys")
        for item in getattr(bpy.data, kind)
    }


def test_a_bake_outlives_what_happens_meanwhile(rod, random_case):
    chance = random.Random(random_case)
    happening, moment = HAPPENINGS[random_case % len(HAPPENINGS)], chance.randrange(FRAMES + 1)
    baking = bake(happening, moment)
    if bpy.context.object and bpy.context.object.mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()

    nothing_is_left_running(baking)
    assert "mistake" not in run().message
    assert "\n" not in run().message
    assert not run().running
    assert not [item.name for item in (*bpy.data.objects, *bpy.data.scenes) if item.name.startswith(".tendril")]
    rod, cache = the_rod(), Cache(baking.job.folder)
    if rod:
        what_is_shown_is_in_the_cache(rod, cache)
    if rod and happening in {killed, terminated, cancelled, frame_cut, folder_removed, nothing}:
        resumed_gives_the_same_bytes(baking, rod)
    if rod and rod.name in bpy.context.view_layer.objects:
        revert_leaves_no_result(rod)


def nothing_is_left_running(baking):
    assert baking.worker.wait(0.0)
    if baking.job.folder.exists():
        assert folder_is_free(baking.job.folder)


def what_is_shown_is_in_the_cache(rod, cache):
    result = rod.tendril.result
    if not result or result.tendril.source != rod:
        return
    keys = result.data.shape_keys
    blocks = keys.key_blocks if keys else []
    sound = next((k for k in range(FRAMES) if not cache.holds(k)), FRAMES)
    if cache.folder.exists():
        assert len(blocks) == (sound if sound > 1 else 0)
    for index, block in enumerate(blocks[:sound]):
        places = np.empty(3 * len(block.data), dtype=np.float32)
        block.data.foreach_get("co", places)
        world = places.reshape(-1, 3) @ np.array(result.matrix_world)[:3, :3].T + np.array(result.matrix_world)[:3, 3]
        assert world == pytest.approx(cache.read(index)[0], abs=1e-4)


_right = {}  # the bytes of each frame of a bake that nothing happens to, once known


def resumed_gives_the_same_bytes(baking, rod):
    bpy.ops.tendril.resume() if baking.job.folder.exists() else bpy.ops.tendril.bake()
    assert run().message == f"Baked {FRAMES} frames"
    files = sorted((cache_folder(bpy.context.scene) / "tendril_frames").glob("*"))
    found = [path.read_bytes() for path in files]
    assert [path.suffix for path in files] == [".npz"] * FRAMES
    assert found == _right.setdefault("frames", found)
    what_is_shown_is_in_the_cache(rod, Cache(cache_folder(bpy.context.scene)))


def revert_leaves_no_result(rod):
    points = [tuple(point.co) for point in rod.data.splines[0].points]
    if bpy.ops.tendril.revert.poll():
        assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert rod.tendril.result is None
    assert not rod.hide_viewport
    assert not rod.hide_render
    assert [tuple(point.co) for point in rod.data.splines[0].points] == points


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="counts what Linux tells")
def test_many_bakes_leak_nothing(rod, request, monkeypatch):
    count = 100 if request.config.getoption("all_cases") else 8
    monkeypatch.setattr(bpy.context.preferences.edit, "use_global_undo", False)
    before = []
    for number in range(count + 2):
        bake((nothing, cancelled, nothing, killed)[number % 4], 5, resume=number % 4 == 2)
        if number % 5 == 4:
            bpy.ops.tendril.revert()
            bpy.ops.tendril.free()
        if number == 1:  # what is loaded once is
            before = [memory(), descriptors(), names()]
    assert (memory() - before[0]) / count < MOST_GROWTH
    assert descriptors() <= before[1]
    assert len(children()) <= 1  # the worker that stays
    bake(nothing, 0)
    assert names() == before[2]


def memory():
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def children():
    return [child for task in Path("/proc/self/task").iterdir() for child in (task / "children").read_text().split()]
