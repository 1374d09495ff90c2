"""Make soft bodies and sheets of meshes, plain meshes of them again, and hold vertex groups of them."""

import bpy
from bpy.props import BoolProperty, EnumProperty
from mathutils import Vector

from ..bridge import pin_keys, presets, sheets, soft_facets, soft_result, soft_volume, tetrahedra_wires
from ..bridge.soft_resolution import fit_resolution
from ..physics.validate import SceneError
from ..properties.body import body_of, rod_of, sheet_of, soft_of, solid_of
from ..properties.choice import active_bone, chosen_objects, no_soft_holder, soft_holders, soft_no_holder
from ..properties.colliders import collider_objects
from .obstacles import Obstructed, no_active_soft, no_active_solid, no_new_mesh, not_object_mode
from .one_by_one import each_by_itself
from .refusal import refuses
from .soft_preset import find

MATERIAL, SHEET_MATERIAL = "silicone", "rubber_mat"
FLAT_PLATE = 1.2  # drag of a square plate across the flow (Hoerner, Fluid-Dynamic Drag, 1965, ch. 3)


class _Adds(Obstructed):
    """make(context, item) makes one of a mesh; raises SceneError or PresetError, nothing changed."""

    floor: BoolProperty(
        name="Floor", description="Turn on the floor of the scene, where it is, or below what is lower", options=set()
    )

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or ("" if _new(context) else cls.why_none(context))

    def execute(self, context):
        items = _new(context)
        done = each_by_itself(self, items, lambda item: self.make(context, item))
        scene = context.scene.tendril
        if done == {"FINISHED"} and self.floor:
            lowest = min((item.matrix_world @ Vector(corner)).z for item in items for corner in item.bound_box)
            scene.use_floor, scene.floor_height = True, min(scene.floor_height, lowest)
        elif done == {"FINISHED"} and not (scene.use_floor or any(collider_objects(context.view_layer))):
            self.report({"INFO"}, "Nothing is below: turn on Floor, in Shape, or pin a vertex group")
        return done


class TENDRIL_OT_add_soft(_Adds, bpy.types.Operator):
    bl_idname = "tendril.add_soft"
    bl_label = "Add Soft Body"
    bl_description = (
        "Simulate the selected meshes as soft bodies, filled with rubber, foam or jelly. The meshes themselves are "
        "never changed"
    )

    @staticmethod
    def why_none(context):
        kinds = {"soft body": solid_of, "sheet": sheet_of, "rigid body": body_of}
        return no_new_mesh(chosen_objects(context), kinds)

    def make(self, context, item):
        soft_volume.check_fit(context, item)
        make_soft([item])
        try:
            told = fit_resolution(context, item), soft_facets.coarse(context, item)
        except SceneError:
            item.property_unset("tendril")
            raise
        for text in filter(None, told):
            self.report({"INFO"}, text)


class TENDRIL_OT_add_sheet(_Adds, bpy.types.Operator):
    bl_idname = "tendril.add_sheet"
    bl_label = "Add Sheet"
    bl_description = (
        "Simulate the faces of the selected meshes as thin plates that bend: paper, sheet steel, leather, rubber, "
        "carpet. The meshes themselves are never changed"
    )

    @staticmethod
    def why_none(context):
        kinds = {"sheet": sheet_of, "soft body": solid_of, "rigid body": body_of}
        return no_new_mesh(chosen_objects(context), kinds)

    def make(self, context, item):
        material = find(sheets=True)[SHEET_MATERIAL]
        settings = item.tendril.soft
        item.tendril.is_soft = settings.is_sheet = True
        settings.drag_coefficient = FLAT_PLATE
        try:
            presets.apply_soft(material, settings)
            text = sheets.fit(context, item)
        except (SceneError, presets.PresetError):
            item.property_unset("tendril")
            raise
        if text:
            self.report({"INFO"}, text)


class TENDRIL_OT_remove_soft(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_soft"
    bl_label = "Remove Soft Body or Sheet"
    bl_description = "Make this a plain mesh again. Its settings and bake go"

    @classmethod
    def obstacle(cls, context):
        return no_active_soft(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        soft = soft_of(context.object)
        soft_result.revert(soft)
        tetrahedra_wires.hide(soft)
        soft_facets.restore(soft)
        soft.property_unset("tendril")
        context.view_layer.objects.active = soft
        soft.select_set(True)
        return {"FINISHED"}


class TENDRIL_OT_subdivide_soft(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.subdivide_soft"
    bl_label = "Subdivide"
    bl_description = (
        "Give the mesh points between which it can bend, as fine as its tetrahedra, by a simple Subdivision Surface "
        "modifier, which changes nothing else. Pressed again, or with Revert, that goes"
    )

    @classmethod
    def obstacle(cls, context):
        return no_active_solid(context) or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        soft = soft_of(context.object)
        if soft_facets.restore(soft):
            return {"FINISHED"}
        done = soft_facets.subdivide(context, soft)
        if not done:
            self.report({"INFO"}, f"The edges of '{soft.name}' are as short as the cubes of its tetrahedra already")
        return {"FINISHED"} if done else {"CANCELLED"}


class TENDRIL_OT_add_soft_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_soft_pin"
    bl_label = "Pin Vertex Group"
    bl_description = "Hold the active vertex group of the soft body, which follows with the offset of the first frame"

    holder: EnumProperty(
        name="Hold With",
        items=(
            ("OBJECT", "Selected Object", "Another selected object; without one the soft body's own animation"),
            ("BONE", "Active Bone", "The active bone of another selected object, an armature"),
            ("OWN", "Own Animation", "Where the soft body's own object, its modifiers and its shape keys take it"),
        ),
    )

    @classmethod
    def description(cls, context, settings):
        """The tooltip, which also says why an entry of the menu is off."""
        reason = no_soft_holder(context, settings.holder)
        return f"{cls.bl_description}.\nOff: {reason}" if reason else cls.bl_description

    @classmethod
    def obstacle(cls, context):
        if no_active_soft(context):
            return no_active_soft(context)
        groups = soft_of(context.object).vertex_groups
        return "" if groups else "This mesh has no vertex groups: assign the vertices to hold to one in edit mode"

    def execute(self, context):
        soft = soft_of(context.object)
        settings, group = soft.tendril.soft, soft.vertex_groups.active
        others = soft_holders(context) if self.holder != "OWN" else []
        reason = {"OBJECT": soft_no_holder(context), "BONE": no_soft_holder(context, "BONE")}.get(self.holder)
        if reason:
            self.report({"ERROR"}, f"{reason}.")
            return {"CANCELLED"}
        if self.holder == "BONE":
            others = [item for item in others if active_bone(item)]
        pin = settings.pins.add()
        pin.use_weights = True
        pin.name = pin.group = group.name
        if others:
            pin.target = others[0]
        if self.holder == "BONE":
            pin.bone = active_bone(others[0])
        settings.active_pin = len(settings.pins) - 1
        return {"FINISHED"}


class TENDRIL_OT_remove_soft_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_soft_pin"
    bl_label = "Remove Pin"
    bl_description = "Let go of the vertex group of the active pin"

    @classmethod
    def obstacle(cls, context):
        soft = soft_of(context.object)
        return no_active_soft(context) or ("" if soft.tendril.soft.pins else f"'{soft.name}' has no pins")

    def execute(self, context):
        soft = soft_of(context.object)
        settings = soft.tendril.soft
        pin_keys.remove(soft, "tendril.soft.pins", min(settings.active_pin, len(settings.pins) - 1))
        settings.active_pin = max(0, min(settings.active_pin, len(settings.pins) - 1))
        return {"FINISHED"}


def make_soft(items):
    """Make soft bodies of mesh objects, of the material and elements that new ones have. Raises PresetError, nothing
    changed.
    """
    material = find()[MATERIAL]
    for item in items:
        item.tendril.is_soft = True
        item.tendril.soft.elements = "SMOOTHED"
        presets.apply_soft(material, item.tendril.soft)


def _new(context):
    """Of the objects chosen, those that can become soft bodies."""
    taken = (body_of, soft_of, rod_of)  # by which it takes part already
    return [item for item in chosen_objects(context) if item.type == "MESH" and not any(of(item) for of in taken)]


classes = (
    TENDRIL_OT_add_soft, TENDRIL_OT_add_sheet, TENDRIL_OT_remove_soft, TENDRIL_OT_subdivide_soft,
    TENDRIL_OT_add_soft_pin, TENDRIL_OT_remove_soft_pin,
)  # fmt: skip
