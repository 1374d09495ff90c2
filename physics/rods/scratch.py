"""What a rod's forces and damping fill before they read it."""

from typing import NamedTuple

import numpy as np

from ..compiling.by_reference import by_reference
from ..model import Model


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
    rows: np.ndarray  # (6, M) of the banded solvers


def elastic_scratch(model: Model) -> ElasticScratch:
    """Room for the rods of a model."""
    n, m = len(model.nodes), len(model.nodes) + len(model.rods)
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
        rows=np.zeros((6, m)),
    )
