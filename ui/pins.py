"""Where a rod is held, and by what."""

from bpy.types import Menu, UIList

from ..properties.body import body_with, is_cable, rod_of
from ..properties.choice import chosen_rods, no_holder, no_place
from ..properties.own_motion import moves_itself
from .place import Documented, Foremost, OfRod, in_both

ICONS = {"OBJECT": "OBJECT_DATA", "BONE": "BONE_DATA", "EMPTY": "EMPTY_AXIS", "OWN": "ANIM"}


class TENDRIL_UL_pins(UIList):
    def draw_item(self, _context, layout, _data, pin, _icon, _active_data, _active_name, _index):
        layout.prop(pin, "name", text="", emboss=False, icon="LINKED" if body_with(pin.target) else "PINNED")
        held_by = pin.target.name if pin.target else "own animation" if moves_itself(pin.id_data) else "nothing"
        layout.label(text=f"{held_by} › {pin.bone}" if pin.bone else held_by)


class TENDRIL_MT_add_pin(Menu):
    """One column for each kind of holder; what is off says why in its tooltip."""

    bl_label = "Add Pin"

    def draw(self, context):
        rods, row = chosen_rods(context), self.layout.row()
        several = any(len(rod.data.splines) > 1 for rod in rods if rod.type == "CURVE")
        for holder, title in (
            ("OBJECT", "Selected Object"),
            ("BONE", "Active Bone"),
            ("EMPTY", "New Empty"),
            ("OWN", "Own Animation"),
        ):
            column = row.column()
            column.label(text=f"To {title}", icon=ICONS[holder])
            column.separator()
            for place, text in (
                ("ENDS", "Both Ends"),
                ("START", "Start (Roots)" if several else "Start"),
                ("END", "End (Tips)" if several else "End"),
                ("FRACTION", "Along Length"),
                ("SELECTION", "Selected Points"),
            ):
                draw_entry(column, place, holder, text, no_holder(context, holder) or no_place(rods, place))
            if holder == "OBJECT":
                draw_entry(column, "HOOKS", holder, "Hooked Points", no_place(rods, "HOOKS"))
                column.operator("tendril.tie", text="Nearest Point, to a Rigid Body")


def draw_entry(layout, place, holder, text, obstacle):
    row = layout.row()
    row.enabled = not obstacle
    button = row.operator("tendril.add_pin", text=text)
    button.place, button.holder = place, holder


class _Pins(Foremost, Documented, OfRod):
    bl_label = "Pins"
    section = "pins"

    def draw(self, context):
        layout, rod = self.layout, rod_of(context.object)
        settings = rod.tendril
        if rod.type == "CURVES":
            held_by = rod.data.surface or rod
            layout.label(text=f"Roots are held by {held_by.name}", icon="PINNED")
        row = layout.row()
        row.template_list("TENDRIL_UL_pins", "", settings, "pins", settings, "active_pin", rows=2)
        column = row.column(align=True)
        column.menu("TENDRIL_MT_add_pin", text="", icon="ADD")
        column.operator("tendril.remove_pin", text="", icon="REMOVE")
        if settings.active_pin < len(settings.pins):
            draw_pin(layout, settings.pins[settings.active_pin])


def draw_pin(layout, pin):
    layout.use_property_split = True
    column = layout.column()
    column.prop(pin, "target")
    if pin.target and pin.target.type == "ARMATURE":
        column.prop_search(pin, "bone", pin.target.data, "bones")
    cable = is_cable(pin.id_data)
    if cable:
        held = column.row(align=True)
        held.use_property_split = False  # which would make a label of the first
        for mode in ("POSITION", "TWIST"):  # a cable is not held by its direction alone
            held.prop_enum(pin, "mode", mode)
    elif not (pin.winch or pin.slides):
        column.prop(pin, "mode")
    if cable:
        column.prop(pin, "slides")
    else:
        runs = column.row(align=True)  # a pin is one of them, or neither
        runs.use_property_split = False  # which would give each a row's left half
        if not pin.winch:
            runs.prop(pin, "slides", toggle=True)
        if pin.winch or not pin.slides:
            runs.prop(pin, "winch", toggle=True)
    column = layout.column()
    column.prop(pin, "fraction")
    if pin.id_data.type == "CURVES" or len(pin.id_data.data.splines) > 1 or pin.spline:
        column.prop(pin, "spline")
    column = layout.column()
    if pin.winch and not cable:
        column.prop(pin, "paid_out")
        return
    if body := body_with(pin.target):
        column.label(text=f"Tied to rigid body {body.name}", icon="LINKED")
        if pin.influence == 1.0:
            return
    elif (cable or pin.slides) and pin.influence == 1.0:
        return
    else:
        column.prop(pin, "max_force")
    column.prop(pin, "influence")  # the one setting that can be keyed; room for that is kept beside all


classes = (TENDRIL_UL_pins, TENDRIL_MT_add_pin, *in_both("pins", _Pins))
