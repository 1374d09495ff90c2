"""A bake's duration by its first frames: the pace of frames, and the worker that is given up."""

import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tendril.bake import probe as probes
from tendril.bake import process
from tendril.bake.pace import NEWEST, Pace
from tendril.bake.probe import probe
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene

DUMMY = Path(__file__).with_name("bake_dummy.py")


def test_frames_take_the_place_of_what_was_foreseen():
    pace, taken = Pace(1.0), [3.0, 5.0, 7.0]
    pace.take(25.0)  # and reads kernels
    assert pace.seconds == pytest.approx(5.0)
    for k, seconds in enumerate(taken, start=1):
        pace.take(seconds)
        assert pace.seconds == pytest.approx(sum(taken[:k]) / k)


def test_the_newest_frames_outweigh_those_long_ago():
    pace = Pace(1.0)
    for _ in range(1000):
        pace.take(1.0)
    pace.take(2.0)
    assert pace.seconds == pytest.approx(1.0 + NEWEST)
    for _ in range(50):
        pace.take(2.0)
    assert pace.seconds == pytest.approx(2.0, rel=0.01)


@pytest.fixture
def toys(monkeypatch):
    """Workers bake toys, a frame a frame duration; those that were started."""
    started, real = [], process.Worker

    def start(job, **_options):
        started.append(real.start(job, call=[sys.executable, str(DUMMY)]))
        return started[-1]

    monkeypatch.setattr(probes, "Worker", type("Toys", (), {"start": staticmethod(start)}))
    return started


def scene(frame_count, frame_duration=0.05):
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
    rope = Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0))
    return Scene((rope,), frame_duration, frame_count)


def told(found):
    """All that a probe says."""
    said = []
    for seconds in found:
        said.append(seconds)
        time.sleep(0.02)
    return said


def test_a_probe_tells_the_whole_by_its_first_second(toys, tmp_path):
    said = told(probe(tmp_path / "job", scene(2001)))
    assert said[0] is None
    assert said[-1] > 0.9 * 2000 * 0.05  # which is no less than toys take, and nothing is foreseen of
    assert toys[0].wait(0.0)  # it was given up


def test_a_short_bake_is_measured_whole(toys, tmp_path):
    begun = time.monotonic()
    said = told(probe(tmp_path / "job", scene(6)))
    assert 5 * 0.05 < said[-1] < time.monotonic() - begun
    assert len(toys) == 1


def test_nothing_is_told_of_frames_that_never_come(toys, tmp_path, monkeypatch):
    monkeypatch.setattr(probes, "PATIENCE", 2.0)
    assert set(told(probe(tmp_path / "job", scene(3, frame_duration=60.0)))) == {None}
    assert toys[0].wait(0.0)


def test_a_probe_that_nobody_asks_any_more_ends(toys, tmp_path):
    found = probe(tmp_path / "job", scene(2001))
    next(found)
    found.close()
    assert toys[0].wait(0.0)
