"""The sparse system of welded rods: its unknowns, its entries, and the order of their elimination."""

from collections.abc import Collection

import numpy as np

from ..linear.elimination import eliminate
from ..model import LINK, LINK_PAIR, RUN, LengthSystem, Model, changed
from ..rods.chain import edges_of, rod_of


def no_lengths() -> LengthSystem:
    """That of a scene without welded rods."""
    none = np.zeros(0, np.int64)
    return LengthSystem(np.zeros(0, LINK), np.zeros(0, LINK_PAIR), np.zeros(0, RUN), np.zeros(1, np.int64), none)


def length_system(model: Model, pinned: Collection[int]) -> LengthSystem:
    """LengthSystem of all inextensible edges of the welded rods; pinned: nodes that something else may hold.

    Tells model.bodies and model.slaves where in it they are.
    """
    bodies, slaves = model.bodies, model.slaves
    tail, head = _edges(model.rods)
    slave = np.full(len(model.nodes), -1, dtype=np.int64)
    slave[slaves["node"]] = np.arange(len(slaves))
    body = np.append(slaves["body"], -1)[slave]
    inside = (body[tail] >= 0) & (body[tail] == body[head])
    tail, head = tail[~inside], head[~inside]
    edges, count = len(tail), len(bodies)
    body_row = edges + np.arange(6 * count).reshape(count, 6)
    pair, pair_node = _shared(tail, head, body)
    coupled, after = [pair, *(body_row[:, two] for two in ((3, 4), (3, 5), (4, 5)))], {}
    for side in (tail, head):
        held = np.flatnonzero(body[side] >= 0)
        coupled.append(np.column_stack([np.repeat(held, 6), body_row[body[side[held]]].ravel()]))
    run, of_run = _runs(model, tail)
    pulled = np.flatnonzero((run >= 0) & (model.pulleys["body"][of_run] >= 0))
    rows = body_row[model.pulleys["body"][of_run[pulled]]]
    coupled.append(np.column_stack([np.repeat(run[pulled], 6), rows.ravel()]))
    for j in range(edges):
        ends = [b for b in (body[tail[j]], body[head[j]]) if b >= 0]
        if ends and not any(body[i] < 0 and i not in pinned for i in (tail[j], head[j])):
            after[j] = set(body_row[ends[0], :3].tolist())  # its pivot is what that body weighs
    found = eliminate(edges + 6 * count, np.concatenate(coupled), after)
    links = changed(
        np.zeros(edges, LINK), tail=tail, head=head, tail_slave=slave[tail], head_slave=slave[head],
        row=found.row[:edges],
    )  # fmt: skip
    for k, side in enumerate((tail, head)):
        held = np.flatnonzero(body[side] >= 0)
        links["arm_slot"][held, k] = found.slot(held[:, None], body_row[body[side[held]]])
    runs = changed(np.zeros(len(run), RUN), link=run)
    runs["slot"][pulled] = found.slot(run[pulled, None], rows)
    one, other = pair.T
    joints = changed(np.zeros(len(pair), LINK_PAIR), one=one, other=other, node=pair_node, slot=found.slot(one, other))
    bodies["row"], bodies["slot"] = found.row[body_row], found.slot(body_row[:, [3, 3, 4]], body_row[:, [4, 5, 5]])
    slaves["edge"] = _edges_at(links["tail_slave"], links["head_slave"], len(slaves))
    return LengthSystem(links, joints, runs, found.column, found.below)


def _edges(rods: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tail and head nodes of all edges of constant length on welded rods."""
    tail, head = edges_of(rods, rods["last"].max(initial=-1) + 1)
    own = (rods["welded"] & ~rods["stretchable"])[rod_of(rods, tail)]
    return tail[own], head[own]


def _runs(model: Model, tail: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(K,) the links that edges of rods in pulleys are, pulley by pulley, and the pulley of each."""
    link = np.full(len(model.nodes), -1, np.int64)
    link[tail] = np.arange(len(tail))
    edges = [np.arange(rod["first"], rod["last"] + rod["closed"]) for rod in model.rods[model.pulleys["rod"]]]
    of = np.repeat(np.arange(len(edges)), [len(own) for own in edges])
    return link[np.concatenate([np.zeros(0, np.int64), *edges])], of


def _edges_at(tail_slave: np.ndarray, head_slave: np.ndarray, count: int) -> np.ndarray:
    """(S, 2) edges that leave each slave and that reach it; −1."""
    found = np.full((count, 2), -1, dtype=np.int64)
    for side, slave in enumerate((tail_slave, head_slave)):
        held = np.flatnonzero(slave >= 0)
        found[slave[held], side] = held
    return found


def _shared(tail: np.ndarray, head: np.ndarray, body: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(pairs of edges (Q, 2), nodes (Q,)) that meet in a node which is no slave."""
    leaves = {int(i): j for j, i in enumerate(tail)}
    meeting = [(j, leaves[int(i)], int(i)) for j, i in enumerate(head) if body[i] < 0 and int(i) in leaves]
    rows = np.array(meeting, dtype=np.int64).reshape(-1, 3)
    return np.ascontiguousarray(rows[:, :2]), np.ascontiguousarray(rows[:, 2])
