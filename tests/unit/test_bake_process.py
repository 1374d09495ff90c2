"""The worker as a process: told, cancelled, killed, left alone; with a toy in place of the physics."""

import os
import runpy
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tendril.bake import cache as caches
from tendril.bake import job, messages, process
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.bake.process import Worker
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene

TOY = [sys.executable, str(Path(__file__).with_name("bake_dummy.py"))]
LONG = 100_000  # frames, for bakes that are to be interrupted


def make_job(folder, frame_count, frame_duration=0.01, radius=0.01, **meta):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
    rope = Rod.from_material("Rope", x, radius, Material(1e7, 0.3, 1000.0))
    return job.write(folder, Scene((rope,), frame_duration, frame_count), meta).folder


def start(folder, *options):
    return Worker.start(folder, "--resume" in options, call=TOY)


def follow(worker, until=lambda said: False, patience=20.0):
    """The messages up to the one `until` likes, or to the end."""
    found, deadline = [], time.monotonic() + patience
    while time.monotonic() < deadline:
        for said in worker.poll():
            found.append(said)
            if said["kind"] == "exit" or until(said):
                return found
        time.sleep(0.01)
    raise AssertionError(f"no end after {patience} s: {found}")


def frames_told(count):
    return lambda said: said["kind"] == "progress" and said["frame"] >= count


def test_a_worker_bakes_and_ends_with_its_exit(tmp_path):
    worker = start(make_job(tmp_path, 5))
    said = follow(worker)
    assert said[0]["kind"] == "verdict"
    assert said[-2:] == [
        messages.message("done", frames=5),
        messages.message("exit", code=0, text="", detail=""),
    ]
    assert worker.poll() == []
    assert Cache(tmp_path).frames == tuple(range(5))


def test_the_verdict_comes_first(tmp_path):
    worker = Worker.start(make_job(tmp_path, LONG))
    said = follow(worker, lambda said: True)
    assert said[0]["kind"] == "verdict"
    assert said[0]["ok"]
    worker.kill()
    follow(worker)


def test_a_refusal_has_its_exit_code(tmp_path):
    worker = start(tmp_path)
    said = follow(worker)
    assert [message["kind"] for message in said] == ["verdict", "exit"]
    assert said[-1]["code"] == messages.EXIT_CODES["verdict"]
    assert said[-1]["text"] == ""


def test_cancel_ends_it_after_the_frame_it_is_at(tmp_path):
    worker = start(make_job(tmp_path, LONG))
    follow(worker, frames_told(3))
    worker.cancel()
    said = follow(worker)
    assert said[-2]["kind"] == "cancelled"
    assert said[-1]["code"] == messages.EXIT_CODES["cancelled"]
    assert Cache(tmp_path).frames == tuple(range(said[-2]["frames"]))
    assert Cache(tmp_path).restore()[0] == said[-2]["frames"] - 1
    worker.cancel()  # too late: nothing happens


@pytest.mark.skipif(os.name == "nt", reason="no signals here")
def test_ctrl_c_in_the_terminal_of_blender_is_for_blender(tmp_path):
    worker = start(make_job(tmp_path, 40))
    follow(worker, frames_told(3))
    os.kill(worker.pid, signal.SIGINT)
    assert follow(worker)[-2] == messages.message("done", frames=40)


def test_a_frame_that_takes_too_long_is_given_up(tmp_path):
    worker = start(make_job(tmp_path, 3, frame_duration=60.0))
    follow(worker, frames_told(1))
    worker.cancel()
    said = follow(worker)
    assert said[-2] == messages.message("cancelled", frames=1)
    assert said[-1]["code"] == messages.EXIT_CODES["cancelled"]


@pytest.mark.parametrize("temporary", [False, True])
def test_it_stops_when_blender_has_gone(tmp_path, temporary):
    """Blender is here a program that is killed while its worker bakes: what was for it alone goes with it."""
    folder = make_job(tmp_path / "job", LONG, temporary=temporary)
    program = (
        "import sys, time; from tendril.bake.process import Worker; folder, *call = sys.argv[1:];"
        "print(Worker.start(folder, call=call).pid, flush=True); time.sleep(60)"
    )
    call = [sys.executable, "-c", program, str(folder), *TOY]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as blender:
        pid = int(blender.stdout.readline())
        wait_for(lambda: len(Cache(folder).frames) > 3)
        blender.kill()
    wait_for(lambda: not alive(pid))
    if temporary:
        assert not folder.exists()
        return
    frames = Cache(folder).frames
    assert len(frames) < LONG
    assert Cache(folder).restore()[0] == frames[-1]


def wait_for(condition, patience=20.0):
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(pid):
    """Whether the process runs; one that nobody has waited for does not."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals here")
def test_a_killed_worker_leaves_its_frames_a_message_and_no_zombie(tmp_path):
    whole = make_job(tmp_path / "whole", 60)
    follow(start(whole))
    folder = make_job(tmp_path / "job", 60)
    worker = start(folder)
    follow(worker, frames_told(20))
    os.kill(worker.pid, signal.SIGKILL)
    said = follow(worker)
    assert said[-1]["code"] == -9
    assert "SIGKILL" in said[-1]["text"]
    assert not Path(f"/proc/{worker.pid}").exists()
    assert all(Cache(folder).holds(index) for index in Cache(folder).frames)
    assert len(Cache(folder).frames) >= 20
    follow(start(folder, "--resume"))
    for path in sorted((whole / caches.FRAMES).iterdir()):
        assert (folder / caches.FRAMES / path.name).read_bytes() == path.read_bytes()


def test_kill_ends_a_worker_that_does_not_listen(tmp_path):
    worker = Worker([sys.executable, "-c", "import time; print('hello', flush=True); time.sleep(60)"])
    assert follow(worker, lambda said: True) == [messages.message("log", text="hello")]
    worker.cancel()
    worker.kill()
    assert follow(worker)[-1]["code"] != 0


def test_a_program_that_breaks_tells_its_last_words(tmp_path):
    worker = Worker([sys.executable, "-c", "raise SystemError('spam')"])
    (said,) = follow(worker)
    assert said["code"] == 1
    assert "ended unexpectedly (exit code 1)" in said["text"]
    assert "SystemError: spam" in said["detail"]


def test_a_program_that_complains_at_length_is_not_blocked():
    worker = Worker([sys.executable, "-c", "import sys; sys.stderr.write('spam\\n' * 100_000)"])
    assert follow(worker)[-1]["code"] == 0


def test_a_program_that_is_not_there_is_a_sentence():
    with pytest.raises(BakeError, match="could not be started"):
        Worker(["/nowhere/python"])


def test_what_a_library_prints_does_not_come_between_the_messages(tmp_path):
    """Printed by Python and by C."""
    folder = make_job(tmp_path, 3)
    program = (
        "import os, runpy, sys; from tendril.bake import worker;"
        f"toy = runpy.run_path({TOY[1]!r})['toy'];"
        "noise = lambda _scene: (print('spam', flush=True), os.write(1, b'eggs\\n'), ((), toy))[2];"
        f"sys.exit(worker.main(solver=noise))"
    )
    said = follow(Worker.start(folder, call=[sys.executable, "-c", program]))
    assert [message["kind"] for message in said[-2:]] == ["done", "exit"]
    assert "log" not in [message["kind"] for message in said]


@pytest.mark.parametrize("python_args", [(), ("-I",), ("-I", "-S")])
def test_it_starts_isolated_from_any_folder_as_any_package(tmp_path, monkeypatch, python_args):
    """As Blender starts it, its libraries where only Blender's sys.path says (-S: without the site-packages); the
    modules of the folder one happens to be in do not matter."""
    (tmp_path / "numpy.py").write_text("raise RuntimeError('the wrong numpy')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path)) if "-I" in python_args else None
    said = []
    code = process.listen(Worker.start(tmp_path / "nowhere", python_args=python_args), said.append)
    assert said[0]["kind"] == "verdict", said
    assert "no bake job" in said[0]["text"]
    assert code == said[-1]["code"] == messages.EXIT_CODES["verdict"]


def test_listening_waits_and_hands_on_every_message(tmp_path):
    make_job(tmp_path, 3, radius=-1.0)
    said = []
    code = process.listen(Worker.start(tmp_path), said.append)
    assert [message["kind"] for message in said] == ["verdict", "exit"]
    assert "Rope" in said[0]["text"]
    assert code == messages.EXIT_CODES["verdict"]


def test_two_processes_never_bake_in_one_folder(tmp_path):
    worker = start(make_job(tmp_path, LONG))
    follow(worker, frames_told(1))
    assert "Another bake" in follow(start(tmp_path))[0]["text"]
    with pytest.raises(BakeError, match="Another bake"):
        Cache(tmp_path).free()
    worker.kill()
    follow(worker)
    Cache(tmp_path).free()  # the lock went with the process
    assert not tmp_path.exists()


def test_a_bake_in_this_process_gives_the_same_files(tmp_path):
    one, two = make_job(tmp_path / "one", 6), make_job(tmp_path / "two", 6)
    follow(start(one))
    assert list(bake(two, solver=runpy.run_path(TOY[1])["solver"]))[-1]["kind"] == "done"
    for path in (one / caches.FRAMES).iterdir():
        assert path.read_bytes() == (two / caches.FRAMES / path.name).read_bytes()


def test_it_has_a_folder_and_an_environment_of_its_own(tmp_path, monkeypatch):
    """Libraries take settings from both, and a shot's folder may come from anyone."""
    (tmp_path / ".numba_config.yaml").write_text("threading_layer: nonsense")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("SECRET", "x")
    program = "import os; print(os.getcwd()); print(sorted(os.environ)); print(os.environ.get('TENDRIL_KERNELS'))"
    worker = Worker([sys.executable, "-c", program], tmp_path / "kernels")
    folder, names, kernels = (said["text"] for said in follow(worker)[:3])
    assert Path(folder) == Path(sys.executable).parent.resolve()
    assert "PATH" in names
    assert "SECRET" not in names
    assert "NUMBA" not in names
    assert kernels == str(tmp_path / "kernels")


def test_a_job_named_from_here_is_found(tmp_path, monkeypatch):
    make_job(tmp_path / "shot", 3, radius=-1.0)
    monkeypatch.chdir(tmp_path)
    said = []
    process.listen(Worker.start("shot"), said.append)
    assert "Rope" in said[0]["text"]


def test_a_proposed_job_is_baked_by_its_path(tmp_path):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
    rope = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0))
    proposal = job.propose(tmp_path, Scene((rope,), 0.01, 3), {})
    assert follow(start(proposal.path))[-2] == messages.message("done", frames=3)
    assert job.read(tmp_path).input_hash == proposal.input_hash


@pytest.mark.skipif(os.name == "nt", reason="process groups")
def test_ctrl_c_in_the_terminal_does_not_reach_it_however_early(tmp_path):
    worker = start(make_job(tmp_path, 3))
    assert os.getpgid(worker.pid) != os.getpgid(0)
    assert follow(worker)[-1]["code"] == messages.EXIT_CODES["done"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_it_ends_in_order_when_it_is_terminated(tmp_path):
    worker = start(make_job(tmp_path, LONG))
    follow(worker, frames_told(3))
    os.kill(worker.pid, signal.SIGTERM)
    said = follow(worker)
    assert [message["kind"] for message in said[-2:]] == ["cancelled", "exit"]
    assert said[-1]["code"] == messages.EXIT_CODES["cancelled"]
    assert Cache(tmp_path).restore()[0] == Cache(tmp_path).frames[-1]
