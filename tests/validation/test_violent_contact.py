"""What hits, slides and turns fast takes a step that can be taken: few iterations, no trap of ever shorter steps."""

import numpy as np
import pytest
from meshes import ball
from tendril.physics.assemble import assemble
from tendril.physics.assemble.room import grown
from tendril.physics.diagnostics.surface_overlap import deepest_in_surface, intersections
from tendril.physics.materials import Material
from tendril.physics.scene import Collider, Pin, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps
from tendril.physics.time_integration.symplectic_euler import DONE, PAIRS_FULL

FRAME, STEP = 1.0 / 24.0, 1.0 / 240.0  # s


def frames_of(scene, count):
    """(x, steps, iterations) at the end of each frame, by implicit steps."""
    model, state, work = assemble(scene)
    for k in range(count):
        steps = iterations = 0
        while state.clock["time"][0] < (k + 1 - 1e-9) * FRAME:
            status, _, _, taken, rounds = implicit_steps(
                model, state, work, (k + 1) * FRAME - state.clock["time"][0], STEP
            )
            assert status in (DONE, PAIRS_FULL)
            steps, iterations = steps + taken, iterations + rounds
            if status == PAIRS_FULL:
                state, work = grown(model, state)
        yield state.x.copy(), steps, iterations


@pytest.mark.parametrize("friction", [pytest.param(0.0, marks=pytest.mark.slow), 0.5])
def test_a_rope_slapped_onto_a_mesh_takes_few_iterations(friction):
    """Friction of 0.5 took 20 iterations a step and 30 steps a frame while its cone went with the normal force."""
    points, triangles = ball(0.2, 24, 48)
    collider = Collider("ball", triangles, np.zeros(1), points[None], friction=friction)
    x = np.linspace([-0.5, 0.013, 0.24], [0.5, 0.021, 0.24], 100)
    rope = Rod.from_material("rope", x, 0.005, Material(5e6, 0.5, 1000.0, friction=friction, internal_damping=0.01))
    scene = Scene((rope,), FRAME, 10, pins=(Pin.fixed(rope, 45),), colliders=(collider,), solver="IMPLICIT")
    steps = iterations = 0
    for x, taken, rounds in frames_of(scene, 9):
        assert intersections(scene.rods, x, collider, points) == 0
        assert deepest_in_surface(scene.rods, x, collider, points) < 0.05 * 0.005
        steps, iterations = steps + taken, iterations + rounds
    assert steps < 200
    assert iterations < 12 * steps
