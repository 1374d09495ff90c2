"""Where caches live: in a folder per scene below a base folder the caller gives.

The base is `tendril_cache` beside the saved .blend, the folder an artist chose, or a user's own cache folder for a file
that was never saved.
"""

import hashlib
import os
import re
import shutil
import tempfile
from pathlib import Path

from .errors import BakeError, as_sentences
from .plain_file import refuse_other_than_folder

BESIDE_BLEND = "tendril_cache"
BESIDE = NEW, NEXT, OLD = "tendril_new", "tendril_next", "tendril_old"  # folders in a cache's: see `replacing`
_UNFIT = re.compile(r'[<>:"/\\|?*\x00-\x1f\ud800-\udfff]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # by Windows


def locate(base: Path | str, name: str) -> Path:
    """The cache folder for the thing called `name` below `base`; names that differ never share one. Creates nothing."""
    fit = _UNFIT.sub("_", name).strip(" .")[:60]
    if fit != name or not fit or _RESERVED.fullmatch(fit):
        fit = f"{fit or 'scene'}_{hashlib.sha256(name.encode(errors='surrogatepass')).hexdigest()[:8]}"
    return Path(base) / fit


def prepare(folder: Path | str) -> Path:
    """Makes `folder` and proves that it can be written. Raises BakeError."""
    folder = Path(folder)
    with as_sentences(folder):
        make(folder)
        handle, probe = tempfile.mkstemp(prefix="tendril_", dir=folder)
        os.close(handle)
        os.unlink(probe)
    return folder


def make(folder: Path) -> None:
    """Makes `folder` if need be. Raises OSError, also for a link: what lies behind it is another's."""
    folder.mkdir(parents=True, exist_ok=True)
    refuse_other_than_folder(folder)


def check_room(folder: Path, needed: int) -> None:
    """Raises BakeError when the disk of `folder` has fewer than `needed` bytes left."""
    with as_sentences(folder):
        free = shutil.disk_usage(folder).free
    if free < needed:
        raise BakeError(
            f"The cache folder '{folder}' has {_megabytes(free)} left and the bake needs {_megabytes(needed)}: "
            "free some space, choose another folder or bake fewer frames."
        )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"
