"""The project's `kernel` and `entry`: numba's `njit`, compiled once for an installation, and again only when a kernel's
source changes.

numba's own cache breaks when one file is imported under two names, does not notice an edited callee in another file,
and goes by the path and time of the sources; so each import name and each state of the sources has a cache folder of
its own.
"""

import functools
import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, overload

import numba
from numba import types
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher
from numba.core.typing import make_concrete_template

from .compiling.by_reference import remember, taken
from .compiling.indexing import CHECKED
from .compiling.kernel_folder import kernel_folder
from .compiling.lazy_binding import LazyCall, call_of
from .compiling.programs import PartCompiler, ProgramCompiler

Function = TypeVar("Function", bound=Callable[..., Any])
_PHYSICS = Path(__file__).parent
# What no kernel takes anything from, so that an edit there compiles nothing. All else counts as a kernel's source.
NOT_COMPILED = {
    "__init__.py", "scene.py", "samples.py", "rounding.py", "solid_angle.py", "materials.py", "cost",
    "numerical_damping.py", "validate", "neighbours.py", "near_faces.py", "tie_shares.py", "least_translation.py",
    "start", "run", "diagnostics", "processor.py", "fixed_order.py",
}  # fmt: skip
OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "arcp", "nsz", "reassoc"},  # but never nnan or ninf: a NaN must be seen
    "_nrt": False,  # the compiler refuses what would allocate, and arrays pass without reference counts
    "forceinline": False,  # said of each: numba would have it of whatever kernel first called this one
    "pipeline_class": ProgramCompiler,
}
ENTRY = OPTIONS | {"no_cfunc_wrapper": True}
PART = ENTRY | {"no_cpython_wrapper": True, "pipeline_class": PartCompiler}


def kernel_sources() -> list[Path]:
    """Paths of the files that kernels are made of."""
    paths = (path.relative_to(_PHYSICS) for path in _PHYSICS.rglob("*.py"))
    return [_PHYSICS / path for path in sorted(paths) if path.parts[0] not in NOT_COMPILED]


def source_hash() -> str:
    """Hex digest of all kernel sources, where and since when they are there, the numba version, and whether indices are
    checked.
    """
    digest = hashlib.sha256(f"{numba.__version__} {CHECKED}".encode())
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
    compiled = numba.njit(**ENTRY)(function)
    compiled.__class__ = Entry
    if CACHE_FOLDER is not None:
        _keep(compiled)
    return compiled


class Entry(CPUDispatcher):
    """An `entry`. While what calls it is compiled, it is not: its annotation says what it returns."""

    _cache: Any
    _kinds: tuple[type, ...] = ()  # of arguments that it takes,
    _code: Callable[..., Any]  # and what takes them

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """As numba calls it; at once, if it has taken these very tuples before, and such numbers."""
        kinds = tuple(map(type, arguments))
        if kinds == self._kinds and not named and len(self.overloads) == 1 and taken(self, arguments):
            return self._code(*arguments)
        returned = super().__call__(*arguments, **named)
        if len(self.overloads) == 1 and len(kinds) == self.py_func.__code__.co_argcount:  # so it was this one
            if kinds != self._kinds:
                compiled: Any = next(iter(self.overloads.values()))
                self._kinds, self._code = kinds, compiled.entry_point
            remember(self, arguments)
        return returned

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """What a call of it for such arguments is like."""
        python, kinds = self.fold_argument_types([types.unliteral(kind) for kind in arguments], named)
        name, call = self.py_func.__name__, call_of(self.py_func, kinds)
        return make_concrete_template(name, name, [call.signature]), python, kinds, {}

    def get_overload(self, kinds: Any) -> LazyCall:
        """What writes that call."""
        return call_of(self.py_func, kinds)

    def address(self, kinds: tuple) -> int:
        """Where it is for such arguments, once it is compiled or loaded."""
        self.compile(kinds)
        compiled: Any = self.overloads[kinds]
        if compiled.signature != call_of(self.py_func, kinds).signature:
            raise TypeError(f"{self.py_func.__qualname__} does not return what its annotation says")
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(**options: Any) -> Callable[[Function], Function]: ...


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Compiled, for other compiled functions to call, and as a part of the entry that needs it: it is kept there."""
    if function is None:
        return functools.partial(kernel, **options)
    compiled = numba.njit(**PART | options)(function)
    compiled.__class__ = Kernel
    return compiled


class Kernel(CPUDispatcher):
    """A `kernel`. Python, a test say, may call it all the same: through an entry made on the first call."""

    def __call__(self, *arguments: Any) -> Any:
        return _entry_to(self)(*arguments)

    def get_call_template(self, arguments: Any, named: Any) -> Any:
        """One for all numbers that callers write out: numba would compile anew for each of them."""
        return super().get_call_template([types.unliteral(kind) for kind in arguments], named)

    def add_overload(self, compiled: Any) -> None:
        """Remember what was compiled, with nothing for Python to call."""
        self.overloads[tuple(compiled.signature.args)] = compiled


@functools.cache
def _entry_to(inner: Kernel) -> Any:
    return entry(inner.py_func)


class _Cache(FunctionCache):
    def load_overload(self, kinds: Any, target: Any) -> Any:
        """What was compiled; for that numba need not know all that it could compile, which takes it long to gather."""
        with self._guard_against_spurious_io_errors():
            return self._load_overload(kinds, target)


def _keep(compiled: Entry) -> None:
    """What is compiled of it is kept in the cache folder."""
    with _ONE_AT_A_TIME:
        before = numba.config.CACHE_DIR  # type: ignore[attr-defined]
        numba.config.CACHE_DIR = str(CACHE_FOLDER)  # type: ignore[attr-defined]
        try:
            compiled._cache = _Cache(compiled.py_func)
        finally:
            numba.config.CACHE_DIR = before  # type: ignore[attr-defined]
