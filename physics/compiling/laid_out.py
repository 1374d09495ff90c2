"""Scratch as it is declared: a Column, as State's arrays have, says what has a row in it, and of which kind."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar, get_type_hints

import numpy as np

Scratch = TypeVar("Scratch")


def laid_out(of: Callable[..., Scratch], rows: Mapping[str, int], /, **others: Any) -> Scratch:
    """All arrays of a class that declares a Column for each, of zeros; rows: how many there are of each kind."""
    columns = get_type_hints(of, include_extras=True).items()
    own = {name: hint.__metadata__[0] for name, hint in columns if name not in others}
    return of(**others, **{name: np.zeros(rows[column.of], column.kind) for name, column in own.items()})
