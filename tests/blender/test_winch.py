"""A winch in Blender: read, baked, resumed, undone, told where it cannot be."""

import bpy
import hung_rope
import numpy as np
import pytest
from artist import draw, draw_rod, link, refused
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge.changes import sentence
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder
from bl_ext.user_default.tendril.physics.validate import SceneError
from hung_rope import LAST, WAY, baked, described, hang, length
from mathutils import Matrix


@pytest.fixture
def rope(tmp_path):
    return hang(tmp_path, "Drum", winch=True)


def key(rod, number=0, **values):
    """frame_12=0.5 …, straight in between."""
    hung_rope.key(rod.tendril.pins[number], "paid_out", **values)
    hung_rope.straighten(rod)
    return rod


def coil(points):
    turn = np.linspace(0.0, 10.0 * np.pi, 41)
    item = draw("Coil", [np.stack([0.2 * np.cos(turn), 0.2 * np.sin(turn), 0.02 * turn], axis=1)], "BEZIER")
    item.tendril.is_rod, item.tendril.rod.points = True, points
    return item


def hair():
    data = bpy.data.hair_curves.new("Hair")
    data.add_curves([6])
    data.position_data.foreach_set("vector", np.linspace((0.0, 0.0, 0.0), (0.0, 0.0, 0.2), 6, dtype=np.float32).ravel())
    data.attributes.new("radius", "FLOAT", "POINT").data.foreach_set("value", np.full(6, 0.002, dtype=np.float32))
    item = link(bpy.data.objects.new("Hair", data))
    item.tendril.is_rod = True
    return item


def stretched():
    item = draw_rod("Long", WAY)
    item.scale = 1.0, 3.0, 2.0
    return item


@pytest.mark.parametrize("drawn", [stretched, hair, lambda: coil(0), lambda: coil(80), lambda: coil(300)])
def test_a_winch_begins_with_all_that_is_drawn(drawn, empty_file):
    item = drawn()
    pin = item.tendril.pins.add()
    pin.target, pin.winch, pin.fraction = link(bpy.data.objects.new("Drum", None)), True, 1.0
    for _ in range(2):
        bpy.context.view_layer.update()
        (rod,) = described().rods
        assert rod.keyed.paid_out == pytest.approx([np.linalg.norm(rod.edges(), axis=1).sum()], rel=1e-12)
        item.scale *= 2.0  # drawn longer behind that


@pytest.mark.parametrize(("fraction", "end"), [(0.0, 0), (0.3, 0), (1.0, -1)])
def test_what_is_paid_out_is_read_at_every_frame(rope, fraction, end):
    rope.tendril.pins[0].fraction = fraction
    key(rope, frame_1=0.8, frame_25=0.4)
    scene = described()
    keyed, pin = scene.rods[0].keyed, scene.pins[0]
    assert keyed.winch == end
    assert np.allclose(keyed.paid_out, np.interp(np.arange(1, LAST + 2), [1, 25], [0.8, 0.4]), rtol=1e-6)
    assert (pin.vertex, pin.mode, pin.max_force, pin.influence) == (end % 21, "POSITION", np.inf, None)
    assert pin.position[0, 2] == pytest.approx(1.8 if end == 0 else 1.2, abs=1e-6)  # where .8 m of it are drawn behind


def test_what_stays_is_read_beside_what_is_keyed_and_twist_that_is_not(rope):
    rope.tendril.pins[0].paid_out = 0.75
    rope.tendril.rod.natural_twist = 2.0
    assert described().rods[0].keyed.paid_out == pytest.approx([0.75])
    key(rope, frame_1=0.8, frame_25=0.4)
    keyed = described().rods[0].keyed
    assert len(keyed.twist) == len(keyed.paid_out) == LAST + 1


def test_scale_counts_once(rope):
    bpy.context.scene.unit_settings.scale_length = 0.5
    key(rope, frame_1=0.8, frame_25=0.4)
    assert described().rods[0].keyed.paid_out[[0, -1]] == pytest.approx([0.4, 0.2])


def test_a_rope_is_reeled_in_and_out_and_what_is_in_lies_at_the_winch(rope):
    key(rope, frame_1=0.8, frame_12=0.4, frame_24=1.0)
    bpy.ops.tendril.bake()
    assert [length(frame) for frame in (1, 12, 24)] == pytest.approx([0.8, 0.4, 1.0], abs=1e-5)
    assert np.abs(baked(12)[:10] - baked(12)[0]).max() < 1e-4
    assert np.abs(baked(12)[0] - [0.0, 0.0, 1.8]).max() < 1e-6
    assert len(rope.tendril.result.data.splines[0].bezier_points) == len(baked(12))
    assert not sentence(bpy.context)
    assert not list(bpy.context.window_manager.tendril.warnings)
    before = baked(24).tobytes()
    bpy.ops.tendril.bake()
    assert baked(24).tobytes() == before


def test_a_driver_turns_the_winch(rope):
    drum = bpy.data.objects["Drum"]
    drum.rotation_euler.y = 0.0
    drum.keyframe_insert("rotation_euler", frame=1)
    drum.rotation_euler.y = 2.0
    drum.keyframe_insert("rotation_euler", frame=25)
    driver = rope.driver_add("tendril.pins[0].paid_out").driver
    turn = driver.variables.new()
    turn.name, turn.targets[0].id, turn.targets[0].data_path = "turn", drum, "rotation_euler[1]"
    driver.expression = "0.9 - 0.2 * turn"
    assert described().rods[0].keyed.paid_out[[0, -1]] == pytest.approx([0.9, 0.5], rel=1e-5)


def test_a_bake_knows_when_a_winch_was_changed(rope):
    key(rope, frame_1=0.8, frame_24=0.5)
    bpy.ops.tendril.bake()
    assert not sentence(bpy.context)
    key(rope, frame_24=0.6)
    assert "'Rope' changed" in sentence(bpy.context)


def test_a_resumed_bake_is_the_same(rope):
    key(rope, frame_1=0.8, frame_30=0.4)
    bpy.context.scene.frame_end = 36
    bpy.ops.tendril.bake()
    whole = [baked(frame).tobytes() for frame in range(1, 37)]
    bpy.context.scene.frame_end = LAST
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_end = 36
    bpy.ops.tendril.resume()
    assert [baked(frame).tobytes() for frame in range(1, 37)] == whole


def test_from_here_goes_on_with_other_keys_behind(rope):
    key(rope, frame_1=0.8, frame_10=0.6, frame_20=0.4)
    bpy.ops.tendril.bake()
    before = [baked(frame).tobytes() for frame in range(1, 11)]
    bpy.context.scene.frame_set(10)
    key(rope, frame_20=0.7)
    bpy.ops.tendril.bake_from_here()
    assert [baked(frame).tobytes() for frame in range(1, 11)] == before
    assert length(LAST) == pytest.approx(0.7, abs=1e-5)
    assert not list(bpy.context.window_manager.tendril.warnings)


def test_from_here_keeps_what_is_paid_out_where_it_is_another_length_here(rope):
    key(rope, frame_1=0.8, frame_20=0.4)
    bpy.ops.tendril.bake()
    bpy.context.scene.frame_set(10)
    key(rope, frame_20=0.7)
    bpy.ops.tendril.bake_from_here()
    assert length(LAST) == pytest.approx(0.4, abs=1e-5)
    warnings = [warning.text for warning in bpy.context.window_manager.tendril.warnings]
    assert any(text.startswith("'Rope' keeps the drawing and the length") for text in warnings)


def test_from_here_a_winch_stays_where_it_is_if_another_length_was_out_at_the_start(rope):
    key(rope, frame_1=0.8, frame_20=0.4)
    bpy.ops.tendril.bake()
    before = np.array([baked(frame) for frame in range(1, LAST + 1)])
    bpy.context.scene.frame_set(10)
    key(rope, frame_1=0.7)
    bpy.ops.tendril.bake_from_here()
    assert np.abs(before - [baked(frame) for frame in range(1, LAST + 1)]).max() < 1e-6
    (warning,) = bpy.context.window_manager.tendril.warnings
    assert warning.text.startswith("'Rope' keeps the drawing and the length")


def second_winch(rod):
    pin = rod.tendril.pins.add()
    pin.name, pin.target, pin.fraction, pin.winch = "Other", bpy.data.objects["Drum"], 1.0, True


def drive_badly(rod):
    rod.driver_add("tendril.pins[0].paid_out").driver.expression = "no_such_name + 1"


def hold_within(rod):
    pin = rod.tendril.pins.add()
    pin.name, pin.target, pin.fraction = "Hook", bpy.data.objects["Drum"], 0.5
    key(rod, frame_1=0.8, frame_20=0.3)


def close(rod):
    spline = rod.data.splines[0]
    for turn, point in zip(np.linspace(0.0, 2.0 * np.pi, len(spline.points), False), spline.points, strict=True):
        point.co = 0.2 * np.sin(turn), 0.0, 1.8 + 0.2 * np.cos(turn), 1.0
    spline.use_cyclic_u = True


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda rod: key(rod, frame_1=0.8, frame_12=0.01), "its winch pays out 0.01 m only: key a Paid Out of"),
        (
            lambda rod: key(rod, frame_1=0.0, frame_12=0.5),
            "is 0 at frame 1, which is all of it only where it stays 0: key its length there, 1 m, or",
        ),
        (
            lambda rod: key(rod, frame_1=0.8, frame_12=0.0),
            "is 0 at frame 12, which is all of it only where it stays 0: key its length there, 1 m, or",
        ),
        (lambda rod: key(rod, frame_1=0.8, frame_12=1.5), "'Rope' is 1 m long, and its winch pays out 1.5 m: key less"),
        (second_winch, "'Rope' is on two winches, 'Drum' and 'Other': turn off Winch of one"),
        (drive_badly, "the driver of Paid Out of 'Drum' has an error: mend its expression"),
        (hold_within, "as far as from what 'Hook' holds"),
        (close, "'Rope' is on a winch, but it is a ring: open its curve"),
        (lambda rod: setattr(rod.tendril.rod, "model", "COSSERAT"), "its model is Spinning: choose Normal"),
        (lambda rod: setattr(rod.tendril.rod, "rest_length_factor", 0.9), "set it to 1"),
        (lambda rod: setattr(rod.tendril.rod, "balanced", True), "turn off Hold Drawn Shape"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(rope, spoil, said):
    spoil(rope)
    bpy.context.view_layer.update()
    objects = set(bpy.data.objects)
    with pytest.raises(SceneError, match=said):
        read_scene(bpy.context)
    assert said in refused(bpy.ops.tendril.bake)
    assert set(bpy.data.objects) == objects


def test_a_cable_has_no_winch(rope):
    rope.tendril.rod.model = "CABLE"
    assert described().rods[0].keyed is None


@pytest.mark.parametrize("solver", ["EXPLICIT", "IMPLICIT"])
def test_the_stripe_stays_on_the_material_as_points_are_reeled_in(rope, solver):
    """Blender merges them, and begins with its stripe where what is left of the curve does."""
    rope.data.transform(Matrix.Translation((0.7, 0.3, 0.1)) @ Matrix.Rotation(0.6, 4, "Y"))
    bpy.data.objects["Drum"].location = rope.data.splines[0].points[0].co[:3]
    rope.data.bevel_resolution, rope.tendril.rod.points, bpy.context.scene.tendril.solver = 0, 100, solver
    key(rope, frame_1=0.8, frame_12=0.4, frame_20=0.7)
    bpy.ops.tendril.bake()
    result = rope.tendril.result
    for frame in range(1, LAST + 1):
        bpy.context.scene.frame_set(frame)
        shown = result.evaluated_get(bpy.context.evaluated_depsgraph_get())
        mesh = shown.to_mesh()
        ring = (
            np.array([vertex.co for vertex in mesh.vertices]).reshape(-1, 4, 3)
            @ np.array(result.matrix_world)[:3, :3].T
        )
        shown.to_mesh_clear()
        x, m1, _ = Cache(cache_folder(bpy.context.scene)).read(frame - 1)
        out = np.linalg.norm(np.diff(x, axis=0), axis=1) > 1e-5
        arm = (0.5 * (ring[:, 0] - ring[:, 2]))[2::4]
        assert len(arm) == np.count_nonzero(out)
        m1, quarter = m1[out], np.cross(np.diff(x, axis=0)[out], m1[out])
        quarter /= np.linalg.norm(quarter, axis=1, keepdims=True)
        turned = np.arctan2(np.sum(arm * quarter, axis=1), np.sum(arm * m1, axis=1))
        assert np.degrees(np.abs(turned)).max() < 0.1
