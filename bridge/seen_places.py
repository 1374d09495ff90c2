"""Vertices of a soft body that a pin holds, as they are seen: exactly where their rig has them.

Its tetrahedra are held at their nodes, and what is drawn between these goes as they do: where a shape bends within a
cell, or free nodes share in a vertex, that is beside the rig by up to a part of a cell. So a vertex v with the shares s
of the nodes x, held at y, is shown with the shares s + d instead, Σ d = 0, Σ d x = y − Σ s x, and vertices near to it
go along, by less the further they are off. Where a pin lets go, d stays as it was then, and nothing leaps.
"""

from dataclasses import dataclass, field
from typing import Self

import numpy as np
from mathutils.kdtree import KDTree

from ..meshing.embedding import Embedding
from .units import Units

AROUND = 2.0  # edges of tetrahedra: so far from what is held vertices go along with it
MOST_PLACES = 4_000_000  # of one soft body: 96 MB of what a job may have
DRAWN = 1e-4  # of such an edge: what is further from where it was read has been drawn anew


@dataclass(frozen=True)
class SeenPlaces:
    """vertex (h,) of a mesh that is held, place (K, h, 3) [m] at each frame, until (h,) frames in which it is."""

    vertex: np.ndarray
    place: np.ndarray
    until: np.ndarray

    @classmethod
    def of(cls, guides: list, motions: list, frames: int, units: Units) -> Self:
        """Of vertices that go as their SoftGuides' Motions do, through as many frames."""
        times = units.seconds(units.first_frame + np.arange(frames))
        place, until = np.empty((frames, len(guides), 3)), np.empty(len(guides))
        for k, (guide, motion) in enumerate(zip(guides, motions, strict=True)):
            rows = np.minimum(np.searchsorted(motion.times, times - 1e-9), len(motion.times) - 1)
            place[:, k] = motion.position[rows]
            weak = np.flatnonzero(motion.influence[rows] < 1.0)
            until[k] = min(weak[0] if len(weak) else frames, np.sum(times <= guide.release * (1.0 + 1e-12)))
        return cls(np.array([guide.node for guide in guides], np.int64), place, until)

    def arrays(self) -> dict:
        """As a job keeps it."""
        return {"vertex": self.vertex.astype(np.float64), "place": self.place, "until": self.until}


@dataclass
class SeenShares:
    """What SeenPlaces add to an Embedding of points (V, 3) [m]; reach [m]: so far others go along."""

    embedding: Embedding
    seen: SeenPlaces
    beside: np.ndarray  # (b,) vertices that go along,
    leader: np.ndarray  # with which of those held (b,),
    part: np.ndarray  # by which part (b,)
    kept: np.ndarray = field(init=False)  # (h, 4) d of each

    def __post_init__(self) -> None:
        self.kept = np.zeros((len(self.seen.vertex), 4))

    @classmethod
    def of(cls, embedding: Embedding, points: np.ndarray, entry: dict, edge: float) -> Self | None:
        """Of what a job keeps, for a mesh of these points (V, 3) [m] in tetrahedra with edges of that length [m]."""
        held = entry.get("seen")
        if held is None:
            return None
        seen = SeenPlaces(np.asarray(held["vertex"]).astype(np.int64), held["place"], held["until"])
        there = seen.vertex < len(points)
        there[there] = np.linalg.norm(points[seen.vertex[there]] - seen.place[0, there], axis=1) < DRAWN * edge
        seen = SeenPlaces(seen.vertex[there], seen.place[:, there], seen.until[there])
        if not len(seen.vertex):
            return None
        tree = KDTree(len(seen.vertex))
        for number, vertex in enumerate(seen.vertex):
            tree.insert(points[vertex], number)
        tree.balance()
        found = [tree.find(point)[1:] for point in points]
        leader, far = np.array([one[0] for one in found]), np.array([one[1] for one in found]) / (AROUND * edge)
        far[seen.vertex] = 1.0
        beside = np.flatnonzero(far < 1.0)
        near = 1.0 - far[beside]
        return cls(embedding, seen, beside, leader[beside], near * near * (3.0 - 2.0 * near))

    def correct(self, place: np.ndarray, x: np.ndarray, frame: int) -> None:
        """Bring points (V, 3) [m], as the Embedding carries them with nodes at x (n, 3) [m], to where they are seen in
        a frame, in place.
        """
        seen, nodes = self.seen, x[self.embedding.nodes[self.seen.vertex]]
        held = frame < np.minimum(seen.until, len(seen.place))
        if held.any():
            missing = seen.place[frame, held] - place[seen.vertex[held]]
            edges = nodes[held, 1:] - nodes[held, :1]
            last = np.linalg.solve(np.swapaxes(edges, 1, 2), missing[:, :, None])[:, :, 0]
            self.kept[held] = np.column_stack([-last.sum(axis=1), last])
        off = np.einsum("hk,hkd->hd", self.kept, nodes)
        place[seen.vertex] += off
        place[self.beside] += self.part[:, None] * off[self.leader]
