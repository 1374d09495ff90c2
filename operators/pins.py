"""Hold a rod: pins at its ends, along its length, at points selected in edit mode, where hooks pull."""

from contextlib import contextmanager

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ..bridge import curves, pin_keys, places
from ..bridge.cable import tie
from ..bridge.homes import link_beside
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import HOLDS, cable_of, rod_of
from ..properties.choice import active_bone, chosen_rods, no_holder, no_place, other_objects
from ..properties.own_motion import moves_itself
from ..properties.parameters import PIN
from .obstacles import Obstructed, no_active_rod
from .refusal import refuses

SAME_POINT = 1e-6  # of the length: two pins as near as this are at one place
EMPTY_SIZE = 0.05  # of the length


class TENDRIL_OT_add_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_pin"
    bl_label = "Add Pin"
    bl_description = (
        "Tie the selected rods to another object, which they follow with the offset of the first frame; to a mesh that "
        "deforms by the nearest of its faces"
    )

    place: EnumProperty(
        name="Place",
        items=(
            ("ENDS", "Both Ends", "Hold the ends of every spline that has some: of hair those of its guides"),
            ("START", "Start", "Hold the first point of every spline that has ends: the roots of the guides of hair"),
            ("END", "End", "Hold the last point of every spline that has ends: the tips of the guides of hair"),
            ("FRACTION", "Along Length", "Hold one place along the length"),
            ("SELECTION", "Selected Points", "Hold the control points that are selected in edit mode"),
            ("HOOKS", "Hooked Points", "Hold the control points of Hook modifiers with the objects of those"),
        ),
    )
    fraction: FloatProperty(
        name="Along Length", description=PIN["fraction"].description, default=0.5, min=0.0, max=1.0, subtype="FACTOR"
    )
    spline: IntProperty(name="Spline", description=PIN["spline"].description, min=0)
    holder: EnumProperty(
        name="Hold With",
        items=(
            ("OBJECT", "Selected Object", "The other selected object, the nearest if there are several"),
            ("BONE", "Active Bone", "The active bone of the other selected object, an armature"),
            ("EMPTY", "New Empty", "A new empty at each place"),
            (
                "OWN",
                "Own Animation",
                "What moves the curve itself, and reshapes it: its shape keys, modifiers, parent and keyframes",
            ),
        ),
    )
    mode: EnumProperty(name="Hold", items=HOLDS, default="TWIST", description="What of the rod is held")

    @classmethod
    def obstacle(cls, context):
        return "" if chosen_rods(context) else no_active_rod(context)

    @classmethod
    def description(cls, context, settings):
        """The tooltip, which also says why an entry of the menu is off."""
        what, reason = cls.bl_description, no_place(chosen_rods(context), settings.place)
        if settings.place == "HOOKS":
            what = "Tie the control points of Hook modifiers to the objects of those, which they follow already"
        else:
            reason = reason or no_holder(context, settings.holder)
        return f"{what}.\nOff: {reason}" if reason else what

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        layout.prop(self, "place")
        if self.place == "FRACTION":
            layout.prop(self, "fraction")
            layout.prop(self, "spline")
        if self.place != "HOOKS":
            layout.prop(self, "holder")
        layout.prop(self, "mode")

    @refuses
    def execute(self, context):
        rods, units = chosen_rods(context), Units.of(context.scene, 0)
        with object_mode(context):
            drawn = [curves.read_simulated(context, rod) for rod in rods]
        ties = [self._ties(context, rod, *own, units) for rod, own in zip(rods, drawn, strict=True)]
        if not any(ties):
            self._refuse(rods[0], *drawn[0])
        for rod, own in zip(rods, ties, strict=True):
            check_apart(rod, [place for place, _target, _bone in own])
        for rod, own in zip(rods, ties, strict=True):
            for place, target, bone in own:
                is_new = self.holder == "EMPTY" and target is None
                add(rod, place, _new_empty(rod, place) if is_new else target, bone, self.mode)
            if cable_of(rod):
                tie(context, rod)
        return {"FINISHED"}

    def _ties(self, context, rod, lines, simulated, units):
        """[(Place, target or None for a new empty or its own animation, bone)] of one rod, none where it has no such
        place; simulated: numbers of those lines that are.

        Raises SceneError when nothing could hold it.
        """
        if self.place == "HOOKS":
            return [
                (place, hook.object, hook.subtarget)
                for hook in rod.modifiers
                if hook.type == "HOOK" and hook.object
                for place in places.hooked(hook, rod.data, lines, units)
            ]
        found = [place for place in self._places(rod, lines, units) if place.spline in simulated]
        others = other_objects(context)
        if self.holder == "OWN" and not moves_itself(rod):
            raise SceneError(
                rod.name, f"Nothing moves '{rod.name}' itself: give it shape keys, or hold it with an object."
            )
        if self.holder in {"EMPTY", "OWN"}:
            return [(place, None, "") for place in found]
        if not others:
            raise SceneError(
                rod.name,
                f"Nothing is selected to hold '{rod.name}': select an object besides it, or take a new empty.",
            )
        if self.holder == "BONE":
            others = [item for item in others if active_bone(item)] or others
        targets = [_nearest(place, others) for place in found]
        return [
            (place, target, _active_bone(target) if self.holder == "BONE" else "")
            for place, target in zip(found, targets, strict=True)
        ]

    def _places(self, rod, lines, units):
        """The Places of a rod that were asked for."""
        match self.place:
            case "ENDS":
                return places.ends(lines, units)
            case "START":
                return places.starts(lines, units)
            case "END":
                return places.tails(lines, units)
            case "SELECTION":
                return places.selected(rod.data, lines, units)
        return [places.at(lines, self.spline, self.fraction, units)] if self.spline < len(lines) else []

    def _refuse(self, rod, lines, simulated):
        """Raises SceneError: no rod has such a place."""
        if self.place == "FRACTION" and self.spline in range(len(lines)):
            near = min(simulated, key=lambda number: abs(number - self.spline))
            raise SceneError(
                rod.name, f"Spline {self.spline} of '{rod.name}' is no guide, and not simulated: choose one, as {near}."
            )
        cure = {
            "SELECTION": "has no selected point: select some in edit mode.",
            "HOOKS": "has no Hook modifier that has an object and points: add one.",
            "FRACTION": f"has no spline {self.spline}: choose one from 0 to {len(lines) - 1}.",
        }.get(self.place, "has no ends, its splines are closed: pin it along its length.")
        raise SceneError(rod.name, f"'{rod.name}' {cure}")


class TENDRIL_OT_remove_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_pin"
    bl_label = "Remove Pin"
    bl_description = "Let go of the rod here. The object that held it stays"

    @classmethod
    def obstacle(cls, context):
        rod = rod_of(context.object)
        if rod is None:
            return no_active_rod(context)
        return "" if rod.tendril.pins else f"'{rod.name}' has no pin"

    def execute(self, context):
        rod = rod_of(context.object)
        settings = rod.tendril
        pin_keys.remove(rod, "tendril.pins", min(settings.active_pin, len(settings.pins) - 1))
        settings.active_pin = max(0, min(settings.active_pin, len(settings.pins) - 1))
        return {"FINISHED"}


@contextmanager
def object_mode(context):
    """Leaves edit mode for a moment, so that what was edited counts."""
    mode = context.object.mode
    if mode == "EDIT":
        bpy.ops.object.mode_set(mode="OBJECT")
    try:
        yield
    finally:
        if mode == "EDIT":
            bpy.ops.object.mode_set(mode="EDIT")


def _nearest(place, objects):
    return min(objects, key=lambda obj: np.linalg.norm(np.array(obj.matrix_world.translation) - place.position))


def _active_bone(target):
    bone = active_bone(target)
    if not bone:
        raise SceneError(target.name, f"'{target.name}' has no active bone: select one in Pose Mode.")
    return bone


def check_apart(rod, found):
    """Raises SceneError when two pins would hold one place."""
    taken = [(pin.spline, pin.fraction, f"pin '{pin.name}'") for pin in rod.tendril.pins]
    for place in found:
        for spline, fraction, holder in taken:
            if spline == place.spline and abs(fraction - place.fraction) < SAME_POINT:
                raise SceneError(
                    rod.name,
                    f"'{rod.name}' would be held twice at {fraction:g} of its length, already by {holder}: "
                    "remove that pin or choose another place.",
                )
        taken.append((place.spline, place.fraction, "another point"))


def _new_empty(rod, place):
    empty = bpy.data.objects.new(f"{rod.name} Pin", None)
    empty.location = place.position
    empty.empty_display_size = EMPTY_SIZE * max(rod.dimensions) or 1.0
    link_beside(empty, rod)
    return empty


def add(rod, place, target, bone, mode):
    """Pin a rod to a target at a Place."""
    pins = rod.tendril.pins
    pin = pins.add()
    pin.name = {0.0: "Start", 1.0: "End"}.get(place.fraction, "Pin")
    if place.spline:
        pin.name += f" {place.spline}"
    pin.spline, pin.fraction, pin.target, pin.bone, pin.mode = place.spline, place.fraction, target, bone, mode
    rod.tendril.active_pin = len(pins) - 1


classes = (TENDRIL_OT_add_pin, TENDRIL_OT_remove_pin)
