"""Lays a Scene out as Model, State and Workspace."""

from itertools import pairwise

import numpy as np

from ..model import Model, Rods
from .articulation import articulation_arrays
from .bodies import body_arrays, lay_down
from .capsules import capsule_arrays
from .holds import clamps_of
from .pins import pin_arrays
from .rods import chain_of, node_arrays, rod_scalars
from .stability import fastest, raise_couplers
from .state import start_state, workspace

__all__ = ["assemble", "workspace"]
PER_ROD = ("twist_compliance", "natural_twist", "limit", "bend_max", "lightest", "shortest", "longest")


def assemble(scene):
    """Scene, none of its bodies led → (Model, State, Workspace).

    Starting frames are as drawn, not yet at equilibrium.
    """
    chains = [chain_of(scene, r) for r in range(len(scene.rods))]
    start = np.concatenate([[0], np.cumsum([len(c.nodes) for c in chains])]).astype(np.int64)
    drawn = [node_arrays(rod, chain) for rod, chain in zip(scene.rods, chains, strict=True)]
    node = {name: np.concatenate([p[name] for p in drawn]) for name in drawn[0]}
    clamp_start, clamp_edge, pin_clamp, weld_clamp = clamps_of(scene, chains, start)
    parts = lay_down(scene, chains, start, node)
    fixed = np.zeros(start[-1], dtype=np.uint8)
    fixed[clamp_edge] = 1
    rods = _rods(scene, chains, start, node, clamp_start, clamp_edge, fixed)
    if scene.welds:
        raise_couplers(scene, rods, node["x"], weld_clamp, parts)
        limit = fastest(scene, rods, node["x"], weld_clamp, parts)
        rods = rods._replace(limit=np.where(rods.articulated, limit, rods.limit))
    pins = pin_arrays(scene, chains, start, node, pin_clamp)
    bodies, motion = body_arrays(scene, chains, start, node, parts, weld_clamp)
    articulation = articulation_arrays(rods, bodies, {*pins.node, *pins.ghost})
    model = Model(rods, pins, bodies, articulation, capsule_arrays(scene, start, chains),
                  np.asarray(scene.gravity, dtype=np.float64).copy(), np.array([scene.air_density]))  # fmt: skip
    state = start_state(model, node, fixed, motion)
    return model, state, workspace(model, state)


def _rods(scene, chains, start, node, clamp_start, clamp_edge, fixed):
    """Rods from arrays per node; each one's limit is its own."""
    per_rod = []
    for rod, chain, (a, b) in zip(scene.rods, chains, pairwise(start), strict=True):
        per_rod.append(rod_scalars({name: values[a:b] for name, values in node.items()}, rod, chain))
    first = start[:-1] + np.array([c.first for c in chains], dtype=np.int64)
    fixed = [fixed[a : b - 1] for a, b in pairwise(start)]
    simple = np.array([s["simple"] for s in per_rod])
    inner = np.array([f[1:-1].any() for f in fixed])
    ends = np.array([c.closed or (bool(f[0]) and bool(f[-1])) for f, c in zip(fixed, chains, strict=True)])
    welded = {weld.rod for weld in scene.welds}
    return Rods(
        start=start, first=first,
        last=first + np.array([len(rod.x) - 1 for rod in scene.rods], dtype=np.int64),
        closed=np.array([c.closed for c in chains]), general=~simple | inner, twisted=simple & ~inner & ends,
        stretchable=np.array([rod.stretchable for rod in scene.rods]),
        damped=np.array([rod.internal_damping > 0.0 for rod in scene.rods]),
        articulated=np.array([r in welded for r in range(len(scene.rods))]),
        clamp_start=clamp_start, clamp_edge=clamp_edge,
        **{k: np.array([s[k] for s in per_rod]) for k in PER_ROD},
        **{k: node[k] for k in Rods._fields if k in node},
    )  # fmt: skip
