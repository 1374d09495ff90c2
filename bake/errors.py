"""What stops a bake, in one sentence an artist can act on."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .plain_file import Irregular

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS}


class BakeError(Exception):
    """str() is one sentence: what failed, where, and the cure."""


def sentence(error: OSError, folder: Path) -> str:
    """The OSError `error`, met while writing into the cache folder `folder`, as a sentence."""
    if isinstance(error, Irregular):
        return (
            f"'{error.filename}' is a link or not what Tendril keeps there: remove it or choose another cache folder."
        )
    if error.errno in _FULL:
        return f"The disk of cache folder '{folder}' is full, finished frames stay: free some space."
    if error.errno in _NOT_WRITABLE:
        return f"The cache folder '{folder}' cannot be written: choose another folder or change its permissions."
    if error.errno in {errno.ENOTDIR, errno.EEXIST}:
        return f"The cache folder '{folder}' is or lies in a file: choose another folder."
    if error.errno == errno.ENOENT:
        return f"The cache folder '{folder}' or a file in it is missing or was deleted: bake again."
    return f"The cache folder '{folder}' cannot be used ({error.strerror or error}): choose another folder."


@contextmanager
def as_sentences(folder: Path) -> Iterator[None]:
    """Turns every OSError inside into a BakeError about `folder`."""
    try:
        yield
    except OSError as error:
        raise BakeError(sentence(error, folder)) from error
