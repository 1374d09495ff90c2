"""What an artist is told of pins that give way: once for one cause, wherever the pin is; and who is to blame when a rod
cannot go on.
"""

from dataclasses import replace

import numpy as np
import pytest
from jointed import alone, body
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.failure import failure as blame
from tendril.physics.run.simulate import events, simulate
from tendril.physics.scene import PIN_MODES, Frame, Notice, Pin, Rod, Scene, Weld
from tendril.physics.time_integration.advance import advance
from tendril.physics.time_integration.symplectic_euler import NOT_FINITE, OVERSTRETCHED, TOO_DEEP, TOO_FAR
from tendril.physics.validate import SimulationError

CORD = Material(5e6, 0.4, 1200.0, internal_damping=0.01)
EDGE = 0.02


def cord(name="cord", start=(0.0, 0.0, 0.0), way=(1.0, 0.0, 0.0), edges=20, **options):
    x = np.asarray(start) + EDGE * np.arange(edges + 1)[:, None] * np.asarray(way)
    return Rod.from_material(name, x, 0.005, CORD, **options)


def hoop(edges=24):
    s = 2.0 * np.pi * np.arange(edges) / edges
    return Rod.from_material("cord", 0.07 * np.stack([np.cos(s), np.sin(s), 0.0 * s], axis=1), 0.004, CORD, closed=True)


def hand(rod, vertex, times, way, mode="POSITION", name="hand", number=0):
    """A pin that moves along `way` (k, 3) and yields."""
    vertex %= len(rod.x)
    return Pin(name, number, vertex, mode, np.asarray(times), rod.x[vertex] + np.asarray(way), max_force=None)


def adrift(*rods, pins=(), **options):
    options = {"gravity": np.zeros(3), "air_density": 1.2, "contact": False, **options}
    return Scene(rods, 0.05, options.pop("frame_count", 9), pins=tuple(pins), **options)


def told(scene):
    notices = []
    list(simulate(scene, notices=notices.append))
    return notices


@pytest.mark.parametrize("mode", PIN_MODES)
@pytest.mark.parametrize(
    ("shape", "vertex", "other"),
    [("open", 0, -1), ("open", 6, -1), ("open", -1, 0), ("closed", 0, 12), ("closed", 5, 17), ("closed", 23, 11)],
)
def test_a_pin_that_lags_is_told_wherever_it_is(shape, vertex, other, mode):
    """A few millimetres, an eighth of an edge, more than there is."""
    rod = cord() if shape == "open" else hoop()
    other %= len(rod.x)
    away = rod.x[vertex] - rod.x[other]
    span = np.linalg.norm(away)
    there_is = (
        EDGE * abs(other - vertex % len(rod.x)) if shape == "open" else 0.5 * np.linalg.norm(rod.edges(), axis=1).sum()
    )
    way = np.array([[0.0], [(there_is + 0.0025) / span - 1.0]]) * away
    wall = Pin.fixed(rod, other, name="wall", rod=0)
    (notice,) = told(adrift(rod, pins=[wall, hand(rod, vertex, [0.0, 0.3], way, mode)], frame_count=20))
    assert notice.object == "hand"
    assert "'hand' asks for 0.0" in notice.text
    assert "more than 'cord' can give: the pin yields." in notice.text


def test_what_happens_again_and_again_is_told_once_and_again_when_it_is_worse():
    rod = cord()
    reach = 0.03 * np.array([0, 1, 0, 1, 0, 1, 0, 1, 0, 4, 4])
    way = np.outer(reach, [1.0, 0.0, 0.0])
    pins = [Pin.fixed(rod, 0, name="wall", rod=0), hand(rod, -1, 0.2 * np.arange(11), way)]
    notices = told(adrift(rod, pins=pins, frame_count=42))
    assert len(notices) == 2
    assert 4 * 8 < notices[1].frame <= 4 * 9  # on the way from the eighth target to the ninth


def test_what_is_told_is_how_far_a_pin_comes_to_lag_from_when_it_began():
    """It asks for ever more, by 12 cm at last; and for as much again after a rest, and for three times as much."""
    rod = cord()
    reach = np.array([[0.0], [0.12], [0.12], [0.2], [0.4], [0.4]]) * (1.0, 0.0, 0.0)
    pins = [Pin.fixed(rod, 0, name="wall", rod=0), hand(rod, -1, [0.0, 0.6, 0.8, 1.0, 1.2, 1.4], reach)]
    first, second = told(adrift(rod, pins=pins, frame_count=29))
    most = [float(notice.text.removeprefix("'hand' asks for ").split()[0]) for notice in (first, second)]
    assert most == pytest.approx([0.12, 0.4], rel=0.1)
    assert first.frame <= 2
    assert 16 < second.frame <= 24
    (cut,) = told(adrift(rod, pins=pins, frame_count=9))
    assert float(cut.text.split()[3]) == pytest.approx(0.12 * 8 / 12, rel=0.1)


def test_causes_that_have_nothing_to_do_with_each_other_are_told_apart_and_one_cause_once():
    rods = [cord(f"cord {k}", (0.0, 0.1 * k, 0.0)) for k in range(3)]
    ends = [(vertex, sign * np.array([0.05, 0.0, 0.0])) for vertex, sign in ((0, -1.0), (-1, 1.0))]
    pins = [
        hand(rod, vertex, [0.0, 0.3], [np.zeros(3), way], name=f"{k} {vertex}", number=k)
        for k, rod in enumerate(rods)
        for vertex, way in ends
    ]
    notices = told(adrift(*rods, pins=pins, contact=True))
    assert [notice.object for notice in notices] == ["0 0", "1 0", "2 0"]
    assert all(f"'{k} 0' and '{k} -1' ask for" in notice.text for k, notice in enumerate(notices))
    assert all(f"more than 'cord {k}' can give: they yield." in notice.text for k, notice in enumerate(notices))


def test_rods_that_are_drawn_through_each_other_are_told_once():
    """Four pins lag and recover while two ropes press through each other's way; one sentence names both ropes."""
    one, two = cord("one", (-0.2, 0.0, 0.006)), cord("two", (0.0, -0.2, -0.006), (0.0, 1.0, 0.0))
    times, up = 0.1 * np.arange(12), np.array([0, 1, 3, 5, 4, 6, 5, 7, 6, 8, 7, 9]) * 0.01
    pins = [
        hand(rod, vertex, times, np.outer(sign * up, [0.0, 0.0, 1.0]), name=f"{rod.name} {vertex}", number=number)
        for number, (rod, sign) in enumerate(((one, -1.0), (two, 1.0)))
        for vertex in (0, -1)
    ]
    notices = told(adrift(one, two, pins=pins, contact=True, frame_count=26))
    assert 1 <= len(notices) <= 2
    assert "more than 'one' and 'two', pressed against each other, can give: they yield." in notices[0].text


def trespasser():
    """A rod between a wall and a kinematic body that goes out of reach, back, and out again."""
    rod = cord()
    s = np.arange(25)
    reach = np.interp(s, [0, 6, 10, 14, 18, 24], [0.0, 0.06, 0.06, -0.05, -0.05, 0.09])
    track = rod.x[-1] + np.outer(reach, [1.0, 0.0, 0.0]) + [0.01, 0.0, 0.0]
    crane = body("crane", track[0], times=0.05 * s, track=track, turn=np.tile([1.0, 0.0, 0.0, 0.0], (25, 1)))
    scene = alone([rod], [crane], [Weld("hook", 0, 0, 20)], [Pin.fixed(rod, 0, name="wall", rod=0)], frame_count=25)
    return replace(scene, frame_duration=0.05, gravity=np.array([0.0, 0.0, -9.81]), air_density=1.2)


@pytest.fixture(scope="module")
def whole():
    return list(events(trespasser()))


@pytest.mark.parametrize("after", [2, 7, 12, 14, 18, 21])
def test_a_bake_with_a_pin_that_gave_way_resumes_to_the_same_bytes_and_notices(whole, after):
    assert sum(isinstance(item, Notice) for item in whole) >= 1
    begun = next(item for item in whole if isinstance(item, Frame) and item.index == after)
    rest = list(events(trespasser(), {name: np.array(value) for name, value in begun.state.items()}))
    expected = whole[[item is begun for item in whole].index(True) + 1 :]
    assert [type(item) for item in rest] == [type(item) for item in expected]
    for item, then in zip(rest, expected, strict=True):
        if isinstance(item, Notice):
            assert item == then
        else:
            assert item.x.tobytes() == then.x.tobytes()
            assert item.m1.tobytes() == then.m1.tobytes()
            assert item.bodies.tobytes() == then.bodies.tobytes()


def failure(scene):
    """What is said when a scene fails."""
    with pytest.raises(SimulationError) as caught:
        list(simulate(scene))
    return caught.value


def test_a_failure_names_the_rod_that_failed():
    """Of two rigs in one island, each a body on two rods, the second is pulled apart."""
    rods, bodies, welds, pins = [], [], [], []
    for k, pull in enumerate((0.0, 0.2)):
        sides = [
            cord(f"{side} {k}", (0.5 * k, sign * 0.02, 0.0), (0.0, sign, 0.0))
            for side, sign in (("left", -1), ("right", 1))
        ]
        bodies.append(body(f"bead {k}", [0.5 * k, 0.0, 0.0]))
        for n, rod in enumerate(sides, start=2 * k):
            away = np.array([[0.0, 0.0, 0.0], (rod.x[-1] - rod.x[0]) * pull])
            welds.append(Weld(f"knot {n}", k, n, 0))
            pins.append(Pin(f"hand {n}", n, 20, "POSITION", np.array([0.0, 0.3]), rod.x[20] + away))
        rods += sides
    scene = alone(rods, bodies, welds, pins, contact=True, frame_count=20)
    status, rod, *_ = advance(*assemble(scene), 0.3, 0.6, np.inf)
    assert status == OVERSTRETCHED
    assert rod in (2, 3)
    error = failure(scene)
    assert error.object in ("left 1", "right 1")
    assert "its pins ask for more length than it has" in str(error)


def test_a_body_that_is_too_fast_is_named_itself():
    rod = cord()
    lamp = body("lamp", rod.x[-1] + [0.03, 0.0, 0.0], v=np.array([1e6, 3e5, 0.0]))
    scene = alone([rod], [lamp], [Weld("tie", 0, 0, 20)], [Pin.fixed(rod, 0, rod=0)], frame_count=4)
    model, state, _ = assemble(scene)
    name, reason = blame(scene, model, state, NOT_FINITE, 0, 0, 1.0)
    assert name == "lamp"
    assert "1.04e+06 m/s" in reason


@pytest.mark.parametrize("pinned", [False, True])
def test_nobody_asks_for_length_where_gravity_is_beyond_all_measure(pinned):
    rod = cord()
    pins = [Pin.fixed(rod, 0, rod=0), Pin.fixed(rod, 20, rod=0)] if pinned else []
    scene = adrift(rod, pins=pins, gravity=np.array([0.0, 0.0, -1e30]), air_density=0.0)
    model, state, _ = assemble(scene)
    for status in (OVERSTRETCHED, NOT_FINITE, TOO_FAR):
        _, reason = blame(scene, model, state, status, 0, 0, 1.0)
        assert "more length" not in reason
        assert "gravity" in reason


@pytest.mark.parametrize("apart", [1.0, 1.01])
def test_exact_pins_that_draw_a_rod_straight_are_named(apart):
    """By explicit steps, and where they ask for no more length than it has."""
    rod = cord()
    end = rod.x[20] + (apart - 1.0) * (rod.x[20] - rod.x[0])
    far = Pin("hand", 0, 20, "POSITION", np.array([0.0, 0.1]), np.array([rod.x[20], end]))
    scene = adrift(rod, pins=[Pin.fixed(rod, 0, rod=0), far])
    model, state, _ = assemble(scene)
    for status in (OVERSTRETCHED, NOT_FINITE, TOO_FAR):
        _, reason = blame(scene, model, state, status, 0, 0, 1.0)
        assert ("draw it straight" in reason) == (apart == 1.0)
        assert ("more length" in reason) == (apart > 1.0)
        _, reason = blame(replace(scene, solver="IMPLICIT"), model, state, status, 0, 0, 1.0)
        assert "draw it straight" not in reason


def test_nobody_asks_for_length_where_there_is_no_pin():
    """Nor where there are only some that yield."""
    rod = cord()
    for pins in ((), (hand(rod, 0, [0.0], np.zeros((1, 3))),)):
        scene = adrift(rod, pins=pins)
        model, state, _ = assemble(scene)
        for status in (OVERSTRETCHED, TOO_DEEP):
            name, reason = blame(scene, model, state, status, 0, 0, 1.0)
            assert name == "cord"
            assert "pin" not in reason
