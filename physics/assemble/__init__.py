"""Lays a Scene out as Model, State and Workspace."""

from itertools import pairwise

import numpy as np

from ..model import Model, Rods
from .capsules import capsule_arrays
from .pins import pin_arrays
from .rods import chain_of, node_arrays, rod_scalars
from .state import start_state, workspace

__all__ = ["assemble", "workspace"]
PER_ROD = ("twist_compliance", "natural_twist", "limit", "bend_max", "lightest", "shortest", "longest")


def assemble(scene):
    """Scene → (Model, State, Workspace). Starting frames are as drawn, not yet at equilibrium."""
    chains = [chain_of(scene, r) for r in range(len(scene.rods))]
    start = np.concatenate([[0], np.cumsum([len(c.nodes) for c in chains])]).astype(np.int64)
    parts = [node_arrays(rod, chain) for rod, chain in zip(scene.rods, chains, strict=True)]
    node = {name: np.concatenate([p[name] for p in parts]) for name in parts[0]}
    per_rod = [rod_scalars(p, rod, chain) for p, rod, chain in zip(parts, scene.rods, chains, strict=True)]
    first = start[:-1] + np.array([c.first for c in chains], dtype=np.int64)
    pins = pin_arrays(scene, chains, start, node)
    for edge in pins.frame_edge[pins.frame_edge >= 0]:
        node["fixed"][edge] = 1
    fixed = [node["fixed"][a : b - 1] for a, b in pairwise(start)]
    simple = np.array([s["simple"] for s in per_rod])
    inner = np.array([f[1:-1].any() for f in fixed])
    ends = np.array([c.closed or (bool(f[0]) and bool(f[-1])) for f, c in zip(fixed, chains, strict=True)])
    rods = Rods(
        start=start, first=first,
        last=first + np.array([len(rod.x) - 1 for rod in scene.rods], dtype=np.int64),
        closed=np.array([c.closed for c in chains]), general=~simple | inner, twisted=simple & ~inner & ends,
        stretchable=np.array([rod.stretchable for rod in scene.rods]),
        damped=np.array([rod.internal_damping > 0.0 for rod in scene.rods]),
        **{k: np.array([s[k] for s in per_rod]) for k in PER_ROD},
        **{k: node[k] for k in Rods._fields if k in node},
    )  # fmt: skip
    model = Model(rods, pins, capsule_arrays(scene, start, chains), np.asarray(scene.gravity, dtype=np.float64).copy(),
                  np.array([scene.air_density]))  # fmt: skip
    state = start_state(model, node)
    return model, state, workspace(model, state)
