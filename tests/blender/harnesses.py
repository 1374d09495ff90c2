"""Cables that are joined and hung several at once, and what is read of them, for tests of what is done to them."""

import bpy
import numpy as np
from artist import choose, draw, link
from bl_ext.user_default.tendril.bridge import cutting
from cables import drawn
from mathutils import Matrix, Vector

RADIUS = 0.005


def cable(name, way, kind="POLY", *, points=12, world=None):
    """A cable through places (n, 3) of the world, whose object is at `world`."""
    world = world or Matrix()
    inverse = world.inverted()
    item = draw(name, [[inverse @ Vector(place) for place in way]], kind, depth=RADIUS / world.median_scale)
    item.matrix_world = world
    choose(item)
    assert bpy.ops.tendril.add_cable() == {"FINISHED"}
    item.tendril.rod.points = points
    return item


def arch(points=13, bend=0.3):
    share = np.linspace(0.0, 1.0, points)
    return np.column_stack([share, bend * share * (1.0 - share), bend * np.sin(2.0 * share)])


def pin(item, place="ENDS", mode="TWIST"):
    choose(item)
    assert bpy.ops.tendril.add_pin(place=place, holder="EMPTY", mode=mode) == {"FINISHED"}


def lines(item):
    (own,) = cutting.read(bpy.context, [item])
    return own.lines


def length(item):
    return sum(np.linalg.norm(np.diff(line.x, axis=0), axis=1).sum() for line in lines(item))


def cables():
    return [item for item in bpy.context.scene.objects if item.tendril.is_rod]


def joints():
    return [item for item in bpy.context.scene.objects if item.tendril.is_body]


def pins(item):
    return [(own.target and own.target.name, own.spline, round(own.fraction, 6), own.mode) for own in item.tendril.pins]


def state():
    """All that the operators change, as one comparable value."""
    return {
        item.name: (
            tuple(map(tuple, item.matrix_world)), item.tendril.is_body, item.tendril.body.motion,
            drawn(item) if item.type == "CURVE" else None, pins(item), [tuple(own.grip) for own in item.tendril.pins],
        )
        for item in bpy.context.scene.objects
    }  # fmt: skip


def bake(end=2):
    scene = bpy.context.scene
    scene.frame_end = end
    scene.frame_set(1)
    return bpy.ops.tendril.bake()


def baked(item):
    """Vertices (n, 3) of a cable's bake in the world, in its last frame."""
    bpy.context.scene.frame_set(bpy.context.scene.frame_end)
    shown = item.tendril.result.evaluated_get(bpy.context.evaluated_depsgraph_get())
    curve = shown.to_curve(bpy.context.evaluated_depsgraph_get(), apply_modifiers=True)
    found = np.array([shown.matrix_world @ point.co for point in curve.splines[0].bezier_points])
    shown.to_curve_clear()
    return found


def posts(*places):
    made = []
    for place in places:
        made.append(link(bpy.data.objects.new("Post", None)))
        made[-1].location = place
    choose(*made[::-1])
    return made
