"""Rods that are drawn on the rest pose of what they are pinned to. Where an armature poses that otherwise at the first
frame they begin beside it, and stay so, as a pin keeps the offset that it finds there.

That is told where a pinned place is NEARER to the rest pose than to the posed one: an offset that is meant is drawn
from where the target is seen.
"""

import numpy as np
from mathutils.bvhtree import BVHTree

from .colliders import bare
from .deforming import ground_of
from .evaluation import side_scene
from .places import vertex_at
from .units import to_object

NEARER = 4.0  # times
SEEN = 2.0  # thicknesses: a gap that is smaller is none to the eye


def notices(scene, rods, units):
    """Of rods, {source: [Rod]}, as they are at the first frame."""
    places = {}
    for source, own in rods.items():
        for pin in source.tendril.pins:
            bone = pin.bone if pin.target and pin.target.type == "ARMATURE" else ""
            if pin.target and (bone or (ground_of(pin.target) and _armatures(pin.target))) and pin.spline < len(own):
                rod = own[pin.spline]
                place = units.blender_units(rod.x[vertex_at(rod, pin.fraction)])
                places.setdefault((source, pin.target, bone), []).append((place, units.blender_units(rod.radius)))
    if not places:
        return
    with side_scene(scene) as aside:
        looks = {(target, bone): _look(aside, target, bone) for _, target, bone in places}
        aside.go(units.first_frame)
        looks = {held: look() for held, look in looks.items()}
        for (source, target, bone), own in places.items():
            posed, rest = looks[target, bone]
            gaps = [(posed(place), rest(place), np.max(radius)) for place, radius in own]
            gap = max((far for far, near, radius in gaps if _beside(far, near, radius)), default=0.0)
            if gap:
                what = f"bone '{bone}' of '{target.name}'" if bone else f"'{target.name}'"
                text = (
                    f"'{source.name}' begins {units.metres(gap):.2g} m from {what}, to which it is pinned: it is drawn "
                    f"on its rest pose, not where that is at the first frame. Parent '{source.name}' to the bone that "
                    "it goes with, or draw it there."
                )
                yield {"object": source.name, "frame": 0, "text": text}


def _beside(far, near, radius):
    return far > NEARER * near and far - near > 2.0 * SEEN * radius


def _look(aside, target, bone):
    """A function to be called when all is evaluated → (distance to the posed target, to that at rest) of a place."""
    if bone:
        whole, own = aside.follower(target), aside.follower(target, bone)
        rest = target.data.bones.get(bone)
        return lambda: (
            _to_bone(aside.matrix(own), rest.length),
            _to_bone(aside.matrix(whole) @ np.array(rest.matrix_local), rest.length),
        )
    copies = [bare(aside.copy(target)) for _ in range(2)]
    for modifier in _armatures(copies[1]):
        copies[1].modifiers.remove(modifier)
    return lambda: tuple(_to_mesh(BVHTree.FromObject(copy, aside.depsgraph), aside.matrix(copy)) for copy in copies)


def _armatures(item):
    return [modifier for modifier in item.modifiers if modifier.type == "ARMATURE"]


def _to_bone(matrix, length):
    """From the line of a bone, which goes along its y."""

    def distance(place):
        at = to_object(matrix, place[None])[0]
        foot = matrix @ np.array([0.0, np.clip(at[1], 0.0, length), 0.0, 1.0])
        return float(np.linalg.norm(foot[:3] - place))

    return distance


def _to_mesh(tree, matrix):
    def distance(place):
        foot = tree.find_nearest(to_object(matrix, place[None])[0])[0]
        return float(np.linalg.norm(matrix[:3, :3] @ foot + matrix[:3, 3] - place)) if foot else 0.0

    return distance
