"""What implicit steps take from an oscillation is foreseen, and how fast rods oscillate."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.cost.numerical_damping import energy_lost, seen, slowest_motions, stilled
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import THIRD_DIFFERENCE, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.bdf2 import weights
from tendril.physics.validate.forecast import forecast

STEEL = Material(2e11, 0.3, 7800.0)
L, R = 0.45, 0.001  # m
SPEED = 0.5 * R * np.sqrt(STEEL.young / STEEL.density)  # √(B/μ) [m²/s]


def wire(n=24, closed=False, **options):
    s = np.linspace(0.0, 1.0, n + 1)[:, None]
    x = s * [L, 0.0, 0.0]
    if closed:
        a = 2.0 * np.pi * s[:-1]
        x = L / (2.0 * np.pi) * np.concatenate([np.cos(a), np.sin(a), 0.0 * a], axis=1)
    return Rod.from_material("Wire", x, R, STEEL, closed=closed, **options)


def scene(rod, held=((0, "TWIST"),), **options):
    pins = tuple(Pin.fixed(rod, vertex, mode, rod=0) for vertex, mode in held)
    return Scene((rod,), 1.0 / 24.0, 250, **{"pins": pins, "contact": False, "gravity": np.zeros(3), **options})


@pytest.mark.parametrize("third", [0.0, THIRD_DIFFERENCE])
@pytest.mark.parametrize("steps", [240, 100, 50, 20, 10])
def test_energy_that_steps_lose_in_a_period(steps, third):
    """Against the scheme itself, taken for a few periods: x' = v, v' = −x in steps of h."""
    h = 2.0 * np.pi / steps
    now, before, earlier, s = weights(h, h, 2, third)
    a = np.array([[0.0, 1.0], [-1.0, 0.0]])
    past, sizes = [np.array([np.cos(k * h), np.sin(k * h)]) for k in range(3)], []
    for _ in range(12 * steps):
        after = np.linalg.solve(np.eye(2) - s * a, now * past[0] - before * past[1] + earlier * past[2])
        past = [after, *past[:2]]
        sizes.append(after @ after)
    (lost,) = energy_lost(np.ones(1), h, third)
    assert 1.0 - (sizes[-1] / sizes[2 * steps - 1]) ** 0.1 == pytest.approx(lost, rel=1e-3)
    if steps > 50:
        assert lost == pytest.approx(8.0 * np.pi**4 * (1.0 - 2.0 * third) / steps**3, rel=0.1)


def test_nothing_is_lost_where_nothing_oscillates():
    assert energy_lost(np.zeros(1), 0.01)[0] == pytest.approx(0.0, abs=1e-12)
    assert energy_lost(np.array([1.0, 2.0]), 0.01).shape == (2,)


@pytest.mark.parametrize(
    ("held", "law"),
    [
        ((), 4.7300**2),
        (((0, "TWIST"),), 1.8751**2),
        (((24, "DIRECTION"),), 1.8751**2),
        (((0, "TWIST"), (24, "TWIST")), 4.7300**2),
        (((0, "POSITION"), (24, "TWIST")), 3.9266**2),
        (((0, "POSITION"), (24, "POSITION")), np.pi**2),
        (((12, "TWIST"),), 4.0 * 1.8751**2),
        (((0, "TWIST"), (12, "POSITION"), (24, "TWIST")), 4.0 * 3.9266**2),
        (((0, "POSITION"),), 0.0),
    ],
)
def test_beams(held, law):
    assert slowest_motions(scene(wire(), held)) == pytest.approx([law * SPEED / L**2], rel=1e-3)


def test_rings_and_chains_and_bodies():
    oval = 6.0 / np.sqrt(5.0) * SPEED * (2.0 * np.pi / L) ** 2
    ring = wire(60, closed=True)
    assert slowest_motions(scene(ring, ())) == pytest.approx([oval], rel=5e-3)
    assert slowest_motions(scene(ring, ((3, "TWIST"),))) == pytest.approx([4.73**2 * SPEED / L**2], rel=5e-3)
    limp = replace(wire(), bend_stiffness=1e-12 * wire().bend_stiffness)
    chain = 1.2024 * np.sqrt(9.81 / L)
    assert slowest_motions(scene(limp, gravity=np.array([0.0, 0.0, -9.81]))) == pytest.approx([chain], rel=1e-3)
    both = np.hypot(chain, 1.8751**2 * SPEED / L**2)
    assert slowest_motions(scene(wire(), gravity=np.array([0.0, 0.0, -9.81]))) == pytest.approx([both], rel=1e-3)
    lamp = RigidBody("Lamp", wire().x[-1], 10.0, np.eye(3))
    tied = scene(wire(), bodies=(lamp,), welds=(Weld("Tie", 0, 0, 24),))
    stiffness, own = wire().bend_stiffness[0, 0], wire().mass.sum()
    assert slowest_motions(tied) == pytest.approx([np.sqrt(3.0 * stiffness / L**3 / (10.0 + 0.25 * own))], rel=0.02)
    crane = replace(lamp, times=np.zeros(1), track=lamp.position[None], turn=np.array([[1.0, 0.0, 0.0, 0.0]]))
    led = scene(wire(), bodies=(crane,), welds=(Weld("Tie", 0, 0, 24),))
    assert slowest_motions(led) == pytest.approx([4.73**2 * SPEED / L**2], rel=1e-3)


def test_what_one_would_see():
    (lost,) = seen(scene(wire()))
    assert lost == energy_lost(slowest_motions(scene(wire())), 1.0 / 240.0)[0]
    assert seen(scene(wire(), quality="PREVIEW"))[0] > 10.0 * lost
    slow = replace(wire(), x=3.0 * wire().x)
    for unseen in (
        scene(wire(), keep_swing=True),
        scene(wire(), quality="FINE"),
        scene(wire(), max_step=1e-3),
        replace(scene(wire()), frame_duration=1e-3),  # no step is longer than a frame
        replace(scene(wire()), frame_duration=1.0 / 12.0),  # faster than the frames show
        scene(wire(internal_damping=0.01)),  # it calms down by itself
        scene(wire(drag_coefficient=1.1), air_density=1000.0),
        scene(slow),
    ):
        assert not seen(unseen).any()
    pins = tuple(Pin.fixed(wire(), 0, "TWIST", rod=r) for r in range(2))
    assert (seen(replace(scene(slow), rods=(slow, wire()), pins=pins)) > 0.0).tolist() == [False, True]


def doorstop(turns, size=0.01, height=0.1, wire=0.001):
    """A coil of steel that nothing calms, or, of no turns, a straight rod of its height; clamped, and flicked."""
    s = np.linspace(0.0, 1.0, 16 * turns + 1 if turns else 21)
    a = 2.0 * np.pi * turns * s
    x = np.stack([height * s, size * np.cos(a), size * np.sin(a)], axis=1)
    v = np.outer(s**2, [0.0, 0.0, 1.2])
    return Rod.from_material("Doorstop", x, wire, STEEL, v=v)


def swing(rod, frames=25, duration=1.0 / 24.0, **options):
    """(F, 3) [m] where its tip is, by implicit steps."""
    asked = replace(scene(rod, solver="IMPLICIT", **options), frame_duration=duration, frame_count=frames)
    return np.array([frame.x[-1] for frame in simulate(asked)])


@pytest.mark.parametrize("turns", [6, 12])
def test_a_coil_sways_as_a_coil(turns):
    """By 34 and 17 Hz, not by 10 and 2.6 as its wire would, drawn out. Against the motion itself, told from a quarter
    of a second of it.
    """
    rod = replace(doorstop(turns), v=0.1 * doorstop(turns).v)
    z = swing(rod, 240, 1.0 / 960.0, quality="FINE", keep_swing=True)[:, 2]
    size = np.abs(np.fft.rfft((z - z.mean()) * np.hanning(len(z)), 16384))
    found = np.fft.rfftfreq(16384, 1.0 / 960.0)[size.argmax()]
    assert slowest_motions(scene(rod))[0] / (2.0 * np.pi) == pytest.approx(found, rel=0.03)


def test_a_bent_rod_sways_as_a_straight_one_where_it_hardly_bends():
    """The law of the beam, and a body at the tip: both formulas, at 2 % of bend."""
    bow = replace(wire(), x=wire().x + 0.09 * np.sin(np.linspace(0.0, np.pi, 25))[:, None] * [0.0, 0.0, L])
    bow = replace(bow, rest_length_factor=1.0)
    tip = RigidBody("Lamp", bow.x[-1], 10.0 * wire().mass.sum(), np.eye(3))
    for more in ({}, {"bodies": (tip,), "welds": (Weld("Tie", 0, 0, 24, "POSITION"),)}):
        straight, bent = (slowest_motions(scene(rod, **more))[0] for rod in (wire(), bow))
        assert bent == pytest.approx(straight, rel=0.1)


@pytest.mark.parametrize(
    ("rod", "quality", "cure"),
    [
        (doorstop(0, height=0.3, wire=0.0015), "GOOD", {"keep_swing": True}),
        (doorstop(0, height=0.3, wire=0.0015), "PREVIEW", {"quality": "GOOD", "keep_swing": True}),
        (doorstop(0, wire=0.0004), "PREVIEW", {"quality": "FINE", "keep_swing": True}),
        (doorstop(12), "PREVIEW", {"quality": "GOOD"}),
        (doorstop(6, height=0.06), "GOOD", {"quality": "FINE", "keep_swing": True}),
    ],
)
def test_what_would_ring_is_told_and_rings_by_what_is_told(rod, quality, cure):
    """A flicked doorstop is still in a few frames, and the estimate and the bake say what to choose: a second later it
    has a seventh of its swing by that, at least.
    """
    asked = scene(rod, quality=quality, solver="AUTOMATIC")
    notices = []
    for _ in simulate(replace(asked, frame_count=1), notices=notices.append):
        pass
    (notice,) = notices
    assert (notice.object, notice.frame) == ("Doorstop", 0)
    assert notice.text.rstrip(".") in forecast(asked).text
    assert ("turn on Keep Swing" in notice.text) == ("keep_swing" in cure)
    assert (f"the quality {cure.get('quality', '').capitalize()}" in notice.text) == ("quality" in cure)
    spread = []
    for options in ({"quality": quality}, {"quality": quality, **cure}):
        tip = swing(rod, **options)
        spread.append(np.ptp(tip[-6:], axis=0).max() / np.ptp(tip[:7], axis=0).max())
    assert spread[0] < np.exp(-2.0) < spread[1]


def test_nothing_is_told_of_what_rings_on_or_would_not():
    rod = doorstop(0, height=0.3, wire=0.0015)
    every = np.ones(1, dtype=bool)
    assert stilled(scene(rod), every)
    assert stilled(scene(rod), ~every) is None
    assert stilled(scene(rod, keep_swing=True), every) is None
    assert stilled(scene(rod, quality="FINE"), every) is None
    assert stilled(scene(replace(rod, internal_damping=0.01)), every) is None  # by itself it is still as soon
    assert stilled(scene(doorstop(0, height=0.05, wire=0.004)), every) is None  # too fast to be seen
    assert stilled(scene(wire(), ((0, "POSITION"),)), every) is None  # nothing brings it back
