"""How long cables are: as is typed, as they find it, and as their motion asks."""

import sys
import time
from pathlib import Path
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
from artist import choose, refused
from bl_ext.user_default.tendril.operators import bake as bake_operators
from bl_ext.user_default.tendril.operators import run_state
from bl_ext.user_default.tendril.operators.cable_length import TENDRIL_OT_needed_length
from bl_ext.user_default.tendril.ui.bake import of_cable
from bl_ext.user_default.tendril.ui.cable import told
from cables import LENGTH, cable, drawn, lead, length, settle, targets


def hung(span=0.9, mode="POSITION"):
    item = cable(mode=mode)
    targets(item)[1].location.x = span * LENGTH
    settle(item)
    return item


@pytest.mark.parametrize("scale", [1.0, 0.5])
def test_it_gets_the_length_that_is_typed(scale):
    """By length, difference and percent, in Blender units; the panel tells how much that is more. Each is one step."""
    bpy.context.scene.unit_settings.scale_length = scale
    item = hung()
    assert item.tendril.first_length == pytest.approx(LENGTH, rel=1e-4)
    assert told(item.tendril, bpy.context.scene.unit_settings).count("(") == 0
    assert bpy.ops.tendril.set_length(length=1.5) == {"FINISHED"}
    assert length(item) == pytest.approx(1.5, rel=1e-4)
    assert bpy.ops.tendril.set_length(kind="DIFFERENCE", difference=-0.1) == {"FINISHED"}
    assert length(item) == pytest.approx(1.4, rel=1e-4)
    for _ in range(2):
        assert bpy.ops.tendril.set_length(kind="PERCENT", percent=10.0) == {"FINISHED"}
    assert length(item) == pytest.approx(1.4 * 1.21, rel=1e-4)
    assert item.tendril.length == pytest.approx(1.4 * 1.21, rel=1e-4)
    assert f"+{100.0 * (1.4 * 1.21 / LENGTH - 1.0):.3g} %" in told(item.tendril, bpy.context.scene.unit_settings)


def test_a_part_gets_a_length_between_two_selected_points():
    """In edit mode, where it stays; a pin in between holds the same point of it."""
    item = hung()
    assert bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.75, holder="EMPTY", mode="POSITION") == {"FINISHED"}
    settle(item)
    points = item.data.splines[0].bezier_points
    count = len(points)
    held = round(item.tendril.pins[-1].fraction * (count - 1))
    for number, point in enumerate(points):
        point.select_control_point = number in (0, count // 4)
    before = np.linalg.norm(np.diff([p.co for p in points], axis=0), axis=1)
    bpy.ops.object.mode_set(mode="EDIT")
    own = before[: count // 4].sum()
    assert bpy.ops.tendril.set_length(part="SELECTED", length=own + 0.2) == {"FINISHED"}
    assert bpy.context.mode == "EDIT_CURVE"
    bpy.ops.object.mode_set(mode="OBJECT")
    after = np.linalg.norm(np.diff([p.co for p in item.data.splines[0].bezier_points], axis=0), axis=1)
    assert after[: count // 4].sum() == pytest.approx(own + 0.2, rel=1e-4)
    np.testing.assert_allclose(after[count // 4 :], before[count // 4 :], rtol=1e-3)
    arc = np.concatenate([[0.0], np.cumsum(after)])
    assert item.tendril.pins[-1].fraction == pytest.approx(arc[held] / arc[-1], abs=1e-5)
    target = item.tendril.pins[-1].target.matrix_world.translation
    np.testing.assert_allclose(item.matrix_world @ item.data.splines[0].bezier_points[held].co, target, atol=1e-4)


def test_undo_works_after_each():
    item = hung()
    bpy.ops.ed.undo_push(message="hung")
    for act in (
        lambda: bpy.ops.tendril.set_length(length=2.0),
        lambda: bpy.ops.tendril.needed_length(use=True),
    ):
        item = bpy.data.objects["Cable"]
        before = drawn(item)
        assert act() == {"FINISHED"}
        bpy.ops.ed.undo_push(message="act")
        bpy.ops.ed.undo()
        item = bpy.data.objects["Cable"]
        assert drawn(item) == before
        choose(item)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"length": 0.0}, "length greater than 0"), ({"length": 0.5}, "too short to reach"),
        ({"part": "SELECTED"}, "select two of a spline"),
        ({"kind": "DIFFERENCE", "difference": -5.0}, "greater than 0"),
        ({"kind": "PERCENT", "percent": np.nan}, "A length that is no number"),
    ],
)  # fmt: skip
def test_bad_lengths_are_refused_and_change_nothing(settings, words):
    item = hung()
    for point in item.data.splines[0].bezier_points:
        point.select_control_point = False
    before = drawn(item)
    assert words in refused(bpy.ops.tendril.set_length, **settings)
    assert drawn(item) == before


def test_it_finds_its_own_length_and_keeps_it():
    """However far what holds it goes; typed lengths are refused meanwhile; what it weighs may be too much."""
    item = hung()
    item.tendril.rod.own_length, item.tendril.rod.tautness = True, 0.05
    targets(item)[1].location.x = 3.0 * LENGTH
    settle(item)
    own = length(item)
    assert 3.0 * LENGTH < own < 3.3 * LENGTH
    assert "press Keep Length first" in refused(bpy.ops.tendril.set_length, length=1.0)
    assert bpy.ops.tendril.keep_length() == {"FINISHED"}
    assert not item.tendril.rod.own_length
    targets(item)[1].location.x = 2.0 * LENGTH
    settle(item)
    assert length(item) == pytest.approx(own, rel=1e-4)
    item.tendril.rod.own_length, item.tendril.rod.tautness = True, 10.0
    before = drawn(item)
    assert "longer and longer" in refused(bpy.ops.tendril.settle_cable)
    assert drawn(item) == before


def test_a_bake_finds_its_own_length_in_each_frame():
    """Through a clip as well, whose pin holds the same point of it; what is drawn stays."""
    item = cable(mode="POSITION")
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5, holder="EMPTY", mode="POSITION")
    item.tendril.rod.own_length, item.tendril.rod.tautness = True, 0.03
    lead(item, {1: 1.0, 4: 2.0})
    before = drawn(item)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert drawn(item) == before
    assert len(bpy.context.window_manager.tendril.warnings) == 0
    assert 2.0 * LENGTH < item.tendril.length < 2.3 * LENGTH
    assert item.tendril.missing == 0.0


def test_needed_length_is_that_of_its_farthest_frame():
    """Told, and set with slack; the drawing stays where it is only asked for."""
    item = hung()
    lead(item, {1: 0.9, 3: 1.6, 4: 0.9})
    before = drawn(item)
    assert bpy.ops.tendril.needed_length() == {"FINISHED"}
    assert item.tendril.needed_length == pytest.approx(1.6 * LENGTH, rel=1e-3)
    assert drawn(item) == before
    assert bpy.ops.tendril.needed_length(use=True, slack=0.05) == {"FINISHED"}
    assert length(item) == pytest.approx(1.05 * 1.6 * LENGTH, rel=1e-3)


def until_over(asked):
    """The modal operator goes on as its timer lets it, while Blender is used → what it returns at last."""
    deadline = time.monotonic() + 600.0
    while (went_on := asked.modal(bpy.context, SimpleNamespace(type="TIMER", value="NOTHING"))) == {"PASS_THROUGH"}:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return went_on


class Asked:
    """Needed Length as invoked, of several cables at once."""

    use, slack = False, 0.05

    def __init__(self):
        self.said = []
        self.baking = TENDRIL_OT_needed_length.baking_of(self, bpy.context)
        self.worker = self.baking.start()
        run_state.begin(bpy.context.window_manager.tendril)

    def report(self, kind, text):
        self.said.append(text)

    def stop(self, _context):
        pass

    def __getattr__(self, name):
        return getattr(TENDRIL_OT_needed_length, name).__get__(self)


def test_needed_length_is_found_while_blender_is_used_and_esc_ends_it(monkeypatch):
    items = [hung() for _ in range(2)]
    for item, times in zip(items, (1.6, 1.3), strict=True):
        lead(item, {1: 0.9, 3: times, 4: 0.9})
    choose(*items)
    before, run = [drawn(item) for item in items], bpy.context.window_manager.tendril
    asked = Asked()
    assert run.running
    assert "A bake is running" in refused(bpy.ops.tendril.settle_cable)
    assert until_over(asked) == {"FINISHED"}
    assert not run.running
    assert [item.tendril.needed_length for item in items] == pytest.approx([1.6 * LENGTH, 1.3 * LENGTH], rel=1e-3)
    assert all(item.name in run.message for item in items)
    assert [drawn(item) for item in items] == before
    for item in items:
        item.tendril.property_unset("needed_length")
    asked = Asked()
    monkeypatch.setattr(bake_operators, "is_over_panel", lambda *_where: True)
    pressed = SimpleNamespace(type="ESC", value="PRESS")
    assert asked.modal(SimpleNamespace(window=None), pressed) == {"RUNNING_MODAL"}
    assert until_over(asked) == {"CANCELLED"}
    assert not run.running
    assert [item.tendril.needed_length for item in items] == [0.0, 0.0]


def test_needed_length_that_is_set_is_one_undo_step():
    item = hung()
    lead(item, {1: 0.9, 3: 1.6, 4: 0.9})
    bpy.ops.ed.undo_push(message="before")
    before, name = drawn(item), item.name
    assert bpy.ops.tendril.needed_length(use=True) == {"FINISHED"}
    bpy.ops.ed.undo_push(message="asked")
    after = drawn(item)
    bpy.ops.ed.undo()
    item = bpy.data.objects[name]
    assert (drawn(item), item.tendril.needed_length) == (before, 0.0)
    bpy.ops.ed.redo()
    assert drawn(bpy.data.objects[name]) == after
    bpy.ops.ed.undo()
    item = bpy.data.objects[name]
    choose(item)
    assert bpy.ops.tendril.needed_length(use=True) == {"FINISHED"}
    assert drawn(item) == after


def test_pins_become_equidistant():
    """Where there is length enough for each; what holds them stays where it is."""
    item = hung(span=0.8)
    for fraction in (0.36, 0.64):
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="EMPTY", mode="POSITION")
        item.tendril.pins[-1].target.location.z = 0.0
    settle(item)
    held = [tuple(pin.target.location) for pin in item.tendril.pins]
    assert bpy.ops.tendril.space_pins() == {"FINISHED"}
    fractions = [pin.fraction for pin in item.tendril.pins]
    assert min(abs(np.subtract.outer(fractions, (0.36, 0.64))).min(axis=0)) > 0.01
    np.testing.assert_allclose(sorted(fractions), [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0], atol=0.02)
    assert [tuple(pin.target.location) for pin in item.tendril.pins] == held
    assert length(item) == pytest.approx(LENGTH, rel=1e-3)


def test_limits_are_listed_with_their_place():
    item = hung(mode="TWIST")
    units = bpy.context.scene.unit_settings
    assert item.tendril.transverse > 0.0
    assert len(list(of_cable(item, units))) == 1
    own = item.tendril
    own.rod.bend_limit, own.rod.tension_limit, own.rod.transverse_limit = 2.0 * own.bend_radius, 1e-6, 1e-6
    lines = [text for text, icon in of_cable(item, units) if icon == "ERROR"]
    assert len(lines) == 3
    assert all("from its start it is" in line for line in lines)
    assert bpy.ops.tendril.cable_to_mesh() == {"FINISHED"}
    mesh = bpy.data.objects["Cable Mesh"].data
    violation = np.array([value.value for value in mesh.attributes["violation"].data])
    assert violation.max() > 1.0
    assert {"contact", "curvature"} <= set(mesh.attributes.keys())
