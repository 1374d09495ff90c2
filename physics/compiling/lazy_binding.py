"""Entries called by kernels, which bind them lazily, as shared libraries bind each other's functions.

A kernel calls an entry through a pointer of its own, which is null at first: the first call asks Python for the
address, and Python loads the entry, or compiles it. So what a scene never reaches is never compiled, and what several
programs reach is compiled once. As nothing looks into an entry before it is reached, its annotation says what it
returns.

An entry that a kernel calls is a C callback of numba's, which cannot raise: what returns from one looks whether a
program did not compile meanwhile. So that ends all that led there, up to what Python called, which tells why.
"""

import ctypes
import functools
import inspect
import pickle
import sys
import threading
import zlib
from collections.abc import Callable, Sequence
from typing import Any, get_args, get_type_hints

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable

from .told import CompileError, not_compiled
from .values import is_null, text

_NUMBERS: dict[Any, types.Type] = {int: types.int64, float: types.float64, bool: types.boolean, type(None): types.none}
_BYTES, _INDEX, _WORD = ir.IntType(8).as_pointer(), ir.IntType(32), ir.IntType(8 * ctypes.sizeof(ctypes.c_size_t))
ALIGNMENT = ctypes.alignment(ctypes.c_void_p)
ASK = f"{__name__}.cell"  # the symbol by which programs ask for the cell of an entry
CELL = ctypes.c_size_t * 2  # where it is, and whether a program did not compile and what led there has yet to end
_CELLS = dict[int, ctypes.Array[ctypes.c_size_t]]()  # by where they are
_FAILED = dict[int, CompileError]()  # by the thread that met it


@ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_char_p)
def _cell(asked: bytes) -> int:
    """The address of the cell of an entry as `_asked` names it; 0 if that does not compile."""
    module, name, kinds = asked.decode().split()
    try:
        address: int = getattr(sys.modules[module], name).address(pickle.loads(zlib.decompress(bytes.fromhex(kinds))))
        return ctypes.addressof(_CELLS.setdefault(address, CELL(address, bool(_FAILED))))
    except Exception as error:  # whatever the compiler finds: nothing passes through compiled code
        _FAILED[threading.get_ident()] = not_compiled(name, error)
        _mark()
        return 0


def _mark() -> None:
    for cell in [*_CELLS.values()]:
        cell[1] = bool(_FAILED)


def failure() -> CompileError | None:
    """What did not compile, if that ended what this thread called."""
    found = _FAILED.pop(threading.get_ident(), None) or next(iter(_FAILED.values()), None)
    _mark()
    return found


llvm.add_symbol(ASK, ctypes.cast(_cell, ctypes.c_void_p).value)


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
        cell = ir.LiteralStructType([kind, _WORD]).as_pointer()
        pointer = ir.GlobalVariable(module, cell, module.get_unique_name("pointer"))
        pointer.linkage, pointer.initializer = "internal", cell(None)

        def end_if(failed: ir.Value) -> None:
            with builder.if_then(failed, likely=False):
                told = f"{function.__qualname__} did not compile"
                context.call_conv.return_user_exc(builder, RuntimeError, (told,))

        null = is_null(builder, builder.load_atomic(pointer, "monotonic", ALIGNMENT))
        with builder.if_then(null, likely=False):
            ask = module.globals.get(ASK) or ir.Function(module, ir.FunctionType(_BYTES, [_BYTES]), ASK)
            found = builder.call(ask, [text(builder, _asked(function, kinds))])
            end_if(is_null(builder, found))
            builder.store_atomic(builder.bitcast(found, cell), pointer, "monotonic", ALIGNMENT)
        arguments = [context.cast(builder, *one) for one in zip(values, signature.args, kinds, strict=True)]
        own = builder.load_atomic(pointer, "monotonic", ALIGNMENT)
        address, failed = (builder.gep(own, [_INDEX(0), _INDEX(k)]) for k in range(2))
        result = builder.call(builder.load(address), arguments)
        end_if(builder.not_(is_null(builder, builder.load(failed))))
        return result


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
