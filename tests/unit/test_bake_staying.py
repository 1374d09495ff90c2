"""The worker that stays: the same bytes as a fresh one, the same memory, gone with Blender, replaced where it has gone;
with a toy in place of the physics but where that counts."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from on_disk import frame_bytes
from tendril.bake import job, process
from tendril.bake.cache import Cache
from tendril.bake.messages import EXIT_CODES, FORMAT, decode, decode_order, order
from tendril.bake.process import Worker
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Pin, Rod, Scene

TOY = [sys.executable, str(Path(__file__).with_name("bake_dummy.py"))]
LONG = 100_000  # frames
COMPILING = 300.0  # s in which a worker says something while it compiles, other tests being busy too
MANY = 120  # bakes
KEPT = 1e5  # bytes of arrays that each bake allocates, so what a worker that keeps them grows by

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals")


@pytest.fixture(autouse=True)
def alone():
    process.dismiss()
    yield
    process.dismiss()


def rope(shift=0.0, edges=8):
    x = np.linspace([0.0, 0.0, 0.1], [0.5, 0.1 + shift, 0.12], edges + 1)
    return Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0), friction=0.3)


def toy(folder, frames=3, pace=0.01):
    return Worker.start(job.write(folder, Scene((rope(),), pace, frames), {}).folder, call=TOY)


def followed(worker):
    assert worker.wait(60.0)
    return worker


def code(worker, patience=20.0):
    said = worker.next_message(patience)
    while said["kind"] != "exit":
        said = worker.next_message(patience)
    return said["code"], said["text"]


def test_one_process_bakes_one_job_after_the_other(tmp_path):
    assert not process.busy()
    first = toy(tmp_path / "one")
    assert process.busy()
    followed(first)
    assert not process.busy()
    second = toy(tmp_path / "two")
    assert code(second) == (EXIT_CODES["done"], "")
    assert second.pid == first.pid
    assert Cache(tmp_path / "two").frames == (0, 1, 2)
    first.kill()  # its bake is over, so this is nothing to the process
    first.cancel()
    assert followed(toy(tmp_path / "three")).pid == first.pid


def test_a_refusal_and_a_cancel_leave_it_ready(tmp_path):
    refused = followed(Worker.start(tmp_path / "nowhere", call=TOY))
    long = toy(tmp_path / "long", LONG)
    long.next_message(20.0)
    long.cancel()
    assert code(long)[0] == EXIT_CODES["cancelled"]
    assert followed(toy(tmp_path / "short")).pid == long.pid == refused.pid
    assert Cache(tmp_path / "short").frames == (0, 1, 2)


def test_one_that_is_busy_goes_on_and_another_takes_its_place(tmp_path):
    long = toy(tmp_path / "long", 100)
    short = followed(toy(tmp_path / "short"))
    assert short.pid != long.pid
    assert code(long) == (EXIT_CODES["done"], "")
    long.process.popen.wait(20.0)  # and ends
    assert followed(toy(tmp_path / "later")).pid == short.pid


@pytest.mark.parametrize("moment", range(3))
def test_one_that_was_killed_is_told_of_once_and_replaced(tmp_path, moment):
    """While it is idle, before a bake says anything, and among its frames."""
    last = followed(toy(tmp_path / "last"))
    if moment == 0:
        os.kill(last.pid, signal.SIGKILL)
        last.process.popen.wait(20.0)
    else:
        worker = toy(tmp_path / "job", LONG)
        for _ in range(moment - 1):
            worker.next_message(20.0)
        os.kill(worker.pid, signal.SIGKILL)
        killed, text = code(worker)
        assert killed == -signal.SIGKILL
        assert text.startswith("The bake process ended unexpectedly (signal SIGKILL)")
    again = toy(tmp_path / "job")
    assert code(again) == (EXIT_CODES["done"], "")
    assert again.pid != last.pid


def test_another_environment_or_program_has_a_process_of_its_own(tmp_path, monkeypatch):
    first = followed(toy(tmp_path / "one"))
    monkeypatch.setenv("TENDRIL_KERNELS", str(tmp_path))
    second = followed(toy(tmp_path / "two"))
    assert second.pid != first.pid
    first.process.popen.wait(20.0)


def test_it_ends_with_blender_also_between_two_bakes(tmp_path):
    folder = job.write(tmp_path, Scene((rope(),), 0.01, 3), {}).folder
    program = (
        "import sys, time; from tendril.bake.process import Worker; folder, *call = sys.argv[1:];"
        "worker = Worker.start(folder, call=call); worker.wait(); print(worker.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program, str(folder), *TOY], stdout=subprocess.PIPE) as blender:
        pid = int(blender.stdout.readline())
        os.kill(pid, 0)
        blender.kill()
    for _ in range(1000):
        state = Path(f"/proc/{pid}/stat")
        if not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z":
            return
        time.sleep(0.01)
    raise AssertionError("it goes on")


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"cancel\n",
        b"[]\n",
        b'{"format": 1, "kind": "bake"}\n',
        b'{"format": 1, "kind": "bake", "job": 3, "resume": false}\n',
        b'{"format": 1, "kind": "cancel", "more": 1}\n',
        order("bake", job="x", resume=False).replace(b'"format": %d' % FORMAT, b'"format": %d' % (FORMAT + 1)),
        b'{"format": 1, "kind": "run", "job": "import os"}\n',
        b"\xff\n",
        b"[" * 10_000,
    ],
)
def test_what_is_no_order_is_refused_and_ends_the_worker(line):
    with pytest.raises(ValueError, match=r".*"):
        decode_order(line)
    if line:
        worker = Worker(TOY)
        worker.process.tell(line if line.endswith(b"\n") else line + b"\n")
        assert code(worker)[0] == 0


def test_an_order_comes_back_from_its_line():
    assert decode_order(order("bake", job="/a/ü\udcff", resume=True)) == {
        "format": FORMAT, "kind": "bake", "job": "/a/ü\udcff", "resume": True,
    }  # fmt: skip
    with pytest.raises(ValueError, match="job"):
        order("bake", resume=True)


def test_a_used_worker_bakes_the_same_bytes_as_a_fresh_one(tmp_path):
    """By both kinds of steps, with what touches itself and others, after bakes of other sizes and kinds."""
    pinned = Scene((rope(),), 1 / 24, 12, (Pin("Wall", 0, 0, "TWIST", np.zeros(1), rope().x[:1]),), floor=Floor(0.0))
    scenes = [
        replace(pinned, solver="IMPLICIT"),
        replace(pinned, rods=(rope(), rope(0.2, 12)), solver="EXPLICIT"),
        replace(pinned, rods=(rope(0.0, 20), rope(0.1)), solver="IMPLICIT", settle=True),
    ]

    def baked(name, scene):
        folder = job.write(tmp_path / name, scene, {}).folder
        worker = Worker.start(folder)
        assert code(worker, COMPILING)[0] == EXIT_CODES["done"]
        return worker.pid, frame_bytes(folder)

    fresh, pids = [], set()
    for number, scene in enumerate(scenes):
        process.dismiss()
        pid, found = baked(f"fresh {number}", scene)
        fresh.append(found)
        pids.add(pid)
    assert len(pids) == len(scenes)
    process.dismiss()
    used = [baked(f"used {number}", scenes[number % len(scenes)]) for number in (2, 1, 0, 1, 2, 0)]
    assert len({pid for pid, _ in used}) == 1
    for number, (_, found) in zip((2, 1, 0, 1, 2, 0), used, strict=True):
        assert found == fresh[number], f"scene {number}"


@pytest.mark.parametrize("pause", [0.0, 3e-4, 1e-3, 3e-3])
def test_one_that_ends_while_it_is_idle_loses_no_order(tmp_path, pause):
    """A farm may end all processes of a job at once: an order may come between the signal and the end."""
    last = followed(toy(tmp_path / "last"))
    os.kill(last.pid, signal.SIGTERM)
    time.sleep(pause)
    worker = toy(tmp_path / "job")
    found = code(worker)
    assert found in {(EXIT_CODES["done"], ""), (EXIT_CODES["cancelled"], "")}  # that of who had read it by then
    assert code(toy(tmp_path / "job")) == (EXIT_CODES["done"], "")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux")
def test_many_bakes_take_no_more_memory_than_some(tmp_path):
    """Of the real physics. Measured over 600 bakes: an allocator takes 5 MB within the first 160, and nothing more."""
    folder = job.write(tmp_path, Scene((rope(),), 1 / 24, 4, floor=Floor(0.0)), {}).folder

    def memory(count):
        for _ in range(count):
            worker = Worker.start(folder)
            assert code(worker)[0] == EXIT_CODES["done"]
        return int(Path(f"/proc/{worker.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    some, more = memory(20), memory(MANY)
    assert more - some < MANY * KEPT * 2 / 3


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_one_that_hangs_takes_no_time_of_who_orders_and_is_ended(tmp_path, monkeypatch):
    """A pipe takes 64 kB: neither what is asked again and again nor a long order waits for who does not read."""
    monkeypatch.setattr(process, "LATEST", 0.5)
    hung = toy(tmp_path / "one", LONG)
    while hung.next_message(20.0)["kind"] != "progress":
        pass
    os.kill(hung.pid, signal.SIGSTOP)
    begun = time.monotonic()
    hung.process.tell(b"x" * 2**20)
    for _ in range(5000):
        hung.cancel()
        hung.poll()
    assert hung.process._orders.qsize() <= 2
    killed, text = code(hung)
    assert killed == -signal.SIGKILL
    assert text == "The bake process did not answer for 0 s and was ended"
    assert 0.4 < time.monotonic() - begun < 20.0
    assert code(toy(tmp_path / "two")) == (EXIT_CODES["done"], "")


def test_an_order_is_as_long_as_it_has_to_be(tmp_path):
    """As one is that moves thousands of colliders: it is answered."""
    moved = [[number, *np.eye(4)[:3].ravel().tolist()] for number in range(20_000)]
    worker = Worker.settle(tmp_path / "nowhere", {"moved": moved})
    assert worker.next_message(60.0)["text"].startswith("There is no bake job")
    assert code(worker)[0] == EXIT_CODES["verdict"]


@pytest.mark.parametrize("in_order", [False, True])
def test_what_was_for_blender_alone_goes_where_it_ends_without_a_word(tmp_path, in_order):
    """The end of orders is what a worker sees first of a Blender that is killed: its parent is still there."""
    folder = job.write(tmp_path / "job", Scene((rope(),), 0.01, 3), {"temporary": True}).folder
    with subprocess.Popen(TOY, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
        worker.stdin.write(order("bake", job=str(folder), resume=False))
        worker.stdin.flush()
        while decode(worker.stdout.readline())["kind"] != "exit":
            pass
        if in_order:
            worker.stdin.write(order("leave"))
        worker.stdin.close()
    assert folder.exists() == in_order
