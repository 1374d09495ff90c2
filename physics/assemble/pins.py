"""Pins as arrays: what each leads, where it yields, and its samples."""

import numpy as np

from ..arithmetic.fixed_order import norm
from ..constraints.pin_force import SAG, automatic_force
from ..model import PIN, changed
from ..scene import Rod, Scene
from ..scenes.linked import linked
from .holds import hold_of, start_frame
from .solids import masses

PIN_MASSES = 20.0  # least mass of a yielding pin, in masses of a vertex
LAG = 0.05  # of an edge: how far a pin may lag before the artist is told


def joined_mass(scene: Scene) -> np.ndarray:
    """(R,) [kg] for each rod of a scene: its mass and that of all rods and bodies that welds and ties join with it."""
    rods, bodies = len(scene.rods), len(scene.rods) + len(scene.bodies)
    own = [rod.mass.sum() for rod in scene.rods] + [body.mass for body in scene.bodies]
    own += [masses(solid).sum() for solid in scene.solids]
    joints = [(weld.rod, rods + weld.body) for weld in scene.welds]
    joints += [(rods + tie.body, bodies + tie.solid) for tie in scene.ties if tie.body is not None]
    joints += [(tie.vertex[0], bodies + tie.solid) for tie in scene.ties if tie.vertex is not None]
    label = linked(joints, len(own))
    return np.bincount(label, own)[label[:rods]] if rods else np.zeros(0)


def _shortest_at(rod: Rod, vertex: int) -> float:
    """The shorter edge [m] at a vertex."""
    length = rod.lengths()
    if rod.closed:
        return min(length[vertex - 1], length[vertex])
    return length[max(vertex - 1, 0) : vertex + 1].min()


def pin_arrays(
    scene: Scene, rods: np.ndarray, frames: dict[str, np.ndarray], clamp: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(PIN (P,), times (K,) [s] and samples (K, 8)); clamp (P,): each one's, or −1."""
    pins = changed(np.zeros(len(scene.pins), PIN), clamp=clamp, ghost=-1, second=-1, frame=-1)
    times, samples = [np.zeros(0)], [np.zeros((0, 8))]
    weights = joined_mass(scene) * float(norm(scene.gravity))
    for i, pin in enumerate(scene.pins):
        rod = scene.rods[pin.rod]
        hold = hold_of(rods, pin)
        pins["node"][i], pins["rod"][i] = hold.node, pin.rod
        if pin.mode != "POSITION":
            pins["ghost"][i], pins["second"][i], pins["frame"][i] = hold[1:]
            pins["edge"][i], pins["m1"][i] = frames["edge"][hold.frame], start_frame(frames, hold.frame)
        weight = weights[pin.rod]
        pins["exact"][i] = pin.max_force == np.inf
        automatic = pin.max_force is None or pins["exact"][i]
        pins["max_force"][i] = automatic_force(rod, weight) if automatic else pin.max_force
        pins["mass"][i] = PIN_MASSES * rod.mass.mean()
        pins["stiffness"][i] = weight / (SAG * rod.radius.min())
        pins["tolerance"][i] = LAG * _shortest_at(rod, pin.vertex)
        k = len(pin.times)
        rotation = np.tile([1.0, 0.0, 0.0, 0.0], (k, 1)) if pin.rotation is None else pin.rotation
        influence = np.ones(k) if pin.influence is None else pin.influence
        times.append(np.asarray(pin.times, dtype=np.float64))
        samples.append(np.column_stack([pin.position, rotation, influence]))
    end = np.cumsum([len(t) for t in times])
    pins["first_sample"], pins["end_sample"] = end[:-1], end[1:]
    return pins, np.concatenate(times), np.ascontiguousarray(np.concatenate(samples))
