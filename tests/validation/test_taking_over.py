"""A simulation goes on from some frame with other settings: from the same places, with the same velocities."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import CENTRED, jelly
from solids import sphere
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.run.taking_over import taken_over
from tendril.physics.scene import Floor, Frame, Pin, RigidBody, Rod, Scene, Tie, Weld
from tendril.physics.validate import SceneError
from test_winch import reel, winch

FPS, COUNT, LAST = 24, 16, 11
R = 0.01  # m
RUBBER = Material(2e6, 0.45, 1100.0, internal_damping=0.002, friction=0.3)
FALL = 0.5 * 9.81 / FPS**2  # m, in a frame
JOIN = 0.03  # of the way of a frame, or of FALL: what a step that looks back at none, and pairs listed anew, may change


def rope(x, name="rope", radius=R, material=RUBBER, **options):
    return Rod.from_material(name, np.asarray(x, float), radius, material, **options)


def bow(n=31, sag=0.4, **options):
    s = np.linspace(0.0, 1.0, n)
    return rope(np.stack([s, sag * (s - s * s), 1.0 - sag * (s - s * s)], axis=1), **options)


def made(*rods, **options):
    return Scene(rods, 1.0 / FPS, COUNT, **options)


def hanging(**options):
    rod = bow(**options)
    return made(rod, pins=(Pin.fixed(rod, 0, "TWIST"), Pin.fixed(rod, -1, rod=0)))


def beside_a_cable():
    scene = hanging()
    cable = bow(name="cable", model="cable")
    pins = (*scene.pins, *(Pin.fixed(cable, end, name=f"cable {end}", rod=1) for end in (0, -1)))
    return replace(scene, rods=(*scene.rods, cable), pins=pins)


def drawn_back():
    """Its other end is held as well, by a force that draws it there."""
    scene = hanging()
    return replace(scene, pins=(scene.pins[0], replace(scene.pins[1], max_force=2.0)))


def coil(solver):
    s = np.linspace(0.0, 4.0 * np.pi, 61)
    return made(
        rope(np.stack([0.06 * np.cos(s), 0.06 * np.sin(s), 0.02 + 0.012 * s], axis=1)), floor=Floor(0.0), solver=solver
    )


def lamp(mass=0.2):
    rod = rope(np.linspace([0.0, 0.0, 1.0], [0.6, 0.0, 1.0], 21))
    body = RigidBody("lamp", np.array([0.65, 0.0, 1.0]), mass, 1e-3 * mass * np.diag([1.0, 2.0, 2.5]))
    return made(rod, pins=(Pin.fixed(rod, 0, "TWIST"),), bodies=(body,), welds=(Weld("knot", 0, 0, 20),))


def crossed():
    one, y = bow(), np.linspace(-0.3, 0.3, 25)
    other = rope(
        np.stack([0.5 + 0.0 * y, 0.1 + y, 1.05 + 0.0 * y], axis=1), "other", v=np.tile([0.0, 0.0, -1.0], (25, 1))
    )
    return made(one, other, pins=(Pin.fixed(one, 0, rod=0), Pin.fixed(one, -1, rod=0)))


def ball(at, **options):
    return replace(sphere(np.array(at), 0.05), **options)


def on_a_rope():
    one = bow()
    return made(one, pins=(Pin.fixed(one, 0, rod=0), Pin.fixed(one, -1, rod=0)), bodies=(ball([0.5, 0.1, 1.1]),))


def soft():
    return made(solids=(replace(jelly(CENTRED), v=np.tile([0.5, 0.0, -1.0], (len(CENTRED), 1))),), floor=Floor(-0.3))


def soft_on_a_rope():
    body = jelly(CENTRED)
    top = np.flatnonzero(CENTRED[:, 2] > 0.99 * CENTRED[:, 2].max())
    at = CENTRED[top].mean(axis=0)
    rod = rope(np.linspace(at + [0.0, 0.0, 0.5], at, 16))
    return made(rod, pins=(Pin.fixed(rod, 0, rod=0),), solids=(body,), ties=(Tie("glue", 0, top, vertex=(0, 15)),))


SCENES = {
    "hanging": hanging,
    "spinning": lambda: hanging(model="cosserat"),
    "coil, explicit": lambda: coil("EXPLICIT"),
    "coil, implicit": lambda: coil("IMPLICIT"),
    "beside a cable": beside_a_cable,
    "lamp": lamp,
    "crossed": crossed,
    "ball": lambda: made(bodies=(ball([0.0, 0.0, 0.06], omega=np.array([0.0, 9.0, 0.0])),), floor=Floor(0.0)),
    "ball on a rope": on_a_rope,
    "soft": soft,
    "soft on a rope": soft_on_a_rope,
}


def places(frame):
    """Of all vertices and centres of mass (n, 3) [m]."""
    return np.concatenate([frame.x, frame.bodies[:, :3]])


@pytest.mark.parametrize("name", SCENES)
def test_it_goes_on_where_it_was_and_as_it_moved(name):
    scene = SCENES[name]()
    whole = list(simulate(scene))
    rest = list(simulate(scene, taken_over(scene, scene, whole[LAST].state)))
    assert [frame.index for frame in rest] == list(range(LAST + 1, COUNT))
    before, now, then = (places(frame) for frame in (whole[LAST], rest[0], whole[LAST + 1]))
    way = np.linalg.norm(then - before, axis=1).max()
    assert np.linalg.norm(now - then, axis=1).max() < JOIN * max(way, FALL)
    assert np.abs(rest[0].m1 - whole[LAST + 1].m1).max(initial=0.0) < 0.05
    assert np.abs(rest[0].bodies[:, 3:] - whole[LAST + 1].bodies[:, 3:]).max(initial=0.0) < JOIN


@pytest.mark.parametrize(
    ("before", "now"),
    [
        (hanging(), hanging(radius=0.7 * R)),
        (hanging(), replace(hanging(), solver="IMPLICIT")),
        (hanging(), replace(hanging(), gravity=np.zeros(3))),
        (hanging(), replace(hanging(), pins=hanging().pins[:1])),
        (replace(hanging(), pins=hanging().pins[:1]), drawn_back()),
        (lamp(), lamp(2.0)),
        (lamp(), replace(lamp(), floor=Floor(0.0), contact=False)),
    ],
    ids=["thinner", "implicit", "weightless", "let go", "pinned", "heavier", "over a floor"],
)
def test_velocities_go_on_whatever_else_changes(before, now):
    frames = list(simulate(before))
    was, state = frames[LAST].state, taken_over(now, before, frames[LAST].state)
    for name in ("x", "v"):
        assert state[name].tobytes() == was[name].tobytes()
    assert next(iter(simulate(now, state))).index == LAST + 1


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_what_a_winch_has_paid_out_since_it_was_drawn_is_out(solver):
    scene = winch(lambda t: reel(t, -1.0, 4.0), 3.0, angle=0.9, load=0.3, solver=solver)
    frames, last = [one for one in simulate(scene) if isinstance(one, Frame)], 60
    state = taken_over(scene, scene, frames[last].state)
    assert np.allclose(state["w"], frames[last].state["w"], rtol=1e-12, atol=0.0)
    now, then = next(iter(simulate(scene, state))).x, frames[last + 1].x
    way = np.linalg.norm(then - frames[last].x, axis=1).max()
    assert np.linalg.norm(now - then, axis=1).max() < JOIN * way


def test_a_body_of_another_mass_turns_on_as_fast():
    before, now = (made(bodies=(ball([0.0, 0.0, 1.0], mass=mass, inertia=mass * np.diag([1.0, 2.0, 2.5]) * 1e-3,
                                     omega=np.array([3.0, 5.0, -2.0])),), gravity=np.zeros(3))
                   for mass in (1.0, 7.0))  # fmt: skip
    frames = list(simulate(before))
    rest = list(simulate(now, taken_over(now, before, frames[LAST].state)))
    for one, other in zip(frames[LAST + 1 :], rest, strict=True):
        assert np.abs(one.bodies - other.bodies).max() < 1e-5  # steps are of other lengths


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (lambda scene: replace(scene, rods=(bow(n=33),)), "has other points"),
        (lambda scene: replace(scene, rods=(*scene.rods, bow(name="new"))), "'new' was added"),
        (lambda scene: replace(scene, bodies=(), welds=()), "'lamp' is gone"),
        (lambda scene: replace(scene, welds=()), "What is tied to what"),
        (lambda scene: replace(scene, bodies=(replace(scene.bodies[0], position=np.ones(3)),)), "starts elsewhere"),
    ],
)
def test_what_are_other_things_cannot_go_on(now, text):
    scene = lamp()
    state = next(iter(simulate(scene))).state
    other = now(scene)
    with pytest.raises(SceneError, match=text):
        taken_over(replace(other, pins=() if text.startswith("has") else other.pins), scene, state)
