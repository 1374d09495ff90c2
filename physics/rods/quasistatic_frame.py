"""Quasistatic material frame: the angles θ that minimise the energy on a given centreline (Bergou 2008, §5.1), less
the work Σ T^j θ^j of loads on the frames.

Newton on ∂E/∂θ^j = T^j (eq. 7) with its tridiagonal Hessian, cyclic for a closed rod. Where that is indefinite
a multiple of the identity is added; a long step has to lower the energy by more than the loads' work.
"""

import numpy as np

from .._jit import kernel
from ..cosines_sines import cosines_sines
from .curvature import material_curvature
from .curved_hinge import curved_angle_derivatives, rest_of, stiffness_of
from .general_force import general_energy
from .hinge import angle_derivatives

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
    k: np.ndarray,
    theta: np.ndarray,
    hinges: np.ndarray,
    load: np.ndarray,
    gradient: np.ndarray,
    diagonal: np.ndarray,
    beside: np.ndarray,
) -> None:
    """∂E/∂θ − T and the Hessian's diagonal (n + 1,) [N m] of the frames on both sides of n hinges, rows of
    Model.hinges, with the loads T (n + 1,); beside (n or more,): minus what is next to it.
    """
    cosine, sine = gradient, diagonal  # of each frame, until these are written
    cosines_sines(theta, cosine, sine)
    c, s = cosine[0], sine[0]
    gradient[0], diagonal[0] = -load[0], 0.0
    for i in range(len(hinges)):
        rest, stiffness, rate = hinges[i].rest_curvature, hinges[i].bending, hinges[i].twist_rate
        twist = theta[i + 1] - theta[i] - hinges[i].rest_twist
        w1, w2 = material_curvature(k[i, 0], k[i, 1], c, s)
        c, s = cosine[i + 1], sine[i + 1]
        w3, w4 = material_curvature(k[i, 0], k[i, 1], c, s)
        if hinges[i].bent > 0.0:
            one, other, second, last, together = curved_angle_derivatives(
                stiffness_of(hinges[i]), (w1, w2, w3, w4), rest_of(hinges[i], twist), hinges[i].bent, twist
            )
            gradient[i] += one
            diagonal[i] += second
            gradient[i + 1], diagonal[i + 1], beside[i] = other - load[i + 1], last, -together
            continue
        torque, beside[i] = rate * twist, rate
        first, second = angle_derivatives(w1, w2, stiffness[0], stiffness[1], rest[0], rest[1])
        gradient[i] += first - torque
        diagonal[i] += second + rate
        first, second = angle_derivatives(w3, w4, stiffness[2], stiffness[3], rest[2], rest[3])
        gradient[i + 1] = first + torque - load[i + 1]
        diagonal[i + 1] = second + rate


@kernel
def open_step(
    gradient: np.ndarray,
    diagonal: np.ndarray,
    beside: np.ndarray,
    fixed: np.ndarray,
    pivot: np.ndarray,
    step: np.ndarray,
) -> bool:
    """Solve H step = −gradient for an open rod, fixed angles kept; false when H is not positive definite."""
    m = len(gradient)
    before = 0.0  # the eliminated off-diagonal over its pivot
    for j in range(m):
        if fixed[j]:
            pivot[j] = before = step[j] = 0.0
            continue
        off = -beside[j - 1] if j > 0 and not fixed[j - 1] else 0.0
        d = diagonal[j] - off * before
        if not d > 1e-14 * diagonal[j]:
            return False
        step[j] = (-gradient[j] - (off * step[j - 1] if j > 0 else 0.0)) / d
        before = -beside[j] / d if j + 1 < m else 0.0
        pivot[j] = before
    for j in range(m - 2, -1, -1):
        if not fixed[j] and not fixed[j + 1]:
            step[j] -= pivot[j] * step[j + 1]
    return True


@kernel
def cyclic_step(
    gradient: np.ndarray,
    diagonal: np.ndarray,
    beside: np.ndarray,
    fixed: np.ndarray,
    pivot: np.ndarray,
    column: np.ndarray,
    step: np.ndarray,
) -> bool:
    """Solve H step = −gradient for a closed rod of m − 1 angles; fixed ones are kept, the last entry copies the first.

    Bordering: the last angle is eliminated after the open chain of the others has been solved for two right-hand sides.
    """
    m = len(gradient) - 1
    before = 0.0
    for j in range(m - 1):
        if fixed[j]:
            pivot[j] = before = step[j] = column[j] = 0.0
            continue
        off = -beside[j - 1] if j > 0 and not fixed[j - 1] else 0.0
        d = diagonal[j] - off * before
        if not d > 1e-14 * diagonal[j]:
            return False
        border = 0.0
        if j == 0:
            border -= beside[m - 1]
        if j == m - 2:
            border -= beside[m - 2]
        step[j] = (-gradient[j] - (off * step[j - 1] if j > 0 else 0.0)) / d
        column[j] = (border - (off * column[j - 1] if j > 0 else 0.0)) / d
        before = -beside[j] / d
        pivot[j] = before
    for j in range(m - 3, -1, -1):
        step[j] -= pivot[j] * step[j + 1]
        column[j] -= pivot[j] * column[j + 1]
    if fixed[m - 1]:
        step[m - 1], step[m] = 0.0, step[0]
        return True
    first, last = -beside[m - 1], -beside[m - 2]
    d = diagonal[m - 1] - first * column[0] - last * column[m - 2]
    if not d > 1e-14 * diagonal[m - 1]:
        return False
    step[m - 1] = (-gradient[m - 1] - first * step[0] - last * step[m - 2]) / d
    for j in range(m - 1):
        step[j] -= column[j] * step[m - 1]
    step[m] = step[0]
    return True


@kernel
def quasistatic_frame(
    k: np.ndarray,
    hinges: np.ndarray,
    load: np.ndarray,
    fixed: np.ndarray,
    closed: bool,
    theta: np.ndarray,
    rows: np.ndarray | Rows,
) -> bool:
    """Bring theta (m,) [rad] to equilibrium with the loads (m,) [N m] in place, from where it is; rows (6 or more, m)
    are scratch.

    A closed rod's last angle is that of its first edge met again, θ^m − θ^0 being kept; the last load is that of both,
    the first nil. Returns whether it converged.
    """
    m = len(theta)
    gradient, diagonal, pivot, column, step, beside = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
    energy = before = 0.0  # before: the step before, where δ' = C δ² held from there
    known = False
    for _ in range(ROUNDS):
        derivatives(k, theta, hinges, load, gradient, diagonal, beside)
        if closed:
            gradient[0] += gradient[m - 1]
            diagonal[0] += diagonal[m - 1]
            gradient[m - 1] = 0.0
        longest = unbalanced = stiffest = 0.0
        for j in range(m):
            stiffest = max(stiffest, abs(diagonal[j]))
            if not fixed[j]:
                unbalanced = max(unbalanced, abs(gradient[j]))
        shift = SINGULAR * stiffest
        for _ in range(SHIFTS):
            for j in range(m):
                diagonal[j] += shift
            if closed:
                solved = cyclic_step(gradient, diagonal, beside, fixed, pivot, column, step)
            else:
                solved = open_step(gradient, diagonal, beside, fixed, pivot, step)
            if solved:
                break
            shift *= SHIFTED
        if not solved:
            return False
        for j in range(m):
            longest = max(longest, abs(step[j]))
        if longest > QUADRATIC and unbalanced <= BALANCED * stiffest:
            return True
        if longest > LONG:
            if not known:
                energy = general_energy(k, theta, hinges)
            scale, work = min(1.0, 1.0 / longest), 0.0
            for j in range(m):
                work += load[j] * step[j]
                theta[j] += scale * step[j]
            lowered = general_energy(k, theta, hinges)
            while lowered - scale * work > (1.0 + ROUNDING) * energy and scale * longest > TOLERANCE:
                for j in range(m):
                    theta[j] -= 0.5 * scale * step[j]
                scale *= 0.5
                lowered = general_energy(k, theta, hinges)
            energy, known, before = lowered, True, 0.0
        else:
            known = False
            for j in range(m):
                theta[j] += step[j]
            if longest < QUADRATIC or SURE * longest**3 < TOLERANCE * before * before:
                return True
            before = longest if shift == SINGULAR * stiffest else 0.0
    return False
