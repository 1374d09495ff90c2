"""What is parented to a tree follows its branches: leaves, birds, lanterns, a swing's hook.

A thing is shown by a copy, as the tree is. One that is all in one piece gets keys of location and rotation; a mesh of
many loose parts, as the leaves of Sapling Tree Gen are, an absolute shape key for each frame, in which every part goes
with its own branch: 12 bytes for each vertex and frame.
"""

import bpy
import numpy as np
from mathutils import Matrix
from mathutils.kdtree import KDTree

from . import animation, rings, stand_in
from .check_curve import DEFORMING
from .evaluation import side_scene
from .riding import Edges, loose_parts, scattered
from .units import continuous, quaternion, to_world

SAMPLES = 8  # places along an edge among which the nearest is looked for


def riders_of(source):
    """The objects that follow the branches of a tree: what is parented to it and can be seen."""
    return [item for item in source.children_recursive if _rides(item)]


def _rides(item):
    shown = item.type not in {"EMPTY", "CAMERA", "ARMATURE", "LATTICE"} or item.instance_type == "COLLECTION"
    return shown and not (item.tendril.is_rod or item.tendril.is_body)


def show(context, source, first_frame, splines):
    """Let the riders of `source` follow it; splines: x (F, n, 3), m₁ (F, n − 1, 3) of each rod, in the world."""
    edges = Edges.of(splines)
    nearest = _tree_of(edges)
    with side_scene(context.scene) as aside:
        found = [(item, aside.copy(item)) for item in riders_of(source)]
        aside.go(first_frame)
        placed = [(item, aside.matrix(copy)) for item, copy in found]
    for item, matrix in placed:
        _show_one(item, matrix, first_frame, edges, nearest)


def revert(source):
    """Delete the copies of the riders of `source` and show these again."""
    for item in source.children_recursive:
        _revert_one(item)


def _tree_of(edges):
    """A search tree of places along all edges at the first frame."""
    share = (np.arange(SAMPLES) + 0.5) / SAMPLES
    places = edges.ends[:, :1] + share[:, None] * (edges.ends[:, 1:] - edges.ends[:, :1])
    tree = KDTree(places.shape[0] * SAMPLES)
    for number, place in enumerate(places.reshape(-1, 3)):
        tree.insert(place, number // SAMPLES)
    tree.balance()
    return tree


def _nearest(edges, tree, points):
    """The edges (k,) nearest to points (k, 3), and how far they are (k,)."""
    edge = np.array([tree.find(point)[1] for point in points], dtype=int)
    return edge, edges.distance(points, edge)


def _show_one(source, matrix, first_frame, edges, nearest):
    item = _copy(source)
    if source.type == "MESH":
        points = to_world(matrix, rings.read(source.data.vertices, "co", 3).astype(np.float64))
        links = np.empty(2 * len(source.data.edges), dtype=np.int32)
        source.data.edges.foreach_get("vertices", links)
        part = loose_parts(len(points), links)
        if scattered(points, part):
            _scatter(item, points, _bind(points, part, edges, nearest), first_frame, edges)
            return
    _carry(item, matrix, _nearest(edges, nearest, matrix[None, :3, 3])[0][0], first_frame, edges)


def _bind(points, part, edges, nearest):
    """The edge (n,) for each point: of the point of its part that is nearest to a branch."""
    edge, gap = _nearest(edges, nearest, points)
    order = np.lexsort((gap, part))
    first = order[np.searchsorted(part[order], np.arange(part.max() + 1))]
    return edge[first][part]


def _scatter(item, points, edge, first_frame, edges):
    """Key the points of a mesh, each fixed to its edge, in world space."""
    origin = points.mean(axis=0)
    mesh = item.data = item.data.copy()
    mesh.name = item.name
    rings.clear_shape_keys(item)
    item.matrix_world = Matrix.Translation(origin)
    frames = len(edges.middle)
    for frame in range(frames):
        block = item.shape_key_add(name=f"Frame {first_frame + frame}", from_mix=False)
        block.interpolation = "KEY_LINEAR"
        co = (edges.carry(edge, points, frame) - origin).astype(np.float32)
        block.points.foreach_set("co", co.ravel())
        if frame == 0:
            rings.write(mesh.attributes["position"].data, "vector", co)
    animation.play_shape_keys(item, first_frame)


def _carry(item, matrix, edge, first_frame, edges):
    """Key location and rotation of a thing in one piece."""
    start = Matrix(matrix.tolist())
    location, rotation, scale = start.decompose()
    own = np.array(rotation.to_matrix())
    turn = continuous(quaternion(edges.turn[:, edge] @ own))
    place = np.concatenate([edges.carry(np.array([edge]), np.array([location]), k) for k in range(len(turn))])
    item.rotation_mode, item.scale = "QUATERNION", scale
    item.location, item.rotation_quaternion = place[0], turn[0]
    animation.write_poses(item, first_frame, place, turn)


def _copy(source):
    """A copy of a rider, free of all that moved it; the rider is hidden."""
    _revert_one(source)
    item = stand_in.make(source)
    stand_in.make_still(item)
    for modifier in list(item.modifiers):
        if modifier.type in DEFORMING:
            item.modifiers.remove(modifier)
    return item


def _revert_one(source):
    if not _rides(source):
        return
    if item := stand_in.show_again(source):
        mesh = item.data if item.data != source.data else None  # its own if it has keys
        if mesh:
            animation.clear(item)
        bpy.data.objects.remove(item)
        if mesh and mesh.users == 0:
            bpy.data.meshes.remove(mesh)
