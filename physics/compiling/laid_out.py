"""Scratch as it is declared: a Column, as State's arrays have, says what has a row in it, and of which kind.

Arrays without rows are shared, for nothing in them can change: small things have more of these than others, and numpy
takes 200 bytes for each.
"""

from collections.abc import Callable, Mapping
from functools import cache
from operator import is_
from typing import Annotated, Any, TypeVar, get_origin, get_type_hints

import numpy as np

from .by_reference import alike

Scratch = TypeVar("Scratch")
Tuple = TypeVar("Tuple", bound=tuple)
_EMPTY = dict[Any, np.ndarray]()  # by shape and type; which is itself, for numpy takes types of other numbers for alike


def laid_out(of: Callable[..., Scratch], rows: Mapping[str, int], /, **others: Any) -> Scratch:
    """All arrays of a class that declares a Column for each, of zeros; rows: how many there are of each kind."""
    own = {name: _zeros(rows[one.of], one.kind) for name, one in _columns(of).items() if name not in others}
    return of(**others, **own)


@cache
def _columns(of: Any) -> dict[str, Any]:
    hints = get_type_hints(of, include_extras=True).items()
    return {name: hint.__metadata__[0] for name, hint in hints if get_origin(hint) is Annotated}


def lean(arrays: Tuple) -> Tuple:
    """The same tuple of arrays, and of such tuples, with those without rows that all share."""
    own: Any = arrays
    shared = [_shared(one) if isinstance(one, np.ndarray) else lean(one) for one in own]
    return arrays if all(map(is_, shared, own)) else alike(arrays, own._make(shared))


def _zeros(rows: int, kind: Any) -> np.ndarray:
    return np.zeros(rows, kind) if rows else _none(kind)


@cache
def _none(kind: Any) -> np.ndarray:
    return np.zeros(0, kind)


def _shared(array: np.ndarray) -> np.ndarray:
    if array.size:
        return array
    known = array.shape, id(array.dtype)
    if known not in _EMPTY:
        _EMPTY[known] = np.zeros(array.shape, array.dtype)  # and not this one, which may be a part of a large one
    return _EMPTY[known]
