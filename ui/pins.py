"""Where a rod is held, and by what."""

from bpy.types import Menu, Panel, UIList

from ..properties.body import body_with, rod_of
from .place import OfRod, PhysicsTab, Sidebar


class TENDRIL_UL_pins(UIList):
    def draw_item(self, _context, layout, _data, pin, _icon, _active_data, _active_name, _index):
        layout.prop(pin, "name", text="", emboss=False, icon="LINKED" if body_with(pin.target) else "PINNED")
        held_by = pin.target.name if pin.target else "nothing"
        layout.label(text=f"{held_by} › {pin.bone}" if pin.bone else held_by)


class TENDRIL_MT_add_pin(Menu):
    bl_label = "Add Pin"

    def draw(self, _context):
        for place, holder, text in (
            ("ENDS", "OBJECT", "Ends to Selected Object"),
            ("ENDS", "BONE", "Ends to Active Bone"),
            ("ENDS", "EMPTY", "Ends to New Empties"),
            (None, None, None),
            ("FRACTION", "OBJECT", "Along Length to Selected Object"),
            ("FRACTION", "BONE", "Along Length to Active Bone"),
            ("FRACTION", "EMPTY", "Along Length to New Empty"),
            (None, None, None),
            ("SELECTION", "OBJECT", "Selected Points to Selected Object"),
            ("SELECTION", "BONE", "Selected Points to Active Bone"),
            ("SELECTION", "EMPTY", "Selected Points to New Empties"),
            (None, None, None),
            ("HOOKS", "OBJECT", "Hooked Points to Objects of Hooks"),
        ):
            if place is None:
                self.layout.separator()
                continue
            button = self.layout.operator("tendril.add_pin", text=text)
            button.place, button.holder = place, holder


class _Pins(OfRod):
    bl_label = "Pins"

    def draw(self, context):
        layout, settings = self.layout, rod_of(context.object).tendril
        row = layout.row()
        row.template_list("TENDRIL_UL_pins", "", settings, "pins", settings, "active_pin", rows=3)
        column = row.column(align=True)
        column.menu("TENDRIL_MT_add_pin", text="", icon="ADD")
        column.operator("tendril.remove_pin", text="", icon="REMOVE")
        if settings.active_pin < len(settings.pins):
            draw_pin(layout, settings.pins[settings.active_pin])


def draw_pin(layout, pin):
    layout.use_property_split = True
    layout.use_property_decorate = False
    column = layout.column()
    column.prop(pin, "target")
    if pin.target and pin.target.type == "ARMATURE":
        column.prop_search(pin, "bone", pin.target.data, "bones")
    column.prop(pin, "mode")
    column = layout.column()
    column.prop(pin, "fraction")
    column.prop(pin, "spline")
    column = layout.column()
    if body := body_with(pin.target):
        column.label(text=f"Tied to rigid body {body.name}", icon="LINKED")
        if pin.influence == 1.0:
            return
    else:
        column.prop(pin, "max_force")
    influence = column.row()
    influence.use_property_decorate = True  # the one setting that can be keyed
    influence.prop(pin, "influence")


class TENDRIL_PT_pins(Sidebar, _Pins, Panel):
    pass


class PHYSICS_PT_tendril_pins(PhysicsTab, _Pins, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_UL_pins, TENDRIL_MT_add_pin, TENDRIL_PT_pins, PHYSICS_PT_tendril_pins)
