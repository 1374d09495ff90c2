"""Cosserat rods on what moves, on rods of either model, and set spinning: friction takes them along, and turns them.

A solid cylinder of mass m that a friction F pushes by v' = F/m is turned by ω' = F r/I = 2F/m r.
"""

from dataclasses import replace

import numpy as np
import pytest
from solids import brick
from solvers import persist
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.momenta import linear_momentum
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene
from test_cosserat_contact import CORD, LENGTH, MU, ON, UP, G, N, R, cord, directors

BELT = 0.15  # m/s
RAILS = ("kirchhoff", "cosserat")


def after(scene, duration, spin=0.0):
    """(Model, State) after so long [s] of a scene whose first rod starts with this spin [rad/s] about itself."""
    model, state, work = assemble(scene)
    state.omega[model.rods["segment"][0] + 1 : model.rods["segment"][0] + 1 + N, 2] = spin
    state, _, failed = persist(scene, model, state, work, duration)
    assert failed is None
    return model, state


def scene_of(rods, frames=1, **options):
    return Scene(rods, 0.005, frames, **{"air_density": 0.0, "solver": "EXPLICIT", **options})


def carried(collider, duration, **options):
    """(speeds [m/s] of the vertices, spins about themselves [rad/s] of the edges) of a rod on what is animated."""
    last = list(simulate(scene_of((cord(),), 1 + round(duration / 0.005), colliders=(collider,), **options)))[-1]
    return last.state["v"], last.state["omega"][1 : N + 1, 2]


def belt(way):
    """A wide plate at z = 0 that goes along a direction (3,) at the speed BELT."""
    corners = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    return Collider("belt", np.array([[0, 1, 2], [0, 2, 3]]), np.array([0.0, 1.0]),
                    np.stack([corners, corners + BELT * np.asarray(way)]), friction=MU)  # fmt: skip


def ground(on):
    """What lies at z = 0 and rests, as a Scene has it."""
    if on == "floor":
        return {"floor": Floor(0.0, MU)}
    if on == "mesh":
        return {"colliders": (replace(belt((0.0, 0.0, 0.0)), times=np.zeros(1), points=belt(UP).points[:1]),)}
    return {"bodies": (brick((0.0, 0.0, -0.05), (1.0, 1.0, 0.1), friction=MU),), "floor": Floor(-0.1, 9.0)}


def test_takes_up_the_speed_of_a_belt_along_it():
    """v = μ g t until it goes with the belt."""
    np.testing.assert_allclose(carried(belt((1.0, 0.0, 0.0)), 0.02)[0][:, 0].mean(), MU * G * 0.02, rtol=1e-2)
    np.testing.assert_allclose(carried(belt((1.0, 0.0, 0.0)), 0.08)[0][:, 0], BELT, rtol=2e-3)


def test_rolls_on_a_belt_across_it():
    """v + ω r = BELT in the end: a third of its speed, and two thirds by the spin."""
    v, spin = carried(belt((0.0, 1.0, 0.0)), 0.05)
    np.testing.assert_allclose(v[:, 1], BELT / 3.0, rtol=2e-3)
    np.testing.assert_allclose(R * spin, 2.0 / 3.0 * BELT, rtol=2e-3)


@pytest.mark.parametrize("on", ON)
def test_rolls_away_when_it_is_set_spinning(on):
    """At ω₀ r/3, of what is laid down with the spin ω₀."""
    model, state = after(scene_of((cord(),), **ground(on)), 0.05, spin=-BELT / R)
    np.testing.assert_allclose(state.v[:, 1], BELT / 3.0, rtol=2e-3)
    np.testing.assert_allclose(-R * directors(model, state)[1], BELT / 3.0, rtol=2e-3)


def wheel(z, radius, speed, count=384, duration=0.2):
    """A round bar along x whose axis is at the height z, and which turns so that its surface goes at `speed` [m/s]."""
    times = np.linspace(0.0, duration, 1 + round(400 * duration * speed / radius))
    around = 2.0 * np.pi * np.arange(count) / count
    angle = around[None, :] + (times * speed / radius)[:, None]
    ring = np.stack([0.0 * angle, radius * np.cos(angle), z + radius * np.sin(angle)], axis=2)
    points = np.concatenate([ring + [end, 0.0, 0.0] for end in (-0.1, LENGTH + 0.1)], axis=1)
    k = np.arange(count)
    after = (k + 1) % count
    triangles = np.concatenate([np.stack([k, after, k + count], 1), np.stack([after, after + count, k + count], 1)])
    return Collider("wheel", triangles, times, points, friction=MU)


def test_a_bar_that_turns_sets_a_rod_on_it_spinning():
    """Held at its ends, free to turn about itself, it rolls on the bar: its surface goes as fast as the bar's."""
    pins = tuple(Pin.fixed(cord(), end, "POSITION", rod=0) for end in (0, N))
    _, spin = carried(wheel(-0.03, 0.03, BELT), 0.2, pins=pins)
    np.testing.assert_allclose(R * spin, -BELT, rtol=1e-2)


@pytest.mark.parametrize("way", [(1.0, 0.0), (0.0, 1.0)], ids=["along", "across"])
def test_a_body_that_slides_below_takes_it_along_and_is_slowed(way):
    """Nothing else pushes either, so what one wins the other loses; at last they go together, or it rolls."""
    block = brick((0.0, 0.0, -0.02), (0.6, 0.6, 0.04), friction=MU, density=20.0, v=np.array([*way, 0.0]) * BELT)
    model, state = after(scene_of((cord(),), bodies=(block,), floor=Floor(-0.04, 0.0)), 0.1)
    pushed = np.array([*way, 0.0]) * BELT * block.mass
    np.testing.assert_allclose(linear_momentum(model, state)[:2], pushed[:2], atol=1e-6 * BELT * block.mass)
    mass = cord().mass.sum()
    share = 1.0 if way[0] else 1.0 / 3.0  # a rolling cylinder is taken along as a third of its mass
    speed = BELT * block.mass / (block.mass + share * mass)
    rod, body = state.v @ np.array([*way, 0.0]), state.bodies["v"][0] @ np.array([*way, 0.0])
    np.testing.assert_allclose(body, speed, rtol=2e-3)
    np.testing.assert_allclose(rod, share * speed, rtol=5e-3)
    np.testing.assert_allclose(R * directors(model, state)[1], (1.0 - share) * speed, atol=2e-3 * speed)


def rails(model):
    """Two rods along y, held at all their vertices, whose tops are at z = 0."""
    y = np.linspace(-0.1, 0.1, 5)
    found = []
    for k, place in enumerate((0.25, 0.75)):
        x = np.stack([np.full(5, place * LENGTH), y, np.full(5, -R)], axis=1)
        found.append(Rod.from_material(f"rail {k}", x, R, replace(CORD, young=1e8), model=model))
    pins = tuple(Pin.fixed(rod, i, rod=1 + k) for k, rod in enumerate(found) for i in range(5))
    return tuple(found), pins


@pytest.mark.parametrize("model", RAILS)
def test_rolls_on_rods_across_it(model):
    """Thrown at v it rolls at 2/3 v."""
    found, pins = rails(model)
    own = cord(0.1)
    stiff = replace(own, bend_stiffness=100.0 * own.bend_stiffness)
    laid, state = after(scene_of((stiff, *found), pins=pins), 0.06)
    np.testing.assert_allclose(state.v[: N + 1, 1].mean(), 2.0 / 3.0 * 0.1, rtol=1e-2)
    np.testing.assert_allclose(-R * directors(laid, state)[1].mean(), 2.0 / 3.0 * 0.1, rtol=1e-2)


@pytest.mark.parametrize("model", RAILS)
def test_slides_along_itself_on_rods(model):
    """With v − μ g t, until it stops, or Cosserat rods, free to turn about themselves, go along as rollers do, each as
    if half its mass slid with it.
    """
    found, pins = rails(model)
    own = cord()
    stiff = replace(own, bend_stiffness=100.0 * own.bend_stiffness, v=np.tile([0.05, 0.0, 0.0], (N + 1, 1)))
    scene = scene_of((stiff, *found), pins=pins)
    full = 0.05 / (MU * G)
    _, state = after(scene, 0.5 * full)
    np.testing.assert_allclose(state.v[: N + 1, 0].mean(), 0.025, rtol=2e-2)
    _, state = after(scene, 1.5 * full)
    rollers = sum(0.5 * rail.mass.sum() for rail in found)
    left = 0.05 * own.mass.sum() / (own.mass.sum() + rollers) if model == "cosserat" else 0.0
    np.testing.assert_allclose(state.v[: N + 1, 0].mean(), left, rtol=2e-2, atol=5e-4)


@pytest.mark.parametrize("model", RAILS)
def test_rods_that_collide_pass_momentum_on(model):
    """Thrown across another in free flight: what one loses the other wins, and friction is μ times what presses."""
    one = cord(0.0)
    v = np.tile([0.5, 0.25, -0.3], (N + 1, 1))
    x = one.x[:, [1, 0, 2]] + [0.5 * LENGTH, -0.5 * LENGTH, 2.5 * R]
    other = Rod.from_material("other", x, R, CORD, model=model, v=v)
    scene = scene_of((one, other), gravity=np.zeros(3))
    laid, state = after(scene, 0.06)
    total = other.mass.sum() * v[0]
    np.testing.assert_allclose(linear_momentum(laid, state), total, atol=1e-9 * np.abs(total).max())
    pushed = one.mass @ state.v[: N + 1]
    assert pushed[2] < -0.1 * other.mass.sum() * 0.3
    assert np.linalg.norm(pushed[:2]) == pytest.approx(-MU * pushed[2], rel=0.05)
    np.testing.assert_allclose(pushed[:2] / pushed[2], -MU * v[0, :2] / np.linalg.norm(v[0, :2]), rtol=0.2)
