"""A rod's tables as a cable, in units of its own (see system.py)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..scene import Rod
from ..scenes.taut import EULER
from .frames import frame_at, frames_along
from .handle import Handle
from .own_length import pull_of
from .system import STIFFNESS, CableSystem
from .tables import HANDLE, JOINT, SEGMENT

# K of a cable that goes with free parts, over that of others: it swings further, and is braced where it bears more. Of
# 60 random trees 52, 55 and 56 come to rest by 1, .3 and .1, within the same effort. So count forces on these, and on
# their parts: three cables, one with 1000 times their weight on it, come to rest in 160 to 1400 factorisations, by 1 in
# 450 to 1950 or not quite.
SOFTER = 0.1


@dataclass(frozen=True)
class Units:
    """Of a cable's system."""

    length: float  # [m]
    force: float  # [N]


def units_of(rod: Rod, gravity: np.ndarray, loads: np.ndarray | float = 0.0) -> Units:
    """Its length, and what buckles it with all that it bears."""
    span = float(rest_lengths(rod)[1].sum())
    loaded = np.linalg.norm(_weights(rod, gravity), axis=1).sum() + np.linalg.norm(np.atleast_2d(loads), axis=1).sum()
    return Units(span, EULER * float(rod.bend_stiffness.mean()) / span**2 + float(loaded) + pull_of(rod))


def rest_lengths(rod: Rod) -> tuple[np.ndarray, np.ndarray]:
    """(places (n, 3) at rest, lengths (m,) of segments) [m]."""
    rest = rod.x if rod.rest_x is None else rod.rest_x
    return rest, np.linalg.norm(np.diff(rest, axis=0), axis=1) * rod.rest_length_factor


def _weights(rod: Rod, gravity: np.ndarray) -> np.ndarray:
    """(n, 3) [N]."""
    return rod.mass[:, None] * ((1.0 if rod.weights is None else float(rod.weights[0])) * gravity)


def cable_system(
    rod: Rod, handles: Sequence[Handle], gravity: np.ndarray, loads: np.ndarray | None, units: Units | None = None
) -> tuple[CableSystem, Units]:
    """The rod's tables, in its own units unless others are given, handles where they are to be, no integral forces."""
    n, m = len(rod.x), len(rod.x) - 1
    rest, length = rest_lengths(rod)
    own, pulls = _weights(rod, gravity), np.zeros((n, 3)) if loads is None else np.asarray(loads, float)
    bend, alone = rod.bend_stiffness, units_of(rod, gravity, pulls)
    units = units or alone
    span, force = units.length, units.force
    segments = np.zeros(m, SEGMENT)
    segments["length"] = length / span
    segments["stretch"] = STIFFNESS / segments["length"]
    segments["coherence"] = segments["norm"] = STIFFNESS * segments["length"]
    walls = _rest_frames(rod)
    at = {h.vertex: h for h in handles if h.vertex is not None and h.orientation is not None}
    joints = [(v, v - 1, v) for v in range(1, m) if v not in at]
    joints += [(v, v - 1, -1) for v in at if v > 0] + [(v, -1, v) for v in at if v < m]
    joints.sort(key=lambda joint: (joint[0], -joint[1]))  # of two halves that before comes first
    table = np.zeros(len(joints), JOINT)
    table["vertex"], table["before"], table["after"] = np.array(joints, int).reshape(-1, 3).T
    at_vertex = table["vertex"]
    both = 0.5 * (bend[np.maximum(at_vertex - 1, 0)] + bend[np.minimum(at_vertex, m - 1)])
    stiffness = np.stack([both[:, 1], both[:, 0], rod.twist_stiffness[at_vertex]], axis=1)
    table["stiffness"] = stiffness / (force * span**2)
    # Loads take the place of what the rod's own mass is not in proportion to length.
    line = own.sum(axis=0) / force
    half = 0.5 * segments["length"]
    even = np.zeros(n)
    even[:-1] += half
    even[1:] += half
    table_loads = (own + pulls) / force - even[:, None] * line
    places = np.zeros(len(handles), HANDLE)
    places["part"] = -1
    for i, (row, h) in enumerate(zip(places, handles, strict=True)):
        row["segment"] = h.edge if h.vertex is None else min(h.vertex, m - 1)
        row["share"] = 0.5 if h.vertex is None else float(h.vertex == m)
        row["stiffness"] = 0.0 if h.position is None else STIFFNESS
        row["strength"] = h.strength / force
        if h.vertex is None:
            row["turn_stiffness"] = 0.0 if h.orientation is None else STIFFNESS
        elif h.orientation is not None:
            row["turn"] = frame_at(walls, h.vertex)
            table["handle"][at_vertex == h.vertex] = i
    anchors, sliding = _anchors(handles, n)
    system = CableSystem(segments, table, places, line, table_loads, anchors, sliding)
    softer = SOFTER if any(h.part for h in handles) else 1.0
    system.have_scale(softer * alone.force / force)
    system.joints["rest"] = rod.shape_memory * system.bent(system.unknowns(rest / span, walls[1:-1]))[0]
    if rod.natural_curvature is not None:  # to bend towards m₁ is to turn about m₂, and towards m₂ against m₁
        spool = np.array([-rod.natural_curvature[1], rod.natural_curvature[0], 0.0])
        system.joints["rest"] += (1.0 - rod.shape_memory) * span * spool
    return system, units


def _rest_frames(rod: Rod) -> np.ndarray:
    if rod.rest_x is None:
        return frames_along(rod.x, rod.m1, rod.twist if rod.rest_twist is None else rod.rest_twist)
    return frames_along(rod.rest_x, rod.rest_m1, rod.rest_twist)


def _anchors(handles: Sequence[Handle], n: int) -> tuple[np.ndarray, np.ndarray]:
    """(numbers of vertices between which lengths are in proportion, which of them slide)."""
    slides = {0: False, n - 1: False}
    for h in handles:
        for end in h.vertices:
            slides[end] = h.slides
    anchors = np.array(sorted(slides))
    return anchors, np.array([slides[v] for v in anchors])
