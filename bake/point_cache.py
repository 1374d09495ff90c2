"""PC2, the point cache that Blender's Mesh Cache modifier plays, as Maya and 3ds Max do: places of points by frames.

A header of 32 bytes, little-endian: "POINTCACHE2", version 1, the number of points, the first frame and the frames from
one sample to the next (both as float32), the number of samples. Then x, y, z of all points as float32, a sample after
the other.
"""

import re
import secrets
import struct
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np

from . import folder as folders
from .errors import BakeError, as_sentences
from .plain_file import is_file
from .whole_file import TEMPORARY, write_parts

_HEADER = struct.Struct("<12siiffi")
_MAGIC = b"POINTCACHE2\0"
_OWN_FILE = re.compile(rf"tendril_.*\.pc2({TEMPORARY})?")


def new_path(folder: Path | str, name: str) -> Path:
    """Where in a scene's cache folder a motion of the thing called `name` can be kept: under a name that no other
    motion had or will have, so that whatever names this one, as an undo step may, never plays another.
    """
    return Path(folder) / f"tendril_{folders.locate('', name).name}.{secrets.token_hex(8)}.pc2"


def motions_in(folder: Path | str) -> list[Path]:
    """The files of a folder that may have been written here."""
    return [path for path in Path(folder).glob("tendril_*.pc2") if _OWN_FILE.fullmatch(path.name)]


def write(path: Path, count: int, samples: int, places: Iterable[np.ndarray]) -> None:
    """Write places [(count, 3)], one of each of so many samples. Raises BakeError."""
    parts = (np.ascontiguousarray(place, "<f4").tobytes() for place in places)
    with as_sentences(path.parent):
        folders.make(path.parent)
        write_parts(path, chain([_HEADER.pack(_MAGIC, 1, count, 0.0, 1.0, samples)], parts))


def read(path: Path, count: int) -> np.ndarray:
    """Places (samples, count, 3) float32 that a file has, which stays on disk until they are used. Raises BakeError."""
    again = "Bake again, or put the file back."
    try:
        if not is_file(path):
            raise BakeError(f"The file {path}, which plays a bake, is not there. {again}")
        with path.open("rb") as file:
            header = file.read(_HEADER.size)
        magic, version, own, _, _, samples = _HEADER.unpack(header.ljust(_HEADER.size, b"\0"))
        size = path.stat().st_size
    except OSError as error:
        raise BakeError(f"The file {path} cannot be read: {error.strerror}. {again}") from error
    if (magic, version) != (_MAGIC, 1) or samples < 1 or size != _HEADER.size + 12 * own * samples:
        raise BakeError(f"The file {path}, which plays a bake, is damaged. {again}")
    if own != count:
        raise BakeError(f"The file {path} has {own} points and what it plays has {count}. Bake again.")
    if not count:
        return np.empty((samples, 0, 3), np.float32)
    return np.memmap(path, "<f4", "r", _HEADER.size, (samples, count, 3))


def remove(path: Path) -> None:
    """Delete a file that was written here; another, or a link, stays. Raises BakeError."""
    if not (_OWN_FILE.fullmatch(path.name) and is_file(path)):
        return
    with as_sentences(path.parent):
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
