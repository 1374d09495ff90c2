"""The project's `kernel` and `entry`: numba's `njit`, compiled once for an installation, and again only when a kernel's
source changes.

numba's own cache breaks when one file is imported under two names, and does not notice an edited callee in another
file; so each import name and each state of the sources, by their content, has a cache folder of its own. Wherever the
same sources lie, they find it (see `compiling/kernel_folder`), or what came compiled with them. What an edit leaves as
it was is carried over from the folder before.

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
from numba.core.errors import NumbaError

from .compiling.carried_over import carry_over
from .compiling.inside import inside
from .compiling.kernel_folder import kernel_folder
from .compiling.processor import KIND
from .compiling.shipped import bring
from .compiling.sources import DIGITS, Sources
from .compiling.told import not_compiled

Function = TypeVar("Function", bound=Callable[..., Any])
_PHYSICS = Path(__file__).parent
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


def _made_by() -> str:
    """What decides, besides the sources, what they are compiled to: it has a kernel folder of its own."""
    magic, system = importlib.util.MAGIC_NUMBER.hex(), llvm.get_process_triple()
    gone = [inside(name) is None for name in ("lazy_binding", "pointers", "keeping")]
    python = f"{sys.implementation.cache_tag} {magic}"
    return f"{python} {numba.__version__} {system} {KIND} {CHECKED} {PROGRAMS is None} {gone}"


def read_sources(folder: Path = _PHYSICS) -> Sources:
    """The sources of kernels in such a folder, as they are now."""
    return Sources(folder, _made_by(), ("_jit.py", "compiling"))


SOURCES = read_sources()
_ONE_AT_A_TIME = threading.RLock()  # numba's setting of where to keep what it compiles is one for all threads


def _bring(folder: Path) -> bool:
    """Puts what is compiled already to where the kernel folder is to be → whether there was any."""
    digests = {_made_of(path) for path in SOURCES.folder.rglob("*.py")}
    return bring(folder, SOURCES.of_kernels()) or (KEEPING is not None and carry_over(folder, digests))


@functools.cache
def _made_of(path: Path) -> str:
    return SOURCES.digest(SOURCES.of(path))


def _name() -> str:
    """The kernel folder's name: that of numba's own cache goes by where sources lie, and when they were written."""
    sources = SOURCES.of_kernels()
    digest = SOURCES.digest(sources)
    if KEEPING is None:
        written = "".join(f"{path} {path.stat().st_mtime_ns}" for path in sources)
        digest = hashlib.sha256(f"{digest} {written}".encode()).hexdigest()[:DIGITS]
    return f"kernels-{__package__}-{digest}"


# Before the first entry is declared, which may look there at once. None: nowhere safe, so nothing is kept.
CACHE_FOLDER = kernel_folder(_name(), bring=_bring)


def entry(function: Function) -> Function:
    """Compiled, a program by itself, for Python to call; and for kernels, which bind it when they first reach it: what
    not every scene does, and what several programs do (see compiling/lazy_binding). Raises CompileError.
    """
    compiled = _dispatcher(function)
    if (binding := BINDING) is None:
        return compiled

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            return compiled(*arguments, **named)
        except NumbaError as error:
            raise not_compiled(function.__qualname__, error) from error
        except RuntimeError:
            if failed := binding.failure():
                raise failed from failed.__cause__
            raise

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
    return KEEPING.keep(numba.njit(**ENTRY)(function), KEEPING.Kept(function, CACHE_FOLDER, _made_of))


def _callback(function: Any, signature: Any) -> Any:
    """The same for kernels to call, with arguments of such types."""
    if CACHE_FOLDER is None:
        return numba.cfunc(signature, **ENTRY)(function)
    if KEEPING is None:
        return _kept(functools.partial(numba.cfunc, signature), function)
    return KEEPING.callback(function, signature, KEEPING.Kept(function, CACHE_FOLDER, _made_of), ENTRY)


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
