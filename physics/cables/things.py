"""Parts and what they touch: things with surfaces, whose vertices are one table. A cable is one of segments.

A wall is where it is. A part's vertex at the arm o is at p + q o q̄ (see mounts.py), a cable's where its point is; by a
step (δp, δq) of a part it goes δp + J δq + δq o δq̄, J δq being what is linear in it,

    J = ∂(q o q̄)/∂q = 2 [ w o + v × o,  v oᵀ − o vᵀ + (v·o) 1 − w [o]× ],    q = (w, v).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..assemble.shapes import sharp
from ..assemble.surfaces import lay_out
from ..contact.bounding_volumes import fit
from ..geometry.rounding import extents, rounded
from ..model import Surfaces
from ..scene import Collider, Shape

NOWHERE = -1
SIDES = 7  # unknowns of a part, or of two points of a cable and none


@dataclass(frozen=True)
class Thing:
    """surfaces at their places of vertices (v, 3), those of a part in its axes; radius (v,) around them. A wall goes
    from the first of its samples to the second.

    part: its number, −1: it is none; at (v,): where a cable's points begin in the unknowns. group: see
    Scene.collision_filter.
    """

    name: str
    surfaces: Surfaces
    radius: np.ndarray
    part: int = NOWHERE
    at: np.ndarray | None = None
    group: int = 0
    extent: float = np.inf  # the smallest

    @property
    def moves(self) -> bool:
        """Whether unknowns have it where it is."""
        return self.part >= 0 or self.at is not None


def wall(collider: Collider, samples: np.ndarray, length: float) -> Thing:
    """A collider that goes from where it was to where it is, samples (2, v, 3), in units of that length [m]."""
    thickness = collider.thickness / length
    surfaces = sharp(lay_out([(samples[1], collider.triangles, thickness, 0.0)]))
    surfaces.samples[:] = samples
    fit(surfaces)
    return Thing(collider.name, surfaces, np.full(samples.shape[1], thickness), group=collider.group)


def part_of(name: str, shape: Shape, number: int, length: float, group: int) -> Thing:
    """What of a part touches, rounded from within where it has no radius of its own."""
    points, radius = rounded(shape)
    surfaces = sharp(lay_out([(points / length, shape.triangles, radius / length, 0.0)]))
    extent = float(extents(points).min() + 2.0 * radius) / length
    return Thing(name, surfaces, np.full(len(points), radius / length), number, group=group, extent=extent)


def cable(name: str, x: np.ndarray, radius: np.ndarray, at: np.ndarray, group: int) -> Thing:
    """A cable with points x (n, 3), in units of the system, which begin there (n,) in the unknowns."""
    first = np.arange(len(x) - 1)
    segments = np.stack([first, first + 1, first + 1], axis=1)
    return Thing(name, lay_out([(x, segments, float(radius.max()), 0.0)]), radius, at=at, group=group)


class Places:
    """Where vertices (V,) of things are, one thing after the other, by unknowns whose last are poses of all parts."""

    def __init__(self, things: Sequence[Thing], parts: int) -> None:
        self.things, self.parts = things, parts
        self.first = np.cumsum([0, *(len(t.radius) for t in things)])
        self.radius = np.concatenate([t.radius for t in things])
        self.arm = np.concatenate([t.surfaces.samples[0] for t in things])
        owner = np.repeat(np.arange(len(things)), np.diff(self.first))
        self.part = np.array([t.part for t in things])[owner]
        self.at = np.concatenate([np.full(len(t.radius), NOWHERE) if t.at is None else t.at for t in things])
        self.of_part, self.of_cable = np.flatnonzero(self.part >= 0), np.flatnonzero(self.at >= 0)
        self.pose = self._poses(self.part[self.of_part])
        self.point = self.at[self.of_cable, None] + np.arange(3)
        self.turns = self.pose[:, 3:]
        self.x, self.poses = self.arm.copy(), slice(-SIDES * parts, None)
        self.drift, self.gone = np.zeros_like(self.x), 0.0  # of walls: their way, and the part of it that is over
        self.at_walls = np.repeat([not t.moves for t in things], np.diff(self.first))
        way = np.concatenate([np.diff(t.surfaces.samples, axis=0)[0] for t in things])
        self.drift[self.at_walls] = way[self.at_walls]

    def _poses(self, part: np.ndarray) -> np.ndarray:
        """(k, 7) unknowns of parts (k,), counted from the last."""
        found: np.ndarray = SIDES * (part - self.parts)[:, None] + np.arange(SIDES)
        return found

    def lead(self, gone: float) -> None:
        """Leads walls to where that part of their way is over."""
        self.x[self.at_walls] = (self.arm + gone * self.drift)[self.at_walls]
        self.gone = gone

    def find(self, y: np.ndarray) -> np.ndarray:
        """x (V, 3) at unknowns y, the same array each time."""
        self.x[self.of_cable] = y[self.point]
        self.x[self.of_part] = y[self.pose[:, :3]] + carried(y[self.turns], self.arm[self.of_part])
        return self.x

    def ways(self, y: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """By a step p from y: (V, 3) what is linear of the way of each, and the whole way."""
        linear = np.zeros_like(self.x)
        linear[self.of_cable] = p[self.point]
        arm, dq = self.arm[self.of_part], p[self.turns]
        linear[self.of_part] = p[self.pose[:, :3]] + np.einsum("vij,vj->vi", by_quaternion(y[self.turns], arm), dq)
        whole = linear.copy()
        whole[self.of_part] += carried(dq, arm)
        return linear, whole

    def columns(self, which: np.ndarray, count: int) -> np.ndarray:
        """(k, 7) of `count` unknowns, of what vertices (k,) are of: a part's pose, or a point; `count`: of none."""
        found = np.full((len(which), SIDES), count)
        own = self.part[which]
        found[own >= 0] = count + self._poses(own[own >= 0])
        points = self.at[which] >= 0
        found[points, :3] = self.at[which[points], None] + np.arange(3)
        return found

    def jacobian(self, y: np.ndarray, which: np.ndarray) -> np.ndarray:
        """(k, 3, 7) of x of vertices (k,) by those."""
        found = np.zeros((len(which), 3, SIDES))
        found[(self.part[which] >= 0) | (self.at[which] >= 0), :, :3] = np.eye(3)
        own = np.flatnonzero(self.part[which] >= 0)
        turns = y[self._poses(self.part[which[own]])[:, 3:]]
        found[own, :, 3:] = by_quaternion(turns, self.arm[which[own]])
        return found


def carried(q: np.ndarray, o: np.ndarray) -> np.ndarray:
    """q o q̄ (k, 3)."""
    w, v = q[:, :1], q[:, 1:]
    found: np.ndarray = (
        (w * w - np.sum(v * v, axis=1, keepdims=True)) * o
        + 2.0 * np.sum(v * o, axis=1, keepdims=True) * v
        + 2.0 * w * np.cross(v, o)
    )
    return found


def by_quaternion(q: np.ndarray, o: np.ndarray) -> np.ndarray:
    """J (k, 3, 4)."""
    w, v = q[:, :1], q[:, 1:]
    found = np.empty((len(q), 3, 4))
    found[:, :, 0] = w * o + np.cross(v, o)
    found[:, :, 1:] = v[:, :, None] * o[:, None] - o[:, :, None] * v[:, None] - w[:, :, None] * across(o)
    found[:, :, 1:] += np.sum(v * o, axis=1)[:, None, None] * np.eye(3)
    return 2.0 * found


def across(o: np.ndarray) -> np.ndarray:
    """[o]× (k, 3, 3)."""
    found = np.zeros((len(o), 3, 3))
    found[:, 2, 1], found[:, 0, 2], found[:, 1, 0] = o.T
    return found - np.swapaxes(found, 1, 2)


def form(g: np.ndarray, o: np.ndarray) -> np.ndarray:
    """(k, 4, 4): g·(q o q̄) = ½ qᵀ M q, see quaternion_derivatives.py."""
    along, turn = np.sum(g * o, axis=1), np.cross(o, g)
    found = np.empty((len(g), 4, 4))
    found[:, 0, 0] = along
    found[:, 0, 1:] = found[:, 1:, 0] = turn
    found[:, 1:, 1:] = o[:, :, None] * g[:, None] + g[:, :, None] * o[:, None] - along[:, None, None] * np.eye(3)
    return 2.0 * found
