"""Cosserat rods in scenes: held, welded, touching, settled, resumed. By themselves: see test_cosserat_motion."""

from dataclasses import replace

import numpy as np
import pytest
from cosserat import ALONG_X, CosseratRod, along_x, round_laws, slaved
from solvers import go_on
from tendril.physics.assemble import assemble
from tendril.physics.cost import linear_step
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.momenta import angular_momentum, linear_momentum
from tendril.physics.materials import Material
from tendril.physics.rods.material_axes import material_axes
from tendril.physics.run import simulate as running
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import advance, take_steps
from tendril.physics.time_integration.step import step
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE, TOO_FAR
from tendril.physics.validate import forecast

R, N, G = 0.01, 30, 9.81
SOFT = Material(1e6, 0.45, 1100.0, drag_coefficient=0.0)
UP = np.array([0.0, 0.0, 1.0])


def rod(x=None, material=SOFT, radius=R, **options):
    x = along_x(N) if x is None else x
    return Rod.from_material("rod", x, radius, material, model="cosserat", **{"m1": UP, **options})


def ring(count=40, radius=0.2, **options):
    angle = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    x = radius * np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    return rod(x, material=Material(1e7, 0.45, 1100.0), radius=0.005, closed=True, **options)


def scene_of(*rods, **options):
    """In a vacuum, without gravity and contact."""
    given = {"contact": False, "air_density": 0.0, "gravity": np.zeros(3), **options}
    return Scene(rods, 1.0 / 48.0, given.pop("frame_count", 2), **given)


def angles(m1):
    """(..., m) [rad] about x that turn z into the first material axes (..., m, 3) of a rod along x."""
    return np.unwrap(np.arctan2(-m1[..., 1], m1[..., 2]), axis=-1)


def hand(turns, duration, vertex=0):
    """A pin that turns a rod's end about x, smoothly."""
    s = np.linspace(0.0, 1.0, 81)
    half = np.pi * turns * s * s * (3.0 - 2.0 * s)
    turn = np.stack([np.cos(half), np.sin(half), 0.0 * s, 0.0 * s], axis=1)
    return Pin("hand", 0, vertex, "TWIST", duration * s, np.tile(along_x(N)[vertex], (81, 1)), turn)


def test_without_contact_it_does_what_the_elements_do_alone():
    """A cantilever lets go, step by step, to rounding."""
    laws, material = round_laws(R, 1e7, 0.5, 1000.0), Material(1e7, 0.5, 1000.0, drag_coefficient=0.0)
    alone = CosseratRod(along_x(N), slaved(laws, 1.0 / N), walls=(ALONG_X, None))
    alone.hold(0)
    alone.gravity[2] = -G
    own = rod(material=material)
    model, state, work = assemble(scene_of(own, gravity=np.array([0.0, 0.0, -G]), pins=(Pin.fixed(own, 0, "TWIST"),)))
    h, steps = 0.4 * alone.step(), 400
    alone.advance(steps, h)
    assert take_steps(model, state, work, h, steps) == (DONE, 0)
    assert state.x[-1, 2] < -0.01
    np.testing.assert_allclose(state.x, alone.x, atol=1e-10)
    np.testing.assert_allclose(state.omega[1 : N + 1], alone.spin[:N], atol=1e-7)


def test_a_turned_end_winds_it():
    """Friction calms it: the twist is then the same all along."""
    own = rod(internal_damping=0.02)
    pins = hand(1.5, 0.4), Pin.fixed(own, N, "TWIST")
    last = [frame.m1 for frame in simulate(scene_of(own, frame_count=80, pins=pins))][-1]
    twist = np.diff(angles(last))
    np.testing.assert_allclose(twist, twist.mean(), rtol=1e-6)
    np.testing.assert_allclose(twist, -3.0 * np.pi / N, rtol=1e-3)


def test_let_go_it_untwists_as_the_wave_equation_says():
    """θ(L, t) = θ₀ (1 − ct/L) of what is wound evenly, until the wave has gone to the wall and back; it then is as much
    wound the other way.
    """
    count, turned = 60, 4.0 * np.pi
    own = rod(along_x(count))
    model, state, work = assemble(scene_of(own, pins=(Pin.fixed(own, 0, "TWIST"),)))
    place = (np.arange(count) + 0.5) / count
    half = 0.5 * turned * place
    w, x, y, z = state.q[1 : count + 1].T
    state.q[1 : count + 1] = np.stack([
        np.cos(half) * w - np.sin(half) * z, np.cos(half) * x + np.sin(half) * y,
        np.cos(half) * y - np.sin(half) * x, np.cos(half) * z + np.sin(half) * w], axis=1)  # fmt: skip
    speed = np.sqrt(SOFT.shear / SOFT.density)
    h, seen = 0.3 * stable_step(model, state), []
    for _ in range(60):
        steps = round(1.9 / 60.0 / speed / h)
        assert take_steps(model, state, work, h, steps) == (DONE, 0)
        axis = material_axes(model, state)[-1]
        seen.append((state.clock["time"][0] * speed, np.arctan2(-axis[1], axis[2])))
    time, angle = np.array(seen).T
    angle = np.unwrap(np.concatenate([[turned * place[-1]], angle]))[1:]
    np.testing.assert_allclose(angle, turned * (1.0 - time), atol=0.01 * turned)


@pytest.mark.parametrize("damping", [0.0, 0.02])
@pytest.mark.parametrize("mode", ["TWIST", "DIRECTION", "POSITION"])
def test_a_pin_that_yields_lets_go_and_takes_up_again(mode, damping):
    """Its influence fades and grows; what it then holds it holds where it was, and the frame turned with it."""
    own = rod(material=replace(SOFT, young=1e7), internal_damping=damping)
    times, influence = np.array([0.0, 0.1, 0.2, 0.4, 0.8]), np.array([1.0, 1.0, 0.0, 0.0, 1.0])
    hand = Pin("hand", 0, 0, mode, times, np.zeros((5, 3)), None, influence, None)
    gravity = np.array([0.0, 0.0, -1.0])
    scene = scene_of(own, gravity=gravity, frame_count=60, pins=(hand, Pin.fixed(own, N, mode)), air_density=50.0)
    frames = list(simulate(replace(scene, rods=(replace(own, drag_coefficient=1.0),))))
    lowest = min(frame.x[0, 2] for frame in frames)
    assert lowest < -0.005
    assert abs(frames[-1].x[0]).max() < 1e-3
    assert all(np.isfinite(frame.m1).all() for frame in frames)
    if mode == "TWIST":
        assert frames[-1].m1[0] @ UP > 0.999 * np.linalg.norm(frames[-1].m1[0])


@pytest.mark.parametrize("damping", [0.0, 0.02])
@pytest.mark.parametrize("mode", ["TWIST", "DIRECTION", "POSITION"])
@pytest.mark.parametrize("vertex", [N, N // 2])
def test_a_welded_body_is_turned_by_it_and_momenta_are_kept(vertex, mode, damping):
    """A wound rod unwinds and turns a body that spins anyway; nothing holds either."""
    twist = np.full(N + 1, 4.0 * np.pi / N)
    own = rod(twist=twist, rest_twist=0.0 * twist, internal_damping=damping)
    place = along_x(N)[vertex] + [0.05, 0.0, 0.02]
    body = RigidBody("lamp", place, 0.02, np.diag([2e-6, 3e-6, 4e-6]), omega=np.array([3.0, 1.0, 0.0]))
    model, state, work = assemble(scene_of(own, bodies=(body,), welds=(Weld("tie", 0, 0, vertex, mode),)))
    before, push, turn = energies(model, state).total, linear_momentum(model, state), angular_momentum(model, state)
    turned = state.bodies["l"][0].copy()
    assert take_steps(model, state, work, 0.3 * stable_step(model, state), 3000) == (DONE, 0)
    size = np.linalg.norm(turn)
    np.testing.assert_allclose(angular_momentum(model, state), turn, atol=1e-9 * size)
    np.testing.assert_allclose(linear_momentum(model, state), push, atol=1e-10)
    assert np.linalg.norm(state.bodies["l"][0] - turned) > 1e-3 * size
    after = energies(model, state).total
    assert after < 0.7 * before if damping else after == pytest.approx(before, rel=1e-2)


@pytest.mark.parametrize("damping", [0.0, 0.01])
def test_a_wound_ring_that_is_thrown_keeps_its_momenta(damping):
    rng = np.random.default_rng(1)
    twist = np.full(40, 0.1)
    own = ring(twist=twist, rest_twist=0.0 * twist, internal_damping=damping, v=0.5 * rng.standard_normal((40, 3)))
    model, state, work = assemble(scene_of(own))
    before, push, turn = energies(model, state).total, linear_momentum(model, state), angular_momentum(model, state)
    assert take_steps(model, state, work, 0.3 * stable_step(model, state), 5000) == (DONE, 0)
    np.testing.assert_allclose(angular_momentum(model, state), turn, atol=1e-9 * np.linalg.norm(turn))
    np.testing.assert_allclose(linear_momentum(model, state), push, atol=1e-10)
    after = energies(model, state).total
    assert after < 0.7 * before if damping else after == pytest.approx(before, rel=0.05)


@pytest.mark.parametrize("slope", [1.0, 3.2])
def test_rolls_down_a_slope(slope):
    """With 2/3 g sin α while tan α < 3μ, and slides with g (sin α − μ cos α) beyond: see test_rolling."""
    mu, radius, duration, alpha = 0.4, 0.005, 0.2, np.arctan(0.4 * slope)
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    own = rod(along_x(20, 0.4) + [0.0, 0.0, radius], Material(1e8, 0.3, 700.0, friction=mu), radius)
    scene = scene_of(own, gravity=gravity, floor=Floor(0.0, mu), contact=True)
    model, state, work = assemble(scene)
    assert advance(model, state, work, duration, 0.6, np.inf)[0] == DONE
    pull = max(2.0 / 3.0 * np.sin(alpha), np.sin(alpha) - mu * np.cos(alpha)) * G
    spin = mu * G * np.cos(alpha) * 2.0 * duration / radius if slope > 3.0 else pull * duration / radius
    np.testing.assert_allclose(state.v[:, 1], pull * duration, rtol=1e-3)
    np.testing.assert_allclose(state.omega[1:21, 2], -spin, rtol=1e-3)


def draped(**options):
    """A rod that falls over a stiff Kirchhoff one and onto the floor, its end wound by a hand."""
    x = along_x(N, 0.6) + [-0.3, 0.0, 0.05]
    material = Material(1e6, 0.45, 1100.0, friction=0.3, internal_damping=0.01)
    bar = Rod.from_material(
        "bar", along_x(20, 0.4)[:, [1, 0, 2]] - [0.0, 0.2, 0.0], 0.005, replace(material, young=1e8)
    )
    bar = replace(bar, rest_length_factor=1.001)
    pins = tuple(Pin.fixed(bar, end, "TWIST", rod=1) for end in (0, 20))
    return Scene((rod(x, material, 0.005), bar), 1.0 / 48.0, 21, pins=pins, floor=Floor(-0.2, 0.3), **options)


@pytest.mark.parametrize("solver", ["AUTOMATIC", "IMPLICIT"])
def test_lies_over_a_kirchhoff_rod_and_on_the_floor(solver):
    frames = list(simulate(draped(solver=solver)))
    assert max(frame.overlap for frame in frames) < 0.05
    assert frames[-1].contacts > 0
    assert frames[-1].x[N // 2, 2] > -0.05
    assert frames[-1].x[: N + 1, 2].min() < -0.15


def test_goes_on_from_a_checkpoint_to_the_same_bytes():
    frames = list(simulate(draped()))
    resumed = list(simulate(draped(), frames[8].state))
    assert [frame.x.tobytes() + frame.m1.tobytes() for frame in resumed] == [
        frame.x.tobytes() + frame.m1.tobytes() for frame in frames[9:]
    ]


def test_threads_change_no_byte(monkeypatch):
    found = []
    for cores in (1, 2):
        monkeypatch.setattr(running, "_cores", lambda cores=cores: cores)
        found.append([frame.x.tobytes() + frame.m1.tobytes() for frame in simulate(draped())])
    assert found[0] == found[1]


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT", "AUTOMATIC"])
@pytest.mark.parametrize("kind", ["open", "closed", "held inside", "beside a body", "welded"])
def test_which_steps_it_takes(solver, kind):
    """Those that are asked for; a rod beside it has its own."""
    scene = replace(draped(), solver=solver, contact=False)
    own, bar = scene.rods
    if kind == "closed":
        scene = replace(scene, rods=(ring(), bar))
    elif kind == "held inside":
        scene = replace(scene, pins=(*scene.pins, Pin.fixed(own, 7, "TWIST")))
    elif kind in ("beside a body", "welded"):
        scene = replace(scene, bodies=(RigidBody("ball", np.ones(3), 1.0, np.eye(3)),))
    if kind == "welded":
        scene = replace(scene, welds=(Weld("weld", 0, 0, len(own.x) - 1, "TWIST"),))
    found = forecast(scene)
    assert found.implicit.tolist() == [solver == "IMPLICIT", solver == "IMPLICIT" or found.implicit[1]]
    if solver == "IMPLICIT":
        assert found.why == ""
    frames = list(simulate(replace(scene, frame_count=3)))
    assert np.all(np.isfinite(frames[-1].x))


def test_automatic_takes_implicit_steps_where_explicit_ones_take_too_long():
    steel = rod(along_x(200), Material(2e11, 0.3, 7800.0), 0.005)
    limp = rod(along_x(200), Material(1e6, 0.45, 1100.0), 0.005)
    chosen = [forecast(scene_of(own, solver="AUTOMATIC")).implicit[0] for own in (steel, limp)]
    assert chosen == [True, False]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("young", [1e6, 1e9])
def test_estimates_go_by_the_step_it_takes(young, closed):
    own = ring() if closed else rod(material=replace(SOFT, young=young))
    model, _, _ = assemble(scene_of(own))
    assert linear_step(own) == pytest.approx(2.0 / np.sqrt(model.rods["limit"][0]), rel=1e-9)


@pytest.mark.parametrize("given", [False, True])
def test_a_welded_edge_keeps_its_own_spin_inertia(given):
    """What turns about a straight rod is the body and all edges, whether they are welded or not."""
    own = rod(spin_factor=50.0)
    about = 1.0 / assemble(scene_of(own))[0].mobility[1 : N + 1, 1]
    if given:
        about *= 2.0
        own = replace(own, director_inertia=np.stack([about, about], axis=1))
    body = RigidBody("bar", own.x[12], 0.02, np.diag([2e-5, 3e-5, 4e-5]), omega=np.array([3.0, 0.0, 0.0]))
    state = assemble(scene_of(own, bodies=(body,), welds=(Weld("tie", 0, 0, 12, "TWIST"),)))[1]
    assert state.bodies["l"][0, 0] == pytest.approx(3.0 * (2e-5 + about[12]), rel=1e-12)


def test_damped_ones_take_long_steps_in_a_preview():
    """Their largest step knows of friction; four fifths of it only calm a wound rod."""
    own = rod(internal_damping=0.02)
    scene = scene_of(own, frame_count=40, pins=(hand(0.5, 0.4), Pin.fixed(own, N, "TWIST")), quality="PREVIEW")
    assert scene.fraction == 0.8
    assert replace(scene, rods=(own, replace(own, model="kirchhoff", stretchable=False))).fraction == 0.6
    twist = np.diff(angles([frame.m1 for frame in simulate(scene)][-1]))
    np.testing.assert_allclose(twist, -np.pi / N, rtol=1e-3)


@pytest.mark.parametrize("axis", [0, 2], ids=["across", "about"])
def test_a_step_in_which_directors_turn_far_is_halved(axis):
    """An edge is turned by no more than half a radian across itself, or about itself against its neighbours."""
    model, state, work = assemble(scene_of(rod()))
    h, before = 0.3 * stable_step(model, state), state.q[5].copy()
    state.omega[5, axis] = 3.0 / h
    status, *_, gone = step(model, state, work, h, h)
    assert status == DONE
    assert gone == h / 8.0
    assert 2.0 * np.arccos(before @ state.q[5]) == pytest.approx(3.0 / 8.0, rel=1e-2)


@pytest.mark.parametrize("given", ["nowhere", "turned round"])
def test_directors_that_are_nowhere_or_turned_round_are_not_accepted(given):
    model, state, work = assemble(scene_of(rod()))
    if given == "nowhere":
        state.omega[5, 1] = np.nan
    else:
        w, x, y, z = state.q[5]
        state.q[5] = -x, w, z, -y  # half a turn about d1
    h, before = 0.3 * stable_step(model, state), state.q.copy()
    status, number, *_ = step(model, state, work, h, h)
    assert (status, number) == (TOO_FAR, 0)
    np.testing.assert_array_equal(state.q, before)


def held_ring(first, holder, solver, contact):
    """A ring of 16 edges that is thrown over a floor, held at the same edge wherever its `first` vertex is: that is the
    edge which closes it where this is 0.
    """
    n, where = 16, 15
    a = 2.0 * np.pi * (np.arange(n) + first) / n
    x, v = np.stack([0.1 * np.cos(a), 0.1 * np.sin(a), 0.0 * a + 0.0055], axis=1), np.tile([0.5, 0.0, -1.0], (n, 1))
    rubber = Material(1e7, 0.45, 1100.0, friction=0.4)
    own, vertex = Rod.from_material("ring", x, 0.005, rubber, model="cosserat", closed=True, v=v), (where - first) % n
    given = {"pins": (Pin.fixed(own, vertex, "TWIST"),)}
    if holder == "weld":
        place = 0.5 * (x[vertex] + x[(vertex + 1) % n]) + [0.03, 0.0, 0.035]
        body = RigidBody("lamp", place, 0.02, np.diag([2e-6, 3e-6, 4e-6]), omega=np.array([0.0, 3.0, 2.0]))
        given = {"bodies": (body,), "welds": (Weld("tie", 0, 0, vertex, "TWIST"),)}
    ground = {"floor": Floor(0.0, 0.4)} if contact else {"contact": False}
    return Scene((own,), 1.0 / 240.0, 2, air_density=0.0, solver=solver, **ground, **given)


@pytest.mark.parametrize("contact", [False, True])
@pytest.mark.parametrize("holder", ["pin", "weld"])
def test_a_ring_may_be_held_by_the_edge_that_closes_it(holder, contact, solver):
    """As by any other. (A body felt nothing of what twisted that edge by explicit steps: in .1 s the ring was 2.4 radii
    off. And friction turned it as if nothing held it.)
    """
    found, energy = [], []
    for first in (0, 10):
        scene = held_ring(first, holder, solver, contact)
        model, state, work = assemble(scene)
        go_on(scene, model, state, work, 0.1)
        found.append(np.roll(state.x, first, axis=0))
        energy.append(energies(model, state).total)
    near = 0.02 if contact else 1e-9  # of a radius: what sweeps leave
    np.testing.assert_allclose(found[0], found[1], atol=near * 0.005)
    assert energy[0] == pytest.approx(energy[1], rel=1e-3 if contact else 1e-9)


def test_a_ring_that_has_met_a_kirchhoff_rod_goes_on_from_a_checkpoint(solver):
    """To the same bytes, from frames before they touch, while they do, and behind that."""
    scene, rope = held_ring(0, "weld", solver, True), Material(1e6, 0.45, 1100.0, friction=0.4)
    x = np.linspace([-0.2, 0.0, 0.03], [0.2, 0.0, 0.03], 21)
    other = Rod.from_material("rope", x, 0.005, rope, v=np.tile([0.0, 0.0, -1.0], (21, 1)))
    scene = replace(scene, rods=(*scene.rods, other), frame_count=20)
    frames = list(simulate(scene))
    apart = [np.linalg.norm(frame.x[:16, None] - frame.x[None, 16:], axis=2).min() for frame in frames]
    assert apart[0] > 0.02 > 0.012 > min(apart)
    for begin in (1, int(np.argmin(apart)), 17):
        resumed = list(simulate(scene, frames[begin].state))
        assert [frame.x.tobytes() + frame.bodies.tobytes() for frame in resumed] == [
            frame.x.tobytes() + frame.bodies.tobytes() for frame in frames[begin + 1 :]
        ]
