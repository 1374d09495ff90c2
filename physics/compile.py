"""Compiles every kernel ahead of the first bake of an installation, and says whether that has been done."""

import sys

import numpy as np

from ._jit import CACHE_FOLDER
from .materials import Material
from .scene import ForceField, Pin, Rod, Scene
from .simulate import simulate

DONE = CACHE_FOLDER / f"complete-{sys.implementation.cache_tag}"  # numba keeps each Python's machine code apart


def is_compiled():
    """Whether this installation's kernels are on disk."""
    return DONE.exists()


def warm_up():
    """Compile what is missing: yields a line for each part before it is compiled."""
    yield "physics kernels"
    x = np.zeros((4, 3))
    x[:, 0] = np.linspace(0.0, 0.1, 4)
    rod = Rod.from_material("warm-up", x, 0.002, Material(1e6, 0.5, 1000.0))
    wind = ForceField("warm-up", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]]))
    for _ in simulate(Scene((rod,), 1e-4, 2, pins=(Pin.fixed(rod, 0, 0, "TWIST"),), fields=(wind,))):
        pass
    yield "settling"
    for _ in simulate(Scene((rod,), 1e-4, 1, pins=(Pin.fixed(rod, 0, 0, "TWIST"),), settle=True, gravity=np.zeros(3))):
        pass
    DONE.parent.mkdir(parents=True, exist_ok=True)
    DONE.touch()
