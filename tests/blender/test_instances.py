"""Colliders that are shown as instances, of collections and of Geometry Nodes, are met where they are shown."""

import bpy
import numpy as np
import pytest
from artist import choose, draw_rod, link, refused
from bl_ext.user_default.tendril.bridge import changes
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.physics.validate import SceneError
from bl_ext.user_default.tendril.properties.instancers import instancers
from mathutils import Euler, Matrix
from seen import corners, in_world

FIRST, LAST = 3, 8
TILTED = Matrix.LocRotScale((1.0, -2.0, 3.0), Euler((0.4, -0.9, 1.3)), (0.2, 0.4, 0.6))


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = FIRST, LAST
    new_rope()
    return scene


def new_rope(name="Rope"):
    return draw_rod(name, [(0.1 * index, 0.0, 9.0) for index in range(11)])


def new_rock(name="Rock", *, collides=True):
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    rock = bpy.context.object
    rock.name = name
    if collides:
        bpy.ops.tendril.add_collider()
    return rock


def moved_to(name, *items):
    """A collection that no scene has, with these objects."""
    made = bpy.data.collections.new(name)
    for item in items:
        for own in item.users_collection:
            own.objects.unlink(item)
        made.objects.link(item)
    return made


def show(collection, name="Set", matrix=None):
    empty = link(bpy.data.objects.new(name, None))
    empty.instance_type, empty.instance_collection = "COLLECTION", collection
    if matrix:
        empty.matrix_world = matrix
    return empty


def scatter(item, shown=None, count=2):
    """Geometry Nodes on a mesh object that put an instance of `shown`, or of a cube, on each of its points."""
    tree = bpy.data.node_groups.new("Scatter", "GeometryNodeTree")
    for way in ("INPUT", "OUTPUT"):
        tree.interface.new_socket("Geometry", in_out=way, socket_type="NodeSocketGeometry")
    source, sink = tree.nodes.new("NodeGroupInput"), tree.nodes.new("NodeGroupOutput")
    points = tree.nodes.new("GeometryNodeInstanceOnPoints")
    if shown:
        info = tree.nodes.new("GeometryNodeObjectInfo")
        info.inputs["Object"].default_value, info.inputs["As Instance"].default_value = shown, True
        made = info.outputs["Geometry"]
    else:
        made = tree.nodes.new("GeometryNodeMeshCube").outputs["Mesh"]
    tree.links.new(source.outputs[0], points.inputs["Points"])
    tree.links.new(made, points.inputs["Instance"])
    tree.links.new(points.outputs[0], sink.inputs[0])
    item.modifiers.new("Scatter", "NODES").node_group = tree


def new_points(places, name="Places"):
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], [])
    return link(bpy.data.objects.new(name, mesh))


def read():
    description, meta = read_scene(bpy.context)
    return description.colliders, [notice["text"] for notice in meta["notices"]]


def test_a_collection_that_is_shown_collides_where_it_is_shown(scene):
    rock, bare = new_rock(), new_rock("Bare", collides=False)
    rock.location.z = 2.0
    rock.collision.cloth_friction = 3.0
    set_piece = show(moved_to("Asset", rock, bare), matrix=TILTED)
    bpy.context.view_layer.update()
    (found,), told = read()
    assert found.name == "Set › Rock"
    assert np.allclose(found.points, [in_world(TILTED, corners(rock) + [0.0, 0.0, 2.0])], atol=1e-5)
    assert np.isclose(found.friction, 0.3)
    assert np.isclose(found.thickness, 0.05 * 0.01)
    assert told == []
    other = show(set_piece.instance_collection, "Other")
    other.location.x = 9.0
    assert [one.name for one in read()[0]] == ["Set › Rock", "Other › Rock"]
    set_piece.hide_viewport = True
    assert [one.name for one in read()[0]] == ["Other › Rock"]


def test_what_is_shown_within_what_is_shown_collides(scene):
    inner = show(moved_to("Asset", new_rock()), "Inner")
    inner.location.y = 4.0
    outer = show(moved_to("House", inner), "Outer")
    outer.location.x = 5.0
    (found,), _ = read()
    assert np.allclose(found.points[0].mean(axis=0), [5.0, 4.0, 0.0], atol=1e-6)


def test_a_set_piece_that_moves_and_bends_does_so(scene):
    rock = new_rock()
    rock.shape_key_add(name="Basis")
    key = rock.shape_key_add(name="Dent")
    key.data[5].co.x += 2.0
    set_piece = show(moved_to("Asset", rock))
    for frame, value in ((FIRST, 0.0), (LAST, 1.0)):
        key.value, set_piece.location.z = value, 4.0 * value
        key.keyframe_insert("value", frame=frame)
        set_piece.keyframe_insert("location", frame=frame)
    (found,), _ = read()
    moved = found.points[-1] - corners(rock)
    assert np.allclose(moved[:, 2], 4.0, atol=1e-5)
    assert np.isclose(moved[5, 0], 2.0, atol=1e-5)


def test_geometry_nodes_that_scatter_a_collider_make_one_of_all(scene):
    rock = new_rock()
    moved_to("Aside", rock)
    ground = new_points([(5, 0, 0), (0, 7, 0)])
    scatter(ground, rock)
    ground.location.z = 1.0
    (found,), _ = read()
    assert found.name == "Places › Rock"
    assert found.triangles.shape == (24, 3)
    assert np.allclose(found.points[0].reshape(2, 8, 3).mean(axis=1), [(5, 0, 1), (0, 7, 1)], atol=1e-6)


def test_geometry_nodes_of_a_collider_that_make_instances_collide(scene):
    ground = new_points([(5, 0, 0), (0, 7, 0)])
    scatter(ground)
    bpy.context.view_layer.objects.active = ground
    ground.select_set(True)
    bpy.ops.tendril.add_collider()
    (found,), _ = read()
    assert (found.name, found.triangles.shape) == ("Places", (24, 3))


def test_instances_that_come_and_go_are_refused(scene):
    rock = new_rock()
    moved_to("Aside", rock)
    ground = new_points([(5, 0, 0), (0, 7, 0)])
    weld = ground.modifiers.new("Merge", "WELD")
    for frame, value in ((FIRST, 0.0), (LAST, 100.0)):
        weld.merge_threshold = value
        weld.keyframe_insert("merge_threshold", frame=frame)
    scatter(ground, rock)
    with pytest.raises(SceneError, match="'Places › Rock' has 1 instances at frame . and 2 at frame 3, but a collider"):
        read()


def test_a_rope_and_a_soft_body_within_an_instance_are_named(scene):
    rope, jelly = new_rope("Far Rope"), new_rock("Jelly", collides=False)
    jelly.tendril.is_soft = True
    show(moved_to("Asset", rope, jelly))
    found, told = read()
    assert found == ()
    assert told == [
        f"'Set' shows an instance of the {what}, which takes no part: select 'Set' and use Object › Apply › Make Rods "
        "and Bodies Real."
        for what in ("rod 'Far Rope'", "soft body 'Jelly'")
    ]


@pytest.mark.parametrize("way", ["VERTS", "FACES", "PARTICLES"])
def test_colliders_shown_in_ways_that_nothing_meets_are_named(scene, way):
    rock, ground = new_rock(), new_points([(5, 0, 0), (0, 7, 0)], "Ground")
    if way == "PARTICLES":
        ground.modifiers.new("Rain", "PARTICLE_SYSTEM")
        settings = ground.particle_systems[0].settings
        settings.render_type, settings.instance_object = "OBJECT", rock
    else:
        rock.parent, ground.instance_type = ground, way
    _, told = read()
    assert told == [
        "'Ground' shows the collider 'Rock' on vertices or faces or as particles, where nothing meets it: use Object › "
        "Apply › Make Instances Real."
    ]


def test_what_takes_part_is_not_missed_in_its_instances(scene):
    collection = bpy.data.collections.new("Asset")
    scene.collection.children.link(collection)
    collection.objects.link(bpy.data.objects["Rope"])
    show(collection)
    assert read() == ((), [])


def test_collections_limit_the_instancer(scene):
    show(moved_to("Asset", new_rock()))
    scene.tendril.collision_collection = bpy.data.collections.new("Met")
    assert read() == ((), [])
    scene.tendril.collision_collection.objects.link(bpy.data.objects["Set"])
    assert len(read()[0]) == 1
    scene.tendril.collision_collection = None
    bpy.data.objects["Rope"].tendril.rod.collision_collection = bpy.data.collections.new("Nothing")
    description, _ = read_scene(bpy.context)
    assert description.collision_filter


def test_nodes_that_show_no_objects_are_not_evaluated(scene):
    scatter(new_points([(0, 0, 0)]))
    assert instancers(bpy.context.view_layer) == []
    assert read() == ((), [])


def test_a_moved_set_piece_makes_the_bake_out_of_date(scene):
    rock = new_rock()
    set_piece = show(moved_to("Asset", rock))
    seen = [changes.picture(bpy.context)[0]["colliders"]]
    steps = ((set_piece.location, "x", 2.0), (rock.location, "z", 1.0), (set_piece, "hide_viewport", True))
    for owner, name, value in steps:
        setattr(owner, name, value)
        seen.append(changes.picture(bpy.context)[0]["colliders"])
        assert seen[-1] != seen[-2], name


def test_a_rope_lies_on_an_instanced_table(scene, tmp_path):
    scene.tendril.cache_folder = str(tmp_path)
    scene.frame_end = FIRST + 12
    table = new_rock("Table")
    table.location.z = -1.0
    show(moved_to("Asset", table), matrix=Matrix.Translation((0.5, 0.0, 8.95)))
    assert bpy.ops.tendril.bake("EXEC_DEFAULT") == {"FINISHED"}
    scene.frame_set(scene.frame_end)
    shown = bpy.data.objects["Rope"].tendril.result
    keys = shown.data.shape_keys.key_blocks[-1].data
    height = np.array([(shown.matrix_world @ point.co).z for point in keys])
    assert np.all(np.abs(height - 8.9605) < 0.02)


def test_a_curtain_of_beads_in_an_instance_is_named_and_made_real_once(scene):
    """Blender's own Make Instances Real makes two of each curve with a bevel."""
    rope = bpy.data.objects["Rope"]
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.05, location=(1.0, 0.0, 9.0))
    bead = bpy.context.object
    bpy.ops.tendril.add_body()
    for place, target in (("START", None), ("END", bead)):
        choose(*[target] if target else [], rope)
        bpy.ops.tendril.add_pin(place=place, holder="OBJECT" if target else "EMPTY")
    choose(rope)
    bpy.ops.tendril.array(count=3, offset=(0.0, 0.2, 0.0))
    curtain = show(moved_to("Curtain", *scene.objects), "Stage")
    curtain.location.z = 2.0
    with pytest.raises(SceneError, match="'Stage' shows an instance of the rod 'Rope', which takes no part: select"):
        read_scene(bpy.context)
    assert "No selected object shows a collection" in poll_message()
    choose(curtain)
    assert bpy.ops.tendril.make_real() == {"FINISHED"}
    description, meta = read_scene(bpy.context)
    assert [len(own) for own in (description.rods, description.bodies, description.welds, description.pins)] == [3] * 4
    assert sorted(rod.x[0, 1] for rod in description.rods) == pytest.approx([0.0, 0.2, 0.4], abs=1e-6)
    assert all(rod.x[0, 2] == pytest.approx(11.0) for rod in description.rods)
    assert meta["notices"] == []


def hooked_rope(scene):
    """A rope with a hook that hangs from a beam, in a collection that no scene has."""
    rope, hook, beam = bpy.data.objects["Rope"], *(link(bpy.data.objects.new(name, None)) for name in ("Hook", "Beam"))
    hook.location, hook.parent = (0.0, 0.0, 9.0), beam
    pin = rope.tendril.pins.add()
    pin.name, pin.target = "Hook", hook
    return moved_to("Kit", *scene.objects)


def test_what_is_made_real_keeps_its_parents(scene):
    kit, beam = hooked_rope(scene), bpy.data.objects["Beam"]
    stages = [show(kit, "Stage"), show(kit, "Other", Matrix.Translation((0.0, 5.0, 0.0)))]
    choose(*stages)
    assert bpy.ops.tendril.make_real() == {"FINISHED"}
    ropes = [item for item in bpy.context.selected_objects if item.tendril.is_rod]
    assert len(ropes) == 2
    for rope in ropes:
        hook = rope.tendril.pins[0].target
        assert hook.matrix_world.translation.y == rope.matrix_world.translation.y
        assert hook.parent.matrix_world.translation.y == rope.matrix_world.translation.y
    assert len({rope.tendril.pins[0].target.parent for rope in ropes} - {beam}) == 2


@pytest.mark.parametrize("way", ["keys", "driver", "constraint", "parent"])
def test_what_moves_by_what_is_left_out_is_named(scene, way, capfd):
    kit, beam = hooked_rope(scene), bpy.data.objects["Beam"]
    if way == "keys":
        beam.keyframe_insert("location", frame=FIRST)
    elif way == "driver":
        beam.driver_add("location", 2).driver.expression = "frame"
    elif way == "constraint":
        beam.constraints.new("COPY_ROTATION").target = link(bpy.data.objects.new("Elsewhere", None))
    else:
        beam.parent = link(bpy.data.objects.new("Elsewhere", None))
    choose(show(kit))
    assert bpy.ops.tendril.make_real() == {"FINISHED"}
    assert (
        "placed as shown now: keys, drivers, constraints and parents elsewhere of 'Beam' are left out"
        in capfd.readouterr().out
    )


def shown_in_turn(scene, kit):
    return show(moved_to("House", *(show(kit, name) for name in ("Left", "Right"))), "Outer")


def hidden(scene, kit):
    bpy.data.objects["Rope"].hide_viewport = True
    return show(kit)


def bake_shown(scene, kit):
    scene.collection.children.link(kit)
    scene.frame_end = FIRST + 1
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    return show(kit)


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (shown_in_turn, "'Outer' shows 'Left', which shows rods or bodies of another collection: link the collection"),
        (hidden, "'Rope', in the collection that 'Set' shows, is hidden: show it in viewports first"),
        (bake_shown, "'Rope', of which 'Set' shows an instance, is shown by its bake: free that first"),
    ],
)
def test_what_cannot_be_made_real_is_named(scene, tmp_path, stage, said):
    scene.tendril.cache_folder = str(tmp_path)
    choose(stage(scene, hooked_rope(scene)))
    objects = set(bpy.data.objects)
    assert said in refused(bpy.ops.tendril.make_real)
    assert set(bpy.data.objects) == objects


def test_what_is_active_alone_is_not_made_real(scene):
    stage = show(hooked_rope(scene))
    choose(stage)
    stage.select_set(False)
    assert "No selected object shows a collection" in refused(bpy.ops.tendril.make_real)


def poll_message():
    choose()
    with pytest.raises(RuntimeError) as refusal:
        bpy.ops.tendril.make_real()
    return str(refusal.value)
