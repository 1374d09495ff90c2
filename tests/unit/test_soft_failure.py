"""What is said when a soft body cannot go on."""

from types import SimpleNamespace

import numpy as np
import pytest
from tendril.physics.run.failure import torn


@pytest.mark.parametrize(
    ("ratios", "said"),
    [
        ([1.0, 0.02, 1.1], "a tetrahedron has 0.02 of its volume"),
        ([1.0, 0.9, 40.0], "a tetrahedron has 40 of its volume"),
        ([1.0, 0.9, 1.1], "it moves too fast to be followed"),
        ([1.0, np.nan, 1.1], "a tetrahedron has"),
    ],
)
def test_a_volume_is_named_only_if_it_is_what_has_gone_wrong(ratios, said):
    scene = SimpleNamespace(solids=[SimpleNamespace(name="Jelly")])
    solids = SimpleNamespace(
        tetrahedra={"solid": np.zeros(3, int)}, bodies={"node": np.array([[0, 3]])}, chambers=()
    )  # fmt: skip
    model = SimpleNamespace(solids=solids, nodes={"w": np.ones(3)})
    work = SimpleNamespace(
        solids=SimpleNamespace(jacobian=np.array(ratios), force=np.eye(3), old_force=np.zeros((3, 3)))
    )
    name, reason = torn(scene, model, work)
    assert name == "Jelly"
    assert said in reason
