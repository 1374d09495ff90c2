"""In a fluid at rest what displaces the volume V moves, at first, with a = (m − ρV) g/(m + CρV), and at rest weighs
m − ρV (Newman, *Marine Hydrodynamics*, ch. 4): C is 1 across a cylinder, ½ of a sphere.
"""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick
from solids import brick as crate
from solids import capsule, sphere
from tendril.physics.forces.buoyancy import immersed, shape_volume
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import ForceField, Pin, Rod, Scene, SoftBody, Weld
from tendril.physics.validate import notices

WATER, G, TIME, FRAMES = 1000.0, 9.81, 0.01, 11
IN_WATER = {"air_density": WATER, "contact": False}


def line(density, **options):
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 21)
    return Rod.from_material("line", x, 0.01, Material(1e7, 0.4, density), drag_coefficient=0.0, **options)


def ball(density, radius=0.1):
    return sphere((0.0, 0.0, 0.0), radius, density=density)


def acceleration(scene, place):
    """[m/s²], upwards, of what `place` reads from Frames: a second difference, which even steps do not shift."""
    z = np.array([place(frame) for frame in simulate(scene)])
    return (z[10] - 2.0 * z[6] + z[2]) / (4.0 * TIME) ** 2


def expected(density, moved):
    share = WATER / density
    return -G * (1.0 - share) / (1.0 + moved * share)


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("density", [500.0, 1000.0, 2000.0])
@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
def test_a_rod_rises_hovers_or_sinks(model, density, solver):
    scene = Scene((line(density, model=model),), TIME, FRAMES, solver=solver, **IN_WATER)
    assert acceleration(scene, lambda frame: frame.x[10, 2]) == pytest.approx(expected(density, 1.0), abs=2e-3 * G)


@pytest.mark.parametrize("density", [500.0, 1000.0, 2000.0])
def test_a_ball_rises_hovers_or_sinks(density):
    scene = Scene((), TIME, FRAMES, bodies=(ball(density),), **IN_WATER)
    assert acceleration(scene, lambda frame: frame.bodies[0, 2]) == pytest.approx(expected(density, 0.5), abs=2e-3 * G)


@pytest.mark.parametrize("density", [500.0, 1000.0, 2000.0])
def test_a_soft_cube_rises_hovers_or_sinks(density):
    scene = Scene(
        (), TIME, FRAMES, solids=(SoftBody("cube", *brick((2, 2, 2), (0.1, 0.1, 0.1)), density, 1e4, 0.4),), **IN_WATER
    )
    assert acceleration(scene, lambda frame: frame.x[:, 2].mean()) == pytest.approx(
        expected(density, 0.5), abs=2e-3 * G
    )


def test_a_ball_on_a_line_weighs_both_in_water():
    rod, weight = line(2000.0), ball(3000.0)
    rod = replace(rod, x=np.linspace([0.0, 0.0, 1.0], [0.0, 0.0, 0.0], 21))
    scene = Scene((rod,), TIME, FRAMES, bodies=(weight,), welds=(Weld("w", 0, 0, 20, "POSITION"),), **IN_WATER)
    masses = np.array([rod.mass.sum(), weight.mass])
    share = np.array([WATER / 2000.0, WATER / 3000.0])
    whole = masses @ (1.0 + share * [1.0, 0.5])
    law = -G * (masses @ (1.0 - share)) / whole
    assert acceleration(scene, lambda frame: frame.bodies[0, 2]) == pytest.approx(law, rel=2e-3)


def test_fields_accelerate_what_is_theirs_alone():
    push = ForceField(
        "push", "FORCE", np.zeros(1), np.array([[0.0, 0.0, -100.0]]), np.array([[1.0, 0.0, 0.0, 0.0]]), strength=5.0
    )
    scene = Scene((line(2000.0),), TIME, FRAMES, fields=(push,), gravity=np.zeros(3), **IN_WATER)
    assert acceleration(scene, lambda frame: frame.x[10, 2]) == pytest.approx(5.0 / 1.5, rel=5e-3)


def test_a_cable_lighter_than_water_hangs_upwards_like_one_heavier_downwards():
    """Of 500 and of 1500 kg/m³ in water the weights are opposite."""
    heights = []
    for density in (500.0, 1500.0):
        rod = Rod.from_material(
            "cable", np.linspace([0.0] * 3, [1.0, 0.0, 0.0], 41), 0.01, Material(1e5, 0.4, density), model="cable"
        )
        pins = [Pin("p", 0, k, "POSITION", np.zeros(1), np.array([[0.9 * (k > 0), 0.0, 0.0]])) for k in (0, 40)]
        (frame,) = simulate(Scene((rod,), TIME, 1, pins=tuple(pins), **IN_WATER))
        heights.append(frame.x[20, 2])
    assert heights[0] > 0.05
    assert heights[0] == pytest.approx(-heights[1], rel=1e-6)


def test_a_pendulum_in_water_swings_slowly():
    """ω² = (g/L) (m − ρV)/(m + ½ρV) of a heavy ball on a light line, without drag: the quarter of a period."""
    density, length = 4000.0, 1.0
    rod = replace(line(WATER), x=np.linspace([0.0] * 3, [0.0, 0.0, -length], 11), radius=np.full(11, 1e-4))
    rod = Rod.from_material("line", rod.x, 2e-4, Material(1e7, 0.4, WATER), drag_coefficient=0.0)
    angle = 0.05
    turn = np.array([[np.cos(angle), 0.0, -np.sin(angle)], [0.0, 1.0, 0.0], [np.sin(angle), 0.0, np.cos(angle)]])
    rod = replace(rod, x=rod.x @ turn.T)
    weight = replace(ball(density, 0.02), position=rod.x[-1])
    weight = replace(weight, shape=None, volume=weight.mass / density)
    omega = np.sqrt(G / length * (density - WATER) / (density + 0.5 * WATER))
    frames, time = 60, 1.05 * 0.5 * np.pi / omega
    scene = Scene((rod,), time / (frames - 1), frames, bodies=(weight,), welds=(Weld("w", 0, 0, 10, "POSITION"),),
                  pins=(Pin.fixed(rod, 0),), **IN_WATER)  # fmt: skip
    x = np.array([frame.bodies[0, 0] for frame in simulate(scene)])
    k = int(np.flatnonzero(np.sign(x[1:]) != np.sign(x[0]))[0])
    crossed = time / (frames - 1) * (k + x[k] / (x[k] - x[k + 1]))
    assert crossed == pytest.approx(0.5 * np.pi / omega, rel=5e-3)


def test_ordinary_air_lifts_nothing():
    """Its thousandth of a weight is in what scales tell: laws of a vacuum hold to the last digit, but for drag."""
    scene = Scene((line(500.0),), TIME, FRAMES, bodies=(ball(500.0),))
    assert immersed(scene) is scene
    assert immersed(replace(scene, air_density=float(np.float32(1.2)))).rods is scene.rods  # as Blender has it
    assert immersed(replace(scene, air_density=1.31)).rods[0].mass.sum() > scene.rods[0].mass.sum()


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        (sphere((1.0, 2.0, 3.0), 0.1).shape, 4.0 / 3.0 * np.pi * 1e-3),
        (capsule((1.0, 2.0, 3.0), 0.05, 0.2).shape, np.pi * 0.05**2 * (0.2 + 4.0 / 3.0 * 0.05)),
        (crate((1.0, 2.0, 3.0), (0.2, 0.1, 0.06)).shape, 0.2 * 0.1 * 0.06),
    ],
)
def test_what_a_shape_displaces(shape, volume):
    assert shape_volume(shape) == pytest.approx(volume, rel=1e-9)
    assert shape_volume(replace(shape, triangles=shape.triangles[:5])) in (0.0, pytest.approx(volume))


def test_what_displaces_nothing_in_water_is_told():
    hollow = replace(ball(1.0), volume=0.0)
    scene = Scene((), TIME, FRAMES, bodies=(hollow,), **IN_WATER)
    (said,) = [notice.text for notice in notices(scene) if "lifted" in notice.text]
    assert said.startswith("'ball' is not lifted")
    assert not [notice for notice in notices(replace(scene, air_density=1.2)) if "lifted" in notice.text]
