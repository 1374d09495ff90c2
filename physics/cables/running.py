"""A cable that runs over sharp edges, as it would without its corners.

A polyline of points that are fixed in the cable is held by them. Taut over an edge by an angle φ, a part l of it, with
its ends a and l − a from there, pulls them together by less than it is long,

    E(a) = T (l − √(l² − 2a (l − a)(1 − cos φ))),    dE/da = T (1 − cos φ) at a = 0,

so tensions on either side differ by up to that part, as if it rubbed, whatever l is; bent by φ at one point of joints
of length l it holds B φ²/2l, at two B φ²/4l. Where it is too stiff for a corner, the edge's push N bends it by φ about
there, κ' jumps by N/B, and it is held by some N φ/2, as where it is limp, N = T φ. With the arc length at a point near
the edge an unknown, as under a handle that slides (system.py), points stay while the cable runs through them. Then
nothing of this changes as it runs, and what it runs to has T + ½ B κ² − w·x the same on either side.

Where it rubs, these differ by μ N, N = |T₂ t₂ − T₁ t₁| what the edge presses with,

    T₂/T₁ = (1 + x)/(1 − x),    x² = μ² sin²(φ/2)/(1 − μ² cos²(φ/2)),

which is e^{μφ} to 3 % at a right angle and μ = .3. But then nothing holds points along the cable, which runs through
them as much as they go: springs hold those at corners, with no more than corners do.
"""

import numpy as np

from ..schemes.static import Equilibrium
from .system import CableSystem
from .tables import STRIDE

STRAIGHT = 1e-6  # times 1/L, curvature of a rest shape that is straight: of any other, points have their own
SEEN = 1e-2  # what corners hold less of, of the tension, and of weight and buckling load, is let be
CORNER = 1.5  # of a segment, along which contacts are of one corner
UNEVEN = 2.0  # times as long as it was drawn, or as short, may a segment become


class Running(CableSystem):
    """A system in which some points stay while the cable runs through them."""

    def stay(self, y: np.ndarray, at: np.ndarray, stiffness: float) -> None:
        """Holds points of these numbers (k,) along the cable by springs, from where y has them."""
        x = self.points(y)
        self.at, self.there, self.hold = at, x[at], stiffness
        self.way = x[at + 1] - x[at - 1]
        self.way /= np.linalg.norm(self.way, axis=1)[:, None]

    def _gone(self, y: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.sum((self.points(y)[self.at] - self.there) * self.way, axis=1)
        return found

    def energy(self, y: np.ndarray) -> float:
        """See schemes/static."""
        return super().energy(y) + 0.5 * self.hold * float((self._gone(y) ** 2).sum())

    def bordered(self, y: np.ndarray, gradient: np.ndarray, band: np.ndarray) -> np.ndarray:
        """See CableSystem."""
        border = super().bordered(y, gradient, band)
        pull = self.hold * self._gone(y)
        for r in range(3):
            gradient[STRIDE * self.at + r] += pull * self.way[:, r]
            for c in range(r, 3):
                band[STRIDE * self.at + r, c - r] += self.hold * self.way[:, r] * self.way[:, c]
        return border


def run(
    system: CableSystem, y: np.ndarray, drawn: np.ndarray, tolerance: float, most: float
) -> tuple[np.ndarray, int, bool]:
    """The unknowns of a cable that is the same all along, at rest as y, where it has run over the edges it bends
    around; as they are, where there are none, or it would run too far. drawn (m,): lengths of its segments. Returns how
    many factorisations it took, too, of `most`, and whether these were too few.
    """
    at, contacts = _corners(system, y), system.contacts
    if contacts is None or not len(at):
        return *_as_drawn(system, y, drawn, tolerance, most), False
    memory, length = system.memory(), system.segments["length"].copy()
    anchors = np.concatenate([system.anchors, at])
    order = np.argsort(anchors)
    free = np.concatenate([system.sliding, np.ones(len(at), bool)])[order]
    running = Running(system.segments, system.joints, system.handles, system.weight, system.loads, anchors[order], free)
    running.stiffness, running.contacts = system.stiffness, contacts
    running.stay(y, at, float(contacts.pushes(y).max() / drawn.mean()) if contacts.rubs else 0.0)  # N a segment
    there = np.concatenate([y[: system.banded], running.arc[running.anchors[free]]])
    solver = Equilibrium(running, True, most)
    found = solver.settle(there, tolerance)
    uneven = system.segments["length"] / drawn
    if found and uneven.max() <= UNEVEN and uneven.min() >= 1.0 / UNEVEN:
        system.stiffness = running.stiffness
        system.have_run(system.segments["length"])
        return there[: system.banded], solver.effort.factors, False
    system.recall(memory)
    system.segments["length"] = length
    system.have_run(length)
    return y, solver.effort.factors, solver.exhausted


def _as_drawn(
    system: CableSystem, y: np.ndarray, drawn: np.ndarray, tolerance: float, most: float
) -> tuple[np.ndarray, int]:
    """As `run`, of what bends around no edge: where it has run over some, its points go back to where they were."""
    length = system.segments["length"].copy()
    if system.bordering or np.array_equal(length, drawn):
        return y, 0
    memory, there = system.memory(), y.copy()
    system.have_run(drawn)
    solver = Equilibrium(system, True, most)
    if solver.settle(there, tolerance):
        return there, solver.effort.factors
    system.recall(memory)
    system.have_run(length)
    return y, solver.effort.factors


def _corners(system: CableSystem, y: np.ndarray) -> np.ndarray:
    """Numbers of points, one at each corner where the cable bends around an edge, and none where a handle is."""
    contacts = system.contacts
    if contacts is None or system.bordering or abs(system.joints["rest"]).max(initial=0.0) > STRAIGHT:
        return np.zeros(0, int)
    pushes = contacts.pushes(y)
    edges = (pushes > 0.0) & (contacts.rows["feature"] >= len(contacts.around.surfaces.faces))
    places, pushes = (contacts.rows["segment"] + contacts.rows["share"])[edges], pushes[edges]
    d = np.diff(system.points(y), axis=0)
    d /= np.linalg.norm(d, axis=1, keepdims=True)
    order, found = np.argsort(places), []
    for own in np.split(order, np.flatnonzero(np.diff(places[order]) > CORNER) + 1):
        group = places[own]
        if len(group) and group[-1] - group[0] <= CORNER:
            before, behind = int(max(group[0] - 1.0, 0.0)), int(min(group[-1] + 1.0, len(d) - 1.0))
            point = int(np.clip(np.round(group.mean()), 1, len(d) - 1))
            bent = 1.0 - d[before] @ d[behind]
            # ½ N φ, φ² = 2 (1 − cos φ); of what rubs that is little beside μ N
            held = 0.0 if contacts.rubs else np.sqrt(0.5 * bent) * pushes[own].sum()
            if max(bent, held) > SEEN and point not in system.anchors:
                found.append(point)
    return np.array(sorted(set(found)), int)
