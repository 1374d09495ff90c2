"""Places on a drawn rod where it can be held: a spline and a fraction of its length.

`polylines` are what `curves.read` gives of the rod as it is drawn, with no number of edges asked for.
"""

from dataclasses import dataclass

import numpy as np

from . import rings
from .doubled import counted_as

NEARLY = 0.01  # of a spline's length


@dataclass(frozen=True)
class Place:
    """Where on a rod: spline, fraction of its length in [0, 1], position (3,) in the world in Blender units."""

    spline: int
    fraction: float
    position: np.ndarray


def at(polylines, spline, fraction, units):
    """The Place `fraction` along a spline."""
    x, along = _along(polylines[spline])
    position = [np.interp(fraction * along[-1], along, column) for column in x.T]
    return Place(spline, fraction, units.blender_units(np.array(position)))


def vertex_at(rod, fraction):
    """The vertex nearest to a fraction of the length of a rod's start shape."""
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(rod.edges(), axis=1))])
    return int(np.argmin(np.abs(length - fraction * length[-1]))) % len(rod.x)


def ends(polylines, units):
    """The first and last Place of every open spline."""
    return _of_open(polylines, units, 0.0, 1.0)


def starts(polylines, units):
    """The first Place of every open spline: the roots of hair."""
    return _of_open(polylines, units, 0.0)


def tails(polylines, units):
    """The last Place of every open spline."""
    return _of_open(polylines, units, 1.0)


def _of_open(polylines, units, *fractions):
    opened = [spline for spline, polyline in enumerate(polylines) if not polyline.closed]
    return [at(polylines, spline, fraction, units) for spline in opened for fraction in fractions]


def nearest(polylines, splines, distance, units):
    """(Place, (gap [m], gap over the spline's length)): where rods are nearest to a thing, at an end where that is
    nearly as near as any place between.

    splines: numbers of those that count.
    distance: of points (n, 3) [m] from the thing and from its middle, (n,) and (n,) [m].
    """
    found = []
    for spline in splines:
        polyline = polylines[spline]
        x, along = _along(polyline)
        gap, off_centre = distance(x)
        near = gap <= gap.min() + NEARLY * along[-1]
        ends = near & (np.isin(along, along[[0, -1]]) & (not polyline.closed))
        best = int(np.argmin(np.where(ends if ends.any() else near, off_centre, np.inf)))
        place = Place(spline, float(along[best] / along[-1]), units.blender_units(x[best]))
        found.append((place, (float(gap[best]), float(gap[best] / along[-1]))))
    return min(found, key=lambda one: one[1][0])


def selected(curve, polylines, units):
    """The Places of control points selected in edit mode, which Blender keeps selected outside of it; of hair none."""
    if not hasattr(curve, "splines"):
        return []
    chosen = []
    for spline in curve.splines:
        name = "select_control_point" if spline.type == "BEZIER" else "select"
        chosen.append(np.flatnonzero([getattr(point, name) for point in rings.points(spline)]))
    return _of_points(curve, polylines, chosen, units)


def hooked(hook, curve, polylines, units):
    """The Places of the control points of a Hook modifier; it counts a Bézier point as three, its handles beside it."""
    numbers, first, chosen = np.array(hook.vertex_indices), 0, []
    for spline in curve.splines:
        each = 3 if spline.type == "BEZIER" else 1
        count = len(rings.points(spline))
        own = numbers[(numbers >= first) & (numbers < first + each * count)] - first
        chosen.append(np.unique(own[own % each == each // 2] // each))
        first += each * count
    return _of_points(curve, polylines, chosen, units)


def _of_points(curve, polylines, chosen, units):
    found = []
    for number, (spline, polyline, points) in enumerate(zip(curve.splines, polylines, chosen, strict=True)):
        x, along = _along(polyline)
        for point in points:
            vertex = _vertex(spline, polyline, point)
            found.append(Place(number, float(along[vertex] / along[-1]), units.blender_units(x[vertex])))
    return found


def _vertex(spline, polyline, point):
    """The vertex of a drawn spline that is at, or for a NURBS abreast of, control point `point`."""
    vertices = len(polyline.x)
    point = counted_as(spline, point)
    if spline.type == "POLY":
        return point
    if spline.type == "BEZIER":  # Blender draws a closed one from its last point on
        return (point + polyline.closed) * spline.resolution_u % vertices
    return round(_abreast(spline, point) * (vertices if polyline.closed else vertices - 1)) % vertices


def _abreast(spline, point):
    """The share of a NURBS spline's parameter that belongs to a control point: the mean of its knots (Greville)."""
    degree, count = spline.order_u - 1, len(spline.points)
    knots = np.arange(1, degree + 1) + point - degree
    if spline.use_cyclic_u:
        return np.mean(knots) / count % 1.0
    if spline.use_endpoint_u:
        knots = np.clip(knots, 0, count - degree)
    return float(np.clip(np.mean(knots) / (count - degree), 0.0, 1.0))


def _along(polyline):
    """(vertices with a closed spline's first repeated, their distances along it), (k, 3) and (k,) [m]."""
    x = np.vstack([polyline.x, polyline.x[:1]]) if polyline.closed else polyline.x
    return x, np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])
