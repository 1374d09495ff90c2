"""Cables at rest, against closed forms and the dynamic rods' figures."""

from dataclasses import replace
from time import process_time

import numpy as np
import pytest
from convergence import order
from scipy.optimize import brentq
from statics import straight_rod
from tendril.physics import Floor, Handle, Material, SceneError, SimulationError, settle_cable
from tendril.physics.arithmetic.quaternions import exponential, product
from tendril.physics.cables.equilibrium import GRAVITY
from tendril.physics.cables.frames import frames_along
from tendril.physics.cables.units import cable_system
from tendril.physics.scene import Rod
from tendril.physics.schemes import static

SECOND = 1.85  # what counts as second order
DOWN = np.array([0.0, 0.0, -1.0])
WEIGHTLESS = (0.0, 0.0, 0.0)
OWN_WEIGHT = {0.5: 0.06244, 2.0: 0.24667, 10.0: 1.0668, 100.0: 5.8881}  # as test_cantilever's
DEAD_LOAD = {0.25: (0.08275, 0.99588), 1.0: (0.30172, 0.94357), 3.0: (0.60325, 0.74558), 10.0: (0.81061, 0.44500)}
OFF = 1.001  # that a section is rounder by: no bow turns freely


def clamped(rod, *vertices):
    """Handles that hold the rod as it is drawn."""
    return [Handle.drawn(rod, f"clamp {v}", vertex=v, oriented=True) for v in vertices or (0,)]


def turned(handle, angle):
    """A handle turned about x [rad]."""
    turn = exponential(np.array([angle, 0.0, 0.0]))
    return replace(handle, orientation=product(turn, handle.orientation))


@pytest.mark.parametrize("gravity", [WEIGHTLESS, (0.0, 0.0, -8.0)], ids=["weightless", "hanging"])
def test_invariants(gravity):
    """Twisting moment of a round cable, force n and n·m of one that nothing loads, along it."""
    rod = straight_rod(60, twist=0.8)
    clamps = clamped(rod, 0, -1)
    clamps[1] = replace(turned(clamps[1], 1.0), position=np.array([0.7, 0.2, 0.1]))
    cable = settle_cable(rod, clamps, gravity=gravity)
    assert cable.stable
    assert np.ptp(cable.twisting_moment) < 1e-6 * abs(cable.twisting_moment).max()
    if gravity == WEIGHTLESS:
        size = np.linalg.norm(cable.force[0])
        assert np.ptp(cable.force, axis=0).max() < 1e-6 * size
        along = cable.moment @ cable.force[0]
        assert np.ptp(along) < 1e-6 * size * np.linalg.norm(cable.moment, axis=1).max()
    total = cable.handle_force.sum(axis=0) + rod.mass.sum() * np.array(gravity)
    np.testing.assert_allclose(total, 0.0, atol=1e-7 * abs(cable.handle_force).max())
    arms = np.cross(cable.points[[0, -1]], cable.handle_force) + cable.handle_torque
    weight = np.cross(cable.points, rod.mass[:, None] * gravity)
    np.testing.assert_allclose(arms.sum(axis=0) + weight.sum(axis=0), 0.0, atol=1e-6 * abs(arms).max())


def test_small_tip_load():
    """δ = FL³/3B."""
    force, bend, drops = 1e-4, 0.7, []
    for n in (25, 50, 100):
        rod, load = straight_rod(n, 1.2, bend), np.zeros((n + 1, 3))
        load[-1] = force * DOWN
        drops.append(-settle_cable(rod, clamped(rod), gravity=WEIGHTLESS, loads=load).points[-1, 2])
    assert drops[2] == pytest.approx(force * 1.2**3 / (3.0 * bend), rel=1e-4)
    assert order(drops) > SECOND


@pytest.mark.parametrize("load", DEAD_LOAD)
def test_dead_load(load):
    """Drop and reach of the tip by elliptic integrals."""
    rod, loads = straight_rod(100), np.zeros((101, 3))
    loads[-1] = load * DOWN
    tip = settle_cable(rod, clamped(rod), gravity=WEIGHTLESS, loads=loads).points[-1]
    np.testing.assert_allclose([-tip[2], tip[0]], DEAD_LOAD[load], rtol=1e-3)


@pytest.mark.parametrize("gamma", OWN_WEIGHT)
def test_own_weight(gamma):
    """Drop over reach of the tip, and the order of its error."""
    found = []
    for n in (50, 100, 200):
        rod = straight_rod(n)
        tip = settle_cable(rod, clamped(rod), gravity=gamma * DOWN).points[-1]
        found.append(-tip[2] / tip[0])
    assert found[1] == pytest.approx(OWN_WEIGHT[gamma], rel=1e-3 if gamma <= 10.0 else 1e-2)
    assert order(found) > SECOND


def test_each_axis_has_its_stiffness():
    """A section bends by its first stiffness towards m₁, by its second towards m₂."""
    rod = straight_rod(50, bend=(3.0, 0.5))
    for axis, stiffness in ((2, 3.0), (1, 0.5)):
        load = np.zeros((51, 3))
        load[-1, axis] = 1e-4
        tip = settle_cable(rod, clamped(rod), gravity=WEIGHTLESS, loads=load).points[-1]
        assert tip[axis] == pytest.approx(1e-4 / (3.0 * stiffness), rel=1e-3)


def test_catenary():
    """Sag of a soft cable between two points at one height."""
    rod, span = straight_rod(200, bend=1e-4), 0.8
    ends = [Handle("a", np.zeros(3), vertex=0), Handle("b", np.array([span, 0.0, 0.0]), vertex=200)]
    a = brentq(lambda a: 2.0 * a * np.sinh(0.5 * span / a) - 1.0, 0.1, 10.0)
    sag = -settle_cable(rod, ends, gravity=9.81 * DOWN).points[:, 2].min()
    assert sag == pytest.approx(a * (np.cosh(0.5 * span / a) - 1.0), rel=5e-3)


@pytest.mark.parametrize("pitch", [0.0, 0.3], ids=["circle", "helix"])
def test_rest_shape(pitch):
    """Drawn straight, a cable takes the shape it is free of stress in."""
    s = np.linspace(0.0, 5.0, 61)
    shape = np.stack([np.cos(s) - 1.0, np.sin(s), pitch * s], axis=1)
    length = np.linalg.norm(np.diff(shape, axis=0), axis=1).mean()
    rod = straight_rod(60, 60 * length)
    rod = replace(rod, rest_x=shape)
    cable = settle_cable(rod, clamped(rod), gravity=WEIGHTLESS)

    def gaps(x):
        return np.linalg.norm(x[:, None] - x, axis=2)

    np.testing.assert_allclose(gaps(cable.points), gaps(shape), atol=1e-9 * 60 * length)
    assert abs(cable.tension).max() < 1e-5


def test_snap_and_hysteresis():
    """Twisted between clamps that leave its ends free to draw near, a straight cable buckles at Greenhill's 2πB/L, and
    stays as it is then while it is turned back.
    """
    rod = straight_rod(100, twist=0.8)
    first, last = clamped(rod, 0, -1)
    last, cable = replace(last, position=None), None
    for step in [0.75] * 10 + [0.02] * 20:
        last, before = turned(last, step), cable
        cable = settle_cable(rod, [first, last], gravity=WEIGHTLESS, start=before)
        if cable.effort.saddles:
            break
    assert before.twisting_moment.mean() == pytest.approx(2.0 * np.pi, rel=1e-2)
    assert before.points[-1, 0] == pytest.approx(1.0, abs=1e-9)
    assert cable.twisting_moment.mean() == pytest.approx(0.8 * (7.85 - 4.0 * np.pi), rel=2e-2)  # let go of two turns
    back = settle_cable(rod, [first, turned(last, -1.0)], gravity=WEIGHTLESS, start=cable)
    assert back.twisting_moment.mean() < cable.twisting_moment.mean()


def test_torque_of_fixed_ends():
    """Ends fixed nearly the length apart: wound, a strut that presses becomes a cable that pulls, at 8.987 B/L =
    2xB/L, tan x = x, Greenhill's torque of clamps without an axial force.
    """
    rod = straight_rod(100, twist=0.8)
    first, last = clamped(rod, 0, -1)
    last, cable, found = replace(last, position=np.array([0.999, 0.0, 0.0])), None, []
    for step in [0.0] + [1.0] * 10 + [0.5] * 4:
        last = turned(last, step)
        cable = settle_cable(rod, [first, last], gravity=WEIGHTLESS, start=cable)
        found.append((cable.handle_force[1, 0], cable.twisting_moment.mean()))
    pull, torque = np.array(found).T
    assert pull[0] == pytest.approx(-4.0 * np.pi**2, rel=1e-3)
    assert np.interp(0.0, pull, torque) == pytest.approx(8.98682, rel=2e-3)  # 1e-3 off the length


@pytest.mark.parametrize("step", [0.5, 0.25])
def test_loop_of_fixed_ends(step):
    """Ends fixed half the length apart: wound, the cable goes to a loop, lets go of two turns, and unwound comes back,
    later. Turning by φ of what has let go mirrors turning by 4π − φ: so does the jump back. However long the steps.
    """
    rod = straight_rod(100, twist=0.8)
    first, last = clamped(rod, 0, -1)
    last = replace(last, position=np.array([0.5, 0.0, 0.0]))
    cable = drawn = settle_cable(rod, [first, last], gravity=WEIGHTLESS)
    count, ways = round(12.0 / step), ([0.0], [])

    def torque():
        return cable.twisting_moment.mean()

    for way, direction in zip(ways, (1, -1), strict=True):
        for _ in range(count):
            last = turned(last, direction * step)
            cable = settle_cable(rod, [first, last], gravity=WEIGHTLESS, start=cable)
            assert cable.stable
            way.append(torque())
    up, back = np.array(ways[0]), np.array(ways[0][-1:] + ways[1])[::-1]
    at = step * np.arange(count + 1)
    jump, fall = at[np.argmin(np.diff(up))], at[np.argmin(np.diff(back)) + 1]
    assert 10.5 <= jump <= 11.0
    assert abs(jump + fall - 4.0 * np.pi) < 2.0 * step
    wound = (at > 4.0) & (at < 10.0)
    np.testing.assert_allclose(back[wound], -np.interp(4.0 * np.pi - at[wound], at, up), atol=0.05)
    assert (up[wound] - back[wound]).min() > 1.0
    for bowed in (drawn, cable):  # in any plane
        bowed.points[:, 1] = np.linalg.norm(bowed.points[:, 1:], axis=1)
    np.testing.assert_allclose(cable.points[:, :2], drawn.points[:, :2], atol=1e-6)


def test_ten_turns():
    """A connector turned by ten turns: a taut cable's twisting moment is Cθ/L to the end, at a radian a joint."""
    rod = straight_rod(60, twist=0.05)
    load = np.zeros((61, 3))
    load[-1, 0] = 100.0
    first, last = clamped(rod, 0, -1)
    last, cable = replace(last, position=None), None
    for k in range(1, 32):
        last = turned(last, 20.0 * np.pi / 31)
        cable = settle_cable(rod, [first, last], gravity=WEIGHTLESS, loads=load, start=cable)
        assert cable.twisting_moment.mean() == pytest.approx(0.05 * k * 20.0 * np.pi / 31, rel=1e-6)


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_integral_forces(share):
    """Errors shrink by 1 − α an update; below 1e-8 in five of them at α = 1."""
    rod = straight_rod(60)
    system, units = cable_system(rod, clamped(rod), 2.0 * DOWN, None)
    q = frames_along(rod.x, rod.m1, None)
    y = system.unknowns(rod.x / units.length, q[1:-1])
    system.place(0, np.zeros(3), q[0])
    solver = static.Equilibrium(system)
    solver.settle(y, 1e-12 if share == 1.0 else 1e-6, share)
    errors = np.array(solver.effort.errors)
    if share == 1.0:
        assert errors[:5].min() < 1e-8
    else:
        np.testing.assert_allclose(errors[4:9] / errors[3:8], 1.0 - share, atol=0.02)


def test_ring():
    """A soft cable runs through a frictionless ring until its tension is the same on either side of it."""
    n, width, ring = 200, np.array([0.0, 0.3, 0.6]), 0.08
    rod = straight_rod(n, bend=1e-6)

    def tension(length, span, rise):
        """Horizontal H/w of the catenary over a span, that rises; and T/w at its higher end."""
        a = brentq(lambda a: 2.0 * a * np.sinh(0.5 * span / a) - np.sqrt(length**2 - rise**2), 1e-3, 50.0)
        return a, 0.5 * (length / np.tanh(0.5 * span / a) + rise)

    ends = [Handle("a", np.zeros(3), vertex=0), Handle("b", np.array([width[2], 0.0, 0.0]), vertex=n)]
    for place in (0.25, 0.28):
        holder = Handle("ring", np.array([place, 0.0, ring]), vertex=n // 2, slides=True)

        def uneven(s, place=place):
            return tension(s, place, ring)[1] - tension(1.0 - s, width[2] - place, ring)[1]

        straight = np.hypot(place, ring)  # the short side hangs nearly taut: else the longer one would draw it in
        expected = brentq(uneven, straight * (1.0 + 1e-5), 0.36)
        cable = settle_cable(rod, [*ends, holder], gravity=9.81 * DOWN)
        assert cable.arc_length[2] == pytest.approx(expected, rel=1e-2)


def test_on_an_edge():
    """A handle on an edge holds its middle and its frame; what handles exert balances the weight."""
    rod, gravity = straight_rod(100), np.array([0.0, 0.0, -8.0])
    wall, clip = clamped(rod)[0], Handle.drawn(rod, "clip", edge=50, oriented=True)
    clip = replace(clip, position=clip.position + [-0.1, 0.0, 0.05])
    cable = settle_cable(rod, [wall, clip], gravity=gravity)
    middle = 0.5 * (cable.points[50] + cable.points[51])
    np.testing.assert_allclose(middle, clip.position, atol=1e-8)
    np.testing.assert_allclose(cable.frames[50], clip.orientation, atol=1e-8)
    np.testing.assert_allclose(cable.handle_force.sum(axis=0) + gravity, 0.0, atol=1e-8)
    arms = np.cross([cable.points[0], middle], cable.handle_force) + cable.handle_torque
    weight = np.cross(cable.points, rod.mass[:, None] * gravity)
    np.testing.assert_allclose(arms.sum(axis=0) + weight.sum(axis=0), 0.0, atol=1e-6 * abs(arms).max())


@pytest.mark.parametrize("oriented", [False, True])
@pytest.mark.parametrize("parts", [1, 9])
def test_taut_cable_limits_what_is_dragged(oriented, parts):
    """A handle of limited strength is drawn beyond a hanging cable's length: it stays behind, all its force towards
    where it was to be, and says what is missing; led back, it is there.
    """
    rod, strength, wish = straight_rod(100, bend=0.01), 400.0, np.array([0.9, 1.1, -0.3])
    first, last = (Handle.drawn(rod, name, vertex=v, oriented=oriented) for name, v in (("wall", 0), ("hand", -1)))
    start, cable = np.array([0.7, 0.0, 0.0]), None
    for k in range(parts + 1):
        hand = replace(last, position=start + k / parts * (wish - start), strength=strength)
        cable = settle_cable(rod, [first, hand], gravity=8.0 * DOWN, start=cable)
    reach, off = np.linalg.norm(cable.points[-1]), wish - cable.points[-1]
    assert 1.0 - 1e-3 < reach < 1.0 + 1e-9
    np.testing.assert_allclose(cable.handle_force[1], strength * off / np.linalg.norm(off), rtol=1e-6)
    assert cable.missing_length == pytest.approx(np.linalg.norm(wish) - 1.0, rel=2e-3)
    assert f"'rod' is {cable.missing_length:.3g} m too short for 'hand'" in cable.warning
    back = settle_cable(rod, [first, replace(hand, position=0.8 * start)], gravity=8.0 * DOWN, start=cable)
    np.testing.assert_allclose(back.points[-1], 0.8 * start, atol=1e-8)
    assert back.missing_length == 0.0
    assert not back.warning
    with pytest.raises(SceneError, match="m too short to reach"):
        settle_cable(rod, [first, replace(hand, strength=np.inf)], gravity=8.0 * DOWN, start=cable)


CASES = 100


def test_any_place(random_case):
    """From straight at once to clamps anywhere, turned anyhow, of any stiffness: at rest, the same bytes each time."""
    rng = np.random.default_rng(random_case)
    rod = straight_rod(80, bend=10.0 ** rng.uniform(-2.0, 0.0), twist=10.0 ** rng.uniform(-2.0, 0.0))
    first, last = clamped(rod, 0, -1)
    way, turn = rng.normal(size=3), exponential(rng.normal(size=3))
    place = way * rng.uniform(0.1, 0.95) / np.linalg.norm(way)
    last = replace(last, position=place, orientation=product(turn, last.orientation))
    cable = settle_cable(rod, [first, last])
    assert cable.stable
    np.testing.assert_allclose(cable.points[-1], place, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(np.diff(cable.points, axis=0), axis=1), 1.0 / 80.0, rtol=1e-8)
    assert settle_cable(rod, [first, last]).points.tobytes() == cable.points.tobytes()


def anywhere():
    """Ten of test_any_place."""
    for seed in range(10):
        rng = np.random.default_rng(seed)
        rod = straight_rod(60, bend=10.0 ** rng.uniform(-2.0, 0.0), twist=10.0 ** rng.uniform(-2.0, 0.0))
        first, last = clamped(rod, 0, -1)
        way, turn = rng.normal(size=3), exponential(rng.normal(size=3))
        place = way * rng.uniform(0.1, 0.95) / np.linalg.norm(way)
        yield rod, GRAVITY, [[first, replace(last, position=place, orientation=product(turn, last.orientation))]]


def following():
    """A handle goes on by 6.7 mm, eleven times."""
    rod = straight_rod(60)
    first, last = clamped(rod, 0, -1)
    places = [np.array([0.7 + 0.006 * k, 0.0, 0.2 + 0.003 * k]) for k in range(12)]
    yield rod, 8.0 * DOWN, [[first, replace(last, position=place)] for place in places]


def pressed():
    """A strut, from just short of its length to less than half of it."""
    rod = straight_rod(60, twist=0.8)
    first, last = clamped(rod, 0, -1)
    reaches = (0.9999, 0.999, 0.99, 0.9, 0.6, 0.5, 0.45)
    yield rod, WEIGHTLESS, [[first, replace(last, position=np.array([reach, 0.0, 0.0]))] for reach in reaches]


def wound():
    """Ends free to draw near, wound until it snaps; off the straight line, where rounding alone tells which way: by 147
    factorisations or, on another processor, 280.
    """
    rod = straight_rod(60, twist=0.8)
    rod = replace(rod, x=rod.x + 1e-12 * np.random.default_rng(1).normal(size=rod.x.shape))
    first, last = clamped(rod, 0, -1)
    yield rod, WEIGHTLESS, [[first, turned(replace(last, position=None), 0.7 * k)] for k in range(14)]


def drawn_taut():
    """Far beyond its length, and back."""
    rod = straight_rod(60, bend=0.01)
    first, last = clamped(rod, 0, -1)
    places = np.array([0.9, 1.1, -0.3]), np.array([0.6, 0.0, 0.0])
    yield rod, 8.0 * DOWN, [[first, replace(last, position=place, strength=400.0)] for place in places]


def through_a_ring():
    """A ring on a soft cable moves; not from the middle, where rounding alone tells which way the cable runs."""
    rod = straight_rod(60, bend=1e-5)
    ends = [Handle("a", np.zeros(3), vertex=0), Handle("b", np.array([0.6, 0.0, 0.0]), vertex=60)]
    rings = [Handle("ring", np.array([place, 0.0, 0.08]), vertex=30, slides=True) for place in (0.31, 0.27)]
    yield rod, 9.81 * DOWN, [[*ends, ring] for ring in rings]


@pytest.mark.parametrize(
    ("scenes", "most"),
    [(anywhere, 3090), (following, 91), (pressed, 270), (wound, 162), (drawn_taut, 410), (through_a_ring, 115)],
)
def test_effort(scenes, most, monkeypatch):
    """Factorisations of the Hessian: a tenth more than there were, which the scheme's constants keep them to."""
    factors, count = static.Equilibrium.factors_of, []

    def counted(solver, shift):
        count.append(shift)
        return factors(solver, shift)

    monkeypatch.setattr(static.Equilibrium, "factors_of", counted)
    for rod, gravity, ways in scenes():
        cable = None
        for handles in ways:
            cable = settle_cable(rod, handles, gravity=gravity, start=cable)
    assert len(count) <= most


def test_time_is_linear():
    """Steps of Newton's method take a time in proportion to the points, and as many."""
    taken = []
    for n in (50, 500, 5000):
        rod, best = straight_rod(n), np.inf
        first, last = clamped(rod, 0, -1)
        last = replace(last, position=np.array([0.7, 0.1, 0.2]))
        cable = settle_cable(rod, [first, last], gravity=8.0 * DOWN)
        for _ in range(3):
            last = replace(last, position=last.position + [0.005, 0.0, 0.003])
            begun = process_time()
            cable = settle_cable(rod, [first, last], gravity=8.0 * DOWN, start=cable)
            best = min(best, (process_time() - begun) / cable.effort.steps)
            assert cable.effort.steps < 25
        taken.append(best)
    assert np.polyfit(np.log([50, 500, 5000]), np.log(taken), 1)[0] < 1.1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda h: [], "held by nothing"),
        (lambda h: [h[0], replace(h[1], position=np.array([1.2, 0.0, 0.0]))], "0.2 m too short"),
        (lambda h: [h[0], replace(h[0], name="other")], "both hold vertex 0"),
        (lambda h: [h[0], replace(h[1], vertex=11)], "choose one from 0 to 10"),
        (lambda h: [h[0], replace(h[1], slides=True)], "slides"),
        (lambda h: [h[0], replace(h[1], position=None, orientation=None)], "holds nothing"),
        (lambda h: [h[0], replace(h[1], position=np.full(3, np.nan))], "has no place"),
        (lambda h: [h[0], replace(h[1], edge=3)], "or both"),
        (lambda h: [h[0], replace(h[1], strength=0.0)], "strength of 0 N"),
        (
            lambda h: [h[0], Handle("near", np.array([0.03, 0.0, 0.0]), edge=0)],
            "are 0.03 m apart, but between them are 0.05 m",
        ),
        (lambda h: [replace(h[0], orientation=np.zeros(4))], "orientation that is none"),
        (lambda h: [replace(h[0], orientation=np.full(4, np.nan))], "orientation that is none"),
        (lambda h: [replace(h[0], orientation="up")], "orientation that is none"),
        (lambda h: [replace(h[0], position=["a", "b", "c"])], "has no place"),
        (lambda h: [h[0], replace(h[1], vertex=10.0)], "choose one from 0 to 10"),
        (lambda h: [h[0], replace(h[1], strength="strong")], "strength of 'strong'"),
        (lambda h: [h[0], replace(h[1], strength=np.nan)], "strength of nan N"),
    ],
)
def test_refused(change, words):
    rod = straight_rod(10)
    with pytest.raises(SceneError, match=words):
        settle_cable(rod, change(clamped(rod, 0, -1)))


def test_taut_to_rounding():
    """What is drawn straight between clamps bears no weight."""
    rod = straight_rod(10)
    with pytest.raises(SimulationError, match="taut from 'clamp 0' to 'clamp -1'"):
        settle_cable(rod, clamped(rod, 0, -1))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"gravity": (0.0, 0.0, np.nan)}, "gravity has to be three finite numbers"),
        ({"gravity": "down"}, "gravity has to be three finite numbers, not 'down'"),
        ({"gravity": 9.81}, "gravity has to be three finite numbers, not 9.81"),
        ({"gravity": ((0.0, 0.0), 1.0, 2.0)}, "gravity has to be three finite numbers"),
        ({"loads": "heavy"}, "loads have to be finite"),
        ({"loads": np.zeros((2, 3))}, "one for each of 11 points"),
        ({"time": np.nan}, "the time is nan"),
        ({"tolerance": 0.0}, "the tolerance is 0.0"),
        ({"colliders": [Floor("low")]}, "The floor is at a height of 'low'"),
    ],
)
def test_given_otherwise(given, words):
    rod = straight_rod(10)
    with pytest.raises(SceneError, match=words):
        settle_cable(rod, clamped(rod), **given)


@pytest.mark.parametrize("young", [1e5, 1e6, 1e8])
def test_one_that_stretches(young):
    """w L/2EA more where it hangs down, and T/EA of each segment where it is pulled or hangs, over a floor or not."""
    u = np.linspace(0.0, 1.0, 41)
    x, material = np.stack([0.0 * u, 0.0 * u, -u], axis=1), Material(young, 0.45, 1200.0)
    rod = Rod.from_material("rod", x, 0.003, material, shape_memory=0.0, stretchable=True)
    top, stiffness = Handle.drawn(rod, "top", vertex=0), rod.stretch_stiffness[0]
    more = 0.5 * 9.81 * rod.mass.sum() / stiffness
    hanging = settle_cable(rod, [top])
    assert -hanging.points[-1, 2] == pytest.approx(1.0 + more, abs=1e-9)
    level = replace(rod, x=x[:, ::-1] * -1.0)
    for place, floor in (([1.35, 0.0, 0.0], -1.0), ([0.8, 0.1, 0.0], -1.0), ([0.8, 0.0, 0.1], -0.1)):
        handles = [top, Handle("hand", np.array(place), vertex=40)]
        cable = settle_cable(level, handles, colliders=[Floor(floor)])
        assert (cable.contacts > 0) == (floor > -1.0)
        strain = 40.0 * np.linalg.norm(np.diff(cable.points, axis=0), axis=1) - 1.0
        np.testing.assert_allclose(cable.tension, stiffness * strain, atol=1e-8 * stiffness)
        np.testing.assert_allclose(cable.points[-1], place, atol=1e-8)


def test_one_too_stiff_to_stretch():
    rod = replace(straight_rod(10), stretchable=True, stretch_stiffness=np.full(10, 1e12))
    with pytest.raises(SceneError, match="less than a millionth under its weight: turn off Stretchable"):
        settle_cable(rod, clamped(rod))


def test_one_segment():
    rod = straight_rod(10)
    halves = rod.x[:2], rod.radius[:2], rod.mass[:2], rod.bend_stiffness[:1], rod.twist_stiffness[:2]
    short = Rod("rod", *halves, np.ones(1))
    with pytest.raises(SceneError, match="at least three"):
        settle_cable(short, clamped(rod))


def test_slides_off():
    """A ring that draws the whole cable to one side."""
    rod = straight_rod(40, bend=1e-4)
    hold = [Handle("a", np.zeros(3), vertex=0), Handle("ring", np.array([0.1, 0.0, 0.3]), vertex=20, slides=True)]
    with pytest.raises(SceneError, match="slides off"):
        settle_cable(rod, hold, gravity=GRAVITY)
