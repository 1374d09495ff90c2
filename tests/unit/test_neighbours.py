"""Edges near each other, before anything is simulated."""

from types import SimpleNamespace

import numpy as np
import pytest
from tendril.physics.geometry import neighbours
from tendril.physics.geometry.neighbours import Capsules
from tendril.physics.scene import Rod


@pytest.mark.parametrize("block", [1, 50, 1 << 19])
def test_whatever_is_looked_at_together(block, monkeypatch):
    """All pairs, each once, as looking at every pair finds them."""
    monkeypatch.setattr(neighbours, "BLOCK", block)
    monkeypatch.setattr(neighbours, "FEW", block)
    rng = np.random.default_rng(3)
    rods = []
    for k in range(12):
        x = np.cumsum(rng.uniform(-0.05, 0.05, (15, 3)), axis=0) * (1.0 + k % 3)
        rods.append(Rod(f"{k}", x, np.full(15, 0.01), *(np.ones(n) for n in (15, 1, 15, 14))))
    capsules = Capsules(SimpleNamespace(rods=rods, welds=(), collision_filter=(), bodies=(), colliders=(), solids=()))
    i, j, gap = capsules.near(np.zeros(len(capsules.radius)))
    one, two = np.triu_indices(len(capsules.radius), 1)
    s, t, distance = neighbours.nearest(capsules.tail[one], capsules.head[one], capsules.tail[two], capsules.head[two])
    overlap = capsules._unbent(one, two, s, t, distance) < capsules.radius[one] + capsules.radius[two]
    assert overlap.sum() > 20
    assert sorted(zip(i.tolist(), j.tolist(), strict=True)) == list(
        zip(one[overlap].tolist(), two[overlap].tolist(), strict=True)
    )
    assert np.all(gap < 0.0)
