"""Rods that roll: friction turns their frames, and is seen at their surface."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import Coupling, jelly
from solid_meshes import brick as soft_brick
from solids import brick
from solvers import go_on, persist, solved_by
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene
from tendril.physics.validate import SceneError, check

G, R, N = 9.81, 0.005, 20
LENGTH = 0.2
MU = 0.4
WOOD = Material(1e8, 0.3, 700.0, friction=MU)
UP = np.array([0.0, 0.0, 1.0])


def log(length=LENGTH, **options):
    """A round rod that lies on the plane z = 0 along x, and rolls."""
    s = np.linspace(0.0, length, N + 1)
    return Rod.from_material("log", np.stack([s, 0.0 * s, 0.0 * s + R], axis=1), R, WOOD, rolls=True, m1=UP, **options)


def belt(speed, duration, begin=-0.1):
    """A belt under it, from x = `begin` on, that goes along y."""
    p = np.array([[begin, -2.0, 0.0], [0.4, -2.0, 0.0], [0.4, 2.0, 0.0], [begin, 2.0, 0.0]])
    way = np.array([0.0, speed * duration, 0.0])
    times = np.array([0.0, duration])
    return Collider("belt", np.array([[0, 1, 2], [0, 2, 3]]), times, np.stack([p, p + way]), friction=MU)


def turned(m1):
    """Angles (m,) [rad] about x that turn z into the first material axes m1 (m, 3)."""
    return np.unwrap(np.arctan2(-m1[:, 1], m1[:, 2]))


def frames_of(scene):
    return list(simulate(scene))


@pytest.mark.parametrize("slope", [1.0, 2.9, 3.2])
def test_rolls_down_a_slope(slope, solver):
    """A cylinder rolls with 2/3 g sin α while tan α < 3μ, and slides with g (sin α − μ cos α) beyond; what it gains of
    energy by rolling, it lost of height.
    """
    alpha, duration = np.arctan(slope * MU), 0.2
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    scene = Scene((log(2.0 * LENGTH),), 0.04, 1, gravity=gravity, floor=Floor(0.0, MU), air_density=0.0, max_step=1e-3)
    scene = solved_by(solver, scene)
    model, state, work = assemble(scene)
    before = energies(model, state).total
    go_on(scene, model, state, work, duration)
    pull = max(2.0 / 3.0 * np.sin(alpha), np.sin(alpha) - MU * np.cos(alpha)) * G
    assert state.x[:, 1].mean() == pytest.approx(0.5 * pull * duration**2, rel=5e-3)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=5e-3)
    spin = -MU * G * np.cos(alpha) * 2.0 * duration / R if slope > 3.0 else -pull * duration / R
    np.testing.assert_allclose(state.spin[1:-1], spin, rtol=5e-3)
    lost = before - energies(model, state).total
    slid = slope > 3.0
    assert lost > 0.0 if slid else abs(lost) < 0.01 * energies(model, state).kinetic[0]


@pytest.mark.parametrize("edges", [40, 160])
def test_rolls_as_stiff_as_steel(edges):
    """The same by implicit steps of Good, of steel, of edges no longer than it is thick."""
    alpha, duration = np.arctan(MU), 0.2
    x = np.linspace(0.0, 2.0 * LENGTH, edges + 1)[:, None] * [1.0, 0.0, 0.0] + [0.0, 0.0, R]
    rod = Rod.from_material("log", x, R, replace(WOOD, young=2e11), rolls=True, m1=UP)
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    scene = Scene((rod,), 0.04, 1, gravity=gravity, floor=Floor(0.0, MU), air_density=0.0, solver="IMPLICIT")
    state, _, failed = persist(scene, *assemble(scene), duration)
    assert failed is None
    pull = 2.0 / 3.0 * np.sin(alpha) * G
    assert state.x[:, 1].mean() == pytest.approx(0.5 * pull * duration**2, rel=2e-3)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=1e-3)
    np.testing.assert_allclose(state.spin[1:-1], -pull * duration / R, rtol=1e-3)


def test_slides_until_it_rolls(solver):
    """What is thrown along the ground at v rolls at 2/3 v: what friction takes from it turns it, by steps of any
    length.
    """
    v = 0.1
    scene = Scene((log(v=np.tile([0.0, v, 0.0], (N + 1, 1))),), 0.04, 1, floor=Floor(0.0, MU), air_density=0.0)
    scene = solved_by(solver, scene)
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, 0.05)
    np.testing.assert_allclose(state.v[:, 1], 2.0 / 3.0 * v, rtol=1e-6)
    np.testing.assert_allclose(R * state.spin[1:-1], -2.0 / 3.0 * v, rtol=1e-6)


@pytest.mark.parametrize("kind", [pytest.param("soft", marks=pytest.mark.slow), "rigid"])
def test_rolls_down_a_block_that_lies_on_a_slope(kind, solver):
    """The same on a block, soft or rigid: g sin α/(1 + r²/2a²), a the arm to where the block is pushed."""
    alpha, duration, thick, size = np.arctan(0.5 * MU), 0.1, 5e-4, (0.3, 0.3, 0.04)
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    scene = Scene((log(),), 0.04, 1, gravity=gravity, air_density=0.0, max_step=1e-3, solver=solver)
    arm = R + thick if kind == "soft" else R
    if kind == "soft":
        x, node = soft_brick((4, 4, 1), size)
        block = jelly(x - [0.05, 0.15, 0.04 + thick], node, 1e6, friction=MU, thickness=thick)
        run = Coupling(replace(scene, solids=(block,), floor=Floor(-0.04 - 2.0 * thick, 1.0)))
        run.go_on(duration)
        state = run.now.rods.state
    else:
        block = brick((0.1, 0.0, -0.02), size, friction=MU)
        scene = replace(scene, bodies=(block,), floor=Floor(-0.04, 1.0))
        state, _, failed = persist(scene, *assemble(scene), duration)
        assert failed is None
    pull = G * np.sin(alpha) / (1.0 + 0.5 * (R / arm) ** 2)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=5e-3)
    np.testing.assert_allclose(state.spin[1:-1], -pull * duration / arm, rtol=5e-3)


def test_thrown_along_a_block_on_ice(solver):
    """A log m thrown at v along a free block M on a floor without friction: it rolls once friction has given the block
    the impulse v/(3/m + 1/M), which m has lost, and which has turned it. Momentum is kept throughout.
    """
    v, block = 0.3, brick((0.1, 0.0, -0.02), (0.3, 0.3, 0.04), friction=MU, density=50.0)
    rod = log(v=np.tile([0.0, v, 0.0], (N + 1, 1)))
    scene = Scene((rod,), 0.04, 1, bodies=(block,), floor=Floor(-0.04, 0.0), air_density=0.0, solver=solver)
    m, (state, _, failed) = rod.mass.sum(), persist(scene, *assemble(scene), 0.2)
    assert failed is None
    impulse = v / (3.0 / m + 1.0 / block.mass)
    np.testing.assert_allclose(state.v[:, 1], v - impulse / m, rtol=1e-5)
    np.testing.assert_allclose(state.spin[1:-1], -2.0 * impulse / m / R, rtol=1e-5)
    kept = rod.mass @ state.v + block.mass * state.bodies["v"][0]
    assert abs(kept[1] - m * v) < 1e-10 * m * v


def logs_under_a_plank(slope, solver, *times):
    """A free plank on three logs that lie on a floor of this slope: (Scene, State in the end, where vertices were after
    each of these times [s]).
    """
    alpha = np.arctan(slope)
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    rods = tuple(replace(log(), x=log().x + [0.0, place, 0.0]) for place in (-0.06, 0.0, 0.06))
    plank = brick((0.1, 0.0, 2.0 * R + 0.01), (0.15, 0.3, 0.02), friction=MU)
    scene = Scene(rods, 0.04, 1, bodies=(plank,), floor=Floor(0.0, MU), gravity=gravity, air_density=0.0, solver=solver)
    (model, state, work), places = assemble(scene), []
    for time in times:
        state, work, failed = persist(scene, model, state, work, time)
        assert failed is None
        places.append(state.x.copy())
    return scene, state, places


def test_plank_on_rollers(solver):
    """A plank M on rollers, m all of them, goes twice as fast as they do: by their energy 2M + ¾m times their speed
    squared, they go down a slope with g sin α (2M + m)/(4M + 3/2 m).
    """
    slope, duration = 0.1, 0.3
    scene, state, _ = logs_under_a_plank(slope, solver, duration)
    most, m = scene.bodies[0].mass, sum(rod.mass.sum() for rod in scene.rods)
    pull = G * np.sin(np.arctan(slope)) * (2.0 * most + m) / (4.0 * most + 1.5 * m)
    went, own = state.bodies["v"][0, 1], state.v[:, 1].reshape(3, -1).mean(axis=1)
    np.testing.assert_allclose(own, pull * duration, rtol=1e-3)
    np.testing.assert_allclose(went, 2.0 * own, rtol=1e-3)
    np.testing.assert_allclose(state.bodies["v"][0, [0, 2]], 0.0, atol=1e-4)


def test_a_plank_rests_on_logs(solver):
    """On level ground they stay where they are, to less than a thousandth of their radius a second, and while they find
    their forces by no more.
    """
    found, duration = 0.05, 0.3
    scene, _, (before, after) = logs_under_a_plank(0.0, solver, found, duration)
    drawn = np.concatenate([rod.x for rod in scene.rods])
    assert np.abs(before - drawn).max() < 1e-3 * R * duration
    assert np.abs(after - before).max() < 1e-3 * R * (duration - found)


def test_stacked_logs_rest(solver):
    """Two logs side by side on the ground carry a third one, which would part them: friction holds all three, beyond
    tan 15°. None creeps by more than a ten-thousandth of its radius a second, once they have found their forces.
    """
    places = np.array([[-R, 0.0], [R, 0.0], [0.0, np.sqrt(3.0) * R]])
    rods = tuple(replace(log(), x=log().x + [0.0, *place]) for place in places)
    scene = Scene(rods, 0.04, 1, floor=Floor(0.0, MU), air_density=0.0, max_step=1e-3, solver=solver)
    scene = replace(scene, max_step=1e-3 if solver == "EXPLICIT" else 1.0 / 240.0)
    state, work, failed = persist(scene, *(built := assemble(scene)), 0.2)
    assert failed is None
    before = state.x.copy()
    state, _, failed = persist(scene, built[0], state, work, 2.2)
    assert failed is None
    assert np.abs(state.x - before).max() < 1e-4 * R * 2.0


def test_carried_by_a_belt(solver):
    """A rod on a belt that goes at V begins to roll, against it, and so goes at V/3 alone; nothing twists it."""
    speed, duration = 0.3, 0.4
    scene = Scene((log(),), duration / 4.0, 5, colliders=(belt(speed, duration),), air_density=0.0)
    frames = frames_of(solved_by(solver, scene))
    went = np.diff([frame.x[:, 1].mean() for frame in frames[2:]]) / (duration / 4.0)
    np.testing.assert_allclose(went, speed / 3.0, rtol=5e-3)
    angle = [turned(frame.m1) for frame in frames]
    assert max(np.ptp(a) for a in angle) < 1e-4
    way = np.diff(angle[2:], axis=0) - 2.0 / 3.0 * speed / R * duration / 4.0
    np.testing.assert_allclose(np.mod(way + np.pi, 2.0 * np.pi), np.pi, atol=0.02)


SQUEEZED = 0.995  # of its radius: plates are nearer to each other than the rod is thick, so that they press on it


def plates(speed, duration, begin=-0.1):
    """Two, below and above the rod, that go opposite ways along y."""
    low, high = (replace(belt(way * speed, duration, begin), name=f"plate {way}") for way in (-1.0, 1.0))
    return low, replace(high, points=high.points + 2.0 * SQUEEZED * R * UP)


@pytest.mark.slow
def test_rolled_between_plates(solver):
    """Plates that go at ±v roll what is between them at ω = v/r, where it is; nothing twists it."""
    speed, duration, parts = 0.03, 0.2, 5
    scene = Scene((log(),), duration / parts, parts + 1, colliders=plates(speed, duration), air_density=0.0)
    frames = frames_of(solved_by(solver, scene))
    angle = np.unwrap([turned(frame.m1) for frame in frames], axis=0)
    np.testing.assert_allclose(angle[-1] - angle[0], -speed * duration / SQUEEZED / R, rtol=2e-3)
    assert np.ptp(angle[-1]) < 1e-3
    np.testing.assert_allclose(frames[-1].x[:, 1], 0.0, atol=0.02 * R)


def assert_twisted(m1, angle, end, stiffness, rate):
    """That m1 (m, 3) are those of a rod which is held at its beginning, twisted evenly up to the middle of the edge
    before vertex `end` and, from there on, by `angle`; and that so it is held by C α/L. Turned at `rate` [rad/s] at
    once, it keeps waves of twist of speed c = √(C/I): Σ 2L rate/(nπ)²c at most, steps of the torque by C rate/c.
    """
    found, free = turned(m1), (end - 0.5) / N * LENGTH
    wave = rate / np.sqrt(stiffness / (0.5 * WOOD.density * np.pi * R**4))
    np.testing.assert_allclose(found[end:], angle, rtol=5e-3)
    even = angle * (np.arange(end) + 0.5) / (end - 0.5)
    np.testing.assert_allclose(found[:end], even, atol=wave * free / 3.0)
    torque = stiffness * found[0] / (0.5 * LENGTH / N)
    assert torque == pytest.approx(stiffness * angle / free, abs=stiffness * wave)


def test_twisted_between_plates():
    """Held at one end and rolled between plates, a rod is twisted by the angle that they roll it by. (By explicit steps
    plates that nothing can part press ever harder, and in the end too hard.)
    """
    duration, way, end = 0.5, 0.15, 16
    rod, pins, stiffness = supple(end)
    led = plates(way * SQUEEZED * R / duration, duration, (end - 0.5) / N * LENGTH)
    scene = Scene((rod,), duration, 2, pins[:1], colliders=led, air_density=0.0, gravity=np.zeros(3))
    assert_twisted(frames_of(solved_by("IMPLICIT", scene))[-1].m1, -way, end, stiffness, way / duration)


@pytest.mark.slow
def test_twisted_between_bodies(solver):
    """The same of two ropes between free slabs M, by whose weight they are pressed, and which the ropes' torque holds
    back as a spring does: v t becomes v sin(ω t)/ω with ω² = C/(r² L M).
    """
    duration, way, end, length = 0.5, 0.15, 16, 0.05
    rod, _, stiffness = supple(end)
    v, begin = way * R / duration, (end - 0.5) / N * LENGTH
    rods = tuple(replace(rod, x=rod.x + [0.0, place, 0.0]) for place in (-0.05, 0.05))
    slabs = [
        brick((begin + 0.5 * length, 0.0, z), (length, 0.3, 0.02), name=name, friction=MU, density=1e4,
              v=np.array([0.0, speed, 0.0]))
        for name, z, speed in (("low", -0.01, -v), ("high", 2.0 * R + 0.01, v))
    ]  # fmt: skip
    both = tuple(Pin.fixed(own, 0, "TWIST", rod=number) for number, own in enumerate(rods))
    scene = Scene(rods, duration, 2, both, bodies=tuple(slabs), floor=Floor(-0.02, 0.0), air_density=0.0)
    last = frames_of(solved_by(solver, scene))[-1]
    swung = np.sqrt(stiffness / (R**2 * begin * slabs[0].mass)) * duration
    for m1 in last.m1.reshape(2, -1, 3):
        assert_twisted(m1, -way * np.sin(swung) / swung, end, stiffness, way / duration)


def test_rolled_between_bodies(solver):
    """Two ropes between two free slabs M that pass each other at ±v: to turn both, m together, at ω = v'/r friction
    takes from each slab ¼ m v', so that v' = v/(1 + m/4M). Momentum is kept throughout.
    """
    v, size = 0.1, (0.3, 0.3, 0.02)
    rods = tuple(replace(log(), x=log().x + [0.0, place, 0.0]) for place in (-0.05, 0.05))
    low = brick((0.1, 0.0, -0.01), size, name="low", friction=MU, density=50.0, v=np.array([0.0, -v, 0.0]))
    high = brick((0.1, 0.0, 2.0 * R + 0.01), size, name="high", friction=MU, density=50.0, v=np.array([0.0, v, 0.0]))
    scene = Scene(rods, 0.04, 1, bodies=(low, high), floor=Floor(-0.02, 0.0), air_density=0.0, solver=solver)
    state, _, failed = persist(scene, *assemble(scene), 0.2)
    assert failed is None
    left = v / (1.0 + 0.25 * sum(rod.mass.sum() for rod in rods) / high.mass)
    np.testing.assert_allclose(state.bodies["v"][:, 1], [-left, left], rtol=1e-4)
    spin = state.spin[: 2 * N + 4].reshape(2, -1)[:, 1:-1]
    np.testing.assert_allclose(spin, -left / R, rtol=1e-4)
    kept = np.concatenate([rod.mass for rod in rods]) @ state.v + [low.mass, high.mass] @ state.bodies["v"]
    assert abs(kept[1]) < 1e-10 * high.mass * v


def supple(end, twist=0.0):
    """The same rod, easily twisted, by `twist` [rad] up to vertex `end` as drawn, held at its beginning, its far end
    where it is; and its twisting stiffness [N m²].
    """
    stiffness, angle = 1e-5, np.zeros(N + 1)
    angle[1:end] = twist / (end - 1)
    rod = replace(log(twist=angle, rest_twist=0.0 * angle), twist_stiffness=np.full(N + 1, stiffness), stretchable=True)
    return rod, (Pin.fixed(rod, 0, "TWIST", rod=0), Pin.fixed(rod, N, rod=0)), stiffness


@pytest.mark.parametrize("way", [1.0, 3.0])
def test_twisted_by_a_belt(way, solver):
    """Held at one end, a rod that a belt rolls by α is twisted: friction, μ w r a metre, does not hold it over d, where
    C θ'' = −μ w r, and beyond it rolls as a whole; in the end all of it slides. Vertices that pins hold do not rub: so
    it begins half an edge off, and d² + l d = 2 C α/μ w r.
    """
    duration, (rod, pins, stiffness), l = 1.0, supple(N), LENGTH / N
    q = MU * rod.mass.sum() / LENGTH * G * R
    scene = Scene((rod,), duration, 2, pins, colliders=(belt(way * R / duration, duration),), air_density=0.0)
    last = frames_of(solved_by(solver, scene))[-1]
    d = min(np.sqrt(0.25 * l * l + 2.0 * stiffness * way / q) - 0.5 * l, LENGTH - l)
    assert (d < 0.7 * LENGTH) if way == 1.0 else (d == LENGTH - l)
    u = np.minimum(np.arange(N) * l, d)
    np.testing.assert_allclose(turned(last.m1), q * (d * (u + 0.5 * l) - 0.5 * u**2) / stiffness, atol=0.015)


def test_untwisted_by_a_belt(solver):
    """What twist a thread has between where it is held and where it is rolled falls by the angle it is rolled by."""
    duration, way, twist, end = 0.5, 0.15, 0.2, 16
    rod, pins, _ = supple(end, twist)
    scene = Scene((rod,), duration, 2, pins, air_density=0.0)
    scene = replace(scene, colliders=(belt(-way * R / duration, duration, (end - 0.5) / N * LENGTH),))
    first, last = (turned(frame.m1) for frame in frames_of(solved_by(solver, scene)))
    assert first[-1] == pytest.approx(twist, rel=1e-6)
    np.testing.assert_allclose(last[end:], twist - way, atol=5e-3)
    np.testing.assert_allclose(last[:end], (twist - way) * (np.arange(end) + 0.5) / end, atol=5e-3)


def test_rods_that_meet(solver):
    """Two rods side by side that strike each other, and pass each other at u: sticking takes the impulse m u/6 and
    gives each u/3r of spin. Momenta are kept, the rods' spin among them.
    """
    s, apart, pass_by, come = np.linspace(-0.1, 0.1, 11)[:, None], 2.002 * R, 0.1, 0.2
    rods = []
    for side in (-0.5, 0.5):
        x = s * np.array([1.0, 0.0, 0.0]) + np.array([0.0, side * apart, 0.0])
        v = np.tile([0.0, -2.0 * side * come, side * pass_by], (11, 1))
        rods.append(Rod.from_material("rod", x, R, WOOD, v=v, rolls=True))
    step = 1e-4 if solver == "EXPLICIT" else 1e-3  # longer than they meet for
    scene = Scene(tuple(rods), 0.04, 1, gravity=np.zeros(3), air_density=0.0, max_step=step, solver=solver)
    model, state, work = assemble(scene)
    before = angular_momentum(model, state), linear_momentum(model, state)
    state, work, failed = persist(scene, model, state, work, 0.01)
    assert failed is None
    mass = rods[0].mass.sum()
    np.testing.assert_allclose(state.v[:11, 2], -0.5 * pass_by + pass_by / 6.0, rtol=3e-3)
    np.testing.assert_allclose(np.abs(state.spin[1:11]), pass_by / 3.0 / R, rtol=0.02)
    np.testing.assert_allclose(angular_momentum(model, state), before[0], atol=1e-3 * mass * pass_by * R)
    np.testing.assert_allclose(linear_momentum(model, state), before[1], atol=1e-12)


def test_springs_roll_nothing():
    with pytest.raises(SceneError, match="Contact springs roll nothing"):
        check(Scene((log(),), 0.04, 1, floor=Floor(0.0, MU), treatment="SPRINGS"))
