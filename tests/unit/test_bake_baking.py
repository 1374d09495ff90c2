"""One bake as messages: verdict first, then frames, and every way to end; with a toy in place of the physics."""

import errno
import json
import os
import runpy
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from on_disk import contents, frame_bytes
from tendril.bake import baking, job, messages
from tendril.bake import cache as caches
from tendril.bake import folder as folders
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.bake.index import Index
from tendril.bake.lock import locked
from tendril.physics.compiling.processor import KIND
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Frame, Notice, RigidBody, Rod, Scene
from tendril.physics.validate import CheckpointError, SimulationError

TOY = runpy.run_path(str(Path(__file__).with_name("bake_dummy.py")))
FRAMES = 12


def make_scene(frame_count=FRAMES):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
    return Scene((Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0)),), 1e-3, frame_count)


@pytest.fixture
def folder(tmp_path):
    return job.write(tmp_path / "job", make_scene(), {}).folder


def baked(folder, *, stop_after=None, **options):
    """All messages; cancelled as soon as `stop_after` frames are told."""
    said = []
    options = {"solver": TOY["solver"], **options}
    stopped = lambda: any(one["kind"] == "progress" and one["frame"] == stop_after for one in said)  # noqa: E731
    for message in bake(folder, stopped=stopped, **options):
        assert messages.decode(messages.encode(message)) == message
        said.append(message)
    return said


def kinds(said):
    return [message["kind"] for message in said]


def never(_scene):
    raise AssertionError("the solver was asked for")


def test_a_bake_says_its_verdict_its_progress_and_its_end(folder):
    said = baked(folder)
    assert said[0]["kind"] == "verdict"
    assert said[0]["ok"]
    assert said[0]["estimate"] > 0.0
    assert said[0]["text"] == "Takes 1 s or more"
    progress = [message for message in said if message["kind"] == "progress"]
    assert [message["frame"] for message in progress] == list(range(FRAMES + 1))
    assert all(message["of"] == FRAMES and message["seconds_left"] >= 0.0 for message in progress)
    assert progress[-1]["seconds_left"] == 0.0
    assert said[-1] == messages.message("done", frames=FRAMES)


def test_a_bake_says_how_much_touched(folder):
    def touching(scene, state=None):
        for item in TOY["toy"](scene, state):
            if isinstance(item, Frame):
                yield replace(item, contacts=7 - item.index % 3, overlap=0.01 * item.index)

    said = baked(folder, solver=lambda _scene: ((), touching))
    assert kinds(said)[-2:] == ["contact", "done"]
    assert said[-2]["text"] == "Up to 7 contacts at a time, the deepest overlap 11 % of a radius"


def test_every_frame_is_told_only_when_it_can_be_read(folder):
    for message in bake(folder, solver=TOY["solver"]):
        if message["kind"] == "progress":
            frames = Cache(folder).frames
            assert frames == tuple(range(message["frame"]))
            assert all(Cache(folder).holds(index) for index in frames)


def test_notices_are_told_and_kept(folder):
    warnings = [message for message in baked(folder) if message["kind"] == "warning"]
    (notice,) = Cache(folder).notices
    assert warnings == [messages.message("warning", object="Rope", frame=3, text=notice.text)]


def test_compiling_is_told_before_the_first_frame(folder):
    said = baked(folder, solver=lambda _scene: (["Compiling the rods."], TOY["toy"]))
    assert said[1]["text"] == "Compiling the rods."
    assert kinds(said)[:3] == ["verdict", "compiling", "progress"]
    assert "compiling" not in kinds(baked(folder))


def test_settling_is_told_before_the_first_frame_and_not_when_resumed(tmp_path):
    folder = job.write(tmp_path, replace(make_scene(), settle=True), {}).folder
    assert kinds(baked(folder, stop_after=5))[:3] == ["verdict", "settling", "progress"]
    assert "settling" not in kinds(baked(folder, resume=True))


def test_cancel_keeps_the_frames_and_a_checkpoint(folder):
    said = baked(folder, stop_after=5)
    assert said[-1] == messages.message("cancelled", frames=5)
    assert Cache(folder).frames == (0, 1, 2, 3, 4)
    assert Cache(folder).restore()[0] == 4


def test_cancel_while_compiling_leaves_the_earlier_bake(folder):
    baked(folder)
    said = list(bake(folder, stopped=lambda: True, solver=lambda _scene: (["the rods", "the rest"], never)))
    assert kinds(said) == ["verdict", "compiling", "cancelled"]
    assert said[-1]["frames"] == 0  # none is of this bake
    assert len(Cache(folder).frames) == FRAMES


def test_a_resumed_bake_gives_the_bytes_of_an_uninterrupted_one(folder, tmp_path):
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=5)
    said = baked(folder, resume=True)
    assert said[-1]["frames"] == FRAMES
    assert [message["frame"] for message in said if message["kind"] == "progress"] == list(range(5, FRAMES + 1))
    assert frame_bytes(folder) == frame_bytes(whole)
    assert len(Cache(folder).notices) == 1


def test_frames_after_the_last_checkpoint_are_baked_again_to_the_same_bytes(folder, tmp_path):
    """As after a kill, which leaves the checkpoint some frames behind."""
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=3)
    checkpoint = (folder / caches.CHECKPOINT).read_bytes()
    baked(folder, stop_after=8, resume=True)
    (folder / caches.CHECKPOINT).write_bytes(checkpoint)
    said = baked(folder, resume=True)
    assert next(message for message in said if message["kind"] == "progress")["frame"] == 3
    assert frame_bytes(folder) == frame_bytes(whole)
    assert Cache(folder).frames == tuple(range(FRAMES))
    assert len(Cache(folder).notices) == 1


@pytest.mark.parametrize(
    "damage", ["frame cut short", "frame gone", "checkpoint gone", "checkpoint cut short", "index gone"]
)
def test_resuming_a_damaged_cache_starts_over_and_ends_right(folder, tmp_path, damage):
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=5)
    names = {"frame": f"{caches.FRAMES}/000002.npz", "checkpoint": caches.CHECKPOINT, "index": caches.INDEX}
    victim = folder / names[damage.split()[0]]
    if damage.endswith("gone"):
        victim.unlink()
    else:
        victim.write_bytes(victim.read_bytes()[:100])
    said = baked(folder, resume=True)
    assert said[-1] == messages.message("done", frames=FRAMES)
    starts_over = [message for message in said if message["kind"] == "warning" and "starts over" in message["text"]]
    assert len(starts_over) == (damage != "index gone")
    assert frame_bytes(folder) == frame_bytes(whole)


def test_resuming_on_another_kind_of_processor_is_told(folder):
    baked(folder, stop_after=5)
    index = folder / caches.INDEX
    lines = index.read_text(encoding="utf-8").splitlines(keepends=True)
    header = json.loads(lines[0])
    assert header["processor"] == Cache(folder).processor == KIND
    index.write_text("".join([json.dumps(header | {"processor": "abacus 0"}) + "\n", *lines[1:]]), encoding="utf-8")
    said = baked(folder, resume=True)
    (told,) = (one["text"] for one in said if one["kind"] == "warning" and one["frame"] == 5)
    assert "abacus 0" in told
    assert KIND in told
    assert said[-1] == messages.message("done", frames=FRAMES)


def test_a_cache_that_names_no_processor_resumes_as_before(folder):
    baked(folder, stop_after=5)
    index = folder / caches.INDEX
    first, _, rest = index.read_text(encoding="utf-8").partition("\n")
    header = {name: value for name, value in json.loads(first).items() if name != "processor"}
    index.write_text(json.dumps(header) + "\n" + rest, encoding="utf-8")
    assert not [one for one in baked(folder, resume=True) if one["kind"] == "warning" and one["frame"] == 5]


def test_resuming_a_finished_bake_only_says_so(folder):
    baked(folder)
    before = frame_bytes(folder)
    said = baked(folder, resume=True, solver=lambda _scene: ((), never))
    assert kinds(said) == ["verdict", "progress", "done"]
    assert frame_bytes(folder) == before


def test_resume_where_nothing_was_baked_bakes(folder):
    assert baked(folder, resume=True)[-1]["frames"] == FRAMES


def test_resume_refuses_a_scene_that_was_changed(folder):
    baked(folder, stop_after=5)
    job.write(folder, replace(make_scene(), gravity=np.zeros(3)), {})
    (said,) = baked(folder, resume=True, solver=never)
    assert not said["ok"]
    assert "changed since" in said["text"]
    assert len(Cache(folder).frames) == 5


def proposed(folder, scene, meta=None):
    """All messages of going on with another job for the same folder."""
    new = job.propose(folder, scene, meta or {})
    return list(bake(new.path, resume=True, solver=TOY["solver"]))


@pytest.mark.parametrize("stop_after", [5, None])
@pytest.mark.parametrize("frames", [FRAMES + 8, FRAMES - 4])
def test_resume_goes_on_to_another_end_with_the_same_bytes(folder, tmp_path, stop_after, frames):
    if frames < FRAMES and stop_after is None:
        pytest.skip("more frames are baked than are asked for")
    whole = job.write(tmp_path / "whole", make_scene(frames), {}).folder
    baked(whole)
    baked(folder, stop_after=stop_after)
    said = proposed(folder, make_scene(frames))
    assert said[-1] == messages.message("done", frames=frames)
    assert frame_bytes(folder) == frame_bytes(whole)
    assert len(Cache(folder).notices) == 1
    assert (Cache(folder).frame_count, job.read(folder).scene.frame_count) == (frames, frames)
    assert proposed(folder, make_scene(frames))[-1] == messages.message("done", frames=frames)


def test_a_shorter_range_than_is_baked_keeps_the_frames(folder):
    baked(folder)
    (said,) = proposed(folder, make_scene(5))
    assert said["text"] == "12 frames are baked already, and the frame range has 5: bake again, or choose a longer one."
    assert len(Cache(folder).frames) == FRAMES


def test_a_refusal_to_resume_says_what_changed_in_the_artists_words_where_there_are_some(folder):
    baked(folder, stop_after=5)
    other = replace(make_scene(), gravity=np.zeros(3), air_density=3.0, contact=False)
    (said,) = proposed(folder, other)
    end = "changed since this bake began: bake again instead of resuming."
    assert said["text"] == f"Gravity changed, air changed and 1 more {end[8:]}"
    (said,) = proposed(folder, other, {"changed": ["air (kg/m³) changed"]})
    assert said["text"] == f"Air (kg/m³) {end}"
    stiffer = replace(make_scene().rods[0], bend_stiffness=2.0 * make_scene().rods[0].bend_stiffness)
    (said,) = proposed(folder, replace(make_scene(FRAMES + 5), rods=(stiffer,)))
    assert said["text"] == f"Stiffness of 'Rope' {end}"
    assert len(Cache(folder).frames) == 5


def test_what_a_bake_left_that_does_not_fit_a_longer_range_is_kept(folder):
    baked(folder, stop_after=5)

    def simulate(_scene, state=None):
        assert state is not None
        raise CheckpointError("its pins are others")
        yield

    new = job.propose(folder, make_scene(FRAMES + 5), {})
    said = list(bake(new.path, resume=True, solver=lambda _scene: ((), simulate)))
    assert said[-1]["kind"] == "error"
    assert "does not go on over another frame range" in said[-1]["text"]
    assert len(Cache(folder).frames) == 5
    assert job.read(folder).scene.frame_count == FRAMES


def test_resume_takes_a_scene_in_which_a_thing_was_renamed(folder):
    baked(folder, stop_after=5)
    scene = make_scene()
    job.write(folder, replace(scene, rods=(replace(scene.rods[0], name="Seil"),)), {})
    assert baked(folder, resume=True)[-1]["frames"] == FRAMES


def refusal(folder):
    (said,) = baked(folder, solver=never)
    assert said["kind"] == "verdict"
    assert not said["ok"]
    assert "\n" not in said["text"]
    return said["text"]


def test_a_bad_scene_is_refused_and_the_earlier_bake_stays(folder):
    baked(folder)
    scene = make_scene()
    x = scene.rods[0].x.copy()
    x[4, 1] = np.nan
    job.write(folder, replace(scene, rods=(replace(scene.rods[0], x=x),)), {})
    assert "Rope" in refusal(folder)
    assert len(Cache(folder).frames) == FRAMES


def test_no_job_is_refused(tmp_path):
    assert "no bake job" in refusal(tmp_path)


def test_too_small_a_disk_is_refused(tmp_path, monkeypatch):
    job.write(tmp_path, make_scene(1000), {})
    monkeypatch.setattr(folders.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=100_000))
    assert "MB left and the bake needs" in refusal(tmp_path)


def test_a_second_bake_in_the_same_folder_is_refused(folder):
    with locked(folder):
        assert "Another bake is writing" in refusal(folder)
    assert baked(folder)[-1]["kind"] == "done"


def ends_badly(frame_count, what):
    """A solver that yields `frame_count` frames of the toy and then `what`, or raises it."""

    def simulate(scene, state=None):
        toy = TOY["toy"](scene, state)
        for item in toy:
            yield item
            if isinstance(item, Frame) and item.index + 1 == frame_count:
                break
        if isinstance(what, Exception):
            raise what
        yield what

    return lambda _scene: ((), simulate)


def test_a_simulation_that_must_stop_keeps_its_frames_and_says_why(folder):
    why = SimulationError("Rope", "'Rope' was stretched to pieces at frame 6.")
    said = baked(folder, solver=ends_badly(6, why))
    assert said[-1] == messages.message("error", text=str(why), detail="")
    assert len(Cache(folder).frames) == 6
    assert Cache(folder).restore()[0] == 5


def test_a_mistake_in_the_solver_is_one_sentence_and_a_traceback(folder):
    said = baked(folder, solver=ends_badly(6, ZeroDivisionError("division\nby zero")))
    assert said[-1]["kind"] == "error"
    assert "ZeroDivisionError: division" in said[-1]["text"]
    assert "\n" not in said[-1]["text"]
    assert "Traceback" in said[-1]["detail"]
    assert Cache(folder).restore()[0] == 5


def test_memory_that_there_is_not_is_one_sentence_of_our_own(folder):
    short = "Unable to allocate 35.9 GiB for an array with shape (63434752,) and data type [('pair', '<i8')]"
    said = baked(folder, solver=ends_badly(6, MemoryError(short)))
    assert said[-1]["kind"] == "error"
    assert "memory" in said[-1]["text"]
    assert "mistake" not in said[-1]["text"]
    assert "GiB" not in said[-1]["text"]
    assert Cache(folder).restore()[0] == 5


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_frame_that_is_not_finite_ends_the_bake_naming_the_object(folder, value):
    x = make_scene().rods[0].x.copy()
    x[3, 0] = value
    said = baked(folder, solver=ends_badly(6, Frame(6, x, np.diff(x, axis=0), {"x": x})))
    assert said[-1]["kind"] == "error"
    assert "'Rope'" in said[-1]["text"]
    assert len(Cache(folder).frames) == 6
    assert Cache(folder).restore()[0] == 5


def test_a_frame_whose_frames_of_reference_are_not_finite_is_not_kept(folder):
    x = make_scene().rods[0].x
    said = baked(folder, solver=ends_badly(6, Frame(6, x, np.full((8, 3), np.nan), {"x": x})))
    assert said[-1]["kind"] == "error"
    assert len(Cache(folder).frames) == 6


def test_a_body_that_is_not_finite_ends_the_bake_by_its_name(tmp_path):
    lamp = RigidBody("Lamp", np.zeros(3), 2.0, np.eye(3))
    folder = job.write(tmp_path, replace(make_scene(), bodies=(lamp,)), {}).folder
    x = make_scene().rods[0].x
    said = baked(folder, solver=ends_badly(6, Frame(6, x, np.diff(x, axis=0), {"x": x}, np.full((1, 7), np.nan))))
    assert said[-1]["kind"] == "error"
    assert "'Lamp' left all bounds after 6 frames" in said[-1]["text"]
    assert len(Cache(folder).frames) == 6


def test_a_folder_removed_during_the_bake_is_one_sentence(folder):
    said = []
    for message in bake(folder, solver=TOY["solver"]):
        said.append(message)
        if message["kind"] == "progress" and message["frame"] == 4:
            folder.rename(folder.with_name("away"))
    assert said[-1]["kind"] == "error"
    assert "missing or was deleted" in said[-1]["text"]
    assert len(Cache(folder.with_name("away")).frames) == 4


def test_checkpoints_come_by_the_clock(folder, monkeypatch):
    monkeypatch.setattr(baking, "CHECKPOINT_INTERVAL", 0.0)
    for message in bake(folder, solver=TOY["solver"]):
        if message["kind"] == "progress" and message["frame"]:
            assert Cache(folder).restore()[0] == message["frame"] - 1


def test_no_kernel_is_imported_before_the_verdict(folder):
    program = (
        "import sys; from tendril.bake.baking import bake; said = next(bake(sys.argv[1])); assert said['ok'], said;"
        "print([name for name in ('numba', 'scipy') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=True)
    assert json.loads(answer.stdout) == []


def refuses(what, *notices):
    """A solver that gives notices and then raises `what` before its first frame."""

    def simulate(scene, state=None):
        yield from notices
        raise what

    return lambda _scene: ((), simulate)


def changed_scene():
    return replace(make_scene(), gravity=np.zeros(3))


@pytest.mark.parametrize(
    "why",
    [SimulationError("Rope", "'Rope' cannot hang like this: add a clamp."), BakeError("No."), ZeroDivisionError()],
)
def test_what_only_physics_can_refuse_leaves_the_earlier_bake_as_it_was(folder, why):
    """Its frames, checkpoint, notices and job."""
    baked(folder)
    before = contents(folder)
    proposal = job.propose(folder, changed_scene(), {})
    said = list(bake(proposal.path, solver=refuses(why, Notice("Rope", 0, "It does not settle."))))
    assert kinds(said) == ["verdict", "warning", "verdict"]
    assert not said[-1]["ok"]
    assert contents(folder) == before
    assert baked(folder, resume=True)[-1] == messages.message("done", frames=FRAMES)


def test_a_first_frame_that_is_not_finite_leaves_the_earlier_bake(folder):
    baked(folder)
    before = contents(folder)
    x = np.full((9, 3), np.nan)
    frame = Frame(0, x, np.diff(x, axis=0), {"x": x})
    said = list(
        bake(job.propose(folder, changed_scene(), {}).path, solver=lambda _scene: ((), lambda *_: iter([frame])))
    )
    assert "left all bounds" in said[-1]["text"]
    assert contents(folder) == before


def test_a_notice_before_the_first_frame_is_kept(folder):
    notice = Notice("Rope", 0, "It does not settle.")

    def simulate(scene, state=None):
        yield notice
        yield from TOY["toy"](scene, state)

    said = baked(folder, solver=lambda _scene: ((), simulate))
    assert kinds(said)[:3] == ["verdict", "warning", "progress"]
    assert Cache(folder).notices[0] == notice


def test_a_proposed_job_takes_the_place_of_the_last_with_its_first_frame(folder):
    baked(folder)
    proposal = job.propose(folder, changed_scene(), {"first": 7})
    seen = []
    for message in bake(proposal.path, solver=TOY["solver"]):
        seen.append((message["kind"], job.read(folder).meta))
    assert seen[0] == ("verdict", {})
    assert seen[1] == ("progress", {"first": 7})
    assert not list(folder.glob("tendril_job_*"))
    assert Cache(folder).input_hash == proposal.input_hash


def test_a_second_bake_that_is_refused_leaves_the_job_of_the_first(folder):
    before = job.read(folder)
    with locked(folder):
        with pytest.raises(BakeError, match="Another bake is writing"):
            job.write(folder, changed_scene(), {})
        (said,) = bake(job.propose(folder, changed_scene(), {}).path, solver=never)
    assert "Another bake is writing" in said["text"]
    assert job.read(folder).input_hash == before.input_hash
    assert not list(folder.glob("tendril_job_*"))


def test_a_checkpoint_that_the_physics_does_not_know_starts_over(folder, tmp_path):
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=5)

    def simulate(scene, state=None):
        if state is not None:
            raise CheckpointError("another version")
        yield from TOY["toy"](scene, state)

    said = baked(folder, resume=True, solver=lambda _scene: ((), simulate))
    (warning,) = [message for message in said if message["kind"] == "warning" and not message["object"]]
    assert "starts over" in warning["text"]
    assert said[-1] == messages.message("done", frames=FRAMES)
    assert frame_bytes(folder) == frame_bytes(whole)


@pytest.mark.parametrize("index", [2, FRAMES - 1, FRAMES + 100])
def test_a_checkpoint_that_contradicts_itself_starts_over(folder, tmp_path, index):
    """Its own frame is one, that of the physics' state in it another: nothing, or others, would follow."""
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=5)
    with np.load(folder / caches.CHECKPOINT) as found:
        arrays = dict(found)
    np.savez(folder / caches.CHECKPOINT, **arrays | {"state.index": np.array(index)})
    said = baked(folder, resume=True)
    (warning,) = [message for message in said if message["kind"] == "warning" and not message["object"]]
    assert "starts over" in warning["text"]
    assert said[-1] == messages.message("done", frames=FRAMES)
    assert frame_bytes(folder) == frame_bytes(whole)


def test_a_frame_of_another_shape_starts_over(folder, tmp_path):
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    baked(folder, stop_after=5)
    x = np.zeros((7, 3))
    np.savez(folder / caches.FRAMES / "000002.npz", x=x, m1=x[1:], bodies=np.zeros((0, 7)))
    said = baked(folder, resume=True)
    assert any("Frame 2 of the cache" in message.get("text", "") for message in said)
    assert frame_bytes(folder) == frame_bytes(whole)


@pytest.mark.parametrize("full_at", ["a frame", "the index", "the checkpoint", "the first frame"])
def test_a_full_disk_is_a_sentence_and_resume_goes_on_once_there_is_room(folder, tmp_path, monkeypatch, full_at):
    whole = job.write(tmp_path / "whole", make_scene(), {}).folder
    baked(whole)
    monkeypatch.setattr(baking, "CHECKPOINT_INTERVAL", 0.0)
    write = caches.write_arrays
    victim = {"a frame": "000006.npz", "the checkpoint": caches.CHECKPOINT, "the first frame": "000000.npz"}

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    def write_arrays(path, arrays, **options):
        full() if path.name == victim.get(full_at) and len(Cache(folder).frames) in {0, 6} else write(
            path, arrays, **options
        )

    with monkeypatch.context() as patch:
        patch.setattr(caches, "write_arrays", write_arrays)
        if full_at == "the index":
            patch.setattr(Index, "append", full)
        said = baked(folder)
    assert said[-1]["kind"] == "error"
    assert "is full" in said[-1]["text"]
    assert not list(folder.rglob("*.tmp"))
    kept = len(Cache(folder).frames)
    assert kept == (0 if full_at in {"the index", "the first frame"} else 6)
    said = baked(folder, resume=True)
    assert said[-1] == messages.message("done", frames=FRAMES)
    assert frame_bytes(folder) == frame_bytes(whole)


def test_the_room_asked_for_is_enough_for_everything_written(folder):
    """Job, index and the two checkpoints that are there at once count too."""
    needed = baking._room(make_scene())
    baked(folder)
    written = sum(path.stat().st_size for path in folder.rglob("*") if path.name not in {job.SETTINGS, job.ARRAYS})
    checkpoint = (folder / caches.CHECKPOINT).stat().st_size
    assert written + checkpoint < needed


def test_bodies_bake_without_rods(folder):
    bodies = tuple(RigidBody(name, np.zeros(3), 2.0, np.eye(3)) for name in ("Brick", "Ball"))
    job.write(folder, replace(make_scene(), rods=(), bodies=bodies), {})
    assert baked(folder)[-1] == messages.message("done", frames=FRAMES)
    assert [len(array) for array in Cache(folder).read(FRAMES - 1)] == [0, 0, 2]


def test_more_frames_than_a_cache_keeps_are_refused(folder, monkeypatch):
    monkeypatch.setattr(baking, "check_room", lambda *_: None)
    job.write(folder, make_scene(10**9), {})
    assert "keeps 1048576" in refusal(folder)


@pytest.mark.parametrize("temporary", [False, True])
def test_only_what_lasts_waits_for_the_disk(tmp_path, monkeypatch, temporary):
    """A preview is looked at and thrown away; syncing 250 frames of it took as long as baking them."""
    synced, fsync = [], os.fsync

    def watched(descriptor):
        synced.append(descriptor)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    led = Collider("Floor", np.arange(3)[None], np.array([0.0, 1.0]), np.array([corners, corners - [0.0, 0.0, 1.0]]))
    proposed = job.propose(tmp_path, replace(make_scene(), colliders=(led,)), {"temporary": True} if temporary else {})
    assert [said["kind"] for said in bake(proposed.path, solver=TOY["solver"])][-1] == "done"
    assert not synced if temporary else len(synced) > FRAMES
