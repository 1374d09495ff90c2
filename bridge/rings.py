"""What Blender makes of a curve, measured on its bevelled mesh: one ring of vertices after another.

With bevel resolution 0 a ring has four vertices, 0 opposite 2; 0 lies on the stripe (UV v = 0) and 1 a quarter turn
further, right-handed about the direction of the curve, as positive tilt is. A curve that is measured is a bare copy on
an object in no scene, which Blender evaluates by itself: nothing the artist has is touched.
"""

from contextlib import contextmanager
from dataclasses import dataclass

import bpy
import numpy as np

KIND = (  # of a spline, besides its points
    "use_cyclic_u", "order_u", "use_endpoint_u", "use_bezier_u", "resolution_u", "use_smooth", "tilt_interpolation",
    "radius_interpolation",
)  # fmt: skip


@dataclass(frozen=True)
class Rings:
    """centre (k, 3), and two arms (k, 3) of bevel depth × radius: to the stripe, and a quarter turn further."""

    centre: np.ndarray
    stripe: np.ndarray
    quarter: np.ndarray


@contextmanager
def bare_copy(curve, depth):
    """An object, removed at the end, with a copy of `curve` that has nothing but a round bevel of `depth`."""
    data = curve.copy()
    probe = bpy.data.objects.new(".tendril", data)
    try:
        clear_shape_keys(probe)
        data.animation_data_clear()
        if data.dimensions == "2D":  # twists about z and knows no tilt; as 2D Blender may reverse its points
            data.twist_mode = "Z_UP"
            for spline in data.splines:
                write(points(spline), "tilt", np.zeros(len(points(spline))))
        data.dimensions, data.fill_mode, data.use_fill_caps = "3D", "FULL", False
        data.bevel_mode, data.bevel_depth, data.bevel_resolution = "ROUND", depth, 0
        data.extrude = data.offset = 0.0
        data.taper_object = None
        data.bevel_factor_start, data.bevel_factor_end = 0.0, 1.0
        data.render_resolution_u = 0
        yield probe
    finally:
        bpy.data.objects.remove(probe)
        bpy.data.curves.remove(data)


def clear_shape_keys(item):
    """Remove the shape keys of an object; in Blender 4.5 those of a copied curve count one user too many and stay."""
    if item.data.shape_keys:
        local = (item.data.shape_keys.name, None)
        item.shape_key_clear()
        if left := bpy.data.shape_keys.get(local):
            bpy.data.batch_remove([left])


def pose(curve, values):
    """Give a bare copy's points the places, tilts and radii of `values`, what `all_of` gives of each spline. Where
    those are of fewer points the splines are made anew.
    """
    if [len(points(spline)) for spline in curve.splines] != [len(own["radius"]) for own in values]:
        _make_anew(curve, values)
    for spline, own in zip(curve.splines, values, strict=True):
        if spline.type == "BEZIER":
            free_handles(spline)
        for name, each in own.items():
            write(points(spline), name, each)


def _make_anew(curve, values):
    """Splines of the same kinds with as many points as there are `values`."""
    kinds = [(spline.type, {name: getattr(spline, name) for name in KIND}) for spline in curve.splines]
    curve.splines.clear()
    for (kind, settings), own in zip(kinds, values, strict=True):
        spline = curve.splines.new(kind)
        points(spline).add(len(own["radius"]) - 1)
        for name, value in settings.items():
            setattr(spline, name, value)


def all_of(spline):
    """Everything that shapes a spline, by attribute: (k,) or (k, width) float32 of its k control points."""
    widths = {"co": 3, "handle_left": 3, "handle_right": 3} if spline.type == "BEZIER" else {"co": 4}
    return {name: read(points(spline), name, width) for name, width in {**widths, "tilt": 1, "radius": 1}.items()}


def free_handles(spline):
    """Let the handles of a Bézier spline stay where they are put."""
    free = np.zeros(len(spline.bezier_points), dtype=np.int32)
    spline.bezier_points.foreach_set("handle_left_type", free)
    spline.bezier_points.foreach_set("handle_right_type", free)


def points(spline):
    """The control points of a spline of any kind."""
    return spline.bezier_points if spline.type == "BEZIER" else spline.points


def read(collection, name, width=1):
    """Attribute `name` of a collection of items → (k,) or (k, width) float32."""
    values = np.empty(len(collection) * width, dtype=np.float32)
    collection.foreach_get(name, values)
    return values.reshape(-1, width) if width > 1 else values


def write(collection, name, values):
    """The inverse of `read`."""
    collection.foreach_set(name, np.ascontiguousarray(values, dtype=np.float32).ravel())


def measure(probe):
    """The Rings of all splines of a bare copy, one after another."""
    mesh = probe.to_mesh()
    try:
        ring = read(mesh.attributes["position"].data, "vector", 3).astype(np.float64).reshape(-1, 4, 3)
    finally:
        probe.to_mesh_clear()
    centre = 0.5 * (ring[:, 0] + ring[:, 2])
    return Rings(centre, ring[:, 0] - centre, ring[:, 1] - centre)


def starts(probe):
    """The ring at which each spline of a bare copy begins, and the number of rings."""
    mesh = probe.to_mesh()
    try:
        edges = np.empty(2 * len(mesh.edges), dtype=np.int32)
        mesh.edges.foreach_get("vertices", edges)
        linked = np.zeros(len(mesh.vertices) // 4 + 1, dtype=bool)  # to the ring before
    finally:
        probe.to_mesh_clear()
    step = np.sort(edges.reshape(-1, 2) // 4, axis=1)
    linked[step[step[:, 1] == step[:, 0] + 1, 1]] = True
    return np.flatnonzero(~linked)
