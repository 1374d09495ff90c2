"""A surface while the frames go by: its faces stay, its points move and go to the disk."""

import numpy as np

from ..physics.scene import Collider
from ..physics.validate import SceneError
from ..physics.validate.colliders import degenerate
from ..physics.validate.limits import FARTHEST
from .check_curve import check_matrix
from .evaluated_mesh import Faces, mesh_of, triangles, vertices
from .units import to_object, to_world

ENDLESS = 300.0  # radii from its middle to the ends of a cylinder
SAME_SIZE = 1e-3  # relative, of an object that turns: matrices are of single precision


class Surface:
    """What becomes a Collider when all frames were looked at. Each method raises SceneError or BakeError."""

    def __init__(self, name, triangles, touch, track):
        """touch: its thickness [m] and friction; track: a `samples.Track`."""
        self.name, self.triangles, self.touch, self.track = name, triangles, touch, track
        self.flat = np.ones(len(triangles), dtype=bool)  # at all frames so far
        self.seen, self.points = (), None  # last: (matrix, vertices in object space), and in the world [m]

    def take_in(self, x, matrix, frame, units):
        """Vertices x (V, 3) in the space of an object with this matrix (4, 4), at a frame later than all before."""
        if not self.seen or not all(map(np.array_equal, self.seen, (matrix, x))):  # else it stands still
            self.seen, self.points = (matrix, x), self._points(matrix, x, frame, units)
            self.flat[self.flat] = degenerate(self.points, self.triangles[self.flat])
        self.track.add(units.seconds(frame), self.points)

    def collider(self):
        """The Collider of all frames, without the triangles that have no area at any."""
        name = self.name
        if self.flat.all():
            raise SceneError(name, f"'{name}' has no face with an area: give it some, or let it collide no more.")
        return Collider(name, self.triangles[~self.flat].astype(np.int64), *self.track.finish(), *self.touch)

    def notices(self):
        """What a warning message of a bake says."""
        if flat := int(self.flat.sum()):
            what = f"'{self.name}' has {flat} triangle{'s' * (flat > 1)} without area"
            yield {"object": self.name, "frame": 0, "text": f"{what}, left out: merge its points by distance."}

    def _points(self, matrix, x, frame, units):
        """Places (V, 3) [m] in the world, float32, of vertices x (V, 3) in object space."""
        name = self.name
        check_matrix(name, matrix)
        if not np.all(np.isfinite(x)):
            raise SceneError(name, f"'{name}' has a vertex that is not a number (NaN) at frame {frame}: delete it.")
        points = units.metres(to_world(matrix, x))
        if np.abs(points).max() > FARTHEST:
            text = f"'{name}' is far away from everything at frame {frame}: change its place or its animation."
            raise SceneError(name, text)
        return points.astype(np.float32)


class MeshSurface(Surface):
    """That of a mesh, which may bend."""

    def __init__(self, name, evaluated, touch, track):
        """evaluated: the object at the first frame."""
        with mesh_of(evaluated) as mesh:
            super().__init__(name, triangles(mesh), touch, track)
            self.faces = Faces(mesh)
        if not len(self.triangles):
            raise _no_faces(name)

    def look(self, evaluated, frame, units):
        """Take in where it is at a frame, later than all before."""
        with mesh_of(evaluated) as mesh:
            what, x = self.faces.changed(mesh, frame, units.first_frame), vertices(mesh)
        if what:
            raise _other_faces(self.name, what)
        self.take_in(x, _matrix(evaluated), frame, units)


class RigidSurface(Surface):
    """That of a Shape without a radius, which an object carries along."""

    def __init__(self, name, evaluated, shape, units, touch, track):
        """shape: in the world at the first frame; evaluated: the object then."""
        super().__init__(name, shape.triangles, touch, track)
        self.x = to_object(np.array(evaluated.matrix_world, dtype=np.float64), units.blender_units(shape.points))

    def look(self, evaluated, frame, units):
        """Take in where it is at a frame, later than all before."""
        self.take_in(self.x, _matrix(evaluated), frame, units)


class CylinderSurface(Surface):
    """An endless cylinder around an object's Z axis, as wide as its mesh and turning with it."""

    def __init__(self, name, evaluated, touch, units, track):
        """evaluated: the object at the first frame."""
        super().__init__(name, np.array([[0, 1, 1]]), touch, track)
        self.matrix = _matrix(evaluated)
        check_matrix(name, self.matrix)
        with mesh_of(evaluated) as mesh:
            x = vertices(mesh)
        self.radius = units.metres(np.linalg.norm(_across(self.matrix, x), axis=1).max(initial=0.0))
        if not self.radius > 0.0:
            raise SceneError(
                name, f"'{name}' has no width around its Z axis: give it some, or turn off Endless Cylinder."
            )
        reach = units.blender_units(ENDLESS * self.radius) / np.linalg.norm(self.matrix[:3, 2])
        rim = units.blender_units(self.radius) / np.linalg.norm(self.matrix[:3, 0])
        self.x = np.array([[0.0, 0.0, -reach], [0.0, 0.0, reach], [rim, 0.0, 0.0]])

    def look(self, evaluated, frame, units):
        """Take in where it is at a frame, later than all before."""
        matrix = _matrix(evaluated)
        size = np.linalg.norm(matrix[:3, :3], axis=0)
        if np.abs(size / np.linalg.norm(self.matrix[:3, :3], axis=0) - 1.0).max() > SAME_SIZE:
            raise SceneError(
                self.name, f"'{self.name}' changes its size by frame {frame}: keep it, or turn off Endless Cylinder."
            )
        self.take_in(self.x, matrix, frame, units)

    def collider(self):
        """The Collider of all frames."""
        times, points = self.track.finish()
        thickness, friction = self.touch
        return Collider(self.name, self.triangles, times, points, float(self.radius + thickness), friction, rim=2)

    def notices(self):
        """None: it has no faces."""
        return ()


class InstancedSurface(Surface):
    """That of all instances of one thing, as one."""

    def __init__(self, name, pieces, touch, track):
        """pieces: `instances.Piece` of each at the first frame."""
        starts = np.cumsum([0, *(len(piece.x) for piece in pieces)])
        shifted = [piece.triangles + start for piece, start in zip(pieces, starts, strict=False)]
        super().__init__(name, np.concatenate(shifted), touch, track)
        self.faces = [piece.corners for piece in pieces]
        if not len(self.triangles):
            raise _no_faces(name)

    def look(self, pieces, frame, units):
        """Take in where they are at a frame, later than all before."""
        found = [piece.corners for piece in pieces]
        if len(found) != len(self.faces):
            what = f"{len(found)} instances at frame {frame} and {len(self.faces)} at frame {units.first_frame}"
        elif not all(map(np.array_equal, found, self.faces)):
            what = f"other faces at frame {frame} than at frame {units.first_frame}"
        else:
            self.take_in(np.concatenate([piece.x for piece in pieces]), np.eye(4), frame, units)
            return
        raise _other_faces(self.name, what)


def _across(matrix, x):
    """(V, 3) ways [Blender units] in the world from the Z axis of an object with this matrix to its points x (V, 3)."""
    axis = matrix[:3, 2] / np.linalg.norm(matrix[:3, 2])
    way = x @ matrix[:3, :3].T
    return way - (way @ axis)[:, None] * axis


def _matrix(evaluated):
    return np.array(evaluated.matrix_world, dtype=np.float64)


def _no_faces(name):
    return SceneError(name, f"'{name}' has no faces to collide with: give it some, or let it collide no more.")


def _other_faces(name, what):
    cure = "switch off what changes that in its modifiers, or let a simpler object collide"
    return SceneError(name, f"'{name}' has {what}, but a collider has to keep them: {cure}.")
