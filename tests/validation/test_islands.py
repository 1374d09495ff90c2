"""What may meet is simulated together, what does not by itself, and nobody can tell but by the time it takes."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run import simulate as simulation
from tendril.physics.run.islands import Islands
from tendril.physics.run.meeting import Meeting
from tendril.physics.run.simulate import events
from tendril.physics.scene import Floor, ForceField, Frame, Notice, Pin, RigidBody, Rod, Scene, Weld

R = 0.01  # m
RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002, friction=0.3)
DEEP = 0.05  # of the radius


def rope(name, middle, along=(1.0, 0.0, 0.0), v=(0.0, 0.0, 0.0), n=13, **options):
    s = np.linspace(-0.3, 0.3, n)[:, None]
    x = np.asarray(middle, float) + s * np.asarray(along, float)
    return Rod.from_material(name, x, R, RUBBER, v=np.tile(np.asarray(v, float), (n, 1)), **options)


def adrift(*rods, frames=12, **options):
    return Scene(rods, 1 / 24, frames, gravity=np.zeros(3), **options)


def run(scene, state=None):
    return list(events(scene, state))


def frames(scene, state=None):
    return [item for item in run(scene, state) if isinstance(item, Frame)]


def alone(frame):
    """Which islands there were on the way to a frame."""
    return frame.state["islands"].tolist()


def rods_at(rods, x):
    return np.split(x, np.cumsum([len(rod.x) for rod in rods])[:-1])


def same(one, other):
    assert [type(item) for item in one] == [type(item) for item in other]
    for a, b in zip(one, other, strict=True):
        if isinstance(a, Notice):
            assert a == b
        else:
            assert a.x.tobytes() == b.x.tobytes()
            assert a.m1.tobytes() == b.m1.tobytes()
            assert a.bodies.tobytes() == b.bodies.tobytes()


@pytest.fixture
def together(monkeypatch):
    """Runs a scene with all that touches as one island, always."""

    def run_together(scene):
        with monkeypatch.context() as patch:
            patch.setattr(Meeting, "foreseen", lambda self, *_: self.ever())
            return frames(scene)

    return run_together


def test_what_is_far_apart_moves_as_if_it_were_alone():
    bent = rope("bent", (0.0, 0.0, 1.0), v=(0.2, 0.0, 0.1))
    bent = replace(bent, v=bent.v + np.linspace(-1.0, 2.0, 13)[:, None] ** 2 * [0.0, 0.4, 0.0])
    far = rope("far", (0.0, 3.0, 1.0), n=25, v=(0.0, 0.0, -1.0))
    gust = ForceField("gust", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0, 0, 0]]), 3.0)
    scene = Scene((bent, far), 1 / 24, 8, floor=Floor(0.8), fields=(gust,))
    both = frames(scene)
    first = frames(replace(scene, rods=(bent,)))
    second = frames(replace(scene, rods=(far,)))
    assert alone(both[-1]) == [0, 1]
    for frame, one, other in zip(both, first, second, strict=True):
        assert frame.x.tobytes() == one.x.tobytes() + other.x.tobytes()
        assert frame.m1.tobytes() == one.m1.tobytes() + other.m1.tobytes()


@pytest.mark.parametrize("speed", [0.3, 3.0, 20.0])
def test_what_is_thrown_at_each_other_touches(speed, together):
    """As it does when it is one island all along. (At 20 m/s free ends soon swing past each other, in both.)"""
    gap = 0.05 + 3.0 * speed / 24
    thrown = rope("other", (0.05, 0.02, gap), (0.0, 1.0, 0.0), (0.0, 0.0, -speed))
    scene = adrift(rope("one", (0.0, 0.0, 0.0)), thrown, frames=10)
    found, expected = frames(scene), together(scene)
    assert {len(set(alone(frame))) for frame in found[1:]} == {1, 2}
    assert max(deepest_overlap(scene.rods, frame.x, relative=True) for frame in found) < DEEP
    for frame, then in zip(found, expected, strict=True):
        heights = [above(*rods_at(scene.rods, x)) for x in (frame.x, then.x)]
        assert (min(heights) > R) == (max(heights) > R)
        if speed < 20.0:
            assert heights[0] > R
            assert frame.x == pytest.approx(then.x, abs=0.1 * R)


def above(lower, upper):
    """How far [m] one rod passes above the other where they cross, seen from above; infinity where they do not."""
    heights = [np.inf]
    for a, b in pairwise(lower):
        for c, d in pairwise(upper):
            matrix = np.array([(b - a)[:2], (c - d)[:2]]).T
            if abs(np.linalg.det(matrix)) > 1e-12:
                s, t = np.linalg.solve(matrix, (c - a)[:2])
                if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
                    heights.append((c + t * (d - c) - a - s * (b - a))[2])
    return min(heights)


@pytest.mark.parametrize("forth_and_back", [False, True])
def test_a_pin_that_jumps_meets_what_is_in_its_way(forth_and_back):
    """Within a frame, from rest: nothing of it could be foreseen; also when it is back at the end of the frame."""
    rod, other = rope("led", (0.0, 0.0, 0.0)), rope("hung", (0.0, 0.0, 0.08), (0.0, 1.0, 0.0))
    times = np.array([0.0, 4.0, 4.4, 4.8]) / 24
    up = 0.16 * np.array([0.0, 0.0, 1.0, 0.0 if forth_and_back else 1.0])
    hand = Pin("hand", 0, 6, "DIRECTION", times, rod.x[6] + np.outer(up, [0.0, 0.0, 1.0]))
    scene = adrift(rod, other, pins=(hand, Pin.fixed(other, 0, rod=1)), frames=9)
    found = frames(scene)
    assert alone(found[4]) == [0, 1]
    assert alone(found[5]) == [0, 0]
    assert max(deepest_overlap(scene.rods, frame.x, relative=True) for frame in found) < DEEP
    assert np.abs(found[5].x - found[4].x).max() > 0.5 * R
    hung = rods_at(scene.rods, found[6].x)[1]
    assert np.abs(hung - other.x).max() > 0.5 * R  # it was hit


def swarm():
    """Ropes that meet, stay together and part again, one with a body, one that hangs on it, over a floor."""
    ropes = (
        rope("still", (0.0, 0.0, 0.5)),
        rope("thrown", (0.1, 0.0, 0.62), (0.0, 1.0, 0.0), (0.0, 0.0, -1.5)),
        rope("late", (-0.1, 0.0, 1.0), (0.0, 1.0, 0.0), (0.0, 0.0, -2.0)),
        rope("welded", (2.0, 0.0, 0.5)),
        rope("hung", (2.3, 0.0, 0.2), (0.0, 0.0, 1.0)),
        rope("far", (0.0, 5.0, 0.5)),
        rope("through", (0.0, 0.0, 0.55), (0.0, 1.0, 0.0), touches=False),
    )
    lamp = RigidBody("lamp", np.array([2.3, 0.0, 0.5]), 0.1, 1e-4 * np.eye(3))
    welds = (Weld("a", 0, 3, 12), Weld("b", 0, 4, 12))
    yielding = Pin("hand", 5, 0, "POSITION", np.array([0.1, 0.3]), ropes[5].x[0] + np.array([[0, 0, 0], [0, 0, 4.0]]),
                   max_force=0.5)  # fmt: skip
    pins = (Pin.fixed(ropes[3], 0, "TWIST", rod=3), yielding, Pin.fixed(ropes[0], 0, rod=0))
    return Scene(ropes, 1 / 24, 14, pins, (lamp,), welds, floor=Floor(0.0), gravity=np.array([0.0, 0.0, -1.0]))


@pytest.fixture(scope="module")
def swarmed():
    return run(swarm())


def test_islands_join_and_part(swarmed):
    seen = [alone(item) for item in swarmed if isinstance(item, Frame)]
    pairs = {(of[0] == of[1], of[0] == of[2]) for of in seen[1:]}
    assert len(pairs) >= 3, seen
    assert all(of[3] == 3 and of[4] == 4 and of[5] == 5 for of in seen[1:])  # the welded rods are one part
    frames_ = [item for item in swarmed if isinstance(item, Frame)]
    for frame in frames_:
        x = np.concatenate(rods_at(swarm().rods, frame.x)[:3])
        assert deepest_overlap(swarm().rods[:3], x, relative=True) < DEEP


@pytest.mark.parametrize("cores", [1, 2, 3])
def test_threads_do_not_matter(cores, swarmed, monkeypatch):
    monkeypatch.setattr(simulation, "_cores", lambda: cores)
    same(run(swarm()), swarmed)


def test_a_bake_goes_on_after_any_frame(swarmed):
    for k, item in enumerate(swarmed[:-1]):
        if isinstance(item, Frame):
            same(run(swarm(), {name: array.copy() for name, array in item.state.items()}), swarmed[k + 1 :])


def test_a_pin_that_yields_is_told_once(swarmed):
    assert [item.object for item in swarmed if isinstance(item, Notice)] == ["hand"]


def test_what_stays_as_it_was_is_not_made_anew(monkeypatch):
    made = []
    form = Islands.form
    monkeypatch.setattr(Islands, "form", lambda self, *a, **k: made.append(form(self, *a, **k)) or made[-1])
    frames(adrift(rope("one", (0.0, 0.0, 0.0)), rope("other", (0.0, 0.0, 1.0)), frames=5))
    assert [len(runs) for runs in made if runs] == [1, 2]  # joined as drawn, then apart
