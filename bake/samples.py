"""What moves with all its points, sample by sample in a file beside the job.

100 000 vertices over 250 frames so take 300 MB of disk and hardly any memory.

A file is an .npy (k, V, 3) that grows by a sample at a time and is mapped afterwards, so that only what is looked at is
read. It keeps the name it began with: on Windows nothing that is mapped can be renamed.
"""

import os
import re
import secrets
import struct
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ..physics.scene import Scene
from .errors import as_sentences
from .folder import make
from .plain_file import DamagedFile, open_plain
from .whole_file import npy_header

FILES = r"tendril_samples_[0-9a-f]{16}\.npy"  # a pattern
_HEADER = 128  # bytes, the same for any number of samples


class SampleFile:
    """A file in `folder` that is begun with the first sample. All raise BakeError."""

    def __init__(self, folder: Path | str) -> None:
        self.path = Path(folder) / f"tendril_samples_{secrets.token_hex(8)}.npy"
        self._count = 0

    def append(self, points: np.ndarray) -> None:
        """Adds the sample points (V, 3), float32 or float64, each like the first."""
        with as_sentences(self.path.parent):
            if not self._count:
                make(self.path.parent)
            with open(
                self.path, "ab" if self._count else "xb"
            ) as file:  # many are written at a time, and few may be open
                if not self._count:
                    file.write(bytes(_HEADER))
                file.write(np.ascontiguousarray(points).data)
        self._count, self._like = self._count + 1, points

    def finish(self) -> np.ndarray:
        """All samples (k, V, 3), mapped; not synced."""
        with as_sentences(self.path.parent):
            with open(self.path, "r+b") as file:
                file.write(_header(self._like.dtype, (self._count, *self._like.shape)))
            return mapped(self.path)

    def discard(self) -> None:
        """Removes the file, should there be one."""
        remove([self.path])


class Track:
    """The way (k, V, 3) of V points through time: one sample in memory while they stay, a SampleFile once they move.

    There is no sample where it would say nothing new.
    """

    def __init__(self, folder: Path | str) -> None:
        self._file, self._times = SampleFile(folder), list[float]()
        self._last, self._until = np.empty((0, 3), np.float32), 0.0  # where they are, and were at least until then

    def add(self, time: float, points: np.ndarray) -> None:
        """points (V, 3) [m] float32 at a `time` [s] after all others. Raises BakeError."""
        if not self._times:
            self._times.append(time)
        elif not np.array_equal(points, self._last):
            if len(self._times) == 1:
                self._file.append(self._last)
            if self._until > self._times[-1]:
                self._keep(self._until, self._last)
            self._keep(time, points)
        self._last, self._until = points, time

    def _keep(self, time: float, points: np.ndarray) -> None:
        self._times.append(time)
        self._file.append(points)

    def finish(self) -> tuple[np.ndarray, np.ndarray]:
        """times (k,) [s], points (k, V, 3) [m], mapped if they move. Raises BakeError."""
        return np.array(self._times), self._file.finish() if len(self._times) > 1 else self._last[None]

    def discard(self) -> None:
        """Removes what was written."""
        self._file.discard()


def mapped(path: Path) -> np.ndarray:
    """The samples (k, V, 3) in the file `path`, read as they are looked at. Raises OSError, DamagedFile."""
    with open_plain(path) as file:
        try:
            dtype, shape, offset = npy_header(file.read(_HEADER))
            if offset != _HEADER or offset + dtype.itemsize * np.prod(shape) != file.seek(0, os.SEEK_END):
                raise ValueError("cut short, or none of ours")
            return np.memmap(file, dtype, "r", offset, shape)
        except ValueError as error:
            raise DamagedFile(path) from error


def file_of(points: np.ndarray) -> Path | None:
    """The file that samples are mapped from as a whole; None: they are not."""
    if not isinstance(points, np.memmap) or points.filename is None or points.offset != _HEADER:
        return None
    path = Path(points.filename)
    whole = re.fullmatch(FILES, path.name) and path.is_file() and path.stat().st_size == _HEADER + points.nbytes
    return path if whole else None


def bring(points: np.ndarray, folder: Path) -> Path:
    """A file in `folder` with samples (k, V, 3): the one they are mapped from if that is there. Raises BakeError."""
    path = file_of(points)
    if path and path.parent == folder.absolute():
        return path
    file = SampleFile(folder)
    try:
        for sample in points:
            file.append(sample)
        file.finish()
    except BaseException:
        file.discard()
        raise
    return file.path


def discard(scene: Scene) -> None:
    """Removes the files of a Scene that will not be baked."""
    remove([path for collider in scene.colliders if (path := file_of(collider.points))])


def remove(paths: Sequence[Path]) -> None:
    """Removes what nothing names any more; what cannot be removed now, Free Cache removes."""
    for path in paths:
        with suppress(OSError):  # Windows keeps what is mapped
            path.unlink(missing_ok=True)


def _header(dtype: np.dtype, shape: tuple[int, ...]) -> bytes:
    text = f"{{'descr': '{dtype.str}', 'fortran_order': False, 'shape': {shape}, }}"
    room = _HEADER - 10
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", room) + text.encode().ljust(room - 1) + b"\n"
