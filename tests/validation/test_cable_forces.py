"""Forces from outside on cables, and on what hangs on them."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from tendril.physics import Floor, Frame, Handle, Material, Part, Pin, RigidBody, Rod, Scene, Weld, settle_harness
from tendril.physics.run.led_cables import LedCables
from tendril.physics.run.simulate import events
from tendril.physics.scene import Load
from tendril.physics.scenes.measured import MEASURED

NOTHING, STEADY = np.zeros(3), np.zeros(1)
LIMP, HOSE = Material(1e5, 0.45, 1000.0), Material(5e6, 0.45, 1200.0)


def push(force, **options):
    return Load("Push", STEADY, np.array([force], float), **options)


def line(n, end, material=HOSE, **options):
    x = np.linspace(NOTHING, end, n + 1)
    return Rod.from_material("line", x, 0.004, material, model="cable", **options)


def at_rest(*rods, bodies=(), welds=(), pins=(), gravity=(0.0, 0.0, -9.81), frames=1, state=None):
    scene = Scene(rods, 0.1, frames, pins=pins, bodies=bodies, welds=welds, gravity=np.array(gravity))
    return [one for one in events(scene, state) if isinstance(one, Frame)]


def test_a_weightless_cable_pulled_at_its_middle():
    """Two straight halves, but where bending rounds them, of √(B/T): a triangle of forces."""
    n, half, span = 80, 0.5, 0.4
    rod = line(n, [2.0 * half, 0.0, 0.0], LIMP)
    x = rod.x.copy()
    x[:, 0] = span / half * rod.x[:, 0]
    x[:, 2] = -0.3 * (1.0 - np.abs(np.linspace(-1.0, 1.0, n + 1)))
    rod = replace(rod, x=x, rest_x=rod.x, loads=(push((0.0, 0.0, -2.0), nodes=np.array([n // 2])),))
    pins = tuple(Pin.fixed(rod, end, rod=0) for end in (0, -1))
    (found,) = at_rest(rod, pins=pins, gravity=NOTHING)
    assert found.x[n // 2] == pytest.approx([span, 0.0, -np.sqrt(half**2 - span**2)], abs=2e-3)
    slope = np.sqrt(half**2 - span**2) / half
    assert found.cables[0, MEASURED.index("tension")] == pytest.approx(2.0 / (2.0 * slope), rel=1e-2)


def tip(load, length=1.0):
    """(reach, drop) of a clamped elastica of B = 1 under a load across it at its end: θ″ = −F cos θ, by shooting."""

    def shot(slope):
        return solve_ivp(
            lambda _, y: [y[1], -load * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])], (0.0, length),
            [0.0, slope, 0.0, 0.0], rtol=1e-10, atol=1e-12,
        ).y[:, -1]  # fmt: skip

    return shot(brentq(lambda slope: shot(slope)[1], 0.0, load * length))[2:]


@pytest.mark.parametrize("load", [0.5, 3.0, 10.0])
def test_a_force_at_its_end_bends_a_clamped_cable_as_an_elastica(load):
    n, length = 60, 0.5
    rod = line(n, [length, 0.0, 0.0])
    force = load * rod.bend_stiffness[0, 0] / length**2
    rod = replace(rod, loads=(push((0.0, 0.0, -force), nodes=np.array([n])),))
    (found,) = at_rest(rod, pins=(Pin.fixed(rod, 0, "TWIST", rod=0),), gravity=NOTHING)
    reach, drop = tip(load)
    assert found.x[-1] / length == pytest.approx([reach, 0.0, -drop], abs=1e-3)


def lamp(*loads, arm=0.0):
    """A body of 200 g on a limp cable of half a metre."""
    rod = replace(line(30, [0.0, 0.0, -0.5], LIMP), shape_memory=0.0)
    body = RigidBody("lamp", rod.x[-1] - [0.0, 0.0, arm], 0.2, 1e-4 * np.eye(3), suspended=True, loads=loads)
    mode = "TWIST" if arm else "POSITION"
    return {"bodies": (body,), "welds": (Weld("socket", 0, 0, 30, mode),), "pins": (Pin.fixed(rod, 0, rod=0),)}, rod


def test_a_lamp_pulled_aside_hangs_along_its_weight_and_the_force():
    given, rod = lamp(push((0.2 * 9.81, 0.0, 0.0)))
    (found,) = at_rest(replace(rod, mass=1e-6 * rod.mass), **given)
    assert found.bodies[0, :3] == pytest.approx(0.5 * np.sqrt(0.5) * np.array([1.0, 0.0, -1.0]), abs=2e-3)


def test_a_force_beside_its_middle_turns_a_lamp():
    """The one that pushes it up at a side and down at the other nets nothing but a turn."""
    arms = [np.array([side, 0.0, 0.0]) for side in (0.05, -0.05)]
    couple = [push((0.0, 0.0, force), arm=arm) for force, arm in zip((0.3, -0.3), arms, strict=True)]
    given, rod = lamp(*couple, arm=0.1)
    (found,) = at_rest(rod, **given)
    turn = 2.0 * np.arctan2(found.bodies[0, 5], found.bodies[0, 3])
    assert turn < -0.05
    arm = 0.1 * np.array([np.sin(turn), 0.0, np.cos(turn)])  # from its middle to the socket, above which it hangs
    assert np.cross(arm, [0.0, 0.0, 0.2 * 9.81])[1] + -0.03 * np.cos(turn) == pytest.approx(0.0, abs=5e-3)


@pytest.mark.parametrize("times", [1.0, 3000.0])
def test_forces_on_a_harness_balance(times):
    """On the part and on a cable: with weights and what handles exert they add up to nothing, also where all else is
    next to nothing beside that on the cable.
    """
    ends = np.array([[0.3, 0.0, 0.1], [-0.2, 0.25, 0.1], [-0.2, -0.25, 0.1]])
    cables, loads, weight = [], [], np.array([0.0, 0.0, -0.05 * 9.81])
    for k, end in enumerate(ends):
        x = np.linspace(NOTHING, end, 25) - np.outer(np.sin(np.linspace(0.0, np.pi, 25)), [0.0, 0.0, 0.1])
        rod = Rod.from_material(f"arm {k}", x, 0.004, HOSE, model="cable", shape_memory=0.0)
        mount = replace(Handle.drawn(rod, f"weld {k}", vertex=0, oriented=True), part="join")
        cables.append((rod, [mount, Handle.drawn(rod, f"end {k}", vertex=-1)]))
        loads.append(np.zeros(x.shape))
        weight = weight + rod.mass.sum() * np.array([0.0, 0.0, -9.81])
    loads[1][12] = times * np.array([0.0, 0.1, 0.2])
    aside = np.array([0.3, -0.1, 0.1])
    part = Part("join", NOTHING, mass=0.05, forces=((aside, np.array([0.01, 0.0, 0.02])),))
    found = settle_harness(cables, [part], loads=loads)
    held = sum(one.handle_force[1] for one in found.cables)
    assert found.effort.factors < 100  # 42 and 68, or 221 where SOFTER is threefold
    assert held + weight + aside + loads[1][12] == pytest.approx(NOTHING, abs=1e-6 * times)
    still = settle_harness(cables, [replace(part, forces=())])
    assert np.linalg.norm(found.position - still.position) > 0.02


def test_a_keyed_force_acts_frame_by_frame_and_goes_on():
    given, rod = lamp(Load("Push", np.array([0.0, 0.5]), np.array([[0.0, 0.0, 0.0], [1.5, 0.0, 0.0]])))
    wind = Load("Wind", np.array([0.0, 0.5]), np.array([[0.0, 0.0, 0.0], [0.0, 0.5, 0.0]]), nodes=np.arange(31))
    rod = replace(rod, loads=(wind,))
    frames = at_rest(rod, **given, frames=6)
    places = np.array([frame.bodies[0, :2] for frame in frames])
    assert np.all(np.diff(places, axis=0) > 0.005)
    again = at_rest(rod, **given, frames=6, state=frames[2].state)
    assert np.array_equal(again[-1].bodies, frames[-1].bodies)
    assert np.array_equal(again[-1].x, frames[-1].x)


def test_what_is_led_by_hand_feels_forces():
    """As *Settle Live* leads it: where a bake has it, when it is led there."""
    given, rod = lamp(push((0.5, 0.0, 0.0)))
    rod, at = replace(rod, loads=(push((0.0, 0.2, 0.0), nodes=np.arange(31)),)), np.array([0.1, 0.0, 0.2])
    scene = Scene((rod,), 0.1, 1, **given, gravity=np.array([0.0, 0.0, -9.81]))
    led = LedCables(scene).settle(
        np.array([[*at, 1.0, 0.0, 0.0, 0.0]]), np.zeros((0, 13)), np.zeros((0, 8)), np.zeros((0, 4))
    )
    (found,) = at_rest(rod, **given)
    assert led.bodies[0, :3] - at == pytest.approx(found.bodies[0, :3], abs=1e-5)
    assert led.bodies[0, 0] > 0.1 + 0.05


@pytest.mark.parametrize("heavy", [True, False])
def test_a_hand_bears_what_weighs_more_than_cables_do(heavy):
    """A lamp of 20 kg, or one that is pulled down by 50 N, goes with who leads it."""
    given, rod = lamp(*(() if heavy else [push((0.0, 0.0, -50.0))]))
    bodies = tuple(replace(body, mass=20.0 if heavy else 0.2) for body in given.pop("bodies"))
    scene = Scene((rod,), 0.1, 1, bodies=bodies, gravity=np.array([0.0, 0.0, -9.81]), **given)
    led = LedCables(scene)
    still, none = np.array([[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]), np.zeros((0, 4))
    found = led.settle(still, np.zeros((0, 13)), np.array([[0.0, 0.2, 0.0, -0.3, 1.0, 0.0, 0.0, 0.0]]), none)
    assert found.bodies[0, :3] == pytest.approx([0.2, 0.0, -0.3], abs=1e-8)
    assert not led.warnings()


@pytest.mark.parametrize(("share", "stays"), [(0.98, True), (1.02, False)])
def test_friction_on_a_floor_holds_against_a_force_up_to_its_own(share, stays):
    """A force across all of a cable that lies there: μ times its weight, the geometric mean of its and the floor's."""
    rod = line(30, [0.6, 0.0, 0.0], LIMP, friction=0.5)
    force = share * np.sqrt(0.5 * 0.3) * 9.81 * rod.mass.sum()
    keyed = Load("Push", np.array([0.1, 0.2]), np.array([[0.0, 0.0, 0.0], [0.0, force, 0.0]]), nodes=np.arange(31))
    rod = replace(rod, x=rod.x + [0.0, 0.0, 0.004], loads=(keyed,))
    down = np.array([0.0, 0.0, -9.81])
    scene = Scene((rod,), 0.1, 4, pins=(Pin.fixed(rod, 0, rod=0),), gravity=down, floor=Floor(0.0, 0.3))
    *_, last = (one for one in events(scene, None) if isinstance(one, Frame))
    aside = np.linalg.norm(last.x[-1] - rod.x[-1])
    assert aside < 1e-4 if stays else aside > 0.05
