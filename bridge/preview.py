"""The frames of a bake that is running, as Blender's animation, so that they play, can be scrubbed and rendered.

Each thing is shown by a preview, an object of its own, in whose place the bake's result, or else the source, waits
hidden. A preview grows by the frames that have come and knows nothing that the file does not say: `clear` takes away
all that there are and shows again what waits, after whatever undo or another file brought back.

Undo restores one data-block and leaves another as it is, so each says for itself what of it is hidden: an object of its
own visibility, a view layer, which is its scene's, of what it does not show. What undo leaves as it is may name nothing
that no undo step has, or Blender crashes: previews are cleared before it too.
"""

import time
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix

from ..bake import replacing
from ..bake.cache import counts_of
from ..bake.errors import BakeError
from ..meshing.embedding import Embedding
from . import animation, body_result, hair_result, result, result_object, riders, rings, soft_result
from .bezier import control_points
from .guided_hair import GuidedHair
from .homes import link_beside
from .riding import Edges
from .tilt import settle
from .units import Units, to_object

MOST_AT_ONCE = 64  # frames that are read before any is shown
MOST_FINE = (
    2000  # points of an object that is shown with its twist, which takes 5 to 15 µs a point and frame, and round
)
TURN = 2.0 * np.pi
_cleared = 0  # how often


def clear():
    """Take away all previews, and show what waits for their end."""
    global _cleared
    _cleared += 1
    own_file = [item for item in bpy.data.objects if not item.library]
    shown = [item for item in own_file if item.tendril.is_preview]  # such as removed may take others along
    for item in own_file:
        own = item.tendril
        if own.waits_in_viewport:
            own.waits_in_viewport = item.hide_viewport = False
        if own.waits_in_render:
            own.waits_in_render = item.hide_render = False
    for layer in _layers():
        for waiting in layer.tendril.waiting:
            if (item := waiting.item) and item.name in layer.objects:
                item.hide_set(False, view_layer=layer)
        layer.tendril.waiting.clear()
    chosen = [stand for item in shown for stand in _remove(item)]
    if chosen:
        bpy.context.view_layer.update()  # what is hidden cannot be selected
        for item in chosen:
            item.select_set(True)


def _layers():
    return [layer for scene in bpy.data.scenes if not scene.library for layer in scene.view_layers]


def waits(item, layer):
    """Whether a preview is shown in place of an object in a view layer."""
    return item.tendril.waits_in_viewport or any(waiting.item == item for waiting in layer.tendril.waiting)


def _remove(item):
    """Take a preview away → [what it stands for] if it is selected."""
    stand, layer, chosen = item.tendril.stands_for, bpy.context.view_layer, []
    if stand and layer and stand.name in layer.objects and item.name in layer.objects:
        chosen = [stand] if item.select_get() else []
        if layer.objects.active == item:
            layer.objects.active = stand
    animation.discard(item)
    if item.type == "CURVES":
        hair_result.still(item)
    elif item.data and item.data.users == 1:
        if item.data.shape_keys:
            animation.discard(item.data.shape_keys)
        rings.clear_shape_keys(item)
        item.data.animation_data_clear()
    result_object.remove(item)
    return chosen


class Preview:
    """Of the bake of a Job; meta: as `read_scene` gives it.

    rendered: renders see it too, and not what waits; it begins with the first frame. Else it is of a change: what is
    shown before stays until the frame at the playhead has come, which is shown first, and then those from there on.
    """

    def __init__(self, meta, job, rendered=True):
        self.meta, self.units, self.scene, self.rendered = meta, Units(**meta["units"]), job.scene, rendered
        self.cache, self.over = replacing.at_work(job.folder), False  # over: no more frames come
        self._begin_anew()

    def _begin_anew(self):
        self.actors, self.order, self.first, self.at_once, self.known = {}, [], None, 1, _cleared
        self.start = self.ahead = self.before = 0  # frames [start, ahead) and [0, before) are shown, of the bake's
        self._adding = iter(())

    @property
    def shown(self):
        """How many frames."""
        return len(self.order)

    def show(self, context, seconds):
        """Show what has come, as much as about so many seconds allow → whether there is more. What cannot be shown now
        is later, or by the end of the bake.
        """
        if self.known != _cleared:
            self._begin_anew()
        if bpy.app.is_job_running("RENDER") or context.mode.startswith("EDIT"):
            return False
        begun = time.perf_counter()
        try:
            while self._go_on(context, seconds):
                if time.perf_counter() - begun >= seconds:
                    return True
        except ReferenceError:  # the artist deleted one
            clear()
            return True
        return False

    def _go_on(self, context, seconds):
        """Give one actor the frames that it lacks → whether there was one; that should take no more than `seconds`."""
        begun = time.perf_counter()
        if next(self._adding, None) is None:
            numbers, frames = self._read(context)
            if not frames:
                return False
            self._adding = self._add(context, numbers[: len(frames)], frames)
            begun = time.perf_counter()
            if self.rendered or self.order:
                next(self._adding, None)
            else:  # what was shown before goes in the same look
                list(self._adding)
        took = time.perf_counter() - begun
        self.longest = max(self.longest, took / self.count)
        self.at_once = int(np.clip(seconds / max(self.longest, 1e-6), 1, MOST_AT_ONCE))
        return True

    def _read(self, context):
        """Numbers of the next frames, and as many of those as can be read, [(x, m1, bodies)]."""
        there, frames, wanted = self.cache.frames, [], range(0)
        try:
            if self.first is None:
                self.start = self.ahead = 0 if self.rendered else self.here(context)
            count = next((number for number, index in enumerate(there) if number != index), len(there))
            if self.first is None and self.over and self.ahead >= count > 0:
                self.start = self.ahead = 0  # the bake ended before the playhead: what there is of it is shown
            if self.ahead < count:
                wanted = range(self.ahead, min(self.ahead + self.at_once, count))
            elif self.first:
                wanted = range(self.before, min(self.before + self.at_once, self.start))
            if wanted and self.first is None:
                self.first = self.cache.read(0)
            for index in wanted:
                frame = self.cache.read(index)
                if counts_of(frame) != counts_of(self.first):
                    break
                frames.append(frame)
        except BakeError:  # the end of the bake says so
            pass
        return wanted, frames

    def here(self, context):
        """The number of the frame at the playhead, or of the nearest that the bake has."""
        here = context.scene.frame_current - self.units.first_frame
        return min(max(here, 0), max(self.scene.frame_count - 1, 0))

    def _add(self, context, numbers, frames):
        """Give all actors these frames, and yield after each of them, and after each that enters."""
        self.longest, self.count = 0.0, len(frames)
        if not self.order:
            if not self.rendered:
                clear()
                self.known = _cleared
            yield from self._cast(context)
            self.longest = 0.0
        order = [*self.order, *numbers]
        keys = self.units.keys(max(order) + 1)[order]
        x, m1, bodies = (np.stack(arrays) for arrays in zip(*frames, strict=True))
        for entry, splines in result.by_source(self.meta, self.units, x, m1):
            if actor := self.actors.get(entry["session_uid"]):
                actor.add(keys, splines, (numbers[0], bodies))
                yield actor
        vertex = result.vertices_of_rods(self.meta)
        for entry in self.meta["soft"]:
            if actor := self.actors.get(entry["session_uid"]):
                actor.add(keys, x[:, vertex : vertex + entry["nodes"]], numbers[0])
                yield actor
            vertex += entry["nodes"]
        for number, entry in enumerate(self.meta["bodies"]):
            if actor := self.actors.get(entry["session_uid"]):
                actor.add(keys, bodies[:, number])
                yield actor
        self.order = order
        if numbers[0] >= self.start:
            self.ahead = numbers[-1] + 1
        else:
            self.before = numbers[-1] + 1

    def _cast(self, context):
        """Let enter what shows each source, at the first frame: {session_uid: actor}."""
        (x, m1, _), found = (array[None] for array in self.first), self.actors
        for entry, splines in result.by_source(self.meta, self.units, x, m1):
            source = result.find_source(self.meta, entry)
            if source and (stand := _stand(source, self.rendered)):
                kind = _Hair if entry.get("hair") else _Rod
                found[entry["session_uid"]] = kind(context, source, stand, entry, self.units, splines)
                yield source
        for entry, solid in zip(self.meta["soft"], self.scene.solids, strict=True):
            source = result_object.find(self.meta, entry)
            if source and source.type == "MESH" and source.tendril.is_soft and (stand := _stand(source, self.rendered)):
                found[entry["session_uid"]] = _Soft(context, source, stand, entry, self.units, solid)
                yield source
        for entry in self.meta["bodies"]:
            source = result_object.find(self.meta, entry)
            if not entry["animated"] and source and source.tendril.is_body and (stand := _stand(source, self.rendered)):
                found[entry["session_uid"]] = _Body(source, stand, entry, self.units)
                yield source


@dataclass(frozen=True)
class _Stand:
    """What shows a source while there is no preview; rendered: whether the preview takes its place in renders too."""

    item: bpy.types.Object
    rendered: bool


def _stand(source, rendered):
    """The _Stand of a source; None: nothing shows it now, or it is just edited."""
    item = result_object.result_of(source)
    if item and not source.hide_viewport:
        return None
    stand, objects = item or source, bpy.context.view_layer.objects
    if stand.hide_viewport or stand.mode != "OBJECT" or (stand.name in objects and stand.hide_get()):
        return None
    return _Stand(stand, rendered)


def _enter(item, source, stand):
    """Let a new object, in no collection yet, be shown in place of `stand`."""
    item.name, other = f"{source.name} Preview", stand.item
    item.tendril.is_preview, item.tendril.stands_for = True, other
    item.hide_viewport, item.hide_render = False, other.hide_render or not stand.rendered
    link_beside(item, source)
    objects = bpy.context.view_layer.objects
    there = other.name in objects
    if there and (objects.active == other or other.select_get()):  # it takes its place there too
        bpy.context.view_layer.update()  # which else does not know it
        if item.name in objects:
            item.select_set(other.select_get())
            objects.active = item if objects.active == other and stand.rendered else objects.active
    for layer in (layer for layer in _layers() if other.name in layer.objects):
        if other.hide_get(view_layer=layer):
            if item.name in layer.objects:
                item.hide_set(True, view_layer=layer)
        elif not stand.rendered:  # so it can be edited, and its settings shown, as those of the active object
            other.hide_set(True, view_layer=layer)
            layer.tendril.waiting.add().item = other
    if stand.rendered:
        other.tendril.waits_in_viewport = other.hide_viewport = True
    if stand.rendered and not other.hide_render:
        other.tendril.waits_in_render = other.hide_render = True
    return item


class _Rod:
    """A rod object, with what hangs on its branches; x (F, n, 3) in Blender units and m1 (F, m, 3) of each spline."""

    def __init__(self, context, source, stand, entry, units, splines):
        self.matrix = np.array(entry["matrix"])
        controls = [control_points(x, spline["closed"], spline.get("lengths")) for x, _, spline in splines]
        self.axes, self.scale, _ = settle(self.matrix, controls, result.goes_by_axes(source))
        fresh = result.dress(result_object.copy(source), source, entry, self.axes, self.scale)
        self.fine = sum(len(spline["twist"]) for spline in entry["splines"]) <= MOST_FINE
        if not self.fine:
            make_coarse(fresh.data)
        self.item = _enter(fresh, source, stand)
        self.item.matrix_basis = result.at(self.matrix, self.axes, self.scale)
        self.tilt = None  # (k,) of each spline at the last frame
        self.riders = []
        if source.tendril.is_tree:
            self.riders = _riders(context, source, self.item, units, splines, stand.rendered)

    def add(self, keys, splines, _frames):
        controls = [control_points(x, spline["closed"], spline.get("lengths")) for x, _, spline in splines]
        place = self.matrix[:3, 3], self.axes, self.scale
        motion = result.motions(self.item.data, controls, splines, *place, tilted=self.fine)
        if self.tilt is None:
            for spline, own in zip(self.item.data.splines, motion, strict=True):
                animation.pose(spline, own[0])
        else:  # go on from there
            for own, before in zip(motion, self.tilt, strict=True):
                own[..., 9] += TURN * np.round(np.mean(before - own[0, :, 9]) / TURN)
        self.tilt = [own[-1, :, 9] for own in motion]
        animation.add_shape_keys(self.item, keys[-len(motion[0]) :], np.concatenate(motion, axis=1))
        _play(self.item, keys)
        for rider in self.riders:
            rider.add(keys, [(x, m1) for x, m1, _ in splines])


class _Hair:
    """A hair object; x (F, n, 3) in Blender units of each hair; frames: number of the first, and bodies (F, K, 7)."""

    def __init__(self, context, source, stand, entry, units, splines):
        self.entry, self.units, self.strands = entry, units, GuidedHair.of(entry, units)
        drawn = hair_result.drawn_hair(context, source, units)
        self.item = _enter(hair_result.dress(result_object.copy(source), drawn), source, stand)
        self.item.matrix_basis = Matrix.LocRotScale(*Matrix(entry["matrix"]).decompose())
        self.points = hair_result.points_for(
            self.item, hair_result.Places(np.array(self.item.matrix_basis), splines, self.strands)[0]
        )

    def add(self, keys, splines, frames):
        roots = self.strands.roots(self.entry, self.units, *frames) if self.strands else None
        places = hair_result.Places(np.array(self.item.matrix_basis), splines, self.strands, roots)
        animation.add_vertex_keys(self.points, keys[-len(places) :], list(places))
        _play(self.points, keys)


def make_coarse(curve):
    """Let a curve be drawn fast: its sections with few corners, its points joined by straight edges."""
    curve.bevel_resolution, curve.resolution_u = 0, 1
    for spline in curve.splines:
        spline.resolution_u = 1


def _riders(context, source, tree, units, splines, rendered):
    """What hangs on a tree; splines: at the first frame."""
    first = [(x, m1) for x, m1, _ in splines]
    places = riders.places(context, source, units)
    nearest = riders.Nearest(Edges.of(first))
    found = []
    for item, matrix in places:
        stand = _stand(item, rendered)
        if stand:
            found.append(_Rider(item, stand, tree, matrix, nearest, first))
    return found


class _Rider:
    """Something that hangs on a tree; splines: x (F, n, 3), m₁ (F, n − 1, 3) of each of its rods, in the world."""

    def __init__(self, source, stand, tree, matrix, nearest, first):
        self.first, self.matrix = first, matrix
        points = riders.scattered_points(source, matrix)
        self.edge, self.points = nearest.bind(*points) if points else nearest.of(matrix), points and points[0]
        self.item = _enter(riders.dress(result_object.copy(source), source, bool(points)), source, stand)
        self.item.parent, self.item.matrix_parent_inverse = tree, tree.matrix_basis.inverted_safe()
        if points:
            self.item.matrix_basis = riders.upright(matrix)
        self.poses = []

    def add(self, keys, splines):
        edges = Edges.of(
            [(np.concatenate([x0, x]), np.concatenate([m0, m1])) for (x0, m0), (x, m1) in
             zip(self.first, splines, strict=True)]
        )  # fmt: skip
        new = range(1, len(edges.middle))
        if self.points is None:
            place, turn, scale = riders.carried(self.matrix, edges, self.edge)
            _move(self.item, keys, self.poses, place[1:], turn[1:], scale)
        else:
            own = np.array(self.item.matrix_basis)
            places = [to_object(own, edges.carry(self.edge, self.points, frame)) for frame in new]
            animation.add_vertex_keys(self.item, keys[-len(new) :], places)
            _play(self.item, keys)


class _Soft:
    """A soft body; x (F, n, 3) [m]: its nodes."""

    def __init__(self, context, source, stand, entry, units, solid):
        self.units = units
        mesh = soft_result.drawn_mesh(context, source, units)
        self.item = _enter(soft_result.dress(result_object.copy(source), source, mesh), source, stand)
        matrix = np.array(entry["matrix"])
        self.item.matrix_basis = Matrix.LocRotScale(*Matrix(matrix.tolist()).decompose())
        self.embedding: Embedding = soft_result.embed(self.item, matrix, units, solid)
        self.seen = soft_result.see(self.item, matrix, units, self.embedding, entry, solid)

    def add(self, keys, x, first):
        """first: the number of the frame of x[0]."""
        if not len(self.item.data.vertices):
            return
        own = np.array(self.item.matrix_basis)
        places = soft_result.Places(self.embedding, self.seen, self.units, own, x, first)
        animation.add_vertex_keys(self.item, keys[-len(x) :], list(places))
        _play(self.item, keys)


class _Body:
    """A rigid body, with what is parented to it; poses (F, 7), as Frame.bodies."""

    def __init__(self, source, stand, entry, units):
        self.entry, self.units, self.poses, self.rendered = entry, units, [], stand.rendered
        self.item = _enter(result_object.copy(source), source, stand)
        result_object.make_still(self.item)
        self.item.scale = Matrix(entry["matrix"]).decompose()[2]
        self._bring(source, self.item)

    def _bring(self, source, item):
        """Copies of the children, which move with it and as themselves do."""
        for child in body_result.own_children(source):
            stand = _stand(child, self.rendered)
            if stand:
                twin = _enter(result_object.copy(child), child, stand)
                twin.parent, twin.matrix_parent_inverse = item, child.matrix_parent_inverse
                self._bring(child, twin)

    def add(self, keys, poses):
        place, turn = body_result.poses(self.entry, self.units.blender_units(poses[:, :3]), poses[:, 3:])
        _move(self.item, keys, self.poses, place, turn, self.item.scale)


def _move(item, keys, poses, place, turn, scale):
    """Go on with an object whose poses so far, [(7,)], are keyed."""
    first, new = not poses, [np.append(*each) for each in zip(place, turn, strict=True)]
    if poses and np.dot(poses[-1][3:], new[0][3:]) < 0.0:  # the same turn, by the shorter way
        new = [np.append(each[:3], -each[3:]) for each in new]
    poses += new
    item.rotation_mode, item.scale = "QUATERNION", scale
    if first:
        item.location, item.rotation_quaternion = new[0][:3], new[0][3:]
    order = np.argsort(keys)
    animation.write_poses(item, keys[order], *np.split(np.array(poses)[order], [3], axis=1))
    item.animation_data.action.update_tag()


def _play(item, keys):
    animation.play_shape_keys(item, keys)
    item.data.shape_keys.animation_data.action.update_tag()
