"""Coulomb friction: the incline, sliding to a stop, a rope around a post (capstan)."""

from dataclasses import replace

import numpy as np
import pytest
from solvers import go_on, persist, solved_by
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps

G = 9.81
WOOD = Material(1e8, 0.3, 700.0, internal_damping=0.0)


def lying(direction, friction, v=0.0, radius=0.005):
    """A straight rod of 20 edges that lies on the floor z = 0 along a direction (2,), moving at v (2,) [m/s]."""
    s = np.linspace(-0.2, 0.2, 21)
    x = np.stack([s * direction[0], s * direction[1], np.full(21, radius)], axis=1)
    velocity = np.tile([*np.broadcast_to(v, 2), 0.0], (21, 1))
    return Rod.from_material("rod", x, radius, replace(WOOD, friction=friction), v=velocity)


def run(scene, duration):
    model, state, work = assemble(scene)
    for _ in range(round(duration / 0.02)):
        go_on(scene, model, state, work, 0.02)
    return model, state


DIRECTIONS = {"along": (1.0, 0.0), "across": (0.0, 1.0), "askew": (0.8, 0.6)}


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("slope", [0.98, 1.02, 1.5])
def test_incline(direction, slope, solver):
    """A rod on a plane inclined by α slides exactly when tan α > μ, with the acceleration g(sin α − μ cos α)."""
    mu = 0.4  # of the pair: √(0.8 · 0.2)
    alpha = np.arctan(slope * mu)
    rod = lying(DIRECTIONS[direction], 0.8)
    gravity = G * np.array([np.sin(alpha), 0.0, -np.cos(alpha)])
    scene = Scene((rod,), 0.04, 1, gravity=gravity, floor=Floor(0.0, 0.2), air_density=0.0, max_step=1e-3)
    duration = 0.4
    _, state = run(solved_by(solver, scene), duration)
    moved = state.x[:21, 0].mean() - rod.x[:, 0].mean()
    pull = max(0.0, G * (np.sin(alpha) - mu * np.cos(alpha)))
    if slope < 1.0:
        assert abs(moved) < 1e-6
        assert np.abs(state.v).max() < 1e-6
    else:
        assert moved == pytest.approx(0.5 * pull * duration**2, rel=0.02)
    np.testing.assert_allclose(state.x[:21, 2], 0.005, atol=1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("slope", [0.98, 1.02, 2.0])
@pytest.mark.parametrize(("young", "edges"), [(2e11, 40), (2e11, 160), (1e9, 80), (1e6, 160)])
def test_incline_of_what_is_stiff_or_fine(direction, slope, young, edges):
    """The same by implicit steps of Good, of a rod as stiff as steel, or of edges no longer than it is thick."""
    mu, duration, radius = 0.4, 0.2, 0.005
    alpha = np.arctan(slope * mu)
    s = np.linspace(-0.2, 0.2, edges + 1)
    x = np.stack([s * DIRECTIONS[direction][0], s * DIRECTIONS[direction][1], 0.0 * s + radius], axis=1)
    rod = Rod.from_material("rod", x, radius, replace(WOOD, young=young, friction=mu))
    gravity = G * np.array([np.sin(alpha), 0.0, -np.cos(alpha)])
    scene = Scene((rod,), 0.04, 1, gravity=gravity, floor=Floor(0.0, mu), air_density=0.0, solver="IMPLICIT")
    state, _, failed = persist(scene, *assemble(scene), duration)
    assert failed is None
    moved = state.x[: edges + 1, 0].mean() - x[:, 0].mean()
    pull = max(0.0, G * (np.sin(alpha) - mu * np.cos(alpha)))
    assert moved == pytest.approx(0.5 * pull * duration**2, rel=0.02, abs=1e-6)
    np.testing.assert_allclose(state.x[: edges + 1, 2], radius, atol=1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_slides_to_a_stop(direction, solver):
    """Thrown along the floor at v it stops after v²/2μg, and stays."""
    v, mu = 0.8, 0.4
    rod = lying(DIRECTIONS[direction], mu, v=(0.0, v))
    scene = Scene((rod,), 0.04, 1, floor=Floor(0.0, mu), air_density=0.0, max_step=1e-3)
    _, state = run(solved_by(solver, scene), 0.4)
    moved = state.x[:21, 1].mean() - rod.x[:, 1].mean()
    assert moved == pytest.approx(v**2 / (2.0 * mu * G), rel=0.02)
    assert np.abs(state.v).max() < 1e-6


@pytest.mark.parametrize("slope", [0.8, 0.98])
@pytest.mark.parametrize("rails", [(-0.12, 0.01, 0.13), (-0.12, 0.0, 0.12), tuple(np.linspace(-0.18, 0.18, 13))])
def test_what_sticks_to_rods_does_not_creep(slope, rails):
    """A rod across others on an incline, within the cone: by implicit steps, less than 1e-3 of its radius a second."""
    mu, radius = 0.4, 0.005
    material = Material(5e6, 0.45, 1100.0, internal_damping=0.02, friction=mu)
    s, y = np.linspace(-0.2, 0.2, 21), np.linspace(-0.1, 0.1, 8)
    rods = [Rod.from_material("top", np.stack([s, 0.0 * s, 0.0 * s + 2.0 * radius], axis=1), radius, material)]
    pins = []
    for k, x in enumerate(rails, 1):
        rods.append(Rod.from_material("rail", np.stack([0.0 * y + x, y, 0.0 * y], axis=1), radius, material))
        pins += [Pin.fixed(rods[k], i, name=f"rail {k}", rod=k) for i in range(8)]
    alpha = np.arctan(slope * mu)
    gravity = G * np.array([np.sin(alpha), 0.0, -np.cos(alpha)])
    scene = Scene(tuple(rods), 0.04, 1, tuple(pins), gravity=gravity, air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene)
    go_on(scene, model, state, work, 1.5)
    before = state.x[:21, 0].copy()
    go_on(scene, model, state, work, 1.0)
    assert np.abs(state.x[:21, 0] - before).max() < 1e-3 * radius


def around_a_post(mu, ratio, n=80):
    """A supple rope half around a thick post, its ends pulled down by 1 N and by `ratio` N."""
    post_radius, r = 0.05, 0.004
    reach, hang = post_radius + r, 0.15
    quarter = 0.5 * np.pi * reach
    s = np.linspace(-quarter - hang, quarter + hang, n + 1)
    a = np.clip(s / reach, -0.5 * np.pi, 0.5 * np.pi)
    x = np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1) * 1.004 * reach
    x[:, 2] -= np.maximum(np.abs(s) - quarter, 0.0)
    material = Material(1e5, 0.4, 1000.0, friction=mu)
    rope = Rod.from_material("rope", x, r, material, shape_memory=0.0)
    post = Rod.from_material("post", np.array([[0.0, y, 0.0] for y in (-0.1, 0.003, 0.1)]), post_radius, material)
    times, far = np.array([0.0, 1e-6]), np.array([0.0, 0.0, -1e5])
    pulls = [
        Pin(name, 0, end, "POSITION", times, np.array([x[end], x[end] + far]), max_force=force)
        for name, end, force in (("left", 0, 1.0), ("right", n, ratio))
    ]
    walls = [Pin.fixed(post, k, name=f"wall {k}", rod=1) for k in range(3)]
    return Scene((rope, post), 0.04, 1, pins=(*pulls, *walls), gravity=np.zeros(3), air_density=0.0)


@pytest.mark.parametrize("mu", [0.1, 0.3])
@pytest.mark.parametrize("factor", [0.95, 1.05])
def test_capstan(mu, factor, solver):
    """Half around a post, T₂ = T₁ exp(πμ): with 5 % less the rope holds, with 5 % more it runs."""
    scene = solved_by(solver, around_a_post(mu, factor * np.exp(np.pi * mu)), max_step=1e-3)
    model, state, work = assemble(scene, times=16)  # room for what all its contacts do to one another
    heights = []
    for _ in range(2):
        go_on(scene, model, state, work, 0.2)
        heights.append(state.x[80, 2])
    assert deepest_overlap(scene.rods, state.x[:84]) < 0.05 * 0.004
    slipped = heights[0] - heights[1]
    assert (abs(slipped) < 1e-3) if factor < 1.0 else (slipped > 0.05)


@pytest.mark.parametrize("mu", [0.1, 0.3])
def test_what_sticks_to_a_post_does_not_creep(mu):
    """Though its ends swing sideways: less than 1e-3 of the radius a second by implicit steps."""
    scene = solved_by("IMPLICIT", around_a_post(mu, 0.95 * np.exp(np.pi * mu)))
    model, state, work = assemble(scene, times=16)
    go_on(scene, model, state, work, 1.0)
    before = state.x[[0, 80], 2]
    go_on(scene, model, state, work, 1.0)
    assert np.abs(state.x[[0, 80], 2] - before).max() < 1e-3 * 0.004


@pytest.mark.parametrize("mu", [0.1, 0.3])
def test_capstan_by_contact_springs(mu):
    """With 5 % less than T₁ exp(πμ) the rope comes to rest, with 5 % more it runs."""
    heights = []
    for factor, frames in ((0.95, 7), (1.05, 2)):
        scene = replace(around_a_post(mu, factor * np.exp(np.pi * mu)), treatment="SPRINGS", max_step=1e-3)
        model, state, work = assemble(scene, times=16)
        for _ in range(frames):
            go_on(scene, model, state, work, 0.2)
            heights.append(state.x[80, 2])
    assert abs(heights[6] - heights[4]) < 0.01 * 0.004
    assert heights[7] - heights[8] > 0.05


@pytest.mark.parametrize("speed", [0.5, 2.0])
def test_a_hair_slides_far_in_a_step(speed):
    """Across two rails by s = v t − ½ μ g t², in steps of many of its radii, shorter where it leaves an edge."""
    radius, mu, duration = 3.5e-5, 0.3, 0.05
    hair, wood = Material(3.89e9, 0.38, 1320.0, friction=mu), Material(1e10, 0.3, 700.0, friction=mu)
    x = np.linspace((-0.03, 0.0, 0.0), (0.03, 0.0, 0.0), 16)
    rods = [Rod.from_material("hair", x, radius, hair, v=np.tile((0.0, speed, 0.0), (16, 1)))]
    for side in (-0.015, 0.015):
        rail = np.linspace((side, -0.03, -2.0 * radius), (side, 0.12, -2.0 * radius), 3)
        rods.append(Rod.from_material("rail", rail, radius, wood))
    pins = tuple(Pin.fixed(rod, i, "TWIST", rod=k) for k, rod in enumerate(rods) if k for i in (0, 1, 2))
    scene = Scene(tuple(rods), duration, 2, pins=pins, air_density=0.0, solver="IMPLICIT")
    model, state, work = assemble(scene, times=4)
    status, _, _, steps, _ = implicit_steps(model, state, work, duration, 1.0 / 240.0)
    assert status == 0
    assert steps <= 5 * 12
    way = speed * duration - 0.5 * mu * G * duration**2
    assert state.x[:16, 1].mean() == pytest.approx(way, rel=0.01)
    assert deepest_overlap(rods, state.x, relative=True) < 0.03
