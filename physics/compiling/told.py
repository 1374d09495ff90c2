"""Who is told when a program is compiled: so nothing compiles in silence, and tests count. And what is told of one that
does not compile, which ends what called it. No numba.
"""

from collections.abc import Callable

# Called with the name of each program (see `programs`) before it is compiled; what is loaded is not told.
listeners: list[Callable[[str], None]] = []
_ROUND = "Failed in ", "During: ", "File ", "<"  # how lines of numba's begin that do not say why


class CompileError(Exception):
    """str() says which program, and why."""


def tell(name: str) -> None:
    """Tells that the program of such a name is compiled now."""
    for listener in listeners:
        listener(name)


def not_compiled(name: str, error: BaseException) -> CompileError:
    """What is raised of a program that the compiler ended so with."""
    lines = [line.strip() for line in str(error).splitlines()]
    why = next((line for line in lines if line and not line.startswith(_ROUND)), type(error).__name__)
    told = CompileError(f"{name} did not compile: {why.rstrip('.')}")
    told.__cause__ = error
    return told
