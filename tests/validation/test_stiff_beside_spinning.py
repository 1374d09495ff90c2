"""A stiff Kirchhoff rod beside one that spins, by implicit steps: what they come to is what explicit steps do."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Floor, Pin, Rod, Scene

SOLVERS = ("IMPLICIT", "EXPLICIT")
STEEL, RUBBER = Material(2e11, 0.3, 7800.0), Material(1e6, 0.45, 1100.0)


def crossing(material, solver="IMPLICIT", apart=0.0, **more):
    """A bar that is held, and a rubber rope that lies across it, or `apart` [m] above."""
    bar = Rod.from_material("bar", np.linspace([0.0, -0.25, 0.0], [0.0, 0.25, 0.0], 11), 0.005, material)
    x = np.linspace([-0.1, 0.0, 0.012 + apart], [0.1, 0.0, 0.012 + apart], 9)
    rope = Rod.from_material("rope", x, 0.005, RUBBER, model="cosserat")
    pins = (Pin.fixed(bar, 0, "TWIST"),)
    return Scene((bar, rope), 1.0 / 24.0, 4, pins=pins, solver=solver, gravity=np.zeros(3), **more)


def thrown(solver, aside=0.0, friction=0.0):
    """A rubber rope is thrown at a free steel bar, in empty space."""
    bar = Rod.from_material("bar", np.linspace([0.0, aside - 0.25, 0.0], [0.0, aside + 0.25, 0.0], 21), 0.005, STEEL)
    x = np.linspace([-0.1, 0.0, 0.0105], [0.1, 0.0, 0.0105], 17)
    rope = Rod.from_material("rope", x, 0.005, RUBBER, model="cosserat", v=np.tile([0.3, 0.5, -3.0], (17, 1)))
    rods = tuple(replace(rod, friction=friction) for rod in (bar, rope))
    return Scene(rods, 1.0 / 240.0, 25, solver=solver, gravity=np.zeros(3), air_density=0.0)


def test_it_rests_as_by_explicit_steps():
    """Equilibria do not depend on the step: a rope hangs over a bar, whose tip it bends down by 2 % of its length."""
    bar = Rod.from_material("bar", np.linspace([0.0, 0.0, 0.0], [0.5, 0.0, 0.0], 11), 0.002, STEEL)
    heavy = Material(1e6, 0.45, 8000.0, internal_damping=0.05, friction=0.5)
    x = np.linspace([0.4, -0.06, 0.0102], [0.4, 0.06, 0.0102], 9)
    rope = Rod.from_material("rope", x, 0.008, heavy, model="cosserat")
    rods = (replace(bar, friction=0.5, internal_damping=0.02), rope)
    pins = (Pin.fixed(rods[0], 0, "TWIST"),)
    scenes = [Scene(rods, 1.0 / 24.0, 37, pins=pins, solver=solver) for solver in SOLVERS]
    tips = [np.mean([frame.x[10, 2] for frame in list(simulate(scene))[-12:]]) for scene in scenes]
    assert tips[1] < -0.01
    assert tips[0] == pytest.approx(tips[1], rel=0.01)


def test_a_bake_is_resumed_while_they_are_together():
    """To the same bytes."""
    scene = replace(thrown("IMPLICIT", friction=0.4), frame_count=9)
    whole = list(simulate(scene))
    for k in (1, 4):
        for one, other in zip(simulate(scene, dict(whole[k].state)), whole[k + 1 :], strict=True):
            assert one.x.tobytes() == other.x.tobytes()


@pytest.mark.parametrize("solver", SOLVERS)
def test_settle_first_is_of_both(solver):
    """What has settled stays."""
    stiff, down = Material(2e9, 0.3, 7800.0), np.array([0.0, 0.0, -9.81])
    given = crossing(stiff, solver, floor=Floor(-0.02, 0.5))
    first, second = simulate(replace(given, gravity=down, settle=True, frame_count=2))
    assert np.abs(first.x - np.concatenate([rod.x for rod in given.rods])).max() > 1e-3
    assert second.x == pytest.approx(first.x, abs=1e-3)
