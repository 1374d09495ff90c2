"""A scene without its cables: what is simulated in time, which no cable moves."""

from dataclasses import replace

import numpy as np

from ..scene import Scene


def cables_of(scene: Scene) -> list[int]:
    """The numbers of the rods that are cables."""
    return [r for r, rod in enumerate(scene.rods) if rod.model == "cable"]


def without_cables(scene: Scene) -> Scene:
    """The scene with its other rods alone, and what holds these; itself where it has no cable."""
    left = [r for r, rod in enumerate(scene.rods) if rod.model != "cable"]
    if len(left) == len(scene.rods):
        return scene
    number = {r: k for k, r in enumerate(left)}
    return replace(
        scene,
        rods=tuple(scene.rods[r] for r in left),
        pins=tuple(replace(pin, rod=number[pin.rod]) for pin in scene.pins if pin.rod in number),
        welds=tuple(replace(weld, rod=number[weld.rod]) for weld in scene.welds if weld.rod in number),
        ties=tuple(
            tie if tie.vertex is None else replace(tie, vertex=(number[tie.vertex[0]], tie.vertex[1]))
            for tie in scene.ties
        ),
    )


def cables_last(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """((N,) the numbers of the scene's vertices, (M,) and edges, of cables behind all others, else in their order)."""
    last = [rod.model == "cable" for rod in scene.rods]
    vertices = np.repeat(last, [len(rod.x) for rod in scene.rods])
    vertices = np.append(vertices, np.zeros(sum(len(solid.x) for solid in scene.solids), bool))
    edges = np.repeat(last, [rod.edge_count for rod in scene.rods])
    return np.argsort(vertices, kind="stable"), np.argsort(edges, kind="stable")
