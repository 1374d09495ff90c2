"""Where compiled kernels are kept: in a folder that only this user can write, for what lies there is run.

That is in the folder TENDRIL_KERNELS names, which Blender sets; else in the system's place for a user's caches; else
beside the sources. Its name tells the content of the sources, so installations and checkouts of the same sources find
the same one. Never in a folder that others can write.

What came compiled with the installation is copied there first: see `shipped`.
"""

import os
import re
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

BESIDE = Path(__file__).parents[1] / "__pycache__"
CHOSEN = "TENDRIL_KERNELS"  # environment variable
UNUSED = 14 * 86400.0  # s after which kernels of other sources or installations go
_NAME = re.compile(r"kernels-[\w.]+-[0-9a-f]{16}(\.\w+)?")  # the last: one that was being copied


def kernel_folder(
    name: str, homes: Iterable[Path] | None = None, bring: Callable[[Path], bool] = lambda _: False
) -> Path | None:
    """The folder `name` in the first of `homes` that is safe, made if need be; None where no home is.

    bring: asked for a folder that is not there, whether it has put there what came compiled.
    """
    for home in candidates() if homes is None else homes:
        try:
            home.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder = home / name
            if is_private(home):
                if not os.path.lexists(folder) and bring(folder):
                    remove_unused(folder)
                folder.mkdir(mode=0o700, exist_ok=True)
                if is_private(folder):
                    return folder
        except OSError:
            continue
    return None


def candidates() -> list[Path]:
    """Folders for kernels, the best first."""
    chosen = os.environ.get(CHOSEN, "")
    own = user_cache()
    return [*([Path(chosen)] if os.path.isabs(chosen) else []), *([own / "tendril"] if own else []), BESIDE]


def user_cache() -> Path | None:
    """The system's place for a user's caches; None: the user has no home."""
    try:
        if sys.platform == "win32":
            place = Path(os.environ.get("LOCALAPPDATA", ""))
        elif sys.platform == "darwin":
            place = Path.home() / "Library" / "Caches"
        else:
            place = Path(os.environ.get("XDG_CACHE_HOME", ""))
            place = place if place.is_absolute() else Path.home() / ".cache"
    except RuntimeError:
        return None
    return place if place.is_absolute() else None


def is_private(folder: Path) -> bool:
    """Whether that is a folder, no link to one, which belongs to this user and which nobody else can write."""
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or not os.access(folder, os.W_OK):
        return False
    return os.name == "nt" or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def remove_unused(folder: Path) -> None:
    """Deletes what lies beside the kernel folder `folder`, has such a name too and was long not used."""
    for other in folder.parent.iterdir():
        try:
            old = time.time() - other.lstat().st_mtime > UNUSED
            if other != folder and old and _NAME.fullmatch(other.name) and is_private(other):
                shutil.rmtree(other)
        except OSError:
            continue
