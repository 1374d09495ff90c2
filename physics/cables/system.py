"""A rod between handles as a system that schemes/static brings to rest.

In units of the rod's length L, of the force F = 4π² B/L² + all weight and loads, and so of the energy F L, the
stiffness of constraints is a number, whatever the length, the unit and the number of points: K/l of a segment's length,
K l of its coherence and norm, K of a handle (Grégoire 2007, app. B). Each joint stands for half of the segments beside
it, a clamped end for half a segment, and each point for the mass of these halves, which makes errors of the second
order; the thesis shares length and mass equally among joints and points, which makes them of the first.

Where a handle slides the arc length under it is an unknown: segments on either side of it lengthen and shorten as the
cable runs through, in proportion. Then ∂E/∂l of a segment, −(k c + f) − ½ Σ B (κ² − κ̄²) − w·x̄ with its halves of joints
and of weight, sums up to the force with which the cable runs: at equilibrium it is nothing, and the tension is the same
on either side of a frictionless clip, as far as the cable has no corner there.

What is mounted on rigid parts goes where these are: their places and quaternions are unknowns, the last.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..linear.border import Border
from . import equations
from .arc_lengths import by_arc_lengths
from .band import BandFactors
from .constraints import take_up
from .contact import Contacts
from .mounts import POSE, lead, mounted
from .tables import QUATERNION, REACH, STRIDE

STIFFNESS = 300.0  # K: springs give by 1/K before integral forces take over, which K more or less never changes
LONGEST_TURN = 0.3  # of a quaternion in a step, .6 rad: a joint cannot slip by half a turn
SOFTEST = 1e-3  # per length: what bends or hangs resists by 10 or more, be it soft or heavy
NEARER = 0.5  # part of the cable between two handles that a step may take away


@dataclass(frozen=True, eq=False)
class Mount:
    """A handle of a cable, by their numbers, mounted on a part: its arm (3,) and frame (4,) in the part's axes."""

    cable: int
    handle: int
    part: int
    arm: np.ndarray
    frame: np.ndarray | None


class CableSystem:
    """segments (m,) SEGMENT, joints (k,) JOINT, handles (h,) HANDLE; weight (3,) per length, loads (m + 1, 3) at
    points; anchors (a,): numbers of points between which lengths are in proportion; sliding: which of these slide. All
    in the units above.
    """

    half_bandwidth, factors, at_once, parted = REACH, BandFactors, True, 1.0  # it has no others beside it
    firm, bears = True, True  # segments are as long as they are, by a force that goes on from where it starts

    def __init__(
        self, segments: np.ndarray, joints: np.ndarray, handles: np.ndarray, weight: np.ndarray, loads: np.ndarray,
        anchors: np.ndarray, sliding: np.ndarray,
    ) -> None:  # fmt: skip
        self.segments, self.joints, self.handles = segments, joints, handles
        self.weight, self.loads, self.anchors, self.sliding = weight, loads, anchors, sliding
        self.banded = STRIDE * len(segments) + 3
        self.contacts: Contacts | None = None
        self.parts: list[int] = []  # numbers of those that it is mounted on
        self._lay_out()
        self.length = segments["length"].copy()
        self.arc = np.concatenate([[0.0], np.cumsum(self.length)])
        self.stiffness = 1.0  # of constraints, over what they began with
        self.scale = 1.0  # of its forces, and so of its springs
        self.softest = SOFTEST * float(self.length.mean())
        self.work = np.zeros((15, 10))
        self.forces = np.zeros((len(segments) + 1, 3))
        self._share()

    def _lay_out(self) -> None:
        self.poses = self.banded + int(np.count_nonzero(self.sliding))
        self.count = self.poses + POSE * len(self.parts)
        self.bordering = self.count - self.banded
        self.border = np.zeros((self.bordering, self.count))

    def mount(self, mounts: Sequence[Mount]) -> None:
        """Lets parts lead these handles, and no others, which then are where they are."""
        self.parts = sorted({mount.part for mount in mounts})
        self.handles["part"] = -1
        for mount in mounts:
            row = self.handles[mount.handle]
            row["part"], row["arm"] = self.parts.index(mount.part), mount.arm
            row["frame"] = [1.0, 0.0, 0.0, 0.0] if mount.frame is None else mount.frame
        self._lay_out()

    def arc_lengths(self, y: np.ndarray) -> np.ndarray:
        """Of the anchors (a,), of unknowns y."""
        arc = self.arc[self.anchors].copy()
        arc[self.sliding] = y[self.banded : self.poses]
        return arc

    def take(self, y: np.ndarray) -> None:
        """Lengths and weights as arc lengths under what slides have them; handles where parts have them."""
        lead(y[self.poses :], self.handles)
        if self.poses > self.banded:
            scale = np.diff(self.arc_lengths(y)) / np.diff(self.arc[self.anchors])
            self.segments["length"] = self.length * np.repeat(scale, np.diff(self.anchors))
            self._share()

    def have_run(self, length: np.ndarray) -> None:
        """Segments are as long (m,) from now on as the cable has run through their points."""
        self.length = self.segments["length"] = length.copy()
        self.arc = np.concatenate([[0.0], np.cumsum(length)])
        self._share()

    def longer_segments(self, p: np.ndarray) -> np.ndarray:
        """(m,) by which a step p of the arc lengths makes rest lengths longer."""
        if self.poses == self.banded:
            return np.zeros(len(self.segments))
        longer: np.ndarray = p[self.banded : self.poses] @ self._changes()
        return longer

    def _changes(self) -> np.ndarray:
        """(s, m) by which arc lengths under what slides make rest lengths longer."""
        step = np.eye(len(self.anchors))[self.sliding]
        return self.length * np.repeat(np.diff(step) / np.diff(self.arc[self.anchors]), np.diff(self.anchors), axis=1)

    def _share(self) -> None:
        """Halves of segments to joints, and with their weight to points."""
        half = 0.5 * self.segments["length"]
        before, after = self.joints["before"], self.joints["after"]
        self.joints["length"] = np.where(before >= 0, half[before], 0.0) + np.where(after >= 0, half[after], 0.0)
        self.forces[:] = self.loads
        self.forces[:-1] += half[:, None] * self.weight
        self.forces[1:] += half[:, None] * self.weight
        if self.contacts is not None and self.firm:
            self.contacts.run(np.concatenate([[0.0], np.cumsum(self.segments["length"])]))

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        self.take(y)
        own = float(equations.energy(y, self.segments, self.joints, self.handles, self.forces, self.work))
        return own if self.contacts is None else own + self.contacts.energy(y)

    def springs(self, y: np.ndarray) -> None:
        """See schemes/static: nothing is coupled."""

    def flatten(self, flat: bool) -> bool:
        """See schemes/static."""
        return False

    def derivatives(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> tuple[Border, None]:
        """See schemes/static."""
        return Border.full(self.bordered(y, gradient, band)), None

    def add_contacts(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> None:
        """See schemes/static."""
        if self.contacts is not None:
            self.contacts.derivatives(y, gradient, band)

    def bordered(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> np.ndarray:
        """As `derivatives`. Returns the last rows (m, N)."""
        if self.contacts is not None and self.contacts.pressing is None:
            self.contacts.follow(y, self.points(y))
        self.take(y)
        own, slides, border = gradient[: self.banded], self.poses - self.banded, self.border
        equations.derivatives(y, self.segments, self.joints, self.handles, self.forces, self.work, own, band)
        rubs = () if self.contacts is None else self.contacts.rub(y, own, band)
        gradient[self.banded :] = border[:] = 0.0
        if slides:
            self._slide(y, gradient, border[:slides], rubs)
        if self.parts:
            mounted(y, self.joints, self.handles, self.work, gradient, border[slides:])
            border[slides:, self.banded : self.poses] = border[:slides, self.poses :].T
        return border

    def _slide(self, y: np.ndarray, gradient: np.ndarray, border: np.ndarray, rubs: tuple[np.ndarray, ...]) -> None:
        """Adds derivatives by arc lengths under what slides: rows of the border (s, N); rubs: of friction at points."""
        change = self._changes()
        by_arc_lengths(y, self.segments, self.joints, self.handles, change, self.work, gradient, border)
        halves = np.pad(0.5 * change, [(0, 0), (1, 1)])
        shares = halves[:, 1:] + halves[:, :-1]  # of weight, to points
        gradient[self.banded : self.poses] -= shares @ self.points(y) @ self.weight
        columns = STRIDE * np.arange(shares.shape[1])[:, None] + np.arange(3)
        border[:, columns] -= shares[:, :, None] * self.weight
        if rubs and self.firm:
            at, along, slope, curve = rubs
            back = -np.pad(np.cumsum(change, axis=1), [(0, 0), (1, 0)])[:, at, None] * along
            gradient[self.banded : self.poses] += np.einsum("skc,kc->s", back, slope)
            border[:, columns[at]] += np.einsum("skc,kcd->skd", back, curve)
            border[:, self.banded : self.poses] += np.einsum("skc,kcd,tkd->st", back, curve, back)

    def update_multipliers(self, y: np.ndarray, share: float) -> tuple[float, float]:
        """See schemes/static."""
        self.take(y)
        out = np.empty(2)
        equations.integrate(y, self.segments, self.handles, share, out, self.work)
        return float(out[0]), float(out[1])

    def take_up(self, y: np.ndarray, p: np.ndarray) -> None:
        """See schemes/static."""
        self.take(y)
        take_up(y, p, self.longer_segments(p), self.poses, self.segments, self.handles, self.work)

    def integral_forces(self) -> tuple[np.ndarray, ...]:
        """See schemes/static: with where handles are."""
        return self.segments.copy(), self.handles.copy()

    def put_back(self, forces: tuple[np.ndarray, ...]) -> None:
        """See schemes/static."""
        self.segments[:], self.handles[:] = forces

    def memory(self) -> tuple[Any, ...]:
        """See schemes/static: with how stiff springs are."""
        contacts = None if self.contacts is None else self.contacts.memory()
        return self.integral_forces(), (self.stiffness, self.scale), contacts

    def recall(self, memory: tuple[Any, ...]) -> None:
        """See schemes/static."""
        forces, (self.stiffness, self.scale), contacts = memory
        self.put_back(forces)
        if self.contacts is not None:
            self.contacts.recall(contacts)

    def stiffen(self, factor: float) -> None:
        """See schemes/static."""
        self.stiffness *= factor
        self._stiffen(factor)

    def have_scale(self, scale: float) -> None:
        """Springs become as stiff as that scale of forces asks for."""
        self._stiffen(scale / self.scale)
        self.scale = scale

    def brace(self, most: float) -> bool:
        """See schemes/static: they are all alike."""
        return False

    def _stiffen(self, factor: float) -> None:
        for name in ("stretch", "coherence", "norm"):
            self.segments[name] *= factor
        for name in ("stiffness", "turn_stiffness"):
            self.handles[name] *= factor

    def longest(self, y: np.ndarray, p: np.ndarray) -> float:
        """See schemes/static."""
        turn = float(abs(p[: self.banded - 3].reshape(-1, STRIDE)[:, QUATERNION:]).max())
        longest = LONGEST_TURN / turn if turn > LONGEST_TURN else 1.0
        if self.poses > self.banded:
            step = np.zeros(len(self.anchors))
            step[self.sliding] = p[self.banded : self.poses]
            shrinks = -np.diff(step) / (NEARER * np.diff(self.arc_lengths(y)))
            longest = min(longest, 1.0 / max(1.0, float(shrinks.max())))
        return longest * self.reach(y, longest * p)

    def reach(self, y: np.ndarray, p: np.ndarray) -> float:
        """The part of a step p from y that contacts allow."""
        return 1.0 if self.contacts is None else self.contacts.longest(self.points(y), self.points(p))

    def detect_contacts(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return 0.0 if self.contacts is None else self.contacts.look(y, self.points(y))

    def loosen(self, stiffness: float) -> bool:
        """See schemes/static."""
        if self.contacts is None:
            return False
        self.contacts.loosen(stiffness)
        return True

    def meet(self, y: np.ndarray) -> None:
        """See schemes/static."""
        if self.contacts is not None:
            self.contacts.meet(y, self.points(y))

    def tighten(self, y: np.ndarray) -> None:
        """See schemes/static."""
        if self.contacts is not None:
            self.contacts.tighten(y)

    def relax(self) -> None:
        """See schemes/static."""
        if self.contacts is not None:
            self.contacts.relax()

    def points(self, y: np.ndarray) -> np.ndarray:
        """x (n, 3)."""
        last = self.banded - 3
        return np.concatenate([y[:last].reshape(-1, STRIDE)[:, :QUATERNION], y[None, last : self.banded]])

    def quaternions(self, y: np.ndarray) -> np.ndarray:
        """q (m, 4)."""
        return y[: self.banded - 3].reshape(-1, STRIDE)[:, QUATERNION:]

    def arc_of_points(self, y: np.ndarray) -> np.ndarray:
        """Arc lengths (n,)."""
        self.take(y)
        return np.concatenate([[0.0], np.cumsum(self.segments["length"])])

    def arc_of_handles(self, y: np.ndarray) -> np.ndarray:
        """Arc lengths (h,)."""
        arc, h = self.arc_of_points(y), self.handles
        return (1.0 - h["share"]) * arc[h["segment"]] + h["share"] * arc[h["segment"] + 1]

    def slack(self, y: np.ndarray) -> float:
        """The least that is left of a length between anchors, over what was drawn."""
        return float((np.diff(self.arc_lengths(y)) / np.diff(self.arc[self.anchors])).min())

    def place(self, i: int, position: np.ndarray, frame: np.ndarray | None) -> None:
        """Leads handle i, of a frame (4,) where it is oriented."""
        row = self.handles[i]
        row["position"] = position
        if frame is not None:
            row["turn"] = frame

    def pulls(self, y: np.ndarray) -> np.ndarray:
        """What segments bear along themselves (m,) at rest, but for shear."""
        tension: np.ndarray = self.segments["tension"]
        return tension

    def internal_force(self, y: np.ndarray) -> np.ndarray:
        """∂E/∂d of segments (m, 3) at rest, when integral forces hold all: what is behind exerts on what is before."""
        d, w = np.diff(self.points(y), axis=0), self.segments["shear"]
        length = np.linalg.norm(d, axis=1, keepdims=True)
        u = d / length
        return self.pulls(y)[:, None] * u + (w - np.sum(w * u, axis=1, keepdims=True) * u) / length

    def bent(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """κ (k, 3) of joints, and the moment (k, 3) that what is behind exerts, in the axes of what is before."""
        kappa, moment = np.zeros((2, len(self.joints), 3))
        equations.joints_bear(y, self.joints, self.handles, self.work, kappa, moment)
        return kappa, moment

    def places_of_handles(self, y: np.ndarray) -> np.ndarray:
        """Where they hold the cable (h, 3)."""
        x, h = self.points(y), self.handles
        share = h["share"][:, None]
        places: np.ndarray = (1.0 - share) * x[h["segment"]] + share * x[h["segment"] + 1]
        return places

    def torque_of_handle(self, y: np.ndarray, i: int) -> np.ndarray:
        """What an oriented one on a segment exerts (3,)."""
        h = self.handles[i]
        q = self.quaternions(y)[h["segment"]]
        pull = h["torque"]
        return -0.5 * (pull[1:] * q[0] - pull[0] * q[1:] - np.cross(pull[1:], q[1:]))

    def resized(self, y: np.ndarray, factor: float) -> np.ndarray:
        """y of lengths that are so many times as large."""
        x = np.concatenate([factor * self.points(y)[:-1], self.quaternions(y)], axis=1).ravel()
        return np.concatenate([x, factor * y[self.banded - 3 : self.poses], y[self.poses :]])

    def unknowns(self, x: np.ndarray, q: np.ndarray) -> np.ndarray:
        """y of points (n, 3) and quaternions (m, 4); what slides is where it was drawn."""
        y = np.hstack([x[:-1], q]).ravel()
        return np.concatenate([y, x[-1], self.arc[self.anchors[self.sliding]]])
