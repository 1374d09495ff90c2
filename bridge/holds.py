"""What holds a rod: a pin that leads it after an object or bone or, when the object is a rigid body, a weld."""

from dataclasses import replace

import numpy as np

from ..physics.scene import Weld
from ..physics.validate import SceneError
from ..properties.body import body_with, is_cable, soft_of
from ..properties.own_motion import moves_itself
from . import grips
from .deforming import ground_of, own_ground
from .foreign_motion import animated_paths
from .motion import check_places
from .pins import RodGuide
from .places import vertex_at
from .winches import is_winch

ROOT = "Root"  # of hair
SINGLE = 1e-6  # of places: a few roundings of them, as a curve and a grip are kept


def read_holds(source, aside, copy, scene, rods, first_rod, bodies, take_up):
    """(RodGuides, Welds and Pulleys), one for each pin of an object with `rods`, {number of a spline: Rod}, the scene's
    from `first_rod` on. take_up(guide, pin) is the guide as it takes up what the pin has gripped, or reels in.

    bodies: the scene's rigid body objects. A pin without a target holds to the rod's own object and, if that is
    reshaped, to the curve as it is drawn at each time. Raises SceneError.
    """
    pinned, welds, animated = [], [], animated_paths(source)
    numbers = {spline: first_rod + number for number, spline in enumerate(rods)}
    for index, pin in enumerate(source.tendril.pins):
        _check_pin(source, pin, scene, rods)
        rod, target, body = rods[pin.spline], pin.target or source, body_with(pin.target)
        vertex, runs = vertex_at(rod, pin.fraction), pin.slides and not is_cable(source) and not is_winch(pin)
        if runs:
            _check_open(source, index)
        if body in bodies:
            _check_firm(source, index, body.name)
            if is_winch(pin):
                cure = "choose another target, which the body may follow, or turn off Winch"
                raise SceneError(
                    source.name, f"'{source.name}': its winch '{pin.name}' is on the rigid body '{body.name}': {cure}."
                )
            if not runs and not (is_cable(source) and any(pin.grip)):
                welds.append(Weld(pin.name, bodies.index(body), numbers[pin.spline], vertex, pin.mode))
                continue
        guide = RodGuide(
            pin.name, source.name, numbers[pin.spline], vertex, pin.mode, pin.max_force,
            aside.follower(target, pin.bone if target.type == "ARMATURE" else ""), rod.x[vertex],
            influence_of(aside, copy, f"tendril.pins[{index}]", f"tendril.pins[{index}].influence" in animated),
            *((ground_of(target), None) if pin.target else (own_ground(source), (pin.spline, vertex))),
            slides=pin.slides and is_cable(source), runs=runs,
        )  # fmt: skip
        guide = take_up(guide, pin)
        if body in bodies:
            welds.append(guide.weld(bodies.index(body)))
        else:
            pinned.append(guide)
    return pinned, welds


def taken_up(guide, grip, matrix, line, units, places):
    """A guide that begins with the frame to which a pin, whose target is at `matrix`, leads what it
    has gripped, `grip`, of a Polyline; places: also where that is, else it turns there alone. Where that is where it is
    drawn, as far as single precision tells, it stays there: one that is straight would be too short. Raises SceneError:
    the target is nowhere.
    """
    if not any(grip):
        return guide
    check_places([guide], matrix[None, None], [units.first_frame])
    frame = grips.led(matrix, grip)
    turned = frame[:3, :3] @ grips.frame_at(line, guide.vertex, units)[:3, :3].T
    place, size = units.metres(frame[:3, 3]), max(np.abs(line.x).max(), np.abs(units.metres(matrix[:3, 3])).max())
    moved = places and np.abs(place - guide.start).max() > SINGLE * size
    return replace(guide, turned=turned, start=place if moved else guide.start)


def tied_to(sources, bodies):
    """The animated ones of rigid body objects that pins of rods name."""
    targets = {pin.target for source in sources for pin in source.tendril.pins}
    return [body for body in bodies if body in targets and body.tendril.body.motion == "ANIMATED"]


def to_soft(sources):
    """Notices about pins of rods that follow the object of a soft body, which stands where that is drawn."""
    for source in sources:
        surface = grows_on(source)
        if surface and (soft := soft_of(surface)):
            text = (
                f"'{source.name}' grows on the soft body '{soft.name}', whose surface is simulated: its roots "
                "follow the object alone. Choose another surface in its Curves tab."
            )
            yield {"object": source.name, "frame": 0, "text": text}
        for pin in source.tendril.pins:
            if soft := soft_of(pin.target):
                text = (
                    f"'{source.name}': pin '{pin.name}' follows the object of the soft body '{soft.name}', not its "
                    f"surface, which is simulated: pin a vertex group of '{soft.name}' to '{source.name}' instead."
                )
                yield {"object": source.name, "frame": 0, "text": text}


def influence_of(aside, copy, path, animated):
    """A function that gives the influence of the pin at a data path of `copy` at the present frame."""
    if animated:
        return lambda: aside.evaluated(copy).path_resolve(path).influence
    always = copy.path_resolve(path).influence
    return lambda: always


def _check_pin(source, pin, scene, rods):
    owner, target = source.name, pin.target or source
    what = f"'{owner}': pin '{pin.name}'"
    if pin.target is None and not moves_itself(source):
        raise SceneError(owner, f"{what} has no target: choose an object or remove the pin.")
    if scene not in target.users_scene:
        raise SceneError(
            owner, f"{what} follows '{target.name}', which is not in this scene any more: choose another target."
        )
    if target.type == "ARMATURE" and pin.bone and pin.bone not in target.pose.bones:
        raise SceneError(
            owner, f"{what} follows bone '{pin.bone}', which '{target.name}' does not have: choose another bone."
        )
    if pin.spline not in rods:
        last, there = max(rods), f"{what} holds spline {pin.spline}"
        if len(rods) == last + 1:
            raise SceneError(owner, f"{there}, but the last one is {last}: choose that or less.")
        count = sum(own.spline not in rods for own in source.tendril.pins)
        others = f" (and {count - 1} more of its pins one such)" if count > 1 else ""
        cure = f"remove {'these pins' if count > 1 else 'the pin'}, or choose other Guides"
        raise SceneError(owner, f"{there}, which is no guide{others}: {cure}.")


def _check_firm(source, index, body):
    """Raises SceneError when the influence of a pin that ties to a rigid body is not always 1."""
    pin, path = source.tendril.pins[index], f"tendril.pins[{index}].influence"
    what = f"'{source.name}': pin '{pin.name}' ties it to the rigid body '{body}', which cannot let go"
    if path in animated_paths(source):
        raise SceneError(source.name, f"{what}: delete the keyframes of its influence.")
    if pin.influence != 1.0:
        raise SceneError(source.name, f"{what}: set its influence to 1 or remove the pin.")


def _check_open(source, index):
    """Raises SceneError when the influence of a pin that a rope runs through is not always 1."""
    pin = source.tendril.pins[index]
    if pin.influence != 1.0 or f"tendril.pins[{index}].influence" in animated_paths(source):
        text = f"'{source.name}': pin '{pin.name}' slides, and what runs through it is never let go: set its influence "
        raise SceneError(source.name, f"{text}to 1, without keyframes.")


def roots(source, aside, copy, rods, first_rod, bodies, held):
    """(RodGuides, Welds) for the open ones of the Rods of a hair object, the scene's from `first_rod` on, at their
    first points: on the surface that hair is attached to, where that is nearest when the bake begins, to it if it is
    one of the rigid bodies, or else on the object itself. What pins hold there, {(rod, vertex)}, has none.
    """
    surface, free = source.data.surface, [k for k, rod in enumerate(rods) if not rod.closed and (k, 0) not in held]
    if surface and (body := body_with(surface)) in bodies:
        number = bodies.index(body)
        return [], [Weld(ROOT, number, first_rod + k, 0, "TWIST") for k in free]
    follower, ground = (aside.follower(surface), ground_of(surface)) if surface else (copy, None)
    return [
        RodGuide(ROOT, source.name, first_rod + k, 0, "TWIST", np.inf, follower, rods[k].x[0], _always, ground)
        for k in free
    ], []


def _always():
    return 1.0


def roots_beside(guides, strands):
    """RodGuides that lead, at whole frames, the roots of what is not simulated of hair, of `hair.guided`, as RodGuides
    of `roots` lead those that are.
    """
    first = np.delete(strands["starts"][:-1], strands["guides"])
    return [replace(guides[0], rod=-1, start=place, by_frame=True) for place in strands["x"][first] if guides]


def grows_on(source):
    """What leads the roots of a hair object, or None of another one."""
    return (source.data.surface or source) if source.type == "CURVES" else None
