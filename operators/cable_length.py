"""How long cables are: as is typed, as they find it, and as their motion asks."""

import time
from pathlib import Path

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty

from ..bake import folder, job
from ..bridge import curves, places
from ..bridge.cable import Drawn
from ..bridge.needed import read_taut
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import cable_of
from . import run_state
from .bake import _Bake
from .baking import Baking
from .cable import TENDRIL_OT_settle_cable, beside, chosen_cables, settle
from .obstacles import Obstructed, bake_is_running
from .one_by_one import each_by_itself
from .pins import object_mode


class TENDRIL_OT_set_length(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.set_length"
    bl_label = "Set Length"
    bl_description = (
        "Give the selected cables a length, as a whole or between two control points that are selected in edit mode, "
        "and draw them anew as they hang then"
    )

    part: EnumProperty(
        name="Part",
        items=(
            ("WHOLE", "Whole", "The whole of each spline"),
            ("SELECTED", "Between Selected Points", "From one control point to another, which are selected"),
        ),
        options={"SKIP_SAVE"},
    )
    kind: EnumProperty(
        name="By",
        items=(
            ("LENGTH", "Length", "How long it is to be"),
            ("DIFFERENCE", "Difference", "How much longer or shorter than it is"),
            ("PERCENT", "Percent", "How much longer or shorter, in hundredths of what it is"),
        ),
    )
    length: FloatProperty(
        name="Length", default=1.0, min=0.0, subtype="DISTANCE", precision=4, description="How long it is to be"
    )
    difference: FloatProperty(
        name="Difference",
        subtype="DISTANCE",
        precision=4,
        description="How much longer it is to be; less than 0: shorter",
    )
    percent: FloatProperty(
        name="Difference", subtype="PERCENTAGE", min=-99.0, max=1000.0, soft_max=100.0,
        description="How much longer it is to be, of what it is; less than 0: shorter",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        cables = chosen_cables(context)
        if not cables:
            return "Select a cable: Add Cable makes one of a curve"
        own = next((cable for cable in cables if cable.tendril.rod.own_length), None)
        if own:
            return f"'{own.name}' finds its Own Length: press Keep Length first"
        if context.mode == "EDIT_CURVE":
            return bake_is_running(context)
        return TENDRIL_OT_settle_cable.obstacle(context)

    def invoke(self, context, _event):
        cable = chosen_cables(context)[0]
        if context.mode == "EDIT_CURVE":
            self.part = "SELECTED"
        with object_mode(context):
            try:
                (_, begin, end, _), *_ = self.rows(context, cable, lambda length: length)
            except SceneError as error:
                self.report({"ERROR"}, str(error))
                return {"CANCELLED"}
        self.length = Units.of(context.scene, 0).blender_units(end - begin)
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "part")
        layout.prop(self, "kind")
        layout.prop(self, self.kind.lower())

    def execute(self, context):
        with object_mode(context):
            return each_by_itself(self, chosen_cables(context), lambda cable: self.resize(context, cable))

    def resize(self, context, cable):
        units = Units.of(context.scene, 0)

        def wanted(length):
            match self.kind:
                case "LENGTH":
                    return units.metres(self.length)
                case "DIFFERENCE":
                    return length + units.metres(self.difference)
            return length * (1.0 + 0.01 * self.percent)

        settle(context, beside(context, cable), self, {cable: self.rows(context, cable, wanted)}, [cable])

    def rows(self, context, cable, wanted):
        """[(spline, from, to, wanted(length))] [m]. Raises SceneError."""
        whole = Drawn(context, [cable]).lengths(cable)
        parts = [(0.0, 1.0)] * len(whole)
        if self.part == "SELECTED":
            found = places.selected(cable.data, curves.read(context, cable), Units.of(context.scene, 0))
            own = [[one.fraction for one in found if one.spline == spline] for spline in range(len(whole))]
            if not any(own) or any(len(fractions) not in (0, 2) for fractions in own):
                points = "one selected point" if len(found) == 1 else f"{len(found)} selected points"
                raise SceneError(cable.name, f"'{cable.name}' has {points}: select two of a spline in edit mode.")
            parts = [tuple(sorted(fractions)) for fractions in own]
        return [
            (spline, part[0] * length, part[1] * length, wanted((part[1] - part[0]) * length))
            for spline, (part, length) in enumerate(zip(parts, whole, strict=True)) if part
        ]  # fmt: skip


class TENDRIL_OT_keep_length(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.keep_length"
    bl_label = "Keep Length"
    bl_description = "Settle the selected cables that find their Own Length, and let them keep it from then on"

    @classmethod
    def obstacle(cls, context):
        if not any(cable.tendril.rod.own_length for cable in chosen_cables(context)):
            return "No selected cable finds its Own Length: they keep theirs"
        return TENDRIL_OT_settle_cable.obstacle(context)

    def execute(self, context):
        def keep(cable):
            if settle(context, beside(context, cable), self, asked=[cable])[1] is None:
                raise SceneError(cable.name, f"'{cable.name}' waits until the physics of cables is compiled: try then.")
            cable.tendril.rod.own_length = False

        own = [cable for cable in chosen_cables(context) if cable.tendril.rod.own_length]
        return each_by_itself(self, own, keep)


class Needing(Baking):
    """The bake of taut cables, of which nothing is shown. owners: of each the session_uid."""

    settle_only = True
    known = (b"", None)  # what was asked for last, and what was measured: F9 asks again

    def __init__(self, context, cables):
        """Raises SceneError, BakeError."""
        self.started = time.monotonic()
        place = folder.prepare(folder.locate(Path(bpy.app.tempdir), f"tendril_needed {context.scene.name}"))
        description, self.meta, self.owners = read_taut(context, cables, place)
        self.job = job.propose(place, description, {"temporary": True})

    def run(self, context):
        """Raises BakeError."""
        asked, self.measured = Needing.known
        if asked == self.job.input_hash:
            self.ending = "done"
        else:
            self.measured = None
            super().run(context)

    def end(self, context):
        run_state.end(context.window_manager.tendril)
        if self.ending == "done" and self.measured:
            Needing.known = self.job.input_hash, self.measured
        run_state.compare(context)

    def lengths(self, cable):
        """Of its splines [m]."""
        pairs = zip(self.owners, self.measured["length"], strict=True)
        return [float(length) for owner, length in pairs if owner == cable.session_uid]


class TENDRIL_OT_needed_length(_Bake, bpy.types.Operator):
    bl_idname = "tendril.needed_length"
    bl_label = "Needed Length"
    bl_description = (
        "Find how long the selected cables have to be for all that holds them in the frames of the bake, and set that "
        "length with some slack, if you like. Takes as long as a bake of what holds them"
    )

    use: BoolProperty(name="Set Length", description="Give the cables that length, and the slack")
    slack: FloatProperty(
        name="Slack", default=0.05, min=0.0, max=10.0, soft_max=1.0, subtype="FACTOR",
        description="How much longer than needed the cables become",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        return TENDRIL_OT_settle_cable.obstacle(context)

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "use")
        sub = layout.column()
        sub.active = self.use
        sub.prop(self, "slack")

    def baking_of(self, context):
        return Needing(context, chosen_cables(context))

    def outcome(self, context):
        """Keeps what was found, and sets it."""
        run = context.window_manager.tendril
        if self.baking.ending != "done" or not self.baking.measured:
            failed = run.failed and run.message
            said = "Cancelled" if self.baking.ending == "cancelled" else "The length could not be found: try again"
            self.report({"INFO" if self.baking.ending == "cancelled" else "ERROR"}, failed or said)
            return {"CANCELLED"}
        asked = [item for item in context.scene.objects if item.session_uid in self.baking.owners and cable_of(item)]
        run.message = "; ".join(map(self.told, asked))
        return each_by_itself(self, asked, lambda cable: self.keep(context, cable))

    def told(self, cable):
        return f"'{cable.name}' has to be {max(self.baking.lengths(cable)):.4g} m long"

    def keep(self, context, cable):
        units, lengths = Units.of(context.scene, 0), self.baking.lengths(cable)
        cable.tendril.needed_length = units.blender_units(max(lengths))
        if self.use:
            own = Drawn(context, [cable]).lengths(cable)
            rows = [
                (k, 0.0, whole, (1.0 + self.slack) * most)
                for k, (whole, most) in enumerate(zip(own, lengths, strict=True))
            ]
            settle(context, beside(context, cable), self, {cable: rows}, [cable])
        else:
            self.report({"INFO"}, self.told(cable))


class TENDRIL_OT_space_pins(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.space_pins"
    bl_label = "Set Equidistant"
    bl_description = (
        "Let the pins between the first and the last of the selected cables hold them at places that are evenly spaced "
        "along them, and draw the cables anew"
    )

    @classmethod
    def obstacle(cls, context):
        cables = chosen_cables(context)
        if cables and not any(len(cable.tendril.pins) > 2 for cable in cables):
            return "No selected cable has a pin between two others"
        return TENDRIL_OT_settle_cable.obstacle(context)

    def execute(self, context):
        return each_by_itself(self, chosen_cables(context), lambda cable: self.space(context, cable))

    def space(self, context, cable):
        before = [(pin, pin.fraction, list(pin.grip)) for pin in cable.tendril.pins]
        for spline in {pin.spline for pin in cable.tendril.pins}:
            own = sorted((one for one in before if one[0].spline == spline), key=lambda one: one[1])
            even = np.linspace(own[0][1], own[-1][1], len(own))
            for (pin, _, grip), fraction in zip(own, even, strict=True):
                hold(pin, fraction, grip)
        try:
            settle(context, beside(context, cable), self, asked=[cable])
        except SceneError:
            for one in before:
                hold(*one)
            raise


def hold(pin, fraction, grip):
    """Let a pin hold another place as it held the one before: to change the place forgets the grip."""
    pin.fraction = fraction
    pin.grip = grip


classes = (TENDRIL_OT_set_length, TENDRIL_OT_keep_length, TENDRIL_OT_needed_length, TENDRIL_OT_space_pins)
