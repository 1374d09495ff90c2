"""What must not matter: where a scene lies and which way, how a rod is numbered, whether a bake was interrupted."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene

RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002, friction=0.4)
N = 24


def shape(closed=False):
    around = 2.0 * np.pi * np.arange(N) / N
    x = 0.1 * np.stack([np.cos(around), np.sin(around), 0.3 * np.sin(2.0 * around)], axis=1)
    return x if closed else x + 0.04 * np.linspace(0.0, 1.0, N)[:, None]


def one_rod(closed=False, aspect=1.0, **options):
    x = shape(closed)
    twist = np.full(N, 2.0 * np.pi / N)
    if not closed:
        twist[[0, -1]] = 0.0
    radius = np.linspace(0.004, 0.003, N)
    if closed:
        radius = 0.0035 + 0.0005 * np.cos(2.0 * np.pi * np.arange(N) / N)
    m1 = np.array([0.3, 0.2, 0.9])
    return Rod.from_material(
        "rod", x, radius, RUBBER, closed=closed, aspect=aspect, twist=twist, shape_memory=0.5, m1=m1, **options
    )


def frames(scene):
    return list(simulate(scene))


def moving(rod, vertex, mode, seconds=0.2):
    """A pin that carries a vertex 3 cm up, turning by a quarter turn about (1, 2, 2)/3."""
    s = np.linspace(0.0, 1.0, 9)
    rotation = np.column_stack(
        [np.cos(s * np.pi / 4.0), np.outer(np.sin(s * np.pi / 4.0), np.array([1.0, 2.0, 2.0]) / 3.0)]
    )
    position = rod.x[vertex] + np.outer(s, [0.0, 0.0, 0.03])
    return Pin("hand", 0, vertex % len(rod.x), mode, s * seconds, position, rotation)


def turned(scene, R, q, shift):
    """The whole scene turned by R = R(q) and shifted."""

    def turn(rod):
        vectors = {name: getattr(rod, name) @ R.T for name in ("m1", "rest_m1", "v") if getattr(rod, name) is not None}
        return replace(rod, x=rod.x @ R.T + shift, **vectors)

    def carry(pin):
        if pin.rotation is None:
            return replace(pin, position=pin.position @ R.T + shift)
        back = q * [1.0, -1.0, -1.0, -1.0]
        rotation = np.array([product(product(q, p), back) for p in pin.rotation])
        return replace(pin, position=pin.position @ R.T + shift, rotation=rotation)

    rods, pins = tuple(map(turn, scene.rods)), tuple(map(carry, scene.pins))
    return replace(scene, rods=rods, pins=pins, gravity=R @ scene.gravity)


def product(p, q):
    """Of quaternions (w, x, y, z)."""
    w = p[0] * q[0] - p[1:] @ q[1:]
    return np.array([w, *(p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:]))])


def matrix(q):
    w, v = q[0], q[1:]
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross


SCENES = {
    "open": ({}, ("TWIST", "POSITION")),
    "flat": ({"aspect": 0.6}, ("TWIST", "DIRECTION")),
    "ring": ({"closed": True}, ("DIRECTION",)),
    "flat ring": ({"closed": True, "aspect": 0.6}, ("TWIST",)),
    "stretchy": ({"stretchable": True}, ("POSITION",)),
}


def scene_of(kind):
    options, modes = SCENES[kind]
    rod = one_rod(**options)
    pins = [moving(rod, 0, modes[0])]
    if len(modes) > 1:
        pins.append(Pin.fixed(rod, -1, modes[1], rod=0))
    return Scene((rod,), 0.02, 6, pins=tuple(pins), max_step=5e-4)  # evenly, whichever way things lie


@pytest.mark.parametrize("kind", SCENES)
def test_turned_and_shifted(kind):
    q = np.array([0.5, 0.1, -0.7, 0.5])
    q /= np.linalg.norm(q)
    R, shift = matrix(q), np.array([0.3, -0.2, 0.5])
    scene = scene_of(kind)
    here, there = frames(scene), frames(turned(scene, R, q, shift))
    assert np.abs(here[-1].x - scene.rods[0].x).max() > 0.01
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(b.x, a.x @ R.T + shift, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(b.m1, a.m1 @ R.T, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("kind", SCENES)
def test_turned_loads_on_frames(kind):
    """Forces turn along, and the torques about the edges are the same."""
    q = np.array([0.5, 0.1, -0.7, 0.5])
    q /= np.linalg.norm(q)
    R, scene = matrix(q), scene_of(kind)
    moment, found = np.random.default_rng(2).normal(0.0, 1e-4, N + 1), []
    for one in (scene, turned(scene, R, q, np.zeros(3))):
        model, state, work = assemble(one)
        state.rods["loaded"] = True
        own = slice(1, N + model.rods["closed"][0])
        state.moment[own] = moment[own]
        assert elastic_forces(model, state, work.elastic) < 0
        found.append((work.elastic.f, state.torque))
    (here, torque), (there, other) = found
    assert np.abs(torque).max() > 1e-5
    np.testing.assert_allclose(other, torque, rtol=0.0, atol=1e-12 * np.abs(torque).max())
    np.testing.assert_allclose(there, here @ R.T, rtol=0.0, atol=1e-8 * np.abs(here).max())


def drawn_m1(scene, edge):
    """First material axis (3,) on an edge, as drawn."""
    model, state, _ = assemble(scene)
    j = model.rods["frame"][0] + 1 + edge
    return np.cos(state.theta[j]) * state.u[j] + np.sin(state.theta[j]) * np.cross(state.t[j], state.u[j])


def reversed_rod(rod, first_m1):
    """The same open rod with its vertices in the other order: m₁ given on what is now its first edge."""
    return replace(
        rod, x=rod.x[::-1].copy(), radius=rod.radius[::-1].copy(), mass=rod.mass[::-1].copy(), m1=first_m1,
        bend_stiffness=rod.bend_stiffness[::-1].copy(), twist_stiffness=rod.twist_stiffness[::-1].copy(),
        stretch_stiffness=rod.stretch_stiffness[::-1].copy(), twist=rod.twist[::-1].copy(),
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["open", "flat"])
def test_reversed(kind):
    scene = scene_of(kind)
    here = frames(scene)
    rod = reversed_rod(scene.rods[0], drawn_m1(scene, N - 2))
    pins = tuple(replace(pin, vertex=N - 1 - pin.vertex) for pin in scene.pins)
    there = frames(replace(scene, rods=(rod,), pins=pins))
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(b.x[::-1], a.x, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(b.m1[::-1], a.m1, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("kind", ["ring", "flat ring"])
@pytest.mark.parametrize("shift", [1, 7])
def test_renumbered_ring(kind, shift):
    """With a shift of 1 the pin is on the last vertex."""
    scene = scene_of(kind)
    _, state, _ = assemble(scene)
    total = state.theta[-1] - state.theta[0]  # by which the frame meets itself after one round
    rod = replace(scene.rods[0], twist=np.full(N, total / N), internal_damping=0.0)
    scene = replace(scene, rods=(rod,))
    here = frames(scene)
    arrays = ("x", "radius", "mass", "bend_stiffness", "twist_stiffness", "stretch_stiffness", "twist")
    rolled = replace(
        rod, m1=drawn_m1(scene, shift), **{name: np.roll(getattr(rod, name), -shift, axis=0) for name in arrays}
    )
    pins = tuple(replace(pin, vertex=(pin.vertex - shift) % N) for pin in scene.pins)
    there = frames(replace(scene, rods=(rolled,), pins=pins))
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(np.roll(b.x, shift, axis=0), a.x, rtol=0.0, atol=1e-8)
        np.testing.assert_allclose(np.roll(b.m1, shift, axis=0), a.m1, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("modes", [("TWIST", "TWIST"), ("TWIST", "POSITION"), ("TWIST",)], ids="-".join)
def test_round_sections_by_closed_form_and_by_newton(modes):
    """A section round but for 1e-8 takes the general way through every kernel, and moves and turns alike."""
    rod = replace(one_rod(), shape_memory=0.0)
    nearly = replace(rod, bend_stiffness=rod.bend_stiffness * [1.0, 1.0 + 1e-8])
    runs = []
    for one in (rod, nearly):
        pins = (moving(one, 0, modes[0]), *(Pin.fixed(one, -1, mode, rod=0) for mode in modes[1:]))
        runs.append(frames(Scene((one,), 0.02, 6, pins=pins, max_step=5e-4)))
    assert np.abs(runs[0][-1].x - rod.x).max() > 0.02
    for a, b in zip(*runs, strict=True):
        np.testing.assert_allclose(b.x, a.x, rtol=0.0, atol=1e-7)
        np.testing.assert_allclose(b.m1, a.m1, rtol=0.0, atol=1e-5)


def dropped():
    """Two rods, one a ring, that fall on each other and on the floor, one of them held."""
    ring = one_rod(closed=True, aspect=0.7)
    ring = replace(ring, x=ring.x + [0.0, 0.0, 0.12])
    rod = one_rod()
    rod = replace(rod, x=rod.x + [0.03, 0.0, 0.04])
    return Scene((rod, ring), 0.02, 12, pins=(moving(rod, 0, "TWIST"),), floor=Floor(0.0, 0.5), settle=False)


def test_same_bytes():
    for a, b in zip(frames(dropped()), frames(dropped()), strict=True):
        assert a.x.tobytes() == b.x.tobytes()
        assert a.m1.tobytes() == b.m1.tobytes()


def test_resumed_bytes():
    """Going on from any frame's state gives what would have come."""
    whole = frames(dropped())
    assert any(f.state["pairs.force"].any() for f in whole)
    assert any(f.state["plane_pairs.force"].any() for f in whole)
    assert all(whole[k].state["torque"].any() for k in (5, 9))
    for k in (0, 5, 9):
        rest = list(simulate(dropped(), whole[k].state))
        assert [f.index for f in rest] == list(range(k + 1, 12))
        for a, b in zip(whole[k + 1 :], rest, strict=True):
            assert a.x.tobytes() == b.x.tobytes()
            assert a.m1.tobytes() == b.m1.tobytes()


def test_frames_are_snapshots():
    """A frame does not change while the simulation goes on."""
    kept = [(f, f.x.copy(), f.m1.copy(), f.state["x"].copy()) for f in frames(dropped())]
    for f, x, m1, nodes in kept:
        assert np.array_equal(f.x, x)
        assert np.array_equal(f.m1, m1)
        assert np.array_equal(f.state["x"], nodes)
    assert not np.array_equal(kept[0][1], kept[1][1])
