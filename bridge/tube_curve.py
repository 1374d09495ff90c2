"""The tubes of a mesh as one curve: a Bézier spline for each branch, with its thickness as radius of its points."""

import bpy
import numpy as np

from ..meshing.tubes.between import between
from ..meshing.tubes.find import find
from ..meshing.tubes.line import Line
from ..physics.validate import SceneError
from ..properties.own_motion import DEFORMING
from . import rings
from .bezier import control_points
from .units import to_world

FEWEST, MOST = 4, 400  # control points of a spline, else one for each radius of its length
DRAWN = 4  # pieces between two of them
ALIKE = 0.05  # of the radius: by how much the hollows of branches may differ, as they have one in common


class Found:
    """The branches of a mesh object in the world: lines [Line], radius and inner radius [(k,)] at their points
    [Blender units]; of each vertex the branch (v,), −1: it goes with none, and how far along it, s (v,); ends
    [(a, b)]: numbers of the nodes they go from and to.
    """

    def __init__(self, lines, radius, inner, ends, branch, s):
        self.lines, self.radius, self.inner, self.ends, self.branch, self.s = lines, radius, inner, ends, branch, s

    @property
    def hollow(self):
        """(the inner radius where it is thickest, whether that is right for all branches)."""
        share = np.concatenate(self.inner) / np.concatenate(self.radius)
        most = max(float(radius.max()) for radius in self.radius)
        return float(np.median(share)) * most, float(np.ptp(share)) <= ALIKE


def of_mesh(mesh_object, picked=None):
    """Found in a mesh, or in the part of it between two picked vertices. Raises SceneError."""
    name, mesh = mesh_object.name, mesh_object.data
    check(mesh_object)
    x = to_world(np.array(mesh_object.matrix_world), rings.read(mesh.vertices, "co", 3).astype(np.float64))
    corners, sizes = np.empty(len(mesh.loops), dtype=np.int32), np.empty(len(mesh.polygons), dtype=np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    mesh.polygons.foreach_get("loop_total", sizes)
    tubes = find(name, x, corners.astype(int), sizes.astype(int), whole_mesh=picked is None)
    if picked is None:
        return Found(tubes.lines, tubes.radius, tubes.inner, tubes.ends, tubes.branch, tubes.s)
    part = between(name, tubes, *picked)
    return Found([part.line], [part.radius], [part.inner], [(0, 1)], np.where(part.taken, 0, -1), part.s)


def check(mesh_object):
    """Raises SceneError: its vertices are not where they are seen, or cannot be given an attribute."""
    name, mesh = mesh_object.name, mesh_object.data
    if mesh.library or mesh_object.library:
        raise SceneError(name, f"The mesh of '{name}' is linked from a library: make it local.")
    if mesh.shape_keys:
        raise SceneError(name, f"'{name}' has shape keys, which would go on bending it: remove them first.")
    bending = next((each for each in mesh_object.modifiers if each.show_viewport and each.type in DEFORMING), None)
    if bending:
        raise SceneError(name, f"'{name}' has the modifier '{bending.name}', which bends it: apply it first.")


def curve(name, found, origin):
    """A curve object, in no collection yet, at `origin` (3,), as thick as its points' radius says: its bevel is 1."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.resolution_u = "3D", 1.0, DRAWN
    for line, radius in zip(found.lines, found.radius, strict=True):
        count = int(np.clip(round(line.length / float(np.median(radius))), FEWEST, MOST))
        s = np.linspace(0.0, line.length, count + 1)
        spline = data.splines.new("BEZIER")
        spline.bezier_points.add(count)
        spline.resolution_u = DRAWN
        rings.free_handles(spline)
        own = control_points(Line(line.x).at(s) - origin, closed=False)
        for attribute, values in zip(("co", "handle_left", "handle_right"), own, strict=True):
            rings.write(spline.bezier_points, attribute, values)
        rings.write(spline.bezier_points, "radius", np.interp(s, line.s, radius))
    item = bpy.data.objects.new(name, data)
    item.location = origin
    return item
