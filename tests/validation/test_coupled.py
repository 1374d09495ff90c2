"""Soft bodies that touch rods and rigid bodies, or are tied to them, against closed forms and laws."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import CENTRED, DENSITY, FRAME, GRAVITY, ROUND_OFF, SIDE, Coupling, L, S, X, crate, jelly, pendulum, rope
from meshes import ball
from passages import passages
from scipy.spatial.transform import Rotation
from solid_meshes import brick, clamped
from tendril.physics.assemble.pins import SAG
from tendril.physics.elements.tetrahedra import boundary
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Hold, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie


def flying(relaxation, friction):
    """A soft cube and a crate that strike and go on turning."""
    soft = jelly(CENTRED, relaxation=relaxation, speed=(1.0, 0.0, 0.0), friction=friction)
    solid = crate((0.1,) * 3, (0.2, 0.03, 0.02), 2.0, friction=friction)
    solid = replace(solid, v=np.array([-2.0, 0.3, 0.0]), omega=np.array([3.0, 1.0, 2.0]))
    return Scene((), FRAME, 2, bodies=(solid,), solids=(soft,), gravity=np.zeros(3))


def struck_rope(relaxation):
    x = np.zeros((16, 3))
    x[:, 1] = np.linspace(-0.29, 0.31, 16)
    x[:, 0], x[:, 2] = 0.15, 0.03 + 0.1 * x[:, 1]
    soft = jelly(CENTRED, relaxation=relaxation, speed=(1.0, 0.0, 0.0), friction=0.0)
    return Scene((rope(x, 0.01),), FRAME, 2, solids=(soft,), gravity=np.zeros(3), air_density=0.0)


@pytest.mark.parametrize("scene", [flying(0.0, 0.0), flying(0.003, 0.5), struck_rope(0.0), struck_rope(0.003)])
def test_what_strikes_keeps_both_momenta_and_wins_no_energy(scene):
    run = Coupling(scene)
    linear, angular = run.momenta()
    size, energy, pressed = np.abs(linear).max(), [run.energy()], 0
    for _ in range(60):
        run.go_on(0.002, 0.08)
        energy.append(run.energy())
        pressed = max(pressed, run.pressed)
        now = run.momenta()
        assert np.abs(now[0] - linear).max() < ROUND_OFF * size
        assert np.abs(now[1] - angular).max() < ROUND_OFF * size
    assert pressed >= 4
    assert np.diff(energy).max() < 0.005 * energy[0]  # the scheme's own sway
    assert energy[-1] < 0.99 * energy[0]


def test_friction_between_a_rope_and_a_soft_body_keeps_momentum():
    scene = struck_rope(0.003)
    run = Coupling(replace(scene, solids=(replace(scene.solids[0], friction=0.5),)))
    linear, _ = run.momenta()
    run.go_on(0.1)
    assert np.abs(run.momenta()[0] - linear).max() < ROUND_OFF * np.abs(linear).max()


@pytest.mark.parametrize("mass", [5.0, 20.0])
def test_a_crate_sinks_into_a_soft_cube_by_its_weight_and_stays(mass):
    """F/A = E ε, with half of the cube's own weight, where friction hardly holds it from growing wide."""
    young = 8e5
    solid = crate((0.3, 0.3, 0.1), (0.1, 0.1, SIDE + 0.0535), mass, friction=0.01)
    soft = jelly(young=young, relaxation=0.01, friction=0.01)
    frames = [*simulate(Scene((), FRAME, 145, bodies=(solid,), solids=(soft,), floor=Floor(0.0, 0.01)))]
    top, bottom = X[:, 2] == SIDE, X[:, 2] == 0.0
    shorter = SIDE - frames[-1].x[top, 2].mean() + frames[-1].x[bottom, 2].mean()
    assert shorter == pytest.approx(
        (mass * GRAVITY / SIDE**2 + 0.5 * DENSITY * GRAVITY * SIDE) * SIDE / young, rel=0.02
    )
    still = np.array([frame.bodies[0, :3] for frame in frames[-120:]])
    assert np.ptp(still, axis=0).max() < 1e-4 * SIDE
    assert frames[-1].contacts >= 4


@pytest.mark.parametrize("friction", [0.3, 0.6])
@pytest.mark.parametrize("share", [0.98, 1.02])
def test_a_crate_slides_over_a_soft_block_exactly_where_friction_allows(friction, share):
    slope = np.arctan(share * friction)
    down = GRAVITY * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    x = X * [4.0, 2.0, 1.0]
    scene = Scene(
        (), FRAME, 37, bodies=(crate((0.3, 0.3, 0.1), (0.3, 0.2, SIDE + 0.0535), 4.0, friction=friction),),
        solids=(jelly(x, young=1e6, friction=friction),), holds=clamped(x, x[:, 2] == 0.0), gravity=down,
    )  # fmt: skip
    speed = np.diff([frame.bodies[0, 0] for frame in simulate(scene)])[[20, 35]] / FRAME
    gain = max(0.0, GRAVITY * (np.sin(slope) - friction * np.cos(slope))) * 15 * FRAME
    assert speed[1] - speed[0] == pytest.approx(gain, rel=0.02, abs=1e-4)
    assert (speed[1] > 0.01) == (share > 1.0)


@pytest.mark.parametrize("speed", [50.0, 300.0, pytest.param(2000.0, marks=pytest.mark.slow)])
def test_a_bullet_does_not_pass_through_a_soft_slab(speed):
    x, node = brick((8, 8, 2), (0.4, 0.4, 0.1))
    points, triangles = ball(0.02, 6, 8)
    at = np.array([0.213, 0.207, 0.15])
    bullet = RigidBody(
        "bullet", at, 0.02, 3e-6 * np.eye(3), v=np.array([0.0, 0.0, -speed]), shape=Shape(points + at, triangles)
    )
    scene = Scene((), FRAME, 4, bodies=(bullet,), solids=(jelly(x, node),), gravity=np.zeros(3))
    for frame in simulate(scene):
        turn = Rotation.from_quat(np.roll(frame.bodies[0, 3:], -1))
        assert not passages((frame.x, boundary(node)[0]), (turn.apply(points) + frame.bodies[0, :3], triangles))
    assert frame.bodies[0, 2] - frame.x[:, 2].mean() > 0.0
    assert frame.x[:, 2].mean() < 0.045  # it was pushed


def test_a_rope_comes_to_rest_over_a_soft_block():
    x = np.zeros((25, 3))
    x[:, 1], x[:, 0], x[:, 2] = np.linspace(-0.3, 0.5, 25), 0.1, SIDE + 0.03
    line = rope(x, friction=0.5, internal_damping=0.1)
    scene = Scene((line,), FRAME, 121, solids=(jelly(friction=0.5),), floor=Floor(0.0, 0.5))
    frames = [*simulate(scene)]
    assert np.abs(frames[-1].x - frames[-2].x).max() / FRAME < 0.01
    lying = frames[-1].x[:25]
    assert lying[12, 2] > SIDE  # over it,
    assert lying[[0, -1], 2].max() < 0.5 * SIDE  # and down at its sides
    assert frames[-1].contacts >= 2


def test_contacts_take_no_nodes_that_there_are_not():
    """Of a rope of many more vertices than a soft body has nodes, where its vertices lie on edges and corners."""
    x = np.zeros((121, 3))
    x[:, 1], x[:, 0], x[:, 2] = np.linspace(-0.4, 0.6, 121), np.linspace(-0.1, 0.3, 121), SIDE + 0.009
    coupling = Coupling(Scene((rope(x),), FRAME, 2, solids=(jelly(),)))
    most = 0
    for _ in range(10):
        coupling.go_on(0.02)
        rods = coupling.now.rods
        filled = rods.work.contact.contacts[: rods.state.clock["rows"][0]]
        most, nodes = max(most, coupling.pressed), filled["node"]
        assert 0 <= nodes.min() <= nodes.max() < len(coupling.now.x)
    assert most > 0


def net(slack):
    rods = []
    for k, c in enumerate((-0.06, 0.0, 0.06)):
        x = np.zeros((21, 3))
        x[:, 0], x[:, 1] = np.linspace(-0.3, 0.3, 21), c
        x[:, 2] = -slack * (1.0 - (x[:, 0] / 0.3) ** 2)
        rods += [
            rope(x, 0.006, f"warp {k}", friction=0.5),
            rope(x[:, [1, 0, 2]] - [0, 0, 0.0125], 0.006, f"weft {k}", friction=0.5),
        ]
    return tuple(rods), tuple(Pin.fixed(rod, end, rod=r) for r, rod in enumerate(rods) for end in (0, -1))


def test_a_net_of_ropes_catches_a_soft_body():
    rods, pins = net(0.06)
    soft = jelly(CENTRED + [0.0, 0.0, 0.15], speed=(0.0, 0.0, -3.0), friction=0.5)
    frames = [*simulate(Scene(rods, FRAME, 73, pins=pins, solids=(soft,)))]
    first = sum(len(rod.x) for rod in rods)
    height = np.array([frame.x[first:, 2].mean() for frame in frames])
    assert height.min() > -0.06
    assert np.ptp(height[-24:]) < 0.02
    assert max(frame.overlap for frame in frames) < 0.5


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_soft_body_on_a_rope_swings_as_a_pendulum(solver):
    """Nearly a compound one: its period follows from moments about the pin, at a small angle (1 + θ²/16)."""
    scene = replace(pendulum(0.1), solver=solver)
    frames = [*simulate(scene)]
    way = np.array([frame.x[21:, 0].mean() for frame in frames])
    k = np.flatnonzero(way[:-1] * way[1:] < 0.0)
    crossing = (k + way[k] / (way[k] - way[k + 1])) * scene.frame_duration
    mass, line = DENSITY * S**3, scene.rods[0].mass.sum()
    inertia = mass * ((L + 0.5 * S) ** 2 + S**2 / 6.0) + line * L**2 / 3.0
    period = 2.0 * np.pi * np.sqrt(inertia / (GRAVITY * (mass * (L + 0.5 * S) + 0.5 * line * L))) * (1.0 + 0.01 / 16.0)
    assert 2.0 * np.diff(crossing).mean() == pytest.approx(period, rel=2e-3)
    assert np.abs(way).max() == pytest.approx(np.abs(way[0]), rel=0.02)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_soft_body_on_a_rope_pulls_with_its_weight(solver):
    scene = replace(pendulum(0.0), solver=solver)
    run = Coupling(scene)
    run.go_on(1.5)
    weight = DENSITY * S**3 * GRAVITY
    assert run.now.soft.state.tied[0] == pytest.approx([0.0, 0.0, weight], rel=1e-3, abs=1e-3 * weight)
    edge = np.linalg.norm(scene.rods[0].edges(), axis=1)
    line = scene.rods[0].mass.sum() * GRAVITY
    assert -run.now.rods.state.tension[0] * edge[0] == pytest.approx(weight + line, rel=0.02)


def test_a_pin_that_may_yield_holds_what_is_tied_to_its_rod():
    """Drawn down by as much as its stiffness allows for the whole weight."""
    scene = pendulum(0.0)
    yields = replace(scene, pins=(replace(scene.pins[0], max_force=None),))
    lowest = [[*simulate(each)][24].x[:, 2].min() for each in (scene, yields)]
    assert lowest[0] - lowest[1] == pytest.approx(SAG * scene.rods[0].radius.min(), rel=0.01)


def test_a_tie_to_a_rigid_body_keeps_both_momenta():
    scene = flying(0.0, 0.5)
    solid = crate((0.1,) * 3, (0.15, 0.03, 0.02), 2.0)
    solid = replace(solid, v=np.array([-2.0, 0.3, 0.0]), omega=np.array([3.0, 1.0, 2.0]))
    nodes = np.flatnonzero(CENTRED[:, 0] > 0.49 * SIDE)
    run = Coupling(replace(scene, bodies=(solid,), ties=(Tie("glue", 0, nodes, body=0),)))
    linear, angular = run.momenta()
    run.go_on(0.1)
    now, size = run.momenta(), np.abs(linear).max()
    assert np.abs(now[0] - linear).max() < ROUND_OFF * size
    assert np.abs(now[1] - angular).max() < 1e-10 * size
    body = run.now.rods.state.bodies[0]
    place = dict(zip(run.models[1].solids.members["node"], run.models[1].solids.ties["arm"], strict=True))
    turn = Rotation.from_quat(np.roll(body["q"], -1))
    for node, arm in place.items():
        assert run.now.soft.state.x[node] == pytest.approx(body["x"] + turn.apply(arm), abs=1e-8 * SIDE)


def test_what_is_tied_to_a_led_body_goes_with_it():
    times = np.linspace(0.0, 0.5, 13)
    track = np.array([0.0, 0.0, 0.2]) + 0.1 * np.sin(2.0 * times)[:, None] * [1.0, 0.0, 0.0]
    turn = np.roll(Rotation.from_rotvec(times[:, None] * [0.0, 0.0, 1.0]).as_quat(), 1, axis=1)
    hand = RigidBody("hand", track[0], 1.0, np.eye(3), times=times, track=track, turn=turn)
    nodes = np.flatnonzero(CENTRED[:, 2] > 0.49 * SIDE)
    scene = Scene((), FRAME, 13, bodies=(hand,), solids=(jelly(CENTRED),), ties=(Tie("grip", 0, nodes, body=0),))
    end = [*simulate(scene)][-1]
    wanted = track[-1] + Rotation.from_rotvec([0.0, 0.0, 0.5]).apply(CENTRED[nodes] - track[0])
    assert end.x[nodes] == pytest.approx(wanted, abs=1e-6)


def mixed():
    """A soft cube on a rope beside a crate that strikes it, over a floor, one hold let go on the way."""
    scene = pendulum(0.3)
    beside = replace(crate((0.1,) * 3, (0.03, 0.02, 0.051), 1.0), v=np.array([1.0, 0.0, 0.0]))
    holds = (Hold("finger", "POINT", 0, 0, release=2.5 * scene.frame_duration),)
    return replace(scene, bodies=(beside,), floor=Floor(-0.3), frame_count=13, holds=holds)


@pytest.mark.parametrize(("begin", "solver"), [(0, "EXPLICIT"), (1, "EXPLICIT"), (3, "EXPLICIT"), (7, "IMPLICIT")])
def test_they_go_on_from_a_checkpoint_to_the_byte(begin, solver):
    scene = replace(mixed(), solver=solver)
    frames = [*simulate(scene)]
    assert max(frame.contacts for frame in frames) > 0
    for one, other in zip(frames[begin + 1 :], simulate(scene, frames[begin].state), strict=True):
        assert one.x.tobytes() == other.x.tobytes()
        assert one.bodies.tobytes() == other.bodies.tobytes()
        assert all(one.state[name].tobytes() == other.state[name].tobytes() for name in one.state)


def test_short_steps_of_a_rod_are_no_sign_that_a_soft_body_is_struck():
    """Those of a steel rod that spins are a 20 000th of what the soft body, far away, would take: the bake goes on."""
    wire = Rod.from_material(
        "wire", np.linspace([0.0] * 3, [0.5, 0.0, 0.0], 21), 0.005, Material(2e11, 0.3, 7800.0), model="cosserat"
    )
    x, tetrahedra = np.vstack([np.zeros(3), 0.2 * np.eye(3)]) + [5.0, 0.0, 0.0], np.arange(4)[None]
    soft = SoftBody("soft", x, tetrahedra, 1000.0, 1e4, 0.3)
    frames = list(simulate(Scene((wire,), FRAME, 2, solids=(soft,), solver="EXPLICIT")))
    assert len(frames) == 2
    assert frames[1].x[:3, 2] == pytest.approx(-0.5 * 9.81 * FRAME**2, rel=0.01)
