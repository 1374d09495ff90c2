"""Ties of soft bodies as arrays, and what of a rod or a rigid body does not touch a soft body, for it is tied to it."""

import numpy as np

from ..arithmetic.quaternions import turned_back
from ..geometry.tie_shares import tie_shares
from ..model import MEMBER, SOFT_TIE, Model, State, changed
from ..rods.chain import edges_of, spread
from ..scene import Scene, Tie
from ..validate.overlap_with_bodies import depths_below
from .rooted import leaving
from .solids import node_order


def tie_arrays(scene: Scene, model: Model, state: State) -> tuple[np.ndarray, np.ndarray]:
    """(SOFT_TIE (Q,), MEMBER, nodes as in `node_order`) of a scene; Model and State of its rods and rigid bodies."""
    order = node_order(scene)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    first = np.cumsum([0, *(len(solid.x) for solid in scene.solids)])
    ties, members, count = [np.zeros(0, SOFT_TIE)], [np.zeros(0, MEMBER)], 0
    for tie in scene.ties:
        nodes = place[first[tie.solid] + np.asarray(tie.nodes)]
        x = np.asarray(scene.solids[tie.solid].x, np.float64)[tie.nodes]
        if tie.vertex is None:
            now = state.bodies[tie.body]
            arms = turned_back(now["q"], x - now["x"])
            rows = changed(np.zeros(len(nodes), SOFT_TIE), vertex=-1, body=tie.body, arm=arms)
            rows["member"] = count + np.arange(len(nodes))[:, None] + [0, 1]
            shares = np.ones(len(nodes))
        else:
            shares, _ = tie_shares(x, scene.rods[tie.vertex[0]].x[tie.vertex[1]])
            rows = changed(np.zeros(1, SOFT_TIE), member=(count, count + len(nodes)), **_joined_to(model, tie))
        ties.append(rows)
        members.append(changed(np.zeros(len(nodes), MEMBER), node=nodes, share=shares))
        count += len(nodes)
    table, rows = np.concatenate(ties), np.concatenate(members)
    to_body = np.repeat(table["body"] >= 0, table["member"][:, 1] - table["member"][:, 0])
    rows["among"] = np.bincount(rows["node"][to_body], minlength=len(order))[rows["node"]]
    return table, rows


def _joined_to(model: Model, tie: Tie) -> dict[str, object]:
    """Columns of a SOFT_TIE to a vertex: or to the body that holds it."""
    rod, vertex = tie.vertex or (0, 0)
    node = model.rods["first"][rod] + vertex % (model.rods["last"][rod] - model.rods["first"][rod] + 1)
    slave = model.nodes["slave"][node]
    if slave < 0:
        return {"vertex": node, "body": -1}
    return {"vertex": -1, "body": model.slaves["body"][slave], "arm": model.slaves["arm"][slave]}


def apart(scene: Scene, model: Model, state: State) -> np.ndarray:
    """Sorted keys, `contact.coupled_pairs.tied_key`, of what does not touch the soft body that it is tied to: a body;
    a rod's vertices and edges at the tie, and on from there in the soft body and where the rod leaves it.
    """
    keys, count, surface = [np.zeros(0, np.int64)], len(scene.solids), model.surfaces
    tail, head = edges_of(model.rods, len(model.nodes))
    for tie in scene.ties:
        if tie.vertex is None:
            keys.append(np.array([(len(model.nodes) + (tie.body or 0)) * count + tie.solid]))
            continue
        inside = np.zeros(len(model.nodes), bool)
        inside[model.rods["first"][tie.vertex[0]] + tie.vertex[1] % len(scene.rods[tie.vertex[0]].x)] = True
        if len(surface.faces):
            triangles = surface.faces["corner"][surface.faces["collider"] == tie.solid]
            reach = surface.colliders["thickness"][tie.solid] + model.nodes["radius"]
            depth, below, _ = depths_below(surface.samples[0], triangles, 0.0, state.x, state.x, reach)
            inside = leaving(spread(inside, below, (tail, head)), depth > 0.0, (tail, head), state.x, reach)
        inside[tail] |= inside[head]
        keys.append(np.flatnonzero(inside) * count + tie.solid)
    return np.unique(np.concatenate(keys))
