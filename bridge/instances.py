"""What objects show as instances in a side scene: of collections, or of Geometry Nodes.

An instance is no object of its own, so Blender's own colliders do not reach it; here each is met where it is shown.
"""

from dataclasses import dataclass

import bpy
import numpy as np

from ..properties.colliders import hindrance, kind_of
from ..properties.instancers import simulated_as, takes_no_part
from .evaluated_mesh import corners, triangles, vertices
from .units import to_world


@dataclass(frozen=True)
class Piece:
    """One instance at one frame: x (V, 3) in the world, triangles (T, 3), and the vertices around each face."""

    x: np.ndarray
    triangles: np.ndarray
    corners: np.ndarray


class Instances:
    """pieces: {(instancer, collider that it shows): [Piece]} at the present frame of a side scene."""

    def __init__(self, aside, instancers, scene):
        """scene: the artist's."""
        self.aside, self.scene, self.pieces = aside, scene, {}
        self.copies = {aside.copy(item): item for item in instancers}

    def begin(self, view_layer):
        """Look at the first frame, and no more at those that show no collider → notices: what takes no part."""
        self.look()
        notices = self._simulated(view_layer)
        for copy, item in list(self.copies.items()):
            if item not in {instancer for instancer, _ in self.pieces}:
                del self.copies[copy]
                self.aside.drop(copy)
        return notices

    def look(self):
        """Take in the present frame."""
        self.pieces, meshes = {}, {}
        for instance, instancer, shown in self._shown():
            mesh = instance.object.data
            if not isinstance(mesh, bpy.types.Mesh) or not _collides(shown, self.scene):
                continue
            number = mesh.as_pointer()
            if number not in meshes:
                meshes[number] = vertices(mesh), triangles(mesh), corners(mesh)
            x, *faces = meshes[number]
            matrix = np.array(instance.matrix_world, dtype=np.float64)
            self.pieces.setdefault((instancer, shown), []).append(Piece(to_world(matrix, x), *faces))

    def present(self, instancer, shown):
        """The Pieces at the present frame."""
        return self.pieces.get((instancer, shown), [])

    def hold_all_of(self, item, evaluated):
        """Whether a collider has no faces but those of its own instances."""
        return (item, item) in self.pieces and not len(evaluated.data.polygons)

    def _simulated(self, view_layer):
        """Notices of the rods and bodies that are shown as instances alone."""
        told = {}
        for _instance, instancer, shown in self._shown():
            if simulated_as(shown) and shown.name not in view_layer.objects:
                told[instancer, shown] = takes_no_part(instancer, shown)
        return [{"object": instancer.name, "frame": 0, "text": text} for (instancer, _), text in told.items()]

    def _shown(self):
        """(instance, instancer, what it shows) of all instances."""
        if not self.copies:
            return
        for instance in self.aside.depsgraph.object_instances:
            if instance.is_instance and (instancer := self.copies.get(instance.parent.original)):
                shown = instance.object.original
                yield instance, instancer, self.copies.get(shown, shown)


def _collides(item, scene):
    return kind_of(item, scene) in {"COLLISION", "OWN"} and not hindrance(item)
