"""The poses that a Frame shows, against scipy's rotations."""

from types import SimpleNamespace

import numpy as np
from scipy.spatial.transform import Rotation
from tendril.physics.model import BODY_STATE
from tendril.physics.run.frames import poses

RNG = np.random.default_rng(5)
COUNT = 20


def bodies():
    """BODY_STATE (COUNT,) anywhere."""
    table = np.zeros(COUNT, BODY_STATE)
    q = RNG.normal(size=(COUNT, 4))
    table["q"], table["x"] = q / np.linalg.norm(q, axis=1, keepdims=True), RNG.normal(size=(COUNT, 3))
    return table


def test_a_pose_is_the_turn_since_the_start_and_where_that_brings_what_was_described():
    """But for a body that has left all bounds: that has none."""
    start, now, described = bodies(), bodies(), RNG.normal(size=(COUNT, 3))
    now["q"][3] = 0.0
    found = poses(SimpleNamespace(bodies=[SimpleNamespace(position=place) for place in described]), now, start)
    assert np.isnan(found[3]).all()
    for b in set(range(COUNT)) - {3}:
        then, turned = (Rotation.from_quat(np.roll(table["q"][b], -1)) for table in (start, now))
        turn = turned * then.inv()
        place = now["x"][b] + turn.apply(described[b] - start["x"][b])
        np.testing.assert_allclose(found[b, :3], place, atol=1e-12)
        np.testing.assert_allclose(found[b, 3:], np.roll(turn.as_quat(), 1), atol=1e-12)
