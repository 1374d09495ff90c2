"""Entries called by kernels, which bind them lazily, as shared libraries bind each other's functions.

A program calls another's entry through a pointer of its own, which is null at first: the first call asks Python for the
address, and Python loads the entry, or compiles it. So what a scene never reaches is never compiled, and what several
programs reach is compiled once. Programs ask by a symbol, which is made known wherever one is compiled or loaded; and
as nothing looks into an entry before it is reached, its annotation says what it returns.
"""

import ctypes
import functools
import hashlib
import sys
import traceback
from typing import Any, NamedTuple, get_args, get_type_hints

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils, serialize
from numba.core.registry import cpu_target
from numba.core.typing import Signature, signature

from .programs import Call

_NUMBERS: dict[Any, types.Type] = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.none}
ALIGNMENT = ctypes.alignment(ctypes.c_void_p)


class Binding(NamedTuple):
    """An entry for arguments of such types, and the symbol by which programs ask where it is."""

    symbol: str
    module: str
    name: str
    kinds: tuple[types.Type, ...]

    def __call__(self) -> None:
        """Makes the symbol known: numba calls this before it loads a program that has it."""
        llvm.add_symbol(self.symbol, ctypes.cast(_answer(self), ctypes.c_void_p).value)


@functools.cache  # which keeps it, for LLVM does not
def _answer(asked: Binding) -> Any:
    """What programs call: it gives the address; or 0, once it has printed why, if the entry does not compile."""

    def address() -> int:
        try:
            return getattr(sys.modules[asked.module], asked.name).address(asked.kinds)
        except Exception:  # whatever the compiler finds: nothing passes through compiled code
            traceback.print_exc()
            return 0

    return ctypes.CFUNCTYPE(ctypes.c_size_t)(address)


class LazyCall(Call):
    """Writes calls of an entry."""

    def __init__(self, asked: Binding, kind: Signature) -> None:
        super().__init__(kind.return_type, kind.args)
        self._asked, self.signature = asked, kind

    def function(self, context: Any, builder: ir.IRBuilder) -> ir.Value:
        """The pointer, null no more; else the caller fails."""
        self._asked()
        context.active_code_library._reload_init.add(self._asked)
        module, kind = builder.module, context.call_conv.get_function_type(self.returned, self.arguments).as_pointer()
        ask = cgutils.get_or_insert_function(module, ir.FunctionType(kind, ()), self._asked.symbol)
        pointer = cgutils.add_global_variable(module, kind, "pointer")
        pointer.linkage, pointer.initializer = "internal", kind(None)
        null = cgutils.is_null(builder, builder.load_atomic(pointer, "monotonic", ALIGNMENT))
        with cgutils.if_unlikely(builder, null):
            builder.store_atomic(builder.call(ask, ()), pointer, "monotonic", ALIGNMENT)
        found = builder.load_atomic(pointer, "monotonic", ALIGNMENT)
        with cgutils.if_unlikely(builder, cgutils.is_null(builder, found)):
            context.call_conv.return_user_exc(builder, RuntimeError, (f"{self._asked.name} did not compile",))
        return found


@functools.cache
def call_of(function: Any, kinds: tuple[types.Type, ...]) -> LazyCall:
    """What writes calls of an entry, by its function, which is annotated to return nothing, a number, or several."""
    digest = hashlib.sha256(serialize.dumps(kinds)).hexdigest()
    module, name = function.__module__, function.__qualname__
    asked = Binding(f"bind.{module}.{name}.{digest}", module, name, kinds)
    call = LazyCall(asked, signature(_kind(get_type_hints(function)["return"]), *kinds))
    cpu_target.target_context.insert_func_defn([(call, call, kinds)])
    return call


def _kind(annotation: Any) -> types.Type:
    parts = get_args(annotation)
    return types.Tuple([_kind(part) for part in parts]) if parts else _NUMBERS[annotation]
