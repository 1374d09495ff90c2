"""What is compiled before a bake needs it: which parts, by one process at a time that lets all others go first."""

import os
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from tendril.bake import process
from tendril.bake import worker as workers
from tendril.bake.compiling_ahead import NICE
from tendril.bake.messages import decode, message
from tendril.bake.process import PACKAGE, Worker
from tendril.physics.compiling.one_at_a_time import one_at_a_time
from tendril.physics.materials import Material
from tendril.physics.run import compile as kernels
from tendril.physics.scene import Collider, ForceField, RigidBody, Rod, Scene, Shape, SoftBody, Weld

PATIENCE = 500.0  # s: it has a low priority
RODS, RIGID, MESHES, AIR, SOFT, CABLES = kernels.KINDS


def of_every_kind():
    """A scene with one thing of each kind."""
    x = np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 5)
    rod = Rod.from_material("rod", x, 0.01, Material(1e7, 0.3, 1000.0))
    dot = Shape(np.ones((1, 3)), np.zeros((1, 3), np.int64), 0.01)
    body = RigidBody("body", np.ones(3), 1.0, np.eye(3), shape=dot)
    soft = SoftBody("soft", np.vstack([np.zeros(3), np.eye(3)]), np.arange(4)[None], 1000.0, 1e5, 0.3)
    mesh = Collider("mesh", np.arange(3)[None], np.zeros(1), np.eye(3)[None])
    wind = ForceField("wind", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    return Scene((rod,), 0.04, 2, bodies=(body,), solids=(soft,), colliders=(mesh,), fields=(wind,))


WITHOUT = {
    RODS: {"rods": ()}, RIGID: {"bodies": ()}, MESHES: {"colliders": ()}, AIR: {"fields": ()}, SOFT: {"solids": ()},
}  # fmt: skip


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("settle", [False, True])
def test_what_is_compiled_ahead_for_kinds_of_things_is_all_that_their_scenes_need(solver, settle):
    for number in range(1, 2 ** len(WITHOUT)):
        kinds = {kind for bit, kind in enumerate(WITHOUT) if number >> bit & 1}
        scene = replace(of_every_kind(), solver=solver, settle=settle and not kinds.isdisjoint({RODS, RIGID}))
        for kind in WITHOUT.keys() - kinds:
            scene = replace(scene, **WITHOUT[kind])
        assert set(kernels.needed(scene)) <= set(kernels.of_kinds(kinds)), kinds


def test_what_is_compiled_ahead_for_cables_is_all_that_they_need():
    rod = replace(of_every_kind().rods[0], model="cable")
    assert kernels.needed(Scene((rod,), 0.04, 2)) == kernels.of_kinds({CABLES})
    both = Scene((rod, replace(rod, model="kirchhoff")), 0.04, 2)
    assert set(kernels.needed(both)) <= set(kernels.of_kinds({CABLES, RODS}))


def test_what_an_animation_leads_asks_for_no_steps_of_rigid_bodies():
    """A cable whose plug is keyed: what is tied to the plug hangs on pins."""
    turn = np.array([[1.0, 0.0, 0.0, 0.0]] * 2)
    plug = RigidBody(
        "plug", np.zeros(3), 1.0, np.eye(3), times=np.array([0.0, 1.0]), track=np.array([[0.0, 0, 0], [1.0, 0, 0]]),
        turn=turn, shape=Shape(np.zeros((1, 3)), np.zeros((1, 3), np.int64), 0.01),
    )  # fmt: skip
    rod = of_every_kind().rods[0]
    led = Scene((replace(rod, model="cable"),), 0.04, 2, bodies=(plug,), welds=(Weld("plug", 0, 0, 0),))
    assert kernels.needed(led) == kernels.of_kinds({CABLES})
    alone = replace(led, rods=(rod,), bodies=(), welds=())
    assert kernels.needed(replace(led, rods=(rod,))) == kernels.needed(alone)


def test_every_part_compiled_ahead_is_one_that_can_be():
    for part in kernels.every_part():
        assert kernels._run_by(part)


@pytest.mark.parametrize("treatment", ["CONSTRAINTS", "SPRINGS"])
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_what_scenes_of_any_kind_need_is_among_them(solver, treatment):
    every = replace(of_every_kind(), solver=solver, treatment=treatment)
    (rod,), alone = every.rods, replace(every, solids=())
    for options in {}, {"rolls": True}, {"model": "cosserat"}:
        assert set(kernels.needed(replace(alone, rods=(replace(rod, **options),)))) <= set(kernels.every_part())
    assert set(kernels.needed(replace(every, rods=(), bodies=()))) <= set(kernels.every_part())


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder for kernels, with nothing compiled when it is asked for: a file that says by whom."""
    monkeypatch.setattr(kernels, "CACHE_FOLDER", tmp_path)
    monkeypatch.setattr(kernels, "simulate", lambda scene: iter(()))
    return tmp_path


def test_who_comes_second_waits_and_compiles_only_what_is_still_missing(folder, monkeypatch):
    ran = []
    monkeypatch.setattr(kernels, "simulate", lambda scene: ran.append(scene) or iter(()))
    parts, begun = kernels.warm_up(["explicit steps"]), threading.Event()

    def compile_second():
        begun.set()
        list(parts)

    with one_at_a_time(folder, "explicit steps"):
        second = threading.Thread(target=compile_second)
        second.start()
        begun.wait()
        time.sleep(0.3)
        assert second.is_alive()
        assert not ran
        kernels.seal("explicit steps", folder)
    second.join(10.0)
    assert not second.is_alive()
    assert not ran


HOLDER = """
import sys, pathlib
sys.path.insert(0, sys.argv[1])
from one_at_a_time import one_at_a_time
with one_at_a_time(pathlib.Path(sys.argv[2]), "rods"):
    print("mine", flush=True)
    sys.stdin.read()
"""


def test_the_lock_of_a_process_that_is_killed_is_free(tmp_path):
    call = [sys.executable, "-c", HOLDER, str(PACKAGE / "physics" / "compiling"), str(tmp_path)]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline().strip() == b"mine"
        holder.kill()
        holder.wait()
        with one_at_a_time(tmp_path, "rods"):
            pass


def test_two_parts_are_compiled_side_by_side(folder):
    with one_at_a_time(folder, "implicit steps"):
        assert list(kernels.warm_up(["explicit steps"])) == ["explicit steps"]
    assert not kernels.missing(["explicit steps"], folder)


@pytest.fixture
def uncompiled(tmp_path, monkeypatch):
    """A copy of the library that has compiled nothing, as what processes run."""
    for room in ("physics", "bake"):
        shutil.copytree(PACKAGE / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", tmp_path)
    monkeypatch.setattr(process, "PACKAGE", tmp_path)
    monkeypatch.setenv("TENDRIL_KERNELS", str(tmp_path / "kernels"))
    return tmp_path


def test_it_tells_the_part_gives_way_to_all_others_and_ends_with_who_asked(uncompiled):
    worker = Worker.compile_ahead([RODS])
    said = worker.next_message(PATIENCE)
    count = len(kernels.of_kinds([RODS]))
    text = f"Compiling in the background, 1 of {count}: explicit steps (about {kernels.LONG['explicit steps']} s)"
    assert said == message("compiling", text=text)
    if os.name == "posix":
        assert os.getpriority(os.PRIO_PROCESS, worker.pid) >= NICE
    worker.process._dismiss()
    assert worker.next_message(PATIENCE)["code"] == 0


def test_it_can_be_killed_and_says_so(uncompiled):
    worker = Worker.compile_ahead([RODS])
    worker.next_message(PATIENCE)
    worker.kill()
    assert worker.next_message(PATIENCE)["kind"] == "exit"


def test_kinds_that_there_are_none_of_are_refused():
    worker = Worker.compile_ahead(["clouds"])
    said = worker.next_message(PATIENCE)
    assert (said["kind"], said["code"]) == ("exit", 2)
    assert "clouds" in said["detail"]


@pytest.fixture
def pipe(monkeypatch):
    """A MessagePipe, and the file of lines that it writes."""
    monkeypatch.setattr(workers, "SECOND", 0.01)
    end, begin = os.pipe()
    with open(end, "rb") as lines, open(begin, "wb"):
        yield workers.MessagePipe(begin), map(decode, lines)


def test_what_is_compiled_is_counted_until_something_else_is_told(pipe):
    say, said = pipe
    say.say(message("compiling", text="the rods"))
    assert next(said)["text"] == "the rods"
    for _ in range(3):
        assert next(said)["text"] == "the rods, 0 s so far"
    say.say(message("done", frames=1))
    last = next(one for one in said if one["kind"] != "compiling")
    time.sleep(0.1)
    say.say(message("done", frames=2))
    assert (last["frames"], next(said)["frames"]) == (1, 2)


def test_a_program_that_no_part_foresaw_is_told_of(pipe):
    say, said = pipe
    say.say(message("compiling", text="the rods"))
    say.say_unforeseen("bend")
    say.say(message("done", frames=1))
    say.say_unforeseen("turn")
    texts = [
        next(one for one in said if one["kind"] == kind).get("text") for kind in ("compiling", "done", "compiling")
    ]
    assert texts == ["the rods", None, "Compiling, unforeseen and only once: turn"]
