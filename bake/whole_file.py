"""Files that are there whole or not at all: written under a temporary name, flushed to the disk, renamed.

Arrays are kept as an uncompressed .npz, whose checksums tell a damaged file. Same arrays, same bytes.
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


def write_bytes(path, content):
    """`content`, bytes, as the file `path`. Raises OSError and then leaves what was there."""
    temporary = path.with_name(path.name + TEMPORARY)
    try:
        with open(temporary, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        _rename(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def write_arrays(path, arrays):
    """`arrays`, by name, as the file `path`. Raises OSError; TypeError for arrays of Python objects."""
    for name, array in arrays.items():
        if np.asarray(array).dtype.hasobject:
            raise TypeError(f"array {name!r} holds Python objects")
    content = io.BytesIO()
    np.savez(content, **arrays)
    write_bytes(path, content.getvalue())


def read_arrays(path):
    """The arrays of the file `path` by name. Raises OSError, DamagedFile."""
    try:
        with zipfile.ZipFile(path) as archive:
            # Read whole, because only then zipfile compares the checksum.
            members = {name.removesuffix(".npy"): archive.read(name) for name in archive.namelist()}
        return {name: np.load(io.BytesIO(content), allow_pickle=False) for name, content in members.items()}
    except _DAMAGED as error:
        raise DamagedFile(path) from error


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
