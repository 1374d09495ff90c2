"""What LLVM's code is made of here: structures put together, places for
variables, with nothing put there yet, and texts."""

from collections.abc import Sequence

from llvmlite import ir


def filled(builder: ir.IRBuilder, structure: ir.Type, fields: Sequence[ir.Value]) -> ir.Value:
    """A structure's value of all its fields."""
    value = ir.Constant(structure, ir.Undefined)
    for i, field in enumerate(fields):
        value = builder.insert_value(value, field, i)
    return value


def slot(builder: ir.IRBuilder, kind: ir.Type, name: str = "") -> ir.Value:
    """A place in the function's frame."""
    with builder.goto_entry_block():
        return builder.alloca(kind, name=name)


def is_null(builder: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Whether a pointer or a whole number is zero."""
    return builder.icmp_unsigned("==", value, ir.Constant(value.type, None))


def text(builder: ir.IRBuilder, content: str) -> ir.Value:
    """A pointer to a text of the module's own, which ends with a zero byte."""
    written = bytearray(content.encode() + b"\0")
    kind = ir.ArrayType(ir.IntType(8), len(written))
    place = ir.GlobalVariable(builder.module, kind, builder.module.get_unique_name("text"))
    place.linkage, place.global_constant, place.initializer = "internal", True, ir.Constant(kind, written)
    return builder.bitcast(place, ir.IntType(8).as_pointer())
