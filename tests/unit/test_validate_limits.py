"""Numbers that overflow in the first product are refused by name, whichever they are."""

from dataclasses import fields, replace

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import ForceField, Pin, RigidBody, Rod, Scene
from tendril.physics.validate import SceneError, check

X = np.linspace([0.0, 0.0, 2.0], [1.0, 0.3, 2.0], 6)
ROD = Rod.from_material("Rope", X, 0.01, Material(1e7, 0.3, 1000.0))
SCENE = Scene(
    (ROD,), 1 / 24, 3, (Pin.fixed(ROD, 0),), (RigidBody("Lamp", X[5], 1.0, np.eye(3)),),
    fields=(ForceField("Wind", "WIND", np.zeros(1), np.zeros((1, 3)), np.array([[1.0, 0.0, 0.0, 0.0]])),),
)  # fmt: skip


@pytest.mark.parametrize("size", [1e31, 1e160, 1e300])
@pytest.mark.parametrize("owner", ["rods", "pins", "bodies", "fields"])
def test_a_number_beyond_all_bounds_is_refused_by_its_owners_name(owner, size):
    (thing,) = getattr(SCENE, owner)
    for field in fields(thing):
        value = getattr(thing, field.name)
        if isinstance(value, float | np.ndarray) and not isinstance(value, bool):
            big = np.full_like(value, size) if isinstance(value, np.ndarray) else size
            with pytest.raises(SceneError, match=rf"'{thing.name}': its {field.name.replace('_', ' ')} reaches"):
                check(replace(SCENE, **{owner: (replace(thing, **{field.name: big}),)}))


def test_infinity_stays_a_limit_that_is_never_reached():
    check(replace(SCENE, max_step=np.inf))
