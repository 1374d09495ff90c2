"""Elements, rows and slices of arrays without detours.

Wherever an array is indexed, numba writes out a copy of all that describes it, for LLVM to do away with. Here what is
needed is computed from what is needed for it: half as much for LLVM to read. What a kernel does not do, such as to
assign to slices, is left to numba. As there, whether an index is in bounds is not looked at. In a kernel no index is
below 0: to count from the end then, as others of numba's users may, takes a tenth of a step.

With TENDRIL_CHECK_BOUNDS=1 in the environment, for tests, kernels look at each index and raise IndexError; they take a
fifth longer.
"""

import functools
import operator
import os
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing import Signature
from numba.extending import lower_builtin, lower_getattr_generic
from numba.np import arrayobj

from .programs import Library
from .values import filled

CHECKED = os.environ.get("TENDRIL_CHECK_BOUNDS") == "1"


@lower_builtin(operator.getitem, types.Array, types.Integer)
@lower_builtin(operator.getitem, types.Array, types.BaseTuple)
def _get(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> ir.Value:
    """x[i], x[i, k]: an element, or what is left of the axes."""
    indices = _integers(context, builder, kinds, values)
    if indices is None:
        in_tuple = isinstance(kinds.args[1], types.BaseTuple)
        others = arrayobj.getitem_array_tuple if in_tuple else arrayobj.getitem_arraynd_intp
        return others(context, builder, kinds, values)
    x = _Array(context, builder, kinds.args[0], values[0])
    place = x.place(indices)
    if len(indices) == x.kind.ndim:
        return arrayobj.load_item(context, builder, x.kind, place)
    return x.part(kinds.return_type, place, len(indices))


@lower_builtin(operator.getitem, types.Array, types.SliceType)
def _slice(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> ir.Value:
    """x[a:b]."""
    if kinds.args[1].has_step or kinds.args[0].layout not in "CA":
        return arrayobj.getitem_arraynd_intp(context, builder, kinds, values)
    x = _Array(context, builder, kinds.args[0], values[0])
    zero, length = x.size(0), x.length(0)

    def within(i: ir.Value) -> ir.Value:
        if x.of_kernel:
            x.check(builder.icmp_signed("<", i, zero))
        else:
            i = builder.select(builder.icmp_signed("<", i, zero), builder.add(i, length), i)
            i = builder.select(builder.icmp_signed("<", i, zero), zero, i)
        return builder.select(builder.icmp_signed(">", i, length), length, i)

    start, stop = (within(builder.extract_value(values[1], k)) for k in (0, 1))
    left = builder.select(builder.icmp_signed(">", stop, start), builder.sub(stop, start), zero)
    place = cgutils.pointer_add(builder, x.field("data"), builder.mul(start, x.stride(0)))
    return x.part(kinds.return_type, place, 0, left)


@lower_builtin(slice, types.Integer, types.Integer)
@lower_builtin(slice, types.none, types.Integer)
@lower_builtin(slice, types.Integer, types.none)
def _bounds(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> ir.Value:
    """a:b, :b and a:, upwards."""
    size = context.get_value_type(types.intp)
    start, stop = (
        size(default) if kind is types.none else context.cast(builder, i, kind, types.intp)
        for i, kind, default in zip(values, kinds.args, (0, types.intp.maxval), strict=True)
    )
    return filled(builder, context.get_value_type(kinds.return_type), (start, stop, size(1)))


@lower_builtin(operator.setitem, types.Array, types.Integer, types.Any)
@lower_builtin(operator.setitem, types.Array, types.BaseTuple, types.Any)
def _set(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> Any:
    """x[i] = value, x[i, k] = value, of an element: a table's row as a whole, which numba would copy byte by byte."""
    indices = _integers(context, builder, kinds, values)
    x = _Array(context, builder, kinds.args[0], values[0])
    if indices is None or len(indices) < x.kind.ndim:
        return arrayobj.setitem_array(context, builder, kinds, values)
    element = context.cast(builder, values[2], kinds.args[2], x.kind.dtype)
    place = x.place(indices)
    if not isinstance(x.kind.dtype, types.Record):
        return arrayobj.store_item(context, builder, x.kind, element, place)
    return cgutils.raw_memcpy(builder, place, element, x.size(1), x.kind.dtype.size)


@lower_builtin(len, types.Array)
def _len(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> ir.Value:
    return _Array(context, builder, kinds.args[0], values[0]).length(0)


@lower_getattr_generic(types.Record)
def _column(context: Any, builder: ir.IRBuilder, record: types.Record, row: ir.Value, name: str) -> ir.Value:
    """row.name: where it is several numbers, an array of which all is known but where it begins."""
    kind = record.typeof(name)
    if not isinstance(kind, types.NestedArray):
        return arrayobj.record_getattr(context, builder, record, row, name)
    place = cgutils.get_record_member(builder, row, record.offset(name), context.get_data_type(kind.dtype))
    size = context.get_value_type(types.intp)
    owner = ir.Constant(cgutils.voidptr_t, None)
    fields = owner, owner, size(kind.nitems), size(kind.size // kind.nitems), place
    shape, strides = (cgutils.pack_array(builder, [*map(size, of)]) for of in (kind.shape, kind.strides))
    return filled(builder, context.get_value_type(kind), (*fields, shape, strides))


def _integers(context: Any, builder: ir.IRBuilder, kinds: Signature, values: Sequence[ir.Value]) -> list | None:
    """(index, whether it may be below 0) for each of the first axes; None if not all are whole numbers."""
    x, index = kinds.args[:2]
    in_tuple = isinstance(index, types.BaseTuple)
    types_of = tuple(index) if in_tuple else (index,)
    numbers = all(isinstance(kind, types.Integer) for kind in types_of)
    if not numbers or not 0 < len(types_of) <= x.ndim or x.layout not in "CA":
        return None
    indices = cgutils.unpack_tuple(builder, values[1], len(types_of)) if in_tuple else [values[1]]
    wide = (context.cast(builder, i, kind, types.intp) for kind, i in zip(types_of, indices, strict=True))
    return [(i, kind.signed) for kind, i in zip(types_of, wide, strict=True)]


class _Array:
    """An array's type and value, and what can be computed of it."""

    def __init__(self, context: Any, builder: ir.IRBuilder, kind: Any, value: ir.Value) -> None:
        self.context, self.builder, self.kind, self.value = context, builder, kind, value
        self.known = isinstance(kind, types.NestedArray)  # its shape, that is
        self.size = context.get_value_type(types.intp)
        self.of_kernel = isinstance(context.active_code_library, Library)

    def field(self, name: str, *axis: int) -> ir.Value:
        position = self.context.data_model_manager[self.kind].get_field_position(name)
        return self.builder.extract_value(self.value, [position, *axis])

    def length(self, axis: int) -> ir.Value:
        return self.size(self.kind.shape[axis]) if self.known else self.field("shape", axis)

    def stride(self, axis: int) -> ir.Value:
        """[bytes]"""
        return self.size(self.kind.strides[axis]) if self.known else self.field("strides", axis)

    def place(self, indices: Sequence[tuple[ir.Value, bool]]) -> ir.Value:
        """Pointer to where `_integers` lead: of elements one behind the other, by their number, else by strides."""
        builder, zero = self.builder, self.size(0)
        dense = self.kind.layout == "C" and len(indices) == self.kind.ndim
        offset = zero
        for axis, (index, signed) in enumerate(indices):
            i = index
            if signed and not self.of_kernel and not (isinstance(i, ir.Constant) and i.constant >= 0):
                i = builder.select(builder.icmp_signed("<", i, zero), builder.add(i, self.length(axis)), i)
            self.check(builder.icmp_unsigned(">=", i, self.length(axis)))
            if dense:
                offset = builder.add(builder.mul(offset, self.length(axis)), i) if axis else i
            else:
                offset = builder.add(offset, builder.mul(i, self.stride(axis)))
        data = self.field("data")
        return builder.gep(data, [offset]) if dense else cgutils.pointer_add(builder, data, offset)

    def check(self, outside: ir.Value) -> None:
        """Raise IndexError where an index is `outside`, if that is looked at."""
        if CHECKED and self.of_kernel:
            told = f"{self.context.active_code_library.name}: an index into {self.kind} is out of bounds"
            with cgutils.if_unlikely(self.builder, outside):
                self.context.call_conv.return_user_exc(self.builder, IndexError, (told,))

    def part(self, kind: types.Type, place: ir.Value, axis: int, length: ir.Value | None = None) -> ir.Value:
        """The array from a place on, of the axes from one on, along which it may have another length."""
        axes = range(axis, self.kind.ndim)
        lengths = [length if length is not None and k == axis else self.length(k) for k in axes]
        nitems = functools.reduce(self.builder.mul, lengths)
        shape, strides = (cgutils.pack_array(self.builder, of) for of in (lengths, [self.stride(k) for k in axes]))
        fields = self.field("meminfo"), self.field("parent"), nitems, self.field("itemsize"), place, shape, strides
        part = filled(self.builder, self.context.get_value_type(kind), fields)
        return impl_ret_borrowed(self.context, self.builder, kind, part)
