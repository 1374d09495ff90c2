"""Make rods of curves, and plain curves of rods again."""

import bpy
import numpy as np

from ..bridge import bevel, bundles, copies, curves, doubled, hair, presets, result, rings
from ..bridge.units import Units
from ..properties.body import ROD_TYPES, rod_of
from ..properties.choice import chosen_objects
from ..properties.colliders import collider_objects
from .obstacles import Obstructed, no_active_rod, no_new_curve, not_object_mode
from .one_by_one import each_by_itself
from .preset import own_folder
from .result import show_sources

MATERIAL, HAIR = "polyester_rope", "human_hair"  # of a new rod, and of one of hair
PIECES = (24, 120)  # a new rod has pieces as long as it is thick, but no fewer or more than these
SHARED = 600  # pieces for all splines of a curve, such as hair
FEWEST = 8  # for each of them, or as many as it is drawn with
FINE_PIECES = 16  # pieces, or as many as a rod would get: with these, a polyline keeps its own points
SLENDERNESS = 200.0  # length over radius of a new rod whose curve has no thickness


class TENDRIL_OT_add_rod(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_rod"
    bl_label = "Add Rod"
    bl_description = (
        "Simulate the selected curves, or hair, as elastic rods. Their shape is never changed; a curve without "
        "thickness gets a bevel, so that it can be seen"
    )

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or no_new_curve(chosen_objects(context), "rod", rod_of, ROD_TYPES)

    def execute(self, context):
        return make_rods(self, context, MATERIAL, rod_of, types=ROD_TYPES)


class TENDRIL_OT_remove_rod(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_rod"
    bl_label = "Remove Rod"
    bl_description = "Make this a plain curve again. Its settings, pins and bake go, the curve stays as it is"

    @classmethod
    def obstacle(cls, context):
        return no_active_rod(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        rod = rod_of(context.object)
        result.revert(rod)
        rod.property_unset("tendril")
        return {"FINISHED"}


def make_rods(operator, context, material, is_one, finish=lambda _obj: None, types=("CURVE",)):
    """Make rods of such a material, but hair of its own, of the objects of such types that are chosen and that are
    none, is_one(obj), and finish(obj) each; what is a rod of another kind keeps its own. Returns what the operator
    returns.
    """
    drawn, units = [obj for obj in chosen_objects(context) if obj.type in types], Units.of(context.scene, 0)
    if copied := [obj for obj in drawn if copies.is_copy(obj)]:
        return show_sources(context, [copies.adopt(context, obj) for obj in copied])
    found = presets.find(own_folder())

    def make(obj):
        polylines = curves.read(context, obj)
        if hair.is_hair(obj):
            presets.apply(found[HAIR], obj.tendril)
            _make_hair(obj, polylines, units)
            if (surface := obj.data.surface) and surface not in collider_objects(context.view_layer):
                operator.report({"INFO"}, f"Hair passes through '{surface.name}': select that, and press Add Collider")
        elif not rod_of(obj):
            presets.apply(found[material], obj.tendril)
            if _make_rod(obj, polylines, units):
                operator.report({"INFO"}, bevel.told(context.scene, obj))
            radii = [obj.data.bevel_depth * line.thickness.max() for line in polylines]
            if bundles.side_by_side([line.x for line in polylines], radii):
                obj.tendril.rod.touches = False
                operator.report({"INFO"}, bundles.told(obj.name, len(polylines)))
        finish(obj)
        if number := doubled.count(obj.data):
            operator.report({"INFO"}, doubled.told(obj.name, number))

    return each_by_itself(operator, [obj for obj in drawn if not is_one(obj)], make)


def _make_hair(obj, polylines, units):
    """Make a hair object a rod, each hair as thick as one of the head is, however thick it is drawn; hairs do not touch
    each other, which takes many times as long.
    """
    bevel.give(obj, polylines, presets.usual(presets.find(own_folder())[HAIR])[0], units)
    obj.tendril.rod.points = 0
    obj.tendril.rod.touches = False
    obj.tendril.is_rod = True


def _make_rod(obj, polylines, units):
    """Make a curve a rod; says whether it got a bevel."""
    rod, curve, got_bevel = obj.tendril.rod, obj.data, False
    length = max(np.linalg.norm(np.diff(line.x, axis=0), axis=1).sum() for line in polylines)
    radius = bevel.drawn(curve, polylines)
    if radius == 0.0:
        radius = length / SLENDERNESS
        got_bevel = bevel.give(obj, polylines, radius, units)
    rod.radius = units.blender_units(radius)
    rod.points = _pieces(curve, length / (2.0 * radius))
    obj.tendril.is_rod = True
    return got_bevel


def _pieces(curve, slenderness):
    """How many pieces each spline of a new rod gets, its longest being so many times as long as thick; 0: as drawn."""
    own = [len(rings.points(spline)) - (not spline.use_cyclic_u) for spline in curve.splines]
    share = max(SHARED // len(own), FEWEST, *own)
    count = min(round(np.clip(slenderness, *PIECES)), share)
    as_drawn = all(spline.type == "POLY" for spline in curve.splines) and min(own) >= min(count, FINE_PIECES)
    return 0 if as_drawn else count


classes = (TENDRIL_OT_add_rod, TENDRIL_OT_remove_rod)
