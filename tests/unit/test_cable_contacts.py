"""Energies of a cable's contacts: gradients and Hessians against differences; and how far its points may go."""

import numpy as np
import pytest
from differences import difference
from tendril.physics import Collider
from tendril.physics.cables.contact import Contacts
from tendril.physics.cables.sides import Sides
from tendril.physics.cables.surroundings import surroundings
from tendril.physics.cables.tables import REACH, STRIDE
from tendril.physics.elements.contact_press import (
    CONTACT,
    PLANE,
    POINT,
    SEGMENT,
    contact_changes,
    contact_derivatives,
    contact_energy,
    contact_gaps,
    contact_slopes,
)

NONE = np.zeros(0, bool)


def dense(band):
    full = np.zeros((len(band), len(band)))
    for k in range(band.shape[1]):
        full += np.diag(band[: len(band) - k, k], k)
    return full + np.triu(full, 1).T


@pytest.mark.parametrize("sharp", ["plane", "edge", "corner"])
@pytest.mark.parametrize("kind", [POINT, SEGMENT])
@pytest.mark.parametrize("force", [0.7, 0.0])
def test_derivatives(sharp, kind, force):
    """Of a point and of a segment at a plane, an edge and a corner that it presses on."""
    rng, work = np.random.default_rng(kind), np.zeros((4, 6))
    for _ in range(10):
        y, rows = rng.normal(size=2 * STRIDE + 3), np.zeros(1, CONTACT)
        share = rng.uniform(0.2, 0.8) if kind == SEGMENT else 0.0
        ends = y[STRIDE : STRIDE + 3], y[2 * STRIDE :]
        place, n = (1.0 - share) * ends[0] + share * ends[1], rng.normal(size=3)
        if kind == SEGMENT:
            n = np.cross(ends[1] - ends[0], n)
        n /= np.linalg.norm(n)
        row = rows[0]
        row["segment"], row["share"], row["kind"], row["n"] = 1, share, PLANE if sharp == "plane" else kind, n
        row["point"], row["reach"] = place - 0.9 * n, 1.0
        row["offset"], row["force"], row["stiffness"] = n @ place + 0.1, force, 3.0
        if sharp == "edge":
            e = np.cross(n, rng.normal(size=3))
            row["edge"] = e / np.linalg.norm(e)
        gradient, band = np.zeros(len(y)), np.zeros((len(y), REACH + 1))
        contact_derivatives(y, rows, NONE, STRIDE, 0.0, gradient, band, work)

        def slope(y, rows=rows):
            g = np.zeros(len(y))
            contact_derivatives(y, rows, NONE, STRIDE, 0.0, g, np.zeros((len(y), REACH + 1)), work)
            return g

        def gap(y, rows=rows):
            out = np.empty(1)
            contact_gaps(y, rows, STRIDE, out, work[0])
            return out[0]

        assert gap(y) == pytest.approx(-0.1, abs=1e-12)
        expected = difference(lambda y, rows=rows: contact_energy(y, rows, STRIDE, work[0]), y)
        np.testing.assert_allclose(gradient, expected, atol=1e-8)
        h = dense(band)
        np.testing.assert_allclose(h, difference(slope, y), atol=1e-8 * (1.0 + abs(h).max()))
        change, p = np.empty(1), rng.normal(size=len(y))
        contact_changes(y, p, rows, STRIDE, change, work[0])
        assert change[0] == pytest.approx(difference(gap, y) @ p, rel=1e-7)
        slopes = np.empty((1, 6))
        contact_slopes(y, rows, STRIDE, slopes, work[0])
        ends = np.concatenate([p[STRIDE : STRIDE + 3], p[2 * STRIDE :]])
        assert slopes[0] @ ends == pytest.approx(change[0], rel=1e-12)


@pytest.mark.parametrize("height", [1e-2, 1e-4, 1e-6])
def test_over_no_edge(height):
    """No step leads a segment over an edge, however near that is: here of a triangle that its middle is above."""
    corners = np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, -1.0]])
    around = surroundings([Collider("thing", np.array([[0, 1, 2]]), np.zeros(1), corners[None])], 0.0, 1.0, None)
    x = np.array([[-0.1, 0.5, height], [0.1, 0.5, height]])
    sides, way = Sides(around, len(x), 0.1), np.array([[0.0, 0.0, -0.05]] * 2)
    there = x + sides.longest(x, way) * way
    assert (there[:, 2] > 0.0).all()
    assert sides.stopped


@pytest.mark.parametrize("slope", [0.1, 0.3, 1.0, 3.0, 4.0])
@pytest.mark.parametrize("aside", [-0.003, 0.0, 0.001, 0.003])
def test_below_a_valley_the_way_out_is_up(slope, aside):
    """Of a sheet, where a point that went through is beside all its faces; each row asks it to rise."""
    points = np.array([[-1, -1, 1], [0, -1, 0], [1, -1, 1], [-1, 1, 1], [0, 1, 0], [1, 1, 1]]) * [1.0, 1.0, slope]
    valley = Collider("valley", np.array([[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]), np.zeros(1), points[None])
    count, no = 5, np.zeros(5, bool)
    contacts = Contacts(surroundings([valley], 0.0, 1.0, None), np.full(count, 0.01), np.full(count - 1, 0.1), no, no)
    x = np.stack([np.full(count, aside), np.linspace(-0.2, 0.2, count), np.full(count, 0.06)], axis=1)
    for height in (0.06, -0.01):
        x[:, 2] = height
        y = np.zeros(STRIDE * (count - 1) + 3)
        np.put_along_axis(y, (STRIDE * np.arange(count)[:, None] + np.arange(3)).ravel(), x.ravel(), axis=0)
        contacts.renew(y, x)
    rows = contacts.rows[contacts.gaps(y) < -0.01]  # by more than the radius
    assert set(rows["segment"] + np.round(rows["share"])) == set(range(count))
    assert (rows["n"][:, 2] > 0.0).all()
