"""What a program that bakes sees of the environment: where things are. Nothing there is to change what a library does,
for the frames are to be the same wherever they are baked. Imported before any library is.
"""

import os
from pathlib import Path

KEPT = {
    "PATH", "HOME", "USER", "LOGNAME", "XDG_CACHE_HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "PYTHONHOME",
    "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP",
    "LANG", "LC_ALL", "LC_CTYPE", "TENDRIL_KERNELS", "TENDRIL_CHECK_BOUNDS", "TENDRIL_PLAIN_NUMBA",
}  # fmt: skip
# Sums that a library divides among threads are rounded by how many there are; what is solved by one is small.
SET = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def environment(kernels: Path | str | None = None) -> dict[str, str]:
    """The environment of a worker; kernels: folder of this user for compiled kernels."""
    kept = {name: value for name, value in os.environ.items() if name.upper() in KEPT}
    return kept | SET | ({"TENDRIL_KERNELS": str(kernels)} if kernels else {})


def shed() -> None:
    """Makes that the environment of this process."""
    own = environment()
    for name in os.environ.keys() - own.keys():
        del os.environ[name]
    os.environ.update(own)
