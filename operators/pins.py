"""Hold a rod: pins at its ends, along its length, at points selected in edit mode, where hooks pull."""

from contextlib import contextmanager

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ..bridge import curves, places
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import HOLDS, rod_of
from ..properties.parameters import PIN
from .obstacles import Obstructed, no_active_rod

NEAR = 1e-6  # of the length: two pins as near as this are at one place
EMPTY_SIZE = 0.05  # of the length


class TENDRIL_OT_add_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_pin"
    bl_label = "Add Pin"
    bl_description = "Tie the rod to another object, which it follows with the offset of the first frame"
    bl_options = {"REGISTER", "UNDO"}

    place: EnumProperty(
        name="Place",
        items=(
            ("ENDS", "Both Ends", "Hold the ends of every spline that has some"),
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
        ),
    )
    mode: EnumProperty(name="Hold", items=HOLDS, default="TWIST", description="What of the rod is held")

    @classmethod
    def obstacle(cls, context):
        return "" if _rod_and_others(context)[0] else no_active_rod(context)

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

    def execute(self, context):
        rod, others = _rod_and_others(context)
        units = Units.of(context.scene, 0)
        try:
            with _object_mode(context):
                lines = curves.read(context, rod)
            ties = self._hooked(rod, lines, units) if self.place == "HOOKS" else self._held(rod, others, lines, units)
            check_apart(rod, [place for place, _target, _bone in ties])
        except SceneError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for place, target, bone in ties:
            add(rod, place, target or _new_empty(rod, place), bone, self.mode)
        return {"FINISHED"}

    def _hooked(self, rod, lines, units):
        """[(Place, target, bone)] of the rod's Hook modifiers. Raises SceneError when there is none."""
        hooks = [modifier for modifier in rod.modifiers if modifier.type == "HOOK" and modifier.object]
        ties = [
            (place, hook.object, hook.subtarget)
            for hook in hooks
            for place in places.hooked(hook, rod.data, lines, units)
        ]
        if not ties:
            raise SceneError(rod.name, f"'{rod.name}' has no Hook modifier that has an object and points: add one.")
        return ties

    def _held(self, rod, others, lines, units):
        """[(Place, target or None for a new empty, bone)]. Raises SceneError."""
        found = self._places(rod, lines, units)
        if self.holder == "EMPTY":
            return [(place, None, "") for place in found]
        if not others:
            raise SceneError(
                rod.name,
                f"Nothing is selected to hold '{rod.name}': select an object besides it, or take a new empty.",
            )
        targets = [_nearest(place, others) for place in found]
        if self.holder == "OBJECT":
            return [(place, target, "") for place, target in zip(found, targets, strict=True)]
        return [(place, target, _active_bone(target)) for place, target in zip(found, targets, strict=True)]

    def _places(self, rod, lines, units):
        """The Places asked for, at least one. Raises SceneError."""
        if self.place == "ENDS":
            found, cure = places.ends(lines, units), "has no ends, its splines are closed: pin it along its length."
        elif self.place == "SELECTION":
            found, cure = places.selected(rod.data, lines, units), "has no selected point: select some in edit mode."
        elif self.spline < len(lines):
            return [places.at(lines, self.spline, self.fraction, units)]
        else:
            found, cure = [], f"has no spline {self.spline}: choose one from 0 to {len(lines) - 1}."
        if not found:
            raise SceneError(rod.name, f"'{rod.name}' {cure}")
        return found


class TENDRIL_OT_remove_pin(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.remove_pin"
    bl_label = "Remove Pin"
    bl_description = "Let go of the rod here. The object that held it stays"
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        rod = rod_of(context.object)
        if rod is None:
            return no_active_rod(context)
        return "" if rod.tendril.pins else f"'{rod.name}' has no pin"

    def execute(self, context):
        settings = rod_of(context.object).tendril
        settings.pins.remove(min(settings.active_pin, len(settings.pins) - 1))
        settings.active_pin = max(0, min(settings.active_pin, len(settings.pins) - 1))
        return {"FINISHED"}


def _rod_and_others(context):
    """(the active rod, or else the only selected one; the other selected objects)"""
    chosen = {obj: rod_of(obj) for obj in [context.object, *context.selected_objects] if obj}
    rods = {rod for rod in chosen.values() if rod}
    rod = rod_of(context.object) or (rods.pop() if len(rods) == 1 else None)
    return rod, [obj for obj, its_rod in chosen.items() if obj != rod and its_rod != rod]


@contextmanager
def _object_mode(context):
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
    bone = target.data.bones.active if target.type == "ARMATURE" else None
    if bone is None:
        raise SceneError(target.name, f"'{target.name}' has no active bone: select one in Pose Mode.")
    return bone.name


def check_apart(rod, found):
    """Raises SceneError when two pins would hold one place."""
    taken = [(pin.spline, pin.fraction, f"pin '{pin.name}'") for pin in rod.tendril.pins]
    for place in found:
        for spline, fraction, holder in taken:
            if spline == place.spline and abs(fraction - place.fraction) < NEAR:
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
    for collection in rod.users_collection:
        collection.objects.link(empty)
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
