"""The project's `njit`: compiled once for an installation, and again only when a kernel's source changes.

numba's own cache breaks when one file is imported under two names and does not notice an edited callee in another
file; so each import name and each state of the sources has a cache folder of its own.
"""

import functools
import hashlib
import os
import tempfile
from pathlib import Path

import numba

_PHYSICS = Path(__file__).parent
OPTIONS = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "arcp", "nsz", "reassoc"},  # but never nnan or ninf: a NaN must be seen
    "_nrt": False,  # the compiler refuses what would allocate, and arrays pass without reference counts
}


def source_hash():
    """Hex digest of all kernel sources and the numba version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in sorted(_PHYSICS.rglob("*.py")):
        digest.update(path.relative_to(_PHYSICS).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder():
    """Beside the sources when that is writable, else in the system's temporary folder."""
    name = f"kernels-{__package__}-{source_hash()}"
    beside = _PHYSICS / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / name
    return (beside if os.access(beside, os.W_OK) else Path(tempfile.gettempdir())) / name


CACHE_FOLDER = _cache_folder()


def njit(function=None, **options):
    """`numba.njit` with the project's OPTIONS and the cache folder above."""
    if function is None:
        return functools.partial(njit, **options)
    before, numba.config.CACHE_DIR = numba.config.CACHE_DIR, str(CACHE_FOLDER)
    try:
        return numba.njit(**OPTIONS, **options)(function)
    finally:
        numba.config.CACHE_DIR = before
