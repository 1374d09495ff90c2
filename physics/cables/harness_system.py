"""Cables that free rigid parts join, as one system that schemes/static brings to rest.

Unknowns of all cables make one band, in which cables do not meet. It is bordered by the arc lengths of what slides and
each free part's place and quaternion, which each cable's system has of those it is mounted on (mounts.py).

Springs of a cable's constraints are as stiff as its own forces ask for, not all cables'. A step turns segments by some
θ along straight lines, which stretches them by θ²/2: springs K let it go as far as K l θ⁴/8 is less than what it gains.
A light branch, whose energies are a small share of all, would turn by the fourth root of that share at once. A cable
that bears more than its own weight and stiffness is braced.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ..linear.border import Border
from ..schemes.static import Coupling
from . import parts as energies
from .active_set import ActiveSet
from .band import BandFactors
from .mounts import POSE
from .pairs import Pairs
from .part_contacts import PartContacts
from .parts import PART
from .system import LONGEST_TURN, CableSystem, Mount
from .tables import REACH, STRIDE
from .touching import Own, Touching

NO_PARTS = np.zeros(0, PART)
FIRMER = 10.0  # times as stiff as before, for what gives too much


class CablesFactors:
    """Of a band in which cables have these rows and are not coupled."""

    def __init__(self, cables: Sequence[BandFactors], rows: Sequence[slice]) -> None:
        self.blocks = list(zip(rows, cables, strict=True))
        self.n, self.negative = rows[-1].stop, sum(factors.negative for factors in cables)

    def solve(self, b: np.ndarray) -> None:
        """The rows of b (r, n), right-hand sides, become solutions."""
        for rows, factors in self.blocks:
            own = b[:, rows].copy()
            factors.solve(own)
            b[:, rows] = own

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n,): pᵀAp < 0, along the cable that has the most such directions."""
        p[:] = 0.0
        rows, factors = max(self.blocks, key=lambda block: block[1].negative)
        factors.negative_direction(p[rows])


class HarnessSystem:
    """systems of the cables, in the same units; mounts to free parts (p,) PART; pairs: where they touch each other;
    shapes: what parts touch.
    """

    half_bandwidth = REACH

    def __init__(
        self, systems: Sequence[CableSystem], mounts: Sequence[Mount] = (), parts: np.ndarray = NO_PARTS,
        pairs: Pairs | None = None, shapes: PartContacts | None = None,
    ) -> None:  # fmt: skip
        self.systems, self.mounts, self.parts, self.pairs, self.shapes = systems, mounts, parts, pairs, shapes
        self.work, self.parted = np.zeros((15, 10)), 1.0
        for k, system in enumerate(systems):
            system.mount([mount for mount in mounts if mount.cable == k])
        ends = np.cumsum([0, *(s.banded for s in systems), *(s.poses - s.banded for s in systems)])
        bands, slides = ends[: len(systems) + 1], ends[len(systems) :]
        self.bands = [slice(*pair) for pair in pairwise(bands)]
        self.banded, self.poses = int(bands[-1]), int(slides[-1])
        self.count = self.poses + POSE * len(parts)
        self.bordering = self.count - self.banded
        poses = np.arange(self.poses, self.count).reshape(-1, POSE)
        self.own = [
            np.concatenate([np.arange(*band), np.arange(*slide), poses[system.parts].ravel()])
            for band, slide, system in zip(pairwise(bands), pairwise(slides), systems, strict=True)
        ]
        alone = [*(own[system.banded :] for system, own in zip(systems, self.own, strict=True)), *poses]
        places = [np.stack([np.repeat(rows, len(rows)), np.tile(rows, len(rows))]) for rows in alone]
        self.corner = np.concatenate(places, axis=1) - self.banded  # where the border is coupled with itself
        self.of_parts = np.zeros((len(parts), POSE, POSE))
        self.softest = min(s.softest for s in systems)
        self.stiffness = systems[0].stiffness
        self.gives = np.zeros(len(systems))  # largest errors of cables, at the last update

    @property
    def at_once(self) -> bool:
        """See schemes/static: springs of pairs hardly give, so far from rest they push anyhow. What rubs stays near,
        and friction makes forces of lengths slow to follow: 43 factorisations beside 1468 where a cable that is drawn
        around another is pulled tight, then 11 beside 100 a move.
        """
        smooth = self.pairs is not None and self.pairs.touches and not (self.pairs.rubs and self.pairs.lies.any())
        return not smooth and self.shapes is None and all(system.at_once for system in self.systems)

    @property
    def contacts(self) -> Touching | None:
        """See schemes/static: those with surfaces come behind pairs, which change steps."""
        touch = self.pairs is not None and self.pairs.touches
        kinds: list[tuple[ActiveSet, Own]] = [(self.pairs, slice(None))] if self.pairs is not None and touch else []
        kinds += [(self.shapes, slice(None))] if self.shapes is not None else []
        bearing = len(kinds)
        each = zip(self.systems, self.own, strict=True)
        kinds += [(system.contacts, own) for system, own in each if system.contacts is not None]
        return Touching(kinds, bearing) if kinds else None

    def points_begin(self) -> np.ndarray:
        """Where all cables' points (n,) begin in the unknowns."""
        return np.concatenate([np.arange(band.start, band.stop, STRIDE) for band in self.bands])

    def of_cable(self, y: np.ndarray, k: int) -> np.ndarray:
        """Unknowns of cable k, with those of parts it is mounted on."""
        return y[self.own[k]]

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        cables = sum(system.energy(y[own]) for system, own in zip(self.systems, self.own, strict=True))
        pairs = 0.0 if self.pairs is None else self.pairs.energy(y)
        shapes = 0.0 if self.shapes is None else self.shapes.energy(y)
        return float(cables + energies.energy(y[self.poses :], self.parts)) + pairs + shapes

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> tuple[Border, Coupling | None]:
        """See schemes/static."""
        gradient[:] = 0.0
        blocks, corner = [], []
        for system, own, rows in zip(self.systems, self.own, self.bands, strict=True):
            slopes = np.empty(system.count)
            edge = system.bordered(y[own], slopes, band[rows])
            gradient[own] += slopes
            blocks.append((own[system.banded :] - self.banded, edge[:, : system.banded]))
            corner.append(edge[:, system.banded :].ravel())
        poses = slice(self.poses, self.count)
        energies.derivatives(y[poses], self.parts, self.work, gradient[poses], self.of_parts)
        values, at = np.concatenate([*corner, self.of_parts.ravel()]), self.corner
        if self.shapes is not None:
            blocks, more, places = self.shapes.derivatives(y, gradient, band, blocks, self.bands)
            values, at = np.concatenate([values, more]), np.concatenate([at, places], axis=1)
        border = Border(self.bordering, blocks, values, at)
        return border, None if self.pairs is None else self.pairs.derivatives(y, gradient[: len(band)])

    def add_contacts(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """See schemes/static."""
        for system, own, rows in zip(self.systems, self.own, self.bands, strict=True):
            system.add_contacts(y[own], gradient[rows], band[rows])

    def springs(self, y: np.ndarray) -> Coupling | None:
        """See schemes/static."""
        return None if self.pairs is None else self.pairs.springs(y, self.banded)

    def flatten(self, flat: bool) -> bool:
        """See schemes/static."""
        return self.shapes is not None and self.shapes.flatten(flat)

    def factors(self, band: np.ndarray, shift: float) -> CablesFactors:
        """See schemes/static."""
        each = zip(self.systems, self.bands, strict=True)
        return CablesFactors([BandFactors(band[rows], system.scale * shift) for system, rows in each], self.bands)

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """See schemes/static."""
        out = np.empty(2)
        energies.integrate(y[self.poses :], self.parts, share, out)
        found = [system.update_multipliers(y[own], share) for system, own in zip(self.systems, self.own, strict=True)]
        self.gives[:] = [error for error, _ in found]
        return max(float(out[0]), float(self.gives.max())), float(out[1]) + sum(held for _, held in found)

    def brace(self, most: float) -> bool:
        """See schemes/static: cables that bear more than their own scale."""
        soft = [s for s, gives in zip(self.systems, self.gives, strict=True) if gives > most and s.scale < 1.0]
        for system in soft:
            system.have_scale(min(1.0, FIRMER * system.scale))
        return bool(soft)

    def stiffen(self, factor: float) -> None:
        """See schemes/static."""
        self.stiffness *= factor
        for name in ("stiffness", "turn_stiffness"):
            self.parts[name] *= factor
        self.parts["norm"] *= factor
        for system in self.systems:
            system.stiffen(factor)

    def detect_contacts(self, y: np.ndarray) -> float:
        """See schemes/static."""
        touch = 0.0 if self.pairs is None else self.pairs.look(y)
        if self.shapes is not None:
            touch = max(touch, self.shapes.renew(y))
        return max(touch, *(s.detect_contacts(y[own]) for s, own in zip(self.systems, self.own, strict=True)))

    def loosen(self, stiffness: float) -> bool:
        """See schemes/static: pairs, whose springs hardly give, are listed where they come to rest."""
        if self.shapes is not None or (self.pairs is not None and self.pairs.touches):
            return False
        found = [system.loosen(stiffness) for system in self.systems]  # each has to be asked
        return any(found)

    def meet(self, y: np.ndarray) -> None:
        """See schemes/static."""
        for system, own in zip(self.systems, self.own, strict=True):
            system.meet(y[own])

    def tighten(self, y: np.ndarray) -> None:
        """See schemes/static."""
        for system, own in zip(self.systems, self.own, strict=True):
            system.tighten(y[own])

    def relax(self) -> None:
        """See schemes/static."""
        for system in self.systems:
            system.relax()

    def take_up(self, y: np.ndarray, p: np.ndarray) -> None:
        """See schemes/static."""
        for system, own in zip(self.systems, self.own, strict=True):
            system.take_up(y[own], p[own])
        energies.take_up(y[self.poses :], p[self.poses :], self.parts)

    def integral_forces(self) -> tuple[Any, ...]:
        """See schemes/static."""
        return self.parts.copy(), *(system.integral_forces() for system in self.systems)

    def put_back(self, forces: tuple[Any, ...]) -> None:
        """See schemes/static."""
        self.parts[:], *each = forces
        for system, own in zip(self.systems, each, strict=True):
            system.put_back(own)

    def memory(self) -> tuple[Any, ...]:
        """See schemes/static."""
        pairs = None if self.pairs is None else self.pairs.memory()
        shapes = None if self.shapes is None else self.shapes.memory()
        return [system.memory() for system in self.systems], self.parts.copy(), self.stiffness, pairs, shapes

    def recall(self, kept: tuple[Any, ...]) -> None:
        """See schemes/static."""
        memories, self.parts[:], self.stiffness, pairs, shapes = kept
        for system, memory in zip(self.systems, memories, strict=True):
            system.recall(memory)
        if self.pairs is not None:
            self.pairs.recall(pairs)
        if self.shapes is not None:
            self.shapes.recall(shapes)

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static."""
        turns = p[self.poses :].reshape(-1, POSE)[:, 3:]
        longest = LONGEST_TURN / max(float(abs(turns).max(initial=0.0)), LONGEST_TURN)
        part = min(longest, *(s.longest(y[own], p[own]) for s, own in zip(self.systems, self.own, strict=True)))
        return self._parted(y, p, part)

    def reach(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that contacts allow."""
        return self._parted(y, p, min(s.reach(y[own], p[own]) for s, own in zip(self.systems, self.own, strict=True)))

    def _parted(self, y: np.ndarray, p: np.ndarray, part: float) -> float:
        """Of that part of a step p from y as much as pairs, and what parts touch, allow."""
        self.parted = 1.0 if self.pairs is None else self.pairs.longest(y, part * p)
        part *= self.parted
        return part if self.shapes is None else part * self.shapes.longest(y, part * p)

    def unknowns(self, cables: Sequence[np.ndarray], poses: np.ndarray) -> np.ndarray:
        """y of each cable's unknowns and poses (p, 7) of the parts."""
        bands = [own[: system.banded] for own, system in zip(cables, self.systems, strict=True)]
        slides = [own[system.banded : system.poses] for own, system in zip(cables, self.systems, strict=True)]
        return np.concatenate([*bands, *slides, poses.ravel()])
