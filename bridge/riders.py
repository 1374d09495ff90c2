"""What is parented to a tree follows its branches: leaves, birds, lanterns, a swing's hook.

A thing is shown by a copy, which hangs on the copy that shows the tree. One that is all in one piece gets keys of
location and rotation; a mesh of many loose parts, as the leaves of Sapling Tree Gen are, an absolute shape key for each
frame, in which every part goes with its own branch: 12 bytes for each vertex and frame, or a file, as the tree.
"""

import numpy as np
from mathutils import Matrix
from mathutils.kdtree import KDTree

from ..physics.arithmetic.quaternions import continuous
from . import animation, look, mesh_cache, result_object, rings
from .evaluation import side_scene
from .loose_parts import loose_parts, scattered
from .riding import Edges
from .units import quaternion, to_object, to_world

SAMPLES = 8  # places along an edge among which the nearest is looked for


def riders_of(source):
    """The objects that follow the branches of a tree: what is parented to it and can be seen."""
    return [item for item in source.children_recursive if _rides(item)]


def _rides(item):
    shown = item.type not in {"EMPTY", "CAMERA", "ARMATURE", "LATTICE"} or item.instance_type == "COLLECTION"
    return shown and not (item.tendril.is_rod or item.tendril.is_body or item.tendril.is_soft)


def show(context, source, units, splines, cache):
    """Let the riders of `source` follow it; splines: x (F, n, 3), m₁ (F, n − 1, 3) of each rod, in the world; cache:
    beside which a file goes. Raises BakeError: it cannot be written.
    """
    edges = Edges.of(splines)
    nearest, tree = Nearest(edges), result_object.result_of(source)
    for rider, matrix in places(context, source, units):
        found = scattered_points(rider, matrix)
        item = _item(context, rider, tree, has_keys=found is not None)
        if found:
            path = mesh_cache.new_path(source, cache, rider.name)
            _scatter(item, units, matrix, found[0], nearest.bind(*found), edges, path)
        else:
            _carry(item, units, *carried(matrix, edges, nearest.of(matrix)))


def places(context, source, units):
    """[(rider, its world matrix (4, 4) at the first frame)] of a tree."""
    with side_scene(context.scene) as aside:
        found = [(item, aside.copy(item)) for item in riders_of(source)]
        aside.go(units.first_frame)
        return [(item, aside.matrix(copy)) for item, copy in found]


def revert(source):
    """Delete the copies of the riders of `source` and show these again."""
    for item in source.children_recursive:
        _revert_one(item)


class Nearest:
    """Which of some Edges is nearest at the first frame, by places along them."""

    def __init__(self, edges):
        share = (np.arange(SAMPLES) + 0.5) / SAMPLES
        places = edges.ends[:, :1] + share[:, None] * (edges.ends[:, 1:] - edges.ends[:, :1])
        self.edges, self.tree = edges, KDTree(places.shape[0] * SAMPLES)
        for number, place in enumerate(places.reshape(-1, 3)):
            self.tree.insert(place, number // SAMPLES)
        self.tree.balance()

    def of(self, matrix):
        """The edge nearest to a thing in one piece, which is at `matrix`."""
        return self._nearest(matrix[None, :3, 3])[0][0]

    def bind(self, points, part):
        """The edge (n,) for each point: of the point of its part that is nearest to a branch."""
        edge, gap = self._nearest(points)
        order = np.lexsort((gap, part))
        first = order[np.searchsorted(part[order], np.arange(part.max() + 1))]
        return edge[first][part]

    def _nearest(self, points):
        """The edges (k,) nearest to points (k, 3), and how far they are (k,)."""
        edge = np.array([self.tree.find(point)[1] for point in points], dtype=int)
        return edge, self.edges.distance(points, edge)


def scattered_points(source, matrix):
    """(points (n, 3) in the world, the loose part (n,) of each) of a mesh of many loose parts; None: it is none."""
    if source.type != "MESH":
        return None
    points = to_world(matrix, rings.read(source.data.vertices, "co", 3).astype(np.float64))
    links = np.empty(2 * len(source.data.edges), dtype=np.int32)
    source.data.edges.foreach_get("vertices", links)
    part = loose_parts(len(points), links)
    return (points, part) if scattered(points, part) else None


def _scatter(item, units, matrix, points, edge, edges, path):
    """Move the points of a mesh, each fixed to its edge, in the space the source has at the first frame."""
    own = upright(matrix)
    look.place(item, own)
    frames = range(len(edges.middle))
    places = [to_object(np.array(own), edges.carry(edge, points, frame)).astype(np.float32) for frame in frames]
    animation.move_vertices(item, units, places, path)


def upright(matrix):
    """The place, turn and size of a rider, none of them nothing."""
    location, rotation, scale = Matrix(matrix.tolist()).decompose()
    return Matrix.LocRotScale(location, rotation, [value or 1.0 for value in scale])


def carried(matrix, edges, edge):
    """Location (F, 3), rotation (F, 4) and scale of a thing in one piece, fixed to an edge."""
    location, rotation, scale = Matrix(matrix.tolist()).decompose()
    own = np.array(rotation.to_matrix())
    turn = continuous(quaternion(edges.turn[:, edge] @ own))
    place = np.concatenate([edges.carry(np.array([edge]), np.array([location]), k) for k in range(len(turn))])
    return place, turn, scale


def _carry(item, units, place, turn, scale):
    """Key location and rotation of a thing in one piece."""
    animation.unkey(item, animation.POSE)
    item.rotation_mode, item.scale = "QUATERNION", scale
    item.location, item.rotation_quaternion = place[0], turn[0]
    animation.write_poses(item, units.keys(len(place)), place, turn)


def _item(context, source, tree, has_keys):
    """The copy of a rider, which goes with the result of its tree. What the artist made of an earlier one stays.

    has_keys: it has a mesh of its own, with shape keys, or a file that moves it.
    """
    item = result_object.result_of(source)
    if item and (result_object.is_deleted(item) or _has_keys(item, source) != has_keys):
        item = _revert_one(source)
    if item is None:
        item = dress(result_object.make(source), source, has_keys)
        _hang(item, tree)
        result_object.hide(source)
        look.remember(item, surface=has_keys)
        return item
    result_object.leave_edit_mode(context, item)
    if has_keys:
        animation.clear(item)
    if item.parent == tree:
        _hang(item, tree)
    fresh, mesh = dress(result_object.copy(source), source, has_keys), item.data
    look.follow(item, fresh, surface=has_keys)
    if has_keys and len(item.data.vertices) != len(fresh.data.vertices):
        item.data = fresh.data
    result_object.remove(fresh)
    result_object.discard(mesh)
    result_object.show_result(source)
    return item


def _has_keys(item, source):
    moves = item.type == "MESH" and (item.data.shape_keys or mesh_cache.modifier_of(item))
    return bool(moves and item.data != source.data)


def dress(item, source, has_keys):
    """Make a copy of `source` a result that no artist has touched, free of all that moved it."""
    result_object.make_plain(item)
    if has_keys:
        item.data = source.data.copy()
        item.data.name = item.name
        rings.clear_shape_keys(item)
    return item


def _hang(item, tree):
    """Let whatever the artist does to the result of a tree move this too."""
    item.parent, item.matrix_parent_inverse = tree, look.placed(tree).inverted_safe()


def _revert_one(source):
    if _rides(source) and (item := result_object.show_again(source)):
        if _has_keys(item, source):
            animation.clear(item)
        result_object.remove(item)
