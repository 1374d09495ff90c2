"""One rod: its arrays, its numbers, its geometry."""

import numpy as np

from ..scene import Rod
from ..sections import refusal
from .errors import SceneError
from .keyed import check_keyed
from .limits import EDGES_AWAY, FARTHEST, FASTEST, check_size
from .weights import check_weights

COINCIDENT = 1e-9  # of the rod's length: edges shorter than that are two points in one place
WORDS = {"x": "place", "v": "velocity", "m1": "axis"}
KINK = np.radians(170.0)  # the curvature binormal is not defined at 180°


def check_rod(rod: Rod) -> None:
    """Raises SceneError."""
    _shapes(rod)
    _place(rod)
    _geometry(rod)
    _ranges(rod)
    check_keyed(rod)
    check_weights(rod)


def _shapes(rod: Rod) -> None:
    n = len(rod.x)
    if n < 3:
        raise SceneError(rod.name, f"'{rod.name}' has {n} points: a rod needs at least three; divide it more finely.")
    m = rod.edge_count
    shapes = {
        "x": (n, 3),
        "radius": (n,),
        "inner_radius": (n,),  # before what is made of it
        "mass": (n,),
        "bend_stiffness": (m, 2),
        "twist_stiffness": (n,),
        "stretch_stiffness": (m,),
        "m1": (3,),
        "twist": (n,),
        "rest_x": (n, 3),
        "rest_m1": (3,),
        "rest_twist": (n,),
        "v": (n, 3),
        "leaf_area": (n,),
        "natural_curvature": (2,),
        "rougher": (n,),
    }
    for name, shape in shapes.items():
        value = getattr(rod, name)
        if value is None:
            continue
        if np.shape(value) != shape:
            raise SceneError(
                rod.name,
                f"'{rod.name}': {name} has the shape {np.shape(value)} in place of {shape}: give one value for each.",
            )
        if not np.all(np.isfinite(value)):
            where = int(np.flatnonzero(~np.isfinite(np.reshape(value, (shape[0], -1))).all(axis=1))[0])
            what = WORDS.get(name, name.replace("_", " "))
            raise SceneError(
                rod.name,
                f"'{rod.name}': the {what} of point {where} is not a number: give a finite {name}[{where}].",
            )


def _place(rod: Rod) -> None:
    """Near enough to the origin, for the numbers of coordinates are exact to a part of their size only."""
    away = np.abs(rod.x).max(axis=1)
    far, length = int(away.argmax()), np.linalg.norm(rod.edges(), axis=1)
    usual = np.median(length) or length.max()
    if away[far] > (min(FARTHEST, EDGES_AWAY * usual) if usual > 0.0 else FARTHEST):
        raise SceneError(
            rod.name,
            f"'{rod.name}': point {far} is {away[far]:.3g} m from the origin, too far away to be simulated with edges "
            f"of {usual:.3g} m: bring it back or move everything nearer to the origin.",
        )
    if rod.v is not None:
        check_size(rod.name, rod.v, FASTEST, f"'{rod.name}': its speed", "m/s", "lower it")


def _ranges(rod: Rod) -> None:
    if rod.inner_radius is not None and (wrong := refusal(rod.radius, rod.inner_radius)):
        raise SceneError(rod.name, f"'{rod.name}': {wrong}.")
    units = {"radius": "m", "mass": "kg", "bend_stiffness": "N m²", "twist_stiffness": "N m²"}
    for name, unit in units.items():
        value = np.asarray(getattr(rod, name))
        if value.min() <= 0.0:
            where = int(np.unravel_index(value.argmin(), value.shape)[0])
            label = name.replace("_", " ")
            raise SceneError(
                rod.name,
                f"'{rod.name}': the {label} at point {where} is {value.min():g} {unit}: it has to be greater "
                "than zero.",
            )
    if rod.stretchable and np.min(rod.stretch_stiffness) <= 0.0:
        raise SceneError(
            rod.name,
            f"'{rod.name}': the stretch stiffness is {np.min(rod.stretch_stiffness):g} N: it has to be "
            "greater than zero.",
        )
    if rod.leaf_area is not None and np.min(rod.leaf_area) < 0.0:
        where = int(np.argmin(rod.leaf_area))
        raise SceneError(
            rod.name,
            f"'{rod.name}': the leaf area at point {where} is {rod.leaf_area[where]:g} m²: it must not be negative.",
        )
    if rod.rougher is not None and np.min(rod.rougher) < 0.0:
        raise SceneError(
            rod.name, f"'{rod.name}': the factor of its friction is {np.min(rod.rougher):g} somewhere: give 0 or more."
        )
    if rod.rougher is not None and rod.model == "cable":
        raise SceneError(rod.name, f"'{rod.name}' hangs as a cable, whose friction is the same all along: leave it so.")
    spans = {
        "rest_length_factor": (1e-3, 1e3),
        "shape_memory": (0.0, 1.0),
        "aspect": (1e-6, 1e6),
        "spin_factor": (1e-3, 1e9),
        "internal_damping": (0.0, 1e6),
        "stretch_damping_factor": (0.0, 1e6),
        "twist_damping_factor": (0.0, 1e6),
        "drag_coefficient": (0.0, 1e6),
        "friction": (0.0, 1e3),
        "bend_limit": (0.0, 1e3),
        "tension_limit": (0.0, 1e9),
        "transverse_limit": (0.0, 1e9),
        "tautness": (0.0, 1e3),
    }
    for name, (low, high) in spans.items():
        value = getattr(rod, name)
        if not low <= value <= high:
            label = name.replace("_", " ")
            raise SceneError(rod.name, f"'{rod.name}': {label} is {value:g}: keep it between {low:g} and {high:g}.")


def _geometry(rod: Rod) -> None:
    for x, what in ((rod.x, "points"), (rod.rest_x, "rest points")):
        if x is None:
            continue
        edges = np.roll(x, -1, axis=0) - x
        edges = edges if rod.closed else edges[:-1]
        length = np.linalg.norm(edges, axis=1)
        where = int(length.argmin())
        if length[where] <= COINCIDENT * length.sum():
            raise SceneError(
                rod.name,
                f"'{rod.name}': {what} {where} and {(where + 1) % len(x)} are {length[where]:g} m apart, in the "
                "same place: merge them by distance.",
            )
        t = edges / length[:, None]
        ahead = np.roll(t, -1, axis=0) if rod.closed else t[1:]
        cosine = np.einsum("ij,ij->i", t[: len(ahead)], ahead)
        where = int(cosine.argmin())
        if cosine[where] < np.cos(KINK):
            raise SceneError(
                rod.name,
                f"'{rod.name}' folds back on itself at point {(where + 1) % len(x)} (turning by "
                f"{np.degrees(np.arccos(max(cosine[where], -1.0))):.0f}°): smooth it or add points.",
            )
        m1, name = (rod.m1, "m1") if x is rod.x else (rod.rest_m1, "rest_m1")
        if m1 is not None and np.linalg.norm(np.cross(m1, t[0])) <= 1e-6 * np.linalg.norm(m1):
            raise SceneError(rod.name, f"'{rod.name}': {name} points along the first edge: give a direction across it.")
