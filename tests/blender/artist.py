"""What an artist does in Blender, for tests that begin with it: draws curves, chooses objects, brings in an asset,
saves, bakes, is refused.
"""

import bpy
import pytest


def link(item):
    bpy.context.scene.collection.objects.link(item)
    return item


def choose(*items):
    """Select these objects only; the last is active."""
    bpy.context.view_layer.update()
    for item in bpy.context.view_layer.objects:
        item.select_set(item in items)
    bpy.context.view_layer.objects.active = items[-1] if items else None


def draw(name, ways, kind="POLY", *, depth=0.01, cyclic=False, handles="AUTO"):
    """A curve with a spline through each way, some points (n, 3), and a bevel `depth`."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth = "3D", depth
    for way in ways:
        spline = data.splines.new(kind)
        points = spline.bezier_points if kind == "BEZIER" else spline.points
        points.add(len(way) - 1)
        for point, place in zip(points, way, strict=True):
            point.co = place if kind == "BEZIER" else (*place, 1.0)
            if kind == "BEZIER":
                point.handle_left_type = point.handle_right_type = handles
        spline.use_cyclic_u = cyclic
    return link(bpy.data.objects.new(name, data))


def draw_rod(name, way, *, depth=0.01, cyclic=False):
    """A rod, made so behind Blender's back: of one spline."""
    rod = draw(name, [way], depth=depth, cyclic=cyclic)
    rod.tendril.is_rod = True
    return rod


def override(folder, *items):
    """Move objects to an asset in a file there; a new file has a library override of it."""
    asset = bpy.data.collections.new("Asset")
    bpy.context.scene.collection.children.link(asset)
    for item in items:
        for own in item.users_collection:
            own.objects.unlink(item)
        asset.objects.link(item)
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "asset.blend"))
    bpy.ops.wm.read_homefile(use_empty=True)
    with bpy.data.libraries.load(str(folder / "asset.blend"), link=True) as (_, wanted):
        wanted.collections = ["Asset"]
    wanted.collections[0].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)


def save(folder, frames):
    """A file there, shot.blend, of so many frames."""
    bpy.context.scene.frame_end = frames
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))


def bake(folder, frames):
    """Save it, and bake it."""
    save(folder, frames)
    assert bpy.ops.tendril.bake() == {"FINISHED"}


def refused(operator, **settings):
    """The sentence with which an operator refuses."""
    with pytest.raises(RuntimeError) as refusal:
        operator(**settings)
    return str(refusal.value)
