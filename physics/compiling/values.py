"""What LLVM's code is made of here: structures put together, and places for variables, with nothing put there yet."""

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
