"""Volume, centre of mass and inertia of solids of even density. No bpy.

A closed mesh by the divergence theorem: the sum over its triangles (a, b, c) of signed tetrahedra with the origin, each
of volume V = det/6, centroid (a + b + c)/4 and ∫x xᵀ dV = V/20 · (aaᵀ + bbᵀ + ccᵀ + ssᵀ), s = a + b + c (Tonon 2004).
"""

from collections import namedtuple

import numpy as np

from ..physics.arithmetic.fixed_order import determinant, dot, product
from ..physics.validate.edge_sides import edge_sides

Gaps = namedtuple("Gaps", "open crossed")  # how many edges of a mesh have one side; two sides that disagree on outside


class Solid(namedtuple("Solid", "volume centre spread surface")):
    """volume [m³], centre of mass (3,) [m], spread (3, 3) [m²]: mean of (x − centre)(x − centre)ᵀ, surface [m²]."""

    def inertia(self, mass: float) -> np.ndarray:
        """Inertia (3, 3) [kg m²] about the centre for a mass [kg]."""
        return mass * (np.trace(self.spread) * np.eye(3) - self.spread)

    @property
    def face(self) -> float:
        """Area [m²] seen from afar: of a convex body on average a quarter of its surface (Cauchy 1832)."""
        return 0.25 * self.surface


def of_mesh(x: np.ndarray, triangles: np.ndarray) -> Solid:
    """The Solid within vertices x (n, 3) [m] and triangles (m, 3), which close it; facing inwards or outwards."""
    middle = 0.5 * (x.min(axis=0) + x.max(axis=0))
    corner = (x - middle)[triangles]
    a, b, c = np.moveaxis(corner, 1, 0)
    normal = np.cross(b - a, c - a)
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    whole, total = volume.sum(), corner.sum(axis=1)
    if abs(whole) < np.finfo(float).tiny:
        return Solid(0.0, middle, np.zeros((3, 3)), 0.5 * np.linalg.norm(normal, axis=1).sum())
    centre = dot(total.T, volume) / (4.0 * whole)
    moment = np.einsum("t,tki,tkj->ij", volume, corner, corner) + np.einsum("t,ti,tj->ij", volume, total, total)
    spread = moment / (20.0 * whole) - np.outer(centre, centre)
    return Solid(abs(whole), middle + centre, spread, 0.5 * np.linalg.norm(normal, axis=1).sum())


def of_box(centre: np.ndarray, sides: np.ndarray) -> Solid:
    """The Solid around a centre (3,) [m] with edges along the rows of `sides` (3, 3) [m], its whole lengths."""
    faces = np.cross(sides, np.roll(sides, -1, axis=0))
    surface = 2.0 * np.linalg.norm(faces, axis=1).sum()
    return Solid(abs(determinant(sides)), np.asarray(centre), product(sides.T, sides) / 12.0, surface)


def of_sphere(centre: np.ndarray, radius: float) -> Solid:
    """The Solid within `radius` [m] of a centre (3,) [m]."""
    volume = 4.0 / 3.0 * np.pi * radius**3
    return Solid(volume, np.asarray(centre), radius**2 / 5.0 * np.eye(3), 4.0 * np.pi * radius**2)


def gaps(x: np.ndarray, triangles: np.ndarray) -> Gaps:
    """The Gaps in a mesh whose vertices x (n, 3) count as one where they are in the same place."""
    sides, balance = edge_sides(x, triangles)
    return Gaps(int(np.sum(sides % 2 == 1)), int(np.sum((sides % 2 == 0) & (balance != 0))))
