"""Wires beside soft bodies by implicit steps, against closed forms, laws and explicit steps."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import CENTRED, FRAME, GRAVITY, Coupling, X, jelly, rope
from scipy.spatial.transform import Rotation
from solid_meshes import brick
from tendril.physics.diagnostics.energies import energies
from tendril.physics.diagnostics.soft_bodies import soft_energies
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Tie, Weld
from tendril.physics.time_integration.step_limit import stable_step

STEEL = Material(2e11, 0.3, 7850.0)
SMALL, SMALL_NODE = brick((3, 3, 3), (0.1,) * 3)


def wire(x, radius, **options):
    return Rod.from_material("wire", np.asarray(x, float), radius, STEEL, **{"friction": 0.3} | options)


def line(begin, end, edges):
    return np.linspace(begin, end, edges + 1)


def circle(radius, vertices, at=(0.0, 0.0, 0.0), phase=0.0):
    """About the x axis; of phase 0 the first vertex is the highest."""
    angle = phase + np.linspace(0.0, 2.0 * np.pi, vertices, endpoint=False)
    return radius * np.stack([np.zeros(vertices), np.sin(angle), np.cos(angle)], axis=1) + at


def total(run):
    """All energy [J]."""
    return energies(run.models[0], run.now.rods.state).total + soft_energies(run.models[1], run.now.soft.state).total


def kept(run):
    """The energy [J] that Newmark's method keeps (β = ½, linear forces): of velocities, which are those of the middle
    of a step, and the mean of what places have at both ends of it. A wire whose fastest waves a step does not resolve
    trades all of it between both in each step, so that either at one end tells where in a wave that is.
    """
    after = run.now.rods.state
    before = after._replace(x=run.now.rods.work.old.x)
    rods = np.mean([energies(run.models[0], state).total for state in (before, after)])
    return rods + soft_energies(run.models[1], run.now.soft.state).total


def hung(tilt, edges=40, length=0.5):
    """A soft cube on a steel thread, as a whole off the vertical by an angle."""
    turn = Rotation.from_rotvec([0.0, -tilt, 0.0])
    x = turn.apply(SMALL - [0.05, 0.05, 0.1 + length]) + [0.0, 0.0, length]
    thread = wire(turn.apply(line([0.0, 0.0, 0.0], [0.0, 0.0, -length], edges)) + [0.0, 0.0, length], 2.5e-4)
    tie = Tie("loop", 0, np.flatnonzero(SMALL[:, 2] == 0.1), vertex=(0, edges))
    return Scene(
        (thread,), FRAME, 2, pins=(Pin.fixed(thread, 0),), solids=(jelly(x, SMALL_NODE, 1e5),), ties=(tie,),
        air_density=0.0, solver="IMPLICIT",
    )  # fmt: skip


def test_a_wire_goes_at_the_step_of_the_soft_body():
    scene = hung(0.3)
    explicit, implicit = Coupling(replace(scene, solver="EXPLICIT")), Coupling(scene)
    explicit.go_on(0.01)
    implicit.go_on(0.1)
    own = stable_step(explicit.models[0], explicit.now.rods.state)
    assert implicit.now.rods.state.clock["step"][0] > 10.0 * own


FLAT = np.array([1.0, 0.1])
LINE, RING = line([0.15, -0.29, 0.0], [0.15, 0.31, 0.06], 60), circle(0.08, 40, [0.15, 0.01, 0.03], 1.0)


@pytest.mark.parametrize("friction", [0.0, 0.5])
@pytest.mark.parametrize(
    "bar",
    [
        wire(LINE, 1e-3),
        wire(RING, 1e-3, closed=True),
        wire(RING, 1e-3, closed=True, shape_memory=1.0),
        wire(RING, 1e-3, closed=True, stretchable=True, internal_damping=0.01),
        replace(wire(RING, 2e-3, closed=True), bend_stiffness=wire(RING, 2e-3).bend_stiffness[[0] * 40] * FLAT),
    ],
    ids=["open", "ring", "curved ring", "stretchable ring", "flat ring"],
)
def test_a_wire_that_a_soft_body_strikes_keeps_momentum_and_wins_no_energy(bar, friction):
    soft = jelly(CENTRED, speed=(1.0, 0.0, 0.0), friction=friction)
    scene = Scene(
        (replace(bar, friction=friction),), FRAME, 2, solids=(soft,), gravity=np.zeros(3), air_density=0.0,
        solver="IMPLICIT",
    )  # fmt: skip
    run = Coupling(scene)
    (linear, angular), energy = run.momenta(), [total(run)]
    size = np.abs(linear).max()
    for _ in range(50):
        run.go_on(0.002)
        energy.append(total(run))
        now = run.momenta()
        assert np.abs(now[0] - linear).max() < 1e-11 * size
        assert np.abs(now[1] - angular).max() < 1e-4 * size
    # What was struck is ahead of what struck it and goes no slower; and no faster than what is light and bounces.
    struck, striking = run.now.rods.state, run.now.soft.state
    assert struck.x[:, 0].min() > striking.x[:, 0].max()
    ahead, behind = (
        np.average(state.v[:, 0], weights=model.nodes["mass"])
        for model, state in zip(run.models, (struck, striking), strict=False)
    )
    assert behind < ahead < 2.0
    assert np.diff(energy).max() < 1e-4 * energy[0]
    assert energy[-1] < 0.999 * energy[0]


@pytest.mark.parametrize(
    "bar",
    [
        wire(line([-0.1, 0.1, 0.5], [0.3, 0.1, 0.5], 60), 5e-4),
        wire(circle(0.06, 60, [0.1, 0.1, 0.6]), 5e-4, closed=True),
    ],
)
def test_a_wire_that_rings_wins_no_energy_where_steps_grow(bar):
    """By what a short step resolves and a long one does not; at several fractions of the critical step, for where in a
    wave it is seen goes by that.
    """
    ringing = replace(bar, v=np.outer((-1.0) ** np.arange(len(bar.x)), [0.1 * bar.closed, 0.0, 0.1 * (not bar.closed)]))
    scene = Scene((ringing,), FRAME, 2, solids=(jelly(),), gravity=np.zeros(3), air_density=0.0, solver="IMPLICIT")
    for chosen in (0.7, 0.35):
        run = Coupling(scene)
        energy = [total(run)]
        for duration, fraction in ((2e-5, 0.001), *[(0.001, chosen)] * 20):
            run.go_on(duration, fraction)
            energy.append(kept(run))
        assert energy[1] > 0.3 * energy[0]
        assert np.diff(energy).max() < 1e-3 * energy[0]


def test_a_wire_that_falls_on_a_soft_body_wins_no_energy():
    x, node = brick((8, 4, 4), (0.2, 0.1, 0.1))
    scene = Scene(
        (wire(line([-0.1, 0.04, 0.115], [0.3, 0.06, 0.115], 60), 5e-4),), FRAME, 2, solids=(jelly(x, node, 2e4),),
        floor=Floor(0.0, 0.5), solver="IMPLICIT",
    )  # fmt: skip
    run, energy, pressed = Coupling(scene), [], []
    for _ in range(16):
        run.go_on(0.005)
        energy.append(energies(run.models[0], run.now.rods.state).total)
        pressed.append(run.pressed)
    assert max(pressed) > 0
    assert max(energy) < 1.01 * energy[0]


def test_a_soft_body_bends_a_wire_by_its_weight():
    """Clamped at its other end, as Euler and Bernoulli say."""
    length, radius = 0.2, 2e-3
    bar = wire(line([0.0, 0.0, 0.0], [length, 0.0, 0.0], 30), radius, internal_damping=0.01, touches=False)
    cube, node = brick((2, 2, 2), (0.05,) * 3)  # in whose face the wire lies
    x = cube + [length - 0.025, -0.025, -0.05]
    tie = Tie("loop", 0, np.flatnonzero(cube[:, 2] == 0.05), vertex=(0, 30))
    soft = jelly(x, node, 1e5)
    scene = Scene(
        (bar,), FRAME, 2, pins=(Pin.fixed(bar, 0, "DIRECTION"),), solids=(soft,), ties=(tie,),
        solver="IMPLICIT",
    )  # fmt: skip
    run = Coupling(scene)
    run.go_on(1.2)
    weight, own = 1000.0 * 0.05**3 * GRAVITY, bar.mass.sum() * GRAVITY
    drop = (weight / 3.0 + own / 8.0) * length**3 / bar.bend_stiffness[0, 0]
    assert -run.now.rods.state.x[30, 2] == pytest.approx(drop, rel=1e-3)


def polygon_sums(edges):
    """(π/4 − 2/π, π²/4 − 2) as a ring's vertices have them: Σ M m of its moments by two forces P, over PR, and by its
    own weight w, over wR², each with that by two forces 1, over R, times 2π/N. It is closed and symmetric, so moments
    go up to what turns and thrusts it as a whole, 1 and cos θ.
    """
    turn = 2.0 * np.pi * np.arange(edges) / edges
    turn = np.minimum(turn, 2.0 * np.pi - turn)
    closing = np.stack([np.ones(edges), np.cos(turn)], axis=1)

    def left(moment):
        return moment - closing @ np.linalg.lstsq(closing, moment, rcond=None)[0]

    unit, weight = left(0.5 * np.sin(turn)), left((np.pi - turn) * np.sin(turn) - 1.0 - np.cos(turn))
    return 2.0 * np.pi / edges * (unit @ unit), 2.0 * np.pi / edges * (weight @ unit)


def test_a_soft_body_draws_a_ring_long_by_its_weight():
    """Across, two forces P draw it by (π/4 − 2/π) PR³/EI, its own weight w of its length by (π²/4 − 2) wR⁴/EI, as long
    as it is nearly round (Young & Budynas, *Roark's Formulas for Stress and Strain*, table 9.2, cases 1 and 15);
    the moments are large numbers' differences, of which a polygon has its own.
    """
    radius, edges = 0.1, 48
    assert polygon_sums(4800) == pytest.approx((np.pi / 4.0 - 2.0 / np.pi, np.pi**2 / 4.0 - 2.0), rel=1e-5)
    hoop = wire(circle(radius, edges), 2e-3, closed=True, shape_memory=1.0, internal_damping=0.02, touches=False)
    cube, node = brick((2, 2, 2), (0.05,) * 3)  # in whose face the ring lies beside the tie
    tie = Tie("loop", 0, np.flatnonzero(cube[:, 2] == 0.05), vertex=(0, edges // 2))
    soft = jelly(cube - [0.025, 0.025, 0.05 + radius], node, 1e5)
    scene = Scene(
        (hoop,), FRAME, 2, pins=(Pin.fixed(hoop, 0),), solids=(soft,), ties=(tie,),
        solver="IMPLICIT",
    )  # fmt: skip
    run = Coupling(scene)
    run.go_on(1.2)
    explicit = Coupling(replace(scene, solver="EXPLICIT"))
    own = stable_step(explicit.models[0], explicit.now.rods.state)
    assert run.now.rods.state.clock["step"][0] > 10.0 * own
    pull, weight = 1000.0 * 0.05**3 * GRAVITY, hoop.mass.sum() * GRAVITY / (2.0 * np.pi)
    by_pull, by_weight = polygon_sums(edges)
    drop = (by_pull * pull + by_weight * weight) * radius**2 / hoop.bend_stiffness[0, 0] * radius
    assert -run.now.rods.state.x[edges // 2, 2] - radius == pytest.approx(drop, rel=1e-3)


def test_a_bent_wire_goes_on_turning():
    angle = np.linspace(0.0, 1.5, 41)
    x = 0.27 * np.stack([np.sin(angle), 1.0 - np.cos(angle), np.zeros(41)], axis=1)
    x = x - x.mean(axis=0) + [0.0, 0.0, 1.0]
    bent = wire(x, 2e-3, shape_memory=1.0)
    centre = bent.mass @ x / bent.mass.sum()
    bent = replace(bent, v=np.cross([2.0, 1.0, 3.0], x - centre))
    scene = Scene((bent,), FRAME, 2, solids=(jelly(X - [0.0, 0.0, 1.0]),), gravity=np.zeros(3), air_density=0.0)
    run = Coupling(replace(scene, solver="IMPLICIT"))
    rods = run.now.rods.state

    def momentum():
        return (bent.mass[:, None] * np.cross(rods.x, rods.v)).sum(axis=0)

    begun = momentum()
    run.go_on(1.0)
    assert momentum() == pytest.approx(begun, abs=1e-4 * np.linalg.norm(begun))


def test_motion_goes_to_that_of_explicit_steps():
    reference = Coupling(replace(hung(0.3), solver="EXPLICIT"))
    reference.go_on(0.25)
    away = []
    for fraction in (0.7, 0.35, 0.175):
        run = Coupling(hung(0.3))
        run.go_on(0.25, fraction)
        away.append(np.abs(run.now.x - reference.now.x).max())
    assert away[0] < 2e-3 * 0.5  # of its length
    assert away[0] / away[1] == pytest.approx(2.0, rel=0.15)
    assert away[1] / away[2] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize(
    ("bar", "tied"),
    [
        (wire(line([-0.3, 0.0, -0.02], [0.3, 0.0, -0.02], 40), 1e-3), (14, 16, 18, 21, 23, 26)),
        (wire(circle(0.15, 40, [0.0, 0.0, 0.13]), 1e-3, closed=True), (17, 18, 20, 21, 23)),
        (wire(circle(0.15, 40, [0.0, 0.0, 0.13], np.pi), 1e-3, closed=True), (38, 39, 0, 1, 3)),
    ],
)
def test_a_wire_keeps_many_ties(bar, tied):
    x, node = brick((4, 4, 4), (0.2,) * 3)
    x = x - [0.1, 0.1, 0.2]
    near = [np.argsort(np.linalg.norm(x - bar.x[v], axis=1))[:12] for v in range(40)]
    ties = tuple(Tie(f"tie {v}", 0, near[v], vertex=(0, v)) for v in tied)
    held = Pin.fixed(bar, int(bar.x[:, 2].argmax()), "DIRECTION", rod=0)
    scene = Scene(
        (bar,), FRAME, 2, pins=(held,), solids=(jelly(x, node, 1e5),), ties=ties,
        solver="IMPLICIT",
    )  # fmt: skip
    run = Coupling(scene)
    solids = run.models[1].solids
    for _ in range(10):
        run.go_on(0.03)
        for tie in solids.ties:
            members = solids.members[slice(*tie["member"])]
            point = members["share"] @ run.now.soft.state.x[members["node"]]
            assert np.abs(point - run.now.rods.state.x[tie["vertex"]]).max() < 1e-8 * 0.35


def beside(rods, **options):
    return Scene(rods, FRAME, 3, solids=(jelly(),), solver="IMPLICIT", **options)


def welded():
    bar = rope(line([-0.1, 0.1, 0.22], [0.3, 0.1, 0.22], 10))
    lamp = RigidBody("lamp", bar.x[-1], 0.05, 1e-5 * np.eye(3))
    return {"rods": (bar,), "bodies": (lamp,), "welds": (Weld("cap", 0, 0, 10),)}


def test_what_is_welded_takes_explicit_steps():
    scene = beside(**welded())
    for one, other in zip(simulate(scene), simulate(replace(scene, solver="EXPLICIT")), strict=True):
        assert one.x.tobytes() == other.x.tobytes()
