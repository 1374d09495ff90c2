"""Numbers of a rod that are keyed or driven: read at every frame, baked, told where they cannot be."""

from types import SimpleNamespace

import bpy
import hung_rope
import numpy as np
import pytest
from artist import refused
from bl_ext.user_default.tendril.bridge import foreign_motion
from bl_ext.user_default.tendril.bridge.changes import sentence
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.parameters import KEYED, KEYED_SOFT, LOAD
from hung_rope import LAST, baked, described, hang, length, saved, straighten


@pytest.fixture
def rope(tmp_path):
    return hang(tmp_path, "Nail")


def key(rod, name, **values):
    hung_rope.key(rod.tendril.rod, name, **values)
    return rod


def drive(rod, name, expression):
    driver = rod.driver_add(f"tendril.rod.{name}").driver
    driver.expression = expression
    return driver


def read():
    return described().rods[0]


@pytest.mark.parametrize("shown_at", [1, 13])
def test_numbers_are_read_at_every_frame(rope, shown_at):
    key(rope, "rest_length_factor", frame_1=0.8, frame_25=0.4)
    key(rope, "young", frame_1=2.0, frame_13=2.0, frame_25=4.0)
    drive(rope, "friction", "frame / 100")
    straighten(rope)
    bpy.context.scene.frame_set(shown_at)
    rod = read()
    frames = np.arange(1, LAST + 2)
    assert np.allclose(rod.keyed.times, (frames - 1) / 24.0, atol=1e-12)
    assert rod.rest_length_factor == pytest.approx(0.8, rel=1e-6)
    assert np.allclose(0.8 * rod.keyed.length, np.interp(frames, [1, 25], [0.8, 0.4]), rtol=1e-6)
    assert np.allclose(rod.keyed.bending, np.interp(frames, [13, 25], [1.0, 2.0]), rtol=1e-6)
    assert np.array_equal(rod.keyed.stretching, rod.keyed.bending)
    assert np.allclose(rod.friction * rod.keyed.friction, frames / 100.0, rtol=1e-6)
    assert rod.keyed.shape is rod.keyed.damping is None


def test_a_number_that_its_keys_leave_as_it_is_is_none_of_these(rope):
    key(rope, "rest_length_factor", frame_1=0.8, frame_24=0.8)
    rod = read()
    assert rod.keyed is None
    assert rod.rest_length_factor == pytest.approx(0.8, rel=1e-6)


def test_what_begins_at_none_has_what_comes_first_as_its_own(rope):
    key(rope, "shape_memory", frame_1=0.0, frame_25=0.5)
    rod = read()
    assert 0.0 < rod.shape_memory <= 0.5
    assert rod.shape_memory * rod.keyed.shape[-1] == pytest.approx(0.5, rel=1e-6)
    assert rod.keyed.shape[0] == 0.0


def test_rounding_is_none(rope):
    drive(rope, "shape_memory", "1e-16 if frame < 3 else 0.5")
    rod = read()
    assert rod.shape_memory == pytest.approx(0.5)
    assert rod.keyed.shape[[0, 1, 2, -1]].tolist() == [0.0, 0.0, 1.0, 1.0]


def test_natural_twist_is_added_whether_it_is_keyed_or_not(rope):
    rope.tendril.rod.natural_twist = 2.0
    rod = read()
    assert rod.keyed.twist.tolist() == [2.0]
    key(rope, "natural_twist", frame_1=0.0, frame_25=3.0)
    key(rope, "young", frame_1=1.0, frame_25=2.0)
    rod = read()
    assert rod.keyed.twist[[0, -1]] == pytest.approx([0.0, 3.0])
    assert rod.keyed.bending[-1] == pytest.approx(2.0)
    rope.tendril.rod.balanced = True
    with pytest.raises(SceneError, match="its natural twist is keyed: turn off Hold Drawn Shape"):
        read()
    rope.animation_data_clear()
    assert read().keyed is None


def test_a_rope_is_reeled_in(rope):
    key(rope, "rest_length_factor", frame_1=1.0, frame_20=0.5)
    bpy.ops.tendril.bake()
    assert length(1) == pytest.approx(1.0, abs=1e-6)
    assert length(20) == pytest.approx(0.5, abs=1e-6)
    assert length(LAST) == pytest.approx(0.5, abs=1e-6)
    assert not sentence(bpy.context)


def test_a_bake_knows_when_keys_were_changed(rope):
    key(rope, "rest_length_factor", frame_1=1.0, frame_20=0.5)
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_set(15)
    assert not sentence(bpy.context)
    key(rope, "rest_length_factor", frame_20=0.6)
    assert sentence(bpy.context).startswith("Out of date: place or animation of 'Rope' changed")


def test_from_here_goes_on_with_other_keys_behind(rope):
    key(rope, "rest_length_factor", frame_1=1.0, frame_10=0.8, frame_20=0.5)
    bpy.ops.tendril.bake()
    before = [baked(frame).tobytes() for frame in range(1, LAST + 1)]
    bpy.context.scene.frame_set(10)
    key(rope, "rest_length_factor", frame_20=0.7)
    straighten(rope)
    key(rope, "rest_length_factor", frame_10=0.8)
    bpy.ops.tendril.bake_from_here()
    after = [baked(frame).tobytes() for frame in range(1, LAST + 1)]
    assert after[:10] == before[:10]
    assert length(LAST) == pytest.approx(0.7, abs=1e-6)
    assert not list(bpy.context.window_manager.tendril.warnings)


def test_from_here_keeps_a_length_that_is_another_one_here(rope):
    key(rope, "rest_length_factor", frame_1=1.0, frame_20=0.5)
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_set(10)
    key(rope, "rest_length_factor", frame_20=0.9)
    bpy.ops.tendril.bake_from_here()
    assert length(LAST) == pytest.approx(0.5, abs=1e-6)
    warnings = [warning.text for warning in bpy.context.window_manager.tendril.warnings]
    assert any(text.startswith("'Rope' keeps the drawing and the length") for text in warnings)


def test_a_resumed_bake_is_the_same(rope):
    """To more frames: so far they are the same bytes."""
    key(rope, "rest_length_factor", frame_1=1.0, frame_30=0.5)
    bpy.context.scene.frame_end = 36
    bpy.ops.tendril.bake()
    whole = [baked(frame).tobytes() for frame in range(1, 37)]
    bpy.context.scene.frame_end = LAST
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_end = 36
    bpy.ops.tendril.resume()
    assert [baked(frame).tobytes() for frame in range(1, 37)] == whole


def test_a_bake_goes_on_to_where_a_number_that_was_none_is_some(rope):
    key(rope, "shape_memory", frame_26=0.0, frame_36=0.5)
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_end = 36
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    resumed = [baked(frame).tobytes() for frame in range(1, 37)]
    bpy.ops.tendril.bake()
    assert [baked(frame).tobytes() for frame in range(1, 37)] == resumed


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda rod: key(rod, "rest_length_factor", frame_1=1.0, frame_12=-1.0), "its Rest Length reaches 0.05"),
        (lambda rod: drive(rod, "rest_length_factor", "-1"), "its Rest Length reaches 0.05"),
        (lambda rod: drive(rod, "young", "0"), "its Stiffness reaches 1e-06, the least that there is, at frame 1"),
        (lambda rod: drive(rod, "friction", "no_such_name + 1"), "the driver of its Friction has an error: mend its"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(rope, spoil, said):
    spoil(rope)
    if said.startswith("its Rest Length") and rope.animation_data.action:
        curve = rope.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0]
        curve.keyframe_points[-1].co = (12.0, -1.0)
    bpy.context.view_layer.update()
    objects = set(bpy.data.objects)
    with pytest.raises(SceneError, match=said):
        read_scene(bpy.context)
    assert said in refused(bpy.ops.tendril.bake)
    assert set(bpy.data.objects) == objects


def test_a_driver_that_may_not_run_is_told(rope, monkeypatch):
    """As in Blender's window, which asks whether scripts may run, and calls the driver valid until they do."""
    drive(rope, "friction", "0.1 + 0.2")
    bpy.context.view_layer.update()
    assert not foreign_motion.driver_fault(rope, "tendril.rod.friction")
    refusing = SimpleNamespace(autoexec_fail=True, autoexec_fail_message="Driver '0.1 + 0.2'")
    monkeypatch.setattr(foreign_motion, "bpy", SimpleNamespace(app=refusing))
    assert foreign_motion.driver_fault(rope, "tendril.rod.friction").startswith("is a script")


def test_numbers_of_a_cable_stay(rope):
    rope.tendril.rod.model = "CABLE"
    key(rope, "friction", frame_1=0.1, frame_12=0.5)
    with pytest.raises(SceneError, match="by numbers that stay: remove their keys"):
        read_scene(bpy.context)


@pytest.fixture
def jelly(tmp_path):
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.0, 0.0, 1.0))
    bpy.ops.tendril.add_soft()
    item = bpy.context.object
    item.name, item.tendril.soft.resolution, item.tendril.soft.preset = "Jelly", 3, ""
    group = item.vertex_groups.new(name="Top")
    group.add([vertex.index for vertex in item.data.vertices if vertex.co.z > 0.0], 1.0, "REPLACE")
    bpy.ops.tendril.add_soft_pin()
    return saved(tmp_path, "Jelly")


def read_soft():
    return described().solids[0]


@pytest.mark.parametrize("shown_at", [1, 13])
def test_stiffness_and_damping_of_a_soft_body_are_read_at_every_frame(jelly, shown_at):
    hung_rope.key(jelly.tendril.soft, "young", frame_1=20.0, frame_13=20.0, frame_25=60.0)
    hung_rope.key(jelly.tendril.soft, "relaxation", frame_1=0.02, frame_25=0.01)
    straighten(jelly)
    bpy.context.scene.frame_set(shown_at)
    body, frames = read_soft(), np.arange(1, LAST + 2)
    assert body.young == pytest.approx(20e3, rel=1e-6)
    assert body.mu == pytest.approx(0.02 * 20e3 / (2.0 * (1.0 + body.poisson)), rel=1e-6)
    assert body.zeta <= body.mu * (1.0 + 1e-9)
    assert np.allclose(body.keyed.stretching, np.interp(frames, [13, 25], [1.0, 3.0]), rtol=1e-6)
    assert np.allclose(body.keyed.damping, np.interp(frames, [1, 25], [1.0, 0.5]), rtol=1e-6)
    assert body.keyed.bending is body.keyed.length is None


def test_damping_that_begins_at_none_has_what_comes_first_as_its_own(jelly):
    hung_rope.key(jelly.tendril.soft, "relaxation", frame_1=0.0, frame_25=0.02)
    body = read_soft()
    assert body.mu > 0.0
    assert body.keyed.damping[0] == 0.0
    shear = body.young / (2.0 * (1.0 + body.poisson))
    assert body.mu * body.keyed.damping[-1] == pytest.approx(0.02 * shear, rel=1e-6)


def test_a_soft_body_sags_as_its_stiffness_goes(jelly):
    hung_rope.key(jelly.tendril.soft, "young", frame_1=100.0, frame_20=2.0)
    bpy.ops.tendril.bake()
    assert not sentence(bpy.context)
    lowest = [baked(frame)[:, 2].min() for frame in (1, 4, LAST)]
    assert lowest[0] - lowest[1] < 0.02 < lowest[0] - lowest[2]
    whole = [baked(frame).tobytes() for frame in range(1, LAST + 1)]
    bpy.context.scene.frame_end = 12
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_end = LAST
    assert bpy.ops.tendril.resume() == {"FINISHED"}
    assert [baked(frame).tobytes() for frame in range(1, LAST + 1)] == whole
    hung_rope.key(jelly.tendril.soft, "young", frame_20=3.0)
    assert sentence(bpy.context).startswith("Out of date: place or animation of 'Jelly' changed")


def test_a_soft_body_with_a_broken_driver_is_refused(jelly):
    jelly.driver_add("tendril.soft.young").driver.expression = "no_such_name"
    bpy.context.view_layer.update()
    with pytest.raises(SceneError, match="'Jelly': the driver of its Stiffness has an error: mend its expression"):
        read_scene(bpy.context)


def test_a_soft_body_that_holds_its_drawn_shape_may_be_keyed(jelly):
    jelly.tendril.soft.balanced = True
    hung_rope.key(jelly.tendril.soft, "young", frame_1=50.0, frame_20=20.0)
    assert read_soft().keyed.stretching[0] == 1.0


def test_a_driver_leads_the_stiffness_of_a_sheet():
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, size=1.0)
    bpy.ops.tendril.add_sheet()
    bpy.context.scene.frame_end = LAST
    bpy.context.object.driver_add("tendril.soft.young").driver.expression = "1000 * frame"
    sheet = read_soft()
    assert sheet.young == pytest.approx(1e6)
    assert np.allclose(sheet.keyed.stretching, np.arange(1, LAST + 2), rtol=1e-6)


def test_what_cannot_be_keyed_has_no_key_in_the_panel(rope):
    """What a key leads is read at each frame, or no key can be set: nothing that is keyed silently stays."""
    read_at_frames = {
        "TendrilRod": KEYED, "TendrilSoft": (*KEYED_SOFT, "pressure"), "TendrilPin": ["influence", "paid_out"],
        "TendrilSoftPin": ["influence"], "TendrilLoad": LOAD,
    }  # fmt: skip
    of_run = {"TendrilRun", "TendrilWarning", "TendrilWaiting"}  # on the window manager, which has no keys
    kinds = [kind for kind in bpy.types.PropertyGroup.__subclasses__() if kind.__name__.startswith("Tendril")]
    assert len(kinds) > 10
    for kind in kinds:
        found = {own.identifier for own in kind.bl_rna.properties if own.is_animatable and not own.is_readonly}
        assert kind.__name__ in of_run or found - {"name"} == {*read_at_frames.get(kind.__name__, ())}, kind
    with pytest.raises(TypeError, match="not animatable"):
        rope.tendril.rod.keyframe_insert("density", frame=1)
