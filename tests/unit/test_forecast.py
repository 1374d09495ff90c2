"""The solver that AUTOMATIC means, and what is said of it."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import cost
from tendril.physics.materials import Material
from tendril.physics.run.parts import parts_of
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Shape, SoftBody, Tie, Weld
from tendril.physics.validate import forecast, implicit_rods, in_words, notices
from tendril.physics.validate.forecast import BEARABLE, FASTER

STEEL = Material(2e11, 0.3, 7800.0)


def scene(edges=100, length=1.0, **options):
    x = np.linspace([0.0, 0.0, 0.0], [length, 0.0, 0.0], edges + 1)
    wire = Rod.from_material("Wire", x, 0.001, STEEL)
    pins = (Pin.fixed(wire, 0, "TWIST", rod=0),)
    return replace(Scene((wire,), 1.0 / 24.0, 250, pins=pins, contact=False, solver="AUTOMATIC"), **options)


def wire(name="Wire", edges=100, at=0.0):
    return replace(scene(edges).rods[0], name=name, x=scene(edges).rods[0].x + [0.0, at, 0.0])


def solver(given):
    """Of a scene whose rods all take the same."""
    (implicit,) = set(implicit_rods(given).tolist())
    return "IMPLICIT" if implicit else "EXPLICIT"


def test_implicit_where_it_is_clearly_faster():
    found = forecast(scene())
    times = cost.times_as_fast(scene())[0]
    assert times > FASTER
    assert found.implicit.all()
    assert found.seconds == cost.seconds(scene(), np.ones(1, bool))
    took = in_words(found.seconds)
    assert (
        found.text
        == f"Implicit: {took} or more; explicit steps would take {times:.{0 if times > 9.5 else 1}f} times as long"
    )


@pytest.mark.parametrize("beside", [0, 200])
def test_the_choice_turns_where_the_rule_says(beside):
    """An implicit step takes as long as three explicit ones, and a fiftieth more for each edge beside another; it is
    chosen where that is at least 1.25 times as fast (docs/physics/solvers.md).
    """
    given = scene(200, gravity=np.zeros(3), frame_duration=10.0, pins=(), contact=True)
    if beside:
        upper = replace(given.rods[0], x=given.rods[0].x + [0.0, 0.0, 0.0021])
        given = replace(given, rods=(*given.rods, upper))
    equal = 3.0 * (1.0 + beside / 50.0)  # explicit steps in the time of one

    def of(ratio):
        """Where so many of the largest explicit steps go into an implicit one."""
        stiffer = (ratio * cost.rod_steps(given)[0] / cost.longest_step(given)) ** 2
        return replace(
            given, rods=tuple(replace(rod, bend_stiffness=stiffer * rod.bend_stiffness) for rod in given.rods)
        )

    assert cost.times_as_fast(of(equal)) == pytest.approx(1.0, rel=0.01)
    assert [solver(of(1.25 * equal * by)) for by in (0.98, 1.02)] == ["EXPLICIT", "IMPLICIT"]


def test_what_is_measured_takes_the_place_of_what_is_foreseen():
    """The choice stays: it follows from the scene alone."""
    measured = forecast(scene()).measured(90.0)
    assert measured.text.startswith("Implicit: 1 min 30 s; explicit steps would take ")
    assert forecast(scene(solver="EXPLICIT")).measured(90.0).text == "Takes about 1 min 30 s"


def test_explicit_where_it_is_as_fast():
    coarse = scene(edges=4)
    assert cost.times_as_fast(coarse)[0] < FASTER
    assert forecast(coarse).text == "Explicit: 1 s or more; implicit steps would be no faster"


def test_implicit_where_points_lie_next_to_each_other():
    x = np.array([0.0, 0.2, 0.20002, 0.5, 0.50003, 1.0])[:, None] * (1.0, 0.0, 0.0)
    rope = Material(8.8e9, 0.4, 828.0, bend_factor=7.3e-5)
    rod = Rod.from_material("rod", x, 0.01, rope, shape_memory=0.0)
    assert solver(Scene((rod,), 1 / 24, 72, pins=(Pin.fixed(rod, 0, rod=0),), solver="AUTOMATIC")) == "IMPLICIT"


def test_explicit_where_implicit_steps_would_calm_what_swings():
    found = forecast(scene(24, 0.45))
    assert not found.implicit.any()
    assert "implicit steps would take 2 % of the energy of 'Wire' in each swing" in found.text
    assert solver(scene(24, 0.45, quality="FINE")) == "IMPLICIT"
    slow = scene(300, 0.45)
    assert cost.frames(slow, np.zeros(1, bool))[0] > BEARABLE
    assert solver(slow) == "IMPLICIT"


def test_implicit_where_exact_pins_draw_a_rod_straight():
    x = np.linspace([-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], 11)
    cord = Rod.from_material("Cord", x, 0.008, Material(5e6, 0.4, 1000.0))
    held = Scene(
        (cord,), 1.0 / 24.0, 13, pins=(Pin.fixed(cord, 0, rod=0), Pin.fixed(cord, 10, rod=0)), solver="AUTOMATIC"
    )
    found = forecast(held)
    assert found.implicit.all()
    assert found.text.endswith("; explicit ones cannot follow 'Cord', which exact pins draw straight")
    last = list(simulate(held))[-1]
    assert np.abs(last.x - x).max() < np.sqrt(3.0 / 8.0 * 1e-6)  # as far as a metre sags by edges longer by 1e-6
    sagging = replace(cord, x=x - [0.0, 0.0, 1e-3] * np.sin(np.pi * np.linspace(0.0, 1.0, 11))[:, None])
    assert solver(replace(held, rods=(sagging,))) == "EXPLICIT"
    yielding = tuple(replace(pin, max_force=None) for pin in held.pins)
    assert solver(replace(held, pins=yielding)) == "EXPLICIT"


def test_beside_a_soft_body_by_what_is_faster():
    corner = np.vstack([np.zeros(3), 0.1 * np.eye(3)]) - [0.0, 0.0, 1.0]
    soft = SoftBody("Jelly", corner, np.arange(4)[None], 1000.0, 1e5, 0.3)
    tie = (Tie("Loop", 0, np.arange(4), vertex=(0, 100)),)
    fine = scene(solids=(soft,), ties=tie)
    found = forecast(fine)
    assert found.implicit.all()
    assert "explicit steps would take" in found.text
    welded = replace(fine, bodies=(RigidBody("Lamp", np.zeros(3), 0.1, np.eye(3)),), welds=(Weld("Cap", 0, 0, 50),))
    assert cost.times_as_fast(welded)[0] == 1.0
    assert solver(welded) == "EXPLICIT"
    told = "; 'Wire' takes explicit steps beside soft bodies"
    assert forecast(replace(welded, solver="IMPLICIT")).text.endswith(told)
    rolling = replace(fine, rods=(fine.rods[0], replace(fine.rods[0], rolls=True), replace(fine.rods[0], rolls=True)))
    text = forecast(replace(rolling, solver="IMPLICIT")).text
    assert text.endswith("; 'Wire' and 1 more take explicit steps beside soft bodies")
    for other in (replace(fine, solver="IMPLICIT"), replace(welded, solver="EXPLICIT"), welded):
        assert "beside soft bodies" not in forecast(other).text
    assert "explicit" not in forecast(replace(rolling, solids=(), ties=(), solver="IMPLICIT")).text
    coarse = scene(4, solids=(soft,), ties=(replace(tie[0], vertex=(0, 4)),))
    assert solver(coarse) == "EXPLICIT"


def test_what_rolls_goes_as_what_does_not():
    given = scene()
    assert solver(replace(given, rods=(replace(given.rods[0], rolls=True),))) == solver(given)


def test_either_where_rigid_bodies_collide():
    ball = RigidBody("Ball", np.ones(3), 1.0, np.eye(3))
    shaped = replace(ball, shape=Shape(np.ones((1, 3)), np.zeros((1, 3), int), 0.1))
    assert solver(scene(bodies=(ball, shaped))) == "IMPLICIT"
    alone = forecast(replace(scene(bodies=(ball, shaped)), rods=(), pins=(), welds=()))
    assert not alone.implicit.any()
    assert alone.text.endswith("; without rods there is nothing stiff")


def test_bodies_need_no_rod():
    ball = RigidBody("Ball", np.ones(3), 1.0, np.eye(3))
    alone = Scene((), 1.0 / 24.0, 250, bodies=(ball,), solver="AUTOMATIC")
    assert 0.0 < forecast(replace(alone, frame_count=100)).seconds < forecast(alone).seconds
    assert notices(replace(alone, frame_count=10**10))[0].text.startswith("The bake will take at least ")


def test_the_choice_follows_from_the_scene_alone():
    for given in (scene(), scene(24, 0.45), scene(300, 0.45), scene(edges=4)):
        assert len({solver(replace(given, frame_count=count)) for count in (1, 2, 50, 10_000)}) == 1
    for asked in ("EXPLICIT", "IMPLICIT"):
        chosen = scene(solver=asked)
        assert solver(chosen) == asked
        assert forecast(chosen).text == f"Takes {in_words(forecast(chosen).seconds)} or more"


def test_each_part_is_chosen_for_by_itself():
    """A wire that nothing joins with a rope leaves it its own; one that a body joins with it takes it along."""
    rope = replace(wire("Rope", 4), x=wire("Rope", 4).x + [0.0, 1.0, 0.0])
    both = scene(rods=(rope, wire()), pins=(Pin.fixed(rope, 0, rod=0), Pin.fixed(wire(), 0, rod=1)))
    assert implicit_rods(both).tolist() == [False, True]
    assert forecast(both).text == "Both solvers: 1 s or more; implicit steps for 'Wire', explicit ones for the rest"
    other = wire("Other", at=2.0)
    three = replace(both, rods=(*both.rods, other), pins=(*both.pins, Pin.fixed(other, 0, rod=2)))
    assert "implicit steps for 'Wire' and 1 more, explicit" in forecast(three).text
    lamp = RigidBody("Lamp", np.zeros(3), 0.1, np.eye(3))
    joined = replace(both, bodies=(lamp,), welds=(Weld("a", 0, 0, 0), Weld("b", 0, 1, 0)))
    assert implicit_rods(joined).all()
    assert [part.scene.solver for part in parts_of(both)] == ["EXPLICIT", "IMPLICIT"]
    assert [part.scene.solver for part in parts_of(both, np.array([True, False]))] == ["IMPLICIT", "EXPLICIT"]


def frames(given, state=None):
    return list(simulate(given, state))


@pytest.mark.parametrize("edges", [60, 4])
def test_it_bakes_as_the_solver_it_means_also_resumed(edges):
    given = scene(edges, frame_count=4)
    whole = frames(given)
    for told in (frames(replace(given, solver=solver(given))), [*whole[:2], *frames(given, whole[1].state)]):
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
