"""One bake at a time in a folder. The operating system lets go of the lock when its process ends, however it ends."""

import errno
import os
from contextlib import contextmanager

from .errors import BakeError, as_sentences

NAME = "tendril_lock"
_TAKEN = {errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK}


@contextmanager
def locked(folder):
    """Holds the lock of the existing `folder`. Raises BakeError when another process has it or it cannot be written."""
    with as_sentences(folder):
        handle = os.open(folder / NAME, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle, folder):
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _TAKEN:
            raise BakeError(f"Another bake is writing into '{folder}': cancel it or wait for its end.") from error
        # Else a network disk without locks: go on as without.
