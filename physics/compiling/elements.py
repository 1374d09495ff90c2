"""Elements of arrays without detours.

To read x[i, k], numba asks after lists, dicts and strings before it thinks of arrays, and then writes a copy of what
describes the array for LLVM to do away with. Here arrays are asked first, as are plain numbers for sums and products,
and an element's place is computed from what is needed for it: half of all that there is to compile. Slices and the like
are left to numba. As there, an index below 0 counts from the end, and none is checked.
"""

import operator
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import Signature, arraydecl, builtins
from numba.core.typing.templates import infer_global
from numba.extending import lower_builtin
from numba.np import arrayobj

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


@lower_builtin(operator.getitem, types.Array, types.Integer)
@lower_builtin(operator.getitem, types.Array, types.BaseTuple)
def _get(context: Any, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]) -> ir.Value:
    array, index = signature.args
    place = _place(context, builder, array, index, arguments)
    if place is not None:
        return arrayobj.load_item(context, builder, array, place)
    if isinstance(index, types.BaseTuple):
        return arrayobj.getitem_array_tuple(context, builder, signature, arguments)
    return arrayobj.getitem_arraynd_intp(context, builder, signature, arguments)


@lower_builtin(operator.setitem, types.Array, types.Integer, types.Any)
@lower_builtin(operator.setitem, types.Array, types.BaseTuple, types.Any)
def _set(context: Any, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]) -> Any:
    array, index, value = signature.args
    place = _place(context, builder, array, index, arguments)
    if place is None:
        return arrayobj.setitem_array(context, builder, signature, arguments)
    element = context.cast(builder, arguments[2], value, array.dtype)
    return arrayobj.store_item(context, builder, array, element, place)


def _place(
    context: Any, builder: ir.IRBuilder, array: types.Array, index: Any, arguments: Sequence[ir.Value]
) -> ir.Value | None:
    """Pointer to the element that an index denotes; None if it denotes more than one."""
    in_tuple = isinstance(index, types.BaseTuple)
    kinds = tuple(index) if in_tuple else (index,)
    if len(kinds) != array.ndim or array.layout not in "CA" or not all(isinstance(k, types.Integer) for k in kinds):
        return None
    indices = cgutils.unpack_tuple(builder, arguments[1], len(kinds)) if in_tuple else [arguments[1]]
    parts = context.data_model_manager[array]

    def part(name: str, *axis: int) -> ir.Value:
        return builder.extract_value(arguments[0], [parts.get_field_position(name), *axis])

    def length(axis: int) -> ir.Value:
        if isinstance(array, types.NestedArray):
            return context.get_constant(types.intp, array.shape[axis])
        return part("shape", axis)

    zero = context.get_constant(types.intp, 0)
    offset = zero  # elements, or bytes where strides are known only to the array
    for axis, kind in enumerate(kinds):
        i = context.cast(builder, indices[axis], kind, types.intp)
        if kind.signed and not (isinstance(i, ir.Constant) and i.constant >= 0):
            i = builder.select(builder.icmp_signed("<", i, zero), builder.add(i, length(axis)), i)
        if array.layout == "A":
            offset = builder.add(offset, builder.mul(i, part("strides", axis)))
        else:
            offset = builder.add(builder.mul(offset, length(axis)), i) if axis else i
    if array.layout == "A":
        return cgutils.pointer_add(builder, part("data"), offset)
    return builder.gep(part("data"), [offset])
