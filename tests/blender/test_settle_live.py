"""Settle Live: cables follow what holds them while that is moved, and nothing works while nothing is."""

import os
import signal
import time

import bpy
import numpy as np
import pytest
from artist import choose
from bl_ext.user_default.tendril.bake import process
from bl_ext.user_default.tendril.operators import settle_live
from cables import LENGTH, SINGLE, cable, drawn, length, places, settle, targets
from mathutils import Matrix
from seen import names, run


@pytest.fixture(autouse=True)
def off():
    yield
    settle_live.switch_off()


@pytest.fixture
def live():
    item = cable()
    assert bpy.ops.tendril.settle_live() == {"FINISHED"}
    shown()
    return item


def shown():
    """Looks, as the timer does, until there is no more to do → how often."""
    bpy.context.view_layer.update()
    deadline, looks = time.monotonic() + 600.0, 1  # kernels may have to be compiled
    while settle_live.look() is not None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
        looks += 1
    return looks


def calm():
    """Looks, as the other timer does when nothing was changed for a moment, for other changes, and shows them."""
    settle_live._live.due = 0.0
    settle_live.compare()
    return shown()


def lead(item, *way):
    """Moves the second end's target to places one after the other; the cable is shown at each."""
    for place in way:
        targets(item)[1].location = place
        shown()
    return places(item)


def around(turns=1.0, count=40):
    angle = np.linspace(0.0, 2.0 * np.pi * turns, count)
    return [(0.8 + 0.2 * np.cos(a), 0.2 * np.sin(a), 0.1 * np.sin(2.0 * a)) for a in angle]


def test_it_hangs_as_settle_cable_has_it_and_keeps_its_length(live):
    """Led around three times; read anew at each place it would be shorter by chords."""
    found = lead(live, *around(3.0, 60))
    assert length(live) == pytest.approx(LENGTH, rel=1e-6)
    tilt = np.array([point.tilt for point in live.data.splines[0].bezier_points])
    np.testing.assert_allclose(found[-1], [1.0, 0.0, 0.0], atol=SINGLE * LENGTH)
    bend = live.tendril.bend_radius
    settle_live.switch_off()
    np.testing.assert_allclose(settle(live), found, atol=1e-5 * LENGTH)
    np.testing.assert_allclose([point.tilt for point in live.data.splines[0].bezier_points], tilt, atol=1e-3)
    assert bend == pytest.approx(live.tendril.bend_radius, rel=1e-3)


def test_it_finds_its_own_length_as_it_is_led(live):
    """As long as Settle makes it there, farther off than it was drawn long, and shorter again; then it keeps it."""
    live.tendril.rod.own_length, live.tendril.rod.tautness = True, 0.05
    calm()
    far = lead(live, (1.5, 0.0, 0.1), (2.4, 0.0, 0.1))
    assert 2.0 * LENGTH < length(live) < 2.2 * LENGTH
    np.testing.assert_allclose(far[-1], [2.4, 0.0, 0.1], atol=SINGLE * LENGTH)
    near = lead(live, (0.9, 0.2, 0.0))
    own = length(live)
    assert own < LENGTH
    settle_live.switch_off()
    np.testing.assert_allclose(settle(live), near, atol=1e-4 * LENGTH)
    assert live.tendril.length == pytest.approx(own, rel=1e-4)


def test_turns_add_up(live):
    """Three turns of a plug by a radian at a time, in a straight cable: its stripe is wound by as much."""
    for k in range(1, 19):
        targets(live)[1].rotation_euler.x = angle = k * np.pi / 3.0
        shown()
    points = live.data.splines[0].bezier_points
    assert abs(points[-1].tilt - points[0].tilt) == pytest.approx(angle, abs=0.02)


def test_nothing_is_done_where_nothing_is_changed(live):
    lead(live, (0.9, 0.0, 0.0))
    calm()
    own, before = settle_live._live.led, drawn(live)
    live.color = (1.0, 0.0, 0.0, 1.0)
    bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    choose(targets(live)[0])
    assert (shown(), calm()) == (1, 1)
    assert settle_live._live.led is own
    assert drawn(live) == before


def test_what_hangs_already_is_not_drawn_anew():
    item = cable()
    targets(item)[1].location = (0.7, 0.2, 0.1)
    settle(item)
    before, there = drawn(item), names()
    bpy.ops.tendril.settle_live()
    shown()
    assert (drawn(item), names()) == (before, there)


def test_other_changes_are_seen_when_nothing_more_is_changed(live):
    first = lead(live, (0.7, 0.0, 0.0))
    live.tendril.rod.bend_factor *= 1e-3
    shown()
    np.testing.assert_array_equal(places(live), first)
    calm()
    second = places(live)
    assert abs(second - first).max() > 0.01
    bpy.context.scene.tendril.use_floor, bpy.context.scene.tendril.floor_height = True, -0.2
    calm()
    assert places(live)[:, 2].min() == pytest.approx(-0.195, abs=1e-4)
    live.data.splines[0].bezier_points[30].co.z += 0.3
    live.data.update_tag()
    bpy.context.view_layer.update()
    calm()
    assert length(live) > 1.05 * LENGTH


def test_it_goes_with_a_desk_that_is_moved():
    """Turned about, raised and narrowed, with a cable that lies on it; and taken away."""
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.4, 0.0, -1.15))
    desk = bpy.context.object
    bpy.ops.tendril.add_collider()
    item = cable(mode="POSITION")
    targets(item)[1].location.x = 0.8
    bpy.ops.tendril.settle_live()
    shown()
    first = places(item)[:, 2].min()
    own = settle_live._live.led
    for k in range(1, 6):
        desk.location.z, desk.rotation_euler.z = -1.15 + 0.01 * k, 0.1 * k
        shown()
        assert places(item)[:, 2].min() == pytest.approx(first + 0.01 * k, abs=1e-6)
    assert settle_live._live.led is own
    desk.scale.x = 0.5
    shown()
    assert run().live_message == ""
    desk.location.z = float("nan")
    shown()
    assert run().live_message.startswith("'Cube' has a transform that is not a number")
    desk.location.z = -2.0
    calm()
    assert run().live_message == ""
    assert places(item)[:, 2].min() < first - 0.02


@pytest.mark.parametrize("by", ["keys", "a parent's keys"])
def test_a_keyed_desk_is_met_where_the_artist_has_moved_it(by):
    """Without a key there: by Settle, by Settle Live, and when that reads it anew."""
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(0.4, 0.0, -2.0))
    desk = bpy.context.object
    bpy.ops.tendril.add_collider()
    led = desk
    if by != "keys":
        desk.parent = led = bpy.data.objects.new("Car", None)
        bpy.context.collection.objects.link(led)
    led.keyframe_insert("location", frame=1)
    item = cable(mode="POSITION")
    targets(item)[1].location.x = 0.8
    led.location.z += 0.9
    bpy.context.view_layer.update()
    settle(item)
    top = desk.matrix_world.translation.z + 1.0
    height = places(item)[:, 2].min() - top
    assert 0.004 < height < 0.03
    bpy.ops.tendril.settle_live()
    shown()
    led.location.z += 0.02
    shown()
    assert places(item)[:, 2].min() == pytest.approx(top + 0.02 + height, abs=1e-4)
    item.tendril.rod.density *= 2.0
    calm()
    assert places(item)[:, 2].min() == pytest.approx(top + 0.02 + height, abs=1e-4)
    assert run().live_message == ""


def test_it_goes_taut_and_comes_back(live):
    lead(live, (1.1, 0.0, 0.0), (1.3, 0.0, 0.0))
    assert live.tendril.missing == pytest.approx(0.1, abs=1e-3)
    found = lead(live, (0.9, 0.0, 0.0))
    assert live.tendril.missing == 0.0
    assert found[:, 2].min() < -0.1
    assert run().live_message == ""


def test_too_far_at_first_is_told_and_forgotten_when_it_is_nearer():
    item = cable()
    targets(item)[1].location.x = 2.0 * LENGTH
    bpy.context.view_layer.update()
    before = drawn(item)
    bpy.ops.tendril.settle_live()
    shown()
    assert "too short to reach from 'Start' to 'End'" in run().live_message
    assert drawn(item) == before
    assert (shown(), calm()) == (1, 1)
    lead(item, (0.8, 0.0, 0.0))
    assert run().live_message == ""
    assert places(item)[:, 2].min() < -0.1


def test_what_is_in_the_way_of_one_is_told_while_others_hang(live):
    """And no more when that one is no cable."""
    other = cable()
    targets(other)[1].location.x = 2.0 * LENGTH
    shown()
    lead(live, (0.8, 0.0, 0.0))
    assert "too short" in run().live_message
    assert places(live)[:, 2].min() < -0.1
    other.tendril.rod.model = "KIRCHHOFF"
    calm()
    assert run().live_message == ""


def test_a_target_that_goes_is_told(live):
    lead(live, (0.9, 0.0, 0.0))
    bpy.data.objects.remove(targets(live)[1])
    before = drawn(live)
    shown()
    assert "has no target" in run().live_message
    assert drawn(live) == before
    live.tendril.pins[1].target = targets(live)[0]
    shown()
    calm()
    assert run().live_message == ""


def test_a_cable_that_goes_leaves_nothing(live):
    targets(live)[1].location.x = 0.9
    bpy.context.view_layer.update()
    assert settle_live.look() is not None  # and is settled now
    bpy.data.objects.remove(live)
    shown()
    calm()
    assert not settle_live._live.led
    assert run().live_message == ""


@pytest.mark.parametrize("moved", ["bone", "parent", "scaled", "own", "keyed"])
def test_whatever_moves_it_the_end_goes_along(moved):
    item = cable()
    end = targets(item)[1]
    if moved == "bone":
        choose(end)
        bpy.ops.object.armature_add(location=(LENGTH, 0.0, 0.0))
        end = bpy.context.object
        item.tendril.pins[1].target, item.tendril.pins[1].bone = end, "Bone"
    elif moved != "keyed":
        rig = bpy.data.objects.new("Rig", None)
        bpy.context.collection.objects.link(rig)
        rig.scale = (2.0, 2.0, 2.0) if moved == "scaled" else (1.0, 1.0, 1.0)
        bpy.context.view_layer.update()
        for child in (item, end) if moved == "own" else (end,):
            child.parent, child.matrix_parent_inverse = rig, rig.matrix_world.inverted()
    bpy.ops.tendril.settle_live()
    shown()
    wanted = np.array([0.9, 0.1, 0.2])
    match moved:
        case "bone":
            bone, shift = end.pose.bones[0], Matrix.Translation(wanted - [LENGTH, 0.0, 0.0])
            bone.matrix = end.matrix_world.inverted() @ shift @ end.matrix_world @ bone.matrix
        case "keyed":
            end.keyframe_insert("location", frame=1)
            end.location = wanted
            end.keyframe_insert("location", frame=5)
            bpy.context.scene.frame_set(1)
            shown()
            bpy.context.scene.frame_set(5)
        case _:
            rig.location = wanted - [LENGTH, 0.0, 0.0]
    shown()
    found = places(item)
    np.testing.assert_allclose(found[-1], wanted, atol=1e-6)
    np.testing.assert_allclose(found[0], 0.0, atol=1e-6)
    assert length(item) == pytest.approx(LENGTH, rel=1e-6)
    calm()
    np.testing.assert_allclose(places(item), found, atol=2e-5)


def test_undo_brings_back_what_hung_there(live):
    first = lead(live, (1.0, 0.0, 0.0))
    bpy.ops.ed.undo_push(message="before")
    name = live.name
    lead(live, (0.7, 0.0, 0.2))
    bpy.ops.ed.undo_push(message="moved")
    lead(live, (0.6, 0.0, 0.2))
    bpy.ops.ed.undo()
    shown()
    item = bpy.data.objects[name]
    np.testing.assert_allclose(places(item), first, atol=1e-5)
    bpy.ops.ed.redo()
    shown()
    item = bpy.data.objects[name]
    np.testing.assert_allclose(places(item)[-1], [0.7, 0.0, 0.2], atol=1e-6)
    assert length(item) == pytest.approx(LENGTH, rel=1e-4)


def test_a_worker_that_is_killed_is_told_of_and_replaced(live):
    lead(live, (0.9, 0.0, 0.0))
    os.kill(process._staying.popen.pid, signal.SIGKILL)
    process._staying.popen.wait()
    lead(live, (0.8, 0.0, 0.0))  # its cables went with it
    found = lead(live, (0.7, 0.0, 0.0))
    np.testing.assert_allclose(found[-1], [0.7, 0.0, 0.0], atol=1e-6)
    assert run().live_message == ""


def test_it_is_off_in_each_file_and_leaves_no_handler(live, tmp_path):
    handlers = bpy.app.handlers
    assert settle_live.changed in handlers.depsgraph_update_post
    before = drawn(live)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "shot.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "shot.blend"))
    assert not run().settle_live
    for name, handler in settle_live.HANDLERS.items():
        assert handler not in getattr(handlers, name)
    assert drawn(bpy.data.objects["Cable"]) == before


def test_it_rests_while_auto_update_is_on(live):
    lead(live, (0.9, 0.0, 0.0))
    run().auto_update = True
    before = drawn(live)
    lead(live, (0.8, 0.0, 0.0))
    assert drawn(live) == before
    run().auto_update = False
    shown()
    np.testing.assert_allclose(places(live)[-1], [0.8, 0.0, 0.0], atol=1e-6)


def test_a_bake_goes_first_and_what_it_shows_is_left_alone(live):
    bpy.context.scene.frame_end = 3
    lead(live, (0.9, 0.0, 0.0))
    choose(live)
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    before = drawn(live)
    lead(live, (0.7, 0.0, 0.0))
    assert drawn(live) == before
    bpy.ops.tendril.revert()
    shown()
    np.testing.assert_allclose(places(live)[-1], [0.7, 0.0, 0.0], atol=1e-6)


def test_a_cable_that_shares_its_curve_gets_its_own_which_undo_knows(live):
    """What no undo step has may be named by nothing that undo leaves as it is: Blender would crash."""
    settle_live.switch_off()
    other = live.copy()
    other.location.y = 1.0
    bpy.context.collection.objects.link(other)
    bpy.context.view_layer.update()
    for _ in range(3):
        bpy.context.scene.cursor.location.x += 1.0
        bpy.ops.ed.undo_push(message="Artist's")
    names, shared = [item.name for item in (live, other)], live.data.name
    bpy.ops.tendril.settle_live()
    lead(live, (0.7, 0.0, 0.0))
    assert len({bpy.data.objects[name].data for name in names}) == 2
    assert bpy.ops.ed.undo() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert {bpy.data.objects[name].data for name in names} == {bpy.data.curves[shared]}


def spans(item):
    """[(length between two neighbouring pins, way from the one's target to the other's)]."""
    arc = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(places(item), axis=0), axis=1))])
    pins = sorted(item.tendril.pins, key=lambda pin: pin.fraction)
    at = [np.interp(pin.fraction, [0.0, 1.0], [0.0, arc[-1]]) for pin in pins]
    held = [np.array(pin.target.matrix_world.translation) for pin in pins]
    return list(zip(np.diff(at), np.linalg.norm(np.diff(held, axis=0), axis=1), strict=True))


@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("reach", [0.5, 0.9])
def test_length_is_pulled_out_by_hand_as_far_as_it_is_moved(reach, between):
    """Of each part its slack stays, whatever the way; it keeps what it has then, and one undo takes it back."""
    item = cable(mode="POSITION")
    if between:
        bpy.ops.tendril.add_pin(place="FRACTION", fraction=0.25, holder="EMPTY", mode="POSITION")
        targets(item)[-1].location.x = 0.2
    targets(item)[1].location.x = reach * LENGTH
    settle(item)
    bpy.ops.tendril.settle_live()
    shown()
    slack = [own - way for own, way in spans(item)]
    bpy.context.window_manager.tendril.pull_length = True
    shown()
    assert length(item) == pytest.approx(LENGTH, rel=1e-6)
    bpy.ops.ed.undo_push(message="before")
    name, hook = item.name, targets(item)[-1]
    for place in ((1.3, 0.0, 0.0), (1.3, 0.4, 0.2), (0.2, 0.0, 0.4), (3.0, 0.0, 0.0)):
        lead(item, place)
        if between:
            hook.location = 0.25 * np.array(place) + [0.0, 0.05, 0.1]
            shown()
        within = 1e-5 * length(item)  # what is taut has to spare
        np.testing.assert_allclose([own - way for own, way in spans(item)], slack, atol=within)
        np.testing.assert_allclose(places(item)[[0, -1]], [(0, 0, 0), place], atol=1e-6)
    bpy.ops.ed.undo_push(message="moved")
    long = length(item)
    bpy.context.window_manager.tendril.pull_length = False
    lead(item, (2.5, 0.0, 0.0))
    calm()
    assert length(item) == pytest.approx(long, rel=1e-5)
    settle_live.switch_off()
    settle(item)
    assert length(item) == pytest.approx(long, rel=1e-4)  # parts that were pulled have longer edges; they are evened
    bpy.ops.ed.undo()
    item = bpy.data.objects[name]
    assert length(item) == pytest.approx(LENGTH, rel=1e-5)
    bpy.ops.ed.redo()
    item = bpy.data.objects[name]
    assert length(item) == pytest.approx(long, rel=1e-5)


def test_no_length_is_pulled_out_of_what_finds_its_own_or_hangs_on_others(live):
    live.tendril.rod.own_length = True
    calm()
    own = length(live)
    bpy.context.window_manager.tendril.pull_length = True
    lead(live, (0.8, 0.0, 0.0))
    lead(live, (LENGTH, 0.0, 0.0))
    assert length(live) == pytest.approx(own, rel=1e-3)
    settle_live.switch_off()
    assert not bpy.context.window_manager.tendril.pull_length
