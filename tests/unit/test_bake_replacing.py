"""A bake that builds on another leaves that one whole until it is over, however it ends: done, cancelled, failed, or
killed between any two changes of the disk.
"""

import os
import pathlib
import runpy
import shutil
from dataclasses import replace

import numpy as np
import pytest
from on_disk import contents
from tendril.bake import cache as caches
from tendril.bake import job, replacing
from tendril.bake.baking import AS_IT_WAS, bake
from tendril.bake.cache import Cache
from tendril.bake.folder import BESIDE
from tendril.physics.materials import Material
from tendril.physics.scene import Frame, Notice, Rod, Scene
from tendril.physics.validate import SimulationError

toy = runpy.run_path(str(pathlib.Path(__file__).with_name("bake_dummy.py")))["toy"]
FRAMES, HERE = 6, 2
BUILDS_ON = {"selected": {"anew": {"rods": [1], "bodies": [], "solids": []}}, "from here": {"begin": HERE}}


def made(height=0.3, frame_count=FRAMES):
    x = np.random.default_rng(3).uniform(0.1, 0.9, (2, 4, 3))
    rods = [Rod.from_material(name, own, 0.01, Material(1e7, 0.4, 1000.0)) for name, own in zip("AB", x, strict=True)]
    return Scene((*rods,), 1e-3, frame_count, gravity=np.array([0.0, 0.0, height]))


def simulate(scene, state=None):
    """The toy, that goes on otherwise where gravity is another."""
    for item in toy(scene, state):
        if isinstance(item, Frame):
            x = item.x % 1.0 + scene.gravity * 1e-6 * item.index
            m1 = np.concatenate([np.diff(own, axis=0) for own in np.split(x, len(scene.rods))])
            yield replace(item, x=x, m1=m1, state={"x": item.x, "index": np.int64(item.index)})
        else:
            yield item


def solver(_scene):
    return (), simulate


def run(place, **options):
    given = {"solver": solver, "taking_over": lambda _scene, _before, state: dict(state)} | options
    return list(bake(place, **given))


def frames(folder):
    cache = Cache(folder)
    return [cache.read(index)[0].tobytes() for index in cache.frames]


@pytest.fixture
def folder(tmp_path):
    assert run(job.write(tmp_path / "bake", made(), {}).path)[-1]["kind"] == "done"
    return tmp_path / "bake"


def proposed(folder, how, scene=None):
    return job.propose(folder, scene or made(-0.7), {}, **BUILDS_ON[how]).path


def stops(after, error):
    def simulation(scene, state=None):
        for item in simulate(scene, state):
            if isinstance(item, Frame) and item.index == after:
                raise error
            yield item

    return lambda _scene: ((), simulation)


@pytest.mark.parametrize("how", BUILDS_ON)
def test_what_fails_leaves_the_earlier_bake_to_the_byte_and_says_so(folder, how):
    before = contents(folder)
    said = run(proposed(folder, how), solver=stops(4, SimulationError("B", "'B' could not go on.")))
    assert said[-1]["text"] == f"'B' could not go on. {AS_IT_WAS}"
    assert contents(folder) == before
    said = run(proposed(folder, how), solver=stops(4, ZeroDivisionError()))
    assert "mistake in Tendril" in said[-1]["text"]
    assert contents(folder) == before


@pytest.mark.parametrize("how", BUILDS_ON)
def test_what_is_done_or_cancelled_takes_the_place(folder, how, tmp_path):
    shutil.copytree(folder, tmp_path / "other")
    said = run(proposed(folder, how))
    assert said[-1] == {"kind": "done", "frames": FRAMES}
    whole = frames(folder)
    assert not any((folder / name).exists() for name in BESIDE)
    told = []
    other = tmp_path / "other"
    for message in bake(
        proposed(other, how), solver=solver, taking_over=lambda _scene, _before, state: dict(state),
        stopped=lambda: any(one["kind"] == "progress" and one["frame"] == 4 for one in told),
    ):  # fmt: skip
        told.append(message)
    assert told[-1] == {"kind": "cancelled", "frames": 4}
    assert frames(other) == whole[:4]
    said = run(job.propose(other, made(-0.7), {}).path, resume=True)
    assert said[-1]["kind"] == "done"
    assert frames(other) == whole


@pytest.mark.parametrize("how", BUILDS_ON)
def test_while_it_runs_the_new_frames_can_be_looked_at(folder, how):
    before = contents(folder)
    for message in bake(proposed(folder, how), solver=solver, taking_over=lambda _scene, _before, state: dict(state)):
        if message["kind"] == "progress" and 0 < message["frame"] < FRAMES:
            assert len(replacing.at_work(folder).frames) == message["frame"]
            assert before.items() <= contents(folder).items()


class Killed(BaseException):
    """The process is no more."""


def kill_at(monkeypatch, number):
    """Ends at the change of the disk with that number, and so at all behind it."""
    count = [0]

    def counted(change):
        def dying(*args, **options):
            count[0] += 1
            if count[0] > number:
                raise Killed
            return change(*args, **options)

        return dying

    for owner, names in ((os, ("replace", "link", "unlink")), (pathlib.Path, ("rename", "unlink", "mkdir", "rmdir"))):
        for name in names:
            monkeypatch.setattr(owner, name, counted(getattr(owner, name)))


@pytest.mark.parametrize("how", BUILDS_ON)
def test_killed_at_any_moment_all_frames_are_of_one_bake(how, folder, tmp_path):
    """And Resume goes on to what the bake would have been, or says that the earlier one is whole."""
    old = frames(folder)
    shutil.copytree(folder, tmp_path / "whole")
    run(proposed(tmp_path / "whole", how))
    new, ends = frames(tmp_path / "whole"), set()
    assert len({*old} & {*new}) < FRAMES
    for number in range(400):
        place = tmp_path / str(number)
        shutil.copytree(folder, place)
        path, killed = proposed(place, how), False
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "fsync", lambda _file: None)
            kill_at(patch, number)
            try:
                run(path)
            except Killed:
                killed = True
        if not killed:
            break
        looked_at = frames(place) if not (place / replacing.NEXT).exists() else None
        assert looked_at in (None, old, new)
        resumed = job.propose(place, made(-0.7), {}).path
        said = run(resumed, resume=True)
        text = said[-1].get("text", "")
        assert said[-1]["kind"] == "done" or "resum" in text or "baked already" in text, text
        assert frames(place) == (new if said[-1]["kind"] == "done" else old)
        assert Cache(place).restore()[0] == FRAMES - 1
        assert not any((place / name).exists() for name in (replacing.NEXT, replacing.OLD))
        ends.add(said[-1]["kind"])
    assert not killed
    assert ends == {"done", "verdict"}


def test_a_checkpoint_of_another_bake_is_none(folder):
    checkpoint = (folder / caches.CHECKPOINT).read_bytes()
    run(job.write(folder, made(-0.7), {}).path)
    (folder / caches.CHECKPOINT).write_bytes(checkpoint)
    assert Cache(folder).restore() is None
    assert "There is no checkpoint" in next(one for one in run(folder, resume=True) if one["kind"] == "warning")["text"]


def test_notices_of_frames_that_stay_stay(folder):
    run(proposed(folder, "from here"))
    assert [notice.frame for notice in Cache(folder).notices] == [3]
    assert all(isinstance(notice, Notice) for notice in Cache(folder).notices)
