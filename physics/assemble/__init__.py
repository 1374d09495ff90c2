"""Lays a Scene out as Model, State and Workspace."""

from itertools import pairwise
from math import fsum

import numpy as np

from ..model import CLAMP, EDGE, HINGE, NODE, ROD, WORLD, Model, changed
from .articulation import articulation_arrays
from .bodies import body_arrays, lay_down
from .capsules import SKIN, WIDEST_SKIN, capsule_arrays, perimeters
from .holds import clamps_of
from .pins import pin_arrays
from .rods import chain_of, node_arrays, rod_scalars
from .stability import fastest, raise_couplers
from .state import start_state, workspace
from .walls import wall_arrays

__all__ = ["assemble", "workspace"]


def assemble(scene):
    """Scene, none of its bodies led → (Model, State, Workspace).

    Starting frames are as drawn, not yet at equilibrium.
    """
    chains = [chain_of(scene, r) for r in range(len(scene.rods))]
    start = np.concatenate([[0], np.cumsum([len(c.nodes) for c in chains])]).astype(np.int64)
    drawn = [node_arrays(rod, chain) for rod, chain in zip(scene.rods, chains, strict=True)]
    node = {name: np.concatenate([p[name] for p in drawn]) for name in drawn[0]}
    clamp_start, clamp_edge, pin_clamp, weld_clamp = clamps_of(scene, chains, start)
    node["rod"] = np.repeat(np.arange(len(chains)), np.diff(start))
    node["slave"] = np.full(start[-1], -1)
    parts = lay_down(scene, chains, start, node)
    fixed = np.zeros(start[-1], dtype=bool)
    fixed[clamp_edge] = True
    rods = _rods(scene, chains, start, node, fixed)
    rods = changed(rods, first_clamp=clamp_start[:-1], end_clamp=clamp_start[1:])
    nodes, edges, hinges = (changed(np.zeros(start[-1], kind), **{k: node[k] for k in kind.names}) for kind in PER_NODE)
    clamps = changed(np.zeros(len(clamp_edge), CLAMP), edge=clamp_edge)
    pins, times, samples = pin_arrays(scene, chains, start, node, pin_clamp)
    capsules, joined = capsule_arrays(scene, start, chains)
    rods["perimeter"] = perimeters(scene)
    model = Model(
        world=_world(scene, capsules), rods=rods, nodes=nodes, edges=edges, hinges=hinges, clamps=clamps, pins=pins,
        times=times, samples=samples, bodies=None, slaves=None, welds=None, articulation=None, capsules=capsules,
        joined=joined, walls=wall_arrays(scene),
    )  # fmt: skip
    if scene.welds:
        raise_couplers(scene, model, node["x"], weld_clamp, parts)
        limit = fastest(scene, model, node["x"], weld_clamp, parts)
        rods["limit"][rods["articulated"]] = limit
    bodies, slaves, welds, motion = body_arrays(scene, chains, start, node, parts, weld_clamp)
    model = model._replace(bodies=bodies, slaves=slaves, welds=welds)
    nodes["slave"][slaves["node"]] = np.where(slaves["solid"], np.arange(len(slaves)), -1)
    model = model._replace(articulation=articulation_arrays(model, {*pins["node"], *pins["ghost"]}))
    state = start_state(model, node, fixed, motion)
    return model, state, workspace(model, state)


PER_NODE = (NODE, EDGE, HINGE)


def _rods(scene, chains, start, node, fixed):
    """ROD (R,) from arrays per node; each one's limit is its own."""
    rods = np.zeros(len(chains), ROD)
    welded = {weld.rod for weld in scene.welds}
    for r, (rod, chain, (a, b)) in enumerate(zip(scene.rods, chains, pairwise(start), strict=True)):
        scalars = rod_scalars({name: values[a:b] for name, values in node.items()}, rod, chain)
        simple, held = scalars.pop("simple"), fixed[a : b - 1]
        inner, ends = held[1:-1].any(), chain.closed or (held[0] and held[-1])
        scalars |= {
            "start": a, "end": b, "first": a + chain.first, "last": a + chain.first + len(rod.x) - 1,
            "closed": chain.closed, "general": not simple or inner, "twisted": simple and not inner and ends,
            "stretchable": rod.stretchable, "damped": rod.internal_damping > 0.0, "articulated": r in welded,
        }  # fmt: skip
        for name, value in scalars.items():
            rods[name][r] = value
    return rods


def _world(scene, capsules):
    thinnest = min(rod.radius.min() for rod in scene.rods)
    shortest = min(np.linalg.norm(rod.edges(), axis=1).min() for rod in scene.rods)
    radius = max(thinnest, fsum(capsules["radius"]) / len(capsules)) if len(capsules) else thinnest
    return changed(
        np.zeros(1, WORLD), gravity=scene.gravity, air_density=scene.air_density, thinnest=thinnest,
        radius=radius, skin=SKIN * radius if len(capsules) else 0.0, widest_skin=WIDEST_SKIN * shortest,
    )  # fmt: skip
