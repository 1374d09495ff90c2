"""What of a rigid body touches: points that are numbers, triangles of them, a thickness where they have no area."""

import numpy as np

from ..scene import RigidBody, Shape
from .colliders import ROUGHEST, THICKEST, degenerate
from .errors import SceneError
from .limits import FARTHEST, check_size

CURE = "check the object's mesh"


def check_contact(body: RigidBody) -> None:
    """How a body touches: its shape, friction, restitution and rolling resistance. Raises SceneError."""
    if body.shape is not None:
        check_shape(body.name, body.shape)
    spans = {"friction": (ROUGHEST, ""), "restitution": (1.0, ""), "rolling_resistance": (THICKEST, " m")}
    for attribute, (most, unit) in spans.items():
        value, what = getattr(body, attribute), attribute.replace("_", " ")
        if not 0.0 <= value <= most:
            text = f"its {what} is {value:g}{unit}: keep it between 0 and {most:g}{unit}."
            raise SceneError(body.name, f"'{body.name}': {text}")


def check_shape(name: str, shape: Shape) -> None:
    """Raises SceneError."""
    _arrays(name, shape)
    _radius(name, shape)


def _arrays(name: str, shape: Shape) -> None:
    points, triangles = np.asarray(shape.points), np.asarray(shape.triangles)
    for what, value, kinds in (("points", points, "f"), ("triangles", triangles, "iu")):
        if value.ndim != 2 or value.shape[1] != 3 or not len(value) or value.dtype.kind not in kinds:
            text = f"the {what} of its shape have the shape {value.shape} in place of (…, 3): give three numbers each."
            raise SceneError(name, f"'{name}': {text}")
    if not np.all(np.isfinite(points)):
        where = int(np.flatnonzero(~np.isfinite(points).all(axis=1))[0])
        raise SceneError(name, f"'{name}': the place of its shape's point {where} is not a number: {CURE}.")
    check_size(name, points, FARTHEST, f"'{name}': its shape's distance from the origin", "m", "bring it back")
    if triangles.min() < 0 or triangles.max() >= len(points):
        worst = triangles.max() if triangles.max() >= len(points) else triangles.min()
        text = f"its shape has a triangle at point {worst}, but {len(points)} points: choose one of them."
        raise SceneError(name, f"'{name}': {text}")


def _radius(name: str, shape: Shape) -> None:
    if not 0.0 <= shape.radius <= THICKEST:
        text = f"the radius of its shape is {shape.radius:g} m: keep it between 0 and {THICKEST:g} m."
        raise SceneError(name, f"'{name}': {text}")
    if shape.radius == 0.0 and np.all(degenerate(shape.points, shape.triangles)):
        text = "its shape has neither a face with an area nor a radius, so nothing can touch it: give it one of them."
        raise SceneError(name, f"'{name}': {text}")
