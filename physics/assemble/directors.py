"""Segments and joints of Cosserat rods as rows, and their directors as drawn."""

import numpy as np

from ..arithmetic.fixed_order import dot
from ..model import BEND, SEGMENT, Model, State
from ..rods.director_forces import directors_along
from ..rods.directors import director_inertia, parallel_stiffness
from ..rods.spinning_step_limit import vibrations
from ..scene import Rod, Scene

Rows = dict[str, np.ndarray]


def number_segments(rods: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(R,) each rod's first row of Model.segments and of Model.bends; −1: it has none."""
    found = []
    for more in (1, 0):
        count = np.where(rods["cosserat"], rods["last"] - rods["first"] + 1 + more, 0)
        found.append(np.where(rods["cosserat"], np.cumsum(count) - count, -1))
    return found[0], found[1]


def segment_arrays(scene: Scene, rods: np.ndarray, node: Rows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(SEGMENT (S,), their mobility (S, 2), BEND) of all Cosserat rods; node: as `node_arrays` has them."""
    segments, mobility, bends = [np.zeros(0, SEGMENT)], [np.zeros((0, 2))], [np.zeros(0, BEND)]
    for r in np.flatnonzero(rods["cosserat"]):
        own = {name: values[rods["first"][r] : rods["last"][r] + 1] for name, values in node.items()}
        segments.append(_segments(scene.rods[r], rods[r], own))
        mobility.append(_mobility(scene.rods[r], own))
        bends.append(_bends(scene.rods[r], rods[r], own))
    return np.concatenate(segments), np.concatenate(mobility), np.concatenate(bends)


def _segments(rod: Rod, row: np.record, node: Rows) -> np.ndarray:
    """SEGMENT (n + 1,), ghosts as the edges beside them."""
    n, m = len(rod.x), rod.edge_count
    edge = np.arange(-1, n) % n if rod.closed else np.clip(np.arange(-1, n), 0, m - 1)
    head, length = (np.arange(m) + 1) % n, node["length"][:m]
    found = np.zeros(n + 1, SEGMENT)
    found["tail"], found["head"] = row["first"] + edge, row["first"] + head[edge]
    found["length"], found["stretch"] = length[edge], rod.stretch_stiffness[edge]
    found["viscosity"] = rod.stretch_damping_factor * rod.internal_damping * found["stretch"]
    bend, gyration = rod.bend_stiffness, rod.gyration[:m]
    own = rod.parallel_stiffness or parallel_stiffness(bend, length, rod.stretch_stiffness, gyration)[edge]
    found["parallel"] = own
    return found


def _mobility(rod: Rod, node: Rows) -> np.ndarray:
    """(n + 1, 2), none of ghosts."""
    m, share, found = rod.edge_count, rod.mass.copy(), np.zeros((len(rod.x) + 1, 2))
    inertia = rod.director_inertia
    if inertia is None:
        if not rod.closed:
            share[[0, -1]] *= 2.0
        mass = 0.5 * (share + np.roll(share, -1))[:m]
        stiff = (rod.bend_stiffness, rod.stretch_stiffness) if rod.parallel_stiffness is None else ()
        inertia = director_inertia(mass, node["spin"][:m] / mass, node["length"][:m], *stiff)
    found[1 : 1 + m] = 1.0 / inertia
    return found


def _bends(rod: Rod, row: np.record, node: Rows) -> np.ndarray:
    """BEND (n,), of a closed rod from vertex 1 on, at whose vertex 0 it closes."""
    n, joint = len(rod.x), np.arange(len(rod.x))
    found = np.zeros(n, BEND)
    found["before"], found["behind"], found["sign"] = row["segment"] + joint, row["segment"] + joint + 1, 1.0
    bending = node["bending"]
    found["length"] = rod.twist_stiffness / node["twist_rate"]
    rate = np.stack([bending[:, 1] + bending[:, 3], bending[:, 0] + bending[:, 2], node["twist_rate"]], axis=1)
    found["stiffness"] = rate * found["length"][:, None]
    found["rest"] = rest_strains(node["rest_curvature"], node["rest_twist"]) / found["length"][:, None]
    if rod.closed:
        for name in ("length", "stiffness", "rest"):
            found[name] = np.roll(found[name], -1, axis=0)
        found["before"], found["behind"] = row["segment"] + 1 + joint, row["segment"] + 1 + (joint + 1) % n
    found["viscosity"] = rod.internal_damping * np.array([1.0, 1.0, rod.twist_damping_factor]) * found["stiffness"]
    return found


def rest_strains(curvature: np.ndarray, twist: np.ndarray) -> np.ndarray:
    """û l (n, 3) of joints between frames that (κb)‾ = ω̄₁ m₂ − ω̄₂ m₁, curvature (n, 4), turns into each other, by the
    quaternion (1, ½ κb)/|·|, and twist m̄ (n,) then about the second one's tangent.
    """
    x, y = -0.5 * curvature[:, 1], 0.5 * curvature[:, 0]
    c, s = np.cos(0.5 * twist), np.sin(0.5 * twist)
    size = np.sqrt(x * x + y * y + s * s)
    part = np.divide(2.0 * np.arctan2(size, c), size, out=np.full(len(size), 2.0), where=size > 0.0)
    return part[:, None] * np.stack([x * c + y * s, y * c - x * s, s], axis=1)


def lay_directors(model: Model, state: State) -> None:
    """Directors of all Cosserat rods along the material frames in `state`, in place: state.q, and the signs of joints
    that close rings.
    """
    for r in np.flatnonzero(model.rods["cosserat"]):
        directors_along(model, r, state)
        if model.rods["closed"][r]:
            closing = model.bends[model.rods["bend"][r] + model.rods["last"][r] - model.rods["first"][r]]
            closing["sign"] = np.copysign(1.0, dot(state.q[closing["before"]], state.q[closing["behind"]]))


def limits(model: Model) -> np.ndarray:
    """(R,) the largest ω² [1/s²] of each Cosserat rod, straight, with the bodies it is welded to; 0 of others. Of these
    slaves have their bodies' grips for mobilities, and a joint at a body turns it against its edge.
    """
    found = np.zeros(len(model.rods))
    for r in np.flatnonzero(model.rods["cosserat"]):
        found[r] = _limit(model, r)
    return found


def _limit(model: Model, r: int) -> float:
    rod, n = model.rods[r], model.rods[r]["last"] - model.rods[r]["first"] + 1
    m = n - 1 + int(rod["closed"])
    own = model.segments[rod["segment"] : rod["segment"] + n + 1]
    edges, nodes = own[1 : 1 + m], slice(rod["first"], rod["last"] + 1)
    tail, head = edges["tail"] - rod["first"], edges["head"] - rod["first"]
    beside = np.bincount(tail, edges["length"], n) + np.bincount(head, edges["length"], n)
    mobility = 1.0 / np.where(model.nodes["mass"][nodes] > 0.0, model.nodes["mass"][nodes], np.inf)
    grip = np.zeros(len(model.nodes))
    grip[model.slaves["node"]] = model.slaves["grip"]
    mobility = (mobility + grip[nodes]) * beside  # shared by the edges at a vertex as their lengths are
    mass = 4.0 * edges["length"] / (mobility[tail] + mobility[head])
    joints = model.bends[rod["bend"] : rod["bend"] + n].copy()
    for name in ("before", "behind"):
        joints[name] = (joints[name] - rod["segment"] - 1) % (n + 1)  # ghosts behind all edges
    turning = np.roll(model.mobility[rod["segment"] : rod["segment"] + n + 1], -1, axis=0)
    joints = joints[(turning[joints["before"], 1] > 0.0) | (turning[joints["behind"], 1] > 0.0)]
    square = vibrations(edges, joints, mass, turning).max()
    for side in np.flatnonzero(rod["grip"] > 0.0):
        joint = joints[-1 if side else 0]
        square += 2.0 * joint["stiffness"].max() / joint["length"] * rod["grip"][side] / edges["length"][-side] ** 2
    return float(square)
