"""What frozen normals miss of a step counts as surfaces that come nearer."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.contact.detect import HELD
from tendril.physics.contact.frozen_normals import come_nearer
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.scene import Rod, Scene
from tendril.physics.time_integration.bdf2 import find_contacts, predict
from tendril.physics.time_integration.symplectic_euler import keep

RADIUS, H = 0.01, 1e-3


def drifts(tilt):
    """(how much nearer surfaces count of crossed rods that touch, one of which a step tilts so far [rad] into the other
    about its middle, over the radius; how deep that is)
    """
    s = np.linspace(-0.1, 0.1, 6)[:, None]
    along, across = s * [1.0, 0.0, 0.0], s * [0.0, 1.0, 0.0] + [0.0, 0.0, 2.0 * RADIUS]
    rods = [Rod.from_material(name, x, RADIUS, Material(1e6, 0.5, 1000.0)) for name, x in (("a", along), ("b", across))]
    model, state, work = assemble(Scene(tuple(rods), 1.0 / 24.0, 2, solver="IMPLICIT"))
    keep(state, work.old)
    predict(model, state, work, (1.0, 0.0, 0.0, H))
    count = find_contacts(model, state, work, H, False)
    contacts = work.contact.contacts[:count]
    c, z = np.cos(tilt), np.sin(tilt)
    state.x[6:] = s * [0.0, c, z] + [0.0, 0.0, 2.0 * RADIUS * c]
    deep = deepest_overlap(rods, state.x, relative=True)
    nearer = come_nearer(model, state, contacts, H, False)
    way = np.einsum("qc,qc->q", contacts["n"], contacts["drift"]).max() / RADIUS
    assert nearer == (way > 0.0)
    return way, deep


@pytest.mark.parametrize("tilt", [0.25, 0.4])
def test_what_turns_in_deep_counts_as_nearer(tilt):
    way, deep = drifts(tilt)
    assert deep == pytest.approx(2.0 * np.sin(tilt) ** 2, rel=1e-9)
    assert way == pytest.approx(deep - HELD, rel=1e-9)


def test_what_hardly_turns_does_not():
    assert drifts(0.1)[0] == 0.0
