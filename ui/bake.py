"""The bake: how well, which frames, how far it is, and what can be done with its frames. What is said stands in a panel
of its own, the last, so that no button moves when something is.
"""

import textwrap

from bpy.types import Panel
from bpy.utils.units import to_string

from ..properties.body import bereft, cable_of, has_bake, is_edited, moves, rod_of, soft_of, takes_steps, thing_of
from ..properties.scene import usual_cache
from .place import Bakes, Closed, Documented, Lowest, OfBake, Sidebar, of_each_kind
from .rod import draw_settings
from .world import draw_gravity

MOST_WARNINGS = 5
KEPT = 3  # lines of room for what is said, said or not; more, once more was said of what is active:
_room = {}  # {(session_uid, width): lines}. Who has scrolled to the end would see all move, if they became fewer


class _Bake(Bakes, Documented):
    bl_label = "Bake"
    section = "baking"

    def draw(self, context):
        layout, settings, run = self.layout, context.scene.tendril, context.window_manager.tendril
        if moves(context.scene):
            column = layout.column()
            column.enabled = not run.running
            draw_settings(column, settings, ("quality", "settle"))
        draw_buttons(layout, run)


def draw_buttons(layout, run):
    """A bake that runs takes away none of them, and its own takes the place of that which began it."""
    column = layout.column(align=True)
    row = column.row(align=True)
    if run.running:
        row.progress(factor=run.progress, text=run.message)
        cancel = row.row(align=True)
        cancel.enabled = not run.cancelling
        cancel.operator("tendril.cancel", text="", icon="X")
    else:
        row.operator("tendril.bake", icon="PHYSICS")
        resume = row.row(align=True)
        resume.enabled = not run.whole
        resume.operator("tendril.resume")
    on = run.auto_update
    column.operator("tendril.auto_update", icon="CHECKBOX_HLT" if on else "CHECKBOX_DEHLT", depress=on)
    row = column.row(align=True)
    row.operator("tendril.bake_selected")
    row.operator("tendril.bake_from_here")
    row = column.row(align=True)
    row.operator("tendril.settle")
    row.operator("tendril.estimate", icon="TIME")


class _Steps(Closed):
    bl_label = "Steps"

    @classmethod
    def poll(cls, context):
        return takes_steps(context.scene)

    def draw(self, context):
        settings = context.scene.tendril
        self.layout.enabled = not context.window_manager.tendril.running
        draw_settings(self.layout, settings, ("solver",))
        swing = self.layout.column()
        swing.active = settings.solver != "EXPLICIT"
        draw_settings(swing, settings, ("keep_swing",))


class _Output(Closed):
    bl_label = "Frames and Storage"

    def draw(self, context):
        layout, scene, settings = self.layout, context.scene, context.scene.tendril
        layout.use_property_split = True
        layout.use_property_decorate = False
        layout.enabled = not context.window_manager.tendril.running
        column = layout.column(align=True)
        column.prop(settings, "use_frame_range")
        sub = column.column(align=True)
        sub.active = settings.use_frame_range
        owner = settings if settings.use_frame_range else scene
        sub.prop(owner, "frame_start", text="Start")
        sub.prop(owner, "frame_end", text="End")
        layout.prop(settings, "cache_folder", placeholder=usual_cache())
        if rod := rod_of(context.object):
            draw_settings(layout, rod.tendril.rod, ("storage",))
        elif soft := soft_of(context.object):
            draw_settings(layout, soft.tendril.soft, ("storage",))


class _Result(Closed):
    bl_label = "Result"

    @classmethod
    def poll(cls, context):
        run = context.window_manager.tendril
        return has_bake(context.scene) or bool(run.cache_size or run.cache_unread)

    def draw(self, context):
        layout, run, active = self.layout, context.window_manager.tendril, context.object
        column = layout.column(align=True)
        column.operator("tendril.free", text=f"Free {run.cache_size:.1f} MB" if run.cache_size else "Free Cache")
        row = column.row(align=True)
        edited = active is not None and is_edited(thing_of(active))
        row.operator(
            "tendril.edit_source", text="Show Bake" if edited else "Edit Source", icon="EDITMODE_HLT", depress=edited
        )
        row.operator("tendril.revert", icon="LOOP_BACK")
        column = layout.column(align=True)
        column.operator("tendril.bake_to_keyframes", icon="KEYFRAME")
        column.operator("tendril.take_into_file", icon="FILE_BLEND")


class _Messages(Lowest):
    bl_label = "Messages"

    def draw(self, context):
        characters = context.region.width // (7 * context.preferences.system.ui_scale)
        column = self.layout.column(align=True)
        draw_gravity(column, context.scene)
        lines = 0
        for text, icon in said(context):
            lines += draw_text(column, text, icon, characters)
        place = context.object and thing_of(context.object).session_uid, characters
        room = max(lines, _room.get(place, KEPT))
        for other in [other for other in _room if other[0] != place[0]]:
            del _room[other]
        _room[place] = room
        for _ in range(room - lines):
            column.label(text="")


def said(context):
    """[(sentence, icon)]: what was said last, and the first warnings."""
    run, found = context.window_manager.tendril, []
    if run.running:
        found.append((run.message, "INFO"))
    else:
        if run.auto_update and run.auto_message:
            found.append((f"Auto Update: {run.auto_message}", "ERROR" if run.auto_failed else "INFO"))
        if run.settle_live and run.live_message:
            found.append((run.live_message, "ERROR" if run.live_failed else "INFO"))
        found += [(run.estimate, "TIME"), (run.message, "ERROR" if run.failed else "INFO")]
        found += [(run.contact, "MOD_PHYSICS"), (run.took, "TIME"), (run.changed, "ERROR"), (run.ahead, "SORTTIME")]
        found += [(run.cache_unread, "INFO"), (run.hint, "INFO")]
        if cable := cable_of(context.object):
            found += of_cable(cable, context.scene.unit_settings)
    found += [(f"Frame {warning.frame}: {warning.text}", "ERROR") for warning in run.warnings[:MOST_WARNINGS]]
    if len(run.warnings) > MOST_WARNINGS:
        found.append((f"and {len(run.warnings) - MOST_WARNINGS} more", "BLANK1"))
    for source in bereft(context.scene)[:1]:
        text = f"The bake of '{source.name}' was deleted: Revert shows '{source.name}' again, Bake makes a new one"
        found.append((text, "INFO"))
    return [(text, icon) for text, icon in found if text]


def of_cable(cable, units):
    """How a cable was bent and pulled when it was last settled or baked, and what of it was not as it may be."""
    own = cable.tendril
    if own.missing:
        yield f"'{cable.name}' is too short by up to {length(own.missing, units)}", "ERROR"
    if not (own.bend_radius or own.tension):
        return
    bent = f"is bent to a radius of {length(own.bend_radius, units)}" if own.bend_radius else "is straight"
    text = f"'{cable.name}' {bent} and pulled by {own.tension:.3g} N at most"
    text += f", pressed by {own.transverse:.3g} N" * (own.transverse > 0.0)
    yield text + f", and has chafed by {own.chafing:.3g} J" * (own.chafing > 0.0), "INFO"
    yield from exceeded(cable, units)


def exceeded(cable, units):
    """What limits it exceeded there: where, and by what."""
    own, rod = cable.tendril, cable.tendril.rod
    for done, value, limit, at in (
        ("bent to", own.bend_radius, rod.bend_limit, own.curvature_at),
        ("pulled by", own.tension, rod.tension_limit, own.tension_at),
        ("pressed by", own.transverse, rod.transverse_limit, own.transverse_at),
    ):
        if limit and value and (value < limit if done == "bent to" else value > limit):
            size, most = (length(v, units) if done == "bent to" else f"{v:.3g} N" for v in (value, limit))
            more = "more tightly" if done == "bent to" else "harder"
            yield (
                f"{length(at, units)} from its start it is {done} {size}: {more} than the {most} that it may be",
                "ERROR",
            )


def length(value, units):
    """Blender units as Blender shows them."""
    if units.system == "NONE":
        return f"{value:.3g}"
    return to_string(units.system, "LENGTH", value * units.scale_length, precision=3)


def draw_text(layout, text, icon, characters):
    """A sentence in lines of so many characters → how many lines."""
    column = layout.column(align=True)
    lines = textwrap.wrap(text, max(20, int(characters) - 6))
    for line in lines:
        column.label(text=line, icon=icon)
        icon = "BLANK1"
    return len(lines)


class TENDRIL_PT_bake(_Bake, Sidebar, OfBake, Panel):
    pass


class TENDRIL_PT_steps(Sidebar, _Steps, Panel):
    bl_parent_id = "TENDRIL_PT_bake"


class TENDRIL_PT_output(Sidebar, _Output, Panel):
    bl_parent_id = "TENDRIL_PT_bake"


class TENDRIL_PT_result(Sidebar, _Result, Panel):
    bl_parent_id = "TENDRIL_PT_bake"


class TENDRIL_PT_messages(_Messages, Sidebar, OfBake, Panel):
    pass


classes = (
    TENDRIL_PT_bake, TENDRIL_PT_steps, TENDRIL_PT_output, TENDRIL_PT_result, TENDRIL_PT_messages,
    *of_each_kind("bake", _Bake), *of_each_kind("steps", _Steps, within="bake"),
    *of_each_kind("output", _Output, within="bake"), *of_each_kind("result", _Result, within="bake"),
    *of_each_kind("messages", _Messages),
)  # fmt: skip
