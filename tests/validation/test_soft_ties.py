"""Soft bodies tied to rigid ones of any mass, against laws."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import CENTRED, DENSITY, FRAME, GRAVITY, ROUND_OFF, SIDE, Coupling, crate, jelly, rope
from meshes import box
from tendril.meshing.fill import fill
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Hold, Pin, RigidBody, Scene, Tie, Weld

WEIGHT = DENSITY * SIDE**3  # kg of the cube
FACE = np.flatnonzero(CENTRED[:, 0] > 0.49 * SIDE)
TOP, BOTTOM = (np.flatnonzero(sign * CENTRED[:, 2] > 0.49 * SIDE) for sign in (1.0, -1.0))


def stone(mass, at, name="stone"):
    """As heavy as told, as large as a cube of half the side, and touching nothing."""
    return RigidBody(name, np.array(at, float), mass, mass * (0.5 * SIDE) ** 2 / 6.0 * np.eye(3))


def stirred(relaxation):
    """Flying, turning, its nodes stirred."""
    soft = jelly(CENTRED, relaxation=relaxation)
    v = (
        np.cross([0.3, -0.2, 0.5], CENTRED)
        + [0.1, 0.0, 0.0]
        + 0.02 * np.random.default_rng(1).normal(size=soft.x.shape)
    )
    return replace(soft, v=v)


@pytest.mark.parametrize("relaxation", [0.0, 0.003])
@pytest.mark.parametrize("tied", [FACE[:1], FACE[:2], FACE], ids=["one", "two", "face"])
@pytest.mark.parametrize("ratio", [1e-4, 1e-2, 1.0, 1e2, 1e4])
def test_a_tie_to_a_body_of_any_mass_wins_no_energy_and_keeps_both_momenta(ratio, tied, relaxation):
    scene = Scene(
        (), FRAME, 2, bodies=(stone(ratio * WEIGHT, [SIDE, 0.0, 0.0]),), solids=(stirred(relaxation),),
        ties=(Tie("glue", 0, tied, body=0),), gravity=np.zeros(3), air_density=0.0,
    )  # fmt: skip
    check_laws(scene)


def check_laws(scene, rounding=ROUND_OFF):
    """That what nothing pushes from outside keeps its momenta and wins no energy, in .1 s."""
    run = Coupling(scene)
    (linear, angular), energy = run.momenta(), [run.energy()]
    for _ in range(20):
        run.go_on(0.005, 0.1)
        energy.append(run.energy())
    now = run.momenta()
    assert np.abs(now[0] - linear).max() < rounding * np.abs(linear).max()
    assert np.abs(now[1] - angular).max() < rounding * np.abs(linear).max()  # m kg m/s, arms of below 1 m
    assert max(energy) < 1.005 * energy[0]  # the scheme's own sway


@pytest.mark.parametrize("ratio", [1e-4, 1.0, 1e4])
def test_bodies_that_a_rope_joins_carry_a_soft_body_each(ratio):
    """At either end, both as light or as heavy: what one is pulled by reaches the other through the rope at once."""
    x = np.zeros((11, 3))
    x[:, 0] = np.linspace(0.6 * SIDE, 1.0 - 0.6 * SIDE, 11)
    softs = stirred(0.003), replace(stirred(0.0), name="other", x=CENTRED + [1.0, 0.0, 0.0])
    opposite = np.flatnonzero(CENTRED[:, 0] < -0.49 * SIDE)
    scene = Scene(
        (rope(x, 0.004),), FRAME, 2, bodies=tuple(stone(ratio * WEIGHT, x[end], f"ring {end}") for end in (0, -1)),
        welds=(Weld("one end", 0, 0, 0), Weld("other end", 1, 0, 10)), solids=softs, gravity=np.zeros(3),
        ties=(Tie("one", 0, FACE, body=0), Tie("other", 1, opposite, body=1)), air_density=0.0,
    )  # fmt: skip
    check_laws(scene, 10.0 * ROUND_OFF)  # places of 1 m


@pytest.mark.parametrize("ratio", [1e-4, 1.0, 1e4])
def test_a_node_may_be_tied_to_a_body_twice(ratio):
    scene = Scene(
        (), FRAME, 2, bodies=(stone(ratio * WEIGHT, [SIDE, 0.0, 0.0]),), solids=(stirred(0.003),), gravity=np.zeros(3),
        ties=(Tie("one", 0, FACE[:10], body=0), Tie("again", 0, FACE[6:], body=0)), air_density=0.0,
    )  # fmt: skip
    check_laws(scene)


@pytest.mark.parametrize("ratio", [1e-4, 1.0, pytest.param(1e4, marks=pytest.mark.slow)])
def test_what_hangs_on_a_body_on_a_rope_pulls_with_its_weight(ratio):
    x = np.zeros((11, 3))
    x[:, 2] = np.linspace(1.0, 0.6 * SIDE, 11)
    line = rope(x, 0.004, internal_damping=0.1)
    scene = Scene(
        (line,), FRAME, 2, pins=(Pin.fixed(line, 0),), bodies=(stone(ratio * WEIGHT, x[-1]),),
        welds=(Weld("knot", 0, 0, 10),), solids=(jelly(CENTRED, relaxation=0.02),), ties=(Tie("glue", 0, TOP, body=0),),
        air_density=0.0,
    )  # fmt: skip
    run = Coupling(scene)
    run.go_on(1.0)
    weight = WEIGHT * GRAVITY
    assert run.now.soft.state.tied.sum(axis=0) == pytest.approx([0.0, 0.0, weight], rel=1e-3, abs=1e-3 * weight)
    edge = np.linalg.norm(line.edges()[0])
    above = weight * (1.0 + ratio) + line.mass.sum() * GRAVITY
    assert -run.now.rods.state.tension[0] * edge == pytest.approx(above, rel=5e-3)


@pytest.mark.parametrize("ratio", [1e-2, 1.0, 1e2])
def test_a_soft_body_lands_on_the_body_below_it(ratio):
    """Filled alike on all sides, for else it leans as it is thrown back, and topples from what is narrower."""
    points, triangles = box((SIDE,) * 3)
    x, node = fill(points, triangles, 4, SIDE**3)
    x -= 0.5 * (x.min(axis=0) + x.max(axis=0))
    foot = x[:, 2].min()
    below = crate((0.1, 0.1, 0.05), (0.0, 0.0, foot - 0.026), ratio * WEIGHT)
    speed, floor = np.array([0.0, 0.0, -3.0]), foot - 0.06
    scene = Scene(
        (), FRAME, 49, bodies=(replace(below, v=speed),), solids=(jelly(x, node, speed=speed),),
        ties=(Tie("glue", 0, np.flatnonzero(x[:, 2] < foot + 1e-9), body=0),), floor=Floor(floor, 0.5),
    )  # fmt: skip
    *_, last = simulate(scene)
    assert last.bodies[0, 2] - 0.025 == pytest.approx(floor, abs=1e-4 * SIDE)
    assert last.contacts == 4


@pytest.mark.parametrize("frame", [3.0 * (1.0 + 1e-15), 3.0 * (1.0 - 1e-15)])
def test_what_lets_go_at_a_frame_goes_on_as_fast_whichever_way_that_was_rounded(frame):
    """A step as short as the rounding error would take velocities from places that hardly differ."""

    def baked(frame):
        nails = tuple(Hold(f"{i}", "POINT", 0, int(i), release=frame * FRAME) for i in TOP[:1])
        scene = Scene(
            (), FRAME, 6, bodies=(stone(0.1 * WEIGHT, [SIDE, 0.0, 0.0]),), solids=(jelly(CENTRED),), holds=nails,
            ties=(Tie("glue", 0, FACE, body=0),),
        )  # fmt: skip
        return np.array([shown.x for shown in simulate(scene)])

    assert np.abs(baked(frame) - baked(3.0)).max() < 1e-9
