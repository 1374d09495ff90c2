"""The frame cache: what it says exists can be read, damage is noticed, and nothing of others is ever deleted."""

import errno
import os
import re

import numpy as np
import pytest
from tendril.bake import cache as caches
from tendril.bake import job, lock, plain_file, whole_file
from tendril.bake.cache import Cache
from tendril.bake.errors import BakeError
from tendril.bake.lock import locked
from tendril.physics.scene import Frame, Notice


def frame(index, nodes=4):
    x = np.random.default_rng(index).normal(size=(nodes, 3))
    bodies = np.random.default_rng(index + 100).normal(size=(2, 7))
    return Frame(index, x, x[1:] - x[:-1], {"x": x, "v": 2.0 * x, "index": np.int64(index)}, bodies)


@pytest.fixture
def cache(tmp_path):
    """Five frames of ten."""
    cache = Cache(tmp_path / "cache")
    cache.begin("abc", 10)
    for index in range(5):
        cache.write(frame(index))
    return cache


def frame_file(cache, index):
    return cache.folder / caches.FRAMES / f"{index:06d}.npz"


def test_no_folder_is_an_empty_cache(tmp_path):
    cache = Cache(tmp_path / "nowhere")
    assert (cache.frames, cache.notices, cache.input_hash, cache.frame_count, cache.size()) == ((), (), None, 0, 0)
    assert cache.restore() is None
    cache.free()
    assert not (tmp_path / "nowhere").exists()


def test_frames_come_back_bit_by_bit(cache):
    again = Cache(cache.folder)
    assert again.frames == cache.frames == (0, 1, 2, 3, 4)
    assert (again.input_hash, again.frame_count) == ("abc", 10)
    for index in again.frames:
        x, m1, bodies = again.read(index)
        assert x.tobytes() == frame(index).x.tobytes()
        assert m1.tobytes() == frame(index).m1.tobytes()
        assert bodies.tobytes() == frame(index).bodies.tobytes()


def test_the_same_frames_are_the_same_files(cache, tmp_path):
    other = Cache(tmp_path / "other")
    other.begin("abc", 10)
    other.write(frame(3))
    assert frame_file(other, 3).read_bytes() == frame_file(cache, 3).read_bytes()


def test_a_reader_sees_what_is_written_after_it_looked(cache):
    reader = Cache(cache.folder)
    assert len(reader.frames) == 5
    cache.write(frame(5))
    cache.note(Notice("Rope", 5, "It is long."))
    assert reader.frames[-1] == 5
    assert reader.notices == (Notice("Rope", 5, "It is long."),)


def test_a_reader_notices_that_another_bake_has_begun(cache):
    reader = Cache(cache.folder)
    assert len(reader.frames) == 5
    cache.begin("abc", 10)
    for index in range(7):
        cache.write(frame(index))
    cache.begin("abc", 10)
    cache.write(frame(0))
    assert reader.frames == (0,)


def test_the_index_stays_short_of_one_line_a_frame(cache):
    """Each frame costs its own line, however many there are."""
    index = cache.folder / caches.INDEX
    before = index.stat().st_size
    for number in range(5, 205):
        cache.write(frame(number))
    assert index.stat().st_size - before < 200 * 20


def test_a_frame_written_again_and_a_notice_said_again_count_once(cache):
    for _ in range(2):
        cache.write(frame(4))
        cache.note(Notice("Rope", 4, "It is long."))
    assert cache.frames == (0, 1, 2, 3, 4)
    assert len(Cache(cache.folder).notices) == 1


SPOILT = b"x" * 12 + b"\n" + b'{"frame": 9}\n'  # as long as the line of frame 5, and a whole line behind it


@pytest.mark.parametrize(
    "torn", [SPOILT, b'{"fra', b'{"frame": 5}', b'{"frame": "5"}\n', b"\0\0\0\n", b"[]\n", b"\xff\n"]
)
def test_a_torn_last_line_does_not_count_and_is_written_over(cache, torn):
    with open(cache.folder / caches.INDEX, "ab") as index:
        index.write(torn)
    again = Cache(cache.folder)
    assert again.frames == (0, 1, 2, 3, 4)
    again.write(frame(5))
    assert Cache(cache.folder).frames == again.frames == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    "content", [b"", b"\0" * 40, b"hello\n", b'{"tendril_cache": 99}\n{"frame": 0}\n', b'{"frame": 0}\n']
)
def test_an_index_that_is_not_ours_is_no_cache(cache, content):
    (cache.folder / caches.INDEX).write_bytes(content)
    assert Cache(cache.folder).input_hash is None
    assert Cache(cache.folder).frames == ()


def test_damage_to_a_frame_is_always_noticed(cache):
    path = frame_file(cache, 2)
    sound, whole = path.read_bytes(), [array.tobytes() for array in cache.read(2)]
    for position in range(len(sound)):
        path.write_bytes(sound[:position])
        assert not cache.holds(2)
        path.write_bytes(sound[:position] + bytes([sound[position] ^ 0x11]) + sound[position + 1 :])
        try:
            found = cache.read(2)
        except BakeError:
            continue
        assert [array.tobytes() for array in found] == whole  # a time stamp or the like


def test_a_deleted_frame_is_a_sentence(cache):
    frame_file(cache, 2).unlink()
    with pytest.raises(BakeError, match="Frame 2 .* missing or damaged"):
        cache.read(2)


def test_the_checkpoint_gives_back_the_state(cache):
    cache.checkpoint(frame(3))
    cache.checkpoint(frame(4))
    index, state = Cache(cache.folder).restore()
    assert index == 4
    assert state.keys() == frame(4).state.keys()
    for name, array in frame(4).state.items():
        assert state[name].tobytes() == np.asarray(array).tobytes()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="no way here to see which file is synced")
def test_a_checkpoint_comes_after_all_it_stands_on_is_on_the_disk(cache, monkeypatch):
    """Else a power cut could leave a checkpoint whose frames are gone."""
    synced, fsync = [], os.fsync

    def watched(descriptor):
        synced.append(os.path.realpath(f"/proc/self/fd/{descriptor}"))
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    cache.checkpoint(frame(4))
    cache.write(frame(5))
    cache.checkpoint(frame(5))
    names = [re.sub(rf"{whole_file.TEMPORARY}$", "", os.path.basename(path)) for path in synced]
    first = [f"{index:06d}.npz" for index in range(5)]
    assert names == [*first, caches.INDEX, caches.CHECKPOINT, "000005.npz", caches.INDEX, caches.CHECKPOINT]


def test_a_frame_deleted_before_it_was_synced_is_a_sentence(cache):
    frame_file(cache, 3).unlink()
    with pytest.raises(BakeError, match="missing or was deleted"):
        cache.checkpoint(frame(4))


def test_a_damaged_checkpoint_is_none(cache):
    cache.checkpoint(frame(4))
    path = cache.folder / caches.CHECKPOINT
    path.write_bytes(path.read_bytes()[:-30])
    assert cache.restore() is None


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("where", ["x", "m1", "bodies"])
def test_what_is_not_finite_never_reaches_the_cache(cache, value, where):
    bad = frame(5)
    getattr(bad, where)[1, 2] = value
    with pytest.raises(ValueError, match="not finite"):
        cache.write(bad)
    assert not frame_file(cache, 5).exists()
    assert 5 not in cache.frames


class FullDisk:
    """A file that takes `room` more bytes."""

    def __init__(self, file, room):
        self.file, self.room = file, room

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, content):
        self.file.write(bytes(content)[: self.room])
        if len(content) > self.room:
            raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(("module", "opens"), [("whole_file", open), ("index", plain_file.open_plain)])
def test_a_full_disk_is_a_sentence_and_keeps_the_frames(cache, monkeypatch, module, opens):
    """Full while the frame is written, and full while its line in the index is."""
    with monkeypatch.context() as patch:
        target = f"tendril.bake.{module}.{opens.__name__}"
        patch.setattr(target, lambda *args, **limits: FullDisk(opens(*args, **limits), 7), raising=False)
        with pytest.raises(BakeError, match=r"disk of cache folder '.*' is full"):
            cache.write(frame(5))
    assert not list(cache.folder.rglob("*.tmp"))
    assert cache.frames == Cache(cache.folder).frames == (0, 1, 2, 3, 4)
    cache.write(frame(5))
    assert Cache(cache.folder).frames == (0, 1, 2, 3, 4, 5)


def test_a_file_held_for_a_moment_is_waited_for(cache, monkeypatch):
    """As Windows does while a virus scanner reads it."""
    replace, refusals = os.replace, [PermissionError(errno.EACCES, "held")] * 3

    def held(source, target):
        if refusals:
            raise refusals.pop()
        replace(source, target)

    monkeypatch.setattr(whole_file.os, "replace", held)
    cache.write(frame(5))
    assert not refusals
    assert cache.frames[-1] == 5


def test_a_file_held_for_good_is_a_sentence(cache, monkeypatch):
    def held(source, target):
        raise PermissionError(errno.EACCES, "held")

    monkeypatch.setattr(whole_file.os, "replace", held)
    monkeypatch.setattr(whole_file, "_RENAME_PATIENCE", 0.05)
    with pytest.raises(BakeError, match="cannot be written"):
        cache.write(frame(5))


@pytest.mark.parametrize("victim", [caches.INDEX, caches.FRAMES])
def test_what_is_deleted_during_the_bake_is_a_sentence(cache, victim):
    path = cache.folder / victim
    path.rename(cache.folder.parent / "away")
    with pytest.raises(BakeError, match="missing or was deleted"):
        cache.write(frame(5))


def test_free_deletes_all_that_is_ours(cache):
    cache.checkpoint(frame(4))
    with locked(cache.folder):
        pass
    for name in (job.SETTINGS, job.ARRAYS, f"{caches.CHECKPOINT}.tmp", f"{caches.FRAMES}/000005.npz.tmp"):
        (cache.folder / name).write_bytes(b"x")
    cache.free()
    assert not cache.folder.exists()
    assert cache.frames == ()


def test_free_and_a_new_bake_leave_what_is_not_ours(cache):
    others = [
        cache.folder / "shot.blend",
        cache.folder / caches.FRAMES / "000001.png",
        cache.folder / "sub" / "000001.npz",
    ]
    (cache.folder / "sub").mkdir()
    for path in others:
        path.write_text("mine")
    cache.begin("abc", 10)
    cache.free()
    assert [path.read_text() for path in others] == ["mine"] * 3
    assert sum(path.is_file() for path in cache.folder.rglob("*")) == 3


def test_without_our_mark_nothing_that_looks_like_a_frame_is_deleted(tmp_path):
    stranger = tmp_path / caches.FRAMES / "000001.npz"
    stranger.parent.mkdir()
    stranger.write_text("mine")
    Cache(tmp_path).free()
    Cache(tmp_path).begin("abc", 10)
    assert stranger.read_text() == "mine"


def test_a_new_bake_starts_empty(cache):
    cache.checkpoint(frame(4))
    cache.begin("def", 3)
    assert (cache.frames, cache.input_hash, cache.restore()) == ((), "def", None)
    assert not frame_file(cache, 0).exists()
    cache.write(frame(0))
    cache.checkpoint(frame(0))
    assert cache.restore()[0] == 0


def test_nothing_is_freed_while_a_bake_is_running(cache):
    with locked(cache.folder), pytest.raises(BakeError, match="Another bake"):
        cache.free()
    assert cache.read(0)[0].shape == (4, 3)


def test_size_is_the_bytes_on_the_disk(cache):
    cache.checkpoint(frame(4))
    (cache.folder / "shot.blend").write_bytes(b"mine")
    ours = [path for path in cache.folder.rglob("*") if path.is_file() and path.name != "shot.blend"]
    assert cache.size() == sum(len(path.read_bytes()) for path in ours)


def test_a_notice_of_any_length_leaves_the_frames_after_it_readable(cache):
    cache.note(Notice("😀" * 10_000, 4, "😀" * 100_000))
    cache.write(frame(5))
    assert Cache(cache.folder).frames[-1] == 5
    assert len(Cache(cache.folder).notices) == 1


def test_no_more_notices_are_kept_than_anyone_reads(cache):
    for number in range(2000):
        cache.note(Notice("Rope", number, "It is long."))
    cache.write(frame(5))
    assert len(Cache(cache.folder).notices) == 1000
    assert Cache(cache.folder).frames[-1] == 5
    with open(cache.folder / caches.INDEX, "ab") as index:
        index.writelines(b'{"notice": ["Rope", 1, "%d"]}\n' % number for number in range(20_000))
        index.write(b'{"frame": 6}\n')
    assert len(Cache(cache.folder).notices) == 1000
    assert Cache(cache.folder).frames[-1] == 6


def test_sound_frames_are_those_before_the_first_damaged_one(cache):
    frames, trouble = caches.sound_frames(cache, (4, 3, 2))
    assert [x.tobytes() for x, _, _ in frames] == [frame(index).x.tobytes() for index in range(5)]
    assert trouble == ""
    cache.write(frame(3, nodes=7))
    frames, trouble = caches.sound_frames(cache)
    assert len(frames) == 3
    assert (
        trouble == "Frame 3 of the cache is missing or damaged, so only the 3 frames before it are shown: bake again."
    )
    frame_file(cache, 1).unlink()
    assert len(caches.sound_frames(cache)[0]) == 1
    frame_file(cache, 0).write_bytes(b"")
    assert caches.sound_frames(cache) == (
        [], "Frame 0 of the cache is missing or damaged, so there is nothing to show: bake again.",
    )  # fmt: skip


def test_a_frame_that_the_index_lacks_ends_what_is_sound(cache):
    cache.write(frame(7))
    frames, trouble = caches.sound_frames(cache)
    assert len(frames) == 5
    assert "Frame 5" in trouble


def test_what_would_be_inflated_is_not_read(cache):
    """3 MB that become 3 GB."""
    np.savez_compressed(frame_file(cache, 2), x=np.zeros((10**6, 3)), m1=np.zeros((3, 3)), bodies=np.zeros((2, 7)))
    assert not cache.holds(2)


def test_what_keeps_it_from_being_read_is_told(cache, tmp_path, monkeypatch):
    assert (cache.hindrance(), Cache(tmp_path / "nowhere").hindrance()) == ("", "")
    (cache.folder / lock.NAME).mkdir()  # as a broken disk may have it
    assert "is a link or not what Tendril keeps there" in cache.hindrance()
    (cache.folder / lock.NAME).rmdir()

    def broken(*_arguments, **_options):
        raise OSError(errno.EIO, "Input/output error")

    # A lock of a process on another machine; a mount that is gone, of which nobody knows what is there.
    for module, name, told in ((caches, "open_plain", "cannot be read"), (os, "listdir", "cannot be told")):
        with monkeypatch.context() as patch:
            patch.setattr(module, name, broken)
            assert f"'{cache.folder}' {told} (Input/output error): Resume goes on" in cache.hindrance()


def test_a_folder_that_cannot_be_looked_into_has_no_size(cache, monkeypatch):
    def refused(*_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "listdir", refused)
    monkeypatch.setattr(os, "scandir", refused)
    assert cache.size() == 0
    with pytest.raises(BakeError, match="cannot be written"):
        cache.free()
