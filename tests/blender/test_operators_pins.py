"""Holding rods: at ends, along the length, at points chosen in edit mode, where hooks pull; and what cannot be held."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, link, refused
from bl_ext.user_default.tendril.bridge.foreign_motion import animated_paths

WAY = [(0, 0, 0), (1, 0, 0), (3, 0, 0), (3, 4, 0)]  # lengths 1, 2, 4


def new_rod(kind="POLY", ways=(WAY,), *, cyclic=False, name="Rope"):
    rod = draw(name, ways, kind, depth=0.05, cyclic=cyclic, handles="VECTOR")
    choose(rod)
    bpy.ops.tendril.add_rod()
    return rod


def new_empty(location=(0, 0, 0), name="Empty"):
    empty = link(bpy.data.objects.new(name, None))
    empty.location = location
    bpy.context.view_layer.update()
    return empty


def new_armature():
    bones = bpy.data.armatures.new("Rig")
    rig = link(bpy.data.objects.new("Rig", bones))
    choose(rig)
    bpy.ops.object.mode_set(mode="EDIT")
    bone = bones.edit_bones.new("Hand")
    bone.tail = (0, 0, 1)
    bpy.ops.object.mode_set(mode="OBJECT")
    bones.bones.active = bones.bones["Hand"]
    return rig


def select_points(rod, *indices):
    """In edit mode, as an artist does."""
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.curve.select_all(action="DESELECT")
    for index in indices:
        spline = rod.data.splines[0]
        if spline.type == "BEZIER":
            spline.bezier_points[index].select_control_point = True
        else:
            spline.points[index].select = True


def held(rod):
    return [(pin.spline, round(pin.fraction, 6)) for pin in rod.tendril.pins]


def test_both_ends_are_clamped_to_the_one_other_selected_object():
    rod, empty = new_rod(), new_empty()
    choose(empty, rod)
    assert bpy.ops.tendril.add_pin(place="ENDS") == {"FINISHED"}
    pins = rod.tendril.pins
    assert held(rod) == [(0, 0.0), (0, 1.0)]
    assert [pin.name for pin in pins] == ["Start", "End"]
    assert {pin.target for pin in pins} == {empty}
    assert {pin.mode for pin in pins} == {"TWIST"}


def test_each_end_takes_the_nearest_of_several_objects():
    rod, far, near = new_rod(), new_empty((3, 5, 0), "Far"), new_empty((-1, 0, 0), "Near")
    choose(far, near, rod)
    bpy.ops.tendril.add_pin(place="ENDS", mode="POSITION")
    assert [pin.target for pin in rod.tendril.pins] == [near, far]


def test_the_object_may_be_active_instead_of_the_rod():
    rod, empty = new_rod(), new_empty()
    choose(rod, empty)
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.25)
    assert rod.tendril.pins[0].target == empty


def test_new_empties_stand_where_they_hold_also_under_a_parent_and_a_unit_scale():
    bpy.context.scene.unit_settings.scale_length = 0.01
    parent = new_empty((10, 0, 5))
    rod = new_rod(ways=(WAY, [(x, y, 1) for x, y, _ in WAY]))
    rod.parent, rod.scale = parent, (2, 2, 2)
    bpy.context.view_layer.update()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    bpy.context.view_layer.update()
    places = np.array([pin.target.matrix_world.translation for pin in rod.tendril.pins])
    assert places == pytest.approx(np.array([(10, 0, 5), (16, 8, 5), (10, 0, 7), (16, 8, 7)]), abs=1e-5)
    assert held(rod) == [(0, 0.0), (0, 1.0), (1, 0.0), (1, 1.0)]


def test_a_fraction_is_of_the_length_of_the_chosen_spline():
    rod = new_rod(ways=(WAY, [(x, y, 1) for x, y, _ in WAY]))
    bpy.ops.tendril.add_pin(place="FRACTION", spline=1, fraction=5 / 7, holder="EMPTY")
    bpy.context.view_layer.update()
    assert held(rod) == [(1, round(5 / 7, 6))]
    assert tuple(rod.tendril.pins[0].target.matrix_world.translation) == pytest.approx((3, 2, 1), abs=1e-5)


@pytest.mark.parametrize(
    ("kind", "cyclic", "wanted"),
    [
        ("POLY", False, [1 / 7, 1.0]),
        ("POLY", True, [1 / 12, 7 / 12]),
        ("BEZIER", False, [1 / 7, 1.0]),
        ("BEZIER", True, [6 / 12, 0.0]),  # Blender draws it from its last point on
    ],
)
def test_points_selected_in_edit_mode_are_held_where_they_are(kind, cyclic, wanted):
    rod = new_rod(kind, cyclic=cyclic)
    select_points(rod, 1, 3)
    bpy.ops.tendril.add_pin(place="SELECTION", holder="EMPTY")
    assert bpy.context.mode == "EDIT_CURVE"
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    assert [pin.fraction for pin in rod.tendril.pins] == pytest.approx(wanted, abs=1e-5)
    places = [tuple(pin.target.matrix_world.translation) for pin in rod.tendril.pins]
    assert places == [pytest.approx(WAY[1], abs=1e-5), pytest.approx(WAY[3], abs=1e-5)]


@pytest.mark.parametrize(("endpoint", "cyclic"), [(False, False), (True, False), (False, True)])
def test_a_nurbs_is_held_abreast_of_the_selected_point(endpoint, cyclic):
    angle = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    rod = new_rod("NURBS", [np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])], cyclic=cyclic)
    rod.data.splines[0].use_endpoint_u = endpoint
    select_points(rod, 4)
    bpy.ops.tendril.add_pin(place="SELECTION", holder="EMPTY")
    bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    place = np.array(rod.tendril.pins[0].target.matrix_world.translation)
    assert np.degrees(np.arctan2(place[1], place[0])) % 360 == pytest.approx(180, abs=6)


@pytest.mark.parametrize("kind", ["POLY", "BEZIER"])
def test_hooked_points_are_held_by_the_objects_and_bones_of_their_hooks(kind):
    rod, empty, rig = new_rod(kind), new_empty(), new_armature()
    for index, (target, bone) in ((1, (empty, "")), (2, (rig, "Hand"))):
        choose(rod)
        select_points(rod, index)
        bpy.ops.object.hook_add_newob()
        bpy.ops.object.mode_set(mode="OBJECT")
        hook = rod.modifiers[-1]
        hook.object, hook.subtarget = target, bone
    choose(rod)
    bpy.ops.tendril.add_pin(place="HOOKS")
    found = [(round(pin.fraction, 5), pin.target, pin.bone) for pin in rod.tendril.pins]
    assert found == [(round(1 / 7, 5), empty, ""), (round(3 / 7, 5), rig, "Hand")]


def test_a_bone_holds():
    rod, rig = new_rod(), new_armature()
    choose(rig, rod)
    bpy.ops.tendril.add_pin(place="FRACTION", fraction=1.0, holder="BONE")
    assert (rod.tendril.pins[0].target, rod.tendril.pins[0].bone) == (rig, "Hand")


def test_a_removed_pin_leaves_the_others_and_its_target():
    rod = new_rod()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    rod.tendril.active_pin = 0
    target = rod.tendril.pins[0].target
    bpy.ops.tendril.remove_pin()
    assert [pin.name for pin in rod.tendril.pins] == ["End"]
    assert target.name in bpy.context.scene.objects
    bpy.ops.tendril.remove_pin()
    assert "'Rope' has no pin" in refused(bpy.ops.tendril.remove_pin)


@pytest.mark.parametrize("soft", [False, True])
@pytest.mark.parametrize("of", ["keys", "drivers", "strip", "shared"])
def test_what_is_keyed_of_pins_goes_with_them_where_one_is_removed(of, soft):
    """Influence of the others, twice, with one undo step each; another object that plays the same keeps it."""
    item, pins, path, remove = soft_with_pins() if soft else rod_with_pins()
    name = item.name
    for number, pin in enumerate(pins(item)):
        pin.name = f"pin {number}"
        if of == "drivers":
            item.driver_add(f"{path}[{number}].influence").driver.expression = f"0.{number + 1}"
        else:
            pin.influence = 0.1 * (number + 1)
            pin.keyframe_insert("influence", frame=1)
    other = None
    if of == "strip":
        animation = item.animation_data
        strip = animation.nla_tracks.new().strips.new("keys", 1, animation.action)
        strip.action_slot = animation.action_slot
        animation.action = None
    elif of == "shared":
        other = item.copy()
        bpy.context.collection.objects.link(other)

    def played(own):
        bpy.context.scene.frame_set(2)
        bpy.context.scene.frame_set(1)
        return {pin.name: round(pin.influence, 3) for pin in pins(own)}

    kept = [played(item)]
    assert kept[0] == {f"pin {number}": pytest.approx(0.1 * (number + 1)) for number in range(4)}
    for gone, left in ((1, "023"), (0, "23")):
        bpy.ops.ed.undo_push(message="before")
        settings = item.tendril.soft if soft else item.tendril
        settings.active_pin = gone
        choose(item)
        assert remove() == {"FINISHED"}
        kept.append({f"pin {number}": kept[0][f"pin {number}"] for number in left})
        assert played(item) == kept[-1]
        assert sorted(animated_paths(item)) == [f"{path}[{number}].influence" for number in range(len(left))]
        assert other is None or played(other) == kept[0]
        bpy.ops.ed.undo_push(message="removed")
        bpy.ops.ed.undo()
        assert played(bpy.data.objects[name]) == kept[-2]
        bpy.ops.ed.redo()
        item, other = bpy.data.objects[name], other and bpy.data.objects[f"{name}.001"]
        assert played(item) == kept[-1]


def rod_with_pins():
    rod = new_rod()
    for fraction in (0.0, 0.3, 0.6, 1.0):
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=fraction, holder="EMPTY")
    return rod, lambda item: item.tendril.pins, "tendril.pins", bpy.ops.tendril.remove_pin


def soft_with_pins():
    bpy.ops.mesh.primitive_cube_add()
    item = bpy.context.object
    assert bpy.ops.tendril.add_soft() == {"FINISHED"}
    for number in range(4):
        item.vertex_groups.new(name=f"group {number}").add([number], 1.0, "ADD")
        item.tendril.soft.pins.add()
    return item, lambda item: item.tendril.soft.pins, "tendril.soft.pins", bpy.ops.tendril.remove_soft_pin


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"place": "ENDS"}, ("Nothing is selected to hold 'Rope'", "select an object")),
        ({"place": "SELECTION", "holder": "EMPTY"}, ("'Rope' has no selected point", "edit mode")),
        ({"place": "HOOKS"}, ("'Rope' has no Hook modifier", "add one")),
        ({"place": "FRACTION", "spline": 2, "holder": "EMPTY"}, ("'Rope' has no spline 2", "from 0 to 0")),
    ],
)
def test_what_cannot_be_held_is_said_and_changes_nothing(settings, said):
    rod = new_rod()
    before = set(bpy.data.objects)
    sentence = refused(bpy.ops.tendril.add_pin, **settings)
    for words in said:
        assert words in sentence
    assert len(rod.tendril.pins) == 0
    assert set(bpy.data.objects) == before


@pytest.mark.parametrize(("place", "wanted"), [("START", 0.0), ("END", 1.0)])
def test_hair_is_held_at_its_roots_alone_or_at_its_tips(place, wanted):
    rod = new_rod(ways=(WAY, [(x, y, 1) for x, y, _ in WAY]))
    bpy.ops.tendril.add_pin(place=place, holder="EMPTY")
    assert held(rod) == [(0, wanted), (1, wanted)]


def test_all_selected_rods_are_pinned_those_without_such_a_place_excepted():
    first, second, ring = new_rod(), new_rod(name="Second"), new_rod(cyclic=True, name="Ring")
    empty = new_empty()
    choose(first, second, ring, empty)
    bpy.ops.tendril.add_pin(place="START")
    assert [held(rod) for rod in (first, second, ring)] == [[(0, 0.0)], [(0, 0.0)], []]
    assert {pin.target for rod in (first, second) for pin in rod.tendril.pins} == {empty}


def test_one_rod_that_is_held_there_already_stops_all():
    first, second = new_rod(), new_rod(name="Second")
    choose(first)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    choose(second, first)
    before = set(bpy.data.objects)
    assert "'Rope' would be held twice" in refused(bpy.ops.tendril.add_pin, place="START", holder="EMPTY")
    assert not second.tendril.pins
    assert set(bpy.data.objects) == before


def test_a_bone_is_found_among_other_objects():
    rod, rig, empty = new_rod(), new_armature(), new_empty()
    choose(empty, rig, rod)
    bpy.ops.tendril.add_pin(place="START", holder="BONE")
    assert (rod.tendril.pins[0].target, rod.tendril.pins[0].bone) == (rig, "Hand")


def test_a_closed_rod_has_no_ends():
    new_rod(cyclic=True)
    sentence = refused(bpy.ops.tendril.add_pin, place="ENDS", holder="EMPTY")
    assert "'Rope' has no ends" in sentence
    assert "along its length" in sentence


def test_an_object_without_bones_is_named():
    rod, empty = new_rod(), new_empty()
    choose(empty, rod)
    assert "'Empty' has no active bone" in refused(bpy.ops.tendril.add_pin, place="ENDS", holder="BONE")


def test_one_place_is_held_once():
    rod = new_rod()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    before = set(bpy.data.objects)
    sentence = refused(bpy.ops.tendril.add_pin, place="FRACTION", fraction=1.0, holder="EMPTY")
    for words in ("'Rope' would be held twice at 1 of its length", "pin 'End'", "remove that pin"):
        assert words in sentence
    assert len(rod.tendril.pins) == 2
    assert set(bpy.data.objects) == before
