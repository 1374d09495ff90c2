"""Strands of hair that touch nothing are simulated together, and nobody can tell but by the time it takes."""

from dataclasses import replace

import numpy as np
import pytest
from solvers import persist
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.model import HELD, YIELDING
from tendril.physics.run import simulate as simulation
from tendril.physics.run.parts import SIDE_BY_SIDE, parts_of
from tendril.physics.run.simulate import simulate
from tendril.physics.run.steps import RodSteps
from tendril.physics.scene import LONGEST_STEPS, ForceField, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.symplectic_euler import DONE, OVERSTRETCHED

HAIR = Material(3.9e9, 0.38, 1320.0, internal_damping=0.002)  # drag stops none of it within a step
POINTS = 20


def strand(k):
    """The k-th of a brush whose hairs stand along x, each turned a little further."""
    s, angle = np.linspace(0.0, 0.1, POINTS), 0.1 * k
    x = np.stack([s, 0.01 * k + s * np.sin(angle), s * np.cos(angle)], axis=1)
    return Rod.from_material(f"{k}", x, 4e-5, HAIR)


def brush(count, frames=6, noise=0.0, **options):
    rods = tuple(strand(k) for k in range(count))
    pins = tuple(Pin.fixed(rod, 0, "TWIST", rod=k) for k, rod in enumerate(rods))
    gust = ForceField("gust", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), 3.0, noise=noise)
    given = {"pins": pins, "fields": (gust,), "contact": False, "solver": "IMPLICIT"}
    given |= {"rods": rods, "frame_duration": 1 / 24}
    return Scene(frame_count=frames, **(given | options))


def frames(scene, state=None):
    return list(simulate(scene, state))


def rods_of(scene):
    return [part.rods.tolist() for part in parts_of(scene)]


@pytest.fixture(scope="module")
def blown():
    """300 hairs, each with gusts of its own: three parts."""
    return frames(brush(300, noise=3.0))


def test_each_moves_as_if_it_were_alone():
    scene = brush(160)
    assert len(parts_of(scene)) == 2
    together = frames(scene)[-1]
    for k, x in enumerate(together.x.reshape(-1, POINTS, 3)[::17]):
        own = 17 * k
        alone = frames(replace(scene, rods=scene.rods[own : own + 1], pins=(replace(scene.pins[own], rod=0),)))[-1]
        assert np.linalg.norm(alone.x[-1] - scene.rods[own].x[-1]) > 1e-3
        np.testing.assert_allclose(x, alone.x, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("cores", [1, 3])
def test_threads_do_not_matter(cores, blown, monkeypatch):
    monkeypatch.setattr(simulation, "_cores", lambda: cores)
    assert len(parts_of(brush(300))) == 3
    for frame, again in zip(blown, frames(brush(300, noise=3.0)), strict=True):
        assert frame.x.tobytes() == again.x.tobytes()
        assert frame.m1.tobytes() == again.m1.tobytes()


def test_a_bake_goes_on_after_any_frame(blown):
    for frame in blown[:-1]:
        rest = frames(brush(300, noise=3.0), frame.state)
        assert [f.x.tobytes() for f in rest] == [f.x.tobytes() for f in blown[frame.index + 1 :]]


def test_parts_are_some_hundred_vertices():
    found = rods_of(brush(200))
    assert [r for rods in found for r in rods] == list(range(200))
    assert max(map(len, found)) == SIDE_BY_SIDE // POINTS


def test_only_what_meets_nothing_and_takes_the_same_steps_goes_together():
    scene = brush(4)
    assert rods_of(scene) == [[0, 1, 2, 3]]
    assert rods_of(replace(scene, solver="EXPLICIT")) == [[0], [1], [2], [3]]
    rods = (scene.rods[0], *(replace(rod, touches=False) for rod in scene.rods[1:]))
    assert rods_of(replace(scene, contact=True, rods=rods)) == [[0], [1, 2, 3]]
    knob = RigidBody("knob", rods[2].x[-1], 1e-3, 1e-9 * np.eye(3))
    assert rods_of(replace(scene, bodies=(knob,), welds=(Weld("glue", 0, 2, POINTS - 1),))) == [[0, 1, 3], [2]]
    assert rods_of(replace(scene, settle=True, pins=scene.pins[1:])) == [[0], [1, 2, 3]]


@pytest.fixture
def failing(monkeypatch):
    """Advances hairs of which the second fails so often, and returns (factors of the steps tried, the State)."""

    def advance(scene, led, times):
        model, state, work = assemble(scene)
        tried = []

        def attempt(steps, duration, smaller):
            tried.append(smaller)
            return (OVERSTRETCHED if len(tried) <= times else DONE), 1, 1, duration

        monkeypatch.setattr(RodSteps, "attempt", attempt)
        state, _, failed = persist(scene, model, state, work, 0.01, np.array(led))
        assert failed is None
        return tried, state

    return advance


def test_a_hair_that_fails_is_bent_by_itself(failing):
    scene = brush(3)
    tried, state = failing(scene, [False] * 3, 2)
    assert tried == [1.0, 0.25, 0.0625]
    moved = np.abs(state.x.reshape(3, POINTS, 3) - [rod.x for rod in scene.rods]).max(axis=(1, 2))
    assert moved[1] > 0.0
    assert moved[0] == moved[2] == 0.0


def test_what_leads_others_holds_them_on(failing):
    tried, state = failing(brush(3), [True] * 3, 1)
    assert tried == [1.0, 1.0]
    assert state.holds["state"].tolist() == [HELD, YIELDING, HELD]


@pytest.mark.parametrize("quality", ["PREVIEW", "GOOD", "FINE"])
@pytest.mark.parametrize("fps", [12, 24, 25, 60, 240])
def test_looking_at_fields_makes_steps_hardly_smaller(quality, fps, monkeypatch):
    """How many steps a frame has with force fields, and how many without."""
    steps = []

    def attempt(own, duration, smaller):
        longest = LONGEST_STEPS[own.scene.quality]
        steps.append(int(np.ceil(duration / longest * (1.0 - 1e-9))))
        own.state.clock["time"][0] += duration
        return DONE, 0, 0, 0.0

    monkeypatch.setattr(RodSteps, "attempt", attempt)
    scene = brush(1, 2, frame_duration=1 / fps, quality=quality)
    frames(scene)
    looked = steps.copy()
    steps.clear()
    frames(replace(scene, fields=()))
    (without,) = steps
    assert len(looked) <= 8
    assert len(looked) == without or len(looked) > 4
    assert without <= sum(looked) < without + max(looked)
