"""Cross-section and material to stiffness, mass and rotary inertia: pure functions, SI units, numpy only.

A section is an ellipse with half-axes a = aspect·r along m₁ and b = r along m₂, or a tube: what that ellipse has
around the similar one of the inner radius. Of an ellipse (Love, *Mathematical Theory of Elasticity*, ch. XIV)

    A = πab ,  I₁ = A a²/4 ,  I₂ = A b²/4 ,  J = πa³b³/(a² + b²) ,

of a circle I = πr⁴/4 and J = πr⁴/2. A tube has the difference of both ellipses' in each. In J this is exact as well:
Saint-Venant's stress function is constant along the similar ellipse, so nothing crosses it (Timoshenko & Goodier,
*Theory of Elasticity*, ch. 10, "Torsion of Hollow Shafts").
"""

from dataclasses import dataclass, fields

import numpy as np

from .materials import Material


@dataclass(frozen=True)
class Section:
    """Per radius given: bend_stiffness (k, 2) [N m²] (towards m₁, m₂), twist (k,) [N m²], stretch (k,) [N], mass (k,)
    [kg/m].
    """

    bend_stiffness: np.ndarray
    twist_stiffness: np.ndarray
    stretch_stiffness: np.ndarray
    mass_per_length: np.ndarray


def section(
    radius: np.ndarray | float, aspect: float, material: Material, inner_radius: np.ndarray | float = 0.0
) -> Section:
    """Stiffness and mass of sections, radius and inner_radius (k,) or one for all [m] → Section."""
    outer, inner = (_ellipse(each, aspect, material) for each in (radius, inner_radius))
    return Section(*(getattr(outer, column.name) - getattr(inner, column.name) for column in fields(Section)))


def _ellipse(radius: np.ndarray | float, aspect: float, material: Material) -> Section:
    b = np.asarray(radius, dtype=np.float64)
    a = aspect * b
    area = np.pi * a * b
    bend = material.bend_factor * material.young * 0.25 * area
    factor = material.bend_factor * material.twist_factor
    across = np.asarray(a**2 + b**2)
    return Section(
        bend_stiffness=np.stack([bend * a**2, bend * b**2], axis=-1),
        twist_stiffness=np.divide(
            factor * material.shear * np.pi * a**3 * b**3, across, out=np.zeros_like(across), where=across > 0.0
        ),
        stretch_stiffness=material.young * area,
        mass_per_length=material.density * area,
    )


def gyration(radius: np.ndarray, aspect: float = 1.0, inner_radius: np.ndarray | float | None = None) -> np.ndarray:
    """Squares of the radii of gyration (k, 2) [m²] towards m₁, m₂: I/A = (a² + a²_inner)/4, (b² + b²_inner)/4.

    A mass m of rod has the rotary inertia m times these about m₂, m₁, and m times their sum about itself.
    """
    squares = 0.25 * (np.asarray(radius) ** 2 + (0.0 if inner_radius is None else np.asarray(inner_radius) ** 2))
    return np.stack([aspect**2 * squares, squares], axis=-1)


def refusal(radius: np.ndarray, inner_radius: np.ndarray) -> str:
    """What is wrong with inner radii (n,) [m] at the points of a rod, for a sentence; "" if nothing is."""
    wrong = (inner_radius != 0.0) & ~((inner_radius >= 0.0) & (inner_radius < radius))
    if not wrong.any():
        return ""
    where = int(wrong.argmax())
    return (
        f"the inner radius at point {where} is {inner_radius[where]:g} m: keep it from 0, which is solid, to less than "
        f"the radius, {radius[where]:g} m there"
    )
