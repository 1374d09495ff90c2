"""Stretching energy for rods that stretch: E = Σ_j EA (|e^j| − l_j)²/2l_j, in place of the inextensibility
constraint.
"""

from math import sqrt

from .._jit import njit


@njit
def add_stretching(x, closed, stiffness, length, f):
    """Add the force to f (n, 3) [N]; stiffness EA (m,) [N], length (m,) [m]. Returns the energy [J]."""
    n = len(x)
    energy = 0.0
    for j in range(n if closed else n - 1):
        i = j + 1 if j + 1 < n else 0
        bx, by, bz = x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2]
        size = sqrt(bx * bx + by * by + bz * bz)
        strain = size / length[j] - 1.0
        energy += 0.5 * stiffness[j] * strain * strain * length[j]
        k = stiffness[j] * strain / size
        f[j, 0] += k * bx
        f[j, 1] += k * by
        f[j, 2] += k * bz
        f[i, 0] -= k * bx
        f[i, 1] -= k * by
        f[i, 2] -= k * bz
    return energy
