"""Make cables of meshes that are modelled as tubes; the meshes follow them."""

import bpy
import numpy as np
from bpy.props import EnumProperty

from ..bridge import bevel, curves, cutting, joining, tube_binding, tube_curve
from ..bridge.homes import link_beside
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.following import modifier_of
from .cable import add_cable
from .obstacles import Obstructed, bake_is_running
from .refusal import refuses
from .result import choose

TWICE = 1e-3  # of the radius: an inner wall that is so near the outer one is the same, which is found again to 1e-5


class TENDRIL_OT_cable_from_tube(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.cable_from_tube"
    bl_label = "Cable from Tube Mesh"
    bl_description = (
        "Make a cable of the active mesh, which is modelled as a tube, or a harness of one that branches. The mesh "
        "follows it, with its UVs and materials; its ends are held where they are"
    )

    part: EnumProperty(
        name="Part",
        items=(
            ("WHOLE", "Whole Mesh", "All of it is a tube"),
            ("BETWEEN", "Between Two Vertices", "From one selected vertex to the other: the rest stays as it is"),
        ),
        options={"SKIP_SAVE"},
    )

    @classmethod
    def obstacle(cls, context):
        mesh = context.object
        if mesh is None or mesh.type != "MESH":
            return "Select a mesh that is modelled as a tube: Cable from Tube Mesh makes a cable of it"
        if not mesh.data.polygons and context.mode == "OBJECT":
            return f"'{mesh.name}' has no faces: Tree from Skeleton makes a curve of edges"
        if mesh.tendril.is_body or mesh.tendril.is_soft:
            return f"'{mesh.name}' is simulated itself: remove that first"
        if modifier_of(mesh):
            return f"'{mesh.name}' follows a cable already: remove its modifier Follow Cable first"
        if not mesh.visible_get():
            return f"'{mesh.name}' is hidden: show it first"
        if context.mode not in {"OBJECT", "EDIT_MESH"}:
            return f"{cls.bl_label} works in object and edit mode"
        return bake_is_running(context)

    @refuses
    def execute(self, context):
        mesh, mode, chosen = context.object, context.mode, context.selected_objects
        if mode == "EDIT_MESH":
            mesh.update_from_editmode()
            if not self.properties.is_property_set("part") and sum(each.select for each in mesh.data.vertices) == 2:
                self.part = "BETWEEN"
            bpy.ops.object.mode_set(mode="OBJECT")
        before, done = set(bpy.data.objects), None
        try:
            done = self._make(context, mesh)
        finally:
            if done != {"FINISHED"}:
                _remove(set(bpy.data.objects) - before)
                choose(context, chosen, mesh)
                if mode == "EDIT_MESH":
                    bpy.ops.object.mode_set(mode="EDIT")
        return done

    def _make(self, context, mesh):
        """What the operator returns; where it is not done, new objects may be left. Raises SceneError."""
        context.view_layer.update()
        found = tube_curve.of_mesh(mesh, _picked(mesh) if self.part == "BETWEEN" else None)
        cable = tube_curve.curve(f"{mesh.name} Cable", found, np.array(mesh.matrix_world.translation))
        link_beside(cable, mesh)
        choose(context, [cable], cable)
        if add_cable(self, context) == {"CANCELLED"}:
            return {"CANCELLED"}
        self._thickness(context, cable, found)
        self._hold(context, mesh, cable, found)
        tube_binding.bind(context, mesh, cable, found.branch, found.fraction)
        count = len(found.lines)
        self.report({"INFO"}, f"'{mesh.name}' follows '{cable.name}', of {count} branch{'es' * (count > 1)}")
        return {"FINISHED"}

    def _thickness(self, context, cable, found):
        """Let the cable have the thickness of its points, but show none: its mesh does."""
        rod, units = cable.tendril.rod, Units.of(context.scene, 0)
        rod.radius = units.blender_units(bevel.drawn(cable.data, curves.read(context, cable)))
        rod.use_radius, cable.data.bevel_depth, cable.show_in_front = True, 0.0, True
        inner, alike = found.hollow
        twice = inner > (1.0 - TWICE) * rod.radius
        rod.inner_radius = inner if alike and not twice else 0.0
        if twice or not alike:
            why = "its mesh has its wall twice in the same place" if twice else "its branches are not equally hollow"
            self.report({"WARNING"}, f"'{cable.name}' is solid: {why}")

    def _hold(self, context, mesh, cable, found):
        """Join the branches where they meet, and hold the other ends, which go with what moves the mesh."""
        (own,) = cutting.read(context, [cable])
        at = {}
        for spline, ends in enumerate(found.ends):
            for node, vertex in zip(ends, (0, len(own.lines[spline].x) - 1), strict=True):
                at.setdefault(node, []).append((0, spline, vertex))
        if joints := [joining.Joint(nodes) for nodes in at.values() if len(nodes) > 1]:
            joining.join(context, [own], joints, "FOLLOWS", "TWIST")
            (own,) = cutting.read(context, [cable])
        ends = cutting.cut(own, {})
        free = [ends[nodes[0][1:]][0] for nodes in at.values() if len(nodes) == 1]
        made = joining.hold_each(context, free, "TWIST", joining.size_of(own))
        for empty in made if mesh.parent or mesh.constraints or mesh.animation_data else ():  # what moves it
            empty.parent, empty.matrix_parent_inverse = mesh, mesh.matrix_world.inverted()


def _picked(mesh):
    """The two vertices that are selected. Raises SceneError."""
    chosen = [each.index for each in mesh.data.vertices if each.select]
    if len(chosen) != 2:
        count = f"{len(chosen)} {'vertex' if len(chosen) == 1 else 'vertices'}"
        raise SceneError(
            mesh.name, f"'{mesh.name}' has {count} selected: select two in edit mode, or take the Whole Mesh."
        )
    return chosen


def _remove(items):
    """Objects, and their curves."""
    data = {item.data for item in items if item.type == "CURVE"}
    for item in items:
        bpy.data.objects.remove(item)
    for curve in data:
        bpy.data.curves.remove(curve)


classes = (TENDRIL_OT_cable_from_tube,)
