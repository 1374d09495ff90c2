"""A branching curve of a skeleton mesh, as Sapling Tree Gen would have drawn it."""

import bpy
import numpy as np

from ..trees.skeleton import branches
from . import rings


def of_skeleton(mesh_object):
    """A curve object, in no collection yet, where the mesh is: a Bézier spline for each branch. Raises SceneError.

    Radii come from the Skin modifier's data, if the mesh has some.
    """
    mesh, matrix = mesh_object.data, np.array(mesh_object.matrix_world)
    x = rings.read(mesh.vertices, "co", 3).astype(np.float64) @ matrix[:3, :3].T + matrix[:3, 3]
    edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
    mesh.edges.foreach_get("vertices", edges)
    radius, roots = _skin(mesh, np.cbrt(abs(np.linalg.det(matrix[:3, :3]))))
    curve = bpy.data.curves.new(f"{mesh_object.name} Tree", "CURVE")
    curve.dimensions, curve.bevel_depth, curve.use_fill_caps = "3D", 1.0, True
    try:
        found = branches(mesh_object.name, x, edges.reshape(-1, 2), radius, roots)
    except ValueError:
        bpy.data.curves.remove(curve)
        raise
    for points, thickness in found:
        spline = curve.splines.new("BEZIER")
        spline.bezier_points.add(len(points) - 1)
        rings.write(spline.bezier_points, "co", points)
        rings.write(spline.bezier_points, "radius", thickness)
        for point in spline.bezier_points:
            point.handle_left_type = point.handle_right_type = "AUTO"
    for look in mesh.materials:
        curve.materials.append(look)
    return bpy.data.objects.new(curve.name, curve)


def _skin(mesh, scale):
    """(radius (n,), vertices marked as roots) of the Skin modifier's data, or (None, ()) without it."""
    if not mesh.skin_vertices:
        return None, ()
    layer = mesh.skin_vertices[0].data
    radius = rings.read(layer, "radius", 2).astype(np.float64).mean(axis=1)
    return scale * radius, [vertex for vertex, item in enumerate(layer) if item.use_root]
