"""Make harnesses of cables: join their ends, let them go, cut them, make them longer."""

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty

from ..bridge import bodies, curves, cutting, joining, places
from ..bridge.cable import check_drawing
from ..physics.validate import SceneError
from ..properties.body import HOLDS, body_of, is_cable
from ..properties.choice import other_objects
from .cable import chosen_cables
from .obstacles import Obstructed, bake_is_running, not_object_mode
from .one_by_one import each_by_itself
from .refusal import refuses

MOTIONS = (
    ("FOLLOWS", "Follows", "It hangs on its cables: it goes where they and its weight have it"),
    ("STAYS", "Stays", "It stays where it is, or goes where you move it, and its cables follow"),
)


ENDS = (
    ("HELD", "Held", "Each end is held by an empty of its own, as it is"),
    ("FREE", "Free", "Nothing holds the ends"),
)


class TENDRIL_OT_join_ends(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.join_ends"
    bl_label = "Join Ends"
    bl_description = (
        "Join ends of the selected cables that are near each other: an empty there holds them all. An end near the "
        "middle of another cable cuts that one. What else is selected and near an end holds it, in place of a new empty"
    )

    motion: EnumProperty(name="Joint", items=MOTIONS, description="What a new joint does")
    mode: EnumProperty(
        name="Hold", items=[hold for hold in HOLDS if hold[0] != "DIRECTION"], default="TWIST",
        description="What of the cables the joint holds",
    )  # fmt: skip
    reach: FloatProperty(
        name="Reach", default=4.0, min=0.0, soft_max=20.0,
        description="How far from each other is joined: so many times the radii of both together",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        return _no_cable(context, "Select the cables whose ends are to be joined") or not_object_mode(
            context, cls.bl_label
        )

    @refuses
    def execute(self, context):
        reads = cutting.read(context, chosen_cables(context))
        holders = [item for item in other_objects(context) if item.type in {"EMPTY", "MESH"}]
        joints = joining.plan(context, reads, list(dict.fromkeys(map(_own, holders))), self.reach)
        held = joining.join(context, reads, joints, self.motion, self.mode)
        if len(held) == 1:
            _add_to_selection(context, held)
        names = ", ".join(f"'{item.name}'" for item in held)
        count = sum(len(joint.nodes) for joint in joints)
        self.report({"INFO"}, f"Joined {count} place{'s' * (count > 1)} at {names}")
        return {"FINISHED"}


class TENDRIL_OT_separate_ends(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.separate_ends"
    bl_label = "Separate"
    bl_description = (
        "Let the selected cables go where they are joined, or all cables of the selected joints; where both are "
        "selected, these from those. An empty that holds nothing more is removed"
    )

    ends: EnumProperty(name="Ends", items=ENDS, description="What holds the ends then")

    @classmethod
    def obstacle(cls, context):
        if not (joined := _joined(context)):
            return "No cable that is selected is joined, and no joint is selected: Join Ends joins some"
        return _shows_bake(joined) or bake_is_running(context) or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        joined = _joined(context)
        joining.separate(context, cutting.read(context, list(joined)), joined, self.ends == "FREE")
        return {"FINISHED"}


class TENDRIL_OT_cut_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.cut_cable"
    bl_label = "Cut"
    bl_description = (
        "Cut the selected cables in two, at the nearest of their Points; in edit mode where points are selected. Each "
        "piece keeps its settings, and the pins that are on it"
    )

    place: EnumProperty(
        name="Place",
        items=(
            ("FRACTION", "Along Length", "At one place along the length of each spline"),
            ("SELECTION", "Selected Points", "At the control points that are selected in edit mode"),
        ),
        options={"SKIP_SAVE"},
    )
    fraction: FloatProperty(
        name="Along Length", default=0.5, min=0.0, max=1.0, subtype="FACTOR", description="Where, of the length"
    )

    ends: EnumProperty(name="Ends", items=ENDS, description="What holds the ends where it is cut")

    @classmethod
    def obstacle(cls, context):
        return _no_cable(context, "Select the cables to cut")

    def draw(self, _context):
        self.layout.use_property_split = True
        self.layout.prop(self, "place")
        if self.place == "FRACTION":
            self.layout.prop(self, "fraction")
        self.layout.prop(self, "ends")

    @refuses
    def execute(self, context):
        if context.mode == "EDIT_CURVE":
            if not self.properties.is_property_set("place"):
                self.place = "SELECTION"
            bpy.ops.object.mode_set(mode="OBJECT")
        reads = cutting.read(context, chosen_cables(context))
        cuts = [self._cuts(context, own) for own in reads]
        if not any(cuts):
            name = reads[0].source.name
            cure = "between the ends is selected: select some in edit mode"
            raise SceneError(name, f"No point of '{name}' {cure}.")
        for own, its in zip(reads, cuts, strict=True):
            cutting.check_cuts(own, its)
        for own, its in zip(reads, cuts, strict=True):
            made = cutting.cut(own, its)
            _add_to_selection(context, [end.cable for ends in made.values() for end in ends])
            if self.ends == "HELD":
                bare = [end for spline in its for vertex in its[spline] for end in made[spline, vertex] if end.is_free]
                joining.hold_each(context, bare, "TWIST", joining.size_of(own))
        return {"FINISHED"}

    def _cuts(self, context, own):
        """{spline: vertices} of a cable as it was read."""
        found = {}
        if self.place == "FRACTION":
            wanted = [(spline, self.fraction) for spline in range(len(own.lines))]
        else:
            lines = curves.read(context, own.source)
            wanted = [(at.spline, at.fraction) for at in places.selected(own.source.data, lines, own.units)]
            wanted = [(spline, fraction) for spline, fraction in wanted if 0.0 < fraction < 1.0]
        for spline, fraction in wanted:
            found.setdefault(spline, set()).add(own.nearest(spline, fraction))
        return found


class TENDRIL_OT_prolong_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.prolong_cable"
    bl_label = "Prolong"
    bl_description = (
        "Make ends of the selected cables longer, straight on and as thick as they are. What holds an end goes on "
        "holding it; an empty that nobody moves and that holds nothing else goes along"
    )

    end: EnumProperty(
        name="End",
        items=(
            ("END", "End", "At the last point of every spline"),
            ("START", "Start", "At the first point of every spline"),
            ("BOTH", "Both Ends", "At the first and the last point of every spline"),
        ),
    )
    by: EnumProperty(
        name="By",
        items=(
            ("LENGTH", "Length", "By so much"),
            (
                "OBJECT",
                "Up to Selected",
                "Up to the faces of the selected mesh that is ahead, or abreast of an object",
            ),
        ),
    )
    length: FloatProperty(
        name="Length", default=0.1, min=0.0, soft_max=10.0, subtype="DISTANCE", precision=4, unit="LENGTH",
        description="By how much",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        return _no_cable(context, "Select the cables to make longer") or not_object_mode(context, cls.bl_label)

    def draw(self, _context):
        self.layout.use_property_split = True
        for name in ("end", "by", *(["length"] if self.by == "LENGTH" else [])):
            self.layout.prop(self, name)

    def execute(self, context):
        ends = {"END": (False,), "START": (True,), "BOTH": (True, False)}[self.end]

        def prolong(cable):
            check_drawing(cable)
            (own,) = cutting.read(context, [cable])
            wanted = [
                (spline, at_start, self._length(context, own, spline, at_start))
                for spline in range(len(own.lines)) for at_start in ends
            ]  # fmt: skip
            for number, (spline, at_start, length) in enumerate(wanted):
                if number:  # what was made longer is read anew
                    (own,) = cutting.read(context, [cable])
                alone = joining.held_alone(own, spline, at_start)
                way = cutting.prolong(own, spline, at_start, length)
                for empty in alone:
                    empty.location = np.array(empty.location) + own.units.blender_units(way)

        return each_by_itself(self, chosen_cables(context), prolong)

    def _length(self, context, own, spline, at_start):
        """[m] by which an end becomes longer. Raises SceneError."""
        name = own.source.name
        if self.by == "LENGTH":
            if not 0.0 < self.length < np.inf:
                raise SceneError(name, f"'{name}' would get no longer: type a Length above 0.")
            return own.units.metres(self.length)
        end = 0 if at_start else len(own.lines[spline].axes)
        holds = [pin.target for pin in own.source.tendril.pins if (pin.spline, own.vertex(pin)) == (spline, end)]
        others = [item for item in other_objects(context) if item not in holds and _own(item) not in holds]
        if not others:
            cure = "select an object besides it and what holds its end"
            raise SceneError(name, f"Nothing is selected up to which '{name}' could go: {cure}.")
        x = own.lines[spline].x[0 if at_start else -1]
        way = cutting.direction(own, spline, at_start)
        ahead = [gap for item in others if (gap := bodies.ahead(context, item, x, way, own.units)) > own.radius]
        if not ahead:
            which = "start" if at_start else "end"
            raise SceneError(name, f"'{name}' does not point at what is selected at its {which}: turn it there first.")
        return min(ahead)


class TENDRIL_OT_hang_on_cables(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.hang_on_cables"
    bl_label = "Hang on Cables"
    bl_description = "Let the selected empties and meshes that cables hold follow their cables, or stay"

    motion: EnumProperty(name="Joint", items=MOTIONS)

    @classmethod
    def description(cls, _context, settings):
        return next(text for name, _, text in MOTIONS if name == settings.motion)

    @classmethod
    def obstacle(cls, context):
        few = "" if _holding(context) else "Select an empty or a mesh that a pin of a cable holds on to"
        return few or bake_is_running(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        return each_by_itself(self, _holding(context), lambda item: joining.make_joint(context, item, self.motion))


def _own(item):
    """The body whose bake an object shows, or else itself."""
    return body_of(item) or item


def _no_cable(context, what):
    """Why nothing can be done to cables that are selected."""
    cables = chosen_cables(context)
    if not cables:
        return f"{what}: Add Cable makes one of a curve"
    return _shows_bake(cables) or bake_is_running(context)


def _shows_bake(cables):
    hidden = next((cable for cable in cables if cable.tendril.result and cable.hide_viewport), None)
    return f"'{hidden.name}' shows its bake: press Edit Source or Revert first" if hidden else ""


def _joined(context):
    """{cable: numbers of its pins that it lets go} of what is selected."""
    return joining.joined(context.scene, chosen_cables(context), list(map(_own, other_objects(context))))


def _holding(context):
    """The selected empties and meshes on to which pins of cables hold."""
    found = [item.tendril for item in context.scene.objects if item.tendril.is_rod and is_cable(item)]
    held = {pin.target for own in found for pin in own.pins}
    return [item for item in map(_own, other_objects(context)) if item in held and item.type in {"EMPTY", "MESH"}]


def _add_to_selection(context, items):
    for item in items:
        item.select_set(True)


classes = (
    TENDRIL_OT_join_ends, TENDRIL_OT_separate_ends, TENDRIL_OT_cut_cable, TENDRIL_OT_prolong_cable,
    TENDRIL_OT_hang_on_cables,
)  # fmt: skip
