"""Cables between empties, how they are drawn and settled, for tests of what is done to them."""

import bpy
import numpy as np
import pytest

LENGTH = 1.2
SINGLE = 2e-6  # of the length: curves are kept in single precision


def new_curve(kind="BEZIER", way=((0, 0, 0), (LENGTH, 0, 0)), name="Cable"):
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth = "3D", 0.005
    spline = data.splines.new(kind)
    points = spline.bezier_points if kind == "BEZIER" else spline.points
    points.add(len(way) - 1)
    for point, place in zip(points, way, strict=True):
        point.co = place if kind == "BEZIER" else (*place, 1.0)
        if kind == "BEZIER":
            point.handle_left_type = point.handle_right_type = "AUTO"
    item = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(item)
    choose(item)
    return item


def choose(item):
    """Select this object only."""
    bpy.context.view_layer.update()
    for other in bpy.context.view_layer.objects:
        other.select_set(other == item)
    bpy.context.view_layer.objects.active = item


def drawn(item):
    """All of its drawing, as one comparable value."""
    points = [
        (tuple(point.co), point.tilt, point.radius)
        for spline in item.data.splines
        for point in (spline.bezier_points or spline.points)
    ]
    return points, tuple(map(tuple, item.matrix_world)), item.tendril.rod.points, item.tendril.rod.rest_length_factor


def refused(operator):
    """The sentence with which an operator refuses."""
    with pytest.raises(RuntimeError) as refusal:
        operator()
    return str(refusal.value)


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
