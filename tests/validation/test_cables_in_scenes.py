"""Cables in scenes: at rest at each frame where their pins and bodies are then, beside what moves in time."""

import re
from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import (
    Collider,
    Floor,
    Frame,
    Material,
    Notice,
    Pin,
    RigidBody,
    Rod,
    Scene,
    SceneError,
    SoftBody,
    Tie,
    Weld,
    settle_cable,
)  # fmt: skip
from tendril.physics.cables.equilibrium import BESIDE, Allowance
from tendril.physics.cables.handle import Handle
from tendril.physics.geometry.neighbours import nearest
from tendril.physics.run import cable, cables
from tendril.physics.run.simulate import events
from tendril.physics.run.taking_over import taken_over
from tendril.physics.scenes.measured import MEASURED
from tendril.physics.validate import CheckpointError, SimulationError, check, forecast

LENGTH, POINTS, FRAMES, FPS = 1.2, 31, 13, 24.0
TIMES = np.linspace(0.0, (FRAMES - 1) / FPS, FRAMES)
HOSE = Material(5e6, 0.45, 1200.0)
JELLY = SoftBody("jelly", np.vstack([np.zeros(3), 0.1 * np.eye(3)]), np.arange(4)[None], 1000.0, 1e5, 0.3)


def hose(**options):
    x = np.zeros((POINTS, 3))
    x[:, 0] = np.linspace(0.0, LENGTH, POINTS)
    return Rod.from_material("hose", x, 0.006, HOSE, **{"model": "cable", "shape_memory": 0.0, **options})


def ring():
    turn = 2.0 * np.pi * np.arange(POINTS) / POINTS
    x = 0.2 * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    return Rod.from_material("hose", x, 0.006, HOSE, model="cable", closed=True)


def lamp(rod, reach, mode="TWIST", number=0):
    """A pin of the end of a rod that goes from its start to `reach` of its length, and up."""
    share = np.linspace(0.0, 1.0, FRAMES)[:, None]
    way = rod.x[-1] + share * (np.array([reach * LENGTH, 0.0, 0.1 * LENGTH]) - [LENGTH, 0.0, 0.0])
    turn = np.stack([np.cos(share[:, 0]), np.sin(share[:, 0]), 0.0 * TIMES, 0.0 * TIMES], axis=1)
    return Pin("lamp", number, POINTS - 1, mode, TIMES, way, turn)


def scene(reach=0.6, **options):
    rod = options.pop("rod", hose())
    pins = (Pin.fixed(rod, 0, "TWIST", "plug", rod=0), lamp(rod, reach))
    return Scene((rod,), 1.0 / FPS, FRAMES, **{"pins": pins, **options})


def baked(given, state=None):
    found = list(events(given, state))
    return [one for one in found if isinstance(one, Frame)], [one for one in found if isinstance(one, Notice)]


def test_a_frame_is_the_equilibrium_of_its_handles():
    """Whichever way it came there: the last frame is what `settle_cable` finds from the drawing at once."""
    given = scene()
    frames, said = baked(given)
    rod, pin = given.rods[0], given.pins[1]
    plug, end = (Handle.drawn(rod, name, vertex=vertex, oriented=True) for name, vertex in (("plug", 0), ("lamp", -1)))
    s, c = np.sin(1.0), np.cos(1.0)
    w, v = end.orientation[0], end.orientation[1:]
    axis = np.array([1.0, 0.0, 0.0])
    turned = np.concatenate([[c * w - s * axis @ v], c * v + s * w * axis + s * np.cross(axis, v)])
    alone = settle_cable(rod, [plug, replace(end, position=pin.position[-1], orientation=turned)])
    assert len(frames) == FRAMES
    assert not said
    np.testing.assert_allclose(frames[-1].x, alone.points, atol=1e-6 * LENGTH)
    (measured,) = [dict(zip(MEASURED, row, strict=True)) for row in frames[-1].cables]
    own = alone.curvature.max(), alone.largest_tension, alone.across.max(), LENGTH
    np.testing.assert_allclose([measured[name] for name in ("curvature", "tension", "transverse", "length")], own, 1e-4)
    assert measured["missing"] == measured["chafing"] == 0.0


def test_it_finds_its_own_length_at_each_frame():
    """As `settle_cable` does from the drawing, however far what holds it goes; and keeps it when that is over."""
    given = scene(reach=1.4, rod=hose(tautness=0.05))
    frames, said = baked(given)
    assert not said
    lengths = [np.linalg.norm(np.diff(frame.x, axis=0), axis=1).sum() for frame in frames]
    assert LENGTH < lengths[0] < 1.05 * LENGTH
    assert lengths[-1] > 1.4 * LENGTH
    pin = given.pins[1]
    middle = given.frame_count // 2
    now = replace(pin, times=np.zeros(1), position=pin.position[[middle]], rotation=pin.rotation[[middle]])
    alone, _ = baked(replace(given, pins=(given.pins[0], now), frame_count=1))
    np.testing.assert_allclose(frames[middle].x, alone[0].x, atol=1e-6 * LENGTH)


def block(*ways):
    """A cube of 20 cm under the middle of the cable, which is led so (k, 3)."""
    x = np.array(list(np.ndindex(2, 2, 2))) - 0.5
    corners = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]]
    corners += [[2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
    at = np.array([0.5 * LENGTH, 0.0, -0.25]) + ways
    when = TIMES[np.linspace(0, FRAMES - 1, len(ways)).astype(int)]
    return Collider("block", np.array(corners), when, 0.2 * x + at[:, None])


def two():
    """One above the other, over a floor."""
    given = scene(floor=Floor(-0.1))
    other = replace(hose(), name="other", x=hose().x + [0.0, 1.0, 0.0])
    pins = (Pin.fixed(other, 0, "TWIST", "other plug", rod=1), lamp(other, 0.8, "POSITION", 1))
    return replace(given, rods=(*given.rods, other), pins=(*given.pins, *pins))


def clipped(**options):
    given = scene(**options)
    clip = replace(Pin.fixed(given.rods[0], POINTS // 2, "POSITION", "clip", rod=0), slides=True)
    return replace(given, pins=(*given.pins, clip))


GOING_ON = {
    "alone": scene(),
    "taut": scene(reach=1.2),
    "two": two(),
    "clipped": clipped(),
    "stretching": scene(reach=1.2, rod=hose(stretchable=True)),
    "own length": scene(reach=1.4, rod=hose(tautness=0.05)),
    "own length, clipped": clipped(reach=1.4, rod=hose(tautness=0.05)),
    "over a block": scene(colliders=(block([0.0, 0.0, 0.0]),)),
    "over one that stops": clipped(
        colliders=(block([0.1, 0.0, -0.1], [0.12, 0.0, -0.08], [0.12, 0.0, -0.08]),), floor=Floor(-0.3)
    ),
}


@pytest.mark.parametrize("given", GOING_ON.values(), ids=GOING_ON)
def test_what_goes_on_comes_to_the_same_bytes(given, monkeypatch):
    """What is said as well; it settles what comes, and nothing that was before."""
    frames, said = baked(given)
    settled = []
    monkeypatch.setattr(
        cable, "settle_cable", lambda rod, *of, **more: settled.append(rod) or settle_cable(rod, *of, **more)
    )
    for begin in (4, FRAMES - 2) if not given.colliders else (FRAMES - 4,):
        settled.clear()
        later, again = baked(given, frames[begin].state)
        assert [frame.index for frame in later] == list(range(begin + 1, FRAMES))
        assert len(settled) == len(later) * len(given.rods)
        assert again == said
        for one, other in zip(later, frames[begin + 1 :], strict=True):
            for name in ("x", "m1", "cables"):
                assert getattr(one, name).tobytes() == getattr(other, name).tobytes()
            assert one.state.keys() == other.state.keys()
            assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)


def test_a_state_that_is_not_the_scenes_is_refused():
    """Of each array of cables; kernels follow the numbers in them."""
    given = GOING_ON["over a block"]
    state = dict(baked(replace(given, frame_count=5))[0][-1].state)
    own = [name for name in state if name.startswith(("cables.", "cable_points.", "handles."))]
    assert len(own) > 20
    assert len(state["surface_pairs.i"]) > 0
    own += ["surface_pairs.i", "surface_pairs.j", "surface_pairs.force"]
    changes = [{name: state[name][..., None]} for name in own]
    changes += [{name: state[name][1:]} for name in own if len(state[name])]
    changes += [{name: state[name].astype(np.float32)} for name in own]
    changes += [
        {name: np.full_like(state[name], np.nan)} for name in own if state[name].dtype == float and len(state[name])
    ]
    changes += [
        {name: state[name] + change}
        for name in ("surface_pairs.i", "surface_pairs.j", "cable_points.collider")
        for change in (1000, -1000)
    ]
    changes += [{f"cables.{name}": state[f"cables.{name}"] - 1000} for name in ("frame", "noted", "first", "which")]
    changes += [
        {"cables.more": np.zeros(1)},
        {"version": state["version"] + 1},
        {"index": np.zeros(1)},
        {"index": np.array("4")},
    ]
    for change in changes:
        with pytest.raises(CheckpointError):
            list(events(given, state | change))
    for name in (*own, "version", "index"):
        with pytest.raises(CheckpointError):
            list(events(given, {other: array for other, array in state.items() if other != name}))
    with pytest.raises(CheckpointError):
        list(events(given, {}))


def test_where_it_finds_no_rest_as_it_goes_on_it_stays_where_it_was(monkeypatch):
    given = replace(GOING_ON["over a block"], frame_count=6)
    frames, _ = baked(given)

    def settle(rod, handles, **options):
        raise SimulationError(rod.name, "no rest")

    monkeypatch.setattr(cable, "settle_cable", settle)
    for one in baked(given, frames[4].state)[0]:
        assert one.x.tobytes() == frames[4].x.tobytes()
        assert one.m1.tobytes() == frames[4].m1.tobytes()
        assert one.cables.tobytes() == frames[4].cables.tobytes()


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("alone", {"bend_stiffness": 3.0}), ("two", {"bend_stiffness": 0.3}), ("clipped", {"mass": 2.0}),
        ("alone", {"rest_length_factor": 1.2}),
    ],
)  # fmt: skip
def test_with_other_settings_it_goes_on_from_where_it_rests(name, change, monkeypatch):
    """It comes to where it rests with these, without friction the same whichever way it came; of what was before
    nothing is settled again.
    """
    given = GOING_ON[name]
    given = replace(given, rods=tuple(replace(rod, friction=0.0) for rod in given.rods))
    begun = dict(baked(given)[0][4].state)
    ((what, factor),) = change.items()
    other = replace(
        given, rods=(replace(given.rods[0], **{what: factor * getattr(given.rods[0], what)}), *given.rods[1:])
    )
    whole, _ = baked(other)
    settled = []
    monkeypatch.setattr(
        cable, "settle_cable", lambda rod, *of, **more: settled.append(rod) or settle_cable(rod, *of, **more)
    )
    frames, _ = baked(other, taken_over(other, given, begun))
    assert len(frames) == FRAMES - 5
    assert len(settled) == len(frames) * len(given.rods)
    assert abs(whole[5].x - baked(given)[0][5].x).max() > 1e-3
    for one, again in zip(frames, whole[5:], strict=True):
        np.testing.assert_allclose(one.x, again.x, atol=1e-5 * LENGTH)


@pytest.mark.parametrize("name", ["clipped", "over a block"])
def test_what_is_held_or_meets_something_else_goes_on(name):
    """It is where all that holds it is, and nowhere in the block."""
    given, other = GOING_ON["alone"], replace(GOING_ON[name], frame_count=7)
    frames, _ = baked(other, taken_over(other, given, dict(baked(given)[0][4].state)))
    assert [frame.index for frame in frames] == [5, 6]
    for frame in frames:
        np.testing.assert_allclose(frame.x[0], given.rods[0].x[0], atol=1e-6)
        np.testing.assert_allclose(frame.x[-1], given.pins[1].position[frame.index], atol=1e-6)
        if name == "clipped":
            assert np.linalg.norm(frame.x - other.pins[-1].position[0], axis=1).min() < 1e-6
        else:
            assert np.abs(frame.x - [0.5 * LENGTH, 0.0, -0.25]).max(axis=1).min() > 0.1


def test_a_taut_cable_holds_back_what_is_dragged_and_says_so_once():
    """Straight towards the hand, whose end is as near as the cable reaches; back in reach the hand has it again."""
    given = scene(reach=1.2)
    way = given.pins[1].position.copy()
    way[-3:] = way[0] * [0.9, 1.0, 1.0]
    frames, said = baked(replace(given, pins=(given.pins[0], replace(given.pins[1], position=way))))
    reach = [np.linalg.norm(frame.x[-1]) for frame in frames]
    np.testing.assert_allclose(reach[1:-3], LENGTH, rtol=1e-3)
    np.testing.assert_allclose(frames[-1].x[-1], way[-1], atol=1e-6)
    missing = np.linalg.norm(way[-4]) - LENGTH
    assert max(frame.cables[0, 2] for frame in frames) == pytest.approx(missing, rel=0.05)
    (notice,) = said
    assert (notice.object, notice.frame) == ("hose", 1)
    assert float(re.search(r"is ([\d.]+) m too short", notice.text)[1]) == pytest.approx(missing, rel=0.05)


def test_where_it_finds_no_rest_it_stays_and_is_told(monkeypatch):
    def settle(rod, handles, **options):
        if options["time"] in TIMES[[3, 5]]:
            raise SimulationError(rod.name, "no rest")
        return settle_cable(rod, handles, **options)

    monkeypatch.setattr(cable, "settle_cable", settle)
    frames, said = baked(scene())
    assert frames[3].x.tobytes() == frames[2].x.tobytes()
    assert abs(frames[4].x - frames[3].x).max() > 1e-3
    (notice,) = said
    assert (notice.frame, "as at 1 more, and stays as it was" in notice.text) == (3, True)


def test_what_is_bent_too_tightly_is_told_once_where_it_is_most():
    given = scene()
    frames, said = baked(given)
    assert not said
    bent = np.array([frame.cables[0, 0] for frame in frames])
    limit = 1.0 / np.sort(bent)[-3:-1].mean()  # more than what is reached in the frames of the two tightest
    rod = replace(given.rods[0], bend_limit=limit)
    _, (notice,) = baked(replace(given, rods=(rod,)))
    assert (notice.object, notice.frame) == ("hose", int(bent.argmax()))
    assert f"to a radius of {1.0 / bent.max():.3g} m at this frame" in notice.text
    assert f"where it may be to {limit:.3g} m" in notice.text
    _, (again,) = baked(replace(given, rods=(rod,)), frames[4].state)
    assert again == notice


def test_what_begins_out_of_reach_is_refused():
    rod = hose(rest_length_factor=0.9)
    with pytest.raises(SceneError, match=r"0\.12 m too short to reach from 'plug' to 'lamp'"):
        list(events(scene(rod=rod)))


def test_other_rods_do_not_feel_it_and_it_goes_with_a_body():
    """A rod and a body beside it come to the bytes that they come to alone; an end welded to the body falls with it."""
    rope = hose(model="kirchhoff")
    rope = replace(rope, name="rope", x=rope.x + [0.0, 1.0, 0.0])
    ball = RigidBody("ball", np.array([0.5 * LENGTH, 2.0, 0.0]), 0.1, 1e-4 * np.eye(3))
    hook = Pin.fixed(rope, 0, "TWIST", "hook", rod=0)
    alone = Scene((rope,), 1.0 / FPS, 4, pins=(hook,), bodies=(ball,), contact=False)
    cable = hose()
    cable = replace(cable, x=cable.x[::-1] * [-0.5, 0.0, 0.0] + ball.position, rest_length_factor=2.5)
    plug = Pin.fixed(cable, 0, "POSITION", "plug", rod=0)
    pins = (plug, replace(hook, rod=1))
    weld = Weld("tie", 0, 0, POINTS - 1, "POSITION")
    both = replace(alone, rods=(cable, rope), pins=pins, welds=(weld,))
    frames, _ = baked(both)
    for own, joined in zip(baked(alone)[0], frames, strict=True):
        assert joined.x[POINTS:].tobytes() == own.x.tobytes()
        assert joined.bodies.tobytes() == own.bodies.tobytes()
        np.testing.assert_allclose(joined.x[POINTS - 1], joined.bodies[0, :3], atol=1e-8)
    assert frames[-1].bodies[0, 2] < -0.05
    later, _ = baked(both, frames[1].state)
    assert later[-1].x.tobytes() == frames[-1].x.tobytes()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"pins": ()}, "held by nothing"),
        ({"rods": (hose(balanced=True),)}, "Hold Drawn Shape"),
        ({"rods": (ring(),)}, "closed loop"),
        ({"rods": (hose(model="kirchhoff", tautness=0.1),)}, "no cable, which alone"),
        ({"rods": (hose(stretchable=True, tautness=0.1),)}, "cannot stretch besides"),
        (
            {"rods": (hose(model="kirchhoff", natural_curvature=np.array([1.0, 0.0])),)},
            "is no cable, which alone comes off a spool: draw the shape it is to keep",
        ),
        (
            {"rods": (hose(natural_curvature=np.array([0.0, 1.01 / 0.006])),)},
            "comes off a spool of radius .* less than its own, .* set a larger Spool Radius",
        ),
        ({"pins": (Pin.fixed(hose(), 3, "DIRECTION", rod=0),)}, "place and direction alone"),
        ({"pins": (replace(Pin.fixed(hose(), 0, rod=0), slides=True),)}, "holds an end"),
        ({"pins": (replace(Pin.fixed(hose(), 3, rod=0), influence=np.zeros(1)),)}, "never let go"),
        (
            {"rods": (hose(model="kirchhoff"),), "pins": (replace(Pin.fixed(hose(), 3, rod=0), slides=True),)},
            "no cable",
        ),
        ({"pins": (Pin.fixed(hose(), 0, rod=0), Pin.fixed(hose(), 0, rod=0, name="too"))}, "hold the same point 0"),
        ({"solids": (JELLY,), "ties": (Tie("tie", 0, np.arange(4), vertex=(0, 0)),)}, "nothing feels"),
    ],
)
def test_what_cannot_be_is_refused(change, sentence):
    with pytest.raises(SceneError, match=sentence):
        check(replace(scene(), **change))


def test_it_lies_on_the_floor_and_goes_with_a_collider():
    """Its radius above either, and pushed up by a plate that rises; where they are not to meet it hangs through."""
    floor = Floor(-0.1)
    frames, _ = baked(scene(floor=floor))
    for frame in frames[4:]:
        assert frame.x[:, 2].min() == pytest.approx(-0.1 + 0.006, abs=1e-6)
    corners = np.array([[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [0.0, 4.0, 0.0]])
    heights = np.array([-0.3, -0.05])
    plate = Collider(
        "plate", np.arange(3)[None], TIMES[[0, -1]], np.array([corners + [0.0, 0.0, height] for height in heights])
    )
    frames, _ = baked(scene(colliders=(plate,)))
    rises = np.linspace(*heights, FRAMES)
    lowest = [frame.x[:, 2].min() - height for frame, height in zip(frames, rises, strict=True)]
    np.testing.assert_allclose(lowest[-4:], 0.006, atol=1e-6)
    assert min(lowest) > 0.006 - 1e-6
    apart = replace(scene(colliders=(replace(plate, group=1),)), collision_filter=((0, 1),))
    assert baked(apart)[0][-1].x[:, 2].min() < -0.2


def beside(low=0.995, **options):
    """A cable that is led down across another one, and a third that is nowhere near."""
    x, names = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 31), ("low", "up", "far")
    across = x[:, [1, 0, 2]] + [0.5, -0.5, 0.05]
    rods = tuple(replace(hose(), name=name, x=one) for name, one in zip(names, (x, across, x + [0, 3, 0]), strict=True))
    ends = ([0, 0, 0], [low, 0, 0]), ([0.5, -0.4, -0.36], [0.5, 0.4, -0.36]), ([0, 3, 0], [0.8, 3, 0])
    pins = []
    for number, (rod, places) in enumerate(zip(rods, ends, strict=True)):
        for vertex, place in zip((0, 30), places, strict=True):
            way = rod.x[vertex] + np.linspace(0.0, 1.0, FRAMES)[:, None] * (np.array(place) - rod.x[vertex])
            name = f"{rod.name} {vertex}"
            pins.append(Pin(name, number, vertex, "POSITION", TIMES, way, np.tile([1.0, 0, 0, 0], (FRAMES, 1))))
    return Scene(rods, 1.0 / FPS, FRAMES, **{"pins": tuple(pins), **options})


def gap(frame, rods=(0, 1), apart=None):
    """Least distance of two cables of the same points, or of places of one that are further `apart` along it."""
    a, b = (frame.x[POINTS * k : POINTS * (k + 1)] for k in rods)
    i, j = (k.ravel() for k in np.indices((POINTS - 1, POINTS - 1)))
    if apart:
        arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(a, axis=0), axis=1))])
        i, j = i[arc[j] - arc[i + 1] > apart], j[arc[j] - arc[i + 1] > apart]
    return float(nearest(a[i], a[i + 1], b[j], b[j + 1])[2].min())


def test_cables_lie_on_each_other_and_others_rest_alone():
    """What crosses keeps two radii off, until it is taut and holds back what is dragged; what is nowhere near comes to
    the bytes that it comes to by itself; and what goes on goes on so.
    """
    given = beside()
    frames, said = baked(given)
    assert all(gap(frame) > 0.012 * (1.0 - 1e-6) for frame in frames)
    np.testing.assert_allclose([gap(frame) for frame in frames[1:]], 0.012, rtol=1e-6)
    assert len(frames[-1].state["pairs.i"]) > 0
    assert [("too short" in notice.text, notice.object in {"low", "up"}) for notice in said] == [(True, True)]
    alone = replace(given, rods=given.rods[2:], pins=tuple(replace(pin, rod=0) for pin in given.pins[4:]))
    for one, own in zip(frames, baked(alone)[0], strict=True):
        assert one.x[2 * POINTS :].tobytes() == own.x.tobytes()
    for one, again in zip(frames[6:], baked(given, frames[5].state)[0], strict=True):
        assert one.x.tobytes() == again.x.tobytes()


def test_where_what_touches_finds_no_rest_it_goes_through_and_is_told(monkeypatch):
    """Each comes to where it rests by itself."""

    def settle(given, **options):
        raise SimulationError(given[0][0].name, "no rest")

    monkeypatch.setattr(cables, "settle_harness", settle)
    given = replace(beside(), frame_count=4)
    frames, said = baked(given)
    for one, apart in zip(frames, baked(replace(given, contact=False))[0], strict=True):
        assert one.x.tobytes() == apart.x.tobytes()
    assert [(notice.object, notice.frame) for notice in said] == [("low", 1), ("up", 1)]
    assert all("finds no rest beside what it touches" in notice.text for notice in said)


def test_a_frame_takes_no_more_than_it_may_and_what_is_cut_is_told(monkeypatch):
    """However often a group settles for it: each cable comes to where it rests by itself where there is no more."""
    given, allowed = replace(beside(), frame_count=4), []

    def allowance(left=2e4):
        allowed.append(Allowance(left))
        return allowed[-1]

    monkeypatch.setattr(cables, "Allowance", allowance)
    _, said = baked(given)
    assert min(own.left for own in allowed) <= 0.0
    size = 2 * (POINTS + BESIDE)  # a settling ends with the factors that it is at, of a coupling of a few rows
    assert min(own.left for own in allowed) > -10.0 * 3.0 * size
    assert {notice.object for notice in said} == {"low", "up"}
    assert all("rest" in notice.text for notice in said)


@pytest.mark.parametrize("how", ["groups", "contact", "touches"])
def test_cables_that_are_not_to_meet_go_through_each_other(how):
    given = beside(contact=how != "contact")
    if how == "groups":
        rods = given.rods[0], *(replace(rod, group=1) for rod in given.rods[1:])
        given = replace(given, rods=rods, collision_filter=((0, 1),))
    elif how == "touches":
        given = replace(given, rods=(replace(given.rods[0], touches=False), *given.rods[1:]))
    frames, said = baked(given)
    assert not said
    assert gap(frames[-1]) > 0.1


def test_a_cable_lies_on_itself():
    """One end is led around the other, and the sides of the bight wind around each other."""
    turn = np.linspace(0.0, np.pi, POINTS)
    x = np.stack([0.1 - 0.1 * np.cos(turn), 0.0 * turn, -0.3 * np.sin(turn)], axis=1)
    rod = Rod.from_material("hose", x, 0.006, Material(2e5, 0.45, 1200.0), model="cable", shape_memory=0.0)
    angle, near = 2.0 * np.pi * TIMES / TIMES[-1], np.maximum(1.0 - 2.1 * TIMES / TIMES[-1], 0.3)
    way = 0.2 * (near * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle])).T
    pins = Pin.fixed(rod, 0, "TWIST", "a", rod=0), Pin("b", 0, POINTS - 1, "TWIST", TIMES, way, np.eye(4)[[0] * FRAMES])
    given = Scene((rod,), 1.0 / FPS, FRAMES, pins=pins)
    frames, said = baked(given)
    apart = [gap(frame, (0, 0), np.pi * 0.006) for frame in frames]
    assert not said
    assert min(apart) > 0.012 * (1.0 - 1e-6)
    assert apart[-1] < 0.012 * (1.0 + 1e-6)
    assert baked(given, frames[-3].state)[0][-1].x.tobytes() == frames[-1].x.tobytes()


def test_it_foresees_the_time_of_cables():
    assert 0.0 < forecast(scene()).seconds < 1.0
    assert "cables come to rest" in forecast(scene()).text
