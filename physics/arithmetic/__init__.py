"""Vectors, turns and arrays, for kernels; quaternions and sums in one order, for numpy."""
