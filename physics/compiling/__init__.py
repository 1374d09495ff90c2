"""What numba is taught, for all kernels to be compiled in seconds where it takes a minute: through its interfaces for
extensions, each file on its own. What a kernel means stays the same.
"""
