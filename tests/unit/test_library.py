"""physics as a library: one place to import from, frames and nothing else, things named by themselves."""

import logging
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
import tendril.physics
from tendril.physics import Frame, Material, Notice, Pin, Rod, Scene, Weld
from tendril.physics.run import simulate as simulation
from tendril.physics.validate import check

X = np.column_stack([np.linspace(0.0, 1.0, 11), np.zeros(11), np.zeros(11)])
RUBBER = Material(young=5e6, poisson=0.5, density=1000.0)


def rope(name="rope", **options):
    return Rod.from_material(name, X, 0.005, RUBBER, **options)


def test_all_names_are_there():
    for name in tendril.physics.__all__:
        assert getattr(tendril.physics, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'simulation'"):
        _ = tendril.physics.simulation


def test_what_describes_a_scene_is_imported_without_a_compiler():
    looks = (
        "import sys; from tendril.physics import Pin, Rod, Scene, SceneError; "
        "from tendril.physics.validate import check;"
        "assert not {'numba', 'scipy'} & set(sys.modules); from tendril.physics import simulate;"
        "assert {'numba', 'scipy'} <= set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", looks], check=True)


@pytest.fixture
def scene(monkeypatch):
    """A scene of which two Frames are told, and a Notice between them."""
    frames = [Frame(index, X, X[1:], {}) for index in range(2)]

    def events(scene, state=None):
        yield from (frames[0], Notice("hand", 1, "It lags."), frames[1])

    monkeypatch.setattr(simulation, "events", events)
    return Scene((rope(),), 1 / 24, 2)


def test_frames_come_alone_and_notices_where_they_are_asked_for(scene):
    said = []
    frames = list(tendril.physics.simulate(scene, notices=said.append))
    assert [frame.index for frame in frames] == [0, 1]
    assert said == [Notice("hand", 1, "It lags.")]


def test_notices_that_nobody_asks_for_are_logged(scene, caplog):
    with caplog.at_level(logging.WARNING, "tendril"):
        assert len(list(tendril.physics.simulate(scene))) == 2
    assert [record.getMessage() for record in caplog.records] == ["hand, frame 1: It lags."]


def test_a_pin_names_its_rod_by_itself_or_by_number():
    one, other = rope(), rope("other")
    named = Scene((one, other), 1 / 24, 2, pins=[Pin.fixed(other, -1), Pin.fixed(one, 0, "TWIST", rod=0)])
    assert [(pin.rod, pin.vertex, pin.mode) for pin in named.pins] == [(1, 10, "POSITION"), (0, 0, "TWIST")]
    assert replace(named, rods=(replace(one, friction=0.1), other)).pins == named.pins
    assert Scene((one,), 1 / 24, 2, welds=(Weld("cap", 0, one, 10),)).welds[0].rod == 0
    check(replace(named, contact=False))


def test_a_mode_that_is_none_is_refused():
    with pytest.raises(ValueError, match="mode 'FIRM': choose one of POSITION, DIRECTION, TWIST"):
        Pin.fixed(rope(), 0, "FIRM")
    with pytest.raises(ValueError, match="mode 5: choose one of"):  # a rod's number came before the vertex once
        Pin.fixed(rope(), 0, 5)


def test_things_are_equal_to_themselves_alone_and_print_in_a_line():
    one, alike = rope(), rope()
    assert one == one and one != alike and len({one, alike}) == 2  # noqa: PT018
    scene = Scene((one,), 1 / 24, 5, pins=(Pin.fixed(one, 0),))
    assert repr(one) == "<Rod 'rope': (11, 3) x>"
    assert repr(scene.pins[0]) == "<Pin 'wall': (1,) times>"
    assert repr(scene) == "<Scene: 1 rods, 1 pins, 5 frames>"
    assert repr(Frame(3, X, X[1:], {})) == "<Frame 3: (11, 3) x>"


@pytest.mark.parametrize(
    ("x", "radius", "text"),
    [
        (X[:, :2], 0.005, r"x has the shape \(11, 2\) in place of \(n, 3\)"),
        (X[0], 0.005, r"x has the shape \(3,\) in place of \(n, 3\)"),
        (X, np.full(10, 0.005), r"radius has the shape \(10,\) in place of \(11,\): give one for each vertex"),
    ],
)
def test_arrays_of_another_shape_are_told(x, radius, text):
    with pytest.raises(ValueError, match=f"'rope': {text}"):
        Rod.from_material("rope", x, radius, RUBBER)
