"""Friction acts on surfaces: what it twists, and that what turns about tangents is not lost on the way."""

from dataclasses import replace

import numpy as np
import pytest
from coupling import HUNG, HUNG_NODE, Coupling, S, jelly
from solids import brick
from solvers import go_on, solved_by
from statics import held, straight_rod
from tendril.physics.assemble import assemble
from tendril.physics.contact.friction_moments import SHARE, SLIGHT, keep_moments
from tendril.physics.diagnostics.energies import energies, wound
from tendril.physics.diagnostics.momenta import angular_momentum
from tendril.physics.materials import Material
from tendril.physics.rods.elastic_forces import elastic_forces
from tendril.physics.rods.material_axes import material_axes
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, RigidBody, Rod, Scene, Weld
from tendril.physics.time_integration.advance import take_steps
from tendril.physics.time_integration.step_limit import stable_step
from tendril.physics.time_integration.symplectic_euler import DONE

G = 9.81
SECTIONS = {"round": 0.7, "general": (0.7, 0.7 * 1.001)}
RUBBER = Material(5e6, 0.45, 1000.0, friction=0.4)


def angles(m1):
    """Angles (m,) [rad] about x that turn z into the first material axes m1 (m, 3) of a rod along x."""
    return np.arctan2(-m1[:, 1], m1[:, 2])


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("edge", [4, 17])
def test_a_torque_between_clamps(section, edge):
    """Where T acts, at the part s of its length, a straight rod turns by T s (1 − s) L/C, and evenly on both sides."""
    n, length, stiffness, torque = 25, 1.2, 3.0, 1.7
    rod = straight_rod(n, length, section, twist=stiffness)
    model, state, work = assemble(held(rod, "TWIST", "TWIST"))
    state.rods["loaded"] = True
    state.moment[model.rods["frame"][0] + 1 + edge] = torque
    assert elastic_forces(model, state, work.elastic) < 0
    s = (np.arange(n) + 0.5) / n
    acts = s[edge]
    expected = torque * np.where(s < acts, s * (1.0 - acts), acts * (1.0 - s)) * length / stiffness
    np.testing.assert_allclose(angles(material_axes(model, state)), expected, atol=1e-12)
    assert state.rods["torque"][0] == pytest.approx(torque * max(acts, 1.0 - acts), rel=1e-9)
    energy = 0.5 * torque**2 * acts * (1.0 - acts) * length / stiffness
    assert wound(model, state)[0] == pytest.approx(energy, rel=1e-9)
    assert energies(model, state).twisting[0] == pytest.approx(0.0, abs=1e-12 * energy)


@pytest.mark.parametrize("section", SECTIONS.values(), ids=SECTIONS)
@pytest.mark.parametrize("mode", ["TWIST", "DIRECTION"])
def test_a_torque_beside_one_clamp(section, mode):
    """One clamp takes all of T: beyond where it acts nothing is twisted. Where nothing holds a frame, T is spread over
    the rod: on both sides of where it acts, the torque grows from nothing at the ends.
    """
    n, length, stiffness, torque, edge = 20, 1.2, 3.0, 1.7, 7
    rod = straight_rod(n, length, section, twist=stiffness)
    model, state, work = assemble(held(rod, mode))
    state.rods["loaded"] = True
    state.moment[model.rods["frame"][0] + 1 + edge] = torque
    assert elastic_forces(model, state, work.elastic) < 0
    turned = angles(material_axes(model, state))
    s, vertex = (np.arange(n) + 0.5) / n * length, np.arange(1, n) / n
    if mode == "TWIST":
        np.testing.assert_allclose(turned, torque * np.minimum(s, s[edge]) / stiffness, atol=1e-12)
    else:
        through = torque * np.where(np.arange(1, n) <= edge, vertex, vertex - 1.0)
        np.testing.assert_allclose(np.diff(turned), through * length / n / stiffness, atol=1e-12)


def sliding_down(aspect, mu, n=40):
    """A straight rope across a slope of tan α = μ, on which it slides at a constant speed, its ends clamped to what
    goes with it, one of them not hard; and its weight on the slope [N/m].
    """
    radius, length, speed, seconds = 0.005, 0.8, 0.1, 0.4
    x = np.linspace([0.0, 0.0, radius], [length, 0.0, radius], n + 1)
    alpha = np.arctan(mu)
    gravity = G * np.array([0.0, np.sin(alpha), -np.cos(alpha)])
    v = np.tile([0.0, speed, 0.0], (n + 1, 1))
    material = replace(RUBBER, friction=mu)
    rope = Rod.from_material("rope", x, radius, material, aspect=aspect, v=v, m1=np.array([0.0, 0.0, 1.0]))
    way = np.array([[0.0, 0.0, 0.0], [0.0, speed * seconds, 0.0]])
    pins = tuple(
        Pin(
            f"end {end}",
            0,
            end,
            "TWIST",
            np.array([0.0, seconds]),
            x[end] + way,
            np.tile([1.0, 0, 0, 0], (2, 1)),
            max_force=force,
        )
        for end, force in ((0, np.inf), (n, 1.0))
    )
    scene = Scene((rope,), seconds / 8.0, 9, pins=pins, gravity=gravity, floor=Floor(0.0, mu), air_density=0.0)
    return scene, rope.mass.sum() / length * G * np.cos(alpha)


@pytest.mark.parametrize(("torque", "borne"), [(1e-4, True), (1e4, False)])
def test_a_torque_that_no_frame_bears(torque, borne):
    """Under more than a bow bears about its tangent there is no equilibrium: it spins on, and less acts."""
    turn = np.linspace(0.0, np.pi, 30)
    x = 0.1 * np.column_stack([np.cos(turn), np.sin(turn), np.zeros(30)])
    rod = replace(Rod.from_material("bow", x, 0.004, RUBBER), rest_x=x)
    model, state, work = assemble(Scene((rod,), 1.0, 1))
    state.rods["loaded"] = True
    state.moment[10] = torque
    assert elastic_forces(model, state, work.elastic) < 0
    assert (state.moment[10] == torque) == borne
    assert np.abs(np.diff(state.theta[1:-1])).max() < 1.5
    assert np.isfinite(work.elastic.f).all()


def test_what_fades_is_over():
    """Where friction turns one edge on, what fades at others ends, before numbers are so small that processors are
    slow by them.
    """
    model, state, work = assemble(held(straight_rod(20, 1.2, 0.7, twist=3.0), "TWIST"))
    unit = model.rods["bend_max"][0] / model.rods["longest"][0]
    first = model.rods["frame"][0] + 1
    state.rods["loaded"], state.moment[first + 7] = True, unit
    for _ in range(300):
        state.moment[first] = unit
        keep_moments(model, state, work.contact.contacts[:0], 1.0, SHARE)
        assert not np.any((state.moment != 0.0) & (np.abs(state.moment) <= SLIGHT * unit))
    assert np.flatnonzero(state.moment).tolist() == [first]
    assert state.rods["loaded"][0]


@pytest.mark.parametrize("aspect", [1.0, 0.999], ids=["round", "general"])
def test_a_rope_dragged_over_the_floor(aspect, solver):
    """Clamped at its ends and dragged sideways it is turned by μ w r a metre, about −x: μ w r s (L − s)/2C."""
    mu = 0.4
    scene, weight = sliding_down(aspect, mu)
    rope, last = scene.rods[0], list(simulate(solved_by(solver, scene)))[-1]
    length, s = rope.x[-1, 0], 0.5 * (rope.x[1:, 0] + rope.x[:-1, 0])
    np.testing.assert_allclose(last.x[:, 1], 0.04, atol=1e-4)
    expected = -mu * weight * rope.radius[0] * s * (length - s) / (2.0 * rope.twist_stiffness[0])
    assert np.abs(expected).max() > 0.05
    np.testing.assert_allclose(angles(last.m1), expected, atol=5e-3 * np.abs(expected).max())


@pytest.mark.parametrize("aspect", [1.0, 0.6], ids=["round", "flat"])
@pytest.mark.parametrize("vertices", [(0, 10), (0, 5)], ids=["at the ends", "inside"])
def test_angular_momentum_of_bodies_whose_rods_rub(vertices, aspect):
    """Two rods side by side rub across their length: bodies that hold frames take what friction turns these with, all
    of it, and energy does not grow.
    """
    s = np.linspace(-0.1, 0.1, 11)[:, None]
    along = np.array([0.6, 0.0, 0.8])
    rods, bodies, welds = [], [], []
    for r, (place, speed) in enumerate(
        (((0.0, 0.0, 0.0), (0.08, 0.1, -0.06)), ((0.0, 0.0101, 0.0), (-0.3, -0.5, 0.225)))
    ):
        x = s * along + place
        rods.append(
            Rod.from_material(f"rod {r}", x, 0.005, RUBBER, aspect=aspect, v=np.tile(speed, (11, 1)),
                              m1=np.array([0.0, 1.0, 0.0]))
        )  # fmt: skip
        for vertex in vertices:
            welds.append(Weld(f"weld {len(bodies)}", len(bodies), r, vertex))
            bodies.append(RigidBody(f"body {len(bodies)}", x[vertex], 0.01, 2e-6 * np.eye(3), v=np.array(speed, float)))
    scene = Scene(tuple(rods), 0.04, 1, bodies=tuple(bodies), welds=tuple(welds), gravity=np.zeros(3), air_density=0.0)
    model, state, work = assemble(scene)
    before, energy = angular_momentum(model, state), energies(model, state).total
    size = model.bodies["mass"] @ np.linalg.norm(np.cross(state.bodies["x"], state.bodies["v"]), axis=1)
    h, passed = 0.4 * stable_step(model, state), 0.0
    for _ in range(100):
        assert take_steps(model, state, work, h, 1)[0] == DONE
        passed += h * abs(state.torque.sum())
    yet = h / SHARE * state.moment.sum() * along
    assert passed > 1e-3 * size
    np.testing.assert_allclose(angular_momentum(model, state) + yet, before, atol=2e-4 * passed)
    assert energies(model, state).total < energy


class Block:
    """A block that slides along y over two rods along x, clamped at both ends; how it goes on, and what it does."""

    def __init__(self, kind, solver, mu=0.1, speed=0.3):
        s, self.radius, self.stiffness = np.linspace(-0.3, 0.3, 13)[:, None], 0.008, 0.005
        up = np.array([0.0, 0.0, 1.0])
        hard, x = Material(1e9, 0.3, 1000.0, internal_damping=0.02), s * [1.0, 0.0, 0.0] - [0.0, 0.0, self.radius]
        rods = tuple(
            replace(
                Rod.from_material(f"rod {k}", x + [0.0, y, 0.0], self.radius, hard, friction=mu, m1=up),
                twist_stiffness=np.full(13, self.stiffness), stretchable=True,
            )
            for k, y in enumerate((-0.025, 0.025))
        )  # fmt: skip
        pins, v = (
            tuple(Pin.fixed(rods[r], end, "TWIST", rod=r) for r in (0, 1) for end in (0, -1)),
            np.array([0, speed, 0]),
        )
        scene = Scene(rods, 1.0 / 24.0, 2, pins=pins, air_density=0.0, solver=solver)
        at = np.array([0.0, -0.015, 0.001])
        if kind == "soft":
            block = jelly(HUNG + [0.0, 0.0, S] + at, HUNG_NODE, 1e6, speed=v, friction=mu)
            self.run = Coupling(replace(scene, solids=(block,)))
            self.model, self.state = self.run.models[0], self.run.now.rods.state
            self.radius += self.run.models[1].solids.surface.colliders["thickness"][0]
        else:
            block = brick(at + [0.0, 0.0, 0.5 * S], (S,) * 3, friction=mu, v=v)
            self.run, self.scene = None, replace(scene, bodies=(block,))
            self.model, self.state, self.work = assemble(self.scene)

    def go_on(self, duration):
        if self.run is None:
            go_on(self.scene, self.model, self.state, self.work, duration)
            return
        self.run.go_on(duration)
        self.state = self.run.now.rods.state

    def momentum(self):
        """Of the block (3,)."""
        if self.run is None:
            return self.model.bodies["mass"][0] * self.state.bodies["v"][0]
        return self.run.models[1].nodes["mass"] @ self.run.now.soft.state.v

    def torque(self):
        """What both rods' ends bear about −x, all together."""
        angle = angles(material_axes(self.model, self.state)).reshape(2, 12)
        return self.stiffness * (angle[:, 1] - angle[:, 0] - angle[:, -1] + angle[:, -2]).sum() / 0.05


@pytest.mark.parametrize("kind", ["soft", "rigid"])
def test_a_block_that_slides_over_rods_twists_them(kind, solver):
    """By μ N a, a the arm to where the block is pushed, N what keeps it from falling."""
    block, torques, mu, duration = Block(kind, solver), [], 0.1, 0.1
    block.go_on(0.05)
    before = block.momentum()
    for _ in range(100):
        block.go_on(0.01 * duration)
        torques.append(block.torque())
    behind = block.momentum()
    pressed = 1000.0 * S**3 * G + (behind[2] - before[2]) / duration
    assert behind[1] > 0.1 * before[1] > 0.0
    assert np.mean(torques) == pytest.approx(-mu * pressed * block.radius, rel=0.01)


def test_a_rope_thrown_on_the_floor_wins_nothing_where_it_touches():
    """What friction's moments wind frames without inertia up by is none of its energy."""
    n, way = 25, np.array([0.36, 0.83, 0.43]) / np.linalg.norm([0.36, 0.83, 0.43])
    x = np.linspace(-0.5, 0.5, n)[:, None] * 1.54 * way
    x += 0.077 * np.sin(np.linspace(0, 3, n))[:, None] * np.cross(way, [0, 0, 1.0])
    x[:, 2] += 1.36 - x[:, 2].min()
    material = Material(1e7, 0.4, 6800.0, bend_factor=0.017, friction=0.8)
    rope = Rod.from_material("rope", x, 0.0095, material, shape_memory=0.0, v=np.tile([-0.2, 4.0, -1.8], (n, 1)))
    scene = Scene((rope,), 1.0 / 24.0, 1, floor=Floor(0.0, 0.3), air_density=0.0)
    model, state, work = assemble(scene)
    first, most, held = energies(model, state), 0.0, 0.0
    there = first.kinetic.sum() + first.potential.sum()
    for _ in range(20):
        go_on(scene, model, state, work, 1.0 / 24.0)
        most = max(most, energies(model, state).total)
        held = max(held, float(wound(model, state).sum()))
    assert most <= there
    assert held > 0.02 * there  # which is not among it
