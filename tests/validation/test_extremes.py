"""Bad input for implicit steps: what is singular, or spread over orders of magnitude, works or is refused by name."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.contact.squeezed import SQUEEZE
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.validate import SceneError, SimulationError, check

X = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 13)
LENGTHS = 1e-6


def rod(**changes):
    one = Rod.from_material("Rope", X, 0.006, Material(5e6, 0.45, 1100.0))
    for name, factor in changes.items():
        getattr(one, name)[...] = (getattr(one, name).T * factor).T
    return one


def body(name, vertex, mass, moment):
    return RigidBody(name, X[vertex], mass, moment * np.eye(3))


def scene(one, held=True, **options):
    pins = (Pin.fixed(one, 0, "TWIST", rod=0),) if held else ()
    return Scene((one,), 1.0 / 24.0, 6, pins, contact=False, solver="IMPLICIT", **options)


def stepped(factor):
    return {"bend_stiffness": np.where(np.arange(12) < 6, 1.0, factor)} | {
        "twist_stiffness": np.where(np.arange(13) < 6, 1.0, factor)
    }


def uneven(vertex_mass):
    factor = np.ones(13)
    for vertex, mass in vertex_mass.items():
        factor[vertex] = mass / rod().mass[vertex]
    return rod(mass=factor)


SCENES = {
    "a free straight rod, which may spin": scene(rod(), held=False),
    "stiff beyond its middle": scene(rod(**stepped(1e12))),
    "soft beyond its middle": scene(rod(**stepped(1e-12))),
    "light beside heavy": scene(uneven({12: 1e3, 11: 1e-9})),
    "light beside heavy, free": scene(uneven({12: 1e3, 11: 1e-9}), held=False),
    "bodies, light beside heavy": scene(
        rod(),
        bodies=(body("Anvil", 12, 1e3, 1.0), body("Bead", 11, 1e-9, 1e-16)),
        welds=(Weld("a", 0, 0, 12, "POSITION"), Weld("b", 1, 0, 11, "POSITION")),
    ),
    "a light body with an edge": scene(
        rod(), bodies=(body("Bead", 6, 1e-9, 1e-16),), welds=(Weld("a", 0, 0, 6, "TWIST"),)
    ),
}


@pytest.mark.parametrize("kind", SCENES)
def test_it_works(kind):
    check(SCENES[kind])
    frames = list(simulate(SCENES[kind]))
    assert len(frames) == 6
    length = np.linalg.norm(np.diff(X, axis=0), axis=1)
    for frame in frames:
        assert np.abs(np.linalg.norm(np.diff(frame.x, axis=0), axis=1) / length - 1.0).max() < LENGTHS


@pytest.mark.parametrize("vertices", [(12, 12), (12, 11), (6, 5)])
def test_welds_that_fix_the_same_thing_are_refused(vertices):
    welds = tuple(Weld(name, 0, 0, vertex) for name, vertex in zip(("Hook", "Eye"), vertices, strict=True))
    with pytest.raises(SceneError, match="'Eye' and 'Hook' hold the same point"):
        check(scene(rod(), bodies=(body("Lamp", 12, 0.3, 1e-4),), welds=welds))


def test_a_step_that_cannot_be_taken_stops_with_a_sentence():
    """And keeps the frames before it."""
    one = rod()
    far = Pin("far", 0, 12, "POSITION", np.array([0.0, 0.1, 0.2]), X[12] + np.outer([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    given = Scene((one,), 1.0 / 24.0, 6, (Pin.fixed(one, 0, "TWIST"), far), contact=False, solver="IMPLICIT")
    frames = []
    with pytest.raises(
        SimulationError, match=r"'Rope' could not go on after [1-5] frames: its pins ask for more length"
    ):
        frames.extend(simulate(given))
    assert len(frames) >= 2


def test_masses_too_far_apart_are_named():
    """Each second point a million millions times as heavy: one clamp, which asks for no length, is not to blame."""
    one = rod(mass=np.where(np.arange(13) % 2, 1e6, 1e-6))
    with pytest.raises(SimulationError, match=r"'Rope' could not go on after \d+ frames: its points weigh from .* kg"):
        list(simulate(replace(scene(one), frame_count=24)))


@pytest.mark.parametrize("yields", [True, False])
def test_what_is_squeezed_flat_goes_on_and_else_stops_with_a_sentence(yields, monkeypatch):
    """A hose between a floor and a sheet that comes down to half of what it is thick, as no step can have it: the sheet
    yields. If it did not, no step would do, and the bake would stop soon.
    """
    x = np.linspace((0.0, 0.0, 0.02), (1.0, 0.0, 0.02), 61)
    hose = Rod.from_material("Hose", x, 0.01, Material(9.4e6, 0.45, 575.0, friction=0.5, internal_damping=0.01))
    corners = np.array([(-1.0, -1.5, 0.0), (2.0, -1.5, 0.0), (2.0, 1.5, 0.0), (-1.0, 1.5, 0.0)])
    places = corners + np.outer((0.1, 0.01), (0.0, 0.0, 1.0))[:, None]
    sheet = Collider("Sheet", np.array([(0, 1, 2), (0, 2, 3)]), np.array([0.0, 0.5]), places)
    scene = Scene((hose,), 1.0 / 24.0, 24, colliders=(sheet,), floor=Floor(0.0, 0.5), solver="IMPLICIT")
    if yields:
        *_, last = simulate(scene)
        np.testing.assert_allclose(last.x[:, 2], 0.01, atol=5e-4)
        return
    monkeypatch.setattr("tendril.physics.run.yielding.squeezed", lambda *_: np.zeros(0, SQUEEZE))
    with pytest.raises(SimulationError, match=r"'Hose' could not go on after \d+ frames: .*: "):
        list(simulate(scene))
