"""Meshes that come as tetrahedra, from a file, and the tetrahedra of any soft body, as wires to look at."""

import bpy
from bpy.props import StringProperty
from bpy_extras.io_utils import ImportHelper

from ..bridge import own_tetrahedra, presets, tetrahedra_file, tetrahedra_wires
from ..bridge.homes import link_here
from ..bridge.soft_fit import misfits
from ..bridge.soft_volume import filling_now
from ..properties.body import soft_of
from .obstacles import Obstructed, no_active_solid, not_object_mode
from .refusal import refuses
from .result import select
from .soft_body import make_soft


class TENDRIL_OT_import_tetrahedra(Obstructed, ImportHelper, bpy.types.Operator):
    bl_idname = "tendril.import_tetrahedra"
    bl_label = "Import Tetrahedra"
    bl_description = "Make a soft body of a mesh of tetrahedra in a file, of Gmsh (.msh) or VTK (.vtk, .vtu), as it is"

    filter_glob: StringProperty(default="*.msh;*.vtk;*.vtu", options={"HIDDEN"})

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        name = bpy.path.display_name_from_filepath(self.filepath)
        x, tetrahedra = tetrahedra_file.read(self.filepath)
        item = bpy.data.objects.new(name, own_tetrahedra.make_mesh(name, x, tetrahedra))
        try:
            make_soft([item])
        except presets.PresetError as error:
            bpy.data.meshes.remove(item.data)  # and the object with it
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        link_here(context, item)
        select(context, [item])
        good, text = tetrahedra_file.report(x, tetrahedra)
        self.report({"INFO" if good else "WARNING"}, f"'{item.name}': {text}")
        return {"FINISHED"}


class TENDRIL_OT_show_tetrahedra(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.show_tetrahedra"
    bl_label = "Show Tetrahedra"
    bl_description = "Draw the tetrahedra of this soft body as wires, which no render shows; pressed again, remove them"

    @classmethod
    def obstacle(cls, context):
        return no_active_solid(context) or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        soft = soft_of(context.object)
        if tetrahedra_wires.hide(soft):
            return {"FINISHED"}
        inside = filling_now(context, soft)
        tetrahedra_wires.show(soft, inside.nodes, inside.tetrahedra)
        good, text = tetrahedra_file.report(inside.nodes, inside.tetrahedra)
        self.report({"INFO" if good else "WARNING"}, f"'{soft.name}': {text}")
        for text in misfits(soft.name, inside):
            self.report({"WARNING"}, text)
        return {"FINISHED"}


classes = (TENDRIL_OT_import_tetrahedra, TENDRIL_OT_show_tetrahedra)
