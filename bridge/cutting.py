"""Cables read as they are drawn, cut at vertices into objects of their own, and prolonged.

Each piece has the settings of the whole, the pins that are on it, and the length, thickness and stripe that it had
there. Where it was cut it has the frame that the whole had, so that two pieces one thing holds there hang as the whole.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
import numpy as np

from ..physics.validate import SceneError
from ..properties.body import rod_of
from ..properties.following import followed
from ..properties.thickness import radius_of
from . import grips
from .cable import check_drawing, redraw
from .check_curve import check_object
from .curves import Polyline, rod_lines
from .evaluation import side_scene
from .foreign_motion import animated_paths
from .homes import link_beside
from .units import Units

FEWEST = 2  # edges of what bends
MEASURED = (  # of the whole, which no piece of it has
    "bend_radius", "missing", "tension", "transverse", "curvature_at", "tension_at", "transverse_at", "chafing",
    "length", "first_length", "needed_length",
)  # fmt: skip


@dataclass(frozen=True)
class Read:
    """A cable as it is drawn now: its object at matrix (4, 4), its Polylines, its radius [m] where it is thinnest."""

    source: object
    matrix: np.ndarray
    lines: list[Polyline]
    radius: float
    units: Units

    def frame(self, spline, vertex):
        """(4, 4) in the world."""
        return grips.frame_at(self.lines[spline], vertex, self.units)

    def vertex(self, pin):
        """The one that a pin holds."""
        return self.nearest(pin.spline, pin.fraction)

    def nearest(self, spline, fraction):
        """The vertex nearest to a fraction of the length of a spline (`places.vertex_at`)."""
        arc = _arc(self.lines[spline].x)
        return int(np.argmin(np.abs(arc - fraction * arc[-1])))


@dataclass(frozen=True)
class End:
    """Of a spline of a cable's object, at a fraction 0 or 1 of it, with the frame (4, 4) of the cable in the world."""

    cable: object
    spline: int
    fraction: float
    frame: np.ndarray

    @property
    def is_free(self):
        """Whether no pin is there."""
        return all((pin.spline, pin.fraction) != (self.spline, self.fraction) for pin in self.cable.tendril.pins)


def read(context, sources):
    """A Read of each of the cables. Raises SceneError."""
    context.view_layer.update()  # a script may just have moved them
    units, found = Units.of(context.scene, context.scene.frame_current), []
    for source in sources:
        check_object(source)
    with side_scene(context.scene) as aside:
        copies = [aside.copy(source) for source in sources]
        aside.go(context.scene.frame_current_final)
        for source, copy in zip(sources, copies, strict=True):
            evaluated = aside.evaluated(copy)
            lines = rod_lines(source, evaluated, aside.depsgraph, units)
            if any(line.closed for line in lines):
                raise SceneError(source.name, f"'{source.name}' is a closed loop: a cable has two ends; open it.")
            for pin in source.tendril.pins:
                if pin.spline >= len(lines):
                    what = f"pin '{pin.name}' holds spline {pin.spline}, but the last one is {len(lines) - 1}"
                    raise SceneError(source.name, f"'{source.name}': {what}: choose that or less.")
            radius = units.metres(radius_of(source, evaluated))
            found.append(Read(source, aside.matrix(copy), lines, radius, units))
    return found


def check_cuts(own, cuts):
    """Of a cable that is to be cut, {spline: vertices}. Raises SceneError."""
    check_drawing(own.source)
    check_pins(own.source)
    carried = next((one for one in bpy.data.objects if followed(one) and rod_of(one) == own.source), None)
    if cuts and carried:
        raise SceneError(
            own.source.name, f"'{own.source.name}' carries the mesh '{carried.name}', which cannot follow two cables: "
            "apply or remove its modifier Follow Cable first.",
        )  # fmt: skip
    for spline, vertices in cuts.items():
        last = len(own.lines[spline].x) - 1
        if any(b - a < FEWEST for a, b in pairwise([0, *sorted(vertices), last])):
            name = own.source.name
            raise SceneError(
                name, f"'{name}' would be cut into a piece of less than {FEWEST} of its {last} Points, which cannot "
                "bend: raise Points in Shape, or cut it elsewhere.",
            )  # fmt: skip


def cut(own, cuts):
    """Cut a cable as it was read, {spline: vertices} → {(spline, vertex): [End]} of what were its ends, and of the two
    that each cut makes. Splines that are not cut stay in its object, and so does the first piece where there is none.
    """
    found, source = {}, own.source
    cuts = {spline: sorted(vertices) for spline, vertices in cuts.items() if vertices}
    whole = [spline for spline in range(len(own.lines)) if spline not in cuts]
    stops = {spline: [0, *at, len(own.lines[spline].x) - 1] for spline, at in cuts.items()}
    pieces = [(spline, *ends) for spline, at in stops.items() for ends in pairwise(at)]
    items = [source if not number and not whole else _duplicate(source) for number in range(len(pieces))]
    for spline in whole:
        for vertex in (0, len(own.lines[spline].x) - 1):
            found[spline, vertex] = [End(source, whole.index(spline), float(vertex > 0), own.frame(spline, vertex))]
    for item, (spline, first, last) in zip(items, pieces, strict=True):
        for fraction, vertex in enumerate((first, last)):
            end = End(item, 0, float(fraction), own.frame(spline, vertex))
            found.setdefault((spline, vertex), []).append(end)
    for item, piece in zip(items, pieces, strict=True):
        _reduce(item, own, *piece)
    if cuts and whole:
        _keep(source, whole, own)
    return found


def prolong(own, spline, at_start, length):
    """Make an end of a cable longer by `length` [m], straight on. What pins hold of it stays, but for that of the end
    itself. Returns the way (3,) by which the end goes [m].
    """
    source, line = own.source, own.lines[spline]
    pins, whole, edges = source.tendril.pins, _arc(line.x)[-1], len(line.axes)
    count, shift = max(1, round(length * edges / whole)), length if at_start else 0.0
    end = 0 if at_start else edges
    inner = [number for number, pin in enumerate(pins) if pin.spline == spline and own.vertex(pin) != end]
    way, frame = length * direction(own, spline, at_start), own.frame(spline, end)
    line = _reversed(line) if at_start else line
    line = Polyline(
        np.vstack([line.x, line.x[-1] + np.arange(1, count + 1)[:, None] / count * way]),
        np.append(line.thickness, np.repeat(line.thickness[-1], count)),
        np.vstack([line.axes, np.repeat(frame[None, :3, 0], count, axis=0)]),
        np.append(line.twist, np.zeros(count)),
        False,
    )
    line = _reversed(line) if at_start else line
    _redraw(own, source, [line if number == spline else one for number, one in enumerate(own.lines)])
    if source.tendril.rod.points and len(own.lines) == 1:
        source.tendril.rod.points = edges + count
    for number in inner:
        _hold(pins[number], fraction=(pins[number].fraction * whole + shift) / (whole + length))
    return way


def direction(own, spline, at_start):
    """Unit (3,): where a cable would go on at an end."""
    along = own.frame(spline, 0 if at_start else len(own.lines[spline].axes))[:3, 2]
    return -along if at_start else along


def _arc(x):
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(x, axis=0), axis=1))])


def _reversed(line):
    return replace(line, **{name: getattr(line, name)[::-1] for name in ("x", "thickness", "axes", "twist")})


def check_pins(source):
    """Of a cable whose pins get other numbers. Raises SceneError: keyframes or drivers go by these, or it is a library
    override, which keeps all pins of its library.
    """
    if source.override_library and source.tendril.pins:
        name = source.name
        raise SceneError(
            name, f"'{name}' is a library override, which loses no pin: make it local (Object › Relations)."
        )
    if any(path.startswith("tendril.pins[") for path in animated_paths(source)):
        name = source.name
        raise SceneError(
            name, f"'{name}' has animated pins, and their keyframes or drivers would go over to others: remove these "
            "first.",
        )  # fmt: skip


def _duplicate(source):
    """Of a cable, in the same collections, without its bake."""
    item = source.copy()
    item.data = source.data.copy()
    item.tendril.property_unset("result")
    link_beside(item, source)
    return item


def _reduce(item, own, spline, first, last):
    """Let a duplicate of a cable be from vertex `first` to `last` of one of its splines."""
    line, rod, pins = own.lines[spline], item.tendril.rod, item.tendril.pins
    inner, edges = slice(first, last + 1), slice(first, last)
    arc = _arc(line.x)[inner]
    for number in reversed(range(len(pins))):
        vertex = own.vertex(pins[number])
        if pins[number].spline != spline or not first <= vertex <= last:
            pins.remove(number)
            continue
        pins[number].slides &= first < vertex < last
        _hold(pins[number], 0, (arc[vertex - first] - arc[0]) / (arc[-1] - arc[0]))
    _forget(item)
    _single(item)
    _remove_splines(item, [number for number in range(len(own.lines)) if number != spline])
    part = Polyline(line.x[inner], line.thickness[inner], line.axes[edges], line.twist[inner], closed=False)
    rod.points = last - first if rod.points else 0
    _redraw(own, item, [part])


def _keep(source, whole, own):
    """Let a cable have those of its splines alone."""
    pins = source.tendril.pins
    for number in reversed(range(len(pins))):
        if pins[number].spline in whole:
            _hold(pins[number], whole.index(pins[number].spline))
        else:
            pins.remove(number)
    _forget(source)
    _single(source)
    _remove_splines(source, [number for number in range(len(own.lines)) if number not in whole])


def _hold(pin, spline=None, fraction=None):
    """Let a pin hold what it holds by another number; it grips as it did."""
    grip = list(pin.grip)
    if spline is not None:
        pin.spline = spline
    if fraction is not None:
        pin.fraction = fraction
    pin.grip = grip


def _forget(item):
    """What was measured of the cable it was a piece of."""
    item.tendril.active_pin = 0
    for name in MEASURED:
        item.tendril.property_unset(name)


def _single(item):
    if item.data.users > 1:
        item.data = item.data.copy()


def _remove_splines(item, numbers):
    for number in sorted(numbers, reverse=True):
        item.data.splines.remove(item.data.splines[number])


def _redraw(own, item, lines):
    """Draw a cable anew as Polylines, at rest as long for them as it was."""
    factor = item.tendril.rod.rest_length_factor
    redraw(item, own.matrix, lines, [(line.x, line.axes) for line in lines], own.units)
    item.tendril.rod.rest_length_factor = factor
