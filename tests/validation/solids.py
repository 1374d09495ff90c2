"""Rigid bodies that tests need, and where they are at a frame."""

from dataclasses import replace

import numpy as np
from meshes import box
from scipy.spatial.transform import Rotation
from tendril.physics.diagnostics.shape_overlap import Solid
from tendril.physics.geometry.rounding import rounded
from tendril.physics.scene import Collider, RigidBody, Shape

DENSITY = 1000.0  # kg/m³
NONE = np.zeros(3)


def brick(place, size=(0.2, 0.1, 0.06), turn=NONE, name="brick", density=DENSITY, **options):
    """A box, turned by a rotation vector."""
    size, turned = np.asarray(size, float), Rotation.from_rotvec(turn).as_matrix()
    points, triangles = box(size)
    mass, square = density * np.prod(size), size**2
    inertia = mass / 12.0 * np.diag(square.sum() - square)
    shape = Shape(points @ turned.T + place, triangles)
    return RigidBody(name, np.array(place, float), mass, turned @ inertia @ turned.T, shape=shape, **options)


def sphere(place, radius=0.1, name="ball", density=DENSITY, **options):
    mass = density * 4.0 / 3.0 * np.pi * radius**3
    shape = Shape(np.array([place], float), np.zeros((1, 3), np.int64), radius)
    return RigidBody(name, np.array(place, float), mass, 0.4 * mass * radius**2 * np.eye(3), shape=shape, **options)


def capsule(place, radius=0.05, length=0.2, name="capsule", **options):
    """Along x; its mass is that of a rod, about its own axis of a ball."""
    ends = np.array(place) + [[-0.5 * length, 0.0, 0.0], [0.5 * length, 0.0, 0.0]]
    mass = DENSITY * np.pi * radius**2 * (length + 4.0 / 3.0 * radius)
    inertia = mass * np.diag([0.4 * radius**2, length**2 / 12.0 + radius**2, length**2 / 12.0 + radius**2])
    return RigidBody(name, np.array(place, float), mass, inertia, shape=Shape(ends, np.array([[0, 1, 1]]), radius),
                     **options)  # fmt: skip


def moved(body, pose):
    """The surface of a body as drawn, where a pose (7,) of a Frame has taken it."""
    turn = Rotation.from_quat(np.roll(pose[3:], -1))
    points = pose[:3] + turn.apply(body.shape.points - body.position)
    return Solid(points, body.shape.triangles, body.shape.radius)


def moved_rounded(body, pose):
    """The same as it touches, with its edges rounded from within."""
    points, radius = rounded(body.shape)
    return moved(replace(body, shape=Shape(points, body.shape.triangles, radius)), pose)


def wall(mesh, friction=0.5, name="ground"):
    """A collider that stands still."""
    points, triangles = mesh
    return Collider(name, triangles, np.zeros(1), points[None], 0.0, friction)
