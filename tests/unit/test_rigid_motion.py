"""How far points have come but for a motion of the whole: bounds on distances, and nothing where that was all."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from scipy.spatial.transform import Rotation
from tendril.physics.contact.rigid_motion import ENOUGH, ways_of

SIZES = (1.0, 0.3, 0.1)
TURNS = (0.0, 0.01, 0.4, 1.5, 3.0)  # rad


def points(seed):
    return np.random.default_rng(seed).normal(size=(40, 3)) * SIZES


@pytest.mark.parametrize("turn", TURNS)
def test_a_rigid_motion_leaves_nothing(turn):
    for seed in range(5):
        x0 = points(seed)
        axis = np.random.default_rng(10 + seed).normal(size=3)
        x = Rotation.from_rotvec(turn * axis / np.linalg.norm(axis)).apply(x0) + [3.0, -2.0, 50.0]
        far, within = ways_of(x, x0)
        assert far == pytest.approx(np.linalg.norm(x - x0, axis=1).max(), rel=1e-12)
        assert within <= 20.0 * ENOUGH * np.linalg.norm(x0, axis=1).max()


@pytest.mark.parametrize("turn", TURNS)
def test_no_distance_changes_by_more_than_twice_what_is_left(turn):
    for seed in range(5):
        x0, random = points(seed), np.random.default_rng(20 + seed)
        x = Rotation.from_rotvec([0.0, turn, 0.0]).apply(x0 @ (np.eye(3) + 0.1 * random.normal(size=(3, 3))))
        x += 0.02 * random.normal(size=x.shape)
        within = ways_of(x, x0)[1]
        assert np.abs(pdist(x) - pdist(x0)).max() <= 2.0 * within
        moved = np.linalg.norm(x - x.mean(axis=0) - x0 + x0.mean(axis=0), axis=1).max()
        assert within <= moved * (1.0 + 1e-12)


def test_what_lies_mirrored_or_at_one_place_is_bounded_too():
    x0 = points(0)
    for x in (x0 * [1.0, 1.0, -1.0], -x0, 0.0 * x0):
        assert np.abs(pdist(x) - pdist(x0)).max() <= 2.0 * ways_of(x, x0)[1] < np.inf


def test_what_is_not_finite_has_gone_without_end():
    x0 = points(0)
    for wrong in (np.nan, np.inf):
        x = x0.copy()
        x[7, 1] = wrong
        assert ways_of(x, x0) == (np.inf, np.inf)
