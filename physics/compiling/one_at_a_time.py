"""One process at a time compiles a part, or saves what it compiled, into a folder. The operating system lets go of the
lock when its process ends, however it ends.
"""

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LOCK = "lock"  # and of what
PAUSE = 0.1  # s, between two tries


@contextmanager
def one_at_a_time(folder: Path, what: str) -> Iterator[None]:
    """Holds a lock of a folder, once no other process or thread has it. A disk that has no locks is written as
    without.
    """
    file = os.open(folder / f"{LOCK}-{what.replace(' ', '-')}", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(OSError):
            _lock(file)
        yield
    finally:
        os.close(file)


def _lock(file: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        taken = False
        while not taken:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
                taken = True
            except PermissionError:  # another process has it
                time.sleep(PAUSE)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
