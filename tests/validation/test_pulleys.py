"""Rods that run through pulleys: one tension on both sides, Atwood's machine, blocks and tackles, what is kept."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import box
from tendril.physics.assemble import assemble
from tendril.physics.assemble.pulleys import in_order
from tendril.physics.constraints.pulleys import share, slope_of_share
from tendril.physics.diagnostics.energies import energies
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.run.taking_over import taken_over
from tendril.physics.scene import Floor, Notice, Pin, Pulley, RigidBody, Rod, Scene, Shape, SoftBody, Weld
from tendril.physics.time_integration.advance import advance, take_steps
from tendril.physics.validate import SceneError, check

BOX, SIDES = box((1.0, 1.0, 1.0))
G, FRAME = 9.81, 1.0 / 24.0
HOSE = Material(1e7, 0.4, 1000.0)
WEIGHTLESS = np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0])


def line(corners, edge):
    """(points along straight lines between corners, the numbers of those in between)."""
    x, at = [np.array(corners[0], float)], []
    for a, b in zip(np.array(corners[:-1], float), np.array(corners[1:], float), strict=True):
        count = round(np.linalg.norm(b - a) / edge)
        x += [a + (b - a) * k / count for k in range(1, count + 1)]
        at.append(len(x) - 1)
    return np.array(x), at[:-1]


def rope(corners, edge=0.05, density=2e-3, bending=1e-6, **options):
    """(a limp rope of so much [kg/m], the vertices at its corners)."""
    x, at = line(corners, edge)
    n, closed = len(x), options.get("closed", False)
    if closed:
        x, n = x[:-1], n - 1
    m = n if closed else n - 1
    mass = np.full(n, density * edge)
    if not closed:
        mass[[0, -1]] /= 2.0
    options = {"shape_memory": 0.0, "touches": False, **options}
    stiffness = np.full((m, 2), bending), np.full(n, bending), np.full(m, 1e3)
    return Rod("rope", x, np.full(n, 3e-3), mass, *stiffness, **options), at


def ball(name, place, mass, radius=0.05, **options):
    return RigidBody(name, np.array(place, float), mass, 0.4 * mass * radius**2 * np.eye(3), **options)


def shot(rod, pulleys, bodies=(), welds=(), frames=13, **options):
    options = {"air_density": 0.0, "contact": False, **options}
    return Scene((rod,), FRAME, frames, pulleys=tuple(pulleys), bodies=tuple(bodies), welds=tuple(welds), **options)


def atwood(left=2.0, right=3.0, edge=0.05, density=2e-3, **options):
    """Weights on both sides of a rope over two pulleys."""
    rod, at = rope([(-0.2, 0, -1), (-0.2, 0, 0), (0.2, 0, 0), (0.2, 0, -1)], edge, density)
    bodies = ball("left", (-0.2, 0, -1), left), ball("right", (0.2, 0, -1), right)
    welds = Weld("a", 0, 0, 0, "POSITION"), Weld("b", 1, 0, len(rod.x) - 1, "POSITION")
    return shot(rod, (Pulley.fixed(rod, k) for k in at), bodies, welds, **options)


def run(scene, frames, fraction=0.6):
    """(model, state at the end, total energy at each frame [J])."""
    check(scene)
    model, state, work = assemble(scene)
    found = [energies(model, state).total]
    for _ in range(frames):
        status, *_ = advance(model, state, work, FRAME, fraction, np.inf)
        assert status == 0
        found.append(energies(model, state).total)
    return model, state, np.array(found)


def tensions(model, state):
    """[N] of the edges, by the vertices that they leave."""
    return -state.tension * model.edges["length"]


@pytest.mark.parametrize("density", [2e-3, 2e-2])
def test_weights_fall_as_atwoods_do(density):
    """y'' = (m₂ − m₁ + 2ρy) g/M, from rest; the rope's mass is at vertices, which the heavier one feels: 20 kg/m of it
    is .4 % of M."""
    scene = atwood(density=density)
    _, state, _ = run(scene, 12)
    mass = 5.0 + scene.rods[0].mass.sum()
    rate = np.sqrt(2.0 * density * G / mass)
    way = 1.0 / (2.0 * density) * (np.cosh(rate * 12 * FRAME) - 1.0)
    assert -1.0 - state.bodies["x"][1, 2] == pytest.approx(way, rel=2e-3)
    assert state.bodies["x"][0, 2] + 1.0 == pytest.approx(way, rel=2e-3)
    assert state.pulleys["edge"].tolist() != [20, 28]  # vertices have passed


def test_energy_is_kept_to_the_order_of_the_step():
    """As the velocity of symplectic Euler is half a step late: of the first order, and nothing grows with vertices."""
    scene = atwood(density=2e-2)
    off = []
    for fraction in (0.6, 0.3):
        _, state, energy = run(scene, 12, fraction)
        off.append(abs(energy[-1] - energy[0]) / (G * (-1.0 - state.bodies["x"][1, 2])))
    assert off[0] < 2e-3
    assert off[1] < 0.6 * off[0]


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.8, 0.99])
def test_both_sides_are_pulled_alike(share):
    """A rope without weight that holds 3 kg, at rest, whatever part of an edge is behind the ring. What lengths are
    kept to in a step pulls by 3e-3 of the weight at all of it."""
    rod, (k,) = rope([(-1, 0, 0), (0, 0, 0), (0, 0, -1)], weights=0.0 * WEIGHTLESS)
    x = rod.x.copy()
    x[:k] += [share * 0.05, 0.0, 0.0]
    x[k:] -= [0.0, 0.0, share * 0.05]
    own = replace(rod, x=x, rest_x=rod.x)
    weld, pin = Weld("w", 0, 0, len(x) - 1, "POSITION"), Pin.fixed(own, 0, rod=0)
    scene = shot(own, [Pulley.fixed(rod, k)], [ball("weight", x[-1], 3.0)], [weld], pins=(pin,))
    model, state, work = assemble(scene)
    state.pulleys["edge"] = k - 1
    for _ in range(6):
        assert advance(model, state, work, FRAME, 0.6, np.inf)[0] == 0
        found = tensions(model, state)[:-1]
        assert np.ptp(found) < 1e-6 * 3.0 * G
        assert found == pytest.approx(3.0 * G, rel=5e-3)
    assert np.linalg.norm(state.v, axis=1).max() < 1e-5


def test_equal_weights_go_on_as_they_are_pushed():
    """Over ten edges, but for the rope's own weight: y'' = 2ρ y g/M."""
    scene = atwood(left=2.0, right=2.0)
    speed = 0.8
    bodies = tuple(replace(one, v=np.array([0, 0, s * speed])) for one, s in zip(scene.bodies, (1, -1), strict=True))
    rod = scene.rods[0]
    along = np.gradient(rod.x, axis=0)
    along /= np.linalg.norm(along, axis=1)[:, None]
    scene = replace(scene, bodies=bodies, rods=(replace(rod, v=speed * along),))
    _, state, _ = run(scene, 15)
    rate = np.sqrt(2.0 * 2e-3 * G / (4.0 + rod.mass.sum()))
    time = 15 * FRAME
    assert np.allclose(state.bodies["v"][:, 2], speed * np.cosh(rate * time) * np.array([1.0, -1.0]), rtol=1e-3)
    assert -1.0 - state.bodies["x"][1, 2] == pytest.approx(speed / rate * np.sinh(rate * time), rel=1e-3)


@pytest.mark.parametrize("load", [2.0, 2.5, 1.5])
def test_a_block_halves_the_force(load):
    """A block on two lengths of the rope weighs against half of it: (m − 2w) g = (m + 4w) a."""
    rod, at = rope([(0, 0, 0), (0, 0, -0.8), (0.3, 0, -0.8), (0.3, 0, 0), (0.6, 0, 0), (0.6, 0, -0.8)])
    pulleys = [Pulley.fixed(rod, k, body=b) for k, b in zip(at, (0, 0, None, None), strict=True)]
    bodies = ball("block", (0.15, 0, -0.9), load, 0.2), ball("weight", (0.6, 0, -0.8), 1.0)
    scene = shot(rod, pulleys, bodies, [Weld("w", 1, 0, len(rod.x) - 1, "POSITION")], pins=(Pin.fixed(rod, 0, rod=0),))
    _, state, energy = run(scene, 12)
    way = 0.5 * (load - 2.0) * G / (load + 4.0) * (12 * FRAME) ** 2
    assert -0.9 - state.bodies["x"][0, 2] == pytest.approx(way, rel=4e-3, abs=3e-4)
    assert state.bodies["x"][1, 2] + 0.8 == pytest.approx(2.0 * way, rel=4e-3, abs=6e-4)
    assert np.abs(energy - energy[0]).max() < 1e-3


def test_three_pulleys_hold_three_times_the_weight():
    """A tackle: the rope's end on the block, over a fixed pulley, under the block, over a fixed one, to the weight:
    three lengths hold the block, 3 w g = m g, and where it is pulled three times as much rope runs."""
    rod, at = rope([(0.2 * (k // 2), 0, -0.8 * ((k + 1) // 2 % 2 == 0)) for k in range(8)])
    pulleys = [Pulley.fixed(rod, k, body=b) for k, b in zip(at, (None, None, 0, 0, None, None), strict=True)]
    for weight, way in ((1.0, 0.0), (1.2, 0.5 * (3 * 1.2 - 3.0) * G / (3.0 + 9.0 * 1.2) * 0.25)):
        bodies = ball("block", (0.2, 0, -0.9), 3.0, 0.2), ball("weight", (0.6, 0, -0.8), weight)
        welds = Weld("e", 0, 0, 0, "POSITION"), Weld("w", 1, 0, len(rod.x) - 1, "POSITION")
        _, state, _ = run(shot(rod, pulleys, bodies, welds), 12)
        assert -0.8 - state.bodies["x"][1, 2] == pytest.approx(3.0 * way, rel=5e-3, abs=2e-3)
        assert state.bodies["x"][0, 2] + 0.9 == pytest.approx(way, rel=2e-2, abs=2e-3)


def test_momenta_of_what_floats():
    """A rope through a ring on a free body, no weight: momentum and angular momentum stay."""
    rod, at = rope([(-0.6, 0, 0), (0, 0, 0), (0.3, 0.5, 0)], density=0.1)
    v = np.zeros((len(rod.x), 3))
    v[:, 1] += 1.0
    v[-1] += [0.0, 2.0, 1.0]
    scene = shot(replace(rod, v=v), [Pulley.fixed(rod, at[0], body=0)], [ball("ring", (0, 0.03, 0.01), 0.5)],
                 gravity=np.zeros(3))  # fmt: skip
    model, state, work = assemble(scene)

    def momenta():
        m, body = model.nodes["mass"][:, None], state.bodies[0]
        return (
            (m * state.v).sum(axis=0) + 0.5 * body["v"],
            (m * np.cross(state.x, state.v)).sum(axis=0) + 0.5 * np.cross(body["x"], body["v"]) + body["l"],
        )

    before, edge, energy = momenta(), state.pulleys["edge"][0], []
    for _ in range(12):
        assert advance(model, state, work, FRAME, 0.6, np.inf)[0] == 0
        energy.append(energies(model, state).total)  # the first step takes what is drawn against lengths
    now = momenta()
    assert state.pulleys["edge"][0] != edge
    assert np.allclose(now[0], before[0], atol=1e-10)
    assert np.allclose(now[1], before[1], atol=2e-3 * np.abs(before[1]).max())  # where vertices pass it is another
    assert energy[-1] == pytest.approx(energy[0], rel=2e-2)


def test_a_ring_that_is_led_pulls_and_lets_run():
    """A rope, one end pinned, with a weight on the other, is lifted by its ring: the weight rises twice as fast."""
    rod, at = rope([(0, 0, -1), (0, 0, 0), (0.2, 0, 0), (0.2, 0, -1)])
    times = np.linspace(0.0, 1.0, 25)
    lift = 0.5 * (0.5 - 0.5 * np.cos(np.pi * times))[:, None] * [0.0, 0.0, 0.4]
    rings = [Pulley("ring", 0, k, times, rod.x[k] + lift) for k in at]
    scene = shot(rod, rings, [ball("weight", (0.2, 0, -1), 1.0)], [Weld("w", 0, 0, len(rod.x) - 1, "POSITION")],
                 pins=(Pin.fixed(rod, 0, rod=0),), frames=25)  # fmt: skip
    told = []
    frames = list(simulate(scene, notices=told.append))
    assert not told
    assert frames[-1].bodies[0, 2] + 1.0 == pytest.approx(0.4, abs=5e-3)


def test_a_ring_rope_runs_through_pulleys():
    """A closed one over two pulleys and a block with a weight below: stays as it is, and runs where it is pushed."""
    rod, at = rope([(0, 0, 0), (0.4, 0, 0), (0.2, 0, -0.6), (0, 0, 0)], edge=0.04, closed=True)
    vertices = [0, *at]
    rings = [Pulley.fixed(rod, k, body=0 if k == at[1] else None) for k in vertices]
    scene = shot(rod, rings, [ball("weight", rod.x[at[1]], 1.0)], frames=25)
    speed = 0.5
    along = np.roll(rod.x, -1, axis=0) - rod.x
    along /= np.linalg.norm(along, axis=1)[:, None]
    scene = replace(scene, rods=(replace(rod, v=speed * along),))
    _, state, energy = run(scene, 24)
    assert np.abs(energy[1:] - energy[1]).max() < 1e-3
    assert np.linalg.norm(state.v, axis=1).mean() > 0.85 * speed  # corners take some of it as they begin
    assert np.allclose(state.bodies["x"][0], rod.x[at[1]], atol=2e-2)


def test_it_is_all_one_at_which_vertex_a_ring_rope_begins_also_between_two_pulleys():
    """They come together on one edge, which is the closing one, too."""
    rod, _ = rope(
        [(0, 0, 0), (0.04, 0, 0), (0.2, 0, -0.4), (-0.16, 0, -0.4), (0, 0, 0)], edge=0.04, density=2e-2, closed=True
    )
    along = np.roll(rod.x, -1, axis=0) - rod.x
    found, shared = [], 0
    for turn in (0, -1):
        own = replace(rod, x=np.roll(rod.x, turn, axis=0), v=10.0 * np.roll(along, turn, axis=0))
        near, far = (Pulley.fixed(own, k + turn) for k in (0, 1))
        path = np.stack([far.position[0], 0.4 * near.position[0] + 0.6 * far.position[0]])
        scene = shot(own, [near, replace(far, times=np.array([0.0, 0.1]), position=path)])
        check(scene)
        model, state, work = assemble(scene)
        for _ in range(12):
            assert advance(model, state, work, FRAME, 0.6, np.inf)[0] == 0
            found.append(np.roll(state.x, -turn, axis=0))
            shared += len(set(state.pulleys["edge"])) == 1
    assert 4 < shared < 20
    assert np.abs(np.subtract(found[:12], found[12:])).max() < 5e-4


@pytest.mark.parametrize(
    ("closed", "vertices", "order"),
    [(True, (0, 39, 10), [1, 0, 2]), (True, (5, 12, 30), [2, 0, 1]), (False, (1, 38, 10), [0, 2, 1])],
)
def test_pulleys_are_in_order_from_behind_the_longest_way_between_two(closed, vertices, order):
    turn = np.arange(40) * np.pi / 20.0
    x = np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=1)
    rod = Rod.from_material("belt", x, 0.01, HOSE, closed=closed, shape_memory=0.0)
    assert in_order(shot(rod, [Pulley.fixed(rod, k) for k in vertices])) == order


def test_what_brings_a_vertex_across_back_is_that_of_steps_however_near_a_pulley_is():
    """T ((1 − β)/r + 1/l), in T/l, and a share that goes no faster than 7.5 an edge."""
    s = np.linspace(1e-3, 1.0, 1000)
    assert max((1.0 - share(one)) / one + 1.0 for one in s) == pytest.approx(4.5, rel=0.01)
    assert max(abs(slope_of_share(one)) for one in s) == pytest.approx(7.5, rel=1e-3)


def test_what_runs_out_is_free_and_told():
    rod, at = rope([(0.03, 0, 0.2), (0, 0, 0), (0, 0, -1)], density=2e-2)
    told: list[Notice] = []
    frames = list(simulate(shot(rod, [Pulley.fixed(rod, at[0], "Ring")], frames=25), notices=told.append))
    assert [one.text for one in told] == ["'rope' has run out of 'Ring' and is free of it: give it more length."]
    length, drawn = (np.linalg.norm(np.diff(x, axis=0), axis=1) for x in (frames[-1].x, rod.x))
    assert np.allclose(length, drawn, rtol=1e-8)
    assert frames[-1].x[:, 2].max() < -1.0  # it falls


def test_same_bytes_and_resumed():
    scene = atwood(density=2e-2)
    once, again = (list(simulate(scene)) for _ in range(2))
    assert [item.x.tobytes() for item in once] == [item.x.tobytes() for item in again]
    resumed = list(simulate(scene, once[6].state))
    assert [item.x.tobytes() for item in resumed] == [item.x.tobytes() for item in once[7:]]
    assert [item.bodies.tobytes() for item in resumed] == [item.bodies.tobytes() for item in once[7:]]


def test_hinges_are_as_soft_where_a_step_ends_as_where_one_begins():
    """A rod bends as its place in the ring says, however often it is asked: no steps are taken between the two."""
    model, state, work = assemble(atwood())
    assert advance(model, state, work, FRAME, 0.6, np.inf)[0] == 0
    ended = model.hinges["bend"].copy()
    assert take_steps(model, state, work, 1e-5, 0)[0] == 0
    own = model.keyed.hinges["bend"]
    assert ((ended > 1e-6 * own) & (ended < 0.999 * own)).any()
    assert np.array_equal(model.hinges["bend"], ended)


def test_other_settings_from_a_frame_on():
    scene = atwood(density=2e-2)
    frames = list(simulate(scene))
    heavier = replace(scene, bodies=(replace(scene.bodies[0], mass=4.0), scene.bodies[1]))
    state = taken_over(heavier, scene, frames[8].state)
    assert np.array_equal(state["pulleys.edge"], frames[8].state["pulleys.edge"])
    on = list(simulate(heavier, state))
    assert len(on) == 4
    assert np.abs(on[0].x - frames[9].x).max() < 5e-3


def test_it_goes_on_beside_a_cable_and_a_soft_body():
    """None of which it touches: bodies fall as without these."""
    scene = atwood(frames=5)
    hose = Rod.from_material("hose", np.linspace([2, 0, 0], [3, 0, 0], 11), 5e-3, HOSE, model="cable", shape_memory=0.0)
    held = Pin.fixed(hose, 0, rod=1), Pin.fixed(hose, -1, rod=1)
    corners = np.vstack([np.zeros(3), 0.1 * np.eye(3)])
    jelly = SoftBody("jelly", corners + np.array([-3.0, 0.0, 0.0]), np.arange(4)[None], 1000.0, 1e5, 0.3)
    alone = list(simulate(scene))[-1]
    beside = replace(scene, rods=(*scene.rods, hose), pins=held)
    found = list(simulate(beside))[-1]
    assert np.array_equal(found.bodies[:2], alone.bodies)
    for own in (scene, beside):
        could = replace(own.rods[0], touches=True)
        *_, found = simulate(replace(own, rods=(could, *own.rods[1:]), solids=(jelly,), contact=True))
        assert np.allclose(found.bodies[:2], alone.bodies, atol=1e-3)


def test_it_touches_and_is_left_alone_by_the_block():
    """A rope that touches, a block with a shape around its pulleys, a floor: nothing fails, and it goes as before."""
    rod, at = rope([(0, 0, 0), (0, 0, -0.8), (0.3, 0, -0.8), (0.3, 0, 0), (0.6, 0, 0), (0.6, 0, -0.8)], touches=True)
    pulleys = [Pulley.fixed(rod, k, body=b) for k, b in zip(at, (0, 0, None, None), strict=True)]
    block = ball("block", (0.15, 0, -0.9), 2.5, 0.2)
    bodies = replace(block, shape=Shape(0.25 * BOX + block.position, SIDES)), ball("weight", (0.6, 0, -0.8), 1.0)
    scene = shot(rod, pulleys, bodies, [Weld("w", 1, 0, len(rod.x) - 1, "POSITION")], pins=(Pin.fixed(rod, 0, rod=0),),
                 contact=True, floor=Floor(-3.0))  # fmt: skip
    frames = list(simulate(scene))
    way = 0.5 * 0.5 * G / 6.5 * (12 * FRAME) ** 2
    assert -0.9 - frames[-1].bodies[0, 2] == pytest.approx(way, rel=1e-2)


@pytest.mark.parametrize(("angle", "edge"), [(0.5, 0.01), (0.25, 0.02)])
def test_a_rope_that_touches_itself_hangs_on_both_sides_of_a_ring(angle, edge):
    """Edges that lie on each other at the ring are left alone: they would be pressed into each other."""
    out, down = np.sin(angle), -np.cos(angle)
    rod, at = rope([(-out, 0, down), (0, 0, 0), (out, 0, down)], edge, 2e-2, 1e-5, touches=True, internal_damping=0.01)
    bodies = ball("light", rod.x[0], 0.5, 0.01), ball("heavy", rod.x[-1], 0.8, 0.01)
    welds = Weld("a", 0, 0, 0, "POSITION"), Weld("b", 1, 0, len(rod.x) - 1, "POSITION")
    scene = shot(rod, [Pulley.fixed(rod, at[0])], bodies, welds, frames=25, contact=True, air_density=1.2)
    frames = list(simulate(scene))
    assert frames[-1].bodies[0, 2] > -0.05
    assert frames[-1].bodies[1, 2] < -1.8


def test_no_ring_is_on_what_hangs_on_cables():
    scene = atwood()
    hose = Rod.from_material("hose", np.linspace([2, 0, 0], [3, 0, 0], 11), 5e-3, HOSE, model="cable", shape_memory=0.0)
    lamp, tied = ball("lamp", hose.x[-1], 0.1, suspended=True), Weld("tie", 2, 1, 10, "POSITION")
    scene = replace(scene, rods=(*scene.rods, hose), pins=(Pin.fixed(hose, 0, rod=1),), bodies=(*scene.bodies, lamp))
    scene = replace(scene, welds=(*scene.welds, tied))
    check(scene)
    with pytest.raises(SceneError, match="'lamp' hangs on cables, but 'rope', which is none, is tied to it"):
        check(replace(scene, pulleys=(replace(scene.pulleys[0], body=2), scene.pulleys[1])))


def test_what_cannot_be_is_said():
    rod, at = rope([(-1, 0, 0), (0, 0, 0), (0, 0, -1)])
    scene = shot(rod, [Pulley.fixed(rod, at[0], "Ring")])
    check(scene)
    wrong = {
        "set Solver to Automatic or Explicit": replace(scene, solver="IMPLICIT"),
        "turn off Settle First": replace(scene, settle=True),
        "turn off Stretchable": replace(scene, rods=(replace(rod, stretchable=True),)),
        "set its Rest Shape to 0": replace(scene, rods=(replace(rod, shape_memory=1.0),)),
        "turn off Hold Drawn Shape": replace(scene, rods=(replace(rod, balanced=True),)),
        "not between its ends": replace(scene, pulleys=(replace(scene.pulleys[0], vertex=0),)),
        "are at the same point": replace(scene, pulleys=(scene.pulleys[0], replace(scene.pulleys[0], name="Other"))),
        "starts .1 m from": replace(scene, pulleys=(replace(scene.pulleys[0], position=np.array([[0.1, 0, 0]])),)),
        "make its Model Normal": replace(scene, rods=(replace(rod, model="cosserat", parallel_stiffness=1.0),)),
        "turn off Roll": replace(scene, rods=(replace(rod, rolls=True),)),
        "set its Aspect to 1": replace(scene, rods=(replace(rod, bend_stiffness=rod.bend_stiffness * [1.0, 2.0]),)),
        "a cable slides in a pin": replace(scene, rods=(replace(rod, model="cable"),)),
        "leads rod 3, but there are 1": replace(scene, pulleys=(replace(scene.pulleys[0], rod=3),)),
        "there are 0: choose one": replace(scene, pulleys=(replace(scene.pulleys[0], body=0),)),
    }
    for text, other in wrong.items():
        with pytest.raises(SceneError, match=text.replace(".1", "0.1")):
            check(other)
