"""Files that are there whole or not at all: written under a temporary name, then renamed.

That holds when the process is killed. To outlast a power cut a file must also be synced, which takes the disk some
milliseconds. Arrays are kept as an uncompressed .npz, whose checksums tell a damaged file. Same arrays, same bytes.
"""

import io
import os
import struct
import time
import zipfile

import numpy as np

TEMPORARY = ".tmp"
_DAMAGED = (ValueError, KeyError, EOFError, RuntimeError, MemoryError, zipfile.BadZipFile, struct.error)
_RENAME_PATIENCE = 2.0  # s


class DamagedFile(Exception):  # noqa: N818, it says what is found
    """The file is cut short, changed or not ours."""


def write_bytes(path, content, *, synced=True):
    """`content`, bytes, as the file `path`. Raises OSError and then leaves what was there."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            if synced:
                os.fsync(file.fileno())
        _rename(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_arrays(path, arrays, *, synced=True):
    """`arrays`, by name, as the file `path`. Raises OSError; TypeError for arrays of Python objects."""
    for name, array in arrays.items():
        if np.asarray(array).dtype.hasobject:
            raise TypeError(f"array {name!r} holds Python objects")
    content = io.BytesIO()
    np.savez(content, **arrays)
    write_bytes(path, content.getvalue(), synced=synced)


def read_arrays(path):
    """The arrays of the file `path` by name. Raises OSError, DamagedFile."""
    try:
        with zipfile.ZipFile(path) as archive:
            # Read whole, because only then zipfile compares the checksum.
            members = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        return {name: np.load(io.BytesIO(content), allow_pickle=False) for name, content in members.items()}
    except _DAMAGED as error:
        raise DamagedFile(path) from error


def sync(path):
    """Sees to it that the file `path` is on the disk. Raises OSError, also when it was deleted."""
    with open(path, "r+b") as file:
        os.fsync(file.fileno())


def _rename(temporary, path):
    """os.replace, patient: on Windows a virus scanner or a reader holds files for moments."""
    deadline = time.monotonic() + _RENAME_PATIENCE
    while True:
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
