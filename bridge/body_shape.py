"""What of a rigid body touches: its mesh, its convex hull, or a simple shape around it, as a Shape in the world.

Simple shapes are those of Blender's own rigid bodies: around the middle of the mesh's bounds and along the object's
axes, capsule and cylinder along its z, as thick as the wider of x and y.
"""

import bmesh
import numpy as np

from ..physics.scene import Shape
from ..physics.validate import SceneError
from ..physics.validate.colliders import degenerate
from ..physics.validate.edge_sides import edge_sides
from .units import to_world

SIDES = 32  # of a cylinder
BALL = 500  # points on a sphere that is to be a mesh: their hull is nowhere more than 0.8 % of its radius within
FLAT_SHAPE = 1e-6  # of its length: what is less thick is rounding
MOST_TRIANGLES = 20_000  # triangles
CURE = "choose Shape Convex Hull in Collisions"


def read_shape(name, kind, x, triangles, matrix, units):
    """The Shape [m], of a kind of COLLISION_SHAPES, of a mesh: vertices x (V, 3) in object space, triangles (T, 3),
    matrix (4, 4) to the world. Raises SceneError: flat, open, or of too many triangles.
    """
    centre, sides = _bounds(x, matrix, units)
    if kind == "SPHERE":
        shape = _sphere(centre, 0.5 * np.linalg.norm(sides, axis=1).max())
    elif kind == "CAPSULE":
        shape = _capsule(centre, *_along_z(sides, matrix))
    elif is_flat(x, matrix):
        text = "choose Shape Sphere or Capsule in Collisions, add a Solidify modifier, or turn Collisions off"
        raise SceneError(name, f"'{name}' is flat, so it has no inside that others could be kept out of: {text}.")
    elif kind == "MESH":
        _check_mesh(name, x, triangles)
        shape = _outwards(units.metres(to_world(matrix, x)), triangles)
    else:
        points = x if kind == "CONVEX_HULL" else _corners(x) if kind == "BOX" else _prism(x, matrix)
        shape = _outwards(units.metres(to_world(matrix, points)), hull(points))
    if len(shape.triangles) > MOST_TRIANGLES:
        cure = CURE if kind == "MESH" else "choose a simpler Shape in Collisions"
        many = f"{len(shape.triangles)} triangles, more than {MOST_TRIANGLES}"
        text = f"'{name}' collides with {many}: {cure}, or add a Decimate"
        raise SceneError(name, f"{text} modifier.")
    return shape


def is_flat(x, matrix):
    """Whether vertices x (V, 3) lie in a plane, as the object's matrix (4, 4) scales them."""
    away = (x - x.mean(axis=0)) @ matrix[:3, :3].T
    thickness = np.linalg.svd(away, compute_uv=False)
    return thickness[-1] <= FLAT_SHAPE * thickness[0]


def meshed(shape):
    """A convex Shape without a radius, in place of one that has it: points all around those of the other."""
    if shape.radius == 0.0:
        return shape
    number = np.arange(BALL) + 0.5
    z, turn = 1.0 - 2.0 * number / BALL, np.pi * (1.0 + np.sqrt(5.0)) * number  # a spiral of the golden section
    across = np.sqrt(1.0 - z * z)
    ball = shape.radius * np.column_stack([across * np.cos(turn), across * np.sin(turn), z])
    points = (shape.points[:, None] + ball).reshape(-1, 3)
    return _outwards(points, hull(points - points.mean(axis=0)))


def hull(points):
    """Triangles (T, 3) of the convex hull of points (V, 3) that are not in a plane."""
    mesh = bmesh.new()
    try:
        number = mesh.verts.layers.int.new("number")
        for index, point in enumerate(points):
            mesh.verts.new(point)[number] = index
        bmesh.ops.convex_hull(mesh, input=mesh.verts)
        return np.array([[vertex[number] for vertex in face.verts] for face in mesh.faces])
    finally:
        mesh.free()


def _bounds(x, matrix, units):
    """(middle (3,), edges (3, 3), a row for each axis) [m] of the box around vertices, along the object's axes."""
    low, high = x.min(axis=0), x.max(axis=0)
    return units.metres(to_world(matrix, 0.5 * (low + high))), units.metres((matrix[:3, :3] * (high - low)).T)


def _along_z(sides, matrix):
    """(radius, half of the length between the middles of its ends (3,)) [m] of what is round along z."""
    length = np.linalg.norm(sides, axis=1)
    radius, axis = 0.5 * max(length[:2]), matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])
    return radius, max(0.5 * length[2] - radius, 0.0) * axis


def _sphere(centre, radius):
    return Shape(centre[None], np.zeros((1, 3), dtype=np.int64), float(radius))


def _capsule(centre, radius, half):
    if not half.any():
        return _sphere(centre, radius)
    return Shape(np.stack([centre - half, centre + half]), np.array([[0, 1, 1]]), float(radius))


def _corners(x):
    """Those (8, 3) of the box around vertices."""
    return np.stack(np.meshgrid(*np.stack([x.min(axis=0), x.max(axis=0)], axis=1)), axis=-1).reshape(-1, 3)


def _prism(x, matrix):
    """Corners (2 SIDES, 3) in object space of a prism that is round in the world, around vertices."""
    low, high = x.min(axis=0), x.max(axis=0)
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    radius = 0.5 * max(((high - low) * scale)[:2])
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = 0.5 * (low + high)[:2] + radius * np.column_stack([np.cos(angle), np.sin(angle)]) / scale[:2]
    return np.concatenate([np.column_stack([ring, np.full(SIDES, z)]) for z in (low[2], high[2])])


def _outwards(points, triangles):
    """A Shape without a radius of what these triangles close: they look outwards; points that none has are left out,
    as are triangles without area.
    """
    triangles = triangles[~degenerate(points, triangles)]
    used, triangles = np.unique(triangles, return_inverse=True)
    points, triangles = points[used], triangles.reshape(-1, 3)
    a, b, c = np.moveaxis((points - points.mean(axis=0))[triangles], 1, 0)
    inside_out = np.einsum("ij,ij->", a, np.cross(b, c)) < 0.0
    return Shape(points, np.ascontiguousarray(triangles[:, ::-1]) if inside_out else triangles)


def _check_mesh(name, x, triangles):
    """Raises SceneError when triangles do not close an inside."""
    sides, balance = edge_sides(x, triangles)
    rims, forks = int(np.sum(sides == 1)), int(np.sum(sides > 2))
    for found, trouble, cure in (
        (rims, f"is open at {rims} edges", "close it"),
        (forks, f"has {forks} edges of more than two faces", "remove the faces inside it"),
        (balance.any(), "has faces that disagree on what is outside", "recalculate its normals in edit mode (Shift N)"),
    ):
        if found:
            raise SceneError(name, f"'{name}' cannot collide as it is, its mesh {trouble}: {CURE}, or {cure}.")
