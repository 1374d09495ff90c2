"""Rods and bodies many times, each time with what they are tied to."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, refused
from bl_ext.user_default.tendril.bridge.scene import read_scene


def lamp():
    """A rope from an empty to a body with a child."""
    rope = draw("Rope", [np.array([(0.0, 0.0, 0.2 * k) for k in range(6)])])
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(0.0, 0.0, -0.1))
    body = bpy.context.object
    bpy.ops.tendril.add_body()
    bpy.ops.mesh.primitive_plane_add(size=0.1)
    bpy.context.object.parent = body
    choose(rope)
    bpy.ops.tendril.add_rod()
    choose(body, rope)
    bpy.ops.tendril.add_pin(place="START", holder="OBJECT")
    choose(rope)
    bpy.ops.tendril.add_pin(place="END", holder="EMPTY")
    return rope, body


def test_each_has_a_holder_and_a_body_of_its_own():
    rope, body = lamp()
    choose(rope)
    assert bpy.ops.tendril.array(count=4, offset=(0.0, 1.0, 0.0)) == {"FINISHED"}
    ropes = [item for item in bpy.data.objects if item.tendril.is_rod]
    assert len(ropes) == 4
    assert len({pin.target for rod in ropes for pin in rod.tendril.pins}) == 8
    assert len([item for item in bpy.data.objects if item.type == "MESH"]) == 8
    for rod in ropes:
        for pin in rod.tendril.pins:
            assert pin.target.matrix_world.translation.y == pytest.approx(rod.matrix_world.translation.y)
    assert sorted(rod.location.y for rod in ropes) == pytest.approx([0.0, 1.0, 2.0, 3.0])
    scene, _ = read_scene(bpy.context)
    assert (len(scene.rods), len(scene.bodies), len(scene.pins), len(scene.welds)) == (4, 4, 4, 4)
    assert rope in bpy.context.selected_objects
    assert body.tendril.is_body


def test_of_a_body_the_rods_come_along_too():
    _, body = lamp()
    choose(body)
    bpy.ops.tendril.array(count=2)
    assert len([item for item in bpy.data.objects if item.tendril.is_rod]) == 2
    xs = sorted(item.location.x for item in bpy.data.objects if item.tendril.is_body)
    assert xs[1] - xs[0] > 0.2


def test_without_tied_things_all_hang_on_the_same():
    rope, body = lamp()
    choose(rope)
    bpy.ops.tendril.array(count=3, with_tied=False, offset=(0.1, 0.0, 0.0))
    ropes = [item for item in bpy.data.objects if item.tendril.is_rod]
    assert len(ropes) == 3
    assert all(rod.tendril.pins[0].target == body for rod in ropes)


def test_what_is_animated_holds_all_of_them():
    rope, body = lamp()
    body.tendril.body.motion = "ANIMATED"
    choose(rope)
    bpy.ops.tendril.array(count=3, offset=(1.0, 0.0, 0.0))
    assert len([item for item in bpy.data.objects if item.tendril.is_body]) == 1


def test_what_is_keyed_is_moved_beside_its_keys():
    rope, _ = lamp()
    empty = next(item for item in bpy.data.objects if item.type == "EMPTY")
    empty.keyframe_insert("location", frame=1)
    choose(rope)
    bpy.ops.tendril.array(count=2, offset=(0.0, 1.0, 0.0))
    bpy.context.scene.frame_set(5)
    ys = sorted(item.matrix_world.translation.y for item in bpy.data.objects if item.type == "EMPTY")
    assert ys == pytest.approx([0.0, 1.0])


def test_what_shows_a_bake_and_what_is_too_much_is_refused():
    rope, body = lamp()
    choose(rope)
    for _ in range(3):
        bpy.ops.mesh.primitive_plane_add(size=0.1)
        bpy.context.object.parent = rope
    choose(rope)
    assert "1000 of 7 objects are more than 1000" in refused(bpy.ops.tendril.array, count=1000)
    bpy.context.scene.frame_end = 2
    bpy.ops.tendril.bake()
    choose(rope.tendril.result)
    assert "'Rope' shows its bake: press Edit Source" in refused(bpy.ops.tendril.array)
    bpy.ops.tendril.edit_source()
    assert "'Cube' shows its bake: press Edit Source" in refused(bpy.ops.tendril.array)
    choose(body.tendril.result)
    bpy.ops.tendril.edit_source()
    choose(rope)
    assert bpy.ops.tendril.array(count=2, offset=(0.0, 1.0, 0.0)) == {"FINISHED"}
    bpy.ops.tendril.bake()
    results = [item.tendril.result for item in bpy.data.objects if item.tendril.is_rod]
    assert None not in results
    assert len(set(results)) == 2


def test_a_curtain_of_beads_is_some_clicks():
    rope = draw("String", [np.array([(0.0, 0.0, -0.05 * k) for k in range(21)])], depth=0.002)
    other = draw("Other", [np.array([(3.0, 0.0, -0.05 * k) for k in range(21)])], depth=0.002)
    beads = []
    for k in (5, 10, 15, 20):
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.02, segments=8, ring_count=6, location=(0.0, 0.0, -0.05 * k))
        beads.append(bpy.context.object)
    choose(rope, other)
    bpy.ops.tendril.add_rod()
    choose(*beads)
    bpy.ops.tendril.add_body()
    choose(*beads, other, rope)
    assert bpy.ops.tendril.tie() == {"FINISHED"}
    assert [pin.target for pin in other.tendril.pins] == []
    assert {pin.target: round(pin.fraction, 6) for pin in rope.tendril.pins} == dict(
        zip(beads, (0.25, 0.5, 0.75, 1.0), strict=True)
    )
    choose(rope)
    bpy.ops.tendril.add_pin(place="START", holder="EMPTY")
    assert bpy.ops.tendril.array(count=6, offset=(0.1, 0.0, 0.0)) == {"FINISHED"}
    scene, meta = read_scene(bpy.context)
    assert [len(own) for own in (scene.rods, scene.bodies, scene.welds, scene.pins)] == [7, 24, 24, 6]
    assert not [notice for notice in meta["notices"] if "drawn" in notice["text"]]
