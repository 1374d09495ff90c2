"""How hard cables are pulled, pressed and worn: told where it is more than they may be."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import Collider, Frame, Material, Notice, Pin, Rod, Scene
from tendril.physics.cables.surroundings import moved, surroundings
from tendril.physics.run.simulate import events
from tendril.physics.scenes.measured import MEASURED, worst
from tendril.physics.scenes.taut import taut

FRAMES, FPS, POINTS, LENGTH = 7, 24.0, 41, 1.2
TIMES = np.arange(FRAMES) / FPS
LIMP = Material(1e8, 0.45, 1000.0, friction=0.0)
PULL = 1.0  # N, 30 times what buckles it; it bends over twice as much of its length as a segment
BOX = np.array(list(np.ndindex(2, 2, 2))) - 0.5
FACES = np.array([
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
    [1, 5, 7], [1, 7, 3],
])  # fmt: skip


def measured(frame, name):
    return frame.cables[0, MEASURED.index(name)]


def over_an_edge(angle, way, block=0.0, points=POINTS, **options):
    """A taut cable that is pulled by PULL over an edge of a block, by which it turns, led along itself by a way in all,
    while the block moves along the edge.
    """
    along = np.array([-np.cos(angle / 2.0), 0.0, -np.sin(angle / 2.0)])
    down = along * [-1.0, 1.0, 1.0]
    s = np.linspace(-0.5 * LENGTH, 0.5 * LENGTH, points)
    x = np.where(s[:, None] < 0.0, -s[:, None] * along, s[:, None] * down)
    rod = Rod.from_material("hose", x, 0.002, LIMP, model="cable", shape_memory=0.0, **options)
    share = np.linspace(0.0, 1.0, FRAMES)[:, None]
    hand = Pin("hand", 0, points - 1, "POSITION", TIMES, x[-1] + way * share * down)
    weight = Pin("weight", 0, 0, "POSITION", np.zeros(1), (x[0] + 0.02 * along)[None], max_force=PULL)
    c = np.sqrt(0.5)
    corners = 0.4 * BOX @ np.array([[c, 0.0, c], [0.0, 1.0, 0.0], [-c, 0.0, c]]).T
    corners -= [0.0, 0.0, corners[:, 2].max() + 0.002]
    moves = corners + block * share[:, :, None] * [0.0, 1.0, 0.0]
    edge = Collider("block", FACES, TIMES, moves)
    return Scene((rod,), 1.0 / FPS, FRAMES, pins=(weight, hand), colliders=(edge,), gravity=np.zeros(3))


def baked(given, state=None):
    found = list(events(given, state))
    return [one for one in found if isinstance(one, Frame)], [one for one in found if isinstance(one, Notice)]


def press(frame):
    """2 T sin(β/2) [N]."""
    ends = np.diff(frame.x, axis=0)[[0, -1]]
    along = ends / np.linalg.norm(ends, axis=1)[:, None]
    return PULL * np.linalg.norm(along[1] - along[0])


@pytest.mark.parametrize(("angle", "way"), [(0.5, 0.05), (1.0, 0.12)])
def test_chafing(angle, way):
    """2 T sin(β/2) s, β the angle from one end, where it is straight, to the other: in all, and in each frame as far
    as points say how it slides; where another one is next to the edge than before, they cut its corner.
    """
    frames, said = baked(over_an_edge(angle, way, points=81 if angle > 0.5 else POINTS))
    worn = [measured(frame, "chafing") for frame in frames]
    wanted = [press(frame) * way / (FRAMES - 1) for frame in frames[1:]]
    assert worn[-1] == pytest.approx(sum(wanted), rel=0.01)
    np.testing.assert_allclose(np.diff(worn), wanted, rtol=0.03)
    assert press(frames[-1]) == pytest.approx(2.0 * PULL * np.sin(0.5 * angle), rel=0.1)
    assert measured(frames[-1], "tension") == pytest.approx(PULL, rel=1e-3)
    assert measured(frames[0], "chafing") == 0.0
    assert not [one for one in said if "pressed" in one.text]


def test_chafing_of_a_block_that_moves():
    """Along its edge, by so much, under a cable that stays."""
    frames, _ = baked(over_an_edge(0.5, 0.0, block=0.1))
    assert measured(frames[-1], "chafing") == pytest.approx(press(frames[-1]) * 0.1, rel=0.01)


def test_what_goes_on_has_chafed_as_much():
    given = over_an_edge(0.5, 0.05)
    frames, _ = baked(given)
    later, _ = baked(given, frames[5].state)
    assert later[-1].cables.tobytes() == frames[-1].cables.tobytes()


@pytest.mark.parametrize(
    ("limit", "what", "value"),
    [("tension_limit", "pulled", PULL), ("transverse_limit", "pressed", 2.0 * PULL * np.sin(0.25))],
)
def test_what_is_too_hard_is_told_once(limit, what, value):
    """Where it is worst, and how much; not where it may be."""
    given = replace(over_an_edge(0.5, 0.05), frame_count=3)
    (rod,) = given.rods
    _, none = baked(replace(given, rods=(replace(rod, **{limit: 1.1 * value}),)))
    frames, said = baked(replace(given, rods=(replace(rod, **{limit: 0.5 * value}),)))
    assert not [one for one in none if what in one.text]
    (notice,) = [one for one in said if what in one.text]
    assert notice.object == "hose"
    assert "and too hard at 2 more" in notice.text
    assert f"may be by {0.5 * value:.3g} N" in notice.text
    told = float(notice.text.partition(f"is {what} by ")[2].partition(" N")[0])
    assert told == pytest.approx(value, rel=0.1)
    name = "tension" if what == "pulled" else "transverse"
    assert told == pytest.approx(max(measured(frame, name) for frame in frames), rel=1e-2)
    place = float(notice.text.partition("more), ")[2].partition(" m from its start")[0])
    assert what == "pulled" or place == pytest.approx(0.5 * LENGTH, abs=0.08)


def test_the_worst_has_its_place():
    some, other = np.zeros((2, 2, len(MEASURED)))
    both = [MEASURED.index(name) for name in ("tension", "tension_at")]
    some[:, both], other[:, both] = [[1.0, 0.3], [5.0, 0.4]], [[2.0, 0.6], [4.0, 0.7]]
    np.testing.assert_array_equal(worst(some, other)[:, both], [[2.0, 0.6], [5.0, 0.4]])
    np.testing.assert_array_equal(worst(np.zeros((0, len(MEASURED))), other), other)


def test_how_far_a_surface_moved():
    """A place of a face, an edge and a corner of a block that moves and turns, exactly."""
    x = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    after = x @ turn.T + [0.1, 0.2, 0.3]
    sheet = Collider("sheet", np.array([[0, 1, 2]]), np.array([0.0, 1.0]), np.stack([x, after]))
    around = surroundings([sheet], 1.0, 2.0, surroundings([sheet], 0.0, 2.0, None))
    face = np.array([0.2, 0.3, 0.0])
    np.testing.assert_allclose(moved(around, 0, turn @ face + [0.1, 0.2, 0.3]), turn @ face + [0.1, 0.2, 0.3] - face)
    assert replace(around, moves=0.0).moves == 0.0
    np.testing.assert_array_equal(moved(around, -1, face), np.zeros(3))


@pytest.mark.parametrize(("points", "sides"), [(40, 24), (80, 48), (160, 96)])
@pytest.mark.parametrize("reach", [0.25, 0.4])
def test_needed_length(points, sides, reach):
    """Around a post: 2 √(D² − a²) + 2a asin(a/D), a of post and cable, where what holds it has gone farthest."""
    radius, a = 0.1, 0.105
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([radius * np.cos(turn), 0.0 * turn, radius * np.sin(turn)], axis=1)
    k, j = np.arange(sides), (np.arange(sides) + 1) % sides
    faces = np.concatenate([np.stack([k, k + sides, j], axis=1), np.stack([j, k + sides, j + sides], axis=1)])
    faces = np.concatenate([faces, [(0, i, i + 1) for i in range(1, sides - 1)]])
    faces = np.concatenate([faces, [(sides, sides + i + 1, sides + i) for i in range(1, sides - 1)]])
    post = Collider("post", faces, np.zeros(1), np.concatenate([ring - [0.0, 0.3, 0.0], ring + [0.0, 0.3, 0.0]])[None])
    u = np.linspace(-1.0, 1.0, points + 1)
    x = np.stack([0.9 * reach * u, 0.0 * u, 0.3 * (1.0 - u * u)], axis=1)
    rod = Rod.from_material("hose", x, 0.005, Material(5e6, 0.45, 1200.0), model="cable", shape_memory=0.0)
    share = np.sin(np.linspace(0.0, np.pi, 5))[:, None] * [0.1 * reach, 0.0, 0.0]
    ends = [Pin(name, 0, v, "POSITION", np.arange(5) / FPS, x[v] + way) for name, v, way in
            (("start", 0, -share), ("end", points, share))]  # fmt: skip
    frames, said = baked(taut(Scene((rod,), 1.0 / FPS, 5, pins=tuple(ends), colliders=(post,)), {0}))
    assert not said
    needed = max(measured(frame, "length") for frame in frames)
    exact = 2.0 * np.sqrt(reach**2 - a * a) + 2.0 * a * np.arcsin(a / reach)
    assert needed == pytest.approx(exact, rel=1e-3)
    assert measured(frames[0], "length") < needed


def test_needed_length_of_what_goes_around():
    """2R, of a handle on a circle of radius R about the other."""
    u = np.linspace(0.0, 1.0, 41)
    rod = Rod.from_material("hose", np.stack([u, 0.0 * u, 0.0 * u], axis=1), 0.005, LIMP, model="cable")
    turn = np.linspace(0.0, np.pi, 9)
    way = np.stack([-np.cos(turn), np.sin(turn), 0.0 * turn], axis=1) + [1.0, 0.0, 0.0]
    ends = (Pin("hub", 0, 0, "POSITION", np.zeros(1), np.zeros((1, 3))),
            Pin("hand", 0, 40, "POSITION", np.arange(9) / FPS, np.array([0.2, 0.0, 0.0]) + way))  # fmt: skip
    frames, _ = baked(taut(Scene((rod,), 1.0 / FPS, 9, pins=ends), {0}))
    needed = max(measured(frame, "length") for frame in frames)
    assert needed == pytest.approx(2.2, rel=1e-3)
