"""What the blocks of a chain are: vertices of its rod, edges and hinges; and which of its unknowns are given."""

import numpy as np

from .._jit import kernel
from ..constraints.pins import is_held
from ..model import Model, State
from ..rods.chain import hinges_of
from .scratch import BLOCK, SPAN, ImplicitScratch


@kernel
def is_framed(model: Model, r: int) -> bool:
    """Whether material frames of rod r are unknowns."""
    return model.chain_system.angle[model.rods[r].frame + 1] >= 0


@kernel
def node_of(rods: np.ndarray, chain: np.record, i: int) -> int:
    """Node of block i of a chain; −1: it is the far end of a ghost edge."""
    first, n, vertex = rods[chain.rod].first, rods[chain.rod].last - rods[chain.rod].first + 1, chain.vertex + i
    if rods[chain.rod].closed:
        return first + vertex % n
    return first + vertex if 0 <= vertex < n else -1


@kernel
def frame_of(rods: np.ndarray, chain: np.record, i: int) -> int:
    """Number of the material frame behind block i of a chain; of a closed rod's last edge, the first of its two."""
    n, behind = rods[chain.rod].last - rods[chain.rod].first + 1, chain.vertex + i + 1
    return rods[chain.rod].frame + (behind % n if rods[chain.rod].closed else behind)


@kernel
def hinge_blocks(rods: np.ndarray, ghosts: np.ndarray, chain: np.record) -> tuple[int, int]:
    """(first block, and that behind the last one) at which a hinge of the chain is now."""
    begin, end = chain.hinge[0], chain.hinge[1]
    first, last = hinges_of(rods, chain.rod, ghosts)
    if begin == 0 and first > rods[chain.rod].first:
        begin = 1
    if end == chain.blocks and last == rods[chain.rod].last:
        end -= 1
    return begin, end


@kernel
def angle_before(i: int) -> int:
    """Row, counted from the chain's first, of the angle of the frame before block i; i + 1: behind it."""
    return 3 if i == 0 else BLOCK * i - 1


@kernel
def is_edge(model: Model, state: State, chain: np.record, i: int) -> bool:
    """Whether the edge before block i of a chain has a tension."""
    if not chain.edge[0] <= i < chain.edge[1]:
        return False
    return is_free(model, state, node_of(model.rods, chain, i - 1), node_of(model.rods, chain, i))


@kernel
def is_free(model: Model, state: State, a: int, b: int) -> bool:
    """Whether the edge between two nodes has a length to keep: neither pins nor a body hold both."""
    one, other = model.nodes[a].slave, model.nodes[b].slave
    if one >= 0 and other >= 0:
        return model.slaves[one].body != model.slaves[other].body
    return not (is_held(model, state, a) and is_held(model, state, b))


@kernel
def bind_given(model: Model, state: State, work: ImplicitScratch, c: int) -> None:
    """Tell which unknowns of chain c, with frames, are given: by pins, or because there is nothing."""
    rods, system = model.rods, model.chain_system
    chain = system.chains[c]
    bound = work.bound[chain.row :]
    begin, end = hinge_blocks(rods, state.ghosts, chain)
    for i in range(chain.blocks):
        j, node = BLOCK * i, node_of(rods, chain, i)
        for k in range(3):
            bound[j + k] = node < 0 or is_held(model, state, node)
        bound[j + 3], bound[j + 4] = not is_edge(model, state, chain, i), True
    for i in range(begin, end + 1):
        frame = frame_of(rods, chain, i - 1)
        if end > begin and not state.fixed[frame]:
            bound[angle_before(i)] = False
    for k in range(chain.tie[0], chain.tie[1]):
        bound[system.ties[k].row - chain.row] = False
    live, last = work.live[c], BLOCK * (chain.blocks - 1)
    live[0] = 0 if is_live(model, work, chain.row) else BLOCK
    live[1] = last + BLOCK if live[0] > last or is_live(model, work, chain.row + last) else last


@kernel
def is_live(model: Model, work: ImplicitScratch, row: int) -> bool:
    """Whether the block of rows that begins there has an unknown that is neither given nor tied."""
    for j in range(row, row + BLOCK):
        if not work.bound[j] and model.chain_system.tied[j] < 0:
            return True
    return False


@kernel
def live_edges(chain: np.record, live: np.ndarray) -> int:
    """How many tensions the rows from live[0] to live[1] of a chain have."""
    return min(chain.edge[1], live[1] // BLOCK) - max(chain.edge[0], live[0] // BLOCK)


@kernel
def bind(bound: np.ndarray, a: np.ndarray, y: np.ndarray, size: int) -> None:
    """Leave unknowns that are given as they are; tensions of no edge, pivot −1, count as tensions still."""
    for j in range(len(bound)):
        if bound[j]:
            pivot = -1.0 if a[j].value[j % size] == -1.0 else 1.0
            release(a, y, j, size)
            a[j].value[j % size] = pivot


@kernel
def release(a: np.ndarray, y: np.ndarray, j: int, size: int) -> None:
    """Uncouple row j of a band of blocks of so many rows."""
    k = j % size
    for m in range(SPAN):
        a[j].value[m] = 0.0
    for i in range(j - k, j):
        a[i].value[k] = 0.0
    for back in (size, 2 * size):
        for i in range(max(j - k - back, 0), j - k - back + size):
            a[i].value[k + back] = 0.0
    a[j].value[k], y[j] = 1.0, 0.0
