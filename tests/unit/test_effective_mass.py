"""The effective mass of rods beside soft bodies: what it answers, and how easily it lets points move."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.implicit import effective_mass
from tendril.physics.implicit.scratch import effective_mass as room
from tendril.physics.materials import Material
from tendril.physics.model import SOFT_TIE, changed
from tendril.physics.scene import Pin, Rod, Scene

STEEL, H = Material(2e11, 0.3, 7850.0), 1e-3


def laid_out():
    """Two bent wires, the second one to be held."""
    angle = np.linspace(0.0, 1.0, 9)
    bent = 0.1 * np.stack([np.sin(angle), 1.0 - np.cos(angle), 0.1 * angle], axis=1)
    wires = [Rod.from_material("wire", x, 5e-4, STEEL) for x in (bent[:6] + 1.0, bent)]
    scene = Scene(tuple(wires), 1.0 / 24.0, 2, pins=(Pin.fixed(wires[1], 1, 0, "DIRECTION"),))
    model, state, work = assemble(scene)
    model = model._replace(rods=changed(model.rods, implicit=True))
    return model, state, work, room(model, np.zeros(0, SOFT_TIE))


def answers(model, state, o, own, node, push):
    """How far all vertices move by an impulse on one."""
    begun = state.x.copy()
    unmoved = begun.copy()
    effective_mass.answer(model, state, o, np.zeros(len(begun)), begun, own)
    unmoved[:] = state.x
    state.x[:] = begun
    state.x[node] += state.w[node] * push
    effective_mass.answer(model, state, o, np.zeros(len(begun)), begun, own)
    way = state.x - unmoved
    state.x[:] = begun
    return way


@pytest.mark.parametrize("node", [0, 3, 8, 14])
def test_the_mobility_of_a_vertex_is_what_an_impulse_moves_it_by(node):
    model, state, work, own = laid_out()
    old = work.old._replace(x=state.x.copy(), v=state.v.copy())
    o = np.zeros_like(state.x)
    state.w[6:8] = 0.0
    effective_mass.begin(model, state, old, o, np.zeros(len(state.x)), own, H)
    effective_mass.find_inverse(model, state.w, own)
    for n in (*np.eye(3), np.array([0.6, 0.0, 0.8])):
        way = answers(model, state, o, own, node, 1e-6 * n)
        expected = effective_mass.mobility(model.rods[int(node > 5)], own, node, 0.0, tuple(n))
        assert 1e6 * way[node] @ n == pytest.approx(expected, rel=1e-6)
        rod = slice(0, 6) if node < 6 else slice(6, 15)
        kept = np.abs(np.sum(np.diff(way[rod], axis=0) * np.diff(old.x[rod], axis=0), axis=1)).max()
        assert kept < 1e-9 * np.abs(way).max()


def test_an_impulse_moves_a_free_wire_as_its_mass_alone_says():
    model, state, work, own = laid_out()
    old = work.old._replace(x=state.x.copy(), v=state.v.copy())
    o = np.zeros_like(state.x)
    effective_mass.begin(model, state, old, o, np.zeros(len(state.x)), own, H)
    mass = model.nodes["mass"][:6]
    way = answers(model, state, o, own, 2, np.array([1e-6, 2e-6, 3e-6]))
    assert mass @ way[:6] == pytest.approx([1e-6, 2e-6, 3e-6], rel=1e-9)
    assert np.abs(way[6:]).max() == 0.0
