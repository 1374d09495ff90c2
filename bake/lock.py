"""One bake at a time in a folder. The operating system lets go of the lock when its process ends, however it ends."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path

from .errors import BakeError, as_sentences
from .plain_file import open_plain, refuse_other_than_file, refuse_other_than_folder

NAME = "tendril_lock"
_TAKEN = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Holds the lock of the existing `folder`. Raises BakeError when another process has it or it cannot be written."""
    with as_sentences(folder):
        refuse_other_than_folder(folder)
        file = _lock_file(folder / NAME)
    with file:
        _lock(file.fileno(), folder)
        yield


def _lock_file(path: Path) -> BufferedIOBase:
    """The lock file, made if need be."""
    refuse_other_than_file(path)
    if not os.path.lexists(path):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666))
    return open_plain(path, "r+b")


def _lock(handle: int, folder: Path) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            raise BakeError(f"Another bake is writing into '{folder}': cancel it or wait for its end.") from error
        # Else a network disk without locks: go on as without.
