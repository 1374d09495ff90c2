"""Rods and bodies many times side by side, each time with what they are tied to: a curtain of beads, swings."""

import bpy
import numpy as np
from bpy.props import BoolProperty, FloatVectorProperty, IntProperty
from mathutils import Matrix, Vector

from ..bridge.copies import move
from ..properties.body import body_of, is_edited, rod_of, soft_of, thing_of
from ..properties.choice import chosen_objects
from ..properties.following import followed
from .obstacles import Obstructed, not_object_mode
from .result import select

BESIDE = 1.25  # times as far apart along X as all of it is wide
MOST = 1000  # objects: 300 times two take 11 s, 800 times two a minute and a half


class TENDRIL_OT_array(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.array"
    bl_label = "Array"
    bl_description = (
        "Duplicate the selected rods and bodies side by side, each time with the empties and bodies that they are tied "
        "to and all that those hold. What stands still or is animated, as a beam does, holds all of them"
    )

    count: IntProperty(name="Count", default=5, min=2, max=1000, soft_max=50, description="How many there are in all")
    offset: FloatVectorProperty(
        name="Offset", subtype="TRANSLATION", description="From each to the next; 0: beside it, along X"
    )
    with_tied: BoolProperty(
        name="Tied Things", default=True, description="Take along what they are tied to; off: it holds all of them"
    )

    @classmethod
    def obstacle(cls, context):
        chosen = _chosen(context)
        if not chosen:
            return "No rod and no body is selected: select some"
        tied = [target for item in chosen for target in _targets(item) if _goes_along(target)]
        shown = next((item for item in (*chosen, *tied) if item.tendril.result and not is_edited(item)), None)
        if shown:
            return f"'{shown.name}' shows its bake: press Edit Source, or Revert, before Array"
        return not_object_mode(context, cls.bl_label)

    def execute(self, context):
        things, active = taken_along(context, _chosen(context), self.with_tied), context.object
        if not np.all(np.isfinite(self.offset)):
            self.report({"ERROR"}, "The Offset is not a number: set it to one, or to 0")
            return {"CANCELLED"}
        if len(things) * self.count > MOST:
            text = f"{self.count} of {len(things)} objects are more than {MOST}: lower the Count"
            self.report({"ERROR"}, text)
            return {"CANCELLED"}
        offset = Vector(self.offset) if any(self.offset) else Vector((BESIDE * _width(things), 0.0, 0.0))
        select(context, things)
        found = dict.fromkeys(things)
        for _ in range(self.count - 1):
            bpy.ops.object.duplicate(linked=False)
            copies = list(context.selected_objects)
            for item in copies:
                if item.parent not in copies:
                    move(context, item, item, Matrix.Translation(offset))
            found.update(dict.fromkeys(copies))
        select(context, list(found))
        context.view_layer.objects.active = active
        left = [target.name for item in things for target in _targets(item) if _left_out(target, found)]
        holds = f"; '{left[0]}', hidden or not to be selected, holds all" if left and self.with_tied else ""
        self.report({"INFO"}, f"{self.count} times {len(things)} object{'s' * (len(things) > 1)}{holds}")
        return {"FINISHED"}


def taken_along(context, chosen, with_tied=True):
    """What goes with rods and bodies: their children, meshes that follow them and, with_tied, the empties and moving
    bodies that they are tied to, and what else is tied to those.
    """
    found = dict.fromkeys(chosen)
    rods = [item for item in context.view_layer.objects if item.tendril.is_rod]
    softs = [item for item in context.view_layer.objects if item.tendril.is_soft]
    carried = [(item, rod_of(item)) for item in context.view_layer.objects if followed(item)]
    before = 0
    while len(found) > before:
        before = len(found)
        for item in list(found):
            found.update(dict.fromkeys(child for child in item.children_recursive if child.visible_get()))
            if with_tied:
                found.update(dict.fromkeys(target for target in _targets(item) if _goes_along(target)))
        if with_tied:
            bodies = [item for item in found if item.tendril.is_body]
            found.update(dict.fromkeys(own for own in (*rods, *softs) if not {*_targets(own)}.isdisjoint(bodies)))
        found.update(dict.fromkeys(item for item, rod in carried if rod in found))
    return [item for item in found if item.visible_get() and not item.hide_select]


def _targets(item):
    pins = item.tendril.soft.pins if item.tendril.is_soft else item.tendril.pins
    return [pin.target for pin in pins if pin.target]


def _goes_along(target):
    """Whether it is no more than what holds, or moves by itself."""
    own = target.tendril
    return own.is_rod or own.is_soft or (own.is_body and own.body.motion != "ANIMATED") or target.type == "EMPTY"


def _left_out(target, found):
    return _goes_along(target) and target not in found


def _chosen(context):
    sources = (thing_of(item) for item in chosen_objects(context))
    return list(dict.fromkeys(item for item in sources if rod_of(item) or body_of(item) or soft_of(item)))


def _width(things):
    """Along X [Blender units] of all of them."""
    corners = [np.array(item.matrix_world @ Vector(corner)) for item in things for corner in item.bound_box]
    return float(np.ptp([corner[0] for corner in corners])) or 1.0


classes = (TENDRIL_OT_array,)
