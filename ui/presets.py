"""The presets in the header of the rod panel."""

import bpy
from bl_ui.utils import PresetPanel


class TENDRIL_PT_presets(PresetPanel, bpy.types.Panel):
    bl_label = "Rod Presets"

    def draw(self, context):
        layout, manager = self.layout, context.window_manager
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        layout.column(align=True).operator_enum("tendril.apply_preset", "preset")
        layout.separator()
        ask = layout.row()
        ask.operator_context = "INVOKE_DEFAULT"
        ask.operator_menu_enum("tendril.remove_preset", "preset", text="Remove")
        row = layout.row()
        name = row.row()
        name.emboss = "NORMAL"
        name.prop(manager, "preset_name", text="")
        row.operator("tendril.save_preset", text="", icon="ADD").name = manager.preset_name


classes = (TENDRIL_PT_presets,)
