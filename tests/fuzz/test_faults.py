"""Whatever ends a bake or spoils its folder, at any moment: each whole frame is the right one, nothing is left
behind, and going on gives the bytes of a bake that nothing happened to. With a toy in place of the physics."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tendril.bake import job, process
from tendril.bake.cache import Cache
from tendril.bake.lock import locked
from tendril.bake.messages import EXIT_CODES, ends
from tendril.bake.process import Worker
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene

CASES = 84
FRAMES, PACE = 24, 0.01  # s a frame takes
PATIENCE = 20.0  # s, until a bake that was told to end counts as hanging
TOY = Path(__file__).parents[1] / "unit" / "bake_dummy.py"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")


def make_job(folder):
    x = np.linspace([0.1, 0.2, 0.3], [0.9, 0.4, 0.8], 9)
    rope = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0))
    return job.write(folder, Scene((rope,), PACE, FRAMES), {}).folder


def start(folder, resume=False):
    """A worker with the toy, which keeps a checkpoint every few frames."""
    program = (
        "import runpy, sys; from tendril.bake import baking, worker; baking.CHECKPOINT_INTERVAL = 0.04;"
        f"sys.exit(worker.main(solver=runpy.run_path({str(TOY)!r})['solver']))"
    )
    return Worker.start(folder, resume, call=[sys.executable, "-c", program])


def follow(worker, act=lambda: None, moment=None):
    """What a worker says until its end; `act` is done at its message number `moment`."""
    said, deadline = [], time.monotonic() + PATIENCE
    while not said or said[-1]["kind"] != "exit":
        if len(said) == moment:
            act()
        said.append(worker.next_message(deadline - time.monotonic()))
        assert said[-1] is not None, f"it goes on and on after {said[-3:]}"
    return said


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """The bytes of every frame of a bake that nothing happens to."""
    folder = make_job(tmp_path_factory.mktemp("right"))
    assert follow(start(folder))[-1]["code"] == EXIT_CODES["done"]
    return [path.read_bytes() for path in frame_files(folder)]


def frame_files(folder):
    return sorted((folder / "tendril_frames").glob("*.npz"))


# What happens. Each gets (worker, folder, random.Random) and gives the folder in which to go on.


def killed(worker, folder, _chance):
    worker.kill()
    return folder


def terminated(worker, folder, _chance):
    os.kill(worker.pid, signal.SIGTERM)
    return folder


def cancelled(worker, folder, _chance):
    worker.cancel()
    return folder


def interrupted(worker, folder, _chance):
    """It does not mind; Blender then cancels."""
    os.kill(worker.pid, signal.SIGINT)
    worker.cancel()
    return folder


def left_by_blender(worker, folder, _chance):
    worker.process._orders.put(None)
    return folder


def folder_removed(_worker, folder, _chance):
    shutil.rmtree(folder, ignore_errors=True)  # the bake may be writing into it
    return folder


def folder_renamed(_worker, folder, _chance):
    return folder.rename(folder.with_name("renamed"))


def frames_are_a_file(_worker, folder, _chance):
    frames = folder / "tendril_frames"
    if frames.is_dir():
        frames.rename(folder / "away")
    frames.write_text("not a folder")
    return folder


def frame_cut(_worker, folder, chance):
    for path in frame_files(folder)[-3:]:
        content = path.read_bytes()
        path.write_bytes(content[: chance.randrange(len(content))])
    return folder


def frame_garbled(_worker, folder, chance):
    """Before the zip's list of its members, which nobody reads; `test_bake_cache` garbles each byte of a frame."""
    for path in frame_files(folder)[:1]:
        content = bytearray(path.read_bytes())
        end = content.index(b"PK\x01\x02")
        content[chance.randrange(end // 2, end)] ^= 0xFF
        path.write_bytes(content)
    return folder


def frame_removed(_worker, folder, chance):
    if found := frame_files(folder):
        chance.choice(found).unlink(missing_ok=True)
    return folder


def index_cut(_worker, folder, chance):
    index = folder / "tendril_index.jsonl"
    if index.exists():
        content = index.read_bytes()
        index.write_bytes(content[: chance.randrange(len(content) + 1)])
    return folder


def checkpoint_garbled(_worker, folder, chance):
    checkpoint = folder / "tendril_checkpoint.npz"
    if checkpoint.exists():
        checkpoint.write_bytes(chance.randbytes(chance.randrange(2000)))
    return folder


def two_at_once(_worker, folder, _chance):
    second = follow(start(folder))
    assert "Another bake" in second[0]["text"] or second[-1]["code"] == EXIT_CODES["done"]
    return folder


HAPPENINGS = (
    killed, terminated, cancelled, interrupted, left_by_blender, folder_removed, folder_renamed,
    frames_are_a_file, frame_cut, frame_garbled, frame_removed, index_cut, checkpoint_garbled, two_at_once,
)  # fmt: skip


def test_a_bake_outlives_what_happens_to_it(tmp_path, right, random_case):
    chance = random.Random(random_case)
    happening, moment = HAPPENINGS[random_case % len(HAPPENINGS)], chance.randrange(FRAMES)
    folder, places = make_job(tmp_path / "job"), []
    worker = start(folder)
    said = follow(worker, lambda: places.append(happening(worker, folder, chance)), moment)
    folder = places[0] if places else folder

    is_over(worker, said)
    if happening not in {frame_cut, frame_garbled}:
        frames_are_right(folder, right)
    if happening is frames_are_a_file:  # the artist sees the sentence and clears it away
        (folder / "tendril_frames").unlink(missing_ok=True)
    if not (folder / "tendril_job.json").exists():
        make_job(folder)
    said = follow(start(folder, resume=True))
    assert said[-1]["code"] == EXIT_CODES["done"], said
    assert [path.read_bytes() for path in frame_files(folder)] == right
    assert Cache(folder).frames == tuple(range(FRAMES))
    with locked(folder):
        pass
    assert [path.name for path in folder.rglob("*") if "tmp" in path.name] == []


def is_over(worker, said):
    """It holds the folder no more, and has said in one sentence why, or what it kept."""
    code, last = said[-1]["code"], [message for message in said if ends(message)]
    assert code in {*EXIT_CODES.values(), -signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT}, said[-1]
    assert len(last) == (0 if code < 0 else 1)
    text = last[0].get("text", "") if last else said[-1]["text"]
    assert "mistake in Tendril" not in text
    assert "\n" not in text


def frames_are_right(folder, right):
    """Every frame that the index names is there and right; a frame the happening removed may be missing."""
    cache = Cache(folder)
    for index in cache.frames:
        if cache.holds(index):
            assert (folder / "tendril_frames" / f"{index:06d}.npz").read_bytes() == right[index]


def test_the_judgement_sees_a_wrong_frame(tmp_path, right):
    folder = make_job(tmp_path)
    follow(start(folder))
    one, two = frame_files(folder)[:2]
    shutil.copy(one, two)
    with pytest.raises(AssertionError):
        frames_are_right(folder, right)


def test_no_process_is_left():
    """Of all that the tests of this file started, but for the one that stays, and not that when it is dismissed."""
    call = ["ps", "--ppid", str(os.getpid()), "-o", "args="]

    def children():
        listed = subprocess.run(call, check=False, capture_output=True, text=True).stdout
        return [line for line in listed.splitlines() if "tendril" in line]

    assert len(children()) <= 1
    process.dismiss()
    deadline = time.monotonic() + PATIENCE
    while children():
        assert time.monotonic() < deadline
        time.sleep(0.05)
