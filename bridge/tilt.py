"""The material frame of a bake as the tilt of a Bézier curve, so that its stripe shows the twist.

Blender turns the stripe of an untilted curve by rules of its own (twist mode MINIMUM). They are measured, not rebuilt:
a bare copy of the result is posed for each frame, and the tilt is what is left between its stripe and the wanted one.
Blender seeds the stripe from the first directions in object space, which is singular along z: between two frames it
could flip there. The result has its source's axes, so that textures stay where they were, and a rod that begins along
z, as a trunk does, leans aside by a hair in its first piece. Where that is not enough the result is turned for good,
with its z where no first direction comes near.

Blender drops points that come again in the same place, which are those that a winch has reeled in (`bezier`). So rings
are told by their size: control point k of the copy has a radius of 1 + k, and those between go evenly.
"""

import numpy as np

from . import rings
from .stripe import nearest_turn, transport, unit

CANDIDATES = 1000  # directions tried for z: 4° apart
MOST_DIRECTIONS = 2000  # first directions looked at: a tree at all its frames has a hundred thousand
NEAR_Z = 0.02  # rad from z: too near for Blender, which takes 1e-4 for none
LEANS = 0.05, 0.1  # of the first edge: how far its handle may move aside, and the curve at most by half of that
DRAWN = 4  # pieces that Blender draws between two points
EVEN = 1e-4  # how far a source's axes may be from square, and its scale from uniform


def settle(matrix, controls, bound=False):
    """Axes (3, 3), orthonormal columns, and scale for a result, and its control points with what has to lean.

    matrix (4, 4) of its source; controls: for each spline co, left, right (F, k, 3) in the world. The source's axes are
    taken unless they let more stripes flip, or, where something goes by them, `bound`, all the same. An uneven scale is
    left out.
    """
    stretch = np.linalg.norm(matrix[:3, :3], axis=0)
    axes, calm = matrix[:3, :3] / stretch, calm_axes(np.concatenate([seeds(*each)[:, 0] for each in controls]))
    if np.allclose(axes.T @ axes, np.eye(3), atol=EVEN) and np.linalg.det(axes) > 0.0:
        leaning = [lean(each, axes) for each in controls]
        flips = sum(steep(seeds(*each) @ axes) for each in leaning)
        others = sum(steep(seeds(*each) @ calm) for each in controls)
        if bound or flips <= others:
            return axes, stretch[0] if np.ptp(stretch) < EVEN * stretch[0] else 1.0, leaning
    return calm, 1.0, controls


def steep(first):
    """The number of steps between frames at which a stripe may flip; first (F, k, 3), unit, in object space.

    On its way from one frame to the next a direction turns about z evenly, to 1°, if it passes z at twice the distance
    that it goes.
    """
    across = first[..., :2]
    start, way = across[:-1], np.diff(across, axis=0)
    length = np.linalg.norm(way, axis=-1)
    share = np.clip(-np.sum(start * way, axis=-1) / np.maximum(length**2, 1e-300), 0.0, 1.0)
    gap = np.linalg.norm(start + share[..., None] * way, axis=-1)
    return np.sum(np.any(gap < np.maximum(2.0 * length, NEAR_Z), axis=1))


def lean(control, axes):
    """Control points (co, left, right) whose first handle leans aside if that keeps the stripe from flipping."""
    if not steep(seeds(*control) @ axes):
        return control
    co, left, right = control
    frame, k = at = np.arange(len(co)), drawn_at(co)[:, 0]
    length = np.linalg.norm(co[frame, k + 1] - co[at], axis=1, keepdims=True)
    for share in LEANS:
        for turn in np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False):
            leaning = right.copy()
            leaning[at] += share * length * (np.cos(turn) * axes[:, 0] + np.sin(turn) * axes[:, 1])
            if not steep(seeds(co, left, leaning) @ axes):
                return co, left, leaning
    return control


def seeds(co, left, right):
    """The directions (F, 2, 3) that Blender seeds the stripe of a Bézier spline (F, k, 3) from: at its first two drawn
    points.
    """
    u, frame, k = np.arange(3)[:, None, None] / DRAWN, np.arange(len(co)), drawn_at(co)[:, 0]
    hull = co[frame, k], right[frame, k], left[frame, k + 1], co[frame, k + 1]
    weights = (1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u**2 * (1 - u), u**3
    drawn = sum(weight * point for weight, point in zip(weights, hull, strict=True))
    ahead, beyond = (unit(step) for step in np.diff(drawn, axis=0))
    return np.stack([ahead, unit(ahead + beyond)], axis=1)


def drawn_at(co):
    """(F, k): where points co (F, k, 3) of a curve are drawn: at themselves, or, where pieces between them and an end
    have no length, as those at a winch, at the last of these.
    """
    count, moves = co.shape[1], np.any(np.diff(co, axis=1) != 0.0, axis=2)
    first, last = np.argmax(moves, axis=1), count - 1 - np.argmax(moves[:, ::-1], axis=1)
    return np.clip(np.arange(count), first[:, None], last[:, None])


def calm_axes(first):
    """A rotation (3, 3), its columns the axes x, y, z: z farthest from all lines along `first` (k, 3).

    It may be called with the first directions of a rod at successive frames.
    """
    turn = np.pi * (1.0 + np.sqrt(5.0)) * np.arange(CANDIDATES)  # Fibonacci lattice on half the sphere
    z = (np.arange(CANDIDATES) + 0.5) / CANDIDATES
    lattice = np.column_stack([np.sqrt(1 - z * z) * np.cos(turn), np.sqrt(1 - z * z) * np.sin(turn), z])
    some = first[:: -(-len(first) // MOST_DIRECTIONS)]
    z = lattice[np.argmin(np.abs(lattice @ unit(some).T).max(axis=1))]
    x = transport(np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]), z)
    return np.column_stack([x, np.cross(z, x), z])


def tilts(curve, splines):
    """Tilt (F, k) [rad] of the control points of each spline of `curve`, a result of Bézier splines with free handles.

    splines: for each (co, left, right, stripe, twist): the first four (F, k, 3) in object space, F frames of k control
    points; twist (k,) [rad], known to half a turn: how far the stripe turns at a control point, in the drawn curve.
    """
    edges = np.linalg.norm(np.diff(splines[0][0][0], axis=0), axis=1)
    size = 2.0 ** np.round(np.log2(np.median(edges[edges > 0.0])))  # a power of two: all is rounded as it is drawn
    depth = max(1.0, *(np.abs(co).max() / size for co, *_ in splines))  # so long are arms, not to be lost in rounding
    ends = np.cumsum([co.shape[1] for co, *_ in splines])
    starts, twist = np.append(0, ends[:-1]), np.concatenate([twist for *_, twist in splines])
    stripe = np.concatenate([stripe for *_, stripe, _ in splines], axis=1)
    found, number = np.empty(stripe.shape[:2]), np.arange(ends[-1])
    with rings.bare_copy(curve, depth) as probe:
        own = list(probe.data.splines)
        for spline, radius in zip(own, np.split(1.0 + number, ends[:-1]), strict=True):
            rings.write(spline.bezier_points, "tilt", np.zeros(len(spline.bezier_points)))
            rings.write(spline.bezier_points, "radius", radius)
            spline.radius_interpolation = "LINEAR"
        half = 0.5 / max(spline.resolution_u for spline in own)
        for frame in range(len(found)):
            for spline, (co, left, right, _, _) in zip(own, splines, strict=True):
                for name, values in (("co", co), ("handle_left", left), ("handle_right", right)):
                    rings.write(spline.bezier_points, name, values[frame] / size)
            ring = rings.measure(probe)
            radius = np.linalg.norm(ring.stripe, axis=1) / probe.data.bevel_depth
            at = np.searchsorted(radius, 1.0 + number - half)
            found[frame] = _tilt(stripe[frame], ring.stripe[at], ring.quarter[at], twist, starts)
    each = zip(np.split(found, ends[:-1], axis=1), splines, strict=True)
    return [_continuous(np.take_along_axis(tilt, drawn_at(co), axis=1)) for tilt, (co, *_) in each]


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
