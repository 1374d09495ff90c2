"""Meshes as sheets: their faces, cut into triangles that look to one side, whose corners are the nodes."""

import numpy as np

from ..physics.scene import Sheet
from ..physics.validate import SceneError
from ..physics.validate.sheets import check_sheet, edges_of
from ..properties.parameters import SOFT
from .soft_volume import Filling, check_finite, surface_now
from .units import Units

THIN = 0.25  # of the mean length of its edges: the thickness of a new sheet, where it would be none with its material's


def faces(name, x, triangles):
    """The Filling of a sheet of points x (V, 3) and triangles (T, 3): these, as they are. Raises SceneError."""
    if not len(triangles):
        raise SceneError(name, f"'{name}' has no faces, of which a sheet is made: choose a mesh that has some.")
    check_finite(name, x)
    loose = len(x) - len(np.unique(triangles))
    if loose:
        raise SceneError(
            name, f"'{name}' has vertices in no face, {loose} of them: delete them with Mesh › Clean Up › Delete Loose."
        )
    turned = one_sided(triangles)
    return Filling(x, turned, x, turned, 0.0, True, 0.0)


def sheet(source, inside, matrix, numbers, **more):
    """The Sheet of a mesh object at `matrix` (4, 4), of a Filling of `faces` [m]; numbers: E [Pa] and relaxation time
    [s]; more: its other fields.
    """
    settings, (young, relaxation) = source.tendril.soft, numbers
    plate = settings.thickness * SOFT["thickness"].si
    axis, rest = np.asarray(matrix)[:3, "XYZ".index(settings.curl_axis)], more.get("rest_x", inside.x)
    side = np.sign(np.linalg.det(np.asarray(matrix)[:3, :3]))  # to which triangles look that it mirrors
    return Sheet(
        source.name, inside.x, density=settings.density, young=young, poisson=settings.poisson,
        triangles=inside.triangles, plate=plate, membrane=settings.membrane,
        relaxation=relaxation, curvature=rolled(rest[inside.triangles], axis, side * settings.curl), **more,
    )  # fmt: skip


def fit(context, source):
    """Make a new sheet, as its mesh is at the current frame, so thin that it is one → what is to be told, or "". Raises
    SceneError: the mesh can be none.
    """
    x, triangles = surface_now(context, source)
    units, settings = Units.of(context.scene, context.scene.frame_current), source.tendril.soft
    inside = faces(source.name, units.metres(x), triangles)
    edge, text = edges_of(inside.x[inside.triangles]).mean() / SOFT["thickness"].si, ""
    if settings.thickness > edge:
        settings.thickness = THIN * edge
        text = f"The faces of '{source.name}' are {edge:.2g} mm long, so its Thickness is {settings.thickness:.2g} mm"
    check_sheet(sheet(source, inside, np.eye(4), (settings.young * SOFT["young"].si, settings.relaxation)))
    return text


def rolled(corners, axis, curl):
    """(T, 3, 3) [1/m]: what adds a curvature `curl` [1/m] about an axis (3,) to triangles (T, 3, 3) [m]; None: 0.

    κ d dᵀ, d = a × n: of unit length where the axis a is in a triangle's plane, 0 where it stands on it.
    """
    if not curl:
        return None
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    d = np.cross(axis / np.linalg.norm(axis), normal / np.where(size > 0.0, size, 1.0))
    return -curl * d[:, :, None] * d[:, None, :]


def one_sided(triangles):
    """Triangles (T, 3) of which those that look to another side than most that hang together with them are turned, as
    far as two sides can be told from each other.
    """
    ends = np.stack([triangles, np.roll(triangles, -1, axis=1)], axis=2).reshape(-1, 2)
    if len(np.unique(ends, axis=0)) == len(ends):  # each edge is gone along once in each sense
        return triangles
    edge, count = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True, return_counts=True)[1:]
    order = np.argsort(edge.ravel(), kind="stable")
    first = np.cumsum(count) - count
    one, other = (order[first[count == 2] + k] for k in (0, 1))
    differ = (ends[one] == ends[other]).all(axis=1)
    beside = [[] for _ in triangles]
    for a, b, differs in zip((one // 3).tolist(), (other // 3).tolist(), differ.tolist(), strict=True):
        beside[a].append((b, differs))
        beside[b].append((a, differs))
    turn = np.full(len(triangles), -1)
    for start in range(len(triangles)):
        if turn[start] < 0:
            turn[start], piece = 0, [start]
            for a in piece:
                for b, differs in beside[a]:
                    if turn[b] < 0:
                        turn[b] = turn[a] ^ differs
                        piece.append(b)
            if 2 * turn[piece].sum() > len(piece):
                turn[piece] = 1 - turn[piece]
    return np.where(turn[:, None] == 1, triangles[:, ::-1], triangles)
