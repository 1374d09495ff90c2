"""What Edit › Preferences › Add-ons shows of Tendril."""

from bpy.props import BoolProperty
from bpy.types import AddonPreferences


class TendrilPreferences(AddonPreferences):
    bl_idname = __package__.rpartition(".")[0]

    compile_ahead: BoolProperty(
        name="Compile in the Background",
        description=(
            "After installing or updating, compile the physics that the scene needs while you work, with low priority. "
            "Else the first bake waits for that"
        ),
        default=True,
    )

    def draw(self, context):
        row = self.layout.row()
        row.label(text="3D Viewport: press N, tab Tendril", icon="INFO")
        row.operator("tendril.manual", icon="HELP")
        row = self.layout.row()
        row.prop(self, "compile_ahead")
        row.label(text=context.window_manager.tendril.ahead)


classes = (TendrilPreferences,)
