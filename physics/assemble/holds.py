"""What a pin or a weld holds of a rod: a vertex, the node that shows its direction, the edge whose frame it turns."""

from typing import NamedTuple

import numpy as np


class Hold(NamedTuple):
    """Nodes in the flat arrays; other: the ghost of a clamped end, or the next vertex; edge: numbered by its node."""

    node: int
    other: int
    hinged: bool  # the other is a ghost
    edge: int


def hold_of(rod, chain, base, vertex):
    """The Hold of everything at `vertex` of a rod whose chain begins at node `base`."""
    own = int(base + chain.first + vertex)
    last = vertex == len(rod.x) - 1
    at_start = vertex == 0 and not chain.closed
    other = own - 1 if at_start else int(base) if last and chain.closed else own + 1
    return Hold(own, other, at_start or (last and not chain.closed), other if at_start else own)


def start_frame(node, edge):
    """First material axis (3,) on an edge at the start."""
    t, u, theta = node["t"][edge], node["u"][edge], node["theta"][edge]
    return np.cos(theta) * u + np.sin(theta) * np.cross(t, u)


def clamps_of(scene, chains, start):
    """(clamp_start (R + 1,), clamp_edge (K,), clamp of each pin (P,), of each weld (W,)): material frames that are
    prescribed, rod by rod; −1 where none is.
    """
    found = []
    for kind, holders in enumerate((scene.pins, scene.welds)):
        for k, item in enumerate(holders):
            if item.mode == "TWIST":
                edge = hold_of(scene.rods[item.rod], chains[item.rod], start[item.rod], item.vertex).edge
                found.append((item.rod, edge, kind, k))
    found.sort()
    of = (np.full(len(scene.pins), -1, np.int64), np.full(len(scene.welds), -1, np.int64))
    for clamp, (_, _, kind, k) in enumerate(found):
        of[kind][k] = clamp
    clamp_start = np.searchsorted([f[0] for f in found], np.arange(len(chains) + 1)).astype(np.int64)
    return clamp_start, np.array([f[1] for f in found], dtype=np.int64), *of
