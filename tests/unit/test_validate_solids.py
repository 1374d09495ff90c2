"""What cannot be a soft body, or a hold of one, is refused with one sentence: the object, the value, the cure."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Hold, RigidBody, Rod, Scene, SoftBody, Tie
from tendril.physics.validate import SceneError, check, notices, soft_holds, solids, ties

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


def beside(way, **options):
    """Two cubes of 1 m, the second one off by `way` (3,)."""
    x = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)], dtype=float)
    node = np.array([[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]])
    one = SoftBody("Jelly", x, node, 1000.0, 1e5, 0.3)
    small = options.pop("size", 1.0)
    return Scene((), 1 / 24, 10, solids=(one, replace(one, name="Custard", x=small * x + way)), **options)


def test_soft_bodies_that_are_drawn_into_each_other_are_refused():
    name, sentence = refusal(beside([0.9, 0.05, 0.02]))
    assert name == "Jelly"
    assert sentence == "'Jelly' is drawn about 100 mm into 'Custard': move them apart, or turn on Push Apart."
    inside = refusal(beside([0.3, 0.31, 0.32], size=0.3))[1]
    assert inside == "'Jelly' and 'Custard' are inside each other: move one out."
    check(beside([1.0, 0.0, 0.0]))  # beside each other
    check(beside([0.97, 0.05, 0.02]))  # as deep as they are rounded
    check(beside([0.9, 0.05, 0.02], contact=False))
    check(beside([0.9, 0.0, 0.0], holds=(Hold("Knot", "DISTANCE", 0, 7, other=(1, 0)),)))


WRONG = [
    ({"weights": -np.ones(6)}, "its weight for wind is -1: it must not be negative"),
    ({"drag_coefficient": -1.0}, "its air drag is -1: it must not be negative"),
    ({"balanced": True, "energy": "LIESENFELD"}, "cannot hold its drawn shape with the energy LIESENFELD: choose"),
    ({"poisson": 0.5}, "Poisson's ratio is 0.5: it has to be above"),
    ({"poisson": -1.0}, "Poisson's ratio is -1: it has to be above"),
    ({"poisson": np.nan}, "Poisson's ratio is nan"),
    ({"density": 0.0}, "density is 0 kg/m³: it has to be greater than zero"),
    ({"young": -1.0}, "Young's modulus is -1 Pa"),
    ({"friction": -0.1}, "its friction is -0.1: it must not be negative or endless"),
    ({"thickness": np.inf}, "its thickness is inf m: it must not be negative or endless"),
    ({"mu": -2.0}, "shear viscosity is -2 Pa s: it must not be negative"),
    ({"zeta": np.inf}, "bulk viscosity is inf Pa s"),
    ({"x": NAN}, "the place of node 2 is not a number: give a finite x[2]."),
    ({"v": NAN}, "the velocity of node 2 is not a number"),
    ({"rest_x": NAN}, "the relaxed place of node 2 is not a number"),
    (
        {"x": CORNER[:, [1, 0, 2]]},
        "1 of 1 tetrahedra are inside out as it is drawn, the first one 0 (-0.167 m³): swap",
    ),
    ({"x": CORNER * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) as it is drawn"),
    ({"rest_x": CORNER * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) relaxed"),
    ({"rest_x": np.zeros((4, 3))}, "tetrahedron 0 has no volume (0 m³) relaxed"),
    ({"rest_x": CORNER[None] * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) relaxed"),
    ({"rest_x": 1e-150 * CORNER * [1, 1, 0]}, "tetrahedron 0 has no volume (0 m³) relaxed"),
    ({"rest_x": CORNER * 1e10}, "at most 1e+08 m can be simulated: bring it back"),
    ({"rest_x": CORNER[:3]}, "rest_x has the shape (3, 3) in place of (4, 3)"),
    ({"tetrahedra": np.array([[0, 1, 2, 4]])}, "a tetrahedron has node 4, but there are 4, from 0 on"),
    ({"tetrahedra": np.zeros((0, 4), int)}, "tetrahedra of the shape (0, 4): give at least one"),
    ({"x": np.vstack([CORNER, CORNER[:1]])}, "node 4 belongs to no tetrahedron: remove it"),
    ({"stiffness": np.array([1.0, 0, 1, 1])}, "stiffness factor of node 1 is 0"),
    ({"weight": np.ones(3)}, "weight has the shape (3,) in place of (4,)"),
    ({"energy": "HOOKE"}, "the energy 'HOOKE' is unknown: choose one of POLYCONVEX"),
    ({"elements": "LINEAR"}, "the elements 'LINEAR' are unknown: choose one of SMOOTHED, AFFINE"),
    ({"x": CORNER + 1e9}, "at most 1e+08 m can be simulated: bring it back"),
    ({"times": np.array([0.0, 0.0]), "pressure": np.ones(2)}, "have to increase"),
    ({"times": np.array([0.0, 1.0]), "pressure": np.ones(3)}, "give one for each time"),
    ({"pressure": np.nan}, "give finite ones"),
    ({"pressure": -2e5, "sealed": True}, "is sealed, at a pressure of"),
    ({"pressure": 1.0, "gas_density": -1.0}, "the density of its gas is"),
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


FADES = replace(
    NAIL, times=np.array([0.0, 1.0]), track=np.tile(CORNER[NAIL.node], (2, 1)), influence=np.array([1.0, 0.0])
)
LOOSE = [
    (replace(NAIL, influence=np.ones(1)), "has an influence but no times and no track: give all, or none"),
    (replace(FADES, influence=np.array([1.0, 1.5])), "its influence has to be from 0 to 1"),
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
    at = {"times": np.zeros(1), "track": CUBE.x[:1], "influence": np.full(1, 0.5)}
    check(scene(CUBE, [NAIL, replace(NAIL, name="Screw", **at)]))  # it is a spring from the start on


def test_bad_elements_and_the_energy_that_folds_are_named():
    flat = replace(CUBE, x=CORNER * [1.0, 1.0, 0.05], energy="LIESENFELD")
    one, other = (notice.text for notice in notices(scene(flat)))
    assert one.startswith("1 of 1 tetrahedra of 'Jelly' have angles below 8°, the worst is number 0 with")
    assert "may fold where it is stretched beyond 1.6 times" in other
    assert notices(scene()) == []


def test_what_does_not_act_on_soft_bodies_is_said():
    assert notices(scene(floor=Floor(0.0))) == []
    texts = [notice.text for notice in notices(scene(scheme="FEHLBERG"))]
    assert texts == ["'Jelly' and other soft bodies touch nothing by FEHLBERG: choose VERLET for that."]


LINE = Rod.from_material("Rope", np.linspace([0.1, 0.1, 0.1], [0.1, 0.1, 2.0], 9), 0.01, Material(1e7, 0.4, 1000.0))
TIE = Tie("Loop", 0, np.arange(4), vertex=(0, 0))
GLUE = replace(TIE, name="Glue", vertex=None, body=0)
STONES = tuple(RigidBody(f"Stone {k}", np.array([2.0, 0.0, k]), 1.0, np.eye(3)) for k in range(2))
UNTIED = [
    (replace(TIE, solid=1), {}, "ties soft body 1, but there are 1"),
    (replace(TIE, nodes=np.zeros(2, int)), {}, "ties no points of 'Jelly', or one twice"),
    (replace(TIE, nodes=np.array([4])), {}, "ties points that 'Jelly', of 4, has not"),
    (TIE, {"scheme": "FEHLBERG"}, "soft bodies that step by FEHLBERG cannot be tied"),
    (replace(TIE, vertex=None), {}, "ties 'Jelly' to nothing or to two things"),
    (replace(TIE, vertex=None, body=0), {}, "is to rigid body 0, but there are 0"),
    (replace(TIE, vertex=(0, 9)), {}, "is to a point of a rod that there is not"),
    (replace(TIE, vertex=(0, 8)), {}, "'Rope' is 1.01 m from the nearest of the points of 'Jelly'"),
    (TIE, {"holds": (NAIL,)}, "ties points of 'Jelly' that are held already"),
    (
        GLUE,
        {"bodies": STONES, "ties": (GLUE, replace(GLUE, name="Other", body=1))},
        "tie the same points of 'Jelly' to",
    ),
]


def tied(tie, **options):
    return replace(scene(), **{"rods": (LINE,), "ties": (tie,)} | options)


@pytest.mark.parametrize(("tie", "options", "words"), UNTIED)
def test_a_tie_that_cannot_be_is_refused(tie, options, words):
    name, text = refusal(tied(tie, **options))
    assert name == tie.name
    assert words in text


def test_an_influence_of_what_holds_exactly_is_of_even_steps():
    check(scene(CUBE, [FADES]))
    name, text = refusal(scene(CUBE, [FADES], scheme="FEHLBERG"))
    assert (name, text) == ("Nail", "'Nail' holds exactly, by FEHLBERG: its influence counts by VERLET alone.")
    check(scene(CUBE, [replace(FADES, stiffness=100.0)], scheme="FEHLBERG"))


def test_every_sentence_is_tried():
    """As many places raise as are reached by the cases above."""
    places, reached = set(), set()
    for module in (solids, soft_holds, ties):
        nodes = ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8")))
        places |= {(Path(module.__file__).name, node.lineno) for node in nodes if isinstance(node, ast.Raise)}
    bad = [scene(replace(CUBE, **changes)) for changes, _ in WRONG] + [scene(CUBE, [hold]) for hold, _ in LOOSE]
    bad += [tied(tie, **options) for tie, options, _ in UNTIED]
    bad += [beside([0.9, 0.05, 0.02]), beside([0.3, 0.31, 0.32], size=0.3)]
    bad += [scene(CUBE, [NAIL, replace(NAIL, name="Screw")]), scene(CUBE, [FADES], scheme="FEHLBERG")]
    for one in bad:
        with pytest.raises(SceneError) as caught:
            check(one)
        where = caught.traceback[-1]
        reached.add((where.path.name, where.lineno + 1))
    assert places <= reached
