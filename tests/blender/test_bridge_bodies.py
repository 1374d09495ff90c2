"""Rigid bodies as physics is given them, and the objects that show their bakes."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from artist import draw_rod, link
from bl_ext.user_default.tendril.bridge import body_result, result
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.units import quaternion, rotation_matrix
from bl_ext.user_default.tendril.physics.validate import SceneError
from mathutils import Euler, Matrix

FIRST, LAST = 3, 12
TILTED = Matrix.LocRotScale((1.0, -2.0, 3.0), Euler((0.4, -0.9, 1.3)), (0.2, 0.4, 0.6))


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    return scene


def new_rope(name="Rope", shift=0.0):
    return draw_rod(name, [(0.1 * index, shift, 3.0) for index in range(11)])


def new_body(name="Lamp", matrix=TILTED, make="cube", **settings):
    """A mesh object of size 2, as Blender adds it, that is a rigid body."""
    getattr(bpy.ops.mesh, f"primitive_{make}_add")()
    body = bpy.context.object
    body.name, body.matrix_world = name, matrix
    body.tendril.is_body = True
    for key, value in settings.items():
        setattr(body.tendril.body, key, value)
    return body


def tie(rope, target, fraction=1.0, **settings):
    pin = rope.tendril.pins.add()
    pin.target, pin.fraction = target, fraction
    for key, value in settings.items():
        setattr(pin, key, value)
    return pin


def read():
    return read_scene(bpy.context)[0]


def box_inertia(mass, sides, turn):
    a, b, c = np.square(sides)
    return turn @ (mass / 12.0 * np.diag([b + c, a + c, a + b])) @ turn.T


@pytest.mark.parametrize("shape", ["MESH", "BOX"])
@pytest.mark.parametrize("scale_length", [1.0, 0.01])
def test_a_box_has_mass_centre_inertia_and_motion_in_si(scene, shape, scale_length):
    scene.unit_settings.scale_length = scale_length
    rope, body = new_rope(), new_body(shape=shape, mass=3.0, velocity=(1.0, 2.0, -3.0), spin=(0.1, -0.2, 0.3))
    tie(rope, body, mode="DIRECTION", name="Knot")
    given = read()
    (one,) = given.bodies
    assert (one.name, one.mass, one.kinematic) == ("Lamp", 3.0, False)
    assert np.allclose(one.position, np.array([1.0, -2.0, 3.0]) * scale_length, atol=1e-6 * scale_length)
    turn = np.array(Euler((0.4, -0.9, 1.3)).to_matrix())
    sides = np.array([0.4, 0.8, 1.2]) * scale_length
    assert np.allclose(one.inertia, box_inertia(3.0, sides, turn), rtol=1e-5, atol=1e-6 * scale_length**2)
    assert np.allclose(one.v, np.array([1.0, 2.0, -3.0]) * scale_length)
    assert np.allclose(one.omega, [0.1, -0.2, 0.3])
    face = 0.5 * (sides[0] * sides[1] + sides[1] * sides[2] + sides[2] * sides[0])
    assert np.isclose(one.drag_area, 0.47 * face, rtol=1e-5)
    (weld,) = given.welds
    assert (weld.name, weld.body, weld.rod, weld.vertex, weld.mode) == ("Knot", 0, 0, 10, "DIRECTION")
    assert not given.pins


def test_density_gives_the_mass_of_what_is_seen(scene):
    new_rope()
    body = new_body(use_density=True, density=500.0, mass=77.0)
    body.modifiers.new("Half", "MIRROR").use_bisect_axis[0] = True  # same volume, other mesh
    assert np.isclose(read().bodies[0].mass, 500.0 * 8.0 * 0.2 * 0.4 * 0.6, rtol=1e-5)
    body.modifiers.new("Two", "ARRAY")
    given = read().bodies[0]
    assert np.isclose(given.mass, 2.0 * 500.0 * 8.0 * 0.2 * 0.4 * 0.6, rtol=1e-5)
    aside = np.array(Euler((0.4, -0.9, 1.3)).to_matrix()) @ [0.2, 0.0, 0.0]
    assert np.allclose(given.position, np.array([1.0, -2.0, 3.0]) + aside, atol=1e-5)


def test_a_sphere_has_the_largest_dimension(scene):
    new_rope()
    new_body(shape="SPHERE", mass=2.0)
    (body,) = read().bodies
    assert np.allclose(body.inertia, 0.4 * 2.0 * 0.6**2 * np.eye(3), atol=1e-6)
    assert np.isclose(body.drag_area, 0.47 * np.pi * 0.6**2)


def test_a_mirrored_mesh_weighs_the_same(scene):
    new_rope()
    body = new_body(use_density=True, density=100.0)
    before = read().bodies[0]
    body.scale.x *= -1.0
    after = read().bodies[0]
    assert np.isclose(after.mass, before.mass)
    assert np.all(np.linalg.eigvalsh(after.inertia) > 0.0)


def test_an_animated_body_leads_with_all_that_moves_it(scene):
    rope = new_rope()
    crane = link(bpy.data.objects.new("Crane", None))
    body = new_body("Hook", motion="ANIMATED")
    body.parent = crane
    for frame, turn, x in ((FIRST, 0.0, 0.0), (LAST, 9.0, 2.0)):
        crane.rotation_euler.z, crane.location.x = turn, x
        crane.keyframe_insert("rotation_euler", frame=frame)
        crane.keyframe_insert("location", frame=frame)
    tie(rope, body)
    given = read()
    (hook,) = given.bodies
    assert hook.kinematic
    assert not given.pins
    assert [weld.body for weld in given.welds] == [0]
    scene.frame_set(FIRST)
    start = np.array(body.matrix_world)
    assert np.allclose(hook.position, start[:3, 3], atol=1e-6)
    fps = scene.render.fps / scene.render.fps_base
    for index in range(0, len(hook.times), 5):
        frame = FIRST + hook.times[index] * fps
        scene.frame_set(int(frame), subframe=frame % 1)
        now = np.array(body.matrix_world)
        assert np.allclose(hook.track[index], now[:3, 3], atol=1e-5)
        assert np.allclose(rotation_matrix(hook.turn[index]), (now @ np.linalg.inv(start))[:3, :3], atol=1e-5)
    steps = rotation_matrix(hook.turn)
    cosine = 0.5 * (np.einsum("kij,kij->k", steps[1:], steps[:-1]) - 1.0)
    assert cosine.min() > np.cos(np.radians(91.0))


def test_an_animated_body_needs_no_volume(scene):
    tie(new_rope(), new_body(make="plane", motion="ANIMATED"))
    assert read().bodies[0].kinematic


def test_what_is_parented_to_a_dynamic_body_ties_to_it_and_else_pins(scene):
    rope, body, crane = new_rope(), new_body(), new_body("Crane", motion="ANIMATED")
    hooks = [link(bpy.data.objects.new(name, None)) for name in ("Eye", "Ring")]
    for hook, parent in zip(hooks, (body, crane), strict=True):
        hook.parent = parent
    tie(rope, hooks[0], 0.0)
    tie(rope, hooks[1], 1.0)
    given = read()
    assert [weld.body for weld in given.welds] == [0]
    assert [pin.vertex for pin in given.pins] == [10]


def test_a_body_in_an_excluded_collection_takes_no_part(scene):
    rope, body = new_rope(), new_body()
    shelf = bpy.data.collections.new("Shelf")
    scene.collection.children.link(shelf)
    for collection in body.users_collection:
        collection.objects.unlink(body)
    shelf.objects.link(body)
    bpy.context.view_layer.layer_collection.children["Shelf"].exclude = True
    tie(rope, body)
    given = read()
    assert not given.bodies
    assert len(given.pins) == 1


def test_reading_changes_nothing(scene):
    tie(new_rope(), new_body())
    kinds = ("objects", "meshes", "curves", "scenes", "actions")
    before = [len(getattr(bpy.data, kind)) for kind in kinds]
    read()
    assert [len(getattr(bpy.data, kind)) for kind in kinds] == before


def open_mesh(body):
    body.modifiers.new("Cut", "MASK")
    group = body.vertex_groups.new(name="Half")
    group.add([0, 1, 2, 3, 4, 5, 6], 1.0, "ADD")
    body.modifiers["Cut"].vertex_group = "Half"


def flat(body):
    body.scale.z = 1e-12


def no_faces(body):
    body.data.clear_geometry()


def crossed(body):
    body.data.polygons[0].flip()


def nan_vertex(body):
    body.data.vertices[3].co.y = float("nan")


def zero_scale(body):
    body.scale.x = 0.0


def nowhere(body):
    body.location.x = float("nan")


def squashed(body):
    parent = link(bpy.data.objects.new("Parent", None))
    parent.scale = (3.0, 1.0, 1.0)
    body.parent = parent


def edited(body):
    bpy.context.view_layer.objects.active = body
    bpy.ops.object.mode_set(mode="EDIT")


def keyed(_body):
    pin = bpy.data.objects["Rope"].tendril.pins[0]
    pin.keyframe_insert("influence", frame=FIRST)


def half_held(_body):
    bpy.data.objects["Rope"].tendril.pins[0].influence = 0.5


def held_twice(body):
    tie(bpy.data.objects["Rope"], body, name="Again")


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (open_mesh, ("'Lamp' has no volume", "open at 6 edges", "Shape Box or Sphere", "Solidify")),
        (no_faces, ("'Lamp' has no faces", "choose a mesh")),
        (crossed, ("'Lamp' has faces that disagree", "recalculate its normals")),
        (nan_vertex, ("'Lamp' has a vertex that is not a number", "delete it")),
        (zero_scale, ("'Lamp' has a zero in its scale", "set it to another value")),
        (nowhere, ("'Lamp' has a transform that is not a number", "reset")),
        (squashed, ("'Lamp' is skewed", "apply the scale of the parent")),
        (edited, ("'Lamp' is in edit mode", "Tab")),
        (keyed, ("'Rope': pin 'Pin' ties it to the rigid body 'Lamp'", "delete the keyframes of its influence")),
        (half_held, ("'Rope': pin 'Pin' ties it to the rigid body 'Lamp'", "set its influence to 1")),
        (held_twice, ("'Again' and 'Pin' hold the same point 10 of 'Rope'",)),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_cannot_be_a_body_is_named_with_the_cure(scene, spoil, said):
    body = new_body()
    tie(new_rope(), body)
    spoil(body)
    with pytest.raises(SceneError) as refusal:
        read()
    for words in said:
        assert words in str(refusal.value)


def test_a_flat_mesh_has_no_volume_but_a_box_does_with_a_given_mass(scene):
    new_rope()
    body = new_body(make="plane")
    body.modifiers.new("Both sides", "SOLIDIFY").thickness = 0.0
    with pytest.raises(SceneError, match="'Lamp' has no volume, its mesh is flat: choose Shape Box or Sphere"):
        read()
    body.tendril.body.shape, body.tendril.body.collide = "BOX", False
    assert np.all(np.linalg.eigvalsh(read().bodies[0].inertia) > 0.0)
    body.tendril.body.use_density = True
    with pytest.raises(SceneError, match="'Lamp' is flat and has no volume: turn off Mass by Density"):
        read()


# What shows a bake


def tumble(count, bodies):
    """Poses (F, K, 7) of bodies that fall and turn by more than once around."""
    poses = np.zeros((count, len(bodies), 7))
    for number, body in enumerate(bodies):
        for frame in range(count):
            turn = np.array(
                Euler((0.7 * frame, 0.0, 0.3 * number)).to_matrix() @ Euler((0.0, 0.0, -0.3 * number)).to_matrix()
            )
            poses[frame, number, :3] = body.position + np.array([0.1, 0.0, -0.01 * frame]) * frame
            poses[frame, number, 3:] = quaternion(turn)
    return poses


def bake(count=LAST - FIRST + 1):
    """(meta, frames, cache) of a bake in which all bodies tumble and rods stand still."""
    given, meta = read_scene(bpy.context)
    poses = tumble(count, given.bodies)
    none = np.zeros((0, 3))
    x = np.concatenate([none, *(rod.x for rod in given.rods)])
    m1 = np.concatenate([none, *(np.tile([0.0, 0.0, 1.0], (rod.edge_count, 1)) for rod in given.rods)])
    return meta, given, poses, SimpleNamespace(frames=range(count), read=lambda k: (x, m1, poses[k]))


def show(count=LAST - FIRST + 1):
    meta, given, poses, cache = bake(count)
    return result.show(bpy.context, meta, cache)[len(given.rods) :], given, poses


def everything():
    return {
        (kind, item.name) for kind in ("objects", "meshes", "curves", "actions", "lights", "collections")
        for item in getattr(bpy.data, kind)
    }  # fmt: skip


def world(item, frame):
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    return np.array(item.matrix_world)


@pytest.mark.parametrize("scale_length", [1.0, 0.01])
@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_every_frame_plays_where_it_was_baked(scene, scale_length, mirror):
    scene.unit_settings.scale_length = scale_length
    new_rope()
    body = new_body(matrix=TILTED @ Matrix.Diagonal((mirror, 1.0, 1.0, 1.0)))
    body.modifiers.new("Two", "ARRAY")  # its centre of mass is not its origin
    scene.frame_set(FIRST)
    start = np.array(body.matrix_world)
    (item,), given, poses = show()
    centre = given.bodies[0].position / scale_length
    for index, pose in enumerate(poses[:, 0]):
        now = world(item, FIRST + index)
        turn = rotation_matrix(pose[3:])
        assert np.allclose(now[:3, :3], turn @ start[:3, :3], atol=2e-6)
        assert np.allclose(now[:3, 3], pose[:3] / scale_length + turn @ (start[:3, 3] - centre), atol=2e-5)
    assert np.allclose(world(item, FIRST - 2), world(item, FIRST))


def test_bodies_are_shown_without_rods(scene):
    bricks = [new_body("Brick"), new_body("Log", matrix=Matrix.Translation((0.0, 5.0, 0.0)))]
    items, _, poses = show()
    assert [brick.tendril.result for brick in bricks] == items
    for number, item in enumerate(items):
        assert np.allclose(world(item, LAST)[:3, 3], poses[-1, number, :3], atol=1e-5)
        assert {path for path, _ in keyed_channels(item)} == {"location", "rotation_quaternion"}


def keyed_channels(item):
    keys = item.animation_data
    fcurves = keys.action.layers[0].strips[0].channelbag(keys.action_slot).fcurves
    return [(curve.data_path, curve.array_index) for curve in fcurves]


def test_rotation_runs_on_between_frames(scene):
    """Quaternions that changed sign would swing the body round between two frames."""
    new_rope()
    new_body()
    (item,), _, _ = show()
    keys = item.animation_data
    fcurves = keys.action.layers[0].strips[0].channelbag(keys.action_slot).fcurves
    curves = [curve for curve in fcurves if curve.data_path == "rotation_quaternion"]
    turn = np.array([[point.co.y for point in curve.keyframe_points] for curve in curves]).T
    assert np.allclose(np.linalg.norm(turn, axis=1), 1.0, atol=1e-6)
    assert np.sum(turn[1:] * turn[:-1], axis=1).min() > 0.9
    assert turn[:, 0].min() < -0.1  # it went round, so one of w ≥ 0 would have jumped
    assert {point.interpolation for curve in curves for point in curve.keyframe_points} == {"LINEAR"}


def test_the_result_is_a_linked_duplicate_that_stands_on_its_own(scene):
    new_rope()
    parent = link(bpy.data.objects.new("Parent", None))
    body = new_body()
    body.parent = parent
    body.constraints.new("COPY_LOCATION").target = parent
    body.keyframe_insert("scale", frame=1)
    body.delta_location.x, body.pass_index = 0.3, 7
    body.modifiers.new("Round", "BEVEL")
    (item,), _, _ = show()
    assert item.name == "Lamp Baked"
    assert item.data == body.data
    assert item.parent is None
    assert not item.constraints
    assert [modifier.name for modifier in item.modifiers] == ["Round"]
    assert item.pass_index == 7
    assert not item.tendril.is_body
    assert (body.parent, len(body.constraints), body.tendril.is_body) == (parent, 1, True)


def test_the_light_in_a_lamp_comes_along(scene):
    new_rope()
    body = new_body()
    socket = link(bpy.data.objects.new("Socket", None))
    socket.parent, socket.location = body, (0.0, 0.0, -1.0)
    bulb = link(bpy.data.objects.new("Bulb", bpy.data.lights.new("Bulb", "POINT")))
    bulb.parent, bulb.location = socket, (0.1, 0.2, 0.3)
    bulb.keyframe_insert("scale", frame=1)
    scene.frame_set(FIRST)
    local = np.linalg.inv(np.array(body.matrix_world)) @ np.array(bulb.matrix_world)
    bulb.hide_viewport = True
    before = everything()
    (item,), _, _ = show()
    twin = bulb.tendril.result
    assert twin.data == bulb.data
    assert twin.parent == socket.tendril.result
    assert twin.parent.parent == item
    assert (twin.hide_viewport, twin.hide_render) == (True, False)
    assert bulb.hide_render
    assert socket.hide_viewport
    twin.hide_viewport = False  # else Blender does not evaluate it
    for frame in (FIRST, FIRST + 4, LAST):
        now = world(twin, frame)
        assert np.allclose(now, np.array(item.matrix_world) @ local, atol=1e-5)
    show()
    assert bulb.tendril.result == twin
    body_result.revert(body)
    result.revert(bpy.data.objects["Rope"])
    assert everything() == before
    assert (bulb.hide_viewport, bulb.hide_render) == (True, False)
    assert (socket.hide_viewport, socket.hide_render) == (False, False)
    assert bulb.animation_data.action


def test_rods_and_bodies_among_the_children_have_their_own(scene):
    body, rope, other = new_body(matrix=Matrix.Translation((0, 0, 5))), new_rope(), new_body("Other")
    rope.parent = other.parent = body
    results, _, _ = show()
    assert len(results) == 2
    assert not results[0].children
    assert len([item for item in bpy.data.objects if item.tendril.source]) == 3


@pytest.mark.parametrize("hidden", [(False, False), (True, False), (False, True)])
def test_the_source_hides_and_revert_brings_it_back_as_it_was(scene, hidden):
    rope, body = new_rope(), new_body()
    body.hide_viewport, body.hide_render = hidden
    before = everything()
    show()
    show()  # a second bake must not remember that the first one hid it
    assert body.hide_viewport
    assert body.hide_render
    body_result.revert(body)
    result.revert(rope)
    assert (body.hide_viewport, body.hide_render) == hidden
    assert body.tendril.result is None
    assert everything() == before


def test_a_bake_takes_the_place_of_the_last_one(scene):
    new_rope()
    new_body()
    (item,), _, _ = show()
    item.name = "Hero"
    once = everything()
    (again,), _, poses = show(4)
    assert again == item
    assert sorted(kind for kind, _ in everything()) == sorted(kind for kind, _ in once)
    assert np.allclose(world(item, LAST)[:3, 3], poses[3, 0, :3], atol=1e-5)


@pytest.mark.parametrize("edited", ["Lamp", "Lamp Baked"])
def test_a_bake_that_ends_while_the_artist_edits_keeps_the_edits(scene, edited):
    new_rope()
    body = new_body()
    show()
    if edited == "Lamp":
        body_result.revert(body)
    meta, _, poses, cache = bake()
    bpy.context.view_layer.objects.active = bpy.data.objects[edited]
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.mesh.subdivide()
    *_, item = result.show(bpy.context, meta, cache)
    assert bpy.context.mode == "OBJECT"
    assert len(item.data.vertices) == 26
    assert np.allclose(world(item, LAST)[:3, 3], poses[-1, 0, :3], atol=1e-5)


def test_one_frame_is_a_pose_without_keys(scene):
    new_rope()
    new_body()
    (item,), _, _ = show(1)
    assert item.animation_data is None


def test_an_animated_body_is_shown_by_itself(scene):
    new_rope()
    body = new_body(motion="ANIMATED")
    results, _, _ = show()
    assert not results
    assert not body.hide_viewport


def test_a_renamed_body_is_found_a_duplicate_is_not_and_a_lost_one_still_moves_an_empty(scene):
    new_rope()
    body = new_body()
    meta, _, poses, cache = bake()
    body.name = "Lantern"
    double = link(body.copy())
    double.name = "Lamp"
    *_, item = result.show(bpy.context, meta, cache)
    assert body.tendril.result == item
    assert double.tendril.result is None
    body_result.revert(body)
    for one in (body, double):
        bpy.data.objects.remove(one)
    *_, item = result.show(bpy.context, meta, cache)
    assert item.type == "EMPTY"
    assert np.allclose(world(item, LAST)[:3, 3], poses[-1, 0, :3], atol=1e-5)


def test_a_pin_on_the_result_still_ties_to_the_body(scene):
    rope = new_rope()
    new_body()
    (item,), _, _ = show()
    tie(rope, item)
    assert [weld.body for weld in read().welds] == [0]


def test_the_animation_plays_without_the_add_on(scene, addon, tmp_path):
    new_rope()
    new_body()
    (item,), _, _ = show()
    expected, name, path = world(item, FIRST + 5), item.name, str(tmp_path / "shot.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    addon.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=path)
        assert np.allclose(world(bpy.data.objects[name], FIRST + 5), expected, atol=1e-6)
    finally:
        addon.register()


def test_ropes_drawn_into_bodies_are_named(scene):
    """With both objects' names and the depth; what is tied to one is drawn into it on purpose."""
    rope, lamp = new_rope(), new_body(matrix=Matrix.Translation((0.5, 0.0, 1.995)))
    (notice,) = read_scene(bpy.context)[1]["notices"]
    assert notice["object"] == "Rope"
    assert notice["text"] == (
        "'Rope' is drawn 5 mm into 'Lamp': the bake will push it out. Move it off or make it thinner."
    )
    lamp.location.z = 3.0
    bpy.context.view_layer.update()
    (notice,) = read_scene(bpy.context)[1]["notices"]
    assert "mm into 'Lamp', or through it: what is inside stays as it is drawn and does not touch it." in notice["text"]
    tie(rope, lamp)
    assert read_scene(bpy.context)[1]["notices"] == []


def test_bodies_drawn_into_the_floor_are_named(scene):
    new_body(matrix=Matrix.Translation((0.0, 0.0, 0.98)))
    scene.tendril.use_floor = True
    (notice,) = read_scene(bpy.context)[1]["notices"]
    assert notice["text"] == "'Lamp' is drawn 0.02 m into the floor: raise it or lower the floor."
