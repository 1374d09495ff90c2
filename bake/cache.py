"""The frame cache: one file per frame, an index, and a checkpoint from which a bake goes on.

    tendril_index.jsonl        which frames there are, and notices to the artist
    tendril_checkpoint.npz     the solver's state after some frame, and of which bake
    tendril_states/000024.npz  the same after some earlier ones, about one a second: others may go on from there
    tendril_frames/000012.npz  x (N, 3) [m], m1 (M, 3) and bodies (K, 7), float64: a `physics.scene.Frame`

Everything is written whole, in this order: the frame, then its line in the index. A power cut may cost what was written
since the last checkpoint. The job's own files may lie beside. A cache may come from anyone: what is read is checked,
and a link in place of any of its files and folders is neither followed nor deleted.
"""

import os
import re
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from ..physics.scene import Frame, Notice
from . import folder as folders
from . import job, lock
from .errors import BakeError, as_sentences, sentence
from .index import MOST_NOTICES, Index
from .index import NAME as INDEX
from .plain_file import (
    DamagedFile,
    Irregular,
    is_file,
    is_folder,
    open_plain,
    refuse_other_than_file,
    refuse_other_than_folder,
)
from .whole_file import TEMPORARY, read_arrays, share, sync, write_arrays

CHECKPOINT, FRAMES, STATES = "tendril_checkpoint.npz", "tendril_frames", "tendril_states"
LARGEST_FRAME, LARGEST_CHECKPOINT = 2**26, 2**30  # bytes
_NUMBERED = re.compile(rf"\d{{6,}}\.npz({TEMPORARY})?")
_OWN_FILE = re.compile(rf"({'|'.join(map(re.escape, (CHECKPOINT, INDEX)))}|{job.FILES})({TEMPORARY})?")
_WIDTHS = {"x": 3, "m1": 3, "bodies": 7}

Arrays = tuple[np.ndarray, np.ndarray, np.ndarray]  # x, m1, bodies
Counts = tuple[int, int, int]  # of vertices, edges, bodies
State = dict[str, np.ndarray]


class Cache:
    """The cache in `folder`, which need not exist. Cheap to make and to ask again while a bake is writing.

    lasting: whether what a checkpoint stands on is to outlast a power cut, which costs milliseconds a frame.
    """

    def __init__(self, folder: Path | str, *, lasting: bool = True) -> None:
        self.folder, self._lasting = Path(folder), lasting
        self._index = Index(self.folder)
        self._unsynced: list[Path] = []

    @property
    def frames(self) -> tuple[int, ...]:
        """Sorted indices of the frames that exist."""
        self._index.refresh()
        return self._index.frames

    @property
    def notices(self) -> tuple[Notice, ...]:
        """The Notices of the bake, in order."""
        self._index.refresh()
        return tuple(self._index.notices)

    @property
    def input_hash(self) -> str | None:
        """Of the scene that was baked (`job.input_hash`); None: there is no cache."""
        self._index.refresh()
        return self._index.header.get("input_hash")

    @property
    def frame_count(self) -> int:
        """How many frames the bake was to have."""
        self._index.refresh()
        return self._index.header.get("frame_count", 0)

    @property
    def processor(self) -> str:
        """The kind of processor on which the bake began (`physics.processor`), "" where none is told."""
        self._index.refresh()
        told = self._index.header.get("processor", "")
        return told if isinstance(told, str) else ""

    @property
    def states(self) -> tuple[int, ...]:
        """Sorted indices of the frames after which a state was kept."""
        return tuple(sorted(int(path.stem) for path in self._numbered(STATES) if path.suffix == ".npz"))

    def read(self, index: int) -> Arrays:
        """(x, m1, bodies) of frame `index`. Raises BakeError when it does not exist or is damaged."""
        try:
            refuse_other_than_folder(self.folder / FRAMES)
            path = self._file(FRAMES, index)
            arrays = read_arrays(path, LARGEST_FRAME)
            if not all(_is_table(arrays[name], width) for name, width in _WIDTHS.items()):
                raise DamagedFile(path)
            return arrays["x"], arrays["m1"], arrays["bodies"]
        except (OSError, DamagedFile, KeyError) as error:
            raise BakeError(f"Frame {index} in '{self.folder}' is missing or damaged: bake again.") from error

    def holds(self, index: int, counts: Counts | None = None) -> bool:
        """Whether frame `index` exists and is sound; reads it. counts: (vertices, edges, bodies) that it must have."""
        self._index.refresh()
        try:
            frame = self.read(index)
        except BakeError:
            return False
        return self._index.holds(index) and counts in {None, counts_of(frame)}

    @property
    def bake(self) -> int:
        """Which bake it is; 0: no one knows. That of a Resume is the one that goes on."""
        self._index.refresh()
        return self._index.bake

    def begin(self, input_hash: str, frame_count: int, processor: str = "") -> None:
        """Starts empty, on that kind of processor: what an earlier bake left goes. Raises BakeError."""
        with as_sentences(self.folder):
            folders.make(self.folder)
            earlier = [*self._numbered(FRAMES), *self._numbered(STATES)]
            for name in (FRAMES, STATES):
                refuse_other_than_folder(self.folder / name)
            refuse_other_than_file(self.folder / CHECKPOINT)
            self._index.begin(input_hash, frame_count, processor, synced=self._lasting)
            for path in [self.folder / CHECKPOINT, *earlier]:
                path.unlink(missing_ok=True)
            for beside in self._beside():
                beside.clear(ours=True)
            self._unsynced.clear()
            for name in (FRAMES, STATES):
                (self.folder / name).mkdir(exist_ok=True)

    def go_on(self, input_hash: str, frame_count: int) -> None:
        """Makes of the frames that are there those of a bake of so many. Raises BakeError."""
        with as_sentences(self.folder):
            self._index.go_on(input_hash, frame_count)

    def begin_behind(
        self, earlier: "Cache", index: int, state: State | None, input_hash: str, frame_count: int, job: str
    ) -> None:
        """Starts a bake of the job in the file `job` with the frames of an earlier one up to `index`, after which
        `state` is that of the new one; −1, None: with none. Raises BakeError.
        """
        with as_sentences(self.folder):
            folders.make(self.folder)
            self.clear(ours=True)
            for name in (FRAMES, STATES):
                folders.make(self.folder / name)
                for path in earlier._numbered(name):
                    if path.suffix == ".npz" and int(path.stem) <= index:
                        share(path, self.folder / name / path.name)
            bake = time.time_ns()
            if state is not None:
                self._write_state(self.folder / CHECKPOINT, index, state, bake)
                self._write_state(self._file(STATES, index), index, state)
            earlier._index.refresh()
            self._index.begin_behind(earlier._index, index + 1, bake, input_hash, frame_count, job)

    def write(self, frame: Frame) -> None:
        """Keeps a Frame. Raises BakeError; ValueError for numbers that are not finite, which no cache ever holds."""
        arrays = {"x": frame.x, "m1": frame.m1, "bodies": frame.bodies}
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise ValueError(f"frame {frame.index} is not finite")
        with as_sentences(self.folder):
            path = self._file(FRAMES, frame.index)
            refuse_other_than_folder(path.parent)
            write_arrays(path, arrays, synced=False)
            self._unsynced.append(path)
            self._index.append({"frame": frame.index})

    def note(self, notice: Notice) -> None:
        """Keeps a Notice, unless there are more than anyone reads. Raises BakeError."""
        if len(self._index.notices) >= MOST_NOTICES:
            return
        with as_sentences(self.folder):
            self._index.append({"notice": [notice.object[:200], int(notice.frame), notice.text[:2000]]})

    def checkpoint(self, frame: Frame) -> None:
        """Keeps the state after `frame`, once all before it is on the disk. Raises BakeError."""
        with as_sentences(self.folder):
            for path in (*self._unsynced, self._index.path) if self._lasting else ():
                sync(path)
            self._unsynced.clear()
            self._write_state(self.folder / CHECKPOINT, frame.index, frame.state, self._index.bake)

    def keep_state(self, frame: Frame) -> int:
        """Keeps the state after `frame` for others to go on from → its size [B]. Raises BakeError."""
        with as_sentences(self.folder):
            path = self._file(STATES, frame.index)
            path.parent.mkdir(exist_ok=True)
            refuse_other_than_folder(path.parent)
            self._write_state(path, frame.index, frame.state, synced=False)
            return _size(path)

    def _write_state(
        self, path: Path, index: int, state: Mapping[str, np.ndarray], bake: int | None = None, *, synced: bool = True
    ) -> None:
        own = {"index": np.array(index, np.int64)} | ({} if bake is None else {"bake": np.array(bake, np.int64)})
        arrays = {f"state.{name}": array for name, array in state.items()}
        write_arrays(path, {**own, **arrays}, synced=synced and self._lasting)

    def restore(self, largest: int = LARGEST_CHECKPOINT, kept: int | None = None) -> tuple[int, State] | None:
        """(index, state) of the checkpoint, or of the state after the frame `kept`; None: there is none, or none of up
        to `largest` bytes, that can be used; nor is a checkpoint of another bake than the frames are of.

        Only the solver can tell whether the state is one of its own.
        """
        try:
            if kept is not None:
                refuse_other_than_folder(self.folder / STATES)
            path = self.folder / CHECKPOINT if kept is None else self._file(STATES, kept)
            arrays = read_arrays(path, largest)
            index, bake = arrays.pop("index"), arrays.pop("bake", np.array(0, np.int64))
        except (OSError, DamagedFile, KeyError):
            return None
        if index.shape or index.dtype.kind != "i" or (kept is None and (bake.shape or bake != self.bake)):
            return None
        return int(index), {name.removeprefix("state."): array for name, array in arrays.items()}

    def size(self) -> int:
        """Bytes on the disk, the job included. Looks at every file, and opens none: not for every redraw."""
        try:
            return sum(_size(path) for cache in (self, *self._beside()) for path in cache._files())
        except OSError:  # what cannot be looked at, or went just now
            return 0

    def hindrance(self) -> str:
        """Why what is in the folder cannot be read, in a sentence; "": it can be, or nothing is there."""
        what = "Whether a bake is in '{}' cannot be told ({}): Resume goes on with it once it can."
        try:
            names = os.listdir(self.folder)
            what = "What a bake left in '{}' cannot be read ({}): Resume goes on with it once it can."
            for name in {INDEX, lock.NAME}.intersection(names):
                open_plain(self.folder / name).close()
        except (FileNotFoundError, NotADirectoryError):
            pass
        except Irregular as error:
            return sentence(error, self.folder)
        except OSError as error:  # as disks on other machines have them
            return what.format(self.folder, error.strerror or error)
        return ""

    def free(self) -> int:
        """Deletes what this cache, its job and a bake beside it wrote, nothing else → how many frames that were. Raises
        BakeError, also while a bake is running.
        """
        with as_sentences(self.folder):
            refuse_other_than_folder(self.folder)
            for name in (FRAMES, STATES):
                refuse_other_than_folder(self.folder / name)
            if not self.folder.is_dir():
                return 0
            frames = self._numbered(FRAMES)
            with lock.locked(self.folder):
                self.clear()
            (self.folder / lock.NAME).unlink(missing_ok=True)
            _remove_if_empty(self.folder)
        return sum(path.suffix == ".npz" for path in frames)

    def clear(self, ours: bool = False) -> None:
        """Deletes what this cache and its job wrote, and a folder of `ours` unless something else is in it. Raises
        OSError.
        """
        if not is_folder(self.folder):
            return
        for path in [*self._numbered(FRAMES, ours), *self._numbered(STATES, ours), *self._own_files()]:
            path.unlink(missing_ok=True)
        for name in (FRAMES, STATES):
            _remove_if_empty(self.folder / name)
        if ours:
            _remove_if_empty(self.folder)
            return
        for beside in self._beside():
            beside.clear(ours=True)

    def _beside(self) -> list["Cache"]:
        """What a bake that builds on this one has: see `replacing`."""
        return [Cache(self.folder / name) for name in folders.BESIDE]

    def _file(self, name: str, index: int) -> Path:
        return self.folder / name / f"{index:06d}.npz"

    def _numbered(self, name: str, ours: bool = False) -> list[Path]:
        """The files in the folder `name`; none where no other file of ours says that this is a cache, if not `ours`."""
        if not (ours or self._own_files()) or not is_folder(self.folder / name):
            return []
        return [path for path in (self.folder / name).iterdir() if _NUMBERED.fullmatch(path.name) and is_file(path)]

    def _own_files(self) -> list[Path]:
        """Those beside the frames; the index last."""
        if not is_folder(self.folder):
            return []
        own = [path for path in self.folder.iterdir() if _OWN_FILE.fullmatch(path.name) and is_file(path)]
        return sorted(own, key=lambda path: path.name == INDEX)

    def _files(self) -> list[Path]:
        return self._numbered(FRAMES) + self._numbered(STATES) + self._own_files()


def sound_frames(cache: Cache, counts: Counts | None = None) -> tuple[list[Arrays], str]:
    """([(x, m1, bodies), …], sentence): the frames of a Cache from 0 on, up to the first that is missing, damaged or of
    other counts than the first or than told, and a sentence about that one; "" when all are sound.

    counts: (vertices, edges, bodies at least; a tree has some of its own).
    """
    frames: list[Arrays] = []
    known, first = set(cache.frames), None
    for index in range(max(known, default=-1) + 1):
        try:
            frame = cache.read(index)
        except BakeError:
            return frames, _damage(index)
        found = counts_of(frame)
        fits = first is None and (counts is None or (found[:2] == counts[:2] and found[2] >= counts[2]))
        if index not in known or not (fits or found == first):
            return frames, _damage(index)
        first = found
        frames.append(frame)
    return frames, ""


def _damage(index: int) -> str:
    rest = f"only the {index} frames before it are shown" if index else "there is nothing to show"
    return f"Frame {index} of the cache is missing or damaged, so {rest}: bake again."


def counts_of(frame: Arrays) -> Counts:
    """(vertices, edges, bodies) that an (x, m1, bodies) has."""
    x, m1, bodies = frame
    return len(x), len(m1), len(bodies)


def _is_table(array: np.ndarray, width: int) -> bool:
    return array.dtype == np.float64 and array.shape[1:] == (width,) and bool(np.isfinite(array).all())


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:  # a temporary one, renamed since
        return 0


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
