"""Named tuples of arrays that kernels take as one pointer; or, where numba is not as `pointers` has it, as all that
their arrays are made of: then a rod takes more than three minutes and three GB to compile.
"""

from typing import TypeVar

from .inside import inside

Class = TypeVar("Class", bound=type)
Tuple = TypeVar("Tuple", bound=tuple)
_POINTERS = inside("pointers")


def by_reference(named_tuple: Class) -> Class:
    """Decorates a class of named tuples of arrays, and of such tuples."""
    found: Class = _POINTERS.by_reference(named_tuple) if _POINTERS else named_tuple
    return found


def alike(known: Tuple, value: Tuple) -> Tuple:
    """The second tuple, whose arrays are of the same kinds as the first one's: nobody need look at them again."""
    found: Tuple = _POINTERS.alike(known, value) if _POINTERS else value
    return found
