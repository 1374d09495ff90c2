"""The way of one thing out of another that it is drawn into: the least translation of convex ones. What is hollow
leaves the faces that it meets, one by one, if that leads out, else the other's hull, as far as it has to. Out of a
collider all go to the side on which they mostly are.
"""

from dataclasses import replace

import numpy as np

from ..arithmetic.fixed_order import dot, norm
from ..validate.overlap_with_bodies import depths_in, sides_of
from ..validate.pierced import encloses, pierced
from .drawn_thing import Thing
from .least_translation import Way, deepest_of, least_translation, way_along

SLIGHT = 1e-4  # of the smaller's smallest extent: what is drawn so little into others stays
OVERLAP_ROUNDING = 1e-9  # of the same: what has gone overlaps by no more
STEPS = 8  # out of hollow things, one face after the other
PARTS = 8  # of a way, of which the first that leads out is taken, and halved as often again


def spared(size: float, margin: float, went: bool) -> float:
    """How deep [m] things may be in each other, their margins taken together: as drawn they need not keep these."""
    return size * OVERLAP_ROUNDING if went else size * SLIGHT + margin


def way_out(one: Thing, other: Thing, here: np.ndarray, went: bool) -> np.ndarray:
    """The way (3,) [m] of the one, moved by `here`, out of the other; zeros: there is no need. went: whether either has
    moved at all.
    """
    size, margin = min(one.size, other.size), one.margin + other.margin
    least = spared(size, margin, went)
    if one.convex and other.convex:
        found = _hulls(one, other, here)
        return found.depth * found.along if found.depth > least else np.zeros(3)
    if other.shell and one.convex:
        return _out_of_faces(one, other, here, least)
    least = min(least, size * SLIGHT)
    if not _meet(one, other, here, least):
        return np.zeros(3)
    if other.shell:
        return longer(_shortened(one, other, here, _out_of_faces(one, other, here, least), least), margin)
    stepwise = np.zeros(3)
    for _ in range(STEPS):
        step = _out_of_faces(one, other, here + stepwise, least)
        if not step.any():
            break
        stepwise += longer(step, size * SLIGHT)  # what just touches meets by rounding
    found = _hulls(one, other, here)
    whole = longer(_shortened(one, other, here, found.depth * found.along, least), margin)
    free = stepwise.any() and not _meet(one, other, here + stepwise, least)
    return stepwise if free and dot(stepwise, stepwise) < dot(whole, whole) else whole


def marched(one: Thing, shell: Thing, here: np.ndarray, out: np.ndarray) -> np.ndarray:
    """The shortest way (3,) [m] straight along an axis that takes the one, moved by `here`, out of a shell; `out`:
    there is none.
    """
    corners, best = shell.shape.points[shell.faces], np.inf
    for along in (*np.eye(3), *-np.eye(3)):
        far, step = 0.0, np.inf
        for _ in range(STEPS):
            points = one.shape.points + here + far * along
            step = way_along(points, one.directions, one.radius, corners, along)
            far += step
            if step == 0.0 or far >= best:
                break
        if step == 0.0 and far < best:
            best, out = far, far * along
    return out


def longer(way: np.ndarray, by: float) -> np.ndarray:
    """A way (3,) [m] and on."""
    length = float(norm(way))
    return way * (1.0 + by / length) if length > 0.0 else way


def _hulls(one: Thing, other: Thing, here: np.ndarray) -> Way:
    """Of the hull of the one, moved by `here`, out of that of the other."""
    return least_translation(one.shape.points + here, other.shape.points, one.radius + other.radius)


def _out_of_faces(one: Thing, other: Thing, here: np.ndarray, least: float) -> np.ndarray:
    """The longest (3,) [m] of the least translations, more than `least`, of the one, moved by `here`, out of the
    other's faces, or the other way round if that is convex; of a hollow one, each of its faces by itself, but all its
    hull out of a shell.
    """
    radius, corners = one.radius + other.radius, other.shape.points[other.faces]
    if other.convex:
        own = one.shape.points[one.faces] + here
        found = deepest_of(other.shape.points, other.directions, radius, own, least)
        return np.zeros(3) if found is None else -found.depth * found.along
    points = one.shape.points + here
    pieces = [points] if one.convex or other.shell else points[one.faces]
    low, high = other.shape.points.min(axis=0) - radius, other.shape.points.max(axis=0) + radius
    deepest = np.zeros(3)
    for piece in pieces:
        if np.all((piece.min(axis=0) <= high) & (piece.max(axis=0) >= low)):
            directions = one.directions if piece is points else np.zeros((0, 3))
            found = deepest_of(piece, directions, radius, corners, least)
            if found is not None:
                least, deepest = found.depth, found.depth * found.along
    return deepest


def _meet(one: Thing, other: Thing, here: np.ndarray, least: float) -> bool:
    """Whether the surface of the one, moved by `here`, is within the other's by more than `least` [m]."""
    if one.shape.radius > 0.0 or other.shape.radius > 0.0:
        round_, hollow, way = (one, other, here) if one.shape.radius > 0.0 else (other, one, -here)
        tail, head = (round_.shape.points[ends] + way for ends in sides_of(round_.shape).T)
        bare = replace(hollow.shape, radius=max(hollow.shape.radius, 1e-3 * least))
        return bool(depths_in(bare, tail, head, np.full(len(tail), round_.shape.radius))[0].max() > least)
    first, second = one.surface(here), other.surface(np.zeros(3))
    depth = max(pierced(first, second), pierced(second, first))
    enclosed = depth < 0.0 and not other.shell and (encloses(first, second) or encloses(second, first))
    return enclosed or depth > least


def _shortened(one: Thing, other: Thing, here: np.ndarray, way: np.ndarray, least: float) -> np.ndarray:
    """The first part of a way (3,) at whose end nothing meets, the whole where there is none."""
    free = next((k for k in range(1, PARTS) if not _meet(one, other, here + k / PARTS * way, least)), PARTS)
    low, high = (free - 1) / PARTS, free / PARTS
    for _ in range(PARTS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _meet(one, other, here + middle * way, least) else (low, middle)
    return high * way
