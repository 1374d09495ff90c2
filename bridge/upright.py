"""Branches that can stand. No bpy.

A column of bending stiffness B under a weight W spread over its length L stands only while W L² < 7.84 B (Greenhill
1881), however it is bent at rest. Living trees keep far from that limit (McMahon 1973, Science 179); drawn twigs, which
come to a point and bear leaves, do not always.
"""

from dataclasses import replace

import numpy as np

GREENHILL = 7.84
SAFE = 4.0  # times as stiff as just stands
GRAVITY = 9.81  # m/s²


def strengthen(rods, starts, forks):
    """The rods of a tree, stiffer where they could not carry upwards what is beyond."""
    kept, load, reach, rise = list(rods), {}, {}, {}
    for number in _outermost_first(starts):
        rod = rods[number]
        length = np.linalg.norm(rod.edges(), axis=1)
        weight = GRAVITY * rod.mass
        far = np.append(np.cumsum(length[::-1])[::-1], 0.0)  # from each vertex to the farthest tip beyond
        top = np.maximum.accumulate(rod.x[::-1, 2])[::-1]
        for fork in forks:
            if fork.parent == number:
                at = fork.vertex + 1
                for child in fork.children:
                    weight[at] += load[child]
                    far[: at + 1] = np.maximum(far[: at + 1], far[: at + 1] - far[at] + reach[child])
                    top[: at + 1] = np.maximum(top[: at + 1], rise[child])
        beyond = np.cumsum(weight[::-1])[::-1]
        load[number], reach[number], rise[number] = beyond[0], far[0], top[0]
        least = SAFE / GREENHILL * beyond[1:] * far[:-1] * (top - rod.x[:, 2])[:-1]
        kept[number] = _stiffer(rod, least)
    return kept


def _outermost_first(starts):
    """Numbers of branches, each before the one it grows from."""
    order = [number for number, start in enumerate(starts) if start is None]
    above = {}
    for number, start in enumerate(starts):
        if start is not None:
            above.setdefault(start.parent, []).append(number)
    for number in order:  # which grows
        order += above.get(number, [])
    return order[::-1]


def _stiffer(rod, least):
    """The rod with a bending stiffness of at least `least` (m,) [N m²], its twisting stiffness in the same measure."""
    factor = np.maximum(1.0, least / rod.bend_stiffness.min(axis=1))
    if np.all(factor == 1.0):
        return rod
    at_vertices = np.maximum(np.append(factor, 1.0), np.append(1.0, factor))
    return replace(
        rod, bend_stiffness=factor[:, None] * rod.bend_stiffness, twist_stiffness=at_vertices * rod.twist_stiffness
    )
