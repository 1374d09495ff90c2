"""Quasistatic material frame: the angles θ that minimise the energy on a given centreline (Bergou 2008, §5.1), less
the work Σ T^j θ^j of loads on the frames.

Newton on ∂E/∂θ^j = T^j (eq. 7) with its tridiagonal Hessian, cyclic for a closed rod. Where that is indefinite
a multiple of the identity is added; a long step has to lower the energy by more than the loads' work.
"""

import numpy as np

from .._jit import kernel
from ..elements.hinge_rows import COUNT, by_angles, lay_angles, rows_of
from ..linear.tridiagonal import minimise, minimise_ring
from .general_force import general_energy

TOLERANCE = 1e-12  # rad, the change of an angle that Newton leaves undone
QUADRATIC = 1e-6  # rad, a step whose successor is below the tolerance, for convergence is quadratic: δ' = C δ²
SURE = 4.0  # times what the next step should be by how the last ones shrank, for C changes
SINGULAR = 1e-14  # added to the Hessian, relative to its diagonal: a free rod may spin
BALANCED = 1e-11  # of the Hessian's diagonal [rad]: torques that weigh nothing, whatever angle they leave open
ROUNDING = 1e-14  # relative, of an energy
LONG = 1e-2  # rad, a step that has to prove that it lowers the energy
SHIFTED = 8.0  # times the last
SHIFTS = 24
ROUNDS = 2000  # kinks travel by a hinge or so in each
KEPT = 6  # the first of the rows that are not its scratch

Rows = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]


@kernel
def derivatives(
    theta: np.ndarray, rows: np.ndarray, load: np.ndarray, gradient: np.ndarray, diagonal: np.ndarray,
    beside: np.ndarray,
) -> None:  # fmt: skip
    """∂E/∂θ − T and the Hessian's diagonal (n + 1,) [N m] of the frames on both sides of n hinges, which `lay_hinges`
    has put to ROW, with the loads T (n + 1,); beside (n or more,): what is next to it.
    """
    n, one, second = len(theta) - 1, 0.0, 0.0  # what a frame has from the hinge before it
    lay_angles(theta, rows, gradient, diagonal)
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        by_angles(here)
        for l in range(min(COUNT, n - first)):
            i, found = first + l, here.by_angles
            gradient[i], diagonal[i], beside[i] = one + found[0, l] - load[i], second + found[2, l], found[4, l]
            one, second = found[1, l], found[3, l]
    gradient[n], diagonal[n] = one - load[n], second


@kernel
def newton_step(
    gradient: np.ndarray, diagonal: np.ndarray, beside: np.ndarray, fixed: np.ndarray, closed: bool,
    scratch: tuple[np.ndarray, np.ndarray], step: np.ndarray,
) -> bool:  # fmt: skip
    """Solve H step = −gradient, fixed angles kept; a closed rod's last angle copies its first. Whether H is positive
    definite. scratch: two of (m,).
    """
    if not closed:
        return minimise(gradient, diagonal, beside, fixed, scratch[0], step)
    m = len(step) - 1
    sound = minimise_ring(gradient[:m], diagonal[:m], beside, fixed[:m], scratch[0], scratch[1], step[:m])
    step[m] = step[0]
    return sound


@kernel
def shifted_step(
    gradient: np.ndarray, diagonal: np.ndarray, beside: np.ndarray, fixed: np.ndarray, closed: bool,
    scratch: tuple[np.ndarray, np.ndarray], shift: float, step: np.ndarray,
) -> float:  # fmt: skip
    """The same of H and a multiple of the identity, from `shift` on as much as makes it positive definite: so much, or
    −1. Both stay on the diagonal.
    """
    for _ in range(SHIFTS):
        for j in range(len(step)):
            diagonal[j] += shift
        if newton_step(gradient, diagonal, beside, fixed, closed, scratch, step):
            return shift
        shift *= SHIFTED
    return -1.0


@kernel
def descend(
    k: np.ndarray, theta: np.ndarray, hinges: np.ndarray, load: np.ndarray, step: np.ndarray, longest: float,
    energy: float,
) -> float:  # fmt: skip
    """Go so far along a step, at most `longest` [rad] in all, that the energy [J] falls by more than the loads' work:
    what it then is.
    """
    scale, work = min(1.0, 1.0 / longest), 0.0
    for j in range(len(theta)):
        work += load[j] * step[j]
        theta[j] += scale * step[j]
    lowered = general_energy(k, theta, hinges)
    while lowered - scale * work > (1.0 + ROUNDING) * energy and scale * longest > TOLERANCE:
        for j in range(len(theta)):
            theta[j] -= 0.5 * scale * step[j]
        scale *= 0.5
        lowered = general_energy(k, theta, hinges)
    return lowered


@kernel
def quasistatic_frame(
    k: np.ndarray, hinges: np.ndarray, load: np.ndarray, fixed: np.ndarray, closed: bool, theta: np.ndarray,
    lanes: np.ndarray, rows: np.ndarray | Rows,
) -> bool:  # fmt: skip
    """Bring theta (m,) [rad] to equilibrium with the loads (m,) [N m] in place, from where it is. lanes: ROW, to which
    `lay_hinges` has put the m − 1 hinges and their curvature k; rows (6 or more, m) are scratch.

    A closed rod's last angle is that of its first edge met again, θ^m − θ^0 being kept; the last load is that of both,
    the first nil. Returns whether it converged.
    """
    m = len(theta)
    gradient, diagonal, ratio, column, step, beside = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
    energy = before = 0.0  # before: the step before, where δ' = C δ² held from there
    known = False
    for _ in range(ROUNDS):
        derivatives(theta, lanes, load, gradient, diagonal, beside)
        if closed:
            gradient[0] += gradient[m - 1]
            diagonal[0] += diagonal[m - 1]
            gradient[m - 1] = 0.0
        longest = unbalanced = stiffest = 0.0
        for j in range(m):
            stiffest = max(stiffest, abs(diagonal[j]))
            if not fixed[j]:
                unbalanced = max(unbalanced, abs(gradient[j]))
        least = SINGULAR * stiffest
        shift = shifted_step(gradient, diagonal, beside, fixed, closed, (ratio, column), least, step)
        if shift < 0.0:
            return False
        for j in range(m):
            longest = max(longest, abs(step[j]))
        if longest > QUADRATIC and unbalanced <= BALANCED * stiffest:
            return True
        if longest > LONG:
            if not known:
                energy = general_energy(k, theta, hinges)
            energy, known, before = descend(k, theta, hinges, load, step, longest, energy), True, 0.0
        else:
            known = False
            for j in range(m):
                theta[j] += step[j]
            if longest < QUADRATIC or SURE * longest**3 < TOLERANCE * before * before:
                return True
            before = longest if shift == least else 0.0
    return False
