"""Cables as an artist has them: hung at once between what holds them, baked, and made rods that hang still."""

import re
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Matrix, Vector

sys.path.append(str(Path(__file__).resolve().parents[2] / "examples"))
import measure
from artist import choose, refused
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators import settle_live
from cables import LENGTH, SINGLE, cable, drawn, lead, length, new_curve, places, settle, targets
from panels import draw_all


def test_a_rod_becomes_a_cable_and_a_rod_again():
    item = new_curve()
    bpy.ops.tendril.add_rod()
    density = item.tendril.rod.density
    assert bpy.ops.tendril.add_cable() == {"FINISHED"}
    assert (item.tendril.rod.model, item.tendril.rod.shape_memory) == ("CABLE", 0.0)
    assert item.tendril.rod.density == density
    assert "is a cable already" in refused(bpy.ops.tendril.add_cable)


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_it_hangs_as_a_catenary_between_what_was_moved(kind):
    """Limp, between two places: sag d of 2a (cosh b/2a − 1), length 2a sinh b/2a of a span b."""
    item = cable(kind, mode="POSITION")
    item.tendril.rod.bend_factor = 1e-6
    targets(item)[1].location.x = span = 0.75 * LENGTH
    found = settle(item)
    a = np.linspace(0.05, 2.0, 200000)
    a = a[np.argmin(abs(2.0 * a * np.sinh(0.5 * span / a) - LENGTH))]
    assert found[:, 2].min() == pytest.approx(-a * (np.cosh(0.5 * span / a) - 1.0), rel=5e-3)
    np.testing.assert_allclose(found[[0, -1]], [[0, 0, 0], [span, 0, 0]], atol=SINGLE * LENGTH)
    assert length(item) == pytest.approx(LENGTH, rel=1e-4)
    assert item.tendril.bend_radius == pytest.approx(a, rel=0.02)


def test_to_settle_what_is_settled_changes_nothing():
    item = cable()
    targets(item)[1].location = (0.7, 0.2, 0.1)
    targets(item)[1].rotation_euler = (2.0, 0.3, 0.2)
    first = settle(item)
    tilt = [point.tilt for point in item.data.splines[0].bezier_points]
    np.testing.assert_allclose(settle(item), first, atol=SINGLE * LENGTH)
    np.testing.assert_allclose([point.tilt for point in item.data.splines[0].bezier_points], tilt, atol=2e-4)


@pytest.mark.parametrize(
    "matrix",
    [
        Matrix.LocRotScale((0.3, -1.0, 2.0), None, (2.0, 2.0, 2.0)),
        Matrix.LocRotScale((0.3, -1.0, 2.0), Matrix.Rotation(1.0, 3, "Y"), (0.5, 1.5, 2.0)),
        Matrix.Scale(-1.0, 4, Vector((1.0, 0.0, 0.0))),
    ],
    ids=["large", "uneven", "mirrored"],
)
@pytest.mark.parametrize("parented", [False, True])
def test_scale_and_parents_draw_the_same_cable(matrix, parented):
    """The same shape and the same twist of its stripe, whatever space its points are in."""
    plain = cable()
    ends = targets(plain)
    ends[1].location, ends[1].rotation_euler = (0.7, 0.2, 0.1), (1.0, 0.0, 0.0)
    wanted, turn = settle(plain), stripe_turns(plain)
    plain.hide_set(True)  # else the other one cannot be where this is
    world, inverse = matrix, matrix.inverted()
    item = new_curve(way=[inverse @ Vector(place) for place in ((0, 0, 0), (LENGTH, 0, 0))], name="Other")
    if parented:
        parent = bpy.data.objects.new("Parent", None)
        bpy.context.collection.objects.link(parent)
        parent.matrix_world = world
        item.parent = parent
    else:
        item.matrix_world = world
    choose(item)
    bpy.ops.tendril.add_cable()
    item.tendril.rod.use_radius, item.tendril.rod.radius = True, 0.005
    item.tendril.rod.points = plain.tendril.rod.points
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode="TWIST")
    own = targets(item)
    own[1].location, own[1].rotation_euler = (0.7, 0.2, 0.1), (1.0, 0.0, 0.0)
    np.testing.assert_allclose(settle(item), wanted, atol=1e-4 * LENGTH)
    assert stripe_turns(item) == pytest.approx(turn, abs=2e-2)


def stripe_turns(item):
    """[rad] that the stripe turns by from end to end."""
    from bl_ext.user_default.tendril.bridge import curves

    (line,) = curves.read(bpy.context, item, item.tendril.rod.points)
    return float(line.twist.sum())


def test_a_new_cable_hangs_from_object_to_object_with_its_slack():
    """From the active one to the nearest, and on; held at origins; a tenth longer than the way, or as is chosen."""
    posts = [bpy.data.objects.new("Post", None) for _ in range(3)]
    for post, place in zip(posts, [(0, 0, 2), (3, 0, 2), (1.5, 0, 2.2)], strict=True):
        bpy.context.collection.objects.link(post)
        post.location = place
    way = 2.0 * np.hypot(1.5, 0.2)
    for slack in (0.1, 0.3):
        choose(posts[0])
        for post in posts:
            post.select_set(True)
        assert bpy.ops.tendril.new_cable(slack=slack) == {"FINISHED"}
        item = bpy.context.object
        assert [pin.target for pin in item.tendril.pins] == [posts[0], posts[2], posts[1]]
        found = places(item)
        assert length(item) == pytest.approx((1.0 + slack) * way, rel=2e-3)
        for post in posts:
            assert np.linalg.norm(found - np.array(post.location), axis=1).min() < 1e-4
        sag = 2.1 - found[(found[:, 0] > 0.5) & (found[:, 0] < 1.0), 2].mean()
        assert sag == pytest.approx(np.sqrt(3.0 / 8.0 * slack) * 0.5 * way, rel=0.15)
    posts[1].location = posts[2].location
    choose(posts[0])
    for post in posts:
        post.select_set(True)
    assert "in the same place" in refused(bpy.ops.tendril.new_cable)
    choose(posts[0])
    assert "two or more" in refused(bpy.ops.tendril.new_cable)


def test_it_keeps_its_length_whatever_its_material():
    item = cable()
    bpy.ops.tendril.apply_preset(preset="rubber_cord")
    assert not item.tendril.rod.stretchable
    settle(item)
    item = new_curve(name="Other")
    bpy.ops.tendril.add_rod()
    bpy.ops.tendril.apply_preset(preset="rubber_cord")
    assert item.tendril.rod.stretchable
    assert bpy.ops.tendril.add_cable() == {"FINISHED"}
    assert not item.tendril.rod.stretchable


@pytest.mark.parametrize("first", ["stretchable", "model"])
def test_one_that_is_stretchable_stretches_in_a_bake_and_is_refused_elsewhere(first):
    """Whatever was set first. Without weight T = EA (L/L₀ − 1) all along."""
    item, scene = cable(mode="POSITION"), bpy.context.scene
    bpy.ops.tendril.apply_preset(preset="rubber_cord")
    if first == "stretchable":
        item.tendril.rod.model = "KIRCHHOFF"
    item.tendril.rod.stretchable, item.tendril.rod.model = True, "CABLE"
    assert "TendrilRod.stretchable" in draw_all()
    scene.use_gravity, scene.frame_end = False, 2
    scene.frame_set(1)
    end = targets(item)[1]
    end.keyframe_insert("location", frame=1)
    end.location.x = 1.3 * LENGTH
    end.keyframe_insert("location", frame=2)
    scene.frame_set(2)
    before = drawn(item)
    choose(item)
    assert "'Cable' is Stretchable" in refused(bpy.ops.tendril.settle_cable)
    assert drawn(item) == before
    scene.frame_set(1)
    (rod,) = read_scene(bpy.context)[0].rods
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert not bpy.context.window_manager.tendril.warnings
    assert item.tendril.length == pytest.approx(1.3 * LENGTH, rel=1e-5)
    assert item.tendril.tension == pytest.approx(0.3 * rod.stretch_stiffness[0], rel=1e-4)


def test_it_is_one_undo_step():
    item = cable()
    targets(item)[1].location.x = 0.8
    before = drawn(item)
    bpy.ops.ed.undo_push(message="before")
    name = item.name
    settle(item)
    bpy.ops.ed.undo_push(message="Settle")
    bpy.ops.ed.undo()
    assert drawn(bpy.data.objects[name]) == before


def test_a_clip_lets_it_run_through_and_keeps_holding_where_it_is():
    """Less is left between the first end and the clip when the other end is lowered; settled again, nothing moves."""
    item = cable(mode="POSITION")
    item.tendril.rod.bend_factor = 1e-6
    item.tendril.rod.rest_length_factor = 1.1  # beyond 1.26 the longer side pulls harder, and takes all
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.5, holder="EMPTY", mode="POSITION")
    item.tendril.pins[2].slides = True
    first = settle(item)
    assert item.tendril.pins[2].fraction == pytest.approx(0.5, abs=1e-3)
    targets(item)[1].location.z = -0.3
    second = settle(item)
    assert second[:, 2].min() < first[:, 2].min() - 0.1
    assert item.tendril.pins[2].fraction < 0.48
    clip = targets(item)[2].location
    assert np.linalg.norm(second - np.array(clip), axis=1).min() < 0.02 * LENGTH
    third = settle(item)
    assert abs(np.ptp(third, axis=0) - np.ptp(second, axis=0)).max() < 5e-3 * LENGTH


def far_apart(item):
    targets(item)[1].location.x = 2.0 * LENGTH
    return "1.2 m too short to reach from 'Start' to 'End'"


def held_twice(item):
    item.tendril.pins[1].fraction = 0.0
    return "hold the same point 0"


def one_piece(item):
    item.tendril.rod.points = 1
    return "one straight piece"


def no_wall(item):
    item.tendril.rod.inner_radius = 0.006
    return "Inner Radius is 0.006 m"


def deleted(item):
    bpy.data.objects.remove(targets(item)[1])
    return "has no target"


def slides_at_its_end(item):
    item.tendril.pins[1].slides = True
    return "holds an end"


def pressed_flat(item):
    item.scale.z = 0.0
    return "a zero in its scale"


def shaped(item):
    item.tendril.rod.shape_memory = 1.0
    return "set Rest Shape to 0"


def with_shape_keys(item):
    item.shape_key_add()
    return "shape keys"


def held_by_direction(item):
    item.tendril.pins[1].mode = "DIRECTION"
    return "place and direction alone"


def held_by_nothing(item):
    item.tendril.pins.clear()
    return "held by nothing"


@pytest.mark.parametrize(
    "spoil",
    [far_apart, held_twice, one_piece, no_wall, deleted, slides_at_its_end, pressed_flat, shaped, with_shape_keys,
     held_by_direction, held_by_nothing],
)  # fmt: skip
def test_bad_input_is_refused_in_a_sentence_and_changes_nothing(spoil):
    item = cable()
    targets(item)[1].location.x = 0.9 * LENGTH
    sentence = spoil(item)
    bpy.context.view_layer.update()
    before, grips = drawn(item), [list(pin.grip) for pin in item.tendril.pins]
    choose(item)
    assert sentence in refused(bpy.ops.tendril.settle_cable)
    assert drawn(item) == before
    assert [list(pin.grip) for pin in item.tendril.pins] == grips


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("mode", ["POSITION", "TWIST"])
@pytest.mark.parametrize(("name", "value", "what"), [
    ("location", np.nan, "is not a number"), ("rotation_euler", np.nan, "is not a number"),
    ("scale", np.nan, "is not a number"), ("scale", 0.0, "has a scale of 0"),
])  # fmt: skip
def test_what_hangs_from_nowhere_is_refused_however_it_is_asked_for(name, value, what, mode, tied):
    item = cable(mode=mode)
    if not tied:  # as one that could not be read when it was made
        for pin in item.tendril.pins:
            pin.property_unset("grip")
    setattr(targets(item)[1], name, [value] * 3)
    bpy.context.view_layer.update()
    before, grips = drawn(item), [list(pin.grip) for pin in item.tendril.pins]
    choose(item)
    for ask in (bpy.ops.tendril.settle_cable, bpy.ops.tendril.bake):
        assert f"'Cable': the target of pin 'End' {what} at frame 1" in refused(ask)
    bpy.ops.tendril.settle_live()
    settle_live.look()
    said = bpy.context.window_manager.tendril.live_message
    settle_live.switch_off()
    assert f"the target of pin 'End' {what}" in said
    assert drawn(item) == before
    assert [list(pin.grip) for pin in item.tendril.pins] == grips


def test_no_new_cable_hangs_from_nowhere():
    for number in range(2):
        empty = bpy.data.objects.new(f"Empty {number}", None)
        bpy.context.collection.objects.link(empty)
        empty.location.x = number * np.nan
        empty.select_set(True)
        bpy.context.view_layer.objects.active = empty
    bpy.context.view_layer.update()
    said = refused(bpy.ops.tendril.new_cable)
    assert "'Empty 1' has a transform that is not a number" in said
    assert "Cable" not in said


@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (2.0, 0.5, 1.0)])
def test_a_mesh_has_what_a_shader_may_show(scale):
    """Curvature and tension as the panel tells them, torsion the same all along, where a plug is turned; each where it
    belongs: a cable that hangs is pulled least in its middle.
    """
    item = cable()
    item.scale = scale
    item.tendril.rod.use_radius, item.tendril.rod.radius = True, 0.005
    bpy.context.view_layer.update()
    bpy.ops.tendril.hold_as_drawn()
    way, end = LENGTH * scale[0], targets(item)[1]
    end.location.x -= 0.2 * way
    end.rotation_euler.x = 1.0
    choose(item)
    assert bpy.ops.tendril.cable_to_mesh() == {"FINISHED"}
    (made,) = [other for other in bpy.data.objects if other.type == "MESH"]
    assert made.matrix_world == item.matrix_world
    found = {name: np.zeros(len(made.data.vertices)) for name in ("curvature", "tension", "torsion")}
    for name, values in found.items():
        made.data.attributes[name].data.foreach_get("value", values)
    assert found["curvature"].max() == pytest.approx(1.0 / item.tendril.bend_radius, rel=1e-3)
    assert found["tension"].max() == pytest.approx(item.tendril.tension, rel=5e-3)  # means of edges
    assert np.ptp(found["torsion"]) < 1e-3 * abs(found["torsion"]).max()
    lengths = np.array([made.matrix_world @ vertex.co for vertex in made.data.vertices])
    middle = abs(lengths[:, 0] - 0.4 * way) < 0.02 * way
    assert found["tension"][middle].max() < 0.9 * found["tension"].max()


def test_it_goes_with_what_holds_it_after_it_was_tied_anew():
    item = cable()
    targets(item)[1].location.x = 0.9 * LENGTH
    settle(item)
    targets(item)[1].location.x = 0.7 * LENGTH
    assert bpy.ops.tendril.hold_as_drawn() == {"FINISHED"}
    np.testing.assert_allclose(settle(item)[-1], [0.9 * LENGTH, 0.0, 0.0], atol=SINGLE * LENGTH)


def test_it_lies_on_what_it_meets():
    """A desk under its middle, and the floor: a radius above both."""
    bpy.ops.mesh.primitive_cube_add(size=0.3, location=(0.4, 0.0, -0.25), scale=(1.0, 10.0, 1.0))
    bpy.ops.tendril.add_collider()
    item = cable(mode="POSITION")
    targets(item)[1].location.x = 0.8
    scene = bpy.context.scene.tendril
    scene.use_floor, scene.floor_height = True, -0.15
    item.tendril.rod.bend_factor = 1e-4
    found = settle(item)
    on_desk = abs(found[:, 0] - 0.4) < 0.14
    assert found[on_desk, 2].min() == pytest.approx(-0.1 + 1.05 * 0.005, abs=1e-4)  # with its Thickness
    assert found[:, 2].min() >= -0.15 + 0.005 - 1e-4
    scene.contact = False
    assert settle(item)[:, 2].min() < -0.2


def test_a_bake_hangs_it_in_each_frame_where_its_targets_are():
    item = cable()
    end = targets(item)[1]
    scene = bpy.context.scene
    scene.frame_end = 12
    end.keyframe_insert("location", frame=1)
    end.location = (0.6, 0.2, 0.1)
    end.keyframe_insert("location", frame=12)
    scene.frame_set(1)
    choose(item)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    run = bpy.context.window_manager.tendril
    assert (run.message, len(run.warnings)) == ("Baked 12 frames", 0)
    x, _, _ = measure.baked()
    for frame in (1, 6, 12):
        scene.frame_set(frame)
        np.testing.assert_allclose(x[frame - 1][-1], end.matrix_world.translation, atol=1e-4)
    assert item.tendril.bend_radius > 0.0
    assert item.tendril.missing == 0.0
    assert "shows its bake" in refused(bpy.ops.tendril.settle_cable)


def test_a_bake_tells_what_length_was_missing():
    item = cable()
    lead(item, {1: 1.0, 6: 1.2})
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert item.tendril.missing == pytest.approx(0.2 * LENGTH, rel=1e-3)
    (warning,) = bpy.context.window_manager.tendril.warnings
    assert "too short for 'End', which stays behind" in warning.text


def test_a_bake_tells_where_it_is_bent_too_tightly():
    """As the panel does: what it is bent to in the frame in which that is least, in metres."""
    bpy.context.scene.unit_settings.scale_length = 0.5
    item = cable()
    lead(item, {1: 0.95, 3: 0.7, 4: 0.9})
    run = bpy.context.window_manager.tendril
    item.tendril.rod.bend_limit = 1e-4
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert len(run.warnings) == 0
    item.tendril.rod.bend_limit = 2.0 * item.tendril.bend_radius
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    (warning,) = run.warnings
    assert (warning.frame, "'Cable' is bent to a radius of" in warning.text) == (3, True)
    told = float(re.search(r"radius of ([\d.e-]+) m ", warning.text)[1])
    assert told == pytest.approx(0.5 * item.tendril.bend_radius, rel=5e-3)


def test_a_settled_cable_hangs_still_as_a_rod_of_the_same_material():
    item = cable()
    end = targets(item)[1]
    end.location = (0.7, 0.1, 0.1)
    end.rotation_euler = (0.5, 0.2, 0.3)
    settle(item)
    item.tendril.rod.model = "KIRCHHOFF"
    bpy.context.scene.frame_end = 12
    bpy.context.scene.tendril.solver = "EXPLICIT"
    choose(item)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    x, _, _ = measure.baked()
    assert abs(x - x[0]).max() < 1e-3 * LENGTH
