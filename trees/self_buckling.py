"""Branches stiff enough not to buckle under their own weight (self-buckling).

Under a weight W spread over its length L an upright rod of bending stiffness B and twisting stiffness C stands only
while W L² < 7.84 B (Greenhill 1881), a level one while W L² < 12.85 √(BC), before it rolls over (Timoshenko & Gere,
*Theory of Elastic Stability*, § 6.3), however they are bent at rest: with the C of wood, B/6.5, both about 5 B. One
that hangs needs nothing. Living trees keep far from the limit (McMahon 1973, Science 179); drawn twigs, which come to
a point and bear leaves, do not always.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..physics.arithmetic.fixed_order import dot, norm
from ..physics.scene import Rod
from .forks import Fork, Start

LIMIT = 5.0
SAFE = 4.0  # times as stiff as just stands; a weight at the tip in place of spread ones needs 3.2


def strengthen(
    rods: Sequence[Rod], starts: Sequence[Start | None], forks: Sequence[Fork], gravity: np.ndarray
) -> list[Rod]:
    """The rods of a tree, stiffer where they could not carry upwards what is beyond under gravity (3,) [m/s²]."""
    pull = float(norm(np.asarray(gravity)))
    if pull == 0.0:
        return list(rods)
    up = -np.asarray(gravity) / pull
    kept = list(rods)
    load: dict[int, float] = {}  # [N] of a branch and all it carries
    reach: dict[int, float] = {}  # [m] from its start to the farthest tip
    tip: dict[int, float] = {}  # [m] height of that tip
    for number in _outermost_first(starts):
        rod = rods[number]
        along = np.append(0.0, np.cumsum(np.linalg.norm(rod.edges(), axis=1)))
        weight = pull * (1.0 if rod.weights is None else float(rod.weights[0])) * rod.mass
        far = along[-1] - along  # from each vertex to the farthest tip beyond
        level = dot(rod.x, up)
        height = np.full(len(far), level[-1])  # of that tip
        for fork in forks:
            if fork.parent == number:
                at = fork.vertex + 1
                for child in fork.children:
                    weight[at] += load[child]
                    way = along[at] - along[: at + 1] + reach[child]
                    height[: at + 1] = np.where(way > far[: at + 1], tip[child], height[: at + 1])
                    far[: at + 1] = np.maximum(way, far[: at + 1])
        beyond = np.cumsum(weight[::-1])[::-1]
        load[number], reach[number], tip[number] = beyond[0], far[0], height[0]
        hanging = np.clip((level - height)[:-1] / far[:-1], 0.0, 1.0)
        least = SAFE / LIMIT * beyond[1:] * far[:-1] ** 2 * np.sqrt(1.0 - hanging**2)
        kept[number] = _stiffer(rod, least)
    return kept


def _outermost_first(starts: Sequence[Start | None]) -> list[int]:
    """Numbers of branches, each before the one it grows from."""
    order = [number for number, start in enumerate(starts) if start is None]
    above: dict[int, list[int]] = {}
    for number, start in enumerate(starts):
        if start is not None:
            above.setdefault(start.parent, []).append(number)
    for number in order:  # which grows
        order += above.get(number, [])
    return order[::-1]


def _stiffer(rod: Rod, least: np.ndarray) -> Rod:
    """The rod with a bending stiffness of at least `least` (m,) [N m²], its twisting stiffness in the same measure."""
    factor = np.maximum(1.0, least / rod.bend_stiffness.min(axis=1))
    if np.all(factor == 1.0):
        return rod
    at_vertices = np.maximum(np.append(factor, 1.0), np.append(1.0, factor))
    return replace(
        rod, bend_stiffness=factor[:, None] * rod.bend_stiffness, twist_stiffness=at_vertices * rod.twist_stiffness
    )
