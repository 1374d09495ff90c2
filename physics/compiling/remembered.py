"""What numba finds out again and again, found out once.

To see what a[i] or a * b is for the types at hand, numba goes through all that these might be, lists and strings and
whole arrays, each time anew; how large a type is in memory it has LLVM tell by a module made for the question; and what
type a pointer to a function has it works out at each call that takes one.
"""

import functools
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

from numba import types
from numba.core import base
from numba.core.ccallback import CFunc
from numba.core.typing.typeof import typeof_impl
from numba.experimental.function_type import typeof_function_type

BUILT_IN = BuiltinFunctionType, type  # operators and min, bool and range


def _by_types(resolve: Callable[..., Any]) -> Callable[..., Any]:
    """numba's way to the signature of a function for given types; those of operators and such do not change."""

    @functools.wraps(resolve)
    def resolved(function: Any, context: Any, arguments: tuple, named: dict) -> Any:
        if named or not isinstance(function.typing_key, BUILT_IN):
            return resolve(function, context, arguments, named)
        known = function.__dict__.setdefault("known_signatures", {})
        if arguments not in known:
            known[arguments] = resolve(function, context, arguments, named)
        return known[arguments]

    return resolved


def _by_type(measure: Callable[..., int]) -> Callable[..., int]:
    """numba's way to the size [bytes] of an LLVM type, which is one for all the contexts that it makes."""
    known: dict[Any, int] = {}

    @functools.wraps(measure)
    def measured(context: Any, kind: Any) -> int:
        if kind not in known:
            known[kind] = measure(context, kind)
        return known[kind]

    return measured


types.BaseFunction.get_call_type = _by_types(types.BaseFunction.get_call_type)  # type: ignore[method-assign]
base.BaseContext.get_abi_sizeof = _by_type(base.BaseContext.get_abi_sizeof)  # type: ignore[method-assign]
typeof_impl.register(CFunc)(functools.cache(typeof_function_type))
base._has_loc = functools.cache(base._has_loc)  # whether what writes LLVM's code asks for the place in the source
