"""Knots that can be ordered: strands keep clear of each other and of a post at any size, and bend as ropes do."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.knots import catalogue, diagram, relax, shape_file, spline
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.scene import Rod

NAMES = [name for kind in catalogue.KNOTS.values() for name in kind]
ROPE = Material(1e8, 0.4, 1000.0)
SAMPLES = 4  # of each piece of a curve


def ordered(name, radius=1.0, looseness=1.0, ends=0.0, resolution=2):
    """A Knot as the operator orders it."""
    turns = catalogue.TURKS_HEAD if name == "turks_head" else catalogue.TORUS
    size = looseness * radius
    return catalogue.knot(name, turns).spaced(4.0 / resolution, ends / size).scaled(size)


def drawn(knot):
    """What Blender draws: each rope (n, 3) as cubic pieces."""
    ropes = zip(knot.ropes, knot.closed, strict=True)
    return [spline.hermite(x, spline.slopes(x, closed), closed, SAMPLES) for x, closed in ropes]


def overlap(ropes, closed, radius):
    """How deep ropes are in each other by brute force, over their radius; negative: by how much they miss."""
    rods = [Rod.from_material("Rope", x, radius, ROPE, closed=ring) for x, ring in zip(ropes, closed, strict=True)]
    return deepest_overlap(rods, np.vstack(ropes)) / radius


def gap_to_post(knot, ropes):
    """The smallest distance of ropes from the surface of the post."""
    axis = (knot.post[1] - knot.post[0]) / np.linalg.norm(knot.post[1] - knot.post[0])
    away = [np.linalg.norm(np.cross(rope - knot.post[0], axis), axis=1).min() for rope in ropes]
    return min(away) - knot.post_radius


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("radius", "looseness", "ends", "resolution"),
    [(0.02, 1.0, 0.0, 2), (0.001, 1.0, 0.1, 1), (3.0, 1.5, 20.0, 3), (0.02, 1.2, 2.0, 1)],
)
def test_no_rope_overlaps_itself_another_or_a_post(name, radius, looseness, ends, resolution):
    knot = ordered(name, radius, looseness, ends, resolution)
    ropes = drawn(knot)
    assert overlap(ropes, knot.closed, radius) < 0.0
    if knot.post_radius:
        assert gap_to_post(knot, ropes) > radius


@pytest.mark.parametrize("name", NAMES)
def test_nor_does_what_is_simulated_with_pieces_as_long_as_thick(name):
    knot = ordered(name, resolution=2)
    assert overlap(knot.ropes, knot.closed, 1.0) < 0.0


@pytest.mark.parametrize("name", ["overhand", "clove_hitch", "torus"])
def test_a_knot_made_smaller_than_its_rope_allows_is_seen_to_overlap(name):
    knot = ordered(name)
    assert overlap(drawn(knot.scaled(0.7)), knot.closed, 1.0) > 0.0


@pytest.mark.parametrize("name", NAMES)
def test_points_are_evenly_spaced_and_bends_are_gentle(name):
    knot = ordered(name, resolution=4)
    for x, closed in zip(knot.ropes, knot.closed, strict=True):
        edges = np.diff(np.vstack([x, x[:1]]) if closed else x, axis=0)
        length = np.linalg.norm(edges, axis=1)
        assert np.ptp(length) < 0.05 * length.mean()
        before, after = (edges, np.roll(edges, -1, axis=0)) if closed else (edges[:-1], edges[1:])
        turn = np.linalg.norm(np.cross(before, after), axis=1) / length.mean() ** 2
        assert length.mean() / np.arcsin(turn.max()) > 1.8  # radii, of the sharpest bend


def test_looseness_scales_all_but_the_rope():
    tight, loose = ordered("clove_hitch"), ordered("clove_hitch", looseness=2.0)
    assert np.allclose(loose.ropes[0], 2.0 * tight.ropes[0])
    assert loose.post_radius == 2.0 * tight.post_radius


@pytest.mark.parametrize("name", ["overhand", "bowline", "water_knot", "trefoil"])
def test_longer_ends_are_straight_and_the_rest_stays(name):
    short, long = ordered(name), ordered(name, ends=50.0)
    for x, y, leads in zip(short.ropes, long.ropes, short.leads, strict=True):
        count = int(leads.any(axis=1).sum())
        assert len(y) == len(x) + 25 * count
        assert np.allclose(y[25 : 25 + len(x)] if leads[0].any() else y[: len(x)], x)
        for lead, end, beyond in ((leads[0], x[0], y[0]), (leads[1], x[-1], y[-1])):
            assert np.allclose(beyond, end + 50.0 * lead)


def test_no_knot_of_that_name():
    with pytest.raises(KeyError, match="gordian"):
        catalogue.knot("gordian", catalogue.TORUS)


DRAWN = sorted(path.stem for path in catalogue.DRAWINGS.glob("*.toml"))


def test_each_drawing_has_its_shape_and_its_place_in_the_menu():
    assert {path.stem for path in catalogue.SHAPES.glob("*.csv")} == set(DRAWN)
    assert set(DRAWN) < set(NAMES)


@pytest.mark.parametrize("name", ["overhand", "cow_hitch"])
def test_a_shape_is_its_drawing_relaxed(name):
    """What tools/relax_knots.py wrote is what it writes now, but for rounding in another order."""
    drawing = diagram.read(catalogue.DRAWINGS / f"{name}.toml")
    (rope,) = relax.relaxed(diagram.raised(drawing), [False], drawing.post_radius, drawing.post())
    (kept,) = shape_file.read(catalogue.SHAPES / f"{name}.csv")
    assert np.abs(spline.evenly(rope, False, 1.5) - kept).max() < 0.05


def test_a_word_that_does_not_fit_its_crossings_is_refused():
    drawing = diagram.read(catalogue.DRAWINGS / "overhand.toml")
    (rope,) = drawing.ropes
    with pytest.raises(ValueError, match="rope 0 has 6 crossings, 5 letters"):
        diagram.raised(replace(drawing, ropes=(replace(rope, passes="OUOUO"),)))
    with pytest.raises(ValueError, match="are both O"):
        diagram.raised(replace(drawing, ropes=(replace(rope, passes="OUOOOU"),)))


def test_the_spline_through_a_circle():
    turn = 2.0 * np.pi * np.arange(12) / 12
    circle = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    fine = spline.hermite(circle, spline.slopes(circle, True), True, 8)
    assert np.abs(np.linalg.norm(fine, axis=1) - 1.0).max() < 1e-3
    assert np.allclose(spline.evenly(np.linspace([0, 0, 0], [6, 0, 0], 4), False, 1.0)[:, 0], np.arange(7))
