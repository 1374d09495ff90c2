"""Meshes that rods do not pass, as Colliders: the evaluated mesh in the world at each frame of the bake.

Their samples go to the disk as they are read: a character of 100 000 vertices needs the memory of one frame. A scene of
our own for them alone, apart from the one in which pins and fields are read at every quarter of a frame: a mesh is
evaluated once in a frame, and one after the other, as what is simulated by modifiers has to be.
"""

from pathlib import Path

import bpy
import numpy as np

from ..bake.samples import Track
from ..physics.scene import Collider
from ..physics.validate import SceneError
from ..physics.validate.colliders import degenerate
from ..properties.colliders import collider_objects, hindered, kind_of
from . import rings
from .check_curve import check_matrix
from .evaluation import side_scene
from .units import to_world

FRICTION_SHOWN = 10.0  # of Blender's cloth, 0 … 80 and by default 5: a coefficient of 0.5


def read_colliders(view_layer, units, last_frame, folder=None):
    """(Colliders, notices) of a view layer; a notice is what a warning message of a bake says.

    folder: where the samples of what moves are written, by default one that goes with this Blender. Raises SceneError
    and BakeError, and then leaves nothing there.
    """
    scene, items = view_layer.id_data, collider_objects(view_layer)
    notices = [{"object": item.name, "frame": 0, "text": text} for item, text in hindered(view_layer)]
    if not items:
        return (), notices
    for item in items:
        check_object(item)
    surfaces = [_Surface(item, Track(folder or Path(bpy.app.tempdir))) for item in items]
    try:
        with side_scene(scene) as aside:
            copies = [_bare(aside.copy(item)) for item in items]
            for frame in range(units.first_frame, last_frame + 1):
                aside.go(frame)
                for surface, copy in zip(surfaces, copies, strict=True):
                    surface.look(aside.evaluated(copy), aside.matrix(copy), frame, units)
                    if frame == units.first_frame:
                        surface.touch = _touch(surface.item, scene, aside.evaluated(copy), units)
        found = tuple(surface.collider() for surface in surfaces)
    except BaseException:  # a cancel, too
        for surface in surfaces:
            surface.track.discard()
        raise
    return found, [*notices, *(notice for surface in surfaces for notice in surface.notices())]


def check_object(item):
    """What can be judged before anything is evaluated. Raises SceneError."""
    if item.mode == "EDIT":
        raise SceneError(item.name, f"'{item.name}' is in edit mode: leave it with Tab first.")


class _Surface:
    """What is known of a collider while the frames go by."""

    def __init__(self, item, track):
        self.item, self.name, self.track = item, item.name, track
        self._faces = None

    def look(self, evaluated, matrix, frame, units):
        """Take in where it is at a frame. Raises SceneError, BakeError."""
        check_matrix(self.name, matrix)
        x, faces, triangles = _mesh(evaluated, self._faces is None)
        if self._faces is None:
            self._first, self._count, self._faces, self._triangles = frame, len(x), faces, triangles
            self._flat = np.ones(len(triangles), dtype=bool)
        self._check(x, faces, frame)
        points = units.metres(to_world(matrix, x)).astype(np.float32)
        self._flat[self._flat] = degenerate(points, self._triangles[self._flat])
        self.track.add(units.seconds(frame), points)

    def collider(self):
        """The Collider of all frames. Raises BakeError."""
        if self._flat.all():
            raise SceneError(
                self.name, f"'{self.name}' has no face with an area: give it some, or let it collide no more."
            )
        times, points = self.track.finish()
        return Collider(self.name, self._triangles[~self._flat].astype(np.int64), times, points, *self.touch)

    def notices(self):
        if flat := int(self._flat.sum()):
            what = f"'{self.name}' has {flat} triangle{'s' * (flat > 1)} without area"
            yield {"object": self.name, "frame": 0, "text": f"{what}, left out: merge its points by distance."}

    def _check(self, x, faces, frame):
        name, cure = self.name, "switch off what changes that in its modifiers, or apply them at one frame"
        if not len(self._triangles):
            raise SceneError(name, f"'{name}' has no faces to collide with: give it some, or let it collide no more.")
        if not np.all(np.isfinite(x)):
            raise SceneError(name, f"'{name}' has a vertex that is not a number (NaN) at frame {frame}: delete it.")
        if len(x) != self._count:
            counts = f"{len(x)} vertices at frame {frame} and {self._count} at frame {self._first}"
            raise SceneError(name, f"'{name}' has {counts}, but a collider has to keep them: {cure}.")
        if not all(np.array_equal(now, before) for now, before in zip(faces, self._faces, strict=True)):
            frames = f"at frame {frame} than at frame {self._first}"
            raise SceneError(name, f"'{name}' has other faces {frames}, but a collider has to keep them: {cure}.")


def _bare(copy):
    """A copy with which nothing of Blender's collides."""
    for modifier in [modifier for modifier in copy.modifiers if modifier.type == "COLLISION"]:
        copy.modifiers.remove(modifier)
    return copy


def _mesh(evaluated, with_triangles):
    """Of what an evaluated object is as a mesh: vertices (V, 3) in object space; its faces as the corners of each and
    the vertices at the corners; triangles (T, 3), which are asked for once since they may change as quads bend.
    """
    mesh = evaluated.to_mesh()
    try:
        x = rings.read(mesh.vertices, "co", 3).astype(np.float64)
        faces = [_integers(mesh.polygons, "loop_total"), _integers(mesh.loops, "vertex_index")]
        triangles = None
        if with_triangles:
            mesh.calc_loop_triangles()
            triangles = _integers(mesh.loop_triangles, "vertices", 3).reshape(-1, 3)
    finally:
        evaluated.to_mesh_clear()
    return x, faces, triangles


def _integers(collection, name, width=1):
    values = np.empty(len(collection) * width, dtype=np.int32)
    collection.foreach_get(name, values)
    return values


def _touch(item, scene, evaluated, units):
    """(thickness [m], friction) of a collider."""
    kind = kind_of(item, scene)
    if kind == "COLLISION":
        settings = evaluated.collision
        return units.metres(settings.thickness_outer), settings.cloth_friction / FRICTION_SHOWN
    if kind == "OWN":
        return units.metres(item.tendril.collider.thickness), item.tendril.collider.friction
    body = evaluated.rigid_body
    return units.metres(body.collision_margin) if body.use_margin else 0.0, body.friction
