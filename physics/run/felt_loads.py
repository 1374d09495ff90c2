"""Loads on things of a run, as State.fields has them: what accelerates nodes and bodies, and turns these.

A force f shared among nodes by their masses accelerates each by f/Σm; on a body of mass m, at the arm r from its centre
of mass, it is f/m and the torque r × f. A torque on vertices of a rod is shared alike, and turns the edges at each,
half each: see rods/edge_torques.
"""

import numpy as np

from ..arithmetic.quaternions import conjugate, product, turned
from ..assemble.solids import node_order
from ..geometry.samples import between
from ..model import Model, State
from ..scene import Load, RigidBody, Rod, Scene, SoftBody


class FeltLoads:
    """Those on the things of one Model of a scene: its rods and rigid bodies, or its soft bodies."""

    def __init__(self, scene: Scene, model: Model) -> None:
        soft = len(model.solids.bodies) > 0
        things: tuple[Rod | SoftBody, ...] = scene.solids if soft else scene.rods
        number = np.argsort(node_order(scene)) if soft else np.arange(len(model.nodes))
        first = np.cumsum([0, *(len(thing.x) for thing in things)])
        mass = model.nodes["mass"]
        loads = [(load, k) for k, thing in zip(first, things, strict=False) for load in thing.loads]
        nodes = [(load, number[k + np.asarray(load.nodes)]) for load, k in loads]
        self.on_nodes = [(load, own, float(mass[own].sum())) for load, own in nodes]
        self.on_edges = [(load, r, *edge_shares(rod, np.asarray(load.nodes), mass[k : k + len(rod.x)], k))
                         for r, (rod, k) in enumerate(zip(() if soft else scene.rods, first, strict=False))
                         for load in rod.loads if load.torque is not None]  # fmt: skip
        bodies, self.bodies = () if soft else scene.bodies, model.bodies
        self.on_bodies = [(load, body, b) for b, body in enumerate(bodies) for load in body.loads]

    def feel(self, state: State, time: float) -> None:
        """Add what they do at a time [s] to what force fields do in a State."""
        effects, n = state.fields, len(state.x)
        for load, own, mass in self.on_nodes:
            effects["acceleration"][own] += at(load, load.force, time) / mass
        for load, r, tail, share in self.on_edges:
            effects["torque"][tail] += share[:, None] * at(load, load.torque, time)
            state.rods["loaded"][r] = True
        for load, body, b in self.on_bodies:
            acceleration, torque = on_body(load, body, self.bodies[b], state.bodies["q"][b], time)
            effects["acceleration"][n + b] += acceleration
            effects["torque"][n + b] += torque


def edge_shares(rod: Rod, nodes: np.ndarray, mass: np.ndarray, first: int) -> tuple[np.ndarray, np.ndarray]:
    """(nodes that a Rod's edges leave (m,), shares (m,) that these have of a torque on its vertices `nodes`); mass (n,)
    [kg] of its vertices, the first of which is node `first`.
    """
    own = np.zeros(len(mass))
    own[nodes] = mass[nodes] / mass[nodes].sum()
    if not rod.closed:
        own[[0, -1]] *= 2.0
    return first + np.arange(rod.edge_count), 0.5 * (own + np.roll(own, -1))[: rod.edge_count]


def on_body(load: Load, body: RigidBody, row: np.record, q: np.ndarray, time: float) -> tuple[np.ndarray, np.ndarray]:
    """(acceleration [m/s²], torque [N m]) of a BODY turned as q (4,) at a time [s] under one of its loads."""
    turn = product(q, conjugate(row["start"][3:]))
    force, torque = at(load, load.force, time), at(load, load.torque, time)
    if load.follows:
        force, torque = turned(turn, force), turned(turn, torque)
    arm = body.position - row["start"][:3] + (0.0 if load.arm is None else load.arm)
    return force / row["mass"], torque + np.cross(turned(turn, arm), force)


def pulls(rod: Rod, time: float) -> np.ndarray:
    """(n, 3) [N] that the forces of its loads are at a time [s] on vertices of a Rod by itself."""
    found = np.zeros((len(rod.x), 3))
    for load in rod.loads:
        mass = rod.mass[load.nodes]
        found[load.nodes] += mass[:, None] / mass.sum() * at(load, load.force, time)
    return found


def at(load: Load, samples: np.ndarray | None, time: float) -> np.ndarray:
    """Of samples (k, 3) of a Load what it has at a time [s]."""
    if samples is None:
        return np.zeros(3)
    low, high, s = between(load.times, time)
    found: np.ndarray = (1.0 - s) * samples[low] + s * samples[high]
    return found
