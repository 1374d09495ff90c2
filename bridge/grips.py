"""How an object or bone holds a cable: by the cable's frame, in its own axes, as it was when it was tied.

The frame is (m₁, m₂, t) and the place of a vertex, as a matrix (4, 4) in the world. A settled cable's first edge is not
quite where its clamp points, by half of its bending there; so what a clamp holds is kept, and not drawn anew from it.
"""

import numpy as np

from .stripe import dot, transport, unit
from .units import nearest_rotation


def frame_at(line, vertex, units):
    """Of a Polyline, as physics takes it from the drawing (physics/rods/rest_shape): half way between the edges that
    meet there; at an end the curve has turned by half as much as it turns at the next vertex.
    """
    t, axes, found = unit(np.diff(line.x, axis=0)), line.axes, np.eye(4)
    found[:3, 3] = units.blender_units(line.x[vertex])
    if vertex in (0, len(t)):
        near, far = (0, 1) if vertex == 0 else (-1, -2)
        between = unit(t[near] + t[far])
        wall = 2.0 * dot(between, t[near]) * t[near] - between
        found[:3, :3] = _frames(transport(axes[near], t[near], wall), wall)
    else:
        found[:3, :3] = nearest_rotation(_frames(axes, t)[vertex - 1 : vertex + 1].sum(axis=0))
    return found


def _frames(m1, t):
    return np.stack([m1, np.cross(t, m1), t], axis=-1)


def taken(matrix, frame):
    """What a pin keeps whose target is at `matrix` (4, 4), as its property has it."""
    return (np.linalg.inv(matrix) @ frame).ravel().tolist()


def led(matrix, grip):
    """The frame (4, 4) to which a target at `matrix` leads what it gripped."""
    frame = matrix @ np.reshape(grip, (4, 4))
    frame[:3, :3] = nearest_rotation(frame[:3, :3])
    return frame
