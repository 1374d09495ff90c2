"""Implicit steps of Preview: a third of the work of Good, lengths kept as well, nothing rings or wins energy."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, sheet
from tendril.benchmarks.knots import overhand
from tendril.knots.catalogue import TORUS, knot
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.knots import closing_points, knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import LONGEST_STEPS, Collider, Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL
from test_knot import ALLOWED, PULL, pulled_knot

FRAME, SECOND = 1.0 / 24.0, 24
WOOD = Material(1e9, 0.35, 900.0, internal_damping=0.02)
RUBBER = Material(1e7, 0.4, 1000.0, internal_damping=0.2)


def cantilever():
    rod = Rod.from_material("cantilever", np.linspace((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 61), 0.005, RUBBER)
    return Scene((rod,), FRAME, 2, (Pin.fixed(rod, 0, "TWIST"),), contact=False)


def strip():
    s = np.linspace(0.0, 1.0, 61)
    x = np.stack([s, 0.1 * np.sin(6.0 * s), 0.05 * np.cos(5.0 * s)], axis=1)
    rod = Rod.from_material("strip", x, 0.005, RUBBER, aspect=0.5)
    return Scene((rod,), FRAME, 2, (Pin.fixed(rod, 0, "TWIST"),), contact=False)


def branch():
    """A stem that sways, with a twig joined to it."""
    trunk = Rod.from_material("trunk", np.linspace((0.0, 0.0, 0.0), (0.2, 0.0, 1.0), 41), 0.008, WOOD)
    base = 0.5 * (trunk.x[20] + trunk.x[21])
    twig = Rod.from_material("twig", base + np.linspace((0.0, 0.0, 0.0), (0.0, 0.4, 0.1), 21), 0.005, WOOD)
    fork = RigidBody("fork", base, 0.0, np.zeros((3, 3)))
    welds = Weld("fork", 0, 0, 20), Weld("fork", 0, 1, 0)
    return Scene((trunk, twig), FRAME, 2, (Pin.fixed(trunk, 0, "TWIST"),), (fork,), welds, contact=False)


def baked(scene, quality, frames=SECOND, steps=None):
    """(iterations in so many frames, where vertices are then, the worst length of an edge on the way, relative); steps:
    the quality whose steps are taken, if not its own.
    """
    model, state, work = assemble(replace(scene, quality=quality, solver="IMPLICIT"))
    total = worst = 0.0
    for _ in range(frames):
        status, _, _, _, iterations = implicit_steps(model, state, work, FRAME, LONGEST_STEPS[steps or quality])
        assert status == 0
        total += iterations
        first = 0
        for rod in scene.rods:
            own = np.linalg.norm(np.diff(state.x[first : first + len(rod.x)], axis=0), axis=1)
            worst = max(worst, np.abs(own / np.linalg.norm(rod.edges(), axis=1) - 1.0).max())
            first += len(rod.x)
    return total, state.x.copy(), worst


@pytest.mark.parametrize("scene", [cantilever, strip, branch])
def test_a_preview_takes_a_third_of_the_iterations_and_keeps_lengths(scene):
    total, _, worst = baked(scene(), "PREVIEW")
    assert 3.0 * total < baked(scene(), "GOOD")[0]
    assert worst < 1e-6


@pytest.mark.parametrize("scene", [cantilever, strip, branch])
def test_what_a_preview_leaves_of_each_step_does_not_ring(scene):
    """In thick air all comes to rest where it does by the same steps, solved as well as those of Good."""
    in_water = replace(scene(), air_density=1e3)
    x = [baked(in_water, quality, 40 * SECOND, "PREVIEW")[1] for quality in ("GOOD", "PREVIEW")]
    assert np.abs(x[0] - x[1]).max() < 2e-6


def knotted(scene, quality):
    """(steps, iterations, determinants, deepest overlap over the radius) of a knot that is pulled tight."""
    scene = replace(scene, quality=quality, solver="IMPLICIT")
    model, state, work = assemble(scene)
    done, determinants, deepest = np.zeros(2, int), set(), 0.0
    for end in FRAME * np.arange(1, round(PULL / FRAME)):
        status = PAIRS_FULL
        while status == PAIRS_FULL:
            left = end - state.clock["time"][0]
            status, _, _, *more = implicit_steps(model, state, work, left, LONGEST_STEPS[quality])
            done += more
            if status == PAIRS_FULL:
                state, work = grown(model, state)
        assert status == DONE
        determinants.add(knot_determinant(np.vstack([state.x, closing_points(state.x)])))
        deepest = max(deepest, deepest_overlap(scene.rods, state.x, relative=True))
    return *done, determinants, deepest


KNOTS = {
    "coarse": (pulled_knot(60, 0.3, 0.0, 1.0 / FRAME), 3.0, 149),  # Good slides far in a step too
    "fine": (overhand(320, 5e6), 4.0, 103),
    "stiff": (overhand(320, 2e11), 2.5, 171),
}


@pytest.mark.parametrize(("scene", "times", "most"), KNOTS.values(), ids=KNOTS)
def test_a_preview_pulls_a_knot_tight_by_a_third_of_the_iterations(scene, times, most):
    (steps, iterations, _, _), (few, fewer, determinants, deepest) = knotted(scene, "GOOD"), knotted(scene, "PREVIEW")
    assert times * few < steps
    assert few < most
    assert 3.0 * fewer < iterations
    assert determinants == {3}
    assert deepest < ALLOWED


def test_a_limp_knot_lands_on_a_floor_without_many_short_steps():
    """Floor and rope press on the rope from one end to the other, which a step's iterations are to find all at once."""
    radius, height, duration = 0.005, 0.3, 0.6
    drawn = knot("overhand", TORUS).scaled(radius)
    tied = np.linalg.norm(np.diff(drawn.ropes[0], axis=0), axis=1).sum()
    x = drawn.spaced(1.0 / 200, 0.5 - 0.5 * tied).ropes[0]
    rope = Material(1e5, 0.5, 1000.0, friction=0.3, internal_damping=0.002)
    rod = Rod.from_material("rope", x - [0.0, 0.0, x[:, 2].min() - height], radius, rope, shape_memory=0.0)
    taken, total, x = landed(Scene((rod,), 0.04, 2, floor=Floor(0.0, 0.3), quality="PREVIEW"), duration)
    assert taken < 100
    assert total < 400
    assert deepest_overlap((rod,), x, relative=True) < 0.05
    assert x[:, 2].min() > 0.98 * radius


def landed(scene, duration, growths=3):
    """(steps, iterations, where vertices are then) of implicit steps for `duration` [s]; growths: of room for
    pairs.
    """
    model, state, work = assemble(replace(scene, solver="IMPLICIT"), times=4**growths)
    done = np.zeros(2, int)
    for _ in range(round(duration / scene.frame_duration)):
        status, _, _, *more = implicit_steps(model, state, work, scene.frame_duration, LONGEST_STEPS[scene.quality])
        assert status == DONE
        done += more
    return *done, state.x


def test_a_preview_lands_on_a_mesh_by_a_third_of_the_iterations():
    """A rope that falls on a ball, hangs over it, slides down and lands beside it."""
    p, faces = ball(0.1, 24, 48)
    ground, squares = sheet(4, 4.0)
    globe = Collider("globe", faces, np.zeros(1), p[None], friction=0.3)
    floor = Collider("ground", squares, np.zeros(1), (ground - [0.0, 0.0, 0.1])[None], friction=0.3)
    x = np.linspace((-0.5, 0.02, 0.15), (0.6, 0.02, 0.15), 101)
    rope = Material(5e6, 0.5, 1000.0, friction=0.3, internal_damping=0.002)
    rod = Rod.from_material("rope", x, 0.005, rope)
    scene = Scene((rod,), FRAME, 2, colliders=(globe, floor))
    steps, iterations, _ = landed(scene, 1.5)
    few, fewer, x = landed(replace(scene, quality="PREVIEW"), 1.5)
    assert 4.0 * few < steps
    assert 3.0 * fewer < iterations
    assert np.linalg.norm(x, axis=1).min() > 0.98 * 0.105 * np.cos(np.pi / 24) ** 2
    assert x[:, 2].min() > -0.1 + 0.95 * 0.005


def test_a_preview_slaps_on_a_fine_mesh_in_few_iterations():
    """All along a rope, hundreds of features press at once, which a step's iterations are to find all at once."""
    p, faces = ball(0.2, 160, 320)
    globe = Collider("globe", faces, np.zeros(1), p[None], friction=0.5)
    x = np.linspace((-0.5, 0.013, 0.24), (0.5, 0.021, 0.24), 200)
    rope = Material(5e6, 0.5, 1000.0, friction=0.5, internal_damping=0.01)
    rod = Rod.from_material("rope", x, 0.005, rope)
    pins = (Pin.fixed(rod, 95, rod=0),)
    scene = Scene((rod,), FRAME, 2, pins=pins, colliders=(globe,), quality="PREVIEW")
    taken, total, x = landed(scene, 9 * FRAME, 4)
    assert taken < 45
    assert total < 110
    assert np.linalg.norm(x, axis=1).min() > 0.98 * 0.205


def energy_won(scene):
    """By how much energy grows at most, at any frame, over bending, motion and a fall by the rod's length at first."""
    (rod,), (model, state, work) = scene.rods, assemble(scene)
    start = energies(model, state)
    much = start.elastic.sum() + start.kinetic.sum() + 9.81 * rod.mass.sum() * np.linalg.norm(rod.edges(), axis=1).sum()
    most = 0.0
    for _ in range(scene.frame_count - 1):
        assert implicit_steps(model, state, work, scene.frame_duration, LONGEST_STEPS[scene.quality])[0] == DONE
        most = max(most, (energies(model, state).total - start.total) / much)
    return most


def test_a_stiff_bar_that_a_clamp_stops_wins_no_energy():
    """Five hundred edges of a millimetre, forty times as thick: edges that turn by a hundredth hold kilojoules."""
    x = np.linspace((0.0, 0.0, 0.0), (0.3, 0.0, 0.4), 501)
    bar = Rod.from_material(
        "bar", x, 0.04, Material(1e11, 0.4, 1000.0, internal_damping=0.02), v=1.5 * np.cross((0.0, 1.0, 0.0), x)
    )
    pins = (Pin.fixed(bar, 0, "TWIST", rod=0),)
    scene = Scene(
        (bar,), 1.0 / 60.0, 25, pins=pins, contact=False, air_density=0.0, solver="IMPLICIT", quality="PREVIEW"
    )
    assert energy_won(scene) < 0.01


@pytest.mark.parametrize("stretchable", [False, True])
def test_a_stiff_crank_wins_no_energy(stretchable):
    """Bent as it is, it swings about the line between its ends, as a whole."""
    a = np.linspace(0.0, 1.0, 101)
    x = np.stack([0.2 * a, 0.05 * np.sin(np.pi * a), 0.05 * np.sin(2.0 * np.pi * a) + 0.08 * np.sin(np.pi * a)], axis=1)
    crank = Rod.from_material("crank", x, 0.007, Material(2e10, 0.4, 200.0), aspect=0.75, stretchable=stretchable)
    pins = (Pin.fixed(crank, 0, rod=0), Pin.fixed(crank, 100, name="other end", rod=0))
    scene = Scene((crank,), FRAME, 49, pins=pins, contact=False, air_density=0.0, solver="IMPLICIT", quality="PREVIEW")
    assert energy_won(scene) < 0.01


def test_a_limp_thick_rod_folds_on():
    """Edges a little longer than it is thick: where three of them fold, points less than half a turn of its own radius
    apart along it come to lie in each other, which is bent, not touching. It is for a frame, and no reason to stop.
    """
    k, radius = np.arange(13.0), 0.0369
    x = np.stack([0.1024 * np.cos(0.75 * k), 0.1024 * np.sin(0.75 * k), 0.01535 * k], axis=1)
    limp = Rod.from_material("limp", x, radius, Material(300.0, 0.4, 2000.0, friction=0.0), aspect=0.5)
    pins = (Pin.fixed(limp, 0, "TWIST", rod=0),)
    scene = Scene((limp,), FRAME, 49, pins=pins, solver="IMPLICIT", quality="PREVIEW")
    frames = list(simulate(scene))
    assert len(frames) == 49
    assert sum(deepest_overlap((limp,), frame.x, relative=True) > 0.05 for frame in frames) < 5
