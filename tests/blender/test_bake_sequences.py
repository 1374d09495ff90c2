"""Bakes of all kinds one after the other, cancelled, resumed, over other frame ranges, with undo between: whatever the
order, what is there is whole, and a refusal is a sentence that changes nothing.
"""

import os
import signal

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bake.errors import BakeError
from bl_ext.user_default.tendril.bridge import digests, look, result
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES, STEPS, SEEDS = 14, 9, 1
FASTEST = 6.0  # m/s: what falls so far, with the whip of a free end
JUMP = FASTEST / 24  # m: more than anything here goes in a frame


@pytest.fixture
def ropes(saved_rope):
    """Two ropes, one pinned, one that falls upon it, in a scene with a floor."""
    scene = bpy.context.scene
    scene.frame_end, scene.tendril.use_floor = FRAMES, True
    other = saved_rope.copy()
    other.data, other.name = saved_rope.data.copy(), "Other"
    other.tendril.pins.clear()
    other.location, other.rotation_euler = (0.5, -0.4, 0.12), (0.0, 0.0, 1.4)
    saved_rope.location.z = 0.3
    scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    bpy.ops.tendril.bake()
    return [saved_rope.name, other.name]


def places():
    """{frame: x} of the cache, by its index, which is what Blender's keys come of."""
    cache = Cache(cache_folder(bpy.context.scene))
    return {index: cache.read(index)[0] for index in cache.frames}


def only(name):
    source = bpy.data.objects[name]
    shown = source.tendril.result or source
    for item in bpy.context.view_layer.objects:
        item.select_set(item == shown)
    bpy.context.view_layer.objects.active = shown


def change(rng, name):
    own, scene = bpy.data.objects[name].tendril.rod, bpy.context.scene
    what = rng.integers(4)
    if what == 0:
        own.density *= rng.uniform(0.5, 2.0)
    elif what == 1:
        own.friction = rng.uniform(0.0, 0.9)
    elif what == 2:
        scene.gravity[0] = rng.uniform(-2.0, 2.0)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_order_of_bakes_leaves_whole_frames(ropes, solver, seed, monkeypatch):
    rng, scene, ends = np.random.default_rng(seed), bpy.context.scene, {}
    scene.tendril.solver = solver
    hear = Baking.hear

    def cancelling(self, context, said):
        hear(self, context, said)
        if said["kind"] == "progress" and said["frame"] >= ends.get("at", np.inf):
            self.cancel()

    monkeypatch.setattr(Baking, "hear", cancelling)
    bpy.ops.ed.undo_push(message="Baked")
    for _ in range(STEPS):
        scene = bpy.context.scene
        before = places()
        ends["at"] = rng.integers(2, FRAMES) if rng.random() < 0.3 else np.inf
        name, what = ropes[rng.integers(2)], rng.choice(["bake", "selected", "here", "resume", "range", "undo"])
        if rng.random() < 0.6:
            change(rng, name)
        scene.frame_set(int(rng.integers(2, max(len(before), 3))))
        only(name)
        if what == "undo":
            bpy.ops.ed.undo_push(message="Before")
            bpy.ops.ed.undo()
            continue
        if what == "range":
            scene.frame_end = FRAMES + int(rng.integers(-2, 4))
            continue
        ways = {"bake": "bake", "selected": "bake_selected", "here": "bake_from_here", "resume": "resume"}
        try:
            getattr(bpy.ops.tendril, ways[what])()
        except RuntimeError as error:
            text = str(error)
            assert "mistake" not in text
            assert "another version" not in text
            assert {k: x.tobytes() for k, x in places().items()} == {k: x.tobytes() for k, x in before.items()}, text
            continue
        after, run = places(), bpy.context.window_manager.tendril
        assert "mistake" not in run.message
        assert sorted(after) == [*range(len(after))]
        assert all(np.isfinite(x).all() for x in after.values())
        assert len(after) == scene.frame_end or run.message.startswith("Cancelled")
        ways = [np.linalg.norm(after[k + 1] - after[k], axis=1).max() for k in range(len(after) - 1)]
        assert max(ways, default=0.0) < JUMP
        if what == "here":
            assert all(after[k].tobytes() == before[k].tobytes() for k in range(min(2, len(after))))
        if what == "selected" and len(after) == len(before):
            rows = slice(21, None) if name == ropes[0] else slice(0, 21)
            assert all(after[k][rows].tobytes() == before[k][rows].tobytes() for k in after)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals here")
def test_a_bake_selected_whose_process_is_killed_leaves_the_animation_and_resumes(ropes, monkeypatch):
    bpy.context.scene.frame_end = 240
    bpy.ops.tendril.bake()
    before, shown = places(), len(bpy.data.objects[ropes[0]].tendril.result.data.shape_keys.key_blocks)
    hear = Baking.hear

    def killing(self, context, said):
        hear(self, context, said)
        if said["kind"] == "progress" and said["frame"] == 2:
            os.kill(self.worker.pid, signal.SIGKILL)

    bpy.data.objects[ropes[0]].tendril.rod.density *= 2.0
    only(ropes[0])
    with monkeypatch.context() as patch:
        patch.setattr(Baking, "hear", killing)
        with pytest.raises(RuntimeError, match="ended unexpectedly"):
            bpy.ops.tendril.bake_selected()
    assert {k: x.tobytes() for k, x in places().items()} == {k: x.tobytes() for k, x in before.items()}
    assert len(bpy.data.objects[ropes[0]].tendril.result.data.shape_keys.key_blocks) == shown
    bpy.ops.tendril.resume()
    after = places()
    assert len(after) == 240
    assert all(after[k][21:].tobytes() == before[k][21:].tobytes() for k in after)
    assert any(after[k][:21].tobytes() != before[k][:21].tobytes() for k in after)


def test_undo_of_a_bake_of_what_was_baked_before_brings_back_the_earlier_one(ropes):
    """Blender gave what was made anew the place of what it replaced in every second try (5.2), and then crashed."""
    bpy.ops.mesh.primitive_cube_add(size=0.1, location=(3.0, 0.0, 1.0))
    bpy.ops.tendril.add_body()
    bpy.context.object.name = "Crate"
    bpy.context.scene.frame_end = 3
    only(ropes[0])
    for density in (500.0, 1500.0, 800.0, 1200.0):
        bpy.data.objects[ropes[0]].tendril.rod.density = density
        bpy.ops.tendril.bake()
        bpy.ops.ed.undo_push(message="Bake")
    baked = [bpy.data.objects[name].tendril.result for name in ropes]
    pointing = (*baked, *(item.data for item in baked), bpy.context.scene, bpy.data.objects["Crate"])
    assert [each.tendril_bakes for each in pointing] == [5, 5, 5, 5, 5, 4]
    for density in (800.0, 1500.0, 500.0):
        bpy.ops.ed.undo()
        bpy.context.scene.frame_set(2)
        assert bpy.data.objects[ropes[0]].tendril.rod.density == density
        for item in (bpy.data.objects[name].tendril.result for name in ropes):
            assert item.data.shape_keys in set(bpy.data.shape_keys)
            assert len(item.data.shape_keys.key_blocks) == 3


def test_bakes_are_counted_also_where_showing_one_fails_halfway(ropes, monkeypatch):
    """What was made anew before that is no less new to undo."""
    bpy.context.scene.frame_end = 3
    bpy.ops.tendril.bake()
    results = [bpy.data.objects[name].tendril.result for name in ropes]
    before = [each.tendril_bakes for each in results]

    def full(*_):
        raise BakeError("The disk is full.")

    monkeypatch.setattr(result.soft_result, "show", full)
    with pytest.raises(RuntimeError, match="full"):
        bpy.ops.tendril.bake()
    assert [each.tendril_bakes for each in results] == [count + 1 for count in before]


def test_a_count_of_bakes_is_no_setting():
    """Or a text that others collide with would count as changed after each bake."""
    text = bpy.data.objects.new("Text", bpy.data.curves.new("Text", "FONT"))
    before = digests.of_shape(text), look.look(text)
    text.data.tendril_bakes += 1
    text.tendril_bakes += 1
    assert (digests.of_shape(text), look.look(text)) == before
