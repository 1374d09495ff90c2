"""Rods in layers on a tray: what slides comes to rest, and a step of what rests is solved at once."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.materials import Material
from tendril.physics.run.simulate import simulate
from tendril.physics.scene import Collider, Floor, Rod, Scene
from tendril.physics.time_integration.implicit_steps import implicit_steps

RADIUS, LENGTH, EDGES = 0.01, 0.3, 40  # m
STEP, SPEED = 1.0 / 240.0, 0.05  # s, m/s
RUBBER = Material(1e7, 0.4, 1000.0, friction=0.4, internal_damping=0.01)


def layers(count, each):
    """Rods that lie crosswise on each other, layer upon layer; those of each slide another way."""
    rods, s = [], np.linspace(-0.5, 0.5, EDGES + 1) * LENGTH
    for layer in range(count):
        along, aside = np.eye(3)[layer % 2], np.eye(3)[1 - layer % 2]
        for k in range(each):
            x = np.outer(s, along) + 0.08 * (k - 0.5 * (each - 1)) * aside
            x[:, 2] = RADIUS * (1.0 + 2.0 * layer)
            v = np.tile((-1.0) ** layer * SPEED * (along + aside), (len(x), 1))
            rods.append(Rod.from_material(f"{layer}, {k}", x, RADIUS, RUBBER, v=v))
    return tuple(rods)


def tray():
    """A square of two triangles."""
    corners = 0.5 * np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]])
    return Collider("Tray", np.array([[0, 1, 2], [0, 2, 3]]), np.zeros(1), corners[None])


def test_what_slides_in_a_pile_stops_and_each_step_then_takes_one_iteration():
    rods = layers(3, 3)
    model, state, work = assemble(Scene(rods, 1.0 / 24.0, 2, colliders=(tray(),), solver="IMPLICIT"), times=4)
    status, _, _, steps, iterations = implicit_steps(model, state, work, 0.25, STEP)
    assert status == 0
    assert iterations < 2 * steps
    stopped = state.x.copy()
    status, _, _, steps, iterations = implicit_steps(model, state, work, 0.25, STEP)
    assert status == 0
    assert steps == iterations == round(0.25 / STEP)
    assert np.abs(state.x - stopped).max() < 1e-3 * RADIUS
    assert deepest_overlap(rods, state.x, relative=True) < 0.05


@pytest.mark.parametrize("seed", [4, 5, 11])
@pytest.mark.parametrize(("quality", "precision"), [("PREVIEW", 1e-2), ("GOOD", 1e-3), ("FINE", 1e-3)])
def test_logs_stand_where_they_are_drawn_from_the_first_frame_on(quality, precision, seed):
    """Nine layers of two, by implicit steps: the first, which has yet to find all forces, shifts none of them, whatever
    rounding leaves a little apart.
    """
    radius, wood = 0.03, Material(2e8, 0.35, 600.0, friction=0.5, internal_damping=0.02)
    rods, rng = [], np.random.default_rng(seed)
    for layer in range(9):
        along, aside = np.eye(3)[layer % 2], np.eye(3)[1 - layer % 2]
        for side in (1.0, -1.0):
            x = np.outer(np.linspace(-0.3, 0.3, 6), along) + 0.18 * side * aside + [0.0, 0.0, radius * (2 * layer + 1)]
            x += 1e-12 * rng.normal(size=x.shape)
            rods.append(Rod.from_material(f"{layer}, {side:g}", x, radius, wood))
    scene = Scene(tuple(rods), 1.0 / 24.0, 13, floor=Floor(0.0, 0.5), solver="IMPLICIT", quality=quality)
    frames = [item.x for item in simulate(scene)]
    assert np.linalg.norm(np.array(frames) - frames[0], axis=2).max() < precision * radius
