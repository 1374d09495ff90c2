"""Colliders yield to what they squeeze: the bake goes on, what is between them takes what room there is and is free as
they part, and a notice tells by how much they overlap it.
"""

import time
from dataclasses import replace

import numpy as np
import pytest
from meshes import box
from solid_meshes import brick
from solvers import solved_by
from tendril.physics.contact.squeezed import SQUEEZE, yield_alike, yield_least
from tendril.physics.materials import Material
from tendril.physics.run.simulate import events, simulate
from tendril.physics.scene import Collider, Floor, Frame, Hold, Notice, Pin, RigidBody, Rod, Scene, Shape, SoftBody

FRAME, FRAMES, R = 1.0 / 24.0, 30, 0.006
CLOSED = 8  # frames until they are, and since they part


def jaw(name, face):
    """A cube whose face is at these y [m], frame by frame, and which is behind it on the side of its sign."""
    points, triangles = box((0.1, 0.1, 0.1))
    way = np.zeros((len(face), 1, 3))
    way[:, 0, 1] = face + 0.05 * np.sign(face[0])
    return Collider(name, triangles, np.arange(len(face)) * FRAME, points + way, 0.0, 0.5)


def jaws(room):
    """Two that close to so much room [m] between them, and open again."""
    k = np.arange(FRAMES)
    closed = np.clip(np.minimum(k, FRAMES - 1 - k) / CLOSED, 0.0, 1.0)
    half = 0.05 + (0.5 * room - 0.05) * closed
    return jaw("Left", -half), jaw("Right", half)


def cord(room, **options):
    x = np.linspace([0.0, 0.002, 0.25], [0.0, 0.002, -0.25], 41)
    rod = Rod.from_material("Cord", x, R, Material(1e7, 0.4, 500.0, friction=0.4, internal_damping=0.01))
    return Scene((rod,), FRAME, FRAMES, pins=(Pin.fixed(rod, 0),), colliders=jaws(room), **options)


def block(room, **options):
    points, triangles = box((0.03, 0.03, 0.03))
    own = RigidBody("Block", np.zeros(3), 0.03, 4.5e-6 * np.eye(3), shape=Shape(points, triangles))
    return Scene((), FRAME, FRAMES, bodies=(own,), colliders=jaws(room), **options)


def ball(room, **options):
    one = Shape(np.zeros((1, 3)), np.zeros((1, 3), int), 0.015)
    own = RigidBody("Ball", np.zeros(3), 0.03, 2.7e-6 * np.eye(3), shape=one)
    return Scene((), FRAME, FRAMES, bodies=(own,), colliders=jaws(room), **options)


def baked(scene):
    """(frames, notices, CPU time [s] of those in which jaws are closed)"""
    frames, notices, spent = [], [], 0.0
    before = time.process_time()
    for item in simulate(scene, notices=notices.append):
        now = time.process_time()
        if CLOSED < item.index < FRAMES - CLOSED:
            spent += now - before
        before = now
        frames.append(item)
    return frames, notices, spent


def check_told(notices, name, depth):
    (notice,) = notices
    assert notice.object == name
    assert 0 < notice.frame <= CLOSED
    assert f"'{name}' has too little room between 'Left' and 'Right' for " in notice.text
    told = float(notice.text.split("up to ")[1].split()[0]) * 1e-3
    assert told == pytest.approx(depth, rel=0.2)


@pytest.mark.parametrize("room", [0.008, 0.0, -0.02])
def test_a_cord_between_two_that_close(room, solver):
    """To less than it is thick, to nothing, and through each other."""
    scene = solved_by(solver, cord(room))
    frames, notices, spent = baked(scene)
    assert len(frames) == FRAMES
    assert spent < 2.0 * (FRAMES - 2 * CLOSED)
    check_told(notices, "Cord", R - 0.5 * room)
    moved = np.array([frame.x for frame in frames])
    assert np.abs(np.diff(moved, axis=0)).max() / FRAME < 0.5  # m/s: they close by 1 at most
    assert np.abs(moved[-1, :, 1]).max() < 0.05 - R  # free between both


@pytest.mark.parametrize(("y", "z"), [(-0.00107, 0.01417), (-0.0011, 0.008), (-0.0009, 0.0143), (-0.00025, 0.0126)])
def test_a_taut_cord_that_an_arm_bends_against_a_chest(y, z, solver):
    """It is bent over the arm's edges, where it is pressed along itself as well: there is no room that way. The pins at
    its ends yield the millimetre that bending takes; nothing throws it.
    """
    x = np.linspace([-0.5, 0.488 + y, z], [0.5, 0.488 + y, z], 11)
    rod = Rod.from_material("Cord", x, 0.01, Material(6.4e5, 0.4, 828.0, friction=0.3, internal_damping=0.006))
    pins = tuple(replace(Pin.fixed(rod, k), max_force=None) for k in (0, -1))
    k = np.arange(FRAMES)
    s = np.clip(np.minimum(k / 8.0, (FRAMES - 1 - k) / 15.0), 0.0, 1.0)
    way = np.outer(0.3 + 0.12 * s * s * (3.0 - 2.0 * s), [0.0, 1.0, 0.0])
    (chest, faces), (arm, _) = box((1.0, 1.0, 1.0)), box((0.2, 0.2, 0.2))
    colliders = (
        Collider("Chest", faces, np.zeros(1), chest[None] + [0.0, 1.0, 0.0], 0.0, 0.5),
        Collider("Arm", faces, k * FRAME, arm + way[:, None], 0.0, 0.5),
    )
    scene = Scene((rod,), FRAME, FRAMES, pins=pins, colliders=colliders)
    frames, notices, _ = baked(solved_by(solver, scene))
    assert len(frames) == FRAMES
    (told,) = notices
    assert "'Cord' has too little room between 'Chest' and 'Arm' for " in told.text
    moved = np.array([frame.x for frame in frames])
    assert np.abs(np.diff(moved, axis=0)).max() / FRAME < 1.0  # m/s: the arm comes by .5


@pytest.mark.parametrize("make", [block, ball])
@pytest.mark.parametrize("room", [0.02, -0.02])
def test_a_body_between_two_that_close(make, room):
    scene = make(room, gravity=np.zeros(3))
    frames, notices, spent = baked(scene)
    assert len(frames) == FRAMES
    assert spent < 2.0 * (FRAMES - 2 * CLOSED)
    check_told(notices, scene.bodies[0].name, 0.015 - 0.5 * room)
    assert max(np.abs(frame.bodies[0, :3]).max() for frame in frames) < 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_a_block_is_not_thrown_as_jaws_part_wherever_rounding_puts_it(seed):
    """Its centre is shifted by 1e-12 m: forces of the two that squeeze it balance, and are gone as they part."""
    scene, shift = block(0.02, gravity=np.zeros(3)), 1e-12 * np.random.default_rng(seed).uniform(-1.0, 1.0, 3)
    own = replace(scene.bodies[0], position=scene.bodies[0].position + shift)
    frames, _, _ = baked(replace(scene, bodies=(own,)))
    assert max(np.abs(frame.bodies[0, :3]).max() for frame in frames) < 1e-3


@pytest.mark.parametrize(("friction", "way"), [(0.5, 0.05), (0.1, 0.2), (0.05, 0.4)])
def test_a_gripper_that_closes_too_far_lifts_what_it_grips(friction, way):
    """It slips by no more than 1 % of its way, at once up to speed as it is."""
    k = np.arange(FRAMES)
    half, lift = np.maximum(0.05 - 0.005 * k, 0.01), way * np.clip((k - 11) / 8, 0.0, 1.0)
    frames, _, _ = baked(replace(block(0.02), colliders=gripper(half, lift, friction), floor=Floor(-0.015)))
    assert max(abs(frame.bodies[0, 2] - up) for frame, up in zip(frames, lift, strict=True)) < 0.01 * way


def gripper(half, lift, friction=0.5):
    """Two jaws whose faces are so far from y = 0 [m], and go up [m], frame by frame."""
    up = lift[:, None, None] * [0.0, 0.0, 1.0]
    return tuple(
        replace(own, points=own.points + up, friction=friction) for own in (jaw("Left", -half), jaw("Right", half))
    )


@pytest.mark.parametrize("friction", [0.1, 0.5])
def test_a_gripper_lifts_a_block_that_a_cord_lies_on(friction, solver):
    """Contacts come and go on one side, and it is held all the same."""
    k, r = np.arange(FRAMES), 0.003
    half, lift = np.maximum(0.05 - 0.005 * k, 0.01), 0.05 * np.clip((k - 13) / 10, 0.0, 1.0)
    x = np.linspace([-0.08, 0.0, 0.015 + r], [0.08, 0.0, 0.015 + r], 41)
    rod = Rod.from_material("Cord", x, r, Material(1e6, 0.4, 1500.0, friction=0.4, internal_damping=0.01))
    scene = replace(block(0.02), rods=(rod,), colliders=gripper(half, lift, friction), floor=Floor(-0.015))
    frames, _, _ = baked(solved_by(solver, scene))
    assert max(abs(frame.bodies[0, 2] - up) for frame, up in zip(frames, lift, strict=True)) < 0.01 * 0.05


def test_a_body_gets_as_much_room_on_both_sides_however_many_contacts_each_has():
    n = np.array([0.0, 1.0, 0.0])
    found = rows(*[(0, n, -0.003, k) for k in range(6)], (0, -n, -0.007, 6))
    yield_alike(found)
    np.testing.assert_allclose(found["short"], 0.005, rtol=1e-9)
    found = rows((0, n, -0.003, 0), (0, -n, 0.004, 1))
    yield_alike(found)
    np.testing.assert_allclose(found["short"], 0.0, atol=1e-12)
    found = rows((0, n, -0.003, -1), (0, -n, -0.001, 1))
    yield_alike(found)
    np.testing.assert_allclose(found["short"], [0.0, 0.004], rtol=1e-9, atol=1e-12)


def test_a_hand_that_presses_a_cord_into_the_floor(solver):
    """The floor does not yield, so the hand yields all of it."""
    k = np.arange(FRAMES)
    face = np.clip(np.abs(k - 15.0) - 6.0, 0.0, None) * 0.01 + 0.5 * R
    hand = jaw("Hand", face)
    hand = replace(hand, points=hand.points[:, :, [0, 2, 1]], triangles=hand.triangles[:, ::-1].copy())
    x = np.linspace([-0.2, 0.0, R], [0.2, 0.0, R], 41)
    rod = Rod.from_material("Cord", x, R, Material(1e7, 0.4, 500.0, friction=0.4, internal_damping=0.01))
    scene = solved_by(solver, Scene((rod,), FRAME, FRAMES, colliders=(hand,), floor=Floor(0.0, 0.4)))
    frames, notices, _ = baked(scene)
    moved = np.array([frame.x for frame in frames])
    assert moved[:, :, 2].min() > 0.9 * R
    assert moved[:, :, 2].max() < 1.5 * R
    (notice,) = notices
    assert notice.text.startswith("'Cord' has too little room at 'Hand' for ")


def test_nobody_yields_to_what_there_is_room_for(solver):
    """What is pushed along and what is only just touched."""
    k = np.arange(FRAMES)
    scene = cord(0.0)
    for colliders in (jaws(2.0 * R), (jaw("Left", -0.05 + 0.004 * k), jaw("Right", 0.05 + 0.004 * k))):
        _, notices, _ = baked(solved_by(solver, replace(scene, colliders=colliders)))
        assert notices == []


def test_a_bake_resumed_while_something_is_squeezed_gives_the_same_bytes_and_notices(solver):
    scene = solved_by(solver, cord(-0.02))
    check_resumed(scene)


def check_resumed(scene):
    whole = list(events(scene))
    states = [item for item in whole if isinstance(item, Frame)]
    at = CLOSED + 3
    again = list(events(scene, dict(states[at].state)))
    rest = whole[whole.index(states[at]) + 1 :]
    assert [item for item in again if isinstance(item, Notice)] == [item for item in rest if isinstance(item, Notice)]
    for one, other in zip(states[at + 1 :], (item for item in again if isinstance(item, Frame)), strict=True):
        assert one.x.tobytes() == other.x.tobytes()


def rows(*contacts):
    """SQUEEZE of (part, slope (3,), gap, feature)."""
    found = np.zeros(len(contacts), SQUEEZE)
    for row, (part, slope, gap, feature) in zip(found, contacts, strict=True):
        row["part"], row["slope"][0], row["gap"], row["feature"] = part, slope, gap, feature
        row["n"] = slope
    return found


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_opposite_surfaces_yield_alike_and_the_floor_not_at_all(turn):
    n = np.array([np.cos(turn), np.sin(turn), 0.0])

    def short(*contacts):
        found = rows(*contacts)
        yield_least(found, np.zeros((2, 3)), np.zeros(2))
        return found["short"]

    np.testing.assert_allclose(short((0, n, -0.003, 0), (0, -n, -0.001, 1)), 0.002, rtol=1e-6)
    np.testing.assert_allclose(short((0, n, -0.003, 0), (0, -n, 0.004, 1)), 0.0, atol=1e-9)
    np.testing.assert_allclose(short((0, n, -0.003, -1), (0, -n, -0.001, 1)), [0.0, 0.004], rtol=1e-6)
    np.testing.assert_allclose(short((0, n, -0.003, 0), (1, -n, -0.001, 1)), 0.0, atol=1e-9)
    many = short((0, n, -0.003, 0), (0, n, -0.003, 2), (0, n, -0.003, 3), (0, -n, -0.001, 1))
    np.testing.assert_allclose(many, 0.002, rtol=0.06)


def jelly(name="Jelly", middle=(0.0, 0.0, 0.0), size=0.03, **options):
    points, node = brick((3, 3, 3), (size, size, size))
    x = points - 0.5 * size + middle
    return SoftBody(name, x, node, 1000.0, 2e4, 0.3, mu=20.0, friction=0.4, **options)


def test_a_soft_body_is_pressed_flat():
    frames, notices, _ = baked(Scene((), FRAME, FRAMES, solids=(jelly(),), colliders=jaws(0.01), gravity=np.zeros(3)))
    assert len(frames) == FRAMES
    assert notices == []
    wide = [np.ptp(frame.x[:, 1]) for frame in frames]
    assert min(wide) < 0.01
    assert wide[-1] > 0.025


def test_a_soft_body_between_two_that_go_through_each_other():
    """It becomes a quarter as thick as it is, no less, and springs back as they part."""
    frames, notices, spent = baked(
        Scene((), FRAME, FRAMES, solids=(jelly(),), colliders=jaws(-0.02), gravity=np.zeros(3))
    )
    assert len(frames) == FRAMES
    assert spent < 2.0 * (FRAMES - 2 * CLOSED)
    check_told(notices, "Jelly", 0.01 + 0.5 * 0.25 * 0.03)
    wide = [np.ptp(frame.x[:, 1]) for frame in frames]
    assert min(wide) == pytest.approx(0.25 * 0.03, rel=0.05)
    assert wide[-1] > 0.027
    assert max(np.abs(frame.x.mean(axis=0)).max() for frame in frames) < 1e-3


def test_a_soft_body_whose_faces_are_flat_to_rounding_errors():
    """Columns along its sides, which go in and out of it there, come to an end."""
    body, spread, face = jelly(), np.random.default_rng(0), np.array([0.02, -0.01])
    pair = jaw("Left", -face), jaw("Right", face)
    for _ in range(10):
        x = body.x + 1e-18 * spread.integers(-9, 10, body.x.shape)
        scene = Scene((), FRAME, 2, solids=(replace(body, x=x),), colliders=pair, gravity=np.zeros(3))
        assert len(baked(scene)[0]) == 2


def belly(deep):
    """A cube of .1 m, held at its back y = -.05, and a chest before it whose face closes in to y = deep [m]. Of affine
    elements: smoothed ones flow around the chest's edges, and hang on them as it goes back.
    """
    body = jelly("Belly", size=0.1, elements="AFFINE")
    back = np.flatnonzero(body.x[:, 1] < -0.0499)
    k = np.arange(FRAMES)
    closed = np.clip(np.minimum(k, FRAMES - 1 - k) / CLOSED, 0.0, 1.0)
    points, triangles = box((0.2, 0.1, 0.08))
    way = np.zeros((FRAMES, 1, 3))
    way[:, 0, 1] = 0.11 + (deep - 0.06) * closed
    chest = Collider("Chest", triangles, k * FRAME, points + way, 0.0, 0.5)
    holds = tuple(Hold("Pin", "POINT", 0, int(i)) for i in back)
    return Scene((), FRAME, FRAMES, solids=(body,), holds=holds, colliders=(chest,), gravity=np.zeros(3))


def led_into(scene):
    """The same, where the chest stands still and the back is led towards it."""
    (chest,), k = scene.colliders, np.arange(FRAMES)
    way = chest.points[:1, 0] - chest.points[:, 0]
    x = scene.solids[0].x
    holds = tuple(replace(hold, times=k * FRAME, track=x[hold.node] + way) for hold in scene.holds)
    return replace(scene, colliders=(replace(chest, times=np.zeros(1), points=chest.points[:1]),), holds=holds)


@pytest.mark.parametrize("lead", [lambda scene: scene, led_into])
@pytest.mark.parametrize("deep", [-0.04, -0.06])
def test_a_chest_that_presses_a_belly_which_bones_hold(deep, lead):
    """To less than a quarter of it, and through it: what is held does not yield, so the chest does."""
    frames, notices, spent = baked(lead(belly(deep)))
    assert len(frames) == FRAMES
    assert spent < 2.0 * (FRAMES - 2 * CLOSED)
    (notice,) = notices
    assert notice.text.startswith("'Belly' has too little room at 'Chest' for ")
    told = float(notice.text.split("up to ")[1].split()[0]) * 1e-3
    assert 0.95 < told / (-0.025 - deep) < 2.0  # more where its sides, which bulge, catch on the chest's edges
    assert max(np.ptp(frame.x, axis=0).max() for frame in frames) < 0.3  # not wrung out: .8 where nothing yields
    assert np.ptp(frames[-1].x, axis=0) == pytest.approx(0.1, rel=0.2)


def test_a_belly_that_flows_around_the_edges_of_a_chest_is_not_thrown():
    """Smoothed elements, as soft as the material is, do; some steps there are very short."""
    scene = belly(-0.06)
    frames, _, _ = baked(replace(scene, solids=(replace(scene.solids[0], elements="SMOOTHED"),)))
    assert max(np.ptp(frame.x, axis=0).max() for frame in frames) < 0.3


def test_two_soft_bodies_side_by_side_between_two_that_go_through_each_other():
    pair = jelly(middle=(0.0, -0.0155, 0.0)), jelly("Custard", (0.0, 0.0155, 0.0))
    frames, notices, spent = baked(Scene((), FRAME, FRAMES, solids=pair, colliders=jaws(-0.02), gravity=np.zeros(3)))
    assert len(frames) == FRAMES
    assert spent < 2.0 * (FRAMES - 2 * CLOSED)
    assert {name for notice in notices for name in ("Jelly", "Custard") if name in notice.text} == {"Jelly", "Custard"}
    assert np.abs(frames[-1].x).max() < 0.06


def test_a_hand_that_presses_a_soft_body_into_the_floor():
    k = np.arange(FRAMES)
    face = np.clip(np.abs(k - 15.0) - 6.0, 0.0, None) * 0.01 - 0.01
    hand = jaw("Hand", face + 1.0)  # its lower face
    points = (hand.points - [0.0, 1.0, 0.0])[:, :, [0, 2, 1]]
    hand = replace(hand, points=points, triangles=hand.triangles[:, ::-1].copy())
    body = jelly(middle=(0.0, 0.0, 0.016))
    frames, notices, _ = baked(Scene((), FRAME, FRAMES, solids=(body,), colliders=(hand,), floor=Floor(0.0, 0.5)))
    assert len(frames) == FRAMES
    (notice,) = notices
    assert notice.text.startswith("'Jelly' has too little room at 'Hand' for ")
    assert min(frame.x[:, 2].min() for frame in frames) > 0.0
    assert min(np.ptp(frame.x[:, 2]) for frame in frames) == pytest.approx(0.25 * 0.03, rel=0.05)


def test_a_gripper_that_closes_too_far_lifts_a_soft_body():
    k = np.arange(FRAMES)
    half = np.maximum(0.05 - 0.005 * k, 0.003)
    lift = 0.05 * np.clip((k - 13) / 14, 0.0, 1.0)
    scene = Scene((), FRAME, FRAMES, solids=(jelly(),), colliders=gripper(half, lift), floor=Floor(-0.0155, 0.5))
    frames, _, _ = baked(scene)
    gone = frames[-1].x[:, 2].mean() - frames[13].x[:, 2].mean()
    assert gone == pytest.approx(0.05, rel=0.1)


def test_a_bake_resumed_while_a_soft_body_is_squeezed_gives_the_same_bytes_and_notices():
    scene = Scene((), FRAME, FRAMES, solids=(jelly(),), colliders=jaws(-0.02), gravity=np.zeros(3))
    check_resumed(scene)


@pytest.mark.parametrize(("turn", "friction"), [(-0.4, 0.7), (0.5, 1.0)])
def test_a_block_that_jaws_meet_askew_and_friction_keeps_from_turning_is_gripped_as_it_is(turn, friction):
    """The line between its corners is within both cones (force closure: Nguyen 1988, *Int. J. Robotics Research* 7)."""
    c, s = np.cos(turn), np.sin(turn)
    points, triangles = box((0.024, 0.034, 0.02))
    points = points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
    own = RigidBody("Block", np.zeros(3), 0.06, 7e-6 * np.eye(3), shape=Shape(points, triangles))
    k = np.arange(FRAMES)
    half, lift = np.maximum(0.05 - 0.004 * k, 0.9 * points[:, 1].max()), 0.05 * np.clip((k - 13) / 12, 0.0, 1.0)
    scene = Scene((), FRAME, FRAMES, bodies=(own,), colliders=gripper(half, lift, friction), floor=Floor(-0.01))
    frames, _, _ = baked(scene)
    assert max(abs(frame.bodies[0, 2] - up) for frame, up in zip(frames, lift, strict=True)) < 0.01 * 0.05
    assert frames[-1].bodies[0, 3] > np.cos(0.5 * 0.02)


def test_what_a_lift_takes_through_a_narrow_shaft_holds_nothing_back():
    """Walls that do not close on it have no friction to hold it by."""
    points, triangles = box((0.03, 0.03, 0.03))
    own = RigidBody("Block", np.zeros(3), 0.03, 4.5e-6 * np.eye(3), shape=Shape(points, triangles))
    k = np.arange(FRAMES)
    table, faces = box((0.025, 0.025, 0.02))
    rise = 0.02 * np.clip(k - 3, 0, None)
    lift = Collider(
        "Lift", faces, k * FRAME, table - [0.0, 0.0, 0.025] + rise[:, None, None] * [0.0, 0.0, 1.0], 0.0, 0.5
    )
    (wall, sides), walls = box((0.1, 0.1, 3.0)), []
    for name, side in (("Left", -1.0), ("Right", 1.0)):
        walls.append(Collider(name, sides, np.zeros(1), (wall + [0.0, side * (0.065 + 5e-5), 0.0])[None], 0.0, 0.5))
    frames, notices, _ = baked(Scene((), FRAME, FRAMES, bodies=(own,), colliders=(lift, *walls)))
    assert notices == []
    assert frames[-1].bodies[0, 2] == pytest.approx(rise[-1], abs=1e-4)
