"""Pulleys as arrays."""

import numpy as np

from ..arithmetic.fixed_order import norm
from ..arithmetic.quaternions import turned_back
from ..model import PULLEY, PULLEY_STATE, changed
from ..scene import Scene


def in_order(scene: Scene) -> list[int]:
    """The numbers of a scene's pulleys, rod by rod and along each: in a closed one from behind its longest way between
    two, so that those that come together on an edge are in order there.
    """
    found = []
    for r, rod in enumerate(scene.rods):
        own = sorted((pulley.vertex, k) for k, pulley in enumerate(scene.pulleys) if pulley.rod == r)
        if rod.closed and own:
            arc = np.append(0.0, np.cumsum(norm(rod.edges())))
            place = arc[[vertex for vertex, _ in own]]
            before = place - np.append(place[-1] - arc[-1], place[:-1])
            first = int(np.argmax(before))
            own = own[first:] + own[:first]
        found += [k for _, k in own]
    return found


def pulley_arrays(scene: Scene, rods: np.ndarray, first_sample: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(PULLEY (Y,) but for arms, times (K,) [s] and samples (K, 8)), these counted from first_sample."""
    order = [scene.pulleys[k] for k in in_order(scene)]
    found = np.zeros(len(order), PULLEY)
    found["rod"] = [one.rod for one in order]
    found["body"] = [-1 if one.body is None else one.body for one in order]
    ends = first_sample + np.cumsum([0, *(len(one.times) for one in order)])
    found["first_sample"], found["end_sample"] = ends[:-1], ends[1:]
    own = rods[found["rod"]]
    edges = own["last"] - own["first"] + own["closed"]
    found["first_run"] = np.cumsum([0, *edges])[:-1]
    times = np.concatenate([np.zeros(0), *(one.times for one in order)])
    still = [np.column_stack([one.position, np.tile([1.0, 0.0, 0.0, 0.0, 1.0], (len(one.times), 1))]) for one in order]
    return found, times, np.concatenate([np.zeros((0, 8)), *still])


def put_arms(scene: Scene, pulleys: np.ndarray, bodies: np.ndarray) -> None:
    """Where bodies, BODY_STATE (B,) as they start, carry PULLEY (Y,): their arms in place."""
    for row, k in zip(pulleys, in_order(scene), strict=True):
        if row["body"] >= 0:
            own = bodies[row["body"]]
            row["arm"] = turned_back(own["q"], scene.pulleys[k].position[0] - own["x"])


def start_pulleys(scene: Scene, rods: np.ndarray) -> np.ndarray:
    """PULLEY_STATE (Y,): on the edge that leaves the vertex in the pulley."""
    order = [scene.pulleys[k] for k in in_order(scene)]
    edge = [rods["first"][one.rod] + one.vertex for one in order]
    return changed(np.zeros(len(order), PULLEY_STATE), edge=edge)
