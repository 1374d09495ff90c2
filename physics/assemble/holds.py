"""What a pin or a weld holds of a rod: a vertex, and the direction of an edge there, or its whole frame; and whether it
does.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..model import FREE, HELD, HOLD, YIELDING, Model, changed
from ..scene import Pin, Scene, Weld


class Hold(NamedTuple):
    """Numbers in the flat arrays: the node; at an end the ghost edge, else the next node, whose edge it holds (−1: not
    that); the frame of that edge.
    """

    node: int
    ghost: int
    second: int
    frame: int


def hold_of(rods: np.ndarray, holder: Pin | Weld) -> Hold:
    """The Hold of a pin or weld; rods: Model.rods."""
    r, vertex, rod = holder.rod, holder.vertex, rods[holder.rod]
    first, last, frame = (int(rod[name]) for name in ("first", "last", "frame"))
    node = first + vertex
    if vertex == 0 and not rod["closed"]:
        return Hold(node, 2 * r, -1, frame)
    if node < last:
        return Hold(node, -1, node + 1, frame + vertex + 1)
    return Hold(node, -1, first, frame) if rod["closed"] else Hold(node, 2 * r + 1, -1, frame + vertex + 1)


def start_frame(frames: dict[str, np.ndarray], number: int) -> np.ndarray:
    """First material axis (3,) of a frame at the start."""
    t, u, theta = frames["t"][number], frames["u"][number], frames["theta"][number]
    return np.cos(theta) * u + np.sin(theta) * np.cross(t, u)


def clamps_of(scene: Scene, rods: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(clamp_start (R + 1,), clamp_frame (K,), clamp of each pin (P,), of each weld (W,)): material frames that are
    prescribed, rod by rod; −1 where none is.
    """
    pinned_or_welded: tuple[Sequence[Pin | Weld], ...] = (scene.pins, scene.welds)
    found = [
        (item.rod, hold_of(rods, item).frame, kind, k)
        for kind, holders in enumerate(pinned_or_welded)
        for k, item in enumerate(holders)
        if item.mode == "TWIST"
    ]
    found.sort()
    of = (np.full(len(scene.pins), -1, np.int64), np.full(len(scene.welds), -1, np.int64))
    for clamp, (_, _, kind, k) in enumerate(found):
        of[kind][k] = clamp
    clamp_start = np.searchsorted([f[0] for f in found], np.arange(len(rods) + 1)).astype(np.int64)
    return clamp_start, np.array([f[1] for f in found], dtype=np.int64), *of


def start_holds(model: Model) -> np.ndarray:
    """HOLD (P,) of all pins as their influence at the start says."""
    pins = model.pins
    holds = changed(np.zeros(len(pins), HOLD), influence=model.samples[pins["first_sample"], 7])
    holds["state"] = np.where(holds["influence"] <= 0.0, FREE, np.where(pins["exact"], HELD, YIELDING))
    holds["gap"][:, 0] = 1.0
    return holds


def in_force(model: Model, holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(frames (M,) bool that are prescribed, ends of rods (2R,) bool at which a clamp holds) with these HOLD (P,)."""
    fixed = np.zeros(len(model.nodes) + len(model.rods), dtype=bool)
    held = np.zeros(2 * len(model.rods), dtype=bool)
    for holders in (model.pins[holds["state"] != FREE], model.welds):
        fixed[holders["frame"][holders["clamp"] >= 0]] = True
        held[holders["ghost"][holders["ghost"] >= 0]] = True
    return fixed, held
