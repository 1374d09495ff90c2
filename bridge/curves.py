"""An evaluated curve as polylines in the world: where Blender draws it, how thick, and how its stripe lies.

The points are those of the bevelled curve, at the curve's own resolution; or, when a number of edges is asked, places
on a finer curve between which the edges have equal length. Hooks and shape keys count, as Blender evaluates them.
"""

from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from ..physics.validate import SceneError
from ..trees.tree import pieces
from . import doubled, hair, painted, rings
from .bezier import close
from .check_curve import check_distinct, check_drawn, check_matrix, check_object, check_points, check_size
from .evaluation import side_scene
from .painted import Paint
from .stripe import directions, edge_frames, unit
from .units import Units, to_world

FINER = 8  # samples of the curve for each edge asked for
RULED = 6  # edges to sample for where a rule gives their number
MOST_CUT = 2.0  # lengths of an edge
MOST_PIECES = 10000  # as many as Points allows
MOST_RESOLUTION = 1024  # Blender's limit


@dataclass(frozen=True)
class Polyline:
    """One spline in the world.

    x (n, 3) [m]; thickness (n,): metres of radius per Blender unit of bevel depth, of hair the radius [m] itself;
    axes (m, 3), across each edge, towards the stripe; twist (n,) [rad], how far the stripe turns at each vertex, many
    turns included; closed; paint: what is painted along it, None: nothing.
    """

    x: np.ndarray
    thickness: np.ndarray
    axes: np.ndarray
    twist: np.ndarray
    closed: bool
    paint: Paint | None = None

    @property
    def m1(self):
        """(3,), that of the first edge."""
        return self.axes[0]


@dataclass(frozen=True)
class Samples:
    """A spline in object space, as drawn: rows (k, 11 + w) of centre, two arms of the untilted ring, tilt [rad],
    radius, and weights that are painted; finer: (places (j,), weights (j, w), places (e + 1,) of the rows), where these
    are known between rows.
    """

    rows: np.ndarray
    closed: bool
    finer: tuple | None = None

    centre = property(lambda self: self.rows[:, :3])
    tilt = property(lambda self: self.rows[:, 9])
    radius = property(lambda self: self.rows[:, 10])

    @property
    def stripe(self):
        """Unit vectors (k, 3) from the centre to the stripe."""
        turn = self.rows[:, 9:10]
        return unit(np.cos(turn) * self.rows[:, 3:6] + np.sin(turn) * self.rows[:, 6:9])


def read(context, source, edge_count=0):
    """A Polyline for each spline of the curve or hair object `source` at the current frame. Raises SceneError."""
    with _drawn(context, source) as (evaluated, depsgraph, units):
        return polylines(source.name, evaluated, depsgraph, units, edge_count)


def read_simulated(context, source):
    """(what `read` gives, numbers of the splines that are simulated: of hair its guides). Raises SceneError."""
    with _drawn(context, source) as (evaluated, depsgraph, units):
        lines = polylines(source.name, evaluated, depsgraph, units)
        strands = hair.guided(source, evaluated, units) if hair.is_hair(source) else None
        return lines, strands["guides"].tolist() if strands else range(len(lines))


@contextmanager
def _drawn(context, source):
    """(the evaluated curve or hair object at the current frame, its depsgraph, Units). Raises SceneError."""
    check_object(source)
    with side_scene(context.scene) as aside:
        shown = aside.copy(source)
        if hair.is_hair(shown):
            hair.take_finish(shown)
        aside.go(context.scene.frame_current_final)
        yield aside.evaluated(shown), aside.depsgraph, Units.of(context.scene, context.scene.frame_current)


def rod_lines(source, evaluated, depsgraph, units):
    """A Polyline for each spline of a rod, with as many edges as its settings say, by its evaluated object. Raises
    SceneError.
    """
    settings = source.tendril.rod
    if hair.is_hair(source):
        return hair_lines(source.name, evaluated, units, settings)
    depth = 0.0 if settings.use_radius else source.data.bevel_depth
    rule = pieces(source.tendril.tree.pieces, depth) if source.tendril.is_tree else None
    return polylines(source.name, evaluated, depsgraph, units, settings.points, rule, settings)


def polylines(name, evaluated, depsgraph, units, edge_count=0, rule=None, settings=None):
    """A Polyline for each spline of an evaluated curve object, with `edge_count` even edges, or 0: as drawn.

    Instead of equally many, a rule (lengths (k,), largest radii (k,) of k splines → numbers (k,)) gives each its own.
    settings: a rod's, which say what is painted. Raises SceneError about `name`: a scale of zero, points that lie on
    each other or are not numbers, a single one, a length or a place out of all proportion.
    """
    if hair.is_hair(evaluated):
        return hair_lines(name, evaluated, units)
    matrix = np.array(evaluated.matrix_world, dtype=np.float64)
    check_matrix(name, matrix)
    edge_count = RULED if rule else edge_count
    curve = evaluated.to_curve(depsgraph, apply_modifiers=True)
    try:
        check_points(name, curve)
        splines = _sample(name, evaluated.original.data, curve, edge_count, settings)
    finally:
        evaluated.to_curve_clear()
    if edge_count:
        counts = _count(splines, matrix, rule) if rule else [edge_count] * len(splines)
        most = int(np.argmax(counts))
        if counts[most] > MOST_PIECES:
            what = f"branch {most} is so long and thin that it would need {counts[most]:.2g} pieces"
            raise SceneError(name, f"'{name}': {what}: raise the radius of its points, or shorten it.")
        splines = [_resample(spline, matrix, count) for spline, count in zip(splines, counts, strict=True)]
    names = painted.named(settings) if settings else []
    lines = [_polyline(spline, matrix, units, names) for spline in splines]
    check_size(name, [line.x for line in lines])
    return lines


def hair_lines(name, evaluated, units, settings=None):
    """A Polyline for each curve of an evaluated hair object, from control point to control point. Raises SceneError."""
    matrix = np.array(evaluated.matrix_world, dtype=np.float64)
    check_matrix(name, matrix)
    found = hair.lines_of(hair.strands(name, evaluated), matrix, units)
    lines = [Polyline(x, radius, axes, np.zeros(len(x)), closed) for x, radius, axes, closed in found]
    check_size(name, [line.x for line in lines])
    weights, end = painted.of_hair(name, settings, evaluated.data) if settings else {}, 0
    for number, line in enumerate(lines) if weights else ():
        own, end = np.arange(end, end + len(line.x)), end + len(line.x)
        rows = {attribute: each[np.append(own, own[:1]) if line.closed else own] for attribute, each in weights.items()}
        place = _places(line.x, line.closed)
        lines[number] = replace(line, paint=Paint(place, rows, place))
    return lines


def _places(x, closed):
    """[m] along a spline of points x (n, 3), of the first one again at the end where it is closed."""
    x = close(x) if closed else x
    return np.append(0.0, np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1)))


def _sample(name, drawn, curve, edge_count, settings=None):
    """Samples of each spline: radius, untilted arms, tilt and weights measured one after the other on a bare copy."""
    values = [doubled.values(spline) for spline in curve.splines]
    weights = [painted.of_points(name, settings, spline) for spline in curve.splines] if settings else [{}]
    larger = _larger(values)
    for own in values:
        for place in own.keys() & {"co", "handle_left", "handle_right"}:
            own[place][:, :3] *= larger
    depth = 0.1 * max(float(np.abs(own["co"][:, :3]).max()) for own in values) or 1.0  # so that rounding spoils neither
    tilts = [own["tilt"] for own in values]  # arms nor centres
    part = max(1.0, *(float(np.abs(tilt).max()) for tilt in tilts))  # tilts below 1 rad are read without lost turns
    with rings.bare_copy(drawn, depth) as probe:
        rings.pose(probe.data, values)
        _refine(probe.data, edge_count)
        for spline in probe.data.splines:
            rings.write(rings.points(spline), "tilt", np.zeros(len(rings.points(spline))))
        thick, starts = rings.measure(probe), rings.starts(probe)
        check_drawn(name, probe.data, len(starts) - 1)
        shown = [_shown(probe, [own[attribute] for own in weights], depth) for attribute in sorted(weights[0])]
        for spline in probe.data.splines:
            rings.write(rings.points(spline), "radius", np.ones(len(rings.points(spline))))
        plain = rings.measure(probe)
        for spline, tilt in zip(probe.data.splines, tilts, strict=True):
            rings.write(rings.points(spline), "tilt", tilt / part if curve.dimensions == "3D" else 0.0 * tilt)
        tilted = rings.measure(probe)
    turn = np.arctan2(np.sum(tilted.stripe * plain.quarter, axis=1), np.sum(tilted.stripe * plain.stripe, axis=1))
    radius = np.linalg.norm(thick.stripe, axis=1) / depth
    rows = np.column_stack(
        [plain.centre / larger, plain.stripe / depth, plain.quarter / depth, part * turn, radius, *shown]
    )
    pieces = []
    for index, (piece, spline) in enumerate(zip(np.split(rows, starts[1:-1]), curve.splines, strict=True)):
        kept = doubled.merged(piece[:, :3], spline.use_cyclic_u)
        check_distinct(name, index, kept, spline.use_cyclic_u)
        pieces.append(Samples(piece[kept], spline.use_cyclic_u))
    return pieces


def _shown(probe, weights, depth):
    """(k,) what weights (p,) at the points of each spline of a bare copy are all along, as its radius goes."""
    for spline, own in zip(probe.data.splines, weights, strict=True):
        rings.write(rings.points(spline), "radius", 1.0 + own)
    return np.clip(np.linalg.norm(rings.measure(probe).stripe, axis=1) / depth - 1.0, 0.0, 1.0)


def _larger(values):
    """The power of two, which rounds nothing, by which the smallest spline is enlarged to the size of a Blender unit:
    what is nearer than 1e-5 of those, Blender draws in one place.
    """
    smallest = min(doubled.size(own["co"][:, :3]) for own in values)
    return 2.0 ** max(0, int(np.ceil(-np.log2(smallest)))) if smallest > 0.0 else 1.0


def _refine(curve, edge_count):
    """Let smooth splines be drawn finely enough to place `edge_count` edges on them."""
    for spline in curve.splines:
        segments = len(rings.points(spline)) - (not spline.use_cyclic_u)
        enough = min(-(-FINER * edge_count // segments), MOST_RESOLUTION)
        spline.resolution_u = max(spline.resolution_u, enough)


def _count(splines, matrix, rule):
    """The number of edges of each of the Samples by a rule."""
    drawn = [to_world(matrix, spline.centre) for spline in splines]
    length = [np.linalg.norm(np.diff(x, axis=0), axis=1).sum() for x in drawn]
    radius = np.array([spline.radius.max() for spline in splines])
    return rule(np.array(length), np.cbrt(abs(np.linalg.det(matrix[:3, :3]))) * radius)


def _resample(samples, matrix, edge_count):
    """Samples at the ends of `edge_count` edges of equal length in the world.

    In a hairpin they are shorter: no edge cuts off more of the curve than MOST_CUT of them are long.
    """
    rows = close(samples.rows) if samples.closed else samples.rows
    x = to_world(matrix, rows[:, :3])
    place = _places(x, False)
    wanted = np.linspace(0.0, place[-1], edge_count + 1)
    for _ in range(10):  # from equal arcs to equal chords
        corner = np.column_stack([np.interp(wanted, place, column) for column in x.T])
        chord = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(corner, axis=0), axis=1))])
        even = np.interp(np.linspace(0.0, chord[-1], edge_count + 1), chord, wanted)
        now, then = np.diff(wanted), np.diff(even)
        long = then > MOST_CUT * place[-1] / edge_count
        share = ((MOST_CUT * place[-1] / edge_count - now[long]) / (then[long] - now[long])).min(initial=1.0)
        wanted = wanted + share * (even - wanted) if long.any() else even
    fine, rows = rows[:, 11:], np.column_stack([np.interp(wanted, place, column) for column in rows.T])
    return Samples(rows[:-1] if samples.closed else rows, samples.closed, (place, fine, wanted))


def _polyline(samples, matrix, units, names=()):
    """Samples in object space → Polyline in the world. A mirroring scale turns twist the other way round."""
    x = units.metres(to_world(matrix, samples.centre))
    linear, determinant = matrix[:3, :3], np.linalg.det(matrix[:3, :3])
    mirror = np.sign(determinant)
    tilt = mirror * (close(samples.tilt) if samples.closed else samples.tilt)
    m1, twist = edge_frames(x, samples.stripe @ linear.T, np.diff(tilt), samples.closed)
    # The scaled tube keeps its scaled volume: area × stretch along the curve = |det| × area.
    _, along = directions(samples.centre, samples.closed)
    stretch = np.linalg.norm(along @ linear.T, axis=1)
    thickness = units.metres(samples.radius * np.sqrt(abs(determinant) / stretch))
    paint = None
    if names:
        drawn = close(samples.rows) if samples.closed else samples.rows
        place = _places(to_world(matrix, samples.centre), samples.closed)
        place, weights, at = samples.finer or (place, drawn[:, 11:], place)
        paint = Paint(place, dict(zip(names, weights.T, strict=True)), at)
    return Polyline(x, thickness, m1, twist, samples.closed, paint)
