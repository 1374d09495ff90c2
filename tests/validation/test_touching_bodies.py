"""Rigid bodies that touch: Coulomb's and Newton's laws, towers that stand, and nothing that passes through anything."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, sheet
from scipy.spatial.transform import Rotation
from solids import brick, capsule, moved, moved_rounded, sphere, wall
from solvers import go_on
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.diagnostics.shape_overlap import Solid, deepest_between
from tendril.physics.geometry.rounding import rounded
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene, Shape, Weld
from tendril.physics.time_integration.advance import take_steps

G = 9.81
RUBBER = Material(1e6, 0.45, 1000.0, friction=0.5, internal_damping=0.01)


def frames(scene):
    return list(simulate(scene))


def places(baked):
    """Centres of mass (frames, B, 3)."""
    return np.array([frame.bodies[:, :3] for frame in baked])


def tilted(angle):
    """Gravity as it is on an incline, seen along it."""
    return G * np.array([np.sin(angle), 0.0, -np.cos(angle)])


@pytest.mark.parametrize("restitution", [0.3, 0.7, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(restitution):
    drop = 1.0
    body = sphere((0.0, 0.0, 0.1 + drop), restitution=restitution)
    height = places(frames(Scene((), 1.0 / 240.0, 300, bodies=(body,), floor=Floor(0.0))))[:, 0, 2] - 0.1
    struck = np.argmin(height[: int(1.2 * np.sqrt(2.0 * drop / G) * 240.0)])
    assert np.sqrt(height[struck:].max() / drop) == pytest.approx(restitution, rel=0.02)


def test_two_balls_meet_as_newton_says():
    one = sphere((-0.3, 0.0, 0.0), restitution=0.8, v=np.array([2.0, 0.0, 0.0]))
    other = sphere((0.3, 0.0, 0.0), radius=0.15, restitution=0.8, name="other")
    baked = frames(Scene((), 1.0 / 100.0, 60, bodies=(one, other), gravity=np.zeros(3)))
    after = (places(baked)[-1] - places(baked)[-2]) * 100.0
    a, b = one.mass, other.mass
    np.testing.assert_allclose(after[:, 0], 2.0 * np.array([(a - 0.8 * b), 1.8 * a]) / (a + b), atol=1e-6)


@pytest.mark.parametrize("launched", [1, 2])
@pytest.mark.parametrize("gap", [0.0, 1e-3])
def test_as_many_balls_leave_a_row_as_came(gap, launched):
    speeds = np.where(np.arange(5) < launched, 1.0, 0.0)
    balls = tuple(
        sphere(((0.2 + gap) * k - 0.3 * speed, 0.0, 0.0), name=f"ball {k}", restitution=1.0, friction=0.0,
               v=np.array([speed, 0.0, 0.0]))
        for k, speed in enumerate(speeds)
    )  # fmt: skip
    baked = places(frames(Scene((), 1.0 / 100.0, 60, bodies=balls, gravity=np.zeros(3), air_density=0.0)))
    np.testing.assert_allclose((baked[-1] - baked[-2])[:, 0] * 100.0, speeds[::-1], atol=1e-6)


@pytest.mark.parametrize("gap", [0.0, 1e-4])
def test_newton_s_cradle(gap, solver):
    """The last ball swings as high as the first came from, and back; the others hang still."""
    length, r, lifted = 0.3, 0.02, np.radians(20.0)
    rods, balls, pins, welds = [], [], [], []
    for k in range(5):
        angle = lifted if k == 0 else 0.0
        along = np.linspace(0.0, length, 9)[:, None] * np.array([-np.sin(angle), 0.0, -np.cos(angle)])
        x = along + [k * (2.0 * r + gap), 0.0, length]
        rods.append(Rod.from_material(f"thread {k}", x, 2e-4, Material(1e9, 0.4, 1100.0), touches=False))
        balls.append(sphere(x[-1], r, f"ball {k}", 7800.0, restitution=1.0, friction=0.0))
        pins.append(Pin.fixed(rods[k], 0, "POSITION", f"hook {k}", rod=k))
        welds.append(Weld(f"eye {k}", k, k, 8, "POSITION"))
    scene = Scene(
        tuple(rods), 1.0 / 100.0, 110, tuple(pins), tuple(balls), tuple(welds), solver=solver, air_density=0.0
    )
    aside = places(frames(scene))[:, :, 0] - np.arange(5) * (2.0 * r + gap)
    swung = np.degrees(np.arcsin(aside / length))
    assert swung[:, -1].max() == pytest.approx(20.0, abs=0.1)
    assert swung[-10:, 0].min() == pytest.approx(-20.0, abs=0.3)
    assert np.abs(swung[:, 1:-1]).max() < 0.5


@pytest.mark.parametrize(("slope", "slides"), [(0.98, False), (1.02, True)])
@pytest.mark.parametrize("ground", ["floor", "mesh", "body"])
def test_a_brick_slides_where_the_slope_is_steeper_than_friction(slope, slides, ground):
    friction = 0.4
    body = brick((0.03, 0.01, 0.03), friction=friction)
    scene = Scene((), 1.0 / 24.0, 49, bodies=(body,), gravity=tilted(np.arctan(slope * friction)))
    if ground == "floor":
        scene = replace(scene, floor=Floor(0.0, friction))
    elif ground == "mesh":
        scene = replace(scene, colliders=(wall(sheet(7, 4.0), friction),))
    else:
        big = brick((0.0, 0.0, -0.5), (4.0, 4.0, 1.0), name="table", friction=friction, density=1e9)
        scene = replace(scene, bodies=(body, replace(big, weights=np.zeros(6))))
    way = places(frames(scene))
    way = way[-1, 0, 0] - way[0, 0, 0]
    expected = 0.5 * G * np.cos(np.arctan(slope * friction)) * friction * (slope - 1.0) * 2.0**2
    if slides:
        assert way == pytest.approx(expected, rel=0.05)
    else:
        assert abs(way) < 1e-5


def test_a_brick_stops_where_friction_has_taken_its_energy():
    friction, speed = 0.3, 2.0
    body = brick((0.0, 0.0, 0.03), friction=friction, v=np.array([speed, 0.0, 0.0]))
    way = places(frames(Scene((), 1.0 / 48.0, 60, bodies=(body,), floor=Floor(0.0, friction))))[:, 0]
    assert way[-1, 0] == pytest.approx(speed**2 / (2.0 * friction * G), rel=0.02)
    assert np.abs(way[-1] - way[-10]).max() < 1e-7


@pytest.mark.parametrize("ground", ["floor", "mesh"])
def test_a_ball_rolls_without_sliding(ground):
    angle, time = np.radians(20.0), 47.0 / 48.0
    body = sphere((0.03, 0.02, 0.1), friction=0.8)
    scene = Scene((), 1.0 / 48.0, 48, bodies=(body,), gravity=tilted(angle))
    flat = {"floor": {"floor": Floor(0.0, 0.8)}, "mesh": {"colliders": (wall(sheet(9, 8.0), 0.8),)}}[ground]
    way = places(frames(replace(scene, **flat)))
    assert way[-1, 0, 0] - 0.03 == pytest.approx(0.5 * 5.0 / 7.0 * G * np.sin(angle) * time**2, rel=0.01)


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("shape", [sphere, capsule])
def test_what_is_round_spins_and_rolls_on_for_ever(shape, friction, solver):
    """Its energy stays, however long steps are: it touches with what is below it then, not with what once was. (By
    implicit steps of 1 ms a ball that spins on ice won .7 of its energy in a second, one that rolls .2.)
    """
    v, omega = friction * np.array([0.0, -5.0, 0.0]), np.array([20.0, 0.0, 0.0])
    body = shape((0.0, 0.0, 0.1), 0.1, friction=friction, v=v, omega=omega)
    rope = Rod.from_material("rope", np.linspace([3.0, 0.0, 1.0], [3.5, 0.0, 1.0], 11), 0.01, RUBBER)
    scene = Scene((rope,), 1.0 / 24.0, 25, bodies=(body,), floor=Floor(0.0, friction), air_density=0.0, solver=solver)
    last = frames(scene)[-1].bodies[0]
    np.testing.assert_allclose(last[:3], np.array([0.0, 0.0, 0.1]) + v, atol=2e-4)
    model, state, work = assemble(scene)
    kinetic = energies(model, state).body_kinetic[0]
    while state.clock["time"][0] < 0.5:
        go_on(scene, model, state, work, 1.0 / 240.0)
    assert energies(model, state).body_kinetic[0] == pytest.approx(kinetic, rel=1e-4)


def test_a_capsule_rolls_across_itself_and_rolling_resistance_stops_it():
    body = capsule((0.0, 0.0, 0.05), v=np.array([0.0, 0.5, 0.0]), omega=np.array([-10.0, 0.0, 0.0]), friction=0.8)
    scene = Scene((), 1.0 / 24.0, 72, bodies=(body,), floor=Floor(0.0, 0.8))
    free = places(frames(scene))[:, 0]
    assert free[-1, 1] == pytest.approx(0.5 * 71.0 / 24.0, rel=0.01)
    arm = 0.002
    stopped = places(frames(replace(scene, bodies=(replace(body, rolling_resistance=arm),))))[:, 0]
    inertia = body.inertia[0, 0] / (body.mass * 0.05**2)
    expected = 0.5**2 * (1.0 + inertia) / (2.0 * G * arm / 0.05)
    assert stopped[-1, 1] == pytest.approx(expected, rel=0.03)
    assert np.abs(stopped[-1] - stopped[-12]).max() < 1e-5


def test_a_tower_of_ten_bricks_stands():
    bricks = tuple(brick((0.0, 0.0, 0.03 + 0.06 * k), name=f"brick {k}") for k in range(10))
    way = places(frames(Scene((), 1.0 / 24.0, 241, bodies=bricks, floor=Floor(0.0))))
    assert np.abs(way - way[0]).max() < 1e-4


def test_a_tower_that_is_pushed_rocks_itself_calm():
    """At each impact a slender block loses 3 sin² α of its energy, α how slender it is (Housner 1963, *The behavior of
    inverted pendulum structures during earthquakes*): some twenty of them a second leave nothing of a small push.
    """
    push = np.array([0.1, 0.0, 0.0])
    bricks = [brick((0.0, 0.0, 0.03 + 0.06 * k), name=f"brick {k}") for k in range(10)]
    pushed = tuple(replace(one, omega=push, v=np.cross(push, one.position + [0.0, 0.05, 0.0])) for one in bricks)
    top = places(frames(Scene((), 1.0 / 96.0, 192, bodies=pushed, floor=Floor(0.0))))[:, -1, 1]
    assert np.ptp(top[:24]) > 5e-4
    assert np.ptp(top[-96:]) < 5e-6


@pytest.mark.parametrize("shifts", [(0.0, 0.0), (0.0, 3e-8), (0.0, 1e-6), (0.0, 0.0, 0.0)])
def test_thin_cards_that_lie_flush_neither_turn_nor_slide(shifts):
    """Without friction, faces that lie on each other can only press along their normal; so far [m] aside of each other,
    what is at the rim may be over a face or beside it.
    """
    size, gap, cards = np.array([0.063, 0.088, 3e-4]), 1e-5, []
    for k, shift in enumerate(shifts):
        place = np.array([shift, 0.6 * shift, (k + 0.5) * size[2] + (k + 1) * gap])
        cards.append(brick(place, size, name=f"card {k}", friction=0.0))
    way = frames(Scene((), 1.0 / 24.0, 25, bodies=tuple(cards), floor=Floor(0.0, 0.0)))
    gone = way[-1].bodies - way[0].bodies
    assert np.abs(gone[:, :2]).max() < 1e-7
    assert gone[:, 2] == pytest.approx([-(k + 1) * gap for k in range(len(cards))], abs=1e-7)
    assert np.abs(gone[:, 3:]).max() < 1e-6


@pytest.mark.parametrize("thick", [3e-3, 3e-4])
@pytest.mark.parametrize("gap", [0.0, 1e-4, 1e-3])
def test_a_card_slides_over_the_gap_between_two_others(gap, thick):
    """From one on to the next, which is as high, over both their rims: as far as on one that is as large as both."""
    size, high = np.array([0.09, 0.06, thick]), 0.5 * thick
    pair = [brick(((0.09 + gap) * k, 0.002 * k, high), size, name=f"card {k}") for k in range(2)]
    whole = [brick((0.045, 0.0, high), (0.18, 0.07, thick))]
    slides = brick((0.0, 0.0, 3.0 * high), size, name="slides", friction=0.2, v=np.array([0.6, 0.0, 0.0]))
    ways = []
    for lying in (whole, pair):
        way = frames(Scene((), 1.0 / 48.0, 17, bodies=(*lying, slides), floor=Floor(0.0)))
        ways.append(np.array([frame.bodies[-1] - way[0].bodies[-1] for frame in way]))
    assert ways[0][-1, 0] > 0.04
    assert ways[1] == pytest.approx(ways[0], abs=1e-6)


def test_a_light_card_bears_a_weight_on_what_lifts_it():
    """A card of 2 g under 50 kg: by a part of what a push alone moves the card by, the lift would give by 25 times what
    it goes.
    """
    points, triangles = sheet(1, 0.5)
    times = np.linspace(0.0, 0.5, 3)
    lift = Collider("lift", triangles, times, points + 0.2 * times[:, None, None] * [0.0, 0.0, 1.0], 0.0, 0.5)
    card = brick((0.0, 0.0, 0.001), (0.1, 0.08, 0.002), name="card", density=125.0)
    weight = brick((0.0, 0.0, 0.052), (0.1, 0.1, 0.1), name="weight", density=5e4)
    way = places(frames(Scene((), 1.0 / 24.0, 13, bodies=(card, weight), colliders=(lift,))))
    rises = 0.2 / 24.0 * np.arange(13)[:, None]
    assert way[:, :, 2] - way[0, :, 2] == pytest.approx(np.tile(rises, 2), abs=0.05 * 0.015 * 0.002)


def test_a_plank_lies_across_a_beam():
    """No corner of either is over the other: edges alone touch."""
    beam, plank = brick((0.0, 0.0, 0.05), (0.6, 0.1, 0.1)), brick((0.0, 0.0, 0.13), (0.1, 0.6, 0.06), name="plank")
    way = places(frames(Scene((), 1.0 / 24.0, 73, bodies=(beam, plank), floor=Floor(0.0))))
    assert np.abs(way - way[0]).max() < 1e-4


def test_what_falls_comes_to_rest():
    rng = np.random.default_rng(4)
    bodies = []
    for k in range(12):
        place = rng.uniform(-0.15, 0.15, 3) + [0.0, 0.0, 0.2 + 0.2 * k]
        if k % 3:
            bodies.append(brick(place, rng.uniform(0.06, 0.2, 3), rng.normal(size=3), name=f"brick {k}"))
        else:
            bodies.append(sphere(place, rng.uniform(0.04, 0.1), f"ball {k}", rolling_resistance=0.005))
    baked = frames(Scene((), 1.0 / 24.0, 24 * 9, bodies=tuple(bodies), floor=Floor(0.0)))
    mass = np.array([body.mass for body in bodies])
    drop = mass @ (places(baked)[0, :, 2] - places(baked)[-1, :, 2]) * G
    speed = np.linalg.norm(np.diff(places(baked), axis=0), axis=2) * 24.0
    assert 0.5 * (mass * speed[-48:] ** 2).sum(axis=1).max() < 1e-6 * drop
    apart(bodies, baked)


def apart(bodies, baked):
    """At no frame is anything in anything by more than what it is rounded by, of the smaller one."""
    for frame in baked:
        solids = [moved(body, pose) for body, pose in zip(bodies, frame.bodies, strict=True)]
        low = np.array([s.points.min(axis=0) - s.radius for s in solids])
        high = np.array([s.points.max(axis=0) + s.radius for s in solids])
        extents = (high - low).max(axis=1)
        assert (low[:, 2] > -0.02 * extents).all()
        for i, one in enumerate(solids):
            for k in np.flatnonzero(((low[:i] < high[i]) & (high[:i] > low[i])).all(axis=1)):  # boxes that overlap
                assert deepest_between(one, solids[k]) < 0.02 * min(extents[i], extents[k])


def test_what_collides_in_space_keeps_its_momenta():
    rng = np.random.default_rng(1)
    bodies = [
        brick(0.22 * np.array(place) + rng.uniform(-0.01, 0.01, 3), rng.uniform(0.1, 0.16, 3), rng.normal(size=3),
              v=-0.8 * np.array(place) + 0.1 * rng.normal(size=3), omega=rng.normal(size=3), restitution=0.3)
        for place in np.ndindex(2, 2, 2)
    ]  # fmt: skip
    model, state, work = assemble(Scene((), 1.0 / 24.0, 2, bodies=tuple(bodies), gravity=np.zeros(3)), times=4)
    before = both(model, state)
    size = np.abs(before).max()
    touched = set()
    for _ in range(400):
        assert take_steps(model, state, work, 1e-3, 1)[0] == 0
        touched |= {(int(pair["i"]), int(pair["j"])) for pair in state.feature_pairs if pair["force"][0] > 0.0}
    assert len(touched) > 20
    np.testing.assert_allclose(both(model, state), before, atol=1e-10 * max(size, 1.0))


def both(model, state):
    """Momentum and angular momentum."""
    return np.concatenate([linear_momentum(model, state), angular_momentum(model, state)])


def test_a_mesh_that_moves_takes_a_crate_along():
    crate = brick((0.0, 0.0, 0.1), (0.2, 0.2, 0.2), name="crate")
    points, triangles = sheet(6, 2.0)
    times = np.arange(49) / 24.0
    way = np.stack([0.5 * times**2, 0.0 * times, 0.1 * times], axis=1)
    lift = Collider("lift", triangles, times, points + way[:, None], 0.0, 0.8)
    baked = places(frames(Scene((), 1.0 / 24.0, 49, bodies=(replace(crate, friction=0.8),), colliders=(lift,))))[:, 0]
    np.testing.assert_allclose(baked, way + [0.0, 0.0, 0.1], atol=2e-3)


def test_the_tip_of_a_collider_holds_a_board_up():
    """Vertices of colliders meet faces of bodies."""
    spikes = np.array([[x, y, z] for x, y in ((-0.2, -0.2), (0.2, -0.2), (0.0, 0.25)) for z in (0.0, -0.3)])
    side = np.array([[0.02, 0.0, 0.0], [-0.01, 0.02, 0.0], [-0.01, -0.02, 0.0]])
    points = np.concatenate([np.concatenate([spikes[2 * k, None], spikes[2 * k + 1] + side]) for k in range(3)])
    triangles = np.concatenate([[[0, 1, 2], [0, 2, 3], [0, 3, 1]] + np.int64(4 * k) for k in range(3)])
    board = brick((0.0, 0.0, 0.021), (0.6, 0.6, 0.04), name="board")
    way = places(frames(Scene((), 1.0 / 24.0, 49, bodies=(board,), colliders=(wall((points, triangles)),))))[:, 0]
    np.testing.assert_allclose(way[-1], [0.0, 0.0, 0.02], atol=2e-4)


def test_fast_things_do_not_pass_through_thin_ones():
    plate = brick((0.0, 0.0, 0.0), (1.0, 1.0, 0.01), name="plate", density=5000.0, weights=np.zeros(6))
    bullet = sphere((0.1, 0.1, 1.0), 0.02, v=np.array([0.0, 0.0, -200.0]), restitution=0.5)
    dart = brick((-0.2, 0.1, 0.6), (0.01, 0.01, 0.2), (0.3, 0.2, 0.1), "dart", v=np.array([0.0, 0.0, -100.0]))
    baked = frames(Scene((), 1.0 / 24.0, 6, bodies=(plate, bullet, dart)))
    for frame in baked:
        own = moved(plate, frame.bodies[0])
        turn = Rotation.from_quat(np.roll(frame.bodies[0, 3:], -1)).inv()
        for body, pose in zip((bullet, dart), frame.bodies[1:], strict=True):
            inside = turn.apply(moved(body, pose).points - frame.bodies[0, :3])
            over = np.all(np.abs(inside[:, :2]) < 0.5, axis=1)
            assert np.all(inside[over, 2] > 0.0)
            assert deepest_between(own, moved(body, pose)) < 1e-3


def test_a_rope_lies_on_a_crate_and_pulls_at_it(solver):
    x = np.stack([np.linspace(-0.35, 0.35, 61), np.zeros(61), np.full(61, 0.3)], axis=1)
    rope = Rod.from_material("rope", x, 0.01, replace(RUBBER, young=1e5))
    crate = brick((0.0, 0.0, 0.1), (0.2, 0.2, 0.2), name="crate", density=1e5)
    scene = Scene((rope,), 1.0 / 24.0, 49, floor=Floor(0.0), solver=solver)
    baked = frames(replace(scene, bodies=(crate,)))
    points, thickness = rounded(crate.shape)
    collider = replace(wall((points, crate.shape.triangles)), thickness=thickness)
    on_mesh = frames(replace(scene, colliders=(collider,)))
    np.testing.assert_allclose(baked[-1].x[:, 2], on_mesh[-1].x[:, 2], atol=2e-3)
    for frame in baked:
        cord = Solid(frame.x, np.stack([np.arange(60), np.arange(1, 61), np.arange(1, 61)], axis=1), 0.01)
        assert deepest_between(cord, moved_rounded(crate, frame.bodies[0])) < 5e-4


def test_a_lamp_on_a_rope_comes_down_on_the_floor(solver):
    x = np.stack([np.zeros(21), np.zeros(21), np.linspace(1.0, 0.4, 21)], axis=1)
    rope = Rod.from_material("rope", x, 0.005, RUBBER)
    lamp = brick((0.0, 0.0, 0.35), (0.1, 0.1, 0.1), name="lamp")
    down = Pin("hand", 0, 0, "POSITION", np.array([0.0, 2.0]), np.array([[0.0, 0.0, 1.0], [0.3, 0.0, 0.6]]))
    scene = Scene((rope,), 1.0 / 24.0, 73, bodies=(lamp,), welds=(Weld("tie", 0, 0, 20),), pins=(down,),
                  floor=Floor(0.0), solver=solver)  # fmt: skip
    baked = frames(scene)
    for frame in baked:
        assert moved(lamp, frame.bodies[0]).points[:, 2].min() > -2e-3
    assert baked[-1].bodies[0, 2] == pytest.approx(0.05, abs=1e-3)


def test_a_rope_comes_out_of_the_body_it_is_tied_in(solver):
    """One of its vertices lies just on the body's surface, and overlaps it by its radius."""
    x = np.stack([np.zeros(17), np.zeros(17), np.linspace(0.8, 0.0, 17)], axis=1)
    rope = Rod.from_material("rope", x, 0.005, RUBBER)
    crate = brick((0.0, 0.0, 0.0), (0.1, 0.1, 0.1), name="crate")
    ties = {"pins": (Pin.fixed(rope, 0, rod=0),), "welds": (Weld("tie", 0, 0, 16),)}
    scene = Scene((rope,), 1.0 / 24.0, 25, bodies=(crate,), solver=solver, **ties)
    bare = replace(scene, bodies=(replace(crate, shape=None),))
    np.testing.assert_allclose(frames(scene)[-1].x, frames(bare)[-1].x, atol=1e-6)


def test_an_edge_that_goes_through_a_corner_leaves_it_freely(solver):
    """Both ends of it are outside: it was drawn so, and does not touch, as what is drawn inside does not."""
    along, out, r = np.array([1.0, 0.0, -1.0]) / np.sqrt(2.0), np.array([1.0, 0.0, 1.0]) / np.sqrt(2.0), 0.005
    x = np.array([0.1, 0.0, 0.1]) - r * out + np.linspace(-0.15, 0.15, 4)[:, None] * along
    rod = Rod.from_material("rod", x, r, replace(RUBBER, young=1e8), v=np.tile(0.05 * out, (4, 1)))
    body = brick((0.0, 0.0, 0.0), (0.2, 0.2, 0.2))
    scene = Scene((rod,), 1.0 / 24.0, 7, bodies=(body,), gravity=np.zeros(3), air_density=0.0, solver=solver)
    last = frames(scene)[-1]
    np.testing.assert_allclose(last.bodies[0, :3], 0.0, atol=1e-12)
    np.testing.assert_allclose(last.x, x + 0.05 * 6.0 / 24.0 * out, atol=1e-9)


def test_a_frame_tells_how_much_touches():
    bodies = tuple(brick((0.0, 0.0, 0.03 + 0.06 * k), name=f"brick {k}") for k in range(3))
    last = frames(Scene((), 1.0 / 24.0, 13, bodies=bodies, floor=Floor(0.0)))[-1]
    assert last.contacts >= 12
    assert last.overlap < 0.05
    alone = frames(Scene((), 1.0 / 24.0, 3, bodies=bodies[1:2], floor=Floor(-1.0)))[-1]
    assert (alone.contacts, alone.overlap) == (0, 0.0)


def test_resuming_gives_the_same_bytes():
    bodies = (brick((0.0, 0.0, 0.2), turn=(0.3, 0.2, 0.1)), sphere((0.05, 0.0, 0.5), 0.06))
    scene = Scene((), 1.0 / 24.0, 20, bodies=bodies, floor=Floor(0.0))
    whole = frames(scene)
    again = list(simulate(scene, whole[9].state))
    for one, other in zip(whole[10:], again, strict=True):
        assert one.bodies.tobytes() == other.bodies.tobytes()


def test_energy_never_rises():
    rng = np.random.default_rng(7)
    bodies = tuple(
        brick((0.0, 0.0, 0.15 + 0.25 * k), rng.uniform(0.08, 0.2, 3), rng.normal(size=3), name=f"brick {k}")
        for k in range(4)
    )
    points, triangles = ball(0.15, 6, 9)
    lump = wall((points - [0.0, 0.0, 0.15], triangles))
    scene = Scene((), 1.0 / 24.0, 2, bodies=bodies, floor=Floor(-0.1), colliders=(lump,))
    model, state, work = assemble(scene, times=16)
    first = highest = energies(model, state).total
    for _ in range(600):
        assert take_steps(model, state, work, 1e-3, 1)[0] == 0
        now = energies(model, state).total
        assert now < highest + 1e-3 * abs(first)
        highest = min(highest, now)


def test_a_shape_is_as_drawn_but_for_its_edges():
    """What is rounded from within has its faces where they are drawn."""
    model, _, _ = assemble(Scene((), 1.0, 1, bodies=(brick((1.0, 2.0, 3.0), (0.2, 0.1, 0.06)),)))
    radius = model.skins.colliders["thickness"][0]
    reach = np.abs(model.skins.samples[0]).max(axis=0) + radius
    np.testing.assert_allclose(np.sort(reach), [0.03, 0.05, 0.1], rtol=1e-12)
    assert radius == pytest.approx(0.015 * 0.06)


def test_no_contact_means_none():
    body = replace(brick((0.0, 0.0, 0.2)), shape=Shape(np.zeros((1, 3)), np.zeros((1, 3), np.int64), 0.1))
    scene = Scene((), 1.0 / 24.0, 13, bodies=(body,), floor=Floor(0.0), contact=False)
    assert frames(scene)[-1].bodies[0, 2] == pytest.approx(0.2 - 0.5 * G * 0.5**2, rel=1e-2)
