"""Make cables of curves, and let them hang as they would: the worker says where, and their curves are drawn so."""

from pathlib import Path

import bpy
from bpy.props import EnumProperty, FloatProperty

from ..bake import folder, job, process
from ..bake.errors import BakeError
from ..bake.messages import ends
from ..bridge import cable_mesh, presets
from ..bridge.cable import Drawn, keep, tie
from ..bridge.new_cable import curve, in_order
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import HOLDS, cable_of
from ..properties.choice import chosen_objects, chosen_rods, other_objects
from . import awaited, compile_ahead
from .kernel_folder import kernel_folder
from .obstacles import Obstructed, bake_is_running, no_new_curve, not_object_mode
from .one_by_one import each_by_itself
from .preset import listed, own_folder
from .rod import make_rods

MATERIAL = "electrical_cable"  # of a new cable
USUAL = 0.005  # m: its radius, where its material names none
FEWEST = 24  # pieces from one object to the next


def _materials(_operator, _context):
    found = presets.find(own_folder())
    usual = {name: found.pop(name) for name in (MATERIAL,) if name in found}  # the first is what is chosen at first
    return listed(tuple((usual | found).items()))


class TENDRIL_OT_add_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_cable"
    bl_label = "Add Cable"
    bl_description = (
        "Let the selected curves hang at rest, as cables, between what holds them. They never swing, and nothing feels "
        "them. A rod becomes a cable of its own material"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        return not_object_mode(context, cls.bl_label) or no_new_curve(chosen_objects(context), "cable", cable_of)

    def execute(self, context):
        return add_cable(self, context)


class TENDRIL_OT_settle_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.settle_cable"
    bl_label = "Settle"
    bl_description = (
        "Draw the selected cables anew as they hang at rest between what holds them now. Their ends go with what was "
        "moved; their length stays"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        cables = chosen_cables(context)
        if not cables:
            return "Select a cable: Add Cable makes one of a curve"
        hidden = next((cable for cable in cables if cable.tendril.result and cable.hide_viewport), None)
        if hidden:
            return f"'{hidden.name}' shows its bake: press Edit Source or Revert first"
        return bake_is_running(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        return each_by_itself(self, chosen_cables(context), lambda cable: settle(context, cable, self))


class TENDRIL_OT_cable_to_mesh(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.cable_to_mesh"
    bl_label = "Mesh with Attributes"
    bl_description = (
        "Settle the selected cables, and make a mesh of each as it hangs then, whose attributes curvature, tension, "
        "torsion, contact and violation shaders and Geometry Nodes can show. It stays when the cable goes on"
    )
    bl_options = {"REGISTER", "UNDO"}

    obstacle = TENDRIL_OT_settle_cable.obstacle

    def execute(self, context):
        def make(cable):
            drawn, settled = settle(context, cable, self)
            if settled is None:
                raise SceneError(cable.name, "waits until the physics of cables is compiled: try again then.")
            context.view_layer.update()
            cable_mesh.make(context, drawn, settled)

        return each_by_itself(self, chosen_cables(context), make)


class TENDRIL_OT_new_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.new_cable"
    bl_label = "New Cable between Selected"
    bl_description = (
        "Hang a new cable from the active object to the nearest of the others that are selected, and on from there, "
        "held by each at its origin"
    )
    bl_options = {"REGISTER", "UNDO"}

    slack: FloatProperty(
        name="Slack", default=0.1, min=0.001, max=10.0, soft_max=1.0, subtype="FACTOR",
        description="How much longer the cable is than the way from object to object. More sags more",
    )  # fmt: skip
    preset: EnumProperty(name="Material", items=_materials, description="What the cable is made of, and how thick")
    mode: EnumProperty(
        name="Hold", items=[hold for hold in HOLDS if hold[0] != "DIRECTION"], default="POSITION",
        description="What of the cable the objects hold",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        few = "" if len(held_by(context)) > 1 else "Select the objects between which the cable is to hang, two or more"
        return few or not_object_mode(context, cls.bl_label) or bake_is_running(context)

    def execute(self, context):
        context.view_layer.update()  # a script may just have moved them
        path, units = presets.find(own_folder())[self.preset], Units.of(context.scene, 0)
        try:
            objects = in_order(held_by(context))
            radius = units.blender_units(presets.usual(path)[0]) or units.blender_units(USUAL)
            cable, fractions = curve("Cable", objects, self.slack, radius)
        except (SceneError, presets.PresetError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        context.collection.objects.link(cable)
        before = context.selected_objects, context.object
        _choose(context, [cable], cable)
        add_cable(self, context)
        presets.apply(path, cable.tendril, radius)
        cable.tendril.rod.points = max(cable.tendril.rod.points, FEWEST * (len(objects) - 1))
        for number, (item, fraction) in enumerate(zip(objects, fractions, strict=True)):
            pin = cable.tendril.pins.add()
            pin.name = {0: "Start", len(objects) - 1: "End"}.get(number, "Pin")
            pin.target, pin.fraction, pin.mode = item, fraction, self.mode
        tie(context, cable, at_origins=True)
        done = each_by_itself(self, [cable], lambda item: settle(context, item, self))
        if done == {"CANCELLED"}:
            bpy.data.objects.remove(cable)
            _choose(context, *before)
        return done


class TENDRIL_OT_hold_as_drawn(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.hold_as_drawn"
    bl_label = "Tie Anew"
    bl_description = (
        "Tie the selected cables anew: from now on their pins hold them as they are drawn now, and not as they were "
        "when they were tied"
    )
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def obstacle(cls, context):
        tied = any(any(pin.grip) for cable in chosen_cables(context) for pin in cable.tendril.pins)
        return "" if tied else "No pin of a selected cable holds it otherwise: Settle ties them"

    def execute(self, context):
        for cable in chosen_cables(context):
            for pin in cable.tendril.pins:
                pin.property_unset("grip")
            tie(context, cable)
        return {"FINISHED"}


def add_cable(operator, context):
    """Make cables of the curves that are chosen → what the operator returns."""

    def hang(obj):
        if obj.tendril.is_rod and obj.tendril.rod.stretchable:
            operator.report({"INFO"}, f"'{obj.name}' keeps its length from now on, as a cable does")
        obj.tendril.is_tree, obj.tendril.rod.model, obj.tendril.rod.shape_memory = False, "CABLE", 0.0
        tie(context, obj)

    return make_rods(operator, context, MATERIAL, cable_of, hang)


def has_window():
    """Whether an artist looks on."""
    return not bpy.app.background


class Unasked:
    """Stands for the operator of what is done later: it reports in the panel."""

    def __init__(self, context):
        self._run = context.window_manager.tendril

    def report(self, _kind, text):
        self._run.message = text


def _choose(context, items, active):
    for item in context.selected_objects:
        item.select_set(False)
    for item in items:
        item.select_set(True)
    context.view_layer.objects.active = active


def held_by(context):
    """The objects that a new cable is to hang from, the active one first: all that are selected but cables and rods."""
    return [item for item in other_objects(context) if item in context.selected_objects]


def chosen_cables(context):
    """The cables that are selected or whose bakes are, the active one first."""
    return [rod for rod in chosen_rods(context) if cable_of(rod)]


def settle(context, cable, operator, lengths=()):
    """(Drawn, what the worker said, None: it compiles first, and then settles it) of a cable that gets lengths,
    perhaps: see Drawn.order. What warns the operator reports. Raises SceneError, with nothing changed.
    """
    drawn = Drawn(context, cable)
    try:
        settled, warning = _at_rest(context, cable, drawn, lengths)
    except BakeError as error:
        raise SceneError(cable.name, str(error)) from error
    if settled is None:
        operator.report({"INFO"}, f"'{cable.name}' will hang at rest once the physics of cables is compiled")
        return drawn, None
    if warning:
        operator.report({"WARNING"}, warning)
    drawn.settle(settled["x"], settled["m1"], bool(lengths))
    keep([cable] * len(drawn.lines), settled, drawn.units)
    return drawn, settled


def propose(context, drawn):
    """The path of a Job of a cable as Drawn. Raises BakeError."""
    place = folder.prepare(folder.locate(Path(bpy.app.tempdir), f"tendril_cable {context.scene.name}"))
    return job.propose(place, drawn.scene, {"temporary": True}).path


def begin(path, order):
    """A worker that settles the cables of the Job at `path`, by `Drawn.order`. Raises BakeError."""
    compile_ahead.stop()
    return process.Worker.settle(path, **order, python_args=bpy.app.python_args, kernels=kernel_folder())


def _at_rest(context, cable, drawn, lengths):
    """(what the worker says of a cable that is settled, a sentence where that warns); (None, ""): the cable waits, for
    that is to be compiled first and there is a window, which would freeze. Raises BakeError.
    """

    def later(context, item):
        return settle(context, item, Unasked(context), lengths)

    if not awaited.is_compiled():
        awaited.wait(cable, settle=later)
        return None, ""
    said, worker = {}, begin(propose(context, drawn), drawn.order(lengths))

    def hear(message):
        said.setdefault(message["kind"], message)
        if message["kind"] == "compiling" and has_window():
            raise awaited.CompilingError

    context.window_manager.progress_begin(0, 1)  # the cursor tells that something is done
    try:
        process.listen(worker, hear)
    except awaited.CompilingError:
        awaited.wait(cable, worker, later)
        return None, ""
    except BaseException:
        worker.kill()
        raise
    finally:
        context.window_manager.progress_end()
    worker.kill()
    if "settled" in said:
        return said["settled"], said.get("warning", {}).get("text", "")
    texts = [message["text"] for message in said.values() if ends(message) or message["kind"] == "exit"]
    raise BakeError(next(filter(None, texts), "The cable could not be settled: try again."))


classes = (
    TENDRIL_OT_add_cable, TENDRIL_OT_new_cable, TENDRIL_OT_settle_cable, TENDRIL_OT_cable_to_mesh,
    TENDRIL_OT_hold_as_drawn,
)  # fmt: skip
