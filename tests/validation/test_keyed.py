"""Numbers of a rod that go with time: what a change of them does is work, to the last part of it.

With E the elastic energy at the places x and numbers p, and T the tension of an edge that keeps its length l, rods win

    dW = ∂E/∂p dp + T dl    (T < 0 where they are pulled),

and their energy, kinetic, elastic and in gravity, rises by that and nothing else.
"""

from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick
from solvers import exact_steps, persist
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.energies import energies
from tendril.physics.materials import Material
from tendril.physics.rods.keyed_numbers import numbers_at
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Frame, Keyed, Notice, Pin, RigidBody, Rod, Scene, SoftBody, Weld

N = 16
RUBBER = Material(young=2e6, poisson=0.5, density=1000.0, bend_factor=1.0, internal_damping=0.0, drag_coefficient=0.0)


def curl(size=0.05, radius=0.01, **options):
    """A strand of rubber, 1 m, curled, a heavy ball at its end."""
    s = np.linspace(0.0, 1.0, N + 1)
    x = np.stack([size * np.sin(3.0 * s), size * np.cos(2.0 * s), -s], axis=1)
    rod = Rod.from_material("strand", x, radius, RUBBER, **options)
    rod.mass[-1] += 0.2
    return rod


def scene_of(rod, solver, both_ends=False, **options):
    ends = [Pin.fixed(rod, vertex, "TWIST") for vertex in ((0, -1) if both_ends else (0,))]
    return Scene((rod,), 1.0 / 24.0, 25, tuple(ends), solver=solver, contact=False, air_density=0.0, quality="FINE",
                 **options)  # fmt: skip


def ramp(duration=0.2, **ends):
    times = np.linspace(0.0, duration, 21)
    smooth = 0.5 - 0.5 * np.cos(np.pi * times / duration)
    begin = {name: 0.0 if name == "twist" else 1.0 for name in ends}
    return Keyed("strand", times, **{name: begin[name] + (end - begin[name]) * smooth for name, end in ends.items()})


def work_and_gain(scene, h, count):
    """(what the numbers did, what the rods won) [J] in so many steps of h [s], the work by the trapezoidal rule."""
    model, state, work = assemble(scene)
    before, done, pull = energies(model, state).total, 0.0, None
    for k in range(count):
        numbers_at(model, k * h)
        lengths, shift = model.edges["length"].copy(), changed_by(model, state, k * h, h)
        exact_steps(scene, model, state, work, h, 1)
        done += 0.5 * (shift + changed_by(model, state, k * h, h))
        if not model.rods["stretchable"][0]:
            now = -state.tension * model.edges["length"]
            mean = now if pull is None or scene.solver == "EXPLICIT" else 0.5 * (pull + now)
            done, pull = done - (mean * (model.edges["length"] - lengths))[:N].sum(), now
    return done, energies(model, state).total - before


def changed_by(model, state, time, h):
    """[J] by which numbers of h [s] from `time` on change elastic energy where rods are; the model has them then."""
    held = []
    for moment in (time, time + h):
        numbers_at(model, moment)
        held.append(energies(model, state).total)
    return held[1] - held[0]


slow = pytest.mark.slow
CASES = [
    ("length", 0.6, {}), pytest.param("length", 1.3, {}, marks=slow), ("length", 0.8, {"stretchable": True}),
    ("length", 0.8, {"model": "cosserat"}), ("bending", 100.0, {}),
    pytest.param("stretching", 3.0, {"stretchable": True}, marks=slow), ("stretching", 3.0, {"model": "cosserat"}),
    ("shape", 0.0, {}), pytest.param("shape", 0.0, {"model": "cosserat"}, marks=slow),
    pytest.param("twist", 4.0, {}, marks=slow), ("twist", 4.0, {"model": "cosserat"}),
]  # fmt: skip


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize(("name", "end", "options"), CASES)
def test_rods_win_what_the_change_of_a_number_does(name, end, options, solver):
    size = 0.2 if name == "shape" else 0.05
    scene = scene_of(curl(size, keyed=ramp(**{name: end}), **options), solver, name == "twist")
    done, won = work_and_gain(scene, 1e-4, 2000)
    if solver == "EXPLICIT":  # of first order: what is left where steps are endlessly short
        done, won = 2.0 * np.array([done, won]) - work_and_gain(scene, 2e-4, 1000)
    assert abs(done) > 1e-3
    assert won == pytest.approx(done, rel=1e-3), (done, won)


def by_driver(scene, frames):
    """(model, state) after so many frames, as a bake takes them."""
    model, state, _ = assemble(scene)
    for k in range(frames):
        state, _, failed = persist(scene, model, state, None, (k + 1) * scene.frame_duration)
        assert failed is None
    return model, state


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("options", [{}, {"stretchable": True}, {"model": "cosserat"}])
@pytest.mark.parametrize(("name", "end"), [("length", 0.5), ("bending", 50.0), ("shape", 0.0)])
def test_what_a_number_does_is_not_taken_for_energy_out_of_nothing(name, end, options, solver):
    """Steps that win energy are taken again and told: the weight that a muscle lifts comes from the muscle."""
    scene = scene_of(curl(0.2, keyed=ramp(**{name: end}), **options), solver)
    scene = replace(scene, quality="GOOD")
    _, state = by_driver(scene, 8)
    assert state.clock["won"][0] == 0.0
    if name == "length" and not options:
        assert np.linalg.norm(np.diff(state.x, axis=0), axis=1).sum() == pytest.approx(0.5 * drawn(scene), rel=1e-6)


def drawn(scene):
    return np.linalg.norm(scene.rods[0].edges(), axis=1).sum()


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_load_is_lifted_with_its_weight_and_inertia(solver):
    """T = m (g + a) at the top of a light strand, whose load goes up as its length says."""
    s = np.linspace(0.0, 1.0, N + 1)
    rod = Rod.from_material("strand", np.stack([0.0 * s, 0.0 * s, -s], axis=1), 0.002, RUBBER)
    rod.mass[:] *= 0.01
    rod.mass[-1] = 1.0
    times = np.linspace(0.0, 1.0, 25)
    keyed = Keyed("strand", times, length=1.0 - 0.25 * times**2)  # 0.5 m/s² upwards
    scene = scene_of(replace(rod, keyed=keyed), solver)
    model, state, work = assemble(scene)
    pulls = []
    for k in range(5000 if solver == "EXPLICIT" else 500):
        exact_steps(scene, model, state, work, 1e-4 if solver == "EXPLICIT" else 1e-3, 1)
        if state.clock["time"][0] > 0.2 and k % 10 == 0:
            pulls.append(-state.tension[0] * model.edges["length"][0])
    assert np.mean(pulls) == pytest.approx(rod.mass[1:].sum() * (9.81 + 0.5), rel=5e-3)


def test_a_bake_that_is_resumed_is_the_same():
    scene = scene_of(curl(keyed=ramp(0.5, length=0.6, bending=3.0), model="cosserat"), "IMPLICIT")
    scene = replace(scene, frame_count=12, quality="PREVIEW")
    whole = [frame for frame in simulate(scene) if isinstance(frame, Frame)]
    again = [frame for frame in simulate(scene, whole[5].state) if isinstance(frame, Frame)]
    assert [frame.x.tobytes() for frame in again] == [frame.x.tobytes() for frame in whole[6:]]


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_numbers_that_stay_change_nothing(solver):
    """To the last bit, and where a body hangs on the rod."""
    rod = curl()
    held = RigidBody("ball", rod.x[-1], 0.5, 0.01 * np.eye(3))
    once = replace(scene_of(rod, solver), frame_count=6, bodies=(held,), welds=(Weld("ball", 0, 0, N),))
    still = Keyed("strand", np.array([0.0, 1.0]), length=np.ones(2), bending=np.ones(2), friction=np.ones(2))
    keyed = replace(once, rods=(replace(rod, keyed=still),))
    found = [[frame.x.tobytes() for frame in simulate(one) if isinstance(frame, Frame)] for one in (once, keyed)]
    assert found[0] == found[1]


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_body_is_lifted_by_the_rod_that_shortens(solver):
    rod = curl()
    held = RigidBody("ball", rod.x[-1], 0.5, 0.01 * np.eye(3))
    scene = replace(
        scene_of(replace(rod, keyed=ramp(0.4, length=0.5)), solver), frame_count=12, quality="GOOD", bodies=(held,),
        welds=(Weld("ball", 0, 0, N),),
    )  # fmt: skip
    frames = [frame for frame in simulate(scene) if isinstance(frame, Frame)]
    assert np.linalg.norm(np.diff(frames[-1].x, axis=0), axis=1).sum() == pytest.approx(0.5 * drawn(scene), rel=1e-6)
    assert not [one for one in simulate(scene) if isinstance(one, Notice)]


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_a_rod_slides_once_its_friction_is_less_than_the_slope(solver):
    """On a floor, with gravity aslant by tan .3: at .5 it stays, at .1 it goes by g (sin − .1 cos)."""
    s = np.linspace(0.0, 0.3, 7)
    rod = Rod.from_material("strand", np.stack([0.0 * s, s, 0.0 * s + 0.01], axis=1), 0.01, RUBBER, friction=0.5)
    times = np.array([0.0, 0.25, 0.2501, 2.0])
    keyed = Keyed("strand", times, friction=np.array([1.0, 1.0, 0.2, 0.2]))
    down = 9.81 * np.array([0.3, 0.0, -1.0]) / np.hypot(0.3, 1.0)
    scene = Scene((replace(rod, keyed=keyed),), 1.0 / 24.0, 19, floor=Floor(0.0, 0.5), gravity=down, solver=solver,
                  air_density=0.0)  # fmt: skip
    x = np.array([frame.x[:, 0].mean() for frame in simulate(scene) if isinstance(frame, Frame)])
    assert abs(x[6]) < 1e-4
    mu = np.sqrt(0.1 * 0.5)  # of a pair the geometric mean
    wanted = 0.5 * 9.81 * (0.3 - mu) / np.hypot(0.3, 1.0) * 0.5**2
    assert x[18] - x[6] == pytest.approx(wanted, rel=0.03)


def test_a_rod_that_shortens_beside_a_soft_body_is_not_taken_for_energy_out_of_nothing():
    """They go on together; the work of the rod is known there too. Else steps are taken again, by a twentieth."""
    x, tetrahedra = brick((1, 1, 1), (0.05, 0.05, 0.05))
    cube = SoftBody("cube", x + [0.5, 0.0, 0.01], tetrahedra, 1000.0, 1e5, 0.4)
    scene = scene_of(curl(radius=0.001, keyed=ramp(length=0.9)), "EXPLICIT")
    scene = replace(scene, frame_count=7, quality="GOOD", contact=True, solids=(cube,), floor=Floor(-1.2))
    frames = [frame for frame in simulate(scene) if isinstance(frame, Frame)]
    still = replace(scene, rods=(replace(scene.rods[0], keyed=None),), frame_count=4)
    usual = [frame.state["clock.step"].max() for frame in simulate(still) if isinstance(frame, Frame)]
    assert max(frame.state["clock.won"].max() for frame in frames) == 0.0
    assert max(frame.state["clock.step"].max() for frame in frames[1:4]) > 0.5 * max(usual)
    assert min(frame.state["clock.step"].max() for frame in frames[1:4]) > 0.25 * min(usual[1:])
    length = np.linalg.norm(np.diff(frames[-1].x[: N + 1], axis=0), axis=1).sum()
    assert length == pytest.approx(0.9 * drawn(scene), rel=1e-6)
