"""The object that shows the bake of a soft body or sheet: a mesh, as the modifiers left it at the first frame, with an
absolute shape key for each frame, or a file that a modifier plays. What is drawn at the end of a bake is embedded in
the tetrahedra that were simulated; of a sheet each vertex is a node.

Modifiers that only finish the surface, as Subdivision Surface does, stay on it; all others are in the mesh.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ..bake import job
from ..meshing.embedding import Embedding
from ..physics.geometry.rounding import outside_of
from ..physics.scene import Sheet
from . import animation, look, mesh_cache, result_object, rings
from .evaluation import side_scene
from .finishing import leave_finish, take_finish
from .seen_places import SeenShares
from .soft_surface import nearest_places
from .units import Units, to_object, to_world

SAME = 1e-4  # of a sheet's size: by how much vertices may be off its nodes, but that all were pushed apart alike


def show(context, meta, cache, units, x):
    """Results for the soft bodies in `meta`; cache: beside their job; x (F, n, 3) [m]: their nodes at each frame.

    Raises BakeError: the job is damaged, or a file cannot be written.
    """
    results, first = [], 0
    solids = job.read(cache.folder).scene.solids if meta["soft"] else ()
    for entry, solid in zip(meta["soft"], solids, strict=True):
        own = x[:, first : first + entry["nodes"]]
        source = result_object.find(meta, entry)
        source = source if source and source.type == "MESH" and source.tendril.is_soft else None
        item, places = _show_one(context, source, entry, units, solid, own)
        path = mesh_cache.new_path(source, cache, entry["name"])
        animation.move_vertices(item, units, places, path)
        results.append(item)
        first += entry["nodes"]
    return results


def revert(source):
    """Delete the result of a soft body, with its mesh, and show the soft body again as it was."""
    if item := result_object.show_again(source):
        animation.clear(item)
        result_object.remove(item)


def _show_one(context, source, entry, units, solid, motion):
    """(the object, Places of its vertices); motion: nodes (F, n, 3) [m] of a SoftBody at each frame."""
    matrix = np.array(entry["matrix"])
    item = _item(context, source, entry, units, solid)
    own = Matrix.LocRotScale(*Matrix(matrix.tolist()).decompose())
    look.place(item, own)
    embedding = embed(item, matrix, units, solid)
    seen = see(item, matrix, units, embedding, entry, solid)
    places = Places(embedding, seen, units, np.array(own), motion)
    rings.write(item.data.attributes["position"].data, "vector", places[0])
    item.data.update()
    return item, places


def embed(item, matrix, units, solid):
    """The Embedding of the vertices that an object has, drawn at `matrix`, in a SoftBody."""
    points = rings.read(item.data.attributes["position"].data, "vector", 3).astype(np.float64)
    points = units.metres(to_world(matrix, points))
    if not isinstance(solid, Sheet):
        return Embedding.of(points, solid.x, solid.tetrahedra)
    if len(points) == len(solid.x) and np.ptp(points - solid.x, axis=0).max() <= SAME * np.ptp(solid.x, axis=0).max():
        return Embedding(np.arange(len(points))[:, None], np.ones((len(points), 1)))
    return nearest_places(points, solid.x, solid.triangles)  # it was drawn anew


def see(item, matrix, units, embedding, entry, solid):
    """The SeenShares of the same vertices, None: none is held exactly beside the nodes."""
    if "seen" not in entry:
        return None
    points = rings.read(item.data.attributes["position"].data, "vector", 3).astype(np.float64)
    corners = solid.x[solid.tetrahedra]
    edge = float(np.linalg.norm(corners[:, 1:] - corners[:, :1], axis=2).mean())
    return SeenShares.of(embedding, units.metres(to_world(matrix, points)), entry, edge)


@dataclass(frozen=True)
class Places(Sequence):
    """Vertices (V, 3) float32, in the space of an object that is at `matrix`, at each frame of motion (F, n, 3) [m],
    the first of which is that number of the bake's. seen: SeenShares, or None.
    """

    embedding: Embedding
    seen: SeenShares | None
    units: Units
    matrix: np.ndarray
    motion: np.ndarray
    first: int = 0

    def __len__(self):
        return len(self.motion)

    def __getitem__(self, frame):
        if not 0 <= frame < len(self.motion):
            raise IndexError(frame)
        place = self.embedding.carry(self.motion[frame])
        if self.seen:
            self.seen.correct(place, self.motion[frame], self.first + frame)
        return to_object(self.matrix, self.units.blender_units(place)).astype(np.float32)


def _item(context, source, entry, units, solid):
    """The result object, whose mesh is as it is drawn. What the artist made of an earlier one stays."""
    if source is None:
        return _plain(context, entry, units, solid)
    item = result_object.to_change(context, source, revert)
    drawn = drawn_mesh(context, source, units)
    if not len(drawn.vertices):  # its mesh was taken from it while it was baked
        bpy.data.meshes.remove(drawn)
        revert(source)
        context.view_layer.update()  # which else goes on counting what is deleted
        return _plain(context, entry, units, solid)
    if item is None:
        item = dress(result_object.make(source), source, drawn)
        result_object.hide(source)
        look.remember(item, surface=True)
        return item
    animation.clear(item)
    fresh, before = dress(result_object.copy(source), source, drawn), item.data
    look.follow(item, fresh, surface=True)
    if len(item.data.vertices) != len(drawn.vertices):
        item.data = drawn
    elif item.data != drawn:
        place = rings.read(drawn.attributes["position"].data, "vector", 3)
        rings.write(item.data.attributes["position"].data, "vector", place)
    result_object.remove(fresh)
    result_object.discard(before)
    result_object.show_result(source)
    return item


def drawn_mesh(context, source, units):
    """A new mesh: `source` as its modifiers leave it at the first frame, but for those that finish its surface."""
    with side_scene(context.scene) as aside:
        copy = take_finish(aside.copy(source))
        aside.go(units.first_frame)
        return bpy.data.meshes.new_from_object(
            aside.evaluated(copy), preserve_all_data_layers=True, depsgraph=aside.depsgraph
        )


def dress(item, source, mesh):
    """Make a copy of a source a result that no artist has touched."""
    result_object.make_still(item)
    leave_finish(item, source)
    item.data = mesh
    mesh.name = item.name
    return item


def _plain(context, entry, units, solid):
    """A new object, the outside of the tetrahedra: what was drawn is gone."""
    mesh = bpy.data.meshes.new(entry["name"])
    local = to_object(np.array(entry["matrix"]), units.blender_units(solid.x))
    mesh.from_pydata(local.tolist(), [], outside_of(solid).tolist())
    item = bpy.data.objects.new(f"{entry['name']} Baked", mesh)
    context.scene.collection.objects.link(item)
    return item
