"""Where several cables hold on to the same objects, one after the other: side by side, across the way and across
gravity, or around each object, on the circle that its vertices lie on in the mean.
"""

from itertools import pairwise

import numpy as np

from . import evaluated_mesh
from .stripe import dot, unit
from .units import to_world

LEVEL = 1e-3  # of a way: nearer to gravity's line it has no side
DRAWN = {"MESH", "CURVE", "SURFACE", "FONT", "META"}


def in_a_row(objects, count, apart, gravity):
    """(places (count, k, 3) in the world of k objects, so far apart; where each may go aside (count, 3), unit)."""
    place = _places(objects)
    way, across = _frames(objects, place, gravity)
    found = place + apart * (np.arange(count) - 0.5 * (count - 1))[:, None, None] * across
    return found, np.repeat(np.cross(way[:1], across[0]), count, axis=0)


def around(context, objects, count, apart, gravity):
    """The same, on a circle about that axis of each object that is nearest to the way: as wide as the object is in the
    mean, at least so wide that they are so far apart.
    """
    place = _places(objects)
    way, across = _frames(objects, place, gravity)
    axis = np.array([_axis(item, own) for item, own in zip(objects, way, strict=True)])
    wide = [_radius(context, item, own) for item, own in zip(objects, axis, strict=True)]
    radius = np.maximum(wide, 0.5 * apart / np.sin(np.pi / count))
    first = unit(across - dot(across, axis) * axis)
    second, angle = np.cross(axis, first), 2.0 * np.pi * np.arange(count)[:, None, None] / count
    out = np.cos(angle) * first + np.sin(angle) * second
    return place + radius[:, None] * out, out[:, 0]


def _places(objects):
    return np.array([item.matrix_world.translation for item in objects], dtype=np.float64)


def _frames(objects, place, gravity):
    """Unit vectors (k, 3), (k, 3) at each object: along the way, and across it and across gravity. Where the way is
    along gravity that is along an axis of the first object that is across.
    """
    down = gravity / (np.linalg.norm(gravity) or 1.0) if np.any(gravity) else np.array([0.0, 0.0, -1.0])
    spans = [unit(b - a) for a, b in pairwise(place)]
    own = unit(np.array(objects[0].matrix_world, dtype=np.float64)[:3, :3].T)
    across = [own[np.argmin(np.abs(own @ spans[0]))]]
    for span in spans:
        side = np.cross(down, span)
        if np.linalg.norm(side) < LEVEL:
            side = across[-1] - (across[-1] @ span) * span
        side = unit(side)
        across.append(side if len(across) == 1 or side @ across[-1] >= 0.0 else -side)
    return _between(spans), _between(across[1:])


def _between(each):
    """Unit vectors (k + 1, 3) half way between those of (k, 3), the first of two where the way turns back."""
    incoming, outgoing = np.array([each[0], *each]), np.array([*each, each[-1]])
    middle = incoming + outgoing
    return unit(np.where(np.linalg.norm(middle, axis=1, keepdims=True) < LEVEL, incoming, middle))


def _axis(item, way):
    """Unit (3,): the axis of an object that is nearest to a way, along it."""
    own = unit(np.array(item.matrix_world, dtype=np.float64)[:3, :3].T)
    nearest = own[np.argmax(np.abs(own @ way))]
    return nearest if nearest @ way > 0.0 else -nearest


def _radius(context, item, axis):
    """Mean distance of the vertices of an object from an axis through its origin; 0 of what has none."""
    if item.type not in DRAWN:
        return 0.0
    with evaluated_mesh.mesh_of(item.evaluated_get(context.evaluated_depsgraph_get())) as mesh:
        x = evaluated_mesh.vertices(mesh)
    matrix = np.array(item.matrix_world, dtype=np.float64)
    arm = to_world(matrix, x) - matrix[:3, 3]
    return float(np.linalg.norm(arm - dot(arm, axis) * axis, axis=1).mean()) if len(x) else 0.0
