"""Make objects colliders, and plain objects of them again."""

import bpy

from ..properties.body import body_of, rod_of
from ..properties.choice import chosen_objects
from ..properties.colliders import WITHOUT_TAB, collision_modifier, kind_of
from ..properties.following import modifier_of
from .obstacles import Obstructed, not_object_mode


class TENDRIL_OT_add_collider(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_collider"
    bl_label = "Add Collider"
    bl_description = (
        "Let rods and bodies collide with the selected objects, with an automatic thickness. Meshes get Blender's own "
        "Collision physics; curves, surfaces and texts the settings below"
    )

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or ("" if _new(context) else _why_none(context))

    def execute(self, context):
        for item in _new(context):
            had_one = collision_modifier(item) is not None  # switched off, with its settings
            if item.type == "MESH":
                if not had_one:
                    item.modifiers.new("Collision", "COLLISION")
                item.collision.use = True
            else:
                item.tendril.collider.use = True
            if not had_one:
                item.tendril.collider.automatic = True
        return {"FINISHED"}


class TENDRIL_OT_remove_collider(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_collider"
    bl_label = "Remove Collider"
    bl_description = (
        "Let rods and rigid bodies pass through this object again. Its Collision physics goes, as in the Physics tab"
    )

    @classmethod
    def obstacle(cls, context):
        kind = kind_of(context.object, context.scene) if context.object else ""
        if kind == "PASSIVE":
            return "It is a passive rigid body of Blender's: turn off Passive Rigid Bodies"
        return not_object_mode(context, cls.bl_label) if kind else "Select a collider: Add Collider makes one of a mesh"

    def execute(self, context):
        item = context.object
        if kind_of(item, context.scene) == "COLLISION":
            item.modifiers.remove(collision_modifier(item))
        else:
            item.tendril.collider.use = False
        return {"FINISHED"}


def _new(context):
    """Of the objects chosen, those that can become colliders."""
    return [
        item
        for item in chosen_objects(context)
        if item.type in {"MESH", *WITHOUT_TAB}
        and not (rod_of(item) or body_of(item))
        and kind_of(item, context.scene) in {"", "PASSIVE"}
    ]


def _why_none(context):
    chosen = chosen_objects(context)
    if not chosen:
        return "Nothing is selected: select a mesh"
    item = chosen[0]
    if rod_of(item) or body_of(item):
        what = "follows a cable" if modifier_of(item) else f"is a {'rod' if rod_of(item) else 'rigid body'}"
        return f"'{item.name}' {what}: select something for it to meet"
    if kind_of(item, context.scene):
        return f"'{item.name}' is a collider already: select another object"
    return f"'{item.name}' has no surface: select a mesh, a curve, a surface or a text"


classes = (TENDRIL_OT_add_collider, TENDRIL_OT_remove_collider)
