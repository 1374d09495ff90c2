"""The stripe at vertices and the material frame on edges, and the Bézier points of a rod: laws that need no Blender."""

import numpy as np
import pytest
from tendril.bridge import stripe
from tendril.bridge.bezier import control_points


def wavy(count, closed):
    s = np.linspace(0, 2 * np.pi, count, endpoint=not closed)
    return np.column_stack([np.cos(s), np.sin(s), 0.4 * np.sin(3 * s)])


def carried(x, first, twist, closed):
    """m₁ of all edges, carried from the first one and turned at each vertex by twist (n,)."""
    edge, _ = stripe.directions(x, closed)
    m1 = [stripe.unit(first - edge[0] * (edge[0] @ first))]
    for j in range(1, len(edge)):
        m1.append(stripe.rotate(stripe.transport(m1[-1], edge[j - 1], edge[j]), edge[j], twist[j]))
    return np.array(m1)


def test_transport_is_a_rotation_that_takes_one_direction_to_the_other():
    rng = np.random.default_rng(1)
    start, end = stripe.unit(rng.normal(size=(2, 30, 3)))
    v, w = (a - stripe.dot(a, start) * start for a in rng.normal(size=(2, 30, 3)))
    moved, other = stripe.transport(v, start, end), stripe.transport(w, start, end)
    assert np.allclose(stripe.dot(moved, end), 0, atol=1e-12)
    assert np.allclose(stripe.dot(moved, other), stripe.dot(v, w))
    assert np.allclose(stripe.transport(moved, end, start), v)
    across = np.cross(start, end)
    assert np.allclose(stripe.transport(across, start, end), across)  # and the shortest one


@pytest.mark.parametrize("turn", [0.0, 0.4, -1.3, 4.0, 20.0])
def test_an_evenly_twisted_rod_goes_to_its_stripe_and_back(turn):
    x = wavy(40, closed=False)
    twist = np.full(40, turn)
    m1 = carried(x, np.array([0.1, 0.2, 1.0]), twist, closed=False)
    back, twisted = stripe.edge_frames(x, stripe.vertex_stripe(x, m1, twist, False), np.full(39, turn), False)
    assert np.allclose(back, m1, atol=1e-12)
    assert np.allclose(twisted[1:-1], turn, atol=1e-12)
    assert np.all(twisted[[0, -1]] == 0.0)


def test_turns_of_the_drawn_twist_are_kept():
    x = wavy(40, closed=False)
    m1 = carried(x, np.array([0.1, 0.2, 1.0]), np.full(40, 0.4), closed=False)
    drawn = np.full(40, 0.4 + 6 * np.pi + 1.0)
    _, twisted = stripe.edge_frames(x, stripe.vertex_stripe(x, m1, drawn, False), drawn[1:], False)
    assert np.allclose(twisted[1:-1], 0.4 + 6 * np.pi, atol=1e-12)


def test_a_closed_rod_shares_its_closing_angle():
    x = wavy(50, closed=True)
    edge, _ = stripe.directions(x, True)
    u = carried(x, np.array([0.1, 0.2, 1.0]), np.zeros(50), closed=True)
    gap = stripe.angle_between(stripe.transport(u[-1], edge[-1], edge[0]), u[0], edge[0])
    m1 = stripe.rotate(u, edge, gap * np.arange(50) / 50)
    back, twisted = stripe.edge_frames(x, stripe.vertex_stripe(x, m1, np.zeros(50), True), np.zeros(50), True)
    assert np.allclose(back, m1, atol=1e-12)
    assert np.allclose(twisted, gap / 50, atol=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_bezier_points_follow_a_smooth_rod_four_times_closer_than_its_polygon(closed):
    x, between = wavy(80, closed)[::2], wavy(80, closed)[1::2]
    if not closed:
        x, between = wavy(81, closed)[::2], wavy(81, closed)[1::2]
    co, left, right = control_points(x, closed)
    middle = (co[:-1] + 3 * right[:-1] + 3 * left[1:] + co[1:]) / 8
    polygon = np.linalg.norm(0.5 * (co[:-1] + co[1:]) - between, axis=1).max()
    assert np.linalg.norm(middle - between, axis=1).max() < polygon / 4
    assert np.allclose(co[: len(x)], x, atol=0)
    assert np.allclose(left + right, 2 * co)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("grown", [1.0, 1e-5])
def test_what_a_winch_has_reeled_in_is_one_place_without_handles(grown, way):
    """Also of a rod that has only begun to grow."""
    steps = np.full((2, 20, 3), 0.05) * [[[1.0, 0.5, 0.2]], [[0.3, -1.0, 0.4]]] * grown
    lengths = np.full(20, 0.05)[::way]
    steps[0, :5] *= 1e-6
    steps[1, :9] *= 1e-6
    x = np.concatenate([np.full((2, 1, 3), 7.0), 7.0 + np.cumsum(steps, axis=1)], axis=1)[:, ::way]
    for one, held, *controls in zip(x, (6, 10), *control_points(x, False, lengths), strict=True):
        co, left, right = (own[::way] for own in controls)
        before, behind = (left, right)[::way]
        assert np.all(co[:held] == one[::way][0])
        assert np.array_equal(co[held:], one[::way][held:])
        assert np.all(before[:held] == co[0])
        assert np.all(behind[: held - 1] == co[0])
        assert np.all(behind[held - 1] != co[0])


@pytest.mark.parametrize("lengths", [True, False], ids=["of a rod", "of a line"])
@pytest.mark.parametrize("share", [1e-2, 5e-5, 1e-9])
def test_pieces_are_drawn_however_short_they_are(share, lengths):
    x = np.cumsum([0.0, share, *np.ones(17), share])[:, None] * [0.0, 0.6, 0.8]
    own = np.linalg.norm(np.diff(x, axis=0), axis=1) if lengths else None
    assert np.array_equal(control_points(x, False, own)[0], x)


@pytest.mark.parametrize(("out", "drawn"), [(0.125, True), (1e-6, False)])
def test_the_shortest_piece_that_is_out_is_drawn_and_what_is_in_is_not(out, drawn):
    x = np.cumsum([0.0, 1e-6, out, *np.ones(6)])[:, None] * [0.0, 0.6, 0.8]
    co = control_points(x, False, np.ones(len(x) - 1))[0]
    np.testing.assert_array_equal(co[:3], x[[0, 0, 2 if drawn else 0]])
    np.testing.assert_array_equal(co[3:], x[3:])


def test_a_closed_rod_becomes_an_open_spline_with_equal_ends():
    co, left, right = control_points(np.stack([wavy(12, True), wavy(12, True) + 1]), closed=True)
    assert co.shape == (2, 13, 3)
    for places in (co, left, right):
        assert np.array_equal(places[:, 0], places[:, -1])
