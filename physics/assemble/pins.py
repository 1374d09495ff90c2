"""Pins as arrays: what each leads, where it yields, and its samples."""

import numpy as np

from ..model import Pins
from .holds import hold_of, start_frame

PIN_MASSES = 20.0  # least mass of a yielding pin, in masses of a vertex
WEIGHTS = 40.0  # that a pin holds at least, in weights of the rod
STRETCH = 5.0  # how many times its length a pin can stretch a rod
LAG = 0.05  # of an edge: how far a pin may lag before the artist is told
SAG = 2e-3  # of the radius: how far the rod's weight may draw a yielding pin off its trajectory


def automatic_force(rod, weight):
    """Where a pin yields by default [N]: ½ B/r², beyond which a knot hardly tightens, but enough for a rope that swings
    and cracks like a whip.
    """
    stretch = STRETCH * rod.stretch_stiffness.max() if rod.stretchable else 0.0
    return max(0.5 * rod.bend_stiffness.min() / rod.radius.max() ** 2, WEIGHTS * weight, stretch)


def _shortest_at(rod, vertex):
    """The shorter edge [m] at a vertex."""
    length = np.linalg.norm(rod.edges(), axis=1) * rod.rest_length_factor
    if rod.closed:
        return min(length[vertex - 1], length[vertex])
    return length[max(vertex - 1, 0) : vertex + 1].min()


def pin_arrays(scene, chains, start, node, clamp):
    """The pins as arrays; automatic forces resolved. clamp (P,): the number of each one's clamp, or −1."""
    count = len(scene.pins)
    columns = {
        "node": np.zeros(count, np.int64),
        "ghost": np.full(count, -1, np.int64),
        "hinged": np.zeros(count, bool),
        "clamp": clamp,
        "offset": np.zeros((count, 3)),
        "m1": np.zeros((count, 3)),
        "max_force": np.zeros(count),
        "automatic_force": np.zeros(count),
        "mass": np.zeros(count),
        "stiffness": np.zeros(count),
        "tolerance": np.zeros(count),
    }
    times, samples = [np.zeros(0)], [np.zeros((0, 8))]
    for i, pin in enumerate(scene.pins):
        rod = scene.rods[pin.rod]
        hold = hold_of(rod, chains[pin.rod], start[pin.rod], pin.vertex)
        columns["node"][i] = hold.node
        if pin.mode != "POSITION":
            columns["ghost"][i], columns["hinged"][i] = hold.other, hold.hinged
            columns["offset"][i] = node["x"][hold.other] - node["x"][hold.node]
            columns["m1"][i] = start_frame(node, hold.edge)
        weight = rod.mass.sum() * float(np.linalg.norm(scene.gravity))
        columns["automatic_force"][i] = automatic_force(rod, weight)
        columns["max_force"][i] = columns["automatic_force"][i] if pin.max_force is None else pin.max_force
        columns["mass"][i] = PIN_MASSES * rod.mass.mean()
        columns["stiffness"][i] = weight / (SAG * rod.radius.min())
        columns["tolerance"][i] = LAG * _shortest_at(rod, pin.vertex)
        k = len(pin.times)
        rotation = np.tile([1.0, 0.0, 0.0, 0.0], (k, 1)) if pin.rotation is None else pin.rotation
        influence = np.ones(k) if pin.influence is None else pin.influence
        times.append(np.asarray(pin.times, dtype=np.float64))
        samples.append(np.column_stack([pin.position, rotation, influence]))
    return Pins(
        **columns,
        track=np.cumsum([len(t) for t in times]),
        times=np.concatenate(times),
        samples=np.ascontiguousarray(np.concatenate(samples)),
    )
