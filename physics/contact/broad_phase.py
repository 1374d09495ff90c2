"""Broad phase: which boxes overlap, in time linear in their number whatever their sizes and wherever they are, by
hashed grids for each power of two of size (Ericson 2005, *Real-Time Collision Detection*, §7.2; Teschner et al. 2003).

A box lies in the cell of its lower corner, in the grid of its size. Along each axis the cells of a grid are as wide as
the widest of its boxes, and as a finer grid's cells: a box spans at most two cells of its own grid and of coarser ones,
and what it overlaps there has its lower corner in these or in the cell before. A grid has about as many buckets as
boxes, however far they spread; cells that share a bucket cost time, but no pair. A counting sort lays the boxes out by
grid, finer ones first, and by bucket; each box meets those behind it.

Cell (i, j, k) is in bucket i + STRIDE[1] j + STRIDE[2] k, modulo their number: the cells of a row are one range in
memory, and the rows around a box move along with it. Few boxes are one row, sorted along one axis: that is sweep and
prune, and faster while there is little to prune.

Places are counted in quanta, whole numbers, from the scene's corner; rounding may shift them by one.
"""

from typing import NamedTuple

import numpy as np

from .._jit import kernel
from ..compiling.by_reference import by_reference

FEW = 400  # boxes: from there on grids are as fast as one row
GRIDS = 24  # at most: the finest also has what is smaller than 2^−24 of the largest box
QUANTA = 2.0**30 - 4.0  # of the widest box
FURTHEST = 2.0**50  # quanta, but for rounding
NARROWEST = 3  # a cell has 2^3 quanta at least, so that a quantum more or less does not make a box span more of them
# Rows around a box, three apart along both axes at most, are 5 buckets apart or more, where it looks at 4 of each: no
# bucket is seen twice. Cells of one of 2^m buckets, 8 ≤ m ≤ 21, are 0.78 · 2^(m/3) or more apart.
STRIDE = (1, 1656759841, 1611779801)  # of a cell, a row, a layer
LEAST = 255  # mask of as few buckets as that takes
FIRST, MASK, END, RANK, COLUMNS = range(3, 8)  # of Boxes.grids, behind the exponents of the cells' widths in quanta


@by_reference
class Boxes(NamedTuple):
    """n boxes, filled in from outside, and the scratch of the broad phase."""

    low: np.ndarray  # (n, 3) [m]
    high: np.ndarray  # (n, 3) [m]
    number: np.ndarray  # (n,) of the box at each position
    ordered: np.ndarray  # (n, 6) [m] its low and high, along the rows first
    bucket: np.ndarray  # (n,) of each box
    start: np.ndarray  # first position in each bucket
    grids: np.ndarray  # (GRIDS, COLUMNS) widths of cells, first bucket, mask, end of positions; the grid of a size
    frame: np.ndarray  # (3, 2) the scene's corner [m] and quanta per metre, along the rows first
    found: np.ndarray  # (n,) numbers of boxes


def room_for(n: int) -> Boxes:
    """Boxes for n boxes."""
    buckets = n + 1 if n <= FEW else 2 * n + GRIDS * (LEAST + 1)
    return Boxes(
        low=np.zeros((n, 3)),
        high=np.zeros((n, 3)),
        number=np.zeros(n, np.int64),
        ordered=np.zeros((n, 6)),
        bucket=np.zeros(n, np.int64),
        start=np.zeros(buckets + 2, np.int64),
        grids=np.zeros((GRIDS, COLUMNS), np.int64),
        frame=np.zeros((3, 2)),
        found=np.zeros(n, np.int64),
    )


@kernel
def arrange(boxes: Boxes) -> int:
    """Sort the boxes by grid and bucket; returns the number of grids, 0 for a single row."""
    axis, length, largest = lay_frame(boxes.low, boxes.high, boxes.frame)
    if len(boxes.low) <= FEW:
        count, buckets = 0, fill_row(boxes, axis, length)
    else:
        count = sort_by_size(boxes, axis, largest)
        buckets = fill_cells(boxes, count, axis)
    counting_sort(boxes, buckets, axis)
    return count


@kernel
def lay_frame(low: np.ndarray, high: np.ndarray, frame: np.ndarray) -> tuple[int, int, float]:
    """Fill in the frame; returns the axis along which the scene is longest, by the widest of its boxes, how many quanta
    it is there, and the largest width of a box [m].
    """
    axis, longest, largest = 0, 0.0, 0.0
    for a in range(3):
        corner, end, widest = np.inf, -np.inf, 0.0
        for i in range(len(low)):
            corner, end, widest = min(corner, low[i, a]), max(end, high[i, a]), max(widest, high[i, a] - low[i, a])
        frame[a, 0], frame[a, 1] = corner, min(QUANTA / widest, FURTHEST / (end - corner))
        length, largest = (end - corner) * frame[a, 1], max(largest, widest)
        if length > longest:
            axis, longest = a, length
    for c in range(2):
        frame[0, c], frame[1, c], frame[2, c] = frame[axis, c], frame[(axis + 1) % 3, c], frame[(axis + 2) % 3, c]
    return axis, int(longest), largest


@kernel
def quantum(place: float, frame: np.ndarray) -> int:
    """A coordinate [m] in quanta; what is no number lies in the corner."""
    quanta = (place - frame[0]) * frame[1]
    return int(quanta) if 0.0 <= quanta < 2.0 * FURTHEST else 0


@kernel
def fill_row(boxes: Boxes, axis: int, length: int) -> int:
    """Find the buckets of boxes in a single row, `length` quanta long; returns how many there are."""
    n, frame, width = len(boxes.low), boxes.frame[0], 0
    buckets = n + 1
    while (length + 1) >> width >= buckets:
        width += 1
    boxes.grids[0, 0] = width
    for i in range(n):
        boxes.bucket[i] = quantum(boxes.low[i, axis], frame) >> width
    return buckets


@kernel
def sort_by_size(boxes: Boxes, axis: int, largest: float) -> int:
    """A grid for each power of two of size that there is, finer ones first; bucket then has each box's grid.

    largest [m]: size of the largest box, a box's size being its largest width. Returns the number of grids.
    """
    n, grids, frame = len(boxes.low), boxes.grids, boxes.frame
    for g in range(GRIDS):
        for c in range(COLUMNS):
            grids[g, c] = 0
    for i in range(n):
        size, g = 0.0, GRIDS - 1
        for a in range(3):
            size = max(size, boxes.high[i, a] - boxes.low[i, a])
        while size <= 0.5 * largest and g > 0:
            size *= 2.0
            g -= 1
        boxes.bucket[i] = g
        grids[g, END] += 1
        for c in range(3):
            a = (axis + c) % 3
            width = quantum(boxes.high[i, a], frame[c]) - quantum(boxes.low[i, a], frame[c])
            grids[g, c] = max(grids[g, c], width)
    count = number_grids(grids)
    for i in range(n):
        boxes.bucket[i] = grids[boxes.bucket[i], RANK]
    return count


@kernel
def number_grids(grids: np.ndarray) -> int:
    """Turn widths and numbers of boxes by size into grids, one behind the other; returns how many."""
    count = first = end = 0
    for g in range(GRIDS):
        members = grids[g, END]
        if members == 0:
            continue
        for c in range(3):
            width = NARROWEST
            while 1 << width < grids[g, c]:
                width += 1
            grids[count, c] = max(width, grids[count - 1, c]) if count > 0 else width
        mask = LEAST
        while mask < members:
            mask = 2 * mask + 1
        end += members
        grids[count, FIRST], grids[count, MASK], grids[count, END] = first, mask, end
        grids[g, RANK] = count
        first += mask + 1
        count += 1
    return count


@kernel
def fill_cells(boxes: Boxes, count: int, axis: int) -> int:
    """Find the buckets of boxes in `count` grids; returns how many there are."""
    low, bucket, frame = boxes.low, boxes.bucket, boxes.frame
    for i in range(len(low)):
        grid, key = boxes.grids[bucket[i]], 0
        for c in range(3):
            key += STRIDE[c] * (quantum(low[i, (axis + c) % 3], frame[c]) >> grid[c])
        bucket[i] = grid[FIRST] + (key & grid[MASK])
    return boxes.grids[count - 1, FIRST] + boxes.grids[count - 1, MASK] + 1


@kernel
def counting_sort(boxes: Boxes, buckets: int, axis: int) -> None:
    """Lay the boxes out by bucket, in the order of their numbers within each."""
    bucket, start = boxes.bucket, boxes.start
    for b in range(buckets + 2):
        start[b] = 0
    for i in range(len(bucket)):
        start[bucket[i] + 2] += 1
    for b in range(2, buckets + 2):
        start[b] += start[b - 1]
    for i in range(len(bucket)):
        p = start[bucket[i] + 1]
        start[bucket[i] + 1] += 1
        boxes.number[p] = i
        for c in range(3):
            a = (axis + c) % 3
            boxes.ordered[p, c], boxes.ordered[p, c + 3] = boxes.low[i, a], boxes.high[i, a]


@kernel(forceinline=True)
def overlapping(boxes: Boxes, count: int, p: int) -> int:
    """Fill found with the numbers of the boxes behind position p that overlap the one there; returns how many they are.

    count: what `arrange` returned. Over all positions, each pair of boxes comes once.
    """
    box, frame, found = boxes.ordered[p], boxes.frame, 0
    if count == 0:
        return look(boxes, p, 0, (quantum(box[3], frame[0]) + 1) >> boxes.grids[0, 0], 0)
    a, d = quantum(box[0], frame[0]) - 1, quantum(box[3], frame[0]) + 1
    b, e = quantum(box[1], frame[1]) - 1, quantum(box[4], frame[1]) + 1
    c, f = quantum(box[2], frame[2]) - 1, quantum(box[5], frame[2]) + 1
    for g in range(count):
        grid = boxes.grids[g]
        if grid[END] <= p + 1:
            continue
        i, mask = max((a >> grid[0]) - 1, 0), grid[MASK]
        cells = (d >> grid[0]) - i
        for k in range(max((c >> grid[2]) - 1, 0), (f >> grid[2]) + 1):
            for j in range(max((b >> grid[1]) - 1, 0), (e >> grid[1]) + 1):
                first = (i + STRIDE[1] * j + STRIDE[2] * k) & mask
                last = first + cells
                if last > mask:
                    found = look(boxes, p, grid[FIRST], grid[FIRST] + last - mask - 1, found)
                    last = mask
                found = look(boxes, p, grid[FIRST] + first, grid[FIRST] + last, found)
    return found


@kernel(forceinline=True)
def look(boxes: Boxes, p: int, first: int, last: int, found: int) -> int:
    """Add to the `found` what overlaps the box at position p from behind it in the buckets first … last."""
    box = boxes.ordered[p]
    for q in range(max(boxes.start[first], p + 1), boxes.start[last + 1]):
        other = boxes.ordered[q]
        meet = (other[0] <= box[3]) & (box[0] <= other[3])
        meet &= (other[1] <= box[4]) & (box[1] <= other[4])
        meet &= (other[2] <= box[5]) & (box[2] <= other[5])
        boxes.found[found] = boxes.number[q]  # kept if they meet: without a branch that no processor can predict
        found += meet
    return found
