"""Centre lines of rods and cables to a file that programs for construction read, and from one."""

import bpy
from bpy.props import FloatProperty, StringProperty
from bpy_extras.io_utils import ExportHelper, ImportHelper

from ..bridge import centre_lines
from ..bridge.homes import link_here
from ..properties.choice import chosen_rods
from .obstacles import Obstructed, not_object_mode
from .refusal import refuses
from .result import select


class TENDRIL_OT_export_centre_lines(Obstructed, ExportHelper, bpy.types.Operator):
    bl_idname = "tendril.export_centre_lines"
    bl_label = "Export Centre Lines"
    bl_description = (
        "Write the points of the selected rods and cables, as they are drawn now, with their directions and radii in "
        "metres, to a table (.csv) or a drawing (.dxf)"
    )
    bl_options = set()  # it changes nothing here

    filename_ext: StringProperty(default=".csv", options={"HIDDEN", "SKIP_SAVE"})
    filter_glob: StringProperty(default="*.csv;*.dxf", options={"HIDDEN"})

    @classmethod
    def obstacle(cls, context):
        few = "" if chosen_rods(context) else "Select the rods or cables whose centre lines are to be written"
        return few or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        count = centre_lines.write(context, chosen_rods(context), self.filepath)
        self.report({"INFO"}, f"{count} centre line{'s' if count > 1 else ''} in '{self.filepath}'")
        return {"FINISHED"}


class TENDRIL_OT_import_centre_lines(Obstructed, ImportHelper, bpy.types.Operator):
    bl_idname = "tendril.import_centre_lines"
    bl_label = "Import Centre Lines"
    bl_description = (
        "Make a curve of a table of points with radii in metres (.csv), or of the lines of a drawing (.dxf), a spline "
        "for each line in it"
    )

    filter_glob: StringProperty(default="*.csv;*.dxf", options={"HIDDEN"})
    radius: FloatProperty(
        name="Radius", default=0.005, min=1e-6, soft_max=1.0, subtype="DISTANCE", unit="LENGTH",
        description="How thick lines of a drawing become of which it does not say that",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        item = centre_lines.read(context.scene, self.filepath, self.radius)
        link_here(context, item)
        select(context, [item])
        return {"FINISHED"}


classes = (TENDRIL_OT_export_centre_lines, TENDRIL_OT_import_centre_lines)
