"""Knots from the catalogue as Blender's curves, and the posts they are tied to as meshes."""

import bpy
import numpy as np

from ..knots import catalogue, spline
from . import rings

KNOTS = catalogue.KNOTS
TURNED = {"torus": catalogue.TORUS, "turks_head": catalogue.TURKS_HEAD}  # what a formula asks for, as it is usual
DIAMETER = 2.0  # radii
SIDES = 48  # of a post


def draw(name, turns, size, ends, resolution):
    """The Knot of that name: `size` is the unit its drawing is scaled to, a radius of rope where it is not loosened;
    `ends` is how much longer free ends are; `resolution` counts the points on a length of two diameters.
    """
    knot = catalogue.knot(name, catalogue.Turns(*turns))
    return knot.spaced(2.0 * DIAMETER / resolution, ends / size).scaled(size)


def curve(label, knot, radius):
    """Bézier splines along the ropes of a Knot, as thick as `radius`."""
    data = bpy.data.curves.new(label, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", radius, 4, True
    for x, closed in zip(knot.ropes, knot.closed, strict=True):
        drawn = data.splines.new("BEZIER")
        drawn.bezier_points.add(len(x) - 1)
        third = spline.slopes(x, closed) / 3.0
        for point in drawn.bezier_points:
            point.handle_left_type = point.handle_right_type = "ALIGNED"
        for name, places in (("co", x), ("handle_left", x - third), ("handle_right", x + third)):
            rings.write(drawn.bezier_points, name, places)
        drawn.use_cyclic_u = closed
    return data


def longest(knot):
    """Length of the longest rope of a Knot."""
    return max(
        np.linalg.norm(np.diff(np.vstack([x, x[:1]]) if closed else x, axis=0), axis=1).sum()
        for x, closed in zip(knot.ropes, knot.closed, strict=True)
    )


def post(knot):
    """The post of a Knot as a mesh, a closed cylinder; None where there is none."""
    if knot.post_radius == 0.0:
        return None
    along = knot.post[1] - knot.post[0]
    across = np.cross([0.0, 0.0, 1.0], along) / np.linalg.norm(along)
    turn = 2.0 * np.pi * np.arange(SIDES)[:, None] / SIDES
    circle = knot.post_radius * (np.cos(turn) * across + np.sin(turn) * np.array([0.0, 0.0, 1.0]))
    mesh = bpy.data.meshes.new("Post")
    beside = [(k, (k + 1) % SIDES) for k in range(SIDES)]
    faces = [(a, b, b + SIDES, a + SIDES) for a, b in beside]
    caps = [tuple(range(SIDES))[::-1], tuple(range(SIDES, 2 * SIDES))]
    mesh.from_pydata(np.vstack([knot.post[0] + circle, knot.post[1] + circle]).tolist(), [], faces + caps)
    mesh.polygons.foreach_set("use_smooth", [True] * SIDES + [False] * 2)
    return mesh
