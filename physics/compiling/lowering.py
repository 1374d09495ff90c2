"""Kernels written for LLVM with a quarter less to say, for it to do away with.

Nothing is owned by a kernel's variable that would have to be let go of before it is overwritten, and none is read
before it is set. And numba's range may step by anything and either way: a dozen instructions and four branches to begin
with, at each loop. range(n) and range(a, b) just count.
"""

from typing import Any

from llvmlite import ir as llvm
from numba import types
from numba.core import ir
from numba.core.ir_utils import get_definition, guard
from numba.core.lowering import Lower

from .values import filled, slot

PAIR = {"pair_first": 0, "pair_second": 1}  # of what an iterator gives: the next, and whether there was one
START, STOP = 0, 1  # of a range
NEXT, LAST = 0, 1  # of what goes through it


class LowerKernel(Lower):
    """Writes one kernel."""

    def _alloca_var(self, name: str, kind: types.Type) -> None:
        if name not in self.varmap and name not in self._singly_assigned_vars:
            self.varmap[name] = slot(self.builder, self.context.get_value_type(kind), name)

    def loadvar(self, name: str) -> llvm.Value:
        """The value of a variable."""
        if name in self._blk_local_varmap:
            return self._blk_local_varmap[name]
        return self.builder.load(self.getvar(name))

    def storevar(self, value: llvm.Value, name: str, argidx: int | None = None) -> None:
        """Sets a variable."""
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def lower_expr(self, kind: Any, expression: ir.Expr) -> llvm.Value:
        """The value of an expression."""
        builder = self.builder
        if expression.op in PAIR:
            return builder.extract_value(self.loadvar(expression.value.name), PAIR[expression.op])
        if not self._counts(kind, expression):
            return super().lower_expr(kind, expression)
        structure = self.context.get_value_type(kind)
        if expression.op == "call":
            size = structure.elements[START]
            bounds = [self.context.cast(builder, self.loadvar(i.name), self.typeof(i.name), kind.dtype)
                      for i in expression.args]  # fmt: skip
            return filled(builder, structure, [*[size(0)] * (2 - len(bounds)), *bounds, size(1)])
        value = self.loadvar(expression.value.name)
        if expression.op == "getiter":
            start = builder.extract_value(value, START)
            number = slot(builder, start.type)
            builder.store(start, number)
            return filled(builder, structure, (number, builder.extract_value(value, STOP)))
        number, stop = (builder.extract_value(value, k) for k in (NEXT, LAST))
        i = builder.load(number)
        builder.store(builder.add(i, i.type(1), flags=["nsw"]), number)
        return filled(builder, structure, (i, builder.icmp_signed("<", i, stop)))

    def _counts(self, kind: types.Type, expression: ir.Expr) -> bool:
        """Whether that is range(n) or range(a, b), the beginning of a loop over one, or a turn of it."""
        if expression.op == "iternext" and isinstance(self.typeof(expression.value.name), types.RangeIteratorType):
            expression = self.func_ir.get_definition(expression.value)
        if expression.op == "getiter" and isinstance(self.typeof(expression.value.name), types.RangeType):
            expression, kind = guard(get_definition, self.func_ir, expression.value), types.range_state64_type
        one = isinstance(expression, ir.Expr) and expression.op == "call" and not expression.vararg
        return one and isinstance(kind, types.RangeType) and len(expression.args) < 3
