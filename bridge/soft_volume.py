"""What is inside a soft body: the evaluated mesh of an object filled with tetrahedra, or those it has of its own.

To fill the default cube takes a second, and only its shape and resolution decide how: what was filled last is kept.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..meshing.embedding import Embedding
from ..meshing.extension import extend
from ..meshing.fill import fill
from ..meshing.thin import pieces
from ..meshing.volume import enclosed_volume, total_volume
from ..physics.elements.tetrahedra import boundary
from ..physics.validate import SceneError
from ..physics.validate.solids import check_volumes
from . import evaluated_mesh
from .check_curve import check_at_hand, check_matrix
from .evaluation import side_scene
from .finishing import take_finish
from .loose_parts import loose_parts
from .own_tetrahedra import PROPERTY, tetrahedra_of
from .soft_surface import nearest_places
from .thickness import thickness
from .units import to_world

THIN = 1e-6  # of a cube as large as the mesh: less volume is none
MOST_TETRAHEDRA = 1_000_000  # tetrahedra
MOST_KEPT = 4 * MOST_TETRAHEDRA  # tetrahedra: 150 MB
_kept = {}  # Fillings by digest of what was filled, that used last at the end


@dataclass(frozen=True)
class Filling:
    """A surface of points x (V, 3) and triangles (T, 3), and the tetrahedra (t, 4) with nodes (n, 3) that fill it; of a
    sheet its triangles.

    volume: of the surface, or of the tetrahedra where they are its own: then its points are the nodes. size: of the
    cubes of which they are made.
    """

    x: np.ndarray
    triangles: np.ndarray
    nodes: np.ndarray
    tetrahedra: np.ndarray
    volume: float
    own: bool
    size: float

    @property
    def filled(self):
        """The volume of the tetrahedra."""
        return total_volume(self.nodes, self.tetrahedra)

    @property
    def edge(self):
        """The mean length of an edge of the tetrahedra."""
        corners = self.nodes[self.tetrahedra]
        return float(np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).mean())

    @cached_property
    def thickness(self):
        """The Thickness of the surface where it is thin."""
        return thickness(self.x, self.triangles, self.size, (self.nodes, self.tetrahedra))

    @cached_property
    def torn(self):
        """Whether the tetrahedra are in pieces where the surface hangs together."""
        if self.own or pieces(self.tetrahedra) == 1:
            return False
        edges = self.triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
        ends = self.tetrahedra[:, [0, 1, 0, 2, 0, 3]].reshape(-1, 2)
        piece = loose_parts(len(self.nodes), ends)[Embedding.of(self.x, self.nodes, self.tetrahedra).nodes[:, 0]]
        return bool(np.any(piece[edges[:, 0]] != piece[edges[:, 1]]))

    def at_nodes(self, values):
        """(n,) of what is known at the surface's points (V,): of each node that of the nearest place."""
        if self.own:
            return values
        return nearest_places(self.nodes, self.x, self.triangles).carry(values[:, None])[:, 0]

    def led(self, moved):
        """(n, 3) where the nodes are while the surface's points are at `moved` (V, 3)."""
        if self.own:
            return moved
        outer = np.unique(boundary(self.tetrahedra)[0])
        places = nearest_places(self.nodes[outer], self.x, self.triangles)
        known = places.carry(self.x)
        return self.nodes + extend(self.nodes, self.tetrahedra, known, places.carry(moved) - known)


def filling(source, x, triangles):
    """The Filling of an evaluated mesh, of points x (V, 3) in the world and triangles (T, 3). Raises SceneError."""
    own = tetrahedra_of(source, len(x))
    if own is not None:
        if own.min() < 0 or own.max() >= len(x):
            raise SceneError(
                source.name, f"'{source.name}' has tetrahedra of vertices that are not there: delete its custom "
                f"property '{PROPERTY}'.",
            )  # fmt: skip
        check_volumes(source.name, x[own], "as it is drawn")
        return Filling(x, triangles, x, own, total_volume(x, own), True, 0.0)
    resolution = source.tendril.soft.resolution
    digest = hashlib.sha1(f"{resolution} {len(x)} ".encode(), usedforsecurity=False)
    for array in (x, triangles):
        digest.update(np.ascontiguousarray(array))
    key = digest.digest()
    found = _kept.pop(key, None) or _filled(source.name, x, triangles, resolution)
    _kept[key] = found
    while sum(len(each.tetrahedra) for each in _kept.values()) > MOST_KEPT:
        del _kept[next(iter(_kept))]
    return found


def _filled(name, x, triangles, resolution):
    """The Filling of a surface, which nothing can change. Raises SceneError."""
    volume = enclosed(name, x, triangles, resolution)
    nodes, tetrahedra = fill(x, triangles, resolution, volume)
    if not len(tetrahedra):
        raise SceneError(
            name, f"'{name}' is too thin for tetrahedra at the resolution {resolution}: raise its Resolution, or make "
            "it thicker.",
        )  # fmt: skip
    for array in (x, triangles, nodes, tetrahedra):
        array.flags.writeable = False
    return Filling(x, triangles, nodes, tetrahedra, volume, False, float(np.ptp(x, axis=0).max()) / resolution)


def enclosed(name, x, triangles, resolution):
    """The volume of a surface. Raises SceneError: none, or too much of it to fill."""
    if not len(triangles):
        raise SceneError(name, f"'{name}' has no faces, so it encloses no volume: choose a mesh that has some.")
    longest, volume = float(np.ptp(x, axis=0).max()), _volume(name, x, triangles)
    count = 12.0 * volume * (resolution / longest) ** 3
    if count > MOST_TETRAHEDRA:
        raise SceneError(
            name, f"'{name}' would have {count:.2g} tetrahedra at the resolution {resolution}: lower its Resolution."
        )
    return volume


def check_relaxed(name, key, x, triangles):
    """Raises SceneError: a surface that lies as in the shape key `key` is none that could be a body's relaxed one."""
    _volume(name, x, triangles, f" in its relaxed shape '{key}'")


def _volume(name, x, triangles, when=""):
    """That a surface encloses. Raises SceneError: it is none, or not of numbers."""
    check_finite(name, x, when)
    longest = float(np.ptp(x, axis=0).max())
    volume = enclosed_volume(x, triangles) if longest > 0.0 else 0.0
    if volume <= THIN * longest**3:
        cure = "close its holes, turn its normals outwards with Shift N in edit mode, or add a Solidify modifier"
        raise SceneError(
            name, f"'{name}' encloses no volume{when}: {'give it one, or choose another' if when else cure}."
        )
    return volume


def check_finite(name, x, when=""):
    """Raises SceneError: a place of x (V, 3) is none."""
    if not np.all(np.isfinite(x)):
        raise SceneError(name, f"'{name}' has a vertex that is not a number (NaN){when}: delete it.")


def check_mesh(source):
    """What can be judged before anything is evaluated. Raises SceneError."""
    name = source.name
    if source.type != "MESH":
        raise SceneError(name, f"'{name}' is not a mesh: remove the soft body from it.")
    check_at_hand(source)
    if source.tendril.is_soft and source.tendril.is_body:
        kind = "sheet" if source.tendril.soft.is_sheet else "soft"
        raise SceneError(name, f"'{name}' is a {kind} and a rigid body at once: remove one of these from it.")
    if any(modifier.type == "MULTIRES" for modifier in source.modifiers):
        raise SceneError(name, f"'{name}' has a Multiresolution modifier: apply it, or use Subdivision Surface.")
    solid = not source.tendril.soft.is_sheet
    if solid and not source.data.polygons and not source.modifiers and PROPERTY not in source.data:
        raise SceneError(name, f"'{name}' has no faces, so it encloses no volume: choose a mesh that has some.")


def check_fit(context, source):
    """Raises SceneError: the mesh, as it is at the current frame, cannot be filled."""
    x, triangles = surface_now(context, source)
    if tetrahedra_of(source, len(x)) is None:
        enclosed(source.name, x, triangles, source.tendril.soft.resolution)


def filling_now(context, source):
    """The Filling of a mesh as it is at the current frame, in Blender units. Raises SceneError."""
    return filling(source, *surface_now(context, source))


def surface_now(context, source):
    """Points (V, 3) in the world and triangles (T, 3) of a mesh at the current frame. Raises SceneError."""
    check_mesh(source)
    with side_scene(context.scene) as aside:
        copy = take_finish(aside.copy(source))
        aside.go(context.scene.frame_current_final)
        matrix = aside.matrix(copy)
        check_matrix(source.name, matrix)
        with evaluated_mesh.mesh_of(aside.evaluated(copy)) as mesh:
            x, triangles = evaluated_mesh.vertices(mesh), evaluated_mesh.triangles(mesh)
    return to_world(matrix, x), triangles.astype(np.int64)
