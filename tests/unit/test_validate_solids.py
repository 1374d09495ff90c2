"""What cannot be a soft body, or a hold of one, is refused with one sentence: the object, the value, the cure."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Hold, Rod, Scene, SoftBody
from tendril.physics.validate import SceneError, check, notices, soft_holds, solids

CORNER = np.vstack([np.zeros(3), np.eye(3)])
CUBE = SoftBody("Jelly", CORNER, np.arange(4)[None], 1000.0, 1e5, 0.3)
TWO = SoftBody("Two", np.vstack([CORNER, [1.0, 1.0, 1.0]]), np.array([[0, 1, 2, 3], [1, 4, 2, 3]]), 1000.0, 1e5, 0.3)
NAIL = Hold("Nail", "POINT", 0, 0)
NAN = np.where(np.arange(4)[:, None] == 2, np.nan, CORNER)


def scene(body=CUBE, holds=(), **options):
    return Scene((), 1 / 24, 10, solids=(body,), holds=tuple(holds), **options)


def refusal(scene):
    with pytest.raises(SceneError) as error:
        check(scene)
    return error.value.object, str(error.value)


def test_a_soft_body_that_is_in_order_is_taken():
    check(scene(CUBE, [NAIL]))
    check(scene(TWO, consistent_mass=True, scheme="FEHLBERG"))


WRONG = [
    ({"gravity": -1.0}, "its weight for gravity is -1: it must not be negative"),
    ({"poisson": 0.5}, "Poisson's ratio is 0.5: it has to be between"),
    ({"poisson": -1.0}, "Poisson's ratio is -1: it has to be between"),
    ({"poisson": np.nan}, "Poisson's ratio is nan"),
    ({"density": 0.0}, "density is 0 kg/m³: it has to be greater than zero"),
    ({"young": -1.0}, "Young's modulus is -1 Pa"),
    ({"friction": -0.1}, "its friction is -0.1: it must not be negative or endless"),
    ({"thickness": np.inf}, "its thickness is inf m: it must not be negative or endless"),
    ({"mu": -2.0}, "shear viscosity is -2 Pa s: it must not be negative"),
    ({"zeta": np.inf}, "bulk viscosity is inf Pa s"),
    ({"x": NAN}, "the place of node 2 is not a number: check the mesh"),
    ({"v": NAN}, "the velocity of node 2 is not a number"),
    ({"rest_x": NAN}, "the relaxed place of node 2 is not a number"),
    (
        {"x": CORNER[:, [1, 0, 2]]},
        "1 of 1 tetrahedra are inside out as it is drawn, the first one 0 (-0.167 m³): swap",
    ),
    ({"x": CORNER * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) as it is drawn"),
    ({"rest_x": CORNER * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) relaxed"),
    ({"rest_x": CORNER[:3]}, "rest_x has the shape (3, 3) in place of (4, 3)"),
    ({"tetrahedra": np.array([[0, 1, 2, 4]])}, "a tetrahedron has node 4, but there are 4, from 0 on"),
    ({"tetrahedra": np.zeros((0, 4), int)}, "tetrahedra of the shape (0, 4): give at least one"),
    ({"x": np.vstack([CORNER, CORNER[:1]])}, "node 4 belongs to no tetrahedron: remove it"),
    ({"stiffness": np.array([1.0, 0, 1, 1])}, "stiffness factor of node 1 is 0"),
    ({"weight": np.ones(3)}, "weight has the shape (3,) in place of (4,)"),
    ({"energy": "HOOKE"}, "the energy 'HOOKE' is unknown: choose one of POLYCONVEX"),
    ({"x": CORNER + 1e9}, "at most 1e+08 m can be simulated: bring it back"),
]


@pytest.mark.parametrize(("changes", "words"), WRONG)
def test_what_cannot_be_is_refused(changes, words):
    name, text = refusal(scene(replace(CUBE, **changes)))
    assert name == "Jelly"
    assert text.startswith("'Jelly'")
    assert words in text
    assert text.endswith(".")
    assert text.count("\n") == 0


def test_one_inverted_element_of_two_is_named():
    inverted = replace(TWO, tetrahedra=TWO.tetrahedra[:, [0, 1, 2, 3]][[0, 1]] * 1)
    inverted.tetrahedra[1] = inverted.tetrahedra[1][[0, 2, 1, 3]]
    _, text = refusal(scene(inverted))
    assert "1 of 2 tetrahedra are inside out" in text
    assert "the first one 1" in text
    assert "untangle" in text


LOOSE = [
    (replace(NAIL, kind="GLUE"), "the kind 'GLUE' is unknown"),
    (replace(NAIL, node=4), "holds node 4 of 'Jelly', which has 4"),
    (replace(NAIL, solid=1), "holds soft body 1, but there are 1"),
    (replace(NAIL, kind="PLANE"), "has no direction: a PLANE needs one"),
    (replace(NAIL, kind="LINE", direction=np.zeros(3)), "has no direction: a LINE needs one"),
    (replace(NAIL, kind="JOIN"), "is a JOIN, which needs another node"),
    (replace(NAIL, other=(0, 1)), "is a POINT, which holds to no other node"),
    (replace(NAIL, kind="JOIN", other=(0, 1)), "joins nodes that are 1 m apart: move them together first"),
    (replace(NAIL, kind="DISTANCE", other=(0, 0)), "keeps two nodes in one place apart"),
    (replace(NAIL, kind="DISTANCE", other=(0, 1, 2)), "holds to 3 numbers"),
    (replace(NAIL, stiffness=0.0), "stiffness is 0 N/m"),
    (replace(NAIL, release=0.0), "lets go at 0 s: it has to be after the start"),
    (replace(NAIL, times=np.zeros(1)), "has times or a track but not both"),
    (replace(NAIL, times=np.zeros(2), track=np.zeros((2, 3))), "times of its 2 samples have to increase"),
    (replace(NAIL, times=np.zeros(1), track=np.full((1, 3), np.nan)), "its place is not a number"),
]


@pytest.mark.parametrize(("hold", "words"), LOOSE)
def test_a_hold_that_cannot_be_is_refused(hold, words):
    name, text = refusal(scene(CUBE, [hold]))
    assert name == "Nail"
    assert words in text


def test_two_holds_of_one_node_are_refused():
    _, text = refusal(scene(CUBE, [NAIL, replace(NAIL, name="Screw")]))
    assert text == "'Screw' and 'Nail' hold the same node 0 exactly: remove one of them."


def test_bad_elements_and_the_energy_that_folds_are_named():
    flat = replace(CUBE, x=CORNER * [1.0, 1.0, 0.05], energy="LIESENFELD")
    one, other = (notice.text for notice in notices(scene(flat)))
    assert one.startswith("1 of 1 tetrahedra of 'Jelly' have angles below 8°, the worst is number 0 with")
    assert "may fold where it is stretched beyond 1.6 times" in other
    assert notices(scene()) == []


def test_what_does_not_act_on_soft_bodies_is_said():
    assert notices(scene(floor=Floor(0.0))) == []
    rope = Rod.from_material("rope", np.eye(3), 0.01, Material(1e7, 0.45, 1100.0))
    texts = [notice.text for notice in notices(replace(scene(scheme="FEHLBERG"), rods=(rope,)))]
    assert "'Jelly' and other soft bodies do not feel rods yet: do without." in texts
    assert "'Jelly' and other soft bodies touch nothing by FEHLBERG: choose VERLET for that." in texts


def test_every_sentence_is_tried():
    """As many places raise as are reached by the cases above."""
    places, reached = set(), set()
    for module in (solids, soft_holds):
        nodes = ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        places |= {(Path(module.__file__).name, node.lineno) for node in nodes if isinstance(node, ast.Raise)}
    bad = [scene(replace(CUBE, **changes)) for changes, _ in WRONG] + [scene(CUBE, [hold]) for hold, _ in LOOSE]
    for one in (*bad, scene(CUBE, [NAIL, replace(NAIL, name="Screw")])):
        with pytest.raises(SceneError) as caught:
            check(one)
        where = caught.traceback[-1]
        reached.add((where.path.name, where.lineno + 1))
    assert places <= reached
