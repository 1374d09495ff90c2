"""What it takes to pull a trefoil tight, by either treatment of contact: its ends are led apart, and wait."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from tendril.physics.diagnostics.knots import closing_points, knot_determinant
from tendril.physics.diagnostics.overlap import deepest_overlap
from tendril.physics.run.simulate import simulate
from test_knot import ALLOWED, RADIUS, pulled_knot

EDGES, FRAME = 60, 0.02
LEAD, WAIT = 20, 60  # frames; without friction it stays some twenty of them near an equilibrium that it then leaves
APART = np.array([0.02, 0.05, 0.08, 0.11])  # m that each end has gone
AIR = 400.0  # kg/m³: thick, for what swings is to come to rest
TREATMENTS = "CONSTRAINTS", "SPRINGS"
FRICTIONS = 0.0, 0.1, 0.2, 0.3


@cache
def tightened(friction, treatment):
    """Pulling forces (k,) [N] where the ends have waited at each of APART; determinants; deepest overlap, in radii."""
    scene = pulled_knot(EDGES, friction, 0.0, 1.0 / FRAME)
    rod = replace(scene.rods[0], internal_damping=0.02)
    along = (rod.x[-1] - rod.x[0]) / np.linalg.norm(rod.x[-1] - rod.x[0])
    times = FRAME * np.arange((LEAD + WAIT) * len(APART) + 1)
    part = np.clip(np.arange(len(times))[:, None] / LEAD - (1.0 + WAIT / LEAD) * np.arange(len(APART)), 0.0, 1.0)
    gone = (part * part * (3.0 - 2.0 * part)) @ np.diff(APART, prepend=0.0)
    pins = tuple(
        replace(pin, times=times, position=rod.x[pin.vertex] + side * gone[:, None] * along, rotation=None,
                max_force=np.inf)
        for pin, side in zip(scene.pins, (-1.0, 1.0), strict=True)
    )  # fmt: skip
    scene = replace(scene, rods=(rod,), pins=pins, treatment=treatment, air_density=AIR, frame_count=len(times))
    baked = list(simulate(scene))
    lengths = np.linalg.norm(np.diff([frame.x for frame in baked], axis=1), axis=2)
    tension = lengths * [frame.state["tension"][:EDGES] for frame in baked]
    pull = np.abs(tension[1:, [0, -1]]).mean(axis=1).reshape(len(APART), LEAD + WAIT)[:, -WAIT // 2 :].mean(axis=1)
    determinants = {knot_determinant(np.vstack([frame.x, closing_points(frame.x)])) for frame in baked}
    return pull, determinants, max(deepest_overlap(scene.rods, frame.x) for frame in baked) / RADIUS


@pytest.mark.parametrize("friction", [0.0, 0.2, *(pytest.param(more, marks=pytest.mark.slow) for more in (0.1, 0.3))])
def test_both_treatments_pull_alike(friction):
    pulls = []
    for treatment in TREATMENTS:
        pull, determinants, overlap = tightened(friction, treatment)
        assert determinants == {3}
        assert overlap <= ALLOWED
        assert np.all(np.diff(pull) > 0.0)
        pulls.append(pull)
    np.testing.assert_allclose(pulls[1], pulls[0], rtol=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("treatment", TREATMENTS)
def test_friction_makes_it_harder(treatment):
    """The more of it there is."""
    pulls = np.array([tightened(friction, treatment)[0] for friction in FRICTIONS])
    assert np.all(np.diff(pulls[:, 1:], axis=0) > 0.0)
