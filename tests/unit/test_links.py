"""Jones polynomials and linking numbers against closed forms."""

import numpy as np
import pytest
from links import jones, linking_number

T = np.exp(0.7j)


def torus(p, q, n=200):
    """A right-handed torus knot: it turns anticlockwise and, outside, upwards."""
    s = 2.0 * np.pi * np.arange(n) / n
    r = 2.0 + np.cos(q * s)
    return np.stack([r * np.cos(p * s), r * np.sin(p * s), -np.sin(q * s)], axis=1)


def hopf(rings=2):
    """A row of rings, each through the next and turned against it by a right angle."""
    turn = 2.0 * np.pi * np.arange(30) / 30
    ring = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    return [ring[:, [0, 2, 1] if k % 2 else [0, 1, 2]] + [1.1 * k, 0.0, 0.0] for k in range(rings)]


def torus_polynomial(p, q, t):
    """Jones, *A polynomial invariant for knots via von Neumann algebras* (1985), proposition 11."""
    return t ** ((p - 1) * (q - 1) / 2) * (1 - t ** (p + 1) - t ** (q + 1) + t ** (p + q)) / (1 - t**2)


@pytest.mark.parametrize(("p", "q"), [(1, 3), (2, 3), (2, 5), (2, 7), (3, 4), (3, 5), (4, 5)])
def test_torus_knots_and_their_mirror_images(p, q):
    x = torus(p, q)
    rng = np.random.default_rng(5)
    for _ in range(3):
        turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        value = torus_polynomial(p, q, T if np.linalg.det(turn) > 0.0 else T.conjugate())
        assert abs(jones([x @ turn], T) - value) < 1e-9
        assert abs(jones([x[::-1] @ turn], T) - value) < 1e-9  # knots do not mind their direction


def test_the_figure_eight_knot_is_its_own_mirror_image():
    s = 2.0 * np.pi * np.arange(150) / 150
    r = 2.0 + np.cos(2.0 * s)
    x = np.stack([r * np.cos(3.0 * s), r * np.sin(3.0 * s), np.sin(4.0 * s)], axis=1)
    value = T**2 - T + 1.0 - 1.0 / T + T**-2
    assert abs(jones([x], T) - value) < 1e-9
    assert abs(jones([-x], T) - value) < 1e-9


def test_rings_linked_and_apart():
    one, other = hopf()
    number = linking_number(one, other)
    assert abs(number) == 1
    assert linking_number(other, one) == number
    assert linking_number(one, other[::-1]) == -number
    assert linking_number(one, other + 5.0) == 0
    power = T**number
    assert abs(jones([one, other], T) + power**0.5 + power**2.5) < 1e-9
    loop = -(T**0.5) - T**-0.5
    assert abs(jones([one, other + 5.0], T) - loop) < 1e-9  # Jones, §12: so for each ring that is apart
    assert abs(jones([one, other + 5.0, other + 10.0], T) - loop**2) < 1e-9


def test_a_chain_is_a_sum_of_links():
    one, other, third = hopf(3)
    assert abs(jones([one, other, third], T) - jones([one, other], T) * jones([other, third], T)) < 1e-9


def test_a_knot_around_a_knot():
    """Two parallel torus knots wind around each other as often as around the ring, pq times."""
    x = torus(2, 3)
    s = 2.0 * np.pi * np.arange(200) / 200 + np.pi / 3.0
    r = 2.0 + np.cos(3.0 * s)
    y = np.stack([r * np.cos(2.0 * s - np.pi / 3), r * np.sin(2.0 * s - np.pi / 3), -np.sin(3.0 * s)], axis=1)
    assert linking_number(x, y) == 6
