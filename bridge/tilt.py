"""The material frame of a bake as the tilt of a Bézier curve, so that its stripe shows the twist.

Blender turns the stripe of an untilted curve by rules of its own (twist mode MINIMUM). They are measured, not rebuilt:
a bare copy of the result is posed for each frame, and the tilt is what is left between its stripe and the wanted one.
Blender seeds the stripe from the first direction in object space, which is singular along z: between two frames it
could flip there. So the result is turned for good, with its z where no first direction comes near.
"""

import numpy as np

from . import rings
from .stripe import nearest_turn, transport, unit

CANDIDATES = 1000  # directions tried for z: 4° apart
MOST = 2000  # first directions looked at: a tree at all its frames has a hundred thousand


def calm_axes(first):
    """A rotation (3, 3), its columns the axes x, y, z: z farthest from all lines along `first` (k, 3).

    It may be called with the first directions of a rod at successive frames.
    """
    turn = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(CANDIDATES)  # Fibonacci lattice on half the sphere
    z = (np.arange(CANDIDATES) + 0.5) / CANDIDATES
    lattice = np.column_stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z])
    some = first[:: -(-len(first) // MOST)]
    z = lattice[np.argmin(np.abs(lattice @ unit(some).T).max(axis=1))]
    x = transport(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), z)
    return np.column_stack([x, np.cross(z, x), z])


def tilts(curve, splines):
    """Tilt (F, k) [rad] of the control points of each spline of `curve`, a result of Bézier splines with free handles.

    splines: for each (co, left, right, stripe, twist): the first four (F, k, 3) in object space, F frames of k control
    points; twist (k,) [rad], known to half a turn: how far the stripe turns at a control point, in the drawn curve.
    """
    length = np.median(np.linalg.norm(np.diff(splines[0][0][0], axis=0), axis=1))
    ends = np.cumsum([co.shape[1] for co, *_ in splines])
    starts, twist = np.append(0, ends[:-1]), np.concatenate([twist for *_, twist in splines])
    stripe = np.concatenate([stripe for *_, stripe, _ in splines], axis=1)
    found = np.empty(stripe.shape[:2])
    with rings.bare_copy(curve, 0.1) as probe:
        own = list(probe.data.splines)
        at = np.concatenate(_rings_at_points(own))
        for spline in own:
            rings.write(spline.bezier_points, "tilt", np.zeros(len(spline.bezier_points)))
            rings.write(spline.bezier_points, "radius", np.ones(len(spline.bezier_points)))
        for frame in range(len(found)):
            for spline, (co, left, right, _, _) in zip(own, splines, strict=True):
                for name, values in (("co", co), ("handle_left", left), ("handle_right", right)):
                    rings.write(spline.bezier_points, name, values[frame] / length)  # Blender merges points 1e-5 apart
            drawn = rings.measure(probe)
            found[frame] = _tilt(stripe[frame], drawn.stripe[at], drawn.quarter[at], twist, starts)
    return [_continuous(tilt) for tilt in np.split(found, ends[:-1], axis=1)]


def _rings_at_points(splines):
    """The numbers of the rings at the control points of each open Bézier spline."""
    first, found = 0, []
    for spline in splines:
        found.append(first + spline.resolution_u * np.arange(len(spline.bezier_points)))
        first = found[-1][-1] + 1
    return found


def _tilt(stripe, arm, quarter, twist, starts):
    """Angle (k,) from a ring's arm to the stripe, unwrapped along each curve, which begin at `starts`."""
    tilt = np.arctan2(np.sum(stripe * quarter, axis=1), np.sum(stripe * arm, axis=1))
    step = nearest_turn(np.diff(tilt), 0.5 * (twist[1:] + twist[:-1]))
    along = np.append(0.0, np.cumsum(step))
    return along + np.repeat((tilt - along)[starts], np.diff(np.append(starts, len(tilt))))


def _continuous(tilt):
    """Tilt (F, k) with whole turns added such that a frame follows the one before, the first about 0.

    Blender's tilt ends at ±60 turns.
    """
    first = np.round(np.mean(tilt[0]) / (2.0 * np.pi))
    turns = np.round(np.mean(np.diff(tilt, axis=0), axis=1) / (2.0 * np.pi))
    return tilt - 2.0 * np.pi * (first + np.concatenate([[0.0], np.cumsum(turns)]))[:, None]
