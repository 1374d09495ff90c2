"""What a cable is like, by a line that was drawn or scanned of it in one pose (Grégoire 2007, §7.2): the numbers θ with
which it comes to rest nearest to that,

    min Σ wᵢ |rᵢ|²,    rᵢ = pᵢ − c(pᵢ, θ),

c the place nearest to pᵢ on the smooth line through the cable's vertices at rest, by Levenberg and Marquardt's method
(MINPACK's, in scipy). A settling takes some ms, so ∂r/∂θ are differences of settlings. At the minimum θ is known up to

    cov θ = s² (JᵀJ)⁻¹ (1 + ϱ)/(1 − ϱ),    s² = Σ wᵢ|rᵢ|² / (2N − k),

2N for what is off a line has two components. What the model lacks, other than noise, is alike from point to point, and
counts for less by ϱ, the correlation of rᵢ and rᵢ₊₁ (Bayley & Hammersley 1946). A number that is known to no better
than TOLD the pose does not tell: it stays what it was if that fits as well, to two standard errors, and the others are
found once more.

θ are the logarithms of stiffness and density, times what they were; natural curvature times length; and the turn of
what holds the last end, about the cable.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import least_squares
from scipy.spatial import cKDTree

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import exponential, product
from ..scene import Rod
from ..validate.errors import SceneError, SimulationError
from .equilibrium import settle_cable
from .handle import Handle
from .lengths import arc_lengths

UNKNOWN = ("stiffness", "spool", "turn", "density")  # of two that the pose tells as little the first is told
TOLD = 0.25  # the largest standard error, a part or rad: within a factor of 1.6, by two of these
EXACT = 0.01  # of the cable's radius: no line is drawn or scanned better
DIFFERENCE = 1e-3  # of θ: settlings, exact to 1e-9, tell ∂r/∂θ to 1e-6 of itself, as its third derivatives do
ALIKE = 0.5  # of the largest error: of such two differences do not tell which is larger
SINGULAR = 1e-12  # of JᵀJ's largest eigenvalue: what differences tell of it
SNAPS = 0.01  # of the squares: of 17 poses 4e-5 at most is left where settlings go smoothly, .5 and more where not
FINER = 8  # places of the smooth line for each segment: chords of these are 64 times nearer to it than segments are
STRAIGHT = 1e-9  # 1/m, less than any curvature
MOST = 1e4  # times as stiff, or limp: such a cable is a bar, or a string
TIGHTEST = 2.0  # radii of a spool at least: no cable of the presets may be bent more tightly
RESTLESS, WORK = 200, 4000  # settlings as long as one that finds no rest takes, 1 s; so many in all, 20 s
# Where it begins: with a hundredth of the right stiffness, or a turn that is half a turn off, it may end elsewhere.
STIFF, CURLS, TURNS = (1.0, 0.1, 10.0, 0.01, 100.0), (0.0, 2.0, -2.0), (0.0, 1.5, -1.5)
TRIES, STEPS = 3, 100  # from the nearest of these, until one is as good as can be; in a valley of two it takes 69


@dataclass(frozen=True)
class Numbers:
    """Of a cable: how stiff and dense it is, times what it was; natural curvature (κ₁, κ₂) [1/m], as of a Rod; turn
    [rad] of what holds the last end, about the cable, from how it did.
    """

    stiffness: float = 1.0
    density: float = 1.0
    spool: tuple[float, float] = (0.0, 0.0)
    turn: float = 0.0

    @property
    def curvature(self) -> float:
        """[1/m]; 0: straight."""
        return float(np.hypot(*self.spool))

    def turned(self, orientation: np.ndarray) -> np.ndarray:
        """A quaternion (4,), as of a Handle, of what holds the last end so."""
        return product(np.asarray(orientation), exponential(np.array([0.0, 0.0, self.turn])))

    def of(self, rod: Rod) -> Rod:
        """A rod that is so."""
        return replace(
            rod, bend_stiffness=self.stiffness * rod.bend_stiffness, mass=self.density * rod.mass,
            twist_stiffness=self.stiffness * rod.twist_stiffness,
            natural_curvature=np.array(self.spool) if self.curvature else None,
        )  # fmt: skip


@dataclass(frozen=True)
class Fit:
    """numbers; errors: standard ones by name, [rad] of turn, parts of the others, of the spool of its curvature. Of
    those that the pose does not tell: kept, which are what they were, and vague, which that would not fit.

    tightest [1/m]: of the curvature, if that was kept; rms and farthest [m]: the root of the mean square, and the
    largest, of distances of the line from the cable.
    """

    numbers: Numbers
    errors: dict[str, float]
    kept: tuple[str, ...]
    vague: tuple[str, ...]
    tightest: float
    rms: float
    farthest: float


def fit_to_pose(
    rod: Rod, handles: Sequence[Handle], line: np.ndarray, unknown: Sequence[str] = UNKNOWN[:3], **given: Any
) -> Fit:
    """What a rod between handles is like by points (k, 3) [m] along it. unknown: of UNKNOWN, turn that of the last
    handle; given: what else `settle_cable` takes. Raises SceneError, SimulationError.
    """
    *others, last = handles

    def shape(numbers: Numbers) -> list[np.ndarray]:
        held = last if last.orientation is None else replace(last, orientation=numbers.turned(last.orientation))
        return [settle_cable(numbers.of(rod), [*others, held], **given).points]

    clamps = sum(h.orientation is not None for h in handles)
    size = float(arc_lengths(rod)[-1]), float(rod.radius.max())
    found = Search(shape, line, np.ones(len(line)), *size, not clamps, rod.name)
    return found.fit(start_of(rod), [one for one in unknown if one != "turn" or clamps > 1])


def start_of(rod: Rod) -> Numbers:
    """Those with which it is what it was."""
    return Numbers(spool=(0.0, 0.0) if rod.natural_curvature is None else tuple(rod.natural_curvature.tolist()))


@dataclass(frozen=True)
class _Found:
    """numbers; squares [m²]: the sum of theirs; standard errors as of a Fit, and curvature [1/m], that of the spool's;
    noise [m]: s √((1 + ϱ)/(1 − ϱ)); left: the part of squares that one more step would take away, were they as smooth
    as they look there.
    """

    numbers: Numbers
    squares: float
    errors: dict[str, float]
    curvature: float
    noise: float
    left: float


@dataclass(frozen=True)
class Search:
    """shape(numbers): vertices (n, 3) [m] of cables of that length and radius [m] at rest; points (k, 3) [m] of the
    line, in order, and weights (k,), their mean 1; spins: they turn about themselves freely, so that where to they curl
    is nothing.
    """

    shape: Callable[[Numbers], list[np.ndarray]]
    points: np.ndarray
    weights: np.ndarray
    length: float
    radius: float
    spins: bool
    name: str
    took: list[int] = field(default_factory=lambda: [0])  # settlings

    def fit(self, start: Numbers, unknown: Sequence[str]) -> Fit:
        """From numbers whose shape is refused where it cannot be. Raises SceneError, SimulationError."""
        self.shape(start)
        free = [one for one in UNKNOWN if one in unknown]
        best, kept, vague, tightest = self._solve(start, free, anywhere=True), list[str](), list[str](), 0.0
        while unsure := [one for one in free if one not in vague and best.errors[one] > TOLD]:
            most = max(best.errors[one] for one in unsure)
            worst = next(one for one in reversed(unsure) if best.errors[one] > ALIKE * most)
            others, limit = [one for one in free if one != worst], best.squares + (2.0 * best.noise) ** 2
            for before in (start, Numbers()):
                now = self._solve(replace(best.numbers, **{worst: getattr(before, worst)}), others)
                if now.squares <= limit:
                    if worst == "spool":
                        tightest = best.numbers.curvature + 2.0 * best.curvature
                    best, free, kept = now, others, [*kept, worst]
                    break
            else:
                vague.append(worst)
        if best.left > SNAPS:
            raise SimulationError(
                self.name, f"'{self.name}' snaps to another shape before it lies along the line: draw it nearer to "
                "that pose, or settle it there, and fit it again.",
            )  # fmt: skip
        distances = norm(self.points - nearest(self.shape(best.numbers), self.points))
        rms = float(np.sqrt(np.mean(self.weights * distances**2)))
        told = {one: best.errors[one] for one in free}
        return Fit(best.numbers, told, tuple(kept), tuple(vague), tightest, rms, float(distances.max()))

    def _solve(self, start: Numbers, free: Sequence[str], anywhere: bool = False) -> _Found:
        """The nearest, of those numbers that are free, from where they are or from anywhere."""

        def residual(theta: np.ndarray) -> np.ndarray:
            places = self._places(self._numbers(start, free, theta))
            return np.ravel(np.sqrt(self.weights)[:, None] * (self.points - places))

        def jacobian(theta: np.ndarray) -> np.ndarray:
            step = DIFFERENCE * np.eye(len(theta))
            return np.stack([residual(theta + d) - residual(theta - d) for d in step], axis=1) / (2.0 * DIFFERENCE)

        def squares(theta: np.ndarray) -> float:
            return float(np.sum(residual(theta) ** 2))

        theta = self._theta(start, free)
        begin = sorted([theta, *(self._starts(free) if anywhere else [])], key=squares)[:TRIES] if free else []
        for first in begin:
            end = least_squares(residual, first, jacobian, method="lm", max_nfev=STEPS).x
            theta = min(theta, end, key=squares)
            if squares(theta) < len(self.points) * (EXACT * self.radius) ** 2:
                break
        r = residual(theta)
        j = jacobian(theta) if free else np.zeros((len(r), 0))
        return self._found(self._numbers(start, free, theta), free, r, j)

    def _found(self, numbers: Numbers, free: Sequence[str], r: np.ndarray, j: np.ndarray) -> _Found:
        misses, sum_ = r.reshape(-1, 3), float(r @ r)
        alike = float(np.clip(np.sum(misses[1:] * misses[:-1]) / sum_, 0.0, 0.99)) if sum_ else 0.0
        s2 = sum_ / max(2 * len(misses) - j.shape[1], 1) * (1.0 + alike) / (1.0 - alike)
        noise, errors, curvature, at = float(np.hypot(np.sqrt(s2), EXACT * self.radius)), dict[str, float](), 0.0, 0
        sizes, axes = np.linalg.eigh(j.T @ j)
        sizes = np.maximum(sizes, SINGULAR * sizes.max(initial=0.0) + 1e-300)
        covariance = noise**2 * (axes / sizes) @ axes.T
        for name in free:
            own = slice(at, at := at + self._width(name))
            errors[name] = float(np.sqrt(np.linalg.eigvalsh(covariance[own, own]).max()))
            if name == "spool":
                curvature = errors[name] / self.length
                errors[name] = curvature / max(numbers.curvature, STRAIGHT)
        step = axes.T @ (j.T @ r)
        left = float(np.sum(step**2 / sizes)) / max(sum_, len(misses) * (EXACT * self.radius) ** 2)
        return _Found(numbers, sum_, errors, curvature, noise, left)

    def _places(self, numbers: Numbers) -> np.ndarray:
        """Nearest to the points; where there is no such cable, farther than any. Raises SimulationError."""
        if numbers.curvature * self.radius * TIGHTEST < 1.0 and 1.0 / MOST < numbers.stiffness / numbers.density < MOST:
            self.took[0] += 1
            try:
                return nearest(self.shape(numbers), self.points)
            except (SceneError, SimulationError):
                self.took[0] += RESTLESS
        if self.took[0] > WORK:
            raise SimulationError(
                self.name, f"'{self.name}' finds no rest on its way to the line: is it as long as that, and held in "
                "the same places?",
            )  # fmt: skip
        return self.points + self.length

    def _width(self, name: str) -> int:
        return 2 if name == "spool" and not self.spins else 1

    def _theta(self, numbers: Numbers, free: Sequence[str]) -> np.ndarray:
        """What spins curls anywhere, but not nowhere, where nothing tells how it would."""
        spool = [self.length * numbers.curvature or CURLS[1]] if self.spins else self.length * np.array(numbers.spool)
        theta = {"stiffness": [np.log(numbers.stiffness)], "density": [np.log(numbers.density)], "spool": spool}
        return np.concatenate([theta.get(name, [numbers.turn]) for name in free]) if free else np.zeros(0)

    def _starts(self, free: Sequence[str]) -> list[np.ndarray]:
        stiff = [[np.log(factor)] for factor in STIFF]
        ways = {
            "stiffness": stiff, "density": [[0.0]] if "stiffness" in free else stiff, "turn": [[a] for a in TURNS],
            "spool": [CURLS[1:2]] if self.spins else [*((a, 0.0) for a in CURLS), *((0.0, a) for a in CURLS[1:])],
        }  # fmt: skip
        return [np.concatenate(way) for way in itertools.product(*(ways[name] for name in free))]

    def _numbers(self, start: Numbers, free: Sequence[str], theta: np.ndarray) -> Numbers:
        found, at = dict[str, Any](), 0
        for name in free:
            own = theta[at : (at := at + self._width(name))]
            if name == "spool":
                way = np.array(start.spool) / start.curvature if start.curvature else np.array([1.0, 0.0])
                found[name] = tuple(((abs(own[0]) * way if self.spins else own) / self.length).tolist())
            else:
                found[name] = float(own[0] if name == "turn" else np.exp(np.clip(own[0], -np.log(MOST), np.log(MOST))))
        return replace(start, **found)


def nearest(lines: Sequence[np.ndarray], points: np.ndarray) -> np.ndarray:
    """Places (k, 3) on smooth lines through vertices (n, 3), the nearest to points (k, 3)."""
    finer = [CubicSpline(np.arange(len(x)), x)(np.linspace(0.0, len(x) - 1.0, FINER * (len(x) - 1) + 1)) for x in lines]
    tails, heads = np.concatenate([x[:-1] for x in finer]), np.concatenate([x[1:] for x in finer])
    _, near = cKDTree(0.5 * (tails + heads)).query(points, k=2)  # of pieces that are evenly long
    tail, along = tails[near], (heads - tails)[near]
    share = np.clip(np.sum((points[:, None] - tail) * along, axis=2) / np.sum(along**2, axis=2), 0.0, 1.0)
    places = tail + share[..., None] * along
    which = np.sum((points[:, None] - places) ** 2, axis=2).argmin(axis=1)
    return places[np.arange(len(points)), which]
