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
from tendril.physics.cables.handle import Handle
from tendril.physics.run import cables
from tendril.physics.run.simulate import events
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
    np.testing.assert_allclose(frames[-1].cables, [[alone.curvature.max(), alone.largest_tension, 0.0]], rtol=1e-4)


def test_what_goes_on_comes_to_the_same_bytes():
    given = scene()
    frames, _ = baked(given)
    later, _ = baked(given, frames[4].state)
    assert [frame.index for frame in later] == list(range(5, FRAMES))
    for one, other in zip(later, frames[5:], strict=True):
        assert one.x.tobytes() == other.x.tobytes()
        assert one.m1.tobytes() == other.m1.tobytes()
    with pytest.raises(CheckpointError):
        list(events(given, {}))


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

    monkeypatch.setattr(cables, "settle_cable", settle)
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
        ({"rods": (hose(stretchable=True),)}, "keeps its length: turn off Stretchable"),
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


def test_it_foresees_the_time_of_cables():
    assert 0.0 < forecast(scene()).seconds < 1.0
    assert "cables come to rest" in forecast(scene()).text
