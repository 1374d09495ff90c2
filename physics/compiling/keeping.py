"""numba's cache, for programs that may be moved and are kept by several processes at once.

numba names a folder by a hash of the path of the sources, and takes what it finds for stale by the time or content of
one file. The kernel folder itself is named by the content of all sources, so what lies in it is of these, wherever they
lie; a program's file, by the content of what that program is made of. numba's index of a function is read, changed and
written without a lock: of two processes that do so at once one gets a number that the other one's machine code has.

This takes parts of numba's inside: see `inside`.
"""

import inspect
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature

from .one_at_a_time import one_at_a_time

PACKAGE = Path(__file__).parents[1]
SAVING = "saving"  # the file whose lock who saves has


class _Locator(UserProvidedCacheLocator):
    """The place of a function's code in a kernel folder: named as the folder of its source, if that is the package's;
    else as numba names it.
    """

    def __init__(self, folder: Path, function: Any, source: Path) -> None:
        self._py_file, self._lineno = str(source), function.__code__.co_firstlineno
        self._ours = source.is_relative_to(PACKAGE)
        name = self.get_suitable_cache_subpath(self._py_file)
        if self._ours:
            name = "-".join(source.parent.relative_to(PACKAGE.parent).parts)
        self._cache_path = str(folder / name)

    def get_source_stamp(self) -> Any:
        return "" if self._ours else super().get_source_stamp()


class _Implementation(CompileResultCacheImpl):
    def __init__(self, folder: Path, made_of: Callable[[Path], str], function: Any) -> None:
        source = Path(inspect.getfile(function))
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(folder, function, source)
        name, flags = f"{source.stem}.{function.__qualname__}", getattr(sys, "abiflags", "")
        if source.is_relative_to(PACKAGE):
            name = f"{name}.{made_of(source)}"
        self._filename_base = self.get_filename_base(name, flags)


class Kept(FunctionCache):
    """What is compiled of a function, in a folder.

    made_of: a digest of what a source of the package is made of.
    """

    def __init__(self, function: Any, folder: Path, made_of: Callable[[Path], str] = lambda _: "") -> None:
        self._folder: Path = folder
        self._impl_class: Any = partial(_Implementation, folder, made_of)
        super().__init__(function)

    def _save_overload(self, signature: Any, data: Any) -> None:
        with one_at_a_time(self._folder, SAVING):
            key = self._index_key(signature, data.codegen)
            if self._cache_file.load(key) is None:  # else another process has saved it, and may have sealed it
                super()._save_overload(signature, data)


def callback(function: Any, signature: Any, cache: FunctionCache, options: dict[str, Any]) -> CFunc:
    """What `numba.cfunc` makes of a function, loaded from or saved to a cache."""
    options = dict(options)
    pipeline = {"pipeline_class": options.pop("pipeline_class")} if "pipeline_class" in options else {}
    made: Any = CFunc(function, normalize_signature(signature), locals={}, options=options, **pipeline)
    made._cache = cache
    made.compile()
    found: CFunc = made
    return found


def keep(dispatcher: Any, cache: FunctionCache) -> Any:
    """A dispatcher of numba's that loads and saves by a cache."""
    dispatcher._cache = cache
    return dispatcher


def works() -> bool:
    """Whether numba asks a cache put in so."""
    asked = []

    class Asked(FunctionCache):
        def __init__(self) -> None:
            self.enable()

        def _load_overload(self, *_: Any) -> None:
            asked.append("load")

        def _save_overload(self, *_: Any) -> None:
            asked.append("save")

    half: Any = lambda a: 0.5 * a  # noqa: E731 – what is compiled
    found = keep(numba.njit(half), Asked())(6.0)
    found += callback(half, numba.float64(numba.float64), Asked(), {}).ctypes(2.0)
    return bool(found == 4.0) and asked == ["load", "save"] * 2
