"""A cache may come from anyone: what lies in place of its files, a link, pipe, device or folder, is never opened."""

import os
import threading

import numpy as np
import pytest
from tendril.bake import cache as caches
from tendril.bake import folder, job, lock
from tendril.bake.baking import bake
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.physics.materials import Material
from tendril.physics.scene import Frame, Rod, Scene

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links and pipes are made otherwise there")
FILES = [job.SETTINGS, job.ARRAYS, caches.INDEX, caches.CHECKPOINT, lock.NAME, f"{caches.FRAMES}/000001.npz"]
FRAMES = 3


def make_scene():
    x = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 4)
    return Scene((Rod.from_material("Rope", x, 0.01, Material(1e7, 0.3, 1000.0)),), 1e-3, FRAMES)


def toy(scene, state=None):
    for index in range(0 if state is None else int(state["index"]) + 1, scene.frame_count):
        x = scene.rods[0].x + index
        yield Frame(index, x, np.diff(x, axis=0), {"x": x, "index": np.int64(index)})


def act(place, resume=False):
    """All that is done with a cache folder; the sentences it ended with. Never longer than a moment."""
    said = []

    def all_of_it():
        for deed in (lambda: Cache(place).size(), lambda: job.propose(place, make_scene(), {}).path, lambda: place):
            try:
                found = deed()
                if not isinstance(found, int):
                    *_, last = bake(found, resume=resume, solver=lambda _scene: ((), toy))
                    said.append(last.get("text", ""))
            except BakeError as error:
                said.append(str(error))
        caches.sound_frames(Cache(place))
        try:
            Cache(place).free()
        except BakeError as error:
            said.append(str(error))

    deed = threading.Thread(target=all_of_it, daemon=True)
    deed.start()
    deed.join(10.0)
    assert not deed.is_alive(), "it waits for a pipe"
    assert not any("mistake" in text or "\n" in text for text in said)
    return said


@pytest.fixture
def place(tmp_path):
    """A folder with a finished bake."""
    made = job.write(tmp_path / "shot", make_scene(), {}).folder
    assert [*bake(made, solver=lambda _scene: ((), toy))][-1]["kind"] == "done"
    Cache(made).checkpoint(Frame(FRAMES - 1, np.zeros((4, 3)), np.zeros((3, 3)), {"x": np.zeros(3)}))
    return made


def put_instead(path, kind, target):
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    match kind:
        case "link":
            path.symlink_to(target)
        case "link to nothing":
            path.symlink_to(target.with_name("nothing"))
        case "pipe":
            os.mkfifo(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "folder":
            path.mkdir()


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("kind", ["link", "link to nothing", "pipe", "device", "folder"])
@pytest.mark.parametrize("name", FILES)
def test_what_is_no_file_of_ours_is_never_followed(tmp_path, place, name, kind, resume):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    put_instead(place / name, kind, mine)
    act(place, resume)
    assert mine.read_text() == "mine"
    assert sorted(path.name for path in tmp_path.iterdir()) in (["mine"], ["mine", "shot"])


@pytest.mark.parametrize("name", [*FILES[:4], f"{caches.FRAMES}/000001.npz"])
def test_a_temporary_name_cannot_be_foreseen(tmp_path, place, name):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (place / f"{name}.tmp").symlink_to(mine)
    act(place)
    assert mine.read_text() == "mine"


def test_a_linked_frames_folder_is_left_alone(tmp_path, place):
    """Free Cache would delete the frames of another cache behind it."""
    other = job.write(tmp_path / "other", make_scene(), {}).folder
    list(bake(other, solver=lambda _scene: ((), toy)))
    frames = place / caches.FRAMES
    for path in frames.iterdir():
        path.unlink()
    frames.rmdir()
    frames.symlink_to(other / caches.FRAMES, target_is_directory=True)
    before = {path.name: path.read_bytes() for path in (other / caches.FRAMES).iterdir()}
    said = act(place)
    assert {path.name: path.read_bytes() for path in (other / caches.FRAMES).iterdir()} == before
    assert frames.is_symlink()
    assert all("tendril_frames' is a link" in text for text in said)
    assert not Cache(place).holds(0)


def test_a_cache_folder_that_is_a_link_is_refused_and_freeing_it_deletes_nothing(tmp_path, place):
    link = tmp_path / "link"
    link.symlink_to(place, target_is_directory=True)
    before = sorted(path.name for path in place.rglob("*"))
    with pytest.raises(BakeError, match="'.*link' is a link .* remove it or choose another"):
        Cache(link).free()
    with pytest.raises(BakeError, match="is a link"):
        folder.prepare(link)
    said = act(link)
    assert said
    assert all("is a link" in text for text in said)
    assert sorted(path.name for path in place.rglob("*")) == before


def test_a_folder_of_caches_may_be_a_link(tmp_path):
    """As when an artist keeps all caches on another disk."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "tendril_cache").symlink_to(tmp_path / "disk", target_is_directory=True)
    place = folder.prepare(tmp_path / "tendril_cache" / "shot")
    job.write(place, make_scene(), {})
    assert [*bake(place, solver=lambda _scene: ((), toy))][-1]["kind"] == "done"
    Cache(place).free()
    assert not list((tmp_path / "disk").iterdir())


@pytest.mark.parametrize("mark", [caches.INDEX, caches.CHECKPOINT, job.SETTINGS, job.ARRAYS])
@pytest.mark.parametrize("index", ["gone", "of another version"])
def test_free_deletes_all_of_ours_also_without_an_index_of_this_version(place, mark, index):
    """Any one file of ours says whose the frames are."""
    if index == "gone" and mark == caches.INDEX:
        return
    (place / caches.INDEX).write_bytes(b'{"tendril_cache": 1}\n') if index != "gone" else (
        place / caches.INDEX
    ).unlink()
    for name in (caches.CHECKPOINT, job.SETTINGS, job.ARRAYS):
        if name != mark:
            (place / name).unlink()
    assert Cache(place).free() == FRAMES
    assert not place.exists()


def test_free_deletes_what_was_left_half_written_and_half_proposed(place):
    for name in (
        "tendril_index.jsonl.0123456789abcdef.tmp",
        "tendril_job_0123456789abcdef.npz",
        "tendril_job_0123456789abcdef.json.0123456789abcdef.tmp",
        "tendril_frames/000003.npz.0123456789abcdef.tmp",
    ):
        (place / name).write_bytes(b"x")
    Cache(place).free()
    assert not place.exists()
