"""Rods that roll: friction turns their frames, and is seen at their surface."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import Coupling, jelly
from solid_meshes import brick as soft_brick
from solids import brick
from solvers import go_on, solved_by
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.run.retries import persist
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Frame, Pin, Rod, Scene
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
    return [item for item in simulate(scene) if isinstance(item, Frame)]


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


@pytest.mark.parametrize(("kind", "solver"), [("soft", "EXPLICIT"), ("soft", "IMPLICIT"), ("rigid", "EXPLICIT")])
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
        state, _, failed = persist(scene, *assemble(scene), np.zeros(0, bool), duration)
        assert failed is None
    pull = G * np.sin(alpha) / (1.0 + 0.5 * (R / arm) ** 2)
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=5e-3)
    np.testing.assert_allclose(state.spin[1:-1], -pull * duration / arm, rtol=5e-3)


def test_carried_by_a_belt(solver):
    """A rod on a belt that goes at V begins to roll, against it, and so goes at V/3 alone; nothing twists it."""
    speed, duration = 0.3, 0.4
    scene = Scene((log(),), duration / 4.0, 5, colliders=(belt(speed, duration),), air_density=0.0, max_step=2.5e-4)
    frames = frames_of(solved_by(solver, scene))
    went = np.diff([frame.x[:, 1].mean() for frame in frames[2:]]) / (duration / 4.0)
    np.testing.assert_allclose(went, speed / 3.0, rtol=5e-3)
    angle = [turned(frame.m1) for frame in frames]
    assert max(np.ptp(a) for a in angle) < 1e-4
    way = np.diff(angle[2:], axis=0) - 2.0 / 3.0 * speed / R * duration / 4.0
    np.testing.assert_allclose(np.mod(way + np.pi, 2.0 * np.pi), np.pi, atol=0.02)


def supple(end, twist=0.0):
    """The same rod, easily twisted, by `twist` [rad] up to vertex `end` as drawn, held at its beginning, its far end
    where it is; and its twisting stiffness [N m²].
    """
    stiffness, angle = 1e-5, np.zeros(N + 1)
    angle[1:end] = twist / (end - 1)
    rod = replace(log(twist=angle, rest_twist=0.0 * angle), twist_stiffness=np.full(N + 1, stiffness), stretchable=True)
    return rod, (Pin.fixed(rod, 0, 0, "TWIST"), Pin.fixed(rod, 0, N)), stiffness


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


def test_rods_that_meet():
    """Two rods side by side that strike each other, and pass each other at u: sticking takes the impulse m u/6 and
    gives each u/3r of spin. Momenta are kept, the rods' spin among them.
    """
    s, apart, pass_by, come = np.linspace(-0.1, 0.1, 11)[:, None], 2.002 * R, 0.1, 0.2
    rods = []
    for side in (-0.5, 0.5):
        x = s * np.array([1.0, 0.0, 0.0]) + np.array([0.0, side * apart, 0.0])
        v = np.tile([0.0, -2.0 * side * come, side * pass_by], (11, 1))
        rods.append(Rod.from_material("rod", x, R, WOOD, v=v, rolls=True))
    scene = Scene(tuple(rods), 0.04, 1, gravity=np.zeros(3), air_density=0.0, max_step=1e-4, solver="EXPLICIT")
    model, state, work = assemble(scene)
    before = angular_momentum(model, state), linear_momentum(model, state)
    go_on(scene, model, state, work, 0.01)
    mass = rods[0].mass.sum()
    np.testing.assert_allclose(state.v[:11, 2], -0.5 * pass_by + pass_by / 6.0, rtol=3e-3)
    np.testing.assert_allclose(np.abs(state.spin[1:11]), pass_by / 3.0 / R, rtol=0.02)
    np.testing.assert_allclose(angular_momentum(model, state), before[0], atol=1e-3 * mass * pass_by * R)
    np.testing.assert_allclose(linear_momentum(model, state), before[1], atol=1e-12)


def test_springs_roll_nothing():
    with pytest.raises(SceneError, match="Contact springs roll nothing"):
        check(Scene((log(),), 0.04, 1, floor=Floor(0.0, MU), treatment="SPRINGS"))
