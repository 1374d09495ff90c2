"""`blender -b shot.blend --command tendril …`: exit codes, signals, options, files that cannot be read or written."""

import os
import signal
import sys
from pathlib import Path

import bpy
import pytest
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.operators import command_line
from bl_ext.user_default.tendril.operators.baking import Baking
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

LONG = 400  # frames


@pytest.fixture
def shot(saved_rope):
    return Path(bpy.data.filepath)


def frames_shown_in(file):
    bpy.ops.wm.open_mainfile(filepath=str(file))
    result = bpy.data.objects["Rope"].tendril.result
    return len(result.data.shape_keys.key_blocks) if result else 0


@pytest.fixture
def at_frame(monkeypatch):
    """Has something done to the Baking when it hears of a frame."""
    hear = Baking.hear

    def arrange(frame, act):
        def heard(self, context, said):
            hear(self, context, said)
            if said["kind"] == "progress" and said["frame"] == frame:
                act(self)

        monkeypatch.setattr(Baking, "hear", heard)

    return arrange


def long_bake():
    bpy.context.scene.frame_end = LONG
    bpy.ops.wm.save_mainfile()
    return command_line.main(["bake"])


def test_a_crash_has_a_code_of_its_own_and_what_is_shown_is_saved(shot, at_frame, capsys):
    at_frame(5, lambda baking: baking.worker.kill())
    assert long_bake() == 4
    assert "ended unexpectedly (signal SIGKILL)" in capsys.readouterr().err
    assert 5 <= frames_shown_in(shot) < LONG


def test_a_part_that_is_compiled_is_told_once(shot, monkeypatch, capsys):
    parts = [f"Compiling, only once, {number} of 2: {what}" for number, what in enumerate(("steps", "contact"), 1)]
    hear = Baking.hear

    def heard(self, context, said):
        if said["kind"] == "progress" and said["frame"] == 1:
            for text in parts:
                for more in ("", ", 1 s so far", ", 2 s so far"):
                    tell({"kind": "compiling", "text": text + more})
        hear(self, context, said)

    run = Baking.run

    def listened(self, context, told):
        nonlocal tell

        def tell(said):
            hear(self, context, said)
            told(said)

        run(self, context, told)

    tell = None
    monkeypatch.setattr(Baking, "hear", heard)
    monkeypatch.setattr(Baking, "run", listened)
    assert command_line.main(["bake"]) == 0
    assert [line for line in capsys.readouterr().out.splitlines() if line.startswith("Compiling")] == parts


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_bake_and_its_frames_are_saved(shot, at_frame, capsys, number):
    before = signal.getsignal(number)
    at_frame(5, lambda _baking: os.kill(os.getpid(), number))
    assert long_bake() == 3
    said = capsys.readouterr().out
    assert "are kept, Resume goes on" in said
    assert "It took" in said
    assert signal.getsignal(number) == before
    assert 5 <= frames_shown_in(shot) < LONG


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_signal_before_the_bake_begins_changes_nothing(shot, monkeypatch):
    before = shot.read_bytes()
    monkeypatch.setattr(command_line, "check_output", lambda _name: os.kill(os.getpid(), signal.SIGTERM))
    assert command_line.main(["bake"]) == 3
    assert shot.read_bytes() == before


def test_a_bake_is_resumed_from_the_file_that_was_not_saved(shot, at_frame):
    """As after kill -9 of Blender: nothing but its name tells where the frames are."""
    at_frame(5, lambda baking: baking.worker.kill())
    assert command_line.main(["bake", "--frames", f"1..{LONG}", "--output", str(shot.with_name("else.blend"))]) == 4
    bpy.ops.wm.open_mainfile(filepath=str(shot))
    assert len(Cache(cache_folder(bpy.context.scene)).frames) >= 5


@pytest.mark.parametrize("content", [None, b"no blend file", "folder"])
def test_a_file_that_blender_could_not_open_is_called_that(tmp_path, monkeypatch, capsys, content):
    bpy.ops.wm.read_homefile(use_empty=True)
    file = tmp_path / "x.blend"
    if content == "folder":
        file.mkdir()
    elif content:
        file.write_bytes(content)
    call = ["blender", "-b", str(file), "--command", "tendril", "bake", "--output", "y.blend"]
    monkeypatch.setattr(sys, "argv", call)
    assert command_line.main(call[5:]) == 2
    said = {None: "does not exist", "folder": "is a folder"}.get(content, "is no .blend file")
    assert f"'{file}' {said}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["blender", "-b", "a.blend", "--command", "tendril"], "a.blend"),
        (["blender", "--background", "a", "-P", "b.py", "-c", "tendril", "bake", "--output", "c.blend"], "a"),
        (["blender", "-b", "-P", "b.py", "--command", "tendril"], ""),
        (["python", "-m", "pytest", "a.blend"], ""),
    ],
)
def test_the_file_of_blenders_own_command_line(arguments, file):
    assert command_line.named_file(arguments) == file


def test_an_output_that_is_a_folder_is_refused_before_the_bake(shot, tmp_path, capsys):
    assert command_line.main(["bake", "--output", str(tmp_path)]) == 2
    assert "is a folder: name a .blend file in it" in capsys.readouterr().err
    assert not cache_folder(bpy.context.scene).is_dir()


def test_no_room_for_the_output_is_said_before_the_bake(shot, monkeypatch, capsys):
    monkeypatch.setattr(command_line.shutil, "disk_usage", lambda _path: Full)
    assert command_line.main(["bake"]) == 2
    assert "The disk of" in capsys.readouterr().err
    assert not cache_folder(bpy.context.scene).is_dir()


class Full:
    free = 1000


def test_a_save_that_fails_after_the_bake_is_a_sentence_and_the_frames_stay(shot, at_frame, tmp_path, capsys):
    """The folder goes while the bake runs."""
    out = tmp_path / "out"
    out.mkdir()
    at_frame(5, lambda _baking: out.rmdir())
    assert command_line.main(["bake", "--output", str(out / "baked.blend")]) == 1
    assert "could not be saved" in capsys.readouterr().err
    assert len(Cache(cache_folder(bpy.context.scene)).frames) == 24


def test_options_set_frames_quality_and_cache_in_the_saved_file(shot, tmp_path, capsys):
    out, cache = tmp_path / "baked.blend", tmp_path / "frames"
    options = ["--frames", "3..9", "--quality", "preview", "--cache", str(cache)]
    assert command_line.main(["bake", *options, "--output", str(out)]) == 0
    assert "100 % (7 of 7)" in capsys.readouterr().out
    assert frames_shown_in(out) == 7
    settings = bpy.context.scene.tendril
    assert (settings.use_frame_range, settings.frame_start, settings.frame_end) == (True, 3, 9)
    assert settings.quality == "PREVIEW"
    assert cache in cache_folder(bpy.context.scene).parents
    assert command_line.main(["estimate", "--frames", "1..5"]) == 0
    assert "5 frames. " in capsys.readouterr().out
    assert command_line.main(["free"]) == 0
    assert "Deleted 7 frames" in capsys.readouterr().out
    assert not list(cache.iterdir())


@pytest.mark.parametrize("text", ["9", "a..b", "1..", "1-5"])
def test_a_range_of_frames_that_is_none_is_a_usage_error(shot, text, capsys):
    with pytest.raises(SystemExit) as end:
        command_line.main(["bake", "--frames", text])
    assert end.value.code == 2
    assert "write it as 1..250" in capsys.readouterr().err


def test_help_tells_the_exit_codes(capsys):
    for arguments in (["--help"], ["bake", "--help"]):
        with pytest.raises(SystemExit):
            command_line.main(arguments)
        shown = capsys.readouterr().out
        assert all(f"\n  {code}  " in shown for code in range(5))
