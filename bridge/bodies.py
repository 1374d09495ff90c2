"""Mesh objects as rigid bodies: mass, centre, inertia and shape of the evaluated mesh, motion at the start or
throughout.
"""

from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
from mathutils import Matrix, Vector

from ..physics.forces.buoyancy import ORDINARY_AIR
from ..physics.scene import RigidBody
from ..physics.validate import SceneError
from ..properties.parameters import BODY
from . import evaluated_mesh, inertia
from .body_shape import is_flat, read_shape
from .check_curve import check_at_hand, check_matrix
from .check_settings import check_numbers
from .evaluation import side_scene
from .fields import weights
from .units import Units, to_object, to_world

THIN = 1e-7  # of a cube as large as the mesh: less volume is rounding


@dataclass(frozen=True)
class Guide:
    """Leads an animated body (`motion.follow`): it follows its own object."""

    owner: str
    follower: object
    start: np.ndarray
    what = "its transform"
    ground = course = None
    by_frame = False

    def influence(self):
        return 1.0

    def lead(self, body, motion):
        """The RigidBody, led along a Motion."""
        return replace(body, times=motion.times, track=motion.position, turn=motion.turn)


def body_objects(context):
    """The rigid bodies that take part, in the order of the view layer, as `scene.rod_objects`."""
    return [item for item in context.view_layer.objects if item.tendril.is_body]


def check_object(source):
    """What can be judged before anything is evaluated. Raises SceneError."""
    name, motion = source.name, source.tendril.body.motion
    if source.type == "EMPTY" and motion == "DYNAMIC":
        raise SceneError(name, f"'{name}' is an empty, which no force moves: let it hang on cables, or be animated.")
    if source.type not in ("MESH", "EMPTY"):
        raise SceneError(name, f"'{name}' is not a mesh: remove the rigid body from it.")
    if source.type == "MESH":
        check_at_hand(source)


def led_colliders(solids):
    """Of rigid body objects, those that are animated and collide: others meet them as they meet a collider."""
    led = [item for item in solids if item.tendril.body.motion == "ANIMATED" and item.tendril.body.collide]
    return [item for item in led if item.type == "MESH"]  # an empty has nothing to meet


def fitting_settings(context, source):
    """{name: value} of settings that suit a mesh at the current frame: mass is spread over a box where it does not
    enclose a volume, and what is flat does not collide. Raises SceneError: no faces.
    """
    with _present(context, source) as (evaluated, matrix, units):
        check_matrix(source.name, matrix)
        x, triangles = _mesh(source.name, evaluated)
        settings = {"shape": "MESH", "collide": not is_flat(x, matrix)}
        try:
            _solid(source.name, x, triangles, matrix, units, "MESH")
        except SceneError:
            _solid(source.name, x, triangles, matrix, units, "BOX")
            settings["shape"] = "BOX"
    return settings


@contextmanager
def distance_to(context, source):
    """A function of points (n, 3) [m]: their distances (n,) from an object's mesh at the current frame, 0 inside, and
    from the middle of its bounds. Raises SceneError for an object without faces.
    """
    with _present(context, source) as (evaluated, matrix, units):
        if not (evaluated.data and len(evaluated.data.polygons)):
            raise SceneError(source.name, f"'{source.name}' has no faces to tie a rod to: choose a mesh that has some.")
        middle = to_world(matrix, np.array(evaluated.bound_box).mean(axis=0))

        def distance(points):
            world = units.blender_units(points)
            gap = [_gap(evaluated, matrix, place) for place in world]
            return units.metres(np.array(gap)), units.metres(np.linalg.norm(world - middle, axis=1))

        yield distance


def ahead(context, item, place, way, units):
    """How far it is [m] from a place (3,) [m] along a unit way to an object: to its faces, where these are met, else
    until it is abreast.
    """
    with _present(context, item) as (evaluated, matrix, _):
        if item.type == "MESH" and abs(np.linalg.det(matrix[:3, :3])) > 0.0:
            start, end = (to_object(matrix, units.blender_units(at)) for at in (place, place + way))
            met, local, *_ = evaluated.ray_cast(Vector(start), Vector(end - start))
            if met:
                return float(units.metres(to_world(matrix, np.array(local))) @ way - place @ way)
        return float(units.metres(matrix[:3, 3]) @ way - place @ way)


def _gap(evaluated, matrix, place):
    """Distance of a place (3,) in the world from an evaluated mesh object, 0 inside it."""
    local = Vector(to_object(matrix, place))
    _, nearest, normal, _ = evaluated.closest_point_on_mesh(local)
    if (local - nearest).dot(normal) <= 0.0:
        return 0.0
    return float(np.linalg.norm(to_world(matrix, np.array(nearest)) - place))


@contextmanager
def _present(context, source):
    """(evaluated copy, world matrix, units) of an object at the current frame, hidden or not."""
    with side_scene(context.scene) as aside:
        copy = aside.copy(source)
        aside.go(context.scene.frame_current_final)
        yield aside.evaluated(copy), aside.matrix(copy), Units.of(context.scene, context.scene.frame_current)


def read_body(source, aside, copy, units):
    """(RigidBody, Guide or None, entry) of an object at the present frame; entry: what `body_result` has to know."""
    settings, matrix = source.tendril.body, aside.matrix(copy)
    check_matrix(source.name, matrix)
    check_numbers(source.name, settings, BODY)
    if settings.motion == "ANIMATED":
        # Nothing that is led feels its mass.
        body = RigidBody(source.name, units.metres(matrix[:3, 3]), 1.0, np.eye(3))
        return body, Guide(source.name, aside.follower(source), body.position), _entry(source, matrix, body, units)
    _check_upright(source.name, matrix)
    if source.type == "EMPTY":
        place = units.metres(matrix[:3, 3])
        own = weights(source.tendril.weights)
        body = RigidBody(source.name, place, settings.mass, np.zeros((3, 3)), weights=own, suspended=True)
        return body, None, _entry(source, matrix, body, units)
    x, triangles = _mesh(source.name, aside.evaluated(copy))
    solid = _solid(source.name, x, triangles, matrix, units, settings.shape)
    mass = settings.mass
    if settings.use_density:
        if solid.volume == 0.0:
            raise SceneError(source.name, f"'{source.name}' is flat and has no volume: turn off Mass by Density.")
        mass = settings.density * solid.volume
    body = RigidBody(
        source.name, solid.centre, mass, solid.inertia(mass), volume=_displaced(settings, solid),
        weights=weights(source.tendril.weights), suspended=settings.motion == "SUSPENDED",
        shape=_shape(source.name, settings, x, triangles, matrix, units),
    )  # fmt: skip
    if not body.suspended:
        body = replace(
            body, v=units.metres(np.array(settings.velocity)), omega=np.array(settings.spin, dtype=np.float64),
            drag_area=settings.drag_coefficient * solid.face, friction=settings.friction,
            restitution=settings.restitution, rolling_resistance=units.metres(settings.rolling_resistance),
        )  # fmt: skip
    return body, None, _entry(source, matrix, body, units)


def _displaced(settings, solid):
    """[m³] of air or water that a body displaces: none, where by the mass that was typed its shape would be lighter
    than ordinary air, for then it is an open thing, or the mass is no more than Blender's default.
    """
    return solid.volume if settings.use_density or settings.mass >= ORDINARY_AIR * solid.volume else 0.0


def _entry(source, matrix, body, units):
    return {
        "session_uid": source.session_uid,
        "name": source.name,
        "animated": source.tendril.body.motion == "ANIMATED",
        "matrix": matrix.tolist(),
        "centre": units.blender_units(body.position).tolist(),
    }


def _check_upright(name, matrix):
    """Raises SceneError for a matrix that location, rotation and scale cannot say."""
    whole = Matrix(matrix.tolist())
    if np.abs(np.array(Matrix.LocRotScale(*whole.decompose())) - matrix).max() > 1e-4 * np.abs(matrix[:3, :3]).max():
        raise SceneError(
            name,
            f"'{name}' is skewed by its parent's uneven scale: apply the scale of the parent, or clear the parent.",
        )


def _mesh(name, evaluated):
    """Vertices (V, 3) in object space and triangles (T, 3) of an evaluated object. Raises SceneError: nothing there."""
    with evaluated_mesh.mesh_of(evaluated) as mesh:
        x, triangles = evaluated_mesh.vertices(mesh), evaluated_mesh.triangles(mesh)
    if not len(triangles):
        raise SceneError(name, f"'{name}' has no faces, so no mass can be spread over it: choose a mesh that has some.")
    if not np.all(np.isfinite(x)):
        raise SceneError(name, f"'{name}' has a vertex that is not a number (NaN): delete it.")
    return x, triangles.astype(np.int64)


def _shape(name, settings, x, triangles, matrix, units):
    """What touches of a body of such settings; None: nothing does."""
    return read_shape(name, settings.collision_shape, x, triangles, matrix, units) if settings.collide else None


def _solid(name, x, triangles, matrix, units, shape):
    """The Solid [m] of a mesh as a shape of SHAPES. Raises SceneError: no volume."""
    low, high = x.min(axis=0), x.max(axis=0)
    centre = units.metres(to_world(matrix, 0.5 * (low + high)))
    sides = units.metres((matrix[:3, :3] * (high - low)).T)
    if shape == "BOX":
        return inertia.of_box(centre, sides)
    if shape == "SPHERE":
        return inertia.of_sphere(centre, 0.5 * np.linalg.norm(sides, axis=1).max())
    solid = inertia.of_mesh(units.metres(to_world(matrix, x)), triangles)
    _check_closed(name, inertia.gaps(x, triangles))
    if solid.volume <= THIN * np.linalg.norm(sides, axis=1).max() ** 3:
        raise SceneError(
            name, f"'{name}' has no volume, its mesh is flat: choose Shape Box or Sphere, or add a Solidify modifier."
        )
    return solid


def _check_closed(name, gaps):
    if gaps.open:
        raise SceneError(
            name,
            f"'{name}' has no volume, its mesh is open at {gaps.open} edges: choose Shape Box or Sphere, add a "
            "Solidify modifier, or fill the holes.",
        )
    if gaps.crossed:
        raise SceneError(
            name,
            f"'{name}' has faces that disagree on what is outside: recalculate its normals in edit mode (Shift N), or "
            "choose Shape Box or Sphere.",
        )
