"""Entries called by kernels, which bind them lazily, as shared libraries bind each other's functions.

A kernel calls an entry through a pointer of its own, which is null at first: the first call asks Python for the
address, and Python loads the entry, or compiles it. So what a scene never reaches is never compiled, and what several
programs reach is compiled once. As nothing looks into an entry before it is reached, its annotation says what it
returns.

An entry that a kernel calls is a C callback of numba's, which cannot raise.
"""

import ctypes
import functools
import inspect
import pickle
import sys
import traceback
import zlib
from collections.abc import Callable, Sequence
from typing import Any, get_args, get_type_hints

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from .values import is_null, text

_NUMBERS: dict[Any, types.Type] = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.none}
_BYTES = ir.IntType(8).as_pointer()
ALIGNMENT = ctypes.alignment(ctypes.c_void_p)
ASK = f"{__name__}.address"  # the symbol by which programs ask where an entry is


@ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_char_p)
def _address(asked: bytes) -> int:
    """The address of an entry as `_asked` names it; or 0, once it has printed why, if that does not compile."""
    try:
        module, name, kinds = asked.decode().split()
        address: int = getattr(sys.modules[module], name).address(pickle.loads(zlib.decompress(bytes.fromhex(kinds))))
        return address
    except Exception:  # whatever the compiler finds: nothing passes through compiled code
        traceback.print_exc()
        return 0


llvm.add_symbol(ASK, ctypes.cast(_address, ctypes.c_void_p).value)


@functools.cache
def _asked(function: Any, kinds: tuple[types.Type, ...]) -> str:
    """An entry's function, for arguments of such types, in one string."""
    return f"{function.__module__} {function.__qualname__} {zlib.compress(pickle.dumps(kinds)).hex()}"


@functools.cache
def returned(function: Any) -> types.Type:
    """What a function is annotated to return: nothing, a number, or several."""
    return _kind(get_type_hints(function)["return"])


def _kind(annotation: Any) -> types.Type:
    parts = get_args(annotation)
    return types.Tuple([_kind(part) for part in parts]) if parts else _NUMBERS[annotation]


def bind_lazily(entry: Callable[..., Any], function: Any) -> None:
    """Has kernels call what `entry.address(types of the arguments)` is the address of, where they call `entry`."""

    @type_callable(entry)
    def _typed(_context: Any) -> Any:
        def typer(*_arguments: types.Type) -> types.Type:
            return returned(function)

        typer.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return typer

    @lower_builtin(entry, types.VarArg(types.Any))
    def _call(context: Any, builder: ir.IRBuilder, signature: Any, values: Sequence[ir.Value]) -> ir.Value:
        kinds, module, value = tuple(map(types.unliteral, signature.args)), builder.module, context.get_value_type
        kind = ir.FunctionType(value(signature.return_type), [value(one) for one in kinds]).as_pointer()
        pointer = ir.GlobalVariable(module, kind, module.get_unique_name("pointer"))
        pointer.linkage, pointer.initializer = "internal", kind(None)
        null = is_null(builder, builder.load_atomic(pointer, "monotonic", ALIGNMENT))
        with builder.if_then(null, likely=False):
            ask = module.globals.get(ASK) or ir.Function(module, ir.FunctionType(_BYTES, [_BYTES]), ASK)
            found = builder.call(ask, [text(builder, _asked(function, kinds))])
            with builder.if_then(is_null(builder, found), likely=False):
                told = f"{function.__qualname__} did not compile"
                context.call_conv.return_user_exc(builder, RuntimeError, (told,))
            builder.store_atomic(builder.bitcast(found, kind), pointer, "monotonic", ALIGNMENT)
        arguments = [context.cast(builder, *one) for one in zip(values, signature.args, kinds, strict=True)]
        return builder.call(builder.load_atomic(pointer, "monotonic", ALIGNMENT), arguments)


def _half(a: float) -> float:
    return 0.5 * a


def works() -> bool:
    """Whether a function can be bound and called so with the numba that is here."""
    callback = numba.cfunc(returned(_half)(types.float64))(_half)
    own: Any = _half
    own.address = lambda _kinds: callback.address
    bind_lazily(own, _half)

    def quarter(a: Any) -> Any:
        return 0.5 * _half(a)

    return bool(numba.njit(quarter)(6.0) == 1.5)
