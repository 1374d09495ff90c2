"""What implicit steps take from an oscillation is foreseen, and how fast rods oscillate."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.numerical_damping import damped, energy_lost, seen, slowest_motions, springing, stilled
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import THIRD_DIFFERENCE, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.bdf2 import weights
from tendril.physics.validate import implicit_rods
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
    lost = energy_lost(1.0, h, third)
    assert 1.0 - (sizes[-1] / sizes[2 * steps - 1]) ** 0.1 == pytest.approx(lost, rel=1e-3)
    if steps > 50:
        assert lost == pytest.approx(8.0 * np.pi**4 * (1.0 - 2.0 * third) / steps**3, rel=0.1)


def test_nothing_is_lost_where_nothing_oscillates():
    assert energy_lost(0.0, 0.01) == pytest.approx(0.0, abs=1e-12)
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
    rod, lost = damped(scene(wire()))
    assert rod.name == "Wire"
    assert lost == pytest.approx(energy_lost(slowest_motions(scene(wire()))[0], 1.0 / 240.0))
    assert damped(scene(wire(), quality="PREVIEW"))[1] > 10.0 * lost
    assert damped(scene(wire(), keep_swing=True)) is None
    assert damped(scene(wire(), quality="FINE")) is None
    assert damped(scene(wire(), max_step=1e-3)) is None
    assert damped(replace(scene(wire()), frame_duration=1e-3)) is None  # no step is longer than a frame
    assert damped(replace(scene(wire()), frame_duration=1.0 / 12.0)) is None  # faster than the frames show
    assert damped(scene(wire(internal_damping=0.01))) is None  # it calms down by itself
    assert damped(scene(wire(drag_coefficient=1.1), air_density=1000.0)) is None
    slow = replace(wire(), x=3.0 * wire().x)
    assert damped(scene(slow)) is None
    pins = tuple(Pin.fixed(wire(), 0, "TWIST", rod=r) for r in range(2))
    both = replace(scene(slow), rods=(replace(slow, name="Slow"), wire()), pins=pins)
    assert damped(both)[0].name == "Wire"


def arc(**options):
    """Half a circle 1 m long, of rubber that loses nothing; at rest it is straight."""
    s = np.linspace(0.0, np.pi, 61)
    x = np.column_stack([np.cos(s), np.sin(s), 0.0 * s]) / np.pi
    rubber = Material(1e7, 0.4, 1000.0)
    return Rod.from_material("Arc", x, 0.01, rubber, **{"internal_damping": 0.0, "shape_memory": 0.0, **options})


def energy(rod, frames, duration):
    """Bending and kinetic energy (F,) [J] of a rod that is straight at rest."""
    x = np.array([frame.x for frame in frames])
    v = np.gradient(x, duration, axis=0)
    t = np.diff(x, axis=1)
    size = np.linalg.norm(t, axis=2)
    t /= size[..., None]
    kb = 2.0 * np.cross(t[:, :-1], t[:, 1:]) / (1.0 + (t[:, :-1] * t[:, 1:]).sum(-1))[..., None]
    bending = 0.5 * rod.bend_stiffness[0, 0] * ((kb**2).sum(-1) / (0.5 * (size[:, 1:] + size[:, :-1]))).sum(axis=1)
    return bending + 0.5 * (rod.mass[:, None] * v**2).sum(axis=(1, 2))


def test_what_springs_from_its_drawn_shape():
    """An arc that opens has a tenth of its energy in motions that implicit steps calm; AUTOMATIC keeps it."""
    alone = {"held": (), "air_density": 0.0}
    asked = scene(arc(), solver="AUTOMATIC", **alone)
    omega = slowest_motions(asked)
    lost = springing(asked, omega, 1.0 / 240.0)[0]
    assert damped(asked)[1] == pytest.approx(lost)
    assert not implicit_rods(asked).any()
    kept = {}
    for solver in ("EXPLICIT", "IMPLICIT"):
        baked = replace(asked, solver=solver, frame_duration=1.0 / 240.0, frame_count=121)
        total = energy(arc(), list(simulate(baked)), 1.0 / 240.0)
        kept[solver] = total[-26:-2].mean() / total[0]
    assert kept["EXPLICIT"] > 0.9  # velocities are told from frames: what shivers between them is not in it
    assert lost < 1.0 - kept["IMPLICIT"] < 3.0 * lost  # the first step, of first order, takes as much again


def test_what_does_not_spring_or_calms_down_by_itself():
    alone = {"held": (), "air_density": 0.0}
    for rod in (arc(shape_memory=1.0), arc(balanced=True), arc(internal_damping=0.01)):
        asked = scene(rod, **alone)
        assert springing(asked, slowest_motions(asked), 1.0 / 240.0)[0] < 1e-9
    asked = scene(arc(), settle=True, **alone)
    assert springing(asked, slowest_motions(asked), 1.0 / 240.0)[0] == 0.0
    falling = scene(arc(), gravity=np.array([0.0, 0.0, -9.81]), **alone)
    stored, fall = 0.5 * arc().bend_stiffness[0, 0] * np.pi**2, arc().mass.sum() * 9.81
    rest = springing(scene(arc(), **alone), slowest_motions(scene(arc(), **alone)), 1.0 / 240.0)[0]
    there = springing(falling, slowest_motions(scene(arc(), **alone)), 1.0 / 240.0)[0]
    assert there == pytest.approx(rest * stored / (stored + fall), rel=0.02)


@pytest.mark.parametrize(("ends", "quarters"), [((0,), 1.0), ((0, 24), 2.0), ((), 2.0)])
def test_waves_of_twist_count_where_one_sees_them(ends, quarters):
    """Of a Cosserat rod: a quarter or half a wave √(K₃/ρI) between its ends, here 30 steps long."""
    speed, held = 240.0 / 30.0 * 4.0 * L / quarters, tuple((end, "TWIST") for end in ends)
    factor = STEEL.young / (2.0 * (1.0 + STEEL.poisson) * STEEL.density) / speed**2
    own, fast = (scene(wire(model="cosserat", spin_factor=k * factor), held) for k in (1.0, 1e-3))
    assert seen(own)[0] == pytest.approx(energy_lost(2.0 * np.pi * 240.0 / 30.0, 1.0 / 240.0), rel=1e-3)
    assert seen(fast)[0] == seen(scene(wire(), held))[0]


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
