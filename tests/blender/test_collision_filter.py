"""Rods and bodies that are limited to a collection meet what is in it, and pass through all else."""

import bpy
import numpy as np
import pytest
from artist import draw_rod
from bl_ext.user_default.tendril.bake.cache import Cache
from bl_ext.user_default.tendril.bridge import changes
from bl_ext.user_default.tendril.bridge.scene import read_scene
from bl_ext.user_default.tendril.operators.cache_folder import cache_folder

FRAMES, HIGH = 8, 0.2  # , m
FREE = 0.5 * 9.81 * ((FRAMES - 1) / 24.0) ** 2  # m


@pytest.fixture
def scene(empty_file):
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end, scene.tendril.air_density = 1, FRAMES, 0.0
    return scene


def rope(name, height, along):
    return draw_rod(
        name, [(s, 0.0, height) if along == "x" else (0.0, s, height) for s in np.linspace(-0.15, 0.15, 11)]
    )


def table():
    bpy.ops.mesh.primitive_plane_add(size=1.0, location=(0.0, 0.0, HIGH))
    item = bpy.context.object
    item.modifiers.new("Collision", "COLLISION")
    item.collision.thickness_outer = 0.0
    return item


def only(*items):
    """A collection of these alone."""
    found = bpy.data.collections.new("Met")
    for item in items:
        found.objects.link(item)
    return found


def met():
    """{names of two things that meet}, each in alphabetical order."""
    description = read_scene(bpy.context)[0]
    things = [*description.rods, *description.solids, *description.bodies, *description.colliders]
    apart = {frozenset(pair) for pair in description.collision_filter}
    return {
        (one.name, other.name)
        for one in things
        for other in things
        if one.name < other.name and frozenset((one.group, other.group)) not in apart
    }


def test_each_meets_what_its_own_collection_and_that_of_the_other_have(scene):
    under, over, ground = rope("A", HIGH + 0.02, "y"), rope("B", HIGH + 0.1, "x"), table()
    ground.name = "C"
    bpy.ops.mesh.primitive_cube_add(location=(3.0, 0.0, 3.0))
    box = bpy.context.object
    box.name, box.tendril.is_body = "D", True
    everything = {("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")}
    assert met() == everything
    assert read_scene(bpy.context)[0].collision_filter == ()
    over.tendril.rod.collision_collection = only(ground)
    assert met() == everything - {("A", "B"), ("B", "D")}
    under.tendril.rod.collision_collection = only(ground, over, box)
    assert met() == everything - {("A", "B"), ("B", "D")}
    box.tendril.body.collision_collection = only(under)
    assert met() == {("A", "C"), ("A", "D"), ("B", "C")}
    outer = bpy.data.collections.new("Outer")
    outer.children.link(over.tendril.rod.collision_collection)
    over.tendril.rod.collision_collection = outer
    assert met() == {("A", "C"), ("A", "D"), ("B", "C")}


def test_a_soft_body_is_limited_too(scene):
    rope("A", HIGH + 0.02, "y")
    ground = table()
    ground.name = "C"
    for name in "SU":
        bpy.ops.mesh.primitive_cube_add(size=0.1, location=(0.0, 0.0, ord(name)))
        bpy.context.object.name, bpy.context.object.tendril.is_soft = name, True
    everything = {("A", "C"), ("A", "S"), ("A", "U"), ("C", "S"), ("C", "U"), ("S", "U")}
    assert met() == everything
    bpy.data.objects["S"].tendril.soft.collision_collection = only(ground)
    assert met() == everything - {("A", "S"), ("S", "U")}


@pytest.mark.once
@pytest.mark.parametrize("meets", ["AC", "C", "A", ""])
def test_a_rope_falls_through_what_its_collection_leaves_out(scene, tmp_path, meets):
    """A lies on the table C; B falls on both."""
    things = {"A": rope("A", HIGH + 0.011, "y"), "B": rope("B", HIGH + 0.06, "x"), "C": table()}
    things["B"].tendril.rod.collision_collection = only(*(things[name] for name in meets))
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "rope.blend"))
    assert bpy.ops.tendril.bake() == {"FINISHED"}
    cache = Cache(cache_folder(scene))
    first, last = (cache.read(index)[0][:, 2].reshape(2, -1) for index in (cache.frames[0], cache.frames[-1]))
    below, (end, middle) = (first - last)[0], last[1][[0, len(last[1]) // 2]]
    assert np.all(below < 0.1 * FREE)
    assert (middle > HIGH + 0.025) == ("A" in meets)  # as high as two ropes that lie on each other, nearly
    if meets == "C":
        assert end > HIGH
    if not meets:
        assert (first - last)[1] == pytest.approx(FREE, rel=0.02)


def test_a_changed_collection_is_out_of_date(scene):
    under, over = rope("A", 1.0, "y"), rope("B", 2.0, "x")
    over.tendril.rod.collision_collection = chosen = only(under)
    bpy.context.view_layer.update()
    before = changes.picture(bpy.context)[over.session_uid]
    chosen.objects.unlink(under)
    after = changes.picture(bpy.context)[over.session_uid]
    assert [label for label, value in after.values() if (label, value) not in before.values()] == [
        "collision collection"
    ]
