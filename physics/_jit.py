"""The project's `kernel` and `entry`: numba's `njit`, compiled once for an installation, and again only when a kernel's
source changes.

numba's own cache breaks when one file is imported under two names, does not notice an edited callee in another file,
and goes by the path and time of the sources; so each import name and each state of the sources has a cache folder of
its own.

With TENDRIL_PLAIN_NUMBA=1 in the environment, or where numba is not as `compiling/programs.py` has it, all is compiled
by `njit` as it is: that takes five times as long, and the frames differ in their last digits. Where it is not as
`compiling/lazy_binding.py` has it either, kernels call entries as they call each other. With TENDRIL_CHECK_BOUNDS=1,
for tests, kernels look at each index; they take a fifth longer.
"""

import functools
import hashlib
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba

from .compiling.inside import inside
from .compiling.kernel_folder import kernel_folder

Function = TypeVar("Function", bound=Callable[..., Any])
_PHYSICS = Path(__file__).parent
# What no kernel takes anything from, so that an edit there compiles nothing. All else counts as a kernel's source.
NOT_COMPILED = {
    "__init__.py", "scene.py", "samples.py", "rounding.py", "solid_angle.py", "materials.py", "cost",
    "numerical_damping.py", "validate", "neighbours.py", "near_faces.py", "tie_shares.py", "least_translation.py",
    "start", "run", "diagnostics", "processor.py", "fixed_order.py", "sections.py", "schemes", "cables/__init__.py",
    "cables/active_set.py", "cables/all_contacts.py", "cables/constraints.py", "cables/contact.py",
    "cables/equilibrium.py", "cables/frames.py", "cables/handle.py", "cables/harness.py", "cables/harness_system.py",
    "cables/pairs.py", "cables/part.py", "cables/prediction.py", "cables/requirements.py", "cables/running.py",
    "cables/sides.py", "cables/surroundings.py", "cables/system.py", "cables/touching.py", "cables/units.py",
    "directors.py", "linear/complementarity.py", "forces/buoyancy.py",
}  # fmt: skip
CHECKED = os.environ.get("TENDRIL_CHECK_BOUNDS") == "1"
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "arcp", "nsz", "reassoc"},  # but never nnan or ninf: a NaN must be seen
    "boundscheck": CHECKED,
    "forceinline": False,  # said of each: numba would have it of whatever kernel first called this one
}


BINDING = inside("lazy_binding")
PROGRAMS = inside("programs") if BINDING and os.environ.get("TENDRIL_PLAIN_NUMBA") != "1" else None
ENTRY = OPTIONS | (PROGRAMS.OPTIONS if PROGRAMS else {})


def kernel_sources() -> list[Path]:
    """Paths of the files that kernels are made of."""
    paths = (path.relative_to(_PHYSICS) for path in _PHYSICS.rglob("*.py"))
    return [_PHYSICS / path for path in sorted(paths) if NOT_COMPILED.isdisjoint((path.parts[0], path.as_posix()))]


def source_hash() -> str:
    """Hex digest of all kernel sources, where and since when they are there, the versions of Python and numba, and how
    they are compiled.
    """
    gone = [inside(name) is None for name in ("lazy_binding", "pointers")]
    made_by = f"{sys.implementation.cache_tag} {numba.__version__} {CHECKED} {PROGRAMS is None} {gone}"
    digest = hashlib.sha256(made_by.encode())
    for path in kernel_sources():
        digest.update(f"{path} {path.stat().st_mtime_ns}".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_ONE_AT_A_TIME = threading.RLock()  # numba's setting of where to keep what it compiles is one for all threads
CACHE_FOLDER = kernel_folder(f"kernels-{__package__}-{source_hash()}")  # None: nowhere safe, so nothing is kept


def entry(function: Function) -> Function:
    """Compiled, a program by itself, for Python to call; and for kernels, which bind it when they first reach it: what
    not every scene does, and what several programs do (see compiling/lazy_binding).
    """
    compiled = _kept(numba.njit, function)
    if (binding := BINDING) is None:
        return compiled

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        return compiled(*arguments, **named)

    @functools.cache
    def address(kinds: tuple) -> int:
        callback = _kept(functools.partial(numba.cfunc, binding.returned(function)(*kinds)), function)
        _CALLBACKS.append(callback)
        found: int = callback.address
        return found

    own: Any = call
    own.py_func, own.compiled, own.address = function, compiled, address
    binding.bind_lazily(call, function)
    return own


_CALLBACKS: list[Any] = []  # which kernels call as long as there are any


def _kept(decorator: Callable[..., Any], function: Any) -> Any:
    """What numba's decorator makes of a function; what is compiled of that is kept in the cache folder."""
    if CACHE_FOLDER is None:
        return decorator(**ENTRY)(function)
    with _ONE_AT_A_TIME:
        before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
        try:
            return decorator(cache=True, **ENTRY)(function)
        finally:
            numba.config.CACHE_DIR = before  # type: ignore[attr-defined]


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compiled, for other compiled functions to call, and as a part of the entry that needs it: it is kept there."""
    if function is None:
        return functools.partial(kernel, **options)
    if PROGRAMS is None:
        return numba.njit(**OPTIONS | options)(function)
    compiled = numba.njit(**OPTIONS | PROGRAMS.PART | options)(function)
    compiled.__class__ = PROGRAMS.Kernel
    compiled.entry = functools.cache(lambda: entry(function))
    return compiled


def _end(told: Any, tell: Callable[[Any], Any] = sys.unraisablehook) -> None:
    """Ends the process where a kernel that another one calls has met an index that is out of bounds."""
    if not isinstance(told.exc_value, IndexError):
        return tell(told)
    traceback.print_exception(told.exc_value)
    sys.stderr.flush()
    os._exit(1)


if CHECKED:
    sys.unraisablehook = _end
