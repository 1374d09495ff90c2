"""Rods tied to bodies and closed on themselves in an implicit step: all equations as one dense system."""

from dataclasses import replace

import numpy as np
import pytest
from as_bound import attempt_implicit
from bands import dense
from jointed import JOINTED, RUBBER, alone, body, curve
from tendril.physics.assemble import assemble
from tendril.physics.implicit import border, contact_correction, newton, newton_step, rod_equations
from tendril.physics.implicit.body_equations import add_bodies
from tendril.physics.implicit.chain import bind, bind_given
from tendril.physics.implicit.rod_equations import EXACT, TENSE
from tendril.physics.implicit.scratch import BLOCK, ROW, SPAN, WIDTH
from tendril.physics.implicit.ties import condense, lay_ties, scatter
from tendril.physics.model import PANEL
from tendril.physics.rigid_bodies.slaves import put_arms
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Weld
from tendril.physics.time_integration import bdf2
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, keep

STEP = 1.0 / 480.0  # s


def bent(name="rod", n=12, **options):
    line = curve([-0.3, 0.0, 0.0], [0.3, 0.0, 0.0], [0.0, 0.1, 0.02], n)
    return Rod.from_material(name, line, 0.006, RUBBER, aspect=0.7, **options)


def hung(step):
    """A flat, bent rod, damped, that a body holds by its first vertex; or the same drawn from its other end, −1."""
    rod = bent(internal_damping=0.005)
    if step < 0:
        _, state, _ = assemble(replace(alone([rod], [], []), solver="IMPLICIT"))
        rod = bent(internal_damping=0.005, m1=state.u[len(rod.x) - 1])
        rod = replace(rod, x=rod.x[::-1].copy())
    stone = body("stone", bent().x[0] + 0.02, omega=np.array([3.0, -2.0, 1.0]))
    weld = Weld("a", 0, 0, 0 if step > 0 else 11)
    return alone([rod], [stone], [weld], gravity=np.array([0.0, 0.0, -9.81]))


def hoop(**options):
    around = 2.0 * np.pi * np.arange(12) / 12
    x = 0.1 * np.stack([np.cos(around), np.sin(around), 0.2 * np.sin(2.0 * around)], axis=1)
    push = np.random.default_rng(3).normal(size=x.shape)
    return Rod.from_material("hoop", x, 0.005, RUBBER, closed=True, aspect=0.8, v=0.3 * push, **options)


def welded(mode, *vertices):
    """A bent rod that a body holds, or two, at these vertices."""
    bodies = [
        body(f"{k}", bent().x[vertex] + 0.02, omega=np.array([3.0, -2.0, 1.0 + k])) for k, vertex in enumerate(vertices)
    ]
    return alone([bent()], bodies, [Weld(f"{k}", k, 0, vertex, mode) for k, vertex in enumerate(vertices)])


def ring_held_where_it_is_cut():
    one = hoop()
    return alone([one], [], [], (Pin.fixed(one, 0, "TWIST", rod=0),))


def ring_with_a_body(mode, vertex):
    one = hoop()
    stone = body("stone", one.x[vertex] + 0.01, omega=np.array([2.0, 1.0, -1.0]))
    return alone([one], [stone], [Weld("a", 0, 0, vertex, mode)])


def held_too():
    """A body at the end of a rod that a wall holds, beside a rod that nothing ties."""
    rods = [bent(), bent("other", v=np.random.default_rng(2).normal(size=(12, 3)))]
    stone = body("stone", rods[0].x[-1], omega=np.array([2.0, 1.0, -1.0]))
    return alone(rods, [stone], [Weld("a", 0, 0, 11)], (Pin.fixed(rods[0], 0, "TWIST", rod=0),))


SCENES = {
    **JOINTED,
    **{f"{mode.lower()} at both ends": lambda mode=mode: welded(mode, 0, 11) for mode in ("POSITION", "DIRECTION")},
    **{f"{mode.lower()} inside": lambda mode=mode: welded(mode, 5) for mode in ("POSITION", "DIRECTION", "TWIST")},
    **{f"one way drawn and damped, {step}": lambda step=step: hung(step) for step in (1, -1)},
    "twice inside": lambda: welded("TWIST", 3, 8),
    "joined by one edge": lambda: welded("POSITION", 5, 6),
    "ring": lambda: alone([hoop()], [], []),
    "ring held where it is cut": ring_held_where_it_is_cut,
    **{
        f"ring with a body, {mode.lower()} {vertex}": lambda mode=mode, vertex=vertex: ring_with_a_body(mode, vertex)
        for mode in ("POSITION", "TWIST")
        for vertex in (0, 1, 11)
    },
    "held too": held_too,
}  # fmt: skip


def moving(scene):
    """(model, state, work, s) at the end of a step's iteration, in a motion under way."""
    model, state, work = assemble(replace(scene, solver="IMPLICIT"))
    assert implicit_steps(model, state, work, 0.1, STEP)[0] == DONE
    keep(state, work.old)
    assert attempt_implicit(model, state, work, STEP, bdf2.look_back(model, state, STEP, 0.0, False), False)[0] == DONE
    state.clock["step"] = STEP
    return model, state, work, bdf2.weights(STEP, STEP, 1, 0.0)[3]


def equations(model, state, work, s, inertia=True):
    """(A, r, rows (n,) bool that are given or tied) of all chains' rows and the border's unknowns; without the
    inertia of bodies, if wished.
    """
    own, system = work.implicit, model.chain_system
    rows, unknowns = len(system.tied), len(system.column) - 1
    a, r = np.zeros((rows + unknowns, rows + unknowns)), np.zeros(rows + unknowns)
    border.clear(own)
    put_arms(model.slaves, state.bodies, work.welded.slaves)
    lay_ties(model, state, work.welded, own)
    add_bodies(model, state, own, s)
    if inertia:
        r[rows:] = own.border
        a[rows:, rows:] = np.diag(own.diagonal)
        for k in range(unknowns):
            entries = slice(system.column[k], system.column[k + 1])
            a[rows + k, rows + system.below[entries]] = own.entries[entries]
            a[rows + system.below[entries], rows + k] = own.entries[entries]
    given = np.ones(rows, dtype=bool)  # those too that only a chain of its own has, which shares its rows with others
    for c, chain in _tied(model):
        begin, count, panels = int(chain["row"]), BLOCK * int(chain["blocks"]), int(chain["panels"])
        cells = own.cells[chain["cell"] : chain["cell"] + panels * count]
        bind_given(model, state, own, c)
        rod_equations.assemble(model, state, own, c, s, EXACT)
        condense(model, own, c, False, cells)
        i, unknown = np.arange(begin, begin + count), system.border[chain["border"] :][: PANEL * panels]
        a[np.ix_(i, i)] = dense(own.matrix[i], BLOCK)
        r[i] = own.unknown[i]
        given[i] = own.bound[i] | (system.tied[i] >= 0)
        there, shared = np.flatnonzero(unknown >= 0), rows + unknown[unknown >= 0]
        couplings = (
            cells["value"].reshape(panels, count, PANEL).transpose(1, 0, 2).reshape(count, PANEL * panels)[:, there]
        )
        a[np.ix_(i, shared)], a[np.ix_(shared, i)] = couplings, couplings.T
        squares = own.own["value"][: PANEL * panels**2].reshape(panels, panels, PANEL, PANEL)
        square = squares.transpose(0, 2, 1, 3).reshape(PANEL * panels, PANEL * panels)
        a[np.ix_(shared, shared)] += square[np.ix_(there, there)]
        r[shared] += own.own_side[there]
    return a, r, np.concatenate([given, np.zeros(unknowns, dtype=bool)])


def _tied(model):
    """The chains that are solved together: those with ties, or all where things may touch."""
    touching = model.world["skin"][0] > 0.0
    return [(c, chain) for c, chain in enumerate(model.chain_system.chains) if touching or chain["panels"] > 0]


def go(model, state, work, s, way):
    """Move by the change (n,) of all rows and of the border's unknowns, what is tied with these."""
    own, rows = work.implicit, len(model.chain_system.tied)
    own.unknown[:rows], own.border[:] = way[:rows], way[rows:]
    for c, chain in _tied(model):
        border.read(model, own, int(chain["border"]), own.own_side[: PANEL * chain["panels"]])
        scatter(model, own, c)
    newton.move_together(model, state, work.old, own, 1.0, s)


@pytest.mark.parametrize("kind", SCENES)
def test_the_matrix_is_the_derivative_of_the_residual(kind):
    """Its symmetric part, for turns are no vectors; of bodies only what rods do to them."""
    model, state, work, s = moving(SCENES[kind]())
    a, _, given = equations(model, state, work, s, inertia=False)
    free, unit = np.flatnonzero(~given), 1e-7
    found = np.zeros_like(a)
    for j in free:
        sides = []
        for part in (1.0, -2.0, 1.0):
            go(model, state, work, s, part * unit * (np.arange(len(a)) == j))
            sides.append(equations(model, state, work, s, inertia=False)[1])
        found[:, j] = (sides[1] - sides[0]) / (2.0 * unit)
    difference = (found - a)[np.ix_(free, free)]
    size = np.abs(a).max()
    np.testing.assert_allclose(0.5 * (difference + difference.T), 0.0, atol=2e-6 * size)


ROUNDED = {"joined by one edge": 2e-5}  # 1.3e-6 to 1.3e-5 from one right-hand side to another, of a condition of 4e9


def test_a_rod_moves_alike_whichever_way_it_is_drawn():
    """To rounding, though its chain goes along it or against it, from the tip to what holds it."""
    found = []
    for step in (1, -1):
        model, state, work = assemble(replace(hung(step), solver="IMPLICIT"))
        assert model.chain_system.chains["step"].tolist() == [-step]
        assert implicit_steps(model, state, work, 0.25, STEP)[0] == DONE
        found.append(state.x[::step])
    assert np.abs(found[0] - hung(1).rods[0].x).max() > 0.1
    np.testing.assert_allclose(found[0], found[1], atol=1e-9)


@pytest.mark.parametrize("kind", SCENES)
def test_the_solution_is_that_of_a_dense_system(kind):
    model, state, work, s = moving(SCENES[kind]())
    rng, own, rows = np.random.default_rng(0), work.implicit, len(model.chain_system.tied)
    a, _, given = equations(model, state, work, s)
    there = ~given & (np.diag(a) != 0.0)  # where a body has a ring's cut, the cut's own unknowns are nothing
    go(model, state, work, s, 1e-4 * rng.normal(size=len(a)) * there)
    a, r, _ = equations(model, state, work, s)
    expected = np.zeros(len(a))
    expected[there] = np.linalg.solve(a[np.ix_(there, there)], r[there])
    no_contacts = work.contact.contacts[:0]
    own.newton["shift"], own.newton["form"] = 0.0, EXACT
    assert newton_step.solve_together(model, state, work.old, work.welded, own, no_contacts, (s, STEP)) == 0
    found = np.concatenate([own.unknown[:rows], own.border])
    scale = np.abs(expected).max()
    close = {"rtol": ROUNDED.get(kind, 1e-5), "atol": 1e-7 * scale}
    np.testing.assert_allclose(found[there], expected[there], **close)
    if np.abs(found - expected)[there].max() < 1e-8 * scale:  # else what rounding costs is as much again as before
        close = {"rtol": 1e-7, "atol": 1e-9 * scale}
    newton_step.solve_again(model, state, work.welded, own, s, False)
    again = np.concatenate([own.unknown[:rows], own.border])
    np.testing.assert_allclose(again[there], found[there], **close)


def test_what_is_tied_or_given_counts_as_no_tension():
    """Its stiffness may come out a little below nothing, but a tension of no edge, −1, stays one."""
    model, state, work, s = moving(welded("TWIST", 5))
    own, tie = work.implicit, model.chain_system.ties[0]
    rod_equations.assemble(model, state, own, 0, s, EXACT)
    row = tie["row"]
    own.matrix["value"][row, row % BLOCK] = -1e-12
    condense(model, own, 0, False, own.cells)
    assert own.matrix["value"][row, row % BLOCK] == 1.0
    a, y = np.ones(2 + WIDTH, ROW), np.ones(2 + WIDTH)
    a["value"][[0, 1], [0, 1]] = -1e-12, -1.0
    bind(np.array([0, 1]), a, y, BLOCK)
    np.testing.assert_array_equal(a["value"][:2, :SPAN], np.diag([1.0, -1.0] + [0.0] * (SPAN - 2))[:2])
    assert y[:2].tolist() == [0.0, 0.0]


def test_an_edge_in_a_body_stays_as_drawn(solver):
    """However long all others are to be."""
    one = bent(rest_length_factor=0.9)
    scene = alone([one], [body("stone", one.x[5])], [Weld("a", 0, 0, 5)])
    *_, last = simulate(replace(scene, solver=solver, frame_count=4))
    ratio = np.linalg.norm(np.diff(last.x, axis=0), axis=1) / np.linalg.norm(np.diff(one.x, axis=0), axis=1)
    np.testing.assert_allclose(ratio, np.where(np.arange(11) == 5, 1.0, 0.9), rtol=1e-6)


def crossed():
    """A rod with a body at its end, held at its start, along another one, and one across both."""
    rods = [bent(), bent("beside"), bent("across")]
    rods[1] = replace(rods[1], x=rods[1].x + [0.0, 0.0, 0.0122])
    rods[2] = replace(rods[2], x=rods[2].x[:, [1, 0, 2]] + [0.0, 0.08, -0.0122])
    stone = body("stone", rods[0].x[-1], omega=np.array([2.0, 1.0, -1.0]))
    pins = (Pin.fixed(rods[0], 0, "TWIST", rod=0),)
    return alone(rods, [stone], [Weld("a", 0, 0, 11)], pins, contact=True, solver="IMPLICIT")


@pytest.mark.parametrize("known", [0, 1, 2])
def test_the_response_of_what_touches_is_that_of_a_dense_system(known):
    """Whether it is found for all of it at once or for some of it first."""
    model, state, work = assemble(crossed(), times=4)
    keep(state, work.old)
    status, _, _, count = attempt_implicit(
        model, state, work, STEP, bdf2.look_back(model, state, STEP, 0.0, False), False
    )
    assert status == DONE
    own, system, contacts, s = work.implicit, model.chain_system, work.contact.contacts[:count], STEP
    assert count > 2
    a, _, given = equations(model, state, work, s)
    push = np.zeros((len(a), 3 * count))
    for q, row in enumerate(contacts):
        for node, share in zip(row["node"], row["share"], strict=True):
            for axis in range(3):
                _push(model, own, push[:, 3 * q + axis], system.place[node] + axis, share)
    free = ~given & (np.diag(a) != 0.0)
    expected = push[free].T @ np.linalg.solve(a[np.ix_(free, free)], push[free])
    own.together[:] = True
    own.newton["shift"], own.newton["form"] = 0.0, EXACT
    assert newton_step.solve_together(model, state, work.old, work.welded, own, contacts, (s, STEP)) == 0
    assert contact_correction.find_response(model, own, contacts[:known], 0)
    assert contact_correction.find_response(model, own, contacts, known)
    found, response = np.zeros_like(expected), own.response
    for g in range(len(system.groups)):
        met = response.contact[response.begin[g] : response.begin[g + 1]]
        rows = (3 * met[:, None] + np.arange(3)).ravel()
        entries = response.entries[response.square[g] : response.square[g + 1]]
        found[np.ix_(rows, rows)] += entries.reshape(len(rows), len(rows))
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-6 * np.abs(expected).max())


def _push(model, own, side, row, force):
    """Add a force on a row to a right-hand side (n,), or on what the row is tied to."""
    system = model.chain_system
    if system.tied[row] < 0:
        side[row] += force
        return
    tie, factor = system.ties[system.tied[row]], own.factor[system.tied[row]]
    chain = next(c for c in system.chains if c["tie"][0] <= system.tied[row] < c["tie"][1])
    unknown = system.border[chain["border"] + PANEL * tie["panel"] + tie["lane"]]
    np.add.at(side, len(system.tied) + unknown, factor * force)


def test_thrust_beyond_what_bending_bears_is_left_out():
    """A bent rod that is straight at rest, whatever its edges press or pull: TENSE leaves its matrix one negative
    eigenvalue for each tension, and no more.
    """
    one = bent(shape_memory=0.0)
    model, state, work, s = moving(alone([one], [], [], (Pin.fixed(one, 0, "TWIST", rod=0),), contact=True))
    own, rng = work.implicit, np.random.default_rng(4)
    bind_given(model, state, own, 0)
    rows = np.arange(BLOCK * int(model.chain_system.chains["blocks"][0]))
    free, worst = ~own.bound[rows], 0
    tensions = free[BLOCK + 3 :: BLOCK].sum()
    for _ in range(20):
        own.pull[:] = -rng.exponential(100.0, len(own.pull))  # N: more than inertia bears in such a step
        count = {}
        for form in (EXACT, TENSE):
            rod_equations.assemble(model, state, own, 0, s, form)
            matrix = dense(own.matrix[rows], BLOCK)[np.ix_(free, free)]
            count[form] = (np.linalg.eigvalsh(matrix) < 0.0).sum()
        worst = max(worst, count[EXACT])
        assert count[TENSE] == tensions, count
    assert worst > tensions
