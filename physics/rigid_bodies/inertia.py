"""Mass, centre of mass and principal moments of bodies put together (Steiner's theorem)."""

import numpy as np

from ..arithmetic.fixed_order import determinant, principal_axes


def point_inertia(mass: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) [kg m²] of points of mass (n,) [kg] at arm (n, 3) [m] about the origin."""
    square = np.einsum("ni,ni->n", arm, arm)
    return (mass * square).sum() * np.eye(3) - np.einsum("n,ni,nj->ij", mass, arm, arm)


def combined(
    mass: float, centre: np.ndarray, inertia: np.ndarray, points: np.ndarray, point_mass: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """(mass [kg], centre of mass (3,) [m], inertia about it (3, 3) [kg m²]) of a body with points (n, 3) [m] of mass
    (n,) [kg] fixed to it; `inertia` is the body's about its own centre.
    """
    total = mass + point_mass.sum()
    middle = (mass * centre + np.sum(point_mass[:, None] * points, axis=0)) / total
    whole = inertia + point_inertia(np.array([mass]), (centre - middle)[None])
    return total, middle, whole + point_inertia(point_mass, points - middle)


def principal(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(moments (3,), unit quaternion (w, x, y, z) that turns principal axes into those of `inertia` (3, 3))."""
    from scipy.spatial.transform import Rotation  # a sixth of a worker's start, which only bodies need

    moments, axes = principal_axes(inertia)
    if determinant(axes) < 0.0:
        axes[:, 0] *= -1.0
    return moments, np.roll(Rotation.from_matrix(axes).as_quat(), 1)
