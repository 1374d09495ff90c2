"""The project's `kernel` and `entry`: numba's `njit`, compiled once for an installation, and again only when a kernel's
source changes.

numba's own cache breaks when one file is imported under two names, and does not notice an edited callee in another
file; so each import name and each state of the sources, by their content, has a cache folder of its own. Wherever the
same sources lie, they find it (see `compiling/kernel_folder`), or what came compiled with them.

With TENDRIL_PLAIN_NUMBA=1 in the environment, or where numba is not as `compiling/programs.py` has it, all is compiled
by `njit` as it is: that takes five times as long, and the frames differ in their last digits. Where it is not as
`compiling/lazy_binding.py` has it either, kernels call entries as they call each other. With TENDRIL_CHECK_BOUNDS=1,
for tests, kernels look at each index; they take a fifth longer.
"""

import functools
import hashlib
import importlib.util
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import llvmlite.binding as llvm
import numba

from .compiling.inside import inside
from .compiling.kernel_folder import kernel_folder
from .compiling.shipped import bring
from .processor import KIND

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
    "compiling/kernel_folder.py", "compiling/one_at_a_time.py", "compiling/shipped.py", "compiling/target.py",
    "compiling/told.py",
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
KEEPING = inside("keeping")
ENTRY = OPTIONS | (PROGRAMS.OPTIONS if PROGRAMS else {})


def kernel_sources() -> list[Path]:
    """Paths of the files that kernels are made of."""
    paths = (path.relative_to(_PHYSICS) for path in _PHYSICS.rglob("*.py"))
    return [_PHYSICS / path for path in sorted(paths) if NOT_COMPILED.isdisjoint((path.parts[0], path.as_posix()))]


def source_hash() -> str:
    """Hex digest of all kernel sources, the versions of Python and numba, the target, and how they are compiled: the
    same wherever they lie, but where numba's own cache goes by that.
    """
    magic, system = importlib.util.MAGIC_NUMBER.hex(), llvm.get_process_triple()
    gone = [inside(name) is None for name in ("lazy_binding", "pointers", "keeping")]
    made_by = f"{sys.implementation.cache_tag} {magic} {numba.__version__} {system} {KIND} {CHECKED} {PROGRAMS is None}"
    digest = hashlib.sha256(f"{made_by} {gone}".encode())
    for path in kernel_sources():
        content = path.read_bytes()
        digest.update(f"{path.relative_to(_PHYSICS).as_posix()} {len(content)} ".encode())
        digest.update(content)
        if KEEPING is None:
            digest.update(f"{path} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


_ONE_AT_A_TIME = threading.RLock()  # numba's setting of where to keep what it compiles is one for all threads
# Before the first entry is declared, which may look there at once. None: nowhere safe, so nothing is kept.
CACHE_FOLDER = kernel_folder(
    f"kernels-{__package__}-{source_hash()}", bring=functools.partial(bring, sources=kernel_sources())
)


def entry(function: Function) -> Function:
    """Compiled, a program by itself, for Python to call; and for kernels, which bind it when they first reach it: what
    not every scene does, and what several programs do (see compiling/lazy_binding).
    """
    compiled = _dispatcher(function)
    if (binding := BINDING) is None:
        return compiled

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        return compiled(*arguments, **named)

    @functools.cache
    def address(kinds: tuple) -> int:
        made = _callback(function, binding.returned(function)(*kinds))
        _CALLBACKS.append(made)
        found: int = made.address
        return found

    own: Any = call
    own.py_func, own.compiled, own.address = function, compiled, address
    binding.bind_lazily(call, function)
    return own


_CALLBACKS: list[Any] = []  # which kernels call as long as there are any


def _dispatcher(function: Any) -> Any:
    """A function that Python calls; what is compiled of it is kept in the cache folder."""
    if CACHE_FOLDER is None:
        return numba.njit(**ENTRY)(function)
    if KEEPING is None:
        return _kept(numba.njit, function)
    return KEEPING.keep(numba.njit(**ENTRY)(function), KEEPING.Kept(function, CACHE_FOLDER))


def _callback(function: Any, signature: Any) -> Any:
    """The same for kernels to call, with arguments of such types."""
    if CACHE_FOLDER is None:
        return numba.cfunc(signature, **ENTRY)(function)
    if KEEPING is None:
        return _kept(functools.partial(numba.cfunc, signature), function)
    return KEEPING.callback(function, signature, KEEPING.Kept(function, CACHE_FOLDER), ENTRY)


def _kept(decorator: Callable[..., Any], function: Any) -> Any:
    """What numba's decorator makes of a function, kept as numba does."""
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
