"""How far features go at once: as far as they come half as near as they may, and no nearer on the way."""

import numpy as np
import pytest
from tendril.physics.cables.feature_gaps import FEATURES, feature_gaps
from tendril.physics.cables.feature_pairs import part_of_step

RADIUS, DEEP = 0.1, 0.02


def pair(edges):
    """Row of vertices 0 to 3."""
    row = np.zeros(1, FEATURES)
    row["edges"], row["point"], row["reach"] = edges, np.arange(4), 2.0 * RADIUS
    return row


def part(x, linear, whole, edges):
    ways, radius = (np.asarray(linear, float), np.asarray(whole, float)), np.full(4, RADIUS)
    return part_of_step(np.asarray(x, float), ways, radius, DEEP, pair(edges), np.zeros((3, 4)))


def gap(x, edges):
    gaps = np.empty(1)
    feature_gaps(x, pair(edges), gaps, np.empty((1, 3, 4)), np.empty((1, 3)))
    return gaps[0]


def test_an_edge_tilts_about_what_it_lies_on():
    """Its ends go far along the normal, and the two come no nearer."""
    x = [[-1, 0, 0.2], [1, 0, 0.2], [0, -1, 0], [0, 1, 0]]
    way = [[0, 0, 0.3], [0, 0, -0.3], [0, 0, 0], [0, 0, 0]]
    assert part(x, way, way, True) == 1.0


@pytest.mark.parametrize("deep", [0.0, 0.01, 0.03])
def test_straight_on(deep):
    """Half way to where they are so deep in each other as they may be or, where they are, to each other."""
    x = [[0.2, 0.3, 2.0 * RADIUS - deep], [0, 0, 0], [1, 0, 0], [0, 1, 0]]
    way = np.outer([1, 0, 0, 0], [0, 0, -1.0])
    expected = 0.5 * (DEEP - deep) if deep < DEEP else 0.5 * (2.0 * RADIUS - deep)
    assert part(x, way, way, False) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("edges", [False, True])
def test_any_way(edges):
    """Two hundred that curve: never nearer before that part and, where it is not all, so near there."""
    rng, short = np.random.default_rng(5), 0
    for _ in range(200):
        x, linear = rng.normal(size=(2, 4, 3))
        whole = linear + 0.5 * rng.normal(size=(4, 3))
        room = gap(x, edges) + DEEP
        if room < 0.0:
            continue
        least, most = gap(x, edges) - 0.5 * room, part(x, linear, whole, edges)
        there = [gap(x + t * linear + t * t * (whole - linear), edges) for t in np.linspace(0.0, most, 400)]
        assert min(there) > least - 1e-12
        if most < 1.0:
            short += 1
            assert there[-1] < least + 0.015 * 0.5 * room
    assert short > 20
