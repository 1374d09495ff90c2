"""What rods and rigid bodies do not pass, as Colliders: the evaluated mesh in the world at each frame of the bake.

Their samples go to the disk as they are read: a character of 100 000 vertices needs the memory of one frame. A scene of
our own for them alone, apart from the one in which pins and fields are read at every quarter of a frame: a mesh is
evaluated once in a frame, and one after the other, as what is simulated by modifiers has to be.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import bpy
import numpy as np

from ..bake.samples import Track
from ..physics.validate import SceneError
from ..properties.collider import thickness_of
from ..properties.colliders import collider_objects, hindered, kind_of
from ..properties.meeting import may_touch
from ..properties.thickness import part_of
from .body_shape import is_flat, meshed, read_shape
from .check_curve import check_matrix
from .evaluated_mesh import mesh_of, triangles, vertices
from .evaluation import side_scene
from .surface import MeshSurface, RigidSurface

FRICTION_SHOWN = 10.0  # of Blender's cloth, 0 … 80 and by default 5: a coefficient of 0.5


def read_colliders(view_layer, units, last_frame, folder=None, bodies=(), groups=None, radii=None):
    """(Colliders, notices) of a view layer; a notice is what a warning message of a bake says.

    bodies: animated rigid bodies that are colliders too, in their collision shapes. groups: {object: number of its
    group}, see `strangers`. folder: where the samples of what moves are written, by default one that goes with this
    Blender. Raises SceneError and BakeError, and then leaves nothing there.
    """
    scene, items = view_layer.id_data, collider_objects(view_layer)
    notices = [{"object": item.name, "frame": 0, "text": text} for item, text in hindered(view_layer)]
    for item in items:
        if item.mode == "EDIT":
            raise SceneError(item.name, f"'{item.name}' is in edit mode: leave it with Tab first.")
    read = [*(partial(_of_kind, kind_of(item, scene), radii or {}) for item in items), *(_of_body for _ in bodies)]
    items, surfaces = [*items, *bodies], []
    if not items:
        return (), notices
    try:
        with side_scene(scene) as aside:
            copies = [bare(aside.copy(item)) for item in items]
            for frame in range(units.first_frame, last_frame + 1):
                aside.go(frame)
                shown = [aside.evaluated(copy) for copy in copies]
                if not surfaces:
                    tracks = [Track(folder or Path(bpy.app.tempdir)) for _ in items]
                    own = zip(read, items, shown, tracks, strict=True)
                    surfaces = [of(item, evaluated, units, track) for of, item, evaluated, track in own]
                for surface, evaluated in zip(surfaces, shown, strict=True):
                    surface.look(evaluated, frame, units)
        found = tuple(
            replace(surface.collider(), group=(groups or {}).get(item, 0))
            for item, surface in zip(items, surfaces, strict=True)
        )
    except BaseException:  # a cancel, too
        for surface in surfaces:
            surface.track.discard()
        raise
    return found, [*notices, *(notice for surface in surfaces for notice in surface.notices())]


def bare(copy):
    """A copy with which nothing of Blender's collides."""
    for modifier in [modifier for modifier in copy.modifiers if modifier.type == "COLLISION"]:
        copy.modifiers.remove(modifier)
    return copy


def _of_kind(kind, radii, item, evaluated, units, track):
    """The surface of a collider of a kind (`kind_of`)."""
    chosen = thickness_of(evaluated.tendril.collider)
    if chosen is None:
        chosen = part_of(radius for other, radius in radii.items() if may_touch(other, item))
    return MeshSurface(item.name, evaluated, _touch(kind, evaluated, chosen, units), track)


def _of_body(item, evaluated, units, track):
    """The surface of an animated body in its collision shape; of the mesh itself, if that is flat."""
    name, kind, touch = item.name, item.tendril.body.collision_shape, (0.0, item.tendril.body.friction)
    matrix = np.array(evaluated.matrix_world, dtype=np.float64)
    check_matrix(name, matrix)
    with mesh_of(evaluated) as mesh:
        x, faces = vertices(mesh), triangles(mesh)
    of_mesh = kind == "MESH" or not len(faces) or not np.all(np.isfinite(x))
    if of_mesh or (kind not in {"SPHERE", "CAPSULE"} and is_flat(x, matrix)):
        return MeshSurface(name, evaluated, touch, track)
    return RigidSurface(name, evaluated, meshed(read_shape(name, kind, x, faces, matrix, units)), units, touch, track)


def _touch(kind, evaluated, thickness, units):
    """(thickness [m], friction) of a collider of a kind (`kind_of`) that has this one of its own [Blender units]."""
    if kind == "COLLISION":
        return units.metres(thickness), evaluated.collision.cloth_friction / FRICTION_SHOWN
    if kind == "OWN":
        return units.metres(thickness), evaluated.tendril.collider.friction
    body = evaluated.rigid_body
    return units.metres(body.collision_margin) if body.use_margin else 0.0, body.friction
