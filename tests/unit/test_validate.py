"""Every sentence that refuses a scene names the object and the value and says what to do; a fine scene has none."""

import ast
import inspect
from dataclasses import replace

import numpy as np
import pytest
from tendril.physics import validate
from tendril.physics.materials import Material
from tendril.physics.scene import Floor, Pin, Rod, Scene
from tendril.physics.validate import SceneError, check

RUBBER = Material(1e7, 0.45, 1100.0)


def rod(closed=False, **changes):
    around = np.linspace(0.0, 5.0, 10)
    x = np.stack([np.cos(around), np.sin(around), 0.1 * around], axis=1)
    return replace(Rod.from_material("Rope", x, 0.01, RUBBER, closed=closed), **changes)


def scene(one=None, pins=(), **changes):
    return replace(Scene((one or rod(),), 0.04, 5, pins=tuple(pins)), **changes)


def pin(vertex=0, mode="POSITION", name="Hook", **changes):
    return replace(Pin.fixed(rod(), 0, vertex, mode, name), **changes)


def spoilt(name, index, value):
    array = np.array(getattr(rod(), name), dtype=float)
    array[index] = value
    return {name: array}


def moved(point, to):
    x = rod().x.copy()
    x[point] = to
    return x


FINE = {
    "open": scene(),
    "closed": scene(rod(closed=True)),
    "held": scene(pins=[pin(0, "TWIST"), pin(5, "DIRECTION"), pin(-1)]),
    "stretchable": scene(rod(stretchable=True)),
    "on a floor": scene(floor=Floor(-1.0, 0.5)),
    "everything given": scene(
        rod(
            twist=np.zeros(10),
            rest_x=rod().x,
            rest_twist=np.zeros(10),
            v=np.zeros((10, 3)),
            m1=np.array([0.0, 0.0, 2.0]),
        )
    ),
}
X = rod().x
NAN = float("nan")

BAD = [
    (Scene((), 0.04, 5), "scene", "There is no rod in the scene: select a curve and add one."),
    (scene(frame_duration=0.0), "scene", "The scene's frame duration is 0 s: it has to be positive."),
    (scene(frame_duration=NAN), "scene", "The scene's frame duration is nan s: it has to be positive."),
    (scene(frame_count=0), "scene", "The scene's number of frames is 0: it has to be positive."),
    (scene(air_density=-1.0), "scene", "The scene's air density is -1 kg/m³"),
    (scene(max_step=0.0), "scene", "The scene's largest step is 0 s: it has to be positive."),
    (scene(gravity=np.array([0.0, NAN, 0.0])), "scene", "The scene's gravity is [ 0. nan  0.]: give three finite"),
    (scene(floor=Floor(NAN)), "scene", "The floor at height nan m"),
    (scene(floor=Floor(0.0, -0.1)), "scene", "with friction -0.1 cannot be"),
    (scene(quality="BEST"), "scene", "The quality 'BEST' is unknown: choose one of PREVIEW, GOOD, FINE."),
    (scene(rod(x=X[:2])), "Rope", "'Rope' has 2 points: a rod needs at least three; subdivide the curve."),
    (scene(rod(mass=np.ones(9))), "Rope", "mass has the shape (9,) in place of (10,): give one value for each."),
    (scene(rod(x=moved(3, NAN))), "Rope", "'Rope': x of point 3 is not a number: check the curve and its drivers."),
    (scene(rod(**spoilt("radius", 4, 0.0))), "Rope", "the radius at point 4 is 0 m: it has to be greater than zero."),
    (scene(rod(**spoilt("radius", 4, -0.5))), "Rope", "the radius at point 4 is -0.5 m: it has to be greater"),
    (scene(rod(**spoilt("mass", 2, 0.0))), "Rope", "the mass at point 2 is 0 kg: it has to be greater than zero."),
    (scene(rod(**spoilt("bend_stiffness", (6, 1), 0.0))), "Rope", "the bend stiffness at point 6 is 0 N m²"),
    (scene(rod(**spoilt("twist_stiffness", 6, -2.0))), "Rope", "the twist stiffness at point 6 is -2 N m²"),
    (scene(rod(stretchable=True, **spoilt("stretch_stiffness", 1, 0.0))), "Rope", "the stretch stiffness is 0 N"),
    (scene(rod(rest_length_factor=0.0)), "Rope", "rest length factor is 0: keep it between 0.001 and 1000."),
    (scene(rod(shape_memory=1.5)), "Rope", "'Rope': shape memory is 1.5: keep it between 0 and 1."),
    (scene(rod(internal_damping=-1.0)), "Rope", "'Rope': internal damping is -1: keep it between 0 and"),
    (scene(rod(drag_coefficient=NAN)), "Rope", "'Rope': drag coefficient is nan: keep it between 0 and"),
    (scene(rod(friction=-0.1)), "Rope", "'Rope': friction is -0.1: keep it between 0 and"),
    (scene(rod(x=moved(4, X[5]))), "Rope", "points 4 and 5 are 0 m apart, in the same place: merge them"),
    (scene(rod(closed=True, x=moved(9, X[0]))), "Rope", "points 9 and 0 are 0 m apart, in the same place"),
    (scene(rod(rest_x=moved(4, X[5]))), "Rope", "'Rope': rest points 4 and 5 are 0 m apart, in the same place"),
    (scene(rod(x=moved(5, X[3] + 1e-3))), "Rope", "the curve folds back on itself at point 4 (turning by 180°)"),
    (scene(rod(m1=X[1] - X[0])), "Rope", "m1 points along the first edge: give a direction across it."),
    (scene(rod(m1=np.zeros(3))), "Rope", "m1 points along the first edge: give a direction across it."),
    (scene(rod(rest_x=2.0 * X, rest_m1=X[1] - X[0])), "Rope", "'Rope': rest_m1 points along the first edge"),
    (scene(pins=[pin(rod=1)]), "Hook", "'Hook' holds rod 1, but there are 1: choose one of them."),
    (scene(pins=[replace(pin(), vertex=10)]), "Hook", "holds point 10 of 'Rope', which has 10: choose one of them."),
    (scene(pins=[pin(mode="CLAMP")]), "Hook", "the mode 'CLAMP': choose one of POSITION, DIRECTION, TWIST."),
    (
        scene(pins=[pin(times=np.array([0.0, 0.0]), position=np.tile(X[0], (2, 1)))]), "Hook",
        "'Hook': the times of its 2 samples have to increase.",
    ),
    (scene(pins=[pin(position=np.array([[0.0, NAN, 0.0]]))]), "Hook", "position is not (1, 3) finite numbers"),
    (scene(pins=[pin(rotation=np.ones(4))]), "Hook", "rotation is not (1, 4) finite numbers: check the object"),
    (scene(pins=[pin(rotation=np.zeros((1, 4)))]), "Hook", "'Hook': its rotations have to be unit quaternions"),
    (scene(pins=[pin(influence=np.array([1.2]))]), "Hook", "its influence reaches 1.2: keep it between 0 and 1."),
    (scene(pins=[pin(max_force=0.0)]), "Hook", "'Hook': the largest force is 0 N: it has to be greater than zero."),
    (
        scene(pins=[pin(position=X[:1] + 0.3)]), "Hook",
        "'Hook' starts 0.5196 m from the point 0 of 'Rope' that it holds: move one to the other at the first frame.",
    ),
    (
        scene(pins=[pin(), pin(name="Nail")]), "Nail",
        "'Nail' and 'Hook' hold the same point 0 of 'Rope': remove one of them or move it along the rod.",
    ),
    (scene(pins=[pin(4, "DIRECTION"), pin(5, name="Nail")]), "Nail", "'Nail' and 'Hook' hold the same point 5"),
]  # fmt: skip


@pytest.mark.parametrize("name", FINE)
def test_fine(name):
    check(FINE[name])


@pytest.mark.parametrize(("bad", "about", "sentence"), BAD, ids=[sentence for _, _, sentence in BAD])
def test_refused(bad, about, sentence):
    with pytest.raises(SceneError) as caught:
        check(bad)
    text = str(caught.value)
    assert sentence in text
    assert caught.value.object == about
    assert "\n" not in text
    assert text.endswith(".")
    assert about == "scene" or f"'{about}'" in text


def test_every_sentence_is_tried():
    """As many places raise as are reached by the cases above."""
    tree = ast.parse(inspect.getsource(validate))
    places = {node.lineno for node in ast.walk(tree) if isinstance(node, ast.Raise)}
    reached = set()
    for bad, _, _ in BAD:
        with pytest.raises(SceneError) as caught:
            check(bad)
        reached.add(caught.traceback[-1].lineno + 1)
    assert reached == places
