"""What a step takes by each solver, measured: of one thread of a machine of 2026."""

from typing import NamedTuple


class StepCosts(NamedTuple):
    """What a step takes [s], of itself and for each of what is in it."""

    step: float
    plain: float  # a vertex, drag included, of a rod that needs no frames
    framed: float  # of another
    weld: float = 0.0  # with its part in the projection
    pair: float = 0.0  # of edges that press on each other,
    along: float = 0.0  # or that are near each other only because their rod is fine
    on_floor: float = 0.0  # a vertex that may lie on it
    on_mesh: float = 0.0  # a vertex that may lie on a collider
    face: float = 0.0  # of a rigid body that touches
    shape: float = 0.0  # two such bodies, of which one touches the other at last,
    adjoining: float = 0.0  # or two that are next to each other at the start
    answer: float = 0.0  # a vertex of a rod that others press on, in all rounds of what touches


EXPLICIT = StepCosts(1.5e-6, 85e-9, 150e-9, 0.5e-6, 0.6e-6, 20e-9, 120e-9, 150e-9, 40e-9, 3e-6, 25e-6, 30e-9)
# of one iteration of Newton's; what rods touch counts by itself: see implicit_step
IMPLICIT = StepCosts(3.2e-6, 0.18e-6, 0.4e-6, 6e-6, 0.0, 20e-9, 0.0, 0.0, 170e-9, 3e-6, 25e-6)
