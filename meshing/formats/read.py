"""Reads whatever file of tetrahedra there is."""

from collections.abc import Callable

import numpy as np

from .gmsh import read_gmsh
from .unreadable import Unreadable
from .vtk import read_vtk
from .vtu import read_vtu

READERS: dict[str, Callable[[bytes], tuple[np.ndarray, np.ndarray]]]
READERS = {".msh": read_gmsh, ".vtk": read_vtk, ".vtu": read_vtu}


def read_tetrahedra(data: bytes, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """(x (n, 3), tetrahedra (t, 4)) of a file whose name ends in `kind`, without nodes that belong to none. Raises
    Unreadable.
    """
    x, found = READERS[kind](data)
    if not len(found):
        raise Unreadable("it has no tetrahedra of four nodes")
    used, nodes = np.unique(found, return_inverse=True)
    if not (np.abs(x[used]) <= np.finfo(np.float32).max).all():  # which is all that a mesh can hold
        raise Unreadable("it has tetrahedra of nodes whose places are not numbers, or too large")
    return np.array(x[used], np.float64), nodes.reshape(-1, 4).astype(np.int64)
