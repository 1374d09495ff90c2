"""The frame cache: one file per frame, an index, and a checkpoint from which a bake goes on.

    tendril_index.jsonl        which frames there are, and notices to the artist
    tendril_checkpoint.npz     the solver's state after some frame
    tendril_frames/000012.npz  x (N, 3) [m], m1 (M, 3) and bodies (K, 7), float64: a `physics.scene.Frame`

Everything is written whole, in this order: the frame, then its line in the index. A power cut may cost what was written
since the last checkpoint. The job's own files may lie beside.
"""

import re
from pathlib import Path

import numpy as np

from . import job, lock
from .errors import BakeError, as_sentences
from .index import NAME as INDEX
from .index import Index
from .whole_file import TEMPORARY, DamagedFile, read_arrays, sync, write_arrays

CHECKPOINT, FRAMES = "tendril_checkpoint.npz", "tendril_frames"
_FRAME_FILE = re.compile(rf"\d{{6,}}\.npz({re.escape(TEMPORARY)})?")
_OWN_FILES = (CHECKPOINT, job.SETTINGS, job.ARRAYS, INDEX)


class Cache:
    """The cache in `folder`, which need not exist. Cheap to make and to ask again while a bake is writing."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self._index = Index(self.folder)
        self._unsynced = []

    @property
    def frames(self):
        """Sorted indices of the frames that exist."""
        self._index.refresh()
        return tuple(sorted(self._index.frames))

    @property
    def notices(self):
        """The Notices of the bake, in order."""
        self._index.refresh()
        return tuple(self._index.notices)

    @property
    def input_hash(self):
        """Of the scene that was baked (`job.input_hash`); None: there is no cache."""
        self._index.refresh()
        return self._index.header.get("input_hash")

    @property
    def frame_count(self):
        """How many frames the bake was to have."""
        self._index.refresh()
        return self._index.header.get("frame_count", 0)

    def read(self, index):
        """(x, m1, bodies) of frame `index`. Raises BakeError when it does not exist or is damaged."""
        try:
            arrays = read_arrays(self._frame_file(index))
            return arrays["x"], arrays["m1"], arrays["bodies"]
        except (OSError, DamagedFile, KeyError) as error:
            raise BakeError(f"Frame {index} in '{self.folder}' is missing or damaged: bake again.") from error

    def holds(self, index):
        """Whether frame `index` exists and is sound; reads it."""
        self._index.refresh()
        try:
            self.read(index)
        except BakeError:
            return False
        return index in self._index.frames

    def begin(self, input_hash, frame_count):
        """Starts empty: what an earlier bake left goes. Raises BakeError."""
        with as_sentences(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            earlier = self._frame_files()
            self._index.begin(input_hash, frame_count)
            for path in [self.folder / CHECKPOINT, *earlier]:
                path.unlink(missing_ok=True)
            self._unsynced.clear()
            (self.folder / FRAMES).mkdir(exist_ok=True)

    def write(self, frame):
        """Keeps a Frame. Raises BakeError; ValueError for numbers that are not finite, which no cache ever holds."""
        arrays = {"x": frame.x, "m1": frame.m1, "bodies": frame.bodies}
        if not all(np.isfinite(array).all() for array in arrays.values()):
            raise ValueError(f"frame {frame.index} is not finite")
        with as_sentences(self.folder):
            path = self._frame_file(frame.index)
            write_arrays(path, arrays, synced=False)
            self._unsynced.append(path)
            self._index.append({"frame": frame.index})

    def note(self, notice):
        """Keeps a Notice. Raises BakeError."""
        with as_sentences(self.folder):
            self._index.append({"notice": [notice.object, int(notice.frame), notice.text]})

    def checkpoint(self, frame):
        """Keeps the state after `frame`, once all before it is on the disk. Raises BakeError."""
        arrays = {f"state.{name}": array for name, array in frame.state.items()}
        with as_sentences(self.folder):
            for path in (*self._unsynced, self._index.path):
                sync(path)
            self._unsynced.clear()
            write_arrays(self.folder / CHECKPOINT, {"index": np.int64(frame.index), **arrays})

    def restore(self):
        """(index, state) of the checkpoint; None: there is none that can be used."""
        try:
            arrays = read_arrays(self.folder / CHECKPOINT)
            index = int(arrays.pop("index"))
        except (OSError, DamagedFile, KeyError, TypeError):
            return None
        return index, {name.removeprefix("state."): array for name, array in arrays.items()}

    def size(self):
        """Bytes on the disk, the job included. Looks at every file: not for every redraw."""
        return sum(_size(path) for path in self._files())

    def free(self):
        """Deletes what this cache and its job wrote, nothing else. Raises BakeError, also while a bake is running."""
        if not self.folder.is_dir():
            return
        with as_sentences(self.folder):
            with lock.locked(self.folder):
                for path in self._files():
                    path.unlink(missing_ok=True)
                _remove_if_empty(self.folder / FRAMES)
            (self.folder / lock.NAME).unlink(missing_ok=True)
            _remove_if_empty(self.folder)

    def _frame_file(self, index):
        return self.folder / FRAMES / f"{index:06d}.npz"

    def _frame_files(self):
        """None where no index says that the folder is a cache."""
        frames = self.folder / FRAMES
        if self.input_hash is None or not frames.is_dir():
            return []
        return [path for path in frames.iterdir() if _FRAME_FILE.fullmatch(path.name)]

    def _files(self):
        """Every file of ours, the index, which marks the folder as ours, last."""
        names = [name + ending for name in _OWN_FILES for ending in (TEMPORARY, "")]
        return self._frame_files() + [self.folder / name for name in names if (self.folder / name).exists()]


def _size(path):
    try:
        return path.stat().st_size
    except FileNotFoundError:  # a temporary one, renamed since
        return 0


def _remove_if_empty(folder):
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
