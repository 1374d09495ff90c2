"""Meshes of tetrahedra from files, of Gmsh and of VTK, as `meshio` reads them."""

from pathlib import Path

import numpy as np

from ..physics.solids.tetrahedra import FLATTEST, dihedral_angles, volumes
from ..physics.validate import SceneError

READERS = {".msh": "gmsh", ".vtk": "vtk", ".vtu": "vtu"}  # of meshio


def read(path):
    """(x (n, 3), tetrahedra (t, 4)) of a file, without nodes that belong to none. Raises SceneError."""
    import meshio

    name, kind = Path(path).name, READERS.get(Path(path).suffix.lower())
    if kind is None:
        raise SceneError(name, f"'{name}' is none of {', '.join(READERS)}: convert it to one of these.")
    try:
        mesh = getattr(meshio, kind).read(path)
        cells = [np.asarray(block.data) for block in mesh.cells if block.type == "tetra"]
        points = np.asarray(mesh.points, np.float64)
    except OSError as error:
        raise SceneError(name, f"'{name}' cannot be read ({error.strerror}): choose another file.") from None
    except (meshio.ReadError, ValueError, LookupError, AssertionError, TypeError, ArithmeticError) as error:
        raise SceneError(name, f"'{name}' is no mesh that can be read ({error}): write it anew.") from None
    if not cells:
        raise SceneError(
            name, f"'{name}' has no tetrahedra of four nodes: mesh the volume, with elements of first order."
        )
    used, nodes = np.unique(np.concatenate(cells), return_inverse=True)
    if used[0] < 0 or used[-1] >= len(points) or points.shape[1] != 3 or not np.isfinite(points[used]).all():
        raise SceneError(name, f"'{name}' has tetrahedra of nodes that are not there or not numbers: write it anew.")
    return points[used], nodes.reshape(-1, 4).astype(np.int64)


def report(x, tetrahedra):
    """(whether they will do, a sentence about tetrahedra (t, 4) of nodes x (n, 3))."""
    corners = x[tetrahedra]
    inverted, flat = int((volumes(corners) < 0.0).sum()), int((volumes(corners) == 0.0).sum())
    angle = dihedral_angles(corners[volumes(corners) != 0.0]).min(axis=1, initial=180.0)
    bad, worst = int((angle < FLATTEST).sum()), angle.min(initial=180.0)
    told = [f"{len(x)} nodes", f"{len(tetrahedra)} tetrahedra", f"the smallest dihedral angle is {worst:.3g}°"]
    told += [f"{bad} have one below {FLATTEST:g}°"] * (bad > 0)
    told += [f"{inverted} are inside out"] * (inverted > 0) + [f"{flat} have no volume"] * (flat > 0)
    return not (bad or inverted or flat), ", ".join(told)
