"""A supple rope slides without friction off a table, over its rounded edge: the end that hangs pulls what lies, so that
it goes by h₀ (cosh √(g/L) t − 1), h₀ being how much lower its end is than the table at first.

A normal that lags behind by v h/R holds it back as friction of that coefficient would: integrated along the edge that
is 5 % less way in a third of a second by steps of 1/240 s, and in proportion to the step.
"""

import numpy as np
import pytest
from solvers import exact_steps
from tendril.physics.assemble import assemble
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Rod, Scene

G, LENGTH, OVER, RADIUS, ROUNDED = 9.81, 1.0, 0.2, 0.005, 0.03
REACH = ROUNDED + RADIUS
ARC = 0.5 * np.pi * REACH
FLEXIBLE = Material(1e4, 0.4, 1000.0, friction=0.0)


def table(facets):
    """Its edge along y, rounded by so many facets."""
    a = np.linspace(0.0, 0.5 * np.pi, facets + 1)
    profile = np.vstack([[-2.0, ROUNDED], ROUNDED * np.column_stack([np.sin(a), np.cos(a)]), [ROUNDED, -1.5]])
    points = np.array([[x, y, z] for x, z in profile for y in (-0.5, 0.5)])
    first = 2 * np.arange(len(profile) - 1)[:, None]
    triangles = np.concatenate([first + [0, 2, 3], first + [0, 3, 1]])
    return Collider("table", triangles, np.zeros(1), points[None], 0.0, 0.0)


def sliding(n, facets, solver, frames):
    """A Scene of a rope of n edges, of which OVER has gone over the edge."""
    s = np.linspace(-(LENGTH - OVER), OVER, n + 1)
    a = np.clip(s / REACH, 0.0, 0.5 * np.pi)
    x = np.column_stack([np.minimum(s, 0.0) + REACH * np.sin(a), 0.0 * s, REACH * np.cos(a) - np.maximum(s - ARC, 0.0)])
    rope = Rod.from_material("rope", x, RADIUS, FLEXIBLE, shape_memory=0.0)
    return Scene((rope,), 1.0 / 120.0, frames, colliders=(table(facets),), air_density=0.0, solver=solver)


def law(time):
    return (OVER - ARC + REACH) * (np.cosh(np.sqrt(G / LENGTH) * time) - 1.0)


@pytest.mark.parametrize("n", [100, 200, 400])
def test_a_rope_slides_off_a_rounded_edge(n, solver):
    """Until nearly half of it hangs, edges as long as two radii, one, or half of one."""
    scene = sliding(n, 24, solver, 61)
    way = np.array([frame.x[0, 0] for frame in simulate(scene)]) + LENGTH - OVER
    assert way[60] == pytest.approx(law(0.5), rel=0.02)


def test_what_slides_is_not_held_back_by_how_long_steps_are():
    """By steps of 1/60 s, a fifth of a radian each, of 1/120 and of 1/240 s: less than .8, .5 and .25 % of its way,
    where normals frozen as steps begin cost 11.6, 8.8 and 5.5 %.
    """
    for count, off in ((20, 0.008), (40, 0.005), (80, 0.0025)):
        scene = sliding(400, 48, "IMPLICIT", 2)
        model, state, work = assemble(scene, times=64)
        exact_steps(scene, model, state, work, 1.0 / (3 * count), count)
        assert state.x[0, 0] + LENGTH - OVER == pytest.approx(law(1.0 / 3.0), rel=off)
