"""The object that shows the bake of a rigid body: a linked duplicate with keys of location and rotation.

What is parented to the body, such as the light in a lamp, comes along as duplicates parented to the result, which keep
their own animation. Rods and bodies among the children have bakes of their own.
"""

import bpy
import numpy as np
from mathutils import Matrix, Quaternion

from ..physics.arithmetic.quaternions import continuous
from . import animation, look, result_object
from .units import quaternion, rotation_matrix


def show(context, meta, units, bodies):
    """Results for the dynamic bodies in `meta`; bodies (F, K, 7): as Frame.bodies at each frame."""
    results = []
    for number, entry in enumerate(meta["bodies"]):
        if not entry["animated"]:
            place, turn = poses(entry, units.blender_units(bodies[:, number, :3]), bodies[:, number, 3:])
            source = result_object.find(meta, entry)
            source = source if source and source.tendril.is_body else None
            results.append(_show_one(context, source, entry, units.keys(len(place)), place, turn))
    return results


def poses(entry, centre, turn):
    """Location (F, 3) and rotation (F, 4) of an object whose centre of mass is at centre (F, 3), world, turned by
    `turn` (F, 4) since the start.
    """
    start, rotation, _ = Matrix(entry["matrix"]).decompose()
    turned = rotation_matrix(turn)
    place = centre + turned @ (np.array(start) - entry["centre"])
    return place, continuous(quaternion(turned @ np.array(rotation.to_matrix())))


def revert(source):
    """Delete the result of a body, with those of its children, and show them all again as they were."""
    item = result_object.result_of(source)
    for twin in item.children_recursive if item else ():
        child = twin.tendril.source
        if child and result_object.result_of(child) == twin:
            bpy.data.objects.remove(result_object.show_again(child))
    if item:
        bpy.data.objects.remove(result_object.show_again(source))


def _show_one(context, source, entry, keys, place, turn):
    item = result_object.to_change(context, source, revert) if source else None
    scale = list(Matrix(entry["matrix"]).decompose()[2])
    if item:
        look.follow(item, source, scale=scale)
        result_object.show_result(source)
    elif source:
        item = result_object.make(source)
        result_object.make_still(item)
        item.scale = scale
        result_object.hide(source)
        look.remember(item, scale=scale)
    else:
        item = bpy.data.objects.new(f"{entry['name']} Baked", None)
        context.scene.collection.objects.link(item)
    animation.unkey(item, animation.POSE)
    item.rotation_mode = "QUATERNION"
    item.location, item.rotation_quaternion = place[0], Quaternion(turn[0])
    if len(place) > 1:
        animation.write_poses(item, keys, place, turn)
    if source:
        _show_children(source, item)
    return item


def own_children(source):
    """What is parented to a body and has no bake of its own."""
    others = (child.tendril for child in source.children)
    return [
        child for child, own in zip(source.children, others, strict=True)
        if not (own.is_rod or own.is_body or own.is_soft or own.source or own.is_preview)
    ]  # fmt: skip


def _show_children(source, item):
    """Duplicates of what is parented to `source`, parented to `item`; those of an earlier bake stay."""
    for child in own_children(source):
        twin = result_object.result_of(child)
        if twin and result_object.is_deleted(twin):
            twin = bpy.data.objects.remove(result_object.show_again(child))
        if twin:
            look.follow(twin, child, look.OBJECT + look.PLACE)
            result_object.show_result(child)
        else:
            twin = result_object.make(child)
            twin.parent = item
            twin.matrix_parent_inverse = child.matrix_parent_inverse
            result_object.hide(child)
            look.remember(twin, look.OBJECT + look.PLACE)
        _show_children(child, twin)
