"""What a rod's forces and damping fill before they read it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..elements.bending_and_torsion import JOINT_LANES
from ..elements.hinge_rows import COUNT, ROW
from ..elements.spinning_segment import SEGMENT_LANES
from ..model import Model
from .director_inertia import TURN_LANES


@by_reference
class ElasticScratch(NamedTuple):
    f: np.ndarray  # (N, 3) elastic forces [N]
    e: np.ndarray  # (M, 3) edges of the frames [m]
    g: np.ndarray  # (M, 3) gradient of the elastic energy by them [N]
    inverse_length: np.ndarray  # (M,) of them [1/m]
    chi: np.ndarray  # (N,)
    k: np.ndarray  # (N, 2)
    rate: np.ndarray  # (M, 3) of the edges [m/s], then impulses on them [N s]
    before: np.ndarray  # (N, 3) gradient of each hinge's turning angle by the edge before it [1/m]
    behind: np.ndarray  # (N, 3)
    eta: np.ndarray  # (N,) h η
    rows: np.ndarray  # (7, M) of the banded solvers
    lanes: np.ndarray  # ROW, as many as the hinges of a rod fill: see hinge_rows
    torque: np.ndarray  # (S, 3) of elastic forces on segments [N m], in their directors' axes
    wall: np.ndarray  # (S, 3) of internal friction on those that are led, the same way
    omega: np.ndarray  # (S, 3) at which segments turn [rad/s], on the way through a step
    mobility: np.ndarray  # (S, 2) [1/(kg m²)], 0 of those that are led
    turned: np.ndarray  # (S, 4) where they turn to in a step that is attempted
    past: np.ndarray  # (S, 4) where they were before the last one
    gain: np.ndarray  # (S, 3, 3)
    stretched: np.ndarray  # (2, S)
    segments: np.ndarray  # SEGMENT_LANES (1,)
    joints: np.ndarray  # JOINT_LANES (1,)
    directors: np.ndarray  # TURN_LANES (1,)


def elastic_scratch(model: Model) -> ElasticScratch:
    """Room for the rods of a model."""
    n, m, s = len(model.nodes), len(model.nodes) + len(model.rods), len(model.segments)
    return ElasticScratch(
        f=np.zeros((n, 3)),
        e=np.zeros((m, 3)),
        g=np.zeros((m, 3)),
        inverse_length=np.zeros(m),
        chi=np.zeros(n),
        k=np.zeros((n, 2)),
        rate=np.zeros((m, 3)),
        before=np.zeros((n, 3)),
        behind=np.zeros((n, 3)),
        eta=np.zeros(n),
        rows=np.zeros((7, m)),
        lanes=np.zeros(n // COUNT + 1, ROW),
        torque=np.zeros((s, 3)),
        wall=np.zeros((s, 3)),
        omega=np.zeros((s, 3)),
        mobility=np.zeros((s, 2)),
        turned=np.zeros((s, 4)),
        past=np.zeros((s, 4)),
        gain=np.zeros((s, 3, 3)),
        stretched=np.zeros((2, s)),
        segments=np.zeros(1, SEGMENT_LANES),
        joints=np.zeros(1, JOINT_LANES),
        directors=np.zeros(1, TURN_LANES),
    )
