"""Files that are there whole or not at all: written under a fresh name that nobody can know, then renamed.

That holds when the process is killed. To outlast a power cut a file must also be synced, which takes the disk some
milliseconds. Arrays are kept as an uncompressed .npz, whose checksums tell a damaged file. Same arrays, same bytes.
What is read is only what is written here, number for number: nothing is inflated, unpickled or evaluated.
"""

import io
import math
import os
import re
import secrets
import shutil
import struct
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .plain_file import DamagedFile, open_plain, refuse_other_than_file

TEMPORARY = r"(\.[0-9a-f]{16})?\.tmp"  # a pattern: what a temporary name has behind the file's own
_RENAME_PATIENCE = 2.0  # s
_MEMBER = struct.Struct("<4s2xHH4xLLLHH")  # of a zip: signature, flags, method, checksum, sizes; lengths of name, extra
_SIZES = struct.Struct("<HHQQ")  # of the extra field: its mark and length, sizes
_END = b"PK\x05\x06"
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '(<[iuf][248]|\|[biu]1)', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,15}, ?)*(?:\d{1,15})?)\), \} *\n",
    re.DOTALL,
)
_UTF_8 = 0x800  # a flag: what names are in
_ALIGNED = 64  # bytes: where the numbers of an .npy begin


def write_bytes(path: Path, content: bytes, *, synced: bool = True) -> None:
    """`content`, bytes, as the file `path`. Raises OSError and then leaves what was there; also what is no file."""
    write_parts(path, (content,), synced=synced)


def write_parts(path: Path, parts: Iterable[bytes], *, synced: bool = True) -> None:
    """The same of bytes that come in parts."""
    refuse_other_than_file(path)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:  # x: never through a link
            for part in parts:
                file.write(part)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        rename(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_arrays(path: Path, arrays: Mapping[str, np.ndarray], *, synced: bool = True) -> None:
    """`arrays`, by name, as the file `path`. Raises OSError; TypeError for arrays of Python objects."""
    rows = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    for name, array in rows.items():
        if array.dtype.hasobject:
            raise TypeError(f"array {name!r} holds Python objects")
    content, named = io.BytesIO(), dict[str, Any](rows)
    np.savez(content, **named)
    write_bytes(path, content.getvalue(), synced=synced)


def read_arrays(path: Path, largest: int) -> dict[str, np.ndarray]:
    """The arrays of the file `path`, of up to `largest` bytes, by name. Raises OSError, DamagedFile."""
    with open_plain(path, largest=largest) as file:
        try:
            return {name: _array(content) for name, content in _members(file)}
        except (ValueError, struct.error) as error:
            raise DamagedFile(path) from error


def sync(path: Path) -> None:
    """Sees to it that the file `path` is on the disk. Raises OSError, also when it was deleted."""
    with open_plain(path, "r+b") as file:
        os.fsync(file.fileno())


def share(source: Path, target: Path) -> None:
    """The file `source`, which nothing writes into any more, under another name too, or a copy where a disk has but one
    name for each. Raises OSError.
    """
    refuse_other_than_file(source)
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target, follow_symlinks=False)


def rename(source: Path, target: Path) -> None:
    """os.replace, patient: on Windows a virus scanner or a reader holds files for moments. Raises OSError."""
    refuse_other_than_file(target)
    deadline = time.monotonic() + _RENAME_PATIENCE
    while True:
        try:
            os.replace(source, target)
            return
        except PermissionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _members(file: io.BufferedIOBase) -> Iterator[tuple[str, bytearray]]:
    """(name, content) of the members of a zip that numpy wrote. Raises ValueError, struct.error."""
    left = file.seek(-22, os.SEEK_END) if file.seek(0, os.SEEK_END) >= 22 else 0
    if not file.read(22).startswith(_END):
        raise ValueError("no zip, or cut short")
    file.seek(0)
    while True:
        signature, flags, method, checksum, packed, size, name, extra = _MEMBER.unpack(file.read(_MEMBER.size))
        if signature != b"PK\x03\x04":
            return
        name, extra = file.read(name), file.read(extra)
        if packed == size == 0xFFFFFFFF:
            mark, _, size, packed = _SIZES.unpack(extra)
            if mark != 1:
                raise ValueError("sizes are missing")
        left -= _MEMBER.size + len(name) + len(extra) + size
        if flags & ~_UTF_8 or method or packed != size or left < 0:
            raise ValueError("packed, or sizes that cannot be")
        content = bytearray(size)
        if file.readinto(content) != size or zlib.crc32(content) != checksum:
            raise ValueError("changed")
        yield name.decode().removesuffix(".npy"), content


def _array(content: bytearray) -> np.ndarray:
    """The array in an .npy, in the memory of `content`. Raises ValueError."""
    dtype, shape, offset = npy_header(content)
    if math.prod(shape) * dtype.itemsize != len(content) - offset:
        raise ValueError("the shape does not fit")
    return np.ndarray(shape, dtype, content, offset)


def npy_header(content: bytes | bytearray) -> tuple[np.dtype, tuple[int, ...], int]:
    """(dtype, shape, where the numbers begin) of an .npy that begins with `content`. Raises ValueError."""
    header = _HEADER.match(content)
    if not header or header.end() % _ALIGNED:
        raise ValueError("no .npy of ours")
    return np.dtype(header[1].decode()), tuple(int(count) for count in re.findall(rb"\d+", header[2])), header.end()
