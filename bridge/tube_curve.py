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

FEWEST, MOST = 4, 800  # pieces of a spline,
PIECE = 0.5  # radii: else each is so long; in bends of 3 radii the curve is .03 % too short then, with 1 .12 %
DRAWN = 4  # pieces that Blender draws of each
STIFF = 6.0  # radii of the thickest branch: so far from a fork its mesh goes more with that than with the branch. Edges
# there stretch by .76 to 1.19 where one of three branches is moved by a third of its length; with 0 by .26 to 1.57
ELSEWHERE = ("LAPLACIANDEFORM", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "SURFACE_DEFORM")  # they put vertices where they
# know, whatever a modifier before them does
ALIKE = 0.05  # of the radius: by how much the hollows of branches may differ, as they have one in common


class Found:
    """The branches of a mesh object in the world: lines [Line], radius and inner radius [(k,)] at their points
    [Blender units]; of each vertex the branch (v,), −1: it goes with none, and how far along it, s (v,); ends
    [(a, b)]: numbers of the nodes they go from and to.
    """

    def __init__(self, lines, radius, inner, ends, branch, s):
        self.lines, self.radius, self.inner, self.ends, self.branch, self.s = lines, radius, inner, ends, branch, s

    @property
    def fraction(self):
        """(v,) of the length of its branch where each vertex goes with this: near a fork nearer to that, so that those
        between two branches go with what joins them.
        """
        s, length = self.s.copy(), np.array([line.length for line in self.lines])
        degree, thick = np.bincount(np.ravel(self.ends)), [float(np.median(radius)) for radius in self.radius]
        for b, ends in enumerate(self.ends):
            own = self.branch == b
            for side in range(2):
                if degree[ends[side]] < 3:
                    continue
                joined = [thick[other] for other, its in enumerate(self.ends) if ends[side] in its]
                reach = min(STIFF * max(joined), 0.5 * length[b])
                far = length[b] - s[own] if side else s[own]
                share = np.clip(far / reach, 0.0, 1.0)
                far = np.where(share < 1.0, reach * share**3 * (3.0 - 2.0 * share), far)  # and on with slope 1
                s[own] = length[b] - far if side else far
        return s / length[self.branch]

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
    for each in mesh_object.modifiers:
        if each.type in (*DEFORMING, *ELSEWHERE) and (each.show_viewport or each.show_render):
            raise SceneError(
                name, f"'{name}' has the modifier '{each.name}', which bends it: apply or remove it first."
            )
        if each.type == "MULTIRES":
            raise SceneError(
                name, f"'{name}' has the modifier '{each.name}', which would follow no cable: apply or remove it first."
            )


def curve(name, found, origin):
    """A curve object, in no collection yet, at `origin` (3,), as thick as its points' radius says: its bevel is 1."""
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions, data.bevel_depth, data.resolution_u = "3D", 1.0, DRAWN
    for line, radius in zip(found.lines, found.radius, strict=True):
        count = int(np.clip(round(line.length / (PIECE * float(np.median(radius)))), FEWEST, MOST))
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
