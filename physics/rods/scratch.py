"""What a rod's forces and damping fill before they read it."""

from typing import Annotated, NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..compiling.laid_out import laid_out
from ..elements.bending_and_torsion import JOINT_LANES
from ..elements.hinge_rows import COUNT, ROW
from ..elements.spinning_segment import SEGMENT_LANES
from ..model import VECTOR, Column, Model
from .director_inertia import TURN_LANES


@by_reference
class ElasticScratch(NamedTuple):
    f: Annotated[np.ndarray, Column("nodes", VECTOR)]  # elastic forces [N]
    e: Annotated[np.ndarray, Column("frames", VECTOR)]  # edges of the frames [m]
    g: Annotated[np.ndarray, Column("frames", VECTOR)]  # gradient of the elastic energy by them [N]
    inverse_length: Annotated[np.ndarray, Column("frames")]  # of them [1/m]
    chi: Annotated[np.ndarray, Column("nodes")]
    k: Annotated[np.ndarray, Column("nodes", (float, 2))]
    rate: Annotated[np.ndarray, Column("frames", VECTOR)]  # of the edges [m/s], then impulses on them [N s]
    # gradient of each hinge's turning angle by the edge before it [1/m]
    before: Annotated[np.ndarray, Column("nodes", VECTOR)]
    behind: Annotated[np.ndarray, Column("nodes", VECTOR)]
    eta: Annotated[np.ndarray, Column("nodes")]  # h η
    rows: np.ndarray  # (7, M) of the banded solvers
    lanes: Annotated[np.ndarray, Column("lanes", ROW)]  # as many as the hinges of the longest rod fill: see hinge_rows
    # of elastic forces on segments [N m], in their directors' axes
    torque: Annotated[np.ndarray, Column("segments", VECTOR)]
    wall: Annotated[np.ndarray, Column("segments", VECTOR)]  # of internal friction on those that are led, the same way
    # at which segments turn [rad/s], on the way through a step
    omega: Annotated[np.ndarray, Column("segments", VECTOR)]
    mobility: Annotated[np.ndarray, Column("segments", (float, 2))]  # [1/(kg m²)], 0 of those that are led
    turned: Annotated[np.ndarray, Column("segments", (float, 4))]  # where they turn to in a step that is attempted
    past: Annotated[np.ndarray, Column("segments", (float, 4))]  # where they were before the last one
    gain: Annotated[np.ndarray, Column("segments", (float, (3, 3)))]
    stretched: np.ndarray  # (2, S)
    segments: Annotated[np.ndarray, Column("spinning", SEGMENT_LANES)]
    joints: Annotated[np.ndarray, Column("spinning", JOINT_LANES)]
    directors: Annotated[np.ndarray, Column("spinning", TURN_LANES)]


def elastic_scratch(model: Model) -> ElasticScratch:
    """Room for the rods of a model."""
    n, m, s = len(model.nodes), len(model.nodes) + len(model.rods), len(model.segments)
    longest = int(np.max(model.rods["last"] - model.rods["first"], initial=0)) + 1
    rows = {"spinning": min(s, 1), "nodes": n, "frames": m, "segments": s, "lanes": longest // COUNT + 1}
    return laid_out(ElasticScratch, rows, rows=np.zeros((7, m)), stretched=np.zeros((2, s)))
