"""What a curve must be to become a rod, one sentence for each thing it can lack."""

import numpy as np

from ..physics.validate import SceneError
from ..properties.body import ROD_TYPES
from ..properties.own_motion import DEFORMING
from . import rings
from .doubled import runs

FAR = 1e7  # of the distance between points, or of a rod's length: as far out, single precision cannot tell them apart
LONG = 1e-6, 1e6  # m, for a rod's length

TO_OVERRIDE = "override it with Object › Library Override › Make, or make it local with Object › Relations › Make Local"


def no_curve(item):
    """Why no rod can be made of an object that is not a curve, and what can be done: one sentence."""
    what, cure = {
        "MESH": ("a mesh of edges", "convert it with Object › Convert › Curve, or select a curve"),
        "FONT": ("a text", "convert it with Object › Convert › Curve, or select a curve"),
        "CURVES": ("hair", "convert it with Object › Convert › Mesh and then › Curve, or select a curve"),
        "SURFACE": ("a surface", "select a curve"),
    }.get(item.type, ("not a curve", "select one"))
    if item.type == "MESH" and item.data.polygons:
        what, cure = "a mesh", "select a curve, or make a body of it with Add Rigid Body"
    return f"'{item.name}' is {what}: {cure}."


def check_at_hand(source):
    """What is asked of every object that is simulated. Raises SceneError: it is a library's, or being edited."""
    name = source.name
    if source.library:
        raise SceneError(name, f"'{name}' is linked from a library: {TO_OVERRIDE}.")
    if source.mode == "EDIT":
        raise SceneError(name, f"'{name}' is in edit mode: leave it with Tab first.")


def check_object(source):
    """What can be judged before anything is evaluated. Raises SceneError."""
    name = source.name
    if source.type not in ROD_TYPES:
        raise SceneError(name, f"'{name}' is not a curve: remove the rod from it.")
    check_at_hand(source)
    if source.type == "CURVES" and source.tendril.rod.model == "CABLE":
        raise SceneError(name, f"'{name}' is hair, which does not hang as a cable: choose another Model in Motion.")
    for modifier in source.modifiers:
        if modifier.show_viewport and modifier.type in DEFORMING[2:] and not modifier.use_apply_on_spline:
            what = f"'{name}': modifier '{modifier.name}' bends the finished surface, not the curve"
            raise SceneError(name, f"{what}: turn on its Apply on Spline.")


def check_matrix(name, matrix):
    """matrix (4, 4), object to world. Raises SceneError for values that are no numbers and for a zero in the scale."""
    if not np.all(np.isfinite(matrix)):
        raise SceneError(
            name, f"'{name}' has a transform that is not a number: reset its location, rotation and scale."
        )
    scale = np.linalg.norm(matrix[:3, :3], axis=0)
    if np.abs(np.linalg.det(matrix[:3, :3])) <= 1e-9 * scale.max() ** 3:
        text = ", ".join(f"{value:g}" for value in scale)
        if scale.min() > 0.0 and scale.min() > 1e-9 * scale.max():
            raise SceneError(name, f"'{name}' is pressed flat by the scale of its parents: apply their scale.")
        what = "a zero in its scale" if scale.min() < 1e-9 else "too uneven a scale"
        raise SceneError(name, f"'{name}' has {what} ({text}): set it to another value, such as 1.")


def check_size(name, lines):
    """Points (n, 3) [m] of each spline in the world. Raises SceneError about the object: too short, long or far out."""
    for x in lines:
        length = np.linalg.norm(np.diff(x, axis=0), axis=1).sum()
        away = np.abs(x).max()
        if away > FAR * length:
            raise SceneError(name, f"'{name}' is {away:.3g} m away from the middle of the world: move it nearer.")
        if not LONG[0] <= length <= LONG[1]:
            raise SceneError(
                name, f"'{name}' is {length:.3g} m long: change its scale, or the Unit Scale of the scene."
            )


def check_points(name, curve):
    """The control points of an evaluated curve. Raises SceneError."""
    if not curve.splines:
        raise SceneError(name, f"'{name}' has no points: draw a curve with at least two.")
    for index, spline in enumerate(curve.splines):
        points = rings.points(spline)
        values = np.column_stack(list(rings.all_of(spline).values()))
        bad = np.flatnonzero(~np.all(np.isfinite(values), axis=1))
        if len(bad):
            raise SceneError(name, f"'{name}': point {bad[0]} of spline {index} is not a number (NaN): delete it.")
        if len(points) < 2:
            raise SceneError(name, f"'{name}': spline {index} is a single point: extrude or delete it.")
        thin = int(values[:, -1].argmin())
        if values[thin, -1] < 0.0:
            text = f"point {thin} of spline {index} has the radius {values[thin, -1]:g}: set it to 0 or more."
            raise SceneError(name, f"'{name}': {text}")
        _check_together(name, index, values[:, :3].astype(np.float64))
        check_distinct(name, index, runs(spline), spline.type == "POLY" and spline.use_cyclic_u)


def _check_together(name, index, x):
    """Raises SceneError about a point of a spline (k, 3) so far out that the others cannot be told apart beside it."""
    away = np.abs(x - np.median(x, axis=0)).max(axis=1)
    far = int(away.argmax())
    if away[far] > FAR * np.median(away) > 0.0:
        place = ", ".join(f"{value:.3g}" for value in x[far])
        raise SceneError(name, f"'{name}': point {far} of spline {index} is far away, at ({place}): move or delete it.")


def check_distinct(name, index, places, closed):
    """places: of a spline, those in one place counted once. Raises SceneError: too few are left."""
    if len(places) < 2:
        text = f"spline {index} has all its points in the same place: move them apart, or delete it."
        raise SceneError(name, f"'{name}': {text}")
    if len(places) < 3 and closed:
        raise SceneError(name, f"'{name}': spline {index} closes a ring of two points: subdivide it or open it.")


def check_drawn(name, curve, count):
    """count: of splines of a bare copy that Blender draws. Raises SceneError."""
    if count != len(curve.splines):
        raise SceneError(
            name, f"'{name}' has a NURBS spline with fewer points than its order, so nothing is drawn: add points."
        )
