"""What surrounds the rods and bodies of a scene."""

from bpy.types import Panel

from ..properties.gravity import STANDARD, forgotten
from .place import Closed, Documented, Sidebar, of_each_kind


class _World(Closed, Documented):
    bl_label = "Surroundings"
    section = "rods"

    def draw(self, context):
        layout, settings = self.layout, context.scene.tendril
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.prop(settings, "contact")
        of_contact = column.column()
        of_contact.active = settings.contact
        of_contact.prop(settings, "treatment")
        of_contact.prop(settings, "push_apart")
        column.prop(settings, "air_density")
        column = layout.column()
        column.prop(settings, "use_floor")
        column = column.column()
        column.active = settings.use_floor
        column.prop(settings, "floor_height")
        column.prop(settings, "floor_friction")


def draw_gravity(layout, scene):
    """What is amiss with gravity, and the button that mends it; nothing where it is as it should be."""
    share = forgotten(scene)
    if share:
        column = layout.column(align=True)
        column.label(text=f"Gravity is {share * STANDARD:.3g} m/s², not {STANDARD}:", icon="ERROR")
        column.label(text=f"Unit Scale is {share:.3g}", icon="BLANK1")
        column.operator("tendril.set_gravity")


class TENDRIL_PT_world(Sidebar, _World, Panel):
    pass


classes = (TENDRIL_PT_world, *of_each_kind("world", _World))
