"""Static equilibrium: the minimum of a system's energy under constraints (Grégoire 2007, ch. 4 and §6.1).

Newton's method with a line search on the energy. Where the Hessian is not definite a multiple of the identity is added
to it, so that its step goes downhill (Nocedal & Wright, *Numerical Optimization*, alg. 3.3); where the energy has come
to rest on a saddle, the next step follows a direction of negative curvature.

A constraint c is a spring, ½ k c², and an *integral force* f, f c, which takes over what the spring holds,
f ← f + α k c, whenever the energy has come to rest: the method of multipliers. Then c shrinks by 1 − α, as far as the
spring is stiff beside the rest; α = 1 is fastest, and from α = 2 on nothing converges. The energy, with the forces as
they are, is the merit of the line search.

Where the energy without springs has a minimum along the constraints alone, as that of a strut beyond Euler's load,
which shear would let collapse, an error shrinks by 1/(1 − r) for springs r times as stiff as makes it a minimum:
springs become stiffer where errors shrink too slowly, and softer again afterwards, for soft ones let Newton's method
make large steps.

Inequalities, contacts, are springs and integral forces that only press. Their forces are found all at once, before
others: as a step of Newton's method asks for them, in which those that press do not give, and those let go that would
pull (the primal-dual active set: Hintermüller, Ito & Kunisch 2002, *SIAM J. Optim.* 13). What they are is looked at
anew at each rest.

Forces belong to inequalities as they are listed, and so does the energy: where a system may slide as good as freely,
and others press where it goes, it goes round and round. There it descends: inequalities are springs alone, whose energy
is one of the place y, for they are listed wherever that is asked for, and so it falls with each step. These springs
become stiffer from one rest to the next (penalties: Nocedal & Wright, §17.1), until what they hold is as good as a
force.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..linear.border import Border, Bordered, Factors
from .forces_at_once import ForcesAtOnce
from .inequalities import Inequalities

DECREASE = 1e-4  # of what the slope promises that a step has to bring (Armijo; Nocedal & Wright, §3.1)
ROUNDING = 1e-14  # of the energy, which a step may be mistaken by
GROWTH = 10.0  # of a shift that does not do
DECREMENT = 1e-18  # of energy, that a step may promise in vain: 1e-8 of what resists by .01
FIRST_HELD = 1e-4  # energy in springs before it is known
HALVINGS = 40  # of a step: by then it is rounding
MOST_STEPS = 60  # of Newton's method, with integral forces as they are: see _rest
MOST_UPDATES = 30  # of integral forces
STIFFER = 10.0  # what springs become where they are too soft (as alg. 17.4 there)
STIFFEST = 0.9e4  # times what springs were: beyond, they drown the rest in rounding
SPARE = 4.0  # an error shrinks by 1/(1 − SPARE) at least: see above; where it shrinks by less, springs are too soft
NEAR = 1e-2  # error of constraints from which on: far from them stiff springs only make steps small
# Where inequalities go on changing between one and another, as those of a point on a face and on the edge beside it,
# errors of theirs that are SLACKER at each update are let pass after so many, at most:
PATIENCE, SLACKER, ENOUGH = 16, 3.0, 1e-6
ROUNDS = 10  # in which inequalities let go and take hold
# Times that all forces are settled at once, before each kind follows by itself: of those that came nearer, and more of
# those that got there, but to what springs, softer, do not hold.
AT_ONCE, AGAIN = 2, 1
FAST = 12  # updates, fewer than PATIENCE: what asks for more, asks for each kind of forces by itself
LOOSE = 1e-2  # of the energy in springs that a step may promise before forces are updated
# Steps in a row of which lines leave so small a part, while some press: springs are too soft to keep these apart, and
# each step halves what is left between them, until there is nothing.
STOPPED, STOPS = 0.1, 3
BLOCKED = 2  # steps that lead nowhere: the next have other inequalities, and then the same
STIFFER_EACH = 10.0  # what springs of inequalities become from one rest to the next in a descent,
DESCENTS = 8  # of so many: they give by 1e-8 of what they did, less than TOLERANCE of any cable
COUPLED = 25.0  # rows of coupling, for which factors cost twice (measured: 3.6 ms, 8.5 at 45, 68 at 410)
MANY = 1000  # rows, of which the curvature is left out: far from rest, and a third of a second
ABOUT = 1e-6  # error of constraints, to which they are brought at each of these rests, where it takes no more than
FEW = 6  # updates


Coupling = tuple[np.ndarray, np.ndarray]  # rows (r, N − bordering) and their sign (r,), Σ ± v vᵀ: see linear/border


class System(Protocol):
    """What is in equilibrium, in units in which its unknowns y (N,), energies and forces are near 1. The last of the
    unknowns, `bordering`, are coupled with all others, which are coupled in a band.
    """

    count: int
    half_bandwidth: int
    bordering: int
    parted: float  # of the step that `longest` looked at last, what others' lines leave
    softest: float  # far below any stiffness by which unknowns are held: what resists less moves freely

    @property
    def at_once(self) -> bool:
        """Whether all its forces can be found so near an equilibrium: see forces_at_once."""

    def energy(self, y: np.ndarray) -> float:
        """With integral forces as they are."""

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> tuple[Border, Coupling | None]:
        """gradient (N,), and the Hessian: its band (N − bordering, half_bandwidth + 1), by rows from the diagonal on,
        without inequalities that are coupled in a band. Returns its last rows, and what else it has.
        """

    def add_contacts(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """Adds those inequalities."""

    def springs(self, y: np.ndarray) -> Coupling | None:
        """Of that coupling at y what is definite: springs without the curvature of what they hold."""

    def flatten(self, flat: bool) -> bool:
        """Lets `derivatives` leave out the curvature of inequalities in the border, or not. Returns whether there is
        any.
        """

    def factors(self, band: np.ndarray, shift: float) -> Factors:
        """Of such a band, its diagonal shifted."""

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """Adds `share` of what springs hold to the integral forces. Returns the constraints' largest error and the
        energy in their springs, ½ k c², before.
        """

    @property
    def contacts(self) -> Inequalities | None:
        """What the system touches, if there is anything."""

    def detect_contacts(self, y: np.ndarray) -> float:
        """Finds which inequalities there are near an equilibrium y. Returns their largest error."""

    def loosen(self, stiffness: float) -> bool:
        """Makes inequalities springs alone, of this stiffness over what it is at first, whose energy is one of the
        place: see `meet`. Returns whether there are any, and all can be so.
        """

    def meet(self, y: np.ndarray) -> None:
        """Finds which inequalities there are at y, where they are springs alone."""

    def tighten(self, y: np.ndarray) -> None:
        """Makes what these springs hold at y integral forces, of inequalities as they are listed there."""

    def relax(self) -> None:
        """Springs of inequalities are as stiff as at first."""

    def take_up(self, y: np.ndarray, p: np.ndarray) -> None:
        """Integral forces become what springs hold after a step p from y, as far as constraints are linear."""

    def integral_forces(self) -> Any:
        """Integral forces of constraints."""

    def put_back(self, forces: Any) -> None:
        """As they were."""

    def memory(self) -> Any:
        """Integral forces, and which inequalities there are."""

    def recall(self, memory: Any) -> None:
        """As they were."""

    @property
    def stiffness(self) -> float:
        """Of constraints' springs, over what it was at first."""

    def stiffen(self, factor: float) -> None:
        """Multiplies the stiffness of constraints' springs, forces as they are."""

    def brace(self, most: float) -> bool:
        """Stiffens springs that are softer than others and gave by more than `most` at the last update. Returns whether
        there were any.
        """

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """The largest part of a step p (N,) from y that can be believed."""


@dataclass
class Effort:
    """What it took."""

    steps: int = 0  # of Newton's method
    factors: int = 0  # how often the Hessian was factorised
    work: float = 0.0  # the same, with what coupling costs besides
    updates: int = 0  # of integral forces
    touches: tuple[float, ...] = ()  # the largest error of inequalities, before each update
    saddles: int = 0  # that were left
    error: float = np.inf  # of constraints, the largest
    arrived: bool = False  # within tolerance
    stable: bool = True  # whether the energy has a minimum there
    descents: int = 0  # where forces went round and round
    errors: tuple[float, ...] = ()  # after each update
    cut: bool = False  # what it was to do behind its arrival, for which too few factorisations were left

    @property
    def off(self) -> float:
        """The largest error of all."""
        return max(self.error, self.touches[-1] if self.touches else 0.0)


class Equilibrium:
    """Room to solve a system, all forces `at_once` near an equilibrium, by no more than `most` factorisations;
    and what it took.
    """

    def __init__(self, system: System, at_once: bool = False, most: float = np.inf) -> None:
        count = system.count
        self.system, self.at_once, self.most = system, at_once, most
        self.blocked = 0  # steps one after the other of which nothing could be believed
        self.stopped = 0  # and of which lines left little
        self.descending = False  # inequalities are springs alone
        self.gradient, self.step, self.trial = np.zeros(count), np.zeros(count), np.zeros(count)
        self.band = np.zeros((count - system.bordering, system.half_bandwidth + 1))
        self.border: Border | None = None
        self.coupling: Coupling | None = None
        self.shift = system.softest
        self.effort = Effort()

    def settle(self, y: np.ndarray, tolerance: float, share: float = 1.0) -> bool:
        """y becomes the equilibrium, with constraints within tolerance. Returns whether it got there."""
        if self._settle(y, tolerance, share, AT_ONCE if self.at_once else 0, False):
            return True
        return self._descend(y, tolerance) and self._settle(y, tolerance, share, 0, True)

    def _settle(self, y: np.ndarray, tolerance: float, share: float, at_once: int, firm: bool) -> bool:
        """firm: inequalities' springs are so stiff that forces become what they hold."""
        effort = self.effort
        error, held, factors = np.inf, FIRST_HELD, None
        best: tuple[float, np.ndarray, Any] = np.inf, y, None  # of shapes at rest
        contacts = self.system.contacts
        if at_once and self._all_at_once(y, tolerance):
            factors = self._raise_penalty(y)
        for update in range(FAST if at_once and contacts is not None else MOST_UPDATES):
            within = max(tolerance, min(ENOUGH, tolerance * SLACKER ** (update - PATIENCE)))
            least = max(DECREMENT, LOOSE * held)
            left = self._rest(y, least, factors)
            if left == np.inf:
                break
            before, rests = error, left <= least
            touch = self.system.detect_contacts(y)
            error, held = self.system.update_multipliers(y, 0.0)
            effort.updates += 1
            effort.error, effort.errors, effort.touches = error, (*effort.errors, error), (*effort.touches, touch)
            if rests and max(error, touch) < best[0]:
                best = max(error, touch), y.copy(), self.system.memory()
            arrived = max(error, touch) <= (within if touch > tolerance else tolerance)
            arrived = arrived and left <= max(DECREMENT, held)
            if not arrived and error < NEAR and share == 1.0 and at_once > 0:
                at_once -= 1
                self.system.update_multipliers(y, share)
                if self._all_at_once(y, tolerance, max(error, touch)):
                    if effort.touches[-1] <= tolerance:
                        at_once = min(at_once, AGAIN)
                    factors = self._raise_penalty(y)
                    continue
            if firm and self.system.contacts is not None:
                self.system.contacts.let_go(False, y)
            elif touch > tolerance:
                self._press(y)
            self.system.update_multipliers(y, share)
            if arrived:
                if firm:
                    self.system.relax()
                effort.arrived = True
                effort.stable = self.shift == self.system.softest
                self._lower_penalty(y)
                return True
            far = touch <= tolerance and error > (max(NEAR, before) if rests else NEAR)
            if far and not self.system.brace(NEAR):
                break  # forces would only grow, for no small change of shape makes it less
            near = error < NEAR and rests
            if near and error > max(before, touch) / SPARE and share == 1.0 and self.system.stiffness < STIFFEST:
                self.system.stiffen(STIFFER)
            factors = self._raise_penalty(y) if near else None
        effort.arrived = False
        if self.exhausted and best[0] < effort.off:
            y[:] = best[1]
            self.system.recall(best[2])
            effort.error, effort.touches = best[0], (*effort.touches, 0.0)
        return False

    def _descend(self, y: np.ndarray, tolerance: float) -> bool:
        """y goes down the energy in which inequalities are springs alone, that become stiffer. Returns whether it came
        to where they give by less than the tolerance.
        """
        system, stiffness = self.system, 1.0
        if self.exhausted or self.effort.error > NEAR or not system.loosen(stiffness):
            return False
        self.effort.descents += 1
        self.descending, touch, held = True, np.inf, FIRST_HELD
        for _ in range(DESCENTS):
            for _ in range(FEW):
                left = self._rest(y, max(DECREMENT, LOOSE * held), None)
                error, held = system.update_multipliers(y, 1.0)
                if left == np.inf or error < ABOUT:
                    break
            touch = system.detect_contacts(y)
            if self.exhausted or touch <= tolerance:
                break
            stiffness *= STIFFER_EACH
            system.loosen(stiffness)
        self.descending = False
        system.tighten(y)
        return touch <= max(tolerance, ENOUGH)

    @property
    def exhausted(self) -> bool:
        """Whether there were as many factorisations as there may be."""
        return self.effort.work >= self.most

    def _all_at_once(self, y: np.ndarray, tolerance: float, off: float | None = None) -> bool:
        """y and all forces go to an equilibrium at once. Returns whether they got there or, where y is one of springs,
        and so much is `off`, came nearer by half; else all is as it was.
        """
        before, memory, forces = y.copy(), self.system.memory(), ForcesAtOnce(self)
        left = forces.settle(y, tolerance)
        if left < 0.5 * off if off is not None else forces.arrived and left <= tolerance:
            return True
        y[:] = before
        self.system.recall(memory)
        return False

    def _press(self, y: np.ndarray) -> None:
        """Forces of all inequalities at once become what a step of Newton's method asks for or, where that is too far,
        or has no end, what springs hold.
        """
        contacts, found = self.system.contacts, False
        if contacts is None:
            return
        contacts.stand_firm(y)
        for _ in range(ROUNDS):
            self.differentiate(y)
            factors = self._definite_factors(y)
            np.negative(self.gradient, out=self.step)
            factors.solve(self.step)
            found = contacts.answer(y, self.step, factors.solve)
            if found:
                break
        contacts.let_go(found, y)

    def _of_minimum(self, y: np.ndarray) -> Bordered | None:
        """Factors of the Hessian at y; None: the energy does not curve upwards from there in all directions."""
        self.differentiate(y)
        factors = self.factors_of(self.system.softest)
        return None if factors.negative else factors

    def _raise_penalty(self, y: np.ndarray) -> Bordered | None:
        """Springs become as stiff as makes the energy a minimum near an equilibrium y; as they were, where none do.
        Returns the Hessian's factors there.
        """
        before = self.system.stiffness
        while (factors := self._of_minimum(y)) is None and self.system.stiffness < STIFFEST:
            self.system.stiffen(STIFFER)
        if factors is None:
            self.system.stiffen(before / self.system.stiffness)
        else:
            self.shift = self.system.softest
        return factors

    def _lower_penalty(self, y: np.ndarray) -> None:
        """Springs become as soft again as leaves the energy a minimum at y, an equilibrium, with something to spare."""
        while self.system.stiffness > SPARE:
            self.system.stiffen(1.0 / (STIFFER * SPARE))
            minimum = self._of_minimum(y) is not None
            self.system.stiffen(SPARE if minimum else STIFFER * SPARE)
            if not minimum:
                return

    def _rest(self, y: np.ndarray, least: float, factors: Bordered | None) -> float:
        """y goes to a minimum of the energy, or a saddle that nothing leads away from, until a step of Newton's method
        promises no more than `least` of energy; from its gradient and the factors of its Hessian, if they are known.
        Returns what the last step promised, inf where none can be taken.

        After MOST_STEPS integral forces follow though it is not there: where nothing but forces that are not yet right
        tells one shape from the next, as bows around the axis of a round rod, it would go on for ever. So they do where
        lines that press stop it.

        A step on which others come to press, or let go, has not come to rest, whatever it promised: springs are stiff.

        Neither the gradient nor the step is a measure: rounding of stiff springs leaves a gradient that would move
        nothing, and what nothing resists, such as the plane in which a round rod bows, moves far for nothing.
        """
        system, effort, g, p = self.system, self.effort, self.gradient, self.step
        before, decrement = system.energy(y), np.inf
        for _ in range(MOST_STEPS):
            if self.exhausted:
                break
            if factors is None:
                self.differentiate(y)
                factors = self._definite_factors(y)
            effort.steps += 1
            if system.contacts is not None:
                before = system.energy(y)  # of others, perhaps, than at the last step
            np.negative(g, out=p)
            factors.solve(p)
            press = self._foresee(y, factors)
            factors = None
            decrement = -float(g @ p)
            if not np.isfinite(decrement):
                return np.inf
            after = self._search(y, before, -decrement)
            if decrement <= least and (after is None or np.array_equal(press, self._press_at(y))):
                if self.shift == system.softest or not self._leave_saddle(y):
                    return decrement
                after = system.energy(y)
            if after is None:
                return np.inf
            before = after
            if self.stopped >= STOPS and self._press_at(y).any():
                self.stopped = 0
                break
        return decrement

    def _foresee(self, y: np.ndarray, factors: Bordered) -> np.ndarray:
        """The step becomes one that presses on what it goes into. Returns which inequalities press at y."""
        if self.system.contacts is not None:
            self.system.contacts.foresee(y, self.step, factors.solve)
        return self._press_at(y)

    def _press_at(self, y: np.ndarray) -> np.ndarray:
        """(c,) whether each inequality presses."""
        contacts = self.system.contacts
        return np.zeros(0, bool) if contacts is None else np.asarray(contacts.pushes(y) > 0.0)

    def differentiate(self, y: np.ndarray) -> None:
        """Finds the gradient at y, and the Hessian."""
        self.border, self.coupling = self.system.derivatives(y, self.gradient, self.band)
        self.system.add_contacts(y, self.gradient, self.band)

    def factors_of(self, shift: float) -> Bordered:
        """Of the Hessian that was found last, its diagonal shifted."""
        assert self.border is not None
        coupled = 0 if self.coupling is None else len(self.coupling[1])
        self.effort.factors, self.effort.work = self.effort.factors + 1, self.effort.work + 1.0 + coupled / COUPLED
        return Bordered(self.system.factors(self.band, shift), self.border, shift, *(self.coupling or ()))

    def factors_alone(self) -> Factors:
        """Of the Hessian's band that was found last, as if what is in the border stayed."""
        self.effort.factors, self.effort.work = self.effort.factors + 1, self.effort.work + 1.0
        return self.system.factors(self.band, self.system.softest)

    def _definite_factors(self, y: np.ndarray) -> Bordered:
        """Factors of the Hessian at y, its diagonal shifted by `softest`; where that is not definite, without the
        curvature of inequalities (Gauss-Newton: Nocedal & Wright, §10.3), and shifted as far as makes it definite.
        """
        shift, factors = self.system.softest, None
        if self.coupling is None or len(self.coupling[1]) <= MANY:
            factors = self.factors_of(shift)
        if (factors is None or factors.negative) and self.system.flatten(True):
            self.differentiate(y)
            self.system.flatten(False)
            factors = None
        if self.coupling is not None and (factors is None or factors.negative):
            self.coupling = self.system.springs(y)
            factors = None
        factors = factors or self.factors_of(shift)
        while factors.negative:
            shift = max(GROWTH * shift, self.shift / GROWTH)
            factors = self.factors_of(shift)
        self.shift = shift
        return factors

    def _search(self, y: np.ndarray, before: float, slope: float) -> float | None:
        """y goes along the step as far as the energy falls by its share of the slope. Returns the energy, None where it
        does not fall.
        """
        system, p, trial = self.system, self.step, self.trial
        part = min(1.0, system.longest(y, p))
        self.blocked = self.blocked + 1 if part == 0.0 else 0
        self.stopped = self.stopped + 1 if system.parted < STOPPED else 0
        if self.blocked > BLOCKED:
            self.blocked = 0
            return None
        lost = ROUNDING * (1.0 + abs(before))
        for _ in range(HALVINGS):
            np.multiply(part, p, out=trial)
            trial += y
            after, enough = system.energy(trial), before + DECREASE * part * slope + lost
            if after <= enough and self.descending:
                system.meet(trial)
                after = system.energy(trial)
            if after <= enough:
                y[:] = trial
                return after
            curved = 2.0 * (after - before - part * slope)
            best = -slope * part / curved if curved > 0.0 else 0.5
            part *= min(0.5, max(0.1, best))
        return None

    def _leave_saddle(self, y: np.ndarray) -> bool:
        """y goes along a direction of negative curvature, downhill. Returns whether it did."""
        system, p = self.system, self.step
        self.differentiate(y)
        factors = self.factors_of(system.softest)
        if not factors.negative:
            return False
        factors.negative_direction(p)
        p *= system.longest(y, p) * (1.0 if self.gradient @ p <= 0.0 else -1.0)
        best, lowest = 0.0, system.energy(y)
        for k in range(HALVINGS):
            value = system.energy(y + 0.5**k * p)
            if value < lowest:
                best, lowest = 0.5**k, value
            elif best > 0.0:
                break
        y += best * p
        self.effort.saddles += best > 0.0
        return best > 0.0
