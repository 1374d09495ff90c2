"""Scratch as it is declared: a Column, as State's arrays have, says what has a row in it, and of which kind."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

import numpy as np

Scratch = TypeVar("Scratch")


def laid_out(of: Callable[..., Scratch], rows: Mapping[str, int], /, **others: Any) -> Scratch:
    """All arrays of a class that declares a Column for each, of zeros; rows: how many there are of each kind."""
    columns = get_type_hints(of, include_extras=True).items()
    own = {name: hint.__metadata__[0] for name, hint in columns if name not in others}
    return of(**others, **{name: _zeros(rows[column.of], column.kind) for name, column in own.items()})


def _zeros(rows: int, kind: Any) -> np.ndarray:
    return np.zeros(rows, kind) if rows else _none(kind)


@cache
def _none(kind: Any) -> np.ndarray:
    """Of no rows, which all may share: a small Workspace has more of these than others."""
    return np.zeros(0, kind)
