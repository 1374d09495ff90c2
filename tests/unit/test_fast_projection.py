"""Edges to their lengths: what converges, how fast, and which momenta it leaves alone."""

import numpy as np
import pytest
from tendril.physics.constraints.fast_projection import (
    TOLERANCE,
    apply_multipliers,
    edge_vectors,
    fast_projection,
    largest_error,
    newton,
)
from tendril.physics.constraints.scratch import ELIMINATION


def chain(n=12, closed=False, seed=3):
    """Old positions at their lengths, new ones moved by a tenth of an edge, inverse masses, lengths."""
    rng = np.random.default_rng(seed)
    around = 2.0 * np.pi * np.arange(n) / n
    old = np.stack([np.cos(around), np.sin(around), 0.3 * np.cos(3.0 * around)], axis=1)
    if not closed:
        old[:, 2] += around
    m = n if closed else n - 1
    o = np.zeros((m, 3))
    edge_vectors(old, closed, o)
    length = np.linalg.norm(o, axis=1)
    return old, old + rng.normal(0.0, 0.1 * length.min(), (n, 3)), 1.0 / rng.uniform(0.5, 2.0, n), length, o


def errors(x, closed, length):
    ahead = np.roll(x, -1, axis=0) - x
    return np.linalg.norm(ahead if closed else ahead[:-1], axis=1) / length - 1.0


def project(x, o, w, length, closed):
    scratch = np.zeros(len(length), ELIMINATION)
    multiplier = np.zeros(len(length))
    return fast_projection(x, o, w, length, closed, multiplier, scratch), multiplier


@pytest.mark.parametrize("closed", [False, True])
def test_reaches_the_lengths_and_keeps_momenta(closed):
    old, x, w, length, o = chain(closed=closed)
    wanted = x.copy()
    done, multiplier = project(x, o, w, length, closed)
    assert done
    assert np.abs(errors(wanted, closed, length)).max() > 0.05
    assert np.abs(errors(x, closed, length)).max() < TOLERANCE
    impulse = (x - wanted) / w[:, None]
    np.testing.assert_allclose(impulse.sum(axis=0), 0.0, atol=1e-13)
    np.testing.assert_allclose(np.cross(old, impulse).sum(axis=0), 0.0, atol=1e-13)
    again = wanted.copy()
    apply_multipliers(again, o, w, multiplier)
    np.testing.assert_allclose(again, x, atol=1e-13)


@pytest.mark.parametrize("closed", [False, True])
def test_newton_step_solves_the_linear_system(closed):
    """∇C(x) W ∇C(x₀)ᵀ δλ = −C(x), against a dense solve."""
    _, x, w, length, o = chain(closed=closed)
    n, m = len(x), len(length)
    now = np.zeros((m, 3))
    edge_vectors(x, closed, now)

    def gradients(edges):
        J = np.zeros((m, n, 3))
        for j in range(m):
            J[j, j] -= edges[j]
            J[j, (j + 1) % n] += edges[j]
        return J.reshape(m, -1)

    C = 0.5 * (np.sum(now**2, axis=1) - length**2)
    W = np.repeat(w, 3)
    step = np.linalg.solve(gradients(now) @ (W[:, None] * gradients(o).T), -C)
    multiplier = np.zeros(m)
    expected = x + (W * (gradients(o).T @ step)).reshape(n, 3)
    newton(x, o, w, length, closed, multiplier, np.zeros(m, ELIMINATION))
    np.testing.assert_allclose(np.abs(multiplier), np.abs(step), rtol=1e-9)
    np.testing.assert_allclose(x, expected, atol=1e-12)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("held", [(), (3, 4), (0, 11)])
def test_the_largest_error_is_that_which_newtons_step_finds(closed, held):
    _, x, w, length, o = chain(closed=closed)
    w[list(held)] = 0.0
    found = largest_error(x, w, length)
    free = (w + np.roll(w, -1))[: len(length)] > 0.0
    expected = np.abs(0.5 * ((1.0 + errors(x, closed, length)) ** 2 - 1.0))[free].max()
    assert found == pytest.approx(expected, rel=1e-12)
    seen = newton(x, o, w, length, closed, np.zeros(len(length)), np.zeros(len(length), ELIMINATION))
    assert found == pytest.approx(seen, rel=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_quadratic(closed):
    _, x, w, length, o = chain(closed=closed)
    scratch, multiplier = np.zeros(len(length), ELIMINATION), np.zeros(len(length))
    found = np.array([newton(x, o, w, length, closed, multiplier, scratch) for _ in range(8)])
    assert found[0] > 1e-2
    late = np.flatnonzero((found[:-1] < 1e-2) & (found[:-1] > 1e-7))
    assert len(late) > 0
    assert np.all(found[late + 1] < 10.0 * found[late] ** 2 + TOLERANCE)


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("size", [1e-6, 1e-4, 1e-3, 1e-2, 0.1])
def test_lengths_whatever_the_displacement(closed, size):
    """Also where the last error seen was just small enough to stop: within 1e-8."""
    for seed in range(40):
        old, _, w, length, o = chain(closed=closed, seed=seed)
        x = old + np.random.default_rng(seed).normal(0.0, size * length.min(), old.shape)
        done, _ = project(x, o, w, length, closed)
        assert done
        assert np.abs(errors(x, closed, length)).max() < 1e-8


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("held", [(0,), (0, 11), (4, 5), (11, 0, 1)])
def test_held_vertices_stay(closed, held):
    old, x, w, length, o = chain(closed=closed)
    w[list(held)] = 0.0
    x[list(held)] = old[list(held)]
    done, _ = project(x, o, w, length, closed)
    assert done
    np.testing.assert_array_equal(x[list(held)], old[list(held)])
    assert np.abs(errors(x, closed, length)).max() < TOLERANCE


def test_asked_for_too_much():
    """Ends held farther apart than the chain is long: no."""
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 6)
    o = np.diff(x, axis=0)
    w = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 0.0])
    x[-1, 0] = 1.1
    done, _ = project(x, o, w, np.full(5, 0.2), False)
    assert not done


def test_large_displacements_fall_back_on_the_present_directions():
    """A chain folded by a large step, where the old edges no longer help."""
    old, x, w, length, o = chain()
    x[:] = old @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]) + np.random.default_rng(2).normal(
        0.0, 0.2 * length.min(), x.shape
    )
    done, _ = project(x, o, w, length, False)
    assert done
    assert np.abs(errors(x, False, length)).max() < TOLERANCE
