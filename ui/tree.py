"""How finely a tree is simulated, and what leaves it bears."""

from ..properties.body import rod_of
from .place import AfterPins, Closed, in_both
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


classes = (*in_both("tree", _Tree), *in_both("leaves", _Leaves))
