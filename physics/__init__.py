"""Discrete elastic rods in SI units: a library of its own, without Blender."""
