"""Where new objects go of things that are library overrides, in collections that are so too and take none."""

import bpy
import numpy as np
import pytest
from artist import choose, draw, link, override, refused


@pytest.fixture
def asset(tmp_path):
    """A cable with a mesh, a skeleton and a soft ball, of another file, overridden in this one."""
    draw("Cable", [np.array([(0.1 * k, 0.0, 0.0) for k in range(11)])])
    skeleton = bpy.data.meshes.new("Skeleton")
    skeleton.from_pydata([(3, 0, 0), (3, 0, 1), (3, 0.5, 1.5), (3, -0.5, 1.5)], [(0, 1), (1, 2), (1, 3)], [])
    link(bpy.data.objects.new("Skeleton", skeleton))
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2, location=(5.0, 0.0, 0.0))
    bpy.context.object.name = "Ball"
    bpy.ops.tendril.add_soft()
    choose(bpy.data.objects["Cable"])
    bpy.ops.tendril.add_cable()
    bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY")
    override(tmp_path, *bpy.context.scene.objects)
    layer = bpy.context.view_layer.layer_collection
    bpy.context.view_layer.active_layer_collection = next(
        each for each in layer.children if each.collection.override_library
    )
    bpy.context.scene.objects["Cable"].data.make_local()
    return {name: bpy.context.scene.objects[name] for name in ("Cable", "Skeleton", "Ball")}


@pytest.mark.parametrize(
    ("name", "press"),
    [
        ("Cable", lambda: bpy.ops.tendril.add_pin(place="FRACTION", holder="EMPTY")),
        ("Cable", bpy.ops.tendril.cable_to_mesh),
        ("Skeleton", bpy.ops.tendril.tree_from_skeleton),
        ("Ball", bpy.ops.tendril.show_tetrahedra),
        (None, bpy.ops.tendril.add_knot),
        (None, lambda: bpy.ops.tendril.add_knot(knot="clove_hitch")),
    ],
)
def test_what_is_made_of_overrides_goes_into_the_scene(asset, name, press):
    choose(*[asset[name]] if name else [])
    before = set(bpy.context.scene.objects)
    assert press() == {"FINISHED"}
    assert (new := set(bpy.context.scene.objects) - before)
    assert all(list(item.users_collection) == [bpy.context.scene.collection] for item in new)


def test_an_override_with_pins_is_not_cut(asset):
    choose(asset["Cable"])
    assert "'Cable' is a library override" in refused(bpy.ops.tendril.cut_cable, place="FRACTION", fraction=0.5)
    bpy.ops.object.make_local(type="SELECT_OBDATA")
    assert bpy.ops.tendril.cut_cable(place="FRACTION", fraction=0.5) == {"FINISHED"}
