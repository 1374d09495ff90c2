"""Contacts of cables with each other and themselves: gradients and Hessians against differences, which places touch."""

import numpy as np
import pytest
from differences import difference
from tendril.physics.cables.band import BandFactors
from tendril.physics.cables.contact_between import PAIR_CONTACT, pair_derivatives, pair_gaps
from tendril.physics.linear.border import Border, Bordered

START = np.array([2, 9, 20, 27])  # of a, b, c, d among 31 unknowns


def a_row(end, plane, force):
    row = np.zeros(1, PAIR_CONTACT)
    row["start"], row["end"], row["plane"], row["high"] = START, end, plane, 1.0
    row["n"], row["reach"], row["force"], row["stiffness"] = [0.6, 0.0, 0.8], 0.9, force, 3.0
    return row


def placed(a, b, c, d):
    y = np.random.default_rng(1).normal(size=31)
    for first, x in zip(START, (a, b, c, d), strict=True):
        y[first : first + 3] = x
    return y


def gap(y, row):
    g, shares, normals = np.empty(1), np.empty((1, 2)), np.empty((1, 3))
    pair_gaps(y, row, g, shares, normals)
    return g[0]


def energy(y, row):
    force, k = row["force"][0], row["stiffness"][0]
    return (max(force - k * gap(y, row), 0.0) ** 2 - force**2) / (2.0 * k)


def slopes(y, row):
    g, coupling, sign = np.zeros(31), np.zeros((5, 31)), np.zeros(5)
    count = pair_derivatives(y, row, g, coupling, sign)
    return g, coupling[:count], sign[:count]


CROSSED = [-0.5, 0.1, 0.4], [0.6, -0.2, 0.3], [0.1, -0.7, -0.1], [-0.1, 0.8, 0.1]
ASIDE = [0.1, -0.4, 0.5], [0.6, -0.2, 1.3], [-0.1, -0.7, -0.1], [-0.1, 0.8, 0.1]  # nearest at an end of the first
APART = [0.3, 1.0, 0.4], [0.6, 1.9, 0.7], [0.1, -0.7, -0.1], [-0.1, 0.8, 0.1]  # at an end of both


@pytest.mark.parametrize("places", [CROSSED, ASIDE, APART])
@pytest.mark.parametrize(("end", "plane"), [(False, False), (True, False), (False, True)])
@pytest.mark.parametrize("force", [0.7, 0.0])
def test_derivatives(places, end, plane, force):
    """Of two segments, an end and a segment, and what a plane parts, that press."""
    row = a_row(end, plane, force)
    row["share"] = [0.0, 0.4]
    y = placed(*(np.array(x) for x in places))
    row["reach"] = gap(y, row) + row["reach"] + 0.3  # deep enough
    g, coupling, sign = slopes(y, row)
    np.testing.assert_allclose(g, difference(lambda z: energy(z, row), y), atol=1e-8)
    np.testing.assert_allclose((coupling.T * sign) @ coupling, difference(lambda z: slopes(z, row)[0], y), atol=1e-7)


def test_what_lets_go():
    """What is apart by more than its force holds exerts nothing."""
    row = a_row(False, False, 0.1)
    row["reach"] = 0.01
    g, coupling, _ = slopes(placed(*(np.array(x) for x in CROSSED)), row)
    assert not g.any()
    assert not len(coupling)


@pytest.mark.parametrize("border", [0, 2])
@pytest.mark.parametrize("sign", [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0]])
def test_coupling(border, sign):
    """A band with squares of other rows: solutions, inertia, a direction of negative curvature."""
    rng, n, sign = np.random.default_rng(7), 40, np.array(sign)
    for scale in (1.0, 1e3):
        band = rng.normal(size=(n, 5))
        band[:, 0] += 8.0
        band[5, 0] = -6.0
        dense = np.zeros((n + border, n + border))
        for k in range(5):
            dense[:n, :n] += np.diag(band[: n - k, k], k) + (np.diag(band[: n - k, k], -k) if k else 0.0)
        rows, coupling = rng.normal(size=(border, n + border)), rng.normal(size=(3, n))
        rows[:, n:] = 30.0 * np.eye(border)
        coupling[0] *= scale
        dense[n:], dense[:n, n:] = rows, rows[:, :n].T
        whole = dense.copy()
        whole[:n, :n] += (coupling.T * sign) @ coupling
        b = rng.normal(size=n + border)
        expected, p = np.linalg.solve(whole, b), np.empty(n + border)
        factors = Bordered(BandFactors(band, 0.0), Border.full(rows), 0.0, coupling, sign)
        assert factors.negative == np.count_nonzero(np.linalg.eigvalsh(whole) < 0.0)
        factors.solve(b)
        np.testing.assert_allclose(b, expected, rtol=1e-8, atol=1e-8)
        if factors.negative:
            factors.negative_direction(p)
            assert p @ whole @ p < 0.0
