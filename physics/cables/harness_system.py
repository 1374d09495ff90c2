"""Cables that free rigid parts join, as one system that schemes/static brings to rest.

Unknowns of all cables make one band, in which cables do not meet. It is bordered by the arc lengths of what slides and
each free part's place p and quaternion q, |q| = 1 by a spring and integral force as those of cables. What is
mounted on a part at an arm o, with a frame c of its own, is led to

    x_H = p + q o q̄,    q_H = q c,

and what cables' energies have by x_H and q_H, part energies have by p and q; besides, its weight −w·(p + q o_G q̄). A
part meets only the joints and handles of its mounts, so differences of their slopes give the border's rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np

from ..arithmetic.quaternions import product
from ..schemes.inequalities import Inequalities
from . import equations
from .all_contacts import All, Own
from .band import BandFactors
from .system import DELTA, LONGEST_TURN, STIFFNESS, CableSystem
from .tables import REACH, SEGMENT, STRIDE

POSE = 7  # unknowns of a part: place and quaternion
NO_SEGMENTS, NO_FORCES = np.zeros(0, SEGMENT), np.zeros((0, 3))


class CablesFactors:
    """Of a band in which cables have these rows and are not coupled."""

    def __init__(self, cables: Sequence[BandFactors], rows: Sequence[slice]) -> None:
        self.cables, self.rows = cables, rows
        self.n, self.negative = rows[-1].stop, sum(factors.negative for factors in cables)

    def solve(self, b: np.ndarray) -> None:
        """The rows of b (r, n), right-hand sides, become solutions."""
        for factors, rows in zip(self.cables, self.rows, strict=True):
            own = b[:, rows].copy()
            factors.solve(own)
            b[:, rows] = own

    def negative_direction(self, p: np.ndarray) -> None:
        """p (n,): pᵀAp < 0, along the cable that has the most such directions."""
        p[:] = 0.0
        most = max(range(len(self.cables)), key=lambda k: self.cables[k].negative)
        self.cables[most].negative_direction(p[self.rows[most]])


@dataclass(frozen=True, eq=False)
class Mount:
    """A handle of a cable, by their numbers, mounted on a part: its arm (3,) and frame (4,) in the part's axes."""

    cable: int
    handle: int
    part: int
    arm: np.ndarray
    frame: np.ndarray | None


@dataclass(eq=False)
class Hand:
    """What leads a part to a place (3,), by no more than `strength`, and a quaternion (4,); with integral forces."""

    part: int
    strength: float
    place: np.ndarray
    turn: np.ndarray
    force: np.ndarray = field(default_factory=lambda: np.zeros(3))
    torque: np.ndarray = field(default_factory=lambda: np.zeros(4))

    def pull(self, p: np.ndarray, k: float) -> tuple[np.ndarray, float]:
        """(k (p − place) + f, at most the strength; its size before)."""
        pull = k * (p - self.place) + self.force
        size = float(np.linalg.norm(pull))
        return pull * min(1.0, self.strength / size) if size > 0.0 else pull, size


class HarnessSystem:
    """systems of the cables, in the same units; mounts to free parts; weights (p, 3) of the parts, and their centres of
    mass (p, 3) in their axes.
    """

    half_bandwidth = REACH
    together = None  # parts and hands are no rows of constraints

    def __init__(
        self, systems: Sequence[CableSystem], mounts: Sequence[Mount], weights: np.ndarray, centres: np.ndarray,
        hands: Sequence[Hand] = (),
    ) -> None:  # fmt: skip
        self.systems, self.mounts, self.weights, self.centres = systems, mounts, weights, centres
        self.hands = hands
        self.swelling = np.zeros(len(weights))  # integral forces of norms
        ends = np.cumsum([0, *(s.banded for s in systems), *(s.bordering for s in systems)])
        bands, slides = ends[: len(systems) + 1], ends[len(systems) :]
        self.bands = [slice(*pair) for pair in pairwise(bands)]
        self.slides = [slice(*pair) for pair in pairwise(slides)]
        self.banded, self.poses = int(bands[-1]), int(slides[-1])
        self.count = self.poses + POSE * len(weights)
        self.bordering = self.count - self.banded
        self.softest = min(s.softest for s in systems)
        self.stiffness = systems[0].stiffness
        self.rows = [self._joints_of(mount) for mount in mounts]

    @property
    def contacts(self) -> Inequalities | None:
        """With surfaces, of those cables that touch some."""
        kinds = [
            Own(system.contacts, partial(self.of_cable, k=k))
            for k, system in enumerate(self.systems)
            if system.contacts is not None
        ]
        return All(kinds) if kinds else None

    def points_begin(self) -> np.ndarray:
        """Where all cables' points (n,) begin in the unknowns."""
        return np.concatenate([np.arange(band.start, band.stop, STRIDE) for band in self.bands])

    def _joints_of(self, mount: Mount) -> np.ndarray:
        """Numbers of the half joints that a mount's frame ends."""
        system = self.systems[mount.cable]
        h, j = system.handles[mount.handle], system.joints
        if mount.frame is None or h["turn_stiffness"] > 0.0:
            return np.zeros(0, int)
        vertex = h["segment"] + int(h["share"])
        return np.flatnonzero((j["vertex"] == vertex) & ((j["before"] < 0) | (j["after"] < 0)))

    def of_cable(self, y: np.ndarray, k: int) -> np.ndarray:
        """Unknowns of cable k alone."""
        return np.concatenate([y[self.bands[k]], y[self.slides[k]]])

    def pose(self, y: np.ndarray, part: int) -> tuple[np.ndarray, np.ndarray]:
        """(p, q) of a part."""
        first = self.poses + POSE * part
        return y[first : first + 3], y[first + 3 : first + POSE]

    def _lead(self, y: np.ndarray) -> list[np.ndarray]:
        """Mounts to where the parts have them. Returns the cables' own unknowns."""
        for mount in self.mounts:
            p, q = self.pose(y, mount.part)
            frame = None if mount.frame is None else product(q, mount.frame)
            self.systems[mount.cable].place(mount.handle, p + rotated(q, mount.arm), frame)
        return [self.of_cable(y, k) for k in range(len(self.systems))]

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        total = sum(system.energy(own) for system, own in zip(self.systems, self._lead(y), strict=True))
        for part, weight in enumerate(self.weights):
            p, q = self.pose(y, part)
            off = 1.0 / np.linalg.norm(q) - 1.0
            total += (0.5 * self.stiffness * STIFFNESS * off + self.swelling[part]) * off
            total -= weight @ (p + rotated(q, self.centres[part]))
        k = self.stiffness * STIFFNESS
        for hand in self.hands:  # the handles' energy, see equations
            p, q = self.pose(y, hand.part)
            pull, size = hand.pull(p, k)
            if size <= hand.strength:
                total += 0.5 * (pull + hand.force) @ (p - hand.place)
            else:
                total += 0.5 * (hand.strength * (2.0 * size - hand.strength) - hand.force @ hand.force) / k
            total += (0.5 * k * (q - hand.turn) + hand.torque) @ (q - hand.turn)
        return float(total)

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray, border: np.ndarray) -> None:
        """See schemes/static."""
        border[:] = 0.0
        for k, (system, own) in enumerate(zip(self.systems, self._lead(y), strict=True)):
            slopes, rows = np.zeros(system.count), np.zeros((system.bordering, system.count))
            system.derivatives(own, slopes, band[self.bands[k]], rows)
            gradient[self.bands[k]], gradient[self.slides[k]] = slopes[: system.banded], slopes[system.banded :]
            first = self.slides[k].start - self.banded
            border[first : first + len(rows), self.bands[k]] = rows[:, : system.banded]
            border[first : first + len(rows), self.slides[k]] = rows[:, system.banded :]
        for row in range(self.bordering):
            part = (self.banded + row - self.poses) // POSE  # below 0: of what slides
            sides = []
            for delta in (DELTA, -DELTA):
                shifted = y.copy()
                shifted[self.banded + row] += delta
                there = self._lead(shifted)
                sides.append((self._of_parts(shifted, there), self._of_mounts(there, part)))
            slopes = (sides[0][0] - sides[1][0]) / (2.0 * DELTA)
            border[row, self.poses :] = slopes
            if part < 0:
                border[self.poses - self.banded :, self.banded + row] = slopes
            for k, plus in sides[0][1].items():
                border[row, self.bands[k]] = (plus - sides[1][1][k]) / (2.0 * DELTA)
        gradient[self.poses :] = self._of_parts(y, self._lead(y))

    def factors(self, band: np.ndarray, shift: float) -> "CablesFactors":
        """See schemes/static."""
        return CablesFactors([BandFactors(band[rows], shift) for rows in self.bands], self.bands)

    def _of_mounts(self, own: Sequence[np.ndarray], part: int) -> dict[int, np.ndarray]:
        """Gradients by the cables' own unknowns, but for what slides, of all that is mounted on a part."""
        found: dict[int, np.ndarray] = {}
        for mount, rows in zip(self.mounts, self.rows, strict=True):
            if mount.part == part:
                system, k = self.systems[mount.cable], mount.cable
                slopes, band = np.zeros(system.banded), np.zeros((system.banded, REACH + 1))
                system.take(own[k])
                handles = system.handles[mount.handle : mount.handle + 1]
                equations.derivatives(
                    own[k], NO_SEGMENTS, system.joints[rows], handles, NO_FORCES, system.work, slopes, band
                )
                found[k] = found.get(k, 0.0) + slopes
        return found

    def _of_parts(self, y: np.ndarray, own: Sequence[np.ndarray]) -> np.ndarray:
        """The gradient by the parts' unknowns."""
        out = np.zeros((len(self.weights), POSE))
        for mount, rows in zip(self.mounts, self.rows, strict=True):
            system, q = self.systems[mount.cable], self.pose(y, mount.part)[1]
            force = system.forces_of_handles(own[mount.cable])[mount.handle]
            out[mount.part, :3] += force
            out[mount.part, 3:] += force @ by_quaternion(q, mount.arm)
            if mount.frame is not None:
                system.take(own[mount.cable])
                h, turns = system.handles[mount.handle], np.zeros((len(rows), 4))
                equations.frame_slopes(own[mount.cable], system.joints[rows], system.work, turns)
                off = system.quaternions(own[mount.cable])[h["segment"]] - h["turn"]
                slope = turns.sum(axis=0) - (h["turn_stiffness"] * off + h["torque"])
                out[mount.part, 3:] += product(slope, mount.frame * [1.0, -1.0, -1.0, -1.0])  # (∂qc/∂q)ᵀ, right by c̄
        for part, weight in enumerate(self.weights):
            q = self.pose(y, part)[1]
            size = np.linalg.norm(q)
            push = self.stiffness * STIFFNESS * (1.0 / size - 1.0) + self.swelling[part]
            out[part, :3] -= weight
            out[part, 3:] -= weight @ by_quaternion(q, self.centres[part]) + push * q / size**3
        k = self.stiffness * STIFFNESS
        for hand in self.hands:
            p, q = self.pose(y, hand.part)
            out[hand.part, :3] += hand.pull(p, k)[0]
            out[hand.part, 3:] += k * (q - hand.turn) + hand.torque
        return out.ravel()

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """See schemes/static."""
        found = [system.update_multipliers(own, share) for system, own in zip(self.systems, self._lead(y), strict=True)]
        for part in range(len(self.weights)):
            off = 1.0 / np.linalg.norm(self.pose(y, part)[1]) - 1.0
            self.swelling[part] += share * self.stiffness * STIFFNESS * off
            found.append((float(abs(off)), float(0.5 * self.stiffness * STIFFNESS * off * off)))
        k = self.stiffness * STIFFNESS
        for hand in self.hands:
            p, q = self.pose(y, hand.part)
            more, turning = hand.pull(p, k)[0] - hand.force, k * (q - hand.turn)
            hand.force, hand.torque = hand.force + share * more, hand.torque + share * turning
            error = max(abs(more).max(), abs(turning).max()) / k
            found.append((float(error), float(0.5 * (more @ more + turning @ turning) / k)))
        return max(error for error, _ in found), sum(held for _, held in found)

    def stiffen(self, factor: float) -> None:
        """See schemes/static."""
        self.stiffness *= factor
        for system in self.systems:
            system.stiffen(factor)

    def detect_contacts(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return max(system.detect_contacts(self.of_cable(y, k)) for k, system in enumerate(self.systems))

    def loosen(self, stiffness: float) -> bool:
        """See schemes/static."""
        found = [system.loosen(stiffness) for system in self.systems]  # each has to be asked
        return any(found)

    def meet(self, y: np.ndarray) -> None:
        """See schemes/static."""
        for k, system in enumerate(self.systems):
            system.meet(self.of_cable(y, k))

    def tighten(self, y: np.ndarray) -> None:
        """See schemes/static."""
        for k, system in enumerate(self.systems):
            system.tighten(self.of_cable(y, k))

    def relax(self) -> None:
        """See schemes/static."""
        for system in self.systems:
            system.relax()

    def memory(self) -> list[tuple]:
        """What `recall` brings back: integral forces, how stiff constraints are, and where handles are."""
        tables = [
            (s.segments.copy(), s.handles.copy(), s.joints.copy(), s.stiffness, s.contacts and s.contacts.memory())
            for s in self.systems
        ]
        return [*tables, (self.swelling.copy(), self.stiffness, [(h.force, h.torque) for h in self.hands])]

    def recall(self, kept: list[tuple]) -> None:
        """As it was."""
        for s, (segments, handles, joints, stiffness, touched) in zip(self.systems, kept[:-1], strict=True):
            s.segments[:], s.handles[:], s.joints[:], s.stiffness = segments, handles, joints, stiffness
            if s.contacts is not None:
                s.contacts.recall(touched)
        self.swelling[:], self.stiffness, forces = kept[-1]
        for hand, (force, torque) in zip(self.hands, forces, strict=True):
            hand.force, hand.torque = force, torque

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static."""
        turns = p[self.poses :].reshape(-1, POSE)[:, 3:]
        longest = LONGEST_TURN / max(float(abs(turns).max(initial=0.0)), LONGEST_TURN)
        for k, system in enumerate(self.systems):
            longest = min(longest, system.longest(self.of_cable(y, k), self.of_cable(p, k)))
        return longest

    def reach(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that contacts allow."""
        return min(s.reach(self.of_cable(y, k), self.of_cable(p, k)) for k, s in enumerate(self.systems))

    def unknowns(self, cables: Sequence[np.ndarray], places: np.ndarray, turns: np.ndarray) -> np.ndarray:
        """y of each cable's unknowns, the parts' places (p, 3) and quaternions (p, 4)."""
        bands = [own[: system.banded] for own, system in zip(cables, self.systems, strict=True)]
        slides = [own[system.banded :] for own, system in zip(cables, self.systems, strict=True)]
        return np.concatenate([*bands, *slides, np.hstack([places, turns]).ravel()])


def rotated(q: np.ndarray, o: np.ndarray) -> np.ndarray:
    """q o q̄ (3,), |q|² as long as o."""
    w, v = q[0], q[1:]
    out: np.ndarray = (w * w - v @ v) * o + 2.0 * (v @ o) * v + 2.0 * w * np.cross(v, o)
    return out


def by_quaternion(q: np.ndarray, o: np.ndarray) -> np.ndarray:
    """∂(q o q̄)/∂q (3, 4)."""
    w, v = q[0], q[1:]
    out = np.empty((3, 4))
    out[:, 0] = 2.0 * (w * o + np.cross(v, o))
    crossed = np.array([[0.0, -o[2], o[1]], [o[2], 0.0, -o[0]], [-o[1], o[0], 0.0]])
    out[:, 1:] = 2.0 * (np.outer(v, o) - np.outer(o, v) + (v @ o) * np.eye(3) - w * crossed)
    return out
