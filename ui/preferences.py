"""What Edit › Preferences › Add-ons shows of Tendril."""

from bpy.types import AddonPreferences


class TendrilPreferences(AddonPreferences):
    bl_idname = __package__.rpartition(".")[0]

    def draw(self, _context):
        row = self.layout.row()
        row.label(text="3D Viewport: press N, tab Tendril", icon="INFO")
        row.operator("tendril.manual", icon="HELP")


classes = (TendrilPreferences,)
