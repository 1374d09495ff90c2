"""A winch: what is paid out is as long as it says, weighs what it is long, and pulls at the winch with its weight and
inertia; energy goes by what the winch does, and no piece that comes or goes is seen.

With μ the mass of a metre, L what is out and T what pulls at the winch, the rod and its load gain

    dE = −T dL + ½ μ L′² dL,

for what is reeled in takes its motion along.
"""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from solid_meshes import brick
from solvers import exact_steps
from tendril.physics.assemble import assemble
from tendril.physics.assemble.coupled import assemble_coupled, coupled
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.keyed_numbers import PAID_OUT, lay_now, number
from tendril.physics.run.failure import failure
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Frame, Keyed, Notice, Pin, Pulley, RigidBody, Rod, Scene, SoftBody, Weld
from tendril.physics.time_integration import symplectic_euler
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.coupled_step import coupled_steps
from tendril.physics.time_integration.symplectic_euler import OVERSTRETCHED
from tendril.physics.validate import SimulationError

G, LENGTH, LOAD = 9.81, 20.0, 50.0
ROPE = Material(young=1e8, poisson=0.3, density=1000.0, bend_factor=1.0, internal_damping=0.0, drag_coefficient=0.0)
STEADY = np.array([2.0, 6.0])  # s, of REEL
SOLVERS = ["EXPLICIT", "IMPLICIT"]


def reel(times, speed=1.0, start=LENGTH):
    """From rest to a speed [m/s] in a second, and on at that."""
    begun = np.minimum(times, 1.0)
    return start - speed * (0.5 * (begun - np.sin(np.pi * begun) / np.pi) + np.maximum(times - 1.0, 0.0))


def there_and_back(times, depth=5.0, period=8.0, start=LENGTH):
    return start - 0.5 * depth * (1.0 - np.cos(2.0 * np.pi * times / period))


def winch(paid_out, duration=8.0, pieces=40, angle=0.0, load=LOAD, end=0, solver="EXPLICIT", length=LENGTH, **options):
    """Scene of a rope that hangs down from a winch, at an angle; paid_out: a function of times."""
    s = np.linspace(0.0, length, pieces + 1)
    x = np.stack([np.sin(angle) * s, 0.0 * s, -np.cos(angle) * s], axis=1)
    rod = Rod.from_material("rope", x if end == 0 else x[::-1].copy(), 0.006, ROPE, **options)
    rod.mass[-1 if end == 0 else 0] += load
    times = np.linspace(0.0, duration, int(24 * duration) + 1)
    out = paid_out(times)
    rod = replace(rod, keyed=Keyed("rope", times, paid_out=out, winch=end))
    pin = replace(Pin.fixed(rod, end), position=((1.0 - out[0] / length) * x[-1])[None])
    return Scene((rod,), 1.0 / 24.0, len(times), (pin,), solver=solver, contact=False, air_density=0.0)


class Run:
    """What is seen of a winch step by step, by steps of h [s]: columns of `rows`."""

    def __init__(self, scene, h, duration):
        self.model, self.state, work = assemble(scene)
        self.scene, rod = scene, scene.rods[0]
        explicit, end = scene.solver == "EXPLICIT", rod.keyed.winch
        self.mu = (rod.mass.sum() - rod.mass.max()) / (LENGTH - LENGTH / (2.0 * rod.edge_count))
        place, rows, keys, done = scene.pins[0].position[0], [], self.model.keyed, 0.0
        out = [number(keys.keys, keys.keyed[0], PAID_OUT, k * h) for k in range(round(duration / h) + 1)]
        for k in range(len(out) - 1):
            exact_steps(scene, self.model, self.state, work, h, 1)
            free = self.free()
            edge = free.stop - 1 if end else free.start - 1
            change = out[k + 1] - out[k]
            length = self.model.edges["length"][edge]
            pull = -self.state.tension[edge] * (length - change if explicit else length)
            mass, v = self.model.nodes["mass"][free], self.state.v[free]
            done -= (pull - 0.5 * self.mu * (change / h) ** 2) * change
            kinetic = 0.5 * (mass * (v**2).sum(axis=1)).sum()
            energy = kinetic + G * (mass * (self.state.x[free, 2] - place[2])).sum()
            length = np.linalg.norm(np.diff(self.state.x, axis=0), axis=1).sum()
            at = free.stop if end else free.start
            rows.append(((k + 1) * h, pull, mass.sum(), energy, done, length, out[k + 1], at))
        self.time, self.pull, self.mass, self.energy, self.done, self.length, self.out, self.at = np.array(rows).T

    def free(self):
        before, behind = self.model.rods["reeled"][0]
        return slice(int(before), len(self.state.x) - int(behind))


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("start", "speed", "end"), [(LENGTH, 1.0, 0), (4.0, -1.0, 0), (LENGTH, 1.0, -1)])
def test_the_pull_is_load_and_rope_and_what_is_out_weighs_what_it_is_long(solver, start, speed, end):
    run = Run(winch(lambda t: reel(t, speed, start), end=end, solver=solver), 1e-3, 6.0)
    steady = (run.time > STEADY[0]) & (run.time < STEADY[1] - 0.1)
    assert np.unique(run.at[steady]).size >= 7  # pieces have come, or gone
    assert np.abs(run.pull / (run.mass * G) - 1.0)[steady].max() < 5e-3
    assert np.abs(run.mass - run.mass[0] - run.mu * (run.out - run.out[0])).max() < 1e-10
    assert np.abs(run.length - run.out).max() < 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_load_that_is_sped_up_pulls_by_its_inertia(solver):
    run = Run(winch(lambda t: LENGTH - 0.25 * t**2, solver=solver), 1e-3, 4.0)
    steady = (run.time > 0.5) & (run.time < 3.9)
    assert run.pull[steady].mean() == pytest.approx((run.mass[steady] * (G + 0.5)).mean(), rel=5e-3)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("angle", [0.0, 0.3])
def test_energy_goes_by_what_the_winch_does_and_pieces_are_not_seen(solver, angle):
    run = Run(winch(there_and_back, angle=angle, solver=solver), 1e-3, 8.0)
    drift = run.energy - run.done
    assert np.ptp(run.energy) > 1000.0
    assert np.ptp(drift) < 5e-4 * np.ptp(run.energy)
    comes = np.flatnonzero(np.diff(run.at))
    assert len(comes) == 20
    assert np.abs(np.diff(drift))[comes].max() < 2e-6 * np.ptp(run.energy)


def test_a_rope_without_a_load_is_reeled_in_and_out():
    run = Run(winch(there_and_back, angle=0.3, load=0.0), 1e-3, 8.0)
    assert np.ptp(run.energy - run.done) < 0.01 * np.ptp(run.energy)
    assert np.abs(run.length - run.out).max() < 1e-6


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("options", [{}, {"stretchable": True}])
def test_frames_are_the_same_twice_and_resumed(solver, options):
    scene = winch(lambda t: there_and_back(t, 5.0, 6.0), 3.0, angle=0.3, load=5.0, solver=solver, **options)
    whole, twice = ([frame for frame in simulate(scene) if isinstance(frame, Frame)] for _ in range(2))
    again = [frame for frame in simulate(scene, whole[30].state) if isinstance(frame, Frame)]
    assert [frame.x.tobytes() for frame in twice] == [frame.x.tobytes() for frame in whole]
    assert [frame.x.tobytes() for frame in again] == [frame.x.tobytes() for frame in whole[31:]]
    assert not [one for one in simulate(scene) if isinstance(one, Notice)]
    length = np.array([np.linalg.norm(np.diff(frame.x, axis=0), axis=1).sum() for frame in whole])
    said = scene.rods[0].keyed.paid_out[: len(whole)]
    assert np.abs(length / said - 1.0).max() < (0.02 if options else 1e-6)
    at_winch = np.linalg.norm(whole[-1].x[1:9], axis=1)
    assert at_winch.max() < 1e-3  # what is reeled in lies there


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("settle", [False, True])
def test_a_crate_is_lifted_and_let_down_onto_the_floor(solver, settle):
    scene = winch(lambda t: there_and_back(t, 1.2, 2.0, 2.0), 2.0, 20, load=0.0, solver=solver, length=2.0,
                  internal_damping=0.01)  # fmt: skip
    x = scene.rods[0].x
    crate = RigidBody("crate", x[-1] - [0.0, 0.0, 0.1], 20.0, 0.1 * np.eye(3))
    scene = replace(scene, bodies=(crate,), welds=(Weld("crate", 0, 0, 20, "POSITION"),), contact=True, settle=settle,
                    floor=Floor(-2.5))  # fmt: skip
    frames, notices = [], []
    for one in simulate(scene):
        (frames if isinstance(one, Frame) else notices).append(one)
    assert not notices
    height = np.array([frame.bodies[0, 2] for frame in frames])
    out = scene.rods[0].keyed.paid_out[: len(frames)]
    assert np.abs(height + out + 0.1).max() < 2e-3
    assert max(frame.state["clock.won"].max() for frame in frames) == 0.0


def test_a_step_in_which_a_vertex_is_reeled_in_can_be_taken_back():
    """Shorter ones are then tried from there, in which it is still out."""
    scene, h = winch(reel, 3.0), 1e-3
    model, state, work = assemble(scene)

    def first_at(time):
        lay_now(model, time)
        return int(model.rods["reeled"][0, 0])

    while (time := state.clock[0]["time"]) < 1.5 or first_at(time + h) == first_at(time):
        lay_now(model, time)
        exact_steps(scene, model, state, work, h, 1)
    out = first_at(time)
    lay_now(model, time)
    elastic_forces(model, state, work.elastic)
    symplectic_euler.keep(state, work.old)
    for part, first in ((1.0, out + 1), (0.5**6, out), (0.5**10, out)):
        status, *_ = symplectic_euler.attempt(model, state, work, part * h, np.inf)
        assert (status, int(model.rods["reeled"][0, 0])) == (symplectic_euler.DONE, first)
        assert np.linalg.norm(state.v[first:], axis=1).max() < 1.01  # of the winch's 1 m/s
        symplectic_euler.take_back(state, work.old)


def test_a_rope_beside_a_soft_body_is_let_out_as_one_alone():
    """It swings far, so that the edge at the winch is slack, which is not pushed out at once in either."""
    scene = replace(winch(lambda t: there_and_back(t, 3.0, 2.0), 2.0, 20, angle=1.0, load=0.0), contact=True)
    x, node = brick((1, 1, 1), (0.1, 0.1, 0.1))
    jelly, h = SoftBody("jelly", x + [0.0, 9.0, 0.0], node, 1000.0, 2e5, 0.3), 1e-3
    model, state, work = assemble(scene)
    both = coupled(*assemble_coupled(replace(scene, solids=(jelly,))))
    for _ in range(1200):
        assert take_steps(model, state, work, h, 1)[0] == 0
        assert coupled_steps(both, False, h, 1e9, 1e9, h)[0] == 0
    assert np.abs(both.rods.state.x - state.x).max() < 1e-5


def test_what_stands_in_the_way_goes_around_what_is_reeled_in():
    """A rope that lies about is drawn in over a floor through another one, and no step asks for more and more pairs."""
    scene = winch(lambda t: there_and_back(t, 1.0, 2.0, 2.0), 1.0, 60, angle=1.5, load=0.0, length=2.0,
                  internal_damping=0.01)  # fmt: skip
    across = np.stack([np.full(9, 0.8), np.linspace(-0.4, 0.4, 9), np.full(9, -0.16)], axis=1)
    other = Rod.from_material("other", across, 0.006, ROPE)
    scene = replace(scene, rods=(*scene.rods, other), contact=True, floor=Floor(-0.3))
    said = list(simulate(scene))
    assert not [one for one in said if isinstance(one, Notice)]
    assert np.isfinite(said[-1].x).all()
    assert said[-1].x[:61, 2].min() > -0.3 + 0.9 * 0.006


def test_what_it_draws_in_past_others_is_never_thrown():
    """Steps in which it catches at four more ropes are taken back, also those in which a vertex was reeled in."""
    scene = winch(lambda t: np.maximum(2.0 - 2.0 * t, 0.3), 1.0, 60, angle=1.5, load=0.0, solver="IMPLICIT", length=2.0,
                  internal_damping=0.01)  # fmt: skip
    others = []
    for k, along in enumerate(0.5 + 0.35 * np.arange(4)):
        y = np.linspace(-0.4, 0.4, 9)
        x = np.stack([np.full(9, along), y, np.full(9, -0.032 - 0.0708 * along)], axis=1)
        others.append(Rod.from_material(f"other {k}", x, 0.006, ROPE))
    frames = list(simulate(replace(scene, rods=(*scene.rods, *others), contact=True, floor=Floor(-0.3))))
    assert not [one for one in frames if isinstance(one, Notice)]
    way = max(np.abs(one.x - before.x).max() for before, one in itertools.pairwise(frames))
    assert way * 24 < 5.0  # m/s


def crane(out, frames):
    """A crate of 2 kg on a rope of 2.8 m that runs up from a winch and over two pulleys; out [m]: at the first frame,
    and at the last.
    """
    x = np.concatenate([
        np.linspace(a, b, n, endpoint=False)
        for a, b, n in (((0, 0, 0), (0, 0, 1), 20), ((0, 0, 1), (1, 0, 1), 20), ((1, 0, 1), (1, 0, 0.15), 17))
    ])  # fmt: skip
    rod = Rod.from_material("rope", x, 5e-3, ROPE, shape_memory=0.0, touches=False)
    times = np.arange(frames) / 24.0
    rod = replace(rod, keyed=Keyed("rope", times, paid_out=np.linspace(*out, frames)))
    pin = replace(Pin.fixed(rod, 0), position=np.array([[0.0, 0.0, 2.8 - out[0]]]))
    crate = RigidBody("crate", x[-1], 2.0, 1e-2 * np.eye(3))
    pulleys = tuple(Pulley.fixed(rod, vertex) for vertex in (20, 40))
    weld = Weld("tie", 0, 0, len(x) - 1, "POSITION")
    return Scene((rod,), 1.0 / 24.0, frames, (pin,), bodies=(crate,), welds=(weld,), pulleys=pulleys, contact=False)


def test_where_a_winch_reels_a_crate_into_its_block_its_keys_are_named():
    with pytest.raises(SimulationError, match="pay out more, or key Paid Out more slowly; or choose a higher quality"):
        list(simulate(crane((2.79, 1.9), 20)))


def test_where_no_winch_moves_nobody_names_one():
    rod, *_ = (scene := crane((2.79, 2.79), 3)).rods
    model, state, _ = assemble(scene)
    assert rod.keyed.paid_out is not None
    assert "Paid Out" not in failure(scene, model, state, OVERSTRETCHED, 0, 0, 1.0)[1]
