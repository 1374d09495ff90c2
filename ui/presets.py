"""The presets in the header of the panels of rods and soft bodies."""

import bpy
from bl_ui.utils import PresetPanel


class _Presets(PresetPanel):
    """kind: what the operators for them end with."""

    def draw(self, context):
        layout, manager = self.layout, context.window_manager
        layout.emboss = "PULLDOWN_MENU"
        layout.operator_context = "EXEC_DEFAULT"
        layout.column(align=True).operator_enum(f"tendril.apply_{self.kind}", "preset")
        layout.separator()
        ask = layout.row()
        ask.operator_context = "INVOKE_DEFAULT"
        ask.operator_menu_enum(f"tendril.remove_{self.kind}", "preset", text="Remove")
        row = layout.row()
        name = row.row()
        name.emboss = "NORMAL"
        name.prop(manager, "preset_name", text="")
        row.operator(f"tendril.save_{self.kind}", text="", icon="ADD").name = manager.preset_name


class TENDRIL_PT_presets(_Presets, bpy.types.Panel):
    bl_label = "Rod Presets"
    kind = "preset"


class TENDRIL_PT_soft_presets(_Presets, bpy.types.Panel):
    bl_label = "Soft Body Presets"
    kind = "soft_preset"


classes = (TENDRIL_PT_presets, TENDRIL_PT_soft_presets)
