"""Rods, rings and trees that stand as they are drawn: forces balance, nothing moves, and they are as stiff as ever."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh
from solvers import solved_by
from statics import Statics, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.moment_loads import bent, moments
from tendril.physics.run.islands import Islands
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.start.rest_in_equilibrium import rest_in_equilibrium
from tendril.physics.validate import SimulationError

G = 9.81
WOOD = Material(1e9, 0.3, 700.0, internal_damping=0.01, drag_coefficient=1.1)


def wavy(n=40, **options):
    """A rod through space, tapered, of a flat section."""
    s = np.linspace(0.0, 1.0, n)
    x = np.stack([s, 0.1 * np.sin(6.0 * s), 0.2 * np.cos(5.0 * s)], axis=1)
    twist = np.concatenate([[0.0], np.full(n - 2, 0.03), [0.0]])
    radius = np.linspace(0.02, 0.01, n)
    return Rod.from_material("limb", x, radius, WOOD, aspect=0.6, twist=twist, balanced=True, **options)


def arch(side, **options):
    rod = wavy(**options)
    return replace(rod, x=rod.x * [1.0, 0.0, side], twist=None)


def ring():
    around = 2.0 * np.pi * np.arange(40) / 40
    x = np.stack([0.3 * np.sin(around), 0.05 * np.sin(2.0 * around), 0.3 * np.cos(around)], axis=1)
    return Rod.from_material("ring", x, 0.01, WOOD, closed=True, balanced=True)


def scene_of(rod, *pins, **options):
    held = tuple(Pin.fixed(rod, vertex, mode, f"wall {vertex}", rod=0) for vertex, mode in pins)
    options = {"frame_duration": 0.04, "frame_count": 101, "contact": False, **options}
    return Scene((rod,), pins=held, **options)


def tree(*balanced, lamp=False):
    """A trunk, two limbs on its top, a twig on an edge of one of them; a lamp on a rope from the other, perhaps."""
    lines = [
        ((0, 0, 0), (0.1, 0, 1), 0.03),
        ((0.1, 0, 1), (-0.5, 0.2, 1.6), 0.018),
        ((0.1, 0, 1), (0.6, -0.3, 1.5), 0.02),
    ]
    rods = [branch(*line) for line in lines]
    rods.append(branch(rods[1].x[7], rods[1].x[7] + [-0.1, 0.5, 0.2], 0.009))
    rods = [replace(rod, balanced=True) for rod in rods]
    for r in balanced:
        rods[r] = replace(rods[r], balanced=False)
    bodies = [coupler("fork", rods[0].x[-1]), coupler("knot", rods[1].x[7])]
    welds = [Weld("a", 0, 0, 14), Weld("b", 0, 1, 0), Weld("c", 0, 2, 0), Weld("d", 1, 1, 7), Weld("e", 1, 3, 0)]
    if lamp:
        top = rods[2].x[-1]
        x = np.linspace(top, top - [0.0, 0.0, 0.3], 10)
        rods.append(Rod.from_material("rope", x, 0.002, Material(1e6, 0.45, 1000.0)))
        bodies += [
            coupler("knot", top),
            RigidBody("lamp", x[-1] - [0.0, 0.0, 0.05], 0.4, 1e-3 * np.diag([1.0, 1.0, 2.0])),
        ]
        welds += [Weld("f", 2, 2, 14), Weld("g", 2, 4, 0, "POSITION"), Weld("h", 3, 4, 9)]
    pins = (Pin.fixed(rods[0], 0, "TWIST", rod=0),)
    return Scene(tuple(rods), 0.04, 101, pins, tuple(bodies), tuple(welds), contact=False)


def branch(start, end, radius):
    s = np.linspace(0.0, 1.0, 15)[:, None]
    x = (1.0 - s) * start + s * np.asarray(end) + 0.03 * np.sin(np.pi * s) * [0.3, 0.5, 0.2]
    return Rod.from_material("branch", x, radius * (1.0 - 0.5 * s[:, 0]), WOOD)


def coupler(name, place):
    return RigidBody(name, place, 0.0, np.zeros((3, 3)))


SCENES = {
    "clamped": lambda: scene_of(wavy(), (0, "TWIST")),
    "clamped at both ends": lambda: scene_of(wavy(), (0, "TWIST"), (-1, "TWIST")),
    "clamped inside": lambda: scene_of(wavy(), (17, "TWIST")),
    "stretchy": lambda: scene_of(wavy(stretchable=True), (0, "TWIST")),
    "garland": lambda: scene_of(arch(1.0), (0, "POSITION"), (-1, "POSITION")),
    "arch": lambda: scene_of(arch(-1.0), (0, "POSITION"), (-1, "POSITION")),
    "ring hung on a nail": lambda: scene_of(ring(), (0, "POSITION")),
    "ring in a vice": lambda: scene_of(ring(), (7, "TWIST")),
    "tree": tree,
    "tree with a lamp": lambda: tree(lamp=True),
}


def balanced(scene):
    model, state, work = assemble(scene)
    return rest_in_equilibrium(scene, model, state), state, work


@pytest.mark.parametrize("kind", SCENES)
def test_nothing_moves(kind, solver):
    scene = solved_by(solver, SCENES[kind]())
    frames = list(simulate(scene))
    assert len(frames) == 101
    for frame in frames[1::10]:
        np.testing.assert_allclose(frame.x, frames[0].x, rtol=0.0, atol=1e-6)
        np.testing.assert_allclose(frame.bodies, frames[0].bodies, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("kind", [kind for kind in SCENES if "tree" not in kind])
def test_forces_balance(kind):
    """No free vertex is left with more than 1e-8 g, by the tensions that serve best."""
    scene = SCENES[kind]()
    model, state, work = balanced(scene)
    before = state.theta.copy()
    assert elastic_forces(model, state, work.elastic) < 0
    np.testing.assert_allclose(state.theta, before, rtol=0.0, atol=1e-10)
    rods, rod = model.rods, scene.rods[0]
    own = slice(rods["first"][0], rods["last"][0] + 1)
    n, edges = len(rod.x), rod.edges()
    free = np.ones(n, bool)
    for pin in scene.pins:
        inner = 0 < pin.vertex < n - 1 or rod.closed
        free[[pin.vertex, pin.vertex + (inner and pin.mode != "POSITION")]] = False
    total = work.elastic.f[own] / rod.mass[:, None] + model.world["gravity"][0]
    if not rod.stretchable:
        pull = np.zeros((n, 3, len(edges)))
        for j, t in enumerate(edges / np.linalg.norm(edges, axis=1)[:, None]):
            pull[j, :, j] += t / rod.mass[j]
            pull[(j + 1) % n, :, j] -= t / rod.mass[(j + 1) % n]
        pull = pull[free].reshape(-1, len(edges))
        tension = np.linalg.lstsq(pull, -total[free].ravel(), rcond=None)[0]
        left = total[free].ravel() + pull @ tension
    else:
        left = total[free]
    assert np.abs(left).max() < 1e-8 * G


def test_as_drawn_it_would_sag():
    """What the other tests would see without the rest shape."""
    for kind, build in SCENES.items():
        if kind != "ring hung on a nail":
            scene = build()
            scene = replace(scene, rods=tuple(replace(rod, balanced=False) for rod in scene.rods), frame_count=6)
            frames = list(simulate(scene))
            assert np.abs(frames[-1].x - frames[0].x).max() > 1e-5, kind


def test_bends_like_any_other_under_more_load(solver):
    """A horizontal cantilever that stands straight: a tip load F bends it by FL³/3B."""
    force = 1e-3
    rod = replace(straight_rod(40, 1.2, (0.7, 0.9), line_density=0.3), balanced=True)
    scene = scene_of(rod, (0, "TWIST"), solver=solver)
    model, _, _ = balanced(scene)
    load = np.zeros((41, 3))
    load[-1, 2] = -force
    still = Statics(scene, load)
    still.model = model
    x = still.settle()
    assert -x[-1, 2] == pytest.approx(force * 1.2**3 / (3.0 * 0.7), rel=2e-3)  # bends towards m₁, along z
    assert np.abs(x[-1, 1]) < 1e-9


def sideways(share, twist, terms=8):
    """ω² [B/mL⁴] at which a level clamped round rod that stands straight vibrates sideways, its twisting stiffness
    `twist` [B] and its weight that share of Michell's and Prandtl's 12.85 √(BC)/L³, at which it would tip over.

    Its rest shape bears the moment M = q (L − s)²/2 in the vertical plane. Where it is bent sideways by z″ and turned
    by θ, that plane has the curvature θ z″, so the energy is ∫ ½ B z″² + M θ z″ + ½ C θ′²; the turn that makes it
    least, of θ(0) = 0 and θ′(L) = 0, has C θ′ = −∫ M z″ from s to L. Of z = Σ a_k s^{k+2} Ritz' method finds the
    lowest.
    """
    load = 12.85 * share * np.sqrt(twist)
    s, weight = np.polynomial.legendre.leggauss(40)
    s, weight = 0.5 * (s + 1.0), 0.5 * weight
    bent = []
    for power in range(2, terms + 2):
        z = np.polynomial.Polynomial.basis(power)
        moment = (0.5 * load * np.polynomial.Polynomial([1.0, -1.0]) ** 2 * z.deriv(2)).integ()
        bent.append((z(s), z.deriv(2)(s), moment(1.0) - moment(s)))
    z, curvature, torque = np.array(bent).transpose(1, 0, 2)
    stiffness = (weight * curvature) @ curvature.T - (weight * torque) @ torque.T / twist
    mass = (weight * z) @ z.T
    return eigh(stiffness, mass, eigvals_only=True)[0]


def level(n, share, **options):
    """Such a rod of n edges, B = m = L = 1 and C = .6, alone in a vacuum."""
    twist = 0.6
    rod = replace(straight_rod(n, twist=twist, **options), balanced=True)
    gravity = np.array([0.0, 0.0, -12.85 * share * np.sqrt(twist)])
    return scene_of(rod, (0, "TWIST"), gravity=gravity, air_density=0.0)


def test_the_law_of_what_stands_straight_sideways():
    """Of no weight that of any cantilever; of the critical one none."""
    assert sideways(0.0, 0.6) == pytest.approx(3.5160**2, rel=1e-4)
    assert abs(sideways(1.0, 0.6)) < 1e-3 * 3.5160**2


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_what_stands_straight_is_as_stiff_sideways_as_its_curved_rest_shape_makes_it(share, solver):
    """Its frames turn, though it is drawn round and straight."""
    scene = solved_by(solver, level(40, share))
    still = Statics(scene)
    still.model, still.state, still.work = balanced(scene)
    assert still.squares()[0] - sideways(share, 0.6) == pytest.approx(0.0, abs=2e-3 * sideways(0.0, 0.6))


@pytest.mark.parametrize("options", [{"balanced": True}, {"balanced": False, "rest_length_factor": 1.05}])
def test_whatever_the_start_does_a_rod_stays_of_the_class_that_all_is_laid_out_by(options, solver):
    """Lengths fitted, balanced, settled; implicit steps solve for the frames of all but the simplest class."""
    scene = solved_by(solver, level(20, 0.5), settle=True)
    scene = replace(scene, rods=(replace(scene.rods[0], **options),))
    with ThreadPoolExecutor(1) as threads:
        islands = Islands(scene, [], threads)
        (run,) = islands.runs.values()
        drawn = run.model.rods.copy()
        islands.prepare()
        islands.settle()
        assert np.array_equal(run.model.rods, drawn)  # not bytes: there are some between columns


def test_it_swings_so_from_the_first_frame(solver):
    scene = solved_by(solver, level(20, 0.5), frame_count=121, max_step=4e-3)
    s = np.linspace(0.0, 1.0, 21)
    v = np.zeros((21, 3))
    v[:, 1] = 1e-3 * (2.0 * s**2 - 4.0 / 3.0 * s**3 + s**4 / 3.0)  # about as it vibrates
    scene = replace(scene, rods=(replace(scene.rods[0], v=v),))
    tip = np.array([item.x[-1, 1] for item in simulate(scene)])
    k = np.flatnonzero(tip[1:-1] * tip[2:] < 0.0) + 1
    at = scene.frame_duration * (k - tip[k] / (tip[k + 1] - tip[k]))
    assert (np.pi / np.diff(at).mean()) ** 2 == pytest.approx(sideways(0.5, 0.6), rel=0.01)


def test_the_least_rest_shape_that_will_do():
    """Hung at both ends, a catenary needs no moments, up to second order; half a circle does."""
    found = []
    for n in (31, 61, 121):
        s = np.linspace(-1.0, 1.0, n)
        around = 0.5 * np.pi * (s - 1.0)
        for x in ((s, 0.0 * s, np.cosh(s)), (np.cos(around), 0.0 * s, np.sin(around))):
            rod = Rod.from_material("rope", np.stack(x, axis=1), 0.01, WOOD, balanced=True)
            scene = scene_of(rod, (0, "POSITION"), (-1, "POSITION"))
            drawn, _, _ = assemble(scene)
            model, _, _ = balanced(scene)
            found.append(n * np.abs(model.hinges["rest_curvature"] - drawn.hinges["rest_curvature"]).max())
    catenary, circle = np.array(found).reshape(3, 2).T
    assert np.all(np.log2(catenary[:-1] / catenary[1:]) > 1.9)
    assert catenary[2] < 0.02 * circle[2]
    assert circle[2] == pytest.approx(circle[1], rel=0.02)


@pytest.mark.parametrize("scale", [0.5, 4.0])
def test_scaling(scale):
    """The moments are those of the weight, and what the rest shape adds goes with these over stiffness, but for what is
    of second order in it.
    """
    found, borne = [], []
    for factor in (1.0, scale):
        rod = wavy()
        rod = replace(
            rod, bend_stiffness=factor * rod.bend_stiffness, twist_stiffness=factor * rod.twist_stiffness,
        )  # fmt: skip
        drawn, _, _ = assemble(scene_of(rod, (0, "TWIST")))
        model, state, _ = balanced(scene_of(rod, (0, "TWIST")))
        found.append(model.hinges["rest_curvature"] - drawn.hinges["rest_curvature"])
        inner = np.arange(len(rod.x) - 1)
        at = bent(model, state, inner)
        borne.append(moments(model, inner, at.strain))
    largest = np.abs(found[0]).max()
    assert largest > 1e-3
    np.testing.assert_allclose(borne[1], borne[0], rtol=0.0, atol=1e-9 * np.abs(borne[0]).max())
    np.testing.assert_allclose(scale * found[1], found[0], rtol=0.0, atol=max(1.0, 1.0 / scale) * largest**2)


def test_without_gravity_the_rest_shape_is_as_drawn():
    scene = scene_of(wavy(shape_memory=0.3), (0, "TWIST"), gravity=np.zeros(3))
    straight, _, _ = assemble(replace(scene, rods=(wavy(shape_memory=1.0),)))
    model, _, _ = balanced(scene)
    np.testing.assert_allclose(model.hinges["rest_curvature"], straight.hinges["rest_curvature"], rtol=0.0, atol=1e-14)
    np.testing.assert_allclose(model.hinges["rest_twist"], straight.hinges["rest_twist"], rtol=0.0, atol=1e-14)


def test_what_is_not_balanced_swings_on_what_is():
    """A limb that is to sag does, and the others still hold their own."""
    scene = replace(tree(2), frame_count=6)
    frames = list(simulate(scene))
    moved = np.abs(frames[-1].x - frames[0].x).max(axis=1)
    assert moved[30:45].max() > 1e-4
    assert moved[:15].max() < 0.5 * moved[30:45].max()


@pytest.mark.parametrize(
    "pins", [(), ((0, "POSITION"),), ((0, "DIRECTION"),), ((0, "POSITION"), (-1, "POSITION"))], ids=len
)
def test_what_nothing_holds(pins):
    """It falls, swings, spins about its tangent, or turns about the line through its pins."""
    with pytest.raises(SimulationError, match="'limb' cannot stand still as it is drawn") as refusal:
        balanced(scene_of(wavy(), *pins))
    assert refusal.value.object == "limb"


def test_what_is_too_soft():
    soft = replace(wavy(), bend_stiffness=1e-5 * wavy().bend_stiffness)
    with pytest.raises(SimulationError, match="'limb' is too soft to hold its drawn shape"):
        balanced(scene_of(soft, (0, "TWIST")))
