"""Why a button is off, in a sentence; '' where nothing is in its way."""

from ..bake.errors import BakeError
from ..bridge import changes
from ..bridge.check_curve import no_curve
from ..bridge.scene import frame_range
from ..physics.validate import SceneError
from ..properties.body import body_of, rod_of, sheet_of, soft_of
from .cache_folder import has_begun, may_hold_cache


class Obstructed:
    """An operator with an `obstacle(context)`: its sentence is what Blender shows on the disabled button. What it does
    is one undo step, unless it says otherwise.
    """

    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context):
        obstacle = cls.obstacle(context)
        if obstacle:
            cls.poll_message_set(obstacle)
        return not obstacle


def no_active_rod(context):
    return "" if rod_of(context.object) else "Select a rod: Add Rod makes one of a curve"


def no_new_curve(chosen, kind, is_one, types=("CURVE",)):
    """Why nothing of the objects chosen can become one of a kind, "rod" or "tree", as those of such types can."""
    if not chosen:
        return f"Nothing is selected: select a curve to make a {kind} of it"
    curves = [item for item in chosen if item.type in types]
    if not curves:
        return no_curve(chosen[0])
    return f"'{curves[0].name}' is a {kind} already: select another curve" if all(map(is_one, curves)) else ""


def no_new_mesh(chosen, kinds):
    """Why nothing of the objects chosen can become a body; kinds: {what a mesh may be already: tells it}, that of the
    button first.
    """
    if not chosen:
        return "Nothing is selected: select a mesh"
    item = next((item for item in chosen if item.type == "MESH"), chosen[0])
    if item.type == "MESH" and rod_of(item):
        return f"'{item.name}' follows a cable: remove its modifier Follow Cable first"
    for number, (kind, is_one) in enumerate(kinds.items()):
        if is_one(item):
            cure = "remove that first" if number else "change it in the panel"
            return f"'{item.name}' is a {kind}{'' if number else ' already'}: {cure}"
    return f"'{item.name}' is not a mesh: select one, or convert it with Object › Convert › Mesh"


def no_active_body(context):
    return "" if body_of(context.object) else "Select a rigid body: Add Rigid Body makes one of a mesh"


def no_active_soft(context):
    return "" if soft_of(context.object) else "Select a soft body or sheet: Add Soft Body or Add Sheet makes one"


def no_active_solid(context):
    if sheet_of(context.object):
        return "This is a sheet, which has no tetrahedra"
    return "" if soft_of(context.object) else "Select a soft body: Add Soft Body makes one of a mesh"


def nothing_in_scene(context):
    if any(obj.tendril.is_rod or obj.tendril.is_body or obj.tendril.is_soft for obj in context.scene.objects):
        return ""
    return (
        "There is no rod, rigid or soft body in this scene: Add Rod makes one of a curve, Add Soft Body or Add Sheet "
        "of a mesh"
    )


def bake_is_running(context):
    running = context.window_manager.tendril.running
    return "A bake is running: wait for its end or cancel it" if running else ""


def no_cache(context):
    try:
        there = may_hold_cache(context.scene)
    except BakeError as error:
        return str(error)
    return "" if there else "This scene has no cache: bake first"


def nothing_to_resume(context):
    """Why Resume has nothing to go on with: all frames of the bake that is shown are there, and no other was begun."""
    try:
        if not may_hold_cache(context.scene):
            return "This scene has no cache: bake first"
        first, last = frame_range(context.scene)
        shown = changes.baked(context)
        if shown is None or has_begun(context.scene, shown[0]):
            return ""
    except (BakeError, SceneError) as error:
        return str(error)
    frames, count, _ = shown
    if frames < min(count, last - first + 1) or last - first + 1 > count:
        return ""
    return f"All {frames} frames of this bake are there: a later End gives it more"


def nothing_selected(context):
    chosen = context.selected_objects
    if any(rod_of(item) or soft_of(item) or is_simulated(body_of(item)) for item in chosen):
        return ""
    return "Nothing that a bake moves is selected: select rods, rigid or soft bodies"


def is_simulated(body):
    return body is not None and body.tendril.body.motion != "ANIMATED"


def no_frame_here(context):
    """Why no bake begins behind the current frame."""
    try:
        first, last = frame_range(context.scene)
    except SceneError as error:
        return str(error)
    here = context.scene.frame_current
    if first < here < last:
        return ""
    return f"Frame {here} is not between the first and the last one of the bake, {first} and {last}: go to one that is"


def not_object_mode(context, label):
    return "" if context.mode == "OBJECT" else f"{label} does not work in edit mode: leave it with Tab"
