"""Walls in the matrix of implicit steps."""

import numpy as np
import pytest
from tendril.physics.assemble import assemble
from tendril.physics.implicit.scratch import BLOCK
from tendril.physics.implicit.wall_contact import couple
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Rod, Scene

N = 8


@pytest.fixture
def ring():
    turn = 2.0 * np.pi * np.arange(N) / N
    x = np.column_stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), np.full(N, 0.01)])
    rod = Rod.from_material("ring", x, 0.01, Material(1e6, 0.4, 1000.0), closed=True, rolls=True)
    model, _, work = assemble(Scene((rod,), 1.0 / 24.0, 2, floor=Floor(0.0), solver="IMPLICIT"))
    return model.chain_system, model, work.implicit


@pytest.mark.parametrize("vertex", [0, 1, N - 1])
def test_a_rolling_ring_couples_vertices_and_frames_where_it_meets_itself(ring, vertex):
    """Within the band, by the doubles behind its last vertex: beyond it are other rows' entries."""
    system, model, work = ring
    row, before, behind = system.place[vertex], system.angle[vertex], system.angle[vertex + 1]
    for angle in (before, behind):
        for other in (row, row + 2, before, behind):
            work.matrix["value"] = 0.0
            couple(model, work, 0, angle, other, 1.0)
            ((found, column),) = np.argwhere(work.matrix["value"] != 0.0)
            there = found - found % BLOCK + column
            assert {int(found) % (BLOCK * N), int(there) % (BLOCK * N)} == {int(angle), int(other)}
