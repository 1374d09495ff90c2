"""Hair that is not simulated: strands that go with the guides nearest to them. No bpy.

A vertex k of a guide is drawn at x⁰ₖ; it has come to xₖ and is turned by Rₖ, the mean turn of the material frames of
the edges that meet there. A point y of a strand beside it goes to xₖ + Rₖ (y − x⁰ₖ): what is groomed there keeps its
place in the material frame. Each of a strand's guides says so by its two vertices about the arc length at which the
point lies, and the point goes to the weighted mean (linear blend skinning; Magnenat-Thalmann, Laperrière & Thalmann,
Graphics Interface 1988, 26). Then the root is where its surface has it, and from there each piece is as long as drawn.

A guide that is d away has the weight (1/d − 1/D)², the nearest one that is none of the strand's being D away (Franke &
Nielson, Int. J. Numer. Meth. Engng 15 (1980) 1691): weights fade to nothing where guides change. d² is the mean square
of how far apart roots are and places further along: so a strand goes with guides on its own side of a parting.
"""

from typing import Any, Self

import numpy as np

from ..physics.arithmetic.quaternions import turned
from .strands import arc_lengths, between, edge_axes, edges_of, places_at, rows_of
from .stripe import dot, unit
from .units import Units

GUIDES = 4  # of a strand, as Blender's Interpolate Hair Curves has by default
AT_ONCE = 2**13  # points, whose transforms stay in a processor's cache
PAIRS = 2**22  # of strands and guides that are compared at once: 32 MB
SAME = 1e-9  # of the size of all: what is nearer is in one place


class GuidedHair:
    """All strands of a hair object, of which guides are simulated."""

    def __init__(self, x: np.ndarray, starts: np.ndarray, closed: np.ndarray, guides: np.ndarray) -> None:
        """x (P, 3): as they are drawn, in the world; starts (S + 1,); closed (S,); guides (G,): their numbers. counts:
        how many points each has.
        """
        self.counts = np.diff(starts).tolist()
        others = np.setdiff1d(np.arange(len(closed)), guides)
        (self._own, begin), (self._led, self._first) = rows_of(starts, guides), rows_of(starts, others)
        self._guides, self._strands = x[self._own], x[self._led]
        self._tail, self._head, edge = edges_of(begin, closed[guides])
        self._back = np.swapaxes(self._frames(self._guides, edge_axes(self._guides, begin, closed[guides])), 1, 2)
        number = np.arange(begin[-1]) - np.repeat(begin[:-1] - edge[:-1], np.diff(begin))  # of the edge behind a vertex
        last = np.repeat(edge[1:] - 1, np.diff(begin))
        self._beside = np.maximum(number - 1, np.repeat(edge[:-1], np.diff(begin))), np.minimum(number, last)
        self._lengths = np.linalg.norm(np.diff(self._strands, axis=0, prepend=self._strands[:1]), axis=1)
        self._lengths[self._first[:-1]] = 0.0
        self._corners, self._shares = self._bind(begin, np.flatnonzero(~closed[guides]))

    @classmethod
    def of(cls, entry: dict[str, Any], units: Units) -> Self | None:
        """Of what a job keeps of a hair object, in Blender units; None: all of that is simulated."""
        own = entry.get("strands")
        return own and cls(units.blender_units(own["x"]), own["starts"], own["closed"], own["guides"])

    def roots(self, entry: dict[str, Any], units: Units, first: int, bodies: np.ndarray) -> np.ndarray | None:
        """(F, C, 3): how far roots have gone, of what a job keeps of their object, at the frames from that number on,
        with bodies (F, K, 7) of Frames; None: as guides go.
        """
        own, drawn = entry["strands"], self._strands[self._first[:-1]]
        if "body" in own:
            pose, arm = bodies[:, None, own["body"]], drawn - units.blender_units(own["centre"])
            return units.blender_units(pose[..., :3]) + turned(pose[..., 3:], arm) - drawn
        return units.blender_units(own["roots"][first : first + len(bodies)]) if "roots" in own else None

    def carry(self, x: np.ndarray, m1: np.ndarray, gone: np.ndarray | None = None) -> np.ndarray:
        """Points (P, 3) of all strands where guides have vertices x (V, 3) and axes m1 (M, 3) of edges, and the roots
        of the others have `gone` (C, 3) from where they are drawn, None: as the guides go.
        """
        first, place = self._first, self._taken(self._moves(x, m1))
        way = np.cumsum(unit(np.diff(place, axis=0, prepend=place[:1])) * self._lengths[:, None], axis=0)
        root = place[first[:-1]] if gone is None else self._strands[first[:-1]] + gone
        found = np.empty((len(x) + len(way), 3))
        found[self._own] = x
        found[self._led] = way + np.repeat(root - way[first[:-1]], np.diff(first), axis=0)
        return found

    def _frames(self, x: np.ndarray, m1: np.ndarray) -> np.ndarray:
        """(M, 3, 3): of edges of the guides, as columns."""
        along = unit(x[self._head] - x[self._tail])
        across = unit(m1 - dot(m1, along) * along)
        return np.stack([along, across, np.cross(along, across)], axis=-1)

    def _moves(self, x: np.ndarray, m1: np.ndarray) -> np.ndarray:
        """(V, 12): of each vertex of the guides R and, beside it, x − R x⁰, in rows."""
        edges = self._frames(x, m1) @ self._back
        turn = 0.5 * (edges[self._beside[0]] + edges[self._beside[1]])
        shift = x - np.einsum("vij,vj->vi", turn, self._guides)
        return np.concatenate([turn, shift[:, :, None]], axis=2).reshape(-1, 12)

    def _taken(self, moves: np.ndarray) -> np.ndarray:
        """(Q, 3): where moves take the points of the other strands."""
        place = np.empty_like(self._strands)
        for begin in range(0, len(place), AT_ONCE):
            own = slice(begin, begin + AT_ONCE)
            mean = np.einsum("pk,pkc->pc", self._shares[own], moves[self._corners[own]]).reshape(-1, 3, 4)
            place[own] = np.einsum("pij,pj->pi", mean[:, :, :3], self._strands[own]) + mean[:, :, 3]
        return place

    def _bind(self, begin: np.ndarray, leading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Vertices of guides (Q, 2 k) with which each point goes, and their shares."""
        near, weights = self._nearest(begin, leading)
        counts = np.diff(self._first)
        near, weights = np.repeat(near, counts, axis=0), np.repeat(weights, counts, axis=0)
        arc = np.repeat(arc_lengths(self._strands, self._first)[:, None], near.shape[1], axis=1)
        low, share = between(arc_lengths(self._guides, begin), begin, near, arc)
        shares = np.concatenate([weights * (1.0 - share), weights * share], axis=1)
        return np.concatenate([low, low + 1], axis=1), shares

    def _nearest(self, begin: np.ndarray, leading: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of each of the other strands its guides (C, k), some of those leading, and their weights, whose sum is 1."""
        half = 0.5 * float(np.median(arc_lengths(self._strands, self._first)[self._first[1:] - 1]))
        far, own = _places(self._guides, begin, half)[leading], _places(self._strands, self._first, half)
        middle, count = far.mean(axis=0), min(GUIDES + 1, len(leading))
        far, own, found = far - middle, own - middle, []
        for at in range(0, len(own), step := max(1, PAIRS // len(leading))):
            some = own[at : at + step]
            nearer = np.sum(far * far, axis=1) - 2.0 * some @ far.T  # d², less what is one for all guides of a strand
            found.append(np.argpartition(nearer, count - 1, axis=1)[:, :count])
        near = np.concatenate(found)
        away = np.linalg.norm(own[:, None] - far[near], axis=2)
        order = np.argsort(away, axis=1)
        near, away = np.take_along_axis(near, order, axis=1), np.take_along_axis(away, order, axis=1)
        inverse = 1.0 / np.maximum(away, SAME * (np.abs(own).max() or 1.0))
        weights = (inverse - inverse[:, -1:]) ** 2 if count > GUIDES else inverse**2
        weights = np.where(weights.any(axis=1, keepdims=True), weights, 1.0)[:, :GUIDES]
        return leading[near[:, :GUIDES]], weights / weights.sum(axis=1, keepdims=True)


def _places(x: np.ndarray, starts: np.ndarray, arc: float) -> np.ndarray:
    """(k, 6): where curves begin, and where they are after such a length."""
    return np.concatenate([x[starts[:-1]], places_at(x, starts, arc)], axis=1)


def ways(motions: list[Any], frames: int) -> np.ndarray:
    """(F, C, 3) float32: how far what Motions lead has gone at each of so many frames."""
    return np.stack(
        [np.broadcast_to((own.position - own.position[0]).astype(np.float32), (frames, 3)) for own in motions], axis=1
    )
