"""Where panels appear."""

from ..properties.body import body_of, rod_of


class Sidebar:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Tendril"


class PhysicsTab:
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "physics"


class OfRod:
    """Shows only while a rod, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return rod_of(context.object) is not None


class OfBody:
    """Shows only while a rigid body, or the bake of one, is active."""

    @classmethod
    def poll(cls, context):
        return body_of(context.object) is not None
