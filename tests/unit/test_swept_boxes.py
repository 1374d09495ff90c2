"""Who may have met, against brute force: no pair of edges whose ways cross a box in common stays apart."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.contact.swept_boxes import joined, widen
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene

RUBBER = Material(2e6, 0.45, 1100.0)


def tangle(rng, count, size, way):
    """(CAPSULE (C,), its rods, low and high (N, 3)) of short rods strewn over `size` [m], that go some `way` [m]."""
    rods = []
    for k in range(count):
        n = int(rng.integers(3, 9))
        steps = rng.normal(size=(n, 3))
        x = rng.uniform(0.0, size, 3) + 0.02 * np.cumsum(steps / np.linalg.norm(steps, axis=1)[:, None], axis=0)
        rods.append(Rod.from_material(f"{k}", x, rng.uniform(0.001, 0.004), RUBBER, closed=k % 3 == 0))
    model, state, _ = assemble(Scene(tuple(rods), 1.0, 1))
    low, high = state.x.copy(), state.x.copy()
    for _ in range(4):
        widen(state.x + way * rng.normal(size=state.x.shape), low, high)
    return model.capsules, low, high


def brute_force(capsules, low, high, root):
    """Rods joined where boxes of single edges overlap."""
    a = np.minimum(low[capsules["tail"]], low[capsules["head"]]) - capsules["radius"][:, None]
    b = np.maximum(high[capsules["tail"]], high[capsules["head"]]) + capsules["radius"][:, None]
    root = root.copy()
    for i in range(len(capsules)):
        for j in np.flatnonzero(np.all((a[i] <= b) & (a <= b[i]), axis=1)):
            one, other = root[capsules["rod"][i]], root[capsules["rod"][j]]
            root[root == max(one, other)] = min(one, other)
    return root


@pytest.mark.parametrize("count", [2, 30, 200])
def test_what_rests_is_joined_where_edges_boxes_overlap(count):
    """Runs of edges are no longer than a radius then, so that each is an edge."""
    rng = np.random.default_rng(count)
    capsules, low, high = tangle(rng, count, 0.02 * count ** (1 / 2), 0.0)
    alone = np.arange(count)
    found = joined(capsules, capsules["rod"], low, high, alone)
    assert found.tolist() == brute_force(capsules, low, high, alone).tolist()
    assert count == 2 or 1 < len(set(found.tolist())) < count


@pytest.mark.parametrize("way", [0.001, 0.01, 0.1])
def test_what_moves_is_joined_at_least_there(way):
    """Boxes of longer runs may join more, never less; and what was joined before stays so."""
    rng = np.random.default_rng(5)
    for _ in range(10):
        capsules, low, high = tangle(rng, 60, 0.5, way)
        before = np.arange(60)
        before[[7, 50]] = 3
        found = joined(capsules, capsules["rod"], low, high, before)
        least = brute_force(capsules, low, high, before)
        assert np.all(found[least] == found)
        assert np.all(found <= np.arange(60))
        assert np.all(found[found] == found)


def test_a_box_holds_all_places_on_the_way():
    low, high = np.ones((2, 3)), np.ones((2, 3))
    widen(np.array([[0.0, 1.0, 2.0], [1.0, 3.0, 1.0]]), low, high)
    widen(np.array([[0.5, 1.0, 1.0], [-1.0, 1.0, 1.0]]), low, high)
    assert low.tolist() == [[0.0, 1.0, 1.0], [-1.0, 1.0, 1.0]]
    assert high.tolist() == [[1.0, 1.0, 2.0], [1.0, 3.0, 1.0]]
