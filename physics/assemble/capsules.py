"""Edges that can touch, as arrays."""

import numpy as np

from ..model import Capsules

SKIN = 0.3  # of the smallest radius
WIDEST_SKIN = 0.5  # of the shortest edge


def capsule_arrays(scene, start, chains):
    """Capsules of all rods in scene order, and the floor."""
    parts = {name: [] for name in ("tail", "head", "radius", "rod", "arc", "successor", "friction")}
    perimeter = np.zeros(len(scene.rods))
    for r, (rod, chain) in enumerate(zip(scene.rods, chains, strict=True)):
        m = rod.edge_count
        own = start[r] + chain.first
        head = (np.arange(m) + 1) % len(rod.x)
        length = np.linalg.norm(rod.edges(), axis=1)
        parts["tail"].append(own + np.arange(m))
        parts["head"].append(own + head)
        parts["radius"].append(0.5 * (rod.radius[:m] + rod.radius[head]))
        parts["rod"].append(np.full(m, r))
        parts["arc"].append(np.cumsum(length) - 0.5 * length)
        parts["successor"].append(np.arange(m) < (m if chain.closed else m - 1))
        parts["friction"].append(np.full(m, rod.friction))
        perimeter[r] = length.sum() if chain.closed else 0.0
    arrays = {name: np.concatenate(p) for name, p in parts.items()}
    thinnest = min(rod.radius.min() for rod in scene.rods)
    skin = SKIN * thinnest if scene.contact else 0.0
    shortest = min(np.linalg.norm(rod.edges(), axis=1).min() for rod in scene.rods)
    floor = [scene.floor.height, scene.floor.friction] if scene.floor else [np.nan, 0.0]
    return Capsules(
        **arrays,
        perimeter=perimeter,
        thinnest=np.array([thinnest]),
        skin=np.array([skin]),
        widest_skin=np.array([WIDEST_SKIN * shortest]),
        floor=np.array(floor),
    )
