"""A rod that is drawn coiled and keeps that shape, which a spring is to do and a rope that is let go is not."""

import numpy as np

from . import rings

TURNS = 2.0  # that a curve is bent by in all, from which on it is coiled; a hook, a wave or a bow has fewer
KEPT = 0.5  # Rest Shape, from which on it is the drawn shape rather than a straight one
END = 1e-3  # of the length: a pin so near an end is at it


def told(rod):
    """What to tell an artist of a rod object; "": nothing."""
    own = rod.tendril
    held = own.pins and all(not END < pin.fraction < 1.0 - END for pin in own.pins)
    if rod.type != "CURVE" or own.is_tree or own.rod.shape_memory < KEPT or not held or own.rod.balanced:
        return ""
    if not any(turns(spline) >= TURNS for spline in rod.data.splines):
        return ""
    return f"'{rod.name}' is drawn coiled, and keeps that shape: with Rest Shape 0 it unwinds"


def turns(spline):
    """By how much the polygon of a spline's control points bends in all [turns]."""
    points = rings.points(spline)
    if len(points) < 3:
        return 0.0
    x = rings.read(points, "co", 3 if spline.type == "BEZIER" else 4).reshape(len(points), -1)[:, :3].astype(float)
    edge = np.diff(x, axis=0)
    length = np.linalg.norm(edge, axis=1)
    edge = edge[length > 0.0] / length[length > 0.0, None]
    cosine = np.clip((edge[1:] * edge[:-1]).sum(axis=1), -1.0, 1.0)
    return float(np.arccos(cosine).sum() / (2.0 * np.pi))
