"""Every pair of boxes that overlap is found once: against brute force, in scenes of all sizes, shapes and places."""

import numpy as np
import pytest
from tendril.physics._jit import entry
from tendril.physics.contact.broad_phase import FEW, GRIDS, LEAST, STRIDE, arrange, overlapping, room_for

MANY = FEW + 500  # in grids, where FEW are in one row


@entry
def collect(boxes, pairs):
    """Fill pairs (p, 2) with the boxes that overlap; returns how many pairs there are."""
    grids, count = arrange(boxes), 0
    for p in range(len(boxes.low)):
        for q in range(overlapping(boxes, grids, p)):
            if count < len(pairs):
                pairs[count, 0], pairs[count, 1] = boxes.number[p], boxes.found[q]
            count += 1
    return count


def found(low, high):
    """Pairs (p, 2) as found."""
    boxes = room_for(len(low))
    boxes.low[:], boxes.high[:] = low, high
    pairs = np.zeros((len(low) ** 2, 2), np.int64)
    return pairs[: collect(boxes, pairs)]


def brute_force(low, high):
    meet = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2)
    return {(int(i), int(j)) for i, j in np.argwhere(meet) if i < j}


def sizes(rng, n):
    """Boxes' sizes, from equal ones to five powers of ten, and flat or long ones."""
    return rng.choice([1.0, 10.0 ** rng.uniform(0.0, 5.0)]) ** -rng.uniform(size=(n, 1)) * rng.choice(
        [np.ones((n, 3)), rng.uniform(size=(n, 3)) ** 4, np.eye(3)[rng.integers(3, size=n)]]
    )


def places(rng, n, size):
    """Where the boxes are: in a cube, along a line, in clusters far apart, in the corner of a much larger scene."""
    spread = (np.prod(size.max(axis=1, keepdims=True).repeat(3, 1), axis=1).sum()) ** (1 / 3)
    x = rng.uniform(size=(n, 3)) * spread
    match rng.integers(4):
        case 1:
            x *= rng.permutation([n, 0.1, 0.1])
        case 2:
            x += rng.choice(rng.uniform(-1e6, 1e6, (5, 3)), n)
        case 3:
            x[0] -= 1e9
    return x + rng.choice([0.0, 1e3, -1e8]) * rng.normal(size=3)


CASES = 60


@pytest.mark.parametrize("n", [50, FEW, FEW + 1, MANY])
def test_the_pairs_of_brute_force(random_case, n):
    rng = np.random.default_rng([n, random_case])
    size = sizes(rng, n)
    low = places(rng, n, size)
    high = low + size
    pairs = found(low, high)
    ours = {(int(min(pair)), int(max(pair))) for pair in pairs}
    assert len(ours) == len(pairs)  # each once
    assert ours == brute_force(low, high)


@pytest.mark.parametrize("n", [8, 10])
@pytest.mark.parametrize("corner", [0.0, -0.1, 1e7 / 3.0])
def test_what_touches_at_the_borders_of_cells(n, corner):
    """Cubes side by side, whose faces are the borders of cells: all 26 neighbours of each touch it."""
    face = corner + 0.1 * np.arange(n + 1)
    low = np.stack(np.meshgrid(face[:-1], face[:-1], face[:-1], indexing="ij"), axis=-1).reshape(-1, 3)
    high = np.stack(np.meshgrid(face[1:], face[1:], face[1:], indexing="ij"), axis=-1).reshape(-1, 3)
    assert len(low) > FEW
    pairs = found(low, high)
    assert len(pairs) == ((3 * n - 2) ** 3 - n**3) // 2
    assert {(int(min(pair)), int(max(pair))) for pair in pairs} == brute_force(low, high)


def test_flat_boxes_among_thick_ones():
    """Large boxes without any thickness: the cells of their grid are as thick as the small ones' all the same."""
    rng = np.random.default_rng(6)
    low = np.concatenate([rng.uniform(0.0, 5.0, (MANY, 3)), rng.uniform(0.0, 5.0, (40, 3)) * [0.0, 0.0, 1.0]])
    high = low + np.concatenate([rng.uniform(0.1, 0.5, (MANY, 3)), np.tile([5.0, 5.0, 0.0], (40, 1))])
    assert sorted(map(tuple, np.sort(found(low, high), axis=1).tolist())) == sorted(brute_force(low, high))


@pytest.mark.parametrize("n", [1, 2, 30, MANY])
@pytest.mark.parametrize("size", [0.0, 1.0])
def test_boxes_all_in_one_place(n, size):
    place = np.tile([3.0, -2.0, 1e5], (n, 1))
    assert len(found(place, place + size)) == n * (n - 1) // 2


def test_no_boxes():
    assert len(found(np.zeros((0, 3)), np.zeros((0, 3)))) == 0


@pytest.mark.parametrize("n", [30, MANY])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_what_is_nowhere_does_no_harm(n, value):
    """A box without a place may be missed; none is found twice, and nothing beyond the arrays is read or written."""
    rng = np.random.default_rng(4)
    low = rng.uniform(size=(n, 3))
    high = low + 0.1
    low[n // 2, 1], high[n // 3, 2], high[5] = value, value, value
    pairs = np.sort(found(low, high), axis=1)
    assert len(np.unique(pairs, axis=0)) == len(pairs)
    assert {(int(i), int(j)) for i, j in pairs} <= brute_force(low, high)


def test_the_same_boxes_give_the_same_bytes():
    """Whatever was arranged before."""
    rng = np.random.default_rng(2)
    low = rng.uniform(size=(MANY, 3))
    high = low + 10.0 ** rng.uniform(-3.0, -1.0, (MANY, 1))
    boxes, pairs = room_for(MANY), np.zeros((2, MANY**2, 2), np.int64)
    for other in (np.zeros((MANY, 3)), 1e3 * low[::-1]):
        boxes.low[:], boxes.high[:] = other, other + 1.0
        collect(boxes, pairs[0])
    boxes.low[:], boxes.high[:] = low, high
    count = collect(boxes, pairs[0])
    pairs[0, count:] = 0
    pairs[1, :count] = found(low, high)
    assert pairs[0].tobytes() == pairs[1].tobytes()


def test_there_are_buckets_for_any_sizes():
    """Each size has as few boxes as take the most buckets."""
    few = np.concatenate([np.full(LEAST + 1, 2.0**-g) for g in range(GRIDS + 3)])
    low = np.random.default_rng(3).uniform(size=(len(few), 3)) * 10.0
    high = low + few[:, None]
    boxes = room_for(len(few))
    boxes.low[:], boxes.high[:] = low, high
    boxes.start[:] = -7
    assert collect(boxes, np.zeros((0, 2), np.int64)) == len(brute_force(low, high))
    assert boxes.start[-1] == -7  # there was room


def test_no_bucket_is_seen_twice():
    """Of rows around a box, up to three apart, four buckets each are seen: they are five apart, modulo any number."""
    j, k = (row.ravel() for row in np.meshgrid(np.arange(-3, 4), np.arange(-3, 4)))
    apart = (STRIDE[1] * j + STRIDE[2] * k) % (LEAST + 1)
    apart = np.minimum(apart, LEAST + 1 - apart)
    assert np.all(apart[(j != 0) | (k != 0)] >= 5)
