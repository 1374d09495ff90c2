"""What moves pins besides keys: stretched time, cloth, Blender's rigid bodies, drivers on the scene, handlers."""

import bpy
import numpy as np
import pytest
from artist import draw_rod, link
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError

FIRST, LAST = 10, 20


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    scene.frame_set(FIRST)
    return scene


@pytest.fixture
def rope(scene):
    return draw_rod("Rope", [(index, 0, 0.1 * index * index) for index in range(6)], depth=0.05)


def new_empty(name="Hand", parent=None):
    empty = link(bpy.data.objects.new(name, None))
    empty.parent = parent
    return empty


def cube(name="Ball", place=(0.0, 0.0, 5.0)):
    bpy.ops.mesh.primitive_cube_add(location=place)
    bpy.context.object.name = name
    return bpy.context.object


def pin(rope, target):
    new = rope.tendril.pins.add()
    new.target, new.fraction = target, 1.0


def key(item, path, *values):
    for frame, value in zip(np.linspace(FIRST, LAST, len(values)), values, strict=True):
        setattr(item, path, value)
        item.keyframe_insert(path, frame=frame)


def drive(item, scene, path, kind="SINGLE_PROP"):
    driver = item.driver_add("location", 0).driver
    variable = driver.variables.new()
    variable.type = kind
    if kind == "SINGLE_PROP":
        variable.targets[0].id_type, variable.targets[0].id = "SCENE", scene
    variable.targets[0].data_path = path
    driver.expression = variable.name


def read():
    """(the pins, the texts of the notices)"""
    given, meta = read_scene(bpy.context)
    return given.pins, [notice["text"] for notice in meta["notices"]]


def as_played(scene, item):
    """Where an object is at every frame of the scene (F, 3)."""
    places = []
    for frame in range(FIRST, LAST + 1):
        scene.frame_set(frame)
        places.append(np.array(item.matrix_world.translation))
    return np.array(places)


def at_frames(pin):
    """Where a pin leads at every frame, as far as it moves (F, 3); one that rests has a single sample."""
    if len(pin.times) == 1:
        return np.zeros((LAST - FIRST + 1, 3))
    frames = np.arange(LAST - FIRST + 1) / 24.0
    return np.column_stack([np.interp(frames, pin.times, column) for column in (pin.position - pin.position[0]).T])


def follows(scene, item):
    played = as_played(scene, item)
    scene.frame_set(FIRST)
    assert np.ptp(played, axis=0).max() > 0.4
    pins, notices = read()
    assert np.allclose(at_frames(pins[0]), played - played[0], atol=1e-4)
    return notices


@pytest.mark.parametrize(("old", "new"), [(100, 50), (50, 100), (100, 100)])
def test_a_pin_follows_time_that_is_stretched(scene, rope, old, new):
    scene.render.frame_map_old, scene.render.frame_map_new = old, new
    hand = new_empty()
    key(hand, "location", (0, 0, 0), (0, 4, 0), (3, 4, 0))
    for point in hand.animation_data.action.layers[0].strips[0].channelbags[0].fcurves[0].keyframe_points:
        point.co.x *= old / new  # so that something moves between FIRST and LAST
    pin(rope, hand)
    assert follows(scene, hand) == []


def cloth(scene, *, played):
    sheet = cube("Sheet", (0, 0, 0))
    sheet.modifiers.new("Cloth", "CLOTH").point_cache.frame_start = FIRST
    sheet.modifiers["Cloth"].point_cache.frame_end = LAST
    hand = new_empty(parent=sheet)
    hand.parent_type, hand.parent_vertices = "VERTEX", (3, 0, 0)
    if played:
        as_played(scene, hand)
    return hand


def test_a_pin_follows_cloth_that_was_played(scene, rope):
    hand = cloth(scene, played=True)
    pin(rope, hand)
    assert follows(scene, hand) == []


@pytest.fixture
def ball(scene):
    """A cube that falls under Blender's rigid bodies."""
    ball = cube()
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    scene.rigidbody_world.point_cache.frame_start = FIRST
    return ball


def holds_itself(rope, ball):
    pin(rope, ball)


def holds_a_child(rope, ball):
    pin(rope, new_empty(parent=new_empty("Arm", ball)))


def holds_what_follows(rope, ball):
    hand = new_empty()
    hand.constraints.new("COPY_LOCATION").target = ball
    pin(rope, hand)


def holds_a_bone(rope, ball):
    rig = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    rig.data.edit_bones.new("Bone").tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.pose.bones["Bone"].constraints.new("COPY_LOCATION").target = ball
    pin(rope, rig)
    rope.tendril.pins[0].bone = "Bone"


def holds_a_led_body(rope, ball):
    lamp = cube("Lamp")
    lamp.parent = ball
    lamp.tendril.is_body, lamp.tendril.body.motion = True, "ANIMATED"
    pin(rope, lamp)


def leads_a_body(rope, ball):
    holds_a_led_body(rope, ball)
    rope.tendril.pins.clear()


def is_blown(rope, ball):
    bpy.ops.object.effector_add(type="WIND")
    bpy.context.object.parent = ball


@pytest.mark.parametrize(
    "hold", [holds_itself, holds_a_child, holds_what_follows, holds_a_bone, holds_a_led_body, leads_a_body, is_blown]
)
def test_what_rigid_bodies_move_is_refused_and_then_baked_to_keyframes(scene, rope, ball, hold):
    hold(rope, ball)
    with pytest.raises(SceneError) as caught:
        read()
    assert str(caught.value) == (
        "'Ball' is moved by Blender's rigid bodies, which a bake does not see: turn that into keyframes first with "
        "Object › Rigid Body › Bake to Keyframes."
    )
    to_keyframes(scene, ball)
    assert read()[1] == []


def test_a_pin_follows_what_was_baked_to_keyframes(scene, rope, ball):
    pin(rope, ball)
    to_keyframes(scene, ball)
    assert follows(scene, ball) == []


def to_keyframes(scene, ball):
    """What Blender's Bake to Keyframes does, which needs a window."""
    places = as_played(scene, ball)
    bpy.context.view_layer.objects.active = ball
    bpy.ops.rigidbody.object_remove()
    key(ball, "location", *places)
    scene.frame_set(FIRST)


def passive(scene, ball):
    ball.rigid_body.type = "PASSIVE"


def led(scene, ball):
    ball.rigid_body.kinematic = True


def off(scene, ball):
    scene.rigidbody_world.enabled = False


@pytest.mark.parametrize("calm", [passive, led, off])
def test_what_rigid_bodies_leave_alone_is_followed(scene, rope, ball, calm):
    calm(scene, ball)
    key(ball, "location", (0, 0, 5), (2, 0, 5))
    pin(rope, ball)
    assert follows(scene, ball) == []


def test_a_rod_may_start_on_a_rigid_body_that_has_not_moved_yet(scene, rope, ball):
    rope.parent = ball
    read()
    scene.rigidbody_world.point_cache.frame_start = FIRST - 5
    with pytest.raises(SceneError, match="'Ball' is moved by Blender's rigid bodies"):
        read()


@pytest.mark.parametrize(("path", "value"), [('["lift"]', 3.0), ("gravity[2]", -9.81)])
def test_a_driver_may_read_what_stays_the_same_in_the_scene(scene, rope, path, value):
    scene["lift"] = 3.0
    hand = new_empty()
    drive(hand, scene, path)
    key(hand, "scale", (1, 1, 1), (2, 2, 2))
    pin(rope, hand)
    assert read()[1] == []
    assert hand.matrix_world.translation.x == pytest.approx(value, rel=1e-6)


def test_a_driver_on_what_moves_in_the_scene_is_named(scene, rope):
    scene["lift"] = 0.0
    for frame, value in ((FIRST, 0.0), (LAST, 3.0)):
        scene["lift"] = value
        scene.keyframe_insert('["lift"]', frame=frame)
    arm = new_empty("Arm")
    drive(arm, scene, '["lift"]')
    pin(rope, new_empty(parent=arm))
    (text,) = read()[1]
    said = """'Arm' has a driver that reads ["lift"] of 'Scene', which stands still in a bake: animate that property"""
    assert text.startswith(said)


def test_a_driver_on_the_current_frame_is_named_and_one_that_says_frame_is_followed(scene, rope):
    hand = new_empty()
    drive(hand, scene, "frame_current")
    pin(rope, hand)
    (text,) = read()[1]
    assert text.startswith("'Hand' has a driver that reads the frame of 'Scene'")
    assert "write frame in its expression instead" in text
    driver = hand.animation_data.drivers[0].driver
    driver.variables.remove(driver.variables[0])
    driver.expression = "0.2 * frame"
    assert follows(scene, hand) == []


def test_a_driver_on_the_frame_of_the_active_scene_is_followed(scene, rope):
    hand = new_empty()
    drive(hand, scene, "frame_current", "CONTEXT_PROP")
    driver = hand.animation_data.drivers[0].driver
    assert driver.variables[0].targets[0].context_property == "ACTIVE_SCENE"
    pin(rope, hand)
    assert follows(scene, hand) == []


@pytest.mark.parametrize(("path", "values"), [("gravity", [(0, 0, -9.81), (0, 0, 0)]), ("use_gravity", [True, False])])
def test_gravity_that_is_animated_is_named(scene, rope, path, values):
    _, meta = read_scene(bpy.context)
    assert meta["notices"] == []
    key(scene, path, *values)
    _, meta = read_scene(bpy.context)
    (notice,) = meta["notices"]
    assert (notice["object"], notice["frame"]) == ("Scene", 0)
    still = "'Scene' has an animated gravity, which stands still in a bake, as it is now"
    assert notice["text"] == f"{still}: let a force field push instead."


def test_frame_handlers_of_others_are_left_in_peace_and_stay(scene, rope):
    heard = []

    def handler(of, _graph):
        heard.append(of.name)

    bpy.app.handlers.frame_change_post.append(handler)
    try:
        hand = new_empty()
        key(hand, "location", (0, 0, 0), (1, 0, 0))
        pin(rope, hand)
        read()
        assert heard == []
        scene.frame_set(FIRST + 1)
        assert heard == ["Scene"]
    finally:
        bpy.app.handlers.frame_change_post.remove(handler)
