"""What kernels do most, asked after first.

To find out what a[i] or a * b means, numba goes through lists, dicts, strings and whole arrays before it thinks of
elements and numbers: a quarter of all its work on kernels. And of min and max of numbers it makes functions.
"""

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing import Signature, arraydecl, builtins, signature
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.cpython.builtins import do_minmax
from numba.extending import lower_builtin

FIRST = {"target": "cpu"}  # numba asks what is for this target before what is for any
FAMILIAR = {
    operator.getitem: arraydecl.GetItemBuffer,
    operator.setitem: arraydecl.SetItemBuffer,
    operator.add: builtins.BinOpAdd,
    operator.sub: builtins.BinOpSub,
    operator.mul: builtins.BinOpMul,
    operator.truediv: builtins.BinOpTrueDiv,
    operator.lt: builtins.CmpOpLt,
    operator.le: builtins.CmpOpLe,
    operator.gt: builtins.CmpOpGt,
    operator.ge: builtins.CmpOpGe,
    operator.eq: builtins.CmpOpEq,
    operator.ne: builtins.CmpOpNe,
}
for _operator, _template in FAMILIAR.items():
    infer_global(_operator)(type(f"First{_template.__name__}", (_template,), {"metadata": FIRST}))


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
