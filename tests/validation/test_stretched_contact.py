"""What is stretched so far that its edges are longer than several of them were at rest touches itself all the same; and
so does what folds over an edge shorter than it is thick."""

import numpy as np
import pytest
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Pin, Rod, Scene

RADIUS, EDGE, APART = 0.004, 0.02, 0.0085  # m
RUBBER, LIMP = (Material(young, 0.45, 1000.0, friction=0.0) for young in (1e6, 1e5))


@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
def test_the_legs_of_a_stretched_hairpin_do_not_pass_into_each_other(model):
    """Held at four times its length at both ends and at its bend; the middles of its legs are thrown at each other, at
    a third of the speed of waves along it. Told from neighbours by lengths at rest, no pair of edges of it touched, and
    the legs went .49 radii into each other.
    """
    x = np.array([[2.0, 0.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0]]) * [EDGE, APART]
    x, v = np.pad(x, ((0, 0), (0, 1))), np.zeros((6, 3))
    v[[1, 4], 1] = 10.0, -10.0
    rod = Rod.from_material("hairpin", x, RADIUS, RUBBER, model=model, stretchable=True, rest_length_factor=0.25, v=v)
    pins = tuple(Pin.fixed(rod, vertex) for vertex in (0, 2, 3, 5))
    scene = Scene((rod,), 5e-4, 12, pins=pins, gravity=np.zeros(3), air_density=0.0, solver="EXPLICIT")
    frames = list(simulate(scene))
    assert max(deepest_overlap([rod], frame.x, relative=True) for frame in frames) < 0.05
    assert min(frame.x[4, 1] - frame.x[1, 1] for frame in frames) < APART  # they came near


@pytest.mark.parametrize("opened", [5.0, 7.0])
@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
@pytest.mark.parametrize("options", [{}, {"stretchable": True}, {"model": "cosserat"}], ids=str)
def test_a_fold_over_a_short_edge_is_held_open_before_it_is_deep(options, solver, opened):
    """The legs of a V, its bend an edge of 1.5 radii, are thrown at each other. Where they are nearest, at the bend,
    they are bent, not touching; those places that are half a turn apart touch. When nearest places alone could, the
    legs met once they were parallel, half a radius in each other.
    """
    x = RADIUS * np.array([[8.0, opened, 0.0], [0.0, 0.75, 0.0], [0.0, -0.75, 0.0], [8.0, -opened, 0.0]])
    v = np.zeros((4, 3))
    v[[0, 3], 1] = -5.0, 5.0
    rod = Rod.from_material("fold", x, RADIUS, LIMP, v=v, **options)
    scene = Scene((rod,), 5e-4, 12, gravity=np.zeros(3), air_density=0.0, solver=solver)
    frames = list(simulate(scene))
    depths = [deepest_overlap([rod], frame.x, relative=True) for frame in frames]
    assert depths[0] < 0.0
    assert -0.05 < max(depths) < 0.05  # they came near
