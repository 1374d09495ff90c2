"""min, max and int of numbers, where they stand: numba makes functions of them, compiled for each kind of number."""

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing import Signature, signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.cpython.builtins import do_minmax
from numba.extending import lower_builtin

FIRST = {"target": "cpu"}  # numba asks what is for this target before what is for any


@infer_global(min)
@infer_global(max)
class _OfNumbers(AbstractTemplate):
    metadata = FIRST

    def generic(self, arguments: Sequence[types.Type], named: Any) -> Signature | None:
        if len(arguments) < 2 or not all(isinstance(kind, types.Number) for kind in arguments):
            return None
        return signature(self.context.unify_types(*arguments), *arguments)


@lower_builtin(min, types.VarArg(types.Number))
def _min(context: Any, builder: ir.IRBuilder, kinds: Signature, numbers: Sequence[ir.Value]) -> ir.Value:
    return do_minmax(context, builder, kinds.args, numbers, operator.lt)


@lower_builtin(max, types.VarArg(types.Number))
def _max(context: Any, builder: ir.IRBuilder, kinds: Signature, numbers: Sequence[ir.Value]) -> ir.Value:
    return do_minmax(context, builder, kinds.args, numbers, operator.gt)


@infer_global(int)
class _Whole(AbstractTemplate):
    metadata = FIRST

    def generic(self, arguments: Sequence[types.Type], named: Any) -> Signature | None:
        if len(arguments) != 1 or not isinstance(arguments[0], types.Number | types.Boolean):
            return None
        return signature(types.intp, *arguments)


@lower_builtin(int, types.Number)
@lower_builtin(int, types.Boolean)
def _int(context: Any, builder: ir.IRBuilder, kinds: Signature, numbers: Sequence[ir.Value]) -> ir.Value:
    return context.cast(builder, numbers[0], kinds.args[0], types.intp)
