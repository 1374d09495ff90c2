"""Cables at the present frame: read with what holds them now, and drawn anew as they hang. A curve
gets one Bézier point for each vertex, where the vertex is, with the tilt that shows the material frame.
"""

from dataclasses import dataclass, replace
from types import SimpleNamespace

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ..physics import validate
from ..physics.scene import Scene
from ..physics.scenes.measured import MEASURED
from ..physics.scenes.still_cables import beside
from ..physics.validate import SceneError
from ..properties.body import body_with
from ..properties.colliders import collider_objects
from ..properties.instancers import instancers
from ..properties.own_motion import may_deform
from ..properties.thickness import radius_of
from . import bodies, body_result, grips, rings
from .bezier import control_points
from .bodies import body_objects, led_colliders
from .check_curve import check_matrix, check_object
from .colliders import read_colliders
from .collision_filter import groups_of
from .evaluation import side_scene
from .hanging import hanging_on
from .holds import read_holds, taken_up
from .loads import OverTime, on_bodies, on_rods
from .motion import Motion, check_places
from .places import vertex_at
from .scene import floor_of, gravity_of, read_rods
from .stripe import directions, dot, unit, vertex_stripe
from .tilt import tilts
from .units import Units, nearest_rotation, quaternion, to_object, to_world

ONE, ONES = np.array([[1.0, 0.0, 0.0, 0.0]]), np.eye(4)
SINGLE = 1e-6  # of places: a few roundings of them
AS_DRAWN, AS_TURNED = 1e-5, 1e-3  # of its extent; of m1: so nearly is read again what was drawn
STRAIGHT = 1e-6  # 1/m: the curvature of what is called straight


@dataclass(eq=False)
class Own:
    """A cable as it was read: its object, at matrix (4, 4), Polylines, [(number of a pin that leads it, its RodGuide)],
    {number of a pin that grips from now on: its grip}, vertices that pins hold, and the number of its first rod. shown:
    its (x, m1) as it was drawn here last, None: it was not.
    """

    source: object
    matrix: np.ndarray
    lines: list
    held: list
    gripped: dict
    vertices: list
    first: int
    shown: tuple | None = None

    @property
    def counts(self):
        """(vertices, edges)."""
        vertices = sum(len(line.x) for line in self.lines)
        return vertices, vertices - len(self.lines)


class Drawn:
    """Cables as they are drawn and held now, and what hangs on them.

    scene: these alone, held as they are now; each: an Own for each object; hanging: objects that hang on them, with
    what `body_result` has to know; carriers: objects that colliders go with, and where they are.
    """

    def __init__(self, context, sources, others=()):
        """others: cables that stay as they are drawn, and are met where they may be. Raises SceneError; whether physics
        has something against it, `check` tells.
        """
        context.view_layer.update()  # a script may just have moved what holds them
        scene, hanging = context.scene, hanging_on(sources)
        self.units, self.each, rods, welds = Units.of(scene, scene.frame_current), [], [], []
        for source in sources:
            check_object(source)
            _check_hanging(source)
        for item in hanging:
            bodies.check_object(item)
            _check_free(item)
        with side_scene(scene) as aside:
            copies = [aside.copy(item) for item in (*sources, *hanging)]
            led = {item: aside.follower(item) for item in self._colliders(context) if _is_led(item)}
            loads = OverTime([*sources, *hanging], copies, aside, scene.frame_current, scene.frame_current)
            aside.go(scene.frame_current_final)
            at = {item: aside.matrix(follower) for item, follower in led.items()}
            for frame in loads.frames:  # none without forces
                loads.look(frame)
            pushes, _ = loads.found(self.units)
            read = [
                bodies.read_body(item, aside, copy, self.units)
                for item, copy in zip(hanging, copies[len(sources) :], strict=True)
            ]
            self.hanging = [(item, entry) for item, (_, _, entry) in zip(hanging, read, strict=True)]
            radii = {}
            for source, copy in zip(sources, copies, strict=False):
                radii[source] = radius_of(source, aside.evaluated(copy))
                own, its_rods, its_welds = self._read(source, aside, copy, scene, hanging, len(rods))
                self.each.append(own)
                rods, welds = rods + its_rods, welds + its_welds
            for own in self.each:
                its = slice(own.first, own.first + len(own.lines))
                rods[its] = on_rods(rods[its], pushes.get(own.source, ()))
            pushed = on_bodies(hanging, [body for body, _, _ in read], pushes)
            still = self._read_still(others, aside, context.scene)
        others = [*(source for source, _ in still), *hanging]
        groups, collision_filter, colliders = self._read_colliders(context, radii, others, at)
        of = [own.source for own in self.each for _ in own.lines]
        self.scene = Scene(
            tuple(replace(rod, group=groups[source]) for rod, source in zip(rods, of, strict=True)),
            1.0 / self.units.fps, 1, pins=tuple(self.pins()), gravity=gravity_of(scene, self.units),
            bodies=tuple(replace(body, group=groups[item]) for item, body in zip(hanging, pushed, strict=True)),
            welds=tuple(welds), floor=floor_of(scene, self.units),
            contact=scene.tendril.contact, colliders=colliders, collision_filter=collision_filter,
        )  # fmt: skip
        still = [replace(rod, group=groups[source]) for source, rod in still if self._may_meet(rod)]
        if still:
            self.scene = beside(self.scene, still, np.zeros(1), [rod.x[None] for rod in still])
        self.carriers = [(item, _place(item)) for item in map(_carrier, colliders)]

    def check(self):
        """Raises SceneError."""
        validate.check(self.scene)

    def _read(self, source, aside, copy, scene, hanging, first):
        """(Own, Rods, Welds) of a cable whose first rod has that number."""
        lines, rods = read_rods(source, aside, copy, self.units)
        gripped, pins = {}, source.tendril.pins

        def take_up(guide, pin):
            if body_with(pin.target) not in hanging:
                return guide
            return taken_up(guide, pin.grip, _matrix(pin), lines[pin.spline], self.units, True)

        guides, welds = read_holds(source, aside, copy, scene, dict(enumerate(rods)), first, hanging, take_up)
        leading = [number for number, pin in enumerate(pins) if body_with(pin.target) not in hanging]
        vertices = [vertex_at(rods[pin.spline], pin.fraction) for pin in pins]
        for number, pin in enumerate(pins):
            if pin.target and not any(pin.grip):
                matrix, what = _matrix(pin), f"the target of pin '{pin.name}'"
                told = SimpleNamespace(owner=source.name, what=what)
                check_places([told], matrix[None, None], [self.units.first_frame])
                frame = grips.frame_at(lines[pin.spline], vertices[number], self.units)
                gripped[number] = grips.taken(matrix, frame)
        held = [*zip(leading, guides, strict=True)]
        own = Own(source, aside.matrix(copy), lines, held, gripped, vertices, first)
        return own, rods, welds

    def _read_still(self, others, aside, scene):
        """[(object, Rod)] of others, but of those that cannot be read, or touch nothing."""
        found = []
        for source in others if scene.tendril.contact else ():
            try:
                check_object(source)
                _, rods = read_rods(source, aside, aside.copy(source), self.units)
            except SceneError:
                continue
            found += [(source, rod) for rod in rods if rod.touches and not rod.closed]
        return found

    def _may_meet(self, still):
        """Whether one of the cables may come to where another is: all together they go no further from where they are
        drawn, or held, than they are long.
        """
        rods = self.scene.rods
        room = sum(float(np.linalg.norm(rod.edges(), axis=1).sum()) * rod.rest_length_factor for rod in rods)
        room += max(rod.radius.max() for rod in rods) + still.radius.max()
        reach = np.concatenate([*(rod.x for rod in rods), *(pin.position for pin in self.scene.pins)])
        low, high = reach.min(axis=0) - room, reach.max(axis=0) + room
        return bool(np.all(low < still.x.max(axis=0)) and np.all(still.x.min(axis=0) < high))

    def _colliders(self, context):
        """The objects of which colliders may be read."""
        layer = context.view_layer
        return [*led_colliders(body_objects(context)), *collider_objects(layer), *instancers(layer)]

    def _read_colliders(self, context, radii, others, at):
        """(groups, pairs of them that do not touch, Colliders) at the present frame; radii: of the cables; others; at:
        where keys and the like have what they lead, {object: (4, 4)}; the artist may have moved it from there.
        """
        layer, frame = context.view_layer, self.units.first_frame
        led = led_colliders(body_objects(context))
        groups, apart = groups_of([*radii, *others, *self._colliders(context)])
        found, _ = read_colliders(layer, self.units, frame, None, led, groups, radii)
        return groups, apart, tuple(self._as_seen(collider, at.get(_carrier(collider))) for collider in found)

    def _as_seen(self, collider, before):
        """A Collider where its object is seen, which was read at a matrix (4, 4), None: there."""
        if before is None or np.linalg.matrix_rank(before) < 4:
            return collider
        now = _place(_carrier(collider))
        check_matrix(collider.name, now)
        if np.allclose(now, before, rtol=0.0, atol=SINGLE * abs(now).max()):
            return collider
        places = to_world(now @ np.linalg.inv(before), self.units.blender_units(np.asarray(collider.points)))
        return replace(collider, points=self.units.metres(places))

    def pins(self):
        """As what they follow leads them now. Raises SceneError."""
        for own in self.each:
            for number, guide in own.held:
                pin, led = own.source.tendril.pins[number], guide
                if pin.target:
                    grip = own.gripped.get(number) or pin.grip
                    led = taken_up(guide, grip, _matrix(pin), own.lines[pin.spline], self.units, True)
                yield led.pin(Motion(np.zeros(1), led.start[None], ONE, np.ones(1)))

    def order(self, held=(), lengths=None, pulled=lambda _places: []):
        """{name: what an order to settle them as they are held now has by that name}; held: objects that else hang on
        them, which are led by hand; lengths: {a cable: [(spline, from, to, length [m])]}; pulled(where pins lead now
        (P, 3) [m]): more rows of lengths. Raises SceneError.
        """
        led = [*self.pins()]
        led += self.scene.pins[len(led) :]
        pins, moved = [[*pin.position[0].tolist(), *pin.rotation[0].tolist()] for pin in led], []
        for number, (item, before) in enumerate(self.carriers):
            now = _place(item)
            if not np.array_equal(now, before) and np.linalg.matrix_rank(before) == 4:
                if not np.all(np.isfinite(now)):
                    check_matrix(item.name, now)
                way = now @ np.linalg.inv(before)
                way[:3, 3] = self.units.metres(way[:3, 3])
                moved.append([number, *way[:3].ravel().tolist()])
        by_hand = [
            [number, *self._pose(item, entry)] for number, (item, entry) in enumerate(self.hanging) if item in held
        ]
        resized = [
            [own.first + spline, *row] for own in self.each for spline, *row in (lengths or {}).get(own.source, ())
        ]
        if any(not np.isfinite(wanted) for *_, wanted in resized):
            raise SceneError(self.each[0].source.name, "A length that is no number was given: type one.")
        resized += pulled(np.array(pins).reshape(-1, 7)[:, :3])
        return {"pins": pins, "moved": moved, "held": by_hand, "lengths": resized}

    def _pose(self, item, entry):
        """Where an object that hangs is now, as in a Frame."""
        now, start = _place(item), np.array(entry["matrix"])
        check_matrix(item.name, now)
        turn = nearest_rotation(now[:3, :3]) @ nearest_rotation(start[:3, :3]).T
        centre = now[:3, 3] + turn @ (np.array(entry["centre"]) - start[:3, 3])
        return [*self.units.metres(centre).tolist(), *quaternion(turn).tolist()]

    def places(self, held=()):
        """Where all is now that they are settled by (k, 4, 4), what holds them first; what hangs on them counts where
        it is held.
        """
        free = [item for item, _ in self.hanging if item not in held]
        around = [_place(item)[None] for item, _ in self.carriers]
        return np.concatenate([*(held_at(own.source, free) for own in self.each), *around])

    def go_to(self, places):
        """The cables' objects are where they were then, as `places` told."""
        first = 0
        for own in self.each:
            own.matrix, first = places[first], first + 1 + len(own.source.tendril.pins)

    def by_object(self):
        """(Own, its rows of vertices, and of edges, among those of all)."""
        vertex, edge = 0, 0
        for own in self.each:
            n, m = own.counts
            yield own, slice(vertex, vertex + n), slice(edge, edge + m)
            vertex, edge = vertex + n, edge + m

    def refused(self, said):
        """{a cable that stays as it was: why} by what a worker says."""
        why = dict(said["refused"])
        numbers = {own.source: range(own.first, own.first + len(own.lines)) for own in self.each}
        return {source: why[k] for source, own in numbers.items() for k in own if k in why}

    def changed(self, said):
        """[Own] of those that a worker says hang otherwise than they are drawn, as far as single precision tells."""
        found, stays = [], self.refused(said)
        for own, vertices, edges in self.by_object():
            if own.source in stays:
                continue
            now = np.asarray(said["x"])[vertices], np.asarray(said["m1"])[edges]
            if own.shown is None:
                drawn = [np.concatenate([getattr(line, name) for line in own.lines]) for name in ("x", "axes")]
                within = AS_DRAWN * np.ptp(drawn[0], axis=0).max(), AS_TURNED
                same = all(abs(a - b).max() <= most for a, b, most in zip(drawn, now, within, strict=True))
            else:
                same = all(np.array_equal(a, b) for a, b in zip(own.shown, now, strict=True))
            if not same:
                found.append(own)
        return found

    def lengths(self, source):
        """How long splines of a cable are without forces [m]."""
        own = next(own for own in self.each if own.source == source)
        rods = self.scene.rods[own.first : own.first + len(own.lines)]
        return [float(rod.lengths().sum()) for rod in rods]

    def settle(self, said, held=(), which=None, resized=(), led_on=False):
        """Draw them, or which [Own] of them, as a worker says that they hang, and let their pins grip; what hangs on
        them goes to its place. What is held by hand goes there only where that is not where it is led to, and stays
        where it is while it is led on. resized: cables of lengths that are not in proportion to what they were.
        """
        x, m1 = np.asarray(said["x"]), np.asarray(said["m1"])
        within = self.units.blender_units(AS_DRAWN * np.ptp(x, axis=0).max())
        self._put(said["bodies"], held, led_on, within)
        pins = iter(self.scene.pins)
        for own, vertices, edges in self.by_object():
            by = {number: next(pins) for number, _ in own.held}
            if which is None or own in which:
                longer = own.source in resized or own.source.tendril.rod.own_length
                self._draw(own, x[vertices], m1[edges], by, longer)
                own.shown = x[vertices], m1[edges]

    def _put(self, poses, held, led_on, within):
        """What hangs on them goes to its place, and what is parented to it along; parents go before their children.
        within: how far from there what is held by hand may stay.
        """
        hanging = {item: (entry, pose) for (item, entry), pose in zip(self.hanging, poses, strict=True)}
        for item in sorted(hanging, key=lambda item: len(_parents(item))):
            if item in held and led_on:
                continue
            entry, pose = hanging[item]
            if item.parent:
                bpy.context.view_layer.update()  # the matrix in the world is set by that of the parent as it is known
            centre, turn = self.units.blender_units(np.array(pose[:3])), np.array(pose[3:])
            place, turn = body_result.poses(entry, centre[None], turn[None])
            there = Matrix.LocRotScale(Vector(place[0]), Quaternion(turn[0]), Matrix(entry["matrix"]).to_scale())
            if item not in held or not _alike(np.array(there), _place(item), within):
                item.matrix_world = there
        if carried := [own for own in self.each if not hanging.keys().isdisjoint(_parents(own.source))]:
            bpy.context.view_layer.update()
            for own in carried:
                own.matrix = _place(own.source)

    def _draw(self, own, x, m1, pins, resized):
        """One of them, led by Pins."""
        shapes, first = [], 0
        for number, line in enumerate(own.lines):
            last = first + len(line.x)
            shapes.append((x[first:last], m1[first - number : last - number - 1]))
            first = last
        redraw(own.source, own.matrix, own.lines, shapes, self.units)
        for number, pin in enumerate(own.source.tendril.pins):
            grip, vertex = own.gripped.pop(number, None) or list(pin.grip), own.vertices[number]
            if resized or (number in pins and pins[number].slides):  # which forgets the grip
                arc = np.cumsum(np.linalg.norm(np.diff(shapes[pin.spline][0], axis=0), axis=1))
                pin.fraction = arc[vertex - 1] / arc[-1] if vertex else 0.0
            pin.grip = grip


def held_at(source, free=()):
    """Where the object of a cable and the targets of its pins are now (p + 1, 4, 4), but for those that are free."""
    led = [_matrix(pin) if pin.target and body_with(pin.target) not in free else ONES for pin in source.tendril.pins]
    return np.stack([_place(source), *led])


def held_by(source):
    """What holds a cable, and where on it."""
    return [(pin.target, pin.bone, pin.spline, pin.fraction) for pin in source.tendril.pins]


def tie(context, source, places=None):
    """Let the pins of a cable that grip nothing yet grip it as it is drawn; where it cannot be read, they do so when it
    can. places (p, 3): where in the world they hold it.
    """
    try:
        drawn = Drawn(context, [source])
    except SceneError:
        return
    for number, grip in drawn.each[0].gripped.items():
        if places is not None:
            grip[3:12:4] = to_object(_matrix(source.tendril.pins[number]), places[number]).tolist()
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


def keep(cables, measured, units, baked=False):
    """Keep what a message tells of cables, of objects one after the other or None, for the panel: of each the worst; of
    what a bake alone tells, that of the last.
    """
    values = zip(*(measured[name] for name in MEASURED), strict=True)
    there = [(cable, dict(zip(MEASURED, own, strict=True))) for cable, own in zip(cables, values, strict=True) if cable]
    for cable, _ in there:
        for name in ("bend_radius", *MEASURED[1:]):
            if baked or name != "chafing":
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
        own.chafing = max(own.chafing, now["chafing"] if baked else 0.0)
        for name in ("missing", "length"):
            setattr(own, name, max(getattr(own, name), units.blender_units(now[name])))
    for cable, _ in there:
        cable.tendril.first_length = cable.tendril.first_length or cable.tendril.length


def _alike(one, other, within):
    """Whether two transforms (4, 4) have a thing within a distance at the same place, turned the same."""
    off = abs(one - other)[:3]
    return off[:, 3].max() <= within and off[:, :3].max() <= AS_TURNED * abs(other[:3, :3]).max()


def _point_radius(thickness, along, linear, units):
    """Of points whose curve goes along unit directions (n, 3) in its own space; the inverse of what is read."""
    stretch = np.linalg.norm(along @ linear.T, axis=1)
    return units.blender_units(thickness) / np.sqrt(abs(np.linalg.det(linear)) / stretch)


def _carrier(collider):
    """The object that a Collider goes with, or None."""
    return bpy.context.scene.objects.get(collider.name.partition(" › ")[0])


def _is_led(item):
    """Whether something else than the artist may say where an object is."""
    return any(each.animation_data or each.constraints for each in (item, *_parents(item)))


def _parents(item):
    """The objects that an object goes with, the nearest first."""
    found = []
    while item := item.parent:
        found.append(item)
    return found


def _place(item):
    """World transform (4, 4) of an object, of none that of the world."""
    return np.array(item.matrix_world, dtype=np.float64) if item else np.eye(4)


def _matrix(pin):
    """Where the target of a pin is now (4, 4), keyed or not."""
    target = pin.target
    bone = target.pose.bones.get(pin.bone) if target.type == "ARMATURE" and pin.bone else None
    return np.array(target.matrix_world @ bone.matrix if bone else target.matrix_world, dtype=np.float64)


def check_drawing(source, cure="apply it first"):
    """Raises SceneError: what is drawn anew would not be what is seen."""
    name, curve = source.name, source.data
    if curve.library:
        raise SceneError(name, f"The curve of '{name}' is linked from a library: make it local.")
    if may_deform(source):
        what = "shape keys" if curve.shape_keys else "a modifier that bends its curve"
        raise SceneError(name, f"'{name}' has {what}, which would bend what is drawn anew: {cure}.")


def _check_free(item):
    """Raises SceneError: a constraint would have what hangs elsewhere."""
    if by := next((each for each in item.constraints if each.enabled and each.influence), None):
        raise SceneError(
            item.name, f"'{item.name}' has the constraint '{by.name}', which keeps it from where it hangs: turn that "
            "off, or choose Motion Animated.",
        )  # fmt: skip


def _check_hanging(source):
    """Raises SceneError: what is drawn anew would not be what is seen, or not what hangs."""
    name = source.name
    check_drawing(source, "apply it, or bake")
    if source.tendril.rod.shape_memory > 0.0:
        raise SceneError(
            name, f"'{name}' has the Rest Shape of its drawing, which Settle draws anew: set Rest Shape to 0, or "
            "bake.",
        )  # fmt: skip
    if source.tendril.rod.stretchable:
        raise SceneError(
            name, f"'{name}' is Stretchable, and Settle would draw it anew as long as it is pulled: turn that off in "
            "Material, or bake.",
        )  # fmt: skip
