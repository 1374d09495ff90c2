"""What moves is a file that grows frame by frame, is mapped, goes with its job, and is never there by halves."""

import errno
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from tendril.bake import job, samples
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.bake.plain_file import DamagedFile, Irregular
from tendril.physics.scene import Collider, Rod, Scene

X = np.arange(12.0).reshape(4, 3)
TRIANGLES = np.array([[0, 1, 2], [1, 3, 2]])


def scene_with(*colliders):
    rod = Rod("Rope", X, np.ones(4), np.ones(4), np.ones((3, 2)), np.ones(4), np.ones(3))
    return Scene((rod,), 1 / 24, 10, colliders=colliders)


def tracked(folder, places, name="Wall"):
    """A Collider of samples of X, each moved along x."""
    track = samples.Track(folder)
    for time, place in enumerate(places):
        track.add(float(time), (X + [place, 0.0, 0.0]).astype(np.float32))
    return Collider(name, TRIANGLES, *track.finish())


def files(folder):
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("tendril_samples"))


def at(collider, time):
    """Where its first point is, on straight lines between samples and held beyond them."""
    return np.interp(time, collider.times, collider.points[:, 0, 0])


@pytest.mark.parametrize(
    ("places", "times"),
    [
        ([3, 3, 3, 3], [0]),
        ([0, 1, 2, 3], [0, 1, 2, 3]),
        ([0, 0, 0, 1], [0, 2, 3]),
        ([0, 1, 1, 1], [0, 1]),
        ([0, 1, 1, 1, 2, 2], [0, 1, 3, 4]),
        ([5], [0]),
    ],
)
def test_samples_are_kept_where_they_say_something_new(tmp_path, places, times):
    found = tracked(tmp_path, places)
    assert found.times.tolist() == times
    assert [at(found, time) for time in range(len(places))] == places
    assert found.points.shape == (len(times), 4, 3)
    assert found.points.dtype == np.float32
    assert len(files(tmp_path)) == (len(times) > 1)


def test_a_long_motion_needs_no_memory(tmp_path):
    """100 000 vertices; of 250 frames, 300 MB, here 30: what is held is a few samples."""
    frame = np.zeros((100_000, 3), np.float32)
    tracemalloc.start()
    track = samples.Track(tmp_path)
    for time in range(30):
        track.add(float(time), frame + np.float32(time))
    times, points = track.finish()
    written = job.write(tmp_path, scene_with(Collider("Crowd", TRIANGLES, times, points)), {})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert job.read(tmp_path).input_hash == written.input_hash
    assert points.nbytes == 30 * frame.nbytes
    assert peak < 6 * frame.nbytes
    assert np.array_equal(points[29], frame + np.float32(29))


def test_the_hash_does_not_know_where_samples_are_kept(tmp_path):
    moved, other = tracked(tmp_path, [0, 1]), tracked(tmp_path, [0, 1])
    loose = replace(moved, points=np.array(moved.points))
    assert moved.points.filename != other.points.filename
    assert len({job.input_hash(scene_with(one)) for one in (moved, other, loose)}) == 1


def test_a_written_job_names_the_file_that_is_there_already(tmp_path):
    scene = scene_with(tracked(tmp_path, [0, 1]), tracked(tmp_path, [2, 2], "Still"))
    before = files(tmp_path)
    found = job.read(job.write(tmp_path, scene, {}).folder).scene
    assert files(tmp_path) == before
    assert isinstance(found.colliders[0].points, np.memmap)
    assert np.array_equal(found.colliders[0].points, scene.colliders[0].points)


@pytest.mark.parametrize("loose", [False, True])
def test_samples_from_elsewhere_are_brought_along(tmp_path, loose):
    (tmp_path / "elsewhere").mkdir()
    collider = tracked(tmp_path / "elsewhere", [0, 1])
    if loose:
        collider = replace(collider, points=np.array(collider.points))
    found = job.read(job.write(tmp_path / "here", scene_with(collider), {}).folder).scene
    assert np.array_equal(found.colliders[0].points, collider.points)
    assert len(files(tmp_path / "here")) == len(files(tmp_path / "elsewhere")) == 1


def test_a_part_of_a_file_is_not_taken_for_it(tmp_path):
    collider = tracked(tmp_path, [0, 1, 2])
    part = replace(collider, times=collider.times[:2], points=collider.points[:2])
    found = job.read(job.write(tmp_path, scene_with(part), {}).folder).scene
    assert found.colliders[0].points.shape == (2, 4, 3)


def test_a_proposal_that_is_not_adopted_takes_its_samples_along(tmp_path):
    job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    kept = files(tmp_path)
    proposal = job.propose(tmp_path, scene_with(tracked(tmp_path, [0, 2])), {})
    assert len(files(tmp_path)) == 2
    with job.taken(proposal.path):
        pass
    assert files(tmp_path) == kept
    assert job.read(tmp_path).scene.colliders[0].points[1, 0, 0] == 1.0


def test_an_adopted_proposal_replaces_the_samples_of_the_job_before(tmp_path):
    job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    before = files(tmp_path)
    with job.taken(job.propose(tmp_path, scene_with(tracked(tmp_path, [0, 2])), {}).path) as own:
        job.adopt(own)
    assert len(files(tmp_path)) == 1
    assert files(tmp_path) != before
    assert job.read(tmp_path).scene.colliders[0].points[1, 0, 0] == 2.0


def test_free_cache_deletes_samples_also_those_that_nothing_names(tmp_path):
    job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    tracked(tmp_path, [0, 3])
    assert Cache(tmp_path).size() > 2 * X.nbytes
    Cache(tmp_path).free()
    assert not tmp_path.exists()


def test_discarding_a_scene_leaves_no_samples(tmp_path):
    samples.discard(scene_with(tracked(tmp_path, [0, 1]), tracked(tmp_path, [4])))
    assert not files(tmp_path)


def test_a_full_disk_is_a_sentence_and_leaves_no_half_of_a_copy(tmp_path, monkeypatch):
    collider = replace(tracked(tmp_path, [0, 1, 2]), points=np.zeros((3, 4, 3), np.float32))
    before, opened = files(tmp_path), []

    def fill_up(path, mode):
        opened.append(path)
        if len(opened) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        return open(path, mode)

    monkeypatch.setattr(samples, "open", fill_up, raising=False)
    with pytest.raises(BakeError, match="is full"):
        job.write(tmp_path, scene_with(collider), {})
    assert len(opened) == 3
    assert files(tmp_path) == before
    assert not (tmp_path / job.SETTINGS).exists()


@pytest.mark.parametrize("kept", [0, 50, 128, 150])
def test_a_file_that_was_cut_short_is_refused(tmp_path, kept):
    path = tmp_path / job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {}).folder / files(tmp_path)[0]
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(DamagedFile):
        samples.mapped(path)
    with pytest.raises(BakeError, match="damaged"):
        job.read(tmp_path)


def test_a_changed_sample_is_noticed(tmp_path):
    job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    path = tmp_path / files(tmp_path)[0]
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(BakeError, match="was changed"):
        job.read(tmp_path)


def test_a_link_is_not_followed(tmp_path):
    job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    path = tmp_path / files(tmp_path)[0]
    path.rename(tmp_path / "mine.npy")
    path.symlink_to(tmp_path / "mine.npy")
    with pytest.raises(Irregular):
        samples.mapped(path)
    with pytest.raises(BakeError, match="damaged"):
        job.read(tmp_path)


@pytest.mark.parametrize("name", ["../mine.npy", "mine.npy", "", 7, None])
def test_names_that_lead_elsewhere_are_refused(tmp_path, name):
    written = job.write(tmp_path, scene_with(tracked(tmp_path, [0, 1])), {})
    text = written.path.read_text()
    other = {"../mine.npy": '"../mine.npy"', "mine.npy": '"mine.npy"', "": '""', 7: "7", None: "null"}[name]
    written.path.write_text(text.replace(f'"{files(tmp_path)[0]}"', other))
    with pytest.raises(BakeError, match="damaged"):
        job.read(tmp_path)
