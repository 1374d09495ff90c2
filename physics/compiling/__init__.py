"""How kernels are compiled, and where they are kept. Nothing here changes what numba does for anyone else in the
process.
"""
