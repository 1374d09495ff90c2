"""A stiff Kirchhoff rod that takes implicit steps by itself, and has to take explicit ones beside one that spins."""

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Notice, Pin, Rod, Scene

STEEL, RUBBER = Material(2e11, 0.3, 7800.0), Material(1e6, 0.45, 1100.0)


def crossing(material, solver="IMPLICIT", apart=0.0):
    """A bar that is held, and a rubber rope that lies across it, or `apart` [m] above."""
    bar = Rod.from_material("bar", np.linspace([0.0, -0.25, 0.0], [0.0, 0.25, 0.0], 11), 0.005, material)
    x = np.linspace([-0.1, 0.0, 0.012 + apart], [0.1, 0.0, 0.012 + apart], 9)
    rope = Rod.from_material("rope", x, 0.005, RUBBER, model="cosserat")
    pins = (Pin.fixed(bar, 0, "TWIST"),)
    return Scene((bar, rope), 1.0 / 24.0, 4, pins=pins, solver=solver, gravity=np.zeros(3))


def told(scene):
    notices: list[Notice] = []
    for _ in simulate(scene, notices=notices.append):
        pass
    return [notice for notice in notices if "Cosserat" in notice.text]


def test_it_is_told_once():
    (notice,) = told(crossing(STEEL))
    assert notice.object == "bar"
    assert notice.text.startswith("'bar' takes ")
    assert "'rope'" in notice.text


@pytest.mark.parametrize("given", [(RUBBER, "IMPLICIT", 0.0), (STEEL, "IMPLICIT", 1.0), (STEEL, "EXPLICIT", 0.0)])
def test_nothing_is_told_where_nothing_is_lost(given):
    """It is as soft, far away, or takes explicit steps anyway."""
    assert not told(crossing(*given))
