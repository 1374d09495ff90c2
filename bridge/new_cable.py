"""A curve through several objects, one after the other, that sags between them."""

from itertools import pairwise

import bpy
import numpy as np

from ..physics.validate import SceneError
from . import rings
from .bezier import control_points
from .check_curve import check_matrix

PIECES = 24  # of the curve between two objects
HALVINGS = 60
UPRIGHT = 1e-2  # of the way: what goes aside by less would hang into itself
APART = 1e-6  # of the longest way, and of a Blender unit: nearer than that two objects are in one place


def in_order(objects):
    """Objects from the first on, each followed by the nearest of those that are left. Raises SceneError: one is
    nowhere, or two are in one place.
    """
    for item in objects:
        check_matrix(item.name, np.array(item.matrix_world))
    first, *left = objects
    found = [first]
    while left:
        near = min(left, key=lambda item: _gap(found[-1], item))
        left.remove(near)
        found.append(near)
    longest = max(_gap(one, other) for one, other in pairwise(found))
    for one, other in pairwise(found):
        if _gap(one, other) <= APART * max(1.0, longest):
            text = f"'{one.name}' and '{other.name}' are in the same place: move one, or select other objects."
            raise SceneError(other.name, text)
    return found


def curve(name, places, aside, slack, radius):
    """(curve object, fractions of its length at which it meets places (k, 3)): by so much longer than the way from one
    to the next, `slack` a part of that; aside (3,): where it goes where its way is upright; radius [Blender units].
    """
    spans = [_span(one, other, aside, slack) for one, other in pairwise(places)]
    x = np.vstack([*(span[:-1] for span in spans), spans[-1][-1:]])
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.bevel_resolution, data.use_fill_caps = "3D", radius, 4, True
    spline = data.splines.new("BEZIER")
    spline.bezier_points.add(len(x) - 1)
    rings.free_handles(spline)
    for name_, values in zip(("co", "handle_left", "handle_right"), control_points(x, closed=False), strict=True):
        rings.write(spline.bezier_points, name_, values)
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
    return bpy.data.objects.new(name, data), along[::PIECES] / along[-1]


def _gap(one, other):
    return (one.matrix_world.translation - other.matrix_world.translation).length


def _span(start, end, aside, slack):
    """Points (PIECES + 1, 3) of a parabola that hangs so deep that it is longer by `slack` than the way is; where that
    is upright it goes aside.
    """
    share = np.linspace(0.0, 1.0, PIECES + 1)[:, None]
    straight, way = start + share * (end - start), float(np.linalg.norm(end - start))
    upright = np.linalg.norm((end - start)[:2]) < UPRIGHT * way
    down = 4.0 * share * (1.0 - share) * (aside if upright else np.array([0.0, 0.0, -1.0]))
    low, high = 0.0, 4.0 * way * (1.0 + slack)
    for _ in range(HALVINGS):
        depth = 0.5 * (low + high)
        length = np.linalg.norm(np.diff(straight + depth * down, axis=0), axis=1).sum()
        low, high = (low, depth) if length > (1.0 + slack) * way else (depth, high)
    return straight + depth * down
