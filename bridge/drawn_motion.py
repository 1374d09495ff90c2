"""A rod's curve that carries its own points while the frames go by, as it is drawn at each."""

import numpy as np

from . import rings
from .curves import rod_lines
from .riding import Edges
from .skin import MOVED
from .units import to_object


class DrawnMotion:
    """What each of some guides stands on (`deforming`): its support, a vertex of the rod's spline, and the edge
    behind it, the one that a clamp there holds.
    """

    def __init__(self, item, evaluated, guides, units, aside):
        """evaluated: the object at the first frame."""
        self.item, self.aside, self.moved, self.changed = item, aside, False, ""
        self.points, self.supports = self._points(evaluated), [guide.support for guide in guides]
        self.places, self.edges = [], []

    def look(self, evaluated, frame, units):
        """Take in where it is at a frame, the first or one after the last."""
        points = self._points(evaluated)
        if points.shape != self.points.shape:
            self.changed = f"other points at frame {frame} than at frame {units.first_frame}"
        if self.changed:
            return
        self.moved = self.moved or np.abs(points - self.points).max() > MOVED * np.abs(self.points).max()
        if not self.supports:
            return
        lines = rod_lines(self.item, evaluated, self.aside.depsgraph, units)
        if self.edges and [len(line.x) for line in lines] != self.lengths:
            self.changed = f"other branches at frame {frame} than at frame {units.first_frame}"
            return
        self.lengths = [len(line.x) for line in lines]
        matrix = np.array(evaluated.matrix_world, dtype=np.float64)
        places = np.array([lines[spline].x[vertex] for spline, vertex in self.supports])
        self.places.append(to_object(matrix, units.blender_units(places)))
        self.edges.append([_edge(lines[spline], vertex) for spline, vertex in self.supports])

    def found(self):
        """As of a Skin."""
        edges = np.moveaxis(np.array(self.edges), 1, 0)
        return np.array(self.places), Edges.of([(own[:, :2], own[:, 2:]) for own in edges]).turn

    @property
    def trouble(self):
        """As of a Skin."""
        return (f"has {self.changed}", "pin it to an object") if self.changed else None

    def _points(self, evaluated):
        """All that shapes its splines, as one array."""
        curve = evaluated.to_curve(self.aside.depsgraph, apply_modifiers=True)
        try:
            return np.concatenate([own.ravel() for spline in curve.splines for own in rings.all_of(spline).values()])
        finally:
            evaluated.to_curve_clear()


def _edge(line, vertex):
    """(3, 3): the ends of the edge behind a vertex, or of the last, and its axis."""
    edge = min(vertex, len(line.axes) - 1)
    return np.stack([line.x[edge], line.x[(edge + 1) % len(line.x)], line.axes[edge]])
