"""What a cable is like, by a line that was drawn or scanned of it."""

import bpy
import numpy as np
from bpy.props import BoolProperty

from ..bake import process
from ..bake.errors import BakeError
from ..bridge import pose
from ..bridge.cable import Drawn
from ..physics.validate import SceneError
from ..properties.body import cable_of
from . import awaited, compile_ahead
from .cable import TENDRIL_OT_settle_cable, Unasked, beside, heard, propose, settle, standing, why
from .kernel_folder import kernel_folder
from .obstacles import Obstructed
from .refusal import refuses

LABELS = {"stiffness": "Bending", "spool": "Spool Radius", "turn": "the turn of its connector", "density": "Density"}
COMPILING = "The physics of cables is being compiled: fit to a pose once it is."
LONGEST = 120.0  # s: some hundred settlings, each of some ms for one cable, and 2 s at most where it finds no rest
MOST = 1e4  # times: what is known to no better is called so
DIAMETERS = 2.0  # radii: as far as engineers let a cable be off (Grégoire 2007, §7.2)


class TENDRIL_OT_fit_to_pose(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.fit_to_pose"
    bl_label = "Fit to Pose"
    bl_description = (
        "Find what the active cable is like by a curve that is selected besides, which was drawn or scanned where the "
        "cable hangs between what holds it now, and draw it so"
    )

    stiffness: BoolProperty(
        name="Bending", default=True,
        description="Find how much it resists bending, for its Density: a pose tells only how the two compare",
    )  # fmt: skip
    spool: BoolProperty(
        name="Spool", default=True, description="Find its Spool Radius, and where to it curls: Spool Direction"
    )
    turn: BoolProperty(
        name="Connector's Turn", default=True,
        description="Find by how much the last pin that holds its twist is turned about it, where another holds that "
        "too",
    )  # fmt: skip
    density: BoolProperty(
        name="Density", default=False,
        description="Find its Density, where something of known weight hangs on it; else a pose does not tell it",
    )  # fmt: skip

    @classmethod
    def obstacle(cls, context):
        if not cable_of(context.object):
            return "The active object is no cable: select the curve that was drawn or scanned, then the cable"
        if not pose.lines_of(context):
            return "Select the curve that was drawn or scanned besides the cable, the cable last"
        return TENDRIL_OT_settle_cable.obstacle(context)

    def draw(self, _context):
        self.layout.use_property_split = True
        for name in LABELS:
            self.layout.prop(self, name)

    @refuses
    def execute(self, context):
        cable = cable_of(context.object)
        if not awaited.is_compiled():
            raise BakeError(COMPILING)
        lines = pose.lines_of(context)
        group, points = beside(context, cable), pose.points(context, lines)
        drawn = Drawn(context, group, standing(context, group))
        drawn.check()
        own, turned = next(own for own in drawn.each if own.source == cable), pose.connector(drawn, cable)
        found = self._ask(context, group, drawn, {
            "rods": [own.first + k for k in range(len(own.lines))], "points": points,
            "unknown": [name for name in LABELS if getattr(self, name)],
            "connector": turned[0] if turned else None,
        })  # fmt: skip
        before = pose.state(cable)
        pose.take(cable, found, turned, drawn.units)
        try:
            settle(context, group, self, asked=[cable])
        except SceneError:
            pose.restore(cable, before)
            raise
        self._tell(cable, lines[0], found, drawn.scene.rods[own.first].radius.max(), turned and turned[1])
        return {"FINISHED"}

    def _ask(self, context, group, drawn, asked):
        """What a worker has found. Raises BakeError."""
        compile_ahead.stop()
        path = propose(context, drawn)
        worker = process.Worker.fit(path, asked, python_args=bpy.app.python_args, kernels=kernel_folder())
        said, _ = heard(
            context, group, worker, LONGEST, lambda context, items: settle(context, items, Unasked(context))
        )
        if not said:
            raise BakeError(COMPILING)
        if "fitted" not in said:
            raise BakeError(why(said))
        return said["fitted"]

    def _tell(self, cable, line, found, radius, pin):
        """How well it fits, what was found, to two standard errors, and what was not."""
        errors, numbers, kept, vague = found["errors"], found["numbers"], found["kept"], found["vague"]
        values = {
            "stiffness": f"Bending × {numbers['stiffness']:.3g}", "density": f"Density × {numbers['density']:.3g}",
            "spool": f"Spool Radius {1.0 / max(np.hypot(*numbers['spool']), 1e-9):.3g} m",
            "turn": f"'{pin.name if pin else ''}' turned by {np.degrees(numbers['turn']):.3g}°",
        }  # fmt: skip
        told = [
            values[name] + (f" ± {np.degrees(2.0 * error):.2g}°" if name == "turn" else f" ± {200.0 * error:.2g} %")
            for name, error in errors.items() if name not in vague
        ]  # fmt: skip
        off = f"'{cable.name}' lies {1e3 * found['rms']:.3g} mm from '{line.name}' in the root mean square"
        self.report({"INFO"}, ": ".join([off, *([", ".join(told)] if told else [])]))
        for name in kept:
            others = ""
            if name == "spool" and found["tightest"] * radius < 1.0:
                others = f", {1.0 / found['tightest']:.3g} m or more fits as well"
            self.report({"WARNING"}, f"This pose does not tell {LABELS[name]} of '{cable.name}': it stays{others}")
        for name in vague:
            within = (
                f"{np.degrees(min(2.0 * errors[name], np.pi)):.0f}°" if name == "turn"
                else f"a factor of {min(np.exp(min(2.0 * errors[name], 50.0)), MOST):.2g}"
            )  # fmt: skip
            self.report({"WARNING"}, f"This pose tells {LABELS[name]} of '{cable.name}' to within {within} only")
        if found["rms"] > DIAMETERS * radius:
            self.report(
                {"WARNING"}, f"No such cable lies along '{line.name}' to within a diameter: is it as long, and held in "
                "the same places?",
            )  # fmt: skip


classes = (TENDRIL_OT_fit_to_pose,)
