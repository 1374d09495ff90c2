"""A scene without its cables, and bodies that hang on them: what is simulated in time, which no cable moves."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from ..scene import Scene


def cables_of(scene: Scene) -> list[int]:
    """The numbers of the rods that are cables."""
    return [r for r, rod in enumerate(scene.rods) if rod.model == "cable"]


def suspended_of(scene: Scene) -> list[int]:
    """The numbers of the bodies that hang on cables."""
    return [b for b, body in enumerate(scene.bodies) if body.suspended]


def without_cables(scene: Scene, but: Collection[int] = ()) -> Scene:
    """The scene without cables, but for those of these numbers, and what hangs on them; itself where it has neither."""
    left = [r for r, rod in enumerate(scene.rods) if rod.model != "cable" or r in but]
    firm = [b for b, body in enumerate(scene.bodies) if not body.suspended]
    if len(left) == len(scene.rods) and len(firm) == len(scene.bodies):
        return scene
    number, body = ({one: k for k, one in enumerate(kept)} for kept in (left, firm))
    return replace(
        scene,
        rods=tuple(scene.rods[r] for r in left),
        bodies=tuple(scene.bodies[b] for b in firm),
        pins=tuple(replace(pin, rod=number[pin.rod]) for pin in scene.pins if pin.rod in number),
        welds=tuple(
            replace(weld, rod=number[weld.rod], body=body[weld.body]) for weld in scene.welds if weld.rod in number
        ),
        pulleys=tuple(
            replace(one, rod=number[one.rod], body=None if one.body is None else body[one.body])
            for one in scene.pulleys
        ),
        ties=tuple(
            replace(
                tie,
                vertex=None if tie.vertex is None else (number[tie.vertex[0]], tie.vertex[1]),
                body=None if tie.body is None else body[tie.body],
            )
            for tie in scene.ties
        ),
    )


def cables_last(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """((N,) the numbers of the scene's vertices, (M,) edges, (B,) and bodies but for kinematic ones, of cables and what
    hangs on them behind all others, else in their order).
    """
    last = [rod.model == "cable" for rod in scene.rods]
    vertices = np.repeat(last, [len(rod.x) for rod in scene.rods])
    vertices = np.append(vertices, np.zeros(sum(len(solid.x) for solid in scene.solids), bool))
    edges = np.repeat(last, [rod.edge_count for rod in scene.rods])
    moving = np.array([b for b, body in enumerate(scene.bodies) if not body.kinematic], np.int64)
    hang = np.array([scene.bodies[b].suspended for b in moving], bool)
    order = [np.argsort(rows, kind="stable") for rows in (vertices, edges, hang)]
    return order[0], order[1], moving[order[2]]
