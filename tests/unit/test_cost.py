"""The largest step and the time a bake will take, told before it starts."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.cost import durations, estimate, hanging_step, islands, linear_step, near_rods, rod_steps
from tendril.physics.cost.soft_bodies import squeezed
from tendril.physics.cost.stable_steps import FREE
from tendril.physics.cost.touching_bodies import shapes
from tendril.physics.materials import Material
from tendril.physics.run.meeting import Meeting
from tendril.physics.run.parts import parts_of
from tendril.physics.scene import Floor, ForceField, Hold, Pin, RigidBody, Rod, Scene, Shape, SoftBody, Weld
from tendril.physics.time_integration import step_limit
from tendril.physics.time_integration.step_limit import stable_step

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


def brick(height, size=0.5):
    corners = 0.5 * size * np.array(list(product((-1.0, 1.0), repeat=3)))
    shape = Shape(corners + (0.0, 0.0, height), np.array([[0, 1, 3]]))
    return RigidBody("brick", np.array([0.0, 0.0, height]), 1.0, np.eye(3), shape=shape)


def test_bodies_that_touch_cost_more_the_more_there_are_beside_each_other():
    tower, apart = ([brick(distance * k) for k in range(5)] for distance in (0.5, 1.0))
    alone = Scene((), 0.04, 51, bodies=tuple(apart))
    assert shapes(alone) == (5, 0)
    stacked = replace(alone, bodies=tuple(tower))
    assert shapes(stacked) == (5, 4)
    assert estimate(stacked) > estimate(alone) > estimate(replace(alone, bodies=alone.bodies[:1]))
    assert shapes(replace(stacked, contact=False)) == (0, 0)
    rods = straight(50), replace(straight(50), x=straight(50).x + 9.0)
    both = replace(stacked, rods=rods)
    assert len(islands(both, near_rods(both)[0])) == 1
    assert len(islands(replace(both, bodies=()), near_rods(both)[0])) == 2
    assert FREE == step_limit.FREE


def test_estimate_grows_with_the_work():
    scene = Scene((straight(50),), 0.04, 51)
    base = estimate(scene)
    assert base > 0.0
    ready = estimate(replace(scene, frame_count=1))
    assert 0.0 < ready < 0.05 * base
    assert estimate(replace(scene, frame_count=101)) - ready == pytest.approx(2.0 * (base - ready))
    finer = estimate(replace(scene, rods=(straight(100),)))
    assert 4.0 * base < finer < 9.0 * base  # four times the steps, up to twice the vertices
    flat = straight(50, aspect=0.5)
    alike = replace(flat, bend_stiffness=np.tile(flat.bend_stiffness.max(axis=1, keepdims=True), 2))
    assert estimate(replace(scene, rods=(flat,))) > estimate(replace(scene, rods=(alike,)))  # its frames are solved for
    assert estimate(replace(scene, settle=True)) > base
    assert estimate(replace(scene, fields=(wind(1.0),))) > base


def hand(speed):
    times = np.array([0.0, 1.0])
    return Pin("hand", 0, 0, "POSITION", times, np.outer(times, [0.0, speed, 0.0]))


def wind(speed):
    turn = np.array([[1.0, 0.0, 0.0, 0.0]])
    return ForceField("wind", "WIND", np.zeros(1), np.zeros((1, 3)), turn, speed)


def test_what_moves_fast_takes_small_steps():
    scene = Scene((straight(50),), 0.04, 51, fields=(wind(1.0),))
    gale = replace(scene, fields=(wind(1e4),))
    assert estimate(gale) > 10.0 * estimate(scene)
    assert estimate(replace(scene, fields=(wind(1e30),))) > 1e20


def rods_together(scene):
    return islands(scene, near_rods(scene)[0])


def test_what_is_near_is_simulated_together():
    """Its own island takes a rod its own steps only; near each other, rods take a step of half a radius and more."""
    fine, coarse = straight(100), straight(20)
    apart = Scene((fine, replace(coarse, x=coarse.x + 1.0)), 0.04, 51)
    near = replace(apart, rods=(fine, replace(coarse, x=coarse.x + [0.0, 0.0, 0.012])))
    assert rods_together(apart) == [[0], [1]]
    assert rods_together(near) == [[0, 1]]
    assert rods_together(replace(near, contact=False)) == [[0], [1]]
    assert rods_together(replace(near, rods=(fine, replace(near.rods[1], touches=False)))) == [[0], [1]]
    assert estimate(apart) == pytest.approx(estimate(replace(apart, contact=False)))
    assert estimate(apart, cores=2) < estimate(apart, cores=1)
    assert estimate(near, cores=1) > 1.2 * estimate(apart, cores=1)
    lamp = RigidBody("lamp", coarse.x[-1], 2.0, np.eye(3))
    tied = replace(apart, bodies=(lamp,), welds=(Weld("a", 0, 0, 100), Weld("b", 0, 1, 0)))
    assert rods_together(tied) == [[0, 1]]


def test_islands_are_those_the_solver_begins_with():
    rng = np.random.default_rng(0)
    seen = set()
    for _ in range(20):
        places = rng.choice([0.0, 0.009, 1.0, 2.0], 6)
        rods = tuple(
            replace(rod, x=rod.x + [0.0, y, 0.0])
            for y in places
            for rod in [straight(10, touches=bool(rng.integers(4)))]
        )
        bodies = tuple(RigidBody(f"{b}", np.zeros(3), 1.0, np.eye(3)) for b in range(3))
        welds = tuple(Weld(f"{w}", int(rng.integers(3)), int(rng.integers(6)), w) for w in range(3))
        scene = Scene(rods, 0.04, 2, bodies=bodies, welds=welds, contact=bool(rng.integers(4)))
        if len({weld.body for weld in welds}) < 3:  # a body by itself goes with the first rod
            continue
        parts = parts_of(scene)
        models, states, _ = zip(*(assemble(part.scene) for part in parts), strict=True)
        x = np.concatenate([state.x for state in states])
        of_part = Meeting(models).foreseen(x, np.zeros_like(x), scene.frame_duration)
        theirs = [np.concatenate([parts[p].rods for p in np.flatnonzero(of_part == k)]) for k in np.unique(of_part)]
        ours = sorted(map(sorted, rods_together(scene)))
        assert ours == sorted(sorted(rods.tolist()) for rods in theirs)
        seen.add(len(ours))
    assert len(seen) > 2


def test_what_is_near_along_a_rod_alone_bounds_no_step():
    """Edges finer than a rod is thick are near each other; that they touch takes a bend, or another rod."""
    fine, plan = straight(70), np.linspace(0.0, 1.9 * np.pi, 71)
    bent = replace(fine, x=0.16 * np.stack([np.cos(plan), np.sin(plan), 0.01 * plan], axis=1))
    near, along = near_rods(Scene((fine,), 0.04, 51))[:2]
    assert len(near) > 60
    assert along.all()
    closed = replace(bent, x=0.16 * np.stack([np.cos(plan), np.sin(1.06 * plan), 0.01 * plan], axis=1))
    assert near_rods(Scene((bent,), 0.04, 51))[1].all()
    assert not near_rods(Scene((closed,), 0.04, 51))[1].all()
    alone, apart = Scene((fine,), 0.04, 51), Scene((replace(fine, touches=False),), 0.04, 51)
    assert 1.0 < durations(alone)[0, 1] / durations(apart)[0, 1] < 1.5


def test_bodies_that_touch_leave_less_to_do_in_shorter_steps():
    """A body takes its time by the second, not by the step."""
    whole = Scene((), 0.04, 51, bodies=tuple(brick(0.5 * k) for k in range(5)))
    fine = replace(whole, max_step=1e-4)
    assert durations(fine)[0, 1] < 1.1 * durations(whole)[0, 1]


def jelly(young, relaxation=1e-3, **options):
    """A cube of .2 m in 40 tetrahedra."""
    ticks = np.linspace(0.0, 0.2, 3)
    x = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(27).reshape(3, 3, 3)
    cells = [number[i : i + 2, j : j + 2, k : k + 2].ravel() for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    sides = np.array([[0, 4, 6, 5], [0, 2, 3, 6], [0, 1, 5, 3], [3, 5, 6, 7], [0, 3, 5, 6]])
    found = np.concatenate([cell[sides] for cell in cells])
    volume = np.linalg.det(x[found[:, 1:]] - x[found[:, :1]])
    found[volume < 0.0] = found[volume < 0.0][:, [0, 2, 1, 3]]
    mu = relaxation * young / 3.0
    return SoftBody("jelly", x, found, 1000.0, young, 0.48, mu=mu, **options)


def test_what_gravity_squeezes_takes_smaller_steps():
    """λ of ρ g H = E/3 (λ⁻² − λ), within its larger root's tenth part."""
    soft, stiff = jelly(30.0), jelly(1e6)
    scene = Scene((), 100.0, 2, floor=Floor(-0.1))
    assert squeezed(scene, stiff) == pytest.approx(1.0, abs=0.01)
    for young in (30.0, 300.0, 3000.0):
        shorter = squeezed(scene, jelly(young))
        load = 1000.0 * 9.81 * 0.2 / young
        exact = np.roots([-1.0, -3.0 * load, 0.0, 1.0])
        assert shorter == pytest.approx(exact[exact > 0.0].max(), rel=0.1)
    assert squeezed(replace(scene, gravity=np.zeros(3)), soft) == 1.0
    falling = [estimate(replace(scene, solids=(soft,), gravity=g)) for g in (np.zeros(3), scene.gravity)]
    assert falling[1] > 5.0 * falling[0]


def test_what_is_held_comes_to_rest():
    body, times = jelly(1e4), np.array([0.0, 1.0])
    held = tuple(Hold(f"{k}", "POINT", 0, k) for k in range(9))
    scene = Scene((), 4.0, 2, solids=(body,), holds=held)
    shaken = replace(held[0], times=times, track=np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]]))
    for moves in (
        replace(scene, holds=()),
        replace(scene, floor=Floor(-1.0)),
        replace(scene, holds=(shaken, *held[1:])),
    ):
        assert estimate(moves) > 2.0 * estimate(scene)
    liquid = replace(scene, solids=(jelly(30.0),))
    assert estimate(liquid) > 0.7 * estimate(replace(liquid, holds=()))


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


def test_implicit_steps_take_time_by_length_alone():
    """However stiff; and no longer than asked for."""
    scene = Scene((straight(50),), 0.04, 51, contact=False, solver="IMPLICIT")
    base, steel = estimate(scene), replace(straight(50), bend_stiffness=100.0 * straight(50).bend_stiffness)
    assert estimate(replace(scene, rods=(steel,))) == base
    assert base < estimate(replace(scene, rods=(straight(100),))) < 2.0 * base
    assert estimate(replace(scene, rods=(straight(50, stretchable=True),))) > base  # its frames are solved for
    assert base < estimate(replace(scene, quality="FINE")) < 4.0 * base
    assert estimate(replace(scene, quality="PREVIEW")) < base
    assert estimate(replace(scene, max_step=1e-4)) > 10.0 * base
    assert estimate(replace(scene, fields=(wind(1.0),))) > base
    still, slow, whipped = (replace(scene, pins=(hand(speed),)) for speed in (0.0, 0.1, 10.0))
    assert estimate(still) == estimate(slow) == base
    assert base < estimate(whipped) < 2.0 * base
    assert estimate(replace(whipped, solver="EXPLICIT")) == estimate(replace(scene, solver="EXPLICIT"))


def test_strands_share_what_a_part_takes_whatever_is_in_it():
    """By implicit steps many strands take what one of all their vertices does; what touches is by itself."""
    many = tuple(replace(straight(19), x=straight(19).x + [0.0, 0.1 * k, 0.0]) for k in range(100))
    scene = Scene(many, 0.04, 51, contact=False)
    whole = Scene((straight(1999),), 0.04, 51, contact=False)
    frames = durations(scene).sum(axis=0), durations(whole).sum(axis=0)
    assert frames[0][2] == pytest.approx(frames[1][2], rel=1e-9)
    assert durations(replace(scene, contact=True)).sum(axis=0)[2] > 2.0 * frames[0][2]
