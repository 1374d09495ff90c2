"""Opens plain files and nothing else: no link is followed, no pipe or device is waited for, none is larger than told.

A shot may come from anyone, and the names in a cache are known: a link to the user's own files, a pipe or a device may
lie where a file of ours should be. Windows has no such flags; there a look beforehand has to do.
"""

import errno
import os
import stat
from collections.abc import Callable
from io import BufferedIOBase
from pathlib import Path
from typing import Literal, cast

_FLAGS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WINDOWS_LINKS = {0xA000000C, 0xA0000003}  # symbolic links, junctions


class Irregular(OSError):  # noqa: N818, it says what is found
    """A link, pipe, device or folder in place of a file, or anything else in place of a folder; filename: of it."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not what belongs there", str(path))


class DamagedFile(Exception):  # noqa: N818, it says what is found
    """The file is cut short, changed, too large or not ours."""


def open_plain(path: Path, mode: Literal["rb", "r+b"] = "rb", largest: int | None = None) -> BufferedIOBase:
    """The plain file `path`, of up to `largest` bytes, opened. Raises OSError, Irregular; DamagedFile: larger."""
    if not is_file(path):
        os.stat(path, follow_symlinks=False)  # says so if nothing is there
        raise Irregular(path)
    file = cast(BufferedIOBase, open(path, mode, opener=_open))  # noqa: SIM115, the caller closes it
    found = os.fstat(file.fileno())
    error: Irregular | DamagedFile | None = None
    if not stat.S_ISREG(found.st_mode):  # put there since
        error = Irregular(path)
    elif largest is not None and found.st_size > largest:
        error = DamagedFile(path)
    if error:
        file.close()
        raise error
    return file


def read_plain(path: Path, largest: int) -> bytes:
    """The bytes of the plain file `path`. Raises as `open_plain` does."""
    with open_plain(path, largest=largest) as file:
        return file.read(largest + 1)


def is_file(path: Path) -> bool:
    """Whether a plain file is there, no link to one."""
    return _is(path, stat.S_ISREG)


def is_folder(path: Path) -> bool:
    """Whether a folder is there, no link to one."""
    return _is(path, stat.S_ISDIR)


def refuse_other_than_file(path: Path) -> None:
    """Raises Irregular when something else than a plain file has the name `path`."""
    if os.path.lexists(path) and not is_file(path):
        raise Irregular(path)


def refuse_other_than_folder(path: Path) -> None:
    """Raises Irregular when something else than a folder has the name `path`."""
    if os.path.lexists(path) and not is_folder(path):
        raise Irregular(path)


def _is(path: Path, kind: Callable[[int], bool]) -> bool:
    try:
        found = os.lstat(path)
    except (OSError, ValueError):  # ValueError: no file can have that name
        return False
    return kind(found.st_mode) and getattr(found, "st_reparse_tag", 0) not in _WINDOWS_LINKS


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | _FLAGS, 0o666)
