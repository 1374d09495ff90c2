"""Where a shape that deforms takes a point of it. No bpy."""

from dataclasses import dataclass

import numpy as np

from ..physics.arithmetic.quaternions import continuous
from .units import Units, quaternion, rotation_matrix, to_world


@dataclass(frozen=True)
class Course:
    """A point of a shape at each whole frame from `first` on.

    place (K, 3) in object space, in Blender units; turn (K, 4), unit quaternions: how its neighbourhood has turned in
    the world since the first frame, besides the object as a whole.
    """

    first: int
    place: np.ndarray
    turn: np.ndarray

    def carry(
        self, frames: np.ndarray, matrices: np.ndarray, turns: np.ndarray, start: np.ndarray, units: Units
    ) -> tuple[np.ndarray, np.ndarray]:
        """Positions (k, 3) [m] and turns (k, 4) at frames (k,) of what is at `start` (3,) [m] at the first of them, and
        keeps its offset from the point as its neighbourhood has turned.

        matrices (k, 4, 4) and turns (k, 3, 3): the object's.
        """
        at = frames - self.first
        place = units.metres(
            np.einsum("kij,kj->ki", matrices[:, :3, :3], _between(self.place, at)) + matrices[:, :3, 3]
        )
        own = _between(continuous(self.turn), at)
        turn = turns @ rotation_matrix(own / np.linalg.norm(own, axis=1, keepdims=True))
        arm = start - units.metres(to_world(matrices[0], self.place[0]))
        return place + turn @ arm, continuous(quaternion(turn))


@dataclass(frozen=True)
class Steps:
    """A point of a shape where whole frames alone are asked for: place (K, 3) as of a Course, and turn (K, 3, 3)."""

    place: np.ndarray
    turn: np.ndarray

    def places(self, matrices: np.ndarray, turns: np.ndarray, start: np.ndarray, units: Units) -> np.ndarray:
        """The positions (K, 3) [m] of what is at `start` at the first frame; matrices (K, 4, 4), turns (K, 3, 3): the
        object's.
        """
        place = units.metres(np.einsum("kij,kj->ki", matrices[:, :3, :3], self.place) + matrices[:, :3, 3])
        return place + np.einsum("kij,kj->ki", turns, self.turn @ (start - place[0]))


def _between(samples: np.ndarray, at: np.ndarray) -> np.ndarray:
    """(k, d) at (k,): samples (K, d) at 0, 1, … K − 1 joined as those of a pin are (physics/constraints/trajectory)."""
    slope = np.gradient(samples, axis=0)
    low = np.clip(at.astype(int), 0, len(samples) - 2)
    s = (at - low)[:, None]
    before = (1.0 + 2.0 * s) * samples[low] + s * slope[low]
    after = (3.0 - 2.0 * s) * samples[low + 1] + (s - 1.0) * slope[low + 1]
    return (1.0 - s) ** 2 * before + s**2 * after
