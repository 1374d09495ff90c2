"""Mesh objects as soft bodies: the evaluated mesh filled with tetrahedra, its material, and what holds it where."""

from dataclasses import dataclass

import numpy as np
from mathutils.bvhtree import BVHTree

from ..meshing.embedding import Embedding
from ..meshing.fill import fill, total_volume
from ..meshing.volume import enclosed_volume
from ..physics.materials import bulk_modulus, shear_modulus
from ..physics.scene import Hold, SoftBody
from ..physics.solids.tetrahedra import boundary
from ..physics.validate import SceneError
from ..properties.parameters import SOFT
from . import evaluated_mesh
from .check_curve import check_matrix, is_linked
from .check_settings import check_numbers
from .evaluation import side_scene
from .finishing import take_finish
from .units import to_world

THIN = 1e-6  # of a cube as large as the mesh: less volume is none
MOST = 1_000_000  # tetrahedra
HELD = 0.5  # weight in a vertex group above which a vertex is held
ROUNDING = 1e-5  # of the size: how much nearer another triangle may be, in single precision
OFF = 0.02  # of the volume: tetrahedra that are further off are told


@dataclass(frozen=True)
class SoftGuide:
    """Leads a node of a soft body (`motion.follow`). solid, node: in the scene; start (3,) [m]."""

    name: str
    owner: str
    solid: int
    node: int
    follower: object
    start: np.ndarray

    @property
    def what(self):
        return f"the target of pin '{self.name}'"

    def influence(self):
        return 1.0

    def hold(self, motion):
        """The Hold that follows a Motion."""
        return Hold(self.name, "POINT", self.solid, self.node, times=motion.times, track=motion.position)


def soft_objects(context):
    """The soft bodies that take part, in the order of the view layer, as `scene.rod_objects`."""
    return [item for item in context.view_layer.objects if item.tendril.is_soft]


def check_object(source):
    """What can be judged before anything is evaluated. Raises SceneError."""
    name = source.name
    if source.type != "MESH":
        raise SceneError(name, f"'{name}' is not a mesh: remove the soft body from it.")
    if is_linked(source):
        raise SceneError(
            name, f"'{name}' is linked from a library: make it local with Object › Relations › Make Local."
        )
    if source.mode == "EDIT":
        raise SceneError(name, f"'{name}' is in edit mode: leave it with Tab first.")
    if source.data.shape_keys:
        raise SceneError(
            name, f"'{name}' has shape keys, which its bake needs for itself: apply them with Object › Apply › All "
            "Shape Keys.",
        )  # fmt: skip
    if any(modifier.type == "MULTIRES" for modifier in source.modifiers):
        raise SceneError(name, f"'{name}' has a Multiresolution modifier: apply it, or use Subdivision Surface.")
    if not source.data.polygons and not source.modifiers:
        raise SceneError(name, f"'{name}' has no faces, so it encloses no volume: choose a mesh that has some.")


def check_fit(context, source):
    """Raises SceneError: the mesh, as it is at the current frame, cannot be filled."""
    check_object(source)
    with side_scene(context.scene) as aside:
        copy = take_finish(aside.copy(source))
        aside.go(context.scene.frame_current_final)
        matrix = aside.matrix(copy)
        check_matrix(source.name, matrix)
        with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
            x, triangles = evaluated_mesh.vertices(mesh), evaluated_mesh.triangles(mesh)
        _volume(source.name, to_world(matrix, x), triangles.astype(np.int64), source.tendril.soft.resolution)


def read_soft(source, aside, copy, units, number):
    """(SoftBody, [SoftGuide], entry, notices) of an object at the present frame, the scene's soft body `number`; entry:
    what `soft_result` has to know. Raises SceneError.
    """
    settings, name = source.tendril.soft, source.name
    check_numbers(name, settings, SOFT)
    matrix = aside.matrix(copy)
    check_matrix(name, matrix)
    with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
        x = units.metres(to_world(matrix, evaluated_mesh.vertices(mesh)))
        triangles = evaluated_mesh.triangles(mesh).astype(np.int64)
        groups = _groups(source, mesh)
    volume = _volume(name, x, triangles, settings.resolution)
    nodes, tetrahedra = fill(x, triangles, settings.resolution, volume)
    filled = total_volume(nodes, tetrahedra)
    young = settings.young * SOFT["young"].si
    body = SoftBody(
        name, nodes, tetrahedra, settings.density * volume / filled, young, settings.poisson,
        zeta=settings.relaxation * bulk_modulus(young, settings.poisson),
        mu=settings.relaxation * shear_modulus(young, settings.poisson),
        gravity=float(source.tendril.weights.gravity),
        friction=settings.friction,
    )  # fmt: skip
    guides = _guides(source, aside, body, number, (x, triangles), groups)
    entry = {
        "session_uid": source.session_uid, "name": name, "matrix": matrix.tolist(), "nodes": len(nodes),
    }  # fmt: skip
    return body, guides, entry, _notices(name, filled / volume - 1.0)


def _volume(name, x, triangles, resolution):
    """[m³] of a mesh. Raises SceneError: none, or too much of it to fill."""
    if not len(triangles):
        raise SceneError(name, f"'{name}' has no faces, so it encloses no volume: choose a mesh that has some.")
    if not np.all(np.isfinite(x)):
        raise SceneError(name, f"'{name}' has a vertex that is not a number (NaN): delete it.")
    longest = float(np.ptp(x, axis=0).max())
    volume = enclosed_volume(x, triangles) if longest > 0.0 else 0.0
    if volume <= THIN * longest**3:
        raise SceneError(
            name, f"'{name}' encloses no volume: close its holes, turn its normals outwards with Shift N in edit mode, "
            "or add a Solidify modifier.",
        )  # fmt: skip
    count = 12.0 * volume * (resolution / longest) ** 3
    if count > MOST:
        raise SceneError(
            name, f"'{name}' would have {count:.2g} tetrahedra at the resolution {resolution}: lower its Resolution."
        )
    return volume


def _notices(name, excess):
    if abs(excess) <= OFF:
        return []
    text = (
        f"The tetrahedra of '{name}' have {1.0 + excess:.2f} times its volume, because it is thin for them; it weighs "
        "what it should, but is too stiff there: raise its Resolution."
    )
    return [{"object": name, "frame": 0, "text": text}]


def _groups(source, mesh):
    """{vertex group: whether each vertex (V,) is held by it} for the groups that pins name. Raises SceneError."""
    found = {}
    for pin in source.tendril.soft.pins:
        what = f"'{source.name}': pin '{pin.name}'"
        if not pin.group:
            raise SceneError(source.name, f"{what} has no vertex group: choose one or remove the pin.")
        group = source.vertex_groups.get(pin.group)
        if group is None:
            raise SceneError(
                source.name, f"{what} holds the vertex group '{pin.group}', which is not there: choose another."
            )
        own = np.zeros(len(mesh.vertices), dtype=bool)
        for vertex in mesh.vertices:
            own[vertex.index] = any(one.group == group.index and one.weight > HELD for one in vertex.groups)
        if not own.any():
            raise SceneError(
                source.name, f"{what}: the vertex group '{pin.group}' has no vertex with a weight above {HELD:g}: "
                "assign some in edit mode.",
            )  # fmt: skip
        found[pin.group] = own
    return found


def _guides(source, aside, body, number, surface, groups):
    """A SoftGuide for each node that a pin holds; of several, the first. Raises SceneError."""
    held, guides = {}, []
    for pin in source.tendril.soft.pins:
        target, what = pin.target or source, f"'{source.name}': pin '{pin.name}'"
        if target.tendril.is_soft and target != source:
            raise SceneError(source.name, f"{what} follows the soft body '{target.name}': choose another target.")
        bone = pin.bone if target.type == "ARMATURE" else ""
        if bone and bone not in target.pose.bones:
            text = f"{what} follows bone '{bone}', which '{target.name}' does not have: choose another bone."
            raise SceneError(source.name, text)
        follower = aside.follower(target, bone)
        for node in held_nodes(body.x, body.tetrahedra, *surface, groups[pin.group]):
            if held.setdefault(node, pin.name) == pin.name:
                guides.append(SoftGuide(pin.name, source.name, number, int(node), follower, body.x[node]))
    return guides


def held_nodes(nodes, tetrahedra, x, triangles, held):
    """Numbers (k,) of the nodes that hold the vertices `held` (V,) of a surface of points x (V, 3) and triangles
    (T, 3): of the nodes on the outside those to which no triangle is nearer than one that is held as a whole, and of
    each vertex the nearest.
    """
    outer = np.unique(boundary(tetrahedra)[0])
    held_triangles = triangles[held[triangles].all(axis=1)]
    gap = _gaps(nodes[outer], x, held_triangles) - _gaps(nodes[outer], x, triangles)
    whole = outer[gap <= ROUNDING * np.ptp(x, axis=0).max()]
    own = Embedding.of(x[held], nodes, tetrahedra)
    nearest = np.take_along_axis(own.nodes, own.weights.argmax(axis=1)[:, None], axis=1)
    return np.union1d(whole, nearest)


def _gaps(points, x, triangles):
    """Distances (k,) of points (k, 3) from triangles, infinity if there are none."""
    if not len(triangles):
        return np.full(len(points), np.inf)
    tree = BVHTree.FromPolygons(x.tolist(), triangles.tolist())
    return np.array([tree.find_nearest(point)[3] for point in points])
