"""How far off a collider things stay where Automatic chooses that: by as much as contact lets the thinnest of them
overlap with a surface before it takes a step back. So nothing that is drawn dips into it, and the gap is not seen.
"""

import numpy as np

from .meeting import may_touch

OVERLAP = 0.05  # of the radius of what touches: DEEP of physics/time_integration/verify
TIP = 0.25  # of a spline's largest radius, where it is drawn to a point: THINNEST of trees/tree
HAIR = 0.005  # radius of hair without that attribute, in object space: what Cycles draws
# Of the smallest extent of a rigid body, of the largest, and of a lattice's cube in a soft one, the radius by which it
# is rounded for contact: ROUND, LEAST_ROUND and ROUND_OF_EDGES of physics/rounding.
ROUND, LEAST_ROUND, ROUND_OF_EDGES = 0.015, 1e-4, 0.03


def automatic(view_layer, collider):
    """Thickness [Blender units] of a collider among the rods and bodies of a view layer, at the present frame."""
    touching = (item for item in view_layer.objects if may_touch(item, collider))
    return part_of(radius_of(item, item) for item in touching)


def part_of(radii):
    """Thickness for things of these radii; 0 for none."""
    return OVERLAP * min(radii, default=0.0)


def radius_of(item, evaluated):
    """Radius [Blender units] with which a rod, where it is thinnest, or a body touches; evaluated: at a frame."""
    if item.tendril.is_rod:
        return _of_rod(item.tendril.rod, evaluated)
    size = _extents(evaluated)
    if item.tendril.is_soft and item.tendril.soft.is_sheet:
        return ROUND_OF_EDGES * _mean_edge(evaluated)  # its own thickness can make it more
    if item.tendril.is_soft:
        return ROUND_OF_EDGES * size.max() / item.tendril.soft.resolution
    return max(ROUND * size.min(), LEAST_ROUND * size.max())


def _of_rod(rod, evaluated):
    if rod.use_radius:
        return rod.radius
    curve = evaluated.data
    scale = abs(np.linalg.det(np.array(evaluated.matrix_world)[:3, :3])) ** (1.0 / 3.0)
    if evaluated.type == "CURVES":
        radius = np.full(len(curve.points), HAIR, np.float32)
        own = curve.attributes.get("radius")
        if own and own.data_type == "FLOAT" and own.domain == "POINT":
            own.data.foreach_get("value", radius)
        return scale * float(max(radius.min(initial=0.0), TIP * radius.max(initial=0.0)))
    return curve.bevel_depth * scale * min(map(_thinnest, curve.splines), default=0.0)


def _thinnest(spline):
    points = spline.bezier_points if spline.type == "BEZIER" else spline.points
    radius = np.empty(len(points), np.float32)
    points.foreach_get("radius", radius)
    return float(max(radius.min(), TIP * radius.max()))


def _mean_edge(evaluated):
    """Length [Blender units] of a mesh's edges."""
    mesh, matrix = evaluated.data, np.array(evaluated.matrix_world)[:3, :3]
    place, ends = np.empty(3 * len(mesh.vertices), np.float32), np.empty(2 * len(mesh.edges), np.int32)
    mesh.vertices.foreach_get("co", place)
    mesh.edges.foreach_get("vertices", ends)
    edges = np.diff(place.reshape(-1, 3)[ends.reshape(-1, 2)], axis=1)[:, 0] @ matrix.T
    return float(np.linalg.norm(edges, axis=1).mean()) if len(edges) else 0.0


def _extents(evaluated):
    """Extents (3,) [Blender units] along the object's axes."""
    scale = np.linalg.norm(np.array(evaluated.matrix_world)[:3, :3], axis=0)
    return np.ptp(np.array(evaluated.bound_box), axis=0) * scale
