"""Cables off a spool, and what a cable is like by one pose of it (Grégoire 2007, §7.2)."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from statics import straight_rod
from tendril.physics import Handle, Material, Pin, Rod, Scene, SceneError, SimulationError, fit_to_pose, settle_cable
from tendril.physics.cables import pose
from tendril.physics.cables.lengths import set_length
from tendril.physics.cables.pose import Fit, Numbers, nearest
from tendril.physics.run.fitting import fit_in_scene
from test_cables import WEIGHTLESS, clamped, order

PIECES, LENGTH, RADIUS = 30, 1.0, 2.5e-3
HELD = {"free": None, "led": (0.5, 0.1, 0.1), "clamped": (0.5, 0.2, 0.1)}  # how its other end is held, where


@pytest.mark.parametrize(("way", "towards"), [((1.0, 0.0), (0, 0, 1)), ((0.0, 1.0), (0, -1, 0)), ((0.6, -0.8), None)])
def test_off_a_spool_a_weightless_cable_is_a_circle(way, towards):
    """Of its radius, towards m₁ or m₂; what keeps half of a straight drawing curls half as much, what is made longer as
    much as before.
    """
    spool = 0.7
    rod = replace(straight_rod(40), shape_memory=0.0, natural_curvature=np.array(way) / spool)
    x = settle_cable(rod, clamped(rod), gravity=WEIGHTLESS).points
    np.testing.assert_allclose(np.linalg.norm(x[-1] - x[0]), 2.0 * spool * np.sin(0.5 / spool), rtol=2e-4)
    if towards:
        np.testing.assert_allclose(x[-1], [spool * np.sin(1 / spool), *(spool * (1 - np.cos(1 / spool)) *
                                                                       np.array(towards))[1:]], atol=2e-4)  # fmt: skip
    half = settle_cable(replace(rod, shape_memory=0.5), clamped(rod), gravity=WEIGHTLESS)
    assert half.smallest_bending_radius == pytest.approx(2.0 * spool, rel=2e-3)
    _, rest = set_length(rod, clamped(rod), 1.5, gravity=WEIGHTLESS)
    assert rest.smallest_bending_radius == pytest.approx(spool, rel=2e-3)


def test_the_circle_converges_with_the_second_order():
    found = []
    for n in (20, 40, 80):
        rod = replace(straight_rod(n), shape_memory=0.0, natural_curvature=np.array([4.0, 0.0]))
        found.append(settle_cable(rod, clamped(rod), gravity=WEIGHTLESS).points[-1, 2])
    assert order(found) > 1.85


def hose(**options):
    x = np.linspace([0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0], PIECES + 1)
    m1 = np.array([0.0, 0.0, 1.0])
    return Rod.from_material("Hose", x, RADIUS, Material(2e7, 0.45, 1200.0), m1=m1, shape_memory=0.0, **options)


def handles(rod, how, turn=0.0, end=None):
    """Its first end clamped, its other one held so, and turned."""
    place = HELD[how] if end is None else end
    found = clamped(rod)
    if place is not None:
        held = replace(Handle.drawn(rod, "end", vertex=-1, oriented=how == "clamped"), position=np.array(place))
        if turn:
            held = replace(held, orientation=Numbers(turn=turn).turned(held.orientation))
        found.append(held)
    return found


def scanned(rod, true, how, noise=0.1, count=600, seed=0):
    """Points along it as it hangs, with noise [radii]."""
    x = settle_cable(true.of(rod), handles(rod, how, true.turn)).points
    line = CubicSpline(np.arange(len(x)), x)(np.linspace(0.0, PIECES, count))
    return line + noise * RADIUS * np.random.default_rng(seed).normal(size=line.shape)


POSES = [
    ("free", Numbers(1.7, spool=(1.5, 1.0))), ("free", Numbers(0.2, spool=(0.0, -2.0))),
    ("led", Numbers(1.7, spool=(1.5, 1.0))), ("clamped", Numbers(2.5, spool=(1.5, 1.0), turn=0.8)),
]  # fmt: skip


@pytest.mark.parametrize(("how", "true"), POSES, ids=str)
def test_its_own_data_come_back_under_noise(how, true):
    """Within 1 %, and by so many standard errors as there may be; other poses within a diameter."""
    rod = hose()
    found = fit_to_pose(rod, handles(rod, how), scanned(rod, true, how))
    assert not found.kept
    assert not found.vague
    assert found.numbers.stiffness == pytest.approx(true.stiffness, rel=1e-2)
    np.testing.assert_allclose(found.numbers.spool, true.spool, atol=1e-2 * true.curvature)
    assert found.numbers.turn == pytest.approx(true.turn, abs=0.01 * np.pi)
    off = abs(np.log(found.numbers.stiffness / true.stiffness))
    assert off < 4.0 * found.errors["stiffness"]
    assert found.errors["stiffness"] < 4e-3
    assert found.rms == pytest.approx(0.1 * np.sqrt(2.0) * RADIUS, rel=0.1)
    for place in ((0.3, 0.4, 0.2), (0.75, -0.2, -0.3)):
        x, there = (
            settle_cable(one.of(rod), handles(rod, "clamped", one.turn, end=place)).points
            for one in (found.numbers, true)
        )
        assert np.linalg.norm(x - there, axis=1).max() < 2.0 * RADIUS


def test_standard_errors_are_those_of_the_noise():
    """What 12 scans of one pose find is spread by as much as each of them says, which such a number tells to 20 %."""
    rod, true = hose(), Numbers(1.7)
    fits = [
        fit_to_pose(rod, handles(rod, "free"), scanned(rod, true, "free", count=60, seed=k), ("stiffness",))
        for k in range(12)
    ]
    spread = np.std([np.log(fit.numbers.stiffness) for fit in fits], ddof=1)
    assert 0.5 < spread / np.mean([fit.errors["stiffness"] for fit in fits]) < 1.7


def test_what_a_pose_does_not_tell_stays_and_is_said():
    """Density beside stiffness; the spool of a limp cable; where to one curls that turns freely; and a turn, where one
    end alone is clamped, is none.
    """
    rod, true = hose(), Numbers(1.7)
    found = fit_to_pose(rod, handles(rod, "led"), scanned(rod, true, "led"), ("stiffness", "density", "turn"))
    assert found.kept == ("density",)
    assert (found.numbers.density, found.numbers.turn) == (1.0, 0.0)
    assert found.numbers.stiffness == pytest.approx(1.7, rel=1e-2)
    assert set(found.errors) == {"stiffness"}
    limp = Numbers(2e-2, spool=(1.5, 0.0))
    found = fit_to_pose(rod, handles(rod, "clamped"), scanned(rod, limp, "clamped"))
    assert "spool" in found.kept
    assert found.numbers.spool == (0.0, 0.0)
    assert found.tightest > limp.curvature
    assert found.numbers.stiffness == pytest.approx(limp.stiffness, rel=0.1)
    ends = [Handle("a", np.zeros(3), vertex=0), Handle("b", np.array([0.6, 0.0, 0.1]), vertex=PIECES)]
    line = settle_cable(Numbers(1.0, spool=(0.0, 2.0)).of(rod), ends).points
    found = fit_to_pose(rod, ends, line)
    assert found.numbers.curvature == pytest.approx(2.0, rel=1e-3)
    assert (set(found.errors), found.kept) == ({"stiffness", "spool"}, ())


def test_what_it_was_is_kept_only_where_it_fits():
    """A cable that was far too stiff becomes limp, though so rough a line hardly tells how limp."""
    rod = hose()
    rough = scanned(rod, Numbers(0.02), "led", noise=3.0, count=12)
    found = fit_to_pose(rod, handles(rod, "led"), rough, ("stiffness",))
    assert (found.kept, found.vague) == ((), ("stiffness",))
    assert 0.005 < found.numbers.stiffness < 0.08
    assert pose.TOLD < found.errors["stiffness"] < 1.5


def weighed(**options):
    """A cable of .23 N, of which an end is pulled down by .1 N."""
    rod, loads = hose(), np.zeros((PIECES + 1, 3))
    loads[-1, 2] = -0.1
    return rod, {"loads": loads, **options}


def test_what_hangs_on_it_tells_density_besides():
    rod, given = weighed()
    true = Numbers(0.8, density=1.3)
    line = settle_cable(true.of(rod), handles(rod, "free"), **given).points
    found = fit_to_pose(rod, handles(rod, "free"), line, ("stiffness", "density"), **given)
    assert (found.numbers.stiffness, found.numbers.density) == pytest.approx((0.8, 1.3), rel=1e-3)


def test_what_snaps_is_refused_and_what_cannot_hang_too():
    """A stiff hose that curls, between clamps half its length apart, hangs in two ways."""
    x = np.linspace([0.0, 0.0, 0.0], [LENGTH, 0.0, 0.0], 61)
    rod = Rod.from_material(
        "Hose", x, 5e-3, Material(5e6, 0.45, 1200.0), m1=np.array([0.0, 0.0, 1.0]), shape_memory=0.0
    )
    true, ends = Numbers(20.0, spool=(-3.0, -1.0), turn=-1.2), handles(rod, "clamped")
    turned = handles(rod, "clamped", true.turn)
    with pytest.raises(SimulationError, match="'Hose' snaps to another shape before it lies along the line"):
        fit_to_pose(rod, ends, settle_cable(true.of(rod), turned).points)
    with pytest.raises(SceneError, match="too short to reach"):
        fit_to_pose(rod, handles(rod, "clamped", end=(2.0, 0.0, 0.0)), x)


def test_a_hand_drawn_line_is_no_better_than_drawn():
    """What a line has of smooth error counts as little as that has independent points: by 2 % of waves a hundred times
    what the same noise tells from point to point would.
    """
    rod, true = hose(), Numbers(1.7, spool=(1.5, 1.0))
    line, s = scanned(rod, true, "led", noise=0.0), np.linspace(0.0, 1.0, 600)
    wavy = line + 0.1 * np.sqrt(2.0) * RADIUS * np.sin(20.0 * s)[:, None] * [0.0, 1.0, 1.0]
    rough = fit_to_pose(rod, handles(rod, "led"), scanned(rod, true, "led")).errors["stiffness"]
    assert fit_to_pose(rod, handles(rod, "led"), wavy).errors["stiffness"] > 5.0 * rough


def test_an_exact_line_is_taken_for_no_better_than_a_hundredth_of_the_radius():
    rod, true = hose(), Numbers(1.7, spool=(1.5, 1.0))
    exact = fit_to_pose(rod, handles(rod, "led"), scanned(rod, true, "led", noise=0.0)).errors["stiffness"]
    rough = fit_to_pose(rod, handles(rod, "led"), scanned(rod, true, "led")).errors["stiffness"]
    assert 0.05 < exact / rough < 0.2


def test_nearest_places_lie_on_the_smooth_line():
    """Of a circle of 40 pieces, whose chords leave it by 3e-3: 1e-4 of its radius."""
    a = np.linspace(0.0, 2.0 * np.pi, 41)
    circle = np.stack([np.cos(a), np.sin(a), 0.0 * a], axis=1)
    b = np.linspace(0.3, 5.9, 333)
    points = 1.2 * np.stack([np.cos(b), np.sin(b), 0.0 * b], axis=1)
    np.testing.assert_allclose(nearest([circle[:21], circle[20:]], points), points / 1.2, atol=3e-3)
    assert abs(np.linalg.norm(nearest([circle], points), axis=1) - 1.0).max() < 1e-4


def test_in_a_scene_it_is_found_as_by_itself():
    """With a second cable, turned by the last of its pins; that of a rod number that is fitted alone."""
    rod = hose(model="cable")
    other = replace(rod, name="Other", x=rod.x + [0.0, 1.0, 0.0])
    true = Numbers(1.7, spool=(1.5, 1.0), turn=0.8)
    line = settle_cable(true.of(rod), handles(rod, "clamped", true.turn)).points
    pins = [Pin.fixed(one, v, "TWIST", name=f"{one.name} {v}", rod=number) for number, one in enumerate((other, rod))
            for v in (0, PIECES)]  # fmt: skip
    pins[3] = replace(pins[3], position=np.array([HELD["clamped"]]))
    pins[1] = replace(pins[1], position=pins[1].position - [0.1, 0.0, 0.0])
    scene = Scene((other, rod), 0.04, 1, pins=tuple(pins), gravity=np.array([0.0, 0.0, -9.81]), contact=False)
    points = np.column_stack([line, np.ones(len(line))])
    found = fit_in_scene(scene, [1], points, ["stiffness", "spool", "turn"], 3)
    assert isinstance(found, Fit)
    assert found.numbers.stiffness == pytest.approx(1.7, rel=1e-3)
    np.testing.assert_allclose(found.numbers.spool, true.spool, rtol=1e-2)
    assert found.numbers.turn == pytest.approx(0.8, abs=1e-3)
    assert fit_in_scene(scene, [1], points, ["stiffness"], None).numbers.turn == 0.0
