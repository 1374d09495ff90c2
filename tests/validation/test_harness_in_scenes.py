"""Bodies that hang on cables, in scenes: where cables join, lamps, plugs; at rest in each frame."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.bake import selected
from tendril.physics import (
    Collider,
    Floor,
    Frame,
    Handle,
    Material,
    Part,
    Pin,
    RigidBody,
    Rod,
    Scene,
    SceneError,
    Weld,
    settle_harness,
)  # fmt: skip
from tendril.physics.run.led_cables import LedCables
from tendril.physics.run.simulate import events
from tendril.physics.run.taking_over import taken_over
from tendril.physics.scene import Shape
from tendril.physics.validate import check

POINTS, FRAMES, RADIUS = 25, 7, 0.004
HOSE = Material(5e6, 0.45, 1200.0)
ENDS = np.array([[0.3, 0.0, 0.1], [-0.2, 0.25, 0.1], [-0.2, -0.25, 0.1]])
TIMES = np.linspace(0.0, 1.0, FRAMES)
STILL = [1.0, 0.0, 0.0, 0.0]


def cable(name, *way, material=HOSE, **options):
    """Through places of a way, with slack."""
    share = np.linspace(0.0, len(way) - 1.0, POINTS)
    x = np.stack([np.interp(share, np.arange(len(way)), column) for column in np.transpose(way)], axis=1)
    return Rod.from_material(name, x, RADIUS, material, **{"model": "cable", "shape_memory": 0.0, **options})


def led(r, end, way=(0.0, 0.0, 0.0), mode="POSITION"):
    """A pin of the last vertex of rod r."""
    return Pin(f"end {r}", r, POINTS - 1, mode, TIMES, end + np.outer(TIMES, way))


def why(mass=0.05, **options):
    """A Y of cables that hang on pins, one of which goes 8 cm."""
    rods = tuple(cable(f"arm {k}", np.zeros(3), 0.5 * end - [0.0, 0.0, 0.1], end) for k, end in enumerate(ENDS))
    pins = tuple(led(k, end, (-0.08, 0.0, 0.0) if k == 0 else (0.0, 0.0, 0.0)) for k, end in enumerate(ENDS))
    body = RigidBody("join", np.zeros(3), mass, np.zeros((3, 3)), suspended=True)
    welds = tuple(Weld(f"weld {k}", 0, k, 0) for k in range(3))
    return Scene(rods, 1.0 / (FRAMES - 1), FRAMES, **{"pins": pins, "bodies": (body,), "welds": welds, **options})


def baked(given, state=None):
    return [one for one in events(given, state) if isinstance(one, Frame)]


def harness_of(given):
    """The same, to be settled at once where pins lead it in the end."""
    cables = []
    for r, (rod, pin) in enumerate(zip(given.rods, given.pins, strict=True)):
        mount = Handle.drawn(rod, f"weld {r}", vertex=0, oriented=True)
        end = replace(Handle.drawn(rod, pin.name, vertex=-1), position=pin.position[-1])
        cables.append((rod, [replace(mount, part="join"), end]))
    return cables, [Part("join", given.bodies[0].position, mass=given.bodies[0].mass)]


GIVES = {"own length": {"tautness": 0.05}, "stretching": {"stretchable": True}}


def giving(kind):
    """A Y of which one arm is so."""
    given = why()
    arms = [replace(rod, **GIVES.get(kind, {})) for rod in given.rods[:1]]
    return replace(given, rods=(*arms, *given.rods[1:]))


@pytest.mark.parametrize("kind", ["plain", *GIVES])
def test_a_frame_is_the_equilibrium_of_the_harness(kind):
    """Whichever way it came there."""
    given = giving(kind)
    last, (cables, parts) = baked(given)[-1], harness_of(given)
    rest = settle_harness(cables, parts, gravity=given.gravity)
    np.testing.assert_allclose(last.x, np.concatenate([one.points for one in rest.cables]), atol=1e-7)
    np.testing.assert_allclose(last.bodies[0, :3], rest.position[0], atol=1e-7)
    np.testing.assert_allclose(last.bodies[0, 3:] * np.sign(last.bodies[0, 3]), rest.orientation[0], atol=1e-6)


def test_what_is_welded_stays_as_it_was_drawn_to_the_body():
    for frame in baked(why()):
        x, (place, turn) = frame.x.reshape(3, POINTS, 3), np.split(frame.bodies[0], [3])
        np.testing.assert_allclose(x[:, 0], np.tile(place, (3, 1)), atol=1e-8)
        assert np.linalg.norm(turn) == pytest.approx(1.0)


def test_weight_hangs_on_strings_as_it_should():
    """A lamp on two limp strings of the same length: it hangs in the middle, and each pulls by m g / (2 cos φ)."""
    limp = Material(1e3, 0.45, 1.0)
    a, b, lamp = np.array([-0.3, 0.0, 0.0]), np.array([0.3, 0.0, 0.0]), np.array([0.05, 0.0, -0.38])
    rods = tuple(
        cable(name, lamp, end, material=limp, rest_length_factor=0.5 / np.linalg.norm(end - lamp))
        for name, end in (("left", a), ("right", b))
    )
    body = RigidBody("lamp", lamp, 0.2, np.eye(3), suspended=True)
    welds = tuple(Weld(f"w{k}", 0, k, 0, "POSITION") for k in range(2))
    given = Scene(rods, 0.1, 1, pins=(led(0, a), led(1, b)), bodies=(body,), welds=welds)
    (frame,) = baked(given)
    np.testing.assert_allclose(frame.bodies[0, :3], [0.0, 0.0, -0.4], atol=2e-5)
    np.testing.assert_allclose(frame.cables[:, 1], 0.2 * 9.81 / (2.0 * 0.8), rtol=1e-3)


def test_gravity_weighs_as_the_body_lets_it():
    """A lamp that gravity pulls at half as much pulls as one of half the mass does; and one that is lifted hangs up."""
    half = np.array([0.5, 1.0, 1.0, 1.0, 1.0, 1.0])

    def hung(mass, weights=None):
        given = between(0.0, mass)
        return baked(replace(given, bodies=(replace(given.bodies[0], weights=weights),), frame_count=1))[0]

    lighter, light, heavy = hung(0.4, half), hung(0.2), hung(0.4)
    np.testing.assert_allclose(lighter.x, light.x, atol=1e-9)
    assert heavy.cables[0, 1] > 1.8 * light.cables[0, 1]
    assert hung(0.4, half * [-1.0, 1.0, 1.0, 1.0, 1.0, 1.0]).bodies[0, 2] > 0.1


def test_a_body_may_hold_a_cable_turned_from_how_it_is_drawn():
    """About the cable by an angle, as does one that is drawn twisted so; a led body the same."""
    x, angle = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], POINTS), 0.8
    x[:, 2] -= 0.4 * (x[:, 0] - x[:, 0] ** 2 / 0.5)
    t = x[1] - x[0] - 0.5 * (x[2] - 2.0 * x[1] + x[0])  # as the curve goes on to its end
    axis = t / np.linalg.norm(t)
    turn = np.array([np.cos(0.5 * angle), *(np.sin(0.5 * angle) * axis)])
    rod = Rod.from_material("hose", x, RADIUS, HOSE, model="cable", shape_memory=0.0)
    end = Pin("end", 0, POINTS - 1, "TWIST", np.zeros(1), x[-1:], np.array([STILL]))
    own = {"times": np.array([0.0, 1.0]), "track": np.zeros((2, 3)), "turn": np.tile(STILL, (2, 1))}
    wall = RigidBody("wall", np.zeros(3), 1.0, np.eye(3), **own)
    weld = Weld("weld", 0, 0, 0, "TWIST", turn=turn)
    (welded,) = baked(Scene((rod,), 0.1, 1, pins=(end,), bodies=(wall,), welds=(weld,)))
    pin = Pin("pin", 0, 0, "TWIST", np.zeros(1), x[:1], turn[None])
    (pinned,) = baked(Scene((rod,), 0.1, 1, pins=(pin, end)))
    (plain,) = baked(Scene((rod,), 0.1, 1, pins=(Pin.fixed(rod, 0, "TWIST", rod=0), end)))
    np.testing.assert_allclose(welded.m1, pinned.m1, atol=1e-9)
    np.testing.assert_allclose(welded.x, pinned.x, atol=1e-9)
    assert welded.m1[0] @ plain.m1[0] == pytest.approx(np.cos(angle), abs=0.02)


@pytest.mark.parametrize("kind", ["plain", *GIVES])
def test_it_resumes_with_the_same_bytes(kind):
    given = giving(kind)
    frames = baked(given)
    for k in (0, 3):
        rest = baked(given, frames[k].state)
        for one, other in zip(frames[k + 1 :], rest, strict=True):
            np.testing.assert_array_equal(one.x, other.x)
            np.testing.assert_array_equal(one.bodies, other.bodies)


def box(side, place):
    """A Shape around a place."""
    corners = side * (np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) - 0.5)
    triangles = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    triangles += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    return Shape(corners + place, np.array(triangles))


def test_what_hangs_lies_on_a_floor_and_resumes_with_the_same_bytes():
    """From the frame on at which it would be below; as other bodies go on, and in `contact` alone."""
    given, height = why(), -0.125
    shaped = replace(given, bodies=(replace(given.bodies[0], shape=box(0.04, given.bodies[0].position)),))
    bare = np.array([frame.bodies[0, 2] for frame in baked(given)])
    frames = baked(replace(shaped, floor=Floor(height)))
    z = np.array([frame.bodies[0, 2] for frame in frames])
    lies = bare < height + 0.02
    assert 0 < np.count_nonzero(lies) < FRAMES
    np.testing.assert_allclose(z[lies], height + 0.02, atol=1e-9)
    np.testing.assert_allclose(z[~lies], bare[~lies], atol=1e-8)
    rest = baked(replace(shaped, floor=Floor(height)), frames[3].state)
    for one, other in zip(frames[4:], rest, strict=True):
        np.testing.assert_array_equal(one.x, other.x)
        np.testing.assert_array_equal(one.bodies, other.bodies)
    through = baked(replace(shaped, floor=Floor(height), contact=False))[-1]
    np.testing.assert_allclose(through.bodies[0, 2], bare[-1], atol=1e-8)


def test_what_hangs_pushes_a_cable_that_is_not_its_own():
    """One beside it that settles by itself, but where it comes near; further off it is as it was."""
    given = why()
    body = replace(given.bodies[0], shape=box(0.04, given.bodies[0].position))
    height = baked(given)[0].bodies[0, 2]
    for below, pushed in ((0.0, True), (0.5, False)):
        beside = cable("beside", *np.array([[0.0, y, height - below] for y in (-0.3, 0.0, 0.3)]))
        more = replace(
            given, rods=(*given.rods, beside), bodies=(body,), frame_count=1,
            pins=(*given.pins, Pin.fixed(beside, 0, rod=3), Pin.fixed(beside, -1, rod=3)),
        )  # fmt: skip
        alone = replace(more, bodies=given.bodies)
        (found,), (expected,) = baked(more), baked(alone)
        moved = np.abs(found.x[-POINTS:] - expected.x[-POINTS:]).max()
        assert (moved > 1e-4) == pushed


def test_from_here_with_other_settings_it_goes_on_where_it_hung():
    given = why()
    heavy = replace(given, bodies=(replace(given.bodies[0], mass=0.2),))
    frames = baked(given)
    state = taken_over(heavy, given, frames[3].state)
    found = baked(heavy, state)
    assert [frame.index for frame in found] == [4, 5, 6]
    np.testing.assert_allclose(found[-1].bodies, baked(heavy)[-1].bodies, atol=1e-6)


def test_other_cables_and_bodies_settle_as_without_it():
    """A cable beside it, a falling body and a led one are where they are without the harness, in the scene's order."""
    alone = cable("alone", [0.0, 2.0, 0.0], [0.3, 2.0, -0.1], [0.6, 2.0, 0.0])
    falls = RigidBody("falls", np.array([0.0, 5.0, 0.0]), 1.0, np.eye(3))
    track = np.array([[0.0, 6.0, 0.0], [1.0, 6.0, 0.0]])
    goes = RigidBody(
        "goes", track[0], 1.0, np.eye(3), times=np.array([0.0, 1.0]), track=track, turn=np.tile(STILL, (2, 1))
    )
    given = why()
    more = replace(
        given, rods=(alone, *given.rods),
        pins=(
            Pin.fixed(alone, 0, rod=0), Pin.fixed(alone, -1, rod=0), *(replace(p, rod=1 + p.rod) for p in given.pins),
        ),
        bodies=(falls, given.bodies[0], goes), welds=tuple(replace(w, rod=1 + w.rod, body=1) for w in given.welds),
    )  # fmt: skip
    bare = replace(more, rods=(alone,), pins=more.pins[:2], bodies=(falls, goes), welds=())
    for whole, own, rest in zip(baked(more), baked(given), baked(bare), strict=True):
        np.testing.assert_array_equal(whole.x, np.concatenate([rest.x, own.x]))
        np.testing.assert_array_equal(whole.m1, np.concatenate([rest.m1, own.m1]))
        np.testing.assert_array_equal(whole.bodies, np.stack([rest.bodies[0], own.bodies[0], rest.bodies[1]]))


def test_what_touches_no_cable_goes_through_others_but_not_through_the_floor():
    """Two cables of a body, one of which is led across the other."""
    given = why()
    across = led(0, ENDS[0], ENDS[1] - ENDS[0] + [-0.1, 0.2, 0.0])
    ways = {}
    for touches in (True, False):
        rods = tuple(replace(rod, touches=touches) for rod in given.rods)
        ways[touches] = baked(replace(given, rods=rods, pins=(across, *given.pins[1:])))[-1].x
    free = baked(replace(given, pins=(across, *given.pins[1:]), contact=False))[-1].x
    np.testing.assert_allclose(ways[False], free, atol=1e-9)
    assert abs(ways[True] - free).max() > RADIUS


@pytest.mark.parametrize("points", [5, 6, 41])
@pytest.mark.parametrize("shape", ["ball", "box"])
def test_a_cable_that_is_led_takes_what_hangs_along_wherever_its_points_are(shape, points):
    """The lamp is between two points of it, .2 m apart, or at one; as a ball it is all radius."""
    ball = Shape(np.zeros((1, 3)), np.zeros((1, 3), np.int64), 0.02)
    lamp = RigidBody("lamp", np.zeros(3), 0.5, np.zeros((3, 3)), suspended=True)
    lamp = replace(lamp, shape=ball if shape == "ball" else box(0.04, np.zeros(3)))
    x = np.stack([np.full(points, 0.08), np.linspace(-0.5, 0.5, points), np.zeros(points)], axis=1)
    times, up = np.linspace(0.0, 1.0, 7), cable("cord", [0.0, 0.0, 0.02], [0.0, 0.0, 0.6])
    taut = Rod.from_material("taut", x, RADIUS, HOSE, model="cable", shape_memory=0.0)
    way = times[:, None] * [-0.15, 0.0, 0.0]
    ends = (Pin("end", 1, v, "POSITION", times, x[v] + way) for v in (0, points - 1))
    pins = (led(0, np.array([0.0, 0.0, 0.6])), *ends)
    frames = baked(Scene((up, taut), 1.0 / 6.0, 7, pins=pins, bodies=(lamp,), welds=(Weld("w", 0, 0, 0),)))
    share, off = np.linspace(0.0, 1.0, 101)[:, None, None], []
    for frame in frames:
        own = frame.x[POINTS:]
        off.append(np.linalg.norm(own[:-1] + share * np.diff(own, axis=0) - frame.bodies[0, :3], axis=-1).min())
    assert min(off) > 0.02
    assert frames[-1].bodies[0, 0] < -0.05


def test_held_by_hand_it_is_where_the_hand_has_it_and_let_go_it_hangs_again():
    led_ones = LedCables(replace(why(), frame_count=1))
    pins = np.array([[*pin.position[0], *STILL] for pin in led_ones.scene.pins])

    def settle(held):
        return led_ones.settle(pins, np.zeros((0, 13)), np.reshape(held, (-1, 8)), np.zeros((0, 4)))

    free = settle([])
    for z in np.linspace(0.0, 0.1, 4):
        pose = free.bodies[0] + [0.0, 0.0, z, 0.0, 0.0, 0.0, 0.0]
        held = settle([0.0, *pose])
        np.testing.assert_allclose(held.bodies[0, :3], pose[:3], atol=1e-6)
    far = settle([0.0, 0.0, 0.0, 3.0, *STILL])
    reach = [np.linalg.norm(far.bodies[0, :3] - pin.position[0]) for pin in led_ones.scene.pins]
    lengths = [np.linalg.norm(rod.edges(), axis=1).sum() for rod in led_ones.scene.rods]
    assert all(way < 1.01 * length for way, length in zip(reach, lengths, strict=True))
    again = settle([])
    np.testing.assert_allclose(again.bodies, free.bodies, atol=1e-6)
    np.testing.assert_allclose(again.x, free.x, atol=1e-6)


def test_where_a_body_holds_may_be_said():
    """Place and turn of a weld have the same effect as to draw it there."""
    given = why()
    off = np.array([0.01, 0.0, 0.02])
    welds = tuple(replace(weld, place=rod.x[0] + off) for weld, rod in zip(given.welds, given.rods, strict=True))
    moved = replace(given.bodies[0], position=off)
    one, other = baked(replace(given, welds=welds, bodies=(moved,))), baked(given)
    np.testing.assert_allclose(one[-1].x, other[-1].x, atol=1e-6)
    np.testing.assert_allclose(one[-1].bodies, other[-1].bodies, atol=1e-6)


def test_baked_anew_alone_a_cable_takes_all_that_hangs_with_it():
    given = why()
    frames = baked(given)
    rows = selected.rows_of(given, [(one.x, one.m1, one.bodies) for one in frames])
    choice = selected.Choice(given, given, rows, {"rods": [0], "bodies": [], "solids": []})
    assert choice.anew == {"rods": [0, 1, 2], "bodies": [0], "solids": []}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda s: replace(s, pins=()), "'join' hangs on cables, which are held by nothing else"),
        (lambda s: replace(s, welds=()), "no cable is tied to it"),
        (
            lambda s: replace(s, rods=(replace(s.rods[0], tautness=0.1), *s.rods[1:]), pins=s.pins[1:]),
            "'arm 0', on which 'join' hangs, finds its own length, but is held by nothing else",
        ),
        (
            lambda s: replace(s, rods=(replace(s.rods[0], model="kirchhoff"), *s.rods[1:])),
            "which is none, is tied to it",
        ),
        (
            lambda s: replace(
                s, bodies=(replace(s.bodies[0], times=TIMES[:1], track=np.zeros((1, 3)), turn=np.array([STILL])),)
            ),
            "follows an animation",
        ),
        (lambda s: replace(s, welds=(replace(s.welds[0], turn=np.ones(4)), *s.welds[1:])), "give a unit quaternion"),
        (lambda s: replace(s, welds=(replace(s.welds[0], place=np.full(3, np.nan)), *s.welds[1:])), "nowhere"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(change, told):
    with pytest.raises(SceneError, match=told):
        check(change(why()))


def between(reach, mass=0.05, **options):
    """A lamp on two cables of .5 m from pins 1 m apart, of which one goes so far [m]."""
    a, lamp, b = np.array([-0.4, 0.0, 0.0]), np.array([0.0, 0.0, -0.3]), np.array([0.4, 0.0, 0.0])
    rods = cable("left", lamp, a), cable("right", lamp, b)
    pins = led(0, a), led(1, b, (reach, 0.0, 0.0))
    body = RigidBody("lamp", lamp, mass, np.zeros((3, 3)), suspended=True)
    welds = tuple(Weld(f"w{k}", 0, k, 0, "POSITION") for k in range(2))
    return Scene(rods, 1.0 / (FRAMES - 1), FRAMES, **{"pins": pins, "bodies": (body,), "welds": welds, **options})


@pytest.mark.parametrize("mass", [0.001, 5.0])
def test_a_harness_that_is_too_short_goes_straight_and_tells_how_much_is_missing(mass):
    """Its pins are further apart than both cables are long; a heavy lamp pulls no pin off before."""
    said, given = [], between(0.3, mass)
    *_, last = [one for one in events(given) if isinstance(one, Frame) or said.append(one)]
    assert any("too short" in one.text for one in said)
    assert not any("finds no rest" in one.text for one in said)
    x = last.x.reshape(2, POINTS, 3)
    long = [np.linalg.norm(np.diff(own, axis=0), axis=1).sum() for own in x]
    np.testing.assert_allclose(long, [np.linalg.norm(rod.edges(), axis=1).sum() for rod in given.rods], rtol=1e-4)
    missing = 1.1 - np.linalg.norm(x[0, -1] - x[1, -1])
    assert missing == pytest.approx(last.cables[:, 2].sum(), abs=1e-3)
    near = baked(between(0.0, mass))[-1].x.reshape(2, POINTS, 3)
    for pin, own in zip(given.pins, near, strict=True):
        np.testing.assert_allclose(own[-1], pin.position[0], atol=1e-6)


def test_what_touches_no_cable_meets_colliders_as_others_do():
    """Beside one that touches cables, in the same group of the collision filter."""
    corners = np.array([[-1.0, -1.0, -0.35], [1.0, -1.0, -0.35], [1.0, 1.0, -0.35], [-1.0, 1.0, -0.35]])
    desk = Collider("desk", np.array([[0, 1, 2], [0, 2, 3]]), np.zeros(1), corners[None], friction=0.0)
    given = between(-0.4)
    rods = replace(given.rods[0], touches=False), given.rods[1]
    lowest = baked(replace(given, rods=rods, colliders=(desk,)))[-1].x[:, 2].min()
    assert lowest == pytest.approx(-0.35 + RADIUS, abs=1e-4)
