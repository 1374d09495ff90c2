"""The bake: how well, which frames, how long it takes and how far it is, and what can be done with the frames."""

import textwrap

from bpy.types import Panel

from ..properties.body import bereft, is_edited, source_of
from ..properties.scene import usual_cache
from .place import Documented, Foremost, OfBake, OfBody, OfRod, PhysicsTab, Sidebar
from .world import draw_gravity

MOST_WARNINGS = 5


class _Bake(Documented):
    bl_label = "Bake"
    section = "baking"

    def draw(self, context):
        layout, settings, run = self.layout, context.scene.tendril, context.window_manager.tendril
        layout.use_property_split = True
        layout.use_property_decorate = False
        column = layout.column()
        column.enabled = not run.running
        draw_settings(column, context.scene, settings)
        characters = context.region.width // (7 * context.preferences.system.ui_scale)
        draw_progress(layout, run) if run.running else draw_buttons(layout, run, context.object)
        if run.ahead and not run.running:
            draw_text(layout, run.ahead, "SORTTIME", characters)
        draw_messages(layout, run, characters)
        for source in bereft(context.scene)[:1]:
            text = f"The bake of '{source.name}' was deleted: Revert shows '{source.name}' again, Bake makes a new one"
            draw_text(layout, text, "INFO", characters)


def draw_settings(layout, scene, settings):
    draw_gravity(layout, scene)
    layout.prop(settings, "solver")
    layout.prop(settings, "quality")
    row = layout.row()
    row.enabled = settings.solver != "EXPLICIT"
    row.prop(settings, "keep_swing")
    layout.prop(settings, "settle")
    column = layout.column(align=True)
    column.prop(settings, "use_frame_range")
    sub = column.column(align=True)
    sub.active = settings.use_frame_range
    owner = settings if settings.use_frame_range else scene
    sub.prop(owner, "frame_start", text="Start")
    sub.prop(owner, "frame_end", text="End")
    layout.prop(settings, "cache_folder", placeholder=usual_cache())


def draw_progress(layout, run):
    layout.progress(factor=run.progress, text=run.message)
    row = layout.row()
    row.enabled = not run.cancelling
    row.operator("tendril.cancel", icon="CANCEL")


def draw_buttons(layout, run, active):
    """No text between them or above, that comes and goes, moves one away from under the mouse."""
    layout.operator("tendril.estimate", icon="TIME")
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator("tendril.bake", icon="PHYSICS")
    row.operator("tendril.settle")
    on = run.auto_update
    column.operator("tendril.auto_update", icon="CHECKBOX_HLT" if on else "CHECKBOX_DEHLT", depress=on)
    row = column.row(align=True)
    row.operator("tendril.bake_selected")
    row.operator("tendril.bake_from_here")
    row = column.row(align=True)
    row.operator("tendril.resume")
    row.operator("tendril.free", text=f"Free {run.cache_size:.1f} MB" if run.cache_size else "Free Cache")
    column = layout.column(align=True)
    column.operator("tendril.bake_to_keyframes", icon="KEYFRAME")
    column.operator("tendril.take_into_file", icon="FILE_BLEND")
    row = column.row(align=True)
    edited = active is not None and is_edited(source_of(active))
    row.operator(
        "tendril.edit_source", text="Show Bake" if edited else "Edit Source", icon="EDITMODE_HLT", depress=edited
    )
    row.operator("tendril.revert", icon="LOOP_BACK")


def draw_messages(layout, run, characters):
    """What was said last, and the first warnings, in lines of so many characters."""
    if run.auto_update and run.auto_message and not run.running:
        draw_text(layout, f"Auto Update: {run.auto_message}", "ERROR" if run.auto_failed else "INFO", characters)
    if run.estimate and not run.running:
        draw_text(layout, run.estimate, "TIME", characters)
    if run.message and not run.running:
        draw_text(layout, run.message, "ERROR" if run.failed else "INFO", characters)
    if run.contact and not run.running:
        draw_text(layout, run.contact, "MOD_PHYSICS", characters)
    if run.took and not run.running:
        draw_text(layout, run.took, "TIME", characters)
    if run.changed and not run.running:
        draw_text(layout, run.changed, "ERROR", characters)
    if run.cache_place and not run.running:
        draw_text(layout, f"Frames are in {run.cache_place}", "FILE_CACHE", characters)
    for warning in run.warnings[:MOST_WARNINGS]:
        draw_text(layout, f"Frame {warning.frame}: {warning.text}", "ERROR", characters)
    if len(run.warnings) > MOST_WARNINGS:
        layout.label(text=f"and {len(run.warnings) - MOST_WARNINGS} more", icon="BLANK1")


def draw_text(layout, text, icon, characters):
    column = layout.column(align=True)
    for line in textwrap.wrap(text, max(20, int(characters) - 6)):
        column.label(text=line, icon=icon)
        icon = "BLANK1"


class TENDRIL_PT_bake(Foremost, Sidebar, OfBake, _Bake, Panel):
    pass


class PHYSICS_PT_tendril_bake(Foremost, PhysicsTab, OfRod, _Bake, Panel):
    bl_parent_id = "PHYSICS_PT_tendril"


class PHYSICS_PT_tendril_body_bake(Foremost, PhysicsTab, OfBody, _Bake, Panel):
    bl_parent_id = "PHYSICS_PT_tendril_body"


classes = (TENDRIL_PT_bake, PHYSICS_PT_tendril_bake, PHYSICS_PT_tendril_body_bake)
