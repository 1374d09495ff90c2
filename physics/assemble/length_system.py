"""The sparse system of welded rods: its unknowns, its entries, and the order of their elimination."""

from collections.abc import Collection

import numpy as np

from ..model import JOINT, LINK, LengthSystem, Model, changed
from .elimination import eliminate


def no_lengths() -> LengthSystem:
    """That of a scene without welded rods."""
    none = np.zeros(0, np.int64)
    return LengthSystem(np.zeros(0, LINK), np.zeros(0, JOINT), np.zeros(1, np.int64), none, none)


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
    neighbours: list[set[int]] = [set() for _ in range(edges + 6 * count)]
    pair, pair_node = _shared(tail, head, body)
    for a, b in pair:
        neighbours[a].add(b)
        neighbours[b].add(a)
    for b in range(count):
        for i, k in ((3, 4), (3, 5), (4, 5)):
            neighbours[body_row[b, i]].add(body_row[b, k])
            neighbours[body_row[b, k]].add(body_row[b, i])
    after = {}
    for j in range(edges):
        free = False
        for i in (tail[j], head[j]):
            if body[i] >= 0:
                neighbours[j].update(body_row[body[i]].tolist())
                for k in body_row[body[i]]:
                    neighbours[k].add(j)
            elif i not in pinned:
                free = True
        ends = [b for b in (body[tail[j]], body[head[j]]) if b >= 0]
        if not free and ends:
            after[j] = set(body_row[ends[0], :3].tolist())  # its pivot is what that body weighs
    found = eliminate(neighbours, after)
    links = changed(
        np.zeros(edges, LINK), tail=tail, head=head, tail_slave=slave[tail], head_slave=slave[head],
        row=found.row[:edges],
    )  # fmt: skip
    for j in range(edges):
        for side, i in enumerate((tail[j], head[j])):
            if body[i] >= 0:
                links["arm_slot"][j, side] = [found.slot(j, k) for k in body_row[body[i]]]
    joints = changed(
        np.zeros(len(pair), JOINT), one=pair[:, 0], other=pair[:, 1], node=pair_node,
        slot=[found.slot(a, b) for a, b in pair],
    )  # fmt: skip
    bodies["row"] = found.row[body_row]
    for b in range(count):
        bodies["slot"][b] = [found.slot(body_row[b, i], body_row[b, k]) for i, k in ((3, 4), (3, 5), (4, 5))]
    slaves["edge"] = _edges_at(links["tail_slave"], links["head_slave"], len(slaves))
    return LengthSystem(links, joints, found.column, found.below, found.update)


def _edges(rods: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tail and head nodes of all edges of constant length on welded rods."""
    tail, head = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for r in np.flatnonzero(rods["welded"] & ~rods["stretchable"]):
        own = np.arange(rods["first"][r], rods["last"][r] + rods["closed"][r])
        tail.append(own)
        head.append(np.where(own < rods["last"][r], own + 1, rods["first"][r]))
    return np.concatenate(tail), np.concatenate(head)


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
