"""Add knots: curves that are rods at once, with the post some are tied to."""

import bpy
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty
from bpy_extras.object_utils import AddObjectHelper, object_data_add

from ..bridge import knot_curve, presets
from ..bridge.homes import layer_here, link_beside
from .obstacles import Obstructed, not_object_mode
from .preset import own_folder, with_usual
from .rod import MATERIAL, PIECES

DEFAULT = "overhand"
LONGEST = 5000.0  # radii of rope: of what ends are made longer by
LABELS = {name: label for kind in knot_curve.KNOTS.values() for name, (label, _) in kind.items()}
TORUS, TURKS_HEAD = (knot_curve.TURNED[name] for name in ("torus", "turks_head"))


def _knots():
    """What there is to choose from, under headings."""
    for kind, knots in knot_curve.KNOTS.items():
        yield "", kind, ""
        yield from ((name, label, description) for name, (label, description) in knots.items())


def _materials(_operator, _context):
    return with_usual(MATERIAL)


class TENDRIL_OT_add_knot(Obstructed, AddObjectHelper, bpy.types.Operator):
    bl_idname = "tendril.add_knot"
    bl_label = "Knot"
    bl_description = "Add a rope, or two, tied loosely in a knot, ready to bake"

    knot: EnumProperty(name="Knot", items=tuple(_knots()), default=DEFAULT, description="Which knot is tied")
    radius: FloatProperty(
        name="Radius", default=0.02, min=1e-5, soft_max=1.0, subtype="DISTANCE", precision=4,
        description="Half as thick as the rope is",
    )  # fmt: skip
    looseness: FloatProperty(
        name="Looseness", default=1.0, min=1.0, soft_max=5.0,
        description="How much larger the knot is tied than at its tightest. A post grows with it",
    )  # fmt: skip
    ends: FloatProperty(
        name="Longer Ends", default=0.0, min=0.0, soft_max=10.0, subtype="DISTANCE",
        description="How much longer free ends are than the knot needs: what is there to pull at",
    )  # fmt: skip
    resolution: IntProperty(
        name="Resolution", default=2, min=1, max=8,
        description="How many control points the curve has on a length of two thicknesses of rope",
    )  # fmt: skip
    around: IntProperty(
        name="Around Axis", default=TORUS.first, min=1, max=9,
        description="How often a torus knot winds around the axis of its ring",
    )  # fmt: skip
    through: IntProperty(
        name="Around Ring", default=TORUS.second, min=1, max=9,
        description="How often a torus knot winds around the ring itself",
    )  # fmt: skip
    leads: IntProperty(
        name="Leads", default=TURKS_HEAD.first, min=2, max=9,
        description="How many strands a Turk's head is braided of",
    )  # fmt: skip
    bights: IntProperty(
        name="Bights", default=TURKS_HEAD.second, min=2, max=12,
        description="How many scallops a Turk's head has at its rim",
    )  # fmt: skip
    as_rod: BoolProperty(name="Rod", default=True, description="Simulate the rope as an elastic rod, straight at rest")
    preset: EnumProperty(name="Material", items=_materials, description="What the rope is made of")

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, "Add Knot")

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        turned = {"torus": ("around", "through"), "turks_head": ("leads", "bights")}.get(self.knot, ())
        for name in ("knot", *turned, "radius", "looseness", "ends", "resolution", "as_rod"):
            layout.prop(self, name)
        row = layout.row()
        row.enabled = self.as_rod
        row.prop(self, "preset")
        for name in ("align", "location", "rotation"):
            layout.prop(self, name)

    def execute(self, context):
        if self.ends > LONGEST * self.radius:
            self.report({"ERROR"}, f"Ends can be longer by {LONGEST:.0f} radii at most: make the rope thicker")
            return {"CANCELLED"}
        turns = (self.leads, self.bights) if self.knot == "turks_head" else (self.around, self.through)
        knot = knot_curve.draw(self.knot, turns, self.looseness * self.radius, self.ends, self.resolution)
        label, mesh = LABELS[self.knot], knot_curve.post(knot)
        with context.temp_override(layer_collection=layer_here(context)):
            rope = object_data_add(context, knot_curve.curve(label, knot, self.radius), self)
        if mesh:
            post = bpy.data.objects.new("Post", mesh)
            post.matrix_world = rope.matrix_world
            link_beside(post, rope)
            post.modifiers.new("Collision", "COLLISION")
            post.tendril.collider.thickness = 0.0  # the rope is drawn right on it
            post.select_set(True)
        if self.as_rod:
            try:
                presets.apply(presets.find(own_folder())[self.preset], rope.tendril, self.radius)
            except presets.PresetError as error:
                self.report({"WARNING"}, str(error))
            rod = rope.tendril.rod
            rod.shape_memory, rod.radius = 0.0, self.radius
            rod.points = max(round(knot_curve.longest(knot) / (2.0 * self.radius)), PIECES[0])
            rope.tendril.is_rod = True
        return {"FINISHED"}


classes = (TENDRIL_OT_add_knot,)
