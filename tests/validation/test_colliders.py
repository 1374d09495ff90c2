"""Colliders: a mesh does to rods what the floor does, wherever it is and goes, and Coulomb's law holds on it."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import ball, box, sheet, tube
from solvers import go_on, solved_by
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.surface_overlap import deepest_in_surface, intersections
from tendril.physics.geometry.samples import points_at
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL

G = 9.81
RUBBER = Material(1e6, 0.45, 1000.0, friction=0.5, internal_damping=0.01)


def still(mesh, thickness=0.0, friction=0.5, name="ground"):
    points, triangles = mesh
    return Collider(name, triangles, np.zeros(1), points[None], thickness, friction)


def led(mesh, way, times, **options):
    """A mesh that goes the way (k, 3) [m]."""
    return replace(still(mesh, **options), times=times, points=mesh[0] + way[:, None])


def straight(n, start, end, radius=0.01, material=RUBBER, **options):
    s = np.linspace(0.0, 1.0, n)[:, None]
    x = (1.0 - s) * np.array(start) + s * np.array(end)
    return Rod.from_material("rope", x, radius, material, **options)


def frames(scene):
    return list(simulate(scene))


def apart(scene, baked):
    """Nothing is on the wrong side of anything, nor deep in it, at any frame."""
    for frame in baked:
        for collider in scene.colliders:
            points = points_at(collider, frame.index * scene.frame_duration)
            assert intersections(scene.rods, frame.x, collider, points) == 0
            assert deepest_in_surface(scene.rods, frame.x, collider, points) < 0.05 * scene.rods[0].radius.min()


def test_a_square_is_a_floor(solver):
    rope = straight(21, [-0.2, 0.0, 0.05], [0.2, 0.03, 0.25])
    bow = np.outer(0.02 * (1.0 - np.linspace(-1.0, 1.0, 21) ** 2), [0.0, 0.6, -0.8])
    rope = Rod.from_material("rope", rope.x + bow, 0.01, RUBBER)  # a straight one would buckle by rounding
    scene = solved_by(solver, Scene((rope,), 1.0 / 24.0, 25), max_step=5e-4)
    on_floor, finer = (
        frames(replace(scene, floor=Floor(0.0, 0.5), max_step=step))[-1].x for step in (5e-4, 2.5e-4)
    )  # fmt: skip
    # A tenth of the radius, for steps differ, and it slid; or what steps of half the length change: how it slides hangs
    # on the last digits too, by a twentieth of that.
    near = {"rtol": 0.0, "atol": max(1e-3, np.abs(finer - on_floor).max())}
    points, triangles = sheet(1, 4.0)
    thick = still((points - [0.0, 0.0, 0.03], triangles), thickness=0.03)
    for square in (still((points, triangles)), thick):
        on_square = frames(replace(scene, colliders=(square,)))[-1].x
        np.testing.assert_allclose(on_square, on_floor, **near)
        np.testing.assert_allclose(on_square[:, 2], on_floor[:, 2], rtol=0.0, atol=1e-4)  # a hundredth of the radius


@pytest.mark.parametrize("slope", [0.98, 1.02, 1.5])
def test_incline(slope, solver):
    """A rod on an inclined mesh slides exactly when tan α > μ, with the acceleration g (sin α − μ cos α)."""
    mu, duration = 0.4, 0.3  # of the pair: √(0.8 · 0.2)
    alpha = np.arctan(slope * mu)
    turn = np.array([[np.cos(alpha), 0.0, np.sin(alpha)], [0.0, 1.0, 0.0], [-np.sin(alpha), 0.0, np.cos(alpha)]])
    points, triangles = sheet(7, 3.0)
    wood = Material(1e8, 0.3, 700.0, internal_damping=0.0, friction=0.8)
    rod = straight(15, [-0.1, 0.16, 0.005], [0.1, -0.12, 0.005], 0.005, wood)
    rod = replace(rod, x=rod.x @ turn.T)
    scene = Scene((rod,), duration, 2, colliders=(still((points @ turn.T, triangles), friction=0.2),), air_density=0.0)
    last = frames(solved_by(solver, scene, max_step=1e-3))[-1].x
    moved = (last - rod.x) @ turn
    if slope < 1.0:
        assert np.abs(moved).max() < 5e-6
    else:
        pull = G * (np.sin(alpha) - mu * np.cos(alpha))
        assert moved[:, 0].mean() == pytest.approx(0.5 * pull * duration**2, rel=0.02)
        assert np.abs(moved[:, 1:]).max() < 1e-4


def around_a_tube(mu, ratio, turns=0.5, n=80):
    """A supple rope around a tube, its ends pulled down by 1 N and by `ratio` N."""
    radius, r, hang = 0.05, 0.004, 0.15
    reach = radius + r
    quarter = np.pi * turns * reach
    s = np.linspace(-quarter - hang, quarter + hang, n + 1)
    a = np.clip(s / reach, -np.pi * turns, np.pi * turns)
    x = np.stack([np.sin(a), 0.0 * a, np.cos(a)], axis=1) * 1.004 * reach
    x[:, 2] -= np.maximum(np.abs(s) - quarter, 0.0)
    material = Material(1e5, 0.4, 1000.0, friction=mu)
    rope = Rod.from_material("rope", x, r, material, shape_memory=0.0)
    times, far = np.array([0.0, 1e-6]), np.array([0.0, 0.0, -1e5])
    pulls = [
        Pin(name, 0, end, "POSITION", times, np.array([x[end], x[end] + far]), max_force=force)
        for name, end, force in (("left", 0, 1.0), ("right", n, ratio))
    ]
    post = still(tube(radius, 0.4, 120), friction=mu, name="post")
    return Scene((rope,), 0.2, 3, pins=tuple(pulls), colliders=(post,), gravity=np.zeros(3), air_density=0.0)


@pytest.mark.parametrize("mu", [0.1, 0.3])
@pytest.mark.parametrize("factor", [0.95, 1.05])
def test_capstan(mu, factor, solver):
    """Half around a tube, T₂ = T₁ exp(πμ): with 5 % less the rope holds, with 5 % more it runs."""
    scene = solved_by(solver, around_a_tube(mu, factor * np.exp(np.pi * mu)), max_step=1e-3)
    _, first, last = frames(scene)
    slipped = first.x[80, 2] - last.x[80, 2]
    assert (abs(slipped) < 1e-3) if factor < 1.0 else (slipped > 0.05)
    apart(scene, [first, last])


def test_what_lies_on_something_goes_along(solver):
    """With a table that moves off, lifts it and stops."""
    times = np.linspace(0.0, 1.0, 25)
    way = 0.1 * np.sin(0.5 * np.pi * times)[:, None] ** 2 * [1.0, 0.5, 1.0]
    rope = straight(17, [-0.15, 0.02, 0.01], [0.15, 0.05, 0.01])
    scene = Scene((rope,), 1.0 / 24.0, 25, colliders=(led(sheet(9, 1.0), way, times),))
    baked = frames(solved_by(solver, scene))
    apart(scene, baked)
    np.testing.assert_allclose(baked[-1].x - rope.x, np.tile(way[-1], (17, 1)), atol=1e-3)


MESHES = {"ball": ball(0.15, 10, 16), "box": box([0.2, 0.25, 0.15]), "one square": sheet(1, 30.0)}


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("radii", [30.0, 1000.0])
def test_however_fast_it_comes(kind, radii, solver):
    """So many radii a frame: thrown at it, or hit by it. (By implicit steps the fastest may stop with a sentence.)"""
    radii = min(radii, 300.0) if solver == "IMPLICIT" else radii
    speed = radii * 0.01 * 24.0
    rope = straight(13, [-0.2, 0.013, 0.2], [0.2, 0.021, 0.23])
    rope = replace(rope, touches=False)  # what it does to itself is asked elsewhere
    thrown = replace(rope, v=np.tile([0.1 * speed, 0.0, -speed], (13, 1)))
    times = np.linspace(0.0, 4.0 / 24.0, 5)
    struck = led(MESHES[kind], np.outer(times, [0.0, 0.0, speed]) - [0.0, 0.0, 0.03], times)
    for scene in (
        Scene((thrown,), 1.0 / 24.0, 5, colliders=(still(MESHES[kind]),)),
        Scene((rope,), 1.0 / 24.0, 5, colliders=(struck,)),
    ):
        baked = frames(solved_by(solver, scene))
        apart(scene, baked)
        if kind == "one square":  # and not on its other side either
            above = baked[-1].x[:, 2] - points_at(scene.colliders[0], 4.0 / 24.0)[0, 2]
            assert above.min() > 0.0


def test_nothing_gains_energy_from_what_stands_still(solver):
    rope = straight(
        17, [-0.2, 0.01, 0.3], [0.2, 0.05, 0.2], material=replace(RUBBER, internal_damping=0.0, friction=0.0)
    )
    scene = Scene((rope,), 0.02, 1, colliders=(still(MESHES["ball"], friction=0.0),), air_density=0.0)
    scene = solved_by(solver, scene, max_step=2e-4)
    model, state, work = assemble(scene, times=64)
    before = energies(model, state).total
    fallen = RUBBER.density * 0.4 * np.pi * 0.01**2 * G * 0.3
    for _ in range(20):
        go_on(scene, model, state, work, 0.02)
        now = energies(model, state).total
        assert now < before + (1e-3 if solver == "EXPLICIT" else 1.5e-2) * fallen  # of what a step after a blow dips
        before = now
    assert state.x[:, 2].min() < 0.18  # it has slid down a side


def test_a_pin_that_pulls_through_something_yields(solver):
    """What it holds stays on its side, the bake goes on, and says so."""
    rope = straight(17, [0.0, 0.0, 0.1], [0.3, 0.0, 0.1])
    way = np.array([[0.0, 0.0, 0.1], [0.0, 0.0, -0.1]])
    pin = Pin("hand", 0, 0, "POSITION", np.array([0.0, 0.5]), way, max_force=None)
    scene = Scene((rope,), 1.0 / 24.0, 15, pins=(pin,), colliders=(still(sheet(8, 1.0)),))
    told = []
    apart(scene, list(simulate(solved_by(solver, scene), notices=told.append)))
    assert "'hand' asks for" in told[0].text


def test_thickness_keeps_off_only_what_was_drawn_further_off(solver):
    """A rope tight around a tube stays where it is, though Blender's usual thickness is larger than their gap."""
    scene = around_a_tube(0.3, 1.2)
    thick = replace(scene.colliders[0], thickness=0.02)
    scene = replace(scene, pins=(), colliders=(thick,), gravity=np.array([0.0, 0.0, -G]))
    first, _, last = (np.linalg.norm(frame.x[35:46, ::2], axis=1) for frame in frames(solved_by(solver, scene)))
    np.testing.assert_allclose(last, first, atol=1e-3)


def test_roots_in_a_surface_stay_as_they_are(solver):
    """Hair: clamped in the skin, the first points within its own radius of it."""
    hair = straight(21, [0.01, 0.02, -0.002], [0.03, 0.05, 0.15])
    skin = still(sheet(8, 1.0), thickness=0.002)
    scene = Scene((hair,), 1.0 / 24.0, 13, pins=(Pin.fixed(hair, 0, "TWIST"),), colliders=(skin,))
    last = frames(solved_by(solver, scene))[-1].x
    np.testing.assert_allclose(last[0], hair.x[0], atol=1e-9)
    assert last[3:, 2].min() > 0.01


def test_a_resumed_bake_gives_the_same_bytes(solver):
    times = np.linspace(0.0, 0.5, 13)
    ground = led(MESHES["ball"], np.outer(np.sin(9.0 * times), [0.02, 0.0, 0.03]), times)
    ropes = [straight(13, [-0.2, y, 0.19], [0.2, y, 0.2], 0.008) for y in (-0.05, 0.05, 1.0)]
    ropes = [replace(rope, name=str(k)) for k, rope in enumerate(ropes)]
    scene = solved_by(solver, Scene(tuple(ropes), 1.0 / 24.0, 10, colliders=(ground,)))
    whole = frames(scene)
    assert whole[5].state["surface_pairs.force"].any()
    *_, last = simulate(scene, whole[5].state)
    for name, array in whole[-1].state.items():
        assert array.tobytes() == last.state[name].tobytes(), name


def test_what_room_there_is_for_pairs_makes_no_odds(solver, monkeypatch):
    """A frame for which there was too little is taken again, in the same steps."""
    rope = straight(41, [-0.2, 0.01, 0.23], [0.2, 0.03, 0.23])
    scene = solved_by(solver, Scene((rope,), 1.0 / 24.0, 8, colliders=(still(ball(0.2, 40, 80)),)))
    found = []
    for room in (1, 20000):
        monkeypatch.setattr("tendril.physics.assemble.state.room_for", lambda _, room=room: room)
        found.append(np.array([frame.x for frame in frames(scene)]))
    assert np.abs(found[0][-1, :, 2] - found[0][0, :, 2]).max() > 5.0 * rope.radius[0]
    np.testing.assert_array_equal(*found)


def test_newton_takes_few_iterations_where_a_rope_slides_over_a_fine_mesh():
    """One to a change of what touches or slides would be eight and more a step; and only lists that are full grow."""
    rope = straight(41, [-0.3, 0.013, 0.23], [0.3, 0.021, 0.23])
    scene = Scene((rope,), 1.0 / 24.0, 9, pins=(Pin.fixed(rope, 15),), colliders=(still(ball(0.2, 60, 120)),))
    model, state, work = assemble(replace(scene, solver="IMPLICIT"))
    status, steps, iterations = PAIRS_FULL, 0, 0
    while status != DONE:
        left = 8.0 / 24.0 - state.clock["time"][0]
        status, _, _, taken, rounds = implicit_steps(model, state, work, left, 1.0 / 240.0)
        steps, iterations = steps + taken, iterations + rounds
        assert status in (DONE, PAIRS_FULL)
        if status == PAIRS_FULL:
            state, work = grown(model, state)
    assert iterations < 4 * steps
    assert len(state.pairs) < len(state.surface_pairs)
