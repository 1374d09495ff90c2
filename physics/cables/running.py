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

from collections.abc import Sequence

import numpy as np

from ..schemes.static import Equilibrium
from .harness_system import HarnessSystem
from .system import CableSystem
from .tables import STRIDE

STRAIGHT = 1e-6  # times 1/L, curvature of a rest shape that is straight: of any other, points have their own
SEEN = 1e-2  # what corners hold less of, of the tension, and of weight and buckling load, is let be
CORNER = 1.5  # of a segment, along which contacts are of one corner
NOWHERE = np.zeros(0, int)
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
    whole: HarnessSystem, y: np.ndarray, drawn: Sequence[np.ndarray], may: Sequence[bool], tolerance: float, most: float
) -> tuple[np.ndarray, int, bool]:
    """The unknowns of cables at rest as y, where those that may have run over the edges they bend around, and points of
    those that bend around none are back where they were drawn; drawn: lengths (m,) of their segments. What would run
    too far stays as it is, and all does where that finds no rest. Returns how many factorisations it took, too, of
    `most`, and whether these were too few.
    """
    own = [whole.of_cable(y, k) for k in range(len(drawn))]
    at = [_corners(one, x) if ok else NOWHERE for one, x, ok in zip(whole.systems, own, may, strict=True)]
    factors, may = 0, [*may]
    while moved := [k for k in np.flatnonzero(may).tolist() if len(at[k]) or _has_run(whole.systems[k], drawn[k])]:
        memory, systems, begin = whole.memory(), [*whole.systems], [*own]
        lengths = [system.segments["length"].copy() for system in systems]
        for k in moved:
            if len(at[k]):
                systems[k], begin[k] = _running(systems[k], own[k], at[k])
            else:
                systems[k].have_run(drawn[k])
        there = HarnessSystem(systems, whole.mounts, whole.parts, whole.pairs, whole.shapes)
        z = there.unknowns(begin, y[whole.poses :])
        solver = Equilibrium(there, there.at_once, most - factors)
        found = solver.settle(z, tolerance)
        factors += solver.effort.factors
        uneven = [k for k in moved if len(at[k]) and not _is_even(systems[k].segments["length"], drawn[k])]
        if found and not uneven:
            for k in moved:
                one, other = whole.systems[k], systems[k]
                one.stiffness, one.scale = other.stiffness, other.scale
                one.have_run(one.segments["length"])
            whole.stiffness = there.stiffness
            return whole.unknowns([there.of_cable(z, k) for k in range(len(own))], z[there.poses :]), factors, False
        whole.recall(memory)
        for k in moved:
            whole.systems[k].have_run(lengths[k])
        for k in uneven if found else moved:
            may[k] = False
        if not found:
            return y, factors, solver.exhausted
    return y, factors, False


def _running(system: CableSystem, y: np.ndarray, at: np.ndarray) -> tuple[Running, np.ndarray]:
    """The system that runs through its points at these corners (k,), and its unknowns."""
    anchors, contacts = np.concatenate([system.anchors, at]), system.contacts
    order = np.argsort(anchors)
    free = np.concatenate([system.sliding, np.ones(len(at), bool)])[order]
    running = Running(system.segments, system.joints, system.handles, system.weight, system.loads, anchors[order], free)
    running.stiffness, running.scale, running.contacts = system.stiffness, system.scale, contacts
    assert contacts is not None
    a_segment = len(system.segments) / system.arc[-1]
    running.stay(y, at, float(contacts.pushes(y).max() * a_segment) if contacts.rubs else 0.0)  # N a segment
    return running, np.concatenate([y[: system.banded], running.arc[running.anchors[free]]])


def _has_run(system: CableSystem, drawn: np.ndarray) -> bool:
    """Whether it has run over edges, by its segments as drawn."""
    return not system.sliding.any() and not np.array_equal(system.segments["length"], drawn)


def _is_even(length: np.ndarray, drawn: np.ndarray) -> bool:
    """Whether segments are nearly as they were drawn."""
    return bool((length <= UNEVEN * drawn).all() and (UNEVEN * length >= drawn).all())


def _corners(system: CableSystem, y: np.ndarray) -> np.ndarray:
    """Numbers of points, one at each corner where the cable bends around an edge, and none where a handle is."""
    contacts = system.contacts
    if contacts is None or system.sliding.any() or abs(system.joints["rest"]).max(initial=0.0) > STRAIGHT:
        return NOWHERE
    pushes = contacts.pushes(y)
    edges = (pushes > 0.0) & (contacts.rows["feature"] >= len(contacts.around.surfaces.faces))
    if not edges.any():
        return NOWHERE
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
