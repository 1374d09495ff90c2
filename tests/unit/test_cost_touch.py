"""What pins that pull and what touches make of explicit steps, as foreseen."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.cost import durations, estimate, hanging_step, linear_step, near_rods
from tendril.physics.cost.pulled import pulls
from tendril.physics.cost.rods import SLIDES, own_step
from tendril.physics.cost.seen import RESTS, TIED, seen
from tendril.physics.cost.stable_steps import bent
from tendril.physics.materials import Material
from tendril.physics.pin_force import automatic_force
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.workspace import workspace

LIMP = Material(1e6, 0.4, 1000.0)
LENGTH, EDGES, RADIUS, FORCE = 1.0, 100, 1e-3, 3.0


def rod(way=(1.0, 0.0, 0.0), at=(0.0, 0.0, 0.0), edges=EDGES, radius=RADIUS):
    s = LENGTH * np.linspace(-0.5, 0.5, edges + 1)
    return Rod.from_material("rod", np.outer(s, way) + at, radius, LIMP, shape_memory=0.0)


def held(own, apart, force=FORCE):
    """That rod, whose ends are that much further apart throughout than they are drawn."""
    way = (own.x[-1] - own.x[0]) / np.linalg.norm(own.x[-1] - own.x[0])
    pins = tuple(
        Pin(f"End {v}", 0, v, "POSITION", np.zeros(1), (own.x[v] + side * 0.5 * apart * way)[None], max_force=force)
        for v, side in ((0, -1.0), (len(own.x) - 1, 1.0))
    )
    return Scene((own,), 0.04, 26, pins=pins)


def pull(scene):
    return pulls(scene, np.zeros(len(scene.rods)), near_rods(scene).loop)[0]


def step(scene):
    """The largest one its first rod allows [s], over the solver's fraction."""
    return seen(scene, *near_rods(scene)).stable[0] / scene.fraction


def test_pins_pull_by_all_they_have_where_they_ask_for_more_length_than_there_is():
    """ω² grows by 4F/lm."""
    taut = held(rod(), 0.1)
    assert pull(taut) == pytest.approx(FORCE)
    own = taut.rods[0]
    square = (2.0 / linear_step(own)) ** 2 + 4.0 * FORCE / (LENGTH / EDGES * own.mass.min())
    assert step(taut) == pytest.approx(2.0 / np.sqrt(square), rel=1e-6)
    assert estimate(taut) > 4.0 * estimate(held(rod(), -0.1))
    by_itself = automatic_force(own, 9.81 * own.mass.sum())
    assert pull(held(own, 0.1, None)) == pull(held(own, 0.1, np.inf)) == pytest.approx(by_itself)
    in_space = replace(taut, gravity=np.zeros(3))
    assert pull(in_space) == pytest.approx(FORCE)
    assert pull(replace(in_space, pins=taut.pins[:1])) == 0.0


def test_what_hangs_flat_is_pulled_by_its_weight():
    """W/8 / √(3/8 (1 − d/L)), but as yielding pins give way no more than W (L/48Sr)^⅓."""
    weight = 9.81 * rod().mass.sum()
    for slack in (0.1, 0.01):
        flat = held(rod(), -slack * LENGTH)
        assert pull(flat) == pytest.approx(weight / 8.0 / np.sqrt(0.375 * slack), rel=1e-6)
    assert pull(held(rod(), 0.0)) == pytest.approx(weight * np.cbrt(LENGTH / (48.0 * 2e-3 * RADIUS)), rel=1e-6)


def looped(edges=EDGES):
    """A rope that crosses itself, a quarter of a radius above where it was."""
    t = np.linspace(-1.0, 1.0, edges + 1)
    x = 0.3 * np.stack([t**3 - 0.5 * t, t**2, 2.25 * RADIUS / (2.0 * np.sqrt(0.5)) * t / 0.3], axis=1)
    return Rod.from_material("rod", x, RADIUS, LIMP, shape_memory=0.0)


def test_what_is_tied_presses_on_itself_by_what_pulls_at_it():
    """What is in the loop cannot be drawn out."""
    tied = held(looped(), 0.3)
    near = near_rods(tied)
    assert near.loop[0] > 0.3 * np.linalg.norm(tied.rods[0].edges(), axis=1).sum()
    assert pull(tied) == pytest.approx(FORCE)
    assert pull(replace(tied, contact=False)) < 0.1 * FORCE
    assert step(tied) == pytest.approx(hanging_step(tied.rods[0], 9.81, 0.0, FORCE, TIED * FORCE), rel=1e-6)


def crossed(edges=EDGES, gap=0.25, **options):
    """Two ropes, one across the other, so many radii above it."""
    over = rod((0.0, 1.0, 0.0), (0.0, 0.0, (2.0 + gap) * RADIUS), edges)
    return Scene((rod(edges=edges), over), 0.04, 26, **options)


def test_what_lies_on_a_rod_presses_on_it_by_some_of_its_weight():
    own = crossed().rods[0]
    squares = [(2.0 / step(scene)) ** 2 for scene in (crossed(), crossed(contact=False))]
    pressed = RESTS * 9.81 * own.mass.sum() / (RADIUS * own.mass.min())
    assert squares[0] - squares[1] == pytest.approx(pressed, rel=1e-6)


def test_what_is_near_presses_however_fine_its_edges_are():
    for edges in (100, 800, 3200):
        scene = crossed(edges, 0.9)
        found = seen(scene, *near_rods(scene)).pairs
        assert found.min() > 0.0
        assert found.max() < 0.03 * edges


def test_what_falls_together_does_not_bound_steps_by_how_fast_it_falls():
    assert estimate(crossed(floor=Floor(-0.5))) < 3.0 * estimate(crossed())


def test_what_slides_by_a_rod_that_is_held_takes_small_steps():
    """Of half the smaller radius, at .18 √gL against it."""
    thin = 0.1 * RADIUS
    scene = Scene((rod(radius=thin), rod((0.0, 1.0, 0.0), (0.0, 0.0, 2.25 * thin), radius=thin)), 0.04, 26)
    slides = replace(scene, pins=held(rod(), -0.1).pins)
    steps = [own_step(own, [0, 1], seen(own, *near_rods(own)))[0] for own in (scene, slides)]
    assert steps[1] == pytest.approx(0.25 * thin / (SLIDES * np.sqrt(9.81 * LENGTH)), rel=1e-6)
    assert steps[0] > 3.0 * steps[1]


def test_a_sharp_bend_takes_as_small_steps_as_the_solver_takes_where_it_stays():
    """Drawn alone it opens, as far as what presses on it lets it: to √(B/2N)."""
    for turns in (0.5, 8.0):
        t = np.linspace(0.0, 2.0 * np.pi * turns, EDGES // 2 + 1)
        x = 0.1 * np.stack([np.cos(t), np.sin(t), 0.2 * t], axis=1)
        own = Rod.from_material("rod", x, RADIUS, LIMP, shape_memory=1.0)
        model, state, _ = assemble(Scene((own,), 0.04, 2, contact=False))
        elastic_forces(model, state, workspace(model, state).elastic)
        assert hanging_step(own, 0.0) == pytest.approx(stable_step(model, state), rel=0.1)
        straight = replace(own, shape_memory=0.0)
        assert hanging_step(straight, 0.0) == linear_step(own)
        length, turn = np.linalg.norm(own.edges(), axis=1).min(), 0.1
        force = 0.5 * own.bend_stiffness.min() * (turn / length) ** 2
        more = force * (4.0 / length + 1.0 / RADIUS) / own.mass.min()
        square = (2.0 / linear_step(own)) ** 2 * bent(own, turn) + more
        assert hanging_step(straight, 0.0, 0.0, force, force) == pytest.approx(2.0 / np.sqrt(square), rel=1e-6)


def test_whole_rods_answer_where_they_touch():
    """In steps of the same length, a single crossing takes time by all vertices."""
    near = crossed(edges=400, max_step=2e-5)
    apart = replace(near, rods=(near.rods[0], replace(near.rods[1], x=near.rods[1].x + [3.0, 0.0, 0.0])))
    frames = [durations(scene)[:, 1].sum() for scene in (near, apart)]
    assert frames[0] > 1.25 * frames[1]
