"""Make trees of branching curves, and branching curves of skeletons of edges."""

import bpy

from ..bridge import bevel, curves, presets
from ..bridge.branching_curve import of_skeleton
from ..bridge.homes import link_beside
from ..bridge.survey import survey
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import rod_of
from ..properties.choice import chosen_objects
from .obstacles import Obstructed, no_new_curve, not_object_mode
from .one_by_one import each_by_itself
from .preset import own_folder
from .refusal import refuses

WOOD = "oak"
SLENDERNESS = 60.0  # height over the trunk's radius of a new tree whose curve has no thickness


class TENDRIL_OT_add_tree(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_tree"
    bl_label = "Add Tree"
    bl_description = (
        "Simulate the selected curves as trees: each spline a branch that grows from the one it starts on. "
        "Their shape is never changed; a curve without thickness gets a bevel, so that it can be seen"
    )

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or no_new_curve(chosen_objects(context), "tree", _is_tree)

    def execute(self, context):
        new = [item for item in chosen_objects(context) if item.type == "CURVE" and not _is_tree(item)]
        return _plant(self, context, new)


class TENDRIL_OT_tree_from_skeleton(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.tree_from_skeleton"
    bl_label = "Tree from Skeleton"
    bl_description = (
        "Make a branching curve of the active mesh, a skeleton of edges as for a Skin modifier, and a tree of that. "
        "The mesh stays, hidden"
    )

    @classmethod
    def obstacle(cls, context):
        mesh = context.object
        if mesh is None or mesh.type != "MESH":
            return "Select a mesh of edges: Tree from Skeleton makes a branching curve of it"
        if mesh.data.polygons:
            return f"'{mesh.name}' has faces, and a skeleton has edges alone: delete Only Faces in edit mode"
        return not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        mesh = context.object
        tree = of_skeleton(mesh)
        link_beside(tree, mesh)
        context.view_layer.update()
        if _plant(self, context, [tree]) == {"CANCELLED"}:
            curve = tree.data
            bpy.data.objects.remove(tree)
            bpy.data.curves.remove(curve)
            return {"CANCELLED"}
        mesh.hide_viewport = mesh.hide_render = True
        tree.select_set(True)
        context.view_layer.objects.active = tree
        return {"FINISHED"}


def _is_tree(item):
    rod = rod_of(item)
    return rod is not None and rod.tendril.is_tree


def _plant(operator, context, items):
    """Make trees of those curve objects that can be trees."""
    surveys = []

    def plant(item):
        before = _state(item)
        try:
            found = _survey(context, item)
            _settle_in(context, item, found)
        except (SceneError, presets.PresetError):
            _restore(item, *before)
            raise
        surveys.append(found)
        if item.data.bevel_depth != before[0]:
            operator.report({"INFO"}, bevel.told(context.scene, item))

    outcome = each_by_itself(operator, items, plant)
    if surveys:
        branches, points = (sum(getattr(one, name) for one in surveys) for name in ("branches", "points"))
        operator.report({"INFO"}, f"{branches} branches, simulated with {points} points")
    return outcome


def _state(item):
    own, curve = item.tendril, item.data
    return curve.bevel_depth, curve.bevel_mode, own.is_rod, own.is_tree, own.rod.use_radius, own.rod.radius


def _restore(item, *state):
    own, curve = item.tendril, item.data
    curve.bevel_depth, curve.bevel_mode, own.is_rod, own.is_tree, own.rod.use_radius, own.rod.radius = state


def _survey(context, item):
    """The Survey of a curve that is a tree from now on. Raises SceneError."""
    settings = item.tendril
    settings.is_rod = settings.is_tree = True
    lines, units = curves.read(context, item), Units.of(context.scene, 0)
    if bevel.drawn(item.data, lines) == 0.0:
        bevel.give(item, lines, units.metres(max(item.dimensions) / SLENDERNESS), units)
    if not settings.rod.use_radius:
        settings.rod.radius = units.blender_units(bevel.drawn(item.data, lines))
    return survey(context, item)


def _settle_in(context, item, found):
    """Give a new tree its wood, and leaves on its twigs."""
    settings, units = item.tendril, Units.of(context.scene, 0)
    presets.apply(presets.find(own_folder(woods=True), woods=True)[WOOD], settings)
    settings.rod.balanced, settings.rod.touches = True, False
    settings.tree.leaf_radius = units.blender_units(found.twig_radius)


classes = (TENDRIL_OT_add_tree, TENDRIL_OT_tree_from_skeleton)
