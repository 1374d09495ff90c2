"""A knot as it is drawn in the scene: the middle lines of its ropes, and the post it is tied to."""

from dataclasses import dataclass

import numpy as np

from . import spline


@dataclass(frozen=True)
class Knot:
    """ropes: points (n, 3) of each; closed; leads (2, 3): unit vectors in which its first and its last end may be made
    longer, 0 where one may not.

    post (2, 3): the ends of its middle line; post_radius, 0 where there is none. In radii of the rope unless scaled.
    """

    ropes: tuple[np.ndarray, ...]
    closed: tuple[bool, ...]
    leads: tuple[np.ndarray, ...]
    post: np.ndarray
    post_radius: float

    @classmethod
    def of_rings(cls, ropes: tuple[np.ndarray, ...]) -> "Knot":
        """A knot of closed ropes without a post."""
        return cls(ropes, (True,) * len(ropes), (np.zeros((2, 3)),) * len(ropes), np.zeros((2, 3)), 0.0)

    def scaled(self, scale: float) -> "Knot":
        ropes = tuple(scale * rope for rope in self.ropes)
        return Knot(ropes, self.closed, self.leads, scale * self.post, scale * self.post_radius)

    def spaced(self, spacing: float, ends: float) -> "Knot":
        """With points at equal lengths near `spacing`, and ends that lead straight on for the length `ends`."""
        ropes = []
        beyond = spacing * np.arange(1, round(ends / spacing) + 1)[:, None]
        for rope, closed, leads in zip(self.ropes, self.closed, self.leads, strict=True):
            even = spline.evenly(rope, closed, spacing)
            before, behind = (
                end + beyond * lead if lead.any() else even[:0] for end, lead in zip(even[[0, -1]], leads, strict=True)
            )
            ropes.append(np.vstack([before[::-1], even, behind]))
        return Knot(tuple(ropes), self.closed, self.leads, self.post, self.post_radius)
