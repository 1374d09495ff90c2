"""Islands: parts of a scene that nothing joins, each simulated by itself, with its own steps and in its own thread."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from ..scene import Scene


@dataclass(frozen=True)
class Island:
    """A scene of its own, and the numbers its rods, bodies and pins have in the whole."""

    scene: Scene
    rods: np.ndarray
    bodies: np.ndarray
    pins: np.ndarray


def islands(scene: Scene) -> list[Island]:
    """The Islands of a scene without led bodies: joined are rods welded to the same body, and those that may touch."""
    rods, bodies = len(scene.rods), len(scene.bodies)
    links = [(weld.rod, rods + weld.body) for weld in scene.welds]
    if scene.contact:
        touching = [r for r, rod in enumerate(scene.rods) if rod.touches]
        links += [(touching[0], r) for r in touching[1:]]
    welded = {weld.body for weld in scene.welds}
    links += [(0, rods + b) for b in range(bodies) if b not in welded]
    a, b = np.array(links, dtype=int).reshape(-1, 2).T
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(rods + bodies, rods + bodies))
    count, label = connected_components(graph, directed=False)
    order = dict.fromkeys(label[:rods])  # by first rod
    assert len(order) == count, "a body is on no rod's island"
    return [_part(scene, np.flatnonzero(label[:rods] == k), np.flatnonzero(label[rods:] == k)) for k in order]


def _part(scene: Scene, rods: np.ndarray, bodies: np.ndarray) -> Island:
    rod, body = {int(r): k for k, r in enumerate(rods)}, {int(b): k for k, b in enumerate(bodies)}
    pins = np.array([p for p, pin in enumerate(scene.pins) if pin.rod in rod], dtype=int)
    part = replace(
        scene,
        rods=tuple(scene.rods[r] for r in rods),
        bodies=tuple(scene.bodies[b] for b in bodies),
        pins=tuple(replace(scene.pins[p], rod=rod[scene.pins[p].rod]) for p in pins),
        welds=tuple(replace(weld, rod=rod[weld.rod], body=body[weld.body]) for weld in scene.welds if weld.rod in rod),
    )
    return Island(part, rods, bodies, pins)
