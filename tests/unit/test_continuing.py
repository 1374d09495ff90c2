"""What is other of two scenes in the frames that both have: ways are compared, not samples."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.bake.continuing import KEYED, changed
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Floor, ForceField, Keyed, Pin, Pulley, Rod, Scene, Sheet, SoftBody

FRAMES, FPS = 10, 24.0
X = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 9)
TRIANGLE = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])


def led(frames, *, shift=0.0, since=0):
    """times (k,) [s] and a way (k, 3) on a sine, sampled at quarters of frames, which is shifted after a frame."""
    at = np.linspace(0, frames - 1, 4 * (frames - 1) + 1)
    return at / FPS, np.sin(at)[:, None] * [0.0, 0.0, 0.1] + np.where(at > since, shift, 0.0)[:, None] * [1.0, 0.0, 0.0]


def scene(frames=FRAMES, **way):
    times, position = led(frames, **way)
    pin = Pin("Start", 0, 0, "POSITION", times, X[0] + position, influence=np.ones(len(times)))
    still = np.array([[1.0, 0.0, 0.0, 0.0]] * len(times))
    wind = ForceField("Wind", "WIND", times, position, still, strength=8.0 + position[:, 2])
    every = np.arange(frames)
    wall = Collider("Wall", np.array([[0, 1, 2]]), times[::4], TRIANGLE + position[::4, None][every].astype(np.float32))
    rod = Rod.from_material("Rope", X, 0.01, Material(1e7, 0.3, 1000.0))
    return Scene((rod,), 1.0 / FPS, frames, (pin,), fields=(wind,), colliders=(wall,), floor=Floor(0.0))


@pytest.mark.parametrize("frames", [FRAMES, FRAMES - 3, FRAMES + 7])
def test_another_number_of_frames_changes_nothing(frames):
    assert changed(scene(), scene(frames)) == []


def test_what_moves_otherwise_after_the_last_frame_changes_nothing():
    assert changed(scene(), scene(FRAMES + 7, shift=0.3, since=FRAMES - 1)) == []
    found = changed(scene(), scene(FRAMES + 7, shift=0.3, since=FRAMES - 2))
    assert found == ["motion of pin 'Start'", "a force field", "a collider"]


def test_what_stood_still_and_moves_later_changes_nothing():
    still = scene()
    pin = replace(still.pins[0], times=np.zeros(1), position=X[:1], influence=np.ones(1))
    times = np.arange(FRAMES + 5) / FPS
    moves = np.where(times[:, None] > still.pins[0].times[-1] + 1e-9, X[0] + [0.0, 0.0, 1.0], X[0])
    later = replace(pin, times=times, position=moves, influence=np.ones(len(times)))
    assert changed(replace(still, pins=(pin,)), replace(scene(FRAMES + 5), pins=(later,))) == []


def in_ring(frames, **way):
    """The rope through a ring that is led."""
    times, position = led(frames, **way)
    return replace(scene(frames), pulleys=(Pulley("Ring", 0, 4, times, X[4] + position),))


def test_a_ring_is_compared_as_a_pin_is():
    assert changed(in_ring(FRAMES), in_ring(FRAMES)) == []
    assert changed(in_ring(FRAMES), in_ring(FRAMES + 7, shift=0.3, since=FRAMES - 1)) == []
    assert changed(in_ring(FRAMES), in_ring(FRAMES, shift=0.3)) == ["motion of pin 'Ring'"]
    other = in_ring(FRAMES)
    other = replace(other, pulleys=(replace(other.pulleys[0], vertex=5),))
    assert changed(in_ring(FRAMES), other) == ["place of pin 'Ring'"]
    assert changed(in_ring(FRAMES), scene()) == ["number of pulleys"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda one: {"gravity": np.zeros(3)}, ["gravity"]),
        (lambda one: {"floor": Floor(0.1)}, ["floor"]),
        (lambda one: {"quality": "FINE"}, ["quality"]),
        (lambda one: {"frame_duration": 0.04}, ["frame rate"]),
        (lambda one: {"rods": (replace(one.rods[0], friction=0.7),)}, ["friction of 'Rope'"]),
        (lambda one: {"rods": (replace(one.rods[0], mass=2.0 * one.rods[0].mass),)}, ["mass of 'Rope'"]),
        (lambda one: {"pins": (replace(one.pins[0], vertex=3),)}, ["place of pin 'Start'"]),
        (lambda one: {"pins": ()}, ["number of pins"]),
        (
            lambda one: {"pins": (replace(one.pins[0], influence=one.pins[0].influence * 0.5),)},
            ["motion of pin 'Start'"],
        ),
        (lambda one: {"colliders": (replace(one.colliders[0], thickness=0.1),)}, ["a collider"]),
        (lambda one: {"rods": (replace(one.rods[0], name="Seil"),)}, []),
    ],
)
def test_what_is_other_is_named(change, found):
    assert changed(scene(), replace(scene(), **change(scene()))) == found


def test_what_is_other_of_a_sheet_has_the_words_of_its_panel():
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    mat = Sheet("Mat", corners, density=1e3, young=1e6, poisson=0.3, triangles=np.array([[0, 1, 2]]), plate=1e-3)
    others = {
        "thickness": {"plate": 2e-3}, "shape": {"triangles": np.array([[1, 2, 0]])},
        "density": {"weight": np.full(3, 2.0)}, "stiffness": {"stiffness": np.full(3, 2.0)},
        "stretch factor": {"membrane": 0.1}, "curl": {"curvature": np.zeros((1, 3, 3))}, "damping": {"relaxation": 0.1},
    }  # fmt: skip
    before = replace(scene(), solids=(mat,))
    for word, other in others.items():
        assert changed(before, replace(before, solids=(replace(mat, **other),))) == [f"{word} of 'Mat'"]


def keyed(frames, **ends):
    """The scene, whose rod's numbers go evenly from 1 to these in ten frames, and on."""
    at = np.arange(frames + 1)
    one, ways = scene(frames), {name: 1.0 + (end - 1.0) * at / 10.0 for name, end in ends.items()}
    return replace(one, rods=(replace(one.rods[0], keyed=Keyed("Rope", at / FPS, **ways)),))


def test_numbers_that_go_with_time_are_compared_where_both_are():
    assert changed(keyed(FRAMES, length=0.5), keyed(FRAMES + 7, length=0.5)) == []
    assert changed(keyed(FRAMES, length=0.5), keyed(FRAMES, length=0.6)) == ["rest length of 'Rope'"]
    assert changed(scene(), keyed(FRAMES, friction=0.5)) == ["friction of 'Rope'"]
    assert changed(keyed(FRAMES, bending=2.0), scene()) == ["stiffness of 'Rope'"]
    assert changed(scene(), keyed(FRAMES, friction=1.0)) == []


def test_numbers_of_a_soft_body_that_go_with_time_are_compared_so_too():
    at, still = np.arange(FRAMES + 8), scene()
    body = SoftBody("Jelly", np.eye(4, 3), np.arange(4)[None], 1e3, 1e4, 0.3, mu=1.0)

    def of(frames, **ways):
        keyed = Keyed("Jelly", at[: frames + 1] / FPS, **{name: way[: frames + 1] for name, way in ways.items()})
        return replace(still, frame_count=frames, solids=(replace(body, keyed=keyed),))

    rising, later = 1.0 + 0.1 * at, np.where(at < FRAMES, 1.0, 2.0)
    none = replace(still, solids=(body,))
    assert changed(of(FRAMES, stretching=rising), of(FRAMES + 7, stretching=rising)) == []
    assert changed(none, of(FRAMES + 7, stretching=later)) == []
    assert changed(none, of(FRAMES, stretching=rising)) == ["stiffness of 'Jelly'"]
    assert changed(of(FRAMES, damping=rising), of(FRAMES, damping=2.0 * rising)) == ["damping of 'Jelly'"]


def test_what_is_none_so_far_is_the_same_whatever_comes_later():
    none, at = scene(), np.arange(FRAMES + 8)
    for name, number in (("shape", "shape_memory"), ("damping", "internal_damping"), ("friction", "friction")):
        before = replace(none, rods=(replace(none.rods[0], **{number: 0.0}),))
        way = Keyed("Rope", at / FPS, **{name: np.maximum(at - FRAMES + 1.0, 0.0)})
        later = replace(scene(FRAMES + 7), rods=(replace(none.rods[0], keyed=way, **{number: 0.1}),))
        assert changed(before, later) == []
        more = replace(later, rods=(replace(later.rods[0], **{number: 0.2}),))
        assert changed(later, more) == [f"{KEYED[name]} of 'Rope'"]
        assert changed(replace(later, frame_count=FRAMES), more) == []
