"""*Bake Selected* in Blender: what is selected moves anew, all else stays as it was."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.properties.body import rod_of
from seen import frames

FRAMES = 20


@pytest.fixture
def ropes(saved_rope):
    """Two ropes, the other one half a metre aside, baked."""
    bpy.context.scene.frame_end = FRAMES
    other = saved_rope.copy()
    other.data, other.name, other.location.y = saved_rope.data.copy(), "Other", 0.5
    bpy.context.scene.collection.objects.link(other)
    bpy.ops.tendril.bake()
    return saved_rope, other


def run():
    return bpy.context.window_manager.tendril


def only(*items):
    bpy.ops.object.select_all(action="DESELECT")
    for item in items:
        item.select_set(True)


def keys(item):
    """All shape keys of a result, as bytes."""
    found = []
    for block in item.data.shape_keys.key_blocks:
        own = np.zeros(3 * len(block.data), np.float32)
        block.data.foreach_get("co", own)
        found.append(own.tobytes())
    return found


def test_the_selected_rope_moves_anew_and_the_other_one_stays(ropes):
    rope, other = ropes
    before, shown = frames(), keys(other.tendril.result)
    rope.tendril.rod.density *= 3.0
    rope.tendril.rod.drag_coefficient = 9.0
    other.tendril.rod.friction = 0.9
    only(rope.tendril.result)
    bpy.ops.tendril.bake_selected()
    assert run().message == f"Baked {FRAMES} frames"
    after = frames()
    count = before.shape[1] // 2
    assert after[:, count:].tobytes() == before[:, count:].tobytes()
    assert np.abs(after[-1, :count] - before[-1, :count]).max() > 1e-4
    assert keys(other.tendril.result) == shown
    assert run().changed == "Out of date: friction of 'Other' changed"
    assert rod_of(other.tendril.result) == other


def test_what_is_out_of_date_of_the_scene_stays_so(ropes):
    bpy.context.scene.gravity = (0.0, 0.0, -5.0)
    only(ropes[0].tendril.result)
    bpy.ops.tendril.bake_selected()
    assert run().changed == "Out of date: gravity changed"
    bpy.ops.tendril.bake()
    assert not run().changed


def test_it_resumes(ropes):
    rope, _ = ropes
    rope.tendril.rod.density *= 3.0
    only(rope.tendril.result)
    bpy.ops.tendril.bake_selected()
    whole = frames()
    bpy.context.scene.frame_end = FRAMES + 1
    with pytest.raises(RuntimeError, match="frames"):
        bpy.ops.tendril.resume()
    assert frames().tobytes() == whole.tobytes()


def test_without_a_selection_or_a_bake_the_button_says_so(ropes):
    only()
    with pytest.raises(RuntimeError, match="Nothing that a bake moves is selected"):
        bpy.ops.tendril.bake_selected()
    only(ropes[0].tendril.result)
    bpy.ops.tendril.free()
    with pytest.raises(RuntimeError, match="no cache"):
        bpy.ops.tendril.bake_selected()


def shown(names):
    """All shape keys of the results of objects, found by name: undo replaces objects."""
    return [keys(bpy.data.objects[name].tendril.result) for name in names]


def test_a_bake_that_was_undone_does_not_come_back_with_another_one(ropes):
    names = [item.name for item in ropes]
    bpy.ops.ed.undo_push(message="Bake")
    first = shown(names)
    ropes[0].tendril.rod.density *= 3.0
    only(ropes[0].tendril.result)
    bpy.ops.tendril.bake_selected()
    bpy.ops.ed.undo_push(message="Bake Selected")
    second = shown(names)
    bpy.ops.ed.undo()
    assert shown(names) == first
    rope, other = (bpy.data.objects[name] for name in names)
    other.tendril.rod.drag_coefficient = 9.0
    only(other.tendril.result)
    bpy.ops.tendril.bake_selected()
    assert [own.text for own in run().warnings] == [
        "'Rope' is shown as an earlier bake had it, for a later one was undone: it is baked anew too."
    ]
    assert shown(names)[0] == first[0] != second[0]
    assert run().changed == ""
    rope.tendril.rod.density *= 3.0  # and what was not undone stays
    only(rope.tendril.result)
    bpy.ops.tendril.bake_selected()
    assert not run().warnings
    assert shown(names)[0] == second[0]
