"""Pins: where their targets lead them."""

from dataclasses import dataclass

import numpy as np

from ..physics.arithmetic.quaternions import continuous
from ..physics.scene import Pin, Pulley, Weld
from .course import Course, Steps
from .units import quaternion, rotation_matrix


@dataclass(frozen=True)
class RodGuide:
    """A pin of a rod before its motion is known: the copy of its target in the side scene, and where the rod starts.

    rod, vertex: in the scene; start (3,) [m]; influence: a function that gives it at the present frame. ground and
    support: of `deforming`, by which `course` is found; support: (spline, vertex) of a pin to its own curve. turned
    (3, 3): how far what it holds is turned at the start from how it is drawn; None: not at all. by_frame: where it goes
    is asked for at whole frames alone. slides, runs: what runs through is a cable, or a rod.
    """

    name: str
    owner: str
    rod: int
    vertex: int
    mode: str
    max_force: float
    follower: object
    start: np.ndarray
    influence: object
    ground: object = None
    support: tuple[int, int] | None = None
    slides: bool = False
    runs: bool = False
    turned: np.ndarray | None = None
    course: Course | Steps | None = None
    by_frame: bool = False
    reach = 0.0

    @property
    def what(self):
        return f"the target of pin '{self.name}'"

    def weld(self, body):
        """The Weld that holds a cable to a body of that number where, and turned as, it begins, or the Pulley."""
        if self.runs:
            return Pulley(self.name, self.rod, self.vertex, np.zeros(1), self.start[None], body)
        turn = None if self.turned is None else quaternion(self.turned)
        return Weld(self.name, body, self.rod, self.vertex, self.mode, self.start, turn)

    def pin(self, motion):
        """The Pin, or the Pulley, that follows a Motion."""
        if self.runs:
            return Pulley(self.name, self.rod, self.vertex, motion.times, motion.position)
        influence = None if np.all(motion.influence == 1.0) else motion.influence
        turn = motion.turn
        if self.turned is not None:
            turn = continuous(quaternion(rotation_matrix(turn) @ self.turned))
        return Pin(
            self.name, self.rod, self.vertex, self.mode, motion.times, motion.position, turn,
            influence, self.max_force or None, self.slides,
        )  # fmt: skip
