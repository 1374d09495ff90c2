"""Sheets that cannot be: one sentence each, which names the object and what to do. And drawn ones that can."""

from dataclasses import replace

import numpy as np
import pytest
from plates import net
from tendril.physics.scene import Scene, Sheet
from tendril.physics.validate import SceneError, check

X, TRIANGLES = net(4, 4, 0.4, 0.4)


def sheet(name="mat", **changed):
    given = {"x": X, "triangles": TRIANGLES, "density": 1100.0, "young": 5e6, "poisson": 0.45, "plate": 0.005}
    return Sheet(name, **given | changed)


def scene_of(*sheets, **given):
    return Scene((), 1.0 / 24.0, 2, solids=sheets, **given)


def curled(tight):
    return np.tile(np.diag([tight, 0.0, 0.0]), (len(TRIANGLES), 1, 1))


FLAT = X.copy()
FLAT[TRIANGLES[0, 0]] = FLAT[TRIANGLES[0, 1:]].mean(axis=0)
WRONG = [
    ({"triangles": np.zeros((0, 3), int)}, "at least one"),
    ({"triangles": TRIANGLES[:, :2]}, "at least one"),
    ({"triangles": TRIANGLES + 20}, "from 0 on"),
    ({"x": np.vstack([X, [9.0, 9.0, 9.0]])}, "belongs to no triangle"),
    ({"x": np.where(X == 0.4, np.nan, X)}, "finite"),
    ({"triangles": np.vstack([TRIANGLES, TRIANGLES[:1], TRIANGLES[:1]])}, "faces meet at the edge"),
    ({"triangles": np.vstack([TRIANGLES[:1, ::-1], TRIANGLES[1:]])}, "recalculate normals"),
    ({"x": FLAT}, "has no area"),
    ({"rest_x": FLAT}, "has no area"),
    ({"plate": 0.0}, "greater than zero"),
    ({"plate": np.nan}, "greater than zero"),
    ({"plate": 0.3}, "more than its faces are long"),
    ({"density": 0.0}, "greater than zero"),
    ({"young": -1.0}, "greater than zero"),
    ({"poisson": 0.5}, "below 0.5"),
    ({"poisson": -0.1}, "from 0"),
    ({"membrane": 0.0}, "membrane"),
    ({"membrane": 2.0}, "membrane"),
    ({"relaxation": -1.0}, "damping"),
    ({"friction": np.inf}, "friction"),
    ({"stiffness": np.zeros(len(X))}, "stiffness of node 0 is 0: give more than zero"),
    ({"weight": np.linspace(1.0, -1.0, len(X))}, "weight of node 24 is -1: give more than zero"),
    ({"thicker": np.ones(3)}, "thicker has to be"),
    ({"thicker": np.linspace(1.0, 60.0, len(X))}, "is 0.3 m thick, more than its faces are long"),
    ({"thicker": np.full(len(X), 2.0), "curvature": curled(250.0)}, "too tight for 0.01 m"),
    ({"balanced": True}, "balanced"),
    ({"pressure": 100.0}, "no gas fills"),
    ({"pressure": np.ones(2), "times": np.arange(2.0)}, "no gas fills"),
    ({"sealed": True}, "no gas fills"),
    ({"gas_density": 0.2}, "no gas fills"),
    ({"curvature": curled(500.0)}, "too tight"),
    ({"curvature": curled(30.0)}, "make its faces smaller"),
    ({"curvature": curled(1.0)[:3]}, "curvature has to be"),
    ({"curvature": np.tile([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], (len(TRIANGLES), 1, 1))}, "symmetric"),
]


@pytest.mark.parametrize(("changed", "said"), WRONG)
def test_one_sentence(changed, said):
    with pytest.raises(SceneError, match=said) as told:
        check(scene_of(sheet(**changed)))
    assert "'mat'" in str(told.value)
    assert str(told.value).endswith(".")


def test_what_is_right():
    check(scene_of(sheet(), sheet("other", x=X + [0.0, 0.0, 0.1], curvature=curled(2.0), membrane=1e-4)))


def test_a_face_may_turn_by_as_much_as_is_told():
    """1.4 rad of 1.5."""
    check(scene_of(sheet(curvature=curled(1.4 / np.hypot(0.1, 0.1)))))


@pytest.mark.parametrize("share", [0.95, 1.05])
def test_curled_as_tightly_as_thickness_lets_it(share):
    """Small faces in a corner, as faces that are shorter than the plate is thick turn by too much before."""
    side = np.array([0.0, 0.01, 0.02, 0.2, 0.4])
    x, curl = np.stack([*np.meshgrid(side, side, indexing="ij"), np.zeros((5, 5))], axis=2).reshape(-1, 3), curled(0.0)
    curl[x[TRIANGLES].max(axis=(1, 2)) < 0.03, 0, 0] = share * 2.0 / 0.02
    scene = scene_of(sheet(x=x, plate=0.02, curvature=curl))
    if share < 1.0:
        check(scene)
    else:
        with pytest.raises(SceneError, match="too tight"):
            check(scene)


def test_by_even_steps_alone():
    with pytest.raises(SceneError, match="'mat' is a sheet"):
        check(scene_of(sheet(), scheme="DORMAND_PRINCE"))


def test_a_sheet_has_no_inside():
    """What lies in a sheet that sags, or in a roll of one, is not inside of it."""
    sagging = X.copy()
    sagging[:, 2] = 0.01 * (((X[:, :2] - 0.2) / 0.2) ** 2).sum(axis=1)
    small = replace(sheet("small"), x=0.1 * X + [0.18, 0.18, 0.004], plate=0.0005)
    check(scene_of(sheet(x=sagging), small))
    angle = X[:, 0] / 0.4 * 1.9 * np.pi
    rolled = np.stack([0.06 * np.cos(angle), X[:, 1], 0.06 * np.sin(angle)], axis=1)
    check(scene_of(sheet(x=rolled, rest_x=X), replace(small, x=0.1 * X + [-0.02, 0.18, 0.0])))


def test_sheets_that_cross_are_refused():
    across = X[:, [2, 1, 0]] + [0.23, 0.0, -0.17]
    with pytest.raises(SceneError, match="is drawn about"):
        check(scene_of(sheet(), sheet("other", x=across)))
