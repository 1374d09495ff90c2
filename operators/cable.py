"""Make cables of curves, and let them hang as they would: the worker says where, and their curves are drawn so."""

from pathlib import Path

import bpy
import numpy as np
from bpy.props import EnumProperty, FloatProperty, IntProperty

from ..bake import folder, job, process
from ..bake.errors import BakeError
from ..bake.messages import ends
from ..bridge import cable_mesh, presets, side_by_side
from ..bridge.cable import Drawn, keep, tie
from ..bridge.hanging import in_groups
from ..bridge.homes import link_here
from ..bridge.new_cable import curve, in_order
from ..bridge.scene import taking_part
from ..bridge.units import Units
from ..physics.validate import SceneError
from ..properties.body import HOLDS, cable_of, is_cable
from ..properties.choice import chosen_objects, chosen_rods, other_objects
from . import awaited, compile_ahead
from .kernel_folder import kernel_folder
from .obstacles import Obstructed, bake_is_running, no_new_curve, not_object_mode
from .one_by_one import each_by_itself
from .preset import own_folder, with_usual
from .result import choose
from .rod import make_rods

MATERIAL = "electrical_cable"  # of a new cable
USUAL = 0.005  # m: its radius, where its material names none
FEWEST = 24  # pieces from one object to the next
# s: no more may cables take that settle. Single ones take 2 at most; where a dozen press on each other it is minutes,
# and a window would stand still.
LONGEST = 20.0
AMONG = 5.0  # s: where others stay that it may meet; then it goes through them


def _materials(_operator, _context):
    return with_usual(MATERIAL)


class TENDRIL_OT_add_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.add_cable"
    bl_label = "Add Cable"
    bl_description = (
        "Let the selected curves hang at rest, as cables, between what holds them. They never swing, and nothing feels "
        "them. A rod becomes a cable of its own material"
    )

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

    @classmethod
    def obstacle(cls, context):
        cables = chosen_cables(context)
        if not cables:
            return "Select a cable: Add Cable makes one of a curve"
        hidden = next(filter(shows_bake, cables), None)
        if hidden:
            return f"'{hidden.name}' shows its bake: press Edit Source or Revert first"
        return bake_is_running(context) or not_object_mode(context, cls.bl_label)

    def execute(self, context):
        return settle_chosen(context, self, lambda cables: settle(context, cables, self))


class TENDRIL_OT_cable_to_mesh(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.cable_to_mesh"
    bl_label = "Mesh with Attributes"
    bl_description = (
        "Settle the selected cables, and make a mesh of each as it hangs then, whose attributes curvature, tension, "
        "torsion, contact and violation shaders and Geometry Nodes can show. It stays when the cable goes on"
    )

    obstacle = TENDRIL_OT_settle_cable.obstacle

    def execute(self, context):
        chosen = chosen_cables(context)

        def make(cables):
            drawn, settled = settle(context, cables, self, asked=[cable for cable in cables if cable in chosen])
            if settled is None:
                name = cables[0].name
                raise SceneError(name, f"'{name}' waits until the physics of cables is compiled: try again then.")
            context.view_layer.update()
            x, along = np.array(settled["x"]), np.array(settled["along"])
            for own, vertices, _ in drawn.by_object():
                if own.source in chosen:
                    cable_mesh.make(context, drawn.units, own, x[vertices], along[vertices])

        return settle_chosen(context, self, make)


class TENDRIL_OT_new_cable(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.new_cable"
    bl_label = "New Cable between Selected"
    bl_description = (
        "Hang a new cable from the active object to the nearest of the others that are selected, and on from there, "
        "held by each at its origin"
    )

    slack: FloatProperty(
        name="Slack", default=0.1, min=0.001, max=10.0, soft_max=1.0, subtype="FACTOR",
        description="How much longer the cable is than the way from object to object. More sags more",
    )  # fmt: skip
    preset: EnumProperty(name="Material", items=_materials, description="What the cable is made of, and how thick")
    mode: EnumProperty(
        name="Hold", items=[hold for hold in HOLDS if hold[0] != "DIRECTION"], default="POSITION",
        description="What of the cable the objects hold",
    )  # fmt: skip

    count: IntProperty(name="Count", default=1, min=1, max=1000, soft_max=48, description="How many cables")
    arrangement: EnumProperty(
        name="Arranged",
        items=(
            ("ROW", "Side by Side", "Across the way and across gravity: the cables of a plug"),
            (
                "RING",
                "Around",
                "Around the objects, as far out as their shapes are in the mean, around an empty just side by side: "
                "the chains of a chandelier",
            ),
        ),
        description="How several hang",
    )
    gap: FloatProperty(
        name="Gap", default=0.01, min=0.0, soft_max=1.0, subtype="DISTANCE", precision=4,
        description="The room between one and the next, at least",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        few = "" if len(held_by(context)) > 1 else "Select the objects between which the cable is to hang, two or more"
        return few or not_object_mode(context, cls.bl_label) or bake_is_running(context)

    def draw(self, _context):
        self.layout.use_property_split = True
        for name in ("slack", "preset", "mode", "count", *(["arrangement", "gap"] if self.count > 1 else [])):
            self.layout.prop(self, name)

    def execute(self, context):
        context.view_layer.update()  # a script may just have moved them
        path, units = presets.find(own_folder())[self.preset], Units.of(context.scene, 0)
        try:
            objects = in_order(held_by(context))
            radius = units.blender_units(presets.usual(path)[0]) or units.blender_units(USUAL)
            places, aside = self._places(context, objects, radius)
        except (SceneError, presets.PresetError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        drawn = [curve("Cable", *own, self.slack, radius) for own in zip(places, aside, strict=True)]
        cables = [cable for cable, _ in drawn]
        for cable in cables:
            link_here(context, cable)
        before = context.selected_objects, context.object
        choose(context, cables, cables[0])
        add_cable(self, context)
        for (cable, fractions), own in zip(drawn, places, strict=True):
            presets.apply(path, cable.tendril, radius)
            cable.tendril.rod.points = max(cable.tendril.rod.points, FEWEST * (len(objects) - 1))
            for number, (item, fraction) in enumerate(zip(objects, fractions, strict=True)):
                pin = cable.tendril.pins.add()
                pin.name = {0: "Start", len(objects) - 1: "End"}.get(number, "Pin")
                pin.target, pin.fraction, pin.mode = item, fraction, self.mode
            tie(context, cable, own)
        done = settle_chosen(context, self, lambda own: settle(context, own, self))
        if done == {"CANCELLED"}:
            for cable in cables:
                bpy.data.objects.remove(cable)
            choose(context, *before)
        return done

    def _places(self, context, objects, radius):
        """Where each of the cables holds on to the objects, and may go aside (`side_by_side`)."""
        gravity, apart = np.array(context.scene.gravity), 2.0 * radius + self.gap
        if self.count > 1 and self.arrangement == "RING":
            return side_by_side.around(context, objects, self.count, apart, gravity)
        return side_by_side.in_a_row(objects, self.count, apart, gravity)


class TENDRIL_OT_hold_as_drawn(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.hold_as_drawn"
    bl_label = "Tie Anew"
    bl_description = (
        "Tie the selected cables anew: from now on their pins hold them as they are drawn now, and not as they were "
        "when they were tied"
    )

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
            obj.tendril.rod.stretchable = False
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


def held_by(context):
    """The objects that a new cable is to hang from, the active one first: all that are selected but cables and rods."""
    return [item for item in other_objects(context) if item in context.selected_objects]


def chosen_cables(context):
    """The cables that are selected or whose bakes are, the active one first."""
    return [rod for rod in chosen_rods(context) if cable_of(rod)]


def groups_of(context):
    """The cables that are chosen, each with those that hang together with it."""
    return in_groups(chosen_cables(context), cables_of(context))


def beside(context, cable):
    """A cable and those that hang together with it."""
    return in_groups([cable], cables_of(context))[0]


def settle_chosen(context, operator, make):
    """make(cables), which settles them, of all that are chosen together, for they may touch; where that is refused, of
    those that hang together by themselves. Returns what the operator returns.
    """
    groups = groups_of(context)
    if len(groups) > 1:
        try:
            make([cable for own in groups for cable in own])
        except SceneError as error:
            if awaited.is_compiled():
                return each_by_itself(operator, groups, make)
            operator.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}
    return each_by_itself(operator, groups, make)


def cables_of(context):
    """All that take part."""
    return [rod for rod in taking_part(context)[0] if is_cable(rod)]


def settle(context, cables, operator, lengths=None, asked=()):
    """(Drawn, what the worker said, None: it compiles first, and then settles them) of cables that hang together, which
    get lengths, perhaps: see Drawn.order. What warns the operator reports. Raises SceneError, with nothing changed; so
    it does where one of those that are asked stays as it was.
    """
    for cable in cables:
        if shows_bake(cable):
            raise SceneError(cable.name, f"'{cable.name}' shows its bake: press Edit Source or Revert first.")
    name, others = cables[0].name, standing(context, cables)
    drawn = Drawn(context, cables, others)
    among = len(drawn.scene.rods) > sum(len(own.lines) for own in drawn.each)
    try:
        drawn.check()
        settled, warnings = _at_rest(context, cables, drawn, lengths, AMONG if among else LONGEST)
    except (SceneError, BakeError) as error:
        if not among:
            raise SceneError(name, str(error)) from error
        why = str(error)
        drawn = Drawn(context, cables)
        drawn.check()
        try:
            settled, warnings = _at_rest(context, cables, drawn, lengths)
        except BakeError as alone:
            raise SceneError(name, str(alone)) from alone
        through = f"'{name}' goes through cables that are not selected"
        warnings.append(f"{through}, for it could not be settled among them: {why}")
    if settled is None:
        operator.report({"INFO"}, f"'{name}' will hang at rest once the physics of cables is compiled")
        return drawn, None
    stays = drawn.refused(settled)
    for cable in asked or (cables if all(cable in stays for cable in cables) else ()):
        if cable in stays:
            raise SceneError(cable.name, stays[cable])
    for text in warnings:
        operator.report({"WARNING"}, text)
    drawn.settle(settled, which=[own for own in drawn.each if own.source not in stays], resized=lengths or ())
    kept = [None if own.source in stays else own.source for own in drawn.each for _ in own.lines]
    keep(kept + [None] * (len(drawn.scene.rods) - len(kept)), settled, drawn.units)
    return drawn, settled


def standing(context, cables):
    """Those that are shown as they are drawn and settle not with these, which meet them where they are."""
    return [item for item in cables_of(context) if item not in cables and item.visible_get() and not shows_bake(item)]


def shows_bake(cable):
    """Whether its bake is shown in its place."""
    return cable.tendril.result is not None and cable.hide_viewport


def propose(context, drawn):
    """The path of a Job of cables as Drawn. Raises BakeError."""
    place = folder.prepare(folder.locate(Path(bpy.app.tempdir), f"tendril_cable {context.scene.name}"))
    return job.propose(place, drawn.scene, {"temporary": True}).path


def begin(path, order):
    """A worker that settles the cables of the Job at `path`, by `Drawn.order`. Raises BakeError."""
    compile_ahead.stop()
    return process.Worker.settle(path, order, python_args=bpy.app.python_args, kernels=kernel_folder())


def slow(cables, seconds):
    """A sentence about cables that take longer."""
    return (
        f"'{cables[0].name}' finds no rest within {seconds:.0f} s: move what holds it by less at once, or give it "
        "fewer Points."
    )


def _at_rest(context, cables, drawn, lengths, longest=LONGEST):
    """(what the worker says of cables that are settled, sentences that warn); (None, []): they wait, for that is to be
    compiled first and there is a window, which would freeze. Raises BakeError.
    """

    def later(context, items):
        groups = in_groups(items, cables_of(context))
        return [settle(context, own, Unasked(context), lengths) for own in groups][-1]

    if not awaited.is_compiled():
        if lengths:
            raise BakeError("The physics of cables is being compiled: set lengths once it is.")
        awaited.wait(cables, settle=later)
        return None, []
    worker = begin(propose(context, drawn), drawn.order(lengths=lengths))
    said, warnings = heard(context, cables, worker, longest, later)
    if "settled" in said or not said:
        return said.get("settled"), warnings
    raise BakeError(why(said))


def why(said):
    """What a worker says of what it has not done, by `heard`."""
    texts = [message["text"] for message in said.values() if ends(message) or message["kind"] == "exit"]
    return next(filter(None, texts), "The cable could not be settled: try again.")


def heard(context, cables, worker, longest, later=None):
    """({kind: the first of its messages}, sentences that warn) of a worker that settles cables; ({}, []): it compiles
    first, and there is a window, which would freeze. later: what is done then, as by `awaited.wait`. Raises BakeError.
    """
    said, warnings = {}, []

    def hear(message):
        said.setdefault(message["kind"], message)
        if message["kind"] == "warning":
            warnings.append(message["text"])
        if message["kind"] == "compiling" and has_window():
            raise awaited.CompilingError

    context.window_manager.progress_begin(0, 1)  # the cursor tells that something is done
    try:
        process.listen(worker, hear, longest)
    except awaited.CompilingError:
        awaited.wait(cables, worker, later)
        return {}, []
    except BakeError as error:
        worker.kill()
        raise BakeError(slow(cables, longest)) from error
    except BaseException:
        worker.kill()
        raise
    finally:
        context.window_manager.progress_end()
    worker.kill()
    return said, warnings


classes = (
    TENDRIL_OT_add_cable, TENDRIL_OT_new_cable, TENDRIL_OT_settle_cable, TENDRIL_OT_cable_to_mesh,
    TENDRIL_OT_hold_as_drawn,
)  # fmt: skip
