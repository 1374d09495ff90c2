"""Make rigid bodies of meshes, plain meshes of them again, and tie rods to them."""

import bpy
from bpy.props import EnumProperty

from ..bridge import bodies, body_result, copies, curves, places
from ..bridge.units import Units
from ..properties.body import HOLDS, body_of, rod_of, soft_of
from ..properties.choice import chosen_objects
from . import pins
from .obstacles import Obstructed, no_active_body, no_new_mesh, not_object_mode
from .one_by_one import each_by_itself
from .refusal import refuses
from .result import show_sources

WIDE = 0.02  # of a rod's length: a gap to the body it is tied to that may not be meant


class TENDRIL_OT_add_body(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_body"
    bl_label = "Add Rigid Body"
    bl_description = (
        "Let the selected meshes take part as rigid bodies, to which rods can be tied. The meshes themselves are never "
        "changed"
    )

    @classmethod
    def obstacle(cls, context):
        possible = _copied(context) or _new(context)
        return not_object_mode(context, cls.bl_label) or ("" if possible else _why_none(context))

    def execute(self, context):
        if copied := _copied(context):
            return show_sources(context, [copies.adopt(context, item) for item in copied])

        def make(item):
            bodies.check_object(item)
            settings = bodies.fitting_settings(context, item)
            item.tendril.is_body = True
            for name, value in settings.items():
                setattr(item.tendril.body, name, value)
            if settings["shape"] != "MESH":
                what = "encloses no volume" if settings["collide"] else "is flat and passes through everything"
                self.report({"INFO"}, f"The mesh of '{item.name}' {what}: its mass is spread over a box")

        return each_by_itself(self, _new(context), make)


class TENDRIL_OT_remove_body(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_body"
    bl_label = "Remove Rigid Body"
    bl_description = (
        "Make this a plain object again. Its settings and bake go; rods tied to it are pinned to it instead"
    )

    @classmethod
    def obstacle(cls, context):
        return no_active_body(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        body = body_of(context.object)
        body_result.revert(body)
        body.property_unset("tendril")
        context.view_layer.objects.active = body
        body.select_set(True)
        return {"FINISHED"}


class TENDRIL_OT_tie(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.tie"
    bl_label = "Tie to Body"
    bl_description = (
        "Tie the selected rods to the active rigid body where they are nearest to it: at an end or along their length. "
        "They keep the distance they have at the first frame. Of several bodies, as beads, each to the nearest rod"
    )

    mode: EnumProperty(name="Hold", items=HOLDS, default="TWIST", description="What of the rods the body holds")

    @classmethod
    def obstacle(cls, context):
        rods, some = _rods_and_bodies(context)
        if not rods:
            return "Select the rods to tie, then the rigid body with Shift"
        if not some:
            return "Select a rigid body besides the rods: Add Rigid Body makes one of a mesh"
        return not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        rods, some = _rods_and_bodies(context)
        drawn, units, found = {rod: curves.read_simulated(context, rod) for rod in rods}, Units.of(context.scene, 0), []
        for body in some:
            with bodies.distance_to(context, body) as distance:
                own = [(rod, body, *places.nearest(*read, distance, units)) for rod, read in drawn.items()]
            found += own if len(some) == 1 else [min(own, key=lambda tied: tied[3][0])]
        for rod in rods:
            pins.check_apart(rod, [place for tied, _, place, _ in found if tied == rod])
        for rod, body, place, gap in found:
            pins.add(rod, place, body, "", self.mode)
            self._tell(context, rod, body, gap)
        return {"FINISHED"}

    def _tell(self, context, rod, body, gap):
        """gap: (distance [m], the same of the rod's length)."""
        if gap[1] > WIDE:
            length = Units.of(context.scene, 0).blender_units(gap[0])
            self.report(
                {"WARNING"},
                f"'{rod.name}' is tied to '{body.name}' across a gap of {length:.3g} units, as by a rigid arm: "
                "move one to the other and tie again if that is not meant",
            )


def _copied(context):
    return [item for item in chosen_objects(context) if item.type == "MESH" and copies.is_copy(item)]


def _new(context):
    """Of the objects chosen, those that can become rigid bodies."""
    taken = (body_of, soft_of, rod_of)  # by which it takes part already
    return [item for item in chosen_objects(context) if item.type == "MESH" and not any(of(item) for of in taken)]


def _why_none(context):
    return no_new_mesh(chosen_objects(context), {"rigid body": body_of, "soft body": soft_of})


def _rods_and_bodies(context):
    """(the selected rods, the active rigid body or else all that are selected)."""
    chosen = [item for item in [context.object, *context.selected_objects] if item]
    rods = list(dict.fromkeys(rod for item in chosen if (rod := rod_of(item))))
    active = body_of(context.object)
    return rods, [active] if active else list(dict.fromkeys(body for item in chosen if (body := body_of(item))))


classes = (TENDRIL_OT_add_body, TENDRIL_OT_remove_body, TENDRIL_OT_tie)
