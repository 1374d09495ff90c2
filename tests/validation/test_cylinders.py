"""Cylinders without facets, which may turn about themselves: what lies on them, is wound around them, is carried."""

from dataclasses import replace

import numpy as np
import pytest
import test_capstan as capstan
from solid_meshes import brick as cells
from solids import brick
from tendril.physics import Handle, Material, Rod, SceneError, settle_cable
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Pin, Scene, SoftBody
from tendril.physics.validate.overlap import overlaps

RADIUS, FAR = 0.1, 30.0  # m
ENDS = np.array([[0.0, -FAR, 0.0], [0.0, FAR, 0.0]])
FRICTION, SPEED = 0.5, 0.2  # of its surface [m/s]


def post(radius=RADIUS, friction=FRICTION):
    return Collider.cylinder("post", np.zeros(1), ENDS[None], radius, friction=friction)


def roller(x, seconds):
    """One about the y axis at x, whose upper side goes along +x at SPEED."""
    times = np.linspace(0.0, seconds, 25)
    angle = SPEED / RADIUS * times
    middle = np.array([x, 0.0, 0.0])
    rim = middle + RADIUS * np.stack([np.sin(angle), 0.0 * angle, np.cos(angle)], axis=1)
    ends = np.repeat((ENDS + middle)[None], len(times), axis=0)
    return Collider.cylinder(f"roller at {x}", times, ends, RADIUS, rim, friction=FRICTION)


@pytest.mark.parametrize(
    ("friction", "turns"), [(0.1, 1.0), (0.3, 1.0), pytest.param(0.5, 1.0, marks=pytest.mark.slow)]
)
def test_the_law_of_the_capstan(friction, turns, solver, monkeypatch):
    """Within 2 %."""
    monkeypatch.setattr(capstan, "post", lambda _, friction: {"colliders": (post(capstan.POST, friction),)})
    assert abs(capstan.slipped("cylinder", friction, turns, 0.98, solver, 0.4)) < 0.01 * capstan.RADIUS
    assert capstan.slipped("cylinder", friction, turns, 1.02, solver, 0.4) > 10.0 * capstan.RADIUS


@pytest.mark.parametrize("radius", [0.05, 0.03])
def test_what_slides_at_first_comes_to_be_held(radius, monkeypatch):
    """A rope that is let go loose, by implicit steps: within 2 % of the law. Contacts frozen where it was expected to
    slide on to drove it on at 70 % of the load.
    """
    monkeypatch.setattr(capstan, "POST", radius)
    monkeypatch.setattr(capstan, "post", lambda _, friction: {"colliders": (post(capstan.POST, friction),)})
    assert abs(capstan.slipped("cylinder", 0.5, 1.5, 0.98, "IMPLICIT", 0.4)) < 0.01 * capstan.RADIUS
    assert capstan.slipped("cylinder", 0.5, 1.5, 1.02, "IMPLICIT", 0.4) > 10.0 * capstan.RADIUS


def plank(kind):
    """(what of a Scene lies on two rollers .3 m apart, its friction FRICTION; its place along x in a frame)."""
    x = np.stack([np.linspace(-0.3, 0.3, 25), np.zeros(25), np.full(25, RADIUS + 0.0102)], axis=1)
    stiff = Material(1e9, 0.3, 1000.0, friction=FRICTION)
    if kind == "body":
        lies = brick((0.0, 0.0, RADIUS + 0.0201), size=(0.6, 0.1, 0.04), friction=FRICTION)
        return {"bodies": (lies,)}, lambda frame: frame.bodies[0, 0]
    if kind == "soft":
        points, node = cells((8, 2, 2), (0.6, 0.1, 0.1))
        points = points - points.mean(axis=0) + [0.0, 0.0, RADIUS + 0.051]
        jelly = SoftBody("plank", points, node, 1000.0, 1e6, 0.3, zeta=300.0, mu=300.0, friction=FRICTION)
        return {"solids": (jelly,)}, lambda frame: frame.x[:, 0].mean()
    rod = Rod.from_material("plank", x, 0.01, stiff, model="cosserat" if kind == "cosserat" else "kirchhoff")
    return {"rods": (rod,)}, lambda frame: frame.x[:, 0].mean()


@pytest.mark.parametrize("kind", ["kirchhoff", "cosserat", "body", "soft"])
def test_rollers_carry_what_lies_on_them(kind):
    """It has their speed after μ g t, and keeps it."""
    what, place = plank(kind)
    seconds = 0.5
    scene = Scene((), 0.05, 11, colliders=(roller(-0.15, seconds), roller(0.15, seconds)), air_density=0.0)
    at = [place(frame) for frame in simulate(replace(scene, **what))]
    begun = at[0] + SPEED * 0.05 * np.arange(11) - 0.5 * SPEED**2 / (FRICTION * 9.81)  # what it lags by sliding
    np.testing.assert_allclose(at[4:], begun[4:], rtol=0.0, atol=0.02 * SPEED * seconds)
    assert abs((at[-1] - at[-5]) / 0.2 - SPEED) < 0.02 * SPEED


def test_one_that_yields_does_not_turn():
    """It comes down by .02 m on what lies on ice, and has to stay above: its axis lags behind, and with it its rim."""
    times = np.linspace(0.0, 0.5, 11)
    down = np.linspace(0.0, 0.02, 11)[:, None] * [0.0, 0.0, -1.0]
    middle = np.array([0.0, 0.0, RADIUS + 0.0405]) + down
    rim = middle + [RADIUS, 0.0, 0.0]
    press = Collider.cylinder("press", times, ENDS + middle[:, None], RADIUS, rim, friction=FRICTION)
    lies = brick((0.0, 0.0, 0.02), size=(0.3, 0.1, 0.04), friction=FRICTION)
    frames = list(simulate(Scene((), 0.05, 11, bodies=(lies,), colliders=(press,), floor=Floor(0.0, 0.0))))
    assert len(frames) == 11
    assert np.abs(frames[-1].bodies[0, :2]).max() < 1e-4


@pytest.mark.parametrize("height", [0.105, 0.05])
def test_what_is_drawn_into_it_comes_out_and_is_told(height, solver):
    """Its radius is no thickness, in which what is drawn there would stay: it could not go on after three frames."""
    x = np.linspace([-0.4, 0.0, height], [0.4, 0.0, height], 41)
    rope = Rod.from_material("rope", x, 0.01, Material(1e6, 0.4, 1000.0, friction=FRICTION))
    scene = Scene((rope,), 1 / 24, 13, colliders=(post(),), solver=solver)
    (notice,) = overlaps(scene)
    assert f"drawn {1e3 * (RADIUS + 0.01 - height):.3g} mm into 'post': the bake will push it out" in notice.text
    *_, last = simulate(scene)
    assert np.hypot(last.x[:, 0], last.x[:, 2]).min() > RADIUS + 0.01 - 0.05 * 0.01


def test_what_is_tied_to_its_axis_stays_there():
    x = np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 26)
    rope = Rod.from_material("rope", x, 0.01, Material(1e6, 0.4, 1000.0, friction=FRICTION))
    scene = Scene((rope,), 1 / 24, 13, colliders=(post(),), pins=(Pin.fixed(rope, 0, "TWIST"),))
    (notice,) = overlaps(scene)
    assert "held there by 'wall': there it touches no collider" in notice.text
    assert len(list(simulate(scene))) == 13


def test_a_cable_lies_around_it():
    """A slack one, by its points and the middles of its pieces no nearer than it may, to the second order of these."""
    x = np.linspace([-0.5, 0.0, 0.3], [0.5, 0.0, 0.3], 81)
    hose = Rod.from_material("hose", x, 0.01, Material(1e6, 0.45, 1200.0), shape_memory=0.0)
    ends = [Handle.drawn(hose, name, vertex=vertex) for name, vertex in (("left", 0), ("right", -1))]
    ends = [
        replace(end, position=place) for end, place in zip(ends, ((-0.25, 0.0, 0.0), (0.25, 0.0, 0.0)), strict=True)
    ]
    cable = settle_cable(hose, ends, colliders=[post()])
    middle = 0.5 * (cable.points[1:] + cable.points[:-1])
    off = np.hypot(middle[:, 0], middle[:, 2]).min() - RADIUS - 0.01
    assert not cable.warning
    assert abs(off) < 1e-5
    assert cable.contacts > 3


def test_what_it_turns_by_is_one_of_its_points():
    with pytest.raises(SceneError, match="turns by point 7, but has 2"):
        next(simulate(Scene((), 0.1, 2, colliders=(replace(post(), rim=7),), bodies=(brick((0.0, 0.0, 1.0)),))))
