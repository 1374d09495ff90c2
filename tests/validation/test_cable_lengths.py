"""Lengths of cables: typed, pulled out, and their own."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from tendril.physics import (
    Collider,
    Handle,
    Material,
    Rod,
    SceneError,
    SimulationError,
    pull_length,
    set_length,
    settle_cable,
)
from tendril.physics.arithmetic.quaternions import quaternions
from tendril.physics.cables.lengths import arc_lengths
from tendril.physics.cables.own_length import OwnLength, pull_of
from tendril.physics.cables.units import cable_system
from tendril.physics.validate import check_rod

WEIGHTLESS = (0.0, 0.0, 0.0)
SOFT = Material(1e6, 0.45, 1000.0)
# L/d of what is bent back between parallel clamps, by T d²/B: κ² = 2 (T + f sin θ)/B, by quadrature
BENT_BACK = {0.5: 1.76816, 1.0: 1.67244, 2.0: np.pi / 2.0, 4.0: 1.46789, 8.0: 1.36905}


def hanging(n=60, drop=0.3, radius=0.003, **options):
    """A cable over 1 m, drawn as a parabola that is bent to the side, and what holds it at its ends and at a third."""
    u = np.linspace(-1.0, 1.0, n + 1)
    x = np.stack([0.5 * u, 0.03 * np.sin(3.0 * u), -drop * (1.0 - u * u)], axis=1)
    rod = Rod.from_material("cable", x, radius, SOFT, **{"shape_memory": 0.0, **options})
    ends = [Handle.drawn(rod, "start", vertex=0, oriented=True), Handle.drawn(rod, "end", vertex=-1)]
    return rod, ends, [*ends, Handle.drawn(rod, "clip", vertex=n // 3)]


@pytest.mark.parametrize("options", [{}, {"radius": np.linspace(0.003, 0.005, 61)}, {"shape_memory": 1.0}], ids=str)
@pytest.mark.parametrize("part", [None, (0.2, 0.71)])
@pytest.mark.parametrize("factor", [0.99, 1.04, 1.3])
def test_length_is_what_is_typed(options, part, factor):
    """And the shape that of a cable drawn so long."""
    rod, _, handles = hanging(**options)
    whole = arc_lengths(rod)[-1]
    begin, end = whole * np.array(part or (0.0, 1.0))
    longer, cable = set_length(rod, handles, factor * (end - begin), part=part and (begin, end))
    assert arc_lengths(longer)[-1] == pytest.approx(whole + (factor - 1.0) * (end - begin), abs=1e-12)
    np.testing.assert_allclose(longer.mass.sum() / rod.mass.sum() - 1.0, 0.0, atol=1.5 * abs(factor - 1.0))
    drawn = settle_cable(longer, handles)
    np.testing.assert_allclose(cable.points, drawn.points, atol=1e-8)
    lengths = np.linalg.norm(np.diff(cable.points, axis=0), axis=1).sum()
    assert lengths == pytest.approx(arc_lengths(longer)[-1], rel=1e-8)


def test_twice_a_tenth_is_21_hundredths():
    rod, ends, _ = hanging()
    whole, cable = arc_lengths(rod)[-1], None
    more, (once, there) = rod, set_length(rod, ends, 1.21 * whole)
    for _ in range(2):
        more, cable = set_length(more, ends, 1.1 * arc_lengths(more)[-1], start=cable)
    assert arc_lengths(more)[-1] == pytest.approx(1.21 * whole, abs=1e-12)
    np.testing.assert_allclose(more.mass, once.mass, rtol=1e-12)
    np.testing.assert_allclose(cable.points, there.points, atol=1e-8)


@pytest.mark.parametrize("memory", [0.0, 1.0])
def test_longer_on_what_it_lies_on(memory):
    """It goes on from what it touched: a cable over a thin sheet, longer, stays on it."""
    n, x = 60, np.array([[-2.0, -1.0, -0.1], [2.0, -1.0, -0.1], [2.0, 1.0, -0.1], [-2.0, 1.0, -0.1]])
    sheet = Collider("sheet", np.array([[0, 1, 2], [0, 2, 3]]), np.zeros(1), x[None])
    u = np.linspace(-0.5, 0.5, n + 1)
    rod = Rod.from_material(
        "cable", np.stack([u, 0.02 * np.cos(3.0 * u), 0.0 * u], axis=1), 0.003, SOFT, shape_memory=memory
    )
    handles = [Handle.drawn(rod, "start", vertex=0), Handle.drawn(rod, "end", vertex=-1)]
    longer, cable = set_length(rod, handles, 1.3 * arc_lengths(rod)[-1], colliders=[sheet])
    assert cable.contacts > 10
    assert cable.points[:, 2].min() > -0.1 + 0.003 - 1e-6
    assert np.linalg.norm(np.diff(cable.points, axis=0), axis=1).sum() == pytest.approx(arc_lengths(longer)[-1])
    np.testing.assert_allclose(
        cable.contact_force.sum(axis=0)[2] + cable.handle_force.sum(axis=0)[2], 9.81 * longer.mass.sum(), rtol=1e-6
    )


def test_what_is_too_short_becomes_long_enough():
    rod, ends, _ = hanging()
    far = [ends[0], replace(ends[1], position=np.array([1.5, 0.0, 0.0]))]
    with pytest.raises(SceneError, match="too short"):
        settle_cable(rod, far)
    assert set_length(rod, far, 2.2)[1].warning == ""


def test_pulled():
    """Weightless, the part that is pulled takes all of the way, and its tension becomes what it was; what gives is as
    evenly divided as it was drawn.
    """
    u = np.linspace(0.0, 1.0, 41)
    rod = Rod.from_material("cable", np.stack([u, 0.0 * u, 0.0 * u], axis=1), 0.003, SOFT)
    handles = [Handle.drawn(rod, "start", vertex=0, oriented=True), Handle.drawn(rod, "end", vertex=-1)]
    loose = [handles[0], replace(handles[1], strength=0.05)]
    start = settle_cable(rod, [loose[0], replace(loose[1], position=np.array([1.1, 0.0, 0.0]))], gravity=WEIGHTLESS)
    assert start.tension == pytest.approx(0.05, rel=1e-6)
    pulled = [handles[0], replace(handles[1], position=np.array([1.4, 0.0, 0.0]))]
    longer, cable = pull_length(rod, pulled, (0.5, 0.75), start, gravity=WEIGHTLESS)
    lengths = np.diff(arc_lengths(longer))
    np.testing.assert_allclose(lengths[20:30], 0.65 / 10.0, rtol=1e-6)
    np.testing.assert_allclose(np.delete(lengths, slice(20, 30)), 1.0 / 40.0, rtol=1e-12)
    np.testing.assert_allclose(cable.tension, 0.05, atol=2e-4)


@pytest.mark.parametrize(
    ("length", "part", "words"),
    [
        (0.0, None, "length greater than 0"), (-1.0, None, "length greater than 0"), (np.nan, None, "length greater"),
        (0.9, None, "too short to reach"), (1.0, (0.5, 0.4), "two places"), (1.0, (0.0, 9.0), "two places"),
    ],
)  # fmt: skip
def test_length_that_cannot_be(length, part, words):
    rod, ends, _ = hanging()
    with pytest.raises(SceneError, match=words):
        set_length(rod, ends, length, part=part)


def bent_back(n, d, load):
    """A rod of n edges, drawn as half an ellipse between parallel clamps, T d²/B = load."""
    a = np.linspace(0.0, np.pi, 2001)
    x = np.stack([0.0 * a, -0.5 * d * np.cos(a), -1.8 * d * np.sin(a)], axis=1)
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
    x = np.stack([np.interp(np.linspace(0.0, s[-1], n + 1), s, x[:, c]) for c in range(3)], axis=1)
    rod = Rod.from_material("cable", x, 0.01, SOFT, shape_memory=0.0, tautness=d / np.sqrt(load))
    clamps = [Handle.drawn(rod, name, vertex=v, oriented=True) for name, v in (("start", 0), ("end", -1))]
    along = [np.array([0.0, 0.0, -1.0]), np.array([0.0, 0.0, 1.0])]
    frames = [quaternions(np.stack([X, np.cross(t, X), t], axis=-1)[None])[0] for t in along]
    return rod, [replace(clamp, orientation=q) for clamp, q in zip(clamps, frames, strict=True)]


X = np.array([1.0, 0.0, 0.0])


def length_of(cable):
    """[m]."""
    return np.linalg.norm(np.diff(cable.points, axis=0), axis=1).sum()


@pytest.mark.parametrize("d", [0.05, 0.5, 20.0])
@pytest.mark.parametrize("load", BENT_BACK)
def test_own_length(load, d):
    rod, clamps = bent_back(60, d, load)
    cable = settle_cable(rod, clamps, gravity=WEIGHTLESS)
    assert length_of(cable) / d == pytest.approx(BENT_BACK[load], abs=1e-3)
    kept = settle_cable(replace(rod, tautness=0.0, rest_length_factor=length_of(cable) / arc_lengths(rod)[-1]), clamps)
    assert length_of(kept) == pytest.approx(length_of(cable), rel=1e-8)


def test_own_length_is_of_the_second_order():
    off = [length_of(settle_cable(*bent_back(n, 1.0, 2.0), gravity=WEIGHTLESS)) - np.pi / 2.0 for n in (8, 16, 32, 64)]
    assert min(np.log2(abs(np.divide(off[:-1], off[1:])))) > 1.85


@pytest.mark.parametrize("drop", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("pull", [0.8, 1.0, 2.0, 10.0])
def test_own_length_under_weight(drop, pull):
    """A limp cable, whose tension where it is held is T: T = w a cosh(d/2a), however it is drawn."""
    rod, handles = limp(drop, pull)
    cable = settle_cable(rod, handles)
    a = brentq(lambda a: a * np.cosh(0.5 / a) - pull, 0.42, 100.0)
    assert length_of(cable) == pytest.approx(2.0 * a * np.sinh(0.5 / a), rel=2e-3)
    assert cable.tension.max() == pytest.approx(pull_of(rod), rel=0.02)


def limp(drop, pull):
    """A cable over 1 m, T = pull times its weight per metre, held at its ends, which are free to turn."""
    u = np.linspace(-0.5, 0.5, 61)
    x = np.stack([u, 0.0 * u, -drop * (1.0 - 4.0 * u * u)], axis=1)
    rod = Rod.from_material("cable", x, 0.003, SOFT, shape_memory=0.0)
    weight = 9.81 * rod.mass.sum() / arc_lengths(rod)[-1]
    rod = replace(rod, tautness=float(np.sqrt(rod.bend_stiffness.mean() / (pull * weight))))
    return rod, [Handle.drawn(rod, "start", vertex=0), Handle.drawn(rod, "end", vertex=-1)]


@pytest.mark.parametrize("drop", [0.05, 0.3, 2.0])
@pytest.mark.parametrize("pull", [0.1, 0.6, 0.7])
def test_runs_away(drop, pull):
    """Below .754 w d no catenary has that tension."""
    with pytest.raises(SimulationError, match="longer and longer"):
        settle_cable(*limp(drop, pull))


def test_own_length_follows():
    """Of a cable through a clip, from where it rested: the same as from where it is drawn, whichever way it came."""
    rod, _, handles = hanging(90, 0.1, tautness=0.015)
    cable = settle_cable(rod, handles)
    for _ in range(5):
        handles[1] = replace(handles[1], position=handles[1].position + np.array([0.05, 0.02, 0.01]))
        cable = settle_cable(rod, handles, start=cable)
    np.testing.assert_allclose(cable.points, settle_cable(rod, handles).points, atol=1e-7)


def test_derivatives_of_own_length():
    """Gradient and Hessian against differences."""
    rod, _, handles = hanging(8, 0.1, tautness=0.02)
    system, units = cable_system(rod, handles, np.array([0.0, 0.0, -9.81]), None)
    system = OwnLength(system, pull_of(rod) / units.force)
    for i, handle in enumerate(handles):
        system.place(i, handle.position / units.length, handle.orientation)
    random = np.random.default_rng(1)
    y = system.unknowns(rod.x / units.length, np.array([[1.0, 0.0, 0.0, 0.0]]).repeat(8, axis=0))
    y[: system.banded] += 0.02 * random.standard_normal(system.banded)
    count, h = system.count, 1e-6

    def gradient(at):
        g, band = np.zeros(count), np.zeros((system.banded, 11))
        (size, blocks, values, places), _ = system.derivatives(at, g, band)
        border = np.zeros((size, count))
        for rows, b in blocks:
            border[rows, : b.shape[1]] = b
        np.add.at(border[:, system.banded :], tuple(places), values)
        return g, border

    g, border = gradient(y)
    for i in range(count):
        step = h * np.eye(count)[i]
        slope = (system.energy(y + step) - system.energy(y - step)) / (2.0 * h)
        assert g[i] == pytest.approx(slope, rel=1e-5, abs=1e-5)
        bent = (gradient(y + step)[0] - gradient(y - step)[0]) / (2.0 * h)
        np.testing.assert_allclose(border[:, i], bent[system.banded :], rtol=1e-5, atol=1e-3)


def test_tautness_is_checked():
    rod, _, _ = hanging(tautness=-1.0)
    with pytest.raises(SceneError, match="tautness"):
        check_rod(rod)
    with pytest.raises(SceneError, match="own length"):
        set_length(replace(rod, tautness=0.1), hanging()[1], 2.0)
