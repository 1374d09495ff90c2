"""A row of a table in a kernel's own frame: scratch of a fixed size that nobody has to be handed."""

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .values import slot

LINE = 64  # bytes: as processors read them


def _row(context: Any, kind: Any) -> Any:
    """A record of a dtype that is a module's constant, with nothing put there yet."""

    def place(context: Any, builder: ir.IRBuilder, signature: Any, values: Any) -> ir.Value:
        row = slot(builder, ir.ArrayType(ir.IntType(8), kind.dtype.size))
        row.align = LINE
        return builder.bitcast(row, context.get_value_type(kind.dtype))

    return (kind.dtype(kind), place) if isinstance(kind, types.DType) else None


on_stack: Callable[[np.dtype], np.record] = intrinsic(_row)  # type: ignore[assignment]
