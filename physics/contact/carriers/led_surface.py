"""Faces of colliders, which go as they are led: their vertices move along straight lines through a frame. Nothing that
pushes them moves them.
"""

from math import sqrt

import numpy as np

from ..._jit import kernel
from ...arithmetic.vectors import Vector, cross, dot, plus, scaled
from ...model import Surfaces

Face = tuple[Vector, Vector, Vector]  # its corners [m]


@kernel
def moment(surfaces: Surfaces, time: float) -> float:
    """Which part of the present frame is over at `time` [s]; 0 where nothing moves, whose samples are all the same."""
    begin, end = surfaces.span[0], surfaces.span[1]
    return min(max((time - begin) / (end - begin), 0.0), 1.0) if end > begin and fastest(surfaces) > 0.0 else 0.0


@kernel
def vertex_at(samples: np.ndarray, p: int, part: float) -> Vector:
    """Where vertex p is [m] when part of the frame is over; samples: Surfaces.samples."""
    a, b = samples[0, p], samples[1, p]
    if part == 0.0:
        return a[0], a[1], a[2]
    if part == 1.0:
        return b[0], b[1], b[2]
    return a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), a[2] + part * (b[2] - a[2])


@kernel
def way_of_vertex(samples: np.ndarray, p: int, part: float) -> Vector:
    """How far [m] vertex p goes in part of the frame."""
    a, b = samples[0, p], samples[1, p]
    if part == 0.0:
        return 0.0, 0.0, 0.0
    return part * (b[0] - a[0]), part * (b[1] - a[1]), part * (b[2] - a[2])


@kernel
def way_of_edge(surfaces: Surfaces, k: int, t: float, d: Vector, part: float) -> Vector:
    """How far [m] the place so far along edge k goes in part of the frame, with the turn of a bar, which is touched
    where d [m] leads to from there.
    """
    end, samples = surfaces.edges[k].end, surfaces.samples
    way = plus(scaled(1.0 - t, way_of_vertex(samples, end[0], part)), t, way_of_vertex(samples, end[1], part))
    own = surfaces.colliders[surfaces.edges[k].collider]
    if own.turn == 0.0 or part == 0.0 or surfaces.edges[k].opposite[0] >= 0:
        return way
    e = plus(vertex_at(samples, end[1], 0.0), -1.0, vertex_at(samples, end[0], 0.0))
    size = sqrt(dot(e, e) * dot(d, d))
    return plus(way, own.turn * part * own.thickness / size if size > 0.0 else 0.0, cross(e, d))


@kernel
def motion_at(surfaces: Surfaces, p: int, part: tuple[float, float]) -> tuple[Vector, Vector]:
    """Where vertex p is [m] and how far it goes in a step; part: of the frame that is over, and that the step takes."""
    return vertex_at(surfaces.samples, p, part[0]), way_of_vertex(surfaces.samples, p, part[1])


@kernel
def corners(surfaces: Surfaces, f: int, part: float) -> Face:
    """Of face f, when part of the frame is over."""
    corner, own = surfaces.faces[f].corner, surfaces.samples
    return vertex_at(own, corner[0], part), vertex_at(own, corner[1], part), vertex_at(own, corner[2], part)


@kernel
def lay(surfaces: Surfaces, on_node: np.ndarray, x: np.ndarray, k: int) -> None:
    """Sample k of a surface whose vertices are nodes, on_node, is where these are, x (N, 3) [m]."""
    for p in range(len(on_node)):
        for c in range(3):
            surfaces.samples[k, p, c] = x[on_node[p], c]


@kernel
def thinnest(surfaces: Surfaces) -> float:
    """The smallest thickness [m]."""
    least = np.inf
    for k in range(len(surfaces.colliders)):
        least = min(least, surfaces.colliders[k].thickness)
    return least


@kernel
def fastest(surfaces: Surfaces) -> float:
    """The largest speed [m/s] of any vertex in the present frame."""
    speed = 0.0
    for k in range(len(surfaces.colliders)):
        speed = max(speed, surfaces.colliders[k].speed)
    return speed
