"""Why a button is off, in a sentence; '' where nothing is in its way."""

from ..bake.errors import BakeError
from ..properties.body import body_of, rod_of
from .cache_folder import may_hold_cache


class Obstructed:
    """An operator with an `obstacle(context)`: its sentence is what Blender shows on the disabled button."""

    @classmethod
    def poll(cls, context):
        obstacle = cls.obstacle(context)
        if obstacle:
            cls.poll_message_set(obstacle)
        return not obstacle


def no_active_rod(context):
    return "" if rod_of(context.object) else "Select a rod: Add Rod makes one of a curve"


def no_active_body(context):
    return "" if body_of(context.object) else "Select a rigid body: Add Rigid Body makes one of a mesh"


def no_rod_in_scene(context):
    any_rod = any(obj.tendril.is_rod for obj in context.scene.objects)
    return "" if any_rod else "There is no rod in this scene: Add Rod makes one of a curve"


def bake_is_running(context):
    running = context.window_manager.tendril.running
    return "A bake is running: wait for its end or cancel it" if running else ""


def no_cache(context):
    try:
        there = may_hold_cache(context.scene)
    except BakeError as error:
        return str(error)
    return "" if there else "This scene has no cache: bake first"


def not_object_mode(context, label):
    return "" if context.mode == "OBJECT" else f"{label} does not work in edit mode: leave it with Tab"
