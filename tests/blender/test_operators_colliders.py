"""Colliders are made and unmade: meshes by Blender's own Collision physics, other surfaces by Tendril's."""

import bpy
import pytest
from artist import refused
from bl_ext.user_default.tendril.properties.colliders import collider_objects


def select(*items):
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[0] if items else None


def add(make, **options):
    make(**options)
    return bpy.context.object


def test_all_selected_surfaces_become_colliders_and_one_is_unmade():
    cube, text = add(bpy.ops.mesh.primitive_cube_add), add(bpy.ops.object.text_add)
    lamp = add(bpy.ops.object.light_add)
    select(cube, text, lamp)
    assert bpy.ops.tendril.add_collider() == {"FINISHED"}
    assert collider_objects(bpy.context.view_layer) == [cube, text]
    assert [modifier.type for modifier in cube.modifiers] == ["COLLISION"]
    assert bpy.ops.tendril.remove_collider() == {"FINISHED"}
    assert collider_objects(bpy.context.view_layer) == [text]
    assert not cube.modifiers
    select(text)
    bpy.ops.tendril.remove_collider()
    assert collider_objects(bpy.context.view_layer) == []


def test_collision_that_was_switched_off_is_switched_on():
    cube = add(bpy.ops.mesh.primitive_cube_add)
    cube.modifiers.new("Collision", "COLLISION")
    cube.collision.use, cube.collision.thickness_outer = False, 0.3
    bpy.ops.tendril.add_collider()
    assert cube.collision.use
    assert len(cube.modifiers) == 1
    assert cube.collision.thickness_outer == pytest.approx(0.3)


def test_a_grey_button_says_why():
    assert "Nothing is selected" in refused(bpy.ops.tendril.add_collider)
    assert "Select a collider" in refused(bpy.ops.tendril.remove_collider)
    lamp = add(bpy.ops.object.light_add)
    assert f"'{lamp.name}' has no surface" in refused(bpy.ops.tendril.add_collider)
    cube = add(bpy.ops.mesh.primitive_cube_add)
    bpy.ops.tendril.add_collider()
    assert "'Cube' is a collider already" in refused(bpy.ops.tendril.add_collider)
    cube.modifiers.clear()
    cube.tendril.is_body = True
    assert "'Cube' is a rigid body: select something for it to meet" in refused(bpy.ops.tendril.add_collider)
    bpy.ops.mesh.primitive_cube_add()
    bpy.ops.object.mode_set(mode="EDIT")
    assert "does not work in edit mode" in refused(bpy.ops.tendril.add_collider)


def test_a_passive_body_is_no_collider_to_remove():
    add(bpy.ops.mesh.primitive_cube_add)
    bpy.ops.rigidbody.world_add()
    bpy.ops.rigidbody.object_add(type="PASSIVE")
    bpy.context.scene.tendril.use_passive_bodies = True
    assert "turn off Passive Rigid Bodies" in refused(bpy.ops.tendril.remove_collider)
    assert bpy.ops.tendril.add_collider() == {"FINISHED"}
