"""What numba is taught, for all kernels to be compiled in a quarter of the time: by its interfaces for extensions, and
in `programs` by its compiler's own parts. What a kernel means stays the same.
"""

from . import indexing, of_numbers, remembered  # numba knows of them from here on

__all__ = ["indexing", "of_numbers", "remembered"]
