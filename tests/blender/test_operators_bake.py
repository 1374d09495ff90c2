"""The bake from button to animation: a straight rod hanging from an empty; and all that stops or refuses it."""

import re
import signal
from itertools import count
from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from artist import refused
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge.evaluation import telling
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import command_line, reading, run_state
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES = 24
EDGES = 20


@pytest.fixture
def rod(saved_rope):
    return saved_rope


def shown(rod, frame):
    """Places (n, 3) of the rod's vertices, as Blender shows the result at a frame."""
    bpy.context.scene.frame_set(frame)
    result = rod.tendril.result
    curve = result.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_curve(
        bpy.context.evaluated_depsgraph_get(), apply_modifiers=True
    )
    return np.array([result.matrix_world @ point.co for point in curve.splines[0].bezier_points])


def length(x):
    return np.linalg.norm(np.diff(x, axis=0), axis=1).sum()


def run():
    return bpy.context.window_manager.tendril


def state():
    """What a refused operator must leave as it was."""
    return {obj.name for obj in bpy.data.objects}, len(bpy.data.shape_keys), len(bpy.data.actions)


def stopped_after(frames):
    """A bake whose worker was killed once it had said so many frames."""
    baking = Baking(bpy.context)
    worker = baking.start()
    said = {"kind": "", "frame": 0}
    while said["kind"] != "progress" or said["frame"] < frames:
        said = worker.next_message()
        baking.hear(bpy.context, said)
    worker.kill()
    while said["kind"] != "exit":
        said = worker.next_message()
        baking.hear(bpy.context, said)
    baking.end(bpy.context)
    return said["code"]


def test_a_hanging_rod_falls_keeps_its_length_and_stays_on_its_pin(rod):
    before = [tuple(point.co) for point in rod.data.splines[0].points]
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert run().message == f"Baked {FRAMES} frames"
    frames = [shown(rod, frame) for frame in range(1, FRAMES + 1)]
    assert frames[0] == pytest.approx(np.linspace((0, 0, 0), (1, 0, 0), EDGES + 1), abs=1e-5)
    assert [x[0] for x in frames] == [pytest.approx((0, 0, 0), abs=1e-4)] * FRAMES
    assert -1.0001 < min(x[-1, 2] for x in frames) < -0.9  # its tip swings through the lowest place there is
    assert [length(x) for x in frames] == pytest.approx([1.0] * FRAMES, rel=1e-5)
    assert [tuple(point.co) for point in rod.data.splines[0].points] == before
    assert rod.hide_viewport
    assert bpy.context.object == rod.tendril.result


@pytest.mark.parametrize("kind", ["MIRROR", "ARRAY", "NODES"])
def test_a_rod_whose_modifier_goes_by_its_axes_keeps_them(rod, kind):
    """Else one that swings through its local z gets others, in which nothing flips."""
    bpy.ops.tendril.bake()
    assert not np.allclose(rod.tendril.result.matrix_world, rod.matrix_world, atol=0.1)
    rod.tendril.result.modifiers.new("Of Axes", kind)
    bpy.ops.tendril.bake()
    assert np.allclose(rod.tendril.result.matrix_world, rod.matrix_world)
    bpy.ops.tendril.revert()
    rod.modifiers.new("Of Axes", kind)
    bpy.ops.tendril.bake()
    assert np.allclose(rod.tendril.result.matrix_world, rod.matrix_world)


def test_a_rod_without_pins_falls_as_galilei_says(rod):
    bpy.ops.tendril.remove_pin()
    rod.tendril.rod.drag_coefficient = 0.0
    bpy.ops.tendril.bake()
    seconds = (FRAMES - 1) / 24
    fallen = shown(rod, FRAMES)
    assert fallen[:, 2] == pytest.approx(
        np.full(EDGES + 1, -0.5 * 9.81 * seconds**2), rel=0.02
    )  # to first order in a step
    assert fallen[:, 0] == pytest.approx(np.linspace(0, 1, EDGES + 1), abs=1e-5)


def test_a_finished_bake_says_how_long_it_took(rod):
    bpy.ops.tendril.bake()
    assert re.fullmatch(r"It took \d+ s( .*)?", run().took)
    bpy.ops.tendril.revert()
    assert run().took == ""


def test_what_is_read_of_a_scene_is_told_frame_by_frame(rod):
    told = []
    rod.tendril.pins[0].target.keyframe_insert("location", frame=1)
    with telling(told.append):
        read_scene(bpy.context)
    assert {1.0, 1.25, FRAMES / 2, float(FRAMES)} <= set(told)
    before = len(told)
    read_scene(bpy.context)
    assert len(told) == before


def test_reading_shows_its_frame_at_the_mouse_and_on_the_command_line(rod, capsys):
    shown = []
    manager = SimpleNamespace(
        progress_begin=lambda *_range: shown.append("begin"), progress_update=shown.append,
        progress_end=lambda: shown.append("end"),
    )  # fmt: skip
    rod.tendril.pins[0].target.keyframe_insert("location", frame=1)
    with pytest.MonkeyPatch.context() as patch:
        clock = count()
        patch.setattr(reading.time, "monotonic", lambda: next(clock))
        with reading.shown_at_mouse(manager):
            read_scene(bpy.context)
        with reading.printed(1, FRAMES):
            read_scene(bpy.context)
    assert (shown[0], shown[-1]) == ("begin", "end")
    assert float(FRAMES) in shown
    assert f"Reading frame {FRAMES // 2} of 1 to {FRAMES}" in capsys.readouterr().out


def test_the_button_does_what_the_function_does(rod):
    bpy.ops.tendril.bake()
    by_button = shown(rod, FRAMES)
    bpy.ops.tendril.revert()
    Baking(bpy.context).run(bpy.context, tell=lambda _said: None)
    assert np.array_equal(shown(rod, FRAMES), by_button)


def test_revert_leaves_what_there_was(rod):
    before = state()
    bpy.ops.tendril.bake()
    assert bpy.ops.tendril.revert() == {"FINISHED"}
    assert state() == before
    assert not rod.hide_viewport
    assert bpy.context.object == rod
    assert "Nothing in this scene is baked" in refused(bpy.ops.tendril.revert)


def test_keyframes_play_what_the_shape_keys_played(rod):
    bpy.ops.tendril.bake()
    before = [shown(rod, frame) for frame in (1, 7, FRAMES)]
    assert bpy.ops.tendril.bake_to_keyframes() == {"FINISHED"}
    assert rod.tendril.result.data.shape_keys is None
    assert [shown(rod, frame) for frame in (1, 7, FRAMES)] == [pytest.approx(x, abs=1e-6) for x in before]
    assert "has no baked shape keys" in refused(bpy.ops.tendril.bake_to_keyframes)


def test_settle_shows_rest_without_touching_curve_or_cache(rod):
    bpy.ops.tendril.bake()
    folder = cache_folder(bpy.context.scene)
    frames = Cache(folder).frames
    assert bpy.ops.tendril.settle() == {"FINISHED"}
    assert run().message == "Settled"
    x = shown(rod, 1)
    assert x[-1] == pytest.approx((0, 0, -1), abs=0.01)  # hanging straight down
    assert rod.tendril.result.data.shape_keys is None
    assert Cache(folder).frames == frames


def test_a_killed_worker_leaves_its_frames_a_message_and_the_way_on(rod):
    bpy.context.scene.frame_end = 400
    code = stopped_after(30)
    assert code == -signal.SIGKILL
    assert run().failed
    assert re.search(r"ended unexpectedly .* frames are kept, Resume goes on", run().message)
    assert not run().running
    kept = len(rod.tendril.result.data.shape_keys.key_blocks)
    assert 30 <= kept < 400
    assert length(shown(rod, 30)) == pytest.approx(1.0, rel=1e-5)
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    assert run().message == "Baked 400 frames"
    resumed = shown(rod, 400)
    bpy.ops.tendril.bake()
    assert np.array_equal(shown(rod, 400), resumed)


@pytest.mark.parametrize("there", [0, 12])
@pytest.mark.parametrize("resumable", [False, True])
@pytest.mark.parametrize("end", [{"kind": "cancelled"}, {"kind": "exit", "text": "It ended"}])
def test_resume_is_spoken_of_where_it_goes_on(rod, there, resumable, end):
    state_of_run = run()
    run_state.begin(state_of_run)
    state_of_run.there = there
    run_state.hear(state_of_run, end | {"frames": there}, 1, resumable)
    assert ("12 frames are kept, Resume goes on" in state_of_run.message) == (there > 0 and resumable)
    assert ("before the first frame" in state_of_run.message) == (not there and resumable)


def test_one_frame_is_not_several():
    assert [run_state.baked(*of) for of in ((1, 1), (1, 12), (12, 12))] == [
        "Baked 1 frame", "Baked 1 of 12 frames", "Baked 12 frames"
    ]  # fmt: skip
    run_state.begin(run())
    run_state.hear(run(), {"kind": "cancelled", "frames": 1}, 1, True)
    assert "1 frame is kept" in run().message


def test_resume_refuses_a_changed_scene(rod):
    bpy.ops.tendril.bake()
    rod.tendril.rod.density = 500.0
    before = state()
    assert "Density of 'Rope' changed since this bake began: bake again" in refused(bpy.ops.tendril.resume)
    assert state() == before


def test_resume_goes_on_over_a_longer_frame_range_and_keeps_the_frames_before(rod):
    target = rod.tendril.pins[0].target
    for frame, height in ((1, 0.0), (20, 0.3), (40, -0.2)):
        target.location.z = height
        target.keyframe_insert("location", frame=frame)
    scene = bpy.context.scene
    end = scene.frame_end
    bpy.ops.tendril.bake()
    files = sorted((cache_folder(scene) / "tendril_frames").iterdir())
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    scene.frame_end = end + 10
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    assert run().message == f"Baked {end + 10} frames"
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before
    assert len(rod.tendril.result.data.shape_keys.key_blocks) == end + 10
    assert run().changed == ""
    assert length(shown(rod, end + 10)) == pytest.approx(1.0, rel=1e-5)
    resumed = shown(rod, end + 10)
    bpy.ops.tendril.bake()
    assert np.allclose(shown(rod, end + 10), resumed, atol=1e-3)
    scene.frame_end = end + 20
    target.location.x = 0.5
    target.keyframe_insert("location", frame=10)
    assert "Motion of pin 'Start' of 'Rope' changed since this bake began" in refused(bpy.ops.tendril.resume)
    target.keyframe_delete("location", frame=10)
    scene.frame_end = end
    assert "34 frames are baked already, and the frame range has 24" in refused(bpy.ops.tendril.resume)


def test_free_deletes_the_cache_and_leaves_the_animation(rod):
    bpy.ops.tendril.bake()
    folder = cache_folder(bpy.context.scene)
    assert folder.is_dir()
    assert run().cache_size > 0.0
    assert bpy.ops.tendril.free() == {"FINISHED"}
    assert not folder.exists()
    assert run().cache_size == 0.0
    assert length(shown(rod, FRAMES)) == pytest.approx(1.0, rel=1e-5)
    for operator in (bpy.ops.tendril.free, bpy.ops.tendril.resume):
        assert "This scene has no cache: bake first" in refused(operator)


def test_duplicates_share_no_bake(rod):
    bpy.ops.tendril.bake()
    copy = rod.copy()
    copy.data = rod.data.copy()
    copy.location.x += 5.0
    bpy.context.collection.objects.link(copy)
    result = rod.tendril.result
    bpy.ops.tendril.bake()
    assert rod.tendril.result == result
    assert copy.tendril.result not in (None, result)
    assert copy.tendril.result.tendril.source == copy


def test_a_renamed_rod_gets_its_frames_and_a_deleted_one_harms_nothing(rod):
    baking = Baking(bpy.context)
    rod.name = "Line"
    baking.run(bpy.context, tell=lambda _said: None)
    assert rod.tendril.result is not None
    bpy.ops.tendril.revert()
    baking = Baking(bpy.context)
    bpy.data.objects.remove(rod)
    baking.run(bpy.context, tell=lambda _said: None)
    assert run().message == f"Baked {FRAMES} frames"


def empty_of(rod):
    return rod.tendril.pins[0].target


def reverse_frames(_rod):
    settings = bpy.context.scene.tendril
    settings.use_frame_range, settings.frame_start, settings.frame_end = True, 30, 24


def remove_target(rod):
    bpy.data.objects.remove(empty_of(rod))


def two_pins_on_one_point(rod):
    pin = rod.tendril.pins.add()
    pin.name, pin.target, pin.fraction = "Second", empty_of(rod), 0.01


def zero_radius(rod):
    rod.data.splines[0].points[3].radius = 0.0


def no_thickness(rod):
    rod.data.bevel_depth = 0.0


def zero_scale(rod):
    rod.scale.x = 0.0


def not_a_number(rod):
    rod.data.splines[0].points[5].co.z = float("nan")


def cache_is_a_file(_rod):
    path = bpy.path.abspath("//taken")
    with open(path, "w"):
        bpy.context.scene.tendril.cache_folder = path


def edit_mode(rod):
    bpy.context.view_layer.objects.active = rod
    bpy.ops.object.mode_set(mode="EDIT")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (reverse_frames, ("'Scene'", "24", "30", "end")),
        (remove_target, ("'Rope'", "'Start'", "no target", "choose")),
        (two_pins_on_one_point, ("'Second'", "'Start'", "same point", "remove")),
        (zero_radius, ("'Rope'", "radius", "0", "raise")),
        (no_thickness, ("'Rope'", "bevel depth 0", "Set Radius")),
        (zero_scale, ("'Rope'", "scale", "0")),
        (not_a_number, ("'Rope'", "point 5", "NaN")),
        (cache_is_a_file, ("cache folder", "taken", "choose another folder")),
        (edit_mode, ("'Rope'", "edit mode", "Tab")),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_bad_input_is_named_with_the_cure_and_changes_nothing(rod, spoil, said):
    spoil(rod)
    bpy.context.view_layer.update()
    before = state()
    sentence = refused(bpy.ops.tendril.bake)
    for words in said:
        assert words in sentence
    assert state() == before
    assert not run().running
    assert not cache_folder(bpy.context.scene).is_dir()


def test_rods_that_nothing_holds_cannot_settle(rod):
    bpy.ops.tendril.remove_pin()
    before = state()
    assert "Nothing holds the rods of 'Scene'" in refused(bpy.ops.tendril.settle)
    bpy.context.scene.tendril.settle = True
    assert "Nothing holds the rods of 'Scene'" in refused(bpy.ops.tendril.bake)
    assert state() == before
    bpy.context.scene.tendril.use_floor = True
    assert bpy.ops.tendril.settle() == {"FINISHED"}


def test_a_relative_cache_folder_needs_a_saved_file(rod):
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.context.scene.tendril.cache_folder = "//frames"
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    sentence = refused(bpy.ops.tendril.bake)
    assert "'//frames'" in sentence
    assert "save it or choose another folder" in sentence


def test_a_file_that_was_never_saved_is_baked_too():
    bpy.ops.curve.primitive_nurbs_path_add()
    bpy.ops.tendril.add_rod()
    bpy.context.scene.frame_end = 3
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert str(cache_folder(bpy.context.scene)).startswith(bpy.app.tempdir)


def test_the_command_line_bakes_and_saves_the_file(rod, tmp_path, capsys):
    assert command_line.main(["bake", "--output", str(tmp_path / "baked.blend")]) == 0
    assert f"100 % ({FRAMES} of {FRAMES})" in capsys.readouterr().out
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "baked.blend"))
    rod = bpy.data.objects["Rope"]
    assert len(rod.tendril.result.data.shape_keys.key_blocks) == FRAMES


def test_the_command_line_refuses_an_output_it_cannot_write(rod, tmp_path, capsys):
    assert command_line.main(["bake", "--output", str(tmp_path / "nowhere" / "baked.blend")]) == 2
    assert "nowhere" in capsys.readouterr().err
    assert rod.tendril.result is None


def test_the_command_line_refuses_with_a_sentence_and_exit_code_2(rod, tmp_path, capsys):
    reverse_frames(rod)
    before = (tmp_path / "shot.blend").read_bytes()
    assert command_line.main(["bake"]) == 2
    assert "'Scene'" in capsys.readouterr().err
    assert (tmp_path / "shot.blend").read_bytes() == before


def test_opening_another_file_forgets_what_was_said(rod):
    bpy.ops.tendril.bake()
    assert run().message
    bpy.ops.wm.read_homefile(use_empty=True)
    assert not run().message
    assert not run().estimate
    assert run().cache_size == 0.0


def test_the_verdict_comes_first(rod):
    worker = Baking(bpy.context).start()
    said = worker.next_message()
    worker.kill()
    worker.wait()
    assert said["kind"] == "verdict"
    assert said["ok"]


def test_resume_is_lit_only_where_there_is_something_to_resume(saved_rope):
    run, scene = bpy.context.window_manager.tendril, bpy.context.scene

    def lit():
        run_state.compare(bpy.context)
        off = bpy.types.TENDRIL_OT_resume.description(bpy.context, None).rpartition("Off: ")[2] if run.whole else ""
        assert off == run.whole
        return not run.whole

    assert not lit()
    bpy.ops.tendril.bake()
    assert not run.whole.startswith("This scene has no cache")
    assert not lit()
    scene.frame_end = 20
    assert not lit()
    scene.frame_end = 26
    assert lit()
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    assert not lit()
    baking = Baking(bpy.context)  # it is killed after some frames, and with it Blender
    worker = baking.start()
    while worker.next_message()["kind"] != "progress":
        pass
    worker.kill()
    worker.wait()
    assert len(Cache(baking.job.folder).frames) < 26
    assert lit()
