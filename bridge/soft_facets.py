"""A soft body bends between the points that are drawn of it: where these are farther apart than its tetrahedra, its
faces stay flat. A simple subdivision, behind all other modifiers, changes nothing of what is drawn but gives it points.
"""

from math import ceil, log2

import numpy as np

from ..properties.soft import SUBDIVISION
from . import evaluated_mesh
from .evaluation import side_scene
from .finishing import take_finish
from .own_tetrahedra import PROPERTY
from .soft_volume import check_mesh
from .units import to_world

MOST_LEVELS = 6  # of Blender in the viewport
MOST_FACES = 200_000


def coarse(context, source):
    """What is to be told of a soft body whose faces stay flat, or "". Raises SceneError."""
    length, size, _ = _lengths(context, source)
    if length <= size:
        return ""
    return (
        f"The edges of '{source.name}' are {length:.2g} long, and the cubes of its tetrahedra {size:.2g}: its faces "
        "stay flat while it bends inside. Press Subdivide in its panel"
    )


def subdivide(context, source):
    """Add the modifier, of as many levels as make edges as short as cubes; returns whether they are not. Raises
    SceneError.
    """
    length, size, count = _lengths(context, source)
    if length <= size:
        return False
    modifier = source.modifiers.new(SUBDIVISION, "SUBSURF")
    modifier.subdivision_type = "SIMPLE"
    most = max(1, int(log2(MOST_FACES / count) / 2))  # each level makes four of a face
    modifier.levels = modifier.render_levels = min(ceil(log2(length / size)), most, MOST_LEVELS)
    return True


def restore(source):
    """Take the modifier from a mesh; returns whether it had it."""
    modifier = source.modifiers.get(SUBDIVISION)
    if modifier is None:
        return False
    source.modifiers.remove(modifier)
    return True


def _lengths(context, source):
    """(how long the edges of its faces are as it is simulated, a mean that counts each as often as it is long; how long
    the edges of the cubes of its tetrahedra; how many faces), in the world. Raises SceneError.
    """
    check_mesh(source)
    with side_scene(context.scene) as aside:
        copy = take_finish(aside.copy(source))
        aside.go(context.scene.frame_current_final)
        matrix = aside.matrix(copy)
        with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
            x, count = to_world(matrix, evaluated_mesh.vertices(mesh)), len(mesh.polygons)
            ends = np.empty(2 * len(mesh.edges), np.int32)
            mesh.edges.foreach_get("vertices", ends)
    if not count or PROPERTY in source.data:  # the nodes of its own tetrahedra are what is drawn
        return 0.0, 0.0, count
    each = np.linalg.norm(np.diff(x[ends.reshape(-1, 2)], axis=1)[:, 0], axis=1)
    size = float(np.ptp(x, axis=0).max()) / source.tendril.soft.resolution
    return float(np.sum(each**2) / max(np.sum(each), 1e-300)), size, count
