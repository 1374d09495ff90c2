"""Cables between empties, how they are drawn and settled, for tests of what is done to them."""

import bpy
import numpy as np
from artist import choose, draw

LENGTH = 1.2
SINGLE = 2e-6  # of the length: curves are kept in single precision


def new_curve(kind="BEZIER", way=((0, 0, 0), (LENGTH, 0, 0)), name="Cable"):
    item = draw(name, [way], kind, depth=0.005)
    choose(item)
    return item


def drawn(item):
    """All of its drawing, as one comparable value."""
    points = [
        (tuple(point.co), point.tilt, point.radius)
        for spline in item.data.splines
        for point in (spline.bezier_points or spline.points)
    ]
    return points, tuple(map(tuple, item.matrix_world)), item.tendril.rod.points, item.tendril.rod.rest_length_factor


def cable(kind="BEZIER", mode="TWIST"):
    """A straight cable along x with an empty at each end."""
    item = new_curve(kind)
    assert bpy.ops.tendril.add_cable() == {"FINISHED"}
    assert bpy.ops.tendril.add_pin(place="ENDS", holder="EMPTY", mode=mode) == {"FINISHED"}
    return item


def targets(item):
    return [pin.target for pin in item.tendril.pins]


def places(item):
    """Of its control points, in the world."""
    bpy.context.view_layer.update()
    return np.array([item.matrix_world @ point.co.to_3d() for point in item.data.splines[0].bezier_points])


def length(item):
    return np.linalg.norm(np.diff(places(item), axis=0), axis=1).sum()


def settle(item):
    choose(item)
    assert bpy.ops.tendril.settle_cable() == {"FINISHED"}
    return places(item)


def lead(item, ways):
    """Choose it, and key where its end goes along x, {frame: parts of its length}, up to the last of these frames."""
    end, scene = targets(item)[1], bpy.context.scene
    scene.frame_end = max(ways)
    for frame, x in ways.items():
        end.location.x = x * LENGTH
        end.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    choose(item)
