"""Where cables join, a *joint*: what several hold on to, or what follows those that hold on to it.

Ends join that are near each other, and what is near them: the middle of another cable, which is cut there, and what may
hold them. A joint grips each cable's frame as it is drawn (`grips`), whatever gap is between them.
"""

from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import bpy
import numpy as np
from mathutils import Vector

from ..physics.scenes.linked import together
from ..physics.validate import SceneError
from ..properties.body import body_of, is_cable
from ..properties.own_motion import moves_itself
from . import bodies, grips
from .cable import held_at
from .cutting import FEWEST, check_cuts, check_pins, cut
from .homes import link_beside
from .motion import check_places

LIGHTEST = 1e-9  # kg: what a bare joint weighs, nearly nothing
SHOWN = 3.0  # radii of its thickest cable: how large an empty is drawn
MOTIONS = {"FOLLOWS": "SUSPENDED", "STAYS": "ANIMATED"}


@dataclass
class Joint:
    """nodes: [(number of a cable, spline, vertex)]; target: object that holds them, None: a new empty; bone of it.

    loose: [(number of a cable, of its pin)] of pins it replaces; frames: {node: the frame that such a pin holds there};
    kept: nodes that the target holds already.
    """

    nodes: list
    target: object = None
    bone: str = ""
    loose: list = field(default_factory=list)
    frames: dict = field(default_factory=dict)
    kept: list = field(default_factory=list)


def plan(context, reads, holders, reach):
    """The Joints of cables as they were read, and of chosen objects that may hold them. Changes nothing.

    reach: how far from each other what is joined may be, of the sum of both radii. Raises SceneError.
    """
    ends = [
        (c, s, vertex) for c, own in enumerate(reads) for s, line in enumerate(own.lines)
        for vertex in (0, len(line.x) - 1)
    ]  # fmt: skip
    place = np.array([reads[c].lines[s].x[vertex] for c, s, vertex in ends]).reshape(-1, 3)
    radius = np.array([reads[c].radius for c, _, _ in ends])
    gap = np.linalg.norm(place[:, None] - place, axis=2)
    line_of = np.array([(c, s) for c, s, _ in ends]).reshape(-1, 2)
    gap[np.all(line_of[:, None] == line_of, axis=2)] = np.inf  # no spline is joined to itself
    limit = reach * (radius[:, None] + radius)
    groups = together(np.argwhere(gap <= limit), len(ends))
    to_holder = _gaps(context, holders, place, reads[0].units)
    nodes, links, of_holder = list(ends), np.argwhere(gap <= limit).tolist(), {}
    least = float((gap - limit).min(initial=np.inf))
    for group in groups:
        for end, node, short in _middles(reads, ends, place, radius, group, reach):
            least = min(least, short)
            if short <= 0.0:
                nodes += [] if node in nodes else [node]
                links.append([int(end), nodes.index(node)])
    for number in range(len(ends)):
        near = int(to_holder[:, number].argmin()) if len(holders) else -1
        if near >= 0 and to_holder[near, number] <= 2.0 * reach * radius[number]:
            of_holder[number] = near
    found = []
    for group in together(links, len(nodes)):
        chosen = {of_holder[number] for number in group if number in of_holder}
        joint = _held(context, reads, [nodes[number] for number in group], [holders[number] for number in chosen])
        if joint and len(joint.kept) < len(joint.nodes):
            found.append(joint)
    if not found:
        far = reads[0].units.blender_units(least)
        what = f": the nearest are {far:.2g} units too far" if np.isfinite(far) else ""
        raise SceneError(
            reads[0].source.name, f"No end of the selected cables is near another, or near what could hold it{what}. "
            "Raise Reach, or draw them together.",
        )  # fmt: skip
    for c, own in enumerate(reads):
        if any(k == c for joint in found for k, _ in joint.loose):
            check_pins(own.source)
        if cuts := _cuts(own, c, found):
            check_cuts(own, cuts)
    return found


def join(context, reads, joints, motion, mode):
    """Carry out the plan; new joints follow or stay as `motion` of MOTIONS says, and hold cables by `mode`. Returns the
    objects that hold them.
    """
    idle = []
    for c, own in enumerate(reads):
        for number in sorted((n for joint in joints for k, n in joint.loose if k == c), reverse=True):
            idle.append(own.source.tendril.pins[number].target)
            own.source.tendril.pins.remove(number)
    ends = {}
    for c, own in enumerate(reads):
        ends |= {(c, *node): found for node, found in cut(own, _cuts(own, c, joints)).items()}
    for joint in joints:
        for node, frame in joint.frames.items():
            ends[node] = [replace(end, frame=frame) for end in ends[node]]
        own = [end for node in joint.nodes for end in ends[node]]
        if joint.target is None:
            joint.target = _empty("Joint", np.mean([end.frame[:3, 3] for end in own], axis=0), own[0].cable)
            joint.target.empty_display_type = "SPHERE"
            joint.target.empty_display_size = max(size_of(reads[c]) for c, _, _ in joint.nodes)
        if _is_bare(joint.target) and (joint.target.type == "EMPTY" or motion == "FOLLOWS"):
            with suppress(SceneError):  # a mesh that cannot be a body holds them as it is
                make_joint(context, joint.target, motion)
    context.view_layer.update()
    for joint in joints:
        for node in joint.nodes:
            for end in ends[node] if node not in joint.kept else ():
                hold(end, joint.target, joint.bone, mode)
    remove_idle(idle)
    return [joint.target for joint in joints]


def make_joint(context, item, motion):
    """Let an empty or mesh hold cables that follow it, or that it follows; it keeps the settings of a body that it has.
    Raises SceneError.
    """
    if not item.tendril.is_body:
        settings = {"mass": LIGHTEST}
        if item.type == "MESH":
            bodies.check_object(item)
            settings = bodies.fitting_settings(context, item)
        item.tendril.is_body = True
        for name, value in settings.items():
            setattr(item.tendril.body, name, value)
    item.tendril.body.motion = MOTIONS[motion]


def hold(end, target, bone, mode):
    """Pin an End to a target, that grips it as it is."""
    pin = end.cable.tendril.pins.add()
    pin.name = "End" if end.fraction else "Start"
    pin.name += f" {end.spline}" if end.spline else ""
    pin.spline, pin.fraction, pin.target, pin.bone, pin.mode = end.spline, end.fraction, target, bone, mode
    matrix = held_at(end.cable)[-1]
    pin.grip = grips.taken(matrix, end.frame)


def hold_each(context, ends, mode, size):
    """Pin Ends to new empties of that size, each to one of its own, as they are → the empties."""
    made = []
    for end in ends:
        made.append(_empty(f"{end.cable.name} Pin", end.frame[:3, 3], end.cable))
        made[-1].empty_display_size = size
    context.view_layer.update()
    for end, empty in zip(ends, made, strict=True):
        hold(end, empty, "", mode)
    return made


def size_of(own):
    """Of empties that hold a cable as it was read [Blender units]."""
    return SHOWN * own.units.blender_units(own.radius)


def joined(scene, cables, chosen):
    """{cable: [the numbers of its pins that hold on to joints]} of cables, of all where there are none; where chosen
    objects are joints, of those alone, which then may stay and hold one end.
    """
    every, ends = [item for item in scene.objects if item.tendril.is_rod and is_cable(item)], Counter()
    for pin in (pin for item in every for pin in item.tendril.pins if pin.target):
        ends[pin.target, pin.bone] += pin.fraction in (0.0, 1.0)
    joints = {held for held, count in ends.items() if count > 1 or _motion(held[0]) == "SUSPENDED"}
    shared = {item for item, _ in joints}
    if own := {item for item in chosen if item in shared or _motion(item) in MOTIONS.values()}:
        joints = {held for held in ends if held[0] in own}
    found = {}
    for item in cables or (every if own else ()):
        if numbers := [n for n, pin in enumerate(item.tendril.pins) if (pin.target, pin.bone) in joints]:
            found[item] = numbers
    return found


def _motion(item):
    """Of an object as a body; '': it is none."""
    body = body_of(item)
    return body.tendril.body.motion if body else ""


def separate(context, reads, numbers, free):
    """Cables as they were read let go where pins of those numbers hold them, {cable: numbers}: their ends are free
    then, or each is held by an empty of its own, as it was. An empty that holds nothing more goes. Raises SceneError.
    """
    for source in numbers if free else ():
        check_pins(source)
    left, held = [], []
    for own in reads:
        pins, places = own.source.tendril.pins, held_at(own.source)
        for number in reversed(numbers[own.source]):
            pin = pins[number]
            left.append(pin.target)
            if free:
                pins.remove(number)
                continue
            frame = grips.led(places[1 + number], pin.grip) if any(pin.grip) else own.frame(pin.spline, own.vertex(pin))
            pin.target, pin.bone = _empty(f"{own.source.name} Pin", frame[:3, 3], own.source), ""
            pin.target.empty_display_size = size_of(own)
            held.append((pin, frame))
        own.source.tendril.active_pin = 0
    context.view_layer.update()
    for pin, frame in held:
        pin.grip = grips.taken(np.array(pin.target.matrix_world, dtype=np.float64), frame)
    remove_idle(left)


def held_alone(own, spline, at_start):
    """Empties that nobody moves and that hold an end of a cable as it was read, and nothing else."""
    pins, vertex = own.source.tendril.pins, 0 if at_start else len(own.lines[spline].axes)
    found = [pin.target for pin in pins if pin.spline == spline and own.vertex(pin) == vertex]
    targets = [pin.target for pin in pins]
    return [item for item in found if item and _is_of_these(item, {own.source}) and targets.count(item) == 1]


def remove_idle(items):
    """Remove those of empties that nobody moves and nothing uses any more."""
    for item in dict.fromkeys(filter(None, items)):
        if is_loose(item, joints_too=True) and not _users(item):
            bpy.data.objects.remove(item)


def is_loose(item, joints_too=False):
    """Whether an object is an empty that stands where it is, by itself, and holds pins alone."""
    plain = item.type == "EMPTY" and not item.instance_collection and not (item.library or item.override_library)
    return plain and (joints_too or not item.tendril.is_body) and not _is_led(item) and not item.children


def _is_led(item):
    """Whether something moves an object."""
    return bool(item.parent or item.constraints or item.animation_data)


def _is_bare(item):
    """Whether an object may be made a joint: nothing moves or bends it, no physics has it, it holds no rod yet."""
    physics = item.tendril.is_body or item.tendril.is_soft or item.rigid_body or item.collision
    if physics or _is_led(item) or (item.type == "MESH" and item.data.shape_keys):
        return False
    users = [user for user in _users(item) if isinstance(user, bpy.types.Object)]
    return not any(user.tendril.is_rod and user.users_scene for user in users)


def _users(item):
    """What uses an object besides scenes and collections that have it."""
    users = bpy.data.user_map(subset=[item])[item]
    return [user for user in users if user != item and user.bl_rna.identifier not in {"Scene", "Collection"}]


def _empty(name, place, beside):
    """A new empty in the collections of another object."""
    item = bpy.data.objects.new(name, None)
    item.location = Vector(place)
    link_beside(item, beside)
    return item


def _gaps(context, holders, place, units):
    """Gaps (h, k) [m] of objects from places (k, 3) [m]: from the faces of a mesh, from the origin of what has none."""
    found = np.empty((len(holders), len(place)))
    with ExitStack() as stack:
        for number, item in enumerate(holders):
            origin = np.array(item.matrix_world.translation)
            found[number] = np.linalg.norm(place - units.metres(origin), axis=1)
            if item.type == "MESH" and len(place):
                with suppress(SceneError):  # it has no faces
                    found[number] = stack.enter_context(bodies.distance_to(context, item))(place)[0]
    return found


def _middles(reads, ends, place, radius, group, reach):
    """(end, node, by how much it is too far [m]): of each spline that has no end in a group of ends, the vertex that is
    nearest to them, if it can be cut.
    """
    own = {ends[number][:2] for number in group}
    for c, other in enumerate(reads):
        for s, line in enumerate(other.lines):
            edges = len(line.axes)
            if (c, s) in own or edges < 2 * FEWEST:
                continue
            short = []
            for number in group:
                gap, vertex = _nearest(line.x, place[number])
                short.append((gap - reach * (radius[number] + other.radius), int(number), vertex))
            least, number, vertex = min(short)
            yield number, (c, s, int(np.clip(vertex, FEWEST, edges - FEWEST))), least


def _nearest(x, place):
    """(distance, the nearest vertex) of a polyline (n, 3) from a place (3,)."""
    way = np.diff(x, axis=0)
    share = np.clip(np.sum((place - x[:-1]) * way, axis=1) / np.maximum(np.sum(way * way, axis=1), 1e-300), 0.0, 1.0)
    gap = np.linalg.norm(x[:-1] + share[:, None] * way - place, axis=1)
    edge = int(gap.argmin())
    return float(gap[edge]), edge + int(share[edge] > 0.5)


def _cuts(own, c, joints):
    """{spline: vertices} at which joints cut a cable."""
    cuts = {}
    for joint in joints:
        for number, s, vertex in joint.nodes:
            if number == c and 0 < vertex < len(own.lines[s].x) - 1:
                cuts.setdefault(s, []).append(vertex)
    return cuts


def _held(context, reads, nodes, chosen):
    """The Joint of nodes and of chosen holders of them, None: they are nothing that is joined. Raises SceneError."""
    if len(nodes) < 2 and not chosen:
        return None
    joint, by, joined_here = Joint(nodes), [(item, "") for item in chosen], {reads[c].source for c, _, _ in nodes}
    for node in nodes:
        c, s, vertex = node
        source = reads[c].source
        for number, pin in enumerate(source.tendril.pins):
            if pin.spline != s or reads[c].vertex(pin) != vertex:
                continue
            what, target, matrix = f"'{source.name}': pin '{pin.name}'", pin.target, held_at(source)[1 + number]
            if target is None and moves_itself(source):
                raise SceneError(
                    source.name, f"{what} holds its end by its own animation, which holds no other: remove that pin."
                )
            if target and target.users_scene and context.scene not in target.users_scene:
                raise SceneError(
                    source.name, f"{what} follows '{target.name}', which is in another scene: choose another target."
                )
            if target is None or not target.users_scene or (target not in chosen and _is_of_these(target, joined_here)):
                joint.loose.append((c, number))
                if target and any(pin.grip) and _is_there(reads[c], node, matrix @ np.reshape(pin.grip, (4, 4))):
                    joint.frames[node] = grips.led(matrix, pin.grip)
                continue
            told = SimpleNamespace(owner=source.name, what=f"the target of pin '{pin.name}'")
            check_places([told], matrix[None, None], [context.scene.frame_current])
            if node not in joint.kept:
                joint.kept.append(node)
            by.append((target, pin.bone))
    by = list(dict.fromkeys(by))
    if len(by) > 1:
        (one, _), (other, _) = by[:2]
        raise SceneError(
            other.name, f"'{one.name}' and '{other.name}' would both hold the ends of "
            f"'{reads[nodes[0][0]].source.name}': let one go with Separate, or with Remove Pin.",
        )  # fmt: skip
    joint.target, joint.bone = by[0] if by else (None, "")
    return joint


def _is_there(own, node, frame):
    """Whether a frame (4, 4) is where a node of a cable is drawn, within its radius."""
    gap = np.linalg.norm(own.units.metres(frame[:3, 3]) - own.lines[node[1]].x[node[2]])
    return bool(gap <= own.radius)


def _is_of_these(item, cables):
    """Whether an object is an empty that nobody moves and that holds these cables alone."""
    return is_loose(item) and set(_users(item)) <= cables
