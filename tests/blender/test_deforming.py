"""What is pinned to something that deforms goes where that goes: hair on a face, a belly on its rig, a drawn motion."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, link
from bl_ext.user_default.tendril.bridge import changes
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.bridge.seen_places import SeenPlaces, SeenShares
from bl_ext.user_default.tendril.bridge.units import rotation_matrix
from bl_ext.user_default.tendril.meshing.embedding import Embedding
from mathutils import Matrix
from seen import places

LAST = 9


@pytest.fixture(autouse=True)
def frames(empty_file):
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, LAST


def key(owner, path, *values, index=-1):
    """Values of a property at the first and last frame and evenly between, on straight lines."""
    for frame, value in zip(np.linspace(1, LAST, len(values)), values, strict=True):
        if index < 0:
            setattr(owner, path, value)
        else:
            getattr(owner, path)[index] = value
        owner.keyframe_insert(path, index=index, frame=frame)
    animation = owner.id_data.animation_data
    for fcurve in animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves:
        for point in fcurve.keyframe_points:
            point.interpolation = "LINEAR"


def head(make="uv_sphere", **options):
    getattr(bpy.ops.mesh, f"primitive_{make}_add")(**options)
    bpy.context.object.name = "Head"
    return bpy.context.object


def ball():
    return head(segments=24, ring_count=16, radius=0.1)


def hair(ways, name="Hair"):
    """Strands, each of some points in the world, with their roots first."""
    item = draw(name, ways, depth=0.0005)
    choose(item)
    bpy.ops.tendril.add_rod()
    return item


def outwards(*roots, length=0.1):
    return [np.array(root) * np.linspace(1.0, 1.0 + length / np.linalg.norm(root), 9)[:, None] for root in roots]


def rooted(target, *roots, mode="TWIST"):
    """Hair that begins at roots on a target."""
    item = hair(outwards(*roots))
    choose(target, item)
    assert bpy.ops.tendril.add_pin(place="START", holder="OBJECT", mode=mode) == {"FINISHED"}
    return item


def read():
    scene, meta = read_scene(bpy.context)
    return scene, [notice["text"] for notice in meta["notices"]]


def at(led, frame):
    """Where a pin or hold is led at a frame, and how it has turned."""
    time = (frame - 1) / bpy.context.scene.render.fps
    row = int(np.argmin(np.abs(led.times - time)))
    assert led.times[row] == pytest.approx(time)
    return led.position[row], rotation_matrix(led.rotation[row])


def shape_key(item, moved, *values):
    """A shape key that takes each vertex to moved(its place), keyed."""
    item.shape_key_add(name="Basis")
    block = item.shape_key_add(name="Smile")
    for own, vertex in zip(block.data, item.data.vertices, strict=True):
        own.co = moved(vertex.co)
    key(block, "value", *values)
    return block


def rig(*bones):
    """An armature of bones (name, head, tail), each the child of the one before."""
    item = link(bpy.data.objects.new("Rig", bpy.data.armatures.new("Rig")))
    choose(item)
    bpy.ops.object.mode_set(mode="EDIT")
    last = None
    for name, start, end in bones:
        last, parent = item.data.edit_bones.new(name), last
        last.head, last.tail, last.parent = start, end, parent
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in item.pose.bones:
        bone.rotation_mode = "XYZ"
    return item


def armed(item, armature, **weights):
    """Let an armature deform a mesh; weights: of each bone a function of a vertex."""
    for name, weight in weights.items():
        group = item.vertex_groups.new(name=name)
        for vertex in item.data.vertices:
            group.add([vertex.index], weight(vertex.co), "REPLACE")
    item.modifiers.new("Armature", "ARMATURE").object = armature


def test_a_root_goes_with_a_face_that_a_shape_key_moves():
    face = ball()
    shape_key(face, lambda co: 1.5 * co, 0.0, 1.0, 0.0)
    rooted(face, (0, 0, 0.1), (0.1, 0, 0))
    scene, said = read()
    for frame, size in ((1, 1.0), (3, 1.25), (5, 1.5), (9, 1.0)):
        for pin, start in zip(scene.pins, (rod.x[0] for rod in scene.rods), strict=True):
            position, turn = at(pin, frame)
            assert position == pytest.approx(size * start, abs=1e-6)
            assert turn == pytest.approx(np.eye(3), abs=1e-5)
    assert not said


def parented(item, armature):
    """To its bone, as Ctrl P does it where it rests."""
    pose, armature.data.pose_position = armature.data.pose_position, "REST"
    bpy.context.view_layer.update()
    before = item.matrix_world.copy()
    item.parent, item.parent_type, item.parent_bone = armature, "BONE", "Neck"
    bpy.context.view_layer.update()
    item.matrix_world = before
    armature.data.pose_position = pose


@pytest.mark.parametrize("to", ["mesh", "bone"])
@pytest.mark.parametrize("way", ["at rest", "parented", "drawn there", "not posed", "far from both"])
def test_hair_that_begins_beside_a_posed_character_is_told(to, way):
    face = ball()
    armature = rig(("Neck", (0, 0, -0.1), (0, 0, 0.1)))
    armed(face, armature, Neck=lambda _: 1.0)
    if way != "not posed":
        armature.pose.bones["Neck"].location.x = 0.9
    there = np.array([0.9 if way == "drawn there" else 0.0, 3.0 if way == "far from both" else 0.0, 0.0])
    item = hair([way + there for way in outwards((0, 0, 0.1), (0, 0.06, 0.08), (-0.06, 0, 0.08))])
    if to == "bone":
        armature.data.bones.active = armature.data.bones["Neck"]
    choose(face if to == "mesh" else armature, item)
    holder = "OBJECT" if to == "mesh" else "BONE"
    assert bpy.ops.tendril.add_pin(place="START", holder=holder, mode="TWIST") == {"FINISHED"}
    if way == "parented":
        parented(item, armature)
    told = [text for text in read()[1] if text.startswith("'Hair' begins")]
    if way == "at rest":
        (text,) = told
        gap, what = (0.8, "'Head'") if to == "mesh" else (0.9, "bone 'Neck' of 'Rig'")
        assert float(text.split()[2]) == pytest.approx(gap, abs=0.06)
        assert f"from {what}" in text
        assert "Parent 'Hair'" in text
    else:
        assert told == []


def test_a_root_and_its_direction_go_with_a_face_on_an_armature():
    """Beside the object, which moves, turns and is scaled."""
    face, armature = ball(), rig(("Neck", (0, 0, -0.2), (0, 0, 0)))
    armed(face, armature, Neck=lambda _co: 1.0)
    rooted(face, (0, 0.02, 0.1), (0.1, 0, 0.01))
    face.parent = armature
    armature.scale = (2.0, 2.0, 2.0)
    bpy.context.view_layer.update()
    key(armature.pose.bones["Neck"], "rotation_euler", (0.0, 0.0, 0.0), (0.9, 0.4, 0.0), (0.0, -0.5, 1.2))
    key(armature, "location", (0.0, 0.0, 0.0), (0.5, 0.0, 0.3))
    key(armature, "rotation_euler", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    scene, _ = read()
    bone = armature.pose.bones["Neck"]
    bpy.context.scene.frame_set(1)
    before = armature.matrix_world @ bone.matrix
    for frame in (2, 5, 9):
        bpy.context.scene.frame_set(frame)
        way = np.array(armature.matrix_world @ bone.matrix @ before.inverted())
        for pin, rod in zip(scene.pins, scene.rods, strict=True):
            position, turn = at(pin, frame)
            assert position == pytest.approx(way[:3, :3] @ rod.x[0] + way[:3, 3], abs=2e-6)
            assert turn == pytest.approx(way[:3, :3], abs=2e-5)


def test_a_root_goes_with_a_face_that_a_modifier_bends_and_is_not_stretched_with_it():
    """It stands off the face, and keeps that distance: a twist of the mesh by 1 rad/m turns it about the axis."""
    face = head("cube", size=0.2)
    for _ in range(3):
        choose(face)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.subdivide(number_cuts=2)
        bpy.ops.object.mode_set(mode="OBJECT")
    twist = face.modifiers.new("Twist", "SIMPLE_DEFORM")
    twist.deform_method, twist.deform_axis = "TWIST", "Z"
    rooted(face, (0.0, 0.0, 0.11))
    key(twist, "angle", 0.0, 0.8)
    scene, said = read()
    (pin,), start = scene.pins, scene.rods[0].x[0]
    for frame in (3, 9):
        position, turn = at(pin, frame)
        angle = 0.5 * 0.8 * (frame - 1) / (LAST - 1)  # half of it above the middle
        assert position == pytest.approx(start, abs=1e-6)
        assert abs(np.trace(turn) - 1.0 - 2.0 * np.cos(angle)) < 1e-4
        assert turn[2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-4)
    assert not said


def test_between_frames_the_object_leads_as_finely_as_ever():
    """It spins by 60° in a frame while its face puffs up: a quarter of a frame later the root is 15° further."""
    face = ball()
    shape_key(face, lambda co: 1.5 * co, 0.0, 1.0)
    rooted(face, (0.1, 0, 0))
    key(face, "rotation_euler", 0.0, np.radians(60.0) * (LAST - 1), index=2)
    (pin,) = read()[0].pins
    for frame in (2.0, 2.25, 4.5, 7.75):
        angle, size = np.radians(60.0) * (frame - 1.0), 1.0 + 0.5 * (frame - 1.0) / (LAST - 1)
        position, turn = at(pin, frame)
        assert position == pytest.approx(0.1 * size * np.array([np.cos(angle), np.sin(angle), 0.0]), abs=1e-5)
        assert turn[:2, 0] == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-4)


def test_what_does_not_deform_leads_to_the_same_bytes_with_modifiers_and_keys():
    face = ball()
    key(face, "location", (0.0, 0.0, 0.0), (0.3, 0.1, 0.0))
    key(face, "rotation_euler", (0.0, 0.0, 0.0), (0.3, 2.0, 0.0))
    rooted(face, (0, 0, 0.1), (0.1, 0, 0))
    plain = read()[0].pins
    face.modifiers.new("Smooth", "SUBSURF")
    shape_key(face, lambda co: 1.5 * co, 0.3, 0.3)
    armed(face, rig(("Neck", (0, 0, -0.2), (0, 0, 0))), Neck=lambda _co: 1.0)
    dressed, said = read()
    for one, other in zip(plain, dressed.pins, strict=True):
        assert one.position.tobytes() == other.position.tobytes()
        assert one.rotation.tobytes() == other.rotation.tobytes()
    assert not said


def more_columns(face):
    array = face.modifiers.new("Array", "ARRAY")
    key(array, "count", 1, 3)


def no_faces(face):
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.delete(type="ONLY_FACE")
    bpy.ops.object.mode_set(mode="OBJECT")
    shape_key(face, lambda co: 1.5 * co, 0.0, 1.0)


@pytest.mark.parametrize(("spoil", "what"), [(more_columns, "'Head' has "), (no_faces, "deforms but has no faces")])
def test_a_mesh_that_does_not_keep_its_faces_or_has_none_leads_as_a_whole_and_says_so(spoil, what):
    face = ball()
    spoil(face)
    rooted(face, (0, 0, 0.1))
    key(face, "location", (0.0, 0.0, 0.0), (0.3, 0.1, 0.0))
    scene, said = read()
    position, _ = at(scene.pins[0], LAST)
    assert position == pytest.approx(scene.rods[0].x[0] + [0.3, 0.1, 0.0], abs=1e-5)
    assert len(said) == 1
    assert what in said[0]
    assert "follows its object, not its shape" in said[0]


def test_another_motion_of_the_face_is_told(tmp_path):
    """And the bake shows it as it was read."""
    face = ball()
    smile = shape_key(face, lambda co: 1.5 * co, 0.0, 1.0)
    item = rooted(face, (0, 0, 0.1))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    shown = item.tendril.result
    bpy.context.scene.frame_set(LAST)
    evaluated = shown.evaluated_get(bpy.context.evaluated_depsgraph_get())
    curve = evaluated.to_curve(bpy.context.evaluated_depsgraph_get(), apply_modifiers=True)
    root = np.array(shown.matrix_world @ curve.splines[0].bezier_points[0].co)
    assert root == pytest.approx([0.0, 0.0, 0.15], abs=1e-4)
    assert changes.sentence(bpy.context) == ""
    key(smile, "value", 0.0, 0.5)
    assert changes.sentence(bpy.context) == "Out of date: shape of the target of pin 'Start' of 'Hair' changed"


# Soft bodies


def body(name="Belly", resolution=6, **options):
    """A bar of 1 m along z, with a group Hold of its lower half."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0, 0, 0.5))
    item = bpy.context.object
    item.name = name
    item.data.transform(Matrix.Diagonal((0.3, 0.3, 1.0, 1.0)))
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.subdivide(number_cuts=7)
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.ops.object.transform_apply(location=True)
    group = item.vertex_groups.new(name="Hold")
    group.add([vertex.index for vertex in item.data.vertices if vertex.co.z < 0.55], 1.0, "REPLACE")
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    bpy.ops.tendril.apply_soft_preset(preset="gelatine")
    item.tendril.soft.resolution = resolution
    return item


def spine():
    """Two bones, the upper of which bends, and the lower turns."""
    armature = rig(("Hip", (0, 0, 0), (0, 0, 0.25)), ("Chest", (0, 0, 0.25), (0, 0, 1)))
    key(armature.pose.bones["Hip"], "rotation_euler", (0.0, 0.0, 0.0), (0.0, 1.5, 0.0))
    key(armature.pose.bones["Chest"], "rotation_euler", (0.0, 0.0, 0.0), (0.6, 0.0, 0.0))
    key(armature, "location", (0.0, 0.0, 0.0), (0.4, 0.0, 0.1))
    return armature


def on_two_bones():
    item, armature = body(), spine()
    armed(
        item, armature, Hip=lambda co: 1.0 - co.z,
        Chest=lambda co: co.z,
    )  # fmt: skip
    item.vertex_groups.active = item.vertex_groups["Hold"]
    return item, armature


@pytest.mark.once
def test_the_held_part_of_a_belly_goes_where_its_rig_leads(tmp_path):
    """Within 1 % of its size; and what is shown is bent once, by the bake."""
    item, _ = on_two_bones()
    choose(item)
    assert bpy.ops.tendril.add_soft_pin(holder="OWN") == {"FINISHED"}
    bpy.context.scene.use_gravity = False
    led = {frame: places(item, frame) for frame in (1, 4, 7, LAST)}
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    assert not bpy.context.window_manager.tendril.warnings
    deep = led[1][:, 2] < 0.3  # all around them is held
    for frame, wanted in led.items():
        assert np.linalg.norm(places(item.tendril.result, frame) - wanted, axis=1)[deep].max() < 0.01
    free = led[1][:, 2] > 0.8
    assert np.linalg.norm(places(item.tendril.result, LAST) - led[LAST], axis=1)[free].max() > 0.02


@pytest.mark.parametrize("by", ["OWN", "BONE", "OBJECT"])
def test_what_is_held_is_seen_exactly_where_its_rig_has_it(tmp_path, by):
    """To single precision, and not only to a part of a cell; what is beside goes along, and nothing leaps when a pin
    lets go.
    """
    item, armature = on_two_bones()
    rigid = by != "OWN"
    if rigid:
        item.modifiers.clear()
    if by == "OBJECT":
        armature = link(bpy.data.objects.new("Hand", None))
        key(armature, "rotation_euler", (0.0, 0.0, 0.0), (0.0, 0.4, 0.2))
    elif by == "BONE":
        armature.data.bones.active = armature.data.bones["Chest"]
    choose(*((armature,) if rigid else ()), item)
    assert bpy.ops.tendril.add_soft_pin(holder=by) == {"FINISHED"}
    bpy.context.scene.use_gravity = False
    held = [v.index for v in item.data.vertices for g in v.groups if g.group == 0 and g.weight == 1.0]
    drawn, led = places(item, 1)[held], {}
    for frame in (1, 3, LAST):
        bpy.context.scene.frame_set(frame)
        if by == "BONE":
            bone = armature.pose.bones["Chest"]
            way = np.array(armature.matrix_world @ bone.matrix @ armature.data.bones["Chest"].matrix_local.inverted())
        elif rigid:
            way = np.array(armature.matrix_world)
        led[frame] = drawn @ way[:3, :3].T + way[:3, 3] if rigid else places(item, frame)[held]
    bpy.context.scene.frame_set(1)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    for frame, wanted in led.items():
        assert places(item.tendril.result, frame)[held] == pytest.approx(wanted, abs=2e-6)


def test_what_is_held_is_shown_there_until_a_pin_lets_go_and_does_not_leap_then():
    """It is moved by d of the nodes then, Σ d = 0, and so goes on with them; so does what is beside it, by less."""
    x = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    points = np.array([[0.2, 0.2, 0.2], [0.3, 0.2, 0.2], [0.1, 0.5, 0.1], [0.1, 0.1, 9.0]])
    embedding = Embedding.of(points, x, np.arange(4)[None])
    place = points[None, :1] + np.array([[[0.0, 0, 0]], [[0.0, 0, 0.02]], [[9.0, 0, 0]]])
    held = SeenPlaces(np.array([0]), place, np.array([2.0])).arrays()
    shares = SeenShares.of(embedding, points, {"seen": held}, 1.0)
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    shown = []
    for frame, nodes in enumerate((x, x, x @ turn.T + 5.0)):
        shown.append(embedding.carry(nodes))
        shares.correct(shown[-1], nodes, frame)
    assert shown[0] == pytest.approx(points, abs=1e-12)
    assert shown[1][0] == pytest.approx(place[1, 0], abs=1e-12)
    assert shown[2] == pytest.approx(shown[1] @ turn.T + 5.0, abs=1e-12)
    off = np.linalg.norm(shown[1] - points, axis=1)
    assert off[0] > off[1] > off[2] > off[3] == 0.0
    assert SeenShares.of(embedding, points + 1.0, {"seen": held}, 1.0) is None  # drawn anew


def test_nodes_of_a_belly_stand_to_its_skin_as_they_stood():
    """Where a rig only turns and shifts it, they go with that exactly, also those that lie off the skin."""
    item, armature = body(), rig(("Hip", (0, 0, 0), (0, 0, 1)))
    armed(item, armature, Hip=lambda _co: 1.0)
    key(armature.pose.bones["Hip"], "rotation_euler", (0.0, 0.0, 0.0), (0.8, 1.0, 0.0))
    choose(item)
    item.vertex_groups.active = item.vertex_groups["Hold"]
    bpy.ops.tendril.add_soft_pin()
    scene, said = read()
    (solid,), holds = scene.solids, scene.holds
    bpy.context.scene.frame_set(LAST)
    way = np.array(armature.pose.bones["Hip"].matrix @ armature.data.bones["Hip"].matrix_local.inverted())
    for hold in holds:
        assert hold.track[-1] == pytest.approx(way[:3, :3] @ solid.x[hold.node] + way[:3, 3], abs=1e-5)
    assert len(holds) > 50
    assert not said


def test_shape_keys_of_a_soft_body_lead_what_is_held_and_it_starts_as_they_show_it():
    item = body()
    shape_key(item, lambda co: (co.x + 0.2, co.y, 1.5 * co.z), 0.5, 1.0)
    choose(item)
    bpy.ops.tendril.add_soft_pin()
    scene, _ = read()
    (solid,) = scene.solids
    assert np.ptp(solid.x[:, 2]) == pytest.approx(1.25, rel=0.02)
    for hold in scene.holds:
        start, end = hold.track[0], hold.track[-1]
        assert start == pytest.approx(solid.x[hold.node], abs=1e-6)
        assert end == pytest.approx(start + [0.1, 0.0, 0.25 / 1.25 * start[2]], abs=0.01)


def test_a_soft_body_is_pinned_to_the_skin_of_another_mesh():
    """A block beneath a ceiling that puffs down on one side."""
    item = body()
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=20, y_subdivisions=20, size=2.0, location=(0, 0, -0.01))
    skin = bpy.context.object
    shape_key(skin, lambda co: (co.x, co.y, co.z - 0.5 * (co.x + 1.0)), 0.0, 1.0)
    item.vertex_groups.active = item.vertex_groups["Hold"]
    choose(skin, item)
    bpy.ops.tendril.add_soft_pin(holder="OBJECT")
    scene, _ = read()
    slope = np.arctan(0.5)
    for hold in scene.holds:
        x, y, z = scene.solids[0].x[hold.node] + [0.0, 0.0, 0.01]
        arm = z * np.array([np.sin(slope), 0.0, np.cos(slope)])
        wanted = np.array([x, y, -0.01 - 0.5 * (x + 1.0)]) + arm
        assert hold.track[-1] == pytest.approx(wanted, abs=1e-4)


def test_tetrahedra_of_ones_own_are_led_inside_too():
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.25, 0.25, 0.25)]
    data = bpy.data.meshes.new("Own")
    data.from_pydata(corners, [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    data["tetrahedra"] = [0, 1, 2, 4, 0, 4, 2, 3, 0, 1, 4, 3, 4, 1, 2, 3]
    item = link(bpy.data.objects.new("Own", data))
    item.tendril.is_soft = True
    item.vertex_groups.new(name="Hold").add([0, 1, 4], 1.0, "REPLACE")
    moved = {1: (1.5, 0.2, 0.0), 4: (0.2, 0.3, 0.35)}
    shape_key(
        item, lambda co: moved.get([tuple(c) for c in corners].index(tuple(round(v, 3) for v in co)), co), 0.0, 1.0
    )
    choose(item)
    bpy.ops.tendril.add_soft_pin()
    scene, _ = read()
    ends = {hold.node: hold.track[-1] for hold in scene.holds}
    assert ends[1] == pytest.approx(moved[1], abs=1e-6)
    assert ends[4] == pytest.approx(moved[4], abs=1e-6)
    assert ends.get(0, np.zeros(3)) == pytest.approx(np.zeros(3), abs=1e-6)


def test_a_soft_body_that_deforms_and_is_held_nowhere_by_it_is_told():
    _, armature = on_two_bones()
    (text,) = [text for text in read()[1] if "reshaped" in text]
    assert "'Belly' is reshaped after the first frame" in text
    assert "Own Animation" in text
    armature.animation_data_clear()
    assert not [text for text in read()[1] if "reshaped" in text]


def test_a_soft_pin_takes_the_active_bone():
    item, armature = on_two_bones()
    choose(armature, item)
    armature.data.bones.active = armature.data.bones["Chest"]
    assert bpy.ops.tendril.add_soft_pin(holder="BONE") == {"FINISHED"}
    (pin,) = item.tendril.soft.pins
    assert (pin.group, pin.target, pin.bone) == ("Hold", armature, "Chest")
    armature.data.bones.active = None
    with pytest.raises(RuntimeError, match="No bone is active"):
        bpy.ops.tendril.add_soft_pin(holder="BONE")
    assert len(item.tendril.soft.pins) == 1


# Rods


def drawn_motion():
    """A strand along x whose last half is swung up by a shape key, and one that stands."""
    item = hair([[(x, 0, 0) for x in np.linspace(0, 1, 9)], [(x, 1, 0) for x in np.linspace(0, 1, 9)]], "Rope")
    item.shape_key_add(name="Basis")
    up = item.shape_key_add(name="Up")
    for number in range(5, 9):
        up.data[number].co = (0.5, 0.0, 0.125 * (number - 4))
    key(up, "value", 0.0, 1.0)
    item.tendril.rod.points = 0
    choose(item)
    return item


def test_pins_without_a_target_go_where_the_curve_is_drawn():
    item = drawn_motion()
    assert bpy.ops.tendril.add_pin(place="ENDS", holder="OWN", mode="TWIST") == {"FINISHED"}
    assert all(pin.target is None for pin in item.tendril.pins)
    scene, said = read()
    start, end, *others = scene.pins
    assert at(start, LAST)[0] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)
    assert at(end, 1)[0] == pytest.approx([1.0, 0.0, 0.0], abs=1e-6)
    assert at(end, LAST)[0] == pytest.approx([0.5, 0.0, 0.5], abs=1e-6)
    assert at(end, LAST)[1] @ [1.0, 0.0, 0.0] == pytest.approx([0.0, 0.0, 1.0], abs=1e-4)
    assert at(end, 5)[0] == pytest.approx([0.75, 0.0, 0.25], abs=1e-6)
    for pin in others:
        assert pin.position == pytest.approx(np.tile(pin.position[0], (len(pin.times), 1)), abs=1e-6)
    assert not said


def test_a_drawn_motion_that_leads_nothing_is_told():
    drawn_motion()
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    (text,) = read()[1]
    assert "'Rope' is reshaped after the first frame" in text
    assert "Own Animation" in text


def test_hooked_points_say_nothing_once_their_objects_hold_them():
    item = hair([[(x, 0, 0) for x in np.linspace(0, 1, 9)]], "Rope")
    hand = link(bpy.data.objects.new("Hand", None))
    hand.location.x = 1.0
    bpy.context.view_layer.update()
    hook = item.modifiers.new("Hook", "HOOK")
    hook.object, hook.matrix_inverse = hand, hand.matrix_world.inverted()
    hook.vertex_indices_set([8])
    key(hand, "location", (1.0, 0.0, 0.0), (0.9, 0.0, 0.3))
    (text,) = read()[1]
    assert "'Rope' is reshaped" in text
    choose(item)
    assert bpy.ops.tendril.add_pin(place="HOOKS") == {"FINISHED"}
    assert not read()[1]


def test_a_pin_without_a_target_goes_with_its_object_and_is_refused_where_nothing_moves_it():
    item = hair([[(x, 0, 0) for x in np.linspace(0, 1, 9)]], "Rope")
    with pytest.raises(RuntimeError, match="Nothing moves"):
        bpy.ops.tendril.add_pin(place="END", holder="OWN")
    key(item, "location", (0.0, 0.0, 0.0), (0.0, 0.0, 0.5))
    assert bpy.ops.tendril.add_pin(place="END", holder="OWN") == {"FINISHED"}
    (pin,) = read()[0].pins
    assert at(pin, LAST)[0] == pytest.approx([1.0, 0.0, 0.5], abs=1e-6)


def test_a_rod_that_is_pinned_to_what_leads_otherwise_than_it_looks_is_told():
    """To the object of a soft body, and to an animated rigid body that bends."""
    jelly, face = body("Jelly"), ball()
    jelly.location.x = 5.0
    item = rooted(face, (0, 0, 0.1))
    item.tendril.pins[0].target = jelly
    (text,) = read()[1]
    assert "follows the object of the soft body 'Jelly', not its surface" in text
    jelly.tendril.is_soft = False
    item.tendril.pins[0].target = face
    choose(face)
    bpy.ops.tendril.add_body()
    face.tendril.body.motion, face.tendril.body.collide = "ANIMATED", False
    assert not read()[1]
    shape_key(face, lambda co: 1.5 * co, 0.0, 1.0)
    (text,) = read()[1]
    assert "'Head' is reshaped after the first frame" in text
    assert "as a rigid body leads as a whole" in text
