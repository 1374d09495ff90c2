"""Numbers of a rod that go with time are, at each time, as of a rod that has those numbers."""

from dataclasses import replace

import numpy as np
import pytest
from tendril.physics.assemble import laid_out
from tendril.physics.assemble.keyed import slopes
from tendril.physics.materials import Material
from tendril.physics.rods.keyed_numbers import lay_now
from tendril.physics.run.joining import join_models
from tendril.physics.scene import Keyed, Pin, Rod, Scene
from tendril.physics.validate import SceneError, check

RUBBER = Material(2e6, 0.5, 1000.0, internal_damping=0.01, friction=0.4)
TABLES = {
    "edges": ("length", "stiffness", "stretch"),
    "hinges": (
        "bend", "bending", "rest_curvature", "bent", "rest_share", "twist_rate", "rest_twist", "viscosity",
    ),
    "nodes": ("friction",), "capsules": ("friction",), "segments": ("length", "stretch", "parallel", "viscosity"),
    "bends": ("length", "stiffness", "rest", "viscosity"),
    "rods": ("twist_compliance", "natural_twist", "bend_max", "shortest", "longest"),
}  # fmt: skip


def arc(keyed=None, model="kirchhoff", **options):
    """An arc of an eighth of a turn, twisted as drawn."""
    turn = np.linspace(0.0, 0.25 * np.pi, 9)
    x = np.stack([np.sin(turn), np.zeros(9), np.cos(turn)], axis=1)
    twist = np.full(9, 0.02)
    twist[[0, -1]] = 0.0
    own = {"parallel_stiffness": 5.0, "twist": twist, "stretchable": True}
    return Rod.from_material("arc", x, np.linspace(0.02, 0.01, 9), RUBBER, model=model, keyed=keyed, **own | options)


def scene_of(rod, **options):
    return Scene((rod,), 1.0 / 24.0, 25, (Pin.fixed(rod, 0, "TWIST"),), **options)


def ramp(**ends):
    """From the rod's own number to another in a second."""
    own = {name: np.array([0.0 if name == "twist" else 1.0, end]) for name, end in ends.items()}
    return Keyed("arc", np.array([0.0, 1.0]), **own)


def with_numbers(rod, c, name):
    """The rod whose number is c times its own."""
    if name == "length":
        return replace(rod, rest_length_factor=c * rod.rest_length_factor)
    if name == "bending":
        parallel = c * rod.parallel_stiffness
        stiff = {"bend_stiffness": c * rod.bend_stiffness, "twist_stiffness": c * rod.twist_stiffness}
        return replace(rod, parallel_stiffness=parallel, **stiff)
    if name == "stretching":
        return replace(rod, stretch_stiffness=c * rod.stretch_stiffness)
    field = {"shape": "shape_memory", "damping": "internal_damping", "friction": "friction"}[name]
    return replace(rod, **{field: c * getattr(rod, field)})


@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
@pytest.mark.parametrize("name", ["length", "bending", "stretching", "shape", "damping", "friction"])
def test_numbers_are_those_of_a_rod_that_has_them(name, model):
    rod = arc(model=model)
    keyed = laid_out(scene_of(replace(rod, keyed=ramp(**{name: 0.6}))))[0]
    for time, c in ((1.0, 0.6), (0.0, 1.0), (0.5, 0.8)):
        lay_now(keyed, time)
        wanted = laid_out(scene_of(with_numbers(rod, c, name)))[0]
        for table, columns in TABLES.items():
            for column in columns:
                found, own = getattr(keyed, table)[column], getattr(wanted, table)[column]
                # û l is a logarithm of a turn, which is scaled itself: another by the square of what a joint turns by
                near = 5e-3 if (table, column, name) == ("bends", "rest", "shape") else 1e-12
                assert np.allclose(found, own, rtol=near, atol=near * np.abs(own).max(initial=0.0)), (table, column)
        assert np.all(keyed.rods["limit"] >= (1.0 - 1e-9) * wanted.rods["limit"])
        assert np.all(keyed.rods["limit"] < 3.0 * wanted.rods["limit"])


@pytest.mark.parametrize("model", ["kirchhoff", "cosserat"])
def test_twist_is_added_evenly(model):
    """As much as a rod with that twist at rest, spread as its resistance is, has."""
    rod = arc(model=model)
    keyed = laid_out(scene_of(replace(rod, keyed=ramp(twist=0.3))))[0]
    before = keyed.bends["rest"][:, 2] * keyed.bends["length"], keyed.hinges["rest_twist"].copy()
    lay_now(keyed, 1.0)
    more = keyed.hinges["rest_twist"] - before[1]
    assert np.isclose(more.sum(), 0.3, rtol=1e-12)
    held = keyed.hinges["twist_rate"] > 0.0
    assert np.ptp(more[held] * keyed.hinges["twist_rate"][held]) < 1e-12 * 0.3 * keyed.hinges["twist_rate"].max()
    assert np.isclose(keyed.rods["natural_twist"][0] - before[1].sum(), 0.3, rtol=1e-12)
    if model == "cosserat":
        own = keyed.bends["rest"][:, 2] * keyed.bends["length"] - before[0]
        assert np.allclose(own[:-1], more[:-1], rtol=1e-12)


def test_parts_keep_their_numbers_where_they_are_joined():
    one, other = arc(ramp(length=0.5)), arc(ramp(friction=0.5, bending=2.0))
    models = [laid_out(scene_of(rod))[0] for rod in (arc(), one, other)]
    joined = join_models(models)
    for time in (0.7, 0.0):
        for model in (*models, joined):
            lay_now(model, time)
        for table, columns in TABLES.items():
            for column in columns:
                apart = np.concatenate([getattr(model, table)[column] for model in models])
                assert np.array_equal(getattr(joined, table)[column], apart), (table, column)


def test_between_samples_no_number_leaves_their_range():
    times = np.array([0.0, 0.2, 0.3, 1.0, 1.5])
    values = np.array([1.0, 1.0, 0.2, 0.21, 3.0])
    keyed = Keyed("arc", times, length=values)
    model = laid_out(scene_of(arc(keyed)))[0]
    own, last = model.edges["length"][0], None
    for time in np.linspace(0.0, 1.5, 301):
        lay_now(model, time)
        now = model.edges["length"][0] / own
        k = min(np.searchsorted(times, time, "right"), len(times) - 1)
        assert min(values[k - 1 : k + 1]) - 1e-12 <= now <= max(values[k - 1 : k + 1]) + 1e-12
        assert last is None or abs(now - last) < 0.15  # .8 in a tenth of a second: no jump
        last = now


def test_slopes_of_an_even_ramp_are_its_own_but_where_it_begins_and_ends():
    times = np.array([0.0, 0.1, 0.4, 1.0])
    assert np.allclose(slopes(times, 3.0 * times[:, None])[:, 0], [0.0, 3.0, 3.0, 0.0])


@pytest.mark.parametrize(
    ("keyed", "options", "said"),
    [
        (Keyed("a", np.array([0.0, 1.0]), length=np.array([1.0, 0.0])), {}, "rest length is 0 times its own at 1 s"),
        (Keyed("a", np.array([0.0, 1.0]), length=np.array([1.0, -2.0])), {}, "rest length is -2 times"),
        (Keyed("a", np.array([0.0, 1.0]), bending=np.array([1.0, np.nan])), {}, "stiffness is not a number at 1 s"),
        (Keyed("a", np.array([0.0, 0.0]), bending=np.array([1.0, 1.0])), {}, "have to increase"),
        (Keyed("a", np.array([0.0, 1.0]), shape=np.array([1.0, 1.5])), {}, "rest shape reaches 1.5"),
        (Keyed("a", np.array([0.0, 1.0]), friction=np.array([1.0, -1.0])), {}, "friction is -1 times"),
        (Keyed("a", np.array([0.0, 1.0]), shape=np.array([1.0, 0.5])), {"balanced": True}, "turn off Hold Drawn Shape"),
        (Keyed("a", np.array([0.0]), length=np.array([1.0, 0.5])), {}, "has the shape"),
    ],
)
def test_what_no_rod_can_have_is_refused(keyed, options, said):
    with pytest.raises(SceneError, match=said) as found:
        check(scene_of(arc(keyed, **options)))
    assert str(found.value).count(".") <= str(found.value).count(". ") + 3
