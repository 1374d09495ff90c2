"""What a curve must be to become a rod, one sentence for each thing it can lack."""

import numpy as np

from ..physics.validate import SceneError
from . import rings

NEAR = 1e-5  # Blender draws points nearer than this in each coordinate as one

# Modifiers that bend a curve. All but the first two may do so after it has got its bevel, where a rod cannot follow.
DEFORMING = (
    "HOOK", "SOFT_BODY", "ARMATURE", "CAST", "CURVE", "LATTICE", "MESH_DEFORM", "SHRINKWRAP", "SIMPLE_DEFORM", "SMOOTH",
    "WARP", "WAVE",
)  # fmt: skip


def is_linked(source):
    """Whether an object, or what it shows, is a library's, so that no result can stand in for it."""
    return bool(source.library or (source.data and source.data.library))


def check_object(source):
    """What can be judged before anything is evaluated. Raises SceneError."""
    name = source.name
    if source.type != "CURVE":
        raise SceneError(name, f"'{name}' is not a curve: remove the rod from it.")
    if is_linked(source):
        raise SceneError(
            name, f"'{name}' is linked from a library: make it local with Object › Relations › Make Local."
        )
    if source.mode == "EDIT":
        raise SceneError(name, f"'{name}' is in edit mode: leave it with Tab first.")
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
        raise SceneError(name, f"'{name}' has a zero in its scale ({text}): set it to another value, such as 1.")


def check_points(name, curve, edge_count):
    """The control points of an evaluated curve that is to have `edge_count` edges, 0: as drawn. Raises SceneError."""
    if not curve.splines:
        raise SceneError(name, f"'{name}' has no points: draw a curve with at least three.")
    for index, spline in enumerate(curve.splines):
        points = rings.points(spline)
        values = np.column_stack(list(rings.all_of(spline).values()))
        bad = np.flatnonzero(~np.all(np.isfinite(values), axis=1))
        if len(bad):
            raise SceneError(name, f"'{name}': point {bad[0]} of spline {index} is not a number (NaN): delete it.")
        enough = 3 if spline.type == "POLY" and (spline.use_cyclic_u or not edge_count) else 2
        if len(points) < enough:
            text = (
                f"'{name}': spline {index} has {len(points)} of the three points a rod needs: subdivide or delete it."
            )
            raise SceneError(name, text)
        near = np.flatnonzero(_gaps(values[:, :3], spline.use_cyclic_u) < NEAR)
        if len(near) and spline.type != "NURBS":  # there, points in one place make it sharper
            pair = f"points {near[0]} and {(near[0] + 1) % len(points)} of spline {index}"
            raise SceneError(name, f"'{name}': {pair} are in the same place: delete one of them.")


def check_drawn(name, curve, places):
    """places: of each spline of a bare copy, the points (k, 3) Blender makes of it. Raises SceneError."""
    if len(places) != len(curve.splines):
        raise SceneError(
            name, f"'{name}' has a NURBS spline with fewer points than its order, so nothing is drawn: add points."
        )
    for index, (spline, drawn) in enumerate(zip(curve.splines, places, strict=True)):
        if np.any(_gaps(drawn, spline.use_cyclic_u) < NEAR):
            raise SceneError(name, f"'{name}': spline {index} has parts that lie on each other: move its points apart.")


def _gaps(places, closed):
    """Largest difference in a coordinate from each place to the next."""
    gap = np.abs(np.roll(places, -1, axis=0) - places).max(axis=1)
    return gap if closed else gap[:-1]
