"""The solver that AUTOMATIC means, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import cost
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie, Weld
from tendril.physics.validate import forecast, in_words, notices, resolved
from tendril.physics.validate.forecast import BEARABLE, FASTER

STEEL = Material(2e11, 0.3, 7800.0)


def scene(edges=100, length=1.0, **options):
    x = np.linspace([0.0, 0.0, 0.0], [length, 0.0, 0.0], edges + 1)
    wire = Rod.from_material("Wire", x, 0.001, STEEL)
    pins = (Pin.fixed(wire, 0, "TWIST", rod=0),)
    return replace(Scene((wire,), 1.0 / 24.0, 250, pins=pins, contact=False, solver="AUTOMATIC"), **options)


def test_implicit_where_it_is_clearly_faster():
    found = forecast(scene(), cores=1)
    seconds = cost.side_by_side(scene(), cost.durations(scene()), cores=1)
    assert seconds["EXPLICIT"] > FASTER * seconds["IMPLICIT"]
    assert (found.solver, found.seconds) == ("IMPLICIT", seconds["IMPLICIT"])
    took, other = in_words(seconds["IMPLICIT"]), in_words(seconds["EXPLICIT"])
    assert found.text == f"Implicit: {took}; explicit steps would take {other}"
    assert forecast(scene(edges=20)).text == "Implicit: 1 s; explicit steps would take longer"


def test_what_is_measured_takes_the_place_of_what_is_foreseen():
    """The choice stays: it follows from the scene alone."""
    found = forecast(scene())
    assert found.asked == ("IMPLICIT", "EXPLICIT")
    both = found.measured("EXPLICIT", 7200.0).measured("IMPLICIT", 90.0)
    assert both.text == "Implicit: 1 min 30 s; explicit steps would take 2 h 0 min"
    assert found.measured("EXPLICIT", 1.0).measured("IMPLICIT", 90.0).solver == "IMPLICIT"
    assert forecast(scene(solver="EXPLICIT")).asked == ("EXPLICIT",)


def test_explicit_where_it_is_as_fast():
    coarse = scene(edges=4)
    seconds = cost.side_by_side(coarse, cost.durations(coarse), cores=1)
    assert seconds["EXPLICIT"] < FASTER * seconds["IMPLICIT"]
    found = forecast(coarse)
    assert found.solver == "EXPLICIT"
    assert found.text == "Explicit: 1 s; implicit steps would take as long"


def test_implicit_where_points_lie_next_to_each_other():
    """However many of its radii are in the shortest edge, a rod has no more pairs to press than it has points."""
    x = np.array([0.0, 0.2, 0.20002, 0.5, 0.50003, 1.0])[:, None] * (1.0, 0.0, 0.0)
    rope = Material(8.8e9, 0.4, 828.0, bend_factor=7.3e-5)
    rod = Rod.from_material("rod", x, 0.01, rope, shape_memory=0.0)
    found = forecast(Scene((rod,), 1 / 24, 72, pins=(Pin.fixed(rod, 0),), solver="AUTOMATIC"), cores=1)
    assert found.solver == "IMPLICIT"
    assert found.seconds < 1.0
    assert found.instead > 10.0


def test_explicit_where_implicit_steps_would_calm_what_swings():
    found = forecast(scene(24, 0.45))
    assert found.solver == "EXPLICIT"
    assert "implicit steps would take 2 % of the energy of 'Wire' in each swing" in found.text
    assert forecast(scene(24, 0.45, quality="FINE")).solver == "IMPLICIT"
    slow = scene(300, 0.45)
    assert cost.durations(slow)[0, 1] > BEARABLE
    assert forecast(slow).solver == "IMPLICIT"


def test_implicit_where_exact_pins_draw_a_rod_straight():
    x = np.linspace([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 11)
    cord = Rod.from_material("Cord", x, 0.008, Material(5e6, 0.4, 1000.0))
    held = Scene((cord,), 1.0 / 24.0, 13, pins=(Pin.fixed(cord, 0), Pin.fixed(cord, 10)), solver="AUTOMATIC")
    found = forecast(held)
    assert found.solver == "IMPLICIT"
    assert found.text.endswith("; explicit ones cannot follow 'Cord', which exact pins draw straight")
    last = list(simulate(held))[-1]
    assert np.abs(last.x - x).max() < np.sqrt(3.0 / 8.0 * 1e-6)  # as far as a metre sags by edges longer by 1e-6
    sagging = replace(cord, x=x - [0.0, 0.0, 1e-3] * np.sin(np.pi * np.linspace(0.0, 1.0, 11))[:, None])
    assert forecast(replace(held, rods=(sagging,))).solver == "EXPLICIT"
    yielding = tuple(replace(pin, max_force=None) for pin in held.pins)
    assert forecast(replace(held, pins=yielding)).solver == "EXPLICIT"


def test_beside_a_soft_body_by_what_is_faster():
    corner = np.vstack([np.zeros(3), 0.1 * np.eye(3)]) - [0.0, 0.0, 1.0]
    soft = SoftBody("Jelly", corner, np.arange(4)[None], 1000.0, 1e5, 0.3)
    tie = (Tie("Loop", 0, np.arange(4), vertex=(0, 100)),)
    fine = scene(solids=(soft,), ties=tie)
    found = forecast(fine)
    assert found.solver == "IMPLICIT"
    assert "explicit steps would take" in found.text
    welded = replace(fine, bodies=(RigidBody("Lamp", np.zeros(3), 0.1, np.eye(3)),), welds=(Weld("Cap", 0, 0, 50),))
    assert cost.durations(welded)[0, 1] == cost.durations(welded)[0, 2]
    assert forecast(welded).solver == "EXPLICIT"
    told = "; 'Wire' takes explicit steps beside soft bodies"
    assert forecast(replace(welded, solver="IMPLICIT")).text.endswith(told)
    rolling = replace(fine, rods=(fine.rods[0], replace(fine.rods[0], rolls=True), replace(fine.rods[0], rolls=True)))
    text = forecast(replace(rolling, solver="IMPLICIT")).text
    assert text.endswith("; 'Wire' and 1 more take explicit steps beside soft bodies")
    for other in (replace(fine, solver="IMPLICIT"), replace(welded, solver="EXPLICIT"), welded):
        assert "beside soft bodies" not in forecast(other).text
    assert "explicit" not in forecast(replace(rolling, solids=(), ties=(), solver="IMPLICIT")).text
    coarse = scene(4, solids=(soft,), ties=(replace(tie[0], vertex=(0, 4)),))
    assert forecast(coarse).solver == "EXPLICIT"


def test_what_rolls_goes_as_what_does_not():
    wire = scene()
    assert forecast(replace(wire, rods=(replace(wire.rods[0], rolls=True),))).solver == forecast(wire).solver


def test_either_where_rigid_bodies_collide():
    ball = RigidBody("Ball", np.ones(3), 1.0, np.eye(3))
    shaped = replace(ball, shape=Shape(np.ones((1, 3)), np.zeros((1, 3), int), 0.1))
    assert forecast(scene(bodies=(ball, shaped))).solver == "IMPLICIT"
    alone = forecast(replace(scene(bodies=(ball, shaped)), rods=(), pins=(), welds=()))
    assert alone.solver == "EXPLICIT"
    assert alone.text.endswith("; without rods there is nothing stiff")


def test_bodies_need_no_rod():
    ball = RigidBody("Ball", np.ones(3), 1.0, np.eye(3))
    alone = Scene((), 1.0 / 24.0, 250, bodies=(ball,), solver="AUTOMATIC")
    found = forecast(alone)
    assert found.solver == "EXPLICIT"
    assert 0.0 < forecast(replace(alone, frame_count=100)).seconds < found.seconds
    assert notices(replace(alone, frame_count=10**9))[0].text.startswith("The bake will take about ")


def test_the_choice_follows_from_the_scene_alone():
    for given in (scene(), scene(24, 0.45), scene(300, 0.45), scene(edges=4)):
        assert len({forecast(given, cores).solver for cores in (None, 1, 2, 64)}) == 1
        parts = (replace(given, frame_count=count) for count in (1, 2, 50, 10_000))
        assert {forecast(part).solver for part in parts} == {forecast(given).solver}
        assert resolved(given).solver == forecast(given).solver
    for solver in ("EXPLICIT", "IMPLICIT"):
        chosen = scene(solver=solver)
        assert resolved(chosen) is chosen
        seconds = cost.estimate(chosen)
        assert forecast(chosen).text == f"Takes about {in_words(seconds)}"


def frames(given, state=None):
    return list(simulate(given, state))


@pytest.mark.parametrize("edges", [60, 4])
def test_it_bakes_as_the_solver_it_means_also_resumed(edges):
    given = scene(edges, frame_count=4)
    whole = frames(given)
    for told in (frames(resolved(given)), [*whole[:2], *frames(given, whole[1].state)]):
        assert [frame.x.tobytes() for frame in told] == [frame.x.tobytes() for frame in whole]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "1 s"), (4.2, "4 s"), (59.6, "1 min 0 s"), (250, "4 min 10 s"), (7500, "2 h 5 min"), (3e5, "3 days"),
        (1e8, "3.17 years"), (np.inf, "inf years"),
    ],
)  # fmt: skip
def test_durations_read_well(seconds, said):
    assert in_words(seconds) == said
