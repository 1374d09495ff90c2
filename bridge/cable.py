"""A cable by itself, at the present frame: read with what holds it now, and drawn anew as it hangs. Its curve gets one
Bézier point for each vertex, where the vertex is, with the tilt that shows the material frame.
"""

from dataclasses import replace

import numpy as np

from ..physics import validate
from ..physics.scene import Scene
from ..physics.scenes.measured import MEASURED
from ..physics.validate import SceneError
from ..properties.colliders import collider_objects
from ..properties.instancers import instancers
from ..properties.own_motion import may_deform
from ..properties.thickness import radius_of
from . import grips, rings
from .bezier import control_points
from .bodies import body_objects, led_colliders
from .check_curve import check_matrix, check_object
from .colliders import read_colliders
from .collision_filter import groups_of
from .evaluation import side_scene
from .holds import read_holds, taken_up
from .motion import Motion, check_places
from .scene import floor_of, gravity_of, read_rods
from .stripe import directions, dot, unit, vertex_stripe
from .tilt import tilts
from .units import Units, to_object

ONE = np.array([[1.0, 0.0, 0.0, 0.0]])
AS_DRAWN, AS_TURNED = 1e-5, 1e-3  # of its extent; of m1: so nearly is read again what was drawn
STRAIGHT = 1e-6  # 1/m: the curvature of what is called straight


class Drawn:
    """A cable as it is drawn and held now.

    scene: it alone, held as it is now; lines: its Polylines; matrix (4, 4) of its object; gripped: {number of a pin:
    what it is to keep} of those that grip from now on; carriers: objects that colliders go with, and where they are.
    """

    def __init__(self, context, source):
        """Raises SceneError."""
        context.view_layer.update()  # a script may just have moved what holds it
        scene = context.scene
        check_object(source)
        _check_drawing(source)
        self.source, self.units, self.gripped = source, Units.of(scene, scene.frame_current), {}
        with side_scene(scene) as aside:
            copy = aside.copy(source)
            aside.go(scene.frame_current_final)
            self.matrix = aside.matrix(copy)
            self.lines, rods = read_rods(source, aside, copy, self.units)
            radius = radius_of(source, aside.evaluated(copy))
            self.guides, _ = read_holds(source, aside, copy, scene, rods, 0, [], lambda guide, _pin: guide)
        for number, pin in enumerate(source.tendril.pins):
            if pin.target and not any(pin.grip):
                guide, matrix = self.guides[number], _matrix(pin)
                check_places([guide], matrix[None, None], [self.units.first_frame])
                frame = grips.frame_at(self.lines[pin.spline], guide.vertex, self.units)
                self.gripped[number] = grips.taken(matrix, frame)
        groups, collision_filter, colliders = self._read_colliders(context, radius)
        self.scene = Scene(
            tuple(replace(rod, group=groups[source]) for rod in rods), 1.0 / self.units.fps, 1,
            pins=tuple(self.pins()), gravity=gravity_of(scene, self.units), floor=floor_of(scene, self.units),
            contact=scene.tendril.contact, colliders=colliders, collision_filter=collision_filter,
        )  # fmt: skip
        carriers = [scene.objects.get(collider.name.partition(" › ")[0]) for collider in colliders]
        self.carriers = [(item, _place(item)) for item in carriers]
        validate.check(self.scene)

    def _read_colliders(self, context, radius):
        """(groups, pairs of them that do not touch, Colliders) at the present frame."""
        layer, frame = context.view_layer, self.units.first_frame
        led = led_colliders(body_objects(context))
        groups, apart = groups_of([self.source, *led, *collider_objects(layer), *instancers(layer)])
        found, _ = read_colliders(layer, self.units, frame, None, led, groups, {self.source: radius})
        return groups, apart, found

    def pins(self):
        """As what they follow leads them now. Raises SceneError."""
        for number, (guide, pin) in enumerate(zip(self.guides, self.source.tendril.pins, strict=True)):
            led = guide
            if pin.target:
                grip = self.gripped.get(number) or pin.grip
                led = taken_up(guide, grip, _matrix(pin), self.lines[pin.spline], self.units, True)
            yield led.pin(Motion(np.zeros(1), led.start[None], ONE, np.ones(1)))

    def order(self, lengths=()):
        """{name: what an order to settle it as it is held now has by that name}, with lengths, (spline, from, to,
        length) [m]. Raises SceneError.
        """
        pins, moved = [[*pin.position[0].tolist(), *pin.rotation[0].tolist()] for pin in self.pins()], []
        for number, (item, before) in enumerate(self.carriers):
            now = _place(item)
            if not np.array_equal(now, before) and np.linalg.matrix_rank(before) == 4:
                if not np.all(np.isfinite(now)):
                    check_matrix(item.name, now)
                way = now @ np.linalg.inv(before)
                way[:3, 3] = self.units.metres(way[:3, 3])
                moved.append([number, *way[:3].ravel().tolist()])
        return {"pins": pins, "moved": moved, "lengths": [list(row) for row in lengths]}

    def places(self):
        """Where all is now that it is settled by (k, 4, 4), what holds it first."""
        return np.concatenate([held_at(self.source), *(_place(item)[None] for item, _ in self.carriers)])

    def is_at(self, x, m1):
        """Whether it is drawn so already, as far as single precision tells."""
        lines = np.concatenate([line.x for line in self.lines]), np.concatenate([line.axes for line in self.lines])
        within = AS_DRAWN * np.ptp(lines[0], axis=0).max(), AS_TURNED
        return all(abs(old - new).max() <= most for old, new, most in zip(lines, (x, m1), within, strict=True))

    def lengths(self):
        """How long its splines are without forces [m]."""
        return [float(np.linalg.norm(rod.edges(), axis=1).sum()) * rod.rest_length_factor for rod in self.scene.rods]

    def settle(self, x, m1, resized=False):
        """Draw it with vertices x (N, 3) [m] and axes m1 (M, 3) of its edges, and let its pins grip; resized: of
        lengths that are not in proportion to what they were.
        """
        resized = resized or self.source.tendril.rod.own_length
        x, m1, own, first = np.asarray(x), np.asarray(m1), [], 0
        for number, line in enumerate(self.lines):
            last = first + len(line.x)
            own.append((x[first:last], m1[first - number : last - number - 1]))
            first = last
        redraw(self.source, self.matrix, self.lines, own, self.units)
        for number, (pin, held) in enumerate(zip(self.source.tendril.pins, self.scene.pins, strict=True)):
            grip = self.gripped.pop(number, None) or list(pin.grip)
            if held.slides or resized:  # which forgets the grip
                arc = np.cumsum(np.linalg.norm(np.diff(own[pin.spline][0], axis=0), axis=1))
                pin.fraction = arc[held.vertex - 1] / arc[-1] if held.vertex else 0.0
            pin.grip = grip


def held_at(source):
    """Where the object of a cable and the targets of its pins are now (p + 1, 4, 4)."""
    found = [_place(source)]
    return np.stack(found + [_matrix(pin) if pin.target else np.eye(4) for pin in source.tendril.pins])


def held_by(source):
    """What holds a cable, and where on it."""
    return [(pin.target, pin.bone, pin.spline, pin.fraction) for pin in source.tendril.pins]


def tie(context, source, at_origins=False):
    """Let the pins of a cable that grip nothing yet grip it as it is drawn; where it cannot be read, they do so when it
    can. at_origins: they hold it where their targets' origins are.
    """
    try:
        drawn = Drawn(context, source)
    except SceneError:
        return
    for number, grip in drawn.gripped.items():
        if at_origins:
            grip[3:12:4] = [0.0, 0.0, 0.0]
        source.tendril.pins[number].grip = grip


def redraw(source, matrix, lines, shapes, units):
    """Draw a curve object at `matrix` (4, 4) anew, whose Polylines were `lines`: of each spline (x (n, 3) [m],
    m1 (n − 1, 3)). Thickness stays with the vertices; what was a part of the length more or less is drawn so.
    """
    if source.data.users > 1:
        source.data = source.data.copy()
    curve, rod = source.data, source.tendril.rod
    drawn = [(spline.material_index, spline.use_smooth) for spline in curve.splines]
    curve.dimensions, linear = "3D", matrix[:3, :3]
    curve.splines.clear()
    poses = []
    for line, (x, m1), (material_index, use_smooth) in zip(lines, shapes, drawn, strict=True):
        spline = curve.splines.new("BEZIER")
        spline.bezier_points.add(len(x) - 1)
        spline.material_index, spline.use_smooth, spline.tilt_interpolation = material_index, use_smooth, "LINEAR"
        spline.resolution_u = curve.resolution_u if rod.points else 1  # as many pieces again, whatever is read next
        co, left, right = (
            to_object(matrix, places) for places in control_points(units.blender_units(x)[None], closed=False)
        )
        _, along = directions(co, closed=False)
        radius = _point_radius(line.thickness, along[0], linear, units)
        stripe = vertex_stripe(x[None], m1[None], line.twist, closed=False) @ np.linalg.inv(linear).T
        stripe = unit(stripe - dot(stripe, along) * along)
        twist = np.sign(np.linalg.det(linear)) * line.twist
        twist[[0, -1]] = twist[[1, -2]]  # where the stripe goes on turning too
        rings.free_handles(spline)
        for name, values in (("co", co), ("handle_left", left), ("handle_right", right), ("radius", radius)):
            rings.write(spline.bezier_points, name, values)
        poses.append((co, left, right, stripe, twist))
    for spline, (tilt,) in zip(curve.splines, tilts(curve, poses), strict=True):
        rings.write(spline.bezier_points, "tilt", tilt)
    rod.rest_length_factor = 1.0


def keep(cables, measured, units):
    """Keep what a message tells of cables, of objects one after the other or None, for the panel: of each the worst."""
    values = zip(*(measured[name] for name in MEASURED), strict=True)
    there = [(cable, dict(zip(MEASURED, own, strict=True))) for cable, own in zip(cables, values, strict=True) if cable]
    for cable, _ in there:
        for name in ("bend_radius", *MEASURED[1:]):
            setattr(cable.tendril, name, 0.0)
    for cable, now in there:
        own = cable.tendril
        radius = units.blender_units(1.0 / now["curvature"]) if now["curvature"] > STRAIGHT else 0.0
        if radius and not 0.0 < own.bend_radius <= radius:
            own.bend_radius, own.curvature_at = radius, units.blender_units(now["curvature_at"])
        for name in ("tension", "transverse"):
            if now[name] > getattr(own, name):
                setattr(own, name, now[name])
                setattr(own, f"{name}_at", units.blender_units(now[f"{name}_at"]))
        own.chafing = max(own.chafing, now["chafing"])
        for name in ("missing", "length"):
            setattr(own, name, max(getattr(own, name), units.blender_units(now[name])))
        own.first_length = own.first_length or own.length


def _point_radius(thickness, along, linear, units):
    """Of points whose curve goes along unit directions (n, 3) in its own space; the inverse of what is read."""
    stretch = np.linalg.norm(along @ linear.T, axis=1)
    return units.blender_units(thickness) / np.sqrt(abs(np.linalg.det(linear)) / stretch)


def _place(item):
    """World transform (4, 4) of an object, of none that of the world."""
    return np.array(item.matrix_world, dtype=np.float64) if item else np.eye(4)


def _matrix(pin):
    """Where the target of a pin is now (4, 4), keyed or not."""
    target = pin.target
    bone = target.pose.bones.get(pin.bone) if target.type == "ARMATURE" and pin.bone else None
    return np.array(target.matrix_world @ bone.matrix if bone else target.matrix_world, dtype=np.float64)


def _check_drawing(source):
    """Raises SceneError: what is drawn anew would not be what is seen, or not what hangs."""
    name, curve = source.name, source.data
    if curve.library:
        raise SceneError(name, f"The curve of '{name}' is linked from a library: make it local.")
    if may_deform(source):
        what = "shape keys" if curve.shape_keys else "a modifier that bends its curve"
        raise SceneError(name, f"'{name}' has {what}, which would bend what Settle draws: apply it, or bake.")
    if source.tendril.rod.shape_memory > 0.0:
        raise SceneError(
            name, f"'{name}' has the Rest Shape of its drawing, which Settle draws anew: set Rest Shape to 0, or "
            "bake.",
        )  # fmt: skip
