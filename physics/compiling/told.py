"""Who is told when a program is compiled: so nothing compiles in silence, and tests count. No numba."""

from collections.abc import Callable

# Called with the name of each program (see `programs`) before it is compiled; what is loaded is not told.
listeners: list[Callable[[str], None]] = []


def tell(name: str) -> None:
    """Tells that the program of such a name is compiled now."""
    for listener in listeners:
        listener(name)
