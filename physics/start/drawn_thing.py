"""What bodies may be drawn into: rigid and soft bodies and colliders, as they are drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arithmetic.fixed_order import dot
from ..geometry.rounding import extents, outside_of, round_of
from ..geometry.samples import points_at
from ..scene import Collider, RigidBody, Scene, Shape, Sheet, SoftBody
from ..validate.colliders import degenerate
from ..validate.pierced import Surface
from .tied import Tied

HOLLOW = 1e-3  # of the smallest extent: what is less is convex
DIRECTIONS = 256  # of faces that bound how deep others are


@dataclass(frozen=True)
class Thing:
    """What others are to be kept out of: a Shape, as drawn, of one of the scene's; the number of its part; how far off
    [m] others are put.
    """

    item: RigidBody | SoftBody | Collider
    shape: Shape
    part: int
    margin: float = 0.0

    @property
    def name(self) -> str:
        return self.item.name

    @property
    def radius(self) -> float:
        return self.shape.radius + self.margin

    @property
    def shell(self) -> bool:
        """Whether it has no inside: of a collider or a sheet either side is outside."""
        return isinstance(self.item, Collider | Sheet)

    @property
    def held_by_others(self) -> bool:
        """Whether something else keeps it where it is, if it stays: it is no collider and follows no animation."""
        return not (isinstance(self.item, Collider) or (isinstance(self.item, RigidBody) and self.item.kinematic))

    @cached_property
    def size(self) -> float:
        """[m] its smallest extent."""
        return np.inf if self.shell else float(extents(self.shape.points).min() + 2.0 * self.shape.radius)

    @cached_property
    def faces(self) -> np.ndarray:
        """(T, 3) those of its triangles that have an area."""
        return self.shape.triangles[~degenerate(self.shape.points, self.shape.triangles)]

    @cached_property
    def normals(self) -> np.ndarray:
        """(N, 3) different ones of its faces."""
        p, q, r = np.moveaxis(self.shape.points[self.faces], 1, 0)
        normals = np.cross(q - p, r - p)
        return np.unique(np.round(normals / np.linalg.norm(normals, axis=1)[:, None], 6), axis=0)

    @cached_property
    def directions(self) -> np.ndarray:
        """(N, 3) some of them, unit vectors."""
        some = self.normals[:: 1 + len(self.normals) // DIRECTIONS]
        return some / np.linalg.norm(some, axis=1)[:, None] if len(some) else some

    @cached_property
    def convex(self) -> bool:
        points, (p, q, r) = self.shape.points, np.moveaxis(self.shape.points[self.faces], 1, 0)
        normals = np.cross(q - p, r - p)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        return not self.shell and all(
            dot(points, n).max() <= at + HOLLOW * self.size
            for n, at in zip(normals, np.sum(normals * p, axis=1), strict=True)
        )

    def surface(self, way: np.ndarray) -> Surface:
        """Where it is, moved by a way (3,) [m]."""
        return Surface(self.name, self.shape.points + way, self.shape.triangles, self.shape.radius)


def drawn_things(scene: Scene, tied: Tied) -> Iterator[Thing]:
    """All that bodies may be drawn into, but the floor; only what takes part in contact."""
    for body, part in zip(scene.bodies, tied.bodies, strict=True):
        if body.shape is not None:
            yield Thing(body, body.shape, part)
    for solid, part in zip(scene.solids, tied.solids, strict=True):
        if scene.scheme == "VERLET":
            x, outer = np.asarray(solid.x, np.float64), outside_of(solid)
            nodes, triangles = np.unique(outer, return_inverse=True)
            yield Thing(solid, Shape(x[nodes], triangles.reshape(-1, 3)), part, round_of(solid, x, outer))
    for collider in scene.colliders:
        yield Thing(collider, Shape(points_at(collider, 0.0), collider.triangles), len(tied.held) - 1)
