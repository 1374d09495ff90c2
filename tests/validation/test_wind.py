"""Force fields along a bake: wind drags by area, the others accelerate, and neither depends on the number of points."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq
from solvers import solved_by
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import ForceField, Pin, RigidBody, Rod, Scene, Weld

RHO, CD, RADIUS, LENGTH = 1.2, 1.1, 0.01, 0.5
FOAM = Material(2e6, 0.3, 60.0, internal_damping=0.01, drag_coefficient=CD)
MASS = 60.0 * np.pi * RADIUS**2  # per length
LOAD = 0.5 * RHO * CD * 2.0 * RADIUS  # per length and squared speed
NOTHING, DOWN, FRAME = (0.0, 0.0, 0.0), (0.0, 0.0, -9.81), 1.0 / 24.0


def field(kind, along=(0.0, 0.0, 1.0), **options):
    """A force field at the origin whose z axis is `along`."""
    z = np.asarray(along) / np.linalg.norm(along)
    turn = np.array([1.0 + z[2], -z[1], z[0], 0.0])
    return ForceField(kind, kind, np.zeros(1), np.zeros((1, 3)), turn[None] / np.linalg.norm(turn), **options)


def straight(n=12, direction=(1.0, 0.0, 0.0), material=FOAM, **options):
    x = np.linspace(0.0, LENGTH, n + 1)[:, None] * np.asarray(direction)
    return Rod.from_material("rod", x, RADIUS, material, **options)


def bake(*rods, duration, solver, fields=(), gravity=NOTHING, pins=(), **options):
    """The last Frame."""
    scene = Scene(
        rods, FRAME, round(duration / FRAME) + 1, fields=fields, pins=pins, gravity=np.array(gravity),
        air_density=RHO, contact=False, max_step=5e-4, **options,
    )  # fmt: skip
    return list(simulate(solved_by(solver, scene)))[-1]


def displacement(rod, time, **options):
    return bake(rod, duration=time, **options).x - rod.x


def blown(speed, k, time):
    """How far m dv/dt = k (U − v)² carries what stood still: U t − ln(1 + k U t)/k, k per mass."""
    return speed * time - np.log1p(k * speed * time) / k


@pytest.mark.parametrize("n", [6, 40])
def test_a_free_rod_drifts(n, solver):
    wind = field("WIND", (0.0, 0.6, 0.8), strength=7.0)
    moved = displacement(straight(n), 0.5, solver=solver, fields=(wind,))
    expected = blown(7.0, LOAD / MASS, 0.5)
    assert 0.5 < expected < 3.0
    np.testing.assert_allclose(moved, np.tile([0.0, 0.6 * expected, 0.8 * expected], (n + 1, 1)), rtol=2e-3, atol=1e-6)


def test_falling_in_wind(solver):
    """It ends with the velocity of the wind and that of falling, √(mg/k), together."""
    seconds = 72 * FRAME, 60 * FRAME
    options = {"fields": (field("WIND", (0, 1, 0), strength=5.0),), "gravity": DOWN, "solver": solver}
    late, before = (displacement(straight(), t, **options) for t in seconds)
    velocity = (late - before) / (seconds[0] - seconds[1])
    np.testing.assert_allclose(velocity[:, 1], 5.0, rtol=0.01)
    np.testing.assert_allclose(velocity[:, 2], -np.sqrt(9.81 * MASS / LOAD), rtol=0.01)


def test_leaves_catch_the_wind(solver):
    """Their area adds to the rod's, from whatever side it blows."""
    rod = straight(10)
    share = rod.mass / rod.mass.sum()
    leaves = replace(rod, drag_coefficient=0.0, leaf_area=0.04 * share)
    along = displacement(leaves, 0.5, solver=solver, fields=(field("WIND", (1, 0, 0), strength=4.0),))
    expected = blown(4.0, 0.5 * RHO * 0.04 / rod.mass.sum(), 0.5)
    np.testing.assert_allclose(along, np.tile([expected, 0.0, 0.0], (11, 1)), rtol=2e-3, atol=1e-6)


def test_cantilever_leans(solver):
    """A clamped rod across a steady wind bends by q L⁴/8B, q = ½ρ C_D 2r U²; the last of it is curved away by 1 %."""
    rod = straight(30, material=replace(FOAM, young=4e7))
    b, speed = rod.bend_stiffness[0, 0], 8.0
    law = LOAD * speed**2 * LENGTH**4 / (8.0 * b)
    assert 0.01 < law / LENGTH < 0.05
    pins = (Pin.fixed(rod, 0, "TWIST", rod=0),)
    moved = displacement(rod, 2.0, solver=solver, fields=(field("WIND", (0, 1, 0), strength=speed),), pins=pins)
    assert moved[-1, 1] == pytest.approx(law, rel=0.005)
    np.testing.assert_allclose(moved[:, 2], 0.0, atol=1e-9)


@pytest.mark.parametrize("n", [6, 30])
def test_a_cosserat_rod_drifts_by_the_same_law(n):
    moved = displacement(straight(n, model="cosserat"), 0.5, solver="EXPLICIT", fields=(field("WIND", strength=7.0),))
    expected = blown(7.0, LOAD / MASS, 0.5)
    np.testing.assert_allclose(moved, np.tile([0.0, 0.0, expected], (n + 1, 1)), rtol=2e-3, atol=1e-6)


def test_a_cosserat_cantilever_leans_as_a_kirchhoff_rod():
    """In a wind that bends it by half its length, which neither stretches it nor turns it about itself."""
    rod, wind = straight(20, material=replace(FOAM, internal_damping=0.03)), field("WIND", (0, 1, 0), strength=10.0)
    shapes = []
    for model in ("kirchhoff", "cosserat"):
        own = replace(rod, model=model, stretchable=model == "cosserat")
        pins = (Pin.fixed(own, 0, "TWIST", rod=0),)
        shapes.append(displacement(own, 3.0, solver="EXPLICIT", fields=(wind,), pins=pins))
    assert 0.2 < shapes[0][-1, 1] / LENGTH < 0.6
    np.testing.assert_allclose(*shapes, atol=0.003 * LENGTH)


@pytest.mark.parametrize("towards", [0.0, 0.4])
def test_settling_is_in_the_wind_of_the_start(towards, solver):
    """The first frame leans already, also in a wind that is another where the rod ends up, and stays so."""
    rod = straight(20, (0.0, 0.0, -1.0))
    wind = field("WIND", (0, 1, 0), strength=4.0, shape="PLANE", power=1.0, min_distance=0.0 if towards else 9.0)
    wind = replace(wind, position=np.array([[0.0, towards, 0.0]]))
    options = {
        "fields": (wind,),
        "gravity": DOWN,
        "pins": (Pin.fixed(rod, 0, "POSITION", rod=0),),
        "settle": True,
        "solver": solver,
    }
    start, later = (bake(rod, duration=t, **options).x for t in (0.0, 0.5))
    assert start[-1, 1] > 0.1
    np.testing.assert_allclose(later, start, atol=0.05 * RADIUS)


def test_hinged_rod_finds_its_angle(solver):
    """Weight across the rod against the wind's, m g sin θ = q cos²θ: what holds of a towed cable."""
    speed = 4.0
    weight, load = MASS * 9.81, LOAD * speed**2
    theta = brentq(lambda a: weight * np.sin(a) - load * np.cos(a) ** 2, 0.0, 1.5)
    assert 0.4 < theta < 1.0
    rod = straight(10, (0.0, 0.0, -1.0))
    wind = field("WIND", (0, 1, 0), strength=speed)
    x = bake(
        rod, solver=solver, duration=4.0, fields=(wind,), gravity=DOWN, pins=(Pin.fixed(rod, 0, "POSITION", rod=0),)
    ).x
    assert np.arctan2(x[-1, 1], -x[-1, 2]) == pytest.approx(theta, abs=0.005)


def test_bending_in_gusts_does_not_depend_on_the_number_of_points(solver):
    wind = field("WIND", (0, 1, 0.2), strength=12.0, noise=6.0, seed=3)
    ends = []
    for n in (20, 40, 80):
        rod = straight(n)
        pins = (Pin.fixed(rod, 0, "TWIST", rod=0),)
        ends.append(displacement(rod, 0.75, solver=solver, fields=(wind,), gravity=DOWN, pins=pins)[-1])
    assert np.linalg.norm(ends[-1]) > 0.05 * LENGTH
    np.testing.assert_allclose(ends[1], ends[2], atol=2e-3 * LENGTH)
    np.testing.assert_allclose(ends[0], ends[2], atol=5e-3 * LENGTH)


def test_force_accelerates_heavy_and_light_alike(solver):
    """½ a t², as of a 1 kg particle; a plane's force is the same at every distance."""
    push = field("FORCE", strength=3.0, shape="PLANE")
    for density in (60.0, 6000.0):
        material = replace(FOAM, density=density, drag_coefficient=0.0)
        rod = Rod.from_material("rod", straight().x + [0.0, 0.0, 1.0], RADIUS, material)
        moved = displacement(rod, 0.5, solver=solver, fields=(push,))
        np.testing.assert_allclose(moved, np.tile([0.0, 0.0, 0.5 * 3.0 * 0.25], (13, 1)), rtol=2e-3, atol=1e-9)


def test_weights(solver):
    wind, rod = field("WIND", (0, 1, 0), strength=6.0), straight()
    half = replace(rod, weights=np.array([0.5, 0.0, 1.0, 1.0, 1.0, 1.0]), drag_coefficient=0.0)
    moved = displacement(half, 0.5, solver=solver, fields=(wind,), gravity=DOWN)
    np.testing.assert_allclose(moved, np.tile([0.0, 0.0, -0.25 * 9.81 * 0.25], (13, 1)), rtol=2e-3, atol=1e-9)


def test_drag_field(solver):
    """Without air: v = v₀ e^(−ct) goes v₀ (1 − e^(−ct))/c."""
    c, v0 = 1.5, 4.0
    rod = replace(straight(), drag_coefficient=0.0, v=np.tile([0.0, v0, 0.0], (13, 1)))
    moved = displacement(rod, 0.5, solver=solver, fields=(field("DRAG", linear_drag=c),))
    np.testing.assert_allclose(moved[:, 1], v0 * (1.0 - np.exp(-0.5 * c)) / c, rtol=2e-3)


def test_bodies(solver):
    """They drift with the wind by their area, a force accelerates and a drag field brakes them as it does rods."""
    area, mass, v0, c = 0.05, 0.2, 3.0, 1.5
    ball = RigidBody("ball", np.array([0.0, 0.0, 1.0]), mass, 1e-3 * np.eye(3))
    bodies = (
        replace(ball, drag_area=area, weights=np.array([1.0, 1.0, 0.0, 1.0, 1.0, 0.0])),
        replace(ball, weights=np.array([1.0, 0.0, 1.0, 1.0, 1.0, 0.0])),
        replace(ball, weights=np.array([1.0, 0.0, 0.0, 1.0, 1.0, 1.0]), v=np.array([v0, 0.0, 0.0])),
    )
    fields = (
        field("WIND", (0, 1, 0), strength=6.0),
        field("FORCE", strength=5.0, shape="PLANE"),
        field("DRAG", linear_drag=c),
    )
    moved = bake(straight(3), duration=0.5, fields=fields, bodies=bodies, solver=solver).bodies[:, :3] - ball.position
    drifts = blown(6.0, 0.5 * RHO * area / mass, 0.5)
    expected = [[0.0, drifts, 0.0], [0.0, 0.0, 0.625], [v0 * (1.0 - np.exp(-0.5 * c)) / c, 0.0, 0.0]]
    np.testing.assert_allclose(moved, expected, rtol=2e-3, atol=1e-9)


def test_a_drag_field_brakes_what_is_welded_once(solver):
    """A weight and the rods that carry it are slowed as one: v₀ e^(−ct) again."""
    c, v0, v = 1.5, 4.0, np.tile([0.0, 4.0, 0.0], (13, 1))
    rods = tuple(replace(straight(direction=(side, 0.0, 0.0)), drag_coefficient=0.0, v=v) for side in (1.0, -1.0))
    ball = RigidBody("ball", np.zeros(3), 0.2, 1e-3 * np.eye(3), v=v[0])
    welds = tuple(Weld(f"weld {r}", 0, r, 0) for r in range(2))
    drag = field("DRAG", linear_drag=c)
    last = bake(*rods, duration=0.5, fields=(drag,), bodies=(ball,), welds=welds, solver=solver)
    assert last.bodies[0, 1] == pytest.approx(v0 * (1.0 - np.exp(-0.5 * c)) / c, rel=2e-3)


def test_gusts_are_reproducible_and_each_rods_own(solver):
    wind = field("WIND", (0, 1, 0), strength=4.0, noise=8.0)
    rod = straight(6)
    far = replace(rod, name="far", x=rod.x + [0.0, 0.0, 50.0])
    alone = displacement(rod, 0.3, solver=solver, fields=(wind,))
    np.testing.assert_array_equal(displacement(rod, 0.3, solver=solver, fields=(wind,)), alone)
    both = bake(rod, far, solver=solver, duration=0.3, fields=(wind,)).x
    np.testing.assert_array_equal(both[:7] - rod.x, alone)
    assert abs((both[7:] - far.x - alone)[0, 1]) > 0.01
