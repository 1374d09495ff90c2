"""What rods and rigid bodies do not pass, as Colliders: the evaluated mesh in the world at each frame of the bake.

Their samples go to the disk as they are read: a character of 100 000 vertices needs the memory of one frame. A scene of
our own for them alone, apart from the one in which pins and fields are read at every quarter of a frame: a mesh is
evaluated once in a frame, and one after the other, as what is simulated by modifiers has to be.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import bpy
import numpy as np

from ..bake.samples import Track
from ..physics.validate import SceneError
from ..properties.collider import thickness_of
from ..properties.colliders import collider_objects, hindered, kind_of
from ..properties.instancers import instancers, unmet
from ..properties.meeting import may_touch
from ..properties.thickness import part_of
from .body_shape import is_flat, meshed, read_shape
from .check_curve import check_matrix
from .evaluated_mesh import mesh_of, triangles, vertices
from .evaluation import side_scene
from .instances import Instances
from .surface import CylinderSurface, InstancedSurface, MeshSurface, RigidSurface, Surface

FRICTION_SHOWN = 10.0  # of Blender's cloth, 0 … 80 and by default 5: a coefficient of 0.5


@dataclass(frozen=True)
class _Watched:
    """A surface while the frames go by, the object whose group it is in, and how to get what it has to look at."""

    owner: bpy.types.Object
    surface: Surface
    present: Callable


def read_colliders(view_layer, units, last_frame, folder=None, bodies=(), groups=None, radii=None):
    """(Colliders, notices) of a view layer; a notice is what a warning message of a bake says.

    bodies: animated rigid bodies that are colliders too, in their collision shapes. groups: {object: number of its
    group}, see `collision_filter`. radii: {rod or body: `thickness.radius_of`}. folder: where the samples of what moves
    are written, by default one that goes with this Blender. Raises SceneError and BakeError, and then leaves nothing
    there.
    """
    scene, items, showing = view_layer.id_data, collider_objects(view_layer), instancers(view_layer)
    notices = [{"object": item.name, "frame": 0, "text": text} for item, text in hindered(view_layer)]
    for item, shown in unmet(view_layer):
        what = f"'{item.name}' shows the collider '{shown.name}' on vertices or faces or as particles"
        text = f"{what}, where nothing meets it: use Object › Apply › Make Instances Real."
        notices.append({"object": item.name, "frame": 0, "text": text})
    for item in items:
        if item.mode == "EDIT":
            raise SceneError(item.name, f"'{item.name}' is in edit mode: leave it with Tab first.")
    if not (items or bodies or showing):
        return (), notices
    groups, thickness, watched, tracks = groups or {}, partial(_thickness, radii or {}), [], []

    def watch(owner, surface_of, present):
        tracks.append(Track(folder or Path(bpy.app.tempdir)))
        watched.append(_Watched(owner, surface_of(present(), units, tracks[-1]), present))

    try:
        with side_scene(scene) as aside:
            copies = [bare(aside.copy(item)) for item in items]
            led = [bare(aside.copy(item)) for item in bodies]
            instances = Instances(aside, showing, scene)
            aside.go(units.first_frame)
            notices += instances.begin(view_layer)
            for item, copy in zip(items, copies, strict=True):
                if not instances.hold_all_of(item, aside.evaluated(copy)):
                    surface_of = partial(_of_kind, item.name, kind_of(item, scene), partial(thickness, item))
                    watch(item, surface_of, partial(aside.evaluated, copy))
            for item, copy in zip(bodies, led, strict=True):
                watch(item, partial(_of_body, item), partial(aside.evaluated, copy))
            for instancer, shown in instances.pieces:
                if shown.tendril.collider.cylinder:
                    notices.append({"object": shown.name, "frame": 0, "text": _not_round(instancer, shown)})
                surface_of = partial(
                    _of_instances, instancer, shown, kind_of(shown, scene), partial(thickness, instancer)
                )
                watch(instancer, surface_of, partial(instances.present, instancer, shown))
            for frame in range(units.first_frame, last_frame + 1) if watched else ():
                if frame > units.first_frame:
                    aside.go(frame)
                    instances.look()
                for one in watched:
                    one.surface.look(one.present(), frame, units)
        found = tuple(replace(one.surface.collider(), group=groups.get(one.owner, 0)) for one in watched)
    except BaseException:  # a cancel, too
        for track in tracks:
            track.discard()
        raise
    return found, [*notices, *(notice for one in watched for notice in one.surface.notices())]


def _thickness(radii, owner, settings):
    """Thickness [Blender units] of a collider by these settings; owner: it, or what shows it as instances."""
    chosen = thickness_of(settings)
    if chosen is None:
        return part_of(radius for other, radius in radii.items() if may_touch(other, owner))
    return chosen


def bare(copy):
    """A copy with which nothing of Blender's collides."""
    for modifier in [modifier for modifier in copy.modifiers if modifier.type == "COLLISION"]:
        copy.modifiers.remove(modifier)
    return copy


def _of_kind(name, kind, thickness, evaluated, units, track):
    """The surface of a collider of a kind (`kind_of`)."""
    if evaluated.tendril.collider.cylinder:
        return CylinderSurface(name, evaluated, _touch(kind, evaluated, thickness, units), units, track)
    return MeshSurface(name, evaluated, _touch(kind, evaluated, thickness, units), track)


def _not_round(instancer, shown):
    what = f"instances of '{shown.name}' that '{instancer.name}' shows are touched by their faces"
    return f"{what}: use Object › Apply › Make Instances Real to have them as Endless Cylinders."


def _of_instances(instancer, shown, kind, thickness, pieces, units, track):
    """The surface of all instances of a collider of a kind that an object shows."""
    name = instancer.name if instancer == shown else f"{instancer.name} › {shown.name}"
    return InstancedSurface(name, pieces, _touch(kind, shown, thickness, units), track)


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
    """(thickness [m], friction) of a collider of a kind (`kind_of`); thickness: of its settings [Blender units]."""
    own = evaluated.tendril.collider
    if kind == "COLLISION":
        return units.metres(thickness(own)), evaluated.collision.cloth_friction / FRICTION_SHOWN
    if kind == "OWN":
        return units.metres(thickness(own)), own.friction
    body = evaluated.rigid_body
    return units.metres(body.collision_margin) if body.use_margin else 0.0, body.friction
