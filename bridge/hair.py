"""Hair: a Curves object of Blender's, each curve of which is a rod, from control point to control point.

What draws it are its modifiers up to the last that deforms it with its surface: those are in what is read, and in the
bake. What comes behind, as what interpolates hair between guides does, acts on the bake as it did on what was drawn.
Hair that Geometry Nodes make of nothing is drawn by all of them.
"""

import numpy as np

from ..physics.validate import SceneError
from ..properties.thickness import HAIR
from ..trees.tree import blunt
from .strands import edge_axes, edges_of
from .units import to_world

DRAWN_BY = "GeometryNodeDeformCurvesOnSurface"
KINDS = {"FLOAT": np.float32, "INT": np.int32, "INT8": np.int32, "BOOLEAN": bool}  # of attributes that are numbers
STRANDS, POINTS = 12_000, 500_000  # more than a job has room for: 2.4 kB of settings a curve, of 32 MB


def is_hair(item):
    return item.type == "CURVES"


def take_finish(copy):
    """Take from a copied hair object the modifiers behind those that draw it."""
    for modifier in _finishing(copy):
        copy.modifiers.remove(modifier)
    return copy


def take_drawing(copy):
    """Take all others from it."""
    for modifier in [each for each in copy.modifiers if each not in _finishing(copy)]:
        copy.modifiers.remove(modifier)
    return copy


def _finishing(item):
    modifiers = list(item.modifiers)
    if not len(item.data.points):
        return []
    drawing = [number for number, each in enumerate(modifiers) if _deforms(getattr(each, "node_group", None), set())]
    return modifiers[drawing[-1] + 1 :] if drawing else modifiers


def _deforms(group, seen):
    """Whether a node group, or one in it, deforms curves with their surface."""
    if group is None or group in seen:
        return False
    seen.add(group)
    return any(
        node.bl_idname == DRAWN_BY or (node.bl_idname == "GeometryNodeGroup" and _deforms(node.node_tree, seen))
        for node in group.nodes
    )


def strands(name, evaluated):
    """(places (P, 3), radii (P,), starts (k + 1,), whether closed (k,)) of an evaluated hair object, in its own space.

    Raises SceneError: there is none, or what is no number, or a curve of one point, or of points in one place.
    """
    curves = evaluated.data
    count = len(curves.points)
    if not count:
        raise SceneError(name, f"'{name}' has no hair: draw some in Sculpt Mode, or show the modifier that makes it.")
    starts = np.empty(len(curves.curves) + 1, dtype=np.int32)
    curves.curve_offset_data.foreach_get("value", starts)
    x = np.empty(3 * count, dtype=np.float32)
    curves.position_data.foreach_get("vector", x)
    x, radius, closed = x.reshape(-1, 3).astype(np.float64), _read(curves, "radius", HAIR), _read(curves, "cyclic", 0.0)
    bad = np.flatnonzero(~(np.isfinite(x).all(axis=1) & np.isfinite(radius)))
    of = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    if len(bad):
        text = f"point {bad[0] - starts[of[bad[0]]]} of curve {of[bad[0]]} is not a number (NaN)"
        raise SceneError(name, f"'{name}': {text}: delete that curve.")
    few = np.flatnonzero(np.diff(starts) < 3)
    if len(few):
        points = int(np.diff(starts)[few[0]])
        what = "is a single point" if points == 1 else f"has {points} points and cannot bend"
        raise SceneError(name, f"'{name}': curve {few[0]} {what}: resample or delete it.")
    gap = np.linalg.norm(np.diff(x, axis=0), axis=1)[np.diff(of) == 0]
    same = np.flatnonzero(~(gap > 0.0))
    if len(same):
        curve = of[:-1][np.diff(of) == 0][same[0]]
        raise SceneError(name, f"'{name}': curve {curve} has two points in one place: resample or delete it.")
    if radius.min() < 0.0:
        point = int(radius.argmin())
        raise SceneError(name, f"'{name}': curve {of[point]} has a radius of {radius[point]:g}: set it to 0 or more.")
    return x, radius, starts, closed > 0.5


def guided(source, evaluated, units):
    """What a job keeps of a hair object of which guides alone are simulated, see `guided_hair`; None: all are. Raises
    SceneError.
    """
    x, _, starts, closed = strands(source.name, evaluated)
    guides = _guides(source.name, source.tendril.rod, evaluated.data, starts, closed)
    if len(guides) == len(closed):
        return None
    matrix = np.array(evaluated.matrix_world, dtype=np.float64)
    return {"x": units.metres(to_world(matrix, x)), "starts": starts, "closed": closed, "guides": guides}


def _guides(name, settings, curves, starts, closed):
    """Numbers (g,) of the curves that are simulated: those that an attribute chooses, by a number above 0 of theirs or
    of one of their points, or else every so many-th; and all that are closed. Raises SceneError: there is no such
    attribute, it chooses none, or there are too many.
    """
    chosen = closed.copy()
    if settings.guides_in:
        chosen |= _chosen(name, settings.guides_in, curves, starts, closed)
    else:
        chosen[np.flatnonzero(~closed)[:: settings.guides]] = True
    found = np.flatnonzero(chosen)
    points = int(np.diff(starts)[found].sum())
    if len(found) > STRANDS or points > POINTS:
        what = f"{len(found)} curves of {points} points, of which a bake takes {STRANDS} and {POINTS} at most"
        cure = f"set fewer in the attribute '{settings.guides_in}'" if settings.guides_in else "raise Guides, in Shape"
        raise SceneError(name, f"'{name}' has {what}: {cure}.")
    return found


def _chosen(name, attribute, curves, starts, closed):
    """Which curves (k,) an attribute chooses. Raises SceneError."""
    own, what = curves.attributes.get(attribute), f"'{name}': its guides are in the attribute '{attribute}'"
    cure = "choose another in Shape, or none"
    if own is None:
        raise SceneError(name, f"{what}, which it does not have: {cure}.")
    if own.data_type not in KINDS or own.domain not in {"CURVE", "POINT"}:
        raise SceneError(name, f"{what}, which has no number for each curve or point: {cure}.")
    values = np.empty(len(own.data), dtype=KINDS[own.data_type])
    own.data.foreach_get("value", values)
    chosen = values > 0
    chosen = np.logical_or.reduceat(chosen, starts[:-1]) if own.domain == "POINT" else chosen
    if not (chosen | closed).all() and not (chosen & ~closed).any():
        raise SceneError(name, f"{what}, which chooses no curve: set it to 1 on some, or {cure}.")
    return chosen


def _read(curves, name, missing):
    """An attribute (n,) of numbers, whose values are `missing` where there is none."""
    attribute = curves.attributes.get(name)
    of_points = name == "radius"
    values = np.full(len(curves.points) if of_points else len(curves.curves), missing, dtype=np.float64)
    if attribute is not None and len(attribute.data) == len(values) and attribute.data_type in KINDS:
        own = np.empty(len(values), dtype=KINDS[attribute.data_type])
        attribute.data.foreach_get("value", own)
        values[:] = own
    return values


def lines_of(strand, matrix, units):
    """Of what `strands` gives, of an object at `matrix`: for each curve (x (n, 3) [m], radius (n,) [m], axes (m, 3)
    across each edge, closed), with no twist along it.
    """
    x, radius, starts, closed = strand
    x = units.metres(to_world(matrix, x))
    radius = units.metres(radius * np.cbrt(abs(np.linalg.det(matrix[:3, :3]))))
    axes = np.split(edge_axes(x, starts, closed), edges_of(starts, closed)[2][1:-1])
    for first, end, ring, own in zip(starts, starts[1:], closed, axes, strict=False):
        yield x[first:end], blunt(radius[first:end]), own, bool(ring)
