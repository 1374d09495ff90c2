"""The effective mass of rods beside soft bodies: what it answers, and how easily it lets points move."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.implicit import effective_mass
from tendril.physics.implicit.scratch import effective_mass as room
from tendril.physics.materials import Material
from tendril.physics.model import SOFT_TIE, changed
from tendril.physics.rods.chain import edges_of
from tendril.physics.scene import Pin, Rod, Scene

STEEL, H = Material(2e11, 0.3, 7850.0), 1e-3


FIRST, SECOND, RING = slice(0, 6), slice(6, 15), slice(15, 24)


def laid_out(begin=0, **options):
    """Two bent wires, the second one to be held, and a ring that is not flat."""
    angle = np.linspace(0.0, 1.0, 9)
    bent = 0.1 * np.stack([np.sin(angle), 1.0 - np.cos(angle), 0.1 * angle], axis=1)
    wires = [Rod.from_material("wire", x, 5e-4, STEEL) for x in (bent[:6] + 1.0, bent)]
    angle = np.linspace(0.0, 2.0 * np.pi, 9, endpoint=False)
    x = 0.1 * np.stack([np.cos(angle), np.sin(angle), 0.2 * np.sin(2.0 * angle)], axis=1) - 1.0
    x = np.roll(x, -begin, axis=0)
    wires.append(Rod.from_material("ring", x, 5e-4, STEEL, closed=True, **options))
    scene = Scene(tuple(wires), 1.0 / 24.0, 2, pins=(Pin.fixed(wires[1], 0, "DIRECTION", rod=1),))
    model, state, work = assemble(scene)
    model = model._replace(rods=changed(model.rods, implicit=True))
    return model, state, work, room(model, np.zeros(0, SOFT_TIE))


def answers(model, state, own, node, push):
    """How far all vertices move by an impulse on one."""
    begun = state.x.copy()
    unmoved = begun.copy()
    effective_mass.answer(model, state, np.zeros(len(begun)), begun, own)
    unmoved[:] = state.x
    state.x[:] = begun
    state.x[node] += state.w[node] * push
    effective_mass.answer(model, state, np.zeros(len(begun)), begun, own)
    way = state.x - unmoved
    state.x[:] = begun
    return way


@pytest.mark.parametrize("node", [0, 3, 8, 14, 15, 16, 20, 23])
def test_the_mobility_of_a_vertex_is_what_an_impulse_moves_it_by(node):
    model, state, work, own = laid_out()
    old = work.old._replace(x=state.x.copy(), v=state.v.copy())
    o = np.zeros_like(state.x)
    state.w[6:8] = 0.0
    effective_mass.begin(model, state, old, o, np.zeros(len(state.x)), own, H)
    effective_mass.find_inverse(model, state.w, own)
    for n in (*np.eye(3), np.array([0.6, 0.0, 0.8])):
        way = answers(model, state, own, node, 1e-6 * n)
        expected = effective_mass.mobility(model.rods[model.nodes["rod"][node]], own, node, 0.0, tuple(n))
        assert 1e6 * way[node] @ n == pytest.approx(expected, rel=1e-6)
        tail, head = edges_of(model.rods, len(way))
        kept = np.sum((way[head] - way[tail]) * (old.x[head] - old.x[tail]), axis=1)
        assert np.abs(kept).max() < 1e-9 * np.abs(way).max()


def test_an_impulse_moves_a_free_wire_as_its_mass_alone_says():
    model, state, work, own = laid_out()
    old = work.old._replace(x=state.x.copy(), v=state.v.copy())
    o = np.zeros_like(state.x)
    effective_mass.begin(model, state, old, o, np.zeros(len(state.x)), own, H)
    for node, rod in ((2, FIRST), (15, RING), (19, RING)):
        way = answers(model, state, own, node, np.array([1e-6, 2e-6, 3e-6]))
        assert model.nodes["mass"][rod] @ way[rod] == pytest.approx([1e-6, 2e-6, 3e-6], rel=1e-9)
        assert np.abs(np.delete(way, rod, axis=0)).max() == 0.0


@pytest.mark.parametrize("options", [{}, {"stretchable": True}, {"shape_memory": 1.0}])
def test_a_ring_answers_alike_wherever_it_begins(options):
    """Renumbered, it is the same ring: so are the mobilities of vertices, and of points on its edges."""
    found = []
    for begin in (0, 4):
        model, state, work, own = laid_out(**options, begin=begin)
        old = work.old._replace(x=state.x.copy(), v=state.v.copy())
        state.x[:] += 1e-4 * state.x[:, [1, 2, 0]] ** 2
        effective_mass.begin(model, state, old, np.zeros_like(state.x), np.zeros(len(state.x)), own, H)
        effective_mass.find_inverse(model, state.w, own)
        every = [
            [effective_mass.mobility(model.rods[2], own, i, s, (0.6, 0.0, 0.8)) for s in (0.0, 0.3)]
            for i in range(RING.start, RING.stop)
        ]
        found.append(np.roll(np.hstack([every, state.x[RING]]), begin, axis=0))
    assert found[1] == pytest.approx(found[0], rel=1e-6)
