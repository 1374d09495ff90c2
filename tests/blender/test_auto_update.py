"""Auto Update: what is changed is baked for the viewport, and the file is as without it."""

import errno
import os
import random
import signal
import time

import bpy
import numpy as np
import pytest
from artist import save
from bl_ext.user_default.tendril.bake import job, process
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge import preview
from bl_ext.user_default.tendril.operators import auto_update, timeline
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder
from bl_ext.user_default.tendril.properties.body import rod_of
from seen import names, previews, run

FRAMES = 12


@pytest.fixture(autouse=True)
def off():
    yield
    auto_update.switch_off()


@pytest.fixture
def rod(held_rope, tmp_path):
    save(tmp_path, FRAMES)
    return held_rope


def settled():
    """Looks, as the timer does, until there is no more to do."""
    bpy.context.view_layer.update()
    auto_update.changed()
    auto_update._update.due = time.monotonic() - 1.0
    deadline = time.monotonic() + 600.0  # kernels may have to be compiled
    while auto_update.look() is not None:
        assert time.monotonic() < deadline
        time.sleep(0.005)


def switch_on():
    bpy.ops.tendril.auto_update()
    settled()


def tip(frame=FRAMES):
    """Where the preview of the rope has its end."""
    (item,) = previews()
    bpy.context.scene.frame_set(frame)
    evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(item.matrix_world @ evaluated.to_curve(
        bpy.context.evaluated_depsgraph_get(), apply_modifiers=True).splines[0].bezier_points[-1].co)  # fmt: skip


def test_a_change_is_seen_and_another_one_too(rod):
    assert not run().auto_update
    switch_on()
    assert run().auto_message == f"{FRAMES} Preview frames"
    first = tip()
    assert first[2] < -0.1
    bpy.context.scene.gravity = (0.0, 9.81, 0.0)
    settled()
    assert tip()[1] > 0.1
    assert rod.tendril.result is None
    assert not Cache(cache_folder(bpy.context.scene)).frames


def test_the_frame_at_the_playhead_is_seen_first_and_until_then_what_was(rod, monkeypatch):
    bpy.context.scene.tendril.quality = "PREVIEW"
    switch_on()
    (before,) = previews()
    given, add = [], preview._Rod.add
    monkeypatch.setattr(preview, "MOST_AT_ONCE", 2)
    monkeypatch.setattr(preview._Rod, "add", lambda actor, keys, *more: given.append(keys) or add(actor, keys, *more))
    told, tell = [], auto_update.tell
    monkeypatch.setattr(auto_update, "tell", lambda context, text, **more: told.append((text, len(given))) or tell(
        context, text, **more))  # fmt: skip
    here = 8
    bpy.context.scene.frame_set(here)
    bpy.context.scene.gravity = (0.0, 9.81, 0.0)
    bpy.context.view_layer.update()
    auto_update.changed()
    auto_update._update.due = time.monotonic() - 1.0
    while auto_update.look() is not None:
        if not given:
            assert previews() == [before]
        time.sleep(0.005)
    order = given[-1].tolist()
    assert order[0] == here
    assert sorted(order) == list(range(1, FRAMES + 1))
    assert [key for key in order if key >= here] == list(range(here, FRAMES + 1))
    assert [key for key in order if key < here] == list(range(1, here))
    counts = [(int(text.split(" of ")[0]), seen) for text, seen in told if f" of {FRAMES} frames" in text]
    assert all(count <= len(given[seen - 1]) for count, seen in counts)  # never more than are seen
    assert all(seen == 0 for text, seen in told if "to this one" in text)
    assert told[-1] == (f"{FRAMES} Preview frames", len(given))
    shown = [tip(frame) for frame in range(1, FRAMES + 1)]
    bpy.ops.tendril.auto_update()
    bpy.ops.tendril.bake()
    result = rod.tendril.result
    for frame, place in enumerate(shown, 1):
        bpy.context.scene.frame_set(frame)
        graph = bpy.context.evaluated_depsgraph_get()
        point = result.evaluated_get(graph).to_curve(graph, apply_modifiers=True).splines[0].bezier_points[-1].co
        assert place == pytest.approx(np.array(result.matrix_world @ point), abs=1e-5), frame


def test_what_is_changed_while_an_animation_plays_is_seen(rod, monkeypatch):
    """Then Blender tells of frames alone: of a number that is dragged it does not."""
    switch_on()
    for now in (False, True):
        monkeypatch.setattr(auto_update, "playing", lambda now=now: now)
        auto_update._update.due = 0.0
        auto_update.played(bpy.context.scene)
        assert (auto_update._update.due > 0.0) == now
    assert auto_update.played in bpy.app.handlers.frame_change_post
    bpy.ops.tendril.auto_update()
    assert auto_update.played not in bpy.app.handlers.frame_change_post


def test_what_takes_long_says_how_long_and_what_is_sooner(rod, monkeypatch):
    told, tell = [], auto_update.tell
    monkeypatch.setattr(
        auto_update, "tell", lambda _context, text, **more: told.append(text) or tell(_context, text, **more)
    )
    for soon, hinted in ((1e9, False), (-1.0, True)):
        told.clear()
        monkeypatch.setattr(auto_update, "SOON", soon)
        auto_update.switch_off()
        switch_on()
        coming = [text for text in told if " of " in text]
        assert coming
        assert all((" left" in text and text.endswith(auto_update.SOONER)) == hinted for text in coming)
        assert told[-1] == f"{FRAMES} Preview frames"


def test_what_does_not_matter_bakes_nothing(rod):
    switch_on()
    worker = auto_update._update.worker
    (item,) = previews()
    bpy.context.scene.tendril.quality = "FINE"
    rod.color = (1.0, 0.0, 0.0, 1.0)
    rod.data.materials.append(bpy.data.materials.new("Red"))
    bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.ops.object.select_all(action="DESELECT")
    settled()
    assert auto_update._update.worker is worker
    assert previews() == [item]
    rod.tendril.rod.density = 500.0
    settled()
    assert auto_update._update.worker is not worker


def test_renders_and_the_finished_bake_are_left_alone(rod):
    bpy.ops.tendril.bake()
    result, folder = rod.tendril.result, cache_folder(bpy.context.scene)
    before = [path.read_bytes() for path in sorted((folder / "tendril_frames").iterdir())]
    bpy.ops.tendril.auto_update()
    rod.tendril.rod.density = 500.0
    settled()
    (item,) = previews()
    assert (item.hide_render, result.hide_render, result.hide_get()) == (True, False, True)
    assert rod_of(item) == rod
    assert bpy.context.view_layer.objects.active == result
    assert item.select_get()
    assert [path.read_bytes() for path in sorted((folder / "tendril_frames").iterdir())] == before
    bpy.ops.tendril.auto_update()
    assert (result.hide_render, result.hide_viewport, result.hide_get()) == (False, False, False)
    assert previews() == []
    assert bpy.context.view_layer.objects.active == result
    assert result.select_get()


def test_what_cannot_be_baked_is_said_and_goes_on_when_it_can(rod):
    switch_on()
    target = rod.tendril.pins[0].target
    rod.tendril.pins[0].target = None
    rod.tendril.rod.density = 0.5e-30
    for _ in range(2):
        settled()
        assert run().auto_failed
        assert "Rope" in run().auto_message
    rod.tendril.pins[0].target = target
    rod.tendril.rod.density = 900.0
    settled()
    assert not run().auto_failed


def test_a_bake_takes_over_and_nothing_is_left(rod):
    switch_on()
    bpy.ops.tendril.bake()
    assert previews() == []
    assert not rod.tendril.result.hide_viewport
    settled()
    assert previews() == []  # nothing was changed
    before, place = names(), auto_update._update.place
    rod.tendril.rod.density = 500.0
    settled()
    assert len(previews()) == 1
    bpy.ops.tendril.auto_update()
    assert names() == before
    assert not place.exists()
    assert timeline._handle is None
    for name in auto_update.HANDLERS:
        assert auto_update.changed not in getattr(bpy.app.handlers, name)


def test_what_is_moved_without_a_key_is_told_to_move_no_rod(rod):
    switch_on()
    before, target = tip(), rod.tendril.pins[0].target
    target.location.z += 0.5
    settled()
    assert tip() == pytest.approx(before, abs=1e-6)
    said = f"A pin keeps the offset of the first frame: key '{target.name}' to move 'Rope' by it"
    assert run().auto_message == f"{FRAMES} Preview frames. {said}"
    target.keyframe_insert("location", frame=1)
    target.location.z += 0.5
    target.keyframe_insert("location", frame=FRAMES)
    settled()
    assert run().auto_message == f"{FRAMES} Preview frames"
    assert tip()[2] > before[2] + 0.1


def test_no_frames_of_any_scene_are_left(rod):
    switch_on()
    places = [auto_update._update.place]
    bpy.ops.scene.new(type="FULL_COPY")
    settled()
    places.append(auto_update._update.place)
    assert all(place.exists() for place in places)
    assert places[0] != places[1]
    bpy.ops.tendril.auto_update()
    assert not any(place.exists() for place in places)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_worker_that_hangs_is_ended_and_told_of(rod, monkeypatch):
    """Each look goes on at once, and the change that it did not answer is shown by another."""
    monkeypatch.setattr(process, "LATEST", 0.5)
    bpy.context.scene.frame_end = 400
    bpy.ops.tendril.auto_update()
    while not previews():
        auto_update._update.due = 1e-9
        auto_update.look()
    hung = auto_update._update.worker
    os.kill(hung.pid, signal.SIGSTOP)
    bpy.context.scene.frame_end = FRAMES
    told, tell = [], auto_update.tell
    monkeypatch.setattr(
        auto_update, "tell", lambda _context, text, **more: told.append(text) or tell(_context, text, **more)
    )
    settled()
    assert auto_update._update.worker.pid != hung.pid
    assert told[0] == "The bake process did not answer for 0 s and was ended"
    assert told[-1] == f"{FRAMES} Preview frames"


def test_another_file_begins_without_it(rod):
    switch_on()
    bpy.ops.wm.save_mainfile()
    assert previews() == []
    settled()
    assert len(previews()) == 1
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    assert not run().auto_update
    assert auto_update._update is None
    assert previews() == []
    assert not bpy.data.objects["Rope"].hide_viewport


def test_settings_that_editors_show_are_of_what_is_drawn(rod):
    """A thickness that is dragged is the rope's, also when its preview was clicked."""
    bpy.context.view_layer.objects.active = rod
    rod.select_set(True)
    switch_on()
    assert bpy.context.object == rod
    (item,) = previews()
    assert (item.select_get(), rod.visible_get()) == (True, False)
    bpy.context.view_layer.objects.active = item
    settled()
    assert bpy.context.object == rod
    bpy.ops.object.mode_set(mode="EDIT")  # which shows it
    auto_update.look()
    assert (bpy.context.object, rod.mode, previews()) == (rod, "EDIT", [])
    bpy.ops.object.mode_set(mode="OBJECT")
    settled()
    rod.hide_set(True)  # by the artist, who wants to see none
    preview.clear()
    rod.hide_set(True)
    rod.tendril.rod.density = 500.0
    settled()
    assert previews() == []
    assert rod.hide_get()


def test_edit_mode_is_for_what_is_drawn(rod):
    switch_on()
    bpy.context.view_layer.objects.active = previews()[0]
    bpy.ops.object.mode_set(mode="EDIT")
    auto_update.look()
    assert bpy.context.object == rod
    assert rod.mode == "EDIT"
    assert previews() == []
    bpy.ops.object.mode_set(mode="OBJECT")
    rod.data.splines[0].points[-1].co.x += 0.5
    settled()
    assert len(previews()) == 1


def file_as_it_is():
    """What the edits below may leave behind."""
    things = [
        (item.name, tuple(item.location), item.hide_viewport, item.hide_get(), item.hide_render,
         item.tendril.rod.density, item.tendril.rod.points, item.data and item.data.name,
         [pin.name for pin in item.tendril.pins])
        for item in bpy.data.objects
    ]  # fmt: skip
    scene = bpy.context.scene
    return sorted(map(repr, things)), scene.tendril.use_floor, scene.frame_end, names()


def edit(chance):
    rod = bpy.data.objects["Rope"]
    match chance.randrange(7):
        case 0:
            rod.tendril.rod.density = chance.uniform(500.0, 1500.0)
        case 1:
            rod.location.z = chance.random()
        case 2:
            bpy.context.scene.frame_end = chance.randrange(4, 9)
        case 3:
            bpy.context.scene.tendril.use_floor = not bpy.context.scene.tendril.use_floor
        case 4:
            rod.name, rod.name = "Line", "Rope"
        case 5:
            bpy.ops.ed.undo()
            return
        case 6:
            bpy.ops.ed.redo() if bpy.ops.ed.redo.poll() else None
            return
    bpy.ops.ed.undo_push(message="Edit")


@pytest.mark.parametrize("seed", [1, 2])
def test_random_edits_leave_the_file_that_they_leave_without_it(rod, request, tmp_path, seed):
    count = 100 if request.config.getoption("all_cases") else 25
    path, found = bpy.data.filepath, []
    for on in (False, True):
        bpy.ops.wm.open_mainfile(filepath=path)
        bpy.ops.ed.undo_push(message="Opened")
        chance, slow = random.Random(seed), random.Random(seed)
        if on:
            switch_on()
        for _ in range(count):
            edit(chance)
            if on and slow.random() < 0.7:  # else the next is sooner than the timer
                settled()
        if on:
            bpy.ops.tendril.auto_update()
        found.append(file_as_it_is())
    assert found[0] == found[1]


def test_a_preview_is_in_no_state_that_is_compared(rod):
    """The judgement above sees one."""
    before = file_as_it_is()
    switch_on()
    assert file_as_it_is() != before
    preview.clear()
    assert file_as_it_is() == before


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_worker_that_is_killed_at_any_moment_costs_nothing(rod, request):
    """It is told of, the file is as before, and the next change is shown."""
    before, count = names(), 20 if request.config.getoption("all_cases") else 5
    switch_on()
    chance = random.Random(7)
    for moment in range(count):
        rod.tendril.rod.density = 600.0 + moment
        bpy.context.view_layer.update()
        auto_update.changed()
        auto_update._update.due = time.monotonic() - 1.0
        auto_update.look()
        until = time.monotonic() + chance.uniform(0.0, 0.4)
        while time.monotonic() < until and auto_update.look() is not None:
            time.sleep(0.005)
        os.kill(auto_update._update.worker.pid, signal.SIGKILL)
        deadline = time.monotonic() + 60.0
        while auto_update.look() is not None:
            assert time.monotonic() < deadline
            time.sleep(0.005)
        told = run().auto_message
        assert told == f"{FRAMES} Preview frames" or told.endswith("ended unexpectedly (signal SIGKILL)")
    rod.tendril.rod.density = 900.0
    settled()
    assert not run().auto_failed
    assert len(previews()) == 1
    bpy.ops.tendril.auto_update()
    assert names() == before


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(rod, monkeypatch):
    bpy.ops.tendril.bake()
    folder, before = cache_folder(bpy.context.scene), names()
    frames = [path.read_bytes() for path in sorted((folder / "tendril_frames").iterdir())]
    switch_on()

    def full(*_what, **_how):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(job, "write_arrays", full)
    rod.tendril.rod.density = 500.0
    settled()
    assert run().auto_failed
    assert "is full" in run().auto_message
    monkeypatch.undo()
    rod.tendril.rod.density = 600.0
    settled()
    assert not run().auto_failed
    bpy.ops.tendril.auto_update()
    assert names() == before
    assert [path.read_bytes() for path in sorted((folder / "tendril_frames").iterdir())] == frames
