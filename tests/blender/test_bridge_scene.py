"""A Blender scene as physics is given it: rods, pins and their motion, surroundings; what cannot be said is refused."""

import bpy
import numpy as np
import pytest
from artist import draw_rod, link
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.units import rotation_matrix
from bl_ext.user_default.tendril.physics.validate import SceneError

FIRST, LAST = 10, 30


def new_rope(name="Rope", count=6, *, cyclic=False, shift=0.0):
    way = [(index, shift, 0.1 * index * index) for index in range(count)]
    return draw_rod(name, way, depth=0.05, cyclic=cyclic)


def new_empty(name="Hand"):
    return link(bpy.data.objects.new(name, None))


def key(item, path, *values, interpolation="LINEAR"):
    """Key a property at FIRST, LAST and evenly between."""
    for frame, value in zip(np.linspace(FIRST, LAST, len(values)), values, strict=True):
        setattr(item, path, value)
        item.keyframe_insert(path, frame=frame)
    action = item.animation_data.action
    for fcurve in action.layers[0].strips[0].channelbag(item.animation_data.action_slot).fcurves:
        for point in fcurve.keyframe_points:
            point.interpolation = interpolation


def pin(rope, target, fraction=1.0, **settings):
    new = rope.tendril.pins.add()
    new.target, new.fraction = target, fraction
    for name, value in settings.items():
        setattr(new, name, value)
    return new


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    scene.frame_set(17)
    return scene


def read():
    return read_scene(bpy.context)[0]


def state():
    """What a read must not change."""
    scene = bpy.context.scene
    counts = [
        len(getattr(bpy.data, name)) for name in ("objects", "curves", "scenes", "actions", "meshes", "shape_keys")
    ]
    places = [(item.name, tuple(item.location), item.hide_viewport) for item in bpy.data.objects]
    return counts, places, scene.frame_current, scene.frame_subframe, [obj.name for obj in bpy.context.selected_objects]


def moved(pin, x, time):
    """Where a pin leads x (3,) at one of its times, by its own turn and place, and the turn (3, 3)."""
    index = int(np.argmin(np.abs(pin.times - time)))
    assert np.isclose(pin.times[index], time)
    return pin.position[index], rotation_matrix(pin.rotation[index])


def follows(scene, pin, rod, target_matrix):
    """Assert that a pin keeps the offset it has at the start to target_matrix(), at every fourth of its samples."""
    fps = scene.render.fps / scene.render.fps_base
    scene.frame_set(FIRST)
    start = np.array(target_matrix())
    local = np.linalg.solve(start, [*rod.x[pin.vertex], 1.0])
    for index in range(0, len(pin.times), 4):
        frame = FIRST + pin.times[index] * fps
        scene.frame_set(int(frame), subframe=frame % 1)
        now = np.array(target_matrix())
        assert np.allclose(pin.position[index], (now @ local)[:3], atol=2e-5)
        turn = (now @ np.linalg.inv(start))[:3, :3]
        assert np.allclose(rotation_matrix(pin.rotation[index]), turn, atol=2e-5)


def test_numbers_arrive_in_si(scene):
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 0.01
    scene.render.fps, scene.render.fps_base = 24, 1.001
    rope = new_rope()
    rope.scale = (2, 2, 2)
    rope.tendril.rod.young, rope.tendril.rod.density, rope.tendril.rod.bend_factor = 2.0, 1000.0, 1.0
    scene.tendril.use_floor, scene.tendril.floor_height = True, -30.0
    (rod,) = read().rods
    given = read()
    assert given.frame_count == LAST - FIRST + 1
    assert np.isclose(given.frame_duration, 1.001 / 24)
    assert np.allclose(given.gravity, [0, 0, -0.0981])  # what Blender's field shows for 9.81 units in centimetres
    assert np.isclose(given.floor.height, -0.3)
    assert np.allclose(rod.x[1], [0.02, 0, 0.002])
    assert np.allclose(rod.radius, 0.05 * 2 * 0.01)
    assert np.allclose(rod.bend_stiffness, 2e9 * np.pi / 4 * 0.001**4, rtol=1e-5)
    assert np.isclose(rod.mass.sum(), 1000 * np.pi * 0.001**2 * np.linalg.norm(rod.edges(), axis=1).sum(), rtol=1e-5)


def test_radius_is_the_rods_own_when_it_is_set(scene):
    rope = new_rope()
    rope.data.bevel_depth = 0.0
    rope.tendril.rod.use_radius, rope.tendril.rod.radius = True, 0.03
    rope.scale = (5, 5, 5)
    assert np.allclose(read().rods[0].radius, 0.03)


def test_a_tube_is_hollow_by_the_same_share_where_it_is_thinner(scene):
    """The inner radius is that where the rod is thickest, in the world; mass and stiffness are those of the tube."""
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", 0.01
    rope, other = new_rope(), new_rope("Solid", shift=2.0)
    for item in (rope, other):
        item.scale = (2, 2, 2)
        item.data.splines[0].points.foreach_set("radius", np.linspace(1.5, 0.5, 6))
    rope.tendril.rod.inner_radius = 0.12
    tube, solid = read().rods
    assert np.allclose(tube.radius, 0.001 * np.linspace(1.5, 0.5, 6), rtol=1e-5)
    assert np.allclose(tube.inner_radius, 0.8 * tube.radius, rtol=1e-5)
    assert solid.inner_radius is None
    assert np.allclose(tube.mass, (1.0 - 0.8**2) * solid.mass, rtol=1e-5)
    for name in ("bend_stiffness", "twist_stiffness"):
        assert np.allclose(getattr(tube, name), (1.0 - 0.8**4) * getattr(solid, name), rtol=1e-5)
    rope.tendril.rod.use_radius, rope.tendril.rod.radius = True, 0.15
    assert np.allclose(read().rods[0].inner_radius, 0.0012)


@pytest.mark.parametrize(
    ("inner", "own", "said"),
    [
        (
            0.05,
            None,
            "'Rope': its Inner Radius is 0.05 m, and its radius 0.05 m where it is thickest: lower it in Section and "
            "Twist",
        ),
        (0.2, None, "'Rope': its Inner Radius is 0.2 m, and its radius 0.05 m"),
        (0.2, 0.1, "'Rope': its Inner Radius is 0.2 m, and its radius 0.1 m"),
        (float("nan"), None, "'Rope': its Inner Radius is not a number: set it to 0."),
    ],
)
def test_an_inner_radius_that_is_not_inside_is_refused(scene, inner, own, said):
    rod = new_rope().tendril.rod
    rod.inner_radius = inner
    if own:
        rod.use_radius, rod.radius = True, own
    with pytest.raises(SceneError, match=said):
        read()


def test_an_inner_radius_cannot_be_negative(scene):
    rod = new_rope().tendril.rod
    rod.inner_radius = -1.0
    assert rod.inner_radius == 0.0


def test_gravity_can_be_off_and_frames_its_own(scene):
    new_rope()
    scene.use_gravity = False
    scene.tendril.use_frame_range, scene.tendril.frame_start, scene.tendril.frame_end = True, 3, 4
    given, meta = read_scene(bpy.context)
    assert np.all(given.gravity == 0)
    assert given.frame_count == 2
    assert meta["units"]["first_frame"] == 3


def test_rods_are_one_for_each_spline_and_pins_count_them(scene):
    two = new_rope("Two")
    other = two.data.splines.new("POLY")
    other.points.add(3)
    for index, point in enumerate(other.points):
        point.co = (index, 5, 0, 1)
    last = new_rope("Last", cyclic=True, shift=9.0)
    hand = new_empty()
    pin(two, hand, 0.34, spline=1, name="A")
    pin(last, hand, 1.0, name="B", mode="POSITION", max_force=3.0)
    given = read()
    assert [rod.name for rod in given.rods] == ["Two spline 0", "Two spline 1", "Last"]
    assert [rod.closed for rod in given.rods] == [False, False, True]
    assert [(p.name, p.rod, p.vertex, p.mode, p.max_force) for p in given.pins] == [
        ("A", 1, 1, "TWIST", None), ("B", 2, 0, "POSITION", 3.0)
    ]  # fmt: skip


def test_a_read_changes_nothing_and_gives_the_same_again(scene):
    rope, hand = new_rope(), new_empty()
    pin(rope, hand, influence=0.5)
    key(hand, "location", (0, 0, 0), (3, 0, 0))
    hand.location = (7, 7, 7)  # not keyed: a frame change would lose it
    bpy.context.view_layer.update()
    before = state()
    first, second = read(), read()
    assert state() == before
    assert np.array_equal(first.pins[0].position, second.pins[0].position)
    assert np.array_equal(first.rods[0].x, second.rods[0].x)


@pytest.mark.parametrize("hidden", [False, True])
def test_the_rod_is_read_at_the_first_frame(scene, hidden):
    rope = new_rope()
    rope.hide_viewport = hidden
    key(rope, "location", (100, 0, 0), (200, 0, 0))
    assert np.isclose(read().rods[0].x[0, 0], 100)


def test_a_pin_follows_a_parented_object(scene):
    rope, arm, hand = new_rope(), new_empty("Arm"), new_empty()
    hand.parent, hand.location, hand.scale = arm, (1, 2, 0), (1, 3, -2)
    key(arm, "rotation_euler", (0, 0, 0), (0.5, 2.0, 4.0))
    key(arm, "location", (0, 0, 0), (1, 5, 0), (0, 0, 3))
    pin(rope, hand, 0.5)
    given = read()
    follows(scene, given.pins[0], given.rods[0], lambda: hand.matrix_world)


def test_a_pin_follows_constraints_and_drivers_of_what_is_hidden_and_excluded(scene):
    rope, leader, hand = new_rope(), new_empty("Leader"), new_empty()
    key(leader, "location", (0, 0, 0), (0, 4, 0))
    hand.constraints.new("COPY_LOCATION").target = leader
    hand.driver_add("rotation_euler", 2).driver.expression = "frame * 0.05"
    pin(rope, hand)
    shelf = bpy.data.collections.new("Shelf")
    scene.collection.children.link(shelf)
    for item in (leader, hand):
        scene.collection.objects.unlink(item)
        shelf.objects.link(item)
    hand.hide_viewport = leader.hide_render = True
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = True
    given = read()
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = False
    hand.hide_viewport = False
    follows(scene, given.pins[0], given.rods[0], lambda: hand.matrix_world)
    assert np.ptp(given.pins[0].position, axis=0).max() > 1


def new_armature():
    """An armature of two bones; the first is turned by keys and carries the second."""
    armature = link(bpy.data.objects.new("Arm", bpy.data.armatures.new("Arm")))
    armature.rotation_euler = (0.3, 0, 1)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    upper, lower = (armature.data.edit_bones.new(name) for name in ("Upper", "Lower"))
    upper.tail, lower.head, lower.tail, lower.parent = (0, 0, 1), (0, 0, 1), (0, 0, 2), upper
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.pose.bones["Upper"].rotation_mode = "XYZ"
    return armature


def test_a_pin_follows_a_bone(scene):
    rope, armature = new_rope(), new_armature()
    bone = armature.pose.bones["Upper"]
    for frame, angle in ((FIRST, 0.0), (LAST, 2.5)):
        bone.rotation_euler.x = angle
        bone.keyframe_insert("rotation_euler", frame=frame)
    pin(rope, armature, bone="Lower")
    given = read()
    follows(scene, given.pins[0], given.rods[0], lambda: armature.matrix_world @ armature.pose.bones["Lower"].matrix)
    assert np.ptp(given.pins[0].position, axis=0).max() > 1


def test_fast_turns_are_sampled_below_a_quarter(scene):
    rope, hand = new_rope(), new_empty()
    hand.location = (5, 0, 2.5)  # where the rope ends, so that only its turn asks for more samples
    turn = 1.9 * 2 * np.pi * (LAST - FIRST)  # nearly twice around in a frame
    key(hand, "rotation_euler", (0, 0, 0), (0, 0, turn))
    pin(rope, hand)
    (found,) = read().pins
    cosine = np.sum(found.rotation[1:] * found.rotation[:-1], axis=1)  # of half the turn between two samples
    assert np.degrees(2 * np.arccos(cosine.clip(-1, 1))).max() <= 90.001
    angle = 2 * np.unwrap(np.arctan2(found.rotation[:, 3], found.rotation[:, 0]))
    assert np.isclose(angle[-1] - angle[0], turn, atol=1e-3)


def test_a_turn_of_200_degrees_a_frame_is_not_mistaken_for_160_back(scene):
    rope, hand = new_rope(), new_empty()
    key(hand, "rotation_euler", (0, 0, 0), (0, 0, np.radians(200) * (LAST - FIRST)))
    pin(rope, hand)
    (found,) = read().pins
    angle = 2 * np.unwrap(np.arctan2(found.rotation[:, 3], found.rotation[:, 0]))
    assert np.isclose(angle[-1] - angle[0], np.radians(200) * (LAST - FIRST), atol=1e-3)


def test_a_quick_curve_of_a_way_is_sampled_finely_and_a_jump_only_so_far(scene):
    rope, hand = new_rope(), new_empty()
    pin(rope, hand)
    key(hand, "location", (0, 0, 0), (5, 0, 0))
    calm = len(read().pins[0].times)
    key(hand, "location", (0, 0, 0), (50, 0, 0), (0, 0, 9), (5, 5, 5), interpolation="CONSTANT")
    jumping = read().pins[0]
    assert calm == (LAST - FIRST) * 4 + 1
    assert calm < len(jumping.times) < calm + 100
    assert np.diff(jumping.times).min() > 0.9 * read().frame_duration / 64


def test_a_pin_that_rests_has_one_sample(scene):
    rope, hand = new_rope(), new_empty()
    pin(rope, hand)
    (found,) = read().pins
    assert found.times.tolist() == [0.0]
    assert np.allclose(found.position, read().rods[0].x[-1])
    assert found.influence is None


def test_influence_is_sampled(scene):
    rope, hand = new_rope(), new_empty()
    held = pin(rope, hand)
    held.influence = 1.0
    held.keyframe_insert("influence", frame=FIRST)
    held.influence = 0.0
    held.keyframe_insert("influence", frame=LAST)
    for point in rope.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points:
        point.interpolation = "LINEAR"
    (found,) = read().pins
    assert np.allclose(found.influence, np.linspace(1, 0, len(found.times)), atol=1e-6)


def test_curves_drawn_through_each_other_are_named(scene):
    """Once for two objects, however many splines and places."""
    one, _two = new_rope("A"), new_rope("B", shift=0.02)
    (notice,) = read_scene(bpy.context)[1]["notices"]
    assert notice["object"] == "A"
    assert notice["frame"] == 0
    assert notice["text"].startswith("'A' and 'B' are drawn into each other")
    one.tendril.rod.touches = False
    assert read_scene(bpy.context)[1]["notices"] == []


def spoil_target(rope, hand):
    rope.tendril.pins[0].target = None


def spoil_deleted(rope, hand):
    bpy.context.scene.collection.objects.unlink(hand)


def spoil_bone(rope, hand):
    rope.tendril.pins[0].target, rope.tendril.pins[0].bone = new_armature(), "Finger"


def spoil_spline(rope, hand):
    rope.tendril.pins[0].spline = 3


def spoil_own_range(rope, hand):
    settings = bpy.context.scene.tendril
    settings.use_frame_range, settings.frame_start, settings.frame_end = True, 50, 40


def spoil_bevel(rope, hand):
    rope.data.bevel_depth = 0.0


def spoil_radius(rope, hand):
    rope.data.splines[0].points[3].radius = 0.0


def spoil_taper(rope, hand):
    rope.data.taper_object = link(bpy.data.objects.new("Taper", bpy.data.curves.new("Taper", "CURVE")))


def spoil_pins(rope, hand):
    pin(rope, hand, 0.98, name="Second")


def spoil_target_scale(rope, hand):
    hand.scale.x = 0.0


def spoil_target_size(rope, hand):
    key(hand, "scale", (1, 1, 1), (0, 0, 0), (1, 1, 1))


def spoil_target_place(rope, hand):
    hand.location.x = 1e30


def spoil_setting(rope, hand):
    rope.tendril.rod.density = float("nan")


def spoil_floor(rope, hand):
    bpy.context.scene.tendril.floor_height = float("nan")


def spoil_gravity(rope, hand):
    bpy.context.scene.gravity = (0, 0, -1e30)


def spoil_influence(rope, hand):
    rope.tendril.pins[0].influence = float("nan")


def spoil_wind(rope, hand):
    bpy.ops.object.effector_add(type="WIND")
    bpy.context.object.field.strength = 1e30


def spoil_drag(rope, hand):
    bpy.ops.object.effector_add(type="DRAG")
    bpy.context.object.field.noise = float("nan")


def spoil_body(rope, hand):
    bpy.ops.mesh.primitive_cube_add()
    body = bpy.context.object.tendril
    body.is_body, body.body.motion = True, "ANIMATED"
    key(bpy.context.object, "scale", (1, 1, 1), (0, 0, 0), (1, 1, 1))


def spoil_branch(rope, hand):
    rope.tendril.is_tree = True
    spline = rope.data.splines.new("POLY")
    spline.points.add(3)
    for index, point in enumerate(spline.points):
        point.co, point.radius = (1, index, 0.1, 1), 0.0


def spoil_target_number(rope, hand):
    hand.location.x = float("nan")


def spoil_kind(rope, hand):
    hand.tendril.is_rod = True


def spoil_length(rope, hand):
    bpy.context.scene.frame_end = 1_048_574  # as far as Blender lets go
    bpy.context.scene.tendril.use_frame_range = True
    bpy.context.scene.tendril.frame_start, bpy.context.scene.tendril.frame_end = -1_000_000, 1_000_000


def spoil_all(rope, hand):
    rope.tendril.is_rod = False


def spoil_mode(rope, hand):
    bpy.context.view_layer.objects.active = rope
    bpy.ops.object.mode_set(mode="EDIT")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_all, "There is no rod, soft or dynamic rigid body in 'Scene': select a curve"),
        (spoil_kind, "'Hand' is not a curve: remove the rod from it"),
        (spoil_mode, "'Rope' is in edit mode: leave"),
        (spoil_own_range, "'Scene' ends at frame 40, before its start 50: set"),
        (spoil_length, "'Scene' has 2000001 frames, of which a bake keeps 1048576 at most: set an earlier end"),
        (spoil_bevel, "'Rope' has no thickness (bevel depth 0): turn on Set Radius"),
        (spoil_radius, "'Rope' is drawn to a point, of radius 0, at 60% of its length: raise the Radius of the"),
        (spoil_taper, "'Rope' gets its thickness from a taper object: turn on Set Radius"),
        (spoil_target, "'Rope': pin 'Nail' has no target: choose"),
        (spoil_deleted, "'Rope': pin 'Nail' follows 'Hand', which is not in this scene any more: choose another"),
        (spoil_bone, "'Rope': pin 'Nail' follows bone 'Finger', which 'Arm' does not have: choose another bone"),
        (spoil_spline, "'Rope': pin 'Nail' holds spline 3, but the last one is 0: choose"),
        (spoil_pins, "hold the same point 5 of 'Rope'"),
        (spoil_target_scale, "'Rope': the target of pin 'Nail' has a scale of 0 at frame 10: change"),
        (spoil_target_size, "'Rope': the target of pin 'Nail' has a scale of 0 at frame 20: change"),
        (spoil_target_place, "'Rope': the target of pin 'Nail' is far away from everything at frame 10: change"),
        (spoil_setting, "'Rope': its Density is not a number: set it to 828"),
        (spoil_floor, "'Scene': its Height is not a number: set it to 0"),
        (spoil_gravity, "'Scene' has a gravity of (0, 0, -1e+30) m/s²: set it to about (0, 0, -9.81)"),
        (spoil_influence, "'Rope': the influence of pin 'Nail' is not a number at frame 10: key it anew"),
        (spoil_wind, "The force field 'Wind': its strength is 1e+30 at frame 10: keep it below 1e+06"),
        (spoil_drag, "The force field 'Drag': its noise is not a number at frame 10: change it"),
        (spoil_body, "'Cube': its transform has a scale of 0 at frame 20: change"),
        (spoil_branch, "'Rope': branch 1 is so long and thin that it would need 2.1e+09 pieces: raise the radius"),
        (spoil_target_number, "'Rope': the target of pin 'Nail' is not a number at frame 10: change"),
    ],
)
def test_what_cannot_be_baked_is_said_in_one_sentence(scene, spoil, sentence):
    rope, hand = new_rope(), new_empty()
    pin(rope, hand, name="Nail")
    spoil(rope, hand)
    before = repr(state())
    with pytest.raises(SceneError) as caught:
        read()
    assert sentence in str(caught.value)
    assert str(caught.value).count(". ") == 0
    assert repr(state()) == before
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


def test_a_rope_may_have_the_curve_of_a_library(scene, tmp_path):
    rope = new_rope()
    path = str(tmp_path / "library.blend")
    bpy.data.libraries.write(path, {rope.data})
    with bpy.data.libraries.load(path, link=True) as (source, target):
        target.curves = source.curves
    rope.data = target.curves[0]
    (rod,) = read().rods
    assert rod.name == "Rope"
