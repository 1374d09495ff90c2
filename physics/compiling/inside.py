"""What of this package takes parts of numba's inside, which its interfaces do not promise: where one of them is gone,
all is compiled without.

With the numba that is KNOWN to have them all nothing is tried; with another one a small program is, for what is gone
may be missed only when something is compiled.
"""

import functools
import importlib
from types import ModuleType

import numba

KNOWN = "0.68.1"  # the version of numba that extension zips carry


@functools.cache
def inside(name: str) -> ModuleType | None:
    """A module of this package; None: numba is not as it has it, so it cannot be imported, or it says no itself."""
    try:
        module = importlib.import_module(f".{name}", __package__)
        return module if numba.__version__ == KNOWN or module.works() else None
    except Exception:  # whatever another version lacks or has otherwise
        return None
