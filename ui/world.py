"""What surrounds the rods of a scene."""

from bpy.types import Panel

from .place import OfRod, PhysicsTab, Sidebar


class _World:
    bl_label = "Surroundings"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, settings = self.layout, context.scene.tendril
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(settings, "contact")
        column.prop(settings, "air_density")
        column = layout.column()
        column.prop(settings, "use_floor")
        column = column.column()
        column.active = settings.use_floor
        column.prop(settings, "floor_height")
        column.prop(settings, "floor_friction")


class TENDRIL_PT_world(Sidebar, _World, Panel):
    pass


class PHYSICS_PT_tendril_world(PhysicsTab, OfRod, _World, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_PT_world, PHYSICS_PT_tendril_world)
