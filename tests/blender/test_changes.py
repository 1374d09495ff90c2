"""The panel says what was changed since the bake, by name, and still says so when the file is opened again."""

import shutil

import bpy
import pytest
from bl_ext.user_default.tendril.operators import run_state
from bl_ext.user_default.tendril.operators.baking import Baking


@pytest.fixture(scope="module")
def baked(tmp_path_factory):
    """A file: a rope pinned to a keyed empty on a parent, beside wind, baked."""
    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.object.empty_add()
    parent = bpy.context.object
    parent.name = "Boat"
    bpy.ops.object.effector_add(type="WIND")
    bpy.context.object.name = "Wind"
    bpy.ops.curve.primitive_nurbs_path_add()
    rope = bpy.context.object
    rope.name = "Rope"
    bpy.ops.tendril.add_rod()
    rope.tendril.rod.points = 8
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.0, holder="EMPTY", mode="POSITION")
    pin = rope.tendril.pins[0]
    pin.name = "Start"
    pin.target.parent = parent
    pin.target.keyframe_insert("location", frame=1)
    bpy.context.scene.frame_end = 3
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path_factory.mktemp("changes") / "shot.blend"))
    bpy.context.view_layer.objects.active = rope
    bpy.ops.tendril.bake()
    bpy.ops.wm.save_mainfile()
    return bpy.data.filepath


@pytest.fixture
def rod(baked, tmp_path):
    shutil.copy(baked, tmp_path)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    return bpy.data.objects["Rope"]


def run():
    return bpy.context.window_manager.tendril


def said():
    bpy.context.view_layer.update()
    run_state.refresh(bpy.context)
    return run().changed


def move_point(rod):
    rod.data.splines[0].points[0].co.x += 0.1


def key_parent(_rod):
    bpy.data.objects["Boat"].location.z = 1.0


def key_target(rod):
    rod.tendril.pins[0].target.location.x += 1.0
    rod.tendril.pins[0].target.keyframe_insert("location", frame=3)


def add_pin(rod):
    rod.tendril.pins.add().name = "End"


def constrain(_rod):
    bpy.data.objects["Boat"].constraints.new("COPY_LOCATION").target = bpy.data.objects["Wind"]


def delete(rod):
    bpy.data.objects.remove(rod)


def second_rod(rod):
    copy = rod.copy()
    copy.name = "Second"
    copy.location.y += 1.0
    bpy.context.collection.objects.link(copy)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda rod: setattr(rod.tendril.rod, "density", 500.0), "density of 'Rope' changed"),
        (lambda rod: setattr(rod.tendril.rod, "inner_radius", 0.01), "inner radius of 'Rope' changed"),
        (lambda rod: setattr(rod.tendril.rod, "model", "COSSERAT"), "model of 'Rope' changed"),
        (lambda rod: setattr(rod.tendril.weights, "wind", 0.0), "wind of 'Rope' changed"),
        (lambda rod: setattr(rod.tendril.pins[0], "mode", "TWIST"), "hold of pin 'Start' of 'Rope' changed"),
        (lambda rod: setattr(rod.tendril.pins[0], "target", rod), "motion of pin 'Start' of 'Rope' changed"),
        (lambda _rod: setattr(bpy.context.scene.tendril, "quality", "FINE"), "quality changed"),
        (lambda _rod: setattr(bpy.context.scene.tendril, "solver", "IMPLICIT"), "solver changed"),
        (lambda _rod: setattr(bpy.context.scene.tendril, "keep_swing", True), "keep swing changed"),
        (lambda _rod: setattr(bpy.context.scene.tendril, "treatment", "SPRINGS"), "contact by changed"),
        (lambda _rod: setattr(bpy.context.scene.tendril, "push_apart", True), "push apart changed"),
        (lambda _rod: setattr(bpy.context.scene, "frame_end", 4), "frame range changed"),
        (lambda _rod: setattr(bpy.context.scene.render, "fps", 30), "frame rate changed"),
        (lambda _rod: setattr(bpy.context.scene, "use_gravity", False), "gravity changed"),
        (lambda _rod: setattr(bpy.data.objects["Wind"].field, "strength", 3.0), "a force field changed"),
        (move_point, "shape of 'Rope' changed"),
        (lambda rod: setattr(rod.data, "bevel_depth", 0.2), "shape of 'Rope' changed"),
        (lambda rod: setattr(rod, "location", (0, 0, 1)), "place or animation of 'Rope' changed"),
        (key_parent, "motion of pin 'Start' of 'Rope' changed"),
        (constrain, "motion of pin 'Start' of 'Rope' changed"),
        (key_target, "motion of pin 'Start' of 'Rope' changed"),
        (add_pin, "number of pins of 'Rope' changed"),
        (second_rod, "'Second' was added"),
        (delete, None),
    ],
)
def test_a_change_is_named_also_after_reopening(rod, change, sentence):
    assert said() == ""
    change(rod)
    bpy.context.view_layer.update()
    wanted = f"Out of date: {sentence}" if sentence else ""
    assert said() == wanted
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    assert run().changed == wanted
    assert run().message == ("Baked 3 frames" if sentence else "")


def test_nothing_is_said_of_frames_that_were_deleted(rod):
    said()
    assert run().message == "Baked 3 frames"
    delete(rod)
    said()
    assert run().message == ""


def rename(rod):
    rod.name, rod.tendril.pins[0].name = "Line", "Left"
    rod.tendril.pins[0].target.name = "Hook"
    bpy.context.scene.name = "Finale"


def look(rod):
    rod.data.materials.append(bpy.data.materials.new("Red"))
    rod.hide_render = rod.show_in_front = True


def back_and_forth(rod):
    rod.tendril.rod.density, before = 1.0, rod.tendril.rod.density
    assert said()
    rod.tendril.rod.density = before


def another_frame(_rod):
    bpy.context.scene.frame_set(2)


@pytest.mark.parametrize("harmless", [rename, look, back_and_forth, another_frame], ids=lambda test: test.__name__)
def test_what_changes_no_bake_is_not_named(rod, harmless):
    harmless(rod)
    bpy.context.view_layer.update()
    assert said() == ""
    bpy.ops.wm.save_mainfile()
    bpy.ops.wm.open_mainfile(filepath=bpy.data.filepath)
    assert run().changed == ""
    assert run().message == "Baked 3 frames"


def test_many_changes_are_counted(rod):
    settings = rod.tendril.rod
    settings.density, settings.young, settings.friction, settings.poisson = 1.0, 1.0, 1.0, 0.1
    assert said() == "Out of date: stiffness of 'Rope' changed, poisson ratio of 'Rope' changed and 2 more"


def test_one_of_two_that_goes_is_missed(rod):
    second_rod(rod)
    bpy.ops.tendril.bake()
    assert said() == ""
    bpy.data.objects.remove(bpy.data.objects["Second"])
    assert said() == "Out of date: something baked was removed"


def test_a_new_bake_or_revert_ends_it(rod):
    rod.tendril.rod.density = 500.0
    assert said()
    bpy.ops.tendril.bake()
    assert said() == ""
    rod.tendril.rod.density = 600.0
    assert said()
    bpy.ops.tendril.revert()
    assert said() == run().message == ""


def test_what_was_changed_while_it_baked_is_named(rod):
    baking = Baking(bpy.context)
    rod.tendril.rod.density = 500.0
    baking.run(bpy.context)
    assert run().changed == "Out of date: density of 'Rope' changed"


def test_a_record_that_is_nonsense_is_none(rod):
    for nonsense in ("", "[", "[" * 100_000, "7", '{"counts": ["x", [], {}]}', '{"values": 3}'):
        bpy.context.scene.tendril.baked = nonsense
        assert said() == ""
    bpy.context.scene.tendril.baked = '{"counts": [3, 3, 1], "values": 7}'
    rod.tendril.baked = "[" * 100_000
    assert said() == ""


def test_an_animated_body_takes_part_without_a_result(rod):
    bpy.ops.mesh.primitive_cube_add(size=0.1)
    boat = bpy.context.object
    bpy.ops.tendril.add_body()
    boat.tendril.body.motion = "ANIMATED"
    assert said() == f"Out of date: '{boat.name}' was added"
    bpy.ops.tendril.bake()
    assert said() == ""
    boat.tendril.body.collision_shape = "BOX"
    assert said() == f"Out of date: collision shape of '{boat.name}' changed"
    boat.tendril.body.collision_shape, boat.tendril.body.friction = "CONVEX_HULL", 0.9
    assert said() == f"Out of date: friction of '{boat.name}' changed"
    boat.tendril.body.friction = 0.5
    assert said() == ""
    boat.keyframe_insert("location", frame=2)
    assert said() == f"Out of date: place or animation of '{boat.name}' changed"
    boat.animation_data_clear()
    bpy.context.collection.objects.link(boat.copy())
    assert said() == "Out of date: something was added"
