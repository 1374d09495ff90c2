"""What can be done with a bake: delete its frames on disk, turn it into keyframes, take it back."""

import bpy

from ..bridge import animation, body_result, mesh_cache, result, result_object, soft_facets, soft_result
from ..bridge.bodies import body_objects
from ..bridge.hair import is_hair
from ..bridge.scene import rod_objects
from ..bridge.soft_bodies import soft_objects
from ..properties.body import body_of, is_edited, rod_of, soft_of, source_of, thing_of
from . import cache_folder, run_state
from .obstacles import Obstructed, bake_is_running, no_active_rod, no_cache, not_object_mode
from .refusal import refuses


class TENDRIL_OT_free(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.free"
    bl_label = "Free Cache"
    bl_description = "Delete the frames of this scene's bake on disk. The animation in this file stays"
    bl_options = {"REGISTER"}

    @classmethod
    def description(cls, context, _settings):
        """The tooltip, which also says where they are."""
        place = context.window_manager.tendril.cache_place
        return f"{cls.bl_description}.\nThey are in {place}" if place else cls.bl_description

    @classmethod
    def obstacle(cls, context):
        return bake_is_running(context) or no_cache(context)

    @refuses
    def execute(self, context):
        frames, size, place = cache_folder.free(context.scene)
        run_state.measure_cache(context)
        text = f"Deleted {frames} frame{'s' * (frames != 1)}, {size / 1e6:.1f} MB, from {place}"
        if rest := mesh_cache.not_played(place):
            size = sum(path.stat().st_size for path in rest) / 1e6
            text += f". {len(rest)} Mesh Cache files of {size:.1f} MB, which another .blend may play, stay there"
        self.report({"INFO"}, text)
        return {"FINISHED"}


class TENDRIL_OT_bake_to_keyframes(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.bake_to_keyframes"
    bl_label = "Bake to Keyframes"
    bl_description = "Turn this rod's bake into keyframes on its control points, which can be edited. For short rods"

    @classmethod
    def obstacle(cls, context):
        rod, body = rod_of(context.object), body_of(context.object)
        if body and result.result_of(body):
            return f"The bake of '{body.name}' is keyframes already"
        if soft := soft_of(context.object):
            return f"'{soft.name}' is a soft body: its shape keys are its keyframes"
        if rod and is_hair(rod):
            return f"'{rod.name}' is hair, whose points have no keyframes: shape keys or a file play them"
        if rod is None or result.result_of(rod) is None:
            return no_active_rod(context) or f"'{rod.name}' has no bake: bake it first"
        return bake_is_running(context) or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        result.bake_to_keyframes(rod_of(context.object))
        return {"FINISHED"}


class TENDRIL_OT_take_into_file(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.take_into_file"
    bl_label = "Mesh Cache to Shape Keys"
    bl_description = (
        "Take all of this scene's bakes that Mesh Cache files play into this file, as shape keys, so that it alone "
        "renders elsewhere. It grows by as much as those files have; they stay"
    )

    @classmethod
    def obstacle(cls, context):
        if not result.in_files(context.scene):
            return "No bake in this scene is played by a Mesh Cache file: this file has them all"
        return bake_is_running(context) or not_object_mode(context, cls.bl_label)

    @refuses
    def execute(self, context):
        items = result.in_files(context.scene)
        animation.take_into_file(items)
        self.report({"INFO"}, f"{len(items)} bake{'s' * (len(items) > 1)} taken into this file")
        return {"FINISHED"}


class TENDRIL_OT_edit_source(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.edit_source"
    bl_label = "Edit Source"
    bl_description = (
        "Show the drawn curves and meshes of the selected rods, rigid and soft bodies in place of their bake, to edit "
        "them; pressed again, show the bake. Renders go on showing the bake"
    )

    @classmethod
    def obstacle(cls, context):
        if not _baked(context):
            return "Nothing that is selected is baked: select a baked rod, rigid or soft body"
        return bake_is_running(context)

    def execute(self, context):
        chosen = _baked(context)
        if is_edited(chosen[0]):
            return show_results(context, chosen)
        return show_sources(context, chosen)


class TENDRIL_OT_revert(Obstructed, bpy.types.Operator):
    bl_idname = "tendril.revert"
    bl_label = "Revert"
    bl_description = (
        "Delete the objects that show the bake and show the rods, rigid and soft bodies again as they are drawn"
    )

    @classmethod
    def obstacle(cls, context):
        if any(result.result_of(item) for item in _objects(context)):
            return bake_is_running(context) or not_object_mode(context, cls.bl_label)
        return "Nothing in this scene is baked"

    def execute(self, context):
        active = context.object and source_of(context.object)
        for source in _objects(context):
            _revert(source)
            soft_facets.restore(source)
        context.view_layer.update()  # where nothing is active it still lists what was deleted, as None
        if active:
            context.view_layer.objects.active = active
            active.select_set(True)
        run_state.clear(context.window_manager.tendril)
        run_state.compare(context)
        return {"FINISHED"}


def _objects(context):
    """All that a bake can show, in the order in which it is taken back."""
    return [*rod_objects(context), *body_objects(context), *soft_objects(context)]


def _revert(source):
    own = source.tendril
    (result if own.is_rod else soft_result if own.is_soft else body_result).revert(source)


def _baked(context):
    """The sources of what is baked among the selected objects, that of the active one first."""
    chosen = [item for item in (context.object, *context.selected_objects) if item]
    sources = dict.fromkeys(thing_of(item) for item in chosen)
    return [item for item in sources if (rod_of(item) or body_of(item) or soft_of(item)) and result.result_of(item)]


def show_sources(context, sources):
    """Show sources in place of their results, and select them."""
    for source in sources:
        if result_object.is_deleted(source.tendril.result):
            _revert(source)
            continue
        for item in result_object.with_children(source):
            result_object.leave_edit_mode(context, item.tendril.result)
            result_object.show_source(item)
    return select(context, sources)


def show_results(context, sources):
    """Hide sources again, and select their results."""
    for source in sources:
        for item in result_object.with_children(source):
            result_object.leave_edit_mode(context, item)
            result_object.show_result(item)
    return select(context, [source.tendril.result for source in sources])


def select(context, chosen):
    """Select these objects alone, the first of them active."""
    context.view_layer.update()
    choose(context, chosen, chosen[0])
    return {"FINISHED"}


def choose(context, items, active):
    """Select these objects alone."""
    for item in context.selected_objects:
        item.select_set(False)
    for item in items:
        item.select_set(True)
    context.view_layer.objects.active = active


classes = (
    TENDRIL_OT_free,
    TENDRIL_OT_bake_to_keyframes,
    TENDRIL_OT_take_into_file,
    TENDRIL_OT_edit_source,
    TENDRIL_OT_revert,
)
