"""Harnesses in Blender: cables with an empty or a mesh that hangs on them, settled, live and baked."""

import time

import bpy
import numpy as np
import pytest
from artist import choose, draw
from bl_ext.user_default.tendril.bake import process
from bl_ext.user_default.tendril.operators import cable as cable_operators
from bl_ext.user_default.tendril.operators import settle_live
from cables import places
from mathutils import Vector

ENDS = np.array([[0.3, 0.0, 0.1], [-0.2, 0.25, 0.1], [-0.2, -0.25, 0.1]])


def empty(place, name):
    item = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(item)
    item.location = place
    return item


def hang(item, mass=0.05):
    item.tendril.is_body, item.tendril.body.motion, item.tendril.body.mass = True, "SUSPENDED", mass
    return item


def pin(item, name, target, fraction, mode="TWIST"):
    own = item.tendril.pins.add()
    own.name, own.target, own.fraction, own.mode = name, target, fraction, mode


@pytest.fixture
def why():
    """([cables], what hangs on them, [what holds them])."""
    join, cables, held = hang(empty((0, 0, 0), "Join")), [], []
    for k, end in enumerate(ENDS):
        held.append(empty(end, f"End {k}"))
        item = draw(f"Arm {k}", [[(0, 0, 0), (*(0.5 * end[:2]), -0.05), tuple(end)]], depth=0.004)
        choose(item)
        assert bpy.ops.tendril.add_cable() == {"FINISHED"}
        item.tendril.rod.points = 24
        pin(item, "join", join, 0.0)
        pin(item, "end", held[-1], 1.0, "POSITION")
        cables.append(item)
    return cables, join, held


def settle(*items):
    choose(*items)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    bpy.context.view_layer.update()


@pytest.fixture
def live():
    yield
    settle_live.switch_off()


def shown():
    bpy.context.view_layer.update()
    deadline = time.monotonic() + 600.0
    while settle_live.look() is not None:
        assert time.monotonic() < deadline
        time.sleep(0.002)
    bpy.context.view_layer.update()


def ends_at(cables, join):
    """Whether all cables end where what hangs on them is."""
    for item in cables:
        np.testing.assert_allclose(places(item)[0], join.matrix_world.translation, atol=2e-6)


def test_one_of_them_settles_with_all_that_hangs_with_it(why):
    cables, join, held = why
    held[0].location.x -= 0.08
    settle(cables[1])
    first, there = [places(item) for item in cables], join.location.copy()
    ends_at(cables, join)
    assert there.length > 0.01
    settle(*cables)  # again, all of them: nothing moves
    for item, before in zip(cables, first, strict=True):
        np.testing.assert_allclose(places(item), before, atol=2e-5)
    assert (join.location - there).length < 2e-5


def test_settled_as_baked(why):
    cables, join, held = why
    bpy.context.scene.frame_end = 3
    held[0].location.x -= 0.08
    settle(cables[0])
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    item = join.tendril.result
    for frame in (1, 3):
        bpy.context.scene.frame_set(frame)
        assert (item.matrix_world.translation - join.matrix_world.translation).length < 1e-5


def test_undo_brings_back_cables_and_what_hangs_on_them(why):
    cables, join, held = why
    bpy.ops.ed.undo_push(message="begin")
    before, start = [places(item) for item in cables], join.location.copy()
    held[0].location.x -= 0.08
    bpy.ops.ed.undo_push(message="move")
    settle(cables[0])
    bpy.ops.ed.undo_push(message="settle")
    names = [item.name for item in (*cables, join)]
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    *now, hangs = [bpy.data.objects[name] for name in names]
    for item, was in zip(now, before, strict=True):
        np.testing.assert_allclose(places(item), was, atol=1e-6)
    assert (hangs.location - start).length < 1e-6


@pytest.mark.usefixtures("live")
def test_live_it_follows_what_is_led_and_stays_where_it_is_led_itself(why):
    cables, join, held = why
    bpy.ops.tendril.settle_live()
    shown()
    rest = join.location.copy()
    ends_at(cables, join)
    for x in (0.26, 0.22):
        choose(held[0])
        held[0].location.x = x
        shown()
        ends_at(cables, join)
    assert (join.location - rest).length > 0.01
    followed = join.location.copy()
    choose(join)
    join.location = followed + Vector((0.0, 0.0, 0.03))
    shown()
    assert (join.location - followed).length == pytest.approx(0.03, abs=1e-4)
    ends_at(cables, join)
    choose(held[1])
    shown()
    assert (join.location - followed).length < 1e-4
    ends_at(cables, join)
    assert settle_live.look() is None


@pytest.mark.usefixtures("live")
def test_live_its_mass_and_a_new_cable_count(why):
    cables, join, _ = why
    bpy.ops.tendril.settle_live()
    shown()
    before = join.location.z
    join.tendril.body.mass = 1.0
    settle_live._live.due = 0.0
    settle_live.compare()
    shown()
    assert join.location.z < before - 0.005
    ends_at(cables, join)


def test_a_lamp_of_mesh_hangs_by_its_own_weight(why):
    cables, join, _ = why
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.03, location=(0.0, 0.0, 0.0))
    lamp = bpy.context.object
    for item in cables:
        item.tendril.pins[0].target = lamp
    lamp.tendril.is_body, lamp.tendril.body.motion, lamp.tendril.body.mass = True, "SUSPENDED", 0.3
    settle(cables[0])
    ends_at(cables, lamp)
    assert join.location.length == 0.0
    assert lamp.location.z < -0.02


def test_what_cannot_hang_is_told_and_nothing_changes(why):
    cables, join, held = why
    before = [places(item) for item in cables]
    for item in cables:
        item.tendril.pins.remove(1)
    choose(cables[0])
    with pytest.raises(RuntimeError, match="'Join' hangs on cables, which are held by nothing else"):
        bpy.ops.tendril.settle_cable()
    join.tendril.body.motion = "DYNAMIC"
    with pytest.raises(RuntimeError, match="is an empty, which no force moves"):
        bpy.ops.tendril.bake()
    for item, was in zip(cables, before, strict=True):
        np.testing.assert_array_equal(places(item), was)
    bpy.data.objects.remove(join)
    with pytest.raises(RuntimeError, match="no target"):
        bpy.ops.tendril.settle_cable()
    assert held


def crossing():
    """Two cables that cross, of which the upper one is led down through where the lower one hangs."""
    found = []
    for k, (way, height) in enumerate(((Vector((0.3, 0.0, 0.0)), 0.0), (Vector((0.0, 0.3, 0.0)), 0.05))):
        ends = [empty(sign * way + Vector((0.0, 0.0, height)), f"{k} {sign}") for sign in (-1.0, 1.0)]
        item = draw(f"Cable {k}", [[end.location for end in ends]], depth=0.005)
        choose(item)
        assert bpy.ops.tendril.add_cable() == {"FINISHED"}
        for end, fraction in zip(ends, (0.0, 1.0), strict=True):
            pin(item, end.name, end, fraction, "POSITION")
        item.tendril.rod.rest_length_factor = 1.02
        found.append((item, ends))
    return found


def apart(lower, upper):
    """How far their centre lines are from each other, at places on them that are a tenth of a radius apart."""
    fine = []
    for item in (lower, upper):
        x = places(item)
        at = np.linspace(0.0, len(x) - 1.0, 1201)
        fine.append(np.stack([np.interp(at, np.arange(len(x)), column) for column in x.T], axis=1))
    return np.linalg.norm(fine[0][:, None] - fine[1][None], axis=2).min()


def lower_by(ends, way):
    for end in ends:
        end.location.z -= way


def test_cables_that_are_chosen_touch_when_they_settle():
    (lower, _), (upper, ends) = crossing()
    settle(lower, upper)
    lower_by(ends, 0.08)
    settle(lower, upper)
    assert apart(lower, upper) == pytest.approx(0.01, rel=0.02)


@pytest.mark.usefixtures("live")
def test_live_cables_touch():
    (lower, _), (upper, ends) = crossing()
    bpy.ops.tendril.settle_live()
    shown()
    for _ in range(5):
        lower_by(ends, 0.016)
        shown()
        assert apart(lower, upper) > 0.0098
    assert apart(lower, upper) == pytest.approx(0.01, rel=0.02)
    lower_by(ends, -0.08)
    shown()
    assert apart(lower, upper) > 0.03


@pytest.mark.usefixtures("live")
def test_live_one_that_cannot_hang_leaves_others_alone():
    (lower, far), (upper, ends) = crossing()
    bpy.ops.tendril.settle_live()
    shown()
    before = places(lower)
    far[1].location.x -= 0.05
    upper.tendril.pins[0].target = None
    settle_live._live.due = 0.0
    settle_live.compare()
    shown()
    assert "no target" in bpy.context.window_manager.tendril.live_message
    assert abs(places(lower) - before).max() > 0.001
    upper.tendril.pins[0].target = ends[0]
    lower_by(ends, -0.05)
    shown()
    assert not bpy.context.window_manager.tendril.live_message
    assert places(upper)[:, 2].max() > 0.09


def test_what_takes_too_long_is_given_up_with_a_sentence(why, monkeypatch):
    cables, join, held = why
    before = [places(item) for item in cables]
    held[0].location.x -= 0.08
    monkeypatch.setattr(cable_operators, "LONGEST", 0.0)
    monkeypatch.setattr(process, "PATIENCE", 0.0)
    choose(cables[0])
    with pytest.raises(RuntimeError, match="finds no rest within 0 s"):
        bpy.ops.tendril.settle_cable()
    for item, was in zip(cables, before, strict=True):
        np.testing.assert_array_equal(places(item), was)
    assert join.location.length == 0.0


@pytest.mark.usefixtures("live")
def test_live_what_takes_too_long_is_told_and_tried_again_where_it_is_led_on(why, monkeypatch):
    cables, join, held = why
    with monkeypatch.context() as hurried:
        hurried.setattr(settle_live, "LONGEST", 0.0)
        bpy.ops.tendril.settle_live()
        shown()
    assert "finds no rest within" in bpy.context.window_manager.tendril.live_message
    assert join.location.length == 0.0
    held[0].location.x -= 0.02
    shown()
    assert not bpy.context.window_manager.tendril.live_message
    ends_at(cables, join)


@pytest.fixture
def plug():
    """A cube on a cable from an empty, the empty, and a wall beside it that collides."""
    start = empty((0.0, 0.0, 0.0), "Start")
    bpy.ops.mesh.primitive_cube_add(size=0.04, location=(0.3, 0.0, -0.02))
    cube = hang(bpy.context.object, 0.2)
    item = draw("Lead", [[(0.0, 0.0, 0.0), (0.15, 0.0, -0.1), (0.28, 0.0, -0.02)]], depth=0.003)
    choose(item)
    assert bpy.ops.tendril.add_cable() == {"FINISHED"}
    item.tendril.rod.points = 24
    pin(item, "start", start, 0.0, "POSITION")
    pin(item, "plug", cube, 1.0)
    bpy.ops.mesh.primitive_plane_add(size=1.0, location=(0.0, 0.0, -0.15))
    table = bpy.context.object
    table.modifiers.new("Collision", "COLLISION")
    table.collision.thickness_outer = 0.001
    bpy.context.view_layer.update()
    return item, cube, start, table


@pytest.mark.parametrize("collides", [True, False])
def test_a_plug_that_hangs_lies_on_what_it_comes_to(plug, collides):
    """Settled and baked: on a table, as thick as that is above it; without Collisions it hangs through that."""
    item, cube, start, _ = plug
    cube.tendril.body.collide = collides
    settle(item)
    lowest = min((cube.matrix_world @ vertex.co).z for vertex in cube.data.vertices)
    assert lowest == pytest.approx(-0.149, abs=1e-4) if collides else lowest < -0.16
    start.location.z += 0.02
    bpy.context.scene.frame_end = 2
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    shown_ = cube.tendril.result or cube
    bpy.context.view_layer.update()
    lowest = min((shown_.matrix_world @ vertex.co).z for vertex in cube.data.vertices)
    assert lowest == pytest.approx(-0.149, abs=1e-4) if collides else lowest < -0.16


def test_a_plug_that_cannot_collide_is_told(plug):
    """Drawn through the table, and without faces."""
    item, cube, _, _ = plug
    cube.location.z = -0.14
    choose(item)
    with pytest.raises(RuntimeError, match="'Cube' .*'Plane'"):
        bpy.ops.tendril.settle_cable()
    cube.location.z = -0.02
    cube.data.clear_geometry()
    choose(item)
    with pytest.raises(RuntimeError, match="'Cube' has no faces"):
        bpy.ops.tendril.settle_cable()


def test_a_plug_with_a_constraint_is_told(plug):
    item, cube, start, _ = plug
    own = cube.constraints.new("COPY_LOCATION")
    own.target = start
    before = places(item)
    choose(item)
    with pytest.raises(RuntimeError, match="'Cube' has the constraint 'Copy Location', which keeps it from where"):
        bpy.ops.tendril.settle_cable()
    np.testing.assert_array_equal(places(item), before)
    own.enabled = False
    settle(item)


@pytest.mark.usefixtures("live")
def test_live_a_plug_in_the_hand_stays_above_the_table(plug):
    """Led to where it would be in the table, it lies on that; led back, it is in the hand again. Led further than its
    cable reaches it stays behind, and by how much is told.
    """
    item, cube, _, _ = plug
    bpy.ops.tendril.settle_live()
    shown()
    for z, expected in ((-0.05, -0.05), (-0.2, -0.129), (-0.05, -0.05)):
        choose(cube)
        cube.location = (0.25, 0.0, z)
        cube.rotation_euler = (0.0, 0.0, 0.0)
        shown()
        end = Vector(places(item)[-1]) + Vector((0.02, 0.0, 0.0))  # the middle of the cube, which is not turned
        assert end.z == pytest.approx(expected, abs=1e-3)
        assert cube.location.z == pytest.approx(expected, abs=1e-3)
        assert not bpy.context.window_manager.tendril.live_message
    choose(cube)
    cube.location = (0.6, 0.0, -0.05)
    shown()
    assert 0.25 < cube.location.x < 0.4
    kept = cube.location.copy()
    lacks = 0.6 - cube.location.x
    assert lacks - 0.01 < item.tendril.missing < lacks + 0.01
    assert (
        f"'Lead' is {item.tendril.missing:.3g} m too short for 'plug'"
        in bpy.context.window_manager.tendril.live_message
    )
    assert settle_live.look() is None
    assert cube.location == kept
    cube.location = (0.25, 0.0, -0.05)
    shown()
    assert cube.location.x == pytest.approx(0.25, abs=1e-5)
    assert not bpy.context.window_manager.tendril.live_message


def child_of(parent, item):
    """Parented to it where it is, as Ctrl P does."""
    bpy.context.view_layer.update()
    item.parent, item.matrix_parent_inverse = parent, parent.matrix_world.inverted()


def test_parents_among_what_hangs_go_before_their_children(plug):
    """A plug is the parent of another one, and of a cable: all are where they were without, and stay."""
    item, cube, start, table = plug
    bpy.data.objects.remove(table)
    other, lead, post = cube.copy(), item.copy(), start.copy()
    for new, old in ((other, cube), (lead, item), (post, start)):
        new.name, new.location.y = f"{old.name} 2", old.location.y + 0.2
        bpy.context.scene.collection.objects.link(new)
    lead.data = item.data.copy()
    lead.tendril.pins["start"].target, lead.tendril.pins["plug"].target = post, other
    child_of(cube, other)
    child_of(other, lead)
    for _ in range(2):
        settle(item, lead)  # the last one is the first that is read
        for z, body, its in ((0.0, cube, item), (0.2, other, lead)):
            x = places(its)
            assert body.matrix_world.translation.y == pytest.approx(z, abs=1e-4)
            assert x[0] == pytest.approx((0.0, z, 0.0), abs=1e-5)
            assert x[-1] == pytest.approx(body.matrix_world @ Vector((-0.02, 0.0, 0.0)), abs=1e-5)
