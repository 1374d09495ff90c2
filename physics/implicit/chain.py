"""What the blocks of a chain are: vertices of its rod, edges and hinges; and which of its unknowns are given."""

import numpy as np

from .._jit import kernel
from ..constraints.pins import is_held
from ..model import Model, State
from ..rods.chain import hinges_of
from .scratch import BLOCK, PLAIN, SEVEN, SPAN, ImplicitScratch

Course = tuple[int, int, int, int, int, bool]
# (a rod's first node, how many it has, its first frame, the vertex that block 0 of a chain is, the step from each to
# the next, whether the rod is closed)


@kernel
def has_frames(model: Model, r: int) -> bool:
    """Whether material frames of rod r, of Kirchhoff's, are ever unknowns."""
    return not model.rods[r].cosserat and model.chain_system.angle[model.rods[r].frame + 1] >= 0


@kernel
def is_framed(model: Model, work: ImplicitScratch, r: int) -> bool:
    """Whether they are in this step."""
    return has_frames(model, r) and not work.plain[r]


@kernel
def go_plain(model: Model, state: State, contacts: np.ndarray, work: ImplicitScratch) -> None:
    """Have those rods go without material frames that may, as none of a step's contacts is theirs, nor is any moment
    left on them of one before.
    """
    chains = model.chain_system.chains
    for c in range(len(chains)):
        work.plain[chains[c].rod] = chains[c].plain and not state.rods[chains[c].rod].loaded
    for row in contacts:
        for side in range(2):
            if row.rod[side] >= 0:
                work.plain[row.rod[side]] = False


@kernel
def unknowns_of(chain: np.record, work: ImplicitScratch) -> int:
    """How many a vertex of a chain has in this step."""
    return PLAIN if work.plain[chain.rod] else chain.size


@kernel
def course_of(rods: np.ndarray, chain: np.record) -> Course:
    """The Course of a chain: once for all its blocks."""
    rod = rods[chain.rod]
    return rod.first, rod.last - rod.first + 1, rod.frame, chain.vertex, chain.step, rod.closed


@kernel
def node_of(course: Course, i: int) -> int:
    """Node of block i of a chain; −1: it is the far end of a ghost edge."""
    first, n, _, vertex, step, closed = course
    v = vertex + step * i
    if closed:
        return first + v % n
    return first + v if 0 <= v < n else -1


@kernel
def edge_of(course: Course, i: int) -> int:
    """Number of the edge before block i of a chain, that of the node it leaves; −1: it is a ghost edge."""
    return node_of(course, i - 1 if course[4] > 0 else i)


@kernel
def frame_of(course: Course, i: int) -> int:
    """Number of the material frame before block i of a chain; of a closed rod's last edge, the first of its two."""
    _, n, frame, vertex, step, closed = course
    v = vertex + (i if step > 0 else 1 - i)
    return frame + (v % n if closed else v)


@kernel
def hinge_blocks(rods: np.ndarray, ghosts: np.ndarray, chain: np.record) -> tuple[int, int]:
    """(first block, and that behind the last one) at which a hinge of the chain is now."""
    begin, end = chain.hinge[0], chain.hinge[1]
    first, last = hinges_of(rods, chain.rod, ghosts)
    no_first, no_last = first > rods[chain.rod].first, last == rods[chain.rod].last
    if begin == 0 and (no_first if chain.step > 0 else no_last):
        begin = 1
    if end == chain.blocks and (no_last if chain.step > 0 else no_first):
        end -= 1
    return begin, end


@kernel
def angle_before(i: int) -> int:
    """Row, counted from the chain's first, of the angle of the frame before block i; i + 1: behind it."""
    return 3 if i == 0 else BLOCK * i - 1


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
    bound, course = work.bound[chain.row :], course_of(rods, chain)
    begin, end = hinge_blocks(rods, state.ghosts, chain)
    node = -1
    for i in range(chain.blocks):
        j, before, node = BLOCK * i, node, node_of(course, i)
        bound[j] = bound[j + 1] = bound[j + 2] = node < 0 or is_held(model, state, node)
        bound[j + 3] = not (chain.edge[0] <= i < chain.edge[1] and is_free(model, state, before, node))
        bound[j + 4] = True
    for i in range(begin, end + 1):
        frame = frame_of(course, i)
        if end > begin and not state.fixed[frame]:
            bound[angle_before(i)] = False
    for k in range(chain.tie[0], chain.tie[1]):
        bound[system.ties[k].row - chain.row] = False
    work.given_count[c] = list_given(bound[: BLOCK * chain.blocks], work.given[chain.row :])
    live, last = work.live[c], BLOCK * (chain.blocks - 1)
    live[0] = 0 if is_live(model, work, chain.row) else BLOCK
    live[1] = last + BLOCK if live[0] > last or is_live(model, work, chain.row + last) else last


@kernel
def list_given(bound: np.ndarray, given: np.ndarray) -> int:
    """Write down which rows are bound, few of all, and return how many."""
    count = 0
    for j in range(len(bound)):
        if bound[j]:
            given[count] = j
            count += 1
    return count


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
def bind(given: np.ndarray, a: np.ndarray, y: np.ndarray, size: int) -> None:
    """Leave unknowns of the rows given as they are; tensions of no edge, pivot −1, count as tensions still."""
    for j in given:
        k = j % size
        pivot = a[j].value[k]
        if (j < size or k != 3) and not (k > 2 and pivot == 0.0):  # nor is a frame without a hinge
            release(a, y, j, size)
        a[j].value[k], y[j] = -1.0 if pivot == -1.0 else 1.0, 0.0


@kernel
def span_of(size: int) -> int:
    """Numbers of a row of a band of blocks of so many."""
    return SPAN if size < SEVEN else 2 * SEVEN


@kernel
def release(a: np.ndarray, y: np.ndarray, j: int, size: int) -> None:
    """Uncouple row j of a band of blocks of so many rows."""
    k, span = j % size, span_of(size)
    for m in range(span):
        a[j].value[m] = 0.0
    for i in range(j - k, j):
        a[i].value[k] = 0.0
    for back in (size, 2 * size):
        for i in range(max(j - k - back, 0), j - k - back + size if k + back < span else 0):
            a[i].value[k + back] = 0.0
    a[j].value[k], y[j] = 1.0, 0.0
