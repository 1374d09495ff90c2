"""Control points drawn in one place, as imported drawings have them, and as extruding without a move makes: they count
once, and so does a last point that repeats the first of a closed spline. Nothing that is drawn moves.
"""

import numpy as np

from . import rings

SAME_PLACE = 1e-5  # of a spline's size, in each coordinate; in a spline of one unit Blender draws that as one


def runs(spline):
    """(k, 3): of each control point of a spline that counts, the first of those in its place, itself, and the last.

    Those of a NURBS make it sharper, and all count. So do two of a Bézier spline with a loop between them, unless
    Blender made that of automatic handles, for which there is no room.
    """
    points = rings.points(spline)
    x = rings.read(points, "co", 3 if spline.type == "BEZIER" else 4)[:, :3].astype(np.float64)
    near = SAME_PLACE * size(x)
    if spline.type == "NURBS" or len(x) < 2 or not _any_near(x, near, spline.use_cyclic_u):
        return np.repeat(np.arange(len(x))[:, None], 3, axis=1)
    found = [[0, 0, 0]]
    for number in range(1, len(x)):
        _, own, last = found[-1]
        if _gap(x[number], x[own]) <= near and _nothing_between(spline, last, number, near):
            found[-1][2] = number
        else:
            found.append([number] * 3)
    if spline.use_cyclic_u and len(found) > 1:
        first, own, last = found[-1]
        if _gap(x[own], x[0]) <= near and _nothing_between(spline, last, 0, near):
            found.pop()
            found[0][0] = first
    return np.array(found)


def values(spline):
    """Everything that shapes a spline (`rings.all_of`), of the control points that count."""
    first, own, last = runs(spline).T
    shown = {"handle_left": first, "handle_right": last}
    return {name: every[shown.get(name, own)] for name, every in rings.all_of(spline).items()}


def counted_as(spline, point):
    """The number, of those that count, of the control point where `point` is."""
    first, own, _ = runs(spline).T
    closing = first[0] > 0 and point >= first[0]
    return 0 if closing else int(np.searchsorted(own, point, "right")) - 1


def count(curve):
    """How many control points of a curve repeat the one before; of hair none, which is refused where they do."""
    return sum(len(rings.points(spline)) - len(runs(spline)) for spline in getattr(curve, "splines", ()))


def told(name, number):
    """What to tell an artist about so many points."""
    return f"'{name}' has {number} doubled point{'s' * (number > 1)}, which count{'s' * (number == 1)} once"


def merged(x, closed):
    """Numbers (k,) of the places (n, 3) drawn of a spline without those that are where the one before is."""
    near = SAME_PLACE * size(x)
    if len(x) < 2 or not _any_near(x, near, closed):
        return np.arange(len(x))
    kept = [0]
    for number in range(1, len(x)):
        if _gap(x[number], x[kept[-1]]) > near:
            kept.append(number)
    while closed and len(kept) > 1 and _gap(x[kept[-1]], x[0]) <= near:
        kept.pop()
    return np.array(kept)


def size(x):
    """The largest extent of points (n, 3) along an axis."""
    return float(np.ptp(x, axis=0).max())


def _gap(one, other):
    return np.abs(one - other).max()


def _any_near(x, near, closed):
    gap = np.abs(np.roll(x, -1, axis=0) - x).max(axis=1)
    return bool(np.any((gap if closed else gap[:-1]) <= near))


def _nothing_between(spline, one, other, near):
    """Whether nothing is drawn between two control points in one place, or only what automatic handles make."""
    if spline.type != "BEZIER":
        return True
    first, second = spline.bezier_points[one], spline.bezier_points[other]
    if first.handle_right_type == second.handle_left_type == "AUTO":
        return True
    ends = (first.handle_right - first.co, second.handle_left - second.co)
    return max(abs(value) for end in ends for value in end) <= near
