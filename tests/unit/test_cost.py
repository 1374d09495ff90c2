"""The largest steps, which solver is faster by them, and the time that a bake takes at least."""

import os
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.constraints.pin_force import automatic_force
from tendril.physics.cost import hanging_step, linear_step, loads, rod_steps, seconds, times_as_fast, together
from tendril.physics.cost.beside import edges_beside
from tendril.physics.cost.pulled import pulls
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.run.parts import parts_of
from tendril.physics.scene import Collider, Floor, Pin, RigidBody, Rod, Scene, Shape, Weld
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.workspace import workspace

NYLON = Material(2e9, 0.4, 1140.0)


def straight(n, radius=0.004, **options):
    x = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], n + 1)
    return Rod.from_material("rod", x, radius, NYLON, **{"shape_memory": 0.0, **options})


def test_largest_linear_step():
    """l²/2 √(ρA/B), with √(ρA/B) = (2/r) √(ρ/E)."""
    law = 0.5 * 0.02**2 * 2.0 / 0.004 * np.sqrt(1140.0 / 2e9)
    assert linear_step(straight(50)) == pytest.approx(law, rel=1e-9)


@pytest.mark.parametrize("options", [{}, {"stretchable": True}, {"rest_length_factor": 0.8}])
def test_close_to_what_the_solver_starts_with(options):
    for rod in (straight(40, **options), straight(40, np.linspace(0.004, 0.002, 41), **options)):
        model, state, _ = assemble(Scene((rod,), 0.04, 2, contact=False))
        assert linear_step(rod) == pytest.approx(stable_step(model, state), rel=0.25)


@pytest.fixture(autouse=True)
def one_core(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)


def estimate(scene):
    """Seconds of a bake by the scene's solver, EXPLICIT or IMPLICIT."""
    return seconds(scene, np.full(len(scene.rods), scene.solver == "IMPLICIT"))


def largest_step(scene):
    """Of all rods together [s]."""
    return min(rod_steps(scene))


def test_quality_and_bounds():
    scene = Scene((straight(50),), 0.04, 2)
    steps = {quality: largest_step(replace(scene, quality=quality)) for quality in ("PREVIEW", "GOOD", "FINE")}
    assert steps["PREVIEW"] > steps["GOOD"] > steps["FINE"] > 0.0
    both = replace(scene, rods=(straight(50), straight(100)))
    assert largest_step(both) == pytest.approx(steps["GOOD"] / 4.0, rel=1e-2)
    bounded, halved = (estimate(replace(scene, max_step=step)) for step in (1e-6, 0.5e-6))
    assert halved == pytest.approx(2.0 * bounded, rel=1e-2)
    shortest, shorter = (estimate(replace(scene, frame_duration=duration)) for duration in (1e-8, 1e-7))
    assert shortest == shorter  # a step each


def test_estimate_grows_with_the_work(monkeypatch):
    scene = Scene((straight(50),), 0.04, 51)
    base = estimate(scene)
    assert estimate(replace(scene, frame_count=1)) == 0.0
    assert estimate(replace(scene, frame_count=101)) == pytest.approx(2.0 * base)
    finer = estimate(replace(scene, rods=(straight(100),)))
    assert 4.0 * base < finer < 9.0 * base  # four times the steps, up to twice the vertices
    apart = replace(scene, rods=(straight(50), straight(50)))
    assert estimate(apart) == pytest.approx(2.0 * base, rel=0.05)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert estimate(apart) == pytest.approx(base, rel=0.05)


def test_implicit_steps_take_time_by_length_alone():
    """However stiff; and no longer than asked for."""
    scene = Scene((straight(50),), 0.04, 51, solver="IMPLICIT")
    base, steel = estimate(scene), replace(straight(50), bend_stiffness=100.0 * straight(50).bend_stiffness)
    assert estimate(replace(scene, rods=(steel,))) == base
    assert base < estimate(replace(scene, rods=(straight(100),))) < 2.0 * base
    assert base < estimate(replace(scene, quality="FINE")) < 4.0 * base
    assert estimate(replace(scene, quality="PREVIEW")) < base
    assert estimate(replace(scene, max_step=1e-4)) > 10.0 * base


def test_implicit_steps_pay_by_how_many_explicit_ones_they_replace():
    """As the square of the number of points, and the root of the stiffness; explicit ones are never longer."""
    times = [times_as_fast(Scene((straight(n),), 1.0, 2, contact=False, gravity=np.zeros(3)))[0] for n in (100, 200)]
    assert times[1] / times[0] == pytest.approx(4.0, rel=0.05)
    limp = Rod.from_material("limp", straight(5).x, 0.004, Material(1e3, 0.4, 1140.0))
    assert times_as_fast(Scene((limp,), 1.0, 2, max_step=1e-4))[0] < 1.0


def test_many_strands_share_what_a_part_takes_whatever_is_in_it():
    few, many = (tuple(straight(7) for _ in range(count)) for count in (1, 320))
    times = [
        times_as_fast(Scene(rods, 0.04, 2, contact=contact))
        for rods, contact in ((few, False), (many, False), (many[:1], True))
    ]
    assert times[0][0] == times[2][0]
    assert times[1].min() > 2.0 * times[0][0]


def test_what_lies_against_a_rod_from_the_start_makes_implicit_steps_pay_less():
    """Not what only is near along a rod, whose edges are finer than it is thick."""
    plan, fine = np.linspace(0.0, 1.9 * np.pi, 71), straight(70)
    bent = replace(fine, x=0.16 * np.stack([np.cos(plan), np.sin(plan), 0.01 * plan], axis=1))
    closed = replace(bent, x=0.16 * np.stack([np.cos(plan), np.sin(1.06 * plan), 0.01 * plan], axis=1))
    one, other = (Scene((rod,), 0.04, 51) for rod in (bent, closed))
    assert edges_beside(one)[0] == edges_beside(Scene((fine,), 0.04, 51))[0] == 0
    assert edges_beside(other)[0] > 0
    above = replace(fine, x=fine.x + [0.0, 0.0, 0.0085])
    both, alone = Scene((fine, above), 0.04, 51), Scene((fine,), 0.04, 51)
    assert edges_beside(both).tolist() == [70, 70]
    assert times_as_fast(both)[0] < 0.5 * times_as_fast(alone)[0]
    assert edges_beside(replace(both, contact=False)).sum() == 0
    far = replace(above, x=above.x + 30.0)
    assert times_as_fast(replace(both, rods=(fine, far)))[0] == times_as_fast(alone)[0]


def test_what_lies_on_a_mesh_does_too():
    """Measured of hoses, ropes and cords of 25 to 60 edges: by .0145 to .016 of a step an edge; on a floor by none."""
    rod, corners = straight(70), np.array([[-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [0.5, 2.0, 0.0], [0.0, 0.0, 0.0]])
    table = Collider("table", np.array([[0, 1, 2], [0, 0, 3]]), np.zeros(1), corners[None])
    lying = replace(rod, x=rod.x + [0.0, 0.0, 0.005])
    for scene, beside in (
        (Scene((lying,), 0.04, 51, colliders=(table,)), 70),
        (Scene((replace(rod, x=rod.x + [0.0, 0.0, 0.1]),), 0.04, 51, colliders=(table,)), 0),
        (Scene((lying,), 0.04, 51, colliders=(replace(table, group=1),), collision_filter=((0, 1),)), 0),
        (Scene((lying,), 0.04, 51, floor=Floor(0.0)), 0),
    ):
        assert edges_beside(scene).tolist() == [beside]
        alone = times_as_fast(replace(scene, colliders=(), floor=None))[0]
        assert times_as_fast(scene)[0] == pytest.approx(alone / (1.0 + 0.02 * beside))


def test_rods_are_together_as_the_parts_of_the_run_are():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(20):
        rods = tuple(
            replace(rod, x=rod.x + [0.0, y, 0.0])
            for y in range(6)
            for rod in [straight(10, touches=bool(rng.integers(4)))]
        )
        bodies = tuple(brick(float(b), touches=rng.integers(5) == 0) for b in range(3))
        welds = tuple(Weld(f"{w}", w, int(rng.integers(6)), w) for w in range(3))
        scene = Scene(rods, 0.04, 2, bodies=bodies, welds=welds, contact=bool(rng.integers(4)), solver="EXPLICIT")
        theirs = sorted(part.rods.tolist() for part in parts_of(scene))
        assert sorted(map(sorted, together(scene))) == theirs
        seen.add(len(theirs))
    assert len(seen) > 2


def brick(height, touches=True, size=0.5):
    corners = 0.5 * size * np.array(list(product((-1.0, 1.0), repeat=3)))
    shape = Shape(corners + (0.0, 0.0, height), np.array([[0, 1, 3]])) if touches else None
    return RigidBody("brick", np.array([0.0, 0.0, height]), 1.0, np.eye(3), shape=shape)


LIMP = Material(1e6, 0.4, 1000.0)
LENGTH, EDGES, RADIUS, FORCE = 1.0, 100, 1e-3, 3.0


def limp():
    s = LENGTH * np.linspace(-0.5, 0.5, EDGES + 1)
    return Rod.from_material("rod", np.outer(s, (1.0, 0.0, 0.0)), RADIUS, LIMP, shape_memory=0.0)


def held(own, apart, force=FORCE):
    """That rod, whose ends are that much further apart throughout than they are drawn."""
    pins = tuple(
        Pin(f"End {v}", 0, v, "POSITION", np.zeros(1), own.x[v][None] + [[side * 0.5 * apart, 0, 0]], max_force=force)
        for v, side in ((0, -1.0), (len(own.x) - 1, 1.0))
    )
    return Scene((own,), 0.04, 26, pins=pins)


def pull(scene):
    return pulls(scene, loads(scene))[0]


def test_pins_pull_by_all_they_have_where_they_ask_for_more_length_than_there_is():
    """ω² grows by 4F/lm."""
    taut = held(limp(), 0.1)
    assert pull(taut) == pytest.approx(FORCE)
    own = taut.rods[0]
    square = (2.0 / linear_step(own)) ** 2 + 4.0 * FORCE / (LENGTH / EDGES * own.mass.min())
    assert rod_steps(taut)[0] == pytest.approx(taut.fraction * 2.0 / np.sqrt(square), rel=1e-6)
    by_itself = automatic_force(own, 9.81 * own.mass.sum())
    assert pull(held(own, 0.1, None)) == pull(held(own, 0.1, np.inf)) == pytest.approx(by_itself)
    in_space = replace(taut, gravity=np.zeros(3))
    assert pull(in_space) == pytest.approx(FORCE)
    assert pull(replace(in_space, pins=taut.pins[:1])) == 0.0
    assert pull(replace(taut, pins=(taut.pins[0], replace(taut.pins[1], vertex=0)))) == 0.0


def test_what_hangs_flat_is_pulled_by_its_weight():
    """W/8 / √(3/8 (1 − d/L)), but as yielding pins give way no more than W (L/48Sr)^⅓."""
    weight = 9.81 * limp().mass.sum()
    for slack in (0.1, 0.01):
        flat = held(limp(), -slack * LENGTH)
        assert pull(flat) == pytest.approx(weight / 8.0 / np.sqrt(0.375 * slack), rel=1e-6)
    assert pull(held(limp(), 0.0)) == pytest.approx(weight * np.cbrt(LENGTH / (48.0 * 2e-3 * RADIUS)), rel=1e-6)


def test_a_sharp_bend_takes_as_small_steps_as_the_solver_takes_where_it_stays():
    for turns in (0.5, 8.0):
        t = np.linspace(0.0, 2.0 * np.pi * turns, EDGES // 2 + 1)
        x = 0.1 * np.stack([np.cos(t), np.sin(t), 0.2 * t], axis=1)
        own = Rod.from_material("rod", x, RADIUS, LIMP, shape_memory=1.0)
        model, state, _ = assemble(Scene((own,), 0.04, 2, contact=False))
        elastic_forces(model, state, workspace(model, state).elastic)
        assert hanging_step(own, 0.0) == pytest.approx(stable_step(model, state), rel=0.1)
        assert hanging_step(replace(own, shape_memory=0.0), 0.0) == linear_step(own)


def test_what_hangs_on_a_rod_makes_the_step_smaller():
    rod = straight(50)
    lamp = RigidBody("lamp", rod.x[-1], 2.0, np.eye(3))
    hung = Scene((rod,), 0.04, 2, bodies=(lamp,), welds=(Weld("tie", 0, 0, 50),))
    law = (2.0 / linear_step(rod)) ** 2 + 4.0 * 9.81 * (2.0 + rod.mass.sum()) / (0.02 * rod.mass.min())
    assert largest_step(replace(hung, quality="GOOD")) == pytest.approx(0.6 * 2.0 / np.sqrt(law), rel=1e-9)
    both = replace(hung, rods=(rod, rod), welds=(*hung.welds, Weld("other", 0, 1, 0)))
    assert largest_step(both) == pytest.approx(0.6 * hanging_step(rod, 9.81, 1.0), rel=1e-9)
    crane = replace(lamp, times=np.zeros(1), track=rod.x[-1:], turn=np.array([[1.0, 0.0, 0.0, 0.0]]))
    assert largest_step(replace(hung, bodies=(crane,))) == largest_step(replace(hung, bodies=(), welds=()))
    assert estimate(hung) > estimate(replace(hung, bodies=(), welds=()))
