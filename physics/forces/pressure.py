"""Pressure of the gas in the chambers of soft bodies: in the cavities that tetrahedra enclose, or in pores.

A chamber of the volume V is full of gas of the pressure p above what is all around. Its energy is −p V where p is
given, as by a pump. Sealed, what was filled in at the pressure p₀ in the drawn volume V₀ obeys Boyle's law, with the
pressure a all around:

    E = −(a + p₀) V₀ ln(V/V₀) + a (V − V₀),    −∂E/∂V = p = (a + p₀) V₀/V − a.

Gas that weighs w = (ρ_gas − ρ_around) g more than as much of what is around has besides E = −w·∫(x − c) dV: so p is
told at the place c, where the chamber was drawn, and higher up it is less or more. All of it together lifts by −w V
(Archimedes).

Around the chamber is a polyhedron, V = Σ x_a·(x_b × x_c)/6, and the forces on its corners are −∂E/∂x exactly: with
p(x) linear on a triangle of the area A and the normal n, out of the chamber,

    F_i = A n ∫p φ_i = A n (p_a + p_b + p_c + p_i)/12.

They have neither a sum nor a torque where the gas has no weight. A cavity's walls are pressed apart. A body without
any is taken for a sponge whose skin is tight: stresses are those of its material less p I (Terzaghi 1925), which is p
on its surface, from within.
"""

from math import log

import numpy as np

from .._jit import entry, kernel
from ..arithmetic.vectors import Vector, cross, dot, plus, vector
from ..constraints.influence import number_at
from ..model import Model

# Of the drawn volume: less of it is pressed as that is. There air of one atmosphere pushes 1e11 Pa, half of Young's
# modulus of steel: no soft body is pressed so far, but one that has turned inside out has no volume at all.
SMALLEST = 1e-6
# Of the drawn volume, that is 5 times as wide: there rubber breaks (Treloar 1944: sheets of it pulled both ways to 4 or
# 5 times their length). A wall of neo-Hookean material that has grown 1.4 times as wide holds ever less from there on.
BURST = 125.0


@kernel
def corners(wall: np.record, centre: Vector, x: np.ndarray) -> tuple[Vector, Vector, Vector]:
    """Of a WALL, from its chamber's drawn centre [m], at x (N, 3)."""
    node = wall.corner
    a, b, c = vector(x[node[0]]), vector(x[node[1]]), vector(x[node[2]])
    return plus(a, -1.0, centre), plus(b, -1.0, centre), plus(c, -1.0, centre)


@kernel
def volume_of(model: Model, chamber: np.record, x: np.ndarray) -> float:
    """[m³] of a CHAMBER at x (N, 3)."""
    total = 0.0
    for t in range(chamber.first, chamber.end):
        a, b, c = corners(model.solids.walls[t], vector(chamber.centre), x)
        total += dot(a, cross(b, c))
    return total / 6.0


@kernel
def pressure_at(model: Model, chamber: np.record, time: float, volume: float) -> float:
    """p [Pa] of a CHAMBER of such a volume [m³] at a time [s], at its drawn centre."""
    given = number_at(model.times, model.samples, chamber.first_sample, chamber.end_sample, time)
    if chamber.ambient == 0.0:
        return given
    return (chamber.ambient + given) * chamber.volume / max(volume, SMALLEST * chamber.volume) - chamber.ambient


@entry
def pressure_forces(model: Model, x: np.ndarray, time: float, f: np.ndarray) -> None:
    """Add those of all chambers at x (N, 3) and a time [s] to f (N, 3) [N]."""
    chambers, walls = model.solids.chambers, model.solids.walls
    for k in range(len(chambers)):
        centre, weight = vector(chambers[k].centre), vector(chambers[k].weight)
        volume = volume_of(model, chambers[k], x) if chambers[k].ambient > 0.0 else chambers[k].volume
        p = pressure_at(model, chambers[k], time, volume)
        for t in range(chambers[k].first, chambers[k].end):
            a, b, c = corners(walls[t], centre, x)
            normal = cross(plus(b, -1.0, a), plus(c, -1.0, a))  # 2 A n
            own = p + dot(weight, a), p + dot(weight, b), p + dot(weight, c)
            whole = own[0] + own[1] + own[2]
            for i in range(3):
                for axis in range(3):
                    f[walls[t].corner[i], axis] += (whole + own[i]) / 24.0 * normal[axis]


@kernel
def bursts(model: Model, x: np.ndarray) -> bool:
    """Whether a chamber at x (N, 3) has grown larger than any wall allows."""
    for k in range(len(model.solids.chambers)):
        if not volume_of(model, model.solids.chambers[k], x) < BURST * model.solids.chambers[k].volume:
            return True
    return False


@entry
def pressure_energy(model: Model, x: np.ndarray, time: float) -> float:
    """E [J] of all chambers at x (N, 3), under the pressures of a time [s]."""
    chambers, walls, total = model.solids.chambers, model.solids.walls, 0.0
    for k in range(len(chambers)):
        chamber, centre, weight = chambers[k], vector(chambers[k].centre), vector(chambers[k].weight)
        volume, drawn = volume_of(model, chamber, x), chamber.volume
        given = number_at(model.times, model.samples, chamber.first_sample, chamber.end_sample, time)
        if chamber.ambient > 0.0:
            filled = (chamber.ambient + given) * drawn
            total += chamber.ambient * (volume - drawn) - filled * log(max(volume / drawn, SMALLEST))
        else:
            total -= given * volume
        for t in range(chamber.first, chamber.end):
            a, b, c = corners(walls[t], centre, x)
            total -= dot(a, cross(b, c)) / 24.0 * dot(weight, plus(plus(a, 1.0, b), 1.0, c))
    return total
