"""Twist between clamps, and rods that are curved or twisted by nature."""

from dataclasses import replace

import numpy as np
import pytest
from solvers import go_on, relaxed, solved_by
from statics import held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.materials import Material
from tendril.physics.rods.frames import signed_angle, transport
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod

SPRING = Material(2e9, 0.3, 7800.0)


def twists(x, m1):
    """Angles (m − 1,) [rad] that turn each transported m₁ into the next along a straight line x."""
    t = (x[-1] - x[0]) / np.linalg.norm(x[-1] - x[0])
    return np.arctan2(np.cross(m1[:-1], m1[1:]) @ t, np.sum(m1[:-1] * m1[1:], axis=1))


def turned(rod, angle, seconds, end=-1):
    """A pin that turns the rod's end by `angle` [rad] about x in `seconds`, in samples of a quarter turn at most."""
    count = 2 + int(abs(angle) / (0.5 * np.pi))
    half = 0.5 * np.linspace(0.0, angle, count)
    rotation = np.stack([np.cos(half), np.sin(half), 0.0 * half, 0.0 * half], axis=1)
    where = np.tile(rod.x[end], (count, 1))
    return Pin("turn", 0, end % len(rod.x), "TWIST", np.linspace(0.0, seconds, count), where, rotation)


@pytest.mark.parametrize("section", [0.7, (0.7, 0.5)], ids=["round", "flat"])
@pytest.mark.parametrize("angle", [0.4, -5.0])
def test_turned_clamp(section, angle, solver):
    """Turned slowly by θ, a straight rod has a constant twist and the torque Cθ/L."""
    rod = straight_rod(25, 1.2, section, twist=3.0)
    scene = held(rod, "TWIST", frame_duration=0.1, frame_count=4, solver=solver)
    frames = list(simulate(replace(scene, pins=(*scene.pins, turned(rod, angle, 0.2)))))
    last = frames[-1]
    np.testing.assert_allclose(last.x, rod.x, atol=1e-9)
    inner = twists(last.x, last.m1)
    np.testing.assert_allclose(inner, angle / 25.0, atol=1e-8)
    assert last.state["rods.torque"][0] == pytest.approx(3.0 * abs(angle) / 1.2, rel=1e-8)


@pytest.mark.parametrize("section", [0.7, (0.7, 0.5)], ids=["round", "flat"])
def test_initial_twist(section):
    """Drawn with all its twist at one vertex, a clamped rod spreads it: E = Cθ²/2L; a free one loses it."""
    drawn = np.zeros(26)
    drawn[7] = 1.1
    rod = replace(straight_rod(25, 1.2, section, twist=3.0), twist=drawn, shape_memory=0.0)
    model, state, _ = assemble(held(rod, "TWIST", "TWIST"))
    found = energies(model, state)
    assert found.twisting[0] == pytest.approx(3.0 * 1.1**2 / (2.0 * 1.2), rel=1e-8)
    assert found.bending[0] < 1e-20
    model, state, _ = assemble(held(rod, "TWIST"))
    assert energies(model, state).elastic[0] < 1e-20
    model, state, _ = assemble(held(replace(rod, shape_memory=1.0), "TWIST", "TWIST"))
    assert energies(model, state).elastic[0] < 1e-20


def test_tapered_twist(solver):
    """The twist of a cone is where it is thin: m ∝ l/C at a common torque θ/Σ(l/C)."""
    stiffness = np.linspace(1.0, 3.0, 26)
    rod = straight_rod(25, 1.2, (0.7, 0.5), twist=stiffness)
    scene = held(rod, "TWIST", frame_duration=0.1, frame_count=3, solver=solver)
    last = list(simulate(replace(scene, pins=(*scene.pins, turned(rod, 1.0, 0.1)))))[-1]
    inner = twists(last.x, last.m1)
    np.testing.assert_allclose(inner * stiffness[1:-1], inner[0] * stiffness[1], rtol=1e-7)
    smooth = 1.2 / 2.0 * np.log(3.0)  # ∫ds/C
    assert last.state["rods.torque"][0] == pytest.approx(1.0 / smooth, rel=1e-3)


def helix(n, pitch):
    around = 4.0 * np.pi * np.arange(n) / (n - 1.0)
    return np.stack([0.1 * np.cos(around), 0.1 * np.sin(around), pitch * around / (2.0 * np.pi)], axis=1)


def circle(n):
    around = 2.0 * np.pi * np.arange(n) / n
    return 0.1 * np.stack([np.cos(around), 0.0 * around, np.sin(around)], axis=1)


@pytest.mark.parametrize("aspect", [1.0, 0.5])
@pytest.mark.parametrize("shape", ["open circle", "helix", "ring"])
def test_natural_shapes_stay(shape, aspect, solver):
    """Rods at rest as drawn have no energy and do not move."""
    x = helix(40, 0.05) if shape == "helix" else circle(40)
    options = {"twist": np.full(40, 2.0 * np.pi / 40)} if shape == "ring" else {}
    rod = Rod.from_material("rod", x, 0.003, SPRING, aspect=aspect, closed=shape == "ring", **options)
    scene = solved_by(solver, held(rod) if shape == "ring" else held(rod, "TWIST"))
    model, state, work = assemble(scene)
    scale = rod.bend_stiffness.max() / 0.1
    assert energies(model, state).elastic[0] < 1e-24 * scale
    go_on(scene, model, state, work, 0.1)
    own = slice(model.rods["first"][0], model.rods["last"][0] + 1)
    np.testing.assert_allclose(state.x[own], x, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize("aspect", [1.0, 0.7])
def test_straightened_helix_returns(aspect, solver):
    """Drawn straight, a naturally helical rod winds up to its helix, two turns, and has no energy left."""
    n = 25
    rest = helix(n, 0.1)
    length = np.linalg.norm(rest[1] - rest[0])
    x = np.zeros((n, 3))
    x[:, 0] = length * np.arange(n)
    rod = Rod.from_material("rod", x, 0.002, SPRING, aspect=aspect, rest_x=rest, rest_m1=rest[1] - 2.0 * rest[0])
    scene = held(rod, "TWIST", solver=solver)
    before = energies(*assemble(scene)[:2]).elastic[0]
    period = (
        2.0 * np.pi / (3.516 / (24 * length) ** 2 * np.sqrt(rod.bend_stiffness.min() * 24 * length / rod.mass.sum()))
    )
    model, state = relaxed(scene, rate=4.0 * np.pi / period, duration=5.0 * period)
    assert energies(model, state).elastic[0] < 1e-10 * before
    found = state.x[model.rods["first"][0] : model.rods["last"][0] + 1]
    np.testing.assert_allclose(distances(found), distances(rest), atol=1e-6)
    assert handedness(found) == pytest.approx(handedness(rest), rel=1e-3)


def distances(x):
    """All mutual distances: a shape but for where it is (and for its mirror image)."""
    return np.linalg.norm(x[:, None] - x[None], axis=2)


def handedness(x):
    return np.linalg.det(x[[4, 8, 12]] - x[0])


@pytest.mark.parametrize("memory", [0.0, 0.5, 1.0])
def test_shape_memory_scales_the_curvature(memory, solver):
    """A quarter circle clamped at its start comes to rest with `memory` times its curvature; second order."""
    n, errors = 20, []
    for n in (10, 20):
        angle = 0.5 * np.pi / n
        around = angle * np.arange(n + 1)
        x = np.stack([np.sin(around), 1.0 - np.cos(around), 0.0 * around], axis=1) / (2.0 * n * np.sin(0.5 * angle))
        mass = np.full(n + 1, 1.0 / n)
        rod = Rod(
            "arc", x, np.full(n + 1, 1e-3), mass, np.ones((n, 2)), np.ones(n + 1), np.ones(n), shape_memory=memory
        )
        model, state = relaxed(held(rod, "TWIST", solver=solver), rate=6.0, duration=12.0)
        bent = memory * 0.5 * np.pi
        smooth = [np.sinc(bent / np.pi), bent * np.sinc(0.5 * bent / np.pi) ** 2 / 2.0]
        errors.append(np.linalg.norm(state.x[model.rods["last"][0], :2] - smooth))
    assert errors[1] < 1e-3
    assert errors[0] < 1e-6 or np.log2(errors[0] / errors[1]) > 1.9


def test_rest_length_factor(solver):
    """A stretchable ring drawn too large shrinks to its rest length."""
    rod = Rod.from_material("ring", circle(30), 0.004, SPRING, closed=True, stretchable=True, rest_length_factor=0.9)
    scene = solved_by(solver, held(rod), max_step=1e-4)  # it is over in two usual implicit steps
    _, state = relaxed(scene, rate=2e4, duration=8e-3)
    size = np.linalg.norm(np.diff(state.x[:30], axis=0), axis=1)
    np.testing.assert_allclose(size, 0.9 * np.linalg.norm(rod.edges(), axis=1)[:-1], rtol=2e-3)


def wound(radius, pitch_angle, length, n):
    """A helix (n + 1, 3) with (m₁ on the first edge, twist (n + 1,)) of the frame whose m₁ looks to the axis."""
    around = length * np.cos(pitch_angle) / radius * np.arange(n + 1) / n
    x = np.stack([np.cos(around), np.sin(around), around * np.tan(pitch_angle)], axis=1)
    x *= length / n / np.linalg.norm(x[1] - x[0])
    edges = np.diff(x, axis=0)
    t = edges / np.linalg.norm(edges, axis=1)[:, None]
    m1 = -(x[1:] + x[:-1]) * [1.0, 1.0, 0.0]
    m1 /= np.linalg.norm(m1, axis=1)[:, None]
    twist, carried = np.zeros(n + 1), np.zeros(3)
    for j in range(1, n):
        transport(m1[j - 1], t[j - 1], t[j], carried)
        twist[j] = signed_angle(carried, m1[j], t[j])
    return x, m1[0], twist


def test_helix_wound_into_another():
    """Love's helical spring: E = ½L(B₁(κ − κ̄)² + C(τ − τ̄)²) with κ = cos²a/R, τ = sin a cos a/R, however far."""
    bend, twist, length = (0.7, 1.9), 0.4, 3.0
    found = []
    (r, a), (rest_r, rest_a) = (0.2, 0.3), (0.3, 0.2)
    kappa = np.cos(a) ** 2 / r - np.cos(rest_a) ** 2 / rest_r
    tau = np.sin(a) * np.cos(a) / r - np.sin(rest_a) * np.cos(rest_a) / rest_r
    smooth = 0.5 * length * (bend[0] * kappa**2 + twist * tau**2)
    assert bend[0] * kappa**2 > 0.1 * twist * tau**2 > 0.01 * bend[0] * kappa**2  # both count
    for n in (200, 400, 800):
        x, m1, turn = wound(r, a, length, n)
        rest_x, rest_m1, rest_turn = wound(rest_r, rest_a, length, n)
        rod = Rod(
            "spring", x, np.full(n + 1, 1e-3), np.full(n + 1, 1.0 / n), np.tile(bend, (n, 1)), np.full(n + 1, twist),
            np.ones(n), m1=m1, twist=turn, rest_x=rest_x, rest_m1=rest_m1, rest_twist=rest_turn,
        )  # fmt: skip
        model, state, _ = assemble(held(rod, "TWIST", "TWIST"))
        found.append(energies(model, state).elastic[0] / smooth - 1.0)
    assert abs(found[2]) < 5e-3
    assert abs(found[2]) < 0.6 * abs(found[1]) < 0.4 * abs(found[0])
