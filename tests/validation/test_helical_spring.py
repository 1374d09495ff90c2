"""The stiffness of a helical spring between its ends (Love, *Elasticity*, §271): pull and turn are coupled.

(F, M) = (1/l) [[(C cos²a + B sin²a)/R², (C − B) sin a cos a/R], [the same, C sin²a + B cos²a]] (δz, δφ)
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from statics import Statics, held
from tendril.physics.diagnostics.energies import energies
from tendril.physics.scene import Rod

RADIUS, BEND = 0.1, 0.7


def love(twist, pitch, length):
    c, s = np.cos(pitch), np.sin(pitch)
    coupling = (twist - BEND) * s * c / RADIUS
    pull = (twist * c * c + BEND * s * s) / RADIUS**2
    return np.array([[pull, coupling], [coupling, twist * s * s + BEND * c * c]]) / length


def spring(twist, pitch, turns, edges):
    """Of so many edges a turn."""
    around = 2.0 * np.pi * np.arange(turns * edges + 1) / edges
    x = RADIUS * np.stack([np.cos(around), np.sin(around), around * np.tan(pitch)], axis=1)
    n = len(x)
    return Rod(
        "spring", x, np.full(n, 1e-3), np.full(n, 0.01), np.full((n - 1, 2), BEND), np.full(n, twist), np.ones(n - 1)
    )


def stored(rod, solver, shift, turn):
    """Energy [J] of the spring in equilibrium when its end clamp has gone up by `shift` and turned about the axis."""
    still = Statics(held(rod, "TWIST", "TWIST", solver=solver))
    pins, state = still.model.pins, still.state
    rotation = Rotation.from_rotvec([0.0, 0.0, turn])
    end, edge = pins["node"][1], state.ghosts["edge"][pins["ghost"][1]]
    edge[:] = rotation.apply(edge)
    state.clamp_frame[pins["clamp"][1]] = rotation.apply(state.clamp_frame[pins["clamp"][1]])
    still.x[end - still.own.start] = rotation.apply(rod.x[-1]) + [0.0, 0.0, shift]
    state.x[still.own] = still.settle()
    return energies(still.model, state).elastic[0]


def stiffness(rod, solver, shift, turn):
    """The matrix (2, 2) from energies of small displacements, both ways."""
    ways = [(1, 0), (0, 1), (1, 1), (1, -1)]
    pull, twist, both, against = (
        stored(rod, solver, a * shift, b * turn) + stored(rod, solver, -a * shift, -b * turn) for a, b in ways
    )
    coupling = (both - against) / (4.0 * shift * turn)
    return np.array([[pull / shift**2, coupling], [coupling, twist / turn**2]])


def ratios(twist, pitch, turns, edges, solver):
    """To the law of a wire as long as its chords."""
    rod = spring(twist, pitch, turns, edges)
    length = np.linalg.norm(rod.edges(), axis=1).sum()
    return stiffness(rod, solver, 1e-3 * RADIUS * turns, 1e-3 * turns) / love(twist, pitch, length)


@pytest.mark.parametrize(("twist", "pitch"), [pytest.param(0.25, 0.3, marks=pytest.mark.slow), (1.6, 0.6)])
def test_stiffness_matrix(twist, pitch, solver):
    """The clamps hold the ends at their radius: with N turns that is O(1/N²); second order in the edge."""
    assert abs(love(twist, pitch, 1.0)[0, 1]) > 0.5
    long = []
    for edges in (12, 24):
        few, many = (ratios(twist, pitch, turns, edges, solver) for turns in (2, 4))
        long.append(many + (many - few) / 3.0)
    errors = np.array(long) - 1.0
    assert np.all(np.log2(np.abs(errors[0] / errors[1])) > 1.9)
    np.testing.assert_allclose(long[1] + (long[1] - long[0]) / 3.0, 1.0, rtol=0.0, atol=5e-3)


@pytest.mark.parametrize(
    ("twist", "pitch", "turned"),
    [(0.25, 0.3, 0.0), pytest.param(1.6, 0.6, 0.0, marks=pytest.mark.slow), (0.8, 0.05, 0.3)],
)
def test_fifteen_edges_a_turn(twist, pitch, turned, solver):
    """Pulled and turned between clamps, a spring is within 2 % of the law of the wire that it is drawn along, and so
    however its material frames are twisted at rest.
    """
    edges, long = 15, []
    for turns in (2, 4):
        rod = spring(twist, pitch, turns, edges)
        rod = replace(rod, twist=np.append(0.0, np.append(np.full(turns * edges - 1, turned), 0.0)))
        wire = 2.0 * np.pi * RADIUS * turns / np.cos(pitch)
        long.append(stiffness(rod, solver, 1e-3 * RADIUS * turns, 1e-3 * turns) / love(twist, pitch, wire))
    few, many = long
    found = many + (many - few) / 3.0
    np.testing.assert_allclose(found if abs(love(twist, pitch, 1.0)[0, 1]) > 0.5 else np.diag(found), 1.0, atol=0.02)
