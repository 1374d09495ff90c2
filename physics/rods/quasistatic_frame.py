"""Quasistatic material frame: the angles θ that minimise the energy on a given centreline (Bergou 2008, §5.1), less
the work Σ T^j θ^j of loads on the frames.

Newton on ∂E/∂θ^j = T^j (eq. 7) with its tridiagonal Hessian, cyclic for a closed rod. Where that is indefinite
a multiple of the identity is added; a long step has to lower the energy by more than the loads' work.
"""

import numpy as np

from .._jit import kernel
from ..elements.hinge_rows import COUNT, by_angles, lay_angles, rows_of
from .general_force import general_energy

TOLERANCE = 1e-12  # rad, the change of an angle that Newton leaves undone
QUADRATIC = 1e-6  # rad, a step whose successor is below the tolerance, for convergence is quadratic: δ' = C δ²
SURE = 4.0  # times what the next step should be by how the last ones shrank, for C changes
TINY = 1e-14  # of the Hessian's diagonal: a pivot that is none
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
    theta: np.ndarray,
    rows: np.ndarray,
    load: np.ndarray,
    gradient: np.ndarray,
    diagonal: np.ndarray,
    beside: np.ndarray,
) -> None:
    """∂E/∂θ − T and the Hessian's diagonal (n + 1,) [N m] of the frames on both sides of n hinges, which `lay_hinges`
    has put to ROW, with the loads T (n + 1,); beside (n or more,): minus what is next to it.
    """
    n, one, second = len(theta) - 1, 0.0, 0.0  # what a frame has from the hinge before it
    lay_angles(theta, rows, gradient, diagonal)
    for b in range(rows_of(n)):
        here, first = rows[b], COUNT * b
        by_angles(here)
        for l in range(min(COUNT, n - first)):
            i, found = first + l, here.by_angles
            gradient[i], diagonal[i], beside[i] = one + found[0, l] - load[i], second + found[2, l], -found[4, l]
            one, second = found[1, l], found[3, l]
    gradient[n], diagonal[n] = one - load[n], second


@kernel
def open_step(
    gradient: np.ndarray,
    diagonal: np.ndarray,
    beside: np.ndarray,
    fixed: np.ndarray,
    pivot: np.ndarray,
    step: np.ndarray,
) -> bool:
    """Solve H step = −gradient for an open rod, fixed angles kept; false when H is not positive definite.

    From both ends to the middle, and back: either half waits for quotients of its own.
    """
    m = len(gradient)
    middle, sound = m // 2, True
    a = b = s = r = 0.0  # of the last one of either half: what couples it on over its pivot, and its step so far
    for j in range(middle):
        k = m - 1 - j
        a, s, well = eliminated(gradient[j], diagonal[j], beside[j - 1] if j > 0 else 0.0, beside[j], a, s, fixed[j])
        pivot[j], step[j], sound = a, s, sound and well
        if k > middle:
            off = beside[k] if j > 0 else 0.0
            b, r, well = eliminated(gradient[k], diagonal[k], off, beside[k - 1], b, r, fixed[k])
            pivot[k], step[k], sound = b, r, sound and well
    one, other = beside[middle - 1] if middle > 0 else 0.0, beside[middle] if middle + 1 < m else 0.0
    d = diagonal[middle] - one * a - other * b
    if fixed[middle]:
        step[middle] = 0.0
    else:
        step[middle] = (one * s + other * r - gradient[middle]) / d
        sound = sound and d > TINY * diagonal[middle]
    for j in range(middle - 1, -1, -1):
        step[j] += pivot[j] * step[j + 1]
    for k in range(middle + 1, m):
        step[k] += pivot[k] * step[k - 1]
    return sound


@kernel(forceinline=True)
def eliminated(
    gradient: float, diagonal: float, off: float, on: float, before: float, step: float, fixed: bool
) -> tuple[float, float, bool]:
    """(what couples an angle on over its pivot, its step so far, whether its pivot is positive); off, on: minus what
    couples it with the one before, whose these are, and the next one.
    """
    d, free = diagonal - off * before, not fixed
    inverse = 1.0 / d if free else 0.0
    return on * inverse, (off * step - gradient) * inverse, not free or d > TINY * diagonal


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
        if not d > TINY * diagonal[j]:
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
    if not d > TINY * diagonal[m - 1]:
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
    lanes: np.ndarray,
    rows: np.ndarray | Rows,
) -> bool:
    """Bring theta (m,) [rad] to equilibrium with the loads (m,) [N m] in place, from where it is. lanes: ROW, to which
    `lay_hinges` has put the m − 1 hinges and their curvature k; rows (6 or more, m) are scratch.

    A closed rod's last angle is that of its first edge met again, θ^m − θ^0 being kept; the last load is that of both,
    the first nil. Returns whether it converged.
    """
    m = len(theta)
    gradient, diagonal, pivot, column, step, beside = rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]
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
