"""Heuristics of contact that no law of physics guards: one contact per approach, how hard a push has to be, how fast an
overlap is undone."""

from math import inf

import numpy as np
import pytest
from as_bound import attempt
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.model import CAPSULES
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.time_integration.advance import advance, take_steps
from tendril.physics.time_integration.bdf2 import find_contacts
from tendril.physics.time_integration.symplectic_euler import DONE, TOO_DEEP, keep
from tendril.physics.time_integration.verify import verify

R = 0.005  # m
EDGE, STEP = 4.0 * R, 1.0 / 48.0
RUBBER = Material(5e6, 0.45, 1000.0)
LIMP = Material(1e3, 0.45, 1000.0)


def rod(name, middle, along, edges, **options):
    s = np.arange(edges + 1)[:, None] - 0.5 * edges
    return Rod.from_material(name, middle + EDGE * s * np.asarray(along, float), R, RUBBER, **options)


@pytest.mark.parametrize("edges", [(4, 4), (4, 5), (5, 4), (5, 5)])
def test_one_contact_per_approach(edges):
    """Two rods across each other touch once, whether edges meet edges or vertices meet vertices."""
    first, second = edges
    lower = rod("lower", np.zeros(3), (1.0, 0.0, 0.0), first)
    upper = rod("upper", np.array([0.0, 0.0, 1.99 * R]), (0.0, 1.0, 0.0), second)
    model, state, work = assemble(Scene((lower, upper), 0.04, 1, gravity=np.zeros(3)))
    elastic_forces(model, state, work.elastic)
    keep(state, work.old)
    status, _, count, _ = attempt(model, state, work, 1e-5, inf)
    assert status == DONE
    assert count == 1


def test_a_list_of_pairs_lasts_for_some_steps():
    """Two rods that pass near each other, a tenth of the radius a step."""
    v = np.tile([1.0, 0.0, 0.0], (11, 1))
    lower = rod("lower", np.zeros(3), (1.0, 0.0, 0.0), 10)
    upper = rod("upper", np.array([-4.0 * R, 0.0, 2.2 * R]), (0.0, 1.0, 0.0), 10, v=v)
    model, state, work = assemble(Scene((lower, upper), 0.04, 1, gravity=np.zeros(3)))
    before, listed = state.listed.copy(), 0
    for _ in range(40):
        assert take_steps(model, state, work, 0.1 * R, 1)[0] == DONE
        listed += not np.array_equal(state.listed, before)
        before = state.listed.copy()
    assert state.listings["count"][CAPSULES] > 0
    assert 40 / 10 <= listed <= 40 / 5


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("begin", range(7))
def test_a_vertex_meets_the_edge_beyond_its_neighbour(begin, backwards):
    """A ring folds at a vertex, one of the two edges shorter: its other end meets the longer one, which is near along
    the rod, wherever the numbers begin and whichever way they run."""
    x = R * np.array([[0.0, 0, 0], [8, 0, 0], [-4, 3.2, 0], [-4, 11, 0], [-14, 11, 0], [-14, -8, 0], [0, -8, 0]])
    v = np.zeros_like(x)
    v[2:4, 1] = -0.5
    x, v = (np.roll(part, begin, axis=0)[:: -1 if backwards else 1] for part in (x, v))
    ring = Rod.from_material("ring", x, R, LIMP, closed=True, v=v)
    model, state, work = assemble(Scene((ring,), 0.04, 1, gravity=np.zeros(3)))
    for _ in range(20):
        assert advance(model, state, work, 2e-4, 0.6, inf)[0] == DONE
    assert deepest_overlap((ring,), state.x, relative=True) < 0.05


def dropped_on_its_end(scene):
    """The deepest that the first rod's lower end has gone below z = 0 [m], after each step from the impact on."""
    model, state, work = assemble(scene)
    deepest = 0.0
    for _ in range(20):
        assert advance(model, state, work, 2e-4, 0.6, inf)[0] == DONE
        deepest = min(deepest, state.x[model.rods["first"][0], 2])
    assert state.v[model.rods["first"][0], 2] > -0.05  # it has met what is below
    return -deepest


def test_a_rope_dropped_on_its_end_stops():
    """All of its mass is behind one vertex: the push that stops it has to be that of the whole rope."""
    rope = rod("rope", np.array([0.0, 0.0, 10.05 * EDGE]), (0.0, 0.0, 1.0), 20, v=np.tile([0.0, 0.0, -0.5], (21, 1)))
    floor = Scene((rope,), 0.04, 1, gravity=np.zeros(3), floor=Floor(-R), contact=False)
    assert dropped_on_its_end(floor) < 0.01 * R
    bar = rod("bar", np.array([0.0, 0.0, -2.0 * R]), (1.0, 0.0, 0.0), 5)
    held = tuple(Pin.fixed(bar, k, rod=1) for k in range(6))
    assert dropped_on_its_end(Scene((rope, bar), 0.04, 1, gravity=np.zeros(3), pins=held)) < 0.01 * R


def test_what_overlaps_is_drawn_apart_slowly():
    """Rods drawn half a radius into each other leave at 20 radii a second, not at half a radius a step."""
    rods = (
        rod("lower", np.zeros(3), (1.0, 0.0, 0.0), 5),
        rod("upper", np.array([0.0, 0.0, 1.5 * R]), (0.0, 1.0, 0.0), 5),
    )
    model, state, work = assemble(Scene(rods, 0.04, 1, gravity=np.zeros(3), air_density=0.0))
    fastest = 0.0
    for _ in range(10):
        assert advance(model, state, work, 1e-3, 0.6, inf)[0] == DONE
        fastest = max(fastest, np.abs(state.v[:, 2]).max())
    assert 2.0 * R < fastest < 25.0 * R


def test_what_lies_is_pressed_by_its_weight():
    """The forces kept for the next step carry the rod, and the step limit is told the largest over the radius."""
    lying = rod("lying", np.array([0.0, 0.0, R]), (1.0, 0.0, 0.0), 6)
    scene = Scene((lying,), 0.04, 1, gravity=np.array([0.0, 0.0, -9.81]), air_density=0.0, floor=Floor(0.0))
    model, state, work = assemble(scene)
    for _ in range(20):
        assert advance(model, state, work, 1e-3, 0.6, inf)[0] == DONE
    carried = state.plane_pairs["force"][:, 0]
    assert carried.sum() == pytest.approx(model.nodes["mass"].sum() * 9.81, rel=1e-6)
    assert state.rods["pressed"][0] == pytest.approx(carried.max() / R, rel=1e-12)


def steps(hair):
    """Two hawsers across each other on the floor, perhaps with a hair along one of them, for an eighth of a second."""
    thick, thin = 4.0 * R, 0.2 * R
    lines = [
        ("lower", [-0.5, 0.0, thick], [0.5, 0.0, thick], thick),
        ("upper", [0.0, -0.5, 3.02 * thick], [0.0, 0.5, 3.02 * thick], thick),
        ("hair", [-0.3, 0.0, 2.01 * thick + thin], [-0.1, 0.0, 2.01 * thick + thin], thin),
    ]
    rods = [
        Rod.from_material(name, np.linspace(start, end, 5 if name == "hair" else 11), radius, RUBBER)
        for name, start, end, radius in lines[: 3 if hair else 2]
    ]
    scene = Scene(tuple(rods), 0.04, 1, air_density=0.0, floor=Floor(0.0))
    model, state, work = assemble(scene)
    count = 0
    for _ in range(6):
        status, _, _, taken, _ = advance(model, state, work, 0.02, 0.6, inf)
        assert status == DONE
        count += taken
    own = [np.arange(first, last + 1) for first, last in zip(model.rods["first"], model.rods["last"], strict=True)]
    assert deepest_overlap(scene.rods, state.x[np.concatenate(own)], relative=True) < 0.05
    return count


def test_a_hair_does_not_slow_a_hawser():
    """Limits are those of the two that touch. With the smallest radius of all there were near thirty times as many."""
    assert steps(hair=True) < 1.5 * steps(hair=False)


def test_a_preview_sees_what_slides_by_more_than_an_edge_into_a_slope():
    """Across a rod of edges of half a radius, which slopes at its beginning, another one goes there by 1.7 radii: into
    edges that none of those it stood next to is next to.
    """
    s = R * (0.5 * np.arange(25) - 6.0)
    slope = Rod.from_material("slope", np.column_stack([s, 0.0 * s, np.maximum(0.0, -0.364 * s)]), R, RUBBER)
    across = rod("across", np.array([1.2 * R, 0.0, 2.2 * R]), (0.0, 1.0, 0.0), 4)
    scene = Scene((slope, across), 0.04, 1, gravity=np.zeros(3), solver="IMPLICIT", quality="PREVIEW")
    model, state, work = assemble(scene)
    keep(state, work.old)
    count = find_contacts(model, state, work, STEP, False)
    assert count > 0
    for way, depth, status in ((1.0, -0.14, DONE), (1.7, 0.1, TOO_DEEP)):
        state.x[:] = work.old.x
        state.x[len(slope.x) :, 0] -= way * R
        assert deepest_overlap(scene.rods, state.x, relative=True) == pytest.approx(depth, abs=0.02)
        assert verify(model, state, work, inf, 2.0 * R, count, STEP)[0] == status
