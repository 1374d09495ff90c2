"""*Bake from Here* in Blender: earlier frames stay, later ones are those of the settings as they are now."""

import bpy
import numpy as np
import pytest
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES, HERE = 60, 31


@pytest.fixture
def rod(saved_rope):
    bpy.context.scene.frame_end = FRAMES
    bpy.ops.tendril.bake()
    return saved_rope


def places(rod, frame):
    """Of the control points (n, 3) of the rod's result, as Blender shows them."""
    bpy.context.scene.frame_set(frame)
    graph = bpy.context.evaluated_depsgraph_get()
    curve = rod.tendril.result.evaluated_get(graph).to_curve(graph, apply_modifiers=True)
    return np.array([rod.tendril.result.matrix_world @ point.co for point in curve.splines[0].bezier_points])


def run():
    return bpy.context.window_manager.tendril


def cached(frame):
    return Cache(cache_folder(bpy.context.scene)).read(frame)[0]


def test_frames_up_to_the_current_one_stay(rod):
    before = [cached(frame).tobytes() for frame in range(FRAMES)]
    shown = [places(rod, frame) for frame in (HERE - 1, HERE, HERE + 1, FRAMES)]
    bpy.context.scene.frame_set(HERE)
    bpy.context.scene.gravity = (0.0, 9.81, 0.0)
    bpy.ops.tendril.bake_from_here()
    assert run().message == f"Baked {FRAMES} frames"
    assert not run().changed
    after = [cached(frame).tobytes() for frame in range(FRAMES)]
    assert after[:HERE] == before[:HERE]
    assert not set(after[HERE:]) & set(before)
    now = [places(rod, frame) for frame in (HERE - 1, HERE, HERE + 1, FRAMES)]
    assert np.abs(now[0] - shown[0]).max() < 1e-4
    way, bend = shown[1] - shown[0], (now[2] - now[1]) - (now[1] - now[0])
    assert np.abs(now[1] - shown[1]).max() < 1e-4
    assert np.abs(bend).max() < np.abs(way).max() + 3.0 * 9.81 / 24.0**2
    assert now[3][-1][1] > shown[3][-1][1] + 0.1


@pytest.mark.parametrize("frame", [1, FRAMES])
def test_at_the_ends_there_is_no_frame_to_begin_behind(rod, frame):
    bpy.context.scene.frame_set(frame)
    with pytest.raises(RuntimeError, match="is not between the first and the last"):
        bpy.ops.tendril.bake_from_here()


def test_what_cannot_be_is_told_in_the_panel(rod):
    bpy.context.scene.frame_set(HERE)
    rod.tendril.rod.rest_length_factor = 1.2
    bpy.ops.tendril.bake_from_here()
    assert next(iter(run().warnings)).text.startswith("'Rope' keeps the drawing and the length")
    rod.tendril.rod.points += 5
    before = cached(FRAMES - 1).tobytes()
    with pytest.raises(RuntimeError, match="has other points"):
        bpy.ops.tendril.bake_from_here()
    assert cached(FRAMES - 1).tobytes() == before


def test_behind_one_that_was_undone_what_is_shown_goes_on(rod):
    """From where that began, or earlier; later its frames are others than those that are shown."""
    name, scene = rod.name, bpy.context.scene
    bpy.ops.ed.undo_push(message="Bake")
    before = [cached(frame).tobytes() for frame in range(FRAMES)]
    scene.frame_set(HERE)
    scene.gravity = (0.0, 9.81, 0.0)
    bpy.ops.tendril.bake_from_here()
    bpy.ops.ed.undo_push(message="Bake from Here")
    undone = [cached(frame).tobytes() for frame in range(FRAMES)]
    bpy.ops.ed.undo()
    rod, scene = bpy.data.objects[name], bpy.context.scene
    scene.frame_set(HERE + 10)
    with pytest.raises(RuntimeError, match="'Rope' is shown as an earlier bake had it, for a later one was undone"):
        bpy.ops.tendril.bake_from_here()
    assert [cached(frame).tobytes() for frame in range(FRAMES)] == undone
    scene.frame_set(HERE - 5)
    bpy.ops.tendril.bake_from_here()
    after = [cached(frame).tobytes() for frame in range(FRAMES)]
    kept = 25  # whose state the bake that was undone kept, too
    assert after[:kept] == before[:kept]
    way = [np.abs(np.frombuffer(one) - np.frombuffer(other)).max() for one, other in zip(after, before, strict=True)]
    assert max(way) < 0.002
    assert np.abs(np.frombuffer(undone[-1]) - np.frombuffer(before[-1])).max() > 0.1
