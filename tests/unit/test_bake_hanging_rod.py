"""A rod that hangs from a wall, baked by the worker and its real physics."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest
from on_disk import frame_bytes
from tendril.bake import cache as caches
from tendril.bake import job, process
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.bake.process import Worker
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene

ROPE = Material(young=1e7, poisson=0.45, density=1100.0)

COUNT = 300  # frames: enough to kill the worker among them


def hanging(frame_count, edges=12, *, away=0.0):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.0, 2.0], edges + 1)
    rod = Rod.from_material("Rope", x, 0.01, ROPE)
    wall = Pin("Wall", 0, 0, "TWIST", np.zeros(1), x[:1] + away)
    return Scene((rod,), 1 / 24, frame_count, (wall,))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A bake that was not interrupted, which also leaves the kernels compiled."""
    folder = job.write(tmp_path_factory.mktemp("whole"), hanging(COUNT), {}).folder
    said = []
    assert process.listen(Worker.start(folder), said.append) == 0, said
    return folder


def test_the_worker_keeps_what_the_simulation_gives(whole):
    cache = Cache(whole)
    frames = list(simulate(hanging(COUNT)))
    assert cache.frames == tuple(frame.index for frame in frames) == tuple(range(COUNT))
    for frame in frames:
        x, m1, _ = cache.read(frame.index)
        assert x.tobytes() == frame.x.tobytes()
        assert m1.tobytes() == frame.m1.tobytes()
    assert min(cache.read(index)[0][-1, 2] for index in cache.frames) < 1.2  # it has fallen
    np.testing.assert_array_equal(cache.read(COUNT - 1)[0][0], [0.0, 0.0, 2.0])  # but not off the wall


def test_what_is_compiled_is_not_compiled_again(whole, tmp_path):
    folder, said = job.write(tmp_path, hanging(3), {}).folder, []
    process.listen(Worker.start(folder), said.append)
    assert {message["kind"] for message in said} == {"verdict", "progress", "done", "exit"}


@pytest.mark.parametrize("lost_checkpoints", [False, True])
def test_a_resumed_bake_gives_the_same_bytes(whole, tmp_path, lost_checkpoints):
    """Also from an older checkpoint, as a killed worker leaves it."""
    folder = job.write(tmp_path, hanging(COUNT), {}).folder
    cache = Cache(folder)
    for frames in (7, 23):
        *_, said = bake(folder, resume=True, stopped=lambda frames=frames: len(cache.frames) >= frames)
        assert said == {"kind": "cancelled", "frames": frames}
        if frames == 7:
            older = (folder / caches.CHECKPOINT).read_bytes()
    if lost_checkpoints:
        (folder / caches.CHECKPOINT).write_bytes(older)
    *_, said = bake(folder, resume=True)
    assert said == {"kind": "done", "frames": COUNT}
    assert frame_bytes(folder) == frame_bytes(whole)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no signals here")
def test_a_killed_worker_leaves_sound_frames_and_can_be_resumed(whole, tmp_path):
    folder = job.write(tmp_path, hanging(COUNT), {}).folder
    worker = Worker.start(folder)
    while (said := worker.next_message()).get("frame", 0) < 5:
        assert said["kind"] != "exit", said
    os.kill(worker.pid, signal.SIGKILL)
    while said["kind"] != "exit":
        said = worker.next_message()
    assert said["code"] == -9
    sound = Cache(folder).frames
    assert len(sound) >= 5
    assert all(Cache(folder).holds(index) for index in sound)
    assert process.listen(Worker.start(folder, resume=True), lambda said: None) == 0
    assert frame_bytes(folder) == frame_bytes(whole)


def test_a_pin_that_cannot_be_reached_is_refused_before_anything_is_written(tmp_path):
    folder = job.write(tmp_path, hanging(COUNT, away=0.5), {}).folder
    said = []
    process.listen(Worker.start(folder), said.append)
    assert [message["kind"] for message in said] == ["verdict", "exit"]
    assert "'Wall'" in said[0]["text"]
    assert Cache(folder).input_hash is None


def test_a_machine_without_blender_bakes_the_same_bytes(whole, tmp_path):
    folder = job.write(tmp_path, hanging(COUNT), {}).folder
    call = [sys.executable, "-m", "tendril.bake", str(folder)]
    answer = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout.splitlines()[-1] == f"Done: {COUNT} frames."
    assert frame_bytes(folder) == frame_bytes(whole)
