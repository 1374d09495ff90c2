"""Named tuples that compiled code takes as one pointer: see `by_reference`.

numba hands a named tuple on as the parts of all its arrays, seven or nine each: Model, State and Workspace are 500
arguments of every call. Here the parts lie in the frame of the entry that Python called, and kernels read from there
what they name; nobody writes there any more, so LLVM may keep what it has read. The arrays themselves are shared, as
they always are.

To find the types of arguments, numba looks at every field of every record in them: 40 to 80 µs a call for a Model, a
State and a Workspace. The arrays of a tuple stay what they are, so each remembers its type.
"""

from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from .values import filled, is_null, slot

Class = TypeVar("Class", bound=type)
Tuple = TypeVar("Tuple", bound=tuple)
_BYTE, _INDEX, _WORD = ir.IntType(8), ir.IntType(32), ir.IntType(64)


class ByReference(types.Type):
    """numba's type of such a tuple; `content` is the type it would have as a tuple."""

    def __init__(self, content: types.NamedTuple) -> None:
        self.content = content
        self.layout: tuple[list[ir.Type], list[int]] | None = None  # once it was asked for
        super().__init__(f"{content.instance_class.__name__}&")

    @property
    def key(self) -> types.NamedTuple:
        """What tells it from others of its name."""
        return self.content


def by_reference(named_tuple: Class) -> Class:
    """Decorates a class of named tuples of arrays, and of such tuples."""
    own = {name: getattr(named_tuple, name) for name in ("__doc__", "__module__", "__qualname__")}
    remembering: Any = type(named_tuple.__name__, (named_tuple,), {**own, "numba_type": None})
    as_tuple = typeof_impl.dispatch(tuple)

    @typeof_impl.register(remembering)
    def kind_of(value: Any, context: Any) -> ByReference:
        if value.numba_type is None:
            value.numba_type = ByReference(as_tuple(value, context))
        found: ByReference = value.numba_type
        return found

    return remembering


def alike(known: Tuple, value: Tuple) -> Tuple:
    """The second tuple, whose arrays are of the same kinds as the first one's: nobody need look at them again."""
    one: Any = known
    other: Any = value
    other.numba_type = one.numba_type
    return value


@register_model(ByReference)
class _Pointer(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: ByReference) -> None:
        super().__init__(manager, kind, _BYTE.as_pointer())


def _layout(context: Any, kind: ByReference) -> tuple[list[ir.Type], list[int]]:
    """LLVM's types of the fields, and at which byte each begins; at the last, there is none any more."""
    if kind.layout is None:
        fields, starts = [context.get_value_type(field) for field in kind.content.types], [0]
        for field in fields:
            starts.append(starts[-1] + context.get_abi_sizeof(field))
        kind.layout = fields, starts
    return kind.layout


@unbox(ByReference)
def _lay_out(kind: ByReference, value: ir.Value, wrapper: Any) -> NativeValue:
    """The block of parts, in the frame of the function that Python calls."""
    builder, api = wrapper.builder, wrapper.pyapi
    fields, starts = _layout(wrapper.context, kind)
    words = ir.ArrayType(_WORD, starts[-1] // 8)
    block = builder.bitcast(slot(builder, words), _BYTE.as_pointer())
    # Without reference counts there is a shorter way than numba's usual one, if it is still there.
    adapt = None if getattr(wrapper.context, "enable_nrt", True) else getattr(api, "numba_array_adaptor", None)
    failed, cleanups = ir.Constant(ir.IntType(1), 0), []
    for i, (field, start) in enumerate(zip(kind.content.types, starts[:-1], strict=True)):
        item, place = api.tuple_getitem(value, i), builder.gep(block, [_WORD(start)])
        if adapt and isinstance(field, types.Array):
            error = builder.not_(is_null(builder, adapt(item, place)))
        else:
            part = wrapper.unbox(field, item)
            builder.store(part.value, builder.bitcast(place, fields[i].as_pointer()))
            error = part.is_error
            cleanups += [part.cleanup] if part.cleanup else []
        failed = builder.or_(failed, error)

    def clean_up() -> None:
        for one in cleanups:
            one()

    # So LLVM does not see where the block comes from: all of it is written before anything is read.
    sealed = ir.InlineAsm(ir.FunctionType(block.type, [block.type]), "", "=r,0,~{memory}", side_effect=True)
    return NativeValue(builder.call(sealed, [block]), is_error=failed, cleanup=clean_up if cleanups else None)


@infer_getattr
class _Fields(AttributeTemplate):
    key = ByReference

    def generic_resolve(self, kind: ByReference, name: str) -> types.Type | None:  # type: ignore[override]
        fields = kind.content.fields
        return kind.content.types[fields.index(name)] if name in fields else None


@lower_getattr_generic(ByReference)
def _read(context: Any, builder: ir.IRBuilder, kind: ByReference, block: ir.Value, name: str) -> ir.Value:
    fields, starts = _layout(context, kind)
    i = kind.content.fields.index(name)
    value = _parts(builder, builder.bitcast(builder.gep(block, [_WORD(starts[i])]), fields[i].as_pointer()))
    return impl_ret_borrowed(context, builder, kind.content.types[i], value)


def _parts(builder: ir.IRBuilder, place: ir.Value) -> ir.Value:
    """What lies there, each number of it told to stay as it is: else LLVM reads it again after whatever is written."""
    kind = place.type.pointee
    if isinstance(kind, ir.Aggregate):
        places = (builder.gep(place, [_INDEX(0), _INDEX(k)]) for k in range(len(kind)))
        return filled(builder, kind, [_parts(builder, one) for one in places])
    part = builder.load(place)
    part.set_metadata("invariant.load", builder.module.add_metadata([]))
    return part


class _Pair(NamedTuple):
    one: np.ndarray
    other: np.ndarray


def works() -> bool:
    """Whether such a tuple can be handed to what is compiled with the numba that is here."""
    pair = by_reference(_Pair)(np.ones(1), np.ones(2))
    return bool(numba.njit(lambda pair: pair.one[0] + pair.other[1])(pair) == 2.0)
