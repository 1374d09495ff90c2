"""Make rods of curves, and plain curves of rods again."""

import bpy
import numpy as np

from ..bridge import curves, result
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import rod_of
from .obstacles import Obstructed, no_active_rod, not_object_mode

PIECES = (24, 120)  # a new rod of a smooth curve has pieces as long as it is thick, but no fewer or more than these
SLENDERNESS = 200.0  # length over radius of a new rod whose curve has no thickness


class TENDRIL_OT_add_rod(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_rod"
    bl_label = "Add Rod"
    bl_description = "Simulate the selected curves as elastic rods. The curves themselves are never changed"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or (
            "" if _chosen(context) else "Nothing is selected: select a curve"
        )

    def execute(self, context):
        chosen, units = _chosen(context), Units.of(context.scene, 0)
        new = [obj for obj in chosen if obj.type == "CURVE" and not rod_of(obj)] or [_refused(chosen)]
        try:
            drawn = [curves.read(context, obj) for obj in new]
        except SceneError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for obj, polylines in zip(new, drawn, strict=True):
            _make_rod(obj, polylines, units)
        return {"FINISHED"}


class TENDRIL_OT_remove_rod(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_rod"
    bl_label = "Remove Rod"
    bl_description = "Make this a plain curve again. Its settings, pins and bake go, the curve stays as it is"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        return no_active_rod(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        rod = rod_of(context.object)
        result.revert(rod)
        rod.property_unset("tendril")
        return {"FINISHED"}


def _chosen(context):
    return context.selected_objects or [obj for obj in [context.object] if obj]


def _refused(chosen):
    """Of objects none of which can become a rod, the one to tell about: a curve if there is one."""
    return next((obj for obj in chosen if obj.type == "CURVE"), chosen[0])


def _make_rod(obj, polylines, units):
    rod, curve = obj.tendril.rod, obj.data
    length = max(np.linalg.norm(np.diff(line.x, axis=0), axis=1).sum() for line in polylines)
    radius = max(line.thickness.max() for line in polylines) * curve.bevel_depth
    if radius == 0.0 or curve.taper_object or (curve.bevel_mode == "OBJECT" and curve.bevel_object):
        radius = length / SLENDERNESS
        rod.use_radius, rod.radius = True, units.blender_units(radius)
    if any(spline.type != "POLY" for spline in curve.splines):
        rod.points = round(np.clip(length / (2.0 * radius), *PIECES))
    obj.tendril.is_rod = True


classes = (TENDRIL_OT_add_rod, TENDRIL_OT_remove_rod)
