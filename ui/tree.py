"""How finely a tree is simulated, and what leaves it bears."""

from bpy.types import Panel

from ..properties.body import rod_of
from .place import AfterPins, Closed, PhysicsTab, Sidebar
from .rod import draw_settings


class _OfTree:
    @classmethod
    def poll(cls, context):
        rod = rod_of(context.object)
        return rod is not None and rod.tendril.is_tree


class _Tree(AfterPins, _OfTree):
    bl_label = "Tree"

    def draw(self, context):
        tree = rod_of(context.object).tendril
        draw_settings(self.layout, tree.tree, ("pieces",))
        draw_settings(self.layout, tree.rod, ("balanced",))


class _Leaves(Closed, _OfTree):
    bl_label = "Leaves"

    def draw(self, context):
        tree = rod_of(context.object).tendril.tree
        draw_settings(self.layout, tree, ("leaves",))
        column = self.layout.column()
        column.active = tree.leaves > 0.0
        draw_settings(column, tree, ("leaf_radius", "leaf_mass", "leaf_drag"))


class TENDRIL_PT_tree(_Tree, Sidebar, Panel):
    bl_parent_id = "TENDRIL_PT_active"


class TENDRIL_PT_leaves(Sidebar, _Leaves, Panel):
    bl_parent_id = "TENDRIL_PT_active"


class PHYSICS_PT_tendril_tree(_Tree, PhysicsTab, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_leaves(PhysicsTab, _Leaves, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


classes = (TENDRIL_PT_tree, TENDRIL_PT_leaves, PHYSICS_PT_tendril_tree, PHYSICS_PT_tendril_leaves)
