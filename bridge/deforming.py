"""What deforms leads what it holds by the place that holds it: a mesh by the face that is nearest at the first frame, a
soft body's own mesh and a rod's own curve by the point itself.

A guide (`motion.follow`) that stands on such a shape has it as its `ground`. Each is looked at once in a frame, one
after the other, in a scene of its own, as colliders are; in between a `Course` goes on cubics. What does not deform
leads as a whole, as anything else does.
"""

from dataclasses import replace

import numpy as np

from ..physics.validate import SceneError
from ..properties.body import soft_of
from ..properties.own_motion import deforms_beside_pins, may_deform
from .check_curve import check_matrix
from .colliders import bare
from .course import Course, Steps
from .drawn_motion import DrawnMotion
from .evaluation import side_scene
from .finishing import take_finish
from .polar import nearest_rotations
from .skin import Skin
from .units import nearest_rotation, quaternion

NOT_LED = "'{}' is reshaped after the first frame, by its shape keys or modifiers. That leads {}."
OF_ROD = "a rod only where a pin ties it to its Own Animation, or to the object of Hooked Points: add one with +"
OF_SOFT = "only the vertices that a pin ties to its Own Animation: add one with +"
OF_BODY = "nothing that is tied to it, as a rigid body leads as a whole: let it be a collider in place of a rigid body"


def ground_of(target):
    """The object on whose faces a pin to `target` stands; None: it follows that as a whole."""
    return target if target.type == "MESH" and not soft_of(target) and may_deform(target) else None


def own_ground(source):
    """The same of a pin of a rod or soft body without a target, on whose own points it stands."""
    return source if may_deform(source) else None


def on_course(scene, guides, others, units, last_frame):
    """(guides, notices): the same guides, with a Course where their ground deforms between the first and last frame.

    A notice tells which ground gives no hold, and which others, objects that are simulated or lead, deform and lead
    nothing by that. Raises SceneError: a ground is in edit mode, or nowhere (NaN, a scale of zero).
    """
    grounds = {guide.ground: [] for guide in guides if guide.ground}
    for number, guide in enumerate(guides):
        if guide.ground:
            grounds[guide.ground].append(number)
    grounds |= {item: [] for item in others if item not in grounds and deforms_beside_pins(item)}
    for item in grounds:
        if item.mode == "EDIT":
            raise SceneError(item.name, f"'{item.name}' is in edit mode: leave it with Tab first.")
    if not grounds or last_frame == units.first_frame:
        return guides, []
    led, notices = list(guides), []
    standing = {item: [guides[number] for number in own] for item, own in grounds.items()}
    for (item, own), (look, linear) in zip(grounds.items(), _looks(scene, standing, units, last_frame), strict=True):
        if not (look.moved or look.trouble):
            continue
        if not own:
            notices.append(_notice(item, NOT_LED.format(item.name, _led_by(item))))
        elif look.trouble:
            what, cure = look.trouble
            text = f"'{item.name}' {what}, so what is pinned to it follows its object, not its shape: {cure}."
            notices.append(_notice(item, text))
        else:
            its = [guides[number] for number in own]
            for number, course in zip(own, _courses(its, *look.found(), linear, units), strict=True):
                led[number] = replace(guides[number], course=course)
    return led, notices


def _looks(scene, standing, units, last_frame):
    """(Skin or DrawnMotion, linear parts (K, 3, 3) of its object) of each ground, on which guides stand."""
    looks, linear = [], [[] for _ in standing]
    with side_scene(scene) as aside:
        copies = [_copy(aside, item) for item in standing]
        for frame in range(units.first_frame, last_frame + 1):
            aside.go(frame)
            for copy, item, way in zip(copies, standing, linear, strict=True):
                matrix = aside.matrix(copy)
                check_matrix(item.name, matrix)
                way.append(matrix[:3, :3])
            shown = [aside.evaluated(copy) for copy in copies]
            looks = looks or [
                (DrawnMotion if item.type == "CURVE" else Skin)(item, evaluated, own, units, aside)
                for (item, own), evaluated in zip(standing.items(), shown, strict=True)
            ]
            for look, evaluated in zip(looks, shown, strict=True):
                look.look(evaluated, frame, units)
    return list(zip(looks, map(np.array, linear), strict=True))


def _copy(aside, item):
    copy = bare(aside.copy(item))
    return take_finish(copy) if soft_of(item) else copy


def _courses(guides, places, gradients, linear, units):
    """A Course, or Steps, for each guide: at places (K, P, 3) with gradients (K, P, 3, 3), on an object of the linear
    parts (K, 3, 3).
    """
    whole = nearest_rotation(linear @ np.linalg.inv(linear[0]))
    turns = np.swapaxes(whole, 1, 2)[:, None] @ nearest_rotations(gradients)
    return [
        Steps(places[:, k], turns[:, k])
        if guide.by_frame
        else Course(units.first_frame, places[:, k], quaternion(turns[:, k]))
        for k, guide in enumerate(guides)
    ]


def _led_by(item):
    return OF_SOFT if item.tendril.is_soft else OF_ROD if item.tendril.is_rod else OF_BODY


def _notice(item, text):
    return {"object": item.name, "frame": 0, "text": text}
